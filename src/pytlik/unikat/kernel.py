# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Unikat for searches and simulations: one round as numbers, changed in place.

The readable rules (rules.py and what is beneath it) are the reference, and this file is held to
them by tests. It is compiled where there is a C compiler, with the types of kernel.pxd, and runs as
it is elsewhere, much slower.

A tile is its place in model.TILES, 0 to 80. A set of tiles is two words of 64 bits. The table is
128 cells wide and as high, and goes on at the other side: 81 tiles can't reach around it. Each
empty cell next to a tile, an edge cell, keeps the set of tiles that fit there, and each tile the
number of edge cells where it fits.

A turn is a row of steps, and a step one of 2,756 numbers:

    0 to 2591       lay: (tile on the table * 8 + which of its partners to lay) * 4 + side
    GIVE + tile     put a tile of the hand into the display, to begin a swap
    TAKE + tile     take a tile of the display, to end a swap or to draw
    BAG             the same from the bag
    STOP            end the chain, decline the extra action, or pass

The partners of a tile are counted in ascending order, the sides north, east, south, west of the
tile on the table. Where the new tile touches several only one of them gives its number: the last
tile laid where the new one must touch that, else the smallest. So a place has one number. A chain
that nothing can follow ends without a STOP.
"""

import sys
from typing import NamedTuple

COMPILED = not __file__.endswith(".py")

if not COMPILED:
    from pytlik.unikat.plain import *

    sys.stderr.write("pytlik: Unikat's kernel runs uncompiled, and slowly\n")


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
def lower(sets: list[int]) -> list[int]:
    return [tiles & WORD for tiles in sets]


def upper(sets: list[int]) -> list[int]:
    return [tiles >> 64 for tiles in sets]


def single(count: int) -> list[int]:
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


BIT = single(64)
LOW = lower(single(TILES))
HIGH = upper(single(TILES))
PARTNERS_LOW = lower(partner_sets())
PARTNERS_HIGH = upper(partner_sets())
PARTNER = partner_lists()
PARTNER_INDEX = partner_indices()
OFFSET = [-128, 1, 128, -1]
NUMBERS = list(range(STEPS))
"""The numbers as objects, which are not made anew each time."""
LEGAL = list(range(STEPS))
"""Where legal_numbers puts them. Whoever calls it holds the interpreter's lock."""
SEARCH = new_search()
"""What searches write on. Whoever searches holds the interpreter's lock."""


# ---------------------------------------------------------------------------------------- chance


def below(t: "Table", n: int) -> int:
    """A random number from 0 to n - 1: PCG's XSH-RS, and the product's upper half."""
    x = (t.chance * FACTOR + ADDEND) & WORD
    t.chance = x
    return (((((x >> 22) ^ x) >> (22 + (x >> 61))) & HALF) * n) >> 32


def mixed(seed: int) -> int:
    """A word in which every bit of the seed matters, so that near seeds give far streams."""
    word = 0
    while True:
        word = (word + seed + 0x9E3779B97F4A7C15) % (1 << 64)
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % (1 << 64)
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % (1 << 64)
        word ^= word >> 31
        seed >>= 64
        if seed in (0, -1):
            return word


# ----------------------------------------------------------------------------------------- table


def is_stone(what: int) -> int:
    return 0 < what < EDGE


def put(t: "Table", tile: int, cell: int) -> None:
    """Lay a tile, and narrow what fits beside it (U8)."""
    what = t.at[cell]
    if what >= EDGE:
        drop_edge(t, what - EDGE)
    t.at[cell] = tile + 1
    t.place[tile] = cell
    t.order[t.stones] = tile
    t.stones += 1
    for side in range(4):
        near = (cell + OFFSET[side]) & AROUND
        what = t.at[near]
        if what == 0:
            new_edge(t, tile, near)
        elif what >= EDGE:
            narrow(t, what - EDGE, tile)


