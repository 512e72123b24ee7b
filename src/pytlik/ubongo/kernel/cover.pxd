# The C types of cover.py.

cimport cython

from pytlik.ubongo.kernel.box cimport MOST_FORMS, lowest, word
from pytlik.ubongo.kernel.puzzle cimport Puzzle

@cython.locals(kind=int, factor=int)
cdef object number_of_solutions(Puzzle p, object limit)
@cython.locals(index=int, at=int)
cdef object first_solution(Puzzle p)
@cython.locals(cell=int, kind=int, at=int, mask=word, lying='word*')
cdef void search(Puzzle p, word free, int left) noexcept
@cython.locals(cell=int, kind=int, at=int, lying='word*')
cdef bint fills(Puzzle p, word free) noexcept
