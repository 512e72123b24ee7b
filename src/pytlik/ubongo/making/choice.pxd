# The C types of choice.py.

cimport cython

from pytlik.ubongo.kernel.box cimport word
from pytlik.ubongo.making.draws cimport Draws

cdef bint AS_IT_IS
cdef int MOST_COLOURS, MOST_SETS

cdef class Choice:
    cdef word sets[2048]
    cdef word order[2048]
    cdef int many[4]
    cdef word chosen[4]
    cdef object stream
    cdef Draws draws
    cdef int colours
    @cython.locals(colour=int, every=word, shapes=word)
    cdef bint prepare(self, object sets, object colours) except *
    @cython.locals(found=list, numbers=int, colour=int, first=int)
    cdef list fours(self, Py_ssize_t most)
    @cython.locals(at=int)
    cdef void _in_order(self, int colour) noexcept
    @cython.locals(begin=int, last=int, other=int, shapes=word)
    cdef int _shuffle(self, int colour) except -1
    @cython.locals(at=int)
    cdef bint _beside(self, int colour, word taken) noexcept
