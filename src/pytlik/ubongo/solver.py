"""Exact cover of an area by pieces (G7): one solution, all of them, how many, and how hard.

A cell is a bit and an area is a number, so "it fits" is one `&`. The lowest free cell must be
covered by a piece whose own lowest cell lies there; trying exactly those finds every solution once.

Any cells will do, connected or not. Two pieces of one shape are two objects: exchanging them makes
another solution. The search treats them as one kind; the results tell them apart.

The kernel gives the same answers many times faster. This module is what it is tested against, and
what runs where nothing is compiled.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import islice, permutations
from math import factorial, prod
from operator import or_
from typing import NamedTuple

from pytlik.ubongo.hexes import Hex, Shape, free_form, move_by, orientations

Cells = Iterable[Hex]
PieceKinds = tuple[int, ...]
"""The kind of each remaining piece, ascending."""
Memo = dict[tuple[int, PieceKinds], tuple[bool, float]]
"""For free cells and remaining pieces: is there a solution, and the mean number of tries."""

MAX_BOX_BITS = 1 << 16
"""Cells so far apart that the box around them has more bits are numbered one by one."""


class Puzzle(NamedTuple):
    """A puzzle as bit masks."""

    cells: dict[int, Hex]  # what each bit stands for
    places: list[list[int]]  # for each kind, the masks of all its places in the empty area
    kinds: PieceKinds  # for each piece, in the caller's order


class Placements(NamedTuple):
    """The placements of a puzzle, each as a bit of its own."""

    all: int
    of_kind: list[int]
    covering: list[tuple[int, int]]  # each cell, and the placements that cover it
    compatible: dict[int, tuple[int, int]]  # each one's cells, and the placements beside it


def first(area: Cells, pieces: Sequence[Cells]) -> tuple[Shape, ...] | None:
    """The cells that each piece covers in one solution, in the order of the pieces."""
    return next(solutions(area, pieces), None)


def count(area: Cells, pieces: Sequence[Cells], limit: int | None = None) -> int:
    """The number of solutions; with a limit, counting stops there."""
    puzzle = build_puzzle(area, pieces)
    # Exchanging equal pieces makes another solution of the same tiling.
    exchanges = prod(factorial(puzzle.kinds.count(kind)) for kind in set(puzzle.kinds))
    tilings = _tilings(puzzle)
    if limit is None:
        return exchanges * sum(1 for _ in tilings)
    return min(limit, exchanges * sum(1 for _ in islice(tilings, -(-limit // exchanges))))


def solutions(area: Cells, pieces: Sequence[Cells]) -> Iterator[tuple[Shape, ...]]:
    """Every solution once, each as the cells that the pieces cover, in the order of the pieces."""
    puzzle = build_puzzle(area, pieces)
    order = sorted(range(len(pieces)), key=puzzle.kinds.__getitem__)
    for tiling in _tilings(puzzle):
        by_kind = [[m for k, m in tiling if k == kind] for kind in range(len(puzzle.places))]
        for masks in _permute_groups(by_kind):
            mask_of = dict(zip(order, masks, strict=True))
            yield tuple(
                _cells_in_mask(mask_of[piece], puzzle.cells) for piece in range(len(pieces))
            )


def effort(area: Cells, pieces: Sequence[Cells]) -> float:
    """How many pieces a person lays down, on average, until the puzzle is solved.

    The person picks pieces in any order, tries the places of each in any order, goes back when no
    piece can cover some cell, and tries nothing twice. The result is the exact mean over all such
    orders; for a puzzle without a solution, the tries until none are left. It's meant for puzzles
    that people solve: beyond about six pieces it takes long.
    """
    puzzle = build_puzzle(area, pieces)
    placed = _list_placements(puzzle)
    kinds = tuple(sorted(puzzle.kinds))
    _, tries = _count_tries(sum(puzzle.cells), kinds, placed.all, placed, {})
    return tries


def build_puzzle(area: Cells, pieces: Sequence[Cells]) -> Puzzle:
    """Number the cells, sort the pieces into kinds, and find where each kind fits."""
    cells = _sorted_cells(area)
    forms = [_free_form_or_empty(_sorted_cells(piece)) for piece in pieces]
    shapes = list(dict.fromkeys(forms))
    kinds = tuple(map(shapes.index, forms))
    if sum(map(len, forms)) == len(cells):
        return Puzzle(*placements(cells, shapes), kinds)
    # The sizes don't add up, so there is no solution: without places the search ends at once.
    return Puzzle(placements(cells, [])[0], [[] for _ in shapes], kinds)


def placements(area: Cells, shapes: Sequence[Shape]) -> tuple[dict[int, Hex], list[list[int]]]:
    """What each bit stands for, and for each shape the masks of all its places in the area."""
    cells = _sorted_cells(area)
    if not cells:
        return {}, [[] for _ in shapes]
    left, right = min(cell.r for cell in cells), max(cell.r for cell in cells)
    top, bottom = cells[0].q, cells[-1].q
    height, width = bottom - top + 1, right - left + 1
    if 2 * height * width > MAX_BOX_BITS:
        return _scattered_placements(cells, shapes)
    # Short rows make the search narrow, so a wide area is flipped. Rows are twice as wide as the
    # area, so that no piece wraps round into the next row.
    if width > height:
        height, width = width, height
        bits = {1 << ((r - left) * 2 * width + q - top): Hex(q, r) for q, r in cells}
    else:
        bits = {1 << ((q - top) * 2 * width + r - left): Hex(q, r) for q, r in cells}
    everything = sum(bits)
    places: list[list[int]] = []
    for shape in shapes:
        places.append([])
        for steps, mask in _orientation_masks(shape, height, width):
            # All anchors at once: the cells from which every step leads to a cell of the area.
            fits = everything
            for step in steps:
                fits &= everything >> step
            while fits:
                low = fits & -fits
                fits ^= low
                places[-1].append(mask * low)
    return bits, places


def _scattered_placements(
    area: Shape, shapes: Sequence[Shape]
) -> tuple[dict[int, Hex], list[list[int]]]:
    """Do the same for cells so far apart that a box around them would take too much memory."""
    bits = {cell: 1 << number for number, cell in enumerate(area)}
    places: list[list[int]] = []
    for shape in shapes:
        anywhere = (move_by(form, cell) for form in _orientations_or_empty(shape) for cell in area)
        inside = (cells for cells in anywhere if bits.keys() >= set(cells))
        places.append([sum(bits[cell] for cell in cells) for cells in inside])
    return {bit: cell for cell, bit in bits.items()}, places


@lru_cache(maxsize=8192)
def _orientation_masks(
    shape: Shape, height: int, width: int
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Each orientation for which the box has room: steps from its lowest cell, and its mask."""
    masks = []
    for form in _orientations_or_empty(shape):
        columns = [cell.r for cell in form]
        if form[-1].q < height and max(columns) - min(columns) < width:
            steps = tuple(q * 2 * width + r for q, r in form)
            masks.append((steps[1:], sum(1 << step for step in steps)))
    return tuple(masks)


