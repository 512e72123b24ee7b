# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What lies where: tiles on cells, in hands and in the display.

The table has 128 by 128 cells and wraps around: 81 tiles can't reach around it. Each empty cell
next to a tile is an edge cell and keeps the set of tiles that fit there; each tile keeps the number
of edge cells where it fits. A set of tiles is two words of 64 bits.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.kernel.fallback import *


def differ_in_one(tile: int, other: int) -> bool:
    count = 0
    for _ in range(4):
        count += tile % 3 != other % 3
        tile //= 3
        other //= 3
    return count == 1


def partners(tile: int) -> list[int]:
    return [other for other in range(TILES) if differ_in_one(tile, other)]


# In functions, because Cython 3.3 miscounts references to None in a module's own comprehensions.
def low_words(sets: list[int]) -> list[int]:
    return [tiles & WORD_MASK for tiles in sets]


def high_words(sets: list[int]) -> list[int]:
    return [tiles >> 64 for tiles in sets]


def single_bits(count: int) -> list[int]:
    return [1 << place for place in range(count)]


def partner_sets() -> list[int]:
    return [sum(1 << other for other in partners(tile)) for tile in range(TILES)]


def partner_lists() -> list[int]:
    return [other for tile in range(TILES) for other in partners(tile)]


def partner_indices() -> list[int]:
    found = [8] * TILES * TILES
    for tile in range(TILES):
        for index, other in enumerate(partners(tile)):
            found[tile * TILES + other] = index
    return found


LOW = low_words(single_bits(TILES))
HIGH = high_words(single_bits(TILES))
PARTNERS_LOW = low_words(partner_sets())
PARTNERS_HIGH = high_words(partner_sets())
PARTNER_LIST = partner_lists()
PARTNER_INDEX = partner_indices()


# ------------------------------------------------------------------------------------- the table


def put(t: "Table", tile: int, cell: int) -> None:
    """Lay a tile, and narrow what fits next to it (U8)."""
    what = t.at[cell]
    if what >= EDGE:
        remove_edge(t, what - EDGE)
    t.at[cell] = tile + 1
    t.place[tile] = cell
    t.order[t.stones] = tile
    t.stones += 1
    for side in range(4):
        near = (cell + SIDE_OFFSETS[side]) & CELL_MASK
        what = t.at[near]
        if what == 0:
            add_edge(t, tile, near)
        elif what >= EDGE:
            narrow_edge(t, what - EDGE, tile)


def take_up(t: "Table", tile: int) -> None:
    """Take up the tile that was laid last."""
    cell = t.place[tile]
    t.place[tile] = -1
    t.stones -= 1
    t.at[cell] = 0
    for side in range(4):
        near = (cell + SIDE_OFFSETS[side]) & CELL_MASK
        what = t.at[near]
        if is_tile(what):
            if t.at[cell] == 0:
                add_edge(t, what - 1, cell)
            else:
                narrow_edge(t, t.at[cell] - EDGE, what - 1)
        elif what >= EDGE:
            # What fits here again follows from the other tiles around.
            remove_edge(t, what - EDGE)
            for other in range(4):
                what = t.at[(near + SIDE_OFFSETS[other]) & CELL_MASK]
                if is_tile(what):
                    if t.at[near] == 0:
                        add_edge(t, what - 1, near)
                    else:
                        narrow_edge(t, t.at[near] - EDGE, what - 1)


def add_edge(t: "Table", tile: int, cell: int) -> None:
    edge = t.edges
    t.edges = edge + 1
    t.at[cell] = edge + EDGE
    t.edge_cell[edge] = cell
    t.edge_low[edge] = PARTNERS_LOW[tile]
    t.edge_high[edge] = PARTNERS_HIGH[tile]
    for which in range(8):
        t.fits[PARTNER_LIST[tile * 8 + which]] += 1


def narrow_edge(t: "Table", edge: int, tile: int) -> None:
    gone = t.edge_low[edge] & ~PARTNERS_LOW[tile]
    t.edge_low[edge] ^= gone
    while gone:
        t.fits[lowest_bit(gone)] -= 1
        gone &= gone - 1
    gone = t.edge_high[edge] & ~PARTNERS_HIGH[tile]
    t.edge_high[edge] ^= gone
    while gone:
        t.fits[64 + lowest_bit(gone)] -= 1
        gone &= gone - 1


def remove_edge(t: "Table", edge: int) -> None:
    gone = t.edge_low[edge]
    while gone:
        t.fits[lowest_bit(gone)] -= 1
        gone &= gone - 1
    gone = t.edge_high[edge]
    while gone:
        t.fits[64 + lowest_bit(gone)] -= 1
        gone &= gone - 1
    t.at[t.edge_cell[edge]] = 0
    t.edges -= 1
    final = t.edges
    if edge != final:
        t.edge_cell[edge] = t.edge_cell[final]
        t.edge_low[edge] = t.edge_low[final]
        t.edge_high[edge] = t.edge_high[final]
        t.at[t.edge_cell[edge]] = edge + EDGE


def count_touching(t: "Table", cell: int) -> int:
    """How many tiles lie next to a cell."""
    count = 0
    for side in range(4):
        count += is_tile(t.at[(cell + SIDE_OFFSETS[side]) & CELL_MASK])
    return count


# ----------------------------------------------------------------------------- hands and display


def add_to_hand(t: "Table", seat: int, tile: int) -> None:
    count = t.hand_count[seat]
    t.hand[seat * 12 + count] = tile
    t.index[tile] = count
    t.hand_count[seat] = count + 1
    t.hand_low[seat] |= LOW[tile]
    t.hand_high[seat] |= HIGH[tile]


def remove_from_hand(t: "Table", seat: int, tile: int) -> None:
    count = t.hand_count[seat] - 1
    t.hand_count[seat] = count
    moved = t.hand[seat * 12 + count]
    t.hand[seat * 12 + t.index[tile]] = moved
    t.index[moved] = t.index[tile]
    t.hand_low[seat] ^= LOW[tile]
    t.hand_high[seat] ^= HIGH[tile]
    t.known_low[seat] &= t.hand_low[seat]
    t.known_high[seat] &= t.hand_high[seat]


def add_to_display(t: "Table", tile: int) -> None:
    t.display[t.display_count] = tile
    t.index[tile] = t.display_count
    t.display_count += 1


def remove_from_display(t: "Table", tile: int) -> None:
    t.display_count -= 1
    moved = t.display[t.display_count]
    t.display[t.index[tile]] = moved
    t.index[moved] = t.index[tile]
