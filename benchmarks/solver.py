"""The Ubongo solver beside exact-cover libraries: all solutions, from cells to the count.

    python benchmarks/solver.py

Each solver gets the same cells and pieces and fills its own model; finding where the pieces fit is
part of the time. Libraries that are not installed are left out (`pip install xcover dlx
exact-cover`). The runs take turns and the best of each counts, so that the ratios hold on a busy
machine as well.
"""

import contextlib
import importlib
import time
import warnings
from collections.abc import Callable, Sequence

from pytlik.ubongo import cards, solver
from pytlik.ubongo.hexes import Hex, Shape, orientations
from pytlik.ubongo.model import Colour, Deck
from pytlik.ubongo.pieces import PIECES

Puzzle = tuple[Shape, Sequence[Shape]]
Count = Callable[[Shape, Sequence[Shape]], int]

REPEATS = 5


def rows(area: Shape, pieces: Sequence[Shape]) -> list[list[int]]:
    """The cover as libraries want it: for each placement its columns, cells first, then pieces."""
    columns = {cell: column for column, cell in enumerate(area)}
    found = []
    for index, piece in enumerate(pieces):
        for form in orientations(piece):
            for q, r in area:
                lies = [columns.get(Hex(q + dq, r + dr)) for dq, dr in form]
                inside = [column for column in lies if column is not None]
                if len(inside) == len(form):
                    found.append([*inside, len(area) + index])
    return found


def ours(area: Shape, pieces: Sequence[Shape]) -> int:
    return solver.count(area, pieces)


def xcover(area: Shape, pieces: Sequence[Shape]) -> int:
    covers = importlib.import_module("xcover").covers
    return sum(1 for _ in covers(rows(area, pieces)))


def dlx(area: Shape, pieces: Sequence[Shape]) -> int:
    columns = [(str(column), 0) for column in range(len(area) + len(pieces))]
    model = importlib.import_module("dlx").DLX(columns, rows(area, pieces))
    return sum(1 for _ in model.solve())


def exact_cover(area: Shape, pieces: Sequence[Shape]) -> int:
    numpy = importlib.import_module("numpy")
    found = rows(area, pieces)
    matrix = numpy.zeros((len(found), len(area) + len(pieces)), dtype=numpy.int32)
    for number, row in enumerate(found):
        matrix[number, row] = 1
    return int(importlib.import_module("exact_cover").get_solution_count(matrix))


def installed(count: Count) -> bool:
    with contextlib.suppress(ImportError):
        importlib.import_module(count.__name__)
        return True
    return count is ours


def puzzles(deck: Deck, side: int) -> list[Puzzle]:
    return [
        (card.sides[side].area, [deck.pieces[colour][n] for n in card.sides[side].sets[colour]])
        for card in deck.cards
        for colour in Colour
    ]


def large() -> list[Puzzle]:
    """A parallelogram of 40 cells and eight pieces of five: more than people solve."""
    fives = dict.fromkeys(PIECES[colour][n] for n in range(6, 11) for colour in Colour)
    return [(tuple(Hex(q, r) for q in range(8) for r in range(5)), list(fives)[:8])]


def main() -> None:
    warnings.simplefilter("ignore")
    suites = {
        "3 pieces (216 puzzles)": puzzles(cards.load("standard"), 3),
        "4 pieces (216 puzzles)": puzzles(cards.load("standard"), 4),
        "5 pieces (216 puzzles)": puzzles(cards.load("expert"), 5),
        "8 pieces on 40 cells": large(),
    }
    counts = [count for count in (ours, xcover, dlx, exact_cover) if installed(count)]
    print("microseconds a puzzle, and as a multiple of ours")
    print("".join([f"{'':24}", *(f"{count.__name__:>24}" for count in counts)]))
    for name, suite in suites.items():
        answers = {tuple(count(*puzzle) for puzzle in suite) for count in counts}
        if len(answers) != 1:
            raise SystemExit(f"{name}: the solvers disagree")
        best = dict.fromkeys(counts, float("inf"))
        for _ in range(REPEATS):
            for count in counts:
                start = time.perf_counter()
                for puzzle in suite:
                    count(*puzzle)
                best[count] = min(best[count], time.perf_counter() - start)
        cells = [
            f"{best[count] / len(suite) * 1e6:>14,.0f} {best[count] / best[ours]:>7.1f} x"
            for count in counts
        ]
        print("".join([f"{name:24}", *cells]))


if __name__ == "__main__":
    main()
