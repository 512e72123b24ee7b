"""A person at a terminal, or a program at a pipe: lines in, text out, and the time."""

import io
import os
import queue
import sys
import threading
from typing import Protocol, TextIO

from rich.console import Console
from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.terminal.clock import Clock

ROWS_OF_A_PIPE = 200
"""Nothing scrolls away in a pipe, so nothing need be left out for want of rows."""


class Quit(Exception):
    """The person has had enough."""


class Unclear(Exception):
    """What was typed means nothing here; the key of a text that says what would."""


class Lines(Protocol):
    def next(self, until: int | None) -> str | None:
        """The next line, or None at the moment `until`. Raises EOFError when there are no more."""


class ReadLines:
    """Lines of a file, read by a thread so that one can wait for a line and for a moment."""

    def __init__(self, file: TextIO, clock: Clock) -> None:
        self._clock = clock
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(file,), daemon=True).start()

    def _read(self, file: TextIO) -> None:
        try:
            for line in file:
                self._queue.put(line.rstrip("\n"))
        except (OSError, ValueError):
            pass  # the terminal is gone, or these are no characters: like the end of input
        self._queue.put(None)

    def next(self, until: int | None) -> str | None:
        try:
            if until is None:
                line = self._queue.get()
            else:
                line = self._queue.get(timeout=max(until - self._clock.now(), 0) / 1000)
        except queue.Empty:
            return None
        if line is None:
            self._queue.put(None)
            raise EOFError
        return line


class Terminal:
    """Where a person reads and types."""

    def __init__(
        self, console: Console, lines: Lines, clock: Clock, say: Catalogue, *, plain: bool
    ) -> None:
        self.console = console
        self.lines = lines
        self.clock = clock
        self.say = say
        self.plain = plain
        self._prompted = False

    @property
    def width(self) -> int:
        return self.console.width

    @property
    def height(self) -> int:
        return self.console.height if self.console.is_terminal else ROWS_OF_A_PIPE

    def show(self, *texts: Text | str) -> None:
        """Print lines. A prompt that stands there is left behind, and comes again when asked."""
        self.leave()
        for text in texts:
            # What is drawn has its own lines; what is said is broken where the terminal ends.
            self.console.print(text, soft_wrap=isinstance(text, Text), highlight=False)

    def tell(self, key: str, **fill: object) -> None:
        self.show(self.say(key, **fill))

    def ask(self, prompt: str, until: int | None = None) -> str | None:
        """A line that was typed, stripped; None if the moment `until` came first.

        Without a prompt nothing is printed: somebody may type, but need not.
        """
        if prompt and not self._prompted:
            style = "" if self.plain else "bold #ffd24a"
            self.console.print(Text(f"{prompt} > ", style=style), end="", soft_wrap=True)
            self.console.file.flush()
            self._prompted = True
        line = self.lines.next(until)
        if line is None:
            return None
        # Who types ends the line; in a pipe nobody does.
        self._prompted = self._prompted and not self.console.is_terminal
        self.leave()
        return line.strip()

    def leave(self) -> None:
        """End the line of a prompt that has not been answered."""
        if self._prompted:
            self.console.print()
            self._prompted = False


def is_plain(file: TextIO) -> bool:
    """Is this a place for ASCII without colour?"""
    encoding = (getattr(file, "encoding", None) or "ascii").lower().replace("-", "")
    return (
        not file.isatty()
        or "NO_COLOR" in os.environ
        or os.environ.get("TERM", "dumb") in ("dumb", "")
        or not encoding.startswith("utf8")
    )


def system_terminal(say: Catalogue, clock: Clock, *, plain: bool) -> Terminal:
    plain = plain or is_plain(sys.stdout)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A letter that the terminal does not have is no reason to stop.
        sys.stdout.reconfigure(errors="replace")
    console = Console(
        file=sys.stdout,
        no_color=plain,
        color_system=None if plain else "auto",
        highlight=False,
        emoji=False,
        markup=False,
    )
    return Terminal(console, ReadLines(sys.stdin, clock), clock, say, plain=plain)
