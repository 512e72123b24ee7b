# The C types of effort.py.

cimport cython

from pytlik.ubongo.kernel.box cimport WORD, lowest, ones, word
from pytlik.ubongo.kernel.places cimport MOST_PLACES, Places, lay, spread
from pytlik.ubongo.kernel.puzzle cimport Puzzle

cdef enum:
    KNOWN = 65536

cdef bint AS_IT_IS
cdef word MIX, SPREAD

@cython.final
cdef class Known:
    cdef word free[65536]
    cdef word code[65536]
    cdef double tries[65536]
    cdef char solved[65536]
    cdef unsigned int stamp[65536]
    cdef unsigned int now
    cdef int used
    cdef bint right  # whether what was looked at last can be solved

cdef Known KNOWN_HERE

@cython.locals(at=int)
cdef int slot_of(Known known, word free, word code) noexcept
@cython.locals(at=int)
cdef void keep(Known known, word free, word code, double tries) noexcept

@cython.locals(places=Places, known=Known, code=word, one=word, kind=int)
cdef object mean_tries(Puzzle p)
@cython.locals(twice=bint, slot=int, total=double, right=int, one=word, kind=int, pieces=int,
               good=double, bad=double, part=int, fit=word, number=int, rest=word, tried=double,
               mean=double, _=int)
cdef double tries(Puzzle p, Places places, Known known, word free, int left, word code) noexcept
@cython.locals(one=int, other=int, cell=int, right=int, total=double)
cdef double tries_of_two(Puzzle p, Places places, Known known, word free) noexcept
@cython.locals(found=int, part=int, fit=word, number=int, last=int)
cdef int solutions(Places places, int cell, int one, int other) noexcept
@cython.locals(found=int, part=int)
cdef int number_of(Places places, int kind) noexcept
cdef double mean_of_two(int places, int right) noexcept
cdef bint all_reached(Puzzle p, Places places, word free, int left) noexcept
@cython.locals(kind=int, part=int)
cdef bint is_reached(Puzzle p, Places places, int cell, int left) noexcept
