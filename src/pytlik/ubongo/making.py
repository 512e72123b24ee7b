# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""What takes the generator longest, in machine words: areas that grow, all sets that fill one, and
a set for every colour. C types stand in making.pxd; the same file runs without being compiled.

Every answer is the generator's own, for the same numbers drawn. Where this file is not compiled, or
something is too large for it, the generator answers itself.
"""

from collections.abc import Sequence

from pytlik.chance import Stream
from pytlik.ubongo.hexes import Hex, Shape

AS_IT_IS: bool = __file__.endswith(".py")

if AS_IT_IS:
    from pytlik.ubongo.kernel import *

SEARCHES = not AS_IT_IS
"""Whether this file answers. As it is it can, but the generator is quicker then."""

LARGEST_AREA = 30
"""More cells would not lie in the field on which they grow."""
FIELD = 4096
ROW = 64
"""A cell of the field is a number: ROW for each q and 1 for each r, from the middle."""
MIDDLE = FIELD // 2
FULL = 0xFFFFFFFFFFFFFFFF
MOST_COLOURS = 4
MOST_SETS = 512
"""Of a colour."""
MOST_SHAPES = 64
MOST_WAYS = 8192
SLOTS = 16384
MIX = 0x1E3779B97F4A7C15
"""A large odd number: a product with it is as good as chance."""


def grown(size: int, outline: int, stream: Stream) -> tuple[Shape, Shape] | None:
    """A random area without holes, tails and necks, of no longer outline: its free form, and how it
    is best drawn. None if what has grown does not please."""
    return Growth(stream, size).grown(outline)


def fours(
    sets: Sequence[int], colours: Sequence[int], most: int, stream: Stream
) -> list[tuple[int, ...]] | None:
    """At most so many choices of one set for each colour, without a common shape. None if that is
    too much for this file."""
    choice = Choice(stream)
    return choice.fours(most) if choice.prepare(sets, colours) else None


def filling_once(
    area: Shape, shapes: Sequence[Shape], beside: Sequence[int], number: int
) -> list[int] | None:
    """All sets of so many shapes that fill the area in exactly one way, each as a number with the
    bits of its shapes, in the order in which they are found. `beside` has for each shape those that
    may be in a set with it. They are connected, of two cells or more. None if that is too much for
    this file, or it is not compiled."""
    filling = Filling()
    if SEARCHES and filling.prepare(area, shapes, beside):
        return filling.once(number)
    return None


# ------------------------------------------------------------------------------------ chance


class Draws:
    """Numbers from a stream, as its `below` gives them, but fetched all at once."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.words: list[int] = []
        self.at = 0

    def fetch(self, number: int) -> int:
        self.words = self.stream.words(number)
        self.at = 0
        return 0

    def below(self, n: int) -> int:
        while True:
            if self.at == len(self.words):
                self.fetch(1)
            drawn = self.words[self.at]
            self.at += 1
            # What is left over above the last full multiple of n is drawn again.
            if drawn <= FULL - (FULL % n + 1) % n:
                return drawn % n


# ------------------------------------------------------------------------------------- areas


class Growth:
    """An area that grows cell by cell."""

    def __init__(self, stream: Stream, size: int) -> None:
        if AS_IT_IS:
            self.touching = zeros(FIELD)
            self.inside = zeros(FIELD)
            self.border = zeros(FIELD)
            self.cells = zeros(LARGEST_AREA)
            self.steps = zeros(6)
            self.q = zeros(LARGEST_AREA)
            self.r = zeros(LARGEST_AREA)
            self.form = zeros(LARGEST_AREA)
            self.free = zeros(LARGEST_AREA)
            self.drawn = zeros(LARGEST_AREA)
        self.size = size
        self.draws = Draws(stream)
        for at, step in enumerate((ROW, 1, 1 - ROW, -ROW, -1, ROW - 1)):
            self.steps[at] = step

    def grown(self, outline: int) -> tuple[Shape, Shape] | None:
        self._grow()
        if not self._pleases(outline):
            return None
        self._turn()
        return self._shape(self.free), self._shape(self.drawn)

    def _grow(self) -> int:
        """Cells that touch many others are likelier."""
        self.draws.fetch(self.size - 1)
        self.edge = self.total = 0
        self._take(MIDDLE, 0)
        for number in range(1, self.size):
            at = self.draws.below(self.total)
            place = -1
            while at >= 0:
                place += 1
                at -= self.touching[self.border[place]] ** 2
            cell = self.border[place]
            self.total -= self.touching[cell] ** 2
            self.edge -= 1
            for after in range(place, self.edge):
                self.border[after] = self.border[after + 1]
            self._take(cell, number)
        return 0

    def _take(self, cell: int, number: int) -> None:
        self.cells[number] = cell
        self.inside[cell] = 1
        for side in range(6):
            beside = cell + self.steps[side]
            if self.inside[beside]:
                continue
            if not self.touching[beside]:
                # The border ascends, as the reference's does when a cell is drawn.
                place = self.edge
                while place > 0 and self.border[place - 1] > beside:
                    self.border[place] = self.border[place - 1]
                    place -= 1
                self.border[place] = beside
                self.edge += 1
            self.total += 2 * self.touching[beside] + 1
            self.touching[beside] += 1

    def _pleases(self, longest: int) -> bool:
        outline = corners = 0
        for number in range(self.size):
            cell = self.cells[number]
            places = 0
            before = self.inside[cell + self.steps[5]]
            for side in range(6):
                beside = self.inside[cell + self.steps[side]]
                places += beside and not before
                corners += beside and before
                outline += not beside
                before = beside
            # A cell with neighbours in several places is a neck, or shuts in a hole.
            if places > 1:
                return False
        touching = (6 * self.size - outline) // 2
        # Euler: cells - touching pairs + touching threes = 1 - holes.
        return outline <= longest and self.size - touching + corners // 3 == 1

    def _turn(self) -> None:
        """Find the first of all orientations, and of those that need the smallest square the
        first. A cell of a form is a number too: two ROW for each q and 1 for each r."""
        for number in range(self.size):
            cell = self.cells[number] - MIDDLE + ROW // 2 + ROW * ROW
            self.q[number] = cell // ROW - ROW
            self.r[number] = cell % ROW - ROW // 2
        smallest = 0
        for turned in range(12):
            if turned == 6:
                for number in range(self.size):
                    self.q[number], self.r[number] = self.r[number], self.q[number]
            left = top = ROW
            right = bottom = -ROW
            for number in range(self.size):
                q = -self.r[number]
                r = self.q[number] + self.r[number]
                self.q[number] = q
                self.r[number] = r
                left = min(left, 2 * q + r)
                right = max(right, 2 * q + r)
                top = min(top, r)
                bottom = max(bottom, r)
                cell = 2 * ROW * q + r
                place = number
                while place > 0 and self.form[place - 1] > cell:
                    self.form[place] = self.form[place - 1]
                    place -= 1
                self.form[place] = cell
            first = self.form[0]
            for number in range(self.size):
                self.form[number] -= first
            # How large a square the drawing needs: in half cells across, a row is 1.73 of them.
            square = max(100 * (right - left + 2), 173 * (bottom - top + 1))
            if not turned or self._before(self.free):
                self._keep(self.free)
            if not turned or square < smallest or (square == smallest and self._before(self.drawn)):
                smallest = square
                self._keep(self.drawn)

    def _before(self, other: list[int]) -> bool:
        for number in range(self.size):
            if self.form[number] != other[number]:
                return self.form[number] < other[number]
        return False

    def _keep(self, other: list[int]) -> None:
        for number in range(self.size):
            other[number] = self.form[number]

    def _shape(self, form: list[int]) -> Shape:
        cells = []
        for number in range(self.size):
            q = (form[number] + ROW) // (2 * ROW)
            cells.append(Hex(q, form[number] - 2 * ROW * q))
        return tuple(cells)


