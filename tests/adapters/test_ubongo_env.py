"""Ubongo's race as a parallel PettingZoo environment: PettingZoo's own tests, and the rules."""

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs pytlik[pettingzoo]")

with warnings.catch_warnings():
    # If pygame is installed, they import a PettingZoo game that warns about its deprecation.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import parallel_api_test, parallel_seed_test

import pettingzoo

from pytlik.adapters.pettingzoo import UbongoEnv, ubongo_parallel_env
from pytlik.adapters.ubongo_moves import (
    BOX_SIDE,
    FIRST_LIFT,
    GIVE_UP,
    MOVE_COUNT,
    ORIENTATION_COUNT,
    WAIT,
    NumberedMoves,
)
from pytlik.adapters.ubongo_observation import LAYOUT, OBSERVATION_SIZE, observe
from pytlik.game import Illegal
from pytlik.ubongo import solver
from pytlik.ubongo.deck_files import all_sides
from pytlik.ubongo.messages import Place
from pytlik.ubongo.model import Options, Phase
from pytlik.ubongo.view import view
from tests.ubongo.scripted_table import begin_round


def solving_moves(env: UbongoEnv, seat: int) -> list[int]:
    """The moves that solve a seat's card."""
    deal = env.match.state.deals[seat]
    found = solver.first(deal.area, tuple(deal.pieces.values()))
    assert found
    board = NumberedMoves(deal)
    wanted = dict(zip(deal.pieces, map(sorted, found), strict=True))
    return [
        move for move, place in board.places.items() if sorted(place.cells) == wanted[place.piece]
    ]


def all_wait_except(env: UbongoEnv, **moves: int) -> dict[str, int]:
    return {agent: moves.get(agent, WAIT) for agent in env.agents}


def test_pettingzoo_api_test_passes() -> None:
    parallel_api_test(ubongo_parallel_env(), num_cycles=200)
    parallel_api_test(ubongo_parallel_env(4, options=Options(pieces=5, seconds=30)), num_cycles=40)


def test_environment_is_registered_with_pettingzoo() -> None:
    env = pettingzoo.make("parallel", "pytlik/ubongo_v0", players=4)
    assert isinstance(env, UbongoEnv)
    assert len(env.possible_agents) == 4


@pytest.mark.parametrize("players", [2, 3])
def test_a_seed_gives_the_same_cards(players: int) -> None:
    parallel_seed_test(lambda: ubongo_parallel_env(players), num_cycles=30)


def test_move_numbers_match_the_documents() -> None:
    assert (FIRST_LIFT, WAIT, GIVE_UP, MOVE_COUNT, OBSERVATION_SIZE) == (
        3840,
        3845,
        3846,
        3847,
        729,
    )
    assert ORIENTATION_COUNT * BOX_SIDE * BOX_SIDE == 768
    assert {name: part.start for name, part in LAYOUT.items()} == {
        "area": 0,
        "placed": 64,
        "pieces": 384,
        "solved": 704,
        "gave_up": 708,
        "points": 712,
        "phase": 716,
        "display": 718,
        "bag": 722,
        "round": 726,
        "players": 727,
        "seconds": 728,
    }


def test_every_shipped_card_fits_into_the_box() -> None:
    for card in all_sides().cards:
        for side in card.sides.values():
            columns = {cell.q for cell in side.area}
            rows = {cell.r for cell in side.area}
            assert max(columns) - min(columns) < BOX_SIDE
            assert max(rows) - min(rows) < BOX_SIDE


def test_mask_matches_the_rules() -> None:
    env, random = ubongo_parallel_env(), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    for _ in range(6):
        board = NumberedMoves(env.match.state.deals[0])
        allowed = set()
        for number in [*board.places, *range(FIRST_LIFT, FIRST_LIFT + len(board.slots)), GIVE_UP]:
            move = board.move_for_number(number)
            assert move
            try:
                env.match.check(0, move, now=env.now)
            except Illegal:
                continue
            allowed.add(number)
        mask = set(np.flatnonzero(seen["player_0"]["action_mask"]).tolist())
        assert mask == allowed | {WAIT}
        places = sorted(number for number in mask if number < FIRST_LIFT)
        seen, *_ = env.step(all_wait_except(env, player_0=int(random.choice(places or [WAIT]))))


def test_first_to_solve_gets_a_sapphire() -> None:
    env = ubongo_parallel_env()
    env.reset(seed=3)
    moves = solving_moves(env, 0)
    total = dict.fromkeys(env.agents, 0.0)
    for move in [*moves, WAIT]:
        _, rewards, *_ = env.step(all_wait_except(env, player_0=move))
        for agent, reward in rewards.items():
            total[agent] += reward
    assert env.match.state.settled == (0,)
    assert total["player_0"] >= 3 + 1  # a sapphire, and at least an amber from the bag
    assert total["player_1"] == 0
    *moves, last = solving_moves(env, 1)
    for move in moves:
        env.step(all_wait_except(env, player_1=move))
    _, rewards, over, _, _ = env.step(all_wait_except(env, player_1=last))
    assert rewards["player_1"] >= 1 + 1  # an amber from the display, and at least one from the bag
    assert over == {"player_0": True, "player_1": True}
    assert env.agents == []


