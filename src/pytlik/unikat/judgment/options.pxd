# The C types of options.py.

cimport cython

from pytlik.unikat.judgment.chains cimport find_chains, lays_all
from pytlik.unikat.judgment.hand cimport Mind, chart_with, sit
from pytlik.unikat.judgment.worth cimport AFTER, BEFORE, GROWS, beside, judge_hand, judge_with
from pytlik.unikat.kernel.actions cimport give, lay, stop, take, take_unseen
from pytlik.unikat.kernel.table cimport ACTION, BONUS, CHAIN, DRAW, HIGH, LOW, OVER, Table

cpdef enum:
    LAY = 0
    SWAP = 1
    TAKING_ONE = 2
    ENDING = 3
    OUT = 4

cdef void option(Mind* q, int kind, int one, int other, double value) noexcept nogil
cdef void ask_worth(Mind* q, int tiles) noexcept nogil
cdef void weigh(Mind* q, Table* t) noexcept nogil
@cython.locals(value=double, best=double)
cdef void weigh_draw(Mind* q, Table* t) noexcept nogil
@cython.locals(value=double, best=double)
cdef void weigh_lays(Mind* q, Table* t) noexcept nogil
@cython.locals(value=double, best=double)
cdef void weigh_swaps(Mind* q, Table* t, int tile) noexcept nogil

cdef int best_option(Mind* q) noexcept nogil
cdef void do_option(Mind* q, Table* t, int number) noexcept nogil
cdef void play_on(Mind* q, Table* t) noexcept nogil
