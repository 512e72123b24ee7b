"""New cards from a seed (G1): good-looking areas, and for each colour a set that fills each.

Every side has an area in one piece, compact, without holes, tails or necks, unlike any other up to
turning and flipping; for each colour a set with exactly one solution; no shape in the sets of two
colours. Of several such sides, the generator takes the one whose colours are closest in effort.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import islice
from math import ceil, prod, sqrt
from operator import and_, gt, or_
from typing import NamedTuple

from pytlik import chance
from pytlik.ubongo import kernel, solver
from pytlik.ubongo.hexes import DIRECTIONS, Hex, Shape, orientations
from pytlik.ubongo.model import Card, Colour, Deck, Side
from pytlik.ubongo.pieces import PIECES

Progress = Callable[[int, int], None]
"""Called with how many parts are done, and how many there are."""

# In this module a set of shapes is an integer with a bit for each shape.
SHAPE_BITS = {
    shape: 1 << index
    for index, shape in enumerate(dict.fromkeys(s for own in PIECES.values() for s in own.values()))
}
PIECE_BITS = {
    colour: [(number, SHAPE_BITS[shape]) for number, shape in PIECES[colour].items()]
    for colour in Colour
}
COLOUR_BITS = {colour: sum(bit for _, bit in PIECE_BITS[colour]) for colour in Colour}
COMPATIBLE = {
    bit: reduce(or_, (every for every in COLOUR_BITS.values() if every & bit)) ^ bit
    for bit in SHAPE_BITS.values()
}
"""For each shape, the others that it shares a colour with."""

MIN_PIECE_CELLS, MAX_PIECE_CELLS = min(map(len, SHAPE_BITS)), max(map(len, SHAPE_BITS))

AREA_CELLS = {3: (14, 15, 16), 4: (19, 20, 21, 22), 5: (25, 26, 27)}
"""How many cells the areas have. In smaller ones the colours would have to share shapes; in larger
ones hardly any set fits."""

MAX_EXTRA_OUTLINE = 6
"""How many cell sides longer the outline may be than that of the roundest area."""

GOOD_UNEVENNESS = 1.35
"""A side this even is taken at once."""

MAX_AREAS_TRIED = {3: 8, 4: 6, 5: 2}
"""After this many areas the most even one is taken."""

MAX_SETS_WEIGHED = {3: 8, 4: 5, 5: 3}
"""For how many sets of each colour the effort is worked out: with more pieces it takes longer."""


class Candidate(NamedTuple):
    """A side, and how hard each colour's puzzle is."""

    side: Side
    efforts: tuple[float, ...]

    @property
    def unevenness(self) -> float:
        """The hardest colour's effort, as a multiple of the easiest one's."""
        return max(self.efforts) / min(self.efforts)

    @property
    def difficulty(self) -> float:
        """The product of the four colours' efforts: it orders like their geometric mean.

        A product of floats is the same on every platform; a root may not be.
        """
        return prod(self.efforts)


def generate(seed: str, cards: int, sides: Sequence[int], progress: Progress) -> Deck:
    """A deck that depends on these arguments alone; its ids ascend with the difficulty.

    `progress` is called after each side.
    """
    numbers = sorted(set(sides))
    if cards < 1 or not numbers or not AREA_CELLS.keys() >= set(numbers):
        raise ValueError(f"no deck has {cards} cards with sides {tuple(sides)}")
    source = chance.from_text(seed)
    seen = set[Shape]()
    ranked: dict[int, list[Side]] = {}
    for number in numbers:
        candidates: list[Candidate] = []
        for slot in range(cards):
            stream = source.stream(f"side {number}, {slot}")
            cells = AREA_CELLS[number][slot % len(AREA_CELLS[number])]
            candidate, form = _make_side(number, cells, stream, seen)
            candidates.append(candidate)
            seen.add(form)
            progress(len(ranked) * cards + len(candidates), len(numbers) * cards)
        # Each side is sorted by itself, so that both sides of a card have the same rank.
        candidates.sort(key=lambda one: (one.difficulty, one.side.area))
        ranked[number] = [one.side for one in candidates]
    sides_of_cards = zip(*ranked.values(), strict=True)
    return Deck(
        pytlik_deck=1,
        pieces=PIECES,
        cards=tuple(
            Card(id=rank, sides=dict(zip(numbers, own, strict=True)))
            for rank, own in enumerate(sides_of_cards, start=1)
        ),
    )


def _make_side(
    number: int, cells: int, stream: chance.Stream, seen: set[Shape]
) -> tuple[Candidate, Shape]:
    """A side with an area that hasn't been seen, and the area's free form."""
    found: list[tuple[Candidate, Shape]] = []
    while len(found) < MAX_AREAS_TRIED[number] and (
        not found or found[-1][0].unevenness > GOOD_UNEVENNESS
    ):
        grown = _grow_good_area(cells, stream)
        if grown is None or grown[0] in seen:
            continue
        form, area = grown
        choices = _choose_sets(_find_unique_sets(area, number), stream)
        some = list(islice(choices, MAX_SETS_WEIGHED[number]))
        if some:
            found.append((_pick_most_even(area, some), form))
    return min(found, key=lambda one: one[0].unevenness)


