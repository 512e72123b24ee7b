"""Matches played line by line, and what the person who types sees."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

from pytlik.cli.play import play_lines
from pytlik.games import UNIKAT
from pytlik.i18n import catalogue
from pytlik.match import AnyMatch, Match
from pytlik.matchfile import Player
from pytlik.terminal.line_mode.terminal import Terminal
from pytlik.terminal.local import YOU
from pytlik.unikat import model as unikat
from pytlik.unikat.bots import BOTS, DEFAULT_BUDGET
from pytlik.unikat.messages import Decline, Draw, Lay, Pass, Swap
from tests.terminal.scripted_terminal import AnsweringLines, FakeClock, make_console, make_terminal

UNIKAT_PLAYERS = (Player("Anna"), Player("Ola", "longest"))
UBONGO_PLAYERS = (Player("Anna"), Player("Ola", "easy"), Player("Max", "hard"))


def unikat_match(*, seed: str = "x", **options: object) -> AnyMatch:
    chosen = unikat.Options(**{"starter": 0, **options})  # type: ignore[arg-type]
    return Match.new(UNIKAT, UNIKAT_PLAYERS, seed=seed, options=chosen)


def play_typed_lines(match: AnyMatch, terminal: Terminal, out: Path | None = None) -> None:
    """Play until the match is over or the input ends."""
    assert play_lines(match, [player.name for player in match.seats], terminal, out) == 0


def output_of(match: AnyMatch, *lines: str, lang: str = "en") -> str:
    """What is shown to someone who types these lines and then closes the terminal."""
    terminal, file = make_terminal(*lines, lang=lang)
    play_typed_lines(match, terminal)
    return file.getvalue()


def type_like_bot(match: AnyMatch) -> str:
    """Return the line that a bot would type."""
    view = match.view(YOU)
    if view.phase is unikat.Phase.OVER:
        return ""
    action = BOTS["longest"](view, match.bot_stream(), DEFAULT_BUDGET)
    match action:
        case Lay(tiles=chain):
            return "lay " + " ".join(f"{tile} {x},{y}" for tile, x, y in chain)
        case Swap(give=give, take=take):
            return f"swap {give} {take}"
        case Draw(take=take):
            return f"draw {take}"
        case Decline():
            return "done"
        case Pass():
            return "pass"
        case _:
            raise AssertionError(action)


def answering_terminal(
    answer: Callable[[], str | None], *, plain: bool, clock: FakeClock | None = None
) -> tuple[Terminal, StringIO]:
    """A terminal where a function types, and what it shows."""
    console, file = make_console(plain=plain)
    clock = clock or FakeClock()
    return Terminal(
        console, AnsweringLines(clock, answer), clock, catalogue("en"), plain=plain
    ), file
