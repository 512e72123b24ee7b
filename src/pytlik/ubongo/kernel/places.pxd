# The C types of places.py.

cimport cython

from pytlik.ubongo.kernel.box cimport MOST_CELLS, WORD, Forms, lowest, word
from pytlik.ubongo.kernel.puzzle cimport MOST_PIECES, Puzzle

cdef enum:
    MOST_PLACES = 16

cdef bint AS_IT_IS

@cython.final
cdef class Places:
    cdef int words
    cdef int start[17]      # for each kind its first word; at last how many words there are
    cdef word mask[1024]    # for each placement its cells
    cdef word reach[1024]   # for each cell the placements that cover it
    cdef word touch[16384]  # for each placement those that it leaves no room for
    cdef word fits[272]     # for so many pieces left the placements that are still possible

cdef Places PLACES_HERE

@cython.locals(places=Places, one=word, at=int, number=int, kind=int, forms=Forms, form=int,
               fit=word, low=word, rest=word, part=int, bit=word)
cdef Places spread(Puzzle p, int left)
@cython.locals(fit=word, step=int)
cdef word fitting(Forms forms, int form, word area) noexcept
@cython.locals(part=int, fit=word, number=int, at=int, other=int, rest=word, cell=int)
cdef void tell_apart(Places places, int left) noexcept
@cython.locals(here=int, part=int)
cdef void lay(Places places, int number, int left) noexcept
