"""Ubongo Extreme on paper: pieces, gems and tokens, and a score sheet. The cards are in `cards`."""

from collections.abc import Iterator
from itertools import pairwise

from pytlik.drawing.hexes import WIDE, Box, box_of, outline
from pytlik.drawing.marks import Mark, Marks, Path, Placed, Words, box, line
from pytlik.drawing.pieces import (
    area,
    gem,
    looks,
    piece,
    signs,
)
from pytlik.drawing.puzzles import lying, solved
from pytlik.i18n import Catalogue
from pytlik.printing.pages import (
    FAINT,
    HAIR,
    INK,
    MARGIN,
    SOFT,
    Page,
    Paper,
    cut_grid,
    heading,
    sheet_lines,
)
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import POINTS, Colour, Deck, Gem
from pytlik.ubongo.score import new_ledger

CELL = 12.0
"""From one side of a cell to the opposite one, of pieces and on cards: so they fit exactly."""
RADIUS = CELL / WIDE
BLEED = 1.0
GAP = 9.0
"""Between pieces, so that scissors get through."""


# ------------------------------------------------------------------------------------------ pieces


def piece_pages(title: str, deck: Deck, paper: Paper) -> tuple[Page, ...]:
    """For each colour a page and its back, on which all is mirrored: pieces may be turned over."""
    pages = []
    for colour in Colour:
        laid = list(shelved(deck.pieces[colour], paper.width - 2 * MARGIN, MARGIN, 22))
        front = [cut_out(form, colour, number, x, y) for number, form, x, y in laid]
        back = [
            cut_out(mirrored(form), colour, number, paper.width - x - width_of(form), y)
            for number, form, x, y in laid
        ]
        pages += [Page((*heading(title, paper), *side)) for side in (front, back)]
    return tuple(pages)


