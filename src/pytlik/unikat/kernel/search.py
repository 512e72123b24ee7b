# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Looking for chains: the turn that lays most, all that may be laid, and the fewest for a hand.

Tiles of the hand have places in it, and sets of them are small numbers.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.kernel.table import *

SEARCH = new_search()
"""What searches write on. Whoever searches holds the interpreter's lock."""


# -------------------------------------------------------------------------------------- the hand


def look_at_hand(s: "Search", t: "Table") -> int:
    """Number the tiles of the hand of the seat to move, for sets of them in one small number; the
    set of all."""
    s.count = t.hand_count[t.to_move]
    for place in range(s.count):
        s.tile[place] = t.hand[t.to_move * 12 + place]
        s.place[s.tile[place]] = place
    return link(s)


def link(s: "Search") -> int:
    """Which tiles of the hand may touch which."""
    for place in range(s.count):
        s.touch[place] = 0
        for other in range(s.count):
            if PARTNER_INDEX[s.tile[place] * TILES + s.tile[other]] < 8:
                s.touch[place] |= 1 << other
    return (1 << s.count) - 1


def fill_covers(s: "Search") -> None:
    """For each part of the hand the fewest chains that lay all of it if places don't matter, and
    with which tiles the last of so few can end."""
    s.cover[0] = 0
    s.ends[0] = 0
    cover_sets(s, 1, 1 << s.count)


def cover_with(s: "Search", tile: int, links: int) -> None:
    """The same for the hand with one more tile, which has the place after its last, and for it
    without any one tile. `links` is how many tiles of the hand may touch the new one."""
    s.tile[s.count] = tile
    s.touch[s.count] = 0
    more = 1 << s.count
    for place in range(s.count):
        s.touch[place] &= more - 1
        if PARTNER_INDEX[s.tile[place] * TILES + tile] < 8:
            s.touch[place] |= more
            s.touch[s.count] |= 1 << place
    if links > 1:
        cover_sets(s, more, 2 * more)
        return
    # It can't be in the middle of a chain: where it ends none it is one itself.
    for place in range(s.count + 1):
        tiles = (more - 1) & ~(1 << place)
        s.cover[more | tiles] = s.cover[tiles] + (0 if s.ends[tiles] & s.touch[s.count] else 1)


def cover_sets(s: "Search", first: int, end: int) -> None:
    for tiles in range(first, end):
        fewest = 16
        ends = 0
        left = tiles
        while left:
            final = lowest(left)
            left &= left - 1
            rest = tiles ^ (1 << final)
            chains = s.cover[rest] + (0 if s.ends[rest] & s.touch[final] else 1)
            if chains < fewest:
                fewest = chains
                ends = 0
            if chains == fewest:
                ends |= 1 << final
        s.cover[tiles] = fewest
        s.ends[tiles] = ends


def path(s: "Search", begins: int, left: int) -> int:
    """The most tiles of `left` in a chain that begins with one of `begins`, were there room."""
    most = 0
    begins &= left
    while begins:
        first = lowest(begins)
        begins &= begins - 1
        rest = left ^ (1 << first)
        known = s.path[first * 4096 + rest]
        if known == 0:
            known = 2 + path(s, s.touch[first], rest)
            s.path[first * 4096 + rest] = known
        most = max(most, known - 1)
    return most


def two_paths(s: "Search", end: int, begins: int, left: int) -> int:
    """The most tiles of `left` with which a chain can go on after `end` and another follow, which
    begins with one of `begins` or next to the chain."""
    key = ((end + 1) << 24) | (begins << 12) | left
    slot = ((key * 40503) >> 8) & 65535
    if s.two_key[slot] == key:
        return s.two[slot]
    most = path(s, begins, left)
    ways = s.touch[end] & left
    while ways:
        tile = lowest(ways)
        ways &= ways - 1
        longer = 1 + two_paths(s, tile, begins | s.touch[tile], left ^ (1 << tile))
        most = max(most, longer)
    s.two_key[slot] = key
    s.two[slot] = most
    return most


def forget(s: "Search") -> None:
    """What was known of paths belongs to another hand."""
    for end in range(s.count):
        for left in range(1 << s.count):
            s.path[end * 4096 + left] = 0
    for slot in range(65536):
        s.two_key[slot] = 0


# ---------------------------------------------------------------------------------------- trying


def place_tile(s: "Search", t: "Table", tile: int, cell: int) -> None:
    """Lay a tile of the hand for a try."""
    put(t, tile, cell)
    t.hand_low[t.to_move] ^= LOW[tile]
    t.hand_high[t.to_move] ^= HIGH[tile]
    s.chain_tile[s.length] = tile
    s.chain_cell[s.length] = cell
    s.length += 1


def take_back(s: "Search", t: "Table") -> None:
    s.length -= 1
    tile = s.chain_tile[s.length]
    unput(t, tile)
    t.hand_low[t.to_move] ^= LOW[tile]
    t.hand_high[t.to_move] ^= HIGH[tile]


def ways_at(s: "Search", t: "Table", edge: int, count: int) -> int:
    """Add the ways to lay a tile of the hand on an edge cell."""
    cell = t.edge_cell[edge]
    bits = t.edge_low[edge] & t.hand_low[t.to_move]
    while bits:
        s.way_tile[count] = lowest(bits)
        s.way_cell[count] = cell
        count += 1
        bits &= bits - 1
    bits = t.edge_high[edge] & t.hand_high[t.to_move]
    while bits:
        s.way_tile[count] = 64 + lowest(bits)
        s.way_cell[count] = cell
        count += 1
        bits &= bits - 1
    return count


def ways_beside(s: "Search", t: "Table", cell: int, count: int) -> int:
    for side in range(4):
        what = t.at[(cell + OFFSET[side]) & AROUND]
        if what >= EDGE:
            count = ways_at(s, t, what - EDGE, count)
    return count


