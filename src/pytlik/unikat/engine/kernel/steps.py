# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Steps as numbers: which are legal, and what each does.

The package's docstring says which number is which.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.kernel.actions import *

LEGAL_STEPS = list(range(STEPS))
"""Where find_legal_steps writes. Calls can't overlap: the caller holds the interpreter's lock."""


def lay_number(t: "Table", tile: int, edge: int) -> int:
    """The number of the step that lays a tile on an edge cell."""
    cell = t.edge_cell[edge]
    continues = must_touch_last(t)
    found = TILES
    towards = 0
    for side in range(4):
        near = (cell + SIDE_OFFSETS[side]) & CELL_MASK
        what = t.at[near]
        if is_tile(what):
            if continues:
                if near == t.last:
                    found = what - 1
                    towards = side
            elif what - 1 < found:
                found = what - 1
                towards = side
    # Seen from the tile on the table the new one is on the opposite side.
    return (found * 8 + PARTNER_INDEX[found * TILES + tile]) * 4 + (towards ^ 2)


def add_lays_at(t: "Table", edge: int, count: int) -> int:
    """Add the numbers of all lays on an edge cell. Returns the new number of steps."""
    bits = t.edge_low[edge] & t.hand_low[t.to_move]
    while bits:
        LEGAL_STEPS[count] = lay_number(t, lowest_bit(bits), edge)
        count += 1
        bits &= bits - 1
    bits = t.edge_high[edge] & t.hand_high[t.to_move]
    while bits:
        LEGAL_STEPS[count] = lay_number(t, 64 + lowest_bit(bits), edge)
        count += 1
        bits &= bits - 1
    return count


def find_legal_steps(t: "Table") -> int:
    """Write the legal steps into LEGAL_STEPS. Returns how many there are."""
    count = 0
    if t.phase == OVER:
        return 0
    if t.phase <= BONUS:
        if must_touch_last(t):
            for side in range(4):
                what = t.at[(t.last + SIDE_OFFSETS[side]) & CELL_MASK]
                if what >= EDGE:
                    count = add_lays_at(t, what - EDGE, count)
        else:
            for edge in range(t.edges):
                count = add_lays_at(t, edge, count)
        if t.phase != CHAIN and can_swap(t):
            for place in range(t.hand_count[t.to_move]):
                LEGAL_STEPS[count] = GIVE + t.hand[t.to_move * 12 + place]
                count += 1
        if t.phase != ACTION or count == 0:
            LEGAL_STEPS[count] = STOP
            count += 1
        return count
    for place in range(count_takeable_in_display(t)):
        LEGAL_STEPS[count] = TAKE + t.display[place]
        count += 1
    if t.bag_next < t.bag_end:
        LEGAL_STEPS[count] = BAG
        count += 1
    return count


def is_legal_step(t: "Table", number: int) -> int:
    if number < 0 or number > STOP or t.phase == OVER:
        return 0
    seat = t.to_move
    if number < GIVE:
        stone = number >> 5
        if t.phase > BONUS or t.place[stone] < 0:
            return 0
        tile = PARTNER_LIST[number >> 2]
        what = t.at[(t.place[stone] + SIDE_OFFSETS[number & 3]) & CELL_MASK]
        if what < EDGE:
            return 0
        mine = (LOW[tile] & t.hand_low[seat]) | (HIGH[tile] & t.hand_high[seat])
        fits = (LOW[tile] & t.edge_low[what - EDGE]) | (HIGH[tile] & t.edge_high[what - EDGE])
        return mine != 0 and fits != 0 and lay_number(t, tile, what - EDGE) == number
    if number < TAKE:
        tile = number - GIVE
        if t.phase not in (ACTION, BONUS):
            return 0
        mine = (LOW[tile] & t.hand_low[seat]) | (HIGH[tile] & t.hand_high[seat])
        return mine != 0 and can_swap(t)
    if number < STOP:
        if t.phase not in (TAKING, DRAW):
            return 0
        if number == BAG:
            return t.bag_next < t.bag_end
        tile = number - TAKE
        return t.index[tile] < count_takeable_in_display(t) and t.display[t.index[tile]] == tile
    if t.phase == ACTION:
        return not can_swap(t) and count_lays(t) == 0
    return t.phase <= BONUS


def tile_laid(number: int) -> int:
    """The tile that a step lays."""
    return PARTNER_LIST[number >> 2]


def do_step(t: "Table", number: int) -> None:
    """Do a step, which must be legal."""
    if number < GIVE:
        lay(
            t,
            PARTNER_LIST[number >> 2],
            (t.place[number >> 5] + SIDE_OFFSETS[number & 3]) & CELL_MASK,
        )
    elif number < TAKE:
        give(t, number - GIVE)
    elif number < BAG:
        take(t, number - TAKE)
    elif number == BAG:
        take_unseen(t)
    else:
        stop(t)