def _tilings(puzzle: Puzzle) -> Iterator[list[tuple[int, int]]]:
    """Every way to cover all cells, as (kind, mask) pairs. Equal pieces are not told apart."""
    free = sum(puzzle.cells)
    # How many pieces of each kind are left, as one number with a few bits for each kind.
    bits = len(puzzle.kinds).bit_length()
    left = sum(1 << bits * kind for kind in puzzle.kinds)
    ways: dict[int, list[tuple[int, int, int, int]]] = {}
    last: dict[int, tuple[int, set[int]]] = {}
    for kind, masks in enumerate(puzzle.places):
        one = 1 << bits * kind
        field = (one << bits) - one
        last[one] = kind, set(masks)
        for mask in masks:
            ways.setdefault(mask & -mask, []).append((mask, field, one, kind))
    if not left and not free:
        yield []
    laid: list[tuple[int, int]] = []
    # Not recursive: a thousand pieces would be too deep for Python.
    stack = [(iter(ways.get(free & -free, ())), free, left)]
    while stack:
        options, free, left = stack[-1]
        for mask, field, one, kind in options:
            if mask & free == mask and left & field:
                rest, open_cells = left - one, free ^ mask
                if not rest:
                    yield [*laid, (kind, mask)]
                elif rest in last:
                    # The last piece fills exactly these cells, or it doesn't fit.
                    last_kind, fitting = last[rest]
                    if open_cells in fitting:
                        yield [*laid, (kind, mask), (last_kind, open_cells)]
                else:
                    laid.append((kind, mask))
                    stack.append((iter(ways.get(open_cells & -open_cells, ())), open_cells, rest))
                    break
        else:
            stack.pop()
            del laid[-1:]


