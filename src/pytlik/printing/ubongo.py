"""Ubongo Extreme on paper: pieces, puzzle cards, gems and tokens, and a score sheet.

Pieces and cards have cells of one size, so the pieces fit exactly.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pytlik.drawing.hexes import WIDE, Box, box_of, outline
from pytlik.drawing.marks import Mark, Marks, Path, Placed, Words, box, line
from pytlik.drawing.pieces import (
    CARD,
    CARD_INK,
    CARD_LINE,
    area,
    gem,
    looks,
    piece,
    signs,
    small_piece,
    token,
)
from pytlik.drawing.puzzles import lying, solved
from pytlik.i18n import Catalogue
from pytlik.printing.pages import FAINT, HAIR, INK, MARGIN, SOFT, Page, Paper, cut_grid, heading
from pytlik.ubongo.hexes import Hex, Shape, turn
from pytlik.ubongo.model import POINTS, Card, Colour, Deck, Gem, Side
from pytlik.ubongo.score import opened

CELL = 12.0
"""From one side of a cell to the opposite one."""
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


# ------------------------------------------------------------------------------------------- cards

CARD_WIDTH, CARD_HEIGHT = 92.0, 128.0
PER_ROW, PER_COLUMN = 2, 2
PER_PAGE = PER_ROW * PER_COLUMN
BESIDE = 1.3
"""Between pieces that are only shown."""


def card_pages(
    cards: Sequence[Card],
    sides: Sequence[int],
    deck: Deck,
    paper: Paper,
    say: Catalogue,
) -> tuple[Page, ...]:
    """Four cards a page. Of two sides the second is on the page's back: columns change places
    there, so that both come together when the sheet is turned over its long edge."""
    pages = []
    for first in range(0, len(cards), PER_PAGE):
        chosen = cards[first : first + PER_PAGE]
        for back, side in enumerate(sides):
            marks: list[Mark] = sheet_ground(len(chosen), paper, back)
            for at, card in enumerate(chosen):
                x, y = corner(at, paper, back)
                marks.append(
                    Placed(card_marks(card, card.sides[side], deck, say, pieces=side), x, y)
                )
            pages.append(Page(tuple(marks)))
    return tuple(pages)


def corner(at: int, paper: Paper, back: int) -> tuple[float, float]:
    """Where a card of a page begins."""
    column = PER_ROW - 1 - at % PER_ROW if back else at % PER_ROW
    left = (paper.width - PER_ROW * CARD_WIDTH) / 2
    top = (paper.height - PER_COLUMN * CARD_HEIGHT) / 2
    return left + column * CARD_WIDTH, top + at // PER_ROW * CARD_HEIGHT


def sheet_ground(count: int, paper: Paper, back: int) -> list[Mark]:
    """The cards' common ground, which reaches over the outer cuts, and where to cut."""
    rows = -(-count // PER_ROW)
    left, top = corner(0, paper, 0)
    wide, tall = PER_ROW * CARD_WIDTH, rows * CARD_HEIGHT
    marks: list[Mark] = [
        Path(box(left - 2, top - 2, wide + 4, tall + 4), fill=CARD),
        *cut_grid(left, top, PER_ROW, rows, CARD_WIDTH, CARD_HEIGHT),
    ]
    marks += [
        Path(box(*corner(at, paper, back), CARD_WIDTH, CARD_HEIGHT), stroke=CARD_LINE, width=HAIR)
        for at in range(count)
    ]
    return marks


def card_marks(card: Card, side: Side, deck: Deck, say: Catalogue, *, pieces: int) -> Marks:
    """One side of a card: its area in true size, and each colour's pieces small."""
    cells = fitted(side.area)
    extent = box_of(cells)
    wide, tall = extent.width * RADIUS, extent.height * RADIUS
    top = 11.0
    sets = set_table(side, deck, CARD_HEIGHT - top - tall - 10)
    bottom = CARD_HEIGHT - 4 - sets.height
    return (
        Words(5, 8, say("page.ubongo.card", card=card.id), 3.6, CARD_INK, bold=True),
        *(
            Path(box(CARD_WIDTH - 8 - 4.2 * at, 5, 3, 3, 1.5), fill=CARD_INK)
            for at in range(pieces)
        ),
        put(area(cells), extent, (CARD_WIDTH - wide) / 2, (top + bottom - tall) / 2, RADIUS),
        Placed(sets.marks, 4, bottom),
    )


WIDEST, TALLEST = (CARD_WIDTH - 7) / RADIUS, 11.3
"""What fits onto a card in any case, in cells' radii."""


def fitted(cells: Shape) -> Shape:
    """An area as it is; or, where it is tall, so turned that it is as low as it can be."""
    turned = [tuple(cells)]
    for _ in range(5):
        turned.append(turn(turned[-1]))
    fitting = [form for form in turned if box_of(form).width <= WIDEST]
    return min(fitting, key=lambda form: max(round(box_of(form).height, 3), TALLEST))


class Sets(NamedTuple):
    """Which pieces each colour takes, and how tall that stands."""

    marks: Marks
    height: float


SETS_TOP = 7.4
"""What a token takes."""
LARGEST = 1.9
"""The radius of a cell where there is room enough."""


def set_table(side: Side, deck: Deck, room: float) -> Sets:
    """A column for each colour: its token, and its pieces as large as there is room for."""
    column = (CARD_WIDTH - 8) / len(side.sets)
    forms = {
        colour: [(number, lying(deck.pieces[colour][number])) for number in numbers]
        for colour, numbers in side.sets.items()
    }
    tables = [
        {colour: in_rows(own, in_row) for colour, own in forms.items()} for in_row in (1, 2, 3)
    ]
    radius, rows = max(
        ((largest(table, column - 2 * BESIDE, room), table) for table in tables),
        key=lambda found: found[0],
    )
    marks: list[Mark] = []
    tallest = 0.0
    for place, (colour, own) in enumerate(rows.items()):
        middle, y = (place + 0.5) * column, SETS_TOP
        marks.append(Placed(token(colour), middle, 3.0, 2.8))
        for row in own:
            wide, tall = row_size(row, radius)
            x = middle - wide / 2
            for number, form in row:
                extent = box_of(form)
                lower = y + (tall - extent.height * radius) / 2
                marks.append(put(small_piece(form, colour, number), extent, x, lower, radius))
                x += extent.width * radius + BESIDE
            y += tall + BESIDE
        tallest = max(tallest, y)
    return Sets(tuple(marks), tallest)


Row = list[tuple[int, Shape]]


def in_rows(pieces: Row, in_row: int) -> list[Row]:
    return [pieces[first : first + in_row] for first in range(0, len(pieces), in_row)]


def row_size(row: Row, radius: float) -> tuple[float, float]:
    extents = [box_of(form) for _, form in row]
    wide = sum(extent.width for extent in extents) * radius + BESIDE * (len(row) - 1)
    return wide, max(extent.height for extent in extents) * radius


def largest(table: dict[Colour, list[Row]], width: float, height: float) -> float:
    """The radius of a cell with which rows are no wider and columns no taller than this."""
    bounds = [LARGEST]
    for rows in table.values():
        sizes = [row_size(row, 1) for row in rows]
        for row, (wide, _) in zip(rows, sizes, strict=True):
            gaps = BESIDE * (len(row) - 1)
            bounds.append((width - gaps) / (wide - gaps))
        gaps = SETS_TOP + BESIDE * len(rows)
        bounds.append((height - gaps) / sum(tall for _, tall in sizes))
    return min(bounds)


# -------------------------------------------------------------------------------------------- gems

GEM = 20.0
GEM_COLUMNS = 9


def gem_pages(title: str, paper: Paper) -> tuple[Page, ...]:
    """54 gems, each with what it is worth, and the four colour tokens."""
    books = opened(players=2)
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
    left, right, top, row = 22.0, paper.width - 22, 12.0, 7.8
    first = 46.0
    column = (right - left - first) / 4
    rows = len(Gem) + 2
    bottom = top + rows * row
    marks: list[Mark] = [
        Words(left, 9, "Ubongo Extreme", 5, INK, bold=True),
        Path(box(left, top, right - left, bottom - top, 2), stroke=INK, width=0.35),
    ]
    for at in range(1, rows):
        y = top + at * row
        strong = at in (1, rows - 1)
        marks.append(Path(line(left, y, right, y), stroke=INK if strong else FAINT,
                          width=0.35 if strong else 0.15))  # fmt: skip
    for at in range(4):
        x = left + first + at * column
        marks.append(Path(line(x, top, x, bottom), stroke=INK if at == 0 else FAINT,
                          width=0.35 if at == 0 else 0.15))  # fmt: skip
    for at, kind in enumerate(Gem, start=1):
        y = top + at * row
        marks += [
            Placed(gem(kind), left + 6, y + row / 2, 0.24),
            Words(left + 11, y + 5.2, say(f"ubongo.gem.{kind}"), 3.8, INK),
            Words(left + first - 3, y + 5.2, f"× {POINTS[kind]}", 3.8, SOFT, anchor="end"),
        ]
    marks.append(Words(left + 3, bottom - 2.4, say("page.ubongo.end.points"), 4.2, INK, bold=True))
    return tuple(marks)


# --------------------------------------------------------------------------------------- solutions

SOLUTION_ROW, SOLUTION_RADIUS = 22.0, 1.85


def solution_pages(title: str, deck: Deck, paper: Paper) -> tuple[Page, ...]:
    """A row for each card: what it looks like when it is solved, both sides in all colours."""
    per_page = int((paper.height - 38) / SOLUTION_ROW)
    pages = []
    for first in range(0, len(deck.cards), per_page):
        marks: list[Mark] = [*heading(title, paper)]
        for at, card in enumerate(deck.cards[first : first + per_page]):
            y = 22 + (at + 0.5) * SOLUTION_ROW
            marks.append(Words(MARGIN + 5, y + 1.5, str(card.id), 4.4, INK, bold=True))
            marks += solution_row(card, deck, y, paper.width - MARGIN)
        pages.append(Page(tuple(marks)))
    return tuple(pages)


def solution_row(card: Card, deck: Deck, y: float, right: float) -> Iterator[Mark]:
    puzzles = [(side, colour) for side in card.sides.values() for colour in side.sets]
    step = (right - MARGIN - 16) / len(puzzles)
    for at, (side, colour) in enumerate(puzzles):
        pieces = {number: deck.pieces[colour][number] for number in side.sets[colour]}
        middle_x, middle_y = box_of(side.area).middle
        x = MARGIN + 16 + (at + 0.5) * step
        laid = solved(side.area, pieces).items()
        marks = tuple(mark for n, cells in laid for mark in small_piece(cells, colour, n))
        yield Placed(
            marks, x - middle_x * SOLUTION_RADIUS, y - middle_y * SOLUTION_RADIUS, SOLUTION_RADIUS
        )


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
