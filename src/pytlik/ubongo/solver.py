"""Exact cover of an area by pieces (G7): one solution, all of them, how many, and how hard.

A cell is a bit and an area is a number, so "it fits" is one `&`. The lowest free cell must be
covered by a piece whose own lowest cell lies there; trying exactly those finds every solution once.

Any cells are taken, connected or not. Two pieces of one shape are two objects: exchanging them
makes another solution. They are searched as one kind, and told apart in what is handed out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import islice, permutations
from math import factorial, prod
from operator import or_
from typing import NamedTuple

from pytlik.ubongo.hexes import Hex, Shape, free_form, moved, orientations

Cells = Iterable[Hex]
Kinds = tuple[int, ...]
"""The kind of every piece that is left, ascending."""
Known = dict[tuple[int, Kinds], tuple[bool, float]]

LARGEST_BOX = 1 << 16
"""An area whose bounding box has more bits is scattered: its cells are numbered one by one."""


class Puzzle(NamedTuple):
    """A puzzle in numbers."""

    cells: dict[int, Hex]  # what each bit stands for
    places: list[list[int]]  # for each kind the masks of all its places in the empty area
    kinds: Kinds  # for each piece, in the caller's order


class Board(NamedTuple):
    """The placements of a puzzle as bits in their turn, for `effort`: it asks for most of them."""

    all: int
    of_kind: list[int]
    reaching: list[tuple[int, int]]  # for each cell the placements that cover it
    apart: dict[int, tuple[int, int]]  # for each placement its cells, and all that don't touch them


def first(area: Cells, pieces: Sequence[Cells]) -> tuple[Shape, ...] | None:
    """The cells that each piece covers in one solution, in the order of the pieces."""
    return next(solutions(area, pieces), None)


def count(area: Cells, pieces: Sequence[Cells], limit: int | None = None) -> int:
    """The number of solutions; with a limit the search stops there, and never says more."""
    puzzle = prepare(area, pieces)
    # A tiling stands for as many solutions as there are ways to exchange equal pieces.
    each = prod(factorial(puzzle.kinds.count(kind)) for kind in set(puzzle.kinds))
    tilings = _tilings(puzzle)
    if limit is None:
        return each * sum(1 for _ in tilings)
    return min(limit, each * sum(1 for _ in islice(tilings, -(-limit // each))))


def solutions(area: Cells, pieces: Sequence[Cells]) -> Iterator[tuple[Shape, ...]]:
    """Every solution once, each as the cells that the pieces cover, in the order of the pieces."""
    puzzle = prepare(area, pieces)
    order = sorted(range(len(pieces)), key=puzzle.kinds.__getitem__)
    for tiling in _tilings(puzzle):
        by_kind = [[m for k, m in tiling if k == kind] for kind in range(len(puzzle.places))]
        for masks in _exchanges(by_kind):
            lying = dict(zip(order, masks, strict=True))
            yield tuple(_shape(lying[piece], puzzle.cells) for piece in range(len(pieces)))


def completable(area: Cells, pieces: Sequence[Cells], placed: Mapping[int, Cells]) -> bool:
    """Can it still be solved with some pieces (by their index) lying where they are?"""
    free = set(area)
    for index, cells in placed.items():
        lying = _ordered(cells)
        if not free.issuperset(lying) or _form(lying) != _form(_ordered(pieces[index])):
            return False
        free.difference_update(lying)
    left = [piece for index, piece in enumerate(pieces) if index not in placed]
    return count(free, left, limit=1) == 1


def near_misses(area: Cells, pieces: Sequence[Cells]) -> int:
    """In how many ways all pieces but one can lie so that the last one does not fit: what makes
    people believe that they are nearly there."""
    puzzle = prepare(area, pieces)
    everything = sum(puzzle.cells)
    found = 0
    for missing, kind in enumerate(puzzle.kinds):
        others = puzzle.kinds[:missing] + puzzle.kinds[missing + 1 :]
        last = set(puzzle.places[kind])
        found += sum(left not in last for left in _packings(puzzle, others, everything))
    return found


def effort(area: Cells, pieces: Sequence[Cells]) -> float:
    """How many pieces a person lays down, in the mean, until the puzzle is solved.

    The person takes up the pieces in any order, tries the places of each in any order, goes back
    when a cell is left that nothing can reach, and tries nothing twice. This is the exact mean over
    all such orders; without a solution, the tries until there are none left. It is meant for what
    people solve: beyond six pieces or so it takes long.
    """
    puzzle = prepare(area, pieces)
    board = _board(puzzle)
    return _tries(sum(puzzle.cells), tuple(sorted(puzzle.kinds)), board.all, board, {})[1]


def prepare(area: Cells, pieces: Sequence[Cells]) -> Puzzle:
    """Number the cells, tell the kinds of pieces, and find where each fits."""
    cells = _ordered(area)
    forms = [_form(_ordered(piece)) for piece in pieces]
    shapes = list(dict.fromkeys(forms))
    kinds = tuple(map(shapes.index, forms))
    if sum(map(len, forms)) == len(cells):
        return Puzzle(*placements(cells, shapes), kinds)
    # It can't come out even: where nothing fits, nothing is searched.
    return Puzzle(placements(cells, [])[0], [[] for _ in shapes], kinds)


def placements(area: Cells, shapes: Sequence[Shape]) -> tuple[dict[int, Hex], list[list[int]]]:
    """What each bit stands for, and for each shape the masks of all its places in the area."""
    cells = _ordered(area)
    if not cells:
        return {}, [[] for _ in shapes]
    left, right = min(cell.r for cell in cells), max(cell.r for cell in cells)
    top, bottom = cells[0].q, cells[-1].q
    height, width = bottom - top + 1, right - left + 1
    if 2 * height * width > LARGEST_BOX:
        return _scattered(cells, shapes)
    # Short rows make the search narrow; flipping the whole board changes nothing else. They are
    # twice as wide as the area, so that no piece reaches round into the next row.
    if width > height:
        height, width = width, height
        bits = {1 << ((r - left) * 2 * width + q - top): Hex(q, r) for q, r in cells}
    else:
        bits = {1 << ((q - top) * 2 * width + r - left): Hex(q, r) for q, r in cells}
    everything = sum(bits)
    places: list[list[int]] = []
    for shape in shapes:
        places.append([])
        for steps, mask in _masks(shape, height, width):
            # All at once: the cells from which every step leads to a cell of the area.
            fits = everything
            for step in steps:
                fits &= everything >> step
            while fits:
                low = fits & -fits
                fits ^= low
                places[-1].append(mask * low)
    return bits, places


def _scattered(area: Shape, shapes: Sequence[Shape]) -> tuple[dict[int, Hex], list[list[int]]]:
    """The same for cells so far apart that a box around them would not fit into memory."""
    bits = {cell: 1 << number for number, cell in enumerate(area)}
    places: list[list[int]] = []
    for shape in shapes:
        lying = (moved(form, cell) for form in _forms(shape) for cell in area)
        inside = (cells for cells in lying if bits.keys() >= set(cells))
        places.append([sum(bits[cell] for cell in cells) for cells in inside])
    return {bit: cell for cell, bit in bits.items()}, places


@lru_cache(maxsize=8192)
def _masks(shape: Shape, height: int, width: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Each orientation that the box has room for, as steps from its lowest cell and as a mask."""
    found = []
    for form in _forms(shape):
        across = [cell.r for cell in form]
        if form[-1].q < height and max(across) - min(across) < width:
            steps = tuple(q * 2 * width + r for q, r in form)
            found.append((steps[1:], sum(1 << step for step in steps)))
    return tuple(found)


