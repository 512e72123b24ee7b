# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""Areas that grow."""

from pytlik.chance import Stream
from pytlik.ubongo.hexes import Hex, Shape

AS_IT_IS: bool = __file__.endswith(".py")

if AS_IT_IS:
    from pytlik.ubongo.kernel.plain import *
    from pytlik.ubongo.making.draws import *

LARGEST_AREA = 30
"""More cells would not lie in the field on which they grow."""
FIELD = 4096
ROW = 64
"""A cell of the field is a number: ROW for each q and 1 for each r, from the middle."""
MIDDLE = FIELD // 2


def grown(size: int, outline: int, stream: Stream) -> tuple[Shape, Shape] | None:
    """A random area without holes, tails and necks, of no longer outline: its free form, and how it
    is best drawn. None if what has grown does not please."""
    return Growth(stream, size).grown(outline)


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
