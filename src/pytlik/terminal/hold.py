"""Ubongo's pieces as a person holds them over their card."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pytlik.ubongo.hexes import Hex, Shape, flip, translate, turn
from pytlik.ubongo.model import Deal


def by_its_middle(cells: Shape) -> Shape:
    """The same form with its innermost cell at 0,0: there it is held, and turned about."""
    size = len(cells)
    q, r = sum(cell.q for cell in cells), sum(cell.r for cell in cells)

    def distance(cell: Hex) -> int:
        across, down = size * cell.q - q, size * cell.r - r
        return max(abs(across), abs(down), abs(across + down))

    middle = min(cells, key=lambda cell: (distance(cell), cell))
    return translate(cells, Hex(-middle.q, -middle.r))


@dataclass(frozen=True)
class Hold:
    deal: Deal
    forms: Mapping[int, Shape]
    """How each piece is turned."""
    chosen: int
    at: Hex
    """Where it is held."""

    def cells(self) -> Shape:
        """What the chosen piece would cover."""
        return translate(self.forms[self.chosen], self.at)

    def fits(self, placed: Mapping[int, Shape]) -> bool:
        free = set(self.deal.area).difference(
            *(cells for piece, cells in placed.items() if piece != self.chosen)
        )
        return free.issuperset(self.cells())

    def choose(self, piece: int) -> "Hold":
        return replace(self, chosen=piece)

    def turned(self, sixths: int) -> "Hold":
        form = self.forms[self.chosen]
        for _ in range(sixths % 6):
            form = turn(form)
        return self._held(form)

    def flipped(self) -> "Hold":
        return self._held(flip(self.forms[self.chosen]))

    def _held(self, form: Shape) -> "Hold":
        return replace(self, forms={**self.forms, self.chosen: form})

    def over(self, cell: Hex) -> "Hold":
        """Held over another cell, but not far from the card."""
        top, bottom, left, right = bounds(self.deal.area)
        if top - 1 <= cell.r <= bottom + 1 and left - 2 <= column(cell) <= right + 2:
            return replace(self, at=cell)
        return self

    def step(self, across: int, down: int) -> "Hold":
        """One cell on; rows stand half a cell aside, so up and down go in a zigzag."""
        q, r = self.at
        if down:
            even = r % 2 == 0
            aside = 0 if (down < 0) == even else 1
            return self.over(Hex(q + aside if down < 0 else q - 1 + aside, r + down))
        return self.over(Hex(q + across, r))

    def next_piece(self, placed: Mapping[int, Shape], step: int = 1) -> "Hold":
        """The next one that does not lie on the card."""
        pieces = list(self.deal.pieces)
        start = pieces.index(self.chosen)
        order = [pieces[(start + step * n) % len(pieces)] for n in range(1, len(pieces) + 1)]
        return self.choose(next((piece for piece in order if piece not in placed), self.chosen))


def taken_up(deal: Deal) -> Hold:
    """The pieces of a new card."""
    forms = {piece: by_its_middle(cells) for piece, cells in deal.pieces.items()}
    top, bottom, left, right = bounds(deal.area)
    r = (top + bottom) // 2
    return Hold(deal, forms, next(iter(deal.pieces)), Hex(((left + right) // 2 - r) // 2, r))


def column(cell: Hex) -> int:
    """How far to the right a cell stands, in half cells."""
    return 2 * cell.q + cell.r


def bounds(area: Shape) -> tuple[int, int, int, int]:
    """The first and the last row, and the same of half columns."""
    rows, columns = [cell.r for cell in area], [column(cell) for cell in area]
    return min(rows), max(rows), min(columns), max(columns)
