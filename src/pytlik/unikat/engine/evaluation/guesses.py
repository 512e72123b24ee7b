# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Guesses of other hands such as players really hold."""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.evaluation.evaluate import *
    from pytlik.unikat.engine.evaluation.table_chains import *


def improve_guessed_hands(evaluator: "Evaluator", t: "Table", seat: int) -> None:
    """Make the guessed hands of all but one seat such as players keep.

    Players who have drawn and swapped hold the best of what they came by, and not just any tiles: a
    guess draws again, and puts back what doesn't belong. How much they came by is known from the
    bag, and from tiles that were seen going into a hand, for which others were given. How often a
    guess must draw for that was measured, so that it needs as many chains as real hands do.
    """
    in_bag = t.bag_end - t.bag_next
    if in_bag == 0:
        return
    drawn = max(0, HANDS_AND_BAG_AT_DEAL - 10 * t.players - in_bag) // t.players
    draws_per_tile = 2 if t.players == 2 else 3
    for other in range(t.players):
        if other != seat:
            tiles = drawn + count_bits(t.known_low[other]) + count_bits(t.known_high[other])
            for number in range(draws_per_tile * tiles):
                if number == draws_per_tile * (tiles - 1):
                    break_up_finished_hand(evaluator, t, other)
                improve_hand(evaluator, t, other, t.bag_next + random_below(t, in_bag))


def break_up_finished_hand(evaluator: "Evaluator", t: "Table", seat: int) -> None:
    """Exchange tiles of a hand that can be laid in one turn: before the last tile came its player
    would have done so."""
    mover = t.to_move
    phase = t.phase
    t.to_move = seat
    t.phase = ACTION
    for _ in range(10):
        load_hand(evaluator, t, seat)
        if not (can_go_out(evaluator, t, 0) or can_go_out(evaluator, t, 1)):
            break
        given = evaluator.tile[random_below(t, evaluator.count)]
        if not is_known(t, seat, given):
            place = t.bag_next + random_below(t, t.bag_end - t.bag_next)
            remove_from_hand(t, seat, given)
            add_to_hand(t, seat, t.bag[place])
            t.bag[place] = given
    t.to_move = mover
    t.phase = phase


def improve_hand(evaluator: "Evaluator", t: "Table", seat: int, place: int) -> None:
    """Exchange a tile of the hand that nobody has seen for this one of the bag, if that makes the
    hand better."""
    load_hand(evaluator, t, seat)
    tile = t.bag[place]
    if evaluator.count == 0 or evaluator.partners[tile] == 0:
        return
    compute_fewest_chains_with(evaluator, tile)
    low = evaluator.display_low
    high = evaluator.display_high
    best = evaluate_hand(evaluator, t, evaluator.hand, 0, low, high, AFTER_TURN)
    given = -1
    for index in range(evaluator.count):
        held = evaluator.tile[index]
        if is_known(t, seat, held):
            continue
        rest = evaluator.hand ^ (1 << index)
        value = evaluate_hand_with(evaluator, t, rest, 0, low, high, AFTER_TURN)
        if value > best:
            best = value
            given = held
    if given >= 0:
        remove_from_hand(t, seat, given)
        add_to_hand(t, seat, tile)
        t.bag[place] = given


def is_known(t: "Table", seat: int, tile: int) -> int:
    """Has everyone seen this tile going into the hand (U18)?"""
    return ((t.known_low[seat] & LOW[tile]) | (t.known_high[seat] & HIGH[tile])) != 0
