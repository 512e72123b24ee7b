# The C types of policies.py.

cimport cython

from pytlik.unikat.kernel.actions cimport (
    can_swap,
    do_any,
    give,
    lay,
    stop,
    take,
    take_unseen,
    takeable,
)
from pytlik.unikat.kernel.search cimport (
    Search,
    cover_with,
    fill_covers,
    look_at_hand,
    search_chains,
    search_longest,
)
from pytlik.unikat.kernel.table cimport (
    ACTION,
    BONUS,
    CHAIN,
    DRAW,
    EAGER,
    OVER,
    PARTNERS_HIGH,
    PARTNERS_LOW,
    TAKING,
    UNIFORM,
    Table,
    below,
    ones,
)

cdef void lay_found(Search* s, Table* t, int chain) noexcept nogil
cdef int linked(Table* t, int tile) noexcept nogil
@cython.locals(best=int)
cdef void take_linked(Table* t) noexcept nogil
@cython.locals(best=int, value=int, worth=int)
cdef void eager(Search* s, Table* t, int limit) noexcept nogil
cdef int goes_out(Search* s, Table* t) noexcept nogil
@cython.locals(worth=int, value=int, drawn=int, give_place=int, take_tile=int, chain_laid=int)
cdef void patient(Search* s, Table* t, int limit) noexcept nogil
cdef void play_to_end(Search* s, Table* t, int limit) noexcept nogil
