"""`pytlik replay`: steps through a match, or prints all of it where nobody can press a key."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from rich.text import Text

from pytlik import matchfile
from pytlik.cli import coaching
from pytlik.cli.terminal import Terminal, system_terminal
from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.matchfile import MatchRecord
from pytlik.terminal.clock import SystemClock
from pytlik.terminal.story import told
from pytlik.ubongo import text as ubongo_text
from pytlik.unikat import text as unikat_text
from pytlik.unikat.coach import Advice
from pytlik.unikat.drawn import Look, pictured
from pytlik.unikat.view import View as UnikatView


def arguments(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=say("cli.match_file"))
    parser.add_argument("--seat", type=int, metavar="N", help=say("cli.replay.seat"))
    parser.add_argument("--all", action="store_true", help=say("cli.replay.all"))
    parser.add_argument("--coach", action="store_true", help=say("cli.replay.coach"))
    parser.add_argument("--plain", action="store_true", help=say("cli.play.plain"))
    parser.add_argument("--json", action="store_true", help=say("cli.json"))


def run(args: argparse.Namespace, say: Catalogue) -> int:
    match = matchfile.decode(args.file.read_bytes())
    wrong = ""
    if args.seat is not None and not 1 <= args.seat <= len(match.seats):
        wrong = say("cli.replay.no_such_seat", n=len(match.seats))
    elif args.seat is not None and args.all:
        wrong = say("cli.replay.seat_or_all")
    elif args.coach and not coaching.can_coach(match):
        wrong = say("cli.replay.no_coach")
    if wrong:
        print(f"pytlik replay: {wrong}", file=sys.stderr)
        return 2
    states = list(matchfile.states(match))
    seat = None if args.seat is None else args.seat - 1
    open_hands = args.all or (seat is None and match.game.outcome(states[-1]) is not None)
    showing = Showing(
        match=match, states=states, seat=seat, open_hands=open_hands, say=say, coached=args.coach
    )
    if args.json:
        for index in range(len(states)):
            print(json.dumps(showing.as_data(index)))
        return 0
    terminal = system_terminal(say, SystemClock(), plain=args.plain)
    if sys.stdin.isatty() and sys.stdout.isatty():
        step_through(showing, terminal)
    else:
        print_all(showing, terminal)
    return 0


@dataclass(kw_only=True)
class Showing:
    """A match as one seat saw it, or as it was."""

    match: MatchRecord
    states: list[Any]
    seat: Seat | None
    open_hands: bool
    """Everything is shown, whoever could see it then."""
    say: Catalogue
    coached: bool = False
    """With the coach's word on each turn."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(
            player.name or self.say("page.pass.player", n=seat + 1)
            for seat, player in enumerate(self.match.seats)
        )

    @cached_property
    def advice(self) -> Advice:
        """Worked out when it is asked for first: that takes seconds."""
        return coaching.advised(self.match, None if self.open_hands else self.seat)

    def word(self, index: int) -> list[str]:
        """What the coach says of the turn that an event begins."""
        turn = coaching.turn_at(self.advice, index)
        return list(coaching.word(turn, self.names, self.say)) if turn else []

    def misses(self) -> Iterator[tuple[int, str]]:
        return coaching.misses(self.advice, self.names, self.say)

    def event(self, index: int) -> Any:
        event = self.match.events[index]
        return event if self.open_hands else self.match.game.mask(event, self.seat)

    def line(self, index: int) -> str | None:
        line = told(self.event(index), self.names, self.seat, self.say)
        if line and self.actor(index) == "stand-in":
            return self.say("page.replay.stand_in", text=line)
        return line

    def actor(self, index: int) -> str | None:
        """Who caused an event, if the file says so."""
        return self.match.actors[index] if self.match.actors else None

    def picture(self, index: int, terminal: Terminal) -> Text:
        game = self.match.game
        see = game.open_view if self.open_hands else game.view
        view = see(self.states[index], self.seat)
        if isinstance(view, UnikatView):
            return unikat_text.screen(view, self.names, self.say, look_of(terminal))
        seen = ubongo_text.Look(terminal.plain, terminal.width, terminal.height)
        now = self.match.events[index].at
        return ubongo_text.everyone(view, self.names, self.say, seen, now=now)

    def as_data(self, index: int) -> dict[str, Any]:
        data = {
            "index": index,
            "event": msgspec.to_builtins(self.event(index), str_keys=True),
            "text": self.line(index),
        }
        if actor := self.actor(index):
            data["actor"] = actor
        if self.coached:
            turn = coaching.turn_at(self.advice, index)
            data["coach"] = msgspec.to_builtins(turn, str_keys=True)
        return data


def look_of(terminal: Terminal) -> Look:
    return Look(terminal.plain, terminal.width, terminal.height)


def print_all(showing: Showing, terminal: Terminal) -> None:
    """Every event that there is something to say about, and the table after each round."""
    for index in range(len(showing.states)):
        line = showing.line(index)
        if line:
            terminal.show(Text(f"{index:>4}  {line}"))
        if showing.coached:
            terminal.show(*(Text(f"      | {said}") for said in showing.word(index)))
        if type(showing.match.events[index]).__name__ == "RoundEnded":
            terminal.show("", showing.picture(index, terminal), "")
    if showing.coached:
        terminal.show("", Text(showing.say("page.coach.misses")))
        found = [Text(f"{index:>4}  {said}") for index, said in showing.misses()]
        terminal.show(*(found or [Text(showing.say("page.coach.perfect"))]))


def step_through(showing: Showing, terminal: Terminal) -> None:
    """Enter goes on, b back, a number jumps, c lets the coach speak or be silent, q ends."""
    steps = [index for index in range(len(showing.states)) if showing.line(index)]
    can_coach = coaching.can_coach(showing.match)
    at = 0
    if showing.coached:
        show_misses(showing, terminal, steps)
    while True:
        index = steps[at]
        line = pictured(showing.line(index) or "", look_of(terminal))
        terminal.show("", showing.picture(index, terminal), line)
        if showing.coached:
            look = look_of(terminal)
            terminal.show(*(pictured(said, look) for said in showing.word(index)))
        prompt = showing.say("replay.prompt", step=at + 1, n=len(steps))
        if can_coach:
            prompt = f"{prompt} ({showing.say('replay.coach.key')})"
        try:
            word = (terminal.ask(prompt) or "n").lower()
        except EOFError:
            terminal.leave()
            return
        if word in ("q", "quit"):
            return
        if word in ("b", "back"):
            at = max(at - 1, 0)
        elif word.isdecimal():
            at = min(max(int(word) - 1, 0), len(steps) - 1)
        elif word == "c" and can_coach:
            showing.coached = not showing.coached
            if showing.coached:
                show_misses(showing, terminal, steps)
        elif word in ("n", "next"):
            if at == len(steps) - 1:
                return
            at += 1
        else:
            terminal.tell("replay.unknown")


def show_misses(showing: Showing, terminal: Terminal, steps: Sequence[int]) -> None:
    """The biggest misses, with the numbers that one can jump to."""
    terminal.show("", Text(showing.say("page.coach.misses")))
    found = [
        Text(showing.say("replay.coach.step", step=steps.index(index) + 1, text=said))
        for index, said in showing.misses()
    ]
    terminal.show(*(found or [Text(showing.say("page.coach.perfect"))]))
