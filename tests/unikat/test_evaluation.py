"""The evaluation gives the same results compiled and uncompiled, and counts chains correctly."""

from random import Random
from typing import Any

import pytest

from pytlik.unikat.engine import evaluation, kernel, kernel_bridge
from pytlik.unikat.engine.evaluation import (
    AFTER_TURN,
    BEFORE_DRAW,
    RoundEvaluator,
    Weights,
    evaluate,
    load_weights,
)
from pytlik.unikat.engine.evaluation.features import LAYOUT, WEIGHT_COUNT, WEIGHTS_PER_FEATURE
from pytlik.unikat.engine.kernel import ACTION, DRAW, TAKE, Round
from pytlik.unikat.model import Options
from tests.unikat.brute_force import fewest_chains
from tests.unikat.kernel_agreement import uncompiled_engine
from tests.unikat.test_kernel import needs_compiled_kernel

CHANCE_SEED = 0x0123456789ABCDEF


def build_evaluator(module: Any, players: int) -> Any:
    weights = load_weights()[players]
    evaluator = module.RoundEvaluator()
    evaluator.set_weights(weights.flat_weights(), weights.growing_hand_penalty)
    evaluator.set_node_limit(300)
    return evaluator


def build_round(bridge: Any, players: int, size: int, seed: int, phase: int = ACTION) -> Any:
    """A round in which everyone holds `size` tiles and some have been laid. It's the same whether
    the kernel is compiled or not."""
    random = Random(f"{players} {size} {seed}")
    dealt = kernel_bridge.deal_round(players, seed)
    while len(dealt.board) < 8 and not dealt.is_over:
        dealt.step(random.choice(dealt.legal()))
    board = dealt.board
    rest = [tile for tile in range(kernel.TILES) if tile not in {tile for *_, tile in board}]
    random.shuffle(rest)
    hands = [[rest.pop() for _ in range(size)] for _ in range(players)]
    round_: Any = bridge.new_round(Options())
    round_.seed(seed)
    round_.load(
        board=board,
        hands=hands,
        known=[hand[: random.randrange(size)] for hand in hands],
        display=[rest.pop() for _ in range(4)],
        bag=rest[:20],
        to_move=0,
        phase=phase,
        laid=phase == DRAW,
        quiet_turns=0,
    )
    return round_


# --------------------------------------------------------------------------------------- features


@pytest.mark.parametrize("name", WEIGHTS_PER_FEATURE)
def test_compiled_offsets_match_the_layout_of_weights(name: str) -> None:
    assert getattr(evaluate, name.upper()) == LAYOUT[name].start
    assert evaluate.FEATURES == WEIGHT_COUNT


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_feature_has_weights(players: int) -> None:
    weights = load_weights()[players]
    assert [*weights.after_turn, "empty_hand"] == [*weights.before_draw] == [*WEIGHTS_PER_FEATURE]
    assert len(weights.flat_weights()) == 2 * WEIGHT_COUNT


def test_each_feature_has_a_fixed_number_of_weights() -> None:
    with pytest.raises(ValueError, match="places has 4 weights"):
        Weights({"places": [1.0]}, {}).flat_weights()
    with pytest.raises(KeyError):
        Weights({"luck": [1.0]}, {}).flat_weights()


# ------------------------------------------------------------------------ compiled and uncompiled


@needs_compiled_kernel
@pytest.mark.parametrize("players", [2, 3, 4])
def test_compiled_and_uncompiled_evaluation_agree(players: int) -> None:
    """They agree on candidates and their steps, features of hands, guesses and imagined rounds."""
    pure = uncompiled_engine()
    assert evaluation.COMPILED
    assert not pure["evaluation"].COMPILED
    evaluators = [build_evaluator(module, players) for module in (evaluation, pure["evaluation"])]
    for size, phase in ((6, ACTION), (7, DRAW), (3, ACTION), (4, DRAW)):
        answers = []
        for evaluator, bridge in zip(
            evaluators, (kernel_bridge, pure["kernel_bridge"]), strict=True
        ):
            round_ = build_round(bridge, players, size, size, phase)
            candidates = [
                evaluator.candidate_at(number)
                for number in range(evaluator.find_candidates(round_))
            ]
            steps = [evaluator.candidate_steps(round_, number) for number in range(len(candidates))]
            best = steps[evaluator.best_candidate()]
            hands = [evaluator.hand_features(round_, seat, AFTER_TURN) for seat in range(players)]
            evaluator.guess(round_, CHANCE_SEED, 0)
            guessed = evaluator.guessed_hands
            # Uncompiled, a round with larger hands takes too long.
            end = evaluator.play_guess(best) if size < 5 else None
            answers.append((candidates, steps, hands, guessed, end))
        assert answers[0] == answers[1]


