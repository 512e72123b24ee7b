# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What others may hold."""

if __file__.endswith(".py"):
    from pytlik.unikat.judgment.chains import *
    from pytlik.unikat.judgment.worth import *


def settle(q: "Mind", t: "Table", seat: int) -> None:
    """Make guessed hands such as players keep.

    Somebody who has drawn and swapped holds the best of what came by, and not just any tiles: a
    guess draws again, and puts back what does not belong. How much came by is known from the bag
    and from the tiles that were seen going into a hand, for which others were given; how often a
    guess must draw for that was measured, so that it needs as many chains as real hands do.
    """
    in_bag = t.bag_end - t.bag_next
    if in_bag == 0:
        return
    drawn = max(0, IN_ALL - 10 * t.players - in_bag) // t.players
    often = 2 if t.players == 2 else 3
    for other in range(t.players):
        if other != seat:
            came = drawn + ones(t.known_low[other]) + ones(t.known_high[other])
            for number in range(often * came):
                if number == often * (came - 1):
                    unready(q, t, other)
                improve(q, t, other, t.bag_next + below(t, in_bag))


def unready(q: "Mind", t: "Table", seat: int) -> None:
    """Who could have laid all tiles before the last one came would have done so: then some tile of
    the hand was another."""
    mover = t.to_move
    phase = t.phase
    t.to_move = seat
    t.phase = ACTION
    for _ in range(10):
        sit(q, t, seat)
        if not (lays_all(q, t, 0) or lays_all(q, t, 1)):
            break
        given = q.tile[below(t, q.n)]
        if ((t.known_low[seat] & LOW[given]) | (t.known_high[seat] & HIGH[given])) == 0:
            place = t.bag_next + below(t, t.bag_end - t.bag_next)
            out_of_hand(t, seat, given)
            into_hand(t, seat, t.bag[place])
            t.bag[place] = given
    t.to_move = mover
    t.phase = phase


def improve(q: "Mind", t: "Table", seat: int, place: int) -> None:
    """Give a hand a tile of the bag for one that nobody has seen, if that makes it better."""
    sit(q, t, seat)
    tile = t.bag[place]
    if q.n == 0 or q.local[tile] == 0:
        return
    chart_with(q, tile)
    best = judge_hand(q, t, q.full, 0, q.display_low, q.display_high, AFTER)
    given = -1
    for index in range(q.n):
        held = q.tile[index]
        if (t.known_low[seat] & LOW[held]) | (t.known_high[seat] & HIGH[held]):
            continue
        rest = q.full ^ (1 << index)
        value = judge_with(q, t, rest, 0, q.display_low, q.display_high, AFTER)
        if value > best:
            best = value
            given = held
    if given >= 0:
        out_of_hand(t, seat, given)
        into_hand(t, seat, tile)
        t.bag[place] = given
