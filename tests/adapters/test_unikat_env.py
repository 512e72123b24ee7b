"""Unikat as a PettingZoo environment: PettingZoo's own tests, and what agents may see."""

import copy
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs pytlik[pettingzoo]")

with warnings.catch_warnings():
    # If pygame is installed, they import a PettingZoo game that warns about its deprecation.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, seed_test

import pettingzoo

from pytlik.adapters.pettingzoo import UnikatEnv, unikat_env
from pytlik.adapters.unikat_observation import (
    LAYOUT,
    OBSERVATION_SIZE,
    Neighbours,
    ObservedRound,
    observe,
)
from pytlik.adapters.unikat_steps import NAMES, NUMBERS
from pytlik.ubongo.model import Options as UbongoOptions
from pytlik.unikat.engine.kernel import BAG, CHAIN, GIVE, OVER, STOP, TAKE, TAKING, Round
from pytlik.unikat.engine.kernel_bridge import TILE_NUMBER, from_state
from pytlik.unikat.model import TILES, Options
from tests.unikat.drawn_tables import table_from_drawing

# PettingZoo warns about a mask in a dict, except in its own board games, which it knows by name.
MASK_WARNINGS = (
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
)


def ignore_mask_warnings(test: Any) -> Any:
    for mark in MASK_WARNINGS:
        test = mark(test)
    return test


def random_step(env: Any, random: np.random.Generator) -> int:
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(random.choice(np.flatnonzero(mask)))


def random_round_envs(players: int, seed: int) -> Iterator[UnikatEnv]:
    """An environment at each moment of a round of random steps."""
    env, random = UnikatEnv(players), np.random.default_rng(seed)
    env.reset(seed=seed)
    while env.agents and not any(env.terminations.values()):
        yield env
        env.step(random_step(env, random))
    yield env


# -------------------------------------------------------------------------- PettingZoo's own tests


@ignore_mask_warnings
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo_api_test_passes(players: int) -> None:
    api_test(unikat_env(players), num_cycles=150)


@ignore_mask_warnings
def test_api_test_passes_without_wrappers() -> None:
    api_test(UnikatEnv(), num_cycles=100)


def test_environment_is_registered_with_pettingzoo() -> None:
    env = pettingzoo.make("aec", "pytlik/unikat_v0", players=3, max_cycles=7)
    assert isinstance(env.unwrapped, UnikatEnv)
    assert (len(env.possible_agents), env.unwrapped.max_cycles) == (3, 7)


@pytest.mark.parametrize("players", [2, 4])
def test_a_seed_gives_the_same_round(players: int) -> None:
    seed_test(lambda: unikat_env(players), num_cycles=60)


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(UnikatEnv())
    assert "turns per second" in capsys.readouterr().out


# ------------------------------------------------------------------------------------ the numbers


def test_step_numbers_match_the_documents() -> None:
    assert len(NAMES) == len(NUMBERS) == 2756
    assert TILE_NUMBER[TILES[21]] == 21 == int("0210", 3)
    assert NAMES[0] == "0000N0001"
    # 0110 is 12; its partners in ascending order are 0010, 0100, 0111, 0112, 0120, 0210, ...
    assert NUMBERS["0110E0210"] == (12 * 8 + 5) * 4 + 1
    assert (NUMBERS["-0210"], NUMBERS["+0210"]) == (2592 + 21, 2673 + 21)
    assert (NUMBERS["+bag"], NUMBERS["stop"]) == (2754, 2755) == (BAG, STOP)


def test_layout_matches_the_documents() -> None:
    assert OBSERVATION_SIZE == 3260
    assert {name: part.start for name, part in LAYOUT.items()} == {
        "hand": 0,
        "display": 81,
        "given": 162,
        "table": 243,
        "last": 324,
        "beside": 405,
        "known": 2997,
        "counts": 3240,
        "to_move": 3244,
        "phase": 3248,
        "extra": 3254,
        "earned": 3255,
        "laid": 3256,
        "bag": 3257,
        "quiet": 3258,
        "players": 3259,
    }


# ------------------------------------------------------------------------------------ observations


def observation_part(row: Any, name: str) -> list[int]:
    return [int(number) for number in row[LAYOUT[name]]]


def tiles_in(row: Any, name: str) -> set[str]:
    return {TILES[tile % 81] for tile in np.flatnonzero(row[LAYOUT[name]])}


def test_observation_of_a_drawn_position() -> None:
    scene = table_from_drawing(
        """
        0000 0001
        """,
        hands=["0002 1111", "2222 2221 2220"],
        display="1000 2000",
        bag="1212",
    )
    round_ = from_state(scene.state)
    row = observe(round_, Neighbours(round_), 0)
    assert tiles_in(row, "hand") == {"0002", "1111"}
    assert tiles_in(row, "display") == {"1000", "2000"}
    assert tiles_in(row, "table") == {"0000", "0001"}
    assert {NAMES[step] for step in np.flatnonzero(row[LAYOUT["beside"]])} == {
        "0000E0001",
        "0001W0000",
    }
    assert tiles_in(row, "known") == set()
    assert observation_part(row, "counts") == [2, 3, 0, 0]
    assert observation_part(row, "to_move") == [1, 0, 0, 0]
    assert observation_part(row, "phase") == [1, 0, 0, 0, 0, 0]
    assert observation_part(row, "bag") == [1]
    assert observation_part(row, "players") == [2]
    assert observation_part(observe(round_, Neighbours(round_), 1), "counts") == [3, 2, 0, 0]


