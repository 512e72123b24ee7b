"""A card of Ubongo on the screen, with its pieces and the one held over it."""

from collections.abc import Mapping
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pytlik.terminal.ubongo.held_piece import HeldPiece, area_bounds, column_in_half_cells
from pytlik.terminal.widgets.theme import DARK, Palette
from pytlik.text.ubongo.cards import LABEL_COLOUR, cell_shade, piece_style
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Deal

CARD_MARGIN = 2
"""Half cells and rows of the card around its area."""


class CellSize(NamedTuple):
    width: int
    rows: int


CELL_SIZES = (CellSize(6, 3), CellSize(4, 2), CellSize(4, 1))


def piece_keys(deal: Deal) -> dict[int, str]:
    """The key that chooses each piece, which is also its name on the screen."""
    return {piece: str(number) for number, piece in enumerate(deal.pieces, 1)}


class CardWidget(Widget):
    class Pointed(Message):
        """The mouse is over a cell."""

        def __init__(self, cell: Hex) -> None:
            super().__init__()
            self.cell = cell

    class Chosen(Message):
        def __init__(self, cell: Hex, button: int) -> None:
            super().__init__()
            self.cell = cell
            self.button = button

    class Turned(Message):
        """The wheel was turned."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.deal: Deal | None = None
        self.placed: Mapping[int, Shape] = {}
        self.held: HeldPiece | None = None
        self.palette: Palette = DARK
        self._marks: dict[Hex, tuple[str, Style]] = {}

    def show(
        self,
        deal: Deal | None,
        placed: Mapping[int, Shape],
        held: HeldPiece | None,
        palette: Palette,
    ) -> None:
        self.deal, self.placed, self.held, self.palette = deal, placed, held, palette
        self._marks = self._make_cell_marks() if deal else {}
        self.refresh()

    def _make_cell_marks(self) -> dict[Hex, tuple[str, Style]]:
        """What each cell shows. A held piece shows a mark beside its number, or a cross where it
        doesn't fit."""
        assert self.deal is not None
        marks = {
            cell: ("·", Style.parse(f"{LABEL_COLOUR} on {cell_shade(cell)}"))
            for cell in self.deal.area
        }
        keys = piece_keys(self.deal)
        for piece, cells in self.placed.items():
            style = Style.parse(piece_style(self.deal, piece))
            marks |= dict.fromkeys(cells, (keys[piece], style))
        held = self.held
        if held is None or held.chosen in self.placed:
            return marks
        fits = held.fits(self.placed)
        style = Style.parse(piece_style(self.deal, held.chosen))
        for cell in held.cells():
            free = marks.get(cell, ("", None))[0] == "·"
            sign = "◆" if fits else "◇" if free else "✕"
            wrong = Style.parse(f"bold #ffffff on {self.palette.warning}")
            marks[cell] = (f"{sign}{keys[held.chosen]}", style if free else wrong)
        return marks

    @property
    def cell_size(self) -> CellSize:
        assert self.deal is not None
        top, bottom, left, right = area_bounds(self.deal.area)
        halves, rows = right - left + 2 + 2 * CARD_MARGIN, bottom - top + 1 + CARD_MARGIN
        for size in CELL_SIZES:
            if halves * size.width // 2 <= self.size.width and rows * size.rows <= self.size.height:
                return size
        return CELL_SIZES[-1]

    @property
    def origin_cell_position(self) -> tuple[int, int]:
        """The column and row of the cell 0,0, so that the area is in the middle."""
        assert self.deal is not None
        top, bottom, left, right = area_bounds(self.deal.area)
        size = self.cell_size
        half = size.width // 2
        wide, high = (right - left + 2) * half, (bottom - top + 1) * size.rows
        return (
            (self.size.width - wide) // 2 - left * half,
            (self.size.height - high) // 2 - top * size.rows,
        )

    def cell_at(self, x: int, y: int) -> Hex:
        size, (across, down) = self.cell_size, self.origin_cell_position
        r = (y - down) // size.rows
        return Hex(((x - across) // (size.width // 2) - r) // 2, r)

    def middle_of(self, cell: Hex) -> tuple[int, int]:
        """A column and a row inside a cell."""
        size, (across, down) = self.cell_size, self.origin_cell_position
        return (
            across + column_in_half_cells(cell) * (size.width // 2) + size.width // 2 - 1,
            down + cell.r * size.rows + (size.rows - 1) // 2,
        )

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if self.deal is None:
            return Strip.blank(width, self.rich_style)
        size, (across, down) = self.cell_size, self.origin_cell_position
        r, part = divmod(y - down, size.rows)
        top, bottom, left, right = area_bounds(self.deal.area)
        inside = top - 1 <= r <= bottom + 1
        ground = Style.parse(f"on {self.palette.card}") if inside else self.rich_style
        first = across + (left - CARD_MARGIN) * (size.width // 2)
        last = across + (right + 2 + CARD_MARGIN) * (size.width // 2)
        row = {
            column_in_half_cells(cell): mark for cell, mark in self._marks.items() if cell.r == r
        }
        line = [Segment(" " * max(first, 0), self.rich_style)]
        at = max(first, 0)
        for half in sorted(row):
            start = across + half * (size.width // 2)
            label, style = row[half]
            shown = label if part == (size.rows - 1) // 2 else ""
            line.append(Segment(" " * (start - at), ground))
            line.append(Segment(shown.center(size.width), style))
            at = start + size.width
        line.append(Segment(" " * max(last - at, 0), ground))
        return Strip(line).adjust_cell_length(width, self.rich_style)

    # ---------------------------------------------------------------------------- the mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.deal is not None:
            self.post_message(self.Pointed(self.cell_at(event.x, event.y)))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if self.deal is not None:
            self.post_message(self.Chosen(self.cell_at(event.x, event.y), event.button))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.post_message(self.Turned(-1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.post_message(self.Turned(1))
