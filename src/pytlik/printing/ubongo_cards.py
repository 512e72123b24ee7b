"""Ubongo's puzzle cards on paper, front and back, and their solutions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytlik.drawing.hexes import bounding_box, scale_and_place
from pytlik.drawing.pieces import (
    CARD_COLOUR,
    CARD_INK_COLOUR,
    CARD_LINE_COLOUR,
    area_marks,
    small_piece_marks,
    token_marks,
)
from pytlik.drawing.primitives import Group, Mark, Marks, Path, Text, rectangle_path
from pytlik.drawing.ubongo_pictures import find_solution, flattest_orientation
from pytlik.i18n import Catalogue
from pytlik.printing.page_elements import (
    CUT_LINE_WIDTH_MM,
    INK,
    MARGIN_MM,
    Page,
    Paper,
    crop_marks,
    page_heading,
)
from pytlik.printing.ubongo import CELL_RADIUS_MM
from pytlik.ubongo.hexes import Shape, turn
from pytlik.ubongo.model import Card, Colour, Deck, Side

CARD_WIDTH_MM, CARD_HEIGHT_MM = 92.0, 128.0
CARDS_PER_ROW, CARDS_PER_COLUMN = 2, 2
CARDS_PER_PAGE = CARDS_PER_ROW * CARDS_PER_COLUMN
PIECE_GAP_MM = 1.3
"""Between the small pieces on a card."""


def card_pages(
    cards: Sequence[Card],
    sides: Sequence[int],
    deck: Deck,
    paper: Paper,
    translate: Catalogue,
) -> tuple[Page, ...]:
    """Four cards a page. A second side is printed on the back with the columns swapped, so that
    both sides match when the sheet is turned over its long edge."""
    pages = []
    for first in range(0, len(cards), CARDS_PER_PAGE):
        chosen = cards[first : first + CARDS_PER_PAGE]
        for back, side in enumerate(sides):
            marks: list[Mark] = sheet_background(len(chosen), paper, back)
            for at, card in enumerate(chosen):
                x, y = card_corner(at, paper, back)
                marks.append(
                    Group(card_marks(card, card.sides[side], deck, translate, pieces=side), x, y)
                )
            pages.append(Page(tuple(marks)))
    return tuple(pages)


def card_corner(at: int, paper: Paper, back: int) -> tuple[float, float]:
    """The upper left corner of a card on a page."""
    column = CARDS_PER_ROW - 1 - at % CARDS_PER_ROW if back else at % CARDS_PER_ROW
    left = (paper.width - CARDS_PER_ROW * CARD_WIDTH_MM) / 2
    top = (paper.height - CARDS_PER_COLUMN * CARD_HEIGHT_MM) / 2
    return left + column * CARD_WIDTH_MM, top + at // CARDS_PER_ROW * CARD_HEIGHT_MM


def sheet_background(count: int, paper: Paper, back: int) -> list[Mark]:
    """The background of all cards, which bleeds over the outer cuts, and where to cut."""
    rows = -(-count // CARDS_PER_ROW)
    left, top = card_corner(0, paper, 0)
    wide, tall = CARDS_PER_ROW * CARD_WIDTH_MM, rows * CARD_HEIGHT_MM
    marks: list[Mark] = [
        Path(rectangle_path(left - 2, top - 2, wide + 4, tall + 4), fill=CARD_COLOUR),
        *crop_marks(left, top, CARDS_PER_ROW, rows, CARD_WIDTH_MM, CARD_HEIGHT_MM),
    ]
    marks += [
        Path(
            rectangle_path(*card_corner(at, paper, back), CARD_WIDTH_MM, CARD_HEIGHT_MM),
            stroke=CARD_LINE_COLOUR,
            width=CUT_LINE_WIDTH_MM,
        )
        for at in range(count)
    ]
    return marks


def card_marks(card: Card, side: Side, deck: Deck, translate: Catalogue, *, pieces: int) -> Marks:
    """One side of a card: its area at true size, and each colour's pieces, small."""
    cells = turn_to_fit_card(side.area)
    extent = bounding_box(cells)
    wide, tall = extent.width * CELL_RADIUS_MM, extent.height * CELL_RADIUS_MM
    top = 11.0
    sets = piece_set_table(side, deck, CARD_HEIGHT_MM - top - tall - 10)
    bottom = CARD_HEIGHT_MM - 4 - sets.height
    return (
        Text(5, 8, translate("page.ubongo.card", card=card.id), 3.6, CARD_INK_COLOUR, bold=True),
        *(
            Path(rectangle_path(CARD_WIDTH_MM - 8 - 4.2 * at, 5, 3, 3, 1.5), fill=CARD_INK_COLOUR)
            for at in range(pieces)
        ),
        scale_and_place(
            area_marks(cells),
            extent,
            (CARD_WIDTH_MM - wide) / 2,
            (top + bottom - tall) / 2,
            CELL_RADIUS_MM,
        ),
        Group(sets.marks, 4, bottom),
    )


MAX_AREA_WIDTH, MAX_AREA_HEIGHT = (CARD_WIDTH_MM - 7) / CELL_RADIUS_MM, 11.3
"""The largest area that always fits onto a card, in radii of a cell."""


