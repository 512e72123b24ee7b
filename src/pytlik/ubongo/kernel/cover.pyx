# cython: auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""The solutions of a puzzle: how many there are, and the first."""

from pytlik.ubongo import solver

from pytlik.ubongo.kernel.puzzle cimport (
    MAX_ORIENTATIONS, Puzzle, as_tuple, lowest_bit, mask
)


def count(area, pieces, limit=None):
    """The number of solutions; with a limit, counting stops there."""
    cdef tuple cells = as_tuple(area)
    cdef Puzzle puzzle = Puzzle()
    if puzzle.set_area(cells) and puzzle.set_pieces(pieces):
        return count_solutions(puzzle, limit)
    return solver.count(cells, pieces, limit)


def counts(area, sets):
    """The number of solutions for each of many sets of pieces on one area."""
    cdef tuple cells = as_tuple(area)
    cdef Puzzle puzzle = Puzzle()
    if not puzzle.set_area(cells):
        return [solver.count(cells, pieces) for pieces in sets]
    return [
        count_solutions(puzzle, None)
        if puzzle.set_pieces(pieces)
        else solver.count(cells, pieces)
        for pieces in sets
    ]


def first(area, pieces):
    """The cells that each piece covers in one solution, in the order of the pieces."""
    cdef tuple cells = as_tuple(area)
    cdef Puzzle puzzle = Puzzle()
    if puzzle.set_area(cells) and puzzle.set_pieces(pieces):
        return first_solution(puzzle)
    return solver.first(cells, pieces)


cdef object count_solutions(Puzzle p, object limit):
    cdef int kind, factor
    if p.pieces_size != p.area_size:
        return 0
    # Exchanging equal pieces makes another solution of the same tiling.
    exchanges = 1
    for kind in range(p.kind_count):
        for factor in range(2, p.remaining[kind] + 1):
            exchanges *= factor
    p.found = 0
    p.limit = 1 << 62 if limit is None else -(-limit // exchanges)
    if p.limit > 0:
        search(p, p.area, p.piece_count)
    return p.found * exchanges if limit is None else min(limit, p.found * exchanges)


cdef object first_solution(Puzzle p):
    cdef int index
    if p.pieces_size != p.area_size:
        return None
    p.found = 0
    p.limit = 1
    search(p, p.area, p.piece_count)
    if not p.found:
        return None
    # Equal pieces take the places in the order in which they were found, as in solver.py.
    masks = [[] for _ in range(p.kind_count)]
    for index in range(p.piece_count):
        masks[p.laid_kind[index]].append(p.laid[index])
    return tuple([p.cells_of(masks[p.kind_of[index]].pop(0)) for index in range(p.piece_count)])


cdef void search(Puzzle p, mask free, int left) noexcept:
    """Cover the lowest free cell in every way, by a piece whose own lowest cell lies there."""
    cdef int cell = lowest_bit(free)
    cdef int kind, index
    cdef mask piece
    cdef mask* candidates
    for kind in range(p.kind_count):
        if not p.remaining[kind]:
            continue
        p.remaining[kind] -= 1
        candidates = p.at_cell[kind]
        for index in range(
            cell * MAX_ORIENTATIONS, cell * MAX_ORIENTATIONS + p.at_cell_count[kind][cell]
        ):
            piece = candidates[index]
            if piece & free != piece:
                continue
            p.laid[p.piece_count - left] = piece
            p.laid_kind[p.piece_count - left] = kind
            if left > 2:
                search(p, free ^ piece, left - 1)
            elif left == 1 or last_piece_fills(p, free ^ piece):
                p.found += 1
            if p.found >= p.limit:
                break
        p.remaining[kind] += 1
        if p.found >= p.limit:
            return


cdef bint last_piece_fills(Puzzle p, mask free) noexcept:
    cdef int kind = 0
    cdef int cell = lowest_bit(free)
    cdef int index
    cdef mask* candidates
    while not p.remaining[kind]:
        kind += 1
    candidates = p.at_cell[kind]
    for index in range(
        cell * MAX_ORIENTATIONS, cell * MAX_ORIENTATIONS + p.at_cell_count[kind][cell]
    ):
        if candidates[index] == free:
            p.laid[p.piece_count - 1] = free
            p.laid_kind[p.piece_count - 1] = kind
            return True
    return False
