"""The lines about what has happened, beside the game."""

from collections.abc import Callable

from rich.text import Text
from textual.widgets import RichLog

COLUMN_WIDTH = 37
"""How wide the lines in the column beside the game are."""
NO_WRAP_WIDTH = 10_000
"""Longer than any line."""
MAX_EVENT_LINES = 200

DrawLine = Callable[[str, int], Text]
"""Draws a line about an event, wrapped at this many columns."""


class EventLog:
    def __init__(self, draw_line: DrawLine) -> None:
        self._draw_line = draw_line
        self._lines: list[tuple[Text, Text]] = []
        """Each line unwrapped, and wrapped for the column."""
        self._column: RichLog | None = None

    @property
    def latest_line(self) -> Text:
        return self._lines[-1][0] if self._lines else Text()

    def attach_column(self, column: RichLog) -> None:
        """Write to a column on the screen, beginning with what has happened so far."""
        column.can_focus = False
        for _, wrapped in self._lines:
            column.write(wrapped)
        self._column = column

    def add(self, line: str, style: str = "") -> None:
        short = self._draw_line(line, NO_WRAP_WIDTH)
        wrapped = self._draw_line(line, COLUMN_WIDTH)
        for text in (short, wrapped):
            text.stylize_before(style)
        self._lines = [*self._lines[1 - MAX_EVENT_LINES :], (short, wrapped)]
        if self._column is not None:
            self._column.write(wrapped)