def test_observation_counts_seats_clockwise_from_the_observer() -> None:
    scene = table_from_drawing(
        "0000",
        hands=["1111", "0002 2222", "2221 2220 2212"],
        known=["1111", "2222", "2220"],
        to_move=2,
    )
    round_ = from_state(scene.state)
    row = observe(round_, Neighbours(round_), 1)
    assert observation_part(row, "counts") == [2, 3, 1, 0]
    assert observation_part(row, "to_move") == [0, 1, 0, 0]
    known = row[LAYOUT["known"]].reshape(3, len(TILES))
    assert [[TILES[tile] for tile in np.flatnonzero(hand)] for hand in known] == [
        ["2220"],
        ["1111"],
        [],
    ]


def test_given_tile_is_shown_only_to_its_owner() -> None:
    play = ObservedRound(from_state(table_from_drawing("0000").state))
    assert tiles_in(play.observe(0), "given") == set()
    play.apply_step(NUMBERS["-2222"])
    assert tiles_in(play.observe(0), "given") == {"2222"}
    assert tiles_in(play.observe(1), "given") == set()


def test_observation_shows_an_earned_extra_action() -> None:
    scene = table_from_drawing(
        """
        0000   0001
        0100   .
        """,
        hands=["0101 0102 0002 2222", "2221"],
    )
    play = ObservedRound(from_state(scene.state))
    shown = []
    for step in ("0001S0101", "stop", "0101E0102"):
        play.apply_step(NUMBERS[step])
        row = play.observe(0)
        shown.append((step, *(observation_part(row, name)[0] for name in ("earned", "extra"))))
    assert shown == [("0001S0101", 1, 0), ("stop", 0, 0), ("0101E0102", 0, 1)]


def test_many_quiet_turns_fit_in_a_byte() -> None:
    round_ = from_state(
        table_from_drawing("0000", quiet_turns=300, options=Options(blocked=(1000, 1000))).state
    )
    assert observation_part(observe(round_, Neighbours(round_), 0), "quiet") == [255]


def test_reset_restarts_the_cycle_count() -> None:
    env, random = UnikatEnv(max_cycles=2), np.random.default_rng(1)
    for _ in range(2):
        env.reset(seed=1)
        for count in range(2):
            env.step(random_step(env, random))
            assert all(env.truncations.values()) == (count == 1)


def hidden_twin(round_: Round, seat: int, seed: int) -> Round:
    """Another round that differs only in what a seat may not know."""
    other = round_.copy()
    other.seed(seed)
    other.guess(seat)
    return other


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_observation_depends_on_nothing_hidden(players: int) -> None:
    different = 0
    for number, env in enumerate(random_round_envs(players, seed=5)):
        if env.play.is_mid_action or env.play.round.is_over:
            continue
        for seat, agent in enumerate(env.possible_agents):
            before = env.observe(agent)
            play = env.play
            other = hidden_twin(play.round, seat, number)
            different += other.hands != play.round.hands or other.bag != play.round.bag
            env.play = ObservedRound(other)
            after = env.observe(agent)
            env.play = play
            assert before["observation"].tobytes() == after["observation"].tobytes()
            assert before["action_mask"].tobytes() == after["action_mask"].tobytes()
    assert different > 100


def test_twin_with_another_own_hand_looks_different() -> None:
    """Otherwise the test above couldn't fail."""
    env = UnikatEnv()
    env.reset(seed=1)
    other = ObservedRound(hidden_twin(env.play.round, 1, 1))
    assert other.observe(0).tobytes() != env.play.observe(0).tobytes()


def test_others_see_an_action_only_when_it_is_done() -> None:
    """Whether a chain can go on depends on the hand."""
    phases = set()
    last: dict[str, bytes] = {}
    for env in random_round_envs(3, seed=2):
        acting = env.play.is_mid_action
        if acting:
            phases.add(env.play.round.phase)
        for agent in env.possible_agents:
            row = env.observe(agent)["observation"].tobytes()
            if acting and agent != env.agent_selection:
                assert row == last[agent]
            else:
                last[agent] = row
    assert phases == {CHAIN, TAKING}


def test_observed_table_matches_the_kernel() -> None:
    for env in random_round_envs(2, seed=3):
        neighbours = Neighbours(env.play.round)
        assert neighbours.row.tobytes() == env.play.table.row.tobytes()
        assert neighbours.last == env.play.table.last


def test_only_the_mover_has_steps_and_they_match_the_kernel() -> None:
    for env in random_round_envs(3, seed=4):
        for agent in env.possible_agents:
            mask = env.observe(agent)["action_mask"]
            legal = env.play.round.legal() if agent == env.agent_selection else []
            assert set(np.flatnonzero(mask)) == set(legal)


