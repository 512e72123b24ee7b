# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""A set of pieces for every colour, without a common shape."""

from collections.abc import Sequence

from pytlik.chance import Stream

AS_IT_IS: bool = __file__.endswith(".py")

if AS_IT_IS:
    from pytlik.ubongo.kernel.plain import *
    from pytlik.ubongo.making.draws import *

MOST_COLOURS = 4
MOST_SETS = 512
"""Of a colour."""


def fours(
    sets: Sequence[int], colours: Sequence[int], most: int, stream: Stream
) -> list[tuple[int, ...]] | None:
    """At most so many choices of one set for each colour, without a common shape. None if that is
    too much for this."""
    choice = Choice(stream)
    return choice.fours(most) if choice.prepare(sets, colours) else None


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
