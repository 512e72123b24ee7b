"""Ubongo's puzzle cards on paper, front and back, and their solutions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytlik.drawing.hexes import bounding_box, place_at
from pytlik.drawing.pieces import CARD, CARD_INK, CARD_LINE, area, small_piece, token
from pytlik.drawing.primitives import Group, Mark, Marks, Path, Text, rectangle
from pytlik.drawing.ubongo_pictures import find_solution, lay_flat
from pytlik.i18n import Catalogue
from pytlik.printing.page_elements import HAIR, INK, MARGIN, Page, Paper, cut_grid, page_heading
from pytlik.printing.ubongo import RADIUS
from pytlik.ubongo.hexes import Shape, turn
from pytlik.ubongo.model import Card, Colour, Deck, Side

CARD_WIDTH, CARD_HEIGHT = 92.0, 128.0
PER_ROW, PER_COLUMN = 2, 2
PER_PAGE = PER_ROW * PER_COLUMN
PIECE_GAP = 1.3
"""Between the small pieces on a card."""


def card_pages(
    cards: Sequence[Card],
    sides: Sequence[int],
    deck: Deck,
    paper: Paper,
    translate: Catalogue,
) -> tuple[Page, ...]:
    """Four cards a page. A second side is printed on the back with the columns swapped, so that
    both sides meet when the sheet is turned over its long edge."""
    pages = []
    for first in range(0, len(cards), PER_PAGE):
        chosen = cards[first : first + PER_PAGE]
        for back, side in enumerate(sides):
            marks: list[Mark] = sheet_ground(len(chosen), paper, back)
            for at, card in enumerate(chosen):
                x, y = card_corner(at, paper, back)
                marks.append(
                    Group(card_marks(card, card.sides[side], deck, translate, pieces=side), x, y)
                )
            pages.append(Page(tuple(marks)))
    return tuple(pages)


def card_corner(at: int, paper: Paper, back: int) -> tuple[float, float]:
    """The upper left corner of a card on a page."""
    column = PER_ROW - 1 - at % PER_ROW if back else at % PER_ROW
    left = (paper.width - PER_ROW * CARD_WIDTH) / 2
    top = (paper.height - PER_COLUMN * CARD_HEIGHT) / 2
    return left + column * CARD_WIDTH, top + at // PER_ROW * CARD_HEIGHT


def sheet_ground(count: int, paper: Paper, back: int) -> list[Mark]:
    """The background of all cards, which bleeds over the outer cuts, and where to cut."""
    rows = -(-count // PER_ROW)
    left, top = card_corner(0, paper, 0)
    wide, tall = PER_ROW * CARD_WIDTH, rows * CARD_HEIGHT
    marks: list[Mark] = [
        Path(rectangle(left - 2, top - 2, wide + 4, tall + 4), fill=CARD),
        *cut_grid(left, top, PER_ROW, rows, CARD_WIDTH, CARD_HEIGHT),
    ]
    marks += [
        Path(
            rectangle(*card_corner(at, paper, back), CARD_WIDTH, CARD_HEIGHT),
            stroke=CARD_LINE,
            width=HAIR,
        )
        for at in range(count)
    ]
    return marks


def card_marks(card: Card, side: Side, deck: Deck, translate: Catalogue, *, pieces: int) -> Marks:
    """One side of a card: its area at true size, and each colour's pieces, small."""
    cells = fit_to_card(side.area)
    extent = bounding_box(cells)
    wide, tall = extent.width * RADIUS, extent.height * RADIUS
    top = 11.0
    sets = piece_set_table(side, deck, CARD_HEIGHT - top - tall - 10)
    bottom = CARD_HEIGHT - 4 - sets.height
    return (
        Text(5, 8, translate("page.ubongo.card", card=card.id), 3.6, CARD_INK, bold=True),
        *(
            Path(rectangle(CARD_WIDTH - 8 - 4.2 * at, 5, 3, 3, 1.5), fill=CARD_INK)
            for at in range(pieces)
        ),
        place_at(area(cells), extent, (CARD_WIDTH - wide) / 2, (top + bottom - tall) / 2, RADIUS),
        Group(sets.marks, 4, bottom),
    )


MAX_WIDTH, MAX_HEIGHT = (CARD_WIDTH - 7) / RADIUS, 11.3
"""Of an area that fits onto a card in any case, in radii of a cell."""


def fit_to_card(cells: Shape) -> Shape:
    """Turn an area that is too tall so that it is as low as possible."""
    turned = [tuple(cells)]
    for _ in range(5):
        turned.append(turn(turned[-1]))
    fitting = [form for form in turned if bounding_box(form).width <= MAX_WIDTH]
    return min(fitting, key=lambda form: max(round(bounding_box(form).height, 3), MAX_HEIGHT))


