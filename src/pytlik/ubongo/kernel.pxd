# C types for kernel.py, which runs without them as well.
cimport cython

ctypedef unsigned long long word

cdef int WORD, MOST_PIECES, MOST_CELLS, MOST_PLACES, KNOWN, ROOM, REMEMBERED
cdef word PAIRS, FOURS, EIGHTS, ALL, MIX, SPREAD
cdef int NUMBERED[67]

cdef object _box(long height, long width)
cdef tuple _tuple(object cells)
cdef int ones(word mask) noexcept

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
    cdef void begin(self) noexcept
    @cython.locals(at=int)
    cdef int slot(self, word free, word code) noexcept
    @cython.locals(at=int)
    cdef void keep(self, word free, word code, bint solved, double tries) noexcept

cdef class Places:
    cdef int start[17]
    cdef word mask[1024]
    cdef word reach[1024]
    cdef word touch[16384]
    cdef word fits[272]
    cdef int words

cdef class Effort(Cover):
    cdef Known known
    cdef Places places
    cdef bint right
    @cython.locals(words=int, kind=int, forms=Forms, places=int, form=int)
    cdef bint weighs(self, object pieces) except *
    @cython.locals(fit=word, step=int)
    cdef word _fit(self, Forms forms, int form) noexcept
    @cython.locals(places=Places, one=word, at=int, number=int, kind=int, forms=Forms, form=int,
                   fit=word, low=word, rest=word, part=int, bit=word, cell=int)
    cdef int _spread(self, int left) except -1
    @cython.locals(places=Places, part=int, fit=word, number=int, at=int, other=int, rest=word,
                   cell=int)
    cdef int _tell_apart(self, int left) noexcept
    @cython.locals(places=Places, here=int, part=int)
    cdef int _lay(self, int number, int left) noexcept
    @cython.locals(code=word, one=word, kind=int)
    cdef double effort(self) except *
    @cython.locals(known=Known, twice=bint, slot=int, total=double, right=int, places=Places,
                   one=word, kind=int, pieces=int, good=double, bad=double, part=int, fit=word,
                   number=int, rest=word, tries=double, mean=double, _=int)
    cdef double _tries(self, word free, int left, word code) noexcept
    @cython.locals(one=int, other=int, cell=int, right=int, total=double)
    cdef double _tries_of_two(self, word free) noexcept
    @cython.locals(places=Places, fits=int, found=int, part=int, fit=word, number=int, last=int)
    cdef int _solutions(self, int cell, int one, int other) noexcept
    @cython.locals(places=Places, found=int, part=int)
    cdef int _many(self, int kind) noexcept
    cdef bint _reached(self, word free, int left) noexcept
    @cython.locals(places=Places, kind=int, part=int)
    cdef bint _reaches(self, int cell, int left) noexcept
    @cython.locals(ways="long long", kind=int, pieces=int)
    cdef object near_misses(self)
    @cython.locals(places=Places, ways="long long", part=int, fit=word)
    cdef long long _packings(self, int kind, int left) noexcept

cdef double _mean(int places, int right) noexcept
