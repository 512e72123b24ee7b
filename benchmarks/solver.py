"""The Ubongo solver beside exact-cover libraries: counting all solutions.

    python benchmarks/solver.py

Ours starts from cells and pieces. The libraries get the rows of the cover ready-made and outside
the time, so theirs is only taking them over and searching. Libraries that are not installed are
left out (`pip install xcover dlx exact-cover`). The runs take turns and the best of each counts, so
that the ratios hold on a busy machine as well.
"""

import contextlib
import importlib
import time
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pytlik.ubongo import cards, solver
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Colour, Deck
from pytlik.ubongo.pieces import PIECES

REPEATS = 7


class Puzzle(NamedTuple):
    area: Shape
    pieces: Sequence[Shape]
    columns: int
    rows: list[list[int]]  # for each placement its columns: cells first, then pieces


def puzzle(area: Shape, pieces: Sequence[Shape]) -> Puzzle:
    bits, places = solver.placements(area, pieces)
    rows = [
        [column for column, bit in enumerate(bits) if bit & mask] + [len(area) + piece]
        for piece, masks in enumerate(places)
        for mask in masks
    ]
    return Puzzle(area, pieces, len(area) + len(pieces), rows)


def ours(puzzle: Puzzle) -> int:
    return solver.count(puzzle.area, puzzle.pieces)


def xcover(puzzle: Puzzle) -> int:
    covers = importlib.import_module("xcover").covers
    return sum(1 for _ in covers(puzzle.rows))


def dlx(puzzle: Puzzle) -> int:
    columns = [(str(column), 0) for column in range(puzzle.columns)]
    model = importlib.import_module("dlx").DLX(columns, puzzle.rows)
    return sum(1 for _ in model.solve())


def exact_cover(puzzle: Puzzle) -> int:
    numpy = importlib.import_module("numpy")
    matrix = numpy.zeros((len(puzzle.rows), puzzle.columns), dtype=numpy.int32)
    for number, row in enumerate(puzzle.rows):
        matrix[number, row] = 1
    return int(importlib.import_module("exact_cover").get_solution_count(matrix))


def installed(count: Callable[[Puzzle], int]) -> bool:
    with contextlib.suppress(ImportError):
        importlib.import_module(count.__name__)
        return True
    return count is ours


def puzzles(deck: Deck, number: int) -> list[Puzzle]:
    return [
        puzzle(side.area, [deck.pieces[colour][piece] for piece in side.sets[colour]])
        for side in (card.sides[number] for card in deck.cards)
        for colour in Colour
    ]


def large() -> list[Puzzle]:
    """A parallelogram of 40 cells and eight pieces of five: more than people solve."""
    fives = dict.fromkeys(PIECES[colour][n] for n in range(6, 11) for colour in Colour)
    return [puzzle(tuple(Hex(q, r) for q in range(8) for r in range(5)), list(fives)[:8])]


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
        answers = {tuple(map(count, suite)) for count in counts}
        if len(answers) != 1:
            raise SystemExit(f"{name}: the solvers disagree")
        best = dict.fromkeys(counts, float("inf"))
        for _ in range(REPEATS):
            for count in counts:
                start = time.perf_counter()
                for one in suite:
                    count(one)
                best[count] = min(best[count], time.perf_counter() - start)
        cells = [
            f"{best[count] / len(suite) * 1e6:>14,.0f} {best[count] / best[ours]:>7.1f} x"
            for count in counts
        ]
        print("".join([f"{name:24}", *cells]))


if __name__ == "__main__":
    main()
