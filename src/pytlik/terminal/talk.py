"""What is said at a table: for a moment beside the game, and all of it in the chat."""

from typing import get_args, get_type_hints

from rich.text import Text
from textual.widgets import Static

from pytlik.protocol.messages import React
from pytlik.terminal.dialogs import Question

REACTIONS: tuple[str, ...] = get_args(get_type_hints(React)["reaction"])
LASTS = 4.0
"""Seconds that a bubble stays."""
SHOWN = 3


class Bubbles(Static):
    """The last words, above everything else at the right."""

    DEFAULT_CSS = """
    Bubbles { layer: above; dock: right; width: auto; max-width: 60%; height: auto; margin: 1 1;
              padding: 0 1; background: $background; color: $accent; text-style: bold reverse;
              display: none; }
    Bubbles.-shown { display: block; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.lines: tuple[str, ...] = ()

    def add(self, line: str) -> None:
        self._show((*self.lines[1 - SHOWN :], line))
        self.set_timer(LASTS, self._fade)

    def _fade(self) -> None:
        self._show(self.lines[1:])

    def _show(self, lines: tuple[str, ...]) -> None:
        self.lines = lines
        self.set_class(bool(lines), "-shown")
        self.update("\n".join(lines))


class Chat(Question):
    """What was said, and a line for what to say."""

    def on_mount(self) -> None:
        self.call_after_refresh(self._newest)

    def tell(self, text: str) -> None:
        self.text = Text(text)  # for when it is drawn, if it is only about to be
        for shown in self.query("#text").results(Static):
            shown.update(text)
            self.call_after_refresh(self.fit)
            self.call_after_refresh(self._newest)

    def _newest(self) -> None:
        self.query_one("#scroll").scroll_end(animate=False)
