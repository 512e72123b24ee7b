# The C types of candidate_actions.py.

cimport cython

from pytlik.unikat.engine.evaluation.evaluate cimport (
    AFTER_TURN,
    BEFORE_DRAW,
    evaluate_hand,
    evaluate_hand_with,
    partners_of,
)
from pytlik.unikat.engine.evaluation.hand_chains cimport (
    Evaluator,
    compute_fewest_chains_with,
    load_hand,
)
from pytlik.unikat.engine.evaluation.table_chains cimport can_go_out, find_chains
from pytlik.unikat.engine.kernel.actions cimport give, lay, stop, take, take_unseen
from pytlik.unikat.engine.kernel.table cimport (
    ACTION,
    BONUS,
    CHAIN,
    DRAW,
    HIGH,
    LOW,
    OVER,
    Table,
    Word,
)

cpdef enum:
    LAY = 0
    SWAP = 1
    TAKE_TILE = 2
    END = 3
    GO_OUT = 4

cdef void add_candidate(Evaluator* evaluator, int kind, int one, int other, double value) noexcept nogil
cdef void find_candidates(Evaluator* evaluator, Table* t) noexcept nogil
@cython.locals(value=double, low=Word, high=Word)
cdef void add_draws(Evaluator* evaluator, Table* t) noexcept nogil
cdef void add_actions(Evaluator* evaluator, Table* t) noexcept nogil
cdef void collect_remainders(Evaluator* evaluator, Table* t) noexcept nogil
cdef void add_remainder(Evaluator* evaluator, int tiles) noexcept nogil
@cython.locals(value=double, low=Word, high=Word)
cdef void evaluate_remainders(Evaluator* evaluator, Table* t) noexcept nogil
@cython.locals(value=double, low=Word, high=Word)
cdef void improve_remainders(Evaluator* evaluator, Table* t, int tile) noexcept nogil
@cython.locals(best=double)
cdef double best_after_lay(Evaluator* evaluator, int number) noexcept nogil
@cython.locals(value=double)
cdef void add_unseen_swaps(Evaluator* evaluator, Table* t) noexcept nogil
@cython.locals(value=double)
cdef void add_swaps_for(Evaluator* evaluator, Table* t, int tile) noexcept nogil

cdef int best_candidate(Evaluator* evaluator) noexcept nogil
cdef void do_candidate(Evaluator* evaluator, Table* t, int number) noexcept nogil
cdef void take_tile(Table* t, int tile) noexcept nogil
cdef void play_to_end(Evaluator* evaluator, Table* t) noexcept nogil
