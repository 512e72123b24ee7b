# The C types of actions.py.

cimport cython

from pytlik.unikat.engine.kernel.table cimport (
    ACTION,
    BLOCKED,
    BONUS,
    CELL_MASK,
    CHAIN,
    DRAW,
    EDGE,
    HIGH,
    LAST_TILE,
    LOW,
    OVER,
    SIDE_OFFSETS,
    TAKING,
    TILES,
    Table,
    add_to_display,
    add_to_hand,
    count_bits,
    count_touching,
    lowest_bit,
    must_touch_last,
    put,
    random_below,
    remove_from_display,
    remove_from_hand,
)

cdef int can_extend(Table* t) noexcept nogil
cdef int count_lays(Table* t) noexcept nogil
cdef int can_lay(Table* t) noexcept nogil
cdef int can_swap(Table* t) noexcept nogil
cdef int count_takeable_in_display(Table* t) noexcept nogil
cdef void lay(Table* t, int tile, int cell) noexcept nogil
cdef void give(Table* t, int tile) noexcept nogil
cdef void take(Table* t, int tile) noexcept nogil
cdef void take_unseen(Table* t) noexcept nogil
cdef void finish_taking(Table* t) noexcept nogil
cdef void stop(Table* t) noexcept nogil
cdef void draw_or_end_turn(Table* t) noexcept nogil
cdef void end_turn(Table* t) noexcept nogil
cdef void end_blocked_round(Table* t) noexcept nogil

@cython.locals(stops=int)
cdef void random_step(Table* t) noexcept nogil
cdef void random_lay(Table* t, int number) noexcept nogil
cdef void random_extension(Table* t, int number) noexcept nogil
cdef int play_random_steps(Table* t) noexcept nogil
