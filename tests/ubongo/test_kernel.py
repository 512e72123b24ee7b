"""The kernel has the reference's answers, compiled and as it is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytlik import ubongo
from pytlik.chance import from_text
from pytlik.ubongo import cards, kernel, solver
from pytlik.ubongo.hexes import Hex, Shape, drawn
from pytlik.ubongo.model import Colour
from pytlik.ubongo.pieces import PIECES
from tests.uncompiled import uncompiled

ONE = drawn("o")


def as_it_is() -> Any:
    """The kernel from its sources; it answers then, and does not leave that to the reference."""
    own: Any
    (own,) = uncompiled(ubongo, "kernel")
    assert not own.COMPILED
    own.answers.SEARCHES = True
    return own


KERNELS = {"as it is": as_it_is(), "as installed": kernel}

every_kernel = pytest.mark.parametrize("own", KERNELS.values(), ids=KERNELS)


def puzzles(side: int, step: int) -> list[tuple[Shape, list[Shape]]]:
    deck = cards.load()
    return [
        (card.sides[side].area, [deck.pieces[colour][n] for n in card.sides[side].sets[colour]])
        for card in deck.cards[::step]
        for colour in Colour
    ]


@every_kernel
@pytest.mark.parametrize("side", [3, 4])
def test_puzzles_of_the_deck(own: Any, side: int) -> None:
    for area, pieces in puzzles(side, step=12):
        assert own.count(area, pieces) == 1
        assert own.first(area, pieces) == solver.first(area, pieces)
        assert own.near_misses(area, pieces) == solver.near_misses(area, pieces)
        assert own.effort(area, pieces) == solver.effort(area, pieces)


@every_kernel
def test_many_sets_on_one_area(own: Any) -> None:
    area = cards.load().cards[5].sides[4].area
    stream = from_text("sets").stream("pieces")
    shapes = [PIECES[colour][number] for colour in Colour for number in PIECES[colour]]
    sets = [[stream.choice(shapes) for _ in range(4)] for _ in range(60)]
    fair = [pieces for pieces in sets if sum(map(len, pieces)) == len(area)]
    assert len(fair) > 5
    assert own.counts(area, sets) == [solver.count(area, pieces) for pieces in sets]
    assert own.efforts(area, fair) == [solver.effort(area, pieces) for pieces in fair]


@every_kernel
@pytest.mark.parametrize(
    ("area", "pieces"),
    [
        ((), []),
        ((), [ONE]),
        (drawn("o o"), []),
        (drawn("o o"), [()]),
        (drawn("o o"), [ONE]),
        (drawn("o o"), [drawn("o o")]),
        (drawn("o o"), [ONE, ONE]),
        (drawn("o o") * 2, [drawn("o o")[::-1] * 2]),
        (tuple(Hex(q, 0) for q in range(16)), [ONE] * 16),
        (tuple(Hex(q, 0) for q in range(17)), [ONE] * 17),  # too many pieces
        (tuple(Hex(0, r) for r in range(13)), [tuple(Hex(0, r) for r in range(13))]),  # too large
        ((Hex(0, 0), Hex(8, 8), Hex(10**9, -(10**9))), [ONE, (Hex(0, 0), Hex(1, 1))]),  # too far
        (tuple(Hex(q, r) for q in range(9) for r in range(8)), [drawn("o o")] * 3),
    ],
)
def test_odd_puzzles_and_those_that_are_too_large(
    own: Any, area: Shape, pieces: list[Shape]
) -> None:
    for limit in (None, 0, 1, 3):
        assert own.count(area, pieces, limit) == solver.count(area, pieces, limit)
    assert own.counts(area, [pieces]) == [solver.count(area, pieces)]
    assert own.first(area, pieces) == solver.first(area, pieces)
    if len(pieces) < 4:
        assert own.near_misses(area, pieces) == solver.near_misses(area, pieces)
        assert own.effort(area, pieces) == solver.effort(area, pieces)


@every_kernel
def test_positions_that_are_reached_in_several_ways(own: Any) -> None:
    area = drawn("o o o o\n o o o o\no o o o")
    pair = drawn("o o")
    for more in (drawn("o o\n o"), drawn("o o o")):
        pieces = [pair, more, pair, ONE, drawn("o o\n o o")]
        assert own.effort(area, pieces) == solver.effort(area, pieces)
        assert own.near_misses(area, pieces) == solver.near_misses(area, pieces)


def test_iterators_and_lists_will_do() -> None:
    area, pieces = puzzles(3, step=60)[0]
    assert kernel.count(iter(area), [list(piece) for piece in pieces]) == 1
    assert kernel.first(list(area), pieces) == solver.first(area, pieces)


@st.composite
def random_puzzles(draw: st.DrawFn) -> tuple[Shape, list[Shape]]:
    """Some cells cut up at random, as likely as not with two pieces alike or one that is wrong."""
    coordinate = st.integers(-2, 3)
    area = draw(st.sets(st.builds(Hex, coordinate, coordinate), min_size=1, max_size=14))
    parts: dict[int, list[Hex]] = {}
    for cell in sorted(area):
        parts.setdefault(draw(st.integers(0, 3)), []).append(cell)
    pieces: list[Shape] = [tuple(part) for part in parts.values()]
    if draw(st.booleans()):
        pieces[-1] = draw(st.sampled_from(pieces))
    return tuple(sorted(area)), pieces


@every_kernel
@given(puzzle=random_puzzles(), limit=st.none() | st.integers(0, 5))
def test_the_same_answers_as_the_reference(
    own: Any, puzzle: tuple[Shape, list[Shape]], limit: int | None
) -> None:
    area, pieces = puzzle
    assert own.count(area, pieces, limit) == solver.count(area, pieces, limit)
    assert own.first(area, pieces) == solver.first(area, pieces)
    assert own.near_misses(area, pieces) == solver.near_misses(area, pieces)
    assert own.effort(area, pieces) == solver.effort(area, pieces)


def test_a_box_forgets_before_it_fills_the_memory() -> None:
    own = as_it_is()
    own.box.REMEMBERED = 3
    for area, pieces in puzzles(3, step=20):
        assert own.count(area, pieces) == 1
    known = [len(box.known) for box in own.box.BOXES if box]
    assert known
    assert max(known) <= 4


@every_kernel
def test_a_piece_is_not_taken_for_one_that_was_where_it_is_in_memory(own: Any) -> None:
    area = drawn("o o o")
    for _ in range(20):
        for shape, solutions in ((area, 1), (drawn("o o\n o"), 0)):
            assert own.count(area, [(*shape,)]) == solutions


def test_what_fits_in_too_many_places_is_left_to_the_reference() -> None:
    own = as_it_is()
    own.places.MOST_PLACES = 2
    area, pieces = puzzles(3, step=60)[0]
    assert own.effort(area, pieces) == solver.effort(area, pieces)
    assert own.near_misses(area, pieces) == solver.near_misses(area, pieces)


@every_kernel
@pytest.mark.parametrize("far", [2**31, 2**41, 2**62, 2**63 - 1, -(2**63), 10**30])
def test_cells_that_are_far_away(own: Any, far: int) -> None:
    """Numbers in C end somewhere, and the reference's do not."""
    two = (Hex(0, 0), Hex(1, 0))
    apart, away = (Hex(0, 0), Hex(far, -far)), (Hex(far, far), Hex(far + 1, far))
    singles = [(Hex(5, 5),), (Hex(far, 7),)]
    for area, pieces in ((apart, singles), (apart, [two]), (two, [apart]), (two, [away])):
        assert own.count(area, pieces) == solver.count(area, pieces)
    assert own.first(away, [two]) == solver.first(away, [two]) == (away,)
    assert own.count((Hex(-far, far), Hex(far, -far)), [two]) == 0
