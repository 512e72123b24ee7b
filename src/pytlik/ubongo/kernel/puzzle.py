# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""A puzzle in numbers: an area in its box, and the kinds of pieces that are to cover it."""

from collections.abc import Iterable, Sequence

from pytlik.ubongo.hexes import Hex, Shape

AS_IT_IS: bool = __file__.endswith(".py")

if AS_IT_IS:
    from pytlik.ubongo.kernel.box import *

FAR = 1 << 40
"""Cells further away are left to the reference: here differences would be too large for a word."""


class Puzzle:
    """An area, the pieces that are to cover it, and how far a search for that is."""

    lying: list[list[int]]
    many: list[list[int]]

    def __init__(self) -> None:
        if AS_IT_IS:
            self.order = zeros(MOST_PIECES)
            self.left = zeros(MOST_PIECES)
            self.laid = zeros(MOST_PIECES)
            self.laid_kind = zeros(MOST_PIECES)
            for name in ("lying", "many"):  # in C pointers, to which no list can be given
                setattr(self, name, [zeros(0)] * MOST_PIECES)
            self.found = self.enough = 0

    def lay_out(self, cells: Shape) -> bool:
        """Number the area's cells as the reference does; say whether they fit into a word."""
        self.cells = cells
        if not 0 < len(cells) <= WORD:
            return False
        try:
            top = bottom = coordinate(cells[0], 0)
            left = right = coordinate(cells[0], 1)
            for cell in cells:
                q = coordinate(cell, 0)
                r = coordinate(cell, 1)
                top = min(top, q)
                bottom = max(bottom, q)
                left = min(left, r)
                right = max(right, r)
        except OverflowError:  # so far away that it is no number in C
            return False
        if top < -FAR or left < -FAR or bottom > FAR or right > FAR:
            return False
        height = bottom - top + 1
        width = right - left + 1
        if height > WORD or width > WORD or height * width > WORD:
            return False
        self.top = top
        self.leftmost = left
        self.flipped = width > height
        self.box = box_of(width, height) if self.flipped else box_of(height, width)
        self.area = 0
        for cell in cells:
            self.area |= self.bit(cell)
        self.size = ones(self.area)
        return True

    def take(self, pieces: Sequence[Iterable[Hex]]) -> bool:
        """Tell the kinds of pieces. False if there are too many, too large ones, or none."""
        number = len(pieces)
        if not 0 < number <= MOST_PIECES:
            return False
        self.pieces = number
        kinds: list[Forms] = []
        self.kinds = kinds
        self.number = 0
        self.covers = 0
        for index, piece in enumerate(pieces):
            try:
                forms = forms_of(self.box, piece if isinstance(piece, tuple) else tuple(piece))
            except OverflowError:
                return False
            if not forms.size:
                return False
            self.covers += forms.size
            kind = 0
            while kind < self.number and kinds[kind] is not forms:
                kind += 1
            if kind == self.number:
                kinds.append(forms)
                self.number += 1
                self.left[kind] = 0
                self.lying[kind] = forms.lying
                self.many[kind] = forms.many
            self.left[kind] += 1
            self.order[index] = kind
        return True

    def shape(self, mask: int) -> Shape:
        """The cells of the area that this mask has."""
        return tuple(sorted({cell for cell in self.cells if mask & self.bit(cell)}))

    def bit(self, cell: Hex) -> int:
        down = coordinate(cell, 0) - self.top
        across = coordinate(cell, 1) - self.leftmost
        if self.flipped:
            down, across = across, down
        one = 1
        return one << (down * self.box.width + across)
