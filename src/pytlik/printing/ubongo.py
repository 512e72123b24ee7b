"""Ubongo Extreme on paper: pieces, gems and tokens, and a score sheet. The cards are in
`ubongo_cards`."""

from collections.abc import Iterator
from itertools import pairwise

from pytlik.drawing.hexes import HEX_WIDTH, bounding_box, outline_path, scale_and_place
from pytlik.drawing.pieces import (
    area_marks,
    gem_marks,
    load_looks,
    number_and_sign_marks,
    piece_marks,
)
from pytlik.drawing.primitives import Group, Mark, Marks, Path, Text, line_path, rectangle_path
from pytlik.drawing.ubongo_pictures import find_solution, flattest_orientation
from pytlik.i18n import Catalogue
from pytlik.printing.page_elements import (
    CUT_LINE_WIDTH_MM,
    FAINT_INK,
    INK,
    MARGIN_MM,
    SOFT_INK,
    Page,
    Paper,
    crop_marks,
    page_heading,
    score_sheet_lines,
)
from pytlik.ubongo.gem_ledger import new_ledger
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import POINTS, Colour, Deck, Gem

CELL_WIDTH_MM = 12.0
"""From one side of a cell to the opposite one, for both pieces and cards, so that they fit."""
CELL_RADIUS_MM = CELL_WIDTH_MM / HEX_WIDTH
BLEED_MM = 1.0
PIECE_GAP_MM = 9.0
"""Between pieces, for the scissors."""


# ------------------------------------------------------------------------------------------ pieces


def piece_pages(title: str, deck: Deck, paper: Paper) -> tuple[Page, ...]:
    """For each colour a page and its mirrored back, because pieces may be turned over."""
    pages = []
    for colour in Colour:
        laid = list(
            _arrange_pieces(deck.pieces[colour], paper.width - 2 * MARGIN_MM, MARGIN_MM, 22)
        )
        front = [_piece_to_cut(form, colour, number, x, y) for number, form, x, y in laid]
        back = [
            _piece_to_cut(_mirror(form), colour, number, paper.width - x - _piece_width(form), y)
            for number, form, x, y in laid
        ]
        pages += [Page((*page_heading(title, paper), *side)) for side in (front, back)]
    return tuple(pages)


