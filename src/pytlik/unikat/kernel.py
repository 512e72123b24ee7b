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

COMPILED = not __file__.endswith(".py")

if not COMPILED:
    from pytlik.unikat.plain import *

    sys.stderr.write("pytlik: Unikat's kernel runs uncompiled, and slowly\n")


def differ_in_one(tile: int, other: int) -> bool:
    return sum(tile // 3**place % 3 != other // 3**place % 3 for place in range(4)) == 1


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
    elif t.phase == CHAIN and t.earned and (
        can_swap(t) or (goes_on(t) if t.continues else lays_anywhere(t))
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
    for place in range(t.display_count):
        if t.phase == DRAW or t.display[place] != t.given:  # U11
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
        if t.phase != ACTION and t.phase != BONUS:
            return 0
        mine = (LOW[tile] & t.hand_low[seat]) | (HIGH[tile] & t.hand_high[seat])
        return mine != 0 and can_swap(t)
    if number < STOP:
        if t.phase != TAKING and t.phase != DRAW:
            return 0
        if number == BAG:
            return t.bag_next < t.bag_end
        tile = number - TAKE
        shown = t.index[tile] < t.display_count and t.display[t.index[tile]] == tile
        return shown and (t.phase == DRAW or tile != t.given)
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
        # The tile that a swap has given is the last of the display, and stays there (U11).
        shown = t.display_count - (t.phase == TAKING)
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


# ----------------------------------------------------------------------------- what Python holds


class Round:
    """A round that is being played. `pytlik.unikat.steps` makes one from a State or a View."""

    def __cinit__(self) -> None:
        self.table = new_table()
        t = self.table
        t.blocked_empty = 2
        t.blocked_any = 20
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
        """Write 1 for each legal step and 0 for each other into 2,756 bytes."""
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
