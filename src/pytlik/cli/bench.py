"""`pytlik bench`: how fast the kernels are, beside other people's programs in the same run."""

import argparse
import json
import sys

import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from pytlik.bench import games, puzzles
from pytlik.bench.measuring import Section, measure
from pytlik.i18n import Catalogue
from pytlik.ubongo import kernel as ubongo_kernel
from pytlik.unikat import kernel as unikat_kernel

BENCHES = {"unikat": games.benches, "ubongo": puzzles.benches}


def arguments(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    parser.add_argument("game", nargs="*", metavar="game", help=say("cli.bench.game"))
    parser.add_argument("--repeats", type=repeats, default=3, help=say("cli.bench.repeats"))
    parser.add_argument("--json", action="store_true", help=say("cli.json"))


def repeats(text: str) -> int:
    if not 1 <= (value := int(text)) <= 1000:
        raise ValueError
    return value


def run(args: argparse.Namespace, say: Catalogue) -> int:
    unknown = [game for game in args.game if game not in BENCHES]
    if unknown:
        print(f"pytlik bench: {unknown[0]}: {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    benches = [bench for game in args.game or BENCHES for bench in BENCHES[game]()]
    sections = []
    columns = (TextColumn("{task.description}"), BarColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=args.repeats * sum(len(bench.runs) for bench in benches))

        def progress(name: str) -> None:
            bar.update(task, advance=1, description=name)

        sections = [measure(bench, args.repeats, progress) for bench in benches]
    compiled = unikat_kernel.COMPILED and ubongo_kernel.COMPILED
    if args.json:
        print(json.dumps({"compiled": compiled, "sections": msgspec.to_builtins(sections)}))
    else:
        print(say("bench.compiled" if compiled else "bench.uncompiled"))
        for section in sections:
            show(section, say)
    return 0


def show(section: Section, say: Catalogue) -> None:
    table = Table(say(section.title), say("bench.rate"), say("bench.times"), say("bench.aim"))
    for row in section.rows:
        table.add_row(
            row.name,
            number(row.rate),
            f"{row.ratio:.2f} ×" if row.ratio else "",
            f"{row.aim:g} ×" if row.aim else "",
        )
    for column in table.columns[1:]:
        column.justify = "right"
    Console(highlight=False).print(table)


def number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"
