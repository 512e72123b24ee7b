# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The turn that lays the most tiles.

A tile of the hand is identified by its place in the hand, and a set of such tiles is a bit mask. A
chain is a path in the graph of tiles that may touch each other. The longest path is quick to
compute if places on the table are ignored, and it bounds the search over places.

Equally promising ways are tried in a fixed order: by place in the hand, then column, then row. So
the answer depends on the position alone, and not on how it came about.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.kernel.table import *

SEARCH = new_search()
"""Working memory of all searches. They can't overlap: a search holds the interpreter's lock."""


# -------------------------------------------------------------------------------------- the hand


def load_hand(s: "Search", t: "Table") -> int:
    """Number the tiles of the seat to move, and note which may touch which. Returns the set of all
    of them."""
    s.count = t.hand_count[t.to_move]
    for place in range(s.count):
        s.tile[place] = t.hand[t.to_move * 12 + place]
        s.place[s.tile[place]] = place
    for place in range(s.count):
        s.touch[place] = 0
        for other in range(s.count):
            if PARTNER_INDEX[s.tile[place] * TILES + s.tile[other]] < 8:
                s.touch[place] |= 1 << other
    forget_paths(s)
    s.length = 0
    return (1 << s.count) - 1


def forget_paths(s: "Search") -> None:
    """Clear what was computed for another hand."""
    for end in range(s.count):
        for left in range(1 << s.count):
            s.path[end * 4096 + left] = 0
    for slot in range(65536):
        s.two_key[slot] = 0


def longest_path(s: "Search", begins: int, left: int) -> int:
    """The most tiles of `left` in a chain that begins with one of `begins`, if there were room."""
    most = 0
    begins &= left
    while begins:
        first = lowest_bit(begins)
        begins &= begins - 1
        rest = left ^ (1 << first)
        known = s.path[first * 4096 + rest]
        if known == 0:
            known = 2 + longest_path(s, s.touch[first], rest)
            s.path[first * 4096 + rest] = known
        most = max(most, known - 1)
    return most


def longest_two_paths(s: "Search", end: int, begins: int, left: int) -> int:
    """The most tiles of `left` in the rest of a chain, which continues after `end`, and in a second
    chain, which begins with one of `begins` or next to the first chain."""
    key = ((end + 1) << 24) | (begins << 12) | left
    slot = ((key * 40503) >> 8) & 65535
    if s.two_key[slot] == key:
        return s.two[slot]
    most = longest_path(s, begins, left)
    ways = s.touch[end] & left
    while ways:
        tile = lowest_bit(ways)
        ways &= ways - 1
        longer = 1 + longest_two_paths(s, tile, begins | s.touch[tile], left ^ (1 << tile))
        most = max(most, longer)
    s.two_key[slot] = key
    s.two[slot] = most
    return most


# ----------------------------------------------------------------------------- trying out a chain


def place_tile(s: "Search", t: "Table", tile: int, cell: int) -> None:
    put(t, tile, cell)
    t.hand_low[t.to_move] ^= LOW[tile]
    t.hand_high[t.to_move] ^= HIGH[tile]
    s.chain_tile[s.length] = tile
    s.chain_cell[s.length] = cell
    s.length += 1


def take_back(s: "Search", t: "Table") -> None:
    s.length -= 1
    tile = s.chain_tile[s.length]
    take_up(t, tile)
    t.hand_low[t.to_move] ^= LOW[tile]
    t.hand_high[t.to_move] ^= HIGH[tile]


def add_ways_at(s: "Search", t: "Table", edge: int, count: int) -> int:
    """Add the ways to lay a tile of the hand on an edge cell. This and the next three functions
    return the new number of ways."""
    low = t.edge_low[edge] & t.hand_low[t.to_move]
    high = t.edge_high[edge] & t.hand_high[t.to_move]
    for place in range(s.count):
        tile = s.tile[place]
        if low & LOW[tile] or high & HIGH[tile]:
            s.way_tile[count] = tile
            s.way_cell[count] = t.edge_cell[edge]
            count += 1
    return count


def add_ways_beside(s: "Search", t: "Table", cell: int, count: int) -> int:
    for side in range(4):
        what = t.at[(cell + SIDE_OFFSETS[side]) & CELL_MASK]
        if what >= EDGE:
            count = add_ways_at(s, t, what - EDGE, count)
    return count


def add_ways_anywhere(s: "Search", t: "Table", count: int) -> int:
    for edge in range(t.edges):
        if t.edge_low[edge] & t.hand_low[t.to_move] or t.edge_high[edge] & t.hand_high[t.to_move]:
            count = add_ways_at(s, t, edge, count)
    return count


def add_ways_to_begin_again(s: "Search", t: "Table", count: int) -> int:
    """The ways to begin the second chain of a double turn (U10)."""
    if t.continues:
        return add_ways_beside(s, t, s.chain_cell[s.length - 1], count)
    return add_ways_anywhere(s, t, count)


def find_beginnings(s: "Search", t: "Table") -> int:
    """Write the ways to begin a chain now. Returns how many there are."""
    if t.phase not in (ACTION, BONUS):
        return 0
    if must_touch_last(t):
        return add_ways_beside(s, t, t.last, 0)
    return add_ways_anywhere(s, t, 0)


