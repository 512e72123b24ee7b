# The C types of numbers.py.

cimport cython

from pytlik.unikat.kernel.actions cimport (
    can_swap,
    give,
    lay,
    lays_anywhere,
    stop,
    take,
    take_unseen,
    takeable,
)
from pytlik.unikat.kernel.table cimport (
    ACTION,
    AROUND,
    BAG,
    BONUS,
    CHAIN,
    DRAW,
    EDGE,
    GIVE,
    HIGH,
    LOW,
    OFFSET,
    OVER,
    PARTNER,
    PARTNER_INDEX,
    STEPS,
    STOP,
    TAKE,
    TAKING,
    TILES,
    Table,
    is_stone,
    lowest,
    must_touch_last,
)

cdef int LEGAL[2756]

@cython.locals(continues=int)
cdef int lay_number(Table* t, int tile, int edge) noexcept nogil
cdef int lays_at(Table* t, int edge, int count) noexcept nogil
cdef int legal_numbers(Table* t) noexcept nogil
cdef int allows(Table* t, int number) noexcept nogil
cdef void play(Table* t, int number) noexcept nogil
