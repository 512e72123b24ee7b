"""Unikat's board on the whole screen, row by row, and the part of it in sight."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rich.segment import Segment
from rich.style import Style

from pytlik.terminal.unikat.tiles import RACK_TILE_SIZE, SMALLEST, TILE_SIZES, TileSize, draw_tile
from pytlik.terminal.widgets.theme import Palette
from pytlik.text.unikat.board import Draft
from pytlik.unikat.model import Cell, Chain, Tile


@dataclass(frozen=True)
class Camera:
    """The part of the board that is in sight."""

    size: TileSize = RACK_TILE_SIZE
    x: int = 0
    """The column and the row of the top left corner of the cell 0,0."""
    y: int = 0

    @property
    def cell_spacing(self) -> tuple[int, int]:
        """Columns and rows from one cell to the next."""
        return self.size.width + 1, self.size.rows

    def cell_at(self, column: int, row: int) -> Cell:
        wide, high = self.cell_spacing
        return Cell((column - self.x) // wide, (row - self.y) // high)

    def corner_of(self, cell: Cell) -> tuple[int, int]:
        """The column and the row of a cell's top left corner."""
        wide, high = self.cell_spacing
        return self.x + cell.x * wide, self.y + cell.y * high

    def shows(self, cell: Cell, width: int, height: int) -> bool:
        """Whether all of a cell is in sight."""
        column, row = self.corner_of(cell)
        wide, high = self.cell_spacing
        return 0 <= column <= width - wide and 0 <= row <= height - high


def camera_centred_on(cell: Cell, size: TileSize, width: int, height: int) -> Camera:
    wide, high = size.width + 1, size.rows
    return Camera(size, (width - wide) // 2 - cell.x * wide, (height - high) // 2 - cell.y * high)


def camera_showing_all(
    cells: list[Cell], focus: Cell, width: int, height: int, sizes: Sequence[TileSize] = TILE_SIZES
) -> Camera:
    """Show all cells as large as possible; if they don't fit, show those around `focus`."""
    left, right = min(cell.x for cell in cells), max(cell.x for cell in cells)
    top, bottom = min(cell.y for cell in cells), max(cell.y for cell in cells)
    for size in reversed(sizes):
        wide, high = (right - left + 1) * (size.width + 1), (bottom - top + 1) * size.rows
        if wide <= width and high <= height:
            return Camera(
                size,
                (width - wide) // 2 - left * (size.width + 1),
                (height - high) // 2 - top * size.rows,
            )
    return camera_centred_on(focus, TILE_SIZES[SMALLEST + 1], width, height)


@dataclass(frozen=True)
class BoardPicture:
    """What is on the board, with numbers and places, ready to be drawn."""

    tiles: Mapping[Cell, Tile] = field(default_factory=dict)
    latest: Chain = ()
    draft: Draft = field(default_factory=Draft)

    def cells_to_show(self) -> list[Cell]:
        """What should be in sight: the tiles and places, and a rim around them."""
        chain = (placed.cell for placed in self.draft.chain)
        occupied = [*self.tiles, *chain, *self.draft.places]
        rim = (near for cell in occupied for near in cell.neighbours())
        return [*occupied, *rim] or [Cell(0, 0)]

    def focus_cell(self) -> Cell:
        """The cell that matters most."""
        newest = [*self.draft.chain[-1:], *self.latest[-1:]]
        return self.draft.marked or (newest[0].cell if newest else Cell(0, 0))

    def draw_row(self, row: int, width: int, camera: Camera, palette: Palette) -> list[Segment]:
        """A row of the board. It starts with the first cell in sight, and may be longer than the
        screen is wide."""
        wide, high = camera.cell_spacing
        y, part = divmod(row - camera.y, high)
        first, last = (-camera.x) // wide, (width - camera.x) // wide
        segments = [
            segment
            for x in range(first, last + 1)
            for segment in self._draw_cell_row(Cell(x, y), part, camera.size, palette)
        ]
        hidden = (-camera.x) % wide
        return list(crop_left(segments, hidden))

    @cached_property
    def _tiles_by_cell(self) -> dict[Cell, Tile]:
        return {**self.tiles, **{placed.cell: placed.tile for placed in self.draft.chain}}

    @cached_property
    def _chain_numbers(self) -> dict[Cell, int]:
        """The order of the chain that is being laid, or of the latest turn."""
        chain = self.draft.chain or self.latest
        return {placed.cell: number for number, placed in enumerate(chain, 1)}

    def _draw_cell_row(
        self, cell: Cell, part: int, size: TileSize, palette: Palette
    ) -> Iterator[Segment]:
        dark = (cell.x + cell.y) % 2 == 1
        draft = self.draft
        felt = Style.parse(f"{palette.dots} on {palette.felt}")
        middle = (size.rows - 1) // 2
        if cell in self._tiles_by_cell:
            yield from draw_tile(self._tiles_by_cell[cell], part, size, dark=dark)
        elif draft.chosen and cell == draft.marked:
            yield from draw_tile(draft.chosen, part, size, dark=dark, held=True)
        elif cell in draft.places:
            label = str(draft.places.index(cell) + 1) if part == middle else ""
            label = f"[{label}]" if label and size.width > 3 else label
            style = f"bold {palette.on_place} on {palette.place[dark]}"
            yield Segment(label.center(size.width), Style.parse(style))
        else:
            yield Segment(("·" if part == middle else "").center(size.width), felt)
        number = self._chain_numbers.get(cell)
        if number is None or part:
            held = draft.chosen and cell == draft.marked
            yield Segment("◂" if held and size.width == 3 else " ", felt)
        else:
            style = f"bold {palette.strong} on {palette.felt}"
            yield Segment("✓" if number > 9 else str(number), Style.parse(style))


def crop_left(segments: list[Segment], columns: int) -> Iterator[Segment]:
    """Cut off the first columns. Every character here is one column wide."""
    for segment in segments:
        if columns >= len(segment.text):
            columns -= len(segment.text)
        else:
            yield Segment(segment.text[columns:], segment.style)
            columns = 0
