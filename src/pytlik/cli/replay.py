"""`pytlik replay`: steps through a match, or prints all of it if there's no terminal."""

import argparse
import json
import sys
from pathlib import Path

from pytlik import matchfile
from pytlik.i18n import Catalogue
from pytlik.terminal.line_mode.replay import Replay, find_coach, print_whole_replay, step_through
from pytlik.terminal.line_mode.terminal import system_terminal
from pytlik.terminal.system_clock import SystemClock


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.match_file"))
    parser.add_argument("--seat", type=int, metavar="N", help=translate("cli.replay.seat"))
    parser.add_argument("--all", action="store_true", help=translate("cli.replay.all"))
    parser.add_argument("--coach", action="store_true", help=translate("cli.replay.coach"))
    parser.add_argument("--plain", action="store_true", help=translate("cli.play.plain"))
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    match = matchfile.decode(args.file.read_bytes())
    states = list(matchfile.states(match))
    problem = ""
    if args.seat is not None and not 1 <= args.seat <= len(match.seats):
        problem = translate("cli.replay.no_such_seat", n=len(match.seats))
    elif args.seat is not None and args.all:
        problem = translate("cli.replay.seat_or_all")
    elif args.coach and not find_coach(match, states[-1]):
        problem = translate("cli.replay.no_coach")
    if problem:
        print(f"pytlik replay: {problem}", file=sys.stderr)
        return 2
    seat = None if args.seat is None else args.seat - 1
    open_hands = args.all or (seat is None and match.game.outcome(states[-1]) is not None)
    replay = Replay(
        match=match,
        states=states,
        seat=seat,
        open_hands=open_hands,
        translate=translate,
        coached=args.coach,
    )
    if args.json:
        for index in range(len(states)):
            print(json.dumps(replay.step_to_builtins(index)))
        return 0
    terminal = system_terminal(translate, SystemClock(), plain=args.plain)
    if sys.stdin.isatty() and sys.stdout.isatty():
        step_through(replay, terminal)
    else:
        print_whole_replay(replay, terminal)
    return 0
