# The C types of guesses.py.

cimport cython

from pytlik.unikat.judgment.chains cimport lays_all
from pytlik.unikat.judgment.hand cimport Mind, chart_with, sit
from pytlik.unikat.judgment.worth cimport AFTER, judge_hand, judge_with
from pytlik.unikat.kernel.table cimport (
    ACTION,
    HIGH,
    LOW,
    Table,
    below,
    into_hand,
    ones,
    out_of_hand,
)

cpdef enum:
    IN_ALL = 77

cdef void settle(Mind* q, Table* t, int seat) noexcept nogil
cdef void unready(Mind* q, Table* t, int seat) noexcept nogil
@cython.locals(value=double, best=double)
cdef void improve(Mind* q, Table* t, int seat, int place) noexcept nogil
