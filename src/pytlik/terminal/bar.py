"""A row of things that can be done now: each with its key, and to be clicked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.text import Text
from textual import events
from textual.widget import Widget


@dataclass(frozen=True)
class Item:
    key: str
    """As it is written on keyboards."""
    text: str
    do: Callable[[], object] | None = None
    """What a click does; None where only keys can."""
    strong: bool = False
    """The one thing that matters now."""


class Bar(Widget):
    """As many items as there is room for, the most important first."""

    DEFAULT_CSS = """
    Bar { height: 1; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.items: tuple[Item, ...] = ()

    def show(self, items: Sequence[Item]) -> None:
        self.items = tuple(items)
        self.refresh()

    def _labels(self) -> list[tuple[Item, int, str, str]]:
        """What fits, and where it begins."""
        labels, at = [], 0
        for item in self.items:
            key, text = f" {item.key} ", f" {item.text} "
            if at + len(key) + len(text) > self.size.width:
                break
            labels.append((item, at, key, text))
            at += len(key) + len(text) + 1
        return labels

    def render(self) -> Text:
        theme = self.app.current_theme
        line = Text(no_wrap=True, overflow="crop")
        for item, at, key, text in self._labels():
            line.append(" " * (at - line.cell_len))
            ink = theme.background if item.strong else theme.accent
            ground = theme.accent if item.strong else theme.panel
            line.append(key, style=f"bold reverse {ground} on {ink}")
            line.append(text, style=f"bold {ink} on {ground}" if item.strong else f"on {ground}")
        return line

    def on_click(self, event: events.Click) -> None:
        for item, at, key, text in self._labels():
            if at <= event.x < at + len(key) + len(text) and item.do is not None:
                item.do()
                event.stop()
