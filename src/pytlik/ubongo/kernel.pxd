# C types for kernel.py, which runs without them as well.
cimport cython

ctypedef unsigned long long word

cdef int WORD, MOST_PIECES, MOST_CELLS, MOST_FORMS, MOST_SHAPES, MOST_WAYS, SLOTS, KNOWN, REMEMBERED
cdef word PAIRS, FOURS, EIGHTS, ALL, MIX, SPREAD
cdef int NUMBERED[67]

cdef object _box(long height, long width)
cdef tuple _tuple(object cells)
cdef int _ones(word mask) noexcept

cdef class Forms:
    cdef int number
    cdef int size
    cdef word base[12]
    cdef word valid[12]
    cdef int steps[144]
    cdef word lying[768]
    cdef int many[64]

cdef class Box:
    cdef int height
    cdef int width
    cdef dict known
    @cython.locals(found=Forms)
    cdef Forms forms(self, tuple piece)

cdef class Cover:
    cdef long q[64]
    cdef long r[64]
    cdef word* lying[16]
    cdef int* many[16]
    cdef int order[16]
    cdef int left[16]
    cdef word laid[16]
    cdef int laid_kind[16]
    cdef tuple cells
    cdef Box box
    cdef word area
    cdef bint flipped
    cdef long top
    cdef long leftmost
    cdef int size
    cdef int covers
    cdef int number
    cdef int pieces
    cdef list kinds
    cdef long long found
    cdef long long enough

    @cython.locals(size=Py_ssize_t, index=int, top=long, bottom=long, left=long, right=long,
                   q=long, r=long, height=long, width=long, at=int, one=word)
    cdef bint lay_out(self, tuple cells) except *
    @cython.locals(number=Py_ssize_t, kinds=list, index=int, kind=int, forms=Forms)
    cdef bint take(self, object pieces) except *
    @cython.locals(kind=int, factor=int)
    cdef object count(self, object limit)
    @cython.locals(index=int, at=int)
    cdef object first(self)
    cdef tuple _shape(self, word mask)
    @cython.locals(down=long, across=long, one=word)
    cdef word _bit(self, object cell)
    @cython.locals(cell=int, kind=int, at=int, mask=word, lying='word*')
    cdef void _search(self, word free, int left) noexcept
    @cython.locals(cell=int, kind=int, at=int, lying='word*')
    cdef bint _last(self, word free) noexcept

cdef class Known:
    cdef word free[65536]
    cdef word code[65536]
    cdef double tries[65536]
    cdef char solved[65536]
    cdef unsigned int stamp[65536]
    cdef unsigned int now
    cdef int used
    cdef int room
    cdef void begin(self, int pieces) noexcept
    @cython.locals(at=int)
    cdef int slot(self, word free, word code) noexcept
    @cython.locals(at=int)
    cdef void keep(self, word free, word code, bint solved, double tries) noexcept

cdef class Effort(Cover):
    cdef word base[192]
    cdef word valid[192]
    cdef int start[17]
    cdef int steps[2304]
    cdef int sizes[16]
    cdef word fits[3264]
    cdef Known known
    cdef bint right
    @cython.locals(at=int, kind=int, index=int, step=int, forms=Forms)
    cdef int spread(self) except -1
    @cython.locals(code=word, one=word, kind=int)
    cdef double effort(self) except *
    @cython.locals(known=Known, slot=int, here=int, total=double, right=int, one=word, kind=int,
                   pieces=int, good=double, bad=double, form=int, fit=word, low=word, rest=word,
                   tries=double, mean=double, _=int)
    cdef double _tries(self, word free, int left, word code) noexcept
    @cython.locals(cell=int, kind=int, at=int)
    cdef bint _lowest(self, word free) noexcept
    @cython.locals(reached=word, kind=int, form=int, size=int, fit=word, step=int)
    cdef word _reached(self, word free, int here) noexcept
    @cython.locals(fit=word, step=int)
    cdef word _fit(self, int form, int size, word free) noexcept
    @cython.locals(ways="long long", kind=int, pieces=int)
    cdef object near_misses(self)
    @cython.locals(ways="long long", size=int, form=int, fit=word, low=word)
    cdef long long _packings(self, word free, int kind, int left) noexcept

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
