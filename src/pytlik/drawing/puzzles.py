"""Ubongo's cards, deals, pieces and tables as pictures."""

from collections.abc import Iterable, Mapping
from functools import cache

from pytlik.drawing.hexes import Box, box_of
from pytlik.drawing.look import ACCENT, INK, LINE, LINEN, SOFT, SURFACE, Look, shortened
from pytlik.drawing.marks import Mark, Marks, Path, Placed, Words, box
from pytlik.drawing.picture import Picture, beside
from pytlik.drawing.pieces import CARD, CARD_INK, CARD_LINE, area, gem, piece, small_piece, token
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Shape, orientations
from pytlik.ubongo.model import ROUNDS, Card, Colour, Deal, Pieces, Purse, Side
from pytlik.ubongo.pieces import PIECES
from pytlik.ubongo.view import View

RADIUS = 14.0
"""Of a cell on a card, in pixels."""
MINI = 5.6
"""Of a cell where only a piece's shape is to be told."""
PAD = 14.0


def solved(area: Shape, pieces: Mapping[int, Shape]) -> dict[int, Shape]:
    """Where the pieces lie in one solution; nowhere, if there is none."""
    found = solver.first(area, list(pieces.values()))
    return dict(zip(pieces, found, strict=True)) if found else {}


@cache
def lying(cells: Shape) -> Shape:
    """A piece so turned that it is as low as it can be, to stand in a row of others."""
    return min(orientations(cells), key=lambda form: (box_of(form).height, form))


# ---------------------------------------------------------------------------------------- pictures


def pieces_picture(
    colour: Colour, numbers: Iterable[int] = (), pieces: Pieces = PIECES, look: Look = Look()
) -> Picture:
    """Some pieces of a colour, or all of them."""
    own = pieces[colour]
    chosen = {number: own[number] for number in numbers} or own
    row, width, height = tray(chosen, colour, 7 * 6.2 * RADIUS)
    title = look.say(f"ubongo.colour.{colour}")
    return Picture(width, height, row, f"{title}: {', '.join(map(str, chosen))}")


def side_picture(side: Side, title: str, pieces: Pieces = PIECES, look: Look = Look()) -> Picture:
    """A side of a card as it is printed: the area, and each colour's pieces."""
    marks, width, height = side_marks(side, title, pieces)
    return Picture(width, height, marks, f"{title}: {sets_told(side, look)}")


def card_picture(card: Card, pieces: Pieces = PIECES, look: Look = Look()) -> Picture:
    """All sides of a card, beside each other."""
    title = look.say("page.ubongo.card", card=card.id)
    drawn = [side_marks(side, title, pieces) for side in card.sides.values()]
    return beside(
        [Picture(width, height, marks, title) for marks, width, height in drawn],
        f"{title}: {'; '.join(sets_told(side, look) for side in card.sides.values())}",
    )


def deal_picture(
    deal: Deal, placed: Mapping[int, Shape] | None = None, look: Look = Look()
) -> Picture:
    """A card as its player has it: some pieces lie on it, the others beside it."""
    on_card = placed or {}
    away = {number: cells for number, cells in deal.pieces.items() if number not in on_card}
    card, width, card_height = puzzle_marks(deal, on_card, look)
    if not away:
        return Picture(width, card_height, card, deal_told(deal, look))
    row, row_width, row_height = tray(away, deal.colour, 1000)
    wide = max(width, row_width)
    marks: Marks = (
        Placed(card, (wide - width) / 2),
        Placed(row, (wide - row_width) / 2, card_height + 10),
    )
    return Picture(wide, card_height + 10 + row_height, marks, deal_told(deal, look))


def view_picture(view: View, look: Look = Look()) -> Picture:
    """A round as a seat sees it: everyone's card, what they hold, and the display."""
    say = look.say
    cards = [
        (seat, *puzzle_marks(deal, view.placed.get(seat, {}), look))
        for seat, deal in view.deals.items()
    ] or [(seat, (), 170.0, 0.0) for seat in range(view.players)]
    tall = max(height for *_, height in cards)
    rank = {seat: at for at, seat in enumerate(view.settled)}
    marks: list[Mark] = []
    x = PAD
    for seat, card, width, _ in cards:
        wide = max(width, 170)
        marks += [
            Path(
                box(x, 44, wide, 46, 10),
                fill=SURFACE,
                stroke=ACCENT if seat == view.seat else LINE,
                width=2 if seat == view.seat else 1,
            ),
            Words(x + 10, 62, shortened(look.name(seat), 14), 13, INK, bold=True),
            Words(
                x + wide - 10, 62, say("ubongo.points", n=view.points[seat]), 12, SOFT,
                anchor="end",
            ),
            *purse_marks(view.books.held[seat], x + 18, 76),
            Placed(card, x + (wide - width) / 2, 98),
        ]  # fmt: skip
        if seat in rank:
            place = say("ubongo.doing.rank", place=say(f"ubongo.place.{rank[seat]}"))
            marks.append(Words(x + wide - 10, 80, place, 12, ACCENT, bold=True, anchor="end"))
        x += wide + PAD
    height = 98 + tall + PAD
    number = min(view.round, ROUNDS)
    heading = say("ubongo.round", round=number, rounds=ROUNDS)
    if view.deciding:
        heading = say("ubongo.deciding")
    ground = Path(box(0, 0, x, height, 14), fill=LINEN, stroke=LINE, width=1)
    shown: Marks = (
        ground,
        Words(PAD, 29, heading, 16, INK, bold=True),
        *purse_marks(view.books.display, x - 110, 24),
        *marks,
    )
    return Picture(x, height, shown, heading)


