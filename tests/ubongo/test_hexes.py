"""The grid: drawings, outlines and holes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytlik.ubongo.hexes import (
    Hex,
    Shape,
    connected,
    drawing,
    drawn,
    flip,
    free_form,
    has_holes,
    islands,
    moved,
    neighbours,
    normal,
    orientations,
    perimeter,
    turn,
)

RING = drawn("""
 o o
o . o
 o o
""")

coordinates = st.integers(-4, 4)
some_cells = st.sets(st.builds(Hex, coordinates, coordinates), min_size=1, max_size=14)


def test_a_cell_has_six_neighbours_and_turning_goes_round_them() -> None:
    ring = neighbours(Hex(0, 0))
    assert len(set(ring)) == 6
    assert [turn([cell]) for cell in ring] == [(cell,) for cell in (*ring[1:], ring[0])]


def test_a_drawing_shows_every_second_column_of_a_row() -> None:
    assert drawn("o o\n o") == (Hex(0, 0), Hex(0, 1), Hex(1, 0))
    with pytest.raises(ValueError, match="two columns apart"):
        drawn("oo")


@given(some_cells)
def test_a_drawing_is_read_as_it_was_drawn(cells: set[Hex]) -> None:
    assert normal(drawn(drawing(cells))) == normal(cells)


@pytest.mark.parametrize(
    ("text", "number"),
    [("o", 1), (" o o\no . o\n o o", 1), ("o o o", 3), ("o . o\n o o", 6), ("o o o\n o", 12)],
)
def test_how_many_orientations_a_shape_has(text: str, number: int) -> None:
    assert len(orientations(drawn(text))) == number


@given(some_cells, st.integers(0, 5))
def test_turned_and_flipped_and_moved_it_has_the_same_free_form(
    cells: set[Hex], turns: int
) -> None:
    other: Shape = tuple(cells)
    for _ in range(turns):
        other = turn(other)
    assert free_form(moved(other, Hex(3, -7))) == free_form(cells)
    assert free_form(flip(other)) == free_form(cells)


def test_islands_are_counted() -> None:
    assert islands([]) == 0
    assert islands(drawn("o o . o")) == 2
    assert connected(RING)
    assert not connected([])


def test_what_is_shut_in_is_a_hole() -> None:
    assert has_holes(RING)
    assert not has_holes([*RING, Hex(0, 1)])
    assert not has_holes(drawn(" o o\no . o\n o ."))
    assert not has_holes([Hex(0, 0), Hex(10**9, 0)])


@given(some_cells)
def test_holes_are_where_the_outside_does_not_come(cells: set[Hex]) -> None:
    box = {Hex(q, r) for q in range(-5, 6) for r in range(-5, 6)}
    assert has_holes(cells) == (not connected(box - cells))


def test_the_perimeter_counts_the_sides_of_the_outline() -> None:
    assert perimeter(drawn("o")) == 6
    assert perimeter(drawn("o o\n o")) == 12
    assert perimeter(RING) == 18 + 6


def test_a_cell_is_written_as_python_reads_it() -> None:
    assert repr(Hex(2, -1)) == "Hex(2, -1)"
