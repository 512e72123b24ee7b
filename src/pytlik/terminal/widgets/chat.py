"""The chat at a table: bubbles that stay for a moment beside the game, and the whole chat in a
dialog."""

from typing import get_args, get_type_hints

from rich.text import Text
from textual.widgets import Static

from pytlik.protocol.messages import React
from pytlik.terminal.widgets.dialogs import Question

REACTIONS: tuple[str, ...] = get_args(get_type_hints(React)["reaction"])
BUBBLE_SECONDS = 4.0
MAX_BUBBLES = 3


class ChatBubbles(Static):
    """The latest lines, on top of everything else on the right."""

    DEFAULT_CSS = """
    ChatBubbles { layer: above; dock: right; width: auto; max-width: 60%; height: auto; margin: 1 1;
              padding: 0 1; background: $background; color: $accent; text-style: bold reverse;
              display: none; }
    ChatBubbles.-shown { display: block; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.lines: tuple[str, ...] = ()

    def add(self, line: str) -> None:
        self._show((*self.lines[1 - MAX_BUBBLES :], line))
        self.set_timer(BUBBLE_SECONDS, self._remove_oldest)

    def _remove_oldest(self) -> None:
        self._show(self.lines[1:])

    def _show(self, lines: tuple[str, ...]) -> None:
        self.lines = lines
        self.set_class(bool(lines), "-shown")
        self.update("\n".join(lines))


class ChatDialog(Question):
    """The chat so far, and a line to type in."""

    def on_mount(self) -> None:
        self.call_after_refresh(self._scroll_to_end)

    def update_text(self, text: str) -> None:
        self.text = Text(text)  # In case the dialog hasn't been drawn yet.
        for widget in self.query("#text").results(Static):
            widget.update(text)
            self.call_after_refresh(self.fit_to_screen)
            self.call_after_refresh(self._scroll_to_end)

    def _scroll_to_end(self) -> None:
        if not self.is_closed:
            self.query_one("#scroll").scroll_end(animate=False)
