# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What can be done now, with its value; and doing it."""

if __file__.endswith(".py"):
    from pytlik.unikat.judgment.chains import *
    from pytlik.unikat.judgment.worth import *
    from pytlik.unikat.kernel.actions import *


# -------------------------------------------------------------------------------------- weighing


def option(q: "Mind", kind: int, one: int, other: int, value: float) -> None:
    number = q.options
    q.options = number + 1
    q.kind[number] = kind
    q.one[number] = one
    q.other[number] = other
    q.value[number] = value


def ask_worth(q: "Mind", tiles: int) -> None:
    if q.in_sets[tiles] != q.stamp:
        q.in_sets[tiles] = q.stamp
        q.sets[q.asked] = tiles
        q.asked += 1


def weigh(q: "Mind", t: "Table") -> None:
    """All that can be done now, with its value."""
    q.options = 0
    sit(q, t, t.to_move)
    if t.phase == DRAW:
        weigh_draw(q, t)
        return
    if lays_all(q, t, 0) or (t.phase == ACTION and lays_all(q, t, 1)):
        option(q, OUT, 0, 0, 99.0)
        if q.quick:
            return
    find_chains(q, t, 1 if t.phase == ACTION else 0)
    weigh_lays(q, t)
    if q.options == 0:
        option(q, ENDING, 0, 0, 0.0)


def weigh_draw(q: "Mind", t: "Table") -> None:
    if t.bag_next < t.bag_end:
        value = judge_hand(q, t, q.full, 0, q.display_low, q.display_high, BEFORE)
        option(q, TAKING_ONE, -1, 0, value)
    for place in range(t.display_count):
        tile = t.display[place]
        if q.quick and q.options and q.local[tile] == 0:
            continue
        chart_with(q, tile)
        value = judge_with(
            q, t, q.full, 0, q.display_low & ~LOW[tile], q.display_high & ~HIGH[tile], AFTER
        )
        option(q, TAKING_ONE, tile, 0, value)


def weigh_lays(q: "Mind", t: "Table") -> None:
    """Lays by what they leave, with the best draw then; swaps on the way."""
    bag = 1 if t.bag_next < t.bag_end else 0
    q.asked = 0
    for number in range(q.found):
        ask_worth(q, q.left[number])
        if q.earns[number]:
            # What a second chain could lay, if places did not matter.
            rest = q.left[number]
            startable = q.starts | beside(q, q.full ^ rest)
            chain = rest
            while chain:
                if q.paths[chain] == 1 and q.ends[chain] & startable:
                    ask_worth(q, rest ^ chain)
                chain = (chain - 1) & rest
    if t.phase == BONUS:
        ask_worth(q, q.full)
    for number in range(q.asked):
        tiles = q.sets[number]
        if tiles == 0:
            q.worth[0] = -99.0  # no: that was looked at before, with places
        elif bag:
            q.worth[tiles] = judge_hand(
                q, t, tiles, q.full ^ tiles, q.display_low, q.display_high, BEFORE
            )
        elif t.display_count:
            q.worth[tiles] = -99.0
        else:
            q.worth[tiles] = judge_hand(
                q, t, tiles, q.full ^ tiles, q.display_low, q.display_high, AFTER
            )
    if bag:
        for place in range(q.n):
            rest = q.full ^ (1 << place)
            given = q.tile[place]
            value = judge_hand(
                q, t, rest, 0, q.display_low | LOW[given], q.display_high | HIGH[given], BEFORE
            )
            if q.n < 10:
                value -= q.weights[GROWS]
            option(q, SWAP, given, -1, value)
    for place in range(t.display_count):
        tile = t.display[place]
        if q.quick and bag and q.local[tile] == 0:
            continue  # the bag is as good
        low = q.display_low & ~LOW[tile]
        high = q.display_high & ~HIGH[tile]
        chart_with(q, tile)
        for number in range(q.asked):
            tiles = q.sets[number]
            if tiles:
                value = judge_with(q, t, tiles, q.full ^ tiles, low, high, AFTER)
                q.worth[tiles] = max(q.worth[tiles], value)
        weigh_swaps(q, t, tile)
    for number in range(q.found):
        rest = q.left[number]
        if rest == 0:
            continue
        best = q.worth[rest]
        if q.earns[number]:
            startable = q.starts | beside(q, q.full ^ rest)
            chain = rest
            while chain:
                if q.paths[chain] == 1 and q.ends[chain] & startable:
                    value = q.worth[rest ^ chain]
                    best = max(best, value)
                chain = (chain - 1) & rest
        option(q, LAY, number, 0, best)
    if t.phase == BONUS:
        option(q, ENDING, 0, 0, q.worth[q.full])


def weigh_swaps(q: "Mind", t: "Table", tile: int) -> None:
    """Swaps that take this tile of the display, which is the one more."""
    for place in range(q.n):
        given = q.tile[place]
        value = judge_with(
            q,
            t,
            q.full ^ (1 << place),
            0,
            (q.display_low & ~LOW[tile]) | LOW[given],
            (q.display_high & ~HIGH[tile]) | HIGH[given],
            AFTER if q.n == 10 else BEFORE,
        )
        option(q, SWAP, given, tile, value)


# -------------------------------------------------------------------------------------- choosing


def best_option(q: "Mind") -> int:
    best = 0
    for number in range(1, q.options):
        if q.value[number] > q.value[best]:
            best = number
    return best


def do_option(q: "Mind", t: "Table", number: int) -> None:
    kind = q.kind[number]
    if kind == OUT:
        for place in range(q.out_length):
            lay(t, q.out_tile[place], q.out_cell[place])
        if t.phase == CHAIN:
            stop(t)
    elif kind == LAY:
        first = q.one[number] * 10
        for place in range(first, first + q.length[q.one[number]]):
            lay(t, q.chain_tile[place], q.chain_cell[place])
        if t.phase == CHAIN:
            stop(t)
    elif kind == SWAP:
        give(t, q.one[number])
        if q.other[number] < 0:
            take_unseen(t)
        else:
            take(t, q.other[number])
    elif kind == TAKING_ONE:
        if q.one[number] < 0:
            take_unseen(t)
        else:
            take(t, q.one[number])
    else:
        stop(t)


def play_on(q: "Mind", t: "Table") -> None:
    """To the end of the round."""
    q.quick = 1
    while t.phase != OVER:
        weigh(q, t)
        do_option(q, t, best_option(q))
