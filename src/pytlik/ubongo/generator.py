"""New cards from a seed (G1): areas that please, and for each colour one set that fills each.

Asked of every side: an area in one piece, compact, without holes, tails or necks, unlike any other
up to turning and flipping; for each colour a set with exactly one solution; no shape in the sets of
two colours. Of the sides that have all this, the one whose colours are closest in effort is taken.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import islice, product
from math import ceil, prod, sqrt
from operator import or_

from pytlik import chance
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import (
    Hex,
    Shape,
    connected,
    free_form,
    has_holes,
    neighbours,
    orientations,
    perimeter,
)
from pytlik.ubongo.model import Card, Colour, Deck, Side
from pytlik.ubongo.pieces import PIECES

Numbers = tuple[int, ...]
Progress = Callable[[int, int], None]

# A set of shapes is a number here, with a bit for each.
BITS = {
    shape: 1 << index
    for index, shape in enumerate(dict.fromkeys(s for own in PIECES.values() for s in own.values()))
}
COLOURS = {colour: sum(BITS[shape] for shape in PIECES[colour].values()) for colour in Colour}
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
        made: list[Side] = []
        for slot in range(cards):
            stream = source.stream(f"side {number}, {slot}")
            made.append(_side(number, SIZES[number][slot % len(SIZES[number])], stream, seen))
            seen.add(free_form(made[-1].area))
            progress(len(ranked) * cards + len(made), len(numbers) * cards)
        # Sorted side by side, so that both sides of a card are of the same rank.
        ranked[number] = sorted(made, key=lambda side: (difficulty(side), side.area))
    drawn = zip(*ranked.values(), strict=True)
    return Deck(
        pytlik_deck=1,
        pieces=PIECES,
        cards=tuple(
            Card(id=rank, sides=dict(zip(numbers, card, strict=True)))
            for rank, card in enumerate(drawn, start=1)
        ),
    )


def difficulty(side: Side) -> float:
    """The product of the four colours' efforts: it orders like their geometric mean.

    A product of floats is the same on every platform; a root may not be.
    """
    return prod(_effort(side.area, colour, numbers) for colour, numbers in side.sets.items())


@lru_cache(maxsize=1024)
def _effort(area: Shape, colour: Colour, numbers: Numbers) -> float:
    return solver.effort(area, [PIECES[colour][number] for number in numbers])


def _side(number: int, size: int, stream: chance.Stream, seen: set[Shape]) -> Side:
    found: list[Side] = []
    while len(found) < AREAS[number] and (not found or _unevenness(found[-1]) > EVEN):
        area = _area(size, stream)
        if area is None or free_form(area) in seen:
            continue
        fours = list(islice(_fours(area, number, stream), WEIGHED[number]))
        if fours:
            # Mixing them anew gives many more choices, and no more efforts to find out.
            mixed = product(*map(dict.fromkeys, zip(*fours, strict=True)))
            sides = (_named(area, four) for four in mixed if _apart(four))
            found.append(min(sides, key=_unevenness))
    return min(found, key=_unevenness)


def _unevenness(side: Side) -> float:
    efforts = [_effort(side.area, colour, numbers) for colour, numbers in side.sets.items()]
    return max(efforts) / min(efforts)


def _area(size: int, stream: chance.Stream) -> Shape | None:
    """A random area, or none if it does not please. Cells that touch many others are likelier."""
    area = {Hex(0, 0)}
    border = Counter(neighbours(Hex(0, 0)))
    while len(area) < size:
        pool = [cell for cell in sorted(border) for _ in range(border[cell] ** 2)]
        cell = stream.choice(pool)
        del border[cell]
        area.add(cell)
        border.update(beside for beside in neighbours(cell) if beside not in area)
    roundest = 2 * ceil(sqrt(12 * size - 3))
    if perimeter(area) > roundest + ROUGHNESS or has_holes(area):
        return None
    # Without a cell whose loss would split it there are neither tails nor necks.
    if not all(connected(area - {cell}) for cell in area):
        return None
    return min(orientations(area), key=_extent)


def _extent(shape: Shape) -> tuple[int, Shape]:
    """How large a square the drawing needs, in half cells across (a row is 1.73 of them high)."""
    columns = [2 * q + r for q, r in shape]
    rows = [r for _, r in shape]
    across, down = max(columns) - min(columns) + 2, max(rows) - min(rows) + 1
    return max(100 * across, 173 * down), shape


def _fours(area: Shape, number: int, stream: chance.Stream) -> Iterator[tuple[int, ...]]:
    """A set for every colour, without a common shape; the first colour's is new each time."""
    once = _filling_once(area, number)
    of_colour = [[used for used in once if used & every == used] for every in COLOURS.values()]

    def beside(colours: Sequence[Sequence[int]], taken: int) -> tuple[int, ...] | None:
        if not colours:
            return ()
        for used in colours[0]:
            if not used & taken and (others := beside(colours[1:], taken | used)) is not None:
                return used, *others
        return None

    for used in stream.shuffled(of_colour[0]):
        others = beside([stream.shuffled(sets) for sets in of_colour[1:]], used)
        if others is not None:
            yield used, *others


def _apart(four: Sequence[int]) -> bool:
    return sum(used.bit_count() for used in four) == reduce(or_, four).bit_count()


def _named(area: Shape, four: Sequence[int]) -> Side:
    """The side with its sets as the numbers of their pieces."""
    return Side(
        area=area,
        sets={
            colour: tuple(n for n, shape in PIECES[colour].items() if BITS[shape] & used)
            for colour, used in zip(Colour, four, strict=True)
        },
    )


def _filling_once(area: Shape, number: int) -> list[int]:
    """All sets of so many shapes of one colour that fill the area in exactly one way."""
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
