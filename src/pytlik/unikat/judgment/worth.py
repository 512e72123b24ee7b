# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What a hand is worth: a sum of weighted features, made AFTER a turn or BEFORE a tile comes unseen
from the bag."""

if __file__.endswith(".py"):
    from pytlik.unikat.judgment.hand import *

WON = 99.0
"""The judgment of a turn that lays the last tile."""


def beside(q: "Mind", tiles: int) -> int:
    """The tiles of the hand that may touch one of these."""
    found = 0
    while tiles:
        found |= q.adjacent[lowest(tiles)]
        tiles &= tiles - 1
    return found


def add(q: "Mind", part: int, amount: float) -> None:
    q.part[q.parts] = part
    q.amount[q.parts] = amount
    q.parts += 1


def judge(
    q: "Mind",
    t: "Table",
    tiles: int,
    paths: int,
    ends: int,
    core: int,
    core_ends: int,
    startable: int,
    quiet: int,
    display_low: int,
    display_high: int,
    moment: int,
) -> float:
    """A number that is the higher the better for the one who would hold these tiles."""
    n = ones(tiles)
    reach_low = reach_high = join_low = join_high = 0
    fits = 0
    bits = ends
    while bits:
        tile = q.tile[lowest(bits)]
        bits &= bits - 1
        join_low |= reach_low & PARTNERS_LOW[tile]
        join_high |= reach_high & PARTNERS_HIGH[tile]
        reach_low |= PARTNERS_LOW[tile]
        reach_high |= PARTNERS_HIGH[tile]
        fits += t.fits[tile]
    case = paths - 1 if paths < 4 else 3
    starts = ones(ends & startable)
    q.parts = 0
    add(q, n * 9 + (min(8, paths)), 1.0)
    add(q, 108 + case * 4 + (min(3, starts)), 1.0)
    if q.unseen > 0:
        add(q, 124 + case, ones(reach_low & q.unseen_low) + ones(reach_high & q.unseen_high))
        q.amount[q.parts - 1] /= q.unseen
        add(q, 128 + case, ones(join_low & q.unseen_low) + ones(join_high & q.unseen_high))
        q.amount[q.parts - 1] /= q.unseen
    shown = ones(reach_low & display_low) + ones(reach_high & display_high)
    if shown:
        add(q, 132 + case, min(3, shown))
    if join_low & display_low or join_high & display_high:
        add(q, 136 + case, 1.0)
    corners = ones(tiles & q.corners)
    if corners:
        add(q, 140 + case, min(2, corners))
    add(q, 144 + case, min(10, fits))
    q.amount[q.parts - 1] *= 0.1
    fewest = min(10, q.fewest)
    add(q, (148 if paths == 1 else 159) + fewest, 1.0)
    add(q, 170 + (min(10, q.next_count)), 1.0)
    add(q, 181, q.others * 0.1)
    if t.bag_next == t.bag_end:
        add(q, 182, 1.0)
    add(q, 183, (t.bag_end - t.bag_next) * 0.02)
    add(q, 184, n * fewest * 0.01)
    add(q, 185, paths * fewest * 0.02)
    beyond = n - ones(core)
    add(q, 186 + beyond, 1.0)
    add(q, 224 + (n * 4 + case) * 10 + beyond, 1.0)
    reach_low = reach_high = 0
    bits = core_ends
    while bits:
        tile = q.tile[lowest(bits)]
        bits &= bits - 1
        reach_low |= PARTNERS_LOW[tile]
        reach_high |= PARTNERS_HIGH[tile]
    few = min(4, beyond)
    if q.unseen > 0:
        add(q, 664 + few, ones(reach_low & q.unseen_low) + ones(reach_high & q.unseen_high))
        q.amount[q.parts - 1] /= q.unseen
    shown = ones(reach_low & display_low) + ones(reach_high & display_high)
    if shown:
        add(q, 670 + few, min(3, shown))
    if (core_ends & startable) == 0:
        add(q, 676 + few, 1.0)
    add(q, 682 + (min(12, quiet)), 1.0)
    total = 0.0
    first = moment * FEATURES
    for number in range(q.parts):
        total += q.weights[first + q.part[number]] * q.amount[number]
    return total


def judge_hand(
    q: "Mind", t: "Table", tiles: int, laid: int, display_low: int, display_high: int, moment: int
) -> float:
    """Of tiles of the hand, where others of it have been laid."""
    return judge(
        q,
        t,
        tiles,
        q.paths[tiles],
        q.ends[tiles],
        q.core[tiles],
        q.ends[q.core[tiles]],
        q.starts | beside(q, laid),
        0 if laid or t.laid else (t.quiet + 1) // t.players,
        display_low,
        display_high,
        moment,
    )


def judge_with(
    q: "Mind", t: "Table", tiles: int, laid: int, display_low: int, display_high: int, moment: int
) -> float:
    """Of tiles of the hand with the one more."""
    startable = q.starts | beside(q, laid)
    if t.fits[q.tile[q.n]] > 0 or q.adjacent[q.n] & laid:
        startable |= 1 << q.n
    group = tiles & q.hanging
    rest = tiles ^ group
    core = longer_with(q, q.core_with[group], q.core[rest])
    return judge(
        q,
        t,
        tiles | 1 << q.n,
        q.paths_with[group] + q.paths[rest],
        q.ends_with[group] | q.ends[rest],
        core,
        q.ends_with[core & q.full] if core > q.full else q.ends[core],
        startable,
        0 if laid or t.laid else (t.quiet + 1) // t.players,
        display_low,
        display_high,
        moment,
    )


def judge_seat(q: "Mind", t: "Table", seat: int, moment: int) -> float:
    """Of a seat's hand as it is: the turn is over, or a tile is about to come from the bag."""
    sit(q, t, seat)
    laid = t.laid
    quiet = t.quiet
    if moment == AFTER:
        # The turn that is over is already counted.
        t.laid = 1 if quiet == 0 else 0
        t.quiet -= 1
    value = judge_hand(q, t, q.full, 0, q.display_low, q.display_high, moment)
    t.laid = laid
    t.quiet = quiet
    return value


def chance_of(value: float) -> float:
    """A judgment as a chance to win."""
    return 1.0 / (1.0 + exp(-value))
