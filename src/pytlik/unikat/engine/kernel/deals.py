# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Dealing a new round, and guessing what a seat may not know."""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.kernel.table import *


def clear(t: "Table", players: int) -> None:
    """Empty the table, but keep options and chance."""
    for edge in range(t.edges):
        t.at[t.edge_cell[edge]] = 0
    for tile in range(TILES):
        if t.place[tile] >= 0:
            t.at[t.place[tile]] = 0
        t.place[tile] = -1
        t.fits[tile] = 0
    for seat in range(4):
        t.hand_count[seat] = 0
        t.hand_low[seat] = t.hand_high[seat] = t.known_low[seat] = t.known_high[seat] = 0
    t.edges = t.stones = t.display_count = t.bag_next = t.bag_end = 0
    t.players = players
    t.to_move = t.phase = t.laid = t.quiet = t.winners = t.ended = 0


def shuffle_bag(t: "Table") -> None:
    for final in range(t.bag_end - 1, t.bag_next, -1):
        other = t.bag_next + random_below(t, final - t.bag_next + 1)
        tile = t.bag[final]
        t.bag[final] = t.bag[other]
        t.bag[other] = tile


def deal_round(t: "Table", players: int, starter: int) -> None:
    """Deal a new round (U3)."""
    clear(t, players)
    for tile in range(TILES):
        t.bag[tile] = tile
    t.bag_end = TILES
    shuffle_bag(t)
    for place in range(10 * players):
        add_to_hand(t, place // 10, t.bag[place])
    for place in range(10 * players, 10 * players + 3):
        add_to_display(t, t.bag[place])
    put(t, t.bag[10 * players + 3], START_CELL)
    t.last = START_CELL
    t.bag_next = 10 * players + 4
    t.to_move = starter


def guess_unknown(t: "Table", seat: int) -> None:
    """Shuffle what a seat may not know: the bag, and the tiles in other hands that nobody saw
    (U18)."""
    in_bag = t.bag_end - t.bag_next
    first = t.bag_next
    # Gather all unknown tiles in the bag, which has room for all 81.
    for place in range(in_bag):
        t.bag[place] = t.bag[first + place]
    t.bag_next = 0
    t.bag_end = in_bag
    for other in range(t.players):
        if other == seat:
            continue
        low = t.hand_low[other] & ~t.known_low[other]
        high = t.hand_high[other] & ~t.known_high[other]
        while low:
            remove_from_hand(t, other, lowest_bit(low))
            t.bag[t.bag_end] = lowest_bit(low)
            t.bag_end += 1
            low &= low - 1
        while high:
            remove_from_hand(t, other, 64 + lowest_bit(high))
            t.bag[t.bag_end] = 64 + lowest_bit(high)
            t.bag_end += 1
            high &= high - 1
        # Remember how many tiles this hand lacks.
        t.hidden[other] = t.bag_end
    shuffle_bag(t)
    drawn = in_bag
    for other in range(t.players):
        if other != seat:
            while drawn < t.hidden[other]:
                add_to_hand(t, other, t.bag[drawn])
                drawn += 1
    t.bag_end = in_bag
