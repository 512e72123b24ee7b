"""What a seat knows of a round in which chance is a player: as numbers, as words, and as other
rounds that would look the same to it."""

from collections.abc import Sequence

from pytlik.adapters.unikat_chance_round import (
    ChanceRound,
    Uniform,
    public_text,
    replay_log,
    tile_codes,
)
from pytlik.adapters.unikat_observation import Neighbours, Row
from pytlik.adapters.unikat_observation import observe as observe_round
from pytlik.unikat.engine.kernel import CHAIN, TAKING
from pytlik.unikat.engine.kernel_bridge import load_arguments
from pytlik.unikat.model import HAND_SIZE, TILES


def observe(chance_round: ChanceRound, seat: int) -> Row | None:
    """What a seat sees, as numbers; None before the deal is done."""
    visible = visible_to(chance_round, seat)
    if visible.round is None:
        return None
    return observe_round(visible.round, Neighbours(visible.round), seat, extra=visible.extra)


def describe(
    chance_round: ChanceRound, seat: int, *, public: bool = True, private: bool = True
) -> str:
    """What a seat sees, in words: what is public, its own hand, or both."""
    visible = visible_to(chance_round, seat)
    if visible.round is None:
        shown, hand = "deal", chance_round.dealt[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]
    else:
        shown, hand = public_text(visible.round), visible.round.hands[seat]
    parts = [shown] if public else []
    return " ".join([*parts, f"hand {tile_codes(sorted(hand))}"] if private else parts)


def describe_all(chance_round: ChanceRound) -> str:
    """All the truth, in words."""
    due = chance_round.due or chance_round.setup.dealt
    waits = f" chance brings {due} tiles: {tile_codes(chance_round.dealt)}"
    round_ = chance_round.round
    if round_ is None:
        return waits.strip()
    hands = " ".join(
        f"p{seat} {tile_codes(sorted(hand))}" for seat, hand in enumerate(round_.hands)
    )
    return (
        f"{public_text(round_)} hands {hands} bag {tile_codes(sorted(round_.bag))}"
        f"{waits if chance_round.due else ''}"
    )


def visible_to(chance_round: ChanceRound, seat: int) -> ChanceRound:
    """The round as a seat sees it: others see an action only when it is done."""
    round_ = chance_round.round
    if round_ is None or round_.phase not in (CHAIN, TAKING) or round_.to_move == seat:
        return chance_round
    before = chance_round.before
    if before is None or len(before.log) != chance_round.action_at:
        log = chance_round.log[: chance_round.action_at]
        before = chance_round.before = replay_log(chance_round.setup, chance_round.start, log)
    return before


def find_hidden(chance_round: ChanceRound, seat: int) -> list[int]:
    """The tiles of which a seat doesn't know where they are (U18)."""
    dealt, round_ = chance_round.dealt, chance_round.round
    if round_ is None:
        mine = dealt[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]
        known = {*mine, *dealt[HAND_SIZE * chance_round.setup.players :]}
        return [tile for tile in range(len(TILES)) if tile not in known]
    hidden = round_.bag
    for other, (hand, known_of) in enumerate(zip(round_.hands, round_.known, strict=True)):
        if other != seat:
            hidden += [tile for tile in hand if tile not in known_of]
    return sorted(hidden)


def resample(
    chance_round: ChanceRound, seat: int, uniform: Uniform
) -> tuple[ChanceRound, list[int]]:
    """The beginning and the log of a round in which the tiles that a seat can't place have changed
    places, all ways equally likely. `follow` leads to the same moment of it, unless the others
    can't have acted so: then it is Impossible."""
    setup = chance_round.setup
    tiles = find_hidden(chance_round, seat)
    changed = dict(zip(tiles, shuffle(tiles, uniform), strict=True))
    log = [~changed.get(~entry, ~entry) if entry < 0 else entry for entry in chance_round.log]
    brought = [~entry for entry in log if entry < 0]
    if chance_round.start is None:
        bag = chance_round.round.bag if chance_round.round else []
        to_come = [changed[tile] for tile in bag if tile not in chance_round.dealt]
        return ChanceRound(setup, foreseen=[*brought[setup.dealt :], *to_come]), log
    start = chance_round.start.copy()
    hands = [[changed.get(tile, tile) for tile in hand] for hand in start.hands]
    gone = set(brought)
    bag = [changed.get(tile, tile) for tile in start.bag]
    rest = [tile for tile in bag if tile not in gone]
    start.load(**load_arguments(start, hands=hands, bag=[*brought, *rest]))
    return ChanceRound(setup, start), log


def shuffle(tiles: Sequence[int], uniform: Uniform) -> list[int]:
    order = list(tiles)
    for last in range(len(order) - 1, 0, -1):
        other = int(uniform() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order
