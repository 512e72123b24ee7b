"""A terminal for tests: a function or a list types, on a clock that never waits."""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console

from pytlik.i18n import catalogue
from pytlik.terminal.line_mode.terminal import Terminal


@dataclass
class FakeClock:
    time: int = 1_000_000

    def now(self) -> int:
        return self.time


class TypedLines:
    """Lines that are all available at once, followed by the end of input."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines: Iterator[str] = iter(lines)

    def read(self, until: int | None) -> str | None:  # noqa: ARG002 - nobody here is slow
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None


@dataclass
class AnsweringLines:
    """Lines from a function that looks at the table first. None means that it waits."""

    clock: FakeClock
    answer: Callable[[], str | None]

    def read(self, until: int | None) -> str | None:
        line = self.answer()
        if line is None:
            assert until is not None, "nobody types, and nothing else will happen"
            self.clock.time = max(self.clock.time, until)
        return line


def make_console(*, plain: bool = True) -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    console = Console(
        file=file,
        width=80,
        color_system=None if plain else "truecolor",
        force_terminal=not plain,
    )
    return console, file


def make_terminal(*lines: str, lang: str = "en") -> tuple[Terminal, io.StringIO]:
    """A plain terminal with these lines typed, and what it shows."""
    console, file = make_console()
    return Terminal(console, TypedLines(lines), FakeClock(), catalogue(lang), plain=True), file
