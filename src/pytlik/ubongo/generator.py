"""New cards from a seed (G1): areas that please, and for each colour one set that fills each.

Asked of every side: an area in one piece, compact, without holes, tails or necks, unlike any other
up to turning and flipping; for each colour a set with exactly one solution; no shape in the sets of
two colours. Of the sides that have all this, the one whose colours are closest in effort is taken.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import islice
from math import ceil, prod, sqrt
from operator import and_, gt, or_
from typing import NamedTuple

from pytlik import chance
from pytlik.ubongo import kernel, making, solver
from pytlik.ubongo.hexes import DIRECTIONS, Hex, Shape, orientations
from pytlik.ubongo.model import Card, Colour, Deck, Side
from pytlik.ubongo.pieces import PIECES

Numbers = tuple[int, ...]
Progress = Callable[[int, int], None]

# A set of shapes is a number here, with a bit for each.
BITS = {
    shape: 1 << index
    for index, shape in enumerate(dict.fromkeys(s for own in PIECES.values() for s in own.values()))
}
OWN_BITS = {
    colour: [(number, BITS[shape]) for number, shape in PIECES[colour].items()] for colour in Colour
}
COLOURS = {colour: sum(bit for _, bit in OWN_BITS[colour]) for colour in Colour}
BESIDE = {
    bit: reduce(or_, (every for every in COLOURS.values() if every & bit)) ^ bit
    for bit in BITS.values()
}
"""For each shape the others that some colour has as well."""

SMALLEST, LARGEST = min(map(len, BITS)), max(map(len, BITS))

SIZES = {3: (14, 15, 16), 4: (19, 20, 21, 22), 5: (25, 26, 27)}
"""How many cells the areas have. In smaller ones the colours would have to share shapes, in larger
ones hardly any set fits."""

ROUGHNESS = 6
"""How many cell sides longer the outline may be than that of the roundest area."""

EVEN = 1.35
"""The hardest colour's effort, as a multiple of the easiest one's, with which a side is taken."""

AREAS = {3: 8, 4: 6, 5: 2}
"""After so many areas the most even one is taken."""

WEIGHED = {3: 8, 4: 5, 5: 3}
"""How many sets a colour are weighed for an area; with more pieces it takes longer to weigh one."""


class Made(NamedTuple):
    """A side, and how hard its colours are."""

    side: Side
    efforts: tuple[float, ...]

    @property
    def unevenness(self) -> float:
        return max(self.efforts) / min(self.efforts)

    @property
    def difficulty(self) -> float:
        """The product of the four colours' efforts: it orders like their geometric mean.

        A product of floats is the same on every platform; a root may not be.
        """
        return prod(self.efforts)


def generate(seed: str, cards: int, sides: Sequence[int], progress: Progress) -> Deck:
    """A deck that depends on these arguments alone; its ids ascend with the difficulty.

    `progress` is told after each side how many are done and how many there are.
    """
    numbers = sorted(set(sides))
    if cards < 1 or not numbers or not SIZES.keys() >= set(numbers):
        raise ValueError(f"no deck has {cards} cards with sides {tuple(sides)}")
    source = chance.from_text(seed)
    seen = set[Shape]()
    ranked: dict[int, list[Side]] = {}
    for number in numbers:
        made: list[Made] = []
        for slot in range(cards):
            stream = source.stream(f"side {number}, {slot}")
            one, form = _side(number, SIZES[number][slot % len(SIZES[number])], stream, seen)
            made.append(one)
            seen.add(form)
            progress(len(ranked) * cards + len(made), len(numbers) * cards)
        # Sorted side by side, so that both sides of a card are of the same rank.
        made.sort(key=lambda one: (one.difficulty, one.side.area))
        ranked[number] = [one.side for one in made]
    drawn = zip(*ranked.values(), strict=True)
    return Deck(
        pytlik_deck=1,
        pieces=PIECES,
        cards=tuple(
            Card(id=rank, sides=dict(zip(numbers, card, strict=True)))
            for rank, card in enumerate(drawn, start=1)
        ),
    )


def _side(number: int, size: int, stream: chance.Stream, seen: set[Shape]) -> tuple[Made, Shape]:
    """A side whose area is none of those seen, and the area's free form."""
    found: list[tuple[Made, Shape]] = []
    while len(found) < AREAS[number] and (not found or found[-1][0].unevenness > EVEN):
        grown = _area(size, stream)
        if grown is None or grown[0] in seen:
            continue
        form, area = grown
        fours = _fours(_filling_once(area, number), WEIGHED[number], stream)
        if fours:
            found.append((_most_even(area, fours), form))
    return min(found, key=lambda one: one[0].unevenness)


def _most_even(area: Shape, fours: Sequence[tuple[int, ...]]) -> Made:
    """Mixing the sets anew gives many more choices, and no more efforts to find out."""
    weighed: list[list[tuple[int, float]]] = []
    for colour, own in zip(Colour, map(dict.fromkeys, zip(*fours, strict=True)), strict=True):
        sets = [[PIECES[colour][number] for number in _numbers(colour, used)] for used in own]
        weighed.append(list(zip(own, kernel.efforts(area, sets), strict=True)))
    best: tuple[tuple[int, float], ...] = ()
    least = float("inf")
    first, second, third, fourth = weighed
    for one in first:
        for two in second:
            if one[0] & two[0]:
                continue
            for three in third:
                if (one[0] | two[0]) & three[0]:
                    continue
                taken = one[0] | two[0] | three[0]
                hardest, easiest = max(one[1], two[1], three[1]), min(one[1], two[1], three[1])
                for four in fourth:
                    if taken & four[0]:
                        continue
                    uneven = max(hardest, four[1]) / min(easiest, four[1])
                    if uneven < least:
                        least, best = uneven, (one, two, three, four)
    sets_of = {c: _numbers(c, used) for c, (used, _) in zip(Colour, best, strict=True)}
    return Made(Side(area=area, sets=sets_of), tuple(effort for _, effort in best))


