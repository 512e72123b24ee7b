"""The solver, on drawn puzzles, the shared positions, and against a simple brute force."""

import json
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex, Shape, flip, move_by, parse_shape, turn

POSITIONS_FILE = Path(__file__).parents[2] / "docs" / "positions" / "ubongo.jsonl"
SHARED_PUZZLES = [
    line["puzzle"]
    for line in map(json.loads, POSITIONS_FILE.read_text(encoding="utf-8").splitlines())
    if "puzzle" in line
]

SEVEN_CELL_AREA = parse_shape("""
o o o o
 o o o
""")
BAR = parse_shape("o o o")
TRIANGLE = parse_shape("o o\n o")
RHOMBUS = parse_shape("o o\n o o")
ONE_CELL = parse_shape("o")
PAIR = parse_shape("o o")


def make_shape(rows: list[list[int]]) -> Shape:
    return tuple(Hex(q, r) for q, r in rows)


# ------------------------------------------------------------------------ drawn puzzles


def test_g07_the_pieces_cover_every_cell_and_nothing_else() -> None:
    found = solver.first(SEVEN_CELL_AREA, [TRIANGLE, RHOMBUS])
    assert found is not None
    assert sorted(found[0] + found[1]) == sorted(SEVEN_CELL_AREA)
    assert [len(shape) for shape in found] == [3, 4]
    assert solver.first(SEVEN_CELL_AREA, [BAR, RHOMBUS]) is None


def test_every_solution_is_found_once() -> None:
    assert set(solver.solutions(SEVEN_CELL_AREA, [TRIANGLE, RHOMBUS])) == {
        (parse_shape("o o . .\n o . ."), parse_shape(". . o o\n . o o")),
        (parse_shape(". . o o\n . . o"), parse_shape("o o . .\n o o .")),
    }
    assert solver.count(SEVEN_CELL_AREA, [TRIANGLE, RHOMBUS]) == 2


def test_two_pieces_of_one_shape_are_distinct() -> None:
    area = parse_shape("o o o o")
    assert solver.count(area, [PAIR, PAIR]) == 2
    assert sorted(solver.solutions(area, [PAIR, parse_shape("o\n o")])) == [
        (area[:2], area[2:]),
        (area[2:], area[:2]),
    ]


def test_sizes_that_do_not_add_up_have_no_solution() -> None:
    assert solver.count(SEVEN_CELL_AREA, [BAR]) == 0
    assert solver.first(SEVEN_CELL_AREA, [BAR, BAR, BAR]) is None
    assert solver.effort(SEVEN_CELL_AREA, [BAR]) == 0


def test_a_limit_stops_the_count() -> None:
    area = parse_shape("o o o o o")
    assert solver.count(area, [ONE_CELL] * 5) == factorial(5)
    assert solver.count(area, [ONE_CELL] * 5, limit=7) == 7
    assert solver.count(area, [ONE_CELL] * 5, limit=1000) == factorial(5)
    assert solver.count(area, [ONE_CELL] * 5, limit=0) == 0


def test_empty_puzzle_has_one_solution() -> None:
    assert solver.count([], []) == 1
    assert solver.first([], []) == ()
    assert solver.effort([], []) == 0
    assert solver.count(SEVEN_CELL_AREA, []) == 0
    assert solver.count([], [ONE_CELL]) == 0
    assert solver.effort(SEVEN_CELL_AREA, []) == 0


def test_a_piece_without_cells_fits_nowhere() -> None:
    assert solver.count([], [()]) == 0
    assert solver.count(SEVEN_CELL_AREA, [TRIANGLE, RHOMBUS, ()]) == 0


def test_order_and_repetition_of_cells_do_not_matter() -> None:
    assert solver.count(SEVEN_CELL_AREA[::-1] + SEVEN_CELL_AREA, [TRIANGLE[::-1] * 2, RHOMBUS]) == 2


def test_areas_and_pieces_need_not_be_connected() -> None:
    far = 10**12
    area = (Hex(0, 0), Hex(1, 0), Hex(far, 0), Hex(far + 1, 0))
    apart = (Hex(0, 0), Hex(far, 0))
    assert solver.count(area, [PAIR, PAIR]) == 2
    assert solver.count(area, [apart, apart]) == 2
    assert solver.count(area, [apart, PAIR]) == 0
    assert solver.count(SEVEN_CELL_AREA[:4], [apart, PAIR]) == 0
    assert solver.first(parse_shape("o . o o"), [parse_shape("o . o"), ONE_CELL]) is not None


def test_a_thousand_pieces_are_not_too_deep() -> None:
    line = tuple(Hex(q, 0) for q in range(1200))
    assert solver.count(line, [ONE_CELL] * 1200) == factorial(1200)
    found = solver.first(line, [ONE_CELL] * 1200)
    assert found is not None
    assert len(set(found)) == 1200


def test_forty_cells_and_eight_pieces() -> None:
    area = [Hex(q, r) for q in range(5) for r in range(8)]
    pieces = list(map(parse_shape, EIGHT_PIECES))
    found = solver.first(area, pieces)
    assert found is not None
    assert sorted(cell for shape in found for cell in shape) == sorted(area)


EIGHT_PIECES = [
    "o o o\n o o",
    "o o o\n o\n  o",
    "o o\n o o o",
    "o o o o\n o",
    "o o\n o\no o",
    "o o o o\n   o",
    "o o o\n o . o",
    "o o o\n   o o",
]