def shelved(
    pieces: dict[int, Shape], width: float, left: float, top: float
) -> Iterator[tuple[int, Shape, float, float]]:
    """Where pieces lie: in rows, each row's pieces spread over its width."""
    forms = [(number, lying(cells)) for number, cells in pieces.items()]
    widest = max(width_of(form) for _, form in forms)
    most = int((width + GAP) / (widest + GAP))
    count = -(-len(forms) // most)
    ends = [round(len(forms) * at / count) for at in range(count + 1)]
    rows = [forms[start:end] for start, end in pairwise(ends)]
    y = top
    for row in rows:
        tall = max(box_of(form).height for _, form in row) * RADIUS
        spare = width - sum(width_of(form) for _, form in row)
        between = spare / (len(row) + 1)
        x = left + between
        for number, form in row:
            yield number, form, x, y + (tall - box_of(form).height * RADIUS) / 2
            x += width_of(form) + between
        y += tall + GAP


def width_of(cells: Shape) -> float:
    return box_of(cells).width * RADIUS


def mirrored(cells: Shape) -> Shape:
    """Left is right, as seen from the other side."""
    return tuple(sorted(Hex(-q - r, r) for q, r in cells))


def cut_out(cells: Shape, colour: Colour, number: int, x: float, y: float) -> Mark:
    """A piece to be cut out along its outline; its colour reaches a little beyond."""
    look = looks()["colours"][colour]
    path = outline(cells)
    marks: Marks = (
        Path(path, fill=look["fill"], stroke=look["fill"], width=2 * BLEED / RADIUS),
        Path(path, stroke=look["edge"], width=HAIR / RADIUS),
        *signs(cells, colour, number),
    )
    return put(marks, box_of(cells), x, y, RADIUS)


def put(marks: Marks, extent: Box, x: float, y: float, radius: float) -> Placed:
    """Marks in units of a cell, so that their extent's corner comes to lie at a point."""
    return Placed(marks, x - extent.x * radius, y - extent.y * radius, radius)


# -------------------------------------------------------------------------------------------- gems

GEM = 20.0
GEM_COLUMNS = 9


def gem_pages(title: str, paper: Paper) -> tuple[Page, ...]:
    """54 gems, each with what it is worth, and the four colour tokens."""
    books = new_ledger(players=2)
    gems = [kind for kind in Gem for _ in range(books.display[kind] + books.bag[kind])]
    left, top = (paper.width - GEM_COLUMNS * GEM) / 2, 26.0
    rows = -(-len(gems) // GEM_COLUMNS)
    marks: list[Mark] = [
        *heading(title, paper),
        *cut_grid(left, top, GEM_COLUMNS, rows, GEM, GEM),
    ]
    for at, kind in enumerate(gems):
        x, y = left + at % GEM_COLUMNS * GEM, top + at // GEM_COLUMNS * GEM
        marks += [
            Path(box(x, y, GEM, GEM), stroke=FAINT, width=HAIR),
            Placed(gem(kind), x + GEM / 2, y + GEM / 2 - 1.6, 0.5),
            Words(x + GEM - 2, y + GEM - 2, str(POINTS[kind]), 4, SOFT, bold=True, anchor="end"),
        ]
    below = top + rows * GEM + 22
    for at, colour in enumerate(Colour):
        x = paper.width / 2 + (at - 1.5) * 32
        marks.append(Placed(token_to_cut(colour), x, below, TOKEN))
    return (Page(tuple(marks)),)


TOKEN = 12.0
"""The radius of a colour token."""


def token_to_cut(colour: Colour) -> Marks:
    look = looks()["colours"][colour]
    path = outline([Hex(0, 0)])
    return (
        Path(path, fill=look["fill"], stroke=look["fill"], width=2 * BLEED / TOKEN),
        Path(path, stroke=look["edge"], width=HAIR / TOKEN),
        Placed((Path(look["sign"], fill=look["mark"]),), scale=1.3),
    )


# ------------------------------------------------------------------------------------------- score


def score_pages(paper: Paper, say: Catalogue) -> tuple[Page, ...]:
    """Four score sheets on a page, to be cut apart."""
    part = (paper.height - 2 * MARGIN) / 4
    marks: list[Mark] = []
    sheet = score_sheet(paper, say)
    for at in range(4):
        y = MARGIN + at * part
        marks.append(Placed(sheet, y=y))
        if at:
            cut = line(MARGIN, y, paper.width - MARGIN, y)
            marks.append(Path(cut, stroke=FAINT, width=HAIR, dash=(2, 2)))
    return (Page(tuple(marks)),)


def score_sheet(paper: Paper, say: Catalogue) -> Marks:
    """What each player's gems are worth."""
    left, right, top, row, first = 22.0, paper.width - 22, 12.0, 7.8, 46.0
    rows = [top + at * row for at in range(len(Gem) + 3)]
    marks: list[Mark] = [
        Words(left, 9, "Ubongo Extreme", 5, INK, bold=True),
        *sheet_lines(left, right, first, rows),
        Words(left + 3, rows[-1] - 2.4, say("page.ubongo.end.points"), 4.2, INK, bold=True),
    ]
    for kind, y in zip(Gem, rows[1:], strict=False):
        marks += [
            Placed(gem(kind), left + 6, y + row / 2, 0.24),
            Words(left + 11, y + 5.2, say(f"ubongo.gem.{kind}"), 3.8, INK),
            Words(left + first - 3, y + 5.2, f"× {POINTS[kind]}", 3.8, SOFT, anchor="end"),
        ]
    return tuple(marks)


# ----------------------------------------------------------------------------------------- emblem


def emblem(deck: Deck) -> Marks:
    """The game at a glance, 45 by 45: a card that is solved."""
    side, colour = deck.cards[0].sides[3], Colour.RED
    extent = box_of(side.area)
    pieces = {number: deck.pieces[colour][number] for number in side.sets[colour]}
    laid = (piece(cells, colour, n) for n, cells in solved(side.area, pieces).items())
    radius = 43 / max(extent.width, extent.height)
    left = 45 - extent.width * radius
    return tuple(put(marks, extent, left, 1, radius) for marks in (area(side.area), *laid))
