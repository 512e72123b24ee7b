"""The cards of everybody who plays Ubongo, side by side, as large as they all fit."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.text import Text

from pytlik.terminal.card import Size, numbers
from pytlik.terminal.hold import bounds, column
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Deal
from pytlik.ubongo.text import CARD, INK, WHITE, paint, side_by_side, width_of

SIZES = (Size(4, 2), Size(4, 1), Size(2, 1))
GAP = 3


class Shown(NamedTuple):
    """A card, and the pieces on it."""

    title: str
    deal: Deal
    placed: Mapping[int, Shape]


def cards(shown: Sequence[Shown], width: int, height: int) -> Text:
    """All of them; those that don't fit into the first row stand in the next."""
    drawn = [shelved([block(one, size) for one in shown], width) for size in SIZES]
    fitting = (lines for lines in drawn if len(lines) <= height and width_of(lines) <= width)
    return Text("\n", no_wrap=True).join(next(fitting, drawn[-1]))


def shelved(blocks: Sequence[list[Text]], width: int) -> list[Text]:
    lines: list[Text] = []
    shelf: list[list[Text]] = []
    for one in blocks:
        if shelf and width_of(side_by_side([*shelf, one], GAP)) > width:
            lines += [*side_by_side(shelf, GAP), Text()]
            shelf = []
        shelf.append(one)
    return [*lines, *side_by_side(shelf, GAP)]


def block(shown: Shown, size: Size) -> list[Text]:
    """A card under its title, within a narrow rim."""
    title, deal, placed = shown
    marks = marked(deal, placed)
    top, bottom, left, right = bounds(deal.area)
    half, ground = size.width // 2, f"on {CARD}"
    lines = [Text(title, style="bold")]
    for r in range(top, bottom + 1):
        row = {column(cell): mark for cell, mark in marks.items() if cell.r == r}
        for part in range(size.rows):
            line = Text()
            at = left - 1
            while at <= right + 2:
                label, style = row.get(at, ("", ground))
                wide = size.width if at in row else half
                line.append((label if part == 0 else "").center(wide), style=style)
                at += wide // half
            lines.append(line)
    return lines


def marked(deal: Deal, placed: Mapping[int, Shape]) -> dict[Hex, tuple[str, str]]:
    """What each cell shows, and how it is painted."""
    marks = {cell: ("·", f"{INK} on {WHITE[(cell.q - cell.r) % 3]}") for cell in deal.area}
    for piece, cells in placed.items():
        marks |= {cell: (numbers(deal)[piece], paint(deal, piece)) for cell in cells}
    return marks