@pytest.mark.parametrize("puzzle", SHARED_PUZZLES)
def test_shared_positions_have_the_given_solutions(puzzle: dict[str, Any]) -> None:
    area = make_shape(puzzle["area"])
    pieces = [make_shape(piece) for piece in puzzle["pieces"]]
    found = list(solver.solutions(area, pieces))
    assert len(found) == len(set(found)) == puzzle["solutions"] == solver.count(area, pieces)
    assert (solver.first(area, pieces) is None) == (not found)


# ------------------------------------------------------------------------------ effort


def test_effort_of_one_and_two_pieces() -> None:
    assert solver.effort(BAR, [BAR]) == 1
    assert solver.effort(PAIR, [ONE_CELL, ONE_CELL]) == 2
    # The single cell has three places, two of them right; the pair has two, both right. Starting
    # with the single cell takes a third of a try on the wrong place, then two tries. Starting with
    # the pair takes two.
    assert solver.effort(BAR, [ONE_CELL, PAIR]) == pytest.approx((2 + 1 / 3 + 2) / 2)


def test_effort_without_a_solution() -> None:
    # One piece has two places and the other has one, all wrong. Either may come first.
    assert (
        solver.effort(parse_shape("o o o o"), [parse_shape("o . o"), parse_shape("o . . o")])
        == (2 + 1) / 2
    )
    # A cell that no piece reaches is noticed at once.
    assert solver.effort(parse_shape("o o . o"), [BAR]) == 0


# ------------------------------------------------------------------------- brute force


def find_placements(area: Shape, piece: Shape) -> list[frozenset[Hex]]:
    """Every way to lay a piece inside an area, by brute force."""
    found = set[frozenset[Hex]]()
    for side in (piece, flip(piece)):
        form = side
        for _ in range(6):
            form = turn(form)
            for to in area:
                lies = move_by(form, Hex(to.q - form[0].q, to.r - form[0].r))
                if set(lies) <= set(area):
                    found.add(frozenset(lies))
    return sorted(found, key=sorted)


def brute_force_covers(area: Shape, pieces: Sequence[Shape]) -> Iterator[tuple[Shape, ...]]:
    if not pieces:
        if not area:
            yield ()
        return
    for lies in find_placements(area, pieces[0]):
        for others in brute_force_covers(
            tuple(cell for cell in area if cell not in lies), pieces[1:]
        ):
            yield tuple(sorted(lies)), *others


def brute_force_effort(free: Shape, pieces: tuple[Shape, ...]) -> tuple[bool, float]:
    """Whether there's a solution, and the mean effort over every order, step by step."""
    if not free:
        return True, 0.0
    every = [find_placements(free, piece) for piece in pieces]
    if set(free) - {cell for lie in every for lies in lie for cell in lies}:
        return False, 0.0
    solved, means = False, []
    for index, lie in enumerate(every):
        assume(len(lie) <= 5)
        rest = pieces[:index] + pieces[index + 1 :]
        after = [brute_force_effort(tuple(c for c in free if c not in lies), rest) for lies in lie]
        walks = []
        for order in permutations(after):
            tries = 0.0
            for solved, more in order:
                tries += 1 + more
                if solved:
                    break
            walks.append(tries)
        means.append(mean(walks))
    return solved, mean(means)


@st.composite
def random_puzzles(draw: st.DrawFn, largest: int = 9) -> tuple[Shape, list[Shape]]:
    """Cells cut up at random into turned and moved pieces, which sometimes don't fit."""
    coordinate = st.integers(0, 3)
    area = draw(st.sets(st.builds(Hex, coordinate, coordinate), min_size=1, max_size=largest))
    parts: dict[int, list[Hex]] = {}
    for cell in sorted(area):
        parts.setdefault(draw(st.integers(0, 3)), []).append(cell)
    pieces = []
    for part in parts.values():
        piece: Shape = tuple(part)
        for _ in range(draw(st.integers(0, 5))):
            piece = turn(piece)
        pieces.append(move_by(piece, Hex(draw(st.integers(-9, 9)), 2)))
    if draw(st.booleans()):
        cell = draw(st.sampled_from(sorted(area)))
        area = area - {cell} | {draw(st.builds(Hex, coordinate, coordinate))}
    return tuple(sorted(area)), pieces


@given(random_puzzles())
def test_solutions_match_brute_force(puzzle: tuple[Shape, list[Shape]]) -> None:
    area, pieces = puzzle
    expected = sorted(brute_force_covers(area, pieces))
    assert sorted(solver.solutions(area, pieces)) == expected
    assert solver.count(area, pieces) == len(expected)
    found = solver.first(area, pieces)
    assert found in expected if expected else found is None


@given(random_puzzles())
def test_scattered_cells_have_the_same_solutions(puzzle: tuple[Shape, list[Shape]]) -> None:
    expected = sorted(solver.solutions(*puzzle))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "MAX_BOX_BITS", 0)
        assert sorted(solver.solutions(*puzzle)) == expected


@given(random_puzzles(largest=6))
def test_effort_is_the_mean_over_all_orders(puzzle: tuple[Shape, list[Shape]]) -> None:
    area, pieces = puzzle
    assume(sum(map(len, pieces)) == len(area))
    _, expected = brute_force_effort(area, tuple(pieces))
    assert solver.effort(area, pieces) == pytest.approx(expected)
