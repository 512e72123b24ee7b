"""Unikat as an OpenSpiel game: OpenSpiel's own tests, stories, and resampled states."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="needs pytlik[openspiel]")

import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

from pytlik.adapters.openspiel import WORDS, UnikatGame, max_round_steps
from pytlik.adapters.unikat_chance_round import (
    CHANCE,
    ChanceRound,
    ImpossibleDeal,
    RoundSetup,
    steps_and_tiles_from_log,
)
from pytlik.adapters.unikat_observation import LAYOUT
from pytlik.adapters.unikat_seat_knowledge import describe_full_state, resample_hidden_tiles
from pytlik.adapters.unikat_steps import NUMBERS
from pytlik.unikat.engine.kernel import BAG, CHAIN, DRAW, OVER, STOP, TAKING
from pytlik.unikat.engine.kernel_bridge import deal_round, from_state
from pytlik.unikat.model import TILES, Options
from pytlik.unikat.view import view
from tests.unikat.drawn_tables import table_from_drawing

GOLDEN_FILE = Path(__file__).parent / "playthrough.txt"
SHORT_GAME = "python_unikat(blocked_any=1,blocked_empty=1,story=64)"


def random_move(state: Any, random: Random) -> int:
    if state.is_chance_node():
        return int(random.choice(state.chance_outcomes())[0])
    return int(random.choice(state.legal_actions()))


def random_round_states(seed: int, **params: Any) -> Iterator[Any]:
    """A state at each moment of a random round."""
    random = Random(seed)
    state = pyspiel.load_game("python_unikat", params).new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(random_move(state, random))
    yield state


def last_decision(seed: int, **params: Any) -> Any:
    """The state in which the last step of a random round was chosen."""
    *_, state = (
        state.clone()
        for state in random_round_states(seed, **params)
        if state.current_player() >= 0
    )
    return state


# --------------------------------------------------------------------------- OpenSpiel's own tests


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_sim_test_passes(players: int) -> None:
    game = pyspiel.load_game("python_unikat", {"players": players})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_random_sim_test_passes_with_other_options() -> None:
    params = {"players": 3, "starter": 2, "extra_action": "continue", "blocked_any": 3}
    game = pyspiel.load_game("python_unikat", params)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def playthrough(seed: int) -> str:
    """A playthrough without its introduction and without tensors, which nobody can read."""
    # Not at the top: it imports SciPy, and every test worker imports this module.
    from open_spiel.python.algorithms import generate_playthrough  # noqa: PLC0415

    text = generate_playthrough.playthrough(SHORT_GAME, [], seed=seed)
    lines = text[text.index("# State 0") :].splitlines()
    return "\n".join(line for line in lines if "Tensor(" not in line) + "\n"


def test_playthrough_is_unchanged() -> None:
    """After an intended change, run python -m tests.adapters.test_openspiel."""
    assert playthrough(3) == GOLDEN_FILE.read_text(encoding="utf-8")


def test_openspiels_search_finds_a_legal_step() -> None:
    state = last_decision(5)
    bot = ismcts.ISMCTSBot(
        state.get_game(),
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        2.0,
        20,
        random_state=np.random.RandomState(2),
    )
    assert bot.step(state) in state.legal_actions()


# --------------------------------------------------------------------------------------- the game


@pytest.mark.parametrize(
    ("parameter", "problem"),
    [
        ("players=5", "2 to 4"),
        ("players=1", "2 to 4"),
        ("starter=2", "a seat from 0 to 1"),
        ("extra_action=nowhere", "extra_action"),
        ("blocked_any=0", "blocked"),
        ("story=0", "story"),
    ],
)
def test_invalid_parameters_are_refused(parameter: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        pyspiel.load_game(f"python_unikat({parameter})")


def test_parameters_set_up_the_round() -> None:
    game = UnikatGame(
        {
            "players": 3,
            "starter": 2,
            "extra_action": "continue",
            "blocked_empty": 3,
            "blocked_any": 7,
            "story": 64,
        }
    )
    assert game.setup == RoundSetup(3, 2, Options(extra_action="continue", blocked=(3, 7)))
    assert game.story == 64


def test_illegal_moves_are_refused() -> None:
    state = pyspiel.load_game("python_unikat").new_initial_state()
    for _ in range(24):
        with pytest.raises(ValueError, match="chance can't bring tile 81"):
            state.apply_action(81)
        state.apply_action(state.chance_outcomes()[0][0])
        if state.is_chance_node():
            with pytest.raises(ValueError, match="chance can't bring tile 0"):
                state.apply_action(0)
    with pytest.raises(ValueError, match="step 99999 is not legal"):
        state.apply_action(99999)


def test_chance_deals_and_draws() -> None:
    deals = draws = 0
    for state in random_round_states(1):
        if not state.is_chance_node():
            continue
        outcomes = state.chance_outcomes()
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        if state.chance_round.round is None:
            deals += 1
            assert len(outcomes) == 82 - deals
        else:
            draws += 1
            assert {tile for tile, _ in outcomes} <= set(state.chance_round.round.bag)
    assert deals == 24
    assert draws > 5


def test_an_empty_display_is_filled_by_chance() -> None:
    table = table_from_drawing(
        "0000", hands=["0001 1111", "2222"], display="1000", bag="2000 0200 0020 2220"
    )
    chance_round = ChanceRound(RoundSetup(2), from_state(table.state))
    chance_round.apply_seat_step(NUMBERS["0000E0001"])
    if chance_round.kernel_round.phase == CHAIN:
        chance_round.apply_seat_step(STOP)
    assert chance_round.kernel_round.phase == DRAW
    chance_round.apply_seat_step(NUMBERS["+1000"])
    for code in ("0020", "2220", "0200"):
        assert chance_round.to_move == CHANCE
        chance_round.apply_step_or_tile(TILES.index(code))
    assert {TILES[tile] for tile in chance_round.kernel_round.display} == {"0020", "2220", "0200"}
    assert chance_round.possible_tiles() == [TILES.index("2000")]
    assert all(story.endswith(" +1000 *0020 *2220 *0200 p1") for story in chance_round.histories)


def test_tile_drawn_from_the_bag_is_shown_only_to_its_owner() -> None:
    pending = None
    seen = 0
    for state in random_round_states(2):
        stories = state.chance_round.histories
        if state.is_chance_node() and state.chance_round.round and state.chance_round.asked == BAG:
            pending = (state.chance_round.round.to_move, [*stories])
        elif pending:
            owner, before = pending
            mine, theirs = stories[owner], stories[1 - owner]
            added = mine[len(before[owner]) :]
            assert added.startswith(" =")
            assert theirs[len(before[1 - owner]) :] == added[6:]
            pending = None
            seen += 1
    assert seen > 3


def test_others_do_not_learn_whether_a_chain_had_to_end() -> None:
    """That depends on the hand."""
    ends = 0
    for state in random_round_states(3):
        if state.current_player() >= 0 and state.chance_round.round.phase == CHAIN:
            owner = state.current_player()
            after = state.clone()
            after.apply_action(STOP)
            added = [
                story[len(before) :]
                for story, before in zip(
                    after.chance_round.histories, state.chance_round.histories, strict=True
                )
            ]
            assert added[owner].startswith(" stop")
            assert "stop" not in added[1 - owner]
            ends += 1
    assert ends > 5


def test_winner_gains_what_the_others_lose() -> None:
    *_, state = random_round_states(4, players=3)
    returns = state.returns()
    assert sum(returns) == pytest.approx(0)
    assert [returns.index(max(returns))] == [*state.chance_round.round.winners]
    assert max(returns) == 1


def test_no_round_is_longer_than_the_maximum() -> None:
    assert max_round_steps(RoundSetup(2)) == 400 + 81 * 40 * 3
    *_, state = random_round_states(6)
    assert len(state.history()) < max_round_steps(RoundSetup(2))


# ------------------------------------------------------------------------------------ observations


def test_tensors_are_the_observation_and_the_story() -> None:
    state = last_decision(7)
    player = state.current_player()
    observation = np.array(state.observation_tensor(player))
    hand = np.flatnonzero(observation[LAYOUT["hand"]]).tolist()
    assert sorted(hand) == sorted(state.chance_round.round.hands[player])
    recalled = make_observation(state.get_game(), pyspiel.IIGObservationType(perfect_recall=True))
    recalled.set_from(state, player)
    assert np.array_equal(recalled.dict["observation"], observation)
    words = {number + 1: word for word, number in WORDS.items()}
    story = [words[int(number)] for number in recalled.dict["story"] if number]
    full_story = state.information_state_string(player).split()
    assert story == full_story[-1024:]


def test_long_story_is_cut_at_its_beginning() -> None:
    state = last_decision(7, story=32)
    tensor = state.information_state_tensor(0)
    last = state.information_state_string(0).split()[-1]
    assert tensor[-1] == WORDS[last] + 1


def test_public_and_private_parts_can_be_observed_separately() -> None:
    state = next(state for state in random_round_states(8) if state.current_player() >= 0)
    open_to_all = make_observation(
        state.get_game(),
        pyspiel.IIGObservationType(
            perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
        ),
    )
    own = make_observation(
        state.get_game(),
        pyspiel.IIGObservationType(
            perfect_recall=False,
            public_info=False,
            private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
        ),
    )
    hands = state.chance_round.round.hands
    for player in (0, 1):
        own.set_from(state, player)
        open_to_all.set_from(state, player)
        assert set(np.flatnonzero(own.tensor)) == set(hands[player])
        assert not open_to_all.tensor[LAYOUT["hand"]].any()
        assert "hand" not in open_to_all.string_from(state, player)
        assert "display" not in own.string_from(state, player)


# -------------------------------------------------------------------------------- resampled states


@pytest.mark.parametrize("players", [2, 3])
def test_resampled_state_looks_the_same_and_can_be_replayed(
    players: int,
) -> None:
    random = Random(1)
    different = 0
    for number, state in enumerate(random_round_states(9, players=players)):
        if number % 9 or state.is_terminal():
            continue
        for player in range(players):
            other = state.resample_from_infostate(player, random.random)
            assert other.current_player() == state.current_player()
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            again = state.get_game().new_initial_state()
            for move in other.history():
                again.apply_action(move)
            assert str(again) == str(other)
            different += str(other) != str(state)
    assert different > 20


def test_all_places_of_a_hidden_tile_are_equally_likely() -> None:
    state = next(state for state in random_round_states(10) if state.current_player() >= 0)
    random = Random(2)
    tile = state.chance_round.round.hands[1][0]
    times = 400
    matches = sum(
        tile in state.resample_from_infostate(0, random.random).chance_round.round.hands[1]
        for _ in range(times)
    )
    # Ten of 67 unseen tiles are in that hand: 60 of 400, with a standard deviation of 7.
    assert 35 < matches < 85


def test_seat_that_passed_holds_no_fitting_tile() -> None:
    """U6: with an empty bag and display, a pass says something about the hand."""
    table = table_from_drawing(
        "0000",
        hands=["2222 2221", "2220 0222", "0001 1222"],
        display="",
        bag="",
    )
    chance_round = ChanceRound(RoundSetup(3), from_state(table.state))
    chance_round.apply_seat_step(STOP)
    assert chance_round.histories[1].endswith(" stop p1")
    random = Random(3)
    impossible = 0
    for _ in range(60):
        other, log = resample_hidden_tiles(chance_round, 1, random.random)
        try:
            for step_or_tile in steps_and_tiles_from_log(other, log):
                other.apply_step_or_tile(step_or_tile)
        except ImpossibleDeal:
            impossible += 1
            continue
        # The seat that passed doesn't hold the only tile that fits beside 0000.
        assert TILES.index("0001") not in other.kernel_round.hands[0]
        assert other.histories[1] == chance_round.histories[1]
    assert 10 < impossible < 50


def test_state_can_begin_from_a_view() -> None:
    table = table_from_drawing(
        "0000", hands=["0001 1111", "2222 2221"], display="1000", bag="2000 0200"
    )
    game = pyspiel.load_game("python_unikat")
    state: Any = game.state_of(view(table.state, 0))
    assert state.current_player() == 0
    assert {TILES[tile] for tile in state.chance_round.round.hands[0]} == {"0001", "1111"}
    assert len(state.chance_round.round.hands[1]) == 2
    random = Random(4)
    for _ in range(30):
        if state.is_terminal():
            break
        player = max(state.current_player(), 0)
        other = state.resample_from_infostate(player, random.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.current_player() == state.current_player()
        state.apply_action(random_move(state, random))


def test_chance_round_can_be_copied_and_pickled() -> None:
    for number, state in enumerate(random_round_states(11)):
        if number % 25:
            continue
        chance_round = state.chance_round
        for other in (chance_round.copy(), pickle.loads(pickle.dumps(chance_round))):
            assert describe_full_state(other) == describe_full_state(chance_round)
            assert other.histories == chance_round.histories
            assert other.log == chance_round.log
    original = ChanceRound(RoundSetup(2, 0, Options()), deal_round(2, 1))
    original.apply_seat_step(min(original.kernel_round.legal()))
    copy = pickle.loads(pickle.dumps(original))
    assert (describe_full_state(copy), copy.histories) == (
        describe_full_state(original),
        original.histories,
    )


def test_chance_round_keeps_all_tiles_and_follows_the_phases() -> None:
    """Board, hands, display and bag never lose a tile, and every phase occurs."""
    phases = set()
    for state in random_round_states(12):
        round_ = state.chance_round.round
        if round_ is None:
            continue
        phases.add(round_.phase)
        board = [tile for _, _, tile in round_.board]
        held = [tile for hand in round_.hands for tile in hand]
        assert sorted([*board, *held, *round_.display, *round_.bag]) == [*range(81)]
        assert state.chance_round.board == round_.board
    assert {CHAIN, TAKING, DRAW, OVER} <= phases


if __name__ == "__main__":
    GOLDEN_FILE.write_text(playthrough(3), encoding="utf-8")
