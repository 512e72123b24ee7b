# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""What Python asks: the solver's questions, answered here or by the solver itself."""

from collections.abc import Iterable, Sequence

from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex, Shape

COMPILED: bool = not __file__.endswith(".py")

if not COMPILED:
    from pytlik.ubongo.kernel.cover import *
    from pytlik.ubongo.kernel.effort import *
    from pytlik.ubongo.kernel.misses import *

Cells = Iterable[Hex]

SEARCHES = COMPILED
"""Whether the kernel answers. As it is it can, but the reference is quicker then."""


def count(area: Cells, pieces: Sequence[Cells], limit: int | None = None) -> int:
    """The number of solutions; with a limit the search stops there, and never says more."""
    cells = _tuple(area)
    puzzle = Puzzle()
    if SEARCHES and puzzle.lay_out(cells) and puzzle.take(pieces):
        return number_of_solutions(puzzle, limit)
    return solver.count(cells, pieces, limit)


def counts(area: Cells, sets: Iterable[Sequence[Cells]]) -> list[int]:
    """The number of solutions for each of many sets of pieces on one area."""
    cells = _tuple(area)
    puzzle = Puzzle()
    if SEARCHES and puzzle.lay_out(cells):
        return [
            number_of_solutions(puzzle, None)
            if puzzle.take(pieces)
            else solver.count(cells, pieces)
            for pieces in sets
        ]
    return [solver.count(cells, pieces) for pieces in sets]


def first(area: Cells, pieces: Sequence[Cells]) -> tuple[Shape, ...] | None:
    """The cells that each piece covers in one solution, in the order of the pieces."""
    cells = _tuple(area)
    puzzle = Puzzle()
    if SEARCHES and puzzle.lay_out(cells) and puzzle.take(pieces):
        return first_solution(puzzle)
    return solver.first(cells, pieces)


def near_misses(area: Cells, pieces: Sequence[Cells]) -> int:
    """In how many ways all pieces but one can lie so that the last one does not fit."""
    cells = _tuple(area)
    puzzle = Puzzle()
    if SEARCHES and puzzle.lay_out(cells) and puzzle.take(pieces) and puzzle.pieces > 1:
        ways = ways_to_miss(puzzle)
        if ways is not None:
            return ways
    return solver.near_misses(cells, pieces)


def effort(area: Cells, pieces: Sequence[Cells]) -> float:
    """How many pieces a person lays down, in the mean, until the puzzle is solved."""
    return efforts(area, [pieces])[0]


def efforts(area: Cells, sets: Iterable[Sequence[Cells]]) -> list[float]:
    """The effort of each of many sets of pieces on one area."""
    cells = _tuple(area)
    puzzle = Puzzle()
    if not SEARCHES or not puzzle.lay_out(cells):
        return [solver.effort(cells, pieces) for pieces in sets]
    found: list[float] = []
    for pieces in sets:
        tries = None
        if puzzle.take(pieces) and puzzle.pieces > 1:
            tries = mean_tries(puzzle)
        found.append(solver.effort(cells, pieces) if tries is None else tries)
    return found


def _tuple(cells: Cells) -> Shape:
    return cells if isinstance(cells, tuple) else tuple(cells)