# ----------------------------------------------------------------------------- sets that fill


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
        cover = Cover()
        if not cover.lay_out(cells) or not 0 < len(shapes) <= MOST_SHAPES:
            return False
        forms = [cover.box.forms(shape) for shape in shapes]
        sizes = [known.size for known in forms]
        self.smallest, self.largest = min(sizes), max(sizes)
        if not self.smallest:
            return False
        for index in range(len(shapes)):
            self.beside[index] = beside[index]
        self.area = cover.area
        self.width = cover.box.width
        self.begins = self.ends = 0
        one = 1
        for row in range(cover.box.height):
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
            self.start[NUMBERED[low % 67]] = at
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
        at = self.start[NUMBERED[(free & -free) % 67]]
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


# ------------------------------------------------------------------------- a set for each colour


class Choice:
    """The sets of each colour, of which one each is to be chosen."""

    def __init__(self, stream: Stream) -> None:
        if AS_IT_IS:
            self.sets = zeros(MOST_COLOURS * MOST_SETS)
            self.order = zeros(MOST_COLOURS * MOST_SETS)
            self.many = zeros(MOST_COLOURS)
            self.chosen = zeros(MOST_COLOURS)
        self.stream = stream
        self.draws = Draws(stream)

    def prepare(self, sets: Sequence[int], colours: Sequence[int]) -> bool:
        """Sort the sets by colour. False if there are too many."""
        if not 1 < len(colours) <= MOST_COLOURS or len(sets) > MOST_SETS:
            return False
        self.colours = len(colours)
        for colour in range(self.colours):
            every = colours[colour]
            self.many[colour] = 0
            for used in sets:
                shapes = used
                if shapes & ~every == 0:
                    self.sets[colour * MOST_SETS + self.many[colour]] = shapes
                    self.many[colour] += 1
        return True

    def fours(self, most: int) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        numbers = 0
        for colour in range(1, self.colours):
            numbers += max(self.many[colour] - 1, 0)
        self.draws.fetch(max(self.many[0] - 1, 0))
        self._shuffle(0)
        for first in range(self.many[0]):
            if len(found) == most:
                break
            self.chosen[0] = self.order[first]
            for colour in range(1, self.colours):
                self._in_order(colour)
            if not self._beside(1, self.chosen[0]):
                self.stream.skip(numbers)  # in whatever order, there is nothing to be found
                continue
            self.draws.fetch(numbers)
            for colour in range(1, self.colours):
                self._shuffle(colour)
            self._beside(1, self.chosen[0])
            found.append(tuple([self.chosen[colour] for colour in range(self.colours)]))
        return found

    def _in_order(self, colour: int) -> None:
        for at in range(colour * MOST_SETS, colour * MOST_SETS + self.many[colour]):
            self.order[at] = self.sets[at]

    def _shuffle(self, colour: int) -> int:
        self._in_order(colour)
        begin = colour * MOST_SETS
        for last in range(self.many[colour] - 1, 0, -1):
            other = self.draws.below(last + 1)
            shapes = self.order[begin + last]
            self.order[begin + last] = self.order[begin + other]
            self.order[begin + other] = shapes
        return 0

    def _beside(self, colour: int, taken: int) -> bool:
        """Choose the first sets, from this colour on, that have no shape of those taken."""
        if colour == self.colours:
            return True
        for at in range(colour * MOST_SETS, colour * MOST_SETS + self.many[colour]):
            if not self.order[at] & taken and self._beside(colour + 1, taken | self.order[at]):
                self.chosen[colour] = self.order[at]
                return True
        return False