def ways_anywhere(s: "Search", t: "Table", count: int) -> int:
    for edge in range(t.edges):
        if t.edge_low[edge] & t.hand_low[t.to_move] or t.edge_high[edge] & t.hand_high[t.to_move]:
            count = ways_at(s, t, edge, count)
    return count


# ------------------------------------------------------------------------------ the longest turn


def note(s: "Search", split: int) -> None:
    """One more node; keep the turn that has been laid if it is the longest."""
    s.nodes -= 1
    if s.length > s.found:
        s.found = s.length
        s.split = split
        for place in range(s.length):
            s.best_tile[place] = s.chain_tile[place]
            s.best_cell[place] = s.chain_cell[place]


def longest_lay(s: "Search", t: "Table", first: int, count: int, left: int, split: int) -> None:
    """Look for the longest chain, as the only one (split 0) or after one of `split` tiles. The
    ways to go on are those from `first` to before `count`."""
    note(s, split or s.length)
    for way in range(first, count):
        place = s.place[s.way_tile[way]]
        s.way_bound[way] = path(s, s.touch[place], left ^ (1 << place))
    for bound in range(s.count, -1, -1):
        for way in range(first, count):
            if s.nodes < 0 or s.length + 1 + bound <= s.found:
                return
            if s.way_bound[way] == bound:
                tile = s.way_tile[way]
                cell = s.way_cell[way]
                place_tile(s, t, tile, cell)
                longer = ways_beside(s, t, cell, count)
                longest_lay(s, t, count, longer, left ^ (1 << s.place[tile]), split)
                take_back(s, t)


def longest_double(
    s: "Search", t: "Table", first: int, count: int, left: int, begins: int, bonus: int
) -> None:
    """Look for the chain that, with a second one if it earns that, lays most."""
    if s.nodes < 0:
        return
    if bonus and s.length + path(s, begins, left) > s.found:
        if t.continues:
            longer = ways_beside(s, t, s.chain_cell[s.length - 1], count)
        else:
            longer = ways_anywhere(s, t, count)
        longest_lay(s, t, count, longer, left, s.length)
    note(s, s.length)
    for way in range(first, count):
        place = s.place[s.way_tile[way]]
        s.way_bound[way] = two_paths(s, place, begins | s.touch[place], left ^ (1 << place))
    for bound in range(s.count, -1, -1):
        for way in range(first, count):
            if s.nodes < 0 or s.length + 1 + bound <= s.found:
                return
            if s.way_bound[way] == bound:
                tile = s.way_tile[way]
                cell = s.way_cell[way]
                place = s.place[tile]
                earned = bonus or touched(t, cell) > 1
                place_tile(s, t, tile, cell)
                longer = ways_beside(s, t, cell, count)
                longest_double(
                    s, t, count, longer, left ^ (1 << place), begins | s.touch[place], earned
                )
                take_back(s, t)


def search_longest(s: "Search", t: "Table", nodes: int) -> int:
    """Find the turn of the seat to move that lays most; whether all was seen, or ruled out."""
    everything = look_at_hand(s, t)
    forget(s)
    s.nodes = nodes
    s.found = s.length = s.split = 0
    if t.phase not in (ACTION, BONUS):
        return 1
    if t.phase == BONUS and t.continues:
        count = ways_beside(s, t, t.last, 0)
    else:
        count = ways_anywhere(s, t, 0)
    begins = 0
    for way in range(count):
        begins |= 1 << s.place[s.way_tile[way]]
    # A single chain is found soon, and its length cuts most of the search for two.
    longest_lay(s, t, 0, count, everything, 0)
    if t.phase == ACTION:
        longest_double(s, t, 0, count, everything, begins, 0)
    return s.nodes >= 0


# ------------------------------------------------------------------------------------ all chains


def collect(
    s: "Search", t: "Table", first: int, count: int, left: int, parent: int, bonus: int
) -> None:
    """Add the chains that the ways begin or go on with. Of those that are alike in the tiles left,
    in bonus, and in where and with what they end, only the first."""
    for way in range(first, count):
        tile = s.way_tile[way]
        cell = s.way_cell[way]
        rest = left ^ (1 << s.place[tile])
        earned = bonus or touched(t, cell) > 1
        key = (((rest << 4 | s.place[tile]) << 14 | cell) << 1 | earned) + 1
        slot = (key * 40503 >> 4) & 32767
        while s.seen[slot] != 0 and s.seen[slot] != key:
            slot = (slot + 1) & 32767
        if s.seen[slot] == key:
            continue
        if s.chains == s.nodes:
            s.nodes = -1
        if s.nodes < 0:
            return
        s.seen[slot] = key
        found = s.chains
        s.slot[found] = slot
        s.chains += 1
        s.parent[found] = parent
        s.end_tile[found] = tile
        s.end_cell[found] = cell
        s.left[found] = rest
        s.bonus[found] = earned
        place_tile(s, t, tile, cell)
        longer = ways_beside(s, t, cell, count)
        collect(s, t, count, longer, rest, found, earned)
        take_back(s, t)


def search_chains(s: "Search", t: "Table", limit: int) -> int:
    """Find chains of the seat to move, at most so many; whether these are all kinds."""
    everything = look_at_hand(s, t)
    for chain in range(s.chains):
        s.seen[s.slot[chain]] = 0
    s.chains = s.length = 0
    s.nodes = limit
    if t.phase not in (ACTION, BONUS):
        return 1
    if t.phase == BONUS and t.continues:
        count = ways_beside(s, t, t.last, 0)
    else:
        count = ways_anywhere(s, t, 0)
    collect(s, t, 0, count, everything, -1, 0)
    return s.nodes >= 0
