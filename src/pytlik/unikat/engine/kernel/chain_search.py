# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Chains to begin a turn with, and what each leaves in the hand."""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.kernel.longest_turn_search import *


def collect_chains(
    s: "Search", t: "Table", first: int, count: int, left: int, parent: int, bonus: int
) -> None:
    """Add the chains that the ways begin or continue. Of chains that leave the same tiles, earn the
    same and end with the same tile in the same place, only the first is kept."""
    for way in range(first, count):
        tile = s.way_tile[way]
        cell = s.way_cell[way]
        rest = left ^ (1 << s.place[tile])
        earned = bonus or count_touching(t, cell) > 1
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
        longer = add_ways_beside(s, t, cell, count)
        collect_chains(s, t, count, longer, rest, found, earned)
        take_back(s, t)


def search_chains(s: "Search", t: "Table", limit: int) -> int:
    """Find at most `limit` chains that begin on the `start_cell`s. Returns the set of all tiles of
    the hand."""
    hand = load_hand(s, t)
    for chain in range(s.chains):
        s.seen[s.slot[chain]] = 0
    s.chains = 0
    s.nodes = limit
    count = 0
    for start in range(s.starts):
        what = t.at[s.start_cell[start]]
        if what >= EDGE:
            count = add_ways_at(s, t, what - EDGE, count)
    collect_chains(s, t, 0, count, hand, -1, 0)
    return hand
