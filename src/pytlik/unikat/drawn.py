"""Unikat's tiles and table as text: in colour with glyphs, or plain in ASCII with tile codes.

A tile shows its shape as a glyph, its size as how many of them (1, 2 or 3), its colour also as how
the glyph is filled (solid, half empty, ringed), and its background. Plain, it is its code (U1).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.unikat.model import FEATURES, Cell, Chain, Tile
from pytlik.unikat.view import View

GLYPHS = ("●◍◉", "■▥▣", "✚✛✙")
"""For each shape the glyph of each colour."""
PAPER = (("#ffffff", "#ece9e4"), ("#b6b9bf", "#a4a8af"), ("#26282b", "#17191b"))
"""For each background two shades, which alternate like a chequerboard so that tiles don't merge."""
INK = (
    ("#d96400", "#7d2ba3", "#1459c4"),
    ("#a84300", "#641a86", "#0a3f9c"),
    ("#ff9d33", "#d896f7", "#6cb2ff"),
)
"""For each background the symbols' colours, dark or bright enough to be seen on it."""
FELT, EDGE, GOLD, FADED = "#2c5a4b", "#86a99c", "#ffd24a", "#7a7a7a"
PLACE = ("#ffd24a", "#f2bf2a")
"""Where a tile fits, in two shades for the same reason."""

TILE = 5
"""How wide a tile is, in one or two rows; one column more is the gap to the next."""
SMALL = 3
"""How wide a tile is where many must fit."""
SIZES = ((TILE, 2), (TILE, 1), (SMALL, 1))
"""How large tiles can be drawn, the finest first: columns and rows."""
GUTTER = 4


class Look(NamedTuple):
    """What the terminal can show."""

    plain: bool = False
    width: int = 80
    height: int = 24


@dataclass(frozen=True)
class Draft:
    """A chain that is being built, and the places where the chosen tile may go."""

    chain: Chain = ()
    chosen: Tile | None = None
    places: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Window:
    """The part of the table that is drawn."""

    left: int
    top: int
    right: int
    bottom: int
    tile_width: int
    tile_rows: int
    clipped: bool

    def __contains__(self, cell: Cell) -> bool:
        return self.left <= cell.x <= self.right and self.top <= cell.y <= self.bottom


# ------------------------------------------------------------------------------------------ tiles


def named(tile: Tile, say: Catalogue) -> str:
    """The tile in words: "circle, orange, small, on white"."""
    return ", ".join(
        say(f"unikat.{feature}.{value}")
        for feature, value in zip(FEATURES, tile.value, strict=True)
    )


def tile_row(tile: Tile, row: int, rows: int, *, dark: bool, width: int = TILE) -> Text:
    """One row of a tile's picture: a pile of one, two or three glyphs, or a row of them."""
    shape, colour, size, background = map(int, tile.value)
    glyph = GLYPHS[shape][colour]
    if rows == 1:
        shown = ("" if width == SMALL else " ").join(glyph * (size + 1))
    else:
        pile = (("", glyph), ("", f"{glyph} {glyph}"), (glyph, f"{glyph} {glyph}"))[size]
        shown = pile[row]
    style = f"bold {INK[background][colour]} on {PAPER[background][dark]}"
    return Text(shown.center(width), style=style)


def pictured(line: str, look: Look) -> Text:
    """A line about tiles, with a small picture in the place of each tile's code."""
    text = Text()
    for part in re.split(r"\b([0-2]{4})\b", line):
        code = not look.plain and re.fullmatch("[0-2]{4}", part)
        text.append(tile_row(Tile(part), 0, 1, dark=False) if code else part)
    return text


def tile_line(tiles: Sequence[tuple[str, Tile | None]], look: Look) -> list[Text]:
    """Tiles side by side, each under its label; None is a tile that is gone from its place."""
    if look.plain:
        return [Text("  ".join(f"{label} {tile or '----'}" for label, tile in tiles))]
    lines = [Text("".join(label.center(TILE + 1) for label, _ in tiles), style="bold")]
    for row in range(2):
        line = Text()
        for _, tile in tiles:
            line.append(tile_row(tile, row, 2, dark=False) if tile else " " * TILE)
            line.append(" ")
        line.right_crop(1)
        lines.append(line)
    return lines


# ------------------------------------------------------------------------------------------ board


