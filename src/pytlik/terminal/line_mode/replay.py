"""Replays a match line by line: step by step with keys, or printed as a whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import msgspec
from rich.text import Text

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.matchfile import MatchRecord
from pytlik.terminal.bot_names import name_bots
from pytlik.terminal.line_mode.terminal import Terminal
from pytlik.text import GameText, find_game_text, plain_line
from pytlik.text.layout import TextFormat


def find_coach(match: MatchRecord, final_state: Any) -> ModuleType | None:
    """The game's coach, once the match is over (see pytlik.text.unikat.coach)."""
    if match.game.outcome(final_state) is None or "coach_text" not in match.game.shows:
        return None
    coach: ModuleType = match.game.load("coach_text")
    return coach


@dataclass(kw_only=True)
class Replay:
    """A match as one seat saw it, or as it really was."""

    match: MatchRecord
    states: list[Any]
    seat: Seat | None
    open_hands: bool
    """Show everything, even what nobody could see at the time."""
    translate: Catalogue
    coached: bool = False
    """Add what the coach says about each turn."""

    @property
    def names(self) -> tuple[str, ...]:
        bots = name_bots((player.bot for player in self.match.seats), self.translate)
        return tuple(
            player.name or bots[seat] or self.translate("page.pass.player", n=seat + 1)
            for seat, player in enumerate(self.match.seats)
        )

    @cached_property
    def game_text(self) -> GameText | None:
        return find_game_text(self.match.game)

    # ---------------------------------------------------------------------------------- coach

    @cached_property
    def coach(self) -> ModuleType | None:
        return find_coach(self.match, self.states[-1])

    @cached_property
    def advice(self) -> Any:
        """Analysed on first use, because that takes seconds."""
        assert self.coach is not None
        return self.coach.advice_for_seat(self.match.events, None if self.open_hands else self.seat)

    def coach_lines(self, index: int) -> list[str]:
        """What the coach says about the turn that starts with an event."""
        assert self.coach is not None
        turn = self.coach.find_turn(self.advice, index)
        return list(self.coach.describe_turn(turn, self.names, self.translate)) if turn else []

    def describe_misses(self) -> Iterator[tuple[int, str]]:
        assert self.coach is not None
        found: Iterator[tuple[int, str]] = self.coach.describe_misses(
            self.advice, self.names, self.translate
        )
        return found

    # --------------------------------------------------------------------------------- events

    def visible_event(self, index: int) -> Any:
        event = self.match.events[index]
        return event if self.open_hands else self.match.game.mask(event, self.seat)

    def describe_event(self, index: int) -> str | None:
        text, event = self.game_text, self.visible_event(index)
        line = text.describe_event(event, self.names, self.seat, self.translate) if text else None
        if line and self.actor(index) == "stand-in":
            return self.translate("page.replay.stand_in", text=line)
        return line

    def actor(self, index: int) -> str | None:
        """Who caused an event, if the file has that."""
        return self.match.actors[index] if self.match.actors else None

    def draw_table(self, index: int, fmt: TextFormat) -> Text:
        game = self.match.game
        see = game.open_view if self.open_hands else game.view
        view = see(self.states[index], self.seat)
        now = self.match.events[index].at
        if self.game_text is None:
            return Text(repr(view))
        return self.game_text.draw_view(view, self.names, self.translate, fmt, now=now)

    def step_to_builtins(self, index: int) -> dict[str, Any]:
        """A step as values for JSON."""
        data = {
            "index": index,
            "event": msgspec.to_builtins(self.visible_event(index), str_keys=True),
            "text": self.describe_event(index),
        }
        if actor := self.actor(index):
            data["actor"] = actor
        if self.coached:
            assert self.coach is not None
            turn = self.coach.find_turn(self.advice, index)
            data["coach"] = msgspec.to_builtins(turn, str_keys=True)
        return data


def print_whole_replay(replay: Replay, terminal: Terminal) -> None:
    """Print every event that has a text, and the table after each round."""
    for index in range(len(replay.states)):
        line = replay.describe_event(index)
        if line:
            terminal.show(Text(f"{index:>4}  {line}"))
        if replay.coached:
            terminal.show(*(Text(f"      | {line}") for line in replay.coach_lines(index)))
        if type(replay.match.events[index]).__name__ == "RoundEnded":
            terminal.show("", replay.draw_table(index, terminal.format), "")
    if replay.coached:
        terminal.show("", Text(replay.translate("page.coach.misses")))
        misses = [Text(f"{index:>4}  {line}") for index, line in replay.describe_misses()]
        terminal.show(*(misses or [Text(replay.translate("page.coach.perfect"))]))


def step_through(replay: Replay, terminal: Terminal) -> None:
    """Enter goes on, b back, a number jumps, c turns the coach on and off, q ends."""
    steps = [index for index in range(len(replay.states)) if replay.describe_event(index)]
    at = 0
    if replay.coached:
        show_biggest_misses(replay, terminal, steps)
    while True:
        show_step(replay, terminal, steps[at])
        prompt = replay.translate("replay.prompt", step=at + 1, n=len(steps))
        if replay.coach:
            prompt = f"{prompt} ({replay.translate('replay.coach.key')})"
        try:
            word = (terminal.ask(prompt) or "n").lower()
        except EOFError:
            terminal.end_prompt()
            return
        if word in ("q", "quit"):
            return
        if word in ("b", "back"):
            at = max(at - 1, 0)
        elif word.isdecimal():
            at = min(max(int(word) - 1, 0), len(steps) - 1)
        elif word == "c" and replay.coach:
            replay.coached = not replay.coached
            if replay.coached:
                show_biggest_misses(replay, terminal, steps)
        elif word in ("n", "next"):
            if at == len(steps) - 1:
                return
            at += 1
        else:
            terminal.show_translated("replay.unknown")


def show_step(replay: Replay, terminal: Terminal, index: int) -> None:
    fmt = terminal.format
    draw_line = replay.game_text.draw_line if replay.game_text else plain_line
    lines = [replay.describe_event(index) or ""]
    if replay.coached:
        lines += replay.coach_lines(index)
    terminal.show("", replay.draw_table(index, fmt), *(draw_line(line, fmt) for line in lines))


def show_biggest_misses(replay: Replay, terminal: Terminal, steps: Sequence[int]) -> None:
    """Show the biggest misses, with the numbers of the steps to jump to."""
    terminal.show("", Text(replay.translate("page.coach.misses")))
    misses = [
        Text(replay.translate("replay.coach.step", step=steps.index(index) + 1, text=line))
        for index, line in replay.describe_misses()
    ]
    terminal.show(*(misses or [Text(replay.translate("page.coach.perfect"))]))
