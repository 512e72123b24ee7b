"""Ubongo's solver and kernel beside exact-cover libraries: counting all solutions.

    python benchmarks/solver.py [--repeats N]

Ours start from cells and pieces: solver and kernel puzzle by puzzle, `batch` the kernel with all
sets of an area at once. The libraries get the rows of the cover ready-made and outside the
time, so theirs is only taking them over and searching. Libraries that are not installed are left
out (`pip install xcover dlx exact-cover ortools`). The runs take turns and the best of each counts,
so that the ratios hold on a busy machine as well; it is this process's own time that is measured.
"""

import argparse
import contextlib
import importlib
import time
import warnings
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pytlik.ubongo import cards, generator, kernel, solver
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


Suite = list[Puzzle]
Counting = Callable[[Suite], list[int]]


def batch(suite: Suite) -> list[int]:
    return [
        solutions
        for area, puzzles in groupby(suite, key=lambda puzzle: puzzle.area)
        for solutions in kernel.counts(area, [puzzle.pieces for puzzle in puzzles])
    ]


def each(count: Callable[[Puzzle], int]) -> Counting:
    return lambda suite: [count(puzzle) for puzzle in suite]


def with_kernel(puzzle: Puzzle) -> int:
    return kernel.count(puzzle.area, puzzle.pieces)


def with_solver(puzzle: Puzzle) -> int:
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


def ortools(puzzle: Puzzle) -> int:
    cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in puzzle.rows]
    for column in range(puzzle.columns):
        model.add_exactly_one(
            one for one, row in zip(chosen, puzzle.rows, strict=True) if column in row
        )

    class Found(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]  # untyped
        number = 0

        def on_solution_callback(self) -> None:
            self.number += 1

    found, search = Found(), cp_model.CpSolver()
    search.parameters.enumerate_all_solutions = True
    search.parameters.num_workers = 1
    search.solve(model, found)
    return found.number


LIBRARIES = (xcover, dlx, exact_cover, ortools)


def installed(library: str) -> bool:
    with contextlib.suppress(ImportError):
        importlib.import_module(library)
        return True
    return False


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


def compare(suite: Suite, countings: dict[str, Counting], repeats: int) -> dict[str, float]:
    """Seconds that each takes for the whole suite, the best of several times."""
    answers = {name: counting(suite) for name, counting in countings.items()}
    if len({tuple(answer) for answer in answers.values()}) != 1:
        raise SystemExit("the solvers disagree")
    best = dict.fromkeys(countings, float("inf"))
    for _ in range(repeats):
        for name, counting in countings.items():
            start = time.process_time()
            counting(suite)
            best[name] = min(best[name], time.process_time() - start)
    return best


def a_deck(repeats: int) -> tuple[float, float]:
    """Seconds in which a deck of 432 puzzles is made, and in which it is checked."""
    made, checked = [], []
    for number in range(repeats):
        start = time.process_time()
        deck = generator.generate(f"benchmark {number}", 54, (3, 4), lambda _done, _total: None)
        made.append(time.process_time() - start)
        start = time.process_time()
        if cards.check(deck):
            raise SystemExit("a deck with problems")
        checked.append(time.process_time() - start)
    return min(made), min(checked)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=REPEATS)
    repeats = parser.parse_args().repeats
    warnings.simplefilter("ignore")
    suites = {
        "3 pieces (216 puzzles)": puzzles(cards.load("standard"), 3),
        "4 pieces (216 puzzles)": puzzles(cards.load("standard"), 4),
        "5 pieces (216 puzzles)": puzzles(cards.load("expert"), 5),
        "8 pieces on 40 cells": large(),
    }
    ours = {"batch": batch, "kernel": each(with_kernel), "solver": each(with_solver)}
    theirs = {one.__name__: each(one) for one in LIBRARIES if installed(one.__name__)}
    names = [*ours, *theirs]
    print(f"The kernel is {'compiled' if kernel.COMPILED else 'not compiled'}.")
    print("Microseconds a puzzle; then how many times as long the best library takes.\n")
    print("| | " + " | ".join(names) + " | " + " | ".join(f"x {name}" for name in ours) + " |")
    print("| --- |" + " ---: |" * (len(names) + len(ours)))
    for title, suite in suites.items():
        best = compare(suite, {**ours, **theirs}, repeats)
        library = min((best[name] for name in theirs), default=float("nan"))
        cells = [f"{best[name] / len(suite) * 1e6:,.1f}" for name in names]
        cells += [f"{library / best[name]:.1f}" for name in ours]
        print(f"| {title} | " + " | ".join(cells) + " |", flush=True)
    made, checked = a_deck(min(repeats, 3))
    print(f"\nA deck of 432 puzzles: made in {made:.2f} s, checked in {checked:.3f} s.")


if __name__ == "__main__":
    main()
