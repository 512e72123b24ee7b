# The C types of guesses.py.

cimport cython

from pytlik.unikat.engine.evaluation.evaluate cimport (
    AFTER_TURN,
    evaluate_hand,
    evaluate_hand_with,
)
from pytlik.unikat.engine.evaluation.hand_chains cimport (
    Evaluator,
    compute_fewest_chains_with,
    load_hand,
)
from pytlik.unikat.engine.evaluation.table_chains cimport can_go_out
from pytlik.unikat.engine.kernel.table cimport (
    ACTION,
    HIGH,
    LOW,
    Table,
    Word,
    add_to_hand,
    count_bits,
    random_below,
    remove_from_hand,
)

# 81 tiles without the display and the one on the table.
cpdef enum:
    HANDS_AND_BAG_AT_DEAL = 77

cdef void improve_guessed_hands(Evaluator* evaluator, Table* t, int seat) noexcept nogil
cdef void break_up_finished_hand(Evaluator* evaluator, Table* t, int seat) noexcept nogil
@cython.locals(value=double, best=double, low=Word, high=Word)
cdef void improve_hand(Evaluator* evaluator, Table* t, int seat, int place) noexcept nogil
cdef int is_known(Table* t, int seat, int tile) noexcept nogil
