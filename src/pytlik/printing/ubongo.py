"""Ubongo Extreme on paper: pieces, gems and tokens, and a score sheet. The cards are in `cards`."""

from collections.abc import Iterator
from itertools import pairwise

from pytlik.drawing.hexes import HEX_WIDTH, bounding_box, outline, place_at
from pytlik.drawing.pieces import (
    area,
    gem,
    load_looks,
    piece,
    signs,
)
from pytlik.drawing.primitives import Group, Mark, Marks, Path, Text, line, rectangle
from pytlik.drawing.ubongo_pictures import find_solution, lay_flat
from pytlik.i18n import Catalogue
from pytlik.printing.page_elements import (
    FAINT,
    HAIR,
    INK,
    MARGIN,
    SOFT,
    Page,
    Paper,
    cut_grid,
    page_heading,
    score_sheet_lines,
)
from pytlik.ubongo.gem_ledger import new_ledger
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import POINTS, Colour, Deck, Gem

CELL = 12.0
"""From one side of a cell to the opposite one, both of pieces and on cards, so that they fit."""
RADIUS = CELL / HEX_WIDTH
BLEED = 1.0
GAP = 9.0
"""Between pieces, for the scissors."""


# ------------------------------------------------------------------------------------------ pieces


def piece_pages(title: str, deck: Deck, paper: Paper) -> tuple[Page, ...]:
    """For each colour a page and its mirrored back, because pieces may be turned over."""
    pages = []
    for colour in Colour:
        laid = list(_arrange(deck.pieces[colour], paper.width - 2 * MARGIN, MARGIN, 22))
        front = [_piece_to_cut(form, colour, number, x, y) for number, form, x, y in laid]
        back = [
            _piece_to_cut(_mirror(form), colour, number, paper.width - x - _width(form), y)
            for number, form, x, y in laid
        ]
        pages += [Page((*page_heading(title, paper), *side)) for side in (front, back)]
    return tuple(pages)