def test_simultaneous_solvers_are_ordered_by_lot() -> None:
    first = set()
    for seed in range(10):
        env = ubongo_parallel_env()
        env.reset(seed=seed)
        for mine, theirs in zip(solving_moves(env, 0), solving_moves(env, 1), strict=True):
            env.step({"player_0": mine, "player_1": theirs})
        first.add(env.match.state.settled[0])
    assert first == {0, 1}


def test_second_chance_follows_when_the_sand_runs_out() -> None:
    env = ubongo_parallel_env(options=Options(seconds=30), seconds_a_move=5)
    seen, _ = env.reset(seed=1)
    seconds = [int(seen["player_0"]["observation"][LAYOUT["seconds"]][0])]
    steps = 0
    phases = [env.match.state.phase]
    while env.agents:
        seen, _, _, _, _ = env.step(all_wait_except(env))
        seconds.append(int(seen["player_0"]["observation"][LAYOUT["seconds"]][0]))
        phases.append(env.match.state.phase)
        steps += 1
    assert seconds[:7] == [30, 25, 20, 15, 10, 5, 0]
    assert Phase.SECOND_CHANCE in phases
    assert steps == 13  # 65 seconds: twice 30, and twice 250 ms until it is settled (G10)
    assert env.match.state.settled == ()


def test_refused_move_uses_up_the_step_and_says_why() -> None:
    env = ubongo_parallel_env()
    seen, _ = env.reset(seed=1)
    mask = seen["player_0"]["action_mask"]
    nowhere = next(number for number in range(FIRST_LIFT) if not mask[number])
    *_, infos = env.step({"player_0": nowhere, "player_1": FIRST_LIFT})
    assert infos == {"player_0": {"refused": "no_such_move"}, "player_1": {"refused": "not_placed"}}
    env.step(all_wait_except(env, player_0=GIVE_UP))
    *_, infos = env.step(all_wait_except(env, player_0=GIVE_UP))
    assert infos["player_0"] == {"refused": "gave_up"}


def test_player_sees_no_pieces_of_others_while_solving() -> None:
    """G16: two rounds that differ only in where the other has put a piece."""
    env = ubongo_parallel_env()
    env.reset(seed=2)
    board = NumberedMoves(env.match.state.deals[1])
    rows = set()
    for move in (WAIT, *list(board.places)[:5]):
        env.reset(seed=2)
        seen, *_ = env.step(all_wait_except(env, player_1=move))
        rows.add(seen["player_0"]["observation"].tobytes())
        place = board.move_for_number(move)
        assert len(env.match.state.placed[1]) == isinstance(place, Place)
    assert len(rows) == 1


def observation_part(row: Any, name: str) -> list[int]:
    return [int(number) for number in row[LAYOUT[name]]]


def test_observation_counts_seats_clockwise_from_the_observer() -> None:
    table = begin_round(players=3)
    table.play_script("at 1: seat 2 solves\nat 2: seat 0 gives up")
    row = observe(view(table.state, 1), None, table.now)
    assert observation_part(row, "solved") == [0, 1, 0, 0]
    assert observation_part(row, "gave_up") == [0, 0, 1, 0]
    assert observation_part(row, "points") == [0, 7, 0, 0]
    assert observation_part(row, "phase") == [1, 0]
    # Rubies, sapphires, emeralds, ambers.
    assert observation_part(row, "display") == [0, 8, 0, 9]
    assert observation_part(row, "bag") == [35, 0, 0, 0]
    assert observation_part(row, "round") == [1]
    assert observation_part(row, "players") == [3]
    table.play_script("at 3: seat 1 gives up")
    assert observation_part(observe(view(table.state, 1), None, table.now), "phase") == [0, 0]


def test_each_piece_has_its_own_layer_of_the_card() -> None:
    env = ubongo_parallel_env()
    env.reset(seed=1)
    board, deal = NumberedMoves(env.match.state.deals[0]), env.match.state.deals[0]
    slot = 1
    move, place = next(
        (move, place) for move, place in board.places.items() if place.piece == board.slots[slot]
    )
    seen, *_ = env.step(all_wait_except(env, player_0=move))
    row = seen["player_0"]["observation"]
    placed, pieces = (row[LAYOUT[name]].reshape(-1, BOX_SIDE**2) for name in ("placed", "pieces"))
    covered = {board.cell_number(cell) for cell in place.cells}
    assert [set(np.flatnonzero(layer)) for layer in placed[: slot + 2]] == [set(), covered, set()]
    assert [layer.sum() for layer in pieces] == [
        *(len(shape) for shape in deal.pieces.values()),
        *[0] * (len(pieces) - len(deal.pieces)),
    ]