def unput(t: "Table", tile: int) -> None:
    """Take up the tile that was laid last."""
    cell = t.place[tile]
    t.place[tile] = -1
    t.stones -= 1
    t.at[cell] = 0
    for side in range(4):
        near = (cell + OFFSET[side]) & AROUND
        what = t.at[near]
        if is_stone(what):
            if t.at[cell] == 0:
                new_edge(t, what - 1, cell)
            else:
                narrow(t, t.at[cell] - EDGE, what - 1)
        elif what >= EDGE:
            # What the tile had taken away is known again from the other tiles around.
            drop_edge(t, what - EDGE)
            for other in range(4):
                what = t.at[(near + OFFSET[other]) & AROUND]
                if is_stone(what):
                    if t.at[near] == 0:
                        new_edge(t, what - 1, near)
                    else:
                        narrow(t, t.at[near] - EDGE, what - 1)


def new_edge(t: "Table", tile: int, cell: int) -> None:
    edge = t.edges
    t.edges = edge + 1
    t.at[cell] = edge + EDGE
    t.edge_cell[edge] = cell
    t.edge_low[edge] = PARTNERS_LOW[tile]
    t.edge_high[edge] = PARTNERS_HIGH[tile]
    for which in range(8):
        t.fits[PARTNER[tile * 8 + which]] += 1


def narrow(t: "Table", edge: int, tile: int) -> None:
    gone = t.edge_low[edge] & ~PARTNERS_LOW[tile]
    t.edge_low[edge] ^= gone
    while gone:
        t.fits[lowest(gone)] -= 1
        gone &= gone - 1
    gone = t.edge_high[edge] & ~PARTNERS_HIGH[tile]
    t.edge_high[edge] ^= gone
    while gone:
        t.fits[64 + lowest(gone)] -= 1
        gone &= gone - 1


def drop_edge(t: "Table", edge: int) -> None:
    gone = t.edge_low[edge]
    while gone:
        t.fits[lowest(gone)] -= 1
        gone &= gone - 1
    gone = t.edge_high[edge]
    while gone:
        t.fits[64 + lowest(gone)] -= 1
        gone &= gone - 1
    t.at[t.edge_cell[edge]] = 0
    t.edges -= 1
    final = t.edges
    if edge != final:
        t.edge_cell[edge] = t.edge_cell[final]
        t.edge_low[edge] = t.edge_low[final]
        t.edge_high[edge] = t.edge_high[final]
        t.at[t.edge_cell[edge]] = edge + EDGE


def touched(t: "Table", cell: int) -> int:
    """How many tiles touch a cell."""
    count = 0
    for side in range(4):
        count += is_stone(t.at[(cell + OFFSET[side]) & AROUND])
    return count


# ----------------------------------------------------------------------------- hands and display


def into_hand(t: "Table", seat: int, tile: int) -> None:
    count = t.hand_count[seat]
    t.hand[seat * 12 + count] = tile
    t.index[tile] = count
    t.hand_count[seat] = count + 1
    t.hand_low[seat] |= LOW[tile]
    t.hand_high[seat] |= HIGH[tile]


def out_of_hand(t: "Table", seat: int, tile: int) -> None:
    count = t.hand_count[seat] - 1
    t.hand_count[seat] = count
    moved = t.hand[seat * 12 + count]
    t.hand[seat * 12 + t.index[tile]] = moved
    t.index[moved] = t.index[tile]
    t.hand_low[seat] ^= LOW[tile]
    t.hand_high[seat] ^= HIGH[tile]
    t.known_low[seat] &= t.hand_low[seat]
    t.known_high[seat] &= t.hand_high[seat]


def into_display(t: "Table", tile: int) -> None:
    t.display[t.display_count] = tile
    t.index[tile] = t.display_count
    t.display_count += 1


def out_of_display(t: "Table", tile: int) -> None:
    t.display_count -= 1
    moved = t.display[t.display_count]
    t.display[t.index[tile]] = moved
    t.index[moved] = t.index[tile]


# ----------------------------------------------------------------------------------------- turns