def turn_to_fit_card(cells: Shape) -> Shape:
    """Turn an area that is too tall so that it is as low as possible."""
    turned = [tuple(cells)]
    for _ in range(5):
        turned.append(turn(turned[-1]))
    fitting = [form for form in turned if bounding_box(form).width <= MAX_AREA_WIDTH]
    return min(fitting, key=lambda form: max(round(bounding_box(form).height, 3), MAX_AREA_HEIGHT))


class PieceSetTable(NamedTuple):
    """Which pieces each colour takes, and the height of this table."""

    marks: Marks
    height: float


TOKEN_ROW_HEIGHT_MM = 7.4
"""The height that a token takes."""
MAX_PIECE_RADIUS_MM = 1.9
"""The radius of a cell if there's enough room."""


def piece_set_table(side: Side, deck: Deck, room: float) -> PieceSetTable:
    """A column for each colour: its token, and its pieces as large as possible."""
    column = (CARD_WIDTH_MM - 8) / len(side.sets)
    forms = {
        colour: [(number, flattest_orientation(deck.pieces[colour][number])) for number in numbers]
        for colour, numbers in side.sets.items()
    }
    tables = [
        {colour: _split_into_rows(own, in_row) for colour, own in forms.items()}
        for in_row in (1, 2, 3)
    ]
    radius, rows = max(
        ((_fit_radius(table, column - 2 * PIECE_GAP_MM, room), table) for table in tables),
        key=lambda found: found[0],
    )
    marks: list[Mark] = []
    tallest = 0.0
    for place, (colour, own) in enumerate(rows.items()):
        middle, y = (place + 0.5) * column, TOKEN_ROW_HEIGHT_MM
        marks.append(Group(token_marks(colour), middle, 3.0, 2.8))
        for row in own:
            wide, tall = _row_size(row, radius)
            x = middle - wide / 2
            for number, form in row:
                extent = bounding_box(form)
                lower = y + (tall - extent.height * radius) / 2
                marks.append(
                    scale_and_place(
                        small_piece_marks(form, colour, number), extent, x, lower, radius
                    )
                )
                x += extent.width * radius + PIECE_GAP_MM
            y += tall + PIECE_GAP_MM
        tallest = max(tallest, y)
    return PieceSetTable(tuple(marks), tallest)


PieceRow = list[tuple[int, Shape]]


def _split_into_rows(pieces: PieceRow, in_row: int) -> list[PieceRow]:
    return [pieces[first : first + in_row] for first in range(0, len(pieces), in_row)]


def _row_size(row: PieceRow, radius: float) -> tuple[float, float]:
    extents = [bounding_box(form) for _, form in row]
    wide = sum(extent.width for extent in extents) * radius + PIECE_GAP_MM * (len(row) - 1)
    return wide, max(extent.height for extent in extents) * radius


def _fit_radius(table: dict[Colour, list[PieceRow]], width: float, height: float) -> float:
    """The largest cell radius with which rows and columns still fit."""
    bounds = [MAX_PIECE_RADIUS_MM]
    for rows in table.values():
        sizes = [_row_size(row, 1) for row in rows]
        for row, (wide, _) in zip(rows, sizes, strict=True):
            gaps = PIECE_GAP_MM * (len(row) - 1)
            bounds.append((width - gaps) / (wide - gaps))
        gaps = TOKEN_ROW_HEIGHT_MM + PIECE_GAP_MM * len(rows)
        bounds.append((height - gaps) / sum(tall for _, tall in sizes))
    return min(bounds)


# --------------------------------------------------------------------------------------- solutions

SOLUTION_ROW_HEIGHT_MM, SOLUTION_RADIUS_MM = 22.0, 1.85


def solution_pages(title: str, deck: Deck, paper: Paper) -> tuple[Page, ...]:
    """A row for each card: the solutions of all its sides and colours."""
    per_page = int((paper.height - 38) / SOLUTION_ROW_HEIGHT_MM)
    pages = []
    for first in range(0, len(deck.cards), per_page):
        marks: list[Mark] = [*page_heading(title, paper)]
        for at, card in enumerate(deck.cards[first : first + per_page]):
            y = 22 + (at + 0.5) * SOLUTION_ROW_HEIGHT_MM
            marks.append(Text(MARGIN_MM + 5, y + 1.5, str(card.id), 4.4, INK, bold=True))
            marks += solution_row(card, deck, y, paper.width - MARGIN_MM)
        pages.append(Page(tuple(marks)))
    return tuple(pages)


def solution_row(card: Card, deck: Deck, y: float, right: float) -> Iterator[Mark]:
    puzzles = [(side, colour) for side in card.sides.values() for colour in side.sets]
    step = (right - MARGIN_MM - 16) / len(puzzles)
    for at, (side, colour) in enumerate(puzzles):
        pieces = {number: deck.pieces[colour][number] for number in side.sets[colour]}
        middle_x, middle_y = bounding_box(side.area).middle
        x = MARGIN_MM + 16 + (at + 0.5) * step
        laid = find_solution(side.area, pieces).items()
        marks = tuple(mark for n, cells in laid for mark in small_piece_marks(cells, colour, n))
        yield Group(
            marks,
            x - middle_x * SOLUTION_RADIUS_MM,
            y - middle_y * SOLUTION_RADIUS_MM,
            SOLUTION_RADIUS_MM,
        )