def _arrange(
    pieces: dict[int, Shape], width: float, left: float, top: float
) -> Iterator[tuple[int, Shape, float, float]]:
    """Where pieces lie: in rows, spread over the width."""
    forms = [(number, lay_flat(cells)) for number, cells in pieces.items()]
    widest = max(_width(form) for _, form in forms)
    most = int((width + GAP) / (widest + GAP))
    count = -(-len(forms) // most)
    ends = [round(len(forms) * at / count) for at in range(count + 1)]
    rows = [forms[start:end] for start, end in pairwise(ends)]
    y = top
    for row in rows:
        tall = max(bounding_box(form).height for _, form in row) * RADIUS
        spare = width - sum(_width(form) for _, form in row)
        between = spare / (len(row) + 1)
        x = left + between
        for number, form in row:
            yield number, form, x, y + (tall - bounding_box(form).height * RADIUS) / 2
            x += _width(form) + between
        y += tall + GAP


def _width(cells: Shape) -> float:
    return bounding_box(cells).width * RADIUS


def _mirror(cells: Shape) -> Shape:
    """The piece as seen from its back."""
    return tuple(sorted(Hex(-q - r, r) for q, r in cells))


def _piece_to_cut(cells: Shape, colour: Colour, number: int, x: float, y: float) -> Mark:
    """A piece to be cut out along its outline; its colour bleeds a little."""
    look = load_looks()["colours"][colour]
    path = outline(cells)
    marks: Marks = (
        Path(path, fill=look["fill"], stroke=look["fill"], width=2 * BLEED / RADIUS),
        Path(path, stroke=look["edge"], width=HAIR / RADIUS),
        *signs(cells, colour, number),
    )
    return place_at(marks, bounding_box(cells), x, y, RADIUS)


# -------------------------------------------------------------------------------------------- gems

GEM = 20.0
GEM_COLUMNS = 9


def gem_pages(title: str, paper: Paper) -> tuple[Page, ...]:
    """54 gems with their points, and the four colour tokens."""
    ledger = new_ledger(players=2)
    gems = [kind for kind in Gem for _ in range(ledger.display[kind] + ledger.bag[kind])]
    left, top = (paper.width - GEM_COLUMNS * GEM) / 2, 26.0
    rows = -(-len(gems) // GEM_COLUMNS)
    marks: list[Mark] = [
        *page_heading(title, paper),
        *cut_grid(left, top, GEM_COLUMNS, rows, GEM, GEM),
    ]
    for at, kind in enumerate(gems):
        x, y = left + at % GEM_COLUMNS * GEM, top + at // GEM_COLUMNS * GEM
        marks += [
            Path(rectangle(x, y, GEM, GEM), stroke=FAINT, width=HAIR),
            Group(gem(kind), x + GEM / 2, y + GEM / 2 - 1.6, 0.5),
            Text(x + GEM - 2, y + GEM - 2, str(POINTS[kind]), 4, SOFT, bold=True, anchor="end"),
        ]
    below = top + rows * GEM + 22
    for at, colour in enumerate(Colour):
        x = paper.width / 2 + (at - 1.5) * 32
        marks.append(Group(_token_to_cut(colour), x, below, TOKEN))
    return (Page(tuple(marks)),)


TOKEN = 12.0
"""The radius of a colour token."""


def _token_to_cut(colour: Colour) -> Marks:
    look = load_looks()["colours"][colour]
    path = outline([Hex(0, 0)])
    return (
        Path(path, fill=look["fill"], stroke=look["fill"], width=2 * BLEED / TOKEN),
        Path(path, stroke=look["edge"], width=HAIR / TOKEN),
        Group((Path(look["sign"], fill=look["mark"]),), scale=1.3),
    )


# ------------------------------------------------------------------------------------------- score


def score_pages(paper: Paper, translate: Catalogue) -> tuple[Page, ...]:
    """Four score sheets on a page, to be cut apart."""
    part = (paper.height - 2 * MARGIN) / 4
    marks: list[Mark] = []
    sheet = score_sheet(paper, translate)
    for at in range(4):
        y = MARGIN + at * part
        marks.append(Group(sheet, y=y))
        if at:
            cut = line(MARGIN, y, paper.width - MARGIN, y)
            marks.append(Path(cut, stroke=FAINT, width=HAIR, dash=(2, 2)))
    return (Page(tuple(marks)),)


def score_sheet(paper: Paper, translate: Catalogue) -> Marks:
    """A table for the points of each player's gems."""
    left, right, top, row, first = 22.0, paper.width - 22, 12.0, 7.8, 46.0
    rows = [top + at * row for at in range(len(Gem) + 3)]
    marks: list[Mark] = [
        Text(left, 9, translate("page.first.ubongo.title"), 5, INK, bold=True),
        *score_sheet_lines(left, right, first, rows),
        Text(left + 3, rows[-1] - 2.4, translate("page.ubongo.end.points"), 4.2, INK, bold=True),
    ]
    for kind, y in zip(Gem, rows[1:], strict=False):
        marks += [
            Group(gem(kind), left + 6, y + row / 2, 0.24),
            Text(left + 11, y + 5.2, translate(f"ubongo.gem.{kind}"), 3.8, INK),
            Text(left + first - 3, y + 5.2, f"× {POINTS[kind]}", 3.8, SOFT, anchor="end"),
        ]
    return tuple(marks)


# ----------------------------------------------------------------------------------------- emblem


def emblem(deck: Deck) -> Marks:
    """The game at a glance, 45 by 45: a solved card."""
    side, colour = deck.cards[0].sides[3], Colour.RED
    extent = bounding_box(side.area)
    pieces = {number: deck.pieces[colour][number] for number in side.sets[colour]}
    laid = (piece(cells, colour, n) for n, cells in find_solution(side.area, pieces).items())
    radius = 43 / max(extent.width, extent.height)
    left = 45 - extent.width * radius
    return tuple(place_at(marks, extent, left, 1, radius) for marks in (area(side.area), *laid))
