"""Tiles side by side under their labels: a rack, or the stock with the bag."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pytlik.terminal.look import Shades
from pytlik.terminal.tiles import FULL, LARGEST, SIZES, Size, tile_row
from pytlik.unikat.model import Tile

LONGEST = 20
"""How wide the shelf's name may be."""
RACK = 10
"""So many tiles should stand beside it."""


@dataclass(frozen=True)
class Spot:
    """A tile, or the bag with so many tiles, or a place that is empty now."""

    label: str
    holds: Tile | int | None
    marked: bool = False


class Shelf(Widget):
    DEFAULT_CSS = """
    Shelf { height: 3; }
    """

    class Chosen(Message):
        """A spot was clicked."""

        def __init__(self, shelf: "Shelf", number: int) -> None:
            super().__init__()
            self.shelf = shelf
            self.number = number

        @property
        def control(self) -> "Shelf":
            return self.shelf

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.spots: tuple[Spot, ...] = ()
        self.title = ""
        self.shades: Shades | None = None

    def show(self, title: str, spots: Sequence[Spot], shades: Shades) -> None:
        self.title, self.spots, self.shades = title, tuple(spots), shades
        self.refresh()

    @property
    def tile_size(self) -> Size:
        return SIZES[LARGEST] if self.size.height > SIZES[LARGEST].rows else FULL

    @property
    def _pitch(self) -> int:
        return self.tile_size.width + 1

    @property
    def _title(self) -> int:
        """How wide the name before the tiles is. Where it would take their room it stands behind
        them, if there is any."""
        room = min(self.size.width - RACK * self._pitch, LONGEST)
        if room >= cell_len(self.title) + 3:
            return room
        return 0 if len(self.spots) * self._pitch <= self.size.width else 1

    @property
    def _room(self) -> int:
        """How many tiles are seen; the last needs no gap behind it."""
        return max((self.size.width - self._title + 1) // self._pitch, 1)

    @property
    def _first(self) -> int:
        """Where the shelf is longer than the screen, a part with the marked spot is seen."""
        if len(self.spots) <= self._room:
            return 0
        marked = next((n for n, spot in enumerate(self.spots) if spot.marked), 0)
        return min(max(marked - self._room + 2, 0), len(self.spots) - self._room)

    def column(self, number: int) -> int:
        """Where a spot begins."""
        return self._title + self._pitch * (number - self._first)

    def render_line(self, y: int) -> Strip:
        shades = self.shades
        if shades is None:
            return Strip.blank(self.size.width)
        first, room = self._first, self._room
        ground = self.rich_style
        before = self._title > 1
        title = f" {self.title}" if y == 1 and before else ""
        more = "‹" if y == 1 and first else " "
        faint = ground + Style.parse(shades.label)
        line = [Segment((title.ljust(self._title - 1) + more)[: self._title], faint)]
        for spot in self.spots[first : first + room]:
            line += self._spot(spot, y, shades, ground)
        if y == 1 and first + room < len(self.spots):
            line.append(Segment("›", faint))
        elif y == 1 and not before:
            rest = self.size.width - self.column(first + len(self.spots))
            line.append(Segment(f" {self.title}" if rest > cell_len(self.title) else "", faint))
        return Strip(line).adjust_cell_length(self.size.width, ground)

    def _spot(self, spot: Spot, y: int, shades: Shades, ground: Style) -> list[Segment]:
        gap, size = Segment(" ", ground), self.tile_size
        if y == 0:
            label = f"▸{spot.label}◂" if spot.marked else spot.label
            style = f"bold {shades.accent}" if spot.marked else shades.label
            return [Segment(label.center(size.width), ground + Style.parse(style)), gap]
        row = y - 1
        match spot.holds:
            case None:
                empty = "┄" * (size.width - 2) if row == size.rows // 2 else ""
                style = shades.label
                return [Segment(empty.center(size.width), ground + Style.parse(style)), gap]
            case Tile():
                return [*tile_row(spot.holds, row, size), gap]
            case number:
                drawn = bag_row(number, row, size)
                return [Segment(drawn, ground + Style.parse(f"bold {shades.accent}")), gap]

    def on_click(self, event: events.Click) -> None:
        number, within = divmod(event.x - self._title, self._pitch)
        number += self._first
        if event.x >= self._title and within < self.tile_size.width and number < len(self.spots):
            event.stop()
            self.post_message(self.Chosen(self, number))


def bag_row(number: int, row: int, size: Size) -> str:
    """The bag, with how many tiles are in it."""
    inner = size.width - 2
    if row == 0:
        return "╭" + "┄" * inner + "╮"
    if row == size.rows - 1:
        return "╰" + (str(number) if size.rows == 2 else "─" * inner).center(inner) + "╯"
    return "│" + str(number).center(inner) + "│"
