# The C types of growth.py.

cimport cython

from pytlik.ubongo.making.draws cimport Draws

cdef bint AS_IT_IS
cdef int LARGEST_AREA, FIELD, ROW, MIDDLE

cdef class Growth:
    cdef int touching[4096]
    cdef bint inside[4096]
    cdef int border[4096]
    cdef int cells[30]
    cdef int steps[6]
    cdef int q[30]
    cdef int r[30]
    cdef int form[30]
    cdef int free[30]
    cdef int drawn[30]
    cdef int size
    cdef int edge
    cdef int total
    cdef Draws draws
    cdef object grown(self, int outline)
    @cython.locals(number=int, at=int, place=int, cell=int, after=int)
    cdef int _grow(self) except -1
    @cython.locals(side=int, beside=int, place=int)
    cdef void _take(self, int cell, int number) noexcept
    @cython.locals(outline=int, corners=int, number=int, cell=int, places=int, before=bint, side=int,
                   beside=bint, touching=int)
    cdef bint _pleases(self, int longest) noexcept
    @cython.locals(number=int, cell=int, smallest=int, turned=int, left=int, top=int, right=int,
                   bottom=int, q=int, r=int, place=int, first=int, square=int)
    cdef void _turn(self) noexcept
    @cython.locals(number=int)
    cdef bint _before(self, int* other) noexcept
    @cython.locals(number=int)
    cdef void _keep(self, int* other) noexcept
    @cython.locals(cells=list, number=int, q=int)
    cdef tuple _shape(self, int* form)