def _permute_groups(groups: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """Every order of every group, in all combinations."""
    if not groups:
        yield ()
        return
    for head in permutations(groups[0]):
        for tail in _permute_groups(groups[1:]):
            yield head + tail


def _list_placements(puzzle: Puzzle) -> Placements:
    numbered = [(kind, mask) for kind, masks in enumerate(puzzle.places) for mask in masks]
    covering = dict.fromkeys(puzzle.cells, 0)
    of_kind = [0] * len(puzzle.places)
    for number, (kind, mask) in enumerate(numbered):
        of_kind[kind] |= 1 << number
        for cell in covering:
            if cell & mask:
                covering[cell] |= 1 << number
    compatible = {
        1 << number: (mask, ~reduce(or_, (own for c, own in covering.items() if c & mask), 0))
        for number, (_, mask) in enumerate(numbered)
    }
    return Placements((1 << len(numbered)) - 1, of_kind, list(covering.items()), compatible)


def _count_tries(
    free: int, remaining: PieceKinds, possible: int, placements: Placements, memo: Memo
) -> tuple[bool, float]:
    """Whether this can be solved, and the mean number of tries until it is, or until all have
    failed."""
    if not remaining:
        return not free, 0.0
    if (answer := memo.get((free, remaining))) is not None:
        return answer
    for cell, covering in placements.covering:
        if cell & free and not possible & covering:
            memo[free, remaining] = False, 0.0
            return False, 0.0
    right, total = 0, 0.0
    for index, kind in enumerate(remaining):
        rest = remaining[:index] + remaining[index + 1 :]
        untried = possible & placements.of_kind[kind]
        others = possible if kind in rest else possible ^ untried
        right, good, bad = 0, 0.0, 0.0
        while untried:
            placement = untried & -untried
            untried ^= placement
            mask, compatible = placements.compatible[placement]
            if len(rest) == 1:
                # The last piece fills what is left or has no room: that is seen without a try.
                solved = others & compatible > 0
                tries = float(solved)
            else:
                solved, tries = _count_tries(
                    free ^ mask, rest, others & compatible, placements, memo
                )
            if solved:
                right += 1
                good += 1 + tries
            else:
                bad += 1 + tries
        # A wrong place comes before all right ones in one of (right + 1) orders.
        total += bad / (right + 1) + good / max(right, 1)
    # If any piece can be laid right, so can the last one looked at.
    memo[free, remaining] = right > 0, total / len(remaining)
    return memo[free, remaining]


@lru_cache(maxsize=8192)
def _free_form_or_empty(cells: Shape) -> Shape:
    """The kind of a piece. One without cells is a kind of its own, and fits nowhere."""
    return free_form(cells) if cells else ()


def _orientations_or_empty(shape: Shape) -> tuple[Shape, ...]:
    return orientations(shape) if shape else ()


def _sorted_cells(cells: Cells) -> Shape:
    return tuple(sorted(set(cells)))


def _cells_in_mask(mask: int, cells: Mapping[int, Hex]) -> Shape:
    return _sorted_cells(cell for bit, cell in cells.items() if bit & mask)