def _tilings(puzzle: Puzzle) -> Iterator[list[tuple[int, int]]]:
    """Every way to cover all cells, as (kind, mask) pairs, not telling equal pieces apart."""
    free = sum(puzzle.cells)
    # How many pieces of each kind are left, all in one number: a field of bits for each kind.
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
    # A stack of our own: a thousand pieces are too deep for Python's.
    stack = [(iter(ways.get(free & -free, ())), free, left)]
    while stack:
        options, free, left = stack[-1]
        for mask, field, one, kind in options:
            if mask & free == mask and left & field:
                rest, open_cells = left - one, free ^ mask
                if not rest:
                    yield [*laid, (kind, mask)]
                elif rest in last:
                    # One piece is left: it has just these cells, or it does not fit.
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


def _packings(puzzle: Puzzle, kinds: Kinds, free: int) -> Iterator[int]:
    """Every way to lay these pieces beside each other, as the cells that stay free."""
    if not kinds:
        yield free
        return
    for mask in puzzle.places[kinds[0]]:
        if mask & free == mask:
            yield from _packings(puzzle, kinds[1:], free ^ mask)


def _exchanges(groups: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """Every order of each group, one group after the other."""
    if not groups:
        yield ()
        return
    for head in permutations(groups[0]):
        for tail in _exchanges(groups[1:]):
            yield head + tail


def _board(puzzle: Puzzle) -> Board:
    numbered = [(kind, mask) for kind, masks in enumerate(puzzle.places) for mask in masks]
    reaching = dict.fromkeys(puzzle.cells, 0)
    of_kind = [0] * len(puzzle.places)
    for number, (kind, mask) in enumerate(numbered):
        of_kind[kind] |= 1 << number
        for cell in reaching:
            if cell & mask:
                reaching[cell] |= 1 << number
    apart = {
        1 << number: (mask, ~reduce(or_, (reach for c, reach in reaching.items() if c & mask), 0))
        for number, (_, mask) in enumerate(numbered)
    }
    return Board((1 << len(numbered)) - 1, of_kind, list(reaching.items()), apart)


def _tries(free: int, left: Kinds, possible: int, board: Board, known: Known) -> tuple[bool, float]:
    """Can this be solved, and the mean number of tries until it is, or until all have failed."""
    if not left:
        return not free, 0.0
    if (answer := known.get((free, left))) is not None:
        return answer
    for cell, reach in board.reaching:
        if cell & free and not possible & reach:
            known[free, left] = False, 0.0
            return False, 0.0
    solved, total = False, 0.0
    for at, kind in enumerate(left):
        rest = left[:at] + left[at + 1 :]
        mine = possible & board.of_kind[kind]
        others = possible if kind in rest else possible ^ mine
        right, good, bad = 0, 0.0, 0.0
        while mine:
            one = mine & -mine
            mine ^= one
            mask, apart = board.apart[one]
            if len(rest) == 1:
                # The last piece fills what is left or has no room: that is seen without a try.
                solved = others & apart > 0
                tries = float(solved)
            else:
                solved, tries = _tries(free ^ mask, rest, others & apart, board, known)
            if solved:
                right += 1
                good += 1 + tries
            else:
                bad += 1 + tries
        # A wrong way comes before all right ones in one of (right + 1) orders.
        total += bad / (right + 1) + good / max(right, 1)
        solved = right > 0
    known[free, left] = solved, total / len(left)
    return known[free, left]


@lru_cache(maxsize=8192)
def _form(cells: Shape) -> Shape:
    """The kind of a piece. One without cells is of a kind of its own, and fits nowhere."""
    return free_form(cells) if cells else ()


def _forms(shape: Shape) -> tuple[Shape, ...]:
    return orientations(shape) if shape else ()


def _ordered(cells: Cells) -> Shape:
    return tuple(sorted(set(cells)))


def _shape(mask: int, cells: Mapping[int, Hex]) -> Shape:
    return _ordered(cell for bit, cell in cells.items() if bit & mask)