def beginning_tiles(s: "Search", count: int) -> int:
    """The set of tiles with which the first ways begin."""
    tiles = 0
    for way in range(count):
        tiles |= 1 << s.place[s.way_tile[way]]
    return tiles


def sort_ways(s: "Search", first: int, count: int) -> None:
    """Sort ways by their bounds, the most promising first, and equal ones in the order described
    above."""
    for way in range(first, count):
        tile = s.way_tile[way]
        cell = s.way_cell[way]
        bound = s.way_bound[way]
        key = (((15 - bound) << 4 | s.place[tile]) << 7 | (cell & 127)) << 7 | cell >> 7
        slot = way
        while slot > first and s.way_key[slot - 1] > key:
            s.way_tile[slot] = s.way_tile[slot - 1]
            s.way_cell[slot] = s.way_cell[slot - 1]
            s.way_bound[slot] = s.way_bound[slot - 1]
            s.way_key[slot] = s.way_key[slot - 1]
            slot -= 1
        s.way_tile[slot] = tile
        s.way_cell[slot] = cell
        s.way_bound[slot] = bound
        s.way_key[slot] = key


# ------------------------------------------------------------------------------ the longest turn


def note_turn(s: "Search", split: int) -> None:
    """Count a node, and keep the turn being tried if it is the longest so far."""
    s.nodes -= 1
    if s.nodes >= 0 and s.length > s.longest:
        s.longest = s.length
        s.split = split
        for place in range(s.length):
            s.best_tile[place] = s.chain_tile[place]
            s.best_cell[place] = s.chain_cell[place]


def try_chain(s: "Search", t: "Table", first: int, count: int, left: int, split: int) -> None:
    """Look for the longest chain: the only one of its turn (split 0), or the second one after
    `split` tiles. The ways to continue are those from `first` to before `count`."""
    note_turn(s, split or s.length)
    for way in range(first, count):
        place = s.place[s.way_tile[way]]
        s.way_bound[way] = longest_path(s, s.touch[place], left ^ (1 << place))
    sort_ways(s, first, count)
    for way in range(first, count):
        if s.nodes < 0 or s.length + 1 + s.way_bound[way] <= s.longest:
            return
        tile = s.way_tile[way]
        cell = s.way_cell[way]
        place_tile(s, t, tile, cell)
        longer = add_ways_beside(s, t, cell, count)
        try_chain(s, t, count, longer, left ^ (1 << s.place[tile]), split)
        take_back(s, t)


def try_double(
    s: "Search", t: "Table", first: int, count: int, left: int, begins: int, bonus: int
) -> None:
    """Look for the chain that lays most together with a second one, if it earns that."""
    if s.nodes < 0:
        return
    if bonus and s.length + longest_path(s, begins, left) > s.longest:
        again = add_ways_to_begin_again(s, t, count)
        try_chain(s, t, count, again, left, s.length)
    note_turn(s, s.length)
    for way in range(first, count):
        place = s.place[s.way_tile[way]]
        rest = left ^ (1 << place)
        s.way_bound[way] = longest_two_paths(s, place, begins | s.touch[place], rest)
    sort_ways(s, first, count)
    for way in range(first, count):
        if s.nodes < 0 or s.length + 1 + s.way_bound[way] <= s.longest:
            return
        tile = s.way_tile[way]
        cell = s.way_cell[way]
        place = s.place[tile]
        earned = bonus or count_touching(t, cell) > 1
        place_tile(s, t, tile, cell)
        longer = add_ways_beside(s, t, cell, count)
        try_double(s, t, count, longer, left ^ (1 << place), begins | s.touch[place], earned)
        take_back(s, t)


def search_longest(s: "Search", t: "Table", nodes: int, doubles: int) -> int:
    """Find the turn of the seat to move that lays the most tiles, or without `doubles` the chain.
    Returns whether the search was complete within `nodes` nodes."""
    hand = load_hand(s, t)
    s.nodes = nodes
    s.longest = s.split = 0
    count = find_beginnings(s, t)
    begins = beginning_tiles(s, count)
    # A single chain is found soon, and its length cuts most of the search for two.
    try_chain(s, t, 0, count, hand, 0)
    if doubles and t.phase == ACTION:
        try_double(s, t, 0, count, hand, begins, 0)
    return s.nodes >= 0


def search_second_chain(s: "Search", t: "Table", length: int, nodes: int) -> int:
    """Do the same for a turn that begins with the first `length` tiles of the best turn."""
    left = load_hand(s, t)
    s.nodes = nodes
    s.longest = s.split = length
    bonus = 0
    for number in range(length):
        tile = s.best_tile[number]
        cell = s.best_cell[number]
        bonus = bonus or count_touching(t, cell) > 1
        place_tile(s, t, tile, cell)
        left ^= 1 << s.place[tile]
    if bonus and t.phase == ACTION:
        count = add_ways_to_begin_again(s, t, 0)
        try_chain(s, t, 0, count, left, length)
    return s.nodes >= 0
