"""Cards drawn as text, so that a test can be read at a glance.

In a drawn card, a digit is a cell covered by the piece with this number, and `.` is a free cell;
every second row is shifted by half a cell.
"""

from collections.abc import Mapping
from functools import cache
from itertools import product
from textwrap import dedent

from pytlik.ubongo.hexes import Hex, Shape, move_by, orientations
from pytlik.ubongo.messages import Place
from pytlik.ubongo.model import Card, Colour, Deal, Deck, Side

# The cards of most tests, drawn with one of their solutions.
THREE_PIECE_CARD = """
1 1 1 2
 3 3 2 2
"""
FOUR_PIECE_CARD = """
1 1 1 2
 3 3 2 2
  4 4
"""
FIVE_PIECE_CARD = """
1 1 1 2
 3 3 2 2
  4 4 5 5
"""


def parse_drawing(drawing: str) -> dict[str, Shape]:
    """The cells of each mark in a drawing. The first mark in reading order is at Hex(0, 0)."""
    marks = [
        (column, row, mark)
        for row, line in enumerate(dedent(drawing.strip("\n")).splitlines())
        for column, mark in enumerate(line)
        if mark != " "
    ]
    left, top, _ = marks[0]
    found: dict[str, list[Hex]] = {}
    for column, row, mark in marks:
        double = column - left - (row - top)
        assert double % 2 == 0, f"half a cell off: row {row}, column {column}"
        found.setdefault(mark, []).append(Hex(double // 2, row - top))
    return {mark: tuple(sorted(cells)) for mark, cells in found.items()}


def parse_pieces(drawing: str) -> dict[int, Shape]:
    return {int(mark, 36): cells for mark, cells in parse_drawing(drawing).items() if mark != "."}


def place_as_drawn(piece: int, drawing: str) -> Place:
    """Place a piece as a drawing shows it."""
    return Place(piece, parse_pieces(drawing)[piece])


def make_side(drawing: str) -> Side:
    pieces = parse_pieces(drawing)
    area = sorted(cell for cells in pieces.values() for cell in cells)
    return Side(area=tuple(area), sets={colour: tuple(sorted(pieces)) for colour in Colour})


def make_deck(
    *threes: str, four: str = FOUR_PIECE_CARD, five: str = FIVE_PIECE_CARD, cards: int = 40
) -> Deck:
    """A deck whose cards show these drawings in turn; every colour has the same pieces."""
    threes = threes or (THREE_PIECE_CARD,)
    pieces = {n: cells for text in (five, four, *threes) for n, cells in parse_pieces(text).items()}
    return Deck(
        pytlik_deck=1,
        pieces=dict.fromkeys(Colour, pieces),
        cards=tuple(
            Card(
                id=number,
                sides={
                    3: make_side(threes[number % len(threes)]),
                    4: make_side(four),
                    5: make_side(five),
                },
            )
            for number in range(1, cards + 1)
        ),
    )


def find_places(deal: Deal, piece: int) -> list[Shape]:
    """All places for a piece on the empty card."""
    return _find_places(deal.area, deal.pieces[piece])


@cache
def _find_places(area: Shape, piece: Shape) -> list[Shape]:
    return [
        cells
        for turned in orientations(piece)
        for cells in (move_by(turned, by) for by in area)
        if set(cells) <= set(area)
    ]


def find_solution(deal: Deal) -> dict[int, Shape]:
    """Where each piece of a deal goes in the first solution, found by brute force."""
    numbers = sorted(deal.pieces)
    found = _find_cover(deal.area, tuple(deal.pieces[number] for number in numbers))
    return dict(zip(numbers, found, strict=True))


@cache
def _find_cover(area: Shape, pieces: tuple[Shape, ...]) -> tuple[Shape, ...]:
    for cells in product(*(_find_places(area, piece) for piece in pieces)):
        if len({cell for each in cells for cell in each}) == len(area):
            return cells
    raise ValueError("this card has no solution")


def draw_card(area: tuple[Hex, ...], placed: Mapping[int, Shape]) -> str:
    """Draw an area with the pieces placed on it."""
    marks = dict.fromkeys(area, ".")
    for number, cells in placed.items():
        marks |= dict.fromkeys(cells, "0123456789abcdefghijklmnopqrstuvwxyz"[number])
    left = min(2 * cell.q + cell.r for cell in area)
    rows = range(min(cell.r for cell in area), max(cell.r for cell in area) + 1)
    lines = []
    for row in rows:
        at = {2 * cell.q + cell.r - left: mark for cell, mark in marks.items() if cell.r == row}
        lines.append("".join(at.get(column, " ") for column in range(max(at) + 1)))
    return "\n".join(lines)
