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
BIT_BY_SHAPE = {
    shape: 1 << index
    for index, shape in enumerate(dict.fromkeys(s for own in PIECES.values() for s in own.values()))
}
NUMBERS_AND_BITS_BY_COLOUR = {
    colour: [(number, BIT_BY_SHAPE[shape]) for number, shape in PIECES[colour].items()]
    for colour in Colour
}
SHAPE_MASK_BY_COLOUR = {
    colour: sum(bit for _, bit in own) for colour, own in NUMBERS_AND_BITS_BY_COLOUR.items()
}
SAME_COLOUR_MASK_BY_BIT = {
    bit: reduce(or_, (mask for mask in SHAPE_MASK_BY_COLOUR.values() if mask & bit)) ^ bit
    for bit in BIT_BY_SHAPE.values()
}
"""For the bit of each shape, the other shapes of the colours that have it."""

MIN_PIECE_CELLS, MAX_PIECE_CELLS = min(map(len, BIT_BY_SHAPE)), max(map(len, BIT_BY_SHAPE))

AREA_SIZES_BY_SIDE = {3: (14, 15, 16), 4: (19, 20, 21, 22), 5: (25, 26, 27)}
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


class SideCandidate(NamedTuple):
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
    if cards < 1 or not numbers or not AREA_SIZES_BY_SIDE.keys() >= set(numbers):
        raise ValueError(f"no deck has {cards} cards with sides {tuple(sides)}")
    source = chance.from_text(seed)
    seen = set[Shape]()
    ranked: dict[int, list[Side]] = {}
    for number in numbers:
        candidates: list[SideCandidate] = []
        for slot in range(cards):
            stream = source.stream(f"side {number}, {slot}")
            cells = AREA_SIZES_BY_SIDE[number][slot % len(AREA_SIZES_BY_SIDE[number])]
            candidate, form = _make_side(number, cells, stream, seen)
            candidates.append(candidate)
            seen.add(form)
            progress(len(ranked) * cards + len(candidates), len(numbers) * cards)
        # Each side is sorted on its own, so that both sides of a card have the same rank.
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
) -> tuple[SideCandidate, Shape]:
    """A side with an area that hasn't been seen, and the area's free form."""
    found: list[tuple[SideCandidate, Shape]] = []
    while len(found) < MAX_AREAS_TRIED[number] and (
        not found or found[-1][0].unevenness > GOOD_UNEVENNESS
    ):
        grown = _grow_well_shaped_area(cells, stream)
        if grown is None or grown[0] in seen:
            continue
        form, area = grown
        choices = _choose_disjoint_sets(_find_unique_sets(area, number), stream)
        some = list(islice(choices, MAX_SETS_WEIGHED[number]))
        if some:
            found.append((_pick_most_even_sets(area, some), form))
    return min(found, key=lambda one: one[0].unevenness)


def _pick_most_even_sets(area: Shape, choices: Sequence[tuple[int, ...]]) -> SideCandidate:
    """The choice with the closest efforts. Sets from different choices are combined as well: that
    gives many more choices, and no more efforts to work out."""
    weighed: list[list[tuple[int, float]]] = []
    for colour, own in zip(Colour, map(dict.fromkeys, zip(*choices, strict=True)), strict=True):
        sets = [[PIECES[colour][number] for number in _piece_numbers(colour, used)] for used in own]
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
    sets_of = {c: _piece_numbers(c, used) for c, (used, _) in zip(Colour, best, strict=True)}
    return SideCandidate(Side(area=area, sets=sets_of), tuple(effort for _, effort in best))


# While an area grows, a cell is a number: ROW_STRIDE for each q and 1 for each r. They sort as the
# cells do.
ROW_STRIDE = 64
NEIGHBOUR_STEPS = tuple(ROW_STRIDE * q + r for q, r in DIRECTIONS)


def _grow_well_shaped_area(size: int, stream: chance.Stream) -> tuple[Shape, Shape] | None:
    """A random area: its free form, and the orientation that takes least room when drawn. None if
    it isn't well shaped."""
    area = _grow_area(size, stream)
    if not _is_well_shaped(area, 2 * ceil(sqrt(12 * size - 3)) + MAX_EXTRA_OUTLINE):
        return None
    forms = orientations(_hex_of_number(number) for number in area)
    return forms[0], min(forms, key=_drawing_size_key)


