"""The grid: drawings, outlines and holes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytlik.ubongo.hexes import (
    Hex,
    Shape,
    count_islands,
    flip,
    free_form,
    has_holes,
    is_connected,
    move_by,
    neighbours,
    orientations,
    parse_shape,
    turn,
)

RING = parse_shape("""
 o o
o . o
 o o
""")

coordinates = st.integers(-4, 4)
some_cells = st.sets(st.builds(Hex, coordinates, coordinates), min_size=1, max_size=14)


def test_turning_goes_round_the_six_neighbours() -> None:
    ring = neighbours(Hex(0, 0))
    assert len(set(ring)) == 6
    assert [turn([cell]) for cell in ring] == [(cell,) for cell in (*ring[1:], ring[0])]


def test_drawing_uses_every_second_column() -> None:
    assert parse_shape("o o\n o") == (Hex(0, 0), Hex(0, 1), Hex(1, 0))
    with pytest.raises(ValueError, match="two columns apart"):
        parse_shape("oo")


@pytest.mark.parametrize(
    ("text", "number"),
    [("o", 1), (" o o\no . o\n o o", 1), ("o o o", 3), ("o . o\n o o", 6), ("o o o\n o", 12)],
)
def test_number_of_orientations(text: str, number: int) -> None:
    assert len(orientations(parse_shape(text))) == number


@given(some_cells, st.integers(0, 5))
def test_free_form_ignores_turning_flipping_and_moving(cells: set[Hex], turns: int) -> None:
    other: Shape = tuple(cells)
    for _ in range(turns):
        other = turn(other)
    assert free_form(move_by(other, Hex(3, -7))) == free_form(cells)
    assert free_form(flip(other)) == free_form(cells)


def test_islands_are_counted() -> None:
    assert count_islands([]) == 0
    assert count_islands(parse_shape("o o . o")) == 2
    assert is_connected(RING)
    assert not is_connected([])


def test_enclosed_cell_is_a_hole() -> None:
    assert has_holes(RING)
    assert not has_holes([*RING, Hex(0, 1)])
    assert not has_holes(parse_shape(" o o\no . o\n o ."))
    assert not has_holes([Hex(0, 0), Hex(10**9, 0)])


@given(some_cells)
def test_holes_cannot_be_reached_from_outside(cells: set[Hex]) -> None:
    box = {Hex(q, r) for q in range(-5, 6) for r in range(-5, 6)}
    assert has_holes(cells) == (not is_connected(box - cells))


def test_repr_recreates_the_cell() -> None:
    assert repr(Hex(2, -1)) == "Hex(2, -1)"
