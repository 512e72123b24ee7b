"""The kernel, compiled and as it is: it agrees with the rules, and its searches with turns.py."""

import json
from collections.abc import Callable
from itertools import combinations, islice, pairwise, permutations
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.chance import from_text
from pytlik.unikat import kernel
from pytlik.unikat import steps as usual
from pytlik.unikat.legal import chains
from pytlik.unikat.messages import Lay
from pytlik.unikat.model import PARTNERS, TILES, Options, Phase, State
from pytlik.unikat.position import Position, to_state
from pytlik.unikat.rounds import earns_bonus
from pytlik.unikat.turns import longest_turn
from pytlik.unikat.view import view
from tests.unikat.agreement import games, kernel_facts, uncompiled_steps
from tests.unikat.players import matches, plays_anything, plays_long

POSITIONS = Path(__file__).parents[2] / "docs" / "positions" / "unikat.jsonl"

compiled = pytest.mark.skipif(not kernel.COMPILED, reason="no C compiler worked here")
FORMS = [pytest.param("compiled", marks=compiled)]
FORMS += [pytest.param("uncompiled")]


@pytest.fixture(scope="module", params=FORMS)
def steps(request: pytest.FixtureRequest) -> ModuleType:
    return usual if request.param == "compiled" else uncompiled_steps()


def states(seed: str, count: int, players: int = 3) -> list[State]:
    """Some states from a match in which all is played."""
    found = []
    for player in (plays_anything, plays_long):
        played = matches(players, Options(), from_text(seed), player)
        every = [state for _, _, _, state in played]
        found += Random(seed).sample(every, min(count, len(every)))
    return found


def shared_states() -> list[State]:
    lines = POSITIONS.read_text(encoding="utf-8").splitlines()
    return [to_state(msgspec.convert(json.loads(line)["position"], Position)) for line in lines]


# ----------------------------------------------------------------------------------------- rules


@pytest.mark.parametrize("seed", range(3))
def test_it_agrees_with_the_rules_at_every_position_of_a_round(
    steps: ModuleType, seed: int
) -> None:
    assert sum(1 for _ in games(f"sample {seed}", steps)) > 10


def test_what_is_not_legal_is_refused_and_changes_nothing(steps: ModuleType) -> None:
    for state in states("refused", 4):
        round_ = steps.from_state(state)
        before = kernel_facts(round_)
        legal = round_.legal()
        assert len(set(legal)) == len(legal)
        for number in set(range(-1, kernel.STEPS + 1)).difference(legal):
            with pytest.raises(ValueError, match="not legal"):
                round_.step(number)
        assert kernel_facts(round_) == before


def test_the_mask_has_a_one_for_each_legal_step(steps: ModuleType) -> None:
    mask = bytearray(b"x" * kernel.STEPS)
    for state in states("mask", 4):
        round_ = steps.from_state(state)
        round_.legal_mask(mask)
        assert [number for number in range(kernel.STEPS) if mask[number]] == sorted(round_.legal())
        assert set(mask) <= {0, 1}
    with pytest.raises(ValueError, match="bytes are needed"):
        steps.Round().legal_mask(bytearray(80))


def test_a_copy_goes_its_own_way(steps: ModuleType) -> None:
    round_ = steps.dealt(2, 5)
    before = kernel_facts(round_)
    other = round_.copy()
    other.step(other.legal()[0])
    assert kernel_facts(round_) == before != kernel_facts(other)
    other.copy_from(round_)
    assert kernel_facts(other) == before


def test_compiled_or_not_chance_is_the_same() -> None:
    assert kernel.random_games(3, 6, 11) == uncompiled_steps().kernel.random_games(3, 6, 11)


def test_a_seed_is_a_deal(steps: ModuleType) -> None:
    deals = [kernel_facts(steps.dealt(4, seed, Options(starter=2))) for seed in (1, 1, 2, -1)]
    assert deals[0] == deals[1] != deals[2] != deals[3]
    assert deals[0]["to_move"] == 2
    assert [len(hand) for hand in deals[0]["hands"]] == [10] * 4
    with pytest.raises(ValueError, match="2 to 4"):
        steps.Round().deal(5)


