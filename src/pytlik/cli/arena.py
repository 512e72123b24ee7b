"""`pytlik arena`: lets bots play each other, and estimates their strength."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from pytlik.arena import BotError, league
from pytlik.arena.league import Contest, LeagueTable
from pytlik.arena.plot import draw_png, import_matplotlib
from pytlik.argument_parsing import positive_int
from pytlik.atomic_file import write_file_atomically
from pytlik.game import Budget, Illegal, Malformed
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_number, format_percent
from pytlik.text.refusals import describe_refusal


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("game", choices=tuple(GAMES), help=translate("cli.arena.game"))
    parser.add_argument("bots", nargs="+", metavar="bot", help=translate("cli.arena.bots"))
    parser.add_argument(
        "--games", type=positive_int, default=200, help=translate("cli.arena.games")
    )
    parser.add_argument("--players", type=int, default=2, help=translate("cli.arena.players"))
    parser.add_argument("--seed", default="1", metavar="TEXT", help=translate("cli.play.seed"))
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--seconds", type=parse_seconds, help=translate("cli.arena.seconds"))
    budget.add_argument("--simulations", type=positive_int, help=translate("cli.arena.simulations"))
    parser.add_argument(
        "--option",
        type=parse_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=translate("cli.arena.option"),
    )
    parser.add_argument("--processes", type=positive_int, help=translate("cli.arena.processes"))
    parser.add_argument("--ray", metavar="ADDRESS", help=translate("cli.arena.ray"))
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help=translate("cli.arena.plot"))
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def parse_seconds(text: str) -> float:
    if not 0 < (value := float(text)) < 3600:
        raise ValueError
    return value


def parse_option(text: str) -> tuple[str, Any]:
    """A name, and a value as JSON or as plain text: rounds=3, extra_action=continue."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    contest = Contest(
        game=args.game,
        bots=tuple(args.bots),
        players=args.players,
        games=args.games,
        seed=args.seed,
        options=dict(args.option),
        budget=Budget(args.seconds or Budget().seconds, args.simulations),
    )
    try:
        league.check_contest(contest)
    except Malformed as wrong:
        print(f"pytlik arena: {wrong.detail['problem']}", file=sys.stderr)
        return 2
    if args.plot:
        import_matplotlib()  # a league may take hours, so find out first whether it can be drawn
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(translate("arena.playing"), total=None)
        try:
            table = league.run(
                contest,
                processes=args.processes,
                ray=args.ray,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        except Illegal as wrong:
            bot, asked = wrong.detail["bot"], wrong.detail["asked"]
            sentence = describe_refusal(wrong.reason, wrong.detail, translate)
            where = f"(deal {wrong.detail['deal']!r}, decision {wrong.detail['decision']})"
            print(f"pytlik arena: {bot}: {asked}: {sentence} {where}", file=sys.stderr)
            return 1
        except BotError as broken:
            print(f"pytlik arena: {broken}", file=sys.stderr)
            return 1
    # If one of them can't be written, the other isn't lost.
    try:
        if args.json:
            print(json.dumps(msgspec.to_builtins(table)))
        else:
            print_league(table, translate)
    finally:
        if args.plot:
            write_file_atomically(args.plot, draw_png(table, translate))
    return 0


def print_league(table: LeagueTable, translate: Catalogue) -> None:
    console = Console(highlight=False)
    met = Grid(
        "",
        translate("arena.games"),
        translate("arena.wins"),
        translate("arena.interval"),
        translate("arena.fair"),
    )
    for line in table.lines:
        met.add_row(
            translate("arena.against", bot=line.bot, other=line.against),
            str(line.games),
            format_percent(line.wins, 1, translate),
            f"{format_percent(line.low, 1, translate)} – {format_percent(line.high, 1, translate)}",
            f"{format_number(line.fair, 2, translate)} ×",
        )
    standings = Grid("", "Elo", translate("arena.seconds"), translate("arena.longest"))
    for standing in table.standings:
        standings.add_row(
            standing.bot,
            str(standing.elo),
            format_number(standing.seconds, 4, translate),
            format_number(standing.longest, 3, translate),
        )
    for grid in (met, standings):
        for column in grid.columns[1:]:
            column.justify = "right"
        console.print(grid)