@pytest.mark.parametrize(("seconds", "shown"), [(None, 255), (600, 254), (30, 30)])
def test_seconds_left_fit_in_a_byte(seconds: int | None, shown: int) -> None:
    table = begin_round(options=Options(seconds=seconds))
    row = observe(view(table.state, 0), None, table.now)
    assert observation_part(row, "seconds") == [shown]


def test_winning_the_deciding_round_is_worth_one() -> None:
    env = ubongo_parallel_env(options=Options(rounds=3, seconds=None), rounds=3)
    env.reset(seed=1)
    for _ in range(3):
        _, rewards, *_ = env.step({"player_0": GIVE_UP, "player_1": GIVE_UP})
        assert rewards == {"player_0": 0, "player_1": 0}
    assert env.match.state.deciding
    _, rewards, over, *_ = env.step(all_wait_except(env, player_1=GIVE_UP))
    assert rewards == {"player_0": 1, "player_1": 0}
    assert all(over.values())


def test_reset_without_a_seed_continues_the_random_sequence() -> None:
    decks = []
    for env in (ubongo_parallel_env(), ubongo_parallel_env()):
        env.reset(seed=5)
        first = env.match.state.cards
        env.reset()
        decks.append((first, env.match.state.cards))
    assert decks[0] == decks[1]
    assert decks[0][0] != decks[0][1]


def test_reset_restarts_the_cycle_count() -> None:
    env = ubongo_parallel_env(max_cycles=2)
    for _ in range(2):
        env.reset(seed=1)
        assert env.agents
        for count in range(2):
            _, _, _, cut, _ = env.step(all_wait_except(env))
            assert set(cut.values()) == {count == 1}


def test_a_whole_match_has_nine_rounds() -> None:
    env = ubongo_parallel_env(rounds=9)
    env.reset(seed=1)
    total = dict.fromkeys(env.agents, 0.0)
    rounds = set()
    while env.agents:
        rounds.add(env.match.state.round)
        for move in solving_moves(env, 0):
            if env.agents:
                _, rewards, *_ = env.step(all_wait_except(env, player_0=move, player_1=GIVE_UP))
                for agent, reward in rewards.items():
                    total[agent] += reward
    assert rounds == set(range(1, 10))
    assert env.match.state.winners == (0,)
    assert total["player_0"] == env.match.view(0).points[0]


def test_a_short_match_is_over_after_its_rounds() -> None:
    env = ubongo_parallel_env(options=Options(rounds=3), rounds=3)
    env.reset(seed=1)
    while env.agents:
        for move in solving_moves(env, 0):
            if env.agents:
                env.step(all_wait_except(env, player_0=move, player_1=GIVE_UP))
    assert env.match.state.round == 3
    assert env.match.state.winners == (0,)


def test_environment_is_truncated_after_max_cycles() -> None:
    env = ubongo_parallel_env(max_cycles=3)
    env.reset(seed=1)
    for count in range(3):
        _, _, over, cut, _ = env.step(all_wait_except(env))
        assert set(over.values()) == {False}
        assert set(cut.values()) == {count == 2}
    assert env.agents == []


def test_match_that_ends_in_the_last_cycle_is_not_truncated() -> None:
    env = ubongo_parallel_env(options=Options(seconds=None), max_cycles=1)
    env.reset(seed=1)
    _, _, over, cut, _ = env.step({"player_0": GIVE_UP, "player_1": GIVE_UP})
    assert over == {"player_0": True, "player_1": True}
    assert cut == {"player_0": False, "player_1": False}


def test_rendering_shows_both_cards() -> None:
    env = UbongoEnv(render_mode="ansi")
    env.reset(seed=1)
    assert str(env.render()).count("Card") == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"players": 1}, "2 to 4"),
        ({"rounds": 10}, "1 to 9"),
        ({"rounds": 4, "options": Options(rounds=3)}, "1 to 3"),
        ({"options": Options(pieces=6)}, "pieces"),  # type: ignore[arg-type]
        ({"options": Options(seconds=0)}, "seconds"),
        ({"seconds_a_move": 0.0}, "seconds_a_move"),
        ({"max_cycles": 0}, "max_cycles"),
        ({"render_mode": "human"}, "ansi"),
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        UbongoEnv(**arguments)


def test_nothing_happens_after_the_end() -> None:
    env = ubongo_parallel_env(max_cycles=1)
    env.reset(seed=1)
    env.step(all_wait_except(env))
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_global_state_is_not_implemented() -> None:
    env = ubongo_parallel_env()
    env.reset(seed=1)
    with pytest.raises(NotImplementedError):
        env.state()
