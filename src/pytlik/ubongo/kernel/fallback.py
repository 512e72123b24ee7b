"""The kernel's functions where it isn't compiled: solver.py does the work, puzzle by puzzle."""

from collections.abc import Iterable, Sequence

from pytlik.ubongo.solver import Cells, count, effort, first

__all__ = ["count", "counts", "effort", "efforts", "first"]


def counts(area: Cells, sets: Iterable[Sequence[Cells]]) -> list[int]:
    """The number of solutions for each of many sets of pieces on one area."""
    cells = tuple(area)
    return [count(cells, pieces) for pieces in sets]


def efforts(area: Cells, sets: Iterable[Sequence[Cells]]) -> list[float]:
    """The effort of each of many sets of pieces on one area."""
    cells = tuple(area)
    return [effort(cells, pieces) for pieces in sets]
