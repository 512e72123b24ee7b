# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""How seats play in a playout: any step, the longest chain, or patience."""

if __file__.endswith(".py"):
    from pytlik.unikat.kernel.actions import *
    from pytlik.unikat.kernel.search import *


def lay_found(s: "Search", t: "Table", chain: int) -> None:
    """Lay a chain that search_chains has found, and no more."""
    length = 0
    while chain >= 0:
        s.chain_tile[length] = s.end_tile[chain]
        s.chain_cell[length] = s.end_cell[chain]
        length += 1
        chain = s.parent[chain]
    while length:
        length -= 1
        lay(t, s.chain_tile[length], s.chain_cell[length])
    if t.phase == CHAIN:
        stop(t)


def linked(t: "Table", tile: int) -> int:
    """How many tiles of the hand may touch a tile."""
    low = PARTNERS_LOW[tile] & t.hand_low[t.to_move]
    return ones(low) + ones(PARTNERS_HIGH[tile] & t.hand_high[t.to_move])


def take_linked(t: "Table") -> None:
    """Take the tile of the display that fits the hand best; the bag if none does."""
    most = 0
    best = -1
    for place in range(takeable(t)):
        count = linked(t, t.display[place])
        if count > most:
            most = count
            best = t.display[place]
    if best >= 0:
        take(t, best)
    elif t.bag_next < t.bag_end:
        take_unseen(t)
    else:
        take(t, t.display[below(t, takeable(t))])


def eager(s: "Search", t: "Table", limit: int) -> None:
    """Lay the longest chain of those looked at, one with a double turn first; else swap the tile
    that fits the hand least."""
    if t.phase > BONUS:
        take_linked(t)
        return
    search_chains(s, t, limit)
    best = -1
    value = 0
    for chain in range(s.chains):
        worth = 2 * (s.count - ones(s.left[chain])) + s.bonus[chain]
        if worth > value:
            value = worth
            best = chain
    if best >= 0:
        lay_found(s, t, best)
    elif t.phase == BONUS or not can_swap(t):
        stop(t)
    else:
        fewest = 100
        for place in range(t.hand_count[t.to_move]):
            count = linked(t, t.hand[t.to_move * 12 + place])
            if count < fewest:
                fewest = count
                best = t.hand[t.to_move * 12 + place]
        give(t, best)


def goes_out(s: "Search", t: "Table") -> int:
    """Lay the whole hand if a turn can; whether it did."""
    search_longest(s, t, 300)
    if s.found < s.count:
        return 0
    split = s.split
    for place in range(s.found):
        if place == split and t.phase == CHAIN:
            stop(t)
        lay(t, s.best_tile[place], s.best_cell[place])
    return 1


def patient(s: "Search", t: "Table", limit: int) -> None:
    """Hold tiles back until few chains cover the hand.

    Who lays draws one tile, and a swap with ten tiles costs nothing: a lay must leave so many
    fewer chains that it pays.
    """
    everything = look_at_hand(s, t)
    fill_covers(s)
    if t.phase != DRAW and s.cover[everything] <= 2 and goes_out(s, t):
        return
    give_place = take_tile = chain_laid = -1
    value = 100000
    drawn = t.weigh_drawn if s.count < 10 else 0
    if t.phase == DRAW:
        if t.bag_next < t.bag_end:
            value = t.weigh_cover * s.cover[everything] + t.weigh_unseen
    else:
        search_chains(s, t, limit)
        for chain in range(s.chains):
            left = s.left[chain]
            worth = t.weigh_cover * s.cover[left] + t.weigh_tile * ones(left) + t.weigh_drawn
            if s.bonus[chain] and t.phase == ACTION:
                worth -= t.weigh_extra
            if worth < value:
                value = worth
                chain_laid = chain
        if t.phase == BONUS:
            worth = t.weigh_cover * s.cover[everything] + t.weigh_tile * s.count + t.weigh_drawn
            if worth < value:
                value = worth
                chain_laid = -1
        if t.bag_next < t.bag_end:
            for place in range(s.count):
                rest = everything ^ (1 << place)
                worth = t.weigh_cover * s.cover[rest] + t.weigh_unseen
                worth += t.weigh_tile * s.count + drawn
                if worth < value:
                    value = worth
                    give_place = place
    for shown in range(t.display_count):
        tile = t.display[shown]
        count = linked(t, tile)
        # One that fits nothing is only looked at where there is nothing else.
        if count == 0 and value < 100000:
            continue
        cover_with(s, tile, count)
        if t.phase == DRAW:
            worth = t.weigh_cover * s.cover[2 * everything + 1]
            if worth < value:
                value = worth
                take_tile = tile
            continue
        for place in range(s.count):
            worth = t.weigh_cover * s.cover[(2 * everything + 1) ^ (1 << place)]
            worth += t.weigh_tile * s.count + drawn
            if worth < value:
                value = worth
                give_place = place
                take_tile = tile
    if t.phase != DRAW:
        if give_place < 0:
            if chain_laid >= 0:
                lay_found(s, t, chain_laid)
            else:
                stop(t)
            return
        give(t, s.tile[give_place])
    if take_tile >= 0:
        take(t, take_tile)
    else:
        take_unseen(t)


def play_to_end(s: "Search", t: "Table", limit: int) -> None:
    """Play to the end of the round, each seat by its policy."""
    while t.phase != OVER:
        policy = t.policy[t.to_move]
        if policy == UNIFORM or t.phase == CHAIN:
            do_any(t)
        elif policy == EAGER or t.phase == TAKING:
            eager(s, t, limit)
        else:
            patient(s, t, limit)
