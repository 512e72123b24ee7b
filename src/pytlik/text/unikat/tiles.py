"""Unikat's tiles as text: in colour with glyphs, or plain in ASCII as their codes.

A tile shows its shape as a glyph, its size as the number of glyphs (1, 2 or 3), its colour also as
the filling of the glyph (solid, half empty, ringed), and its background. Plain text has the code
(U1).
"""

import re
from collections.abc import Sequence

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.text.layout import TextFormat
from pytlik.unikat.model import FEATURES, Tile

GLYPHS = ("●◍◉", "■▥▣", "✚✛✙")
"""For each shape the glyph of each colour."""
BACKGROUND_SHADES = (("#ffffff", "#ece9e4"), ("#b6b9bf", "#a4a8af"), ("#26282b", "#17191b"))
"""For each background two shades, alternating like a chequerboard so that tiles don't merge."""
SYMBOL_COLOURS = (
    ("#d96400", "#7d2ba3", "#1459c4"),
    ("#a84300", "#641a86", "#0a3f9c"),
    ("#ff9d33", "#d896f7", "#6cb2ff"),
)
"""For each background the symbols' colours, dark or bright enough to stand out on it."""

TILE_WIDTH = 5
"""Columns of a tile drawn in one or two rows. The gap to the next one takes another column."""
SMALL_TILE_WIDTH = 3
"""Columns of a tile if many must fit."""
HUCH_FEATURE_VALUES = {
    "shape": ("circle", "square", "cross"),
    "colour": ("orange", "purple", "blue"),
    "size": ("small", "medium", "big"),
    "background": ("white", "grey", "black"),
}
"""The names of each feature's values in the HUCH edition, whose colours these are."""
TILE_CODE_PATTERN = re.compile(r"\b([0-2]{4})\b")


def describe_tile(tile: Tile, translate: Catalogue) -> str:
    """The tile in words: "circle, orange, small, on white"."""
    shape, colour, size, background = (
        HUCH_FEATURE_VALUES[feature][int(digit)]
        for feature, digit in zip(FEATURES, tile.value, strict=True)
    )
    return translate(
        "page.tile.name",
        shape=translate(f"page.tile.shape.{shape}"),
        colour=translate(f"page.tile.colour.{colour}.{shape}"),
        size=translate(f"page.tile.size.{size}.{shape}"),
        background=translate(f"page.tile.background.{background}"),
    )


def draw_tile(tile: Tile, row: int, rows: int, *, dark: bool, width: int = TILE_WIDTH) -> Text:
    """One row of a tile's picture: one, two or three glyphs in a pile or in a line."""
    shape, colour, size, background = map(int, tile.value)
    glyph = GLYPHS[shape][colour]
    if rows == 1:
        glyphs = ("" if width == SMALL_TILE_WIDTH else " ").join(glyph * (size + 1))
    else:
        pile = (("", glyph), ("", f"{glyph} {glyph}"), (glyph, f"{glyph} {glyph}"))[size]
        glyphs = pile[row]
    style = f"bold {SYMBOL_COLOURS[background][colour]} on {BACKGROUND_SHADES[background][dark]}"
    return Text(glyphs.center(width), style=style)


def replace_tile_codes(line: str, fmt: TextFormat) -> Text:
    """A line about tiles, with a small picture in the place of each tile's code."""
    text = Text()
    for index, part in enumerate(TILE_CODE_PATTERN.split(line)):
        is_code = index % 2 == 1 and not fmt.plain
        text.append(draw_tile(Tile(part), 0, 1, dark=False) if is_code else part)
    return text


def draw_tiles(tiles: Sequence[tuple[str, Tile | None]], fmt: TextFormat) -> list[Text]:
    """Tiles side by side, each under its label; None is a tile that has left its place."""
    if fmt.plain:
        return [Text("  ".join(f"{label} {tile or '----'}" for label, tile in tiles))]
    lines = [Text("".join(label.center(TILE_WIDTH + 1) for label, _ in tiles), style="bold")]
    for row in range(2):
        line = Text()
        for _, tile in tiles:
            line.append(draw_tile(tile, row, 2, dark=False) if tile else " " * TILE_WIDTH)
            line.append(" ")
        line.right_crop(1)
        lines.append(line)
    return lines
