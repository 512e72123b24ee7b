"""Unikat's tiles on the whole screen, in four sizes.

Every feature has a sign of its own, which colour only repeats: the shape is the glyph, the size is
the number of glyphs, the symbol's colour is the filling (solid, striped, ringed), and the
background is the edge (none, thin lines, thick ones).
"""

from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style

from pytlik.text.unikat.tiles import BACKGROUND_SHADES, GLYPHS, SYMBOL_COLOURS
from pytlik.unikat.model import Tile

EDGES = ((" ", " "), ("│", "│"), ("▌", "▐"))
"""Left and right, for each background."""
EDGE_COLOURS = ("#ffffff", "#6d727a", "#70767e")


class TileSize(NamedTuple):
    """How large a tile is drawn. The gap to the next one takes another column."""

    width: int
    rows: int


TILE_SIZES = (TileSize(3, 1), TileSize(5, 1), TileSize(5, 2), TileSize(7, 3))
SMALLEST, MIDDLE, LARGEST = 0, 2, 3
RACK_TILE_SIZE = TILE_SIZES[MIDDLE]

GLYPH_ARRANGEMENTS = {
    TileSize(3, 1): (("g",), ("gg",), ("ggg",)),
    TileSize(5, 1): (("g",), ("g g",), ("ggg",)),
    TileSize(5, 2): (("", "g"), ("", "g g"), ("g", "g g")),
    TileSize(7, 3): (("", "g", ""), ("", "g g", ""), ("g", "", "g   g")),
}
"""One, two or three glyphs, row by row."""


def draw_tile(
    tile: Tile, row: int, size: TileSize, *, dark: bool = False, held: bool = False
) -> list[Segment]:
    """A row of a tile's picture. A tile that isn't laid yet is shown between arrows."""
    shape, colour, amount, background = map(int, tile.value)
    glyphs = GLYPH_ARRANGEMENTS[size][amount][row].replace("g", GLYPHS[shape][colour])
    paper = BACKGROUND_SHADES[background][dark]
    ink = Style.parse(f"bold {SYMBOL_COLOURS[background][colour]} on {paper}")
    if size.width == TILE_SIZES[SMALLEST].width:
        return [Segment(glyphs.center(size.width), ink)]
    left, right = EDGES[background]
    edge = Style.parse(f"{EDGE_COLOURS[background]} on {paper}")
    if held and row == (size.rows - 1) // 2:
        left, right, edge = "▸", "◂", ink
    return [Segment(left, edge), Segment(glyphs.center(size.width - 2), ink), Segment(right, edge)]
