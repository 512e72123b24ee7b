"""`pytlik bench`: measures how fast the kernels are, compared with other people's programs."""

import argparse
import itertools
import json
import sys
from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from pytlik.bench import ubongo_solvers, unikat_simulators
from pytlik.bench.measurement import Row, Section, import_if_installed, measure_bench
from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_list, format_number
from pytlik.ubongo import kernel as ubongo_kernel
from pytlik.unikat.engine import kernel as unikat_kernel

BENCHES = {"unikat": unikat_simulators, "ubongo": ubongo_solvers}


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("game", nargs="*", metavar="game", help=translate("cli.bench.game"))
    parser.add_argument(
        "--repeats", type=parse_repeats, default=3, help=translate("cli.bench.repeats")
    )
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def parse_repeats(text: str) -> int:
    if not 1 <= (value := int(text)) <= 1000:
        raise ValueError
    return value


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    unknown = [game for game in args.game if game not in BENCHES]
    if unknown:
        print(f"pytlik bench: {unknown[0]}: {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        # Just loading the other programs takes a while.
        task = bar.add_task(translate("bench.loading"), total=None)
        chosen = [BENCHES[game] for game in args.game or BENCHES]
        benches = [bench for module in chosen for bench in module.benches()]
        peers = {name: peer for module in chosen for name, peer in module.PEERS.items()}
        missing = [name for name, peer in peers.items() if not import_if_installed(peer)]
        bar.update(task, total=args.repeats * sum(len(bench.runs) for bench in benches))
        started = itertools.count()
        sections = []
        for bench in benches:
            title = translate(bench.title)

            def progress(name: str, title: str = title) -> None:
                bar.update(task, completed=next(started), description=f"{title}: {name}")

            sections.append(measure_bench(bench, args.repeats, progress))
    compiled = unikat_kernel.COMPILED and ubongo_kernel.COMPILED
    if args.json:
        print(json.dumps({"compiled": compiled, "sections": msgspec.to_builtins(sections)}))
    else:
        print(translate("bench.compiled" if compiled else "bench.uncompiled"))
        print_results(sections, translate)
    if missing:
        print(translate("bench.missing", names=format_list(missing, translate)), file=sys.stderr)
    return 0


def print_results(sections: Sequence[Section], translate: Catalogue) -> None:
    table = Table("", translate("bench.rate"), translate("bench.times"), translate("bench.aim"))
    for section in sections:
        table.add_section()
        table.add_row(Text(translate(section.title), style="bold"))
        for row in section.rows:
            table.add_row(
                f"  {row.name}",
                format_rate(row.rate, translate),
                f"{format_rate(row.ratio, translate)} ×" if row.ratio else "",
                format_aim(row, translate),
            )
    for column in table.columns[1:]:
        column.justify = "right"
    Console(highlight=False).print(table)


def format_aim(row: Row, translate: Catalogue) -> Text:
    if row.aim is None:
        return Text()
    times = "" if row.ratio is None else " ×"
    mark, style = ("✓", "green") if row.is_aim_reached else ("✗", "red")
    return Text(f"{format_rate(row.aim, translate)}{times} {mark}", style=style)


def format_rate(rate: float, translate: Catalogue) -> str:
    if rate >= 100:
        return format_number(rate, 0, translate)
    return f"{rate:.3g}".replace(".", translate("language.decimal"))