def _pick_most_even(area: Shape, choices: Sequence[tuple[int, ...]]) -> Candidate:
    """The choice with the closest efforts. Sets from different choices are combined as well: that
    gives many more choices, and no more efforts to work out."""
    weighed: list[list[tuple[int, float]]] = []
    for colour, own in zip(Colour, map(dict.fromkeys, zip(*choices, strict=True)), strict=True):
        sets = [[PIECES[colour][number] for number in _numbers_in(colour, used)] for used in own]
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
    sets_of = {c: _numbers_in(c, used) for c, (used, _) in zip(Colour, best, strict=True)}
    return Candidate(Side(area=area, sets=sets_of), tuple(effort for _, effort in best))


# While an area grows, a cell is an integer: ROW for each q and 1 for each r. They sort as cells do.
ROW = 64
STEPS = tuple(ROW * q + r for q, r in DIRECTIONS)


def _grow_good_area(size: int, stream: chance.Stream) -> tuple[Shape, Shape] | None:
    """A random area: its free form, and the orientation that is best drawn. None if it isn't good
    enough."""
    area = _grow(size, stream)
    if not _is_good(area, 2 * ceil(sqrt(12 * size - 3)) + MAX_EXTRA_OUTLINE):
        return None
    forms = orientations(_cell(number) for number in area)
    return forms[0], min(forms, key=_drawn_size)


def _grow(size: int, stream: chance.Stream) -> set[int]:
    """Add cell after cell; those that touch many others are likelier."""
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


def _is_good(area: set[int], max_outline: int) -> bool:
    """Is it compact, without holes, tails and necks?"""
    outline = corners = 0
    for cell in area:
        beside = [cell + step in area for step in STEPS]
        after = beside[1:] + beside[:1]
        # A cell whose neighbours form several groups is a neck, or closes a hole.
        if sum(map(gt, after, beside)) > 1:
            return False
        outline += beside.count(False)
        corners += sum(map(and_, beside, after))
    touching = (6 * len(area) - outline) // 2
    # Euler: cells - touching pairs + touching threes = 1 - holes.
    return outline <= max_outline and len(area) - touching + corners // 3 == 1


def _drawn_size(shape: Shape) -> tuple[int, Shape]:
    """How large a square the drawing needs, in half cells across (a row is 1.73 of them high)."""
    columns = [2 * q + r for q, r in shape]
    rows = [r for _, r in shape]
    across, down = max(columns) - min(columns) + 2, max(rows) - min(rows) + 1
    return max(100 * across, 173 * down), shape


def _choose_sets(sets: Sequence[int], stream: chance.Stream) -> Iterator[tuple[int, ...]]:
    """A set for every colour, without a common shape; the first colour's is new each time."""
    of_colour = [[used for used in sets if used & every == used] for every in COLOUR_BITS.values()]

    def disjoint(colours: Sequence[Sequence[int]], taken: int) -> tuple[int, ...] | None:
        if not colours:
            return ()
        for used in colours[0]:
            if not used & taken and (others := disjoint(colours[1:], taken | used)) is not None:
                return used, *others
        return None

    shuffles = sum(max(len(own) - 1, 0) for own in of_colour[1:])
    for used in stream.shuffled(of_colour[0]):
        if disjoint(of_colour[1:], used) is None:
            stream.skip(shuffles)  # no order would help
            continue
        others = disjoint([stream.shuffled(own) for own in of_colour[1:]], used)
        assert others is not None
        yield used, *others


def _numbers_in(colour: Colour, pieces: int) -> tuple[int, ...]:
    return tuple([number for number, bit in PIECE_BITS[colour] if bit & pieces])


def _find_unique_sets(area: Shape, number: int) -> list[int]:
    """All sets of this many shapes of one colour that fill the area in exactly one way.

    Nearly all of the time for a deck goes here: about 7 s for the standard one.
    """
    cells, places = solver.placements(area, list(SHAPE_BITS))
    by_lowest_cell: dict[int, list[tuple[int, int]]] = {}
    shape_of: dict[int, int] = {}
    for bit, masks in zip(SHAPE_BITS.values(), places, strict=True):
        for mask in masks:
            by_lowest_cell.setdefault(mask & -mask, []).append((mask, bit))
            shape_of[mask] = bit
    solutions = Counter[int]()

    def cover(free: int, used: int, allowed: int, left: int) -> None:
        if not MIN_PIECE_CELLS * left <= free.bit_count() <= MAX_PIECE_CELLS * left:
            return
        for mask, bit in by_lowest_cell.get(free & -free, ()):
            if mask & free == mask and bit & allowed:
                compatible = allowed & COMPATIBLE[bit]
                if left > 2:
                    cover(free ^ mask, used | bit, compatible, left - 1)
                elif shape_of.get(free ^ mask, 0) & compatible:
                    solutions[used | bit | shape_of[free ^ mask]] += 1

    cover(sum(cells), 0, sum(SHAPE_BITS.values()), number)
    return [used for used, count in solutions.items() if count == 1]
