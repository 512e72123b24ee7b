# The C types of table_chains.py.

from pytlik.unikat.engine.evaluation.hand_chains cimport Evaluator
from pytlik.unikat.engine.kernel.table cimport (
    CELL_MASK,
    EDGE,
    SIDE_OFFSETS,
    Table,
    lowest_bit,
    must_touch_last,
)

cdef int fitting_tiles(Evaluator* evaluator, Table* t, int cell) noexcept nogil
cdef int may_begin(Table* t, int edge) noexcept nogil
cdef int is_empty(int what) noexcept nogil

cdef void find_chains(Evaluator* evaluator, Table* t, int can_earn) noexcept nogil
cdef void find_chains_at(Evaluator* evaluator, Table* t, int cell, int rest, int bonus, int can_earn) noexcept nogil
cdef void note_chain(Evaluator* evaluator, int rest, int bonus) noexcept nogil

cdef int can_go_out(Evaluator* evaluator, Table* t, int doubles) noexcept nogil
cdef int goes_out_at(Evaluator* evaluator, Table* t, int cell, int rest, int bonus, int doubles) noexcept nogil
cdef void keep_first_chain(Evaluator* evaluator) noexcept nogil
cdef int goes_out_with_second(Evaluator* evaluator, Table* t, int rest) noexcept nogil