# ------------------------------------------------------------------------------------------- parts


def purse_marks(purse: Purse, x: float, y: float) -> list[Mark]:
    """How many there are of each gem; what there is none of is left out."""
    marks: list[Mark] = []
    for kind, count in purse.items():
        if count:
            marks.append(Placed(gem(kind), x, y, 0.62))
            marks.append(Words(x + 10, y + 4.5, str(count), 12, INK, bold=True))
            x += 22 + 7 * len(str(count))
    return marks


def tray(pieces: Mapping[int, Shape], colour: Colour, room: float) -> tuple[Marks, float, float]:
    """Pieces beside each other, in rows of so much room; how wide and how tall that is."""
    marks: list[Mark] = []
    x = y = tallest = widest = 0.0
    gap = 0.7 * RADIUS
    for number, cells in pieces.items():
        form = lying(cells)
        extent = box_of(form)
        wide, tall = extent.width * RADIUS, extent.height * RADIUS
        if x and x + wide > room:
            x, y, tallest = 0.0, y + tallest + gap, 0.0
        marks.append(put(piece(form, colour, number), extent, x, y))
        x, tallest = x + wide + gap, max(tallest, tall)
        widest = max(widest, x - gap)
    return tuple(marks), widest, y + tallest + 0.2 * RADIUS


def put(marks: Marks, extent: Box, x: float, y: float, radius: float = RADIUS) -> Placed:
    """Marks in units of a cell, so that their extent's corner comes to lie at a point."""
    return Placed(marks, x - extent.x * radius, y - extent.y * radius, radius)


def puzzle_marks(deal: Deal, placed: Mapping[int, Shape], look: Look) -> tuple[Marks, float, float]:
    """A card with the pieces that lie on it."""
    extent = box_of(deal.area)
    width = max(extent.width * RADIUS + 2 * PAD, 140)
    height = extent.height * RADIUS + 2 * PAD + 22
    number = look.say("page.ubongo.card", card=deal.card)
    left = (width - extent.width * RADIUS) / 2
    on_it: Marks = tuple(
        put(piece(cells, deal.colour, number), extent, left, PAD + 22)
        for number, cells in placed.items()
    )
    return (
        (
            Path(box(0.5, 0.5, width - 1, height - 1, 14), fill=CARD, stroke=CARD_LINE, width=1),
            Words(14, 24, number, 12, CARD_INK),
            Placed(token(deal.colour), width - 24, 20, 10),
            put(area(deal.area), extent, left, PAD + 22),
            *on_it,
        ),
        width,
        height,
    )


def side_marks(side: Side, title: str, pieces: Pieces) -> tuple[Marks, float, float]:
    extent = box_of(side.area)
    rows = [set_marks(side, colour, pieces) for colour in side.sets]
    tallest = max(height for _, _, height in rows)
    width = max(extent.width * RADIUS + 2 * PAD, max(wide for _, wide, _ in rows) + 2 * PAD)
    top = extent.height * RADIUS + 2 * PAD + 26
    height = top + len(rows) * (tallest + 8) + PAD / 2
    return (
        (
            Path(box(0.5, 0.5, width - 1, height - 1, 14), fill=CARD, stroke=CARD_LINE, width=1),
            Words(14, 22, title, 12, CARD_INK),
            put(area(side.area), extent, (width - extent.width * RADIUS) / 2, PAD + 18),
            *(
                Placed(marks, PAD, top + place * (tallest + 8))
                for place, (marks, _, _) in enumerate(rows)
            ),
        ),
        width,
        height,
    )


def set_marks(side: Side, colour: Colour, pieces: Pieces) -> tuple[Marks, float, float]:
    """A colour's token, and its pieces small."""
    forms = [(number, lying(pieces[colour][number])) for number in side.sets[colour]]
    extents = [box_of(form) for _, form in forms]
    tall = max(extent.height for extent in extents) * MINI
    marks: list[Mark] = [Placed(token(colour), 10, tall / 2, 9)]
    x = 30.0
    for (number, form), extent in zip(forms, extents, strict=True):
        down = (tall - extent.height * MINI) / 2
        marks.append(put(small_piece(form, colour, number), extent, x, down, MINI))
        x += extent.width * MINI + 8
    return tuple(marks), x, tall


def sets_told(side: Side, look: Look) -> str:
    return ", ".join(
        f"{look.say(f'ubongo.colour.{colour}')} {' '.join(map(str, numbers))}"
        for colour, numbers in side.sets.items()
    )


def deal_told(deal: Deal, look: Look) -> str:
    numbers = " ".join(map(str, deal.pieces))
    card = look.say("page.ubongo.card", card=deal.card)
    return f"{card}: {look.say(f'ubongo.colour.{deal.colour}')} {numbers}"