def goes_on(t: "Table") -> int:
    """May a tile of the hand be laid next to the last one?"""
    low = t.hand_low[t.to_move]
    high = t.hand_high[t.to_move]
    for side in range(4):
        what = t.at[(t.last + OFFSET[side]) & AROUND]
        if what >= EDGE and (t.edge_low[what - EDGE] & low or t.edge_high[what - EDGE] & high):
            return 1
    return 0


def lays_anywhere(t: "Table") -> int:
    """In how many ways a tile of the hand may be laid."""
    first = t.to_move * 12
    count = 0
    for place in range(first, first + t.hand_count[t.to_move]):
        count += t.fits[t.hand[place]]
    return count


def can_swap(t: "Table") -> int:
    return t.display_count > 0 or t.bag_next < t.bag_end


def takeable(t: "Table") -> int:
    """How many tiles of the display may be taken, from its first: the one that a swap has given is
    the last, and stays (U11)."""
    return t.display_count - 1 if t.phase == TAKING else t.display_count


def lay(t: "Table", tile: int, cell: int) -> None:
    if t.phase != CHAIN:
        t.extra = t.phase == BONUS
        t.earned = 0
        t.phase = CHAIN
    if not t.extra and not t.earned and touched(t, cell) > 1:
        t.earned = 1  # U10
    put(t, tile, cell)
    out_of_hand(t, t.to_move, tile)
    t.last = cell
    t.laid = 1
    if t.hand_count[t.to_move] == 0:  # U15
        t.phase = OVER
        t.winners = 1 << t.to_move
        t.ended = LAST_TILE
    elif not goes_on(t):
        stop(t)


def give(t: "Table", tile: int) -> None:
    out_of_hand(t, t.to_move, tile)
    into_display(t, tile)
    t.given = tile
    t.phase = TAKING


def take(t: "Table", tile: int) -> None:
    out_of_display(t, tile)
    into_hand(t, t.to_move, tile)
    t.known_low[t.to_move] |= LOW[tile]  # U18: everyone saw it
    t.known_high[t.to_move] |= HIGH[tile]
    taken(t)


def take_unseen(t: "Table") -> None:
    into_hand(t, t.to_move, t.bag[t.bag_next])
    t.bag_next += 1
    taken(t)


def taken(t: "Table") -> None:
    if t.phase == TAKING:
        end_actions(t)
        return
    if t.display_count == 0:  # U14
        while t.display_count < 3 and t.bag_next < t.bag_end:
            into_display(t, t.bag[t.bag_next])
            t.bag_next += 1
    end_turn(t)


def stop(t: "Table") -> None:
    if t.phase == ACTION:
        end_turn(t)
    elif (
        t.phase == CHAIN
        and t.earned
        and (can_swap(t) or (goes_on(t) if t.continues else lays_anywhere(t)))
    ):
        t.phase = BONUS
    else:
        end_actions(t)


def end_actions(t: "Table") -> None:
    if t.hand_count[t.to_move] < 10 and can_swap(t):
        t.phase = DRAW
    else:
        end_turn(t)


def end_turn(t: "Table") -> None:
    t.to_move += 1
    if t.to_move == t.players:
        t.to_move = 0
    t.phase = ACTION
    t.quiet = 0 if t.laid else t.quiet + 1
    t.laid = 0
    turns = t.quiet // t.players
    if turns >= t.blocked_any or (turns >= t.blocked_empty and t.bag_next == t.bag_end):  # U16
        block(t)


def block(t: "Table") -> None:
    """Fewest tiles win."""
    t.phase = OVER
    t.ended = BLOCKED
    fewest = TILES
    for seat in range(t.players):
        if t.hand_count[seat] < fewest:
            fewest = t.hand_count[seat]
            t.winners = 0
        if t.hand_count[seat] == fewest:
            t.winners |= 1 << seat


# ----------------------------------------------------------------------------------------- steps


