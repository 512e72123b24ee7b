# The C types of worth.py.

cimport cython

from libc.math cimport exp

from pytlik.unikat.judgment.hand cimport Mind, longer_with, sit
from pytlik.unikat.kernel.table cimport PARTNERS_HIGH, PARTNERS_LOW, Table, Word, lowest, ones

cpdef enum:
    FEATURES = 700
    GROWS = 1399
    AFTER = 0
    BEFORE = 1

cdef int beside(Mind* q, int tiles) noexcept nogil
cdef void add(Mind* q, int part, double amount) noexcept nogil
@cython.locals(join_low=Word, join_high=Word, reach_low=Word, reach_high=Word, total=double)
cdef double judge(Mind* q, Table* t, int tiles, int paths, int ends, int core, int core_ends, int startable, int quiet, Word display_low, Word display_high, int moment) noexcept nogil
cdef double judge_hand(Mind* q, Table* t, int tiles, int laid, Word display_low, Word display_high, int moment) noexcept nogil
cdef double judge_with(Mind* q, Table* t, int tiles, int laid, Word display_low, Word display_high, int moment) noexcept nogil
cdef double judge_seat(Mind* q, Table* t, int seat, int moment) noexcept nogil
cpdef double chance_of(double value) noexcept
