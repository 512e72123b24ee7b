"""What a seat knows of a round in which chance is a player: as numbers, as words, and as other
rounds that would look the same to it."""

from collections.abc import Sequence

from pytlik.adapters.unikat_chance_round import (
    ChanceRound,
    UniformRandom,
    describe_public,
    join_tile_codes,
    replay_log,
)
from pytlik.adapters.unikat_observation import Neighbours, ObservationRow
from pytlik.adapters.unikat_observation import observe as observe_round
from pytlik.unikat.engine.kernel import CHAIN, TAKING
from pytlik.unikat.engine.kernel_bridge import arguments_for_load
from pytlik.unikat.model import HAND_SIZE, TILES


def observe_for_seat(chance_round: ChanceRound, seat: int) -> ObservationRow | None:
    """What a seat sees, as numbers; None before the deal is done."""
    visible = round_visible_to(chance_round, seat)
    if visible.round is None:
        return None
    return observe_round(visible.round, Neighbours(visible.round), seat, extra=visible.extra)


def describe_for_seat(
    chance_round: ChanceRound, seat: int, *, public: bool = True, private: bool = True
) -> str:
    """What a seat sees, in words: what is public, its own hand, or both."""
    visible = round_visible_to(chance_round, seat)
    if visible.round is None:
        shown, hand = "deal", chance_round.dealt[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]
    else:
        shown, hand = describe_public(visible.round), visible.round.hands[seat]
    parts = [shown] if public else []
    return " ".join([*parts, f"hand {join_tile_codes(sorted(hand))}"] if private else parts)


def describe_full_state(chance_round: ChanceRound) -> str:
    """The whole truth, in words."""
    due = chance_round.due or chance_round.setup.dealt_count
    waits = f" chance brings {due} tiles: {join_tile_codes(chance_round.dealt)}"
    round_ = chance_round.round
    if round_ is None:
        return waits.strip()
    hands = " ".join(
        f"p{seat} {join_tile_codes(sorted(hand))}" for seat, hand in enumerate(round_.hands)
    )
    return (
        f"{describe_public(round_)} hands {hands} bag {join_tile_codes(sorted(round_.bag))}"
        f"{waits if chance_round.due else ''}"
    )


def round_visible_to(chance_round: ChanceRound, seat: int) -> ChanceRound:
    """The round as a seat sees it: others see an action only once it's done."""
    round_ = chance_round.round
    if round_ is None or round_.phase not in (CHAIN, TAKING) or round_.to_move == seat:
        return chance_round
    before = chance_round.before
    if before is None or len(before.log) != chance_round.action_at:
        log = chance_round.log[: chance_round.action_at]
        before = chance_round.before = replay_log(chance_round.setup, chance_round.start, log)
    return before


def find_hidden_tiles(chance_round: ChanceRound, seat: int) -> list[int]:
    """The tiles that a seat can't locate (U18)."""
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


def resample_hidden_tiles(
    chance_round: ChanceRound, seat: int, uniform: UniformRandom
) -> tuple[ChanceRound, list[int]]:
    """The start and the log of a round in which the tiles that a seat can't locate have been
    shuffled. `steps_and_tiles_from_log` leads to the same moment in it, or raises ImpossibleDeal if
    the others couldn't have acted like that."""
    setup = chance_round.setup
    tiles = find_hidden_tiles(chance_round, seat)
    changed = dict(zip(tiles, shuffle(tiles, uniform), strict=True))
    log = [~changed.get(~entry, ~entry) if entry < 0 else entry for entry in chance_round.log]
    brought = [~entry for entry in log if entry < 0]
    if chance_round.start is None:
        bag = chance_round.round.bag if chance_round.round else []
        to_come = [changed[tile] for tile in bag if tile not in chance_round.dealt]
        return ChanceRound(setup, foreseen=[*brought[setup.dealt_count :], *to_come]), log
    start = chance_round.start.copy()
    hands = [[changed.get(tile, tile) for tile in hand] for hand in start.hands]
    gone = set(brought)
    bag = [changed.get(tile, tile) for tile in start.bag]
    rest = [tile for tile in bag if tile not in gone]
    start.load(**arguments_for_load(start, hands=hands, bag=[*brought, *rest]))
    return ChanceRound(setup, start), log


def shuffle(tiles: Sequence[int], uniform: UniformRandom) -> list[int]:
    order = list(tiles)
    for last in range(len(order) - 1, 0, -1):
        other = int(uniform() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order
