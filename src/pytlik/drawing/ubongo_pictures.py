"""Ubongo's cards, deals, pieces and tables as pictures."""

from collections.abc import Iterable, Mapping
from functools import cache

from pytlik.drawing.hexes import bounding_box, scale_and_place
from pytlik.drawing.picture import Picture, side_by_side
from pytlik.drawing.pieces import (
    CARD_COLOUR,
    CARD_INK_COLOUR,
    CARD_LINE_COLOUR,
    area_marks,
    gem_marks,
    piece_marks,
    small_piece_marks,
    token_marks,
)
from pytlik.drawing.primitives import Group, Mark, Marks, Path, Text, rectangle_path
from pytlik.drawing.style import ACCENT, INK, LINE, LINEN, SOFT_INK, SURFACE, Style, shorten
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Shape, orientations
from pytlik.ubongo.model import Card, Colour, Deal, Pieces, Purse, Side
from pytlik.ubongo.pieces import PIECES
from pytlik.ubongo.view import View

CELL_RADIUS_PX = 14.0
"""Radius of a cell on a card, in pixels."""
SMALL_CELL_RADIUS_PX = 5.6
"""Radius of a cell if only the shape of a piece matters."""
PADDING_PX = 14.0


def find_solution(area: Shape, pieces: Mapping[int, Shape]) -> dict[int, Shape]:
    """Where the pieces lie in one solution; empty if there is none."""
    found = solver.first(area, list(pieces.values()))
    return dict(zip(pieces, found, strict=True)) if found else {}


@cache
def flattest_orientation(cells: Shape) -> Shape:
    """The lowest orientation of a piece, so that it can be put in a row with others."""
    return min(orientations(cells), key=lambda form: (bounding_box(form).height, form))


# ---------------------------------------------------------------------------------------- pictures


def pieces_picture(
    colour: Colour, numbers: Iterable[int] = (), pieces: Pieces = PIECES, style: Style = Style()
) -> Picture:
    """Some pieces of a colour, or all of them."""
    own = pieces[colour]
    chosen = {number: own[number] for number in numbers} or own
    row, width, height = tray_marks(chosen, colour, 7 * 6.2 * CELL_RADIUS_PX)
    title = style.translate(f"ubongo.colour.{colour}")
    return Picture(width, height, row, f"{title}: {', '.join(map(str, chosen))}")


def side_picture(
    side: Side, title: str, pieces: Pieces = PIECES, style: Style = Style()
) -> Picture:
    """A side of a card as it is printed: the area, and each colour's pieces."""
    marks, width, height = side_marks(side, title, pieces)
    return Picture(width, height, marks, f"{title}: {_describe_sets(side, style)}")


def card_picture(card: Card, pieces: Pieces = PIECES, style: Style = Style()) -> Picture:
    """All sides of a card, side by side."""
    title = style.translate("page.ubongo.card", card=card.id)
    drawn = [side_marks(side, title, pieces) for side in card.sides.values()]
    return side_by_side(
        [Picture(width, height, marks, title) for marks, width, height in drawn],
        f"{title}: {'; '.join(_describe_sets(side, style) for side in card.sides.values())}",
    )


def deal_picture(
    deal: Deal, placed: Mapping[int, Shape] | None = None, style: Style = Style()
) -> Picture:
    """A card as its player has it, with placed pieces on it and the others below."""
    on_card = placed or {}
    away = {number: cells for number, cells in deal.pieces.items() if number not in on_card}
    card, width, card_height = puzzle_marks(deal, on_card, style)
    if not away:
        return Picture(width, card_height, card, _describe_deal(deal, style))
    row, row_width, row_height = tray_marks(away, deal.colour, 1000)
    wide = max(width, row_width)
    marks: Marks = (
        Group(card, (wide - width) / 2),
        Group(row, (wide - row_width) / 2, card_height + 10),
    )
    return Picture(wide, card_height + 10 + row_height, marks, _describe_deal(deal, style))


def view_picture(view: View, style: Style = Style()) -> Picture:
    """A round as a seat sees it: everyone's card, what they hold, and the display."""
    translate = style.translate
    cards = [
        (seat, *puzzle_marks(deal, view.placed.get(seat, {}), style))
        for seat, deal in view.deals.items()
    ] or [(seat, (), 170.0, 0.0) for seat in range(view.players)]
    tall = max(height for *_, height in cards)
    rank = {seat: at for at, seat in enumerate(view.settled)}
    marks: list[Mark] = []
    x = PADDING_PX
    for seat, card, width, _ in cards:
        wide = max(width, 170)
        marks += [
            Path(
                rectangle_path(x, 44, wide, 62, 10),
                fill=SURFACE,
                stroke=ACCENT if seat == view.seat else LINE,
                width=2 if seat == view.seat else 1,
            ),
            Text(x + 10, 62, shorten(style.player_name(seat), 14), 13, INK, bold=True),
            Text(
                x + wide - 10, 62, translate("ubongo.points", n=view.points[seat]), 12, SOFT_INK,
                anchor="end",
            ),
            *purse_marks(view.books.held[seat], x + 18, 76),
            Group(card, x + (wide - width) / 2, 114),
        ]  # fmt: skip
        if seat in rank:
            place = translate("ubongo.doing.rank", place=translate(f"ubongo.place.{rank[seat]}"))
            marks.append(Text(x + 10, 99, place, 12, ACCENT, bold=True))
        x += wide + PADDING_PX
    height = 114 + tall + PADDING_PX
    if view.deciding:
        heading = translate("ubongo.deciding")
    else:
        heading = translate("ubongo.round", round=view.round, rounds=view.options.rounds)
    background = Path(rectangle_path(0, 0, x, height, 14), fill=LINEN, stroke=LINE, width=1)
    shown: Marks = (
        background,
        Text(PADDING_PX, 29, heading, 16, INK, bold=True),
        *purse_marks(view.books.display, x - 110, 24),
        *marks,
    )
    return Picture(x, height, shown, heading)


