# The C types of judge.py.

cimport cython

from pytlik.unikat.judgment.guesses cimport settle
from pytlik.unikat.judgment.hand cimport Mind, drop_mind, new_mind
from pytlik.unikat.judgment.options cimport (
    ENDING,
    OUT,
    SWAP,
    TAKING_ONE,
    best_option,
    do_option,
    play_on,
    weigh,
)
from pytlik.unikat.judgment.worth cimport FEATURES, GROWS, judge_seat
from pytlik.unikat.kernel.actions cimport lay
from pytlik.unikat.kernel.deals cimport mix_unknown
from pytlik.unikat.kernel.numbers cimport lay_number, play
from pytlik.unikat.kernel.round cimport Round
from pytlik.unikat.kernel.table cimport (
    BAG,
    CHAIN,
    EDGE,
    GIVE,
    STOP,
    TAKE,
    Table,
    Word,
    copy_table,
    drop_table,
    new_table,
)

cdef class Judge:
    cdef Mind* mind
    cdef Table* spare
    cdef Table* guessed
    cpdef int consider(self, Round round_)
    cpdef void choose(self, Round round_, int number)
    cpdef tuple described(self, Round round_, int seat, int moment)
    @cython.locals(t="Table*")
    cpdef list steps(self, Round round_, int number)
    cpdef void guess(self, Round round_, Word chance, int seat)
    @cython.locals(t="Table*")
    cpdef void imagine(self, list steps)
