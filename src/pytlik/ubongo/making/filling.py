# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""All sets of pieces that fill an area in exactly one way."""

from collections.abc import Sequence

from pytlik.ubongo.hexes import Shape

AS_IT_IS: bool = __file__.endswith(".py")

if AS_IT_IS:
    from pytlik.ubongo.kernel.puzzle import *

MOST_SHAPES = 64
MOST_WAYS = 8192
SLOTS = 16384
MIX = 0x1E3779B97F4A7C15
"""A large odd number: a product with it is as good as chance."""


def filling_once(
    area: Shape, shapes: Sequence[Shape], beside: Sequence[int], number: int
) -> list[int] | None:
    """All sets of so many shapes that fill the area in exactly one way, each as a number with the
    bits of its shapes, in the order in which they are found. `beside` has for each shape those that
    may be in a set with it. They are connected, of two cells or more. None if that is too much for
    this."""
    filling = Filling()
    return filling.once(number) if filling.prepare(area, shapes, beside) else None


class Filling:
    """An area, and many shapes of which some are to fill it."""

    def __init__(self) -> None:
        if AS_IT_IS:
            self.mask = zeros(MOST_WAYS)
            self.shape = zeros(MOST_WAYS)
            self.start = zeros(WORD + 1)
            self.beside = zeros(MOST_SHAPES)
            self.exact = zeros(SLOTS)
            self.exact_shape = zeros(SLOTS)
            self.taken = zeros(SLOTS // WORD)

    def prepare(self, cells: Shape, shapes: Sequence[Shape], beside: Sequence[int]) -> bool:
        """Find where each shape fits, by the lowest cell that it covers. False if too much does."""
        puzzle = Puzzle()
        if not puzzle.lay_out(cells) or not 0 < len(shapes) <= MOST_SHAPES:
            return False
        forms = [forms_of(puzzle.box, shape) for shape in shapes]
        sizes = [known.size for known in forms]
        self.smallest, self.largest = min(sizes), max(sizes)
        if not self.smallest:
            return False
        for index in range(len(shapes)):
            self.beside[index] = beside[index]
        self.area = puzzle.area
        self.width = puzzle.box.width
        self.begins = self.ends = 0
        one = 1
        for row in range(puzzle.box.height):
            self.begins |= one << row * self.width
            self.ends |= one << (row * self.width + self.width - 1)
        self.shapes = len(shapes)
        return self._fill_in(forms)

    def _fill_in(self, forms: "list[Forms]") -> bool:
        at = 0
        rest = self.area
        while rest:
            low = rest & -rest
            rest ^= low
            self.start[lowest(low)] = at
            for shape in range(self.shapes):
                known = forms[shape]
                for form in range(known.number):
                    mask = known.base[form] * low
                    if known.valid[form] & low and mask & self.area == mask:
                        if at == MOST_WAYS - WORD:
                            return False
                        self.mask[at] = mask
                        self.shape[at] = shape
                        self._remember(mask, shape)
                        at += 1
            self.mask[at] = 0
            at += 1
        return True

    def _remember(self, mask: int, shape: int) -> None:
        slot = (mask * MIX >> 50) & 0x3FFF
        one = 1
        self.taken[slot >> 6] |= one << (slot & 63)
        while self.exact[slot]:
            slot = (slot + 1) & 0x3FFF
        self.exact[slot] = mask
        self.exact_shape[slot] = shape

    def once(self, number: int) -> list[int]:
        self.found: dict[int, int] = {}
        everything = 0
        one = 1
        for shape in range(self.shapes):
            everything |= one << shape
        self._cover(self.area, 0, everything, number)
        return [used for used, solutions in self.found.items() if solutions == 1]

    def _beside(self, cells: int) -> int:
        """All that touches one of these cells, and perhaps more that is not in the box."""
        from_end = cells & ~self.ends
        from_begin = cells & ~self.begins
        return (
            cells << self.width
            | cells >> self.width
            | from_end << 1
            | from_begin >> 1
            | from_begin << (self.width - 1)
            | from_end >> (self.width - 1)
        )

    def _cover(self, free: int, used: int, allowed: int, left: int) -> int:
        cells = ones(free)
        if cells < self.smallest * left or cells > self.largest * left:
            return 0
        # A hole that is too small for every piece will stay one.
        if free & ~self._beside(free):
            return 0
        hole = free & -free
        for _ in range(1, self.smallest):
            hole |= self._beside(hole) & free
        if ones(hole) < self.smallest:
            return 0
        one = 1
        at = self.start[lowest(free)]
        while self.mask[at]:
            mask = self.mask[at]
            shape = self.shape[at]
            bit = one << shape
            at += 1
            if mask & free != mask or not bit & allowed:
                continue
            beside = allowed & self.beside[shape]
            rest = free ^ mask
            if left > 2:
                self._cover(rest, used | bit, beside, left - 1)
                continue
            slot = (rest * MIX >> 50) & 0x3FFF
            # Most are in no slot, and a few bits that say so are at hand sooner than the slots.
            if not self.taken[slot >> 6] >> (slot & 63) & 1:
                continue
            while self.exact[slot] and self.exact[slot] != rest:
                slot = (slot + 1) & 0x3FFF
            bit |= one << self.exact_shape[slot]
            if self.exact[slot] and beside >> self.exact_shape[slot] & 1:
                self.found[used | bit] = self.found.get(used | bit, 0) + 1
        return 0
