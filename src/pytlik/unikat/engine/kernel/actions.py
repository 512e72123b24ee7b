# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Actions of a turn, the ends of turns and rounds, and random play.

Random play is here because it does many millions of steps a second, and calls are only free within
a module. `pytlik bench` has a target for it.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.kernel.table import *


# ----------------------------------------------------------------------------------------- turns


def can_extend(t: "Table") -> int:
    """Can a tile of the hand be laid next to the last one?"""
    low = t.hand_low[t.to_move]
    high = t.hand_high[t.to_move]
    for side in range(4):
        what = t.at[(t.last + SIDE_OFFSETS[side]) & CELL_MASK]
        if what >= EDGE and (t.edge_low[what - EDGE] & low or t.edge_high[what - EDGE] & high):
            return 1
    return 0


def count_lays(t: "Table") -> int:
    """The number of ways to lay a tile of the hand."""
    first = t.to_move * 12
    count = 0
    for place in range(first, first + t.hand_count[t.to_move]):
        count += t.fits[t.hand[place]]
    return count


def can_lay(t: "Table") -> int:
    return can_extend(t) if must_touch_last(t) else count_lays(t)


def can_swap(t: "Table") -> int:
    return t.display_count > 0 or t.bag_next < t.bag_end


def count_takeable_in_display(t: "Table") -> int:
    """How many tiles of the display, from the first on, may be taken: a tile just given in a swap
    is the last, and stays (U11)."""
    return t.display_count - 1 if t.phase == TAKING else t.display_count


def lay(t: "Table", tile: int, cell: int) -> None:
    if t.phase != CHAIN:
        t.extra = t.phase == BONUS
        t.earned = 0
        t.phase = CHAIN
    if not t.extra and not t.earned and count_touching(t, cell) > 1:
        t.earned = 1  # U10
    put(t, tile, cell)
    remove_from_hand(t, t.to_move, tile)
    t.last = cell
    t.laid = 1
    if t.hand_count[t.to_move] == 0:  # U15
        t.phase = OVER
        t.winners = 1 << t.to_move
        t.ended = LAST_TILE
    elif not can_extend(t):
        stop(t)


def give(t: "Table", tile: int) -> None:
    remove_from_hand(t, t.to_move, tile)
    add_to_display(t, tile)
    t.given = tile
    t.phase = TAKING


def take(t: "Table", tile: int) -> None:
    remove_from_display(t, tile)
    add_to_hand(t, t.to_move, tile)
    t.known_low[t.to_move] |= LOW[tile]  # U18: everyone saw it
    t.known_high[t.to_move] |= HIGH[tile]
    finish_taking(t)


def take_unseen(t: "Table") -> None:
    add_to_hand(t, t.to_move, t.bag[t.bag_next])
    t.bag_next += 1
    finish_taking(t)


def finish_taking(t: "Table") -> None:
    if t.phase == TAKING:
        draw_or_end_turn(t)
        return
    if t.display_count == 0:  # U14
        while t.display_count < 3 and t.bag_next < t.bag_end:
            add_to_display(t, t.bag[t.bag_next])
            t.bag_next += 1
    end_turn(t)


def stop(t: "Table") -> None:
    if t.phase == ACTION:
        end_turn(t)
        return
    if t.phase == CHAIN and t.earned:
        t.phase = BONUS
        if can_swap(t) or can_lay(t):
            return
    draw_or_end_turn(t)


def draw_or_end_turn(t: "Table") -> None:
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
        end_blocked_round(t)


def end_blocked_round(t: "Table") -> None:
    """End the round: fewest tiles win."""
    t.phase = OVER
    t.ended = BLOCKED
    fewest = TILES
    for seat in range(t.players):
        if t.hand_count[seat] < fewest:
            fewest = t.hand_count[seat]
            t.winners = 0
        if t.hand_count[seat] == fewest:
            t.winners |= 1 << seat


# ---------------------------------------------------------------------------------- random steps


def random_step(t: "Table") -> None:
    """Do one of the legal steps, all equally likely."""
    first = t.to_move * 12
    if must_touch_last(t):
        low = t.hand_low[t.to_move]
        high = t.hand_high[t.to_move]
        lays = 0
        for side in range(4):
            what = t.at[(t.last + SIDE_OFFSETS[side]) & CELL_MASK]
            if what >= EDGE:
                lays += count_bits(t.edge_low[what - EDGE] & low) + count_bits(
                    t.edge_high[what - EDGE] & high
                )
        gives = t.hand_count[t.to_move] if t.phase == BONUS and can_swap(t) else 0
        number = random_below(t, lays + gives + 1)
        if number < lays:
            random_extension(t, number)
        elif number < lays + gives:
            give(t, t.hand[first + number - lays])
        else:
            stop(t)
    elif t.phase <= BONUS:
        lays = count_lays(t)
        gives = t.hand_count[t.to_move] if can_swap(t) else 0
        stops = t.phase == BONUS or lays + gives == 0
        number = random_below(t, lays + gives + stops)
        if number < lays:
            random_lay(t, number)
        elif number < lays + gives:
            give(t, t.hand[first + number - lays])
        else:
            stop(t)
    else:
        shown = count_takeable_in_display(t)
        number = random_below(t, shown + (t.bag_next < t.bag_end))
        if number < shown:
            take(t, t.display[number])
        else:
            take_unseen(t)


def random_lay(t: "Table", number: int) -> None:
    """Do the lay with this number, counted tile by tile of the hand."""
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
    """Do the lay with this number among those next to the last tile."""
    for side in range(4):
        cell = (t.last + SIDE_OFFSETS[side]) & CELL_MASK
        what = t.at[cell]
        if what < EDGE:
            continue
        bits = t.edge_low[what - EDGE] & t.hand_low[t.to_move]
        while bits:
            if number == 0:
                lay(t, lowest_bit(bits), cell)
                return
            number -= 1
            bits &= bits - 1
        bits = t.edge_high[what - EDGE] & t.hand_high[t.to_move]
        while bits:
            if number == 0:
                lay(t, 64 + lowest_bit(bits), cell)
                return
            number -= 1
            bits &= bits - 1


def play_random_steps(t: "Table") -> int:
    """Play to the end of the round. Returns how many steps it took."""
    steps = 0
    while t.phase != OVER:
        random_step(t)
        steps += 1
    return steps
