# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Guesses hands like those that players really hold."""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.evaluation.evaluate import *
    from pytlik.unikat.engine.evaluation.table_chains import *


def improve_guessed_hands(evaluator: "Evaluator", t: "Table", seat: int) -> None:
    """Make the guessed hands of all seats but one like those that players keep.

    Players who have drawn and swapped hold the best of the tiles they came by, not random ones. So
    a guess draws again, and puts back what doesn't fit. How many tiles they came by follows from
    the bag, and from the tiles that were seen going into a hand in exchange for others. How many
    draws that takes was measured, so that guessed hands need as many chains as real ones.
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
    """Exchange tiles while the hand can be laid in one turn: its player would have done that before
    the last tile came."""
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
    """Exchange an unseen tile of the hand for this one from the bag, if that makes the hand
    better."""
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