def test_uncompiled_it_says_so_once_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    uncompiled_steps()
    assert capsys.readouterr().err == "pytlik: Unikat's kernel runs uncompiled, and slowly\n"


# --------------------------------------------------------------------------------------- guesses


def test_a_guess_keeps_all_that_the_seat_may_know(steps: ModuleType) -> None:
    for state in states("guess", 5):
        for seat in (0, 1, None):
            guessed = [kernel_facts(steps.from_view(view(state, seat), seed)) for seed in (1, 2)]
            truth = kernel_facts(steps.from_state(state))
            for facts in guessed:
                assert facts | {"hands": [], "bag": []} == truth | {"hands": [], "bag": []}
                assert list(map(len, facts["hands"])) == list(map(len, truth["hands"]))
                assert len(facts["bag"]) == len(truth["bag"])
                assert set().union(*facts["hands"], facts["bag"]) == set().union(
                    *truth["hands"], truth["bag"]
                )
                for known, hand in zip(facts["known"], facts["hands"], strict=True):
                    assert known <= hand
                if seat is not None:
                    assert facts["hands"][seat] == truth["hands"][seat]
            assert guessed[0] != guessed[1] or len(state.bag) < 2


def test_a_guess_does_not_depend_on_what_is_hidden(steps: ModuleType) -> None:
    for state in states("hidden", 5):
        mine, *others = state.hands
        unknown = [
            tile for hand, known in zip(state.hands[1:], state.known[1:], strict=True)
            for tile in hand if tile not in known
        ]  # fmt: skip
        pool = Random(1).sample([*unknown, *state.bag], len(unknown) + len(state.bag))
        hands = [mine]
        for hand, known in zip(others, state.known[1:], strict=True):
            hands.append(tuple(tile if tile in known else pool.pop() for tile in hand))
        other = replace(state, hands=tuple(hands), bag=tuple(pool))
        if state.phase is not Phase.OVER:
            one, two = (steps.from_view(view(either, 0), 3) for either in (state, other))
            assert kernel_facts(one) == kernel_facts(two)


# -------------------------------------------------------------------------------------- searches


def laid(row: tuple[int, ...]) -> int:
    return sum(step < kernel.GIVE for step in row)


@pytest.mark.parametrize("extra_action", ["anywhere", "continue"])
def test_the_longest_turn_is_that_of_turns_py(steps: ModuleType, extra_action: str) -> None:
    for state in [*shared_states(), *states("longest", 15)]:
        state = replace(state, options=msgspec.convert({"extra_action": extra_action}, Options))  # noqa: PLW2901
        round_ = steps.from_state(state)
        before = kernel_facts(round_)
        first, second, exact = round_.longest_turn()
        turn = longest_turn(view(state, state.to_move))
        assert turn.exact
        assert exact
        assert laid(first) + laid(second) == turn.tiles
        assert kernel_facts(round_) == before, "the search leaves no trace"
        for step in (*first, *second):
            round_.step(step)


def test_a_search_for_the_longest_turn_can_be_given_up(steps: ModuleType) -> None:
    given_up = 0
    for state in states("nodes", 20):
        round_ = steps.from_state(state)
        first, second, exact = round_.longest_turn(3)
        turn = longest_turn(view(state, state.to_move))
        assert laid(first) + laid(second) <= turn.tiles
        given_up += not exact
    assert given_up


def kind(state: State, chain: Any) -> tuple[Any, ...]:
    """What makes chains alike."""
    left = frozenset(state.hand) - {placed.tile for placed in chain}
    action = replace(state, phase=Phase.ACTION)
    return left, earns_bonus(action, chain), chain[-1]


