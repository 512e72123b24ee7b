# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""How the table can look after the longest turn, whatever order the tiles are laid in.

A layout is a cell for each tile of the hand, or none.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.kernel.longest_turn_search import *


def note_layout(s: "Search") -> None:
    """Add the layout after the turn being tried, if it's new."""
    fresh = s.layouts * 12
    for place in range(12):
        s.layout[fresh + place] = 0
    for number in range(s.length):
        s.layout[fresh + s.place[s.chain_tile[number]]] = s.chain_cell[number] + 1
    for known in range(s.layouts):
        place = 0
        while place < 12 and s.layout[known * 12 + place] == s.layout[fresh + place]:
            place += 1
        if place == 12:
            return
    s.layouts += 1


def note_chain_layouts(s: "Search", t: "Table", first: int, count: int, left: int) -> None:
    """Note the layouts of all chains that lay as many tiles as wanted."""
    if s.length == s.wanted:
        note_layout(s)
        return
    for way in range(first, count):
        tile = s.way_tile[way]
        cell = s.way_cell[way]
        place = s.place[tile]
        rest = left ^ (1 << place)
        bound = s.length + 1 + longest_path(s, s.touch[place], rest)
        if bound < s.wanted or s.layouts == s.most_layouts:
            continue
        place_tile(s, t, tile, cell)
        longer = add_ways_beside(s, t, cell, count)
        note_chain_layouts(s, t, count, longer, rest)
        take_back(s, t)


def note_turn_layouts(
    s: "Search", t: "Table", first: int, count: int, left: int, begins: int, bonus: int
) -> None:
    """Do the same for turns, with a second chain if the first one earns it."""
    if s.length == s.wanted:
        note_layout(s)
        return
    if bonus and s.length + longest_path(s, begins, left) >= s.wanted:
        again = add_ways_to_begin_again(s, t, count)
        note_chain_layouts(s, t, count, again, left)
    for way in range(first, count):
        tile = s.way_tile[way]
        cell = s.way_cell[way]
        place = s.place[tile]
        rest = left ^ (1 << place)
        more = begins | s.touch[place]
        bound = s.length + 1 + longest_two_paths(s, place, more, rest)
        if bound < s.wanted or s.layouts == s.most_layouts:
            continue
        earned = bonus or count_touching(t, cell) > 1
        place_tile(s, t, tile, cell)
        longer = add_ways_beside(s, t, cell, count)
        note_turn_layouts(s, t, count, longer, rest, more, earned)
        take_back(s, t)


def search_layouts(s: "Search", t: "Table", tiles: int, most: int) -> int:
    """Count the layouts after a turn that lays `tiles` tiles, which must be the most that a turn
    can lay. Stop at `most`."""
    hand = load_hand(s, t)
    s.wanted = tiles
    s.layouts = 0
    s.most_layouts = most
    count = find_beginnings(s, t)
    if t.phase == ACTION:
        note_turn_layouts(s, t, 0, count, hand, beginning_tiles(s, count), 0)
    else:
        note_chain_layouts(s, t, 0, count, hand)
    return s.layouts
