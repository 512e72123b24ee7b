# The C types of filling.py.

cimport cython

from pytlik.ubongo.kernel.box cimport WORD, Forms, forms_of, lowest, ones, word
from pytlik.ubongo.kernel.puzzle cimport Puzzle

cdef bint AS_IT_IS
cdef int MOST_SHAPES, MOST_WAYS, SLOTS
cdef word MIX

cdef class Filling:
    cdef word mask[8192]
    cdef int shape[8192]
    cdef int start[65]
    cdef word beside[64]
    cdef word exact[16384]
    cdef int exact_shape[16384]
    cdef word taken[256]
    cdef word area
    cdef int width
    cdef word begins
    cdef word ends
    cdef int shapes
    cdef int smallest
    cdef int largest
    cdef dict found
    @cython.locals(puzzle=Puzzle, index=int, known=Forms, one=word, row=int)
    cdef bint prepare(self, tuple cells, object shapes, object beside) except *
    @cython.locals(at=int, rest=word, low=word, shape=int, known=Forms,
                   form=int, mask=word)
    cdef bint _fill_in(self, list forms) except *
    @cython.locals(slot=int, one=word)
    cdef void _remember(self, word mask, int shape) noexcept
    @cython.locals(everything=word, one=word, shape=int)
    cdef list once(self, int number)
    @cython.locals(from_end=word, from_begin=word)
    cdef word _beside(self, word cells) noexcept
    @cython.locals(cells=int, hole=word, _=int, one=word, at=int, mask=word, shape=int, bit=word, beside=word,
                   rest=word, slot=int)
    cdef int _cover(self, word free, word used, word allowed, int left) except -1
