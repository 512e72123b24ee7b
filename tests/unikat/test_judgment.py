"""The judgment: compiled and as it is it is the same, and its chains are those that there are."""

import json
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from pytlik import unikat
from pytlik.unikat import judgment, kernel, steps
from pytlik.unikat.judgment import AFTER, BEFORE, FEATURES, Judge
from pytlik.unikat.kernel import ACTION, DRAW, TAKE, Round
from pytlik.unikat.model import Options
from tests.uncompiled import uncompiled
from tests.unikat.brute_force import fewest_chains
from tests.unikat.test_kernel import compiled

WEIGHTS = json.loads(files("pytlik.unikat").joinpath("judgment.json").read_text(encoding="utf-8"))
CHANCE = 0x0123456789ABCDEF


def judging(module: Any, players: int) -> Any:
    found = module.Judge()
    found.set_weights(WEIGHTS[str(players)])
    found.set_limit(300)
    return found


def round_of(module: Any, players: int, size: int, seed: int, phase: int = ACTION) -> Any:
    """A round in which everyone holds so many tiles, and some have been laid: the same tiles and
    places in every form of the kernel."""
    random = Random(f"{players} {size} {seed}")
    laid = steps.dealt(players, seed)
    while len(laid.board) < 8 and not laid.over:
        laid.step(random.choice(laid.legal()))
    board = laid.board
    rest = [tile for tile in range(kernel.TILES) if tile not in {tile for *_, tile in board}]
    random.shuffle(rest)
    hands = [[rest.pop() for _ in range(size)] for _ in range(players)]
    round_: Any = module.new(Options())
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


# ---------------------------------------------------------------------------- compiled and as it is


@compiled
@pytest.mark.parametrize("players", [2, 3, 4])
def test_compiled_or_not_the_judgment_is_the_same(players: int) -> None:
    """Of all that can be done, of what the hands are worth, of guesses, and of how it goes on."""
    _, plain_steps, plain = uncompiled(unikat, "kernel", "steps", "judgment")
    assert judgment.COMPILED
    assert not plain.COMPILED
    judges = judging(judgment, players), judging(plain, players)
    for size, phase in ((6, ACTION), (7, DRAW), (3, ACTION), (4, DRAW)):
        rounds = [round_of(form, players, size, size, phase) for form in (steps, plain_steps)]
        told = []
        for mind, round_ in zip(judges, rounds, strict=True):
            seen = [mind.seen_option(number) for number in range(mind.consider(round_))]
            ways = [mind.steps(round_, number) for number in range(len(seen))]
            best = ways[mind.best()]
            hands = [mind.described(round_, seat, AFTER) for seat in range(players)]
            mind.guess(round_, CHANCE, 0)
            guessed = mind.guessed_hands
            if size < 5:  # as it is, a round of more takes long
                mind.imagine(best)
            told.append((seen, ways, hands, guessed, mind.imagined))
        assert told[0] == told[1]


# ------------------------------------------------------------------------------------------ chains


def chains_told(mind: Judge, round_: Round, seat: int) -> int:
    """By its first feature: so many chains cover so many tiles."""
    parts, _, _ = mind.described(round_, seat, BEFORE)
    return parts[0] - 9 * len(round_.hands[seat])


@pytest.mark.parametrize("size", [1, 4, 7, 10])
def test_the_fewest_chains_are_those_that_trying_everything_finds(size: int) -> None:
    mind = judging(judgment, 2)
    for seed in range(20):
        round_ = round_of(steps, 2, size, seed)
        for seat, hand in enumerate(round_.hands):
            assert chains_told(mind, round_, seat) == min(8, fewest_chains(hand))


@pytest.mark.parametrize("size", [1, 5, 9])
def test_chains_with_one_more_tile_are_those_of_a_hand_that_has_it(size: int) -> None:
    """What the display offers is judged in one go with the hand, piece by piece: here only by the
    fewest chains, and by the tiles beyond the longest one."""
    weights = [0.0] * (2 * FEATURES)
    for tiles in range(12):
        weights[tiles * 9 : tiles * 9 + 9] = range(9)
    weights[186:197] = range(0, 110, 10)
    mind = Judge()
    mind.set_weights(weights)
    for seed in range(20):
        round_ = round_of(steps, 2, size, seed, DRAW)
        offered = [mind.seen_option(number) for number in range(mind.consider(round_))]
        assert len(offered) == 5
        for _, tile, _, value in offered:
            if tile >= 0:
                after = round_.copy()
                after.step(TAKE + tile)
                assert value == mind.described(after, 0, AFTER)[2]


# ----------------------------------------------------------------------------------------- guesses


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_guess_keeps_what_the_seat_knows_and_moves_nothing_else(players: int) -> None:
    mind = judging(judgment, players)
    for seed in range(10):
        round_ = round_of(steps, players, 8, seed)
        unknown = {*round_.bag}.union(*round_.hands[1:]).difference(*round_.known[1:])
        mind.guess(round_, CHANCE + seed, 0)
        hands = mind.guessed_hands
        assert set(hands[0]) == set(round_.hands[0])
        for hand, known in zip(hands[1:], round_.known[1:], strict=True):
            assert len(hand) == len({*hand}) == 8
            assert {*known} <= {*hand} <= {*known} | unknown
        held = [tile for hand in hands for tile in hand]
        assert len(held) == len(set(held))


def test_guessed_hands_are_such_as_players_keep() -> None:
    """Who has drawn and swapped a while needs fewer chains than any tiles would."""
    mind = judging(judgment, 2)
    guessed, any_tiles = [], []
    for seed in range(60):
        round_ = round_of(steps, 2, 10, seed)
        mind.guess(round_, CHANCE + seed, 0)
        guessed.append(fewest_chains(mind.guessed_hands[1]))
        round_.guess(0)
        any_tiles.append(fewest_chains(round_.hands[1]))
    assert sum(guessed) < 0.7 * sum(any_tiles)