def test_all_hands_are_visible_after_the_round() -> None:
    *_, env = random_round_envs(2, seed=6)
    round_ = env.play.round
    assert round_.phase == OVER
    for seat, agent in enumerate(env.possible_agents):
        row = env.observe(agent)["observation"]
        assert tiles_in(row, "known") == {TILES[tile] for tile in round_.hands[1 - seat]}


# -------------------------------------------------------------------------------------- results


def test_winner_gains_what_the_others_lose() -> None:
    *_, env = random_round_envs(4, seed=7)
    winners = env.play.round.winners
    assert len(winners) == 1
    assert env.rewards[f"player_{winners[0]}"] == 1
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


def test_a_shared_win_is_worth_less() -> None:
    env = UnikatEnv(options=Options(blocked=(1, 1), starter=0))
    env.reset(seed=1)
    for _ in range(2):
        give = next(step for step in env.play.round.legal() if GIVE <= step < TAKE)
        env.step(give)
        env.step(BAG)
    assert env.play.round.winners == (0, 1)
    assert set(env.rewards.values()) == {0.0}
    assert all(env.terminations.values())


def test_truncated_round_has_no_winner() -> None:
    env, random = unikat_env(max_cycles=5), np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(5):
        assert not any(env.truncations.values())
        env.step(random_step(env, random))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


def test_illegal_step_loses_the_round() -> None:
    env = unikat_env()
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(STOP)
    assert all(env.terminations.values())
    assert env.rewards[loser] == -1
    bare = UnikatEnv()
    bare.reset(seed=1)
    with pytest.raises(ValueError, match="not legal"):
        bare.step(STOP)


def test_the_starter_may_be_given() -> None:
    starters = set()
    for seed in range(8):
        env = UnikatEnv(3)
        env.reset(seed=seed)
        starters.add(env.agent_selection)
        env = UnikatEnv(3, Options(starter=2))
        env.reset(seed=seed)
        assert env.agent_selection == "player_2"
    assert starters == {"player_0", "player_1", "player_2"}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"players": 5}, "2 to 4"),
        ({"options": Options(starter=2)}, "starter: a seat from 0 to 1"),
        ({"options": Options(extra_action="nowhere")}, "extra_action"),  # type: ignore[arg-type]
        ({"options": Options(blocked=(0, 20))}, "blocked"),
        ({"max_cycles": 0}, "max_cycles"),
        ({"render_mode": "human"}, "ansi"),
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        UnikatEnv(**arguments)


def test_the_options_of_another_game_are_refused() -> None:
    with pytest.raises(TypeError, match=r"options: pytlik.unikat.model.Options"):
        UnikatEnv(options=UbongoOptions())  # type: ignore[arg-type]


def test_each_agent_has_its_own_spaces() -> None:
    env = UnikatEnv()
    one, other = (env.observation_space(agent) for agent in env.possible_agents)
    other.seed(1)
    expected = other.sample()
    other.seed(1)
    one.seed(2)
    assert np.array_equal(other.sample()["observation"], expected["observation"])


# ---------------------------------------------------------------------------------------- rendering


def test_rendering_shows_what_the_mover_sees() -> None:
    env = UnikatEnv(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    hands = env.play.round.hands
    mover = env.play.round.to_move
    assert all(TILES[tile] in text for tile in hands[mover])
    assert not any(TILES[tile] in text for tile in hands[1 - mover])
    *_, over = random_round_envs(2, seed=1)
    over.render_mode = "ansi"
    assert "You win the round!" in str(over.render())


# ------------------------------------------------------------------------------------------- copies


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copy_continues_like_the_original(again: Any) -> None:
    """For searches that look ahead, and for environments sent to other processes."""
    env, random = unikat_env(3, options=Options(extra_action="continue")), np.random.default_rng(1)
    env.reset(seed=1)
    phases = set()
    while env.agents:
        other = again(env)
        agent = env.agent_selection
        assert other.agent_selection == agent
        for seat in env.possible_agents:
            for part, numbers in env.observe(seat).items():
                assert np.array_equal(other.observe(seat)[part], numbers)
        over = env.terminations[agent]
        if not over:
            phases.add(env.unwrapped.play.round.phase)
        step = None if over else random_step(env, random)
        other.step(step)
        if step is not None:
            assert other.unwrapped.play.steps == [*env.unwrapped.play.steps, step]
        env.step(step)
        assert (other.agents, other.rewards) == (env.agents, env.rewards)
    assert {CHAIN, TAKING} < phases
    other = again(env)
    env.reset()
    other.reset()
    assert other.unwrapped.play.round.hands == env.unwrapped.play.round.hands


def test_steps_in_a_copy_do_not_affect_the_original() -> None:
    env, random = UnikatEnv(), np.random.default_rng(1)
    env.reset(seed=1)
    before = env.observe("player_0")["observation"]
    other = copy.deepcopy(env)
    for _ in range(50):
        other.step(random_step(other, random))
    assert np.array_equal(env.observe("player_0")["observation"], before)
