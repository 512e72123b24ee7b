# The C types of steps.py.

cimport cython

from pytlik.unikat.engine.kernel.actions cimport (
    can_swap,
    count_lays,
    count_takeable_in_display,
    give,
    lay,
    stop,
    take,
    take_unseen,
)
from pytlik.unikat.engine.kernel.table cimport (
    ACTION,
    BAG,
    BONUS,
    CELL_MASK,
    CHAIN,
    DRAW,
    EDGE,
    GIVE,
    HIGH,
    LOW,
    OVER,
    PARTNER_INDEX,
    PARTNER_LIST,
    SIDE_OFFSETS,
    STEPS,
    STOP,
    TAKE,
    TAKING,
    TILES,
    Table,
    is_tile,
    lowest_bit,
    must_touch_last,
)

cdef int LEGAL_STEPS[2756]

@cython.locals(continues=int)
cdef int lay_number(Table* t, int tile, int edge) noexcept nogil
cdef int add_lays_at(Table* t, int edge, int count) noexcept nogil
cdef int find_legal_steps(Table* t) noexcept nogil
cdef int is_legal_step(Table* t, int number) noexcept nogil
cdef void do_step(Table* t, int number) noexcept nogil
