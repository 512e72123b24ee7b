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
    OFFSET,
    OVER,
    TAKING,
    TILES,
    Table,
    below,
    count_touching,
    into_display,
    into_hand,
    lowest,
    must_touch_last,
    ones,
    out_of_display,
    out_of_hand,
    put,
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