class PieceSets(NamedTuple):
    """Which pieces each colour takes, and the height of that table."""

    marks: Marks
    height: float


SETS_TOP = 7.4
"""The height that a token takes."""
MAX_RADIUS = 1.9
"""The radius of a cell if there is enough room."""


def piece_set_table(side: Side, deck: Deck, room: float) -> PieceSets:
    """A column for each colour: its token, and its pieces as large as possible."""
    column = (CARD_WIDTH - 8) / len(side.sets)
    forms = {
        colour: [(number, lay_flat(deck.pieces[colour][number])) for number in numbers]
        for colour, numbers in side.sets.items()
    }
    tables = [
        {colour: _split_into_rows(own, in_row) for colour, own in forms.items()}
        for in_row in (1, 2, 3)
    ]
    radius, rows = max(
        ((_fit_radius(table, column - 2 * PIECE_GAP, room), table) for table in tables),
        key=lambda found: found[0],
    )
    marks: list[Mark] = []
    tallest = 0.0
    for place, (colour, own) in enumerate(rows.items()):
        middle, y = (place + 0.5) * column, SETS_TOP
        marks.append(Group(token(colour), middle, 3.0, 2.8))
        for row in own:
            wide, tall = _row_size(row, radius)
            x = middle - wide / 2
            for number, form in row:
                extent = bounding_box(form)
                lower = y + (tall - extent.height * radius) / 2
                marks.append(place_at(small_piece(form, colour, number), extent, x, lower, radius))
                x += extent.width * radius + PIECE_GAP
            y += tall + PIECE_GAP
        tallest = max(tallest, y)
    return PieceSets(tuple(marks), tallest)


Row = list[tuple[int, Shape]]


def _split_into_rows(pieces: Row, in_row: int) -> list[Row]:
    return [pieces[first : first + in_row] for first in range(0, len(pieces), in_row)]


def _row_size(row: Row, radius: float) -> tuple[float, float]:
    extents = [bounding_box(form) for _, form in row]
    wide = sum(extent.width for extent in extents) * radius + PIECE_GAP * (len(row) - 1)
    return wide, max(extent.height for extent in extents) * radius


def _fit_radius(table: dict[Colour, list[Row]], width: float, height: float) -> float:
    """The largest radius of a cell with which rows and columns still fit."""
    bounds = [MAX_RADIUS]
    for rows in table.values():
        sizes = [_row_size(row, 1) for row in rows]
        for row, (wide, _) in zip(rows, sizes, strict=True):
            gaps = PIECE_GAP * (len(row) - 1)
            bounds.append((width - gaps) / (wide - gaps))
        gaps = SETS_TOP + PIECE_GAP * len(rows)
        bounds.append((height - gaps) / sum(tall for _, tall in sizes))
    return min(bounds)


# --------------------------------------------------------------------------------------- solutions

SOLUTION_ROW, SOLUTION_RADIUS = 22.0, 1.85


def solution_pages(title: str, deck: Deck, paper: Paper) -> tuple[Page, ...]:
    """A row for each card: the solutions of all its sides and colours."""
    per_page = int((paper.height - 38) / SOLUTION_ROW)
    pages = []
    for first in range(0, len(deck.cards), per_page):
        marks: list[Mark] = [*page_heading(title, paper)]
        for at, card in enumerate(deck.cards[first : first + per_page]):
            y = 22 + (at + 0.5) * SOLUTION_ROW
            marks.append(Text(MARGIN + 5, y + 1.5, str(card.id), 4.4, INK, bold=True))
            marks += solution_row(card, deck, y, paper.width - MARGIN)
        pages.append(Page(tuple(marks)))
    return tuple(pages)


def solution_row(card: Card, deck: Deck, y: float, right: float) -> Iterator[Mark]:
    puzzles = [(side, colour) for side in card.sides.values() for colour in side.sets]
    step = (right - MARGIN - 16) / len(puzzles)
    for at, (side, colour) in enumerate(puzzles):
        pieces = {number: deck.pieces[colour][number] for number in side.sets[colour]}
        middle_x, middle_y = bounding_box(side.area).middle
        x = MARGIN + 16 + (at + 0.5) * step
        laid = find_solution(side.area, pieces).items()
        marks = tuple(mark for n, cells in laid for mark in small_piece(cells, colour, n))
        yield Group(
            marks, x - middle_x * SOLUTION_RADIUS, y - middle_y * SOLUTION_RADIUS, SOLUTION_RADIUS
        )
