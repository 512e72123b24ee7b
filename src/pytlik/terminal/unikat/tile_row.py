"""Tiles side by side under their labels: the rack, or the display with the bag."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pytlik.terminal.unikat.tiles import LARGEST, RACK_TILE_SIZE, TILE_SIZES, TileSize, draw_tile
from pytlik.terminal.widgets.theme import Palette
from pytlik.unikat.model import Tile

MAX_TITLE_WIDTH = 20
MIN_TILES_BESIDE_TITLE = 10
"""How many tiles should fit beside the title."""


@dataclass(frozen=True)
class TileSlot:
    """A tile, the bag with this number of tiles in it, or an empty place."""

    label: str
    content: Tile | int | None
    marked: bool = False


class TileRow(Widget):
    DEFAULT_CSS = """
    TileRow { height: 3; }
    """

    class Chosen(Message):
        """A slot was clicked."""

        def __init__(self, row: "TileRow", number: int) -> None:
            super().__init__()
            self.row = row
            self.number = number

        @property
        def control(self) -> "TileRow":
            return self.row

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.slots: tuple[TileSlot, ...] = ()
        self.title = ""
        self.palette: Palette | None = None

    def show(self, title: str, slots: Sequence[TileSlot], palette: Palette) -> None:
        self.title, self.slots, self.palette = title, tuple(slots), palette
        self.refresh()

    @property
    def tile_size(self) -> TileSize:
        return (
            TILE_SIZES[LARGEST] if self.size.height > TILE_SIZES[LARGEST].rows else RACK_TILE_SIZE
        )

    @property
    def _slot_spacing(self) -> int:
        return self.tile_size.width + 1

    @property
    def _title_width(self) -> int:
        """The width for the title before the tiles. If there isn't enough, the title comes after
        them."""
        room = min(self.size.width - MIN_TILES_BESIDE_TITLE * self._slot_spacing, MAX_TITLE_WIDTH)
        if room >= cell_len(self.title) + 3:
            return room
        return 0 if len(self.slots) * self._slot_spacing <= self.size.width else 1

    @property
    def _visible_count(self) -> int:
        """How many tiles are in sight; the last one needs no gap after it."""
        return max((self.size.width - self._title_width + 1) // self._slot_spacing, 1)

    @property
    def _first_visible(self) -> int:
        """The first tile in sight, chosen so that the marked one is in sight if not all fit."""
        if len(self.slots) <= self._visible_count:
            return 0
        marked = next((n for n, slot in enumerate(self.slots) if slot.marked), 0)
        return min(max(marked - self._visible_count + 2, 0), len(self.slots) - self._visible_count)

    def slot_column(self, number: int) -> int:
        """The first column of a slot."""
        return self._title_width + self._slot_spacing * (number - self._first_visible)

    def render_line(self, y: int) -> Strip:
        palette = self.palette
        if palette is None:
            return Strip.blank(self.size.width)
        first, room = self._first_visible, self._visible_count
        ground = self.rich_style
        before = self._title_width > 1
        title = f" {self.title}" if y == 1 and before else ""
        more = "‹" if y == 1 and first else " "
        faint = ground + Style.parse(palette.label)
        line = [Segment((title.ljust(self._title_width - 1) + more)[: self._title_width], faint)]
        for slot in self.slots[first : first + room]:
            line += self._draw_slot_row(slot, y, palette, ground)
        if y == 1 and first + room < len(self.slots):
            line.append(Segment("›", faint))
        elif y == 1 and not before:
            rest = self.size.width - self.slot_column(first + len(self.slots))
            line.append(Segment(f" {self.title}" if rest > cell_len(self.title) else "", faint))
        return Strip(line).adjust_cell_length(self.size.width, ground)

    def _draw_slot_row(
        self, slot: TileSlot, y: int, palette: Palette, ground: Style
    ) -> list[Segment]:
        gap, size = Segment(" ", ground), self.tile_size
        if y == 0:
            label = f"▸{slot.label}◂" if slot.marked else slot.label
            style = f"bold {palette.accent}" if slot.marked else palette.label
            return [Segment(label.center(size.width), ground + Style.parse(style)), gap]
        row = y - 1
        match slot.content:
            case None:
                empty = "┄" * (size.width - 2) if row == size.rows // 2 else ""
                style = palette.label
                return [Segment(empty.center(size.width), ground + Style.parse(style)), gap]
            case Tile():
                return [*draw_tile(slot.content, row, size), gap]
            case number:
                bag = draw_bag(number, row, size)
                return [Segment(bag, ground + Style.parse(f"bold {palette.accent}")), gap]

    def on_click(self, event: events.Click) -> None:
        number, within = divmod(event.x - self._title_width, self._slot_spacing)
        number += self._first_visible
        if (
            event.x >= self._title_width
            and within < self.tile_size.width
            and number < len(self.slots)
        ):
            event.stop()
            self.post_message(self.Chosen(self, number))


def draw_bag(number: int, row: int, size: TileSize) -> str:
    """The bag, with how many tiles are in it."""
    inner = size.width - 2
    if row == 0:
        return "╭" + "┄" * inner + "╮"
    if row == size.rows - 1:
        return "╰" + (str(number) if size.rows == 2 else "─" * inner).center(inner) + "╯"
    return "│" + str(number).center(inner) + "│"