def _grow_area(size: int, stream: chance.Stream) -> set[int]:
    """Add cell after cell; those that touch many others are more likely."""
    area = {0}
    border = dict.fromkeys(NEIGHBOUR_STEPS, 1)
    total = len(border)
    while len(area) < size:
        at = stream.below(total)
        for cell in sorted(border):
            at -= border[cell] ** 2
            if at < 0:
                break
        total -= border.pop(cell) ** 2
        area.add(cell)
        for step in NEIGHBOUR_STEPS:
            if (beside := cell + step) not in area:
                touching = border.get(beside, 0)
                border[beside] = touching + 1
                total += 2 * touching + 1
    return area


def _hex_of_number(number: int) -> Hex:
    q = (number + ROW_STRIDE // 2) // ROW_STRIDE
    return Hex(q, number - q * ROW_STRIDE)


def _is_well_shaped(area: set[int], max_outline: int) -> bool:
    """Is the area compact, without holes, tails and necks?"""
    outline = corners = 0
    for cell in area:
        beside = [cell + step in area for step in NEIGHBOUR_STEPS]
        after = beside[1:] + beside[:1]
        # A cell whose neighbours form several groups is a neck, or closes a hole.
        if sum(map(gt, after, beside)) > 1:
            return False
        outline += beside.count(False)
        corners += sum(map(and_, beside, after))
    touching = (6 * len(area) - outline) // 2
    # Euler: cells - touching pairs + touching threes = 1 - holes.
    return outline <= max_outline and len(area) - touching + corners // 3 == 1


def _drawing_size_key(shape: Shape) -> tuple[int, Shape]:
    """Orders shapes by how large a square the drawing needs, in half cells (a row is 1.73 of them
    high), times 100."""
    columns = [2 * q + r for q, r in shape]
    rows = [r for _, r in shape]
    across, down = max(columns) - min(columns) + 2, max(rows) - min(rows) + 1
    return max(100 * across, 173 * down), shape


def _choose_disjoint_sets(sets: Sequence[int], stream: chance.Stream) -> Iterator[tuple[int, ...]]:
    """A set for every colour, without a common shape; the first colour's is new each time."""
    masks = SHAPE_MASK_BY_COLOUR.values()
    of_colour = [[used for used in sets if used & mask == used] for mask in masks]

    def choose_rest(colours: Sequence[Sequence[int]], taken: int) -> tuple[int, ...] | None:
        if not colours:
            return ()
        for used in colours[0]:
            if not used & taken and (others := choose_rest(colours[1:], taken | used)) is not None:
                return used, *others
        return None

    shuffles = sum(max(len(own) - 1, 0) for own in of_colour[1:])
    for used in stream.shuffled(of_colour[0]):
        if choose_rest(of_colour[1:], used) is None:
            stream.skip(shuffles)  # no order would help
            continue
        others = choose_rest([stream.shuffled(own) for own in of_colour[1:]], used)
        assert others is not None
        yield used, *others


def _piece_numbers(colour: Colour, shapes: int) -> tuple[int, ...]:
    """The numbers that pieces of these shapes have in a colour."""
    return tuple([number for number, bit in NUMBERS_AND_BITS_BY_COLOUR[colour] if bit & shapes])


def _find_unique_sets(area: Shape, number: int) -> list[int]:
    """All sets of this many shapes of one colour that fill the area in exactly one way.

    Nearly all of the time for a deck goes here: about 7 s for the standard one.
    """
    cells, places = solver.placements(area, list(BIT_BY_SHAPE))
    by_lowest_cell: dict[int, list[tuple[int, int]]] = {}
    shape_of: dict[int, int] = {}
    for bit, masks in zip(BIT_BY_SHAPE.values(), places, strict=True):
        for mask in masks:
            by_lowest_cell.setdefault(mask & -mask, []).append((mask, bit))
            shape_of[mask] = bit
    solutions = Counter[int]()

    def count_covers(free: int, used: int, allowed: int, left: int) -> None:
        if not MIN_PIECE_CELLS * left <= free.bit_count() <= MAX_PIECE_CELLS * left:
            return
        for mask, bit in by_lowest_cell.get(free & -free, ()):
            if mask & free == mask and bit & allowed:
                compatible = allowed & SAME_COLOUR_MASK_BY_BIT[bit]
                if left > 2:
                    count_covers(free ^ mask, used | bit, compatible, left - 1)
                elif shape_of.get(free ^ mask, 0) & compatible:
                    solutions[used | bit | shape_of[free ^ mask]] += 1

    count_covers(sum(cells), 0, sum(BIT_BY_SHAPE.values()), number)
    return [used for used, count in solutions.items() if count == 1]