# ----------------------------------------------------------------------------------------- chains


def count_chains(evaluator: RoundEvaluator, round_: Round, seat: int) -> int:
    """The fewest chains of a hand, read from the evaluation's first feature."""
    features, _, _ = evaluator.hand_features(round_, seat, BEFORE_DRAW)
    return features[0] - 9 * len(round_.hands[seat])


@pytest.mark.parametrize("size", [1, 4, 7, 10])
def test_fewest_chains_match_brute_force(size: int) -> None:
    evaluator = build_evaluator(evaluation, 2)
    for seed in range(20):
        round_ = build_round(kernel_bridge, 2, size, seed)
        for seat, hand in enumerate(round_.hands):
            assert count_chains(evaluator, round_, seat) == min(8, fewest_chains(hand))


@pytest.mark.parametrize("size", [1, 5, 9])
def test_extra_tile_is_valued_like_a_tile_in_the_hand(size: int) -> None:
    """A tile in the display is evaluated as an extra tile of the hand. The weights count only the
    fewest chains and the tiles beyond the longest one."""
    counts = {
        "tiles_and_chains": [float(chains) for _ in range(12) for chains in range(9)],
        "beyond_longest": [10.0 * tiles for tiles in range(12)],
    }
    evaluator = RoundEvaluator()
    evaluator.set_weights(Weights(counts, {}).flat_weights(), 0.0)
    for seed in range(20):
        round_ = build_round(kernel_bridge, 2, size, seed, DRAW)
        candidates = [
            evaluator.candidate_at(number) for number in range(evaluator.find_candidates(round_))
        ]
        assert len(candidates) == 5
        for _, tile, _, value in candidates:
            if tile >= 0:
                after = round_.copy()
                after.step(TAKE + tile)
                assert value == evaluator.hand_features(after, 0, AFTER_TURN)[2]


# ---------------------------------------------------------------------------------------- guesses


@pytest.mark.parametrize("players", [2, 3, 4])
def test_guess_changes_only_what_the_seat_does_not_know(players: int) -> None:
    evaluator = build_evaluator(evaluation, players)
    for seed in range(10):
        round_ = build_round(kernel_bridge, players, 8, seed)
        unknown = {*round_.bag}.union(*round_.hands[1:]).difference(*round_.known[1:])
        evaluator.guess(round_, CHANCE_SEED + seed, 0)
        hands = evaluator.guessed_hands
        assert set(hands[0]) == set(round_.hands[0])
        for hand, known in zip(hands[1:], round_.known[1:], strict=True):
            assert len(hand) == len({*hand}) == 8
            assert {*known} <= {*hand} <= {*known} | unknown
        held = [tile for hand in hands for tile in hand]
        assert len(held) == len(set(held))


def test_guessed_hands_look_like_those_players_keep() -> None:
    """The hands of players who have drawn and swapped need fewer chains than random tiles."""
    evaluator = build_evaluator(evaluation, 2)
    guessed, random_tiles = [], []
    for seed in range(60):
        round_ = build_round(kernel_bridge, 2, 10, seed)
        evaluator.guess(round_, CHANCE_SEED + seed, 0)
        guessed.append(fewest_chains(evaluator.guessed_hands[1]))
        round_.guess(0)
        random_tiles.append(fewest_chains(round_.hands[1]))
    assert sum(guessed) < 0.7 * sum(random_tiles)
