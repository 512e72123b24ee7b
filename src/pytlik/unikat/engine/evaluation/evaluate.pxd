# The C types of evaluate.py.

cimport cython

from libc.math cimport exp

from pytlik.unikat.engine.evaluation.hand_chains cimport (
    Evaluator,
    load_hand,
    longer_with_extra_tile,
)
from pytlik.unikat.engine.kernel.table cimport (
    PARTNERS_HIGH,
    PARTNERS_LOW,
    Table,
    Word,
    count_bits,
    lowest_bit,
)

# Where the features of features.LAYOUT begin, which the compiler has to know.
cpdef enum:
    TILES_AND_CHAINS = 0
    NO_START = 108
    EXTENDED_BY_UNSEEN = 112
    JOINED_BY_UNSEEN = 116
    EXTENDED_BY_DISPLAY = 120
    JOINED_BY_DISPLAY = 124
    CORNER_TILES = 128
    PLACES = 132
    CLOSEST_RIVAL = 136
    MEAN_RIVAL = 147
    TILES_TIMES_RIVAL = 148
    CHAINS_TIMES_RIVAL = 149
    BEYOND_LONGEST = 150
    LONGEST_EXTENDED = 162
    EMPTY_HAND = 167
    FEATURES = 168
    AFTER_TURN = 0
    BEFORE_DRAW = 1

cdef void add_feature(Evaluator* evaluator, int feature, double amount) noexcept nogil
@cython.locals(total=double)
cdef double evaluate(Evaluator* evaluator, Table* t, Word display_low, Word display_high, int moment) noexcept nogil
@cython.locals(join_low=Word, join_high=Word, extend_low=Word, extend_high=Word, extending=double, joining=double)
cdef void add_chain_features(Evaluator* evaluator, Table* t, Word display_low, Word display_high) noexcept nogil
cdef void add_rival_features(Evaluator* evaluator) noexcept nogil
@cython.locals(extend_low=Word, extend_high=Word, extending=double)
cdef void add_longest_features(Evaluator* evaluator) noexcept nogil
@cython.locals(count=double)
cdef double share_of_unseen(Evaluator* evaluator, Word low, Word high) noexcept nogil

cdef int partners_of(Evaluator* evaluator, int tiles) noexcept nogil
cdef double evaluate_hand(Evaluator* evaluator, Table* t, int tiles, int laid, Word display_low, Word display_high, int moment) noexcept nogil
@cython.locals(longest=int, startable=int)
cdef double evaluate_hand_with(Evaluator* evaluator, Table* t, int tiles, int laid, Word display_low, Word display_high, int moment) noexcept nogil
cdef double evaluate_seat(Evaluator* evaluator, Table* t, int seat, int moment) noexcept nogil
cpdef double win_probability(double value) noexcept