def window(cells: Iterable[Cell], centre: Cell, look: Look, rows: int) -> Window:
    """All of the table in tiles as large as fit into so many rows; else a part, around a cell."""
    xs, ys = zip(*cells, strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    sizes = ((TILE, 1),) if look.plain else SIZES
    for size in sizes:
        columns, lines = room(size, look, rows)
        if right - left < columns and bottom - top < lines:
            return Window(left, top, right, bottom, *size, clipped=False)
    # Not even the smallest fit.
    columns, lines = room(sizes[-1], look, rows)
    if right - left >= columns:
        left = min(max(centre.x - columns // 2, left), right - columns + 1)
        right = left + columns - 1
    if bottom - top >= lines:
        top = min(max(centre.y - lines // 2, top), bottom - lines + 1)
        bottom = top + lines - 1
    return Window(left, top, right, bottom, *sizes[-1], clipped=True)


def room(size: tuple[int, int], look: Look, rows: int) -> tuple[int, int]:
    """How many tiles of a size fit side by side, and one below the other."""
    width, tall = size
    return max((look.width - GUTTER) // (width + 1), 3), max(rows // tall, 3)


def view_window(view: View, look: Look, draft: Draft, rows: int, pan: Cell) -> Window:
    """The window that shows the table with a rim if there is room, and what matters now if not."""
    lying = [Cell(stone.x, stone.y) for stone in view.board]
    lying += [placed.cell for placed in draft.chain]
    newest = [*draft.chain[-1:], *view.latest[-1:]]
    centre = draft.places[0] if draft.places else newest[0].cell if newest else Cell(0, 0)
    centre = Cell(centre.x + pan.x, centre.y + pan.y)
    with_rim = [*lying, *(near for cell in lying for near in cell.neighbours())]
    shown = window(with_rim, centre, look, rows)
    tight = window([*lying, *draft.places], centre, look, rows)
    as_large = (shown.tile_width, shown.tile_rows) == (tight.tile_width, tight.tile_rows)
    return shown if as_large and not shown.clipped else tight


def board(view: View, look: Look, draft: Draft, shown: Window) -> list[Text]:
    """The table with coordinates; latest tiles are numbered, and so are the draft's places."""
    tiles = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    marks = {placed.cell: number for number, placed in enumerate(view.latest, start=1)}
    if draft.chain:
        marks = {placed.cell: number for number, placed in enumerate(draft.chain, start=1)}
    tiles |= {placed.cell: placed.tile for placed in draft.chain}
    places = {cell: number for number, cell in enumerate(draft.places, start=1)}
    columns = range(shown.left, shown.right + 1)
    head = "".join(str(x).center(shown.tile_width + 1) for x in columns)
    lines = [Text(" " * GUTTER + head.rstrip(), style="" if look.plain else FADED)]
    for y in range(shown.top, shown.bottom + 1):
        for row in range(shown.tile_rows):
            name = f"{y:>{GUTTER - 1}} " if row == shown.tile_rows - 1 else " " * GUTTER
            line = Text(name, style="" if look.plain else FADED)
            for cell in (Cell(x, y) for x in columns):
                if look.plain:
                    line.append(plain_cell(tiles.get(cell), marks.get(cell), places.get(cell)))
                else:
                    drafted = bool(draft.chain) and cell in marks
                    line.append(felt_cell(cell, tiles.get(cell), places.get(cell), row, shown))
                    line.append(felt_gap(marks.get(cell), row, drafted=drafted))
            if look.plain:
                line.rstrip()
            lines.append(line)
    return lines


def plain_cell(tile: Tile | None, mark: int | None, place: int | None) -> str:
    if tile:
        return f"{tile}*".ljust(TILE + 1) if mark else tile.ljust(TILE + 1)
    return (f"[{place}]" if place else " .").ljust(TILE + 1)


def felt_cell(cell: Cell, tile: Tile | None, place: int | None, row: int, shown: Window) -> Text:
    odd = (cell.x + cell.y) % 2
    width, rows = shown.tile_width, shown.tile_rows
    if tile:
        return tile_row(tile, row, rows, dark=odd == 1, width=width)
    label = (str(place) if place else "·") if row == rows - 1 else ""
    style = f"bold #1c1400 on {PLACE[odd]}" if place else f"{EDGE} on {FELT}"
    return Text(label.center(width), style=style)


def felt_gap(mark: int | None, row: int, *, drafted: bool) -> Text:
    """The gap right of a tile, where its number in the latest chain stands."""
    sign = "✓" if mark and mark > 9 else str(mark)
    shown = sign if mark and row == 0 else " "
    return Text(shown, style=f"{'bold ' + GOLD if drafted else EDGE} on {FELT}")
