"""The kernel, compiled and uncompiled, agrees with the rules."""

from random import Random
from types import ModuleType

import pytest
from msgspec.structs import replace

from pytlik.chance import from_text
from pytlik.unikat.engine import kernel, kernel_bridge
from pytlik.unikat.model import Options, Phase, State
from pytlik.unikat.view import view
from tests.unikat.kernel_agreement import compare_random_round, kernel_facts, uncompiled_bridge
from tests.unikat.simple_players import choose_any_action, choose_long_chain, play_match

needs_compiled_kernel = pytest.mark.skipif(not kernel.COMPILED, reason="no C compiler worked here")
KERNEL_FORMS = [pytest.param("compiled", marks=needs_compiled_kernel)]
KERNEL_FORMS += [pytest.param("uncompiled")]


@pytest.fixture(scope="module", params=KERNEL_FORMS)
def bridge(request: pytest.FixtureRequest) -> ModuleType:
    return kernel_bridge if request.param == "compiled" else uncompiled_bridge()


def random_states(seed: str, count: int, players: int = 3) -> list[State]:
    """Some states from a match of random play and from one of long chains."""
    found = []
    for player in (choose_any_action, choose_long_chain):
        played = play_match(players, Options(), from_text(seed), player)
        every = [state for _, _, _, state in played]
        found += Random(seed).sample(every, min(count, len(every)))
    return found


# ----------------------------------------------------------------------------------------- rules


@pytest.mark.parametrize("seed", range(3))
def test_kernel_agrees_with_the_rules_at_every_position(bridge: ModuleType, seed: int) -> None:
    assert sum(1 for _ in compare_random_round(f"sample {seed}", bridge)) > 10


def test_illegal_step_is_refused_and_changes_nothing(bridge: ModuleType) -> None:
    for state in random_states("refused", 4):
        round_ = bridge.from_state(state)
        before = kernel_facts(round_)
        legal = round_.legal()
        assert len(set(legal)) == len(legal)
        for number in set(range(-1, kernel.STEPS + 1)).difference(legal):
            with pytest.raises(ValueError, match="not legal"):
                round_.step(number)
        assert kernel_facts(round_) == before


def test_the_mask_has_a_one_for_each_legal_step(bridge: ModuleType) -> None:
    for state in random_states("mask", 4):
        round_ = bridge.from_state(state)
        mask = round_.legal_mask()
        assert len(mask) == kernel.STEPS
        assert [number for number in range(kernel.STEPS) if mask[number]] == sorted(round_.legal())
        assert set(mask) <= {0, 1}


def test_copies_are_independent(bridge: ModuleType) -> None:
    round_ = bridge.deal_round(2, 5)
    before = kernel_facts(round_)
    other = round_.copy()
    other.step(other.legal()[0])
    assert kernel_facts(round_) == before != kernel_facts(other)
    other.copy_from(round_)
    assert kernel_facts(other) == before


def test_compiled_and_uncompiled_chance_agree() -> None:
    assert kernel.random_games(3, 6, 11) == uncompiled_bridge().kernel.random_games(3, 6, 11)


def test_seed_determines_the_deal(bridge: ModuleType) -> None:
    deals = [kernel_facts(bridge.deal_round(4, seed, Options(starter=2))) for seed in (1, 1, 2, -1)]
    assert deals[0] == deals[1] != deals[2] != deals[3]
    assert deals[0]["to_move"] == 2
    assert [len(hand) for hand in deals[0]["hands"]] == [10] * 4
    with pytest.raises(ValueError, match="2 to 4"):
        bridge.Round().deal(5)


def test_uncompiled_kernel_warns_once_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    uncompiled_bridge()
    assert capsys.readouterr().err == "pytlik: Unikat's kernel runs uncompiled, and slowly\n"


# --------------------------------------------------------------------------------------- guesses


def test_guess_keeps_what_the_seat_may_know(bridge: ModuleType) -> None:
    for state in random_states("guess", 5):
        for seat in (0, 1, None):
            guessed = [kernel_facts(bridge.from_view(view(state, seat), seed)) for seed in (1, 2)]
            truth = kernel_facts(bridge.from_state(state))
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


def test_guess_does_not_depend_on_hidden_tiles(bridge: ModuleType) -> None:
    for state in random_states("hidden", 5):
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
            one, two = (bridge.from_view(view(either, 0), 3) for either in (state, other))
            assert kernel_facts(one) == kernel_facts(two)


# -------------------------------------------------------------------------------------- playouts


def test_a_random_playout_ends_the_round(bridge: ModuleType) -> None:
    for state in random_states("playouts", 2, players=4):
        round_ = bridge.from_state(state)
        round_.play_randomly()
        assert round_.is_over
        assert round_.winners
