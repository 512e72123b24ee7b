"""Ubongo's cards and pieces as text.

Cells have names: a letter for the row, and a number within it. A piece is drawn with its number,
and with a mark on its first cell, which goes onto the cell that the player names.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rich.text import Text

from pytlik.text.layout import TextFormat, block_width
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Colour, Deal

CARD_COLOUR, LABEL_COLOUR = "#5b4a30", "#5d5648"
WHITE_SHADES = ("#ffffff", "#efece4", "#dedad0")
"""Three shades, so that cells that touch always differ."""
PIECE_SHADES = {
    Colour.RED: ("#c8372d", "#e0655a", "#a01f18", "#f08f86", "#7d120d"),
    Colour.BLUE: ("#2b62c4", "#5f92e6", "#173f8c", "#8fb6f5", "#0e2a63"),
    Colour.GREEN: ("#2f8a4a", "#5cb877", "#1b5f30", "#8ad6a0", "#104020"),
    Colour.YELLOW: ("#d9a90f", "#f2cf4e", "#a67c00", "#f9e38e", "#7a5b00"),
}
"""For each colour a shade for each piece, so that pieces that touch don't merge."""


class CellMark(NamedTuple):
    """What a cell shows: a label of up to three characters, in a style."""

    label: str
    style: str = ""


def first_cell(cells: Iterable[Hex]) -> Hex:
    """The leftmost cell of the top row, by which a piece is placed."""
    return min(cells, key=lambda cell: (cell.r, cell.q))


def cells_by_name(area: Iterable[Hex]) -> dict[str, Hex]:
    """The area's cells by their names: a1, a2 ... in the top row, then b1 ..."""
    cells = sorted(area, key=lambda cell: (cell.r, cell.q))
    top = cells[0].r
    names: dict[str, Hex] = {}
    for cell in cells:
        in_row = [other for other in cells if other.r == cell.r]
        names[f"{chr(ord('a') + cell.r - top)}{in_row.index(cell) + 1}"] = cell
    return names


def cell_shade(cell: Hex) -> str:
    """The white of a free cell."""
    return WHITE_SHADES[(cell.q - cell.r) % 3]


def piece_style(deal: Deal, piece: int) -> str:
    shade = PIECE_SHADES[deal.colour][list(deal.pieces).index(piece)]
    dark_ink = deal.colour is Colour.YELLOW or shade in PIECE_SHADES[deal.colour][1::2]
    return f"bold {'#1c1a14' if dark_ink else '#ffffff'} on {shade}"


def draw_honeycomb(marks: Mapping[Hex, CellMark], *, rows: int, ground: str = "") -> list[Text]:
    """Cells four columns wide and `rows` high; every second row is shifted by half a cell."""
    left = min(2 * cell.q + cell.r for cell in marks)
    right = max(2 * cell.q + cell.r for cell in marks) + 2
    lines: list[Text] = []
    for r in range(min(cell.r for cell in marks), max(cell.r for cell in marks) + 1):
        row = {2 * cell.q + cell.r: mark for cell, mark in marks.items() if cell.r == r}
        for part in range(rows):
            line, at = Text(), left
            while at < right:
                if at in row:
                    label = row[at].label if part == 0 else ""
                    line.append(f" {label:<3}", style=row[at].style)
                    at += 2
                else:
                    line.append("  ", style=ground)
                    at += 1
            lines.append(line)
    return lines


def add_margin(lines: list[Text], style: str) -> list[Text]:
    """Add a margin in the colour of the card."""
    width = block_width(lines)
    rim = Text("  ", style=style)
    inner = [Text.assemble(rim, line, rim) for line in lines]
    blank = Text(" " * (width + 4), style=style)
    return [blank, *inner, blank]


def draw_card(deal: Deal, placed: Mapping[int, Shape], fmt: TextFormat, *, rows: int) -> list[Text]:
    """The area: free cells with their names, others with the number of the piece there."""
    marks = {
        cell: CellMark(name, fmt.style(f"{LABEL_COLOUR} on {cell_shade(cell)}"))
        for name, cell in cells_by_name(deal.area).items()
    }
    for piece, cells in placed.items():
        label = f"[{piece}]" if fmt.plain else str(piece)
        marks |= dict.fromkeys(cells, CellMark(label, fmt.style(piece_style(deal, piece))))
    lines = draw_honeycomb(marks, rows=rows, ground=fmt.style(f"on {CARD_COLOUR}"))
    return lines if fmt.plain else add_margin(lines, f"on {CARD_COLOUR}")


def draw_piece(deal: Deal, piece: int, cells: Shape, fmt: TextFormat, *, rows: int) -> list[Text]:
    style = fmt.style(piece_style(deal, piece))
    sign = "*" if fmt.plain else "◆"
    marks = dict.fromkeys(cells, CellMark(str(piece), style))
    marks[first_cell(cells)] = CellMark(f"{piece}{sign}", style)
    return draw_honeycomb(marks, rows=rows)