def _arrange_pieces(
    pieces: dict[int, Shape], width: float, left: float, top: float
) -> Iterator[tuple[int, Shape, float, float]]:
    """Where the pieces go: in rows, spread over the width."""
    forms = [(number, flattest_orientation(cells)) for number, cells in pieces.items()]
    widest = max(_piece_width(form) for _, form in forms)
    most = int((width + PIECE_GAP_MM) / (widest + PIECE_GAP_MM))
    count = -(-len(forms) // most)
    ends = [round(len(forms) * at / count) for at in range(count + 1)]
    rows = [forms[start:end] for start, end in pairwise(ends)]
    y = top
    for row in rows:
        tall = max(bounding_box(form).height for _, form in row) * CELL_RADIUS_MM
        spare = width - sum(_piece_width(form) for _, form in row)
        between = spare / (len(row) + 1)
        x = left + between
        for number, form in row:
            yield number, form, x, y + (tall - bounding_box(form).height * CELL_RADIUS_MM) / 2
            x += _piece_width(form) + between
        y += tall + PIECE_GAP_MM


def _piece_width(cells: Shape) -> float:
    return bounding_box(cells).width * CELL_RADIUS_MM


def _mirror(cells: Shape) -> Shape:
    """The piece as seen from its back."""
    return tuple(sorted(Hex(-q - r, r) for q, r in cells))


def _piece_to_cut(cells: Shape, colour: Colour, number: int, x: float, y: float) -> Mark:
    """A piece to cut out along its outline; its colour bleeds a little."""
    look = load_looks()["colours"][colour]
    path = outline_path(cells)
    marks: Marks = (
        Path(path, fill=look["fill"], stroke=look["fill"], width=2 * BLEED_MM / CELL_RADIUS_MM),
        Path(path, stroke=look["edge"], width=CUT_LINE_WIDTH_MM / CELL_RADIUS_MM),
        *number_and_sign_marks(cells, colour, number),
    )
    return scale_and_place(marks, bounding_box(cells), x, y, CELL_RADIUS_MM)


# -------------------------------------------------------------------------------------------- gems

GEM_SIDE_MM = 20.0
GEM_COLUMNS = 9


def gem_pages(title: str, paper: Paper) -> tuple[Page, ...]:
    """54 gems with their points, and the four colour tokens."""
    ledger = new_ledger(players=2)
    gems = [kind for kind in Gem for _ in range(ledger.display[kind] + ledger.bag[kind])]
    left, top = (paper.width - GEM_COLUMNS * GEM_SIDE_MM) / 2, 26.0
    rows = -(-len(gems) // GEM_COLUMNS)
    marks: list[Mark] = [
        *page_heading(title, paper),
        *crop_marks(left, top, GEM_COLUMNS, rows, GEM_SIDE_MM, GEM_SIDE_MM),
    ]
    for at, kind in enumerate(gems):
        x, y = left + at % GEM_COLUMNS * GEM_SIDE_MM, top + at // GEM_COLUMNS * GEM_SIDE_MM
        marks += [
            Path(
                rectangle_path(x, y, GEM_SIDE_MM, GEM_SIDE_MM),
                stroke=FAINT_INK,
                width=CUT_LINE_WIDTH_MM,
            ),
            Group(gem_marks(kind), x + GEM_SIDE_MM / 2, y + GEM_SIDE_MM / 2 - 1.6, 0.5),
            Text(
                x + GEM_SIDE_MM - 2,
                y + GEM_SIDE_MM - 2,
                str(POINTS[kind]),
                4,
                SOFT_INK,
                bold=True,
                anchor="end",
            ),
        ]
    below = top + rows * GEM_SIDE_MM + 22
    for at, colour in enumerate(Colour):
        x = paper.width / 2 + (at - 1.5) * 32
        marks.append(Group(_token_to_cut(colour), x, below, TOKEN_RADIUS_MM))
    return (Page(tuple(marks)),)


TOKEN_RADIUS_MM = 12.0
"""The radius of a colour token."""


def _token_to_cut(colour: Colour) -> Marks:
    look = load_looks()["colours"][colour]
    path = outline_path([Hex(0, 0)])
    return (
        Path(path, fill=look["fill"], stroke=look["fill"], width=2 * BLEED_MM / TOKEN_RADIUS_MM),
        Path(path, stroke=look["edge"], width=CUT_LINE_WIDTH_MM / TOKEN_RADIUS_MM),
        Group((Path(look["sign"], fill=look["mark"]),), scale=1.3),
    )


# ------------------------------------------------------------------------------------------- score


def score_pages(paper: Paper, translate: Catalogue) -> tuple[Page, ...]:
    """Four score sheets on a page, to cut apart."""
    part = (paper.height - 2 * MARGIN_MM) / 4
    marks: list[Mark] = []
    sheet = score_sheet(paper, translate)
    for at in range(4):
        y = MARGIN_MM + at * part
        marks.append(Group(sheet, y=y))
        if at:
            cut = line_path(MARGIN_MM, y, paper.width - MARGIN_MM, y)
            marks.append(Path(cut, stroke=FAINT_INK, width=CUT_LINE_WIDTH_MM, dash=(2, 2)))
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
            Group(gem_marks(kind), left + 6, y + row / 2, 0.24),
            Text(left + 11, y + 5.2, translate(f"ubongo.gem.{kind}"), 3.8, INK),
            Text(left + first - 3, y + 5.2, f"× {POINTS[kind]}", 3.8, SOFT_INK, anchor="end"),
        ]
    return tuple(marks)


# ----------------------------------------------------------------------------------------- emblem


def emblem(deck: Deck) -> Marks:
    """The game at a glance, 45 by 45: a solved card."""
    side, colour = deck.cards[0].sides[3], Colour.RED
    extent = bounding_box(side.area)
    pieces = {number: deck.pieces[colour][number] for number in side.sets[colour]}
    laid = (piece_marks(cells, colour, n) for n, cells in find_solution(side.area, pieces).items())
    radius = 43 / max(extent.width, extent.height)
    left = 45 - extent.width * radius
    return tuple(
        scale_and_place(marks, extent, left, 1, radius) for marks in (area_marks(side.area), *laid)
    )
