"""Unikat's board as text. It has no border, so it's drawn through a window."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from pytlik.text.layout import FADED, GOLD, TextFormat
from pytlik.text.unikat.tiles import SMALL_TILE_WIDTH, TILE_WIDTH, draw_tile
from pytlik.unikat.model import Cell, Chain, Tile
from pytlik.unikat.view import View

FELT_COLOUR, FAINT_COLOUR = "#2c5a4b", "#86a99c"
PLACE_SHADES = ("#ffd24a", "#f2bf2a")
"""Where a tile fits, in two shades that alternate like those of the tiles."""
TILE_SIZES = ((TILE_WIDTH, 2), (TILE_WIDTH, 1), (SMALL_TILE_WIDTH, 1))
"""How large tiles can be drawn, the largest first: columns and rows."""
GUTTER_WIDTH = 4


@dataclass(frozen=True)
class Draft:
    """A chain that is being built, and the places where the chosen tile may go."""

    chain: Chain = ()
    chosen: Tile | None = None
    places: tuple[Cell, ...] = ()
    marked: Cell | None = None
    """The place where the tile is put next."""


@dataclass(frozen=True)
class BoardWindow:
    """The part of the board that is drawn."""

    left: int
    top: int
    right: int
    bottom: int
    tile_width: int
    tile_rows: int
    clipped: bool

    def __contains__(self, cell: Cell) -> bool:
        return self.left <= cell.x <= self.right and self.top <= cell.y <= self.bottom


def choose_window(view: View, fmt: TextFormat, draft: Draft, rows: int, pan: Cell) -> BoardWindow:
    """All of the board with a rim if there's room for it, otherwise what matters now."""
    occupied = [Cell(stone.x, stone.y) for stone in view.board]
    occupied += [placed.cell for placed in draft.chain]
    newest = [*draft.chain[-1:], *view.latest[-1:]]
    centre = draft.places[0] if draft.places else newest[0].cell if newest else Cell(0, 0)
    centre = Cell(centre.x + pan.x, centre.y + pan.y)
    with_rim = [*occupied, *(near for cell in occupied for near in cell.neighbours())]
    wide = fit_window(with_rim, centre, fmt, rows)
    tight = fit_window([*occupied, *draft.places], centre, fmt, rows)
    as_large = (wide.tile_width, wide.tile_rows) == (tight.tile_width, tight.tile_rows)
    return wide if as_large and not wide.clipped else tight


def fit_window(cells: Iterable[Cell], centre: Cell, fmt: TextFormat, rows: int) -> BoardWindow:
    """All cells, with tiles as large as fit into `rows` rows; otherwise the part around the
    centre."""
    xs, ys = zip(*cells, strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    sizes = ((TILE_WIDTH, 1),) if fmt.plain else TILE_SIZES
    for size in sizes:
        columns, lines = count_fitting_tiles(size, fmt, rows)
        if right - left < columns and bottom - top < lines:
            return BoardWindow(left, top, right, bottom, *size, clipped=False)
    # Not even the smallest fit.
    columns, lines = count_fitting_tiles(sizes[-1], fmt, rows)
    if right - left >= columns:
        left = min(max(centre.x - columns // 2, left), right - columns + 1)
        right = left + columns - 1
    if bottom - top >= lines:
        top = min(max(centre.y - lines // 2, top), bottom - lines + 1)
        bottom = top + lines - 1
    return BoardWindow(left, top, right, bottom, *sizes[-1], clipped=True)


def count_fitting_tiles(size: tuple[int, int], fmt: TextFormat, rows: int) -> tuple[int, int]:
    """How many tiles of a size fit side by side and one below the other."""
    width, height = size
    return max((fmt.width - GUTTER_WIDTH) // (width + 1), 3), max(rows // height, 3)


def draw_board(view: View, fmt: TextFormat, draft: Draft, window: BoardWindow) -> list[Text]:
    """The board with coordinates; the latest tiles are numbered, and so are the draft's places."""
    tiles = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    tiles |= {placed.cell: placed.tile for placed in draft.chain}
    chain = draft.chain or view.latest
    numbers = {placed.cell: number for number, placed in enumerate(chain, start=1)}
    places = {cell: number for number, cell in enumerate(draft.places, start=1)}
    columns = range(window.left, window.right + 1)
    head = "".join(str(x).center(window.tile_width + 1) for x in columns)
    lines = [Text(" " * GUTTER_WIDTH + head.rstrip(), style=fmt.style(FADED))]
    for y in range(window.top, window.bottom + 1):
        for row in range(window.tile_rows):
            is_last = row == window.tile_rows - 1
            name = f"{y:>{GUTTER_WIDTH - 1}} " if is_last else " " * GUTTER_WIDTH
            line = Text(name, style=fmt.style(FADED))
            for cell in (Cell(x, y) for x in columns):
                tile, number, place = tiles.get(cell), numbers.get(cell), places.get(cell)
                if fmt.plain:
                    line.append(draw_plain_cell(tile, number, place))
                else:
                    line.append(draw_coloured_cell(cell, tile, place, row, window))
                    line.append(draw_chain_number(number, row, drafted=bool(draft.chain)))
            if fmt.plain:
                line.rstrip()
            lines.append(line)
    return lines


def draw_plain_cell(tile: Tile | None, number: int | None, place: int | None) -> str:
    if tile:
        return f"{tile}{'*' if number else ''}".ljust(TILE_WIDTH + 1)
    return (f"[{place}]" if place else " .").ljust(TILE_WIDTH + 1)


def draw_coloured_cell(
    cell: Cell, tile: Tile | None, place: int | None, row: int, window: BoardWindow
) -> Text:
    odd = (cell.x + cell.y) % 2
    width, rows = window.tile_width, window.tile_rows
    if tile:
        return draw_tile(tile, row, rows, dark=odd == 1, width=width)
    label = (str(place) if place else "·") if row == rows - 1 else ""
    style = f"bold #1c1400 on {PLACE_SHADES[odd]}" if place else f"{FAINT_COLOUR} on {FELT_COLOUR}"
    return Text(label.center(width), style=style)


def draw_chain_number(number: int | None, row: int, *, drafted: bool) -> Text:
    """The number of a tile in the latest chain, in the gap to the right of it."""
    sign = "✓" if number and number > 9 else str(number)
    is_drafted = drafted and number is not None
    style = f"{'bold ' + GOLD if is_drafted else FAINT_COLOUR} on {FELT_COLOUR}"
    return Text(sign if number and row == 0 else " ", style=style)
