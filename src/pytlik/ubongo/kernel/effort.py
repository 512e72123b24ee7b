# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""How many pieces a person lays down, in the mean, until a puzzle is solved."""

AS_IT_IS: bool = __file__.endswith(".py")

if AS_IT_IS:
    from pytlik.ubongo.kernel.places import *

MIX = 0x1E3779B97F4A7C15
SPREAD = 0x2545F4914F6CDD1D
"""Large odd numbers: a product with them is as good as chance."""


# ----------------------------------------------------------------------------- what is known


class Known:
    """What was found out about positions (free cells, pieces left) of the puzzle at hand. A stamp
    tells its entries from those of earlier puzzles, so that nothing need be cleared."""

    def __init__(self) -> None:
        if AS_IT_IS:
            self.free = zeros(KNOWN)
            self.code = zeros(KNOWN)
            self.tries = [0.0] * 65536
            self.solved = zeros(KNOWN)
            self.stamp = zeros(KNOWN)
        self.now = 0
        self.used = 0
        self.right = False


# One for all: while it is in use nothing of Python runs that could ask for it again.
KNOWN_HERE = Known()


def slot_of(known: Known, free: int, code: int) -> int:
    """Where this position is kept, or would be."""
    at = ((free ^ code * SPREAD) * MIX >> 48) % KNOWN
    while known.stamp[at] == known.now and (known.free[at] != free or known.code[at] != code):
        at = (at + 1) % KNOWN
    return at


def keep(known: Known, free: int, code: int, tries: float) -> None:
    """What was just found out about this position."""
    if known.used >= KNOWN // 2:
        return
    at = slot_of(known, free, code)
    known.stamp[at] = known.now
    known.free[at] = free
    known.code[at] = code
    known.solved[at] = known.right
    known.tries[at] = tries
    known.used += 1


# --------------------------------------------------------------------------------- the tries


def mean_tries(p: "Puzzle") -> float | None:
    """None if the pieces fit in too many places."""
    if p.covers != p.size:
        return 0.0
    places = spread(p, p.pieces)
    if places is None:
        return None
    known = KNOWN_HERE
    known.now += 1
    known.used = 0
    code = 0
    one = 1
    for kind in range(p.number):
        code += (one << 4 * kind) * p.left[kind]
    return tries(p, places, known, p.area, p.pieces, code)


def tries(p: "Puzzle", places: "Places", known: Known, free: int, left: int, code: int) -> float:
    """The mean number of tries until this is solved, or until all have failed; `known.right` says
    which. In the same order as the reference, so that the sums are the same."""
    if left == 2:
        return tries_of_two(p, places, known, free)
    # With one piece laid no position comes twice.
    twice = left < p.pieces - 1
    if twice:
        slot = slot_of(known, free, code)
        if known.stamp[slot] == known.now:
            known.right = known.solved[slot] > 0
            return known.tries[slot]
    total = 0.0
    right = 0
    if all_reached(p, places, free, left):
        one = 1
        for kind in range(p.number):
            pieces = p.left[kind]
            if not pieces:
                continue
            p.left[kind] -= 1
            right = 0
            good = bad = 0.0
            for part in range(places.start[kind], places.start[kind + 1]):
                fit = places.fits[left * MOST_PLACES + part]
                while fit:
                    number = part * WORD + lowest(fit)
                    fit &= fit - 1
                    lay(places, number, left)
                    rest = free ^ places.mask[number]
                    tried = tries(p, places, known, rest, left - 1, code - (one << 4 * kind))
                    if known.right:
                        right += 1
                        good += 1 + tried
                    else:
                        bad += 1 + tried
            # A wrong way comes before all right ones in one of (right + 1) orders.
            mean = bad / (right + 1) + good / max(right, 1)
            for _ in range(pieces):
                total += mean
            p.left[kind] += 1
        total /= left
    known.right = right > 0
    if twice:
        keep(known, free, code, total)
    return total


# ---------------------------------------------------------------------------- the last two pieces


def tries_of_two(p: "Puzzle", places: "Places", known: Known, free: int) -> float:
    """The same with two pieces left: the last fills what is left or not, and that is seen without a
    try. So all that is needed is how many places there are, and how many right."""
    one = 0
    while not p.left[one]:
        one += 1
    other = one
    if p.left[one] == 1:
        other += 1
        while not p.left[other]:
            other += 1
    known.right = False
    if not all_reached(p, places, free, 2):
        return 0.0
    cell = lowest(free)
    # One of them covers the lowest cell; of equal ones it may be either.
    right = solutions(places, cell, one, other) + solutions(places, cell, other, one)
    known.right = right > 0
    total = mean_of_two(number_of(places, one), right)
    total += total if other == one else mean_of_two(number_of(places, other), right)
    return total / 2


def solutions(places: "Places", cell: int, one: int, other: int) -> int:
    """In how many places of the one on this cell the other has room: then it fills the rest."""
    found = 0
    for part in range(places.start[one], places.start[one + 1]):
        fit = places.fits[2 * MOST_PLACES + part] & places.reach[cell * MOST_PLACES + part]
        while fit:
            number = part * WORD + lowest(fit)
            fit &= fit - 1
            for last in range(places.start[other], places.start[other + 1]):
                if places.fits[2 * MOST_PLACES + last] & ~places.touch[number * MOST_PLACES + last]:
                    found += 1
                    break
    return found


def number_of(places: "Places", kind: int) -> int:
    """How many places a piece has when two are left."""
    found = 0
    for part in range(places.start[kind], places.start[kind + 1]):
        found += ones(places.fits[2 * MOST_PLACES + part])
    return found


def mean_of_two(places: int, right: int) -> float:
    """The mean tries with one of two pieces, where each right place is two of them: both lie."""
    return (places - right) / (right + 1.0) + 2.0 * right / max(right, 1)


# ------------------------------------------------------------------------------- out of reach


def all_reached(p: "Puzzle", places: "Places", free: int, left: int) -> bool:
    """Is every free cell within reach of a piece that is left?"""
    while free:
        if not is_reached(p, places, lowest(free), left):
            return False
        free &= free - 1
    return True


def is_reached(p: "Puzzle", places: "Places", cell: int, left: int) -> bool:
    for kind in range(p.number):
        if p.left[kind]:
            for part in range(places.start[kind], places.start[kind + 1]):
                if places.fits[left * MOST_PLACES + part] & places.reach[cell * MOST_PLACES + part]:
                    return True
    return False
