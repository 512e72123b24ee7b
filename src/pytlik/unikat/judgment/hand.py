# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What a seat sees, and the fewest chains that cover its hand.

These are known for all subsets at once: the fewest for a set are those for the set without one of
its tiles, and one more unless that tile may touch the end of one of them. Sets of tiles of the hand
are numbers: the tile at a place in the hand is a bit.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.judgment.plain import *
    from pytlik.unikat.kernel.table import *


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