def lay_number(t: "Table", tile: int, edge: int) -> int:
    """The number of laying a tile on an edge cell."""
    cell = t.edge_cell[edge]
    must_touch_last = t.phase == CHAIN or (t.phase == BONUS and t.continues)
    found = TILES
    towards = 0
    for side in range(4):
        near = (cell + OFFSET[side]) & AROUND
        what = t.at[near]
        if is_stone(what):
            if must_touch_last:
                if near == t.last:
                    found = what - 1
                    towards = side
            elif what - 1 < found:
                found = what - 1
                towards = side
    # Seen from the tile on the table the new one is on the opposite side.
    return (found * 8 + PARTNER_INDEX[found * TILES + tile]) * 4 + (towards ^ 2)


def lays_at(t: "Table", edge: int, count: int) -> int:
    """Add the numbers of all lays on an edge cell."""
    bits = t.edge_low[edge] & t.hand_low[t.to_move]
    while bits:
        LEGAL[count] = lay_number(t, lowest(bits), edge)
        count += 1
        bits &= bits - 1
    bits = t.edge_high[edge] & t.hand_high[t.to_move]
    while bits:
        LEGAL[count] = lay_number(t, 64 + lowest(bits), edge)
        count += 1
        bits &= bits - 1
    return count


def legal_numbers(t: "Table") -> int:
    """Write the legal steps into LEGAL; how many they are."""
    count = 0
    if t.phase == OVER:
        return 0
    if t.phase <= BONUS:
        if t.phase == CHAIN or (t.phase == BONUS and t.continues):
            for side in range(4):
                what = t.at[(t.last + OFFSET[side]) & AROUND]
                if what >= EDGE:
                    count = lays_at(t, what - EDGE, count)
        else:
            for edge in range(t.edges):
                count = lays_at(t, edge, count)
        if t.phase != CHAIN and can_swap(t):
            for place in range(t.hand_count[t.to_move]):
                LEGAL[count] = GIVE + t.hand[t.to_move * 12 + place]
                count += 1
        if t.phase != ACTION or count == 0:
            LEGAL[count] = STOP
            count += 1
        return count
    for place in range(takeable(t)):
        LEGAL[count] = TAKE + t.display[place]
        count += 1
    if t.bag_next < t.bag_end:
        LEGAL[count] = BAG
        count += 1
    return count


def allows(t: "Table", number: int) -> int:
    if number < 0 or number > STOP or t.phase == OVER:
        return 0
    seat = t.to_move
    if number < GIVE:
        stone = number >> 5
        if t.phase > BONUS or t.place[stone] < 0:
            return 0
        tile = PARTNER[number >> 2]
        what = t.at[(t.place[stone] + OFFSET[number & 3]) & AROUND]
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
        return t.index[tile] < takeable(t) and t.display[t.index[tile]] == tile
    if t.phase == ACTION:
        return not can_swap(t) and lays_anywhere(t) == 0
    return t.phase <= BONUS


def tile_laid(number: int) -> int:
    """The tile that a step lays."""
    return PARTNER[number >> 2]


def play(t: "Table", number: int) -> None:
    """Do a step, which must be legal."""
    if number < GIVE:
        lay(t, PARTNER[number >> 2], (t.place[number >> 5] + OFFSET[number & 3]) & AROUND)
    elif number < TAKE:
        give(t, number - GIVE)
    elif number < BAG:
        take(t, number - TAKE)
    elif number == BAG:
        take_unseen(t)
    else:
        stop(t)


# ------------------------------------------------------------------------------------ beginnings


def clear(t: "Table", players: int) -> None:
    """An empty table; options and chance stay."""
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
        other = t.bag_next + below(t, final - t.bag_next + 1)
        tile = t.bag[final]
        t.bag[final] = t.bag[other]
        t.bag[other] = tile


