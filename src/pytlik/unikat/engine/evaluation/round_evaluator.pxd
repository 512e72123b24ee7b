# The C types of round_evaluator.py.

cimport cython

from pytlik.unikat.engine.evaluation.candidate_actions cimport (
    END,
    GO_OUT,
    SWAP,
    TAKE_TILE,
    best_candidate,
    find_candidates,
    play_to_end,
)
from pytlik.unikat.engine.evaluation.evaluate cimport FEATURES, evaluate_seat
from pytlik.unikat.engine.evaluation.guesses cimport improve_guessed_hands
from pytlik.unikat.engine.evaluation.hand_chains cimport Evaluator, free_evaluator, new_evaluator
from pytlik.unikat.engine.kernel.actions cimport lay
from pytlik.unikat.engine.kernel.deals cimport guess_unknown
from pytlik.unikat.engine.kernel.round cimport Round
from pytlik.unikat.engine.kernel.steps cimport do_step, lay_number
from pytlik.unikat.engine.kernel.table cimport (
    BAG,
    CHAIN,
    EDGE,
    GIVE,
    STOP,
    TAKE,
    Table,
    Word,
    copy_table,
    free_table,
    new_table,
)

cdef class RoundEvaluator:
    cdef Evaluator* evaluator
    cdef Table* played
    cdef Table* guessed
    cpdef int find_candidates(self, Round round_)
    cpdef int best_candidate(self)
    @cython.locals(t="Table*")
    cpdef list candidate_steps(self, Round round_, int number)
    cpdef tuple hand_features(self, Round round_, int seat, int moment)
    cpdef void guess(self, Round round_, Word chance, int seat)
    @cython.locals(t="Table*")
    cpdef tuple play_guess(self, list steps)