# ------------------------------------------------------------------------------------------- parts


def purse_marks(purse: Purse, x: float, y: float) -> list[Mark]:
    """How many there are of each gem; gems with none are left out."""
    marks: list[Mark] = []
    for kind, count in purse.items():
        if count:
            marks.append(Group(gem_marks(kind), x, y, 0.62))
            marks.append(Text(x + 10, y + 4.5, str(count), 12, INK, bold=True))
            x += 22 + 7 * len(str(count))
    return marks


def tray_marks(
    pieces: Mapping[int, Shape], colour: Colour, max_width: float
) -> tuple[Marks, float, float]:
    """Pieces in rows no wider than `max_width`, and the width and height that they take."""
    marks: list[Mark] = []
    x = y = tallest = widest = 0.0
    gap = 0.7 * CELL_RADIUS_PX
    for number, cells in pieces.items():
        form = flattest_orientation(cells)
        extent = bounding_box(form)
        wide, tall = extent.width * CELL_RADIUS_PX, extent.height * CELL_RADIUS_PX
        if x and x + wide > max_width:
            x, y, tallest = 0.0, y + tallest + gap, 0.0
        marks.append(
            scale_and_place(piece_marks(form, colour, number), extent, x, y, CELL_RADIUS_PX)
        )
        x, tallest = x + wide + gap, max(tallest, tall)
        widest = max(widest, x - gap)
    return tuple(marks), widest, y + tallest + 0.2 * CELL_RADIUS_PX


def puzzle_marks(
    deal: Deal, placed: Mapping[int, Shape], style: Style
) -> tuple[Marks, float, float]:
    """A card with the pieces that lie on it."""
    extent = bounding_box(deal.area)
    width = max(extent.width * CELL_RADIUS_PX + 2 * PADDING_PX, 140)
    height = extent.height * CELL_RADIUS_PX + 2 * PADDING_PX + 22
    number = style.translate("page.ubongo.card", card=deal.card)
    left = (width - extent.width * CELL_RADIUS_PX) / 2
    lying: Marks = tuple(
        scale_and_place(
            piece_marks(cells, deal.colour, number), extent, left, PADDING_PX + 22, CELL_RADIUS_PX
        )
        for number, cells in placed.items()
    )
    return (
        (
            Path(
                rectangle_path(0.5, 0.5, width - 1, height - 1, 14),
                fill=CARD_COLOUR,
                stroke=CARD_LINE_COLOUR,
                width=1,
            ),
            Text(14, 24, number, 12, CARD_INK_COLOUR),
            Group(token_marks(deal.colour), width - 24, 20, 10),
            scale_and_place(area_marks(deal.area), extent, left, PADDING_PX + 22, CELL_RADIUS_PX),
            *lying,
        ),
        width,
        height,
    )


def side_marks(side: Side, title: str, pieces: Pieces) -> tuple[Marks, float, float]:
    extent = bounding_box(side.area)
    rows = [piece_set_marks(side, colour, pieces) for colour in side.sets]
    tallest = max(height for _, _, height in rows)
    width = max(
        extent.width * CELL_RADIUS_PX + 2 * PADDING_PX,
        max(wide for _, wide, _ in rows) + 2 * PADDING_PX,
    )
    top = extent.height * CELL_RADIUS_PX + 2 * PADDING_PX + 26
    height = top + len(rows) * (tallest + 8) + PADDING_PX / 2
    left = (width - extent.width * CELL_RADIUS_PX) / 2
    return (
        (
            Path(
                rectangle_path(0.5, 0.5, width - 1, height - 1, 14),
                fill=CARD_COLOUR,
                stroke=CARD_LINE_COLOUR,
                width=1,
            ),
            Text(14, 22, title, 12, CARD_INK_COLOUR),
            scale_and_place(area_marks(side.area), extent, left, PADDING_PX + 18, CELL_RADIUS_PX),
            *(
                Group(marks, PADDING_PX, top + place * (tallest + 8))
                for place, (marks, _, _) in enumerate(rows)
            ),
        ),
        width,
        height,
    )


def piece_set_marks(side: Side, colour: Colour, pieces: Pieces) -> tuple[Marks, float, float]:
    """A colour's token and its pieces, small."""
    forms = [(number, flattest_orientation(pieces[colour][number])) for number in side.sets[colour]]
    extents = [bounding_box(form) for _, form in forms]
    tall = max(extent.height for extent in extents) * SMALL_CELL_RADIUS_PX
    marks: list[Mark] = [Group(token_marks(colour), 10, tall / 2, 9)]
    x = 30.0
    for (number, form), extent in zip(forms, extents, strict=True):
        down = (tall - extent.height * SMALL_CELL_RADIUS_PX) / 2
        marks.append(
            scale_and_place(
                small_piece_marks(form, colour, number), extent, x, down, SMALL_CELL_RADIUS_PX
            )
        )
        x += extent.width * SMALL_CELL_RADIUS_PX + 8
    return tuple(marks), x, tall


def _describe_sets(side: Side, style: Style) -> str:
    return ", ".join(
        f"{style.translate(f'ubongo.colour.{colour}')} {' '.join(map(str, numbers))}"
        for colour, numbers in side.sets.items()
    )


def _describe_deal(deal: Deal, style: Style) -> str:
    numbers = " ".join(map(str, deal.pieces))
    card = style.translate("page.ubongo.card", card=deal.card)
    return f"{card}: {style.translate(f'ubongo.colour.{deal.colour}')} {numbers}"
