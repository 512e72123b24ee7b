"""Ubongo's pieces as a person holds them over their card."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pytlik.ubongo.hexes import Hex, Shape, flip, move_by, turn
from pytlik.ubongo.model import Deal


@dataclass(frozen=True)
class HeldPiece:
    """The piece in the person's hand, and how the others are turned."""

    deal: Deal
    shapes: Mapping[int, Shape]
    """Each piece as it's turned now, with the cell that it's held by at 0,0."""
    chosen: int
    at: Hex
    """The cell that it's held over."""

    def cells(self) -> Shape:
        """What the piece would cover."""
        return move_by(self.shapes[self.chosen], self.at)

    def fits(self, placed: Mapping[int, Shape]) -> bool:
        free = set(self.deal.area).difference(
            *(cells for piece, cells in placed.items() if piece != self.chosen)
        )
        return free.issuperset(self.cells())

    def choose(self, piece: int) -> "HeldPiece":
        return replace(self, chosen=piece)

    def turn(self, sixths: int) -> "HeldPiece":
        shape = self.shapes[self.chosen]
        for _ in range(sixths % 6):
            shape = turn(shape)
        return self._with_shape(shape)

    def flip(self) -> "HeldPiece":
        return self._with_shape(flip(self.shapes[self.chosen]))

    def _with_shape(self, shape: Shape) -> "HeldPiece":
        return replace(self, shapes={**self.shapes, self.chosen: shape})

    def move_to(self, cell: Hex) -> "HeldPiece":
        """Hold the piece over another cell, but not far from the card."""
        top, bottom, left, right = area_bounds(self.deal.area)
        if top - 1 <= cell.r <= bottom + 1 and left - 2 <= column_in_half_cells(cell) <= right + 2:
            return replace(self, at=cell)
        return self

    def move_by(self, across: int, down: int) -> "HeldPiece":
        """Move by a cell. Rows are offset by half a cell, so up and down go in a zigzag."""
        q, r = self.at
        if down:
            is_even = r % 2 == 0
            aside = 0 if (down < 0) == is_even else 1
            return self.move_to(Hex(q + aside if down < 0 else q - 1 + aside, r + down))
        return self.move_to(Hex(q + across, r))

    def next_piece(self, placed: Mapping[int, Shape], step: int = 1) -> "HeldPiece":
        """Choose the next piece that doesn't lie on the card."""
        pieces = list(self.deal.pieces)
        start = pieces.index(self.chosen)
        order = [pieces[(start + step * n) % len(pieces)] for n in range(1, len(pieces) + 1)]
        return self.choose(next((piece for piece in order if piece not in placed), self.chosen))


def hold_first_piece(deal: Deal) -> HeldPiece:
    """Hold the first piece of a new card over the middle of its area."""
    shapes = {piece: centre_at_origin(cells) for piece, cells in deal.pieces.items()}
    top, bottom, left, right = area_bounds(deal.area)
    r = (top + bottom) // 2
    return HeldPiece(deal, shapes, next(iter(deal.pieces)), Hex(((left + right) // 2 - r) // 2, r))


def centre_at_origin(cells: Shape) -> Shape:
    """Move a shape so that its innermost cell, by which it is held and turned, is at 0,0."""
    size = len(cells)
    q, r = sum(cell.q for cell in cells), sum(cell.r for cell in cells)

    def distance(cell: Hex) -> int:
        across, down = size * cell.q - q, size * cell.r - r
        return max(abs(across), abs(down), abs(across + down))

    middle = min(cells, key=lambda cell: (distance(cell), cell))
    return move_by(cells, Hex(-middle.q, -middle.r))


def column_in_half_cells(cell: Hex) -> int:
    """A cell's horizontal position, in half cells."""
    return 2 * cell.q + cell.r


def area_bounds(area: Shape) -> tuple[int, int, int, int]:
    """The first and the last row, and the first and the last half column."""
    rows, columns = [cell.r for cell in area], [column_in_half_cells(cell) for cell in area]
    return min(rows), max(rows), min(columns), max(columns)