def test_chains_are_of_all_kinds_and_none_twice(steps: ModuleType) -> None:
    compared = 0
    for state in states("chains", 20):
        every = list(islice(chains(state), 1000))
        if len(every) == 1000 or state.phase not in (Phase.ACTION, Phase.BONUS):
            continue
        round_ = steps.from_state(state)
        found, complete = round_.chains()
        assert complete
        kinds = []
        for chain in found:
            action = steps.action_of(round_, chain.steps)
            assert isinstance(action, Lay)
            kinds.append(kind(state, action.tiles))
            assert kinds[-1][:2] == (frozenset(TILES[tile] for tile in chain.left), chain.bonus)
            assert chain.cover == fewest_chains(chain.left, limit=5) or len(chain.left) > 5
        assert len(set(kinds)) == len(kinds)
        assert set(kinds) <= {kind(state, chain) for chain in every}
        # A kind may be missed where its beginning was alike another one; what can be left is not.
        assert {left for left, _, _ in kinds} == {kind(state, chain)[0] for chain in every}
        compared += len(kinds)
        if len(found) > 1:
            assert round_.chains(len(found) - 1)[1] is False
    assert compared > 50


def fewest_chains(tiles: tuple[int, ...], limit: int) -> int:
    """Without cleverness: of all orders the one with the fewest breaks."""
    if len(tiles) > limit:
        return -1
    return min(
        (
            sum(TILES[b] not in PARTNERS[TILES[a]] for a, b in pairwise(order)) + bool(order)
            for order in permutations(tiles)
        ),
        default=0,
    )


def test_the_cover_is_the_fewest_chains(steps: ModuleType) -> None:
    random = Random(8)
    for size in range(7):
        for _ in range(6):
            near = random.sample(range(18), size)
            assert steps.kernel.cover(near) == fewest_chains(tuple(near), 6)
    assert steps.kernel.cover(list(range(16))) == 1
    far = [tile for tile in range(81) if sum(map(int, TILES[tile])) % 3 == 0]
    apart = next(
        some for some in combinations(far, 4) if not any(
            TILES[b] in PARTNERS[TILES[a]] for a, b in combinations(some, 2)
        )
    )  # fmt: skip
    assert steps.kernel.cover(list(apart)) == 4
    with pytest.raises(ValueError, match="at most 16"):
        steps.kernel.cover(list(range(17)))


# -------------------------------------------------------------------------------------- playouts


def wins(players: list[int], rounds: int) -> float:
    """How much of the rounds the first of two policies wins."""
    round_ = usual.dealt(2, 1)
    won = 0.0
    for number in range(rounds):
        round_.deal(2, number % 2)
        round_.play_out(players)
        assert round_.over
        won += (0 in round_.winners) / len(round_.winners)
    return won / rounds


@compiled
def test_each_policy_is_better_than_the_one_before() -> None:
    assert wins([kernel.EAGER, kernel.UNIFORM], 200) > 0.85
    assert wins([kernel.PATIENT, kernel.EAGER], 400) > 0.6


@pytest.mark.parametrize("policy", [kernel.UNIFORM, kernel.EAGER, kernel.PATIENT])
def test_playouts_from_any_position_end_and_keep_it(steps: ModuleType, policy: int) -> None:
    for state in states("playouts", 2, players=4):
        round_ = steps.from_state(state)
        before = kernel_facts(round_)
        won, left = round_.playouts(state.to_move, 2, [policy] * 4, 20)
        assert sum(won) == pytest.approx(2)
        assert all(count >= 0 for count in left)
        assert kernel_facts(round_) == before


def test_playouts_need_a_policy_for_each_seat(steps: ModuleType) -> None:
    refused: list[Callable[[], object]] = [
        lambda: steps.dealt(2, 1).play_out([kernel.EAGER]),
        lambda: steps.dealt(2, 1).play_out([kernel.EAGER, 7]),
        lambda: steps.dealt(2, 1).play_out([kernel.EAGER] * 2, 0),
    ]
    for call in refused:
        with pytest.raises(ValueError, match=r"policy|chains"):
            call()
