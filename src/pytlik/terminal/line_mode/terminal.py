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
from pytlik.terminal.system_clock import Clock
from pytlik.text.layout import GOLD, TextFormat

PIPE_ROWS = 200
"""Nothing scrolls away in a pipe, so there is room for everything."""


class LineSource(Protocol):
    def read(self, until: int | None) -> str | None:
        """The next line, or None at the moment `until`. Raises EOFError when there are no more."""


class FileLines:
    """The lines of a file, read by a thread so that waiting for a line can time out."""

    def __init__(self, file: TextIO, clock: Clock) -> None:
        self._clock = clock
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._fill_queue, args=(file,), daemon=True).start()

    def _fill_queue(self, file: TextIO) -> None:
        try:
            for line in file:
                self._queue.put(line.rstrip("\n"))
        except (OSError, ValueError):
            pass  # The terminal is gone, or sent no valid characters: treat it as the end of input.
        self._queue.put(None)

    def read(self, until: int | None) -> str | None:
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
        self,
        console: Console,
        lines: LineSource,
        clock: Clock,
        translate: Catalogue,
        *,
        plain: bool,
    ) -> None:
        self.console = console
        self.lines = lines
        self.clock = clock
        self.translate = translate
        self.plain = plain
        self._prompt_shown = False

    @property
    def format(self) -> TextFormat:
        rows = self.console.height if self.console.is_terminal else PIPE_ROWS
        return TextFormat(self.plain, self.console.width, rows)

    def show(self, *texts: Text | str) -> None:
        """Print lines. An unanswered prompt is left behind, and printed again by the next `ask`."""
        self.end_prompt()
        for text in texts:
            # Drawings have lines of their own; sentences are wrapped where the terminal ends.
            self.console.print(text, soft_wrap=isinstance(text, Text), highlight=False)

    def show_translated(self, key: str, **fill: object) -> None:
        """Print a text of the catalogue."""
        self.show(self.translate(key, **fill))

    def ask(self, prompt: str, until: int | None = None) -> str | None:
        """A line that was typed, stripped; None if the moment `until` came first.

        Without a prompt nothing is printed: people may type, but needn't.
        """
        if prompt and not self._prompt_shown:
            style = "" if self.plain else f"bold {GOLD}"
            self.console.print(Text(f"{prompt} > ", style=style), end="", soft_wrap=True)
            self.console.file.flush()
            self._prompt_shown = True
        line = self.lines.read(until)
        if line is None:
            return None
        # A person ends the line with Enter; in a pipe nobody does.
        self._prompt_shown = self._prompt_shown and not self.console.is_terminal
        self.end_prompt()
        return line.strip()

    def end_prompt(self) -> None:
        """End the line of a prompt that has not been answered."""
        if self._prompt_shown:
            self.console.print()
            self._prompt_shown = False


def needs_plain_text(file: TextIO) -> bool:
    """Whether a file takes only ASCII without colour."""
    encoding = (getattr(file, "encoding", None) or "ascii").lower().replace("-", "")
    return (
        not file.isatty()
        or "NO_COLOR" in os.environ
        or os.environ.get("TERM", "dumb") in ("dumb", "")
        or not encoding.startswith("utf8")
    )


def system_terminal(translate: Catalogue, clock: Clock, *, plain: bool) -> Terminal:
    plain = plain or needs_plain_text(sys.stdout)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A letter that the terminal can't show is no reason to stop.
        sys.stdout.reconfigure(errors="replace")
    console = Console(
        file=sys.stdout,
        no_color=plain,
        color_system=None if plain else "auto",
        highlight=False,
        emoji=False,
        markup=False,
    )
    return Terminal(console, FileLines(sys.stdin, clock), clock, translate, plain=plain)
