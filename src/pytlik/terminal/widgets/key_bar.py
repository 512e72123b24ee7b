"""A bar of actions: each with its key, and clickable."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.widget import Widget


@dataclass(frozen=True)
class BarItem:
    """An action, or a hint about keys."""

    key: str
    """The key as it's printed on keyboards."""
    text: str
    do: Callable[[], object] | None = None
    """What a click does; None if only keys work."""
    strong: bool = False
    """Whether this is the most important thing to do now."""

    @property
    def textual_key(self) -> str:
        """The key as Textual calls it."""
        names = {"Enter": "enter", "Esc": "escape", "^q": "ctrl+q", "+": "plus"}
        return names.get(self.key, self.key.lower())


def run_item_with_key(items: Sequence[BarItem], key: str) -> bool:
    """Run the item that has this key. Returns whether there is one."""
    for item in items:
        if item.textual_key == key and item.do is not None:
            item.do()
            return True
    return False


class Label(NamedTuple):
    """An item, and where it is drawn."""

    item: BarItem
    x: int
    y: int
    key: str
    text: str

    @property
    def width(self) -> int:
        return cell_len(self.key) + cell_len(self.text)


class KeyBar(Widget):
    """As many items as there is room for, the most important first."""

    DEFAULT_CSS = """
    KeyBar { height: auto; min-height: 1; }
    """

    def __init__(self, id: str, *, rows: int = 1, column: bool = False) -> None:
        super().__init__(id=id)
        self.items: tuple[BarItem, ...] = ()
        self.rows = rows
        """The most rows that the bar takes."""
        self.column = column
        """Whether each item has a row to itself."""

    def show(self, items: Sequence[BarItem]) -> None:
        before = self._height(self.size.width)
        self.items = tuple(items)
        self.refresh(layout=self._height(self.size.width) != before)

    def labels(self, width: int | None = None) -> list[Label]:
        """The items that fit, and where they are drawn."""
        room = self.size.width if width is None else width
        labels: list[Label] = []
        x = y = 0
        for item in self.items:
            label = Label(item, x, y, f" {item.key} ", f" {item.text} ")
            if x and (self.column or x + label.width > room):
                y += 1
                label = label._replace(x=0, y=y)
            if y == self.rows:
                break
            labels.append(label)
            x = label.x + label.width + 1
        return labels

    def _height(self, width: int) -> int:
        return max((label.y + 1 for label in self.labels(width)), default=1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return self._height(width)

    def render(self) -> Text:
        theme = self.app.current_theme
        lines = [Text(no_wrap=True, overflow="crop") for _ in range(self._height(self.size.width))]
        for item, x, y, key, text in self.labels():
            line = lines[y].append(" " * (x - lines[y].cell_len))
            ink = theme.background if item.strong else theme.accent
            ground = theme.accent if item.strong else theme.panel
            line.append(key, style=f"bold reverse {ground} on {ink}")
            line.append(text, style=f"bold {ink} on {ground}" if item.strong else f"on {ground}")
        return Text("\n", no_wrap=True, overflow="crop").join(lines)

    def on_click(self, event: events.Click) -> None:
        for label in self.labels():
            within = label.x <= event.x < label.x + label.width and label.y == event.y
            if within and label.item.do is not None:
                label.item.do()
                event.stop()