def deal_round(t: "Table", players: int, starter: int) -> None:
    """A new round (U3)."""
    clear(t, players)
    for tile in range(TILES):
        t.bag[tile] = tile
    t.bag_end = TILES
    shuffle_bag(t)
    for place in range(10 * players):
        into_hand(t, place // 10, t.bag[place])
    for place in range(10 * players, 10 * players + 3):
        into_display(t, t.bag[place])
    put(t, t.bag[10 * players + 3], START)
    t.last = START
    t.bag_next = 10 * players + 4
    t.to_move = starter


def mix_unknown(t: "Table", seat: int) -> None:
    """Mix what a seat may not know: the bag, and in the other hands what nobody saw (U18)."""
    in_bag = t.bag_end - t.bag_next
    first = t.bag_next
    # All unknown tiles go into the bag, which then has room for them: 81 in all.
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
            out_of_hand(t, other, lowest(low))
            t.bag[t.bag_end] = lowest(low)
            t.bag_end += 1
            low &= low - 1
        while high:
            out_of_hand(t, other, 64 + lowest(high))
            t.bag[t.bag_end] = 64 + lowest(high)
            t.bag_end += 1
            high &= high - 1
        # How many this hand lacks is remembered where its tiles were counted.
        t.hidden[other] = t.bag_end
    shuffle_bag(t)
    drawn = in_bag
    for other in range(t.players):
        if other != seat:
            while drawn < t.hidden[other]:
                into_hand(t, other, t.bag[drawn])
                drawn += 1
    t.bag_end = in_bag


# ---------------------------------------------------------------------------------- random games


def do_any(t: "Table") -> None:
    """One of the legal steps, each as likely as any other."""
    first = t.to_move * 12
    if t.phase == CHAIN or (t.phase == BONUS and t.continues):
        low = t.hand_low[t.to_move]
        high = t.hand_high[t.to_move]
        lays = 0
        for side in range(4):
            what = t.at[(t.last + OFFSET[side]) & AROUND]
            if what >= EDGE:
                lays += ones(t.edge_low[what - EDGE] & low) + ones(t.edge_high[what - EDGE] & high)
        gives = t.hand_count[t.to_move] if t.phase == BONUS and can_swap(t) else 0
        number = below(t, lays + gives + 1)
        if number < lays:
            random_extension(t, number)
        elif number < lays + gives:
            give(t, t.hand[first + number - lays])
        else:
            stop(t)
    elif t.phase <= BONUS:
        lays = lays_anywhere(t)
        gives = t.hand_count[t.to_move] if can_swap(t) else 0
        stops = t.phase == BONUS or lays + gives == 0
        number = below(t, lays + gives + stops)
        if number < lays:
            random_lay(t, number)
        elif number < lays + gives:
            give(t, t.hand[first + number - lays])
        else:
            stop(t)
    else:
        shown = takeable(t)
        number = below(t, shown + (t.bag_next < t.bag_end))
        if number < shown:
            take(t, t.display[number])
        else:
            take_unseen(t)


def random_lay(t: "Table", number: int) -> None:
    """The lay with this number among those of each tile of the hand in turn."""
    place = t.to_move * 12
    while number >= t.fits[t.hand[place]]:
        number -= t.fits[t.hand[place]]
        place += 1
    tile = t.hand[place]
    edge = 0
    if tile < 64:
        while True:
            number -= (t.edge_low[edge] >> tile) & 1
            if number < 0:
                break
            edge += 1
    else:
        while True:
            number -= (t.edge_high[edge] >> (tile - 64)) & 1
            if number < 0:
                break
            edge += 1
    lay(t, tile, t.edge_cell[edge])


def random_extension(t: "Table", number: int) -> None:
    """The lay with this number among those next to the last tile."""
    for side in range(4):
        cell = (t.last + OFFSET[side]) & AROUND
        what = t.at[cell]
        if what < EDGE:
            continue
        bits = t.edge_low[what - EDGE] & t.hand_low[t.to_move]
        while bits:
            if number == 0:
                lay(t, lowest(bits), cell)
                return
            number -= 1
            bits &= bits - 1
        bits = t.edge_high[what - EDGE] & t.hand_high[t.to_move]
        while bits:
            if number == 0:
                lay(t, 64 + lowest(bits), cell)
                return
            number -= 1
            bits &= bits - 1


def random_steps(t: "Table") -> int:
    """Play to the end of the round; how many steps it took."""
    steps = 0
    while t.phase != OVER:
        do_any(t)
        steps += 1
    return steps


def random_games(players: int, games: int, seed: int) -> tuple[int, list[int]]:
    """Whole rounds of random steps: how many steps they took, and how many each seat won."""
    game = Round()
    t = game.table
    t.chance = mixed(seed)
    wins = [0] * players
    steps = 0
    for number in range(games):
        deal_round(t, players, number % players)
        steps += random_steps(t)
        for seat in range(players):
            if t.winners >> seat & 1:
                wins[seat] += 1
    return steps, wins


# ---------------------------------------------------------------------------------------- search


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


# -------------------------------------------------------------------------------------- policies


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


# ----------------------------------------------------------------------------- what Python holds


def cover(tiles: list[int]) -> int:
    """The fewest chains that lay all these tiles, at most 16, if places don't matter."""
    if len(tiles) > 16:
        raise ValueError("at most 16 tiles")
    SEARCH.count = len(tiles)
    for place, tile in enumerate(tiles):
        SEARCH.tile[place] = tile
    everything = link(SEARCH)
    fill_covers(SEARCH)
    return SEARCH.cover[everything]


class Chain(NamedTuple):
    """A chain that may be laid, and what comes of it."""

    steps: tuple[int, ...]
    left: tuple[int, ...]
    """The tiles that stay in the hand."""
    bonus: bool
    """Whether it earns a double turn, if it is the turn's first action."""
    cover: int
    """The fewest chains that would lay the tiles left, if places don't matter."""


class Round:
    """A round that is being played. `pytlik.unikat.steps` makes one from a State or a View."""

    def __cinit__(self) -> None:
        self.table = new_table()
        t = self.table
        t.blocked_empty = 2
        t.blocked_any = 20
        self.set_weights(10, -3, 0, 4, 6)
        clear(t, 2)
        self.origin = (0, 0)

    def __init__(self) -> None:
        if not COMPILED:
            self.__cinit__()

    def __dealloc__(self) -> None:
        drop_table(self.table)

    def set_options(self, *, continues: bool, blocked: tuple[int, int]) -> None:
        """U10: where a lay as the extra action may begin. U16: turns a player without a lay that
        end the round, with an empty bag and with any."""
        self.table.continues = continues
        self.table.blocked_empty, self.table.blocked_any = blocked

    def set_weights(self, cover: int, tile: int, drawn: int, unseen: int, extra: int) -> None:
        """What the patient policy weighs: each chain that it takes to cover the hand, each tile in
        it, a tile to be drawn, one that comes unseen in a swap, and an extra action."""
        t = self.table
        t.weigh_cover = cover
        t.weigh_tile = tile
        t.weigh_drawn = drawn
        t.weigh_unseen = unseen
        t.weigh_extra = extra

    def copy(self) -> "Round":
        other = Round()
        copy_table(self.table, other.table)
        other.origin = self.origin
        return other

    def copy_from(self, other: "Round") -> None:
        """Become the same as another one, without making anything."""
        copy_table(other.table, self.table)
        self.origin = other.origin

    def seed(self, seed: int) -> None:
        """Where chance goes on."""
        self.table.chance = mixed(seed)

    def deal(self, players: int, starter: int = 0) -> None:
        """Begin a new round. The mixing is the kernel's own, not that of `pytlik.chance`."""
        if not 2 <= players <= 4 or not 0 <= starter < players:
            raise ValueError("2 to 4 can play, and one of them begins")
        self.origin = (0, 0)
        deal_round(self.table, players, starter)

    def guess(self, seat: int) -> None:
        """Mix what a seat may not know; -1 is a spectator."""
        mix_unknown(self.table, seat)

    def legal(self) -> list[int]:
        """The legal steps, in no order that means anything."""
        return chosen(NUMBERS, LEGAL, legal_numbers(self.table))

    def legal_mask(self, mask: bytearray) -> None:
        """Write 1 for each legal step and 0 for each other into 2,756 bytes, of any kind that can
        be written to."""
        if len(mask) != STEPS:
            raise ValueError(f"{STEPS} bytes are needed")
        for number in range(STEPS):
            mask[number] = 0
        for place in range(legal_numbers(self.table)):
            mask[LEGAL[place]] = 1

    def is_legal(self, number: int) -> bool:
        return bool(allows(self.table, number))

    def step(self, number: int) -> None:
        if not allows(self.table, number):
            raise ValueError(f"step {number} is not legal now")
        play(self.table, number)

    def lay_step(self, tile: int, x: int, y: int) -> int:
        """The step that lays a tile there, or -1 if there is none."""
        left, top = self.origin
        if abs(x - left) > TILES or abs(y - top) > TILES:
            return -1
        what = self.table.at[(START + x - left + 128 * (y - top)) & AROUND]
        number = lay_number(self.table, tile, what - EDGE) if what >= EDGE else -1
        return number if allows(self.table, number) else -1

    def chains(self, limit: int = 2000) -> tuple[list[Chain], bool]:
        """The chains that may be laid now; of those alike in what they leave, in bonus, and in
        where and with what they end only one. At most so many (16,000), and whether these are
        all."""
        if not 0 < limit <= 16000:
            raise ValueError("1 to 16,000 chains")
        # On a copy, since a search leaves the edge cells in another order.
        game = self.copy()
        complete = search_chains(SEARCH, game.table, limit)
        fill_covers(SEARCH)
        found = []
        for chain in range(SEARCH.chains):
            copy_table(self.table, game.table)
            laid = []
            place = chain
            while place >= 0:
                laid.append((SEARCH.end_tile[place], SEARCH.end_cell[place]))
                place = SEARCH.parent[place]
            left = SEARCH.left[chain]
            found.append(
                Chain(
                    game.laid_steps(laid[::-1]),
                    tuple(SEARCH.tile[place] for place in range(SEARCH.count) if left >> place & 1),
                    SEARCH.bonus[chain] != 0,
                    SEARCH.cover[left],
                )
            )
        return found, bool(complete)

    def laid_steps(self, placed: list[tuple[int, int]]) -> tuple[int, ...]:
        """Lay these tiles on these cells, as a chain; the steps of it."""
        steps = []
        for tile, cell in placed:
            steps.append(lay_number(self.table, tile, self.table.at[cell] - EDGE))
            lay(self.table, tile, cell)
        if self.table.phase == CHAIN:
            steps.append(STOP)
            stop(self.table)
        return tuple(steps)

    def longest_turn(self, nodes: int = 1_000_000) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
        """A turn that lays as many tiles as possible, or what is left to lay of a turn: the steps
        of its chain and of the second one if it earns that, and whether all that is possible was
        seen or ruled out within so many nodes."""
        game = self.copy()
        exact = search_longest(SEARCH, game.table, nodes)
        laid = [(SEARCH.best_tile[n], SEARCH.best_cell[n]) for n in range(SEARCH.found)]
        first = game.laid_steps(laid[: SEARCH.split])
        return first, game.laid_steps(laid[SEARCH.split :]), bool(exact)

    def play_out(self, policies: list[int], limit: int = 100) -> None:
        """Play to the end of the round, with a policy for each seat. `limit` is how many chains a
        policy looks at."""
        if len(policies) != self.players or not set(policies) <= {UNIFORM, EAGER, PATIENT}:
            raise ValueError("each seat needs a policy")
        if not 0 < limit <= 16000:
            raise ValueError("1 to 16,000 chains")
        for seat, policy in enumerate(policies):
            self.table.policy[seat] = policy
        play_to_end(SEARCH, self.table, limit)

    def playouts(
        self, seat: int, games: int, policies: list[int], limit: int = 100
    ) -> tuple[list[float], list[int]]:
        """From here many rounds to the end, each with what the seat may not know made up anew
        (-2: all hands known, only chance differs): the wins of each seat, a shared one in equal
        parts, and the tiles that were left in each hand."""
        game = self.copy()
        wins = [0.0] * self.players
        left = [0] * self.players
        t = game.table
        for _ in range(games):
            chance = t.chance
            copy_table(self.table, t)
            t.chance = chance
            if seat != -2:
                mix_unknown(t, seat)
            game.play_out(policies, limit)
            for other in range(t.players):
                left[other] += t.hand_count[other]
                if t.winners >> other & 1:
                    wins[other] += 1 / ones(t.winners)
        self.table.chance = t.chance
        return wins, left

    def random_step(self) -> None:
        if self.table.phase != OVER:
            do_any(self.table)

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def to_move(self) -> int:
        return self.table.to_move

    @property
    def phase(self) -> int:
        return self.table.phase

    @property
    def over(self) -> bool:
        return self.table.phase == OVER

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the round, once it is over."""
        return tuple(seat for seat in range(self.players) if self.table.winners >> seat & 1)

    @property
    def ended(self) -> int:
        """LAST_TILE or BLOCKED, once it is over."""
        return self.table.ended

    @property
    def laid(self) -> bool:
        return self.table.laid != 0

    @property
    def quiet_turns(self) -> int:
        return self.table.quiet

    @property
    def given(self) -> int:
        """While TAKING, the tile that the swap gives."""
        return self.table.given

    @property
    def hands(self) -> list[list[int]]:
        t = self.table
        return [
            [t.hand[seat * 12 + place] for place in range(t.hand_count[seat])]
            for seat in range(t.players)
        ]

    @property
    def known(self) -> list[list[int]]:
        """Of each hand the tiles that everyone has seen going into it (U18)."""
        t = self.table
        return [
            [
                tile
                for tile in range(TILES)
                if t.known_low[seat] & LOW[tile] or t.known_high[seat] & HIGH[tile]
            ]
            for seat in range(t.players)
        ]

    @property
    def display(self) -> list[int]:
        return [self.table.display[place] for place in range(self.table.display_count)]

    @property
    def bag(self) -> list[int]:
        """In drawing order."""
        return [self.table.bag[place] for place in range(self.table.bag_next, self.table.bag_end)]

    @property
    def board(self) -> list[tuple[int, int, int]]:
        """The tiles on the table as they were laid: x, y, tile."""
        t = self.table
        order = [t.order[place] for place in range(t.stones)]
        found = {order[0]: self.origin}
        reached = [order[0]]
        for tile in reached:
            x, y = found[tile]
            for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                what = t.at[(t.place[tile] + OFFSET[side]) & AROUND]
                if is_stone(what) and what - 1 not in found:
                    found[what - 1] = (x + dx, y + dy)
                    reached.append(what - 1)
        return [(*found[tile], tile) for tile in order]

    def load(
        self,
        *,
        board: list[tuple[int, int, int]],
        hands: list[list[int]],
        known: list[list[int]],
        display: list[int],
        bag: list[int],
        to_move: int,
        phase: int,
        laid: bool,
        quiet_turns: int,
        winners: tuple[int, ...] = (),
        ended: int = 0,
    ) -> None:
        """Become a given round. It must be possible: nothing is checked here."""
        t = self.table
        clear(t, len(hands))
        left, top = board[0][:2]
        self.origin = (left, top)
        for x, y, tile in board:
            t.last = (START + x - left + 128 * (y - top)) & AROUND
            put(t, tile, t.last)
        for seat, tiles in enumerate(hands):
            for tile in tiles:
                into_hand(t, seat, tile)
            for tile in known[seat]:
                t.known_low[seat] |= LOW[tile]
                t.known_high[seat] |= HIGH[tile]
        for tile in display:
            into_display(t, tile)
        t.bag_end = len(bag)
        for place, tile in enumerate(bag):
            t.bag[place] = tile
        t.to_move = to_move
        t.phase = phase
        t.laid = laid
        t.quiet = quiet_turns
        t.winners = sum(1 << seat for seat in winners)
        t.ended = ended
