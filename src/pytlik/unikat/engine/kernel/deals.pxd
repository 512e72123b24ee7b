# The C types of deals.py.

from pytlik.unikat.engine.kernel.table cimport (
    START_CELL,
    TILES,
    Table,
    add_to_display,
    add_to_hand,
    lowest_bit,
    put,
    random_below,
    remove_from_hand,
)

cdef void clear(Table* t, int players) noexcept nogil
cdef void shuffle_bag(Table* t) noexcept nogil
cdef void deal_round(Table* t, int players, int starter) noexcept nogil
cdef void guess_unknown(Table* t, int seat) noexcept nogil
