# The C types of deals.py.

from pytlik.unikat.engine.kernel.table cimport (
    START_CELL,
    TILES,
    Table,
    below,
    into_display,
    into_hand,
    lowest,
    out_of_hand,
    put,
)

cdef void clear(Table* t, int players) noexcept nogil
cdef void shuffle_bag(Table* t) noexcept nogil
cdef void deal_round(Table* t, int players, int starter) noexcept nogil
cdef void guess_unknown(Table* t, int seat) noexcept nogil
