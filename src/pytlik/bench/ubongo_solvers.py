"""Ubongo's kernel and solver, compared with exact-cover libraries: counting all solutions.

Ours start from cells and pieces: puzzle by puzzle, and `batch` with all sets of an area at once.
The libraries get the rows of the cover ready-made, outside the measured time. All must find the
same number of solutions.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pytlik.bench.measurement import Bench, Run, import_if_installed
from pytlik.ubongo import deck_files, generator, kernel, solver
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Colour, Deck
from pytlik.ubongo.pieces import PIECES

COMPILED_AIM, UNCOMPILED_AIM = 50.0, 2.0


class CoverPuzzle(NamedTuple):
    area: Shape
    pieces: Sequence[Shape]
    columns: int
    rows: list[list[int]]  # for each placement its columns: cells first, then pieces


def benches() -> Iterator[Bench]:
    aims = {"kernel": COMPILED_AIM if kernel.COMPILED else UNCOMPILED_AIM, "solver": UNCOMPILED_AIM}
    standard, expert = deck_files.load("standard"), deck_files.load("expert")
    yield make_counting_bench("bench.puzzles.3", deck_puzzles(standard, 3), aims)
    yield make_counting_bench("bench.puzzles.4", deck_puzzles(standard, 4), aims)
    # Every fourth will do: the slowest library takes seconds for them.
    yield make_counting_bench("bench.puzzles.5", deck_puzzles(expert, 5, step=4), {})
    yield make_counting_bench("bench.puzzles.8", [large_puzzle()], {})
    yield Bench("bench.deck", {"pytlik deck": run_deck_generation}, compared=False)


def make_counting_bench(title: str, suite: list[CoverPuzzle], aims: dict[str, float]) -> Bench:
    right = count_in_batches(suite)
    runs: dict[str, Run] = {
        "kernel": make_counting_run(count_with_kernel, suite, right),
        "batch": lambda: len(count_in_batches(suite)),
        "solver": make_counting_run(count_with_solver, suite, right),
    }
    ours = tuple(runs)
    peers = {name: count for name, count in LIBRARIES.items() if import_if_installed(name)}
    runs |= {name: make_counting_run(count, suite, right) for name, count in peers.items()}
    return Bench(title, runs, aims if peers else {}, own_names=ours)


def deck_puzzles(deck: Deck, number: int, step: int = 1) -> list[CoverPuzzle]:
    return [
        make_exact_cover(side.area, [deck.pieces[colour][piece] for piece in side.sets[colour]])
        for side in (card.sides[number] for card in deck.cards[::step])
        for colour in Colour
    ]


def large_puzzle() -> CoverPuzzle:
    """A parallelogram of 40 cells and eight pieces of five: more than people solve."""
    fives = dict.fromkeys(PIECES[colour][number] for number in range(6, 11) for colour in Colour)
    return make_exact_cover(tuple(Hex(q, r) for q in range(8) for r in range(5)), list(fives)[:8])


def make_exact_cover(area: Shape, pieces: Sequence[Shape]) -> CoverPuzzle:
    bits, places = solver.placements(area, pieces)
    rows = [
        [column for column, bit in enumerate(bits) if bit & mask] + [len(area) + piece]
        for piece, masks in enumerate(places)
        for mask in masks
    ]
    return CoverPuzzle(area, pieces, len(area) + len(pieces), rows)


def make_counting_run(
    count: Callable[[CoverPuzzle], int], suite: list[CoverPuzzle], right: list[int]
) -> Run:
    def run() -> int:
        found = [count(puzzle) for puzzle in suite]
        if found != right:
            raise ValueError("the solvers disagree")
        return len(suite)

    return run


def run_deck_generation() -> int:
    """Generate and check 432 puzzles."""
    deck = generator.generate("benchmark", 54, (3, 4), lambda _done, _total: None)
    if deck_files.check(deck):
        raise ValueError("a deck with problems")
    return 1


# ------------------------------------------------------------------------------------------ ours


def count_in_batches(suite: list[CoverPuzzle]) -> list[int]:
    return [
        solutions
        for area, alike in groupby(suite, key=lambda puzzle: puzzle.area)
        for solutions in kernel.counts(area, [puzzle.pieces for puzzle in alike])
    ]


def count_with_kernel(puzzle: CoverPuzzle) -> int:
    return kernel.count(puzzle.area, puzzle.pieces)


def count_with_solver(puzzle: CoverPuzzle) -> int:
    return solver.count(puzzle.area, puzzle.pieces)


# ----------------------------------------------------------------------------------------- peers


def count_with_xcover(puzzle: CoverPuzzle) -> int:
    module: Any = import_if_installed("xcover")
    return sum(1 for _ in module.covers(puzzle.rows))


def count_with_dlx(puzzle: CoverPuzzle) -> int:
    module: Any = import_if_installed("dlx")
    model = module.DLX([(str(column), 0) for column in range(puzzle.columns)], puzzle.rows)
    return sum(1 for _ in model.solve())


def count_with_exact_cover(puzzle: CoverPuzzle) -> int:
    module: Any = import_if_installed("exact_cover")
    numpy: Any = import_if_installed("numpy")
    matrix = numpy.zeros((len(puzzle.rows), puzzle.columns), dtype=numpy.int32)
    for number, row in enumerate(puzzle.rows):
        matrix[number, row] = 1
    return int(module.get_solution_count(matrix))


def count_with_ortools(puzzle: CoverPuzzle) -> int:
    cp_model: Any = import_if_installed("ortools.sat.python.cp_model")
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


LIBRARIES: dict[str, Callable[[CoverPuzzle], int]] = {
    "xcover": count_with_xcover,
    "dlx": count_with_dlx,
    "exact_cover": count_with_exact_cover,
    "ortools": count_with_ortools,
}

PEERS = {name: name for name in LIBRARIES}
