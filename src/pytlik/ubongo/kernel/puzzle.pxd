# The C types of puzzle.py.

cimport cython

from pytlik.ubongo.kernel.box cimport WORD, Box, Forms, box_of, coordinate, forms_of, ones, word

cdef enum:
    MOST_PIECES = 16

cdef bint AS_IT_IS
cdef long long FAR

@cython.final
cdef class Puzzle:
    cdef tuple cells
    cdef Box box
    cdef list kinds
    cdef word area
    cdef bint flipped
    cdef long long top
    cdef long long leftmost
    cdef int size          # cells of the area
    cdef int covers        # cells of the pieces
    cdef int pieces
    cdef int number        # of kinds
    cdef int order[16]     # for each piece its kind
    cdef int left[16]      # for each kind how many pieces are still to be laid
    cdef word* lying[16]   # for each kind what its Forms have
    cdef int* many[16]
    cdef long long found   # tilings so far
    cdef long long enough  # and how many will do
    cdef word laid[16]     # the masks of a tiling, in the order in which they were laid
    cdef int laid_kind[16]

    @cython.locals(top="long long", bottom="long long", left="long long", right="long long",
                   q="long long", r="long long", height="long long", width="long long", one=word)
    cdef bint lay_out(self, tuple cells) except *
    @cython.locals(number=Py_ssize_t, kinds=list, index=int, kind=int, forms=Forms)
    cdef bint take(self, object pieces) except *
    cdef tuple shape(self, word mask)
    @cython.locals(down="long long", across="long long", one=word)
    cdef word bit(self, object cell) except? 0
