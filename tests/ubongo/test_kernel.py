"""The kernel gives the solver's answers, compiled or not."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytlik.chance import from_text
from pytlik.ubongo import deck_files, kernel, solver
from pytlik.ubongo.hexes import Hex, Shape, parse_shape
from pytlik.ubongo.model import Colour
from pytlik.ubongo.pieces import PIECES

ONE_CELL = parse_shape("o")


def test_fallback_answers_without_compiled_modules(tmp_path: Path) -> None:
    """In a process of its own, where the compiled modules can't be found."""
    area, pieces = deck_puzzles(3, step=60)[0]
    code = f"""
import sys

class Hidden:
    def find_spec(name, path=None, target=None):
        if name.startswith("pytlik.ubongo.kernel.") and not name.endswith(".fallback"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Hidden)
from pytlik.ubongo import kernel
from pytlik.ubongo.hexes import Hex

area, pieces = {area!r}, {pieces!r}
print(kernel.COMPILED, kernel.counts(area, [pieces]), kernel.efforts(area, [pieces]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == f"False [1] [{solver.effort(area, pieces)}]\n"


def deck_puzzles(side: int, step: int) -> list[tuple[Shape, list[Shape]]]:
    deck = deck_files.load()
    return [
        (card.sides[side].area, [deck.pieces[colour][n] for n in card.sides[side].sets[colour]])
        for card in deck.cards[::step]
        for colour in Colour
    ]


@pytest.mark.parametrize("side", [3, 4])
def test_deck_puzzles_match_the_solver(side: int) -> None:
    for area, pieces in deck_puzzles(side, step=12):
        assert kernel.count(area, pieces) == 1
        assert kernel.first(area, pieces) == solver.first(area, pieces)
        assert kernel.effort(area, pieces) == solver.effort(area, pieces)


def test_many_sets_on_one_area() -> None:
    area = deck_files.load().cards[5].sides[4].area
    stream = from_text("sets").stream("pieces")
    shapes = [PIECES[colour][number] for colour in Colour for number in PIECES[colour]]
    sets = [[stream.choice(shapes) for _ in range(4)] for _ in range(60)]
    fair = [pieces for pieces in sets if sum(map(len, pieces)) == len(area)]
    assert len(fair) > 5
    assert kernel.counts(area, sets) == [solver.count(area, pieces) for pieces in sets]
    assert kernel.efforts(area, fair) == [solver.effort(area, pieces) for pieces in fair]


@pytest.mark.parametrize(
    ("area", "pieces"),
    [
        ((), []),
        ((), [ONE_CELL]),
        (parse_shape("o o"), []),
        (parse_shape("o o"), [()]),
        (parse_shape("o o"), [ONE_CELL]),
        (parse_shape("o o"), [parse_shape("o o")]),
        (parse_shape("o o"), [ONE_CELL, ONE_CELL]),
        (parse_shape("o o") * 2, [parse_shape("o o")[::-1] * 2]),
        (tuple(Hex(q, 0) for q in range(16)), [ONE_CELL] * 16),
        (tuple(Hex(q, 0) for q in range(17)), [ONE_CELL] * 17),  # too many pieces
        (tuple(Hex(0, r) for r in range(13)), [tuple(Hex(0, r) for r in range(13))]),  # too large
        (
            (Hex(0, 0), Hex(8, 8), Hex(10**9, -(10**9))),
            [ONE_CELL, (Hex(0, 0), Hex(1, 1))],
        ),  # too far
        (tuple(Hex(q, r) for q in range(9) for r in range(8)), [parse_shape("o o")] * 3),
    ],
)
def test_odd_and_too_large_puzzles_match_the_solver(area: Shape, pieces: list[Shape]) -> None:
    for limit in (None, 0, 1, 3):
        assert kernel.count(area, pieces, limit) == solver.count(area, pieces, limit)
    assert kernel.counts(area, [pieces]) == [solver.count(area, pieces)]
    assert kernel.first(area, pieces) == solver.first(area, pieces)
    if len(pieces) < 4:
        assert kernel.effort(area, pieces) == solver.effort(area, pieces)


def test_positions_reached_in_several_ways() -> None:
    area = parse_shape("o o o o\n o o o o\no o o o")
    pair = parse_shape("o o")
    for more in (parse_shape("o o\n o"), parse_shape("o o o")):
        pieces = [pair, more, pair, ONE_CELL, parse_shape("o o\n o o")]
        assert kernel.effort(area, pieces) == solver.effort(area, pieces)


def test_iterators_and_lists_are_accepted() -> None:
    area, pieces = deck_puzzles(3, step=60)[0]
    assert kernel.count(iter(area), [list(piece) for piece in pieces]) == 1
    assert kernel.first(list(area), pieces) == solver.first(area, pieces)


@st.composite
def random_puzzles(draw: st.DrawFn) -> tuple[Shape, list[Shape]]:
    """Cells cut up at random, half the time with one piece replaced by a copy of another."""
    coordinate = st.integers(-2, 3)
    area = draw(st.sets(st.builds(Hex, coordinate, coordinate), min_size=1, max_size=14))
    parts: dict[int, list[Hex]] = {}
    for cell in sorted(area):
        parts.setdefault(draw(st.integers(0, 3)), []).append(cell)
    pieces: list[Shape] = [tuple(part) for part in parts.values()]
    if draw(st.booleans()):
        pieces[-1] = draw(st.sampled_from(pieces))
    return tuple(sorted(area)), pieces


@given(puzzle=random_puzzles(), limit=st.none() | st.integers(0, 5))
def test_random_puzzles_match_the_solver(
    puzzle: tuple[Shape, list[Shape]], limit: int | None
) -> None:
    area, pieces = puzzle
    assert kernel.count(area, pieces, limit) == solver.count(area, pieces, limit)
    assert kernel.first(area, pieces) == solver.first(area, pieces)
    assert kernel.effort(area, pieces) == solver.effort(area, pieces)


def test_more_pieces_than_address_slots() -> None:
    line = tuple(Hex(q, 0) for q in range(3))
    for r in range(5000):
        apart = (Hex(0, 0), Hex(1, r + 1))
        assert kernel.count(line, [apart, ONE_CELL]) == 0
    assert kernel.count(line, [line]) == 1


def test_pieces_at_a_reused_memory_address_are_not_confused() -> None:
    area = parse_shape("o o o")
    for _ in range(20):
        for shape, solutions in ((area, 1), (parse_shape("o o\n o"), 0)):
            assert kernel.count(area, [(*shape,)]) == solutions


def test_too_many_placements_for_the_kernel() -> None:
    """No piece reaches the cell in the corner, otherwise solver.py would take hours."""
    area = (*(Hex(q, r) for q in range(7) for r in range(8) if (q, r) != (6, 7)), Hex(7, 7))
    drawings = ["o o o\n o", "o\n o o o", "o o\n   o o", "o   o\n o o"]
    kinds = list(map(parse_shape, drawings))
    _, places = solver.placements(area, kinds)
    assert sum(map(len, places)) > 1024
    pieces = kinds * 3 + kinds[:2]
    assert kernel.effort(area, pieces) == solver.effort(area, pieces) == 0


@pytest.mark.parametrize("far", [2**31, 2**41, 2**62, 2**63 - 1, -(2**63), 10**30])
def test_cells_may_be_far_away(far: int) -> None:
    """Integers are bounded in C, but not in the reference."""
    two = (Hex(0, 0), Hex(1, 0))
    apart, away = (Hex(0, 0), Hex(far, -far)), (Hex(far, far), Hex(far + 1, far))
    singles = [(Hex(5, 5),), (Hex(far, 7),)]
    for area, pieces in ((apart, singles), (apart, [two]), (two, [apart]), (two, [away])):
        assert kernel.count(area, pieces) == solver.count(area, pieces)
    assert kernel.first(away, [two]) == solver.first(away, [two]) == (away,)
    assert kernel.count((Hex(-far, far), Hex(far, -far)), [two]) == 0
