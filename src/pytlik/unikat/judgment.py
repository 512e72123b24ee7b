# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""How good a hand is, and what a player who judges by that does.

A turn draws at most one tile, so a tile laid alone is no progress: what counts is how near a hand
is to being laid in one turn. Its heart is the fewest chains that cover the hand, which are known
for all subsets at once: the fewest for a set are those for the set without one of its tiles, and
one more unless that tile may touch the end of one of them.

A judgment is the chance to win the round (or the points to expect) by a sum of weighted features.
The weights were learned from games of this player with itself. It is made AFTER a turn, or BEFORE a
tile comes unseen from the bag.

Compiled, with the types of judgment.pxd, where the kernel is. Sets of tiles of the hand are
numbers: the tile at a place in the hand is a bit.
"""

COMPILED = not __file__.endswith(".py")

if not COMPILED:
    from pytlik.unikat.kernel import *
    from pytlik.unikat.plain import *

WON = 99.0
"""The judgment of a turn that lays the last tile."""

# ------------------------------------------------------------------------------------ the hand


def sit(q: "Mind", t: "Table", seat: int) -> None:
    """See what a seat sees."""
    n = t.hand_count[seat]
    q.n = n
    q.full = (1 << n) - 1
    for tile in range(TILES):
        q.local[tile] = 0
    for place in range(n):
        tile = t.hand[seat * 12 + place]
        q.tile[place] = tile
        for which in range(8):
            q.local[PARTNER[tile * 8 + which]] |= 1 << place
    q.starts = 0
    for place in range(n):
        tile = q.tile[place]
        q.adjacent[place] = q.local[tile]
        if t.fits[tile] > 0:
            q.starts |= 1 << place
    q.corners = 0
    for edge in range(t.edges):
        # One tile leaves 8 that fit, two leave at most 2.
        if ones(t.edge_low[edge]) + ones(t.edge_high[edge]) <= 2:
            for place in range(n):
                tile = q.tile[place]
                if (LOW[tile] & t.edge_low[edge]) | (HIGH[tile] & t.edge_high[edge]):
                    q.corners |= 1 << place
    q.display_low = q.display_high = 0
    for place in range(t.display_count):
        q.display_low |= LOW[t.display[place]]
        q.display_high |= HIGH[t.display[place]]
    q.unseen_low = q.unseen_high = 0
    for tile in range(TILES):
        if t.place[tile] < 0:
            q.unseen_low |= LOW[tile]
            q.unseen_high |= HIGH[tile]
    q.unseen_low &= ~(q.display_low | t.hand_low[seat])
    q.unseen_high &= ~(q.display_high | t.hand_high[seat])
    q.fewest = TILES
    q.others = 0.0
    for other in range(t.players):
        if other != seat:
            q.unseen_low &= ~t.known_low[other]
            q.unseen_high &= ~t.known_high[other]
            q.others += t.hand_count[other]
            q.fewest = min(q.fewest, t.hand_count[other])
    q.others /= t.players - 1
    q.next_count = t.hand_count[seat + 1 if seat + 1 < t.players else 0]
    q.unseen = ones(q.unseen_low) + ones(q.unseen_high)
    chart(q)


def chart(q: "Mind") -> None:
    q.paths[0] = 0
    q.ends[0] = 0
    q.core[0] = 0
    for place in range(q.n):
        q.piece[place] = joined(q, 1 << place, q.full)
    for tiles in range(1, q.full + 1):
        group = tiles & q.piece[lowest(tiles)]
        if group == tiles:
            group = joined(q, tiles & -tiles, tiles)
        if group != tiles:
            rest = tiles ^ group
            q.paths[tiles] = q.paths[group] + q.paths[rest]
            q.ends[tiles] = q.ends[group] | q.ends[rest]
            q.core[tiles] = longer(q.core[group], q.core[rest])
            continue
        best = 99
        ends = 0
        core = 0
        bits = tiles
        while bits:
            bit = bits & -bits
            bits ^= bit
            rest = tiles ^ bit
            count = q.paths[rest]
            if (q.adjacent[lowest(bit)] & q.ends[rest]) == 0:
                count += 1
            if count < best:
                best = count
                ends = bit
            elif count == best:
                ends |= bit
            if ones(q.core[rest]) > ones(core):
                core = q.core[rest]
        q.paths[tiles] = best
        q.ends[tiles] = ends
        q.core[tiles] = tiles if best == 1 else core


def joined(q: "Mind", group: int, tiles: int) -> int:
    """Some tiles with all those of a set that hang together with them. What doesn't has chains of
    its own, and most hands are in pieces: that saves most of the work."""
    fresh = group
    while fresh:
        near = q.adjacent[lowest(fresh)] & tiles & ~group
        group |= near
        fresh = (fresh & (fresh - 1)) | near
    return group


def longer(one: int, other: int) -> int:
    """Of two chains without a tile in common; of two as long the one without the first tile."""
    if ones(one) != ones(other):
        return one if ones(one) > ones(other) else other
    return other if one & (one | other) & -(one | other) else one


def chart_with(q: "Mind", tile: int) -> None:
    """The same with one tile more, which stands behind the hand: only for the sets of tiles that
    hang together with it in the hand."""
    near = q.local[tile]
    extra = 1 << q.n
    q.tile[q.n] = tile
    q.adjacent[q.n] = near
    q.hanging = joined(q, near, q.full)
    tiles = 0
    while True:
        group = joined(q, near & tiles, tiles)
        if group != tiles:
            rest = tiles ^ group
            q.paths_with[tiles] = q.paths_with[group] + q.paths[rest]
            q.ends_with[tiles] = q.ends_with[group] | q.ends[rest]
            q.core_with[tiles] = longer_with(q, q.core_with[group], q.core[rest])
        else:
            best = q.paths[tiles]
            if (near & q.ends[tiles]) == 0:
                best += 1
            ends = extra
            core = q.core[tiles]
            bits = tiles
            while bits:
                bit = bits & -bits
                bits ^= bit
                rest = tiles ^ bit
                count = q.paths_with[rest]
                close = q.adjacent[lowest(bit)]
                if near & bit:
                    close |= extra
                if (close & q.ends_with[rest]) == 0:
                    count += 1
                if count < best:
                    best = count
                    ends = bit
                elif count == best:
                    ends |= bit
                if ones(q.core_with[rest]) > ones(core):
                    core = q.core_with[rest]
            q.paths_with[tiles] = best
            q.ends_with[tiles] = ends
            q.core_with[tiles] = tiles | extra if best == 1 else core
        if tiles == q.hanging:
            return
        tiles = (tiles - q.hanging) & q.hanging  # the next set of them


def longer_with(q: "Mind", one: int, other: int) -> int:
    """The same where the first may have the one more, which counts as the first tile."""
    if one > q.full and ones(one) == ones(other):
        return other
    return longer(one, other)


def beside(q: "Mind", tiles: int) -> int:
    """The tiles of the hand that may touch one of these."""
    found = 0
    while tiles:
        found |= q.adjacent[lowest(tiles)]
        tiles &= tiles - 1
    return found


# --------------------------------------------------------------------------------- the judgment


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


# --------------------------------------------------------------------------------------- chains


def look(q: "Mind", t: "Table", cell: int) -> int:
    """Which tiles of the hand fit on an empty cell; and how many tiles it touches."""
    fits = q.full
    touched = 0
    for side in range(4):
        what = t.at[(cell + OFFSET[side]) & AROUND]
        if 0 < what < EDGE:
            fits &= q.local[what - 1]
            touched += 1
    q.touched = touched
    return fits


def may_begin(t: "Table", cell: int) -> int:
    """Where the extra action must go on it begins next to the last tile (U10)."""
    if t.phase != BONUS or not t.continues:
        return 1
    for side in range(4):
        if (cell + OFFSET[side]) & AROUND == t.last:
            return 1
    return 0


def find_chains(q: "Mind", t: "Table", earning: int) -> None:
    """Chains, one for each set of tiles that is left and whether it earns a double turn."""
    q.stamp += 1
    q.found = 0
    q.depth = 0
    q.nodes = q.limit
    for edge in range(t.edges):
        if (t.edge_low[edge] & t.hand_low[t.to_move]) == 0 and (
            t.edge_high[edge] & t.hand_high[t.to_move]
        ) == 0:
            continue
        cell = t.edge_cell[edge]
        if may_begin(t, cell):
            chains_at(q, t, cell, q.full, 0, earning)


def chains_at(q: "Mind", t: "Table", cell: int, rest: int, bonus: int, earning: int) -> None:
    """Those that go on in a cell. Of what ends with the same tile only the first goes on."""
    fits = look(q, t, cell) & rest
    if fits == 0:
        return
    earns = bonus
    if earning and q.touched > 1:
        earns = 1
    what = t.at[cell]
    while fits:
        place = lowest(fits)
        fits &= fits - 1
        left = rest ^ (1 << place)
        key = (left * 12 + place) * 2 + earns
        if q.seen[key] == q.stamp or q.nodes <= 0:
            continue
        q.seen[key] = q.stamp
        q.nodes -= 1
        q.path_tile[q.depth] = q.tile[place]
        q.path_cell[q.depth] = cell
        q.depth += 1
        note_chain(q, left, earns)
        if q.adjacent[place] & left:
            t.at[cell] = q.tile[place] + 1
            for side in range(4):
                near = (cell + OFFSET[side]) & AROUND
                beyond = t.at[near]
                if beyond == 0 or beyond >= EDGE:
                    chains_at(q, t, near, left, earns, earning)
            t.at[cell] = what
        q.depth -= 1


def note_chain(q: "Mind", rest: int, bonus: int) -> None:
    if q.noted[rest * 2 + bonus] == q.stamp:
        return
    q.noted[rest * 2 + bonus] = q.stamp
    number = q.found
    q.found = number + 1
    q.left[number] = rest
    q.earns[number] = bonus
    q.length[number] = q.depth
    for place in range(q.depth):
        q.chain_tile[number * 10 + place] = q.path_tile[place]
        q.chain_cell[number * 10 + place] = q.path_cell[place]


def lays_all(q: "Mind", t: "Table", doubles: int) -> int:
    """Can all tiles be laid now? The first chain is then kept."""
    if q.paths[q.full] > 1 + doubles:
        return 0
    q.depth = 0
    q.nodes = q.limit
    for edge in range(t.edges):
        if (t.edge_low[edge] & t.hand_low[t.to_move]) == 0 and (
            t.edge_high[edge] & t.hand_high[t.to_move]
        ) == 0:
            continue
        cell = t.edge_cell[edge]
        if may_begin(t, cell) and out_at(q, t, cell, q.full, 0, doubles):
            return 1
    return 0


def out_at(q: "Mind", t: "Table", cell: int, rest: int, bonus: int, doubles: int) -> int:
    """Does a chain that goes on in a cell lay all the rest? `bonus` is -1 for a second chain."""
    fits = look(q, t, cell) & rest
    if fits == 0:
        return 0
    earns = bonus
    if doubles and q.touched > 1:
        earns = 1
    what = t.at[cell]
    while fits:
        place = lowest(fits)
        fits &= fits - 1
        left = rest ^ (1 << place)
        goes_on = q.adjacent[place] & q.ends[left]
        paths = q.paths[left]
        if paths > 1 + doubles or (paths == 1 + doubles and goes_on == 0):
            continue
        q.nodes -= 1
        if q.nodes < 0:
            return 0
        q.path_tile[q.depth] = q.tile[place]
        q.path_cell[q.depth] = cell
        q.depth += 1
        if left == 0:
            if bonus >= 0:
                keep_out(q)
            return 1
        t.at[cell] = q.tile[place] + 1
        found = 0
        if earns > 0 and paths == 1 and out_again(q, t, left):
            keep_out(q)
            found = 1
        if found == 0 and q.adjacent[place] & left:
            for side in range(4):
                near = (cell + OFFSET[side]) & AROUND
                beyond = t.at[near]
                if (beyond == 0 or beyond >= EDGE) and out_at(q, t, near, left, earns, doubles):
                    found = 1
                    break
        t.at[cell] = what
        if found:
            return 1
        q.depth -= 1
    return 0


def keep_out(q: "Mind") -> None:
    q.out_length = q.depth
    for place in range(q.depth):
        q.out_tile[place] = q.path_tile[place]
        q.out_cell[place] = q.path_cell[place]


def out_again(q: "Mind", t: "Table", rest: int) -> int:
    """After a first chain that earned it: does a second one lay all the rest?"""
    depth = q.depth
    first = q.depth - 1 if t.continues else 0
    found = 0
    for place in range(first, depth):
        for side in range(4):
            near = (q.path_cell[place] + OFFSET[side]) & AROUND
            beyond = t.at[near]
            if found == 0 and (beyond == 0 or beyond >= EDGE):
                found = out_at(q, t, near, rest, -1, 0)
    if found == 0 and not t.continues:
        for edge in range(t.edges):
            cell = t.edge_cell[edge]
            if found == 0 and t.at[cell] >= EDGE:
                found = out_at(q, t, cell, rest, -1, 0)
    q.depth = depth
    return found


# -------------------------------------------------------------------------------- what to do now


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


# ------------------------------------------------------------------------- what others may hold


def settle(q: "Mind", t: "Table", seat: int) -> None:
    """Make guessed hands such as players keep.

    Somebody who has drawn and swapped holds the best of what came by, and not just any tiles: a
    guess draws again, and puts back what does not belong. How much came by is known from the bag
    and from the tiles that were seen going into a hand, for which others were given; how often a
    guess must draw for that was measured, so that it needs as many chains as real hands do.
    """
    in_bag = t.bag_end - t.bag_next
    if in_bag == 0:
        return
    drawn = max(0, IN_ALL - 10 * t.players - in_bag) // t.players
    often = 2 if t.players == 2 else 3
    for other in range(t.players):
        if other != seat:
            came = drawn + ones(t.known_low[other]) + ones(t.known_high[other])
            for number in range(often * came):
                if number == often * (came - 1):
                    unready(q, t, other)
                improve(q, t, other, t.bag_next + below(t, in_bag))


def unready(q: "Mind", t: "Table", seat: int) -> None:
    """Who could have laid all tiles before the last one came would have done so: then some tile of
    the hand was another."""
    mover = t.to_move
    phase = t.phase
    t.to_move = seat
    t.phase = ACTION
    for _ in range(10):
        sit(q, t, seat)
        if not (lays_all(q, t, 0) or lays_all(q, t, 1)):
            break
        given = q.tile[below(t, q.n)]
        if ((t.known_low[seat] & LOW[given]) | (t.known_high[seat] & HIGH[given])) == 0:
            place = t.bag_next + below(t, t.bag_end - t.bag_next)
            out_of_hand(t, seat, given)
            into_hand(t, seat, t.bag[place])
            t.bag[place] = given
    t.to_move = mover
    t.phase = phase


def improve(q: "Mind", t: "Table", seat: int, place: int) -> None:
    """Give a hand a tile of the bag for one that nobody has seen, if that makes it better."""
    sit(q, t, seat)
    tile = t.bag[place]
    if q.n == 0 or q.local[tile] == 0:
        return
    chart_with(q, tile)
    best = judge_hand(q, t, q.full, 0, q.display_low, q.display_high, AFTER)
    given = -1
    for index in range(q.n):
        held = q.tile[index]
        if (t.known_low[seat] & LOW[held]) | (t.known_high[seat] & HIGH[held]):
            continue
        rest = q.full ^ (1 << index)
        value = judge_with(q, t, rest, 0, q.display_low, q.display_high, AFTER)
        if value > best:
            best = value
            given = held
    if given >= 0:
        out_of_hand(t, seat, given)
        into_hand(t, seat, tile)
        t.bag[place] = given


# ----------------------------------------------------------------------------- what Python holds


class Judge:
    """A mind that can be asked."""

    def __cinit__(self) -> None:
        self.mind = new_mind()
        self.spare = new_table()
        self.guessed = new_table()
        self.mind.limit = 5000

    def __init__(self) -> None:
        if not COMPILED:
            self.__cinit__()

    def __dealloc__(self) -> None:
        drop_mind(self.mind)
        drop_table(self.spare)
        drop_table(self.guessed)

    def set_weights(self, weights: list[float]) -> None:
        for place in range(2 * FEATURES):
            self.mind.weights[place] = weights[place]

    def set_limit(self, nodes: int) -> None:
        self.mind.limit = nodes

    @property
    def grows(self) -> float:
        """By so much a swap for an unseen tile is worse if a draw follows: one more to lay."""
        return self.mind.weights[GROWS]

    def consider(self, round_: "Round") -> int:
        """How many options the one to move has."""
        self.mind.quick = 0
        weigh(self.mind, round_.table)
        return self.mind.options

    def best(self) -> int:
        return best_option(self.mind)

    def seen_option(self, number: int) -> tuple[int, int, int, float]:
        q = self.mind
        return q.kind[number], q.one[number], q.other[number], q.value[number]

    def choose(self, round_: "Round", number: int) -> None:
        do_option(self.mind, round_.table, number)

    def steps(self, round_: "Round", number: int) -> list[int]:
        """The steps of an option."""
        q = self.mind
        kind = q.kind[number]
        if kind == SWAP:
            return [GIVE + q.one[number], BAG if q.other[number] < 0 else TAKE + q.other[number]]
        if kind == TAKING_ONE:
            return [BAG if q.one[number] < 0 else TAKE + q.one[number]]
        if kind == ENDING:
            return [STOP]
        t = self.spare
        copy_table(round_.table, t)
        length = q.out_length if kind == OUT else q.length[q.one[number]]
        first = q.one[number] * 10
        found = []
        for place in range(length):
            if kind == OUT:
                tile = q.out_tile[place]
                cell = q.out_cell[place]
            else:
                tile = q.chain_tile[first + place]
                cell = q.chain_cell[first + place]
            found.append(lay_number(t, tile, t.at[cell] - EDGE))
            lay(t, tile, cell)
        if t.phase == CHAIN:
            found.append(STOP)
        return found

    def guess(self, round_: "Round", chance: int, seat: int) -> None:
        """Make up what a seat may not know."""
        copy_table(round_.table, self.guessed)
        self.guessed.chance = chance
        mix_unknown(self.guessed, seat)
        settle(self.mind, self.guessed, seat)

    @property
    def guessed_hands(self) -> list[list[int]]:
        t = self.guessed
        return [
            [t.hand[seat * 12 + place] for place in range(t.hand_count[seat])]
            for seat in range(t.players)
        ]

    def imagine(self, steps: list[int]) -> None:
        """With the last guess play steps, and then everyone as this mind would, to the end of the
        round."""
        t = self.spare
        copy_table(self.guessed, t)
        for step in steps:
            play(t, step)
        play_on(self.mind, t)

    @property
    def imagined(self) -> tuple[int, list[int]]:
        """Who wins so, a bit a seat, and how many tiles the hands hold then."""
        t = self.spare
        return t.winners, [t.hand_count[seat] for seat in range(t.players)]

    def described(
        self, round_: "Round", seat: int, moment: int
    ) -> tuple[list[int], list[float], float]:
        q = self.mind
        value = judge_seat(q, round_.table, seat, moment)
        return (
            [q.part[place] for place in range(q.parts)],
            [q.amount[place] for place in range(q.parts)],
            value,
        )
