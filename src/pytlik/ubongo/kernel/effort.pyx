# cython: auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""How many pieces a person lays down, on average, until a puzzle is solved.

solver.effort has the exact definition. This adds up in the same order, so that the sums are the
same to the last bit.
"""

cimport cython

from pytlik.ubongo import solver

from pytlik.ubongo.kernel.puzzle cimport (
    MAX_PIECE_CELLS, WORD_BITS, Orientations, Puzzle, as_tuple, count_bits, lowest_bit, mask
)

cdef enum:
    MAX_WORDS = 16     # placements of all pieces together, in words
    MEMO_SLOTS = 65536


def effort(area, pieces):
    """How many pieces a person lays down, on average, until the puzzle is solved."""
    return efforts(area, [pieces])[0]


def efforts(area, sets):
    """The effort of each of many sets of pieces on one area."""
    cdef tuple cells = as_tuple(area)
    cdef Puzzle puzzle = Puzzle()
    if not puzzle.set_area(cells):
        return [solver.effort(cells, pieces) for pieces in sets]
    found = []
    for pieces in sets:
        tries = None
        if puzzle.set_pieces(pieces) and puzzle.piece_count > 1:
            tries = mean_tries(puzzle)
        found.append(solver.effort(cells, pieces) if tries is None else tries)
    return found


# ------------------------------------------------------------------------------------- placements


# Where the pieces may lie. A placement is a bit, and each kind's placements begin with a new word.
@cython.final
cdef class Placements:
    cdef int words
    cdef int start[17]         # for each kind its first word; then the number of words
    cdef mask cells[1024]      # for each placement
    cdef mask covering[1024]   # for each cell, the placements that cover it
    cdef mask blocked[16384]   # for each placement, those for which it leaves no room
    cdef mask possible[272]    # for each number of pieces left, the placements that still fit


# One is enough: no Python code runs while it's in use.
cdef Placements PLACEMENTS = Placements()


cdef Placements list_placements(Puzzle p):
    """Number the placements in the order of solver.py. None if there are too many."""
    cdef Placements places = PLACEMENTS
    cdef int first = p.piece_count * MAX_WORDS
    cdef int index, kind, orientation, word
    cdef int number = 0
    cdef Orientations own
    cdef mask anchors, anchor, cells, bit
    for index in range(WORD_BITS * MAX_WORDS):
        places.covering[index] = 0
    for kind in range(p.kind_count):
        own = p.kinds[kind]
        if number == MAX_WORDS * WORD_BITS:
            return None
        places.start[kind] = number // WORD_BITS
        places.possible[first + number // WORD_BITS] = 0
        for orientation in range(own.count):
            anchors = find_anchors(own, orientation, p.area)
            while anchors:
                anchor = anchors & (~anchors + 1)
                anchors ^= anchor
                cells = places.cells[number] = own.base[orientation] * anchor
                word = number // WORD_BITS
                bit = <mask>1 << number % WORD_BITS
                places.possible[first + word] |= bit
                while cells:
                    places.covering[lowest_bit(cells) * MAX_WORDS + word] |= bit
                    cells &= cells - 1
                number += 1
                if number % WORD_BITS == 0:
                    if number == MAX_WORDS * WORD_BITS:
                        return None
                    places.possible[first + number // WORD_BITS] = 0
        number = (number // WORD_BITS + 1) * WORD_BITS
    places.words = number // WORD_BITS
    places.start[p.kind_count] = places.words
    find_blocked(places, first)
    return places


cdef mask find_anchors(Orientations own, int orientation, mask area) noexcept:
    """The cells from which every step leads to a cell of the area, all at once."""
    cdef mask fits = own.anchors[orientation] & area
    cdef int step
    for step in range(1, own.size):
        fits &= area >> own.offsets[orientation * MAX_PIECE_CELLS + step]
    return fits


cdef void find_blocked(Placements places, int first) noexcept:
    cdef int word, other, number, cell
    cdef mask rest, cells
    for word in range(places.words):
        rest = places.possible[first + word]
        while rest:
            number = word * WORD_BITS + lowest_bit(rest)
            rest &= rest - 1
            for other in range(places.words):
                places.blocked[number * MAX_WORDS + other] = 0
            cells = places.cells[number]
            while cells:
                cell = lowest_bit(cells)
                cells &= cells - 1
                for other in range(places.words):
                    places.blocked[number * MAX_WORDS + other] |= (
                        places.covering[cell * MAX_WORDS + other]
                    )


cdef void lay(Placements places, int number, int left) noexcept:
    """Note what is still possible once one of the `left` pieces lies at this placement."""
    cdef int before = left * MAX_WORDS
    cdef int word
    for word in range(places.words):
        places.possible[before - MAX_WORDS + word] = (
            places.possible[before + word] & ~places.blocked[number * MAX_WORDS + word]
        )


# --------------------------------------------------------------------------------------- the memo


# Results for positions (free cells and remaining pieces) of one puzzle. An entry counts if it has
# the puzzle's stamp, so nothing needs to be cleared for the next puzzle.
@cython.final
cdef class Memo:
    cdef mask free[65536]
    cdef mask pieces[65536]
    cdef double tries[65536]
    cdef char solvable[65536]
    cdef unsigned int stamp[65536]
    cdef unsigned int current_stamp
    cdef int used
    cdef bint last_solvable    # whether the position looked at last has a solution


# One is enough: no Python code runs while it's in use.
cdef Memo MEMO = Memo()


cdef int find_slot(Memo memo, mask free, mask pieces) noexcept:
    # Products with large odd numbers spread the positions evenly.
    cdef int slot = (
        (free ^ pieces * <mask>0x2545F4914F6CDD1D) * <mask>0x1E3779B97F4A7C15 >> 48
    ) % MEMO_SLOTS
    while memo.stamp[slot] == memo.current_stamp and (
        memo.free[slot] != free or memo.pieces[slot] != pieces
    ):
        slot = (slot + 1) % MEMO_SLOTS
    return slot


cdef void remember(Memo memo, mask free, mask pieces, double tries) noexcept:
    cdef int slot
    if memo.used >= MEMO_SLOTS // 2:
        return
    slot = find_slot(memo, free, pieces)
    memo.stamp[slot] = memo.current_stamp
    memo.free[slot] = free
    memo.pieces[slot] = pieces
    memo.solvable[slot] = memo.last_solvable
    memo.tries[slot] = tries
    memo.used += 1


# --------------------------------------------------------------------------------------- the tries


cdef object mean_tries(Puzzle p):
    """None if the pieces have too many placements."""
    cdef Placements places
    cdef mask pieces = 0
    cdef int kind
    if p.pieces_size != p.area_size:
        return 0.0
    places = list_placements(p)
    if places is None:
        return None
    MEMO.current_stamp += 1
    MEMO.used = 0
    for kind in range(p.kind_count):
        pieces += (<mask>1 << 4 * kind) * <mask>p.remaining[kind]
    return count_tries(p, places, MEMO, p.area, p.piece_count, pieces)


cdef double count_tries(
    Puzzle p, Placements places, Memo memo, mask free, int left, mask pieces
) noexcept:
    """The mean number of tries until this is solved, or until all have failed;
    `memo.last_solvable` says which."""
    cdef bint repeats = left < p.piece_count - 1  # with one piece laid, every position is new
    cdef int slot, kind, equal, word, number, _
    cdef int solved = 0
    cdef double total = 0.0
    cdef double good, bad, tries, mean
    cdef mask rest
    if left == 2:
        return count_tries_of_two(p, places, memo, free)
    if repeats:
        slot = find_slot(memo, free, pieces)
        if memo.stamp[slot] == memo.current_stamp:
            memo.last_solvable = memo.solvable[slot] > 0
            return memo.tries[slot]
    if can_cover_all(p, places, free, left):
        for kind in range(p.kind_count):
            equal = p.remaining[kind]
            if not equal:
                continue
            p.remaining[kind] -= 1
            solved = 0
            good = bad = 0.0
            for word in range(places.start[kind], places.start[kind + 1]):
                rest = places.possible[left * MAX_WORDS + word]
                while rest:
                    number = word * WORD_BITS + lowest_bit(rest)
                    rest &= rest - 1
                    lay(places, number, left)
                    tries = count_tries(
                        p, places, memo, free ^ places.cells[number], left - 1,
                        pieces - (<mask>1 << 4 * kind),
                    )
                    if memo.last_solvable:
                        solved += 1
                        good += 1 + tries
                    else:
                        bad += 1 + tries
            # A wrong placement comes before all right ones in one of (solved + 1) orders.
            mean = bad / (solved + 1) + good / max(solved, 1)
            for _ in range(equal):
                total += mean
            p.remaining[kind] += 1
        total /= left
    memo.last_solvable = solved > 0
    if repeats:
        remember(memo, free, pieces, total)
    return total


cdef double count_tries_of_two(Puzzle p, Placements places, Memo memo, mask free) noexcept:
    """The same with two pieces left. Whether the last one fits is seen without a try, so all that
    counts is how many placements there are, and how many of them are right."""
    cdef int one = 0
    cdef int other, cell, right
    cdef double total
    while not p.remaining[one]:
        one += 1
    other = one
    if p.remaining[one] == 1:
        other += 1
        while not p.remaining[other]:
            other += 1
    memo.last_solvable = False
    if not can_cover_all(p, places, free, 2):
        return 0.0
    cell = lowest_bit(free)
    # One of them covers the lowest cell; of equal ones it may be either.
    right = count_pairs(places, cell, one, other) + count_pairs(places, cell, other, one)
    memo.last_solvable = right > 0
    total = mean_of_two(count_possible(places, one), right)
    total += total if other == one else mean_of_two(count_possible(places, other), right)
    return total / 2


cdef int count_pairs(Placements places, int cell, int one, int other) noexcept:
    """How many placements of the one on this cell leave room for the other, which fills the rest."""
    cdef int found = 0
    cdef int word, last, number
    cdef mask rest
    for word in range(places.start[one], places.start[one + 1]):
        rest = places.possible[2 * MAX_WORDS + word] & places.covering[cell * MAX_WORDS + word]
        while rest:
            number = word * WORD_BITS + lowest_bit(rest)
            rest &= rest - 1
            for last in range(places.start[other], places.start[other + 1]):
                if places.possible[2 * MAX_WORDS + last] & ~places.blocked[number * MAX_WORDS + last]:
                    found += 1
                    break
    return found


cdef int count_possible(Placements places, int kind) noexcept:
    """How many placements a piece has when two are left."""
    cdef int found = 0
    cdef int word
    for word in range(places.start[kind], places.start[kind + 1]):
        found += count_bits(places.possible[2 * MAX_WORDS + word])
    return found


cdef double mean_of_two(int places, int right) noexcept:
    """The mean tries when one of two pieces is taken up. A right placement counts as two tries,
    because the other piece is laid as well."""
    return (places - right) / (right + 1.0) + 2.0 * right / max(right, 1)


cdef bint can_cover_all(Puzzle p, Placements places, mask free, int left) noexcept:
    """Can every free cell be covered by some remaining piece?"""
    while free:
        if not can_cover(p, places, lowest_bit(free), left):
            return False
        free &= free - 1
    return True


cdef bint can_cover(Puzzle p, Placements places, int cell, int left) noexcept:
    cdef int kind, word
    for kind in range(p.kind_count):
        if p.remaining[kind]:
            for word in range(places.start[kind], places.start[kind + 1]):
                if places.possible[left * MAX_WORDS + word] & (
                    places.covering[cell * MAX_WORDS + word]
                ):
                    return True
    return False
