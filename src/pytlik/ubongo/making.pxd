# C types for making.py, which runs without them as well.
cimport cython

from pytlik.ubongo.kernel cimport NUMBERED, WORD, Cover, Forms, ones, word

cdef int LARGEST_AREA, FIELD, ROW, MIDDLE, MOST_COLOURS, MOST_SETS, MOST_SHAPES, MOST_WAYS, SLOTS
cdef word FULL, MIX

cdef class Draws:
    cdef object stream
    cdef list words
    cdef Py_ssize_t at
    cdef int fetch(self, Py_ssize_t number) except -1
    @cython.locals(drawn=word)
    cdef int below(self, int n) except -1

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
    @cython.locals(cover=Cover, index=int, known=Forms, one=word, row=int)
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
