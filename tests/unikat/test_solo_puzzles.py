"""Puzzles: lay as many tiles as you can."""

from itertools import islice

import pytest

from pytlik.game import replay
from pytlik.unikat import rules
from pytlik.unikat.engine.longest_turn import count_layouts, longest_chain, longest_turn
from pytlik.unikat.messages import Lay
from pytlik.unikat.model import Phase, State
from pytlik.unikat.solo_puzzles import (
    GRADES,
    SOLVER_SEAT,
    Grade,
    Puzzle,
    as_solo_state,
    find_puzzles_in_match,
    play_generated_match,
    play_puzzle,
    puzzles,
)
from pytlik.unikat.view import View, view
from tests.unikat.brute_force import most_tiles_in_a_turn
from tests.unikat.drawn_tables import (
    CHANCE,
    make_lay,
    parse_tiles,
    table_from_drawing,
    view_of_mover,
)
from tests.unikat.test_longest_turn import DENSE_HAND


@pytest.fixture(scope="module")
def daily_puzzles() -> dict[Grade, Puzzle]:
    return puzzles("daily unikat 2026-11-15")


def play_answer(puzzle: Puzzle) -> State:
    state = puzzle.state
    for chain in puzzle.answer:
        state = replay(rules.apply, rules.decide(state, SOLVER_SEAT, Lay(chain), CHANCE, 0), state)
    return state


@pytest.mark.parametrize("grade", Grade)
def test_puzzle_meets_its_grade(daily_puzzles: dict[Grade, Puzzle], grade: Grade) -> None:
    puzzle, wanted = daily_puzzles[grade], GRADES[grade]
    known = view(puzzle.state, SOLVER_SEAT)
    assert wanted.fewest <= puzzle.most <= wanted.most
    assert (len(longest_chain(known)) < puzzle.most) == wanted.double
    assert 1 <= count_layouts(known, puzzle.most, 100) <= wanted.ways
    assert not known.choices.swap
    assert len(puzzle.answer) <= 2


@pytest.mark.parametrize("grade", Grade)
def test_answer_is_legal_and_lays_the_most(
    daily_puzzles: dict[Grade, Puzzle], grade: Grade
) -> None:
    puzzle = daily_puzzles[grade]
    before = len(puzzle.state.hands[SOLVER_SEAT])
    assert before - len(play_answer(puzzle).hands[SOLVER_SEAT]) == puzzle.most


@pytest.mark.parametrize("grade", [Grade.EASY, Grade.MEDIUM])
def test_brute_force_finds_no_longer_turn(daily_puzzles: dict[Grade, Puzzle], grade: Grade) -> None:
    assert most_tiles_in_a_turn(daily_puzzles[grade].state) == daily_puzzles[grade].most


def test_puzzles_of_a_seed_never_change(daily_puzzles: dict[Grade, Puzzle]) -> None:
    """Golden values: a change to the players or the grades would change every day's puzzles."""
    hands = {
        grade: " ".join(sorted(puzzle.state.hands[SOLVER_SEAT]))
        for grade, puzzle in daily_puzzles.items()
    }
    assert hands == EXPECTED_HANDS
    assert {grade: puzzle.most for grade, puzzle in daily_puzzles.items()} == EXPECTED_MOST_TILES


EXPECTED_HANDS = {
    Grade.EASY: "0121 1120 1121 1211 2000 2002 2111 2112 2210 2211",
    Grade.MEDIUM: "0020 0022 0100 0102 0120 0210 1000 1021 2121 2200",
    Grade.HARD: "0002 0011 0201 0211 0221 1001 1101 2011 2110 2111",
}
EXPECTED_MOST_TILES = {Grade.EASY: 4, Grade.MEDIUM: 6, Grade.HARD: 9}


def test_each_day_has_other_puzzles(daily_puzzles: dict[Grade, Puzzle]) -> None:
    other = find_puzzles_in_match("daily unikat 2026-11-16", 0, frozenset())
    assert all(puzzle.state != daily_puzzles[grade].state for grade, puzzle in other.items())


def test_grades_already_found_are_skipped(daily_puzzles: dict[Grade, Puzzle]) -> None:
    assert find_puzzles_in_match("daily unikat 2026-11-15", 0, frozenset(Grade)) == {}


def test_puzzle_has_no_history() -> None:
    """The seat to move becomes seat 0, and nobody knows anything about the other hands."""
    table = table_from_drawing(
        "0000 0001a", hands=["2222", "2221"], to_move=1, known=["2222", "2221"], quiet_turns=3
    ).with_changes(latest=make_lay("0000 0 0").tiles, starter=1)
    solo = as_solo_state(table.state)
    assert solo.hands == (parse_tiles("0001 2221"), parse_tiles("2222"))
    assert (solo.to_move, solo.starter, solo.display, solo.bag) == (0, 0, (), ())
    assert solo.known == (frozenset(), frozenset())
    assert (solo.latest, solo.quiet_turns) == ((), 0)


def test_puzzle_ends_when_the_last_tile_is_laid() -> None:
    table = table_from_drawing("0000 0001a 0011b", hands=["", "2221"], display="", bag="")
    one, both = table.lay.tiles[:1], table.lay.tiles
    puzzle = Puzzle(grade=Grade.EASY, state=table.state, most=2, answer=(both,))
    assert (play_puzzle(puzzle, [])[2:], play_puzzle(puzzle, [Lay(one)])[2:]) == (
        (0, False),
        (1, True),
    )
    assert play_puzzle(puzzle, [Lay(both)])[2:] == (2, True)


def test_positions_come_from_real_matches() -> None:
    for state in islice(play_generated_match("a match"), 30):
        assert state.phase is Phase.ACTION
        assert 1 <= len(state.hand) <= 10
    boards = [len(state.board) for state in play_generated_match("a match")]
    assert boards == sorted(boards)
    assert boards[-1] >= 10


def test_layouts_are_counted_by_the_resulting_board() -> None:
    table = table_from_drawing("0000 0001\n0010 .", hands=["0011", "2222"])
    known = view_of_mover(table)
    assert (longest_turn(known).tiles, count_layouts(known, 1, 50)) == (1, count_places(known))
    dense = view_of_mover(
        table_from_drawing("2222", hands=[DENSE_HAND, "0000"], display="0001", bag="0002")
    )
    assert count_layouts(dense, 6, 7) == 7


def count_places(known: View) -> int:
    return sum(map(len, known.choices.lay.values()))
