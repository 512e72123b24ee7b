"""The 3,847 moves of an Ubongo environment by number. The numbers never change:

    number              move
    0 to 3839           place: ((slot * 12 + way) * 8 + column) * 8 + row
    3840 + slot         lift that piece from the card
    3845                wait
    3846                give up, for this round

A slot is a piece's place among the deal's pieces in the order of their numbers, 0 to 4. A way is
how it is turned and flipped: its place in `hexes.orientations`, which has up to 12 in ascending
order. Column and row are those of the piece's first cell: the card's area, q to the right and r
down, moved so that its lowest q and its lowest r are 0. All shipped cards fit into 8 by 8.
"""

from collections.abc import Iterator

from pytlik.extras import explain_missing_extra

with explain_missing_extra("pettingzoo"):
    import numpy as np
    from numpy.typing import NDArray

from pytlik.ubongo.hexes import Hex, Shape, orientations
from pytlik.ubongo.messages import GiveUp, Lift, Place
from pytlik.ubongo.model import Deal

BOX_SIDE = 8
SLOT_COUNT = 5
ORIENTATION_COUNT = 12

FIRST_LIFT = SLOT_COUNT * ORIENTATION_COUNT * BOX_SIDE * BOX_SIDE
WAIT = FIRST_LIFT + SLOT_COUNT
GIVE_UP = WAIT + 1
MOVE_COUNT = GIVE_UP + 1

Move = Place | Lift | GiveUp


class NumberedMoves:
    """A deal with its moves numbered."""

    def __init__(self, deal: Deal) -> None:
        self.left = min(cell.q for cell in deal.area)
        self.top = min(cell.r for cell in deal.area)
        self.area = frozenset(deal.area)
        self.slots = tuple(deal.pieces)
        self.places: dict[int, Place] = {}
        slots, bits = [], []
        for slot, number in enumerate(self.slots):
            for move, cells in self._numbered_placements(slot, deal.pieces[number]):
                self.places[move] = Place(number, cells)
                slots.append(slot)
                bits.append(self.cell_bits(cells))
        self._moves = np.array(list(self.places), np.intp)
        self._slots = np.array(slots, np.intp)
        self._bits = np.array(bits, np.uint64)

    def _numbered_placements(self, slot: int, piece: Shape) -> Iterator[tuple[int, Shape]]:
        for way, form in enumerate(orientations(piece)):
            for first in sorted(self.area):
                cells = tuple(Hex(first.q + q, first.r + r) for q, r in form)
                if self.area.issuperset(cells):
                    column, row = first.q - self.left, first.r - self.top
                    yield (
                        ((slot * ORIENTATION_COUNT + way) * BOX_SIDE + column) * BOX_SIDE + row,
                        cells,
                    )

    def cell_number(self, cell: Hex) -> int:
        """The number of a cell in the box."""
        return (cell.q - self.left) * BOX_SIDE + cell.r - self.top

    def cell_bits(self, cells: Shape) -> int:
        return sum(1 << self.cell_number(cell) for cell in cells)

    def move_for_number(self, number: int) -> Move | None:
        """The move with this number; None for waiting, and if there's no such move on this card."""
        if number == GIVE_UP:
            return GiveUp()
        if FIRST_LIFT <= number < FIRST_LIFT + len(self.slots):
            return Lift(self.slots[number - FIRST_LIFT])
        return self.places.get(number)

    def legal_mask(self, placed: dict[int, Shape]) -> NDArray[np.int8]:
        """Which moves are legal for a seat that is solving, with these pieces on the card."""
        mask = np.zeros(MOVE_COUNT, np.int8)
        mask[[WAIT, GIVE_UP]] = 1
        lying = [self.cell_bits(placed.get(number, ())) for number in self.slots]
        taken = sum(lying)
        # A piece on the card may be moved, even onto cells that it covers now.
        others = np.array([taken - own for own in lying], np.uint64)
        mask[self._moves[(self._bits & others[self._slots]) == 0]] = 1
        for slot, own in enumerate(lying):
            mask[FIRST_LIFT + slot] = own > 0
        return mask
