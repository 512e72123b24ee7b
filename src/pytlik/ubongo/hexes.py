"""The hexagonal grid: axial cells, turning, flipping, and shapes made of them."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple


class Hex(NamedTuple):
    """A cell in axial coordinates."""

    q: int
    r: int

    def __repr__(self) -> str:
        return f"Hex({self.q}, {self.r})"


Shape = tuple[Hex, ...]
"""Cells in ascending order; where only the form counts, the first one is Hex(0, 0)."""

Pair = tuple[int, int]
"""Equal to the Hex with the same numbers, and faster to create."""

DIRECTIONS = (Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0), Hex(0, -1), Hex(1, -1))


@lru_cache(maxsize=1024)
def neighbours(cell: Hex) -> tuple[Hex, ...]:
    return tuple(Hex(cell.q + q, cell.r + r) for q, r in DIRECTIONS)


def turn(cells: Iterable[Hex]) -> Shape:
    """A sixth of a full turn about the origin."""
    return tuple(sorted(Hex(-r, q + r) for q, r in cells))


def flip(cells: Iterable[Hex]) -> Shape:
    return tuple(sorted(Hex(r, q) for q, r in cells))


def move_by(cells: Iterable[Hex], by: Hex) -> Shape:
    return tuple(sorted(Hex(q + by.q, r + by.r) for q, r in cells))


def normalize(cells: Iterable[Hex]) -> Shape:
    """The same cells, moved so that the first in order is Hex(0, 0)."""
    ordered = sorted(cells)
    first = ordered[0]
    return tuple(Hex(q - first.q, r - first.r) for q, r in ordered)


def orientations(cells: Iterable[Hex]) -> tuple[Shape, ...]:
    """The 1 to 12 different shapes that result from turning and flipping, normalized, in order."""
    return tuple(tuple(map(Hex._make, form)) for form in sorted(_forms(cells)))


def free_form(cells: Iterable[Hex]) -> Shape:
    """The same result for all shapes that are equal up to turning, flipping and moving."""
    return tuple(map(Hex._make, min(_forms(cells))))


def _forms(cells: Iterable[Hex]) -> set[tuple[Pair, ...]]:
    found = set[tuple[Pair, ...]]()
    turned = [(q, r) for q, r in cells]
    for _ in range(6):
        turned = [(-r, q + r) for q, r in turned]
        for form in (sorted(turned), sorted([(r, q) for q, r in turned])):
            first_q, first_r = form[0]
            found.add(tuple([(q - first_q, r - first_r) for q, r in form]))
    return found


def count_islands(cells: Iterable[Pair]) -> int:
    """The number of connected parts."""
    left, number = set[Pair](cells), 0
    while left:
        number += 1
        edge = [left.pop()]
        while edge:
            at_q, at_r = edge.pop()
            for q, r in DIRECTIONS:
                if (cell := (at_q + q, at_r + r)) in left:
                    left.remove(cell)
                    edge.append(cell)
    return number


def is_connected(cells: Iterable[Hex]) -> bool:
    """Can every cell be reached from every other? An empty set isn't connected."""
    return count_islands(cells) == 1


def has_holes(cells: Iterable[Hex]) -> bool:
    """Do the cells surround anything that isn't one of them?"""
    # Euler: cells - touching pairs + touching threes = islands - holes. Unlike filling the outside,
    # counting takes no longer for cells that lie far apart.
    there = set[Pair](cells)
    pairs = threes = 0
    for q, r in there:
        # Three consecutive neighbours of six, so that nothing is counted twice.
        one, two, three = (q + 1, r) in there, (q, r + 1) in there, (q - 1, r + 1) in there
        pairs += one + two + three
        threes += (one and two) + (two and three)
    return len(there) - pairs + threes < count_islands(there)


def parse_shape(text: str) -> Shape:
    """Read cells from a drawing. A row has a cell in every second column; `.` and spaces are empty.

    >>> parse_shape(" o o\\n"
    ...             "o . o")
    (Hex(-1, 1), Hex(0, 0), Hex(1, 0), Hex(1, 1))
    """
    marks = [
        (column, row)
        for row, line in enumerate(text.strip("\n").splitlines())
        for column, mark in enumerate(line)
        if mark not in " ."
    ]
    if len({(column - row) % 2 for column, row in marks}) > 1:
        raise ValueError("cells of one row stand two columns apart, of the next row one beside")
    return tuple(sorted(Hex((column - row) // 2, row) for column, row in marks))