# An area grows in numbers: ROW for each q and 1 for each r. They ascend as cells do.
ROW = 64
STEPS = tuple(ROW * q + r for q, r in DIRECTIONS)


def _area(size: int, stream: chance.Stream) -> tuple[Shape, Shape] | None:
    """A random area: its free form, and as it is best drawn; or none if it does not please."""
    outline = 2 * ceil(sqrt(12 * size - 3)) + ROUGHNESS
    if making.SEARCHES:
        return making.grown(size, outline, stream)
    area = _grown(size, stream)
    if not _pleases(area, outline):
        return None
    forms = orientations(_cell(number) for number in area)
    return forms[0], min(forms, key=_extent)


def _grown(size: int, stream: chance.Stream) -> set[int]:
    """Cells that touch many others are likelier."""
    area = {0}
    border = dict.fromkeys(STEPS, 1)
    total = len(border)
    while len(area) < size:
        at = stream.below(total)
        for cell in sorted(border):
            at -= border[cell] ** 2
            if at < 0:
                break
        total -= border.pop(cell) ** 2
        area.add(cell)
        for step in STEPS:
            if (beside := cell + step) not in area:
                touching = border.get(beside, 0)
                border[beside] = touching + 1
                total += 2 * touching + 1
    return area


def _cell(number: int) -> Hex:
    q = (number + ROW // 2) // ROW
    return Hex(q, number - q * ROW)


def _pleases(area: set[int], longest: int) -> bool:
    """Compact, without holes, tails and necks?"""
    outline = corners = 0
    for cell in area:
        beside = [cell + step in area for step in STEPS]
        after = beside[1:] + beside[:1]
        # A cell with neighbours in several places is a neck, or shuts in a hole.
        if sum(map(gt, after, beside)) > 1:
            return False
        outline += beside.count(False)
        corners += sum(map(and_, beside, after))
    touching = (6 * len(area) - outline) // 2
    # Euler: cells - touching pairs + touching threes = 1 - holes.
    return outline <= longest and len(area) - touching + corners // 3 == 1


def _extent(shape: Shape) -> tuple[int, Shape]:
    """How large a square the drawing needs, in half cells across (a row is 1.73 of them high)."""
    columns = [2 * q + r for q, r in shape]
    rows = [r for _, r in shape]
    across, down = max(columns) - min(columns) + 2, max(rows) - min(rows) + 1
    return max(100 * across, 173 * down), shape


def _fours(once: Sequence[int], most: int, stream: chance.Stream) -> list[tuple[int, ...]]:
    """Sets for every colour, without a common shape; the first colour's is new each time."""
    if making.SEARCHES:
        quick = making.fours(once, list(COLOURS.values()), most, stream)
        if quick is not None:
            return quick
    return list(islice(_choices(once, stream), most))


def _choices(once: Sequence[int], stream: chance.Stream) -> Iterator[tuple[int, ...]]:
    of_colour = [[used for used in once if used & every == used] for every in COLOURS.values()]

    def beside(colours: Sequence[Sequence[int]], taken: int) -> tuple[int, ...] | None:
        if not colours:
            return ()
        for used in colours[0]:
            if not used & taken and (others := beside(colours[1:], taken | used)) is not None:
                return used, *others
        return None

    shuffles = sum(max(len(sets) - 1, 0) for sets in of_colour[1:])
    for used in stream.shuffled(of_colour[0]):
        if beside(of_colour[1:], used) is None:
            stream.skip(shuffles)  # in whatever order, there is nothing to be found
            continue
        others = beside([stream.shuffled(sets) for sets in of_colour[1:]], used)
        assert others is not None
        yield used, *others


def _numbers(colour: Colour, used: int) -> Numbers:
    return tuple([number for number, bit in OWN_BITS[colour] if bit & used])


def _filling_once(area: Shape, number: int) -> list[int]:
    """All sets of so many shapes of one colour that fill the area in exactly one way."""
    if making.SEARCHES:
        quick = making.filling_once(area, list(BITS), list(BESIDE.values()), number)
        if quick is not None:
            return quick
    cells, places = solver.placements(area, list(BITS))
    ways: dict[int, list[tuple[int, int]]] = {}
    exactly: dict[int, int] = {}
    for bit, masks in zip(BITS.values(), places, strict=True):
        for mask in masks:
            ways.setdefault(mask & -mask, []).append((mask, bit))
            exactly[mask] = bit
    found = Counter[int]()

    def cover(free: int, used: int, allowed: int, left: int) -> None:
        if not SMALLEST * left <= free.bit_count() <= LARGEST * left:
            return
        for mask, bit in ways.get(free & -free, ()):
            if mask & free == mask and bit & allowed:
                beside = allowed & BESIDE[bit]
                if left > 2:
                    cover(free ^ mask, used | bit, beside, left - 1)
                elif exactly.get(free ^ mask, 0) & beside:
                    found[used | bit | exactly[free ^ mask]] += 1

    cover(sum(cells), 0, sum(BITS.values()), number)
    return [used for used, solutions in found.items() if solutions == 1]
