# The C types of turn_queries.py.

cimport cython

from pytlik.unikat.engine.kernel.actions cimport lay, stop
from pytlik.unikat.engine.kernel.chain_search cimport search_chains
from pytlik.unikat.engine.kernel.longest_turn_layouts cimport search_layouts
from pytlik.unikat.engine.kernel.longest_turn_search cimport (
    MOST_LAYOUTS,
    SEARCH,
    longest_path,
    search_longest,
    search_second_chain,
)
from pytlik.unikat.engine.kernel.round cimport Round
from pytlik.unikat.engine.kernel.steps cimport lay_number
from pytlik.unikat.engine.kernel.table cimport CHAIN, EDGE, STOP, Table, count_bits

cpdef tuple longest_turn(Round round_, int nodes)
cpdef tuple longest_chain(Round round_, int nodes)
cpdef list different_turns(Round round_, list starts, int count, int limit, int nodes)
cpdef int count_layouts(Round round_, int tiles, int most) except -1
@cython.locals(length=int, link=int)
cdef tuple complete_turn(Round round_, int chain, int nodes)
@cython.locals(t="Table*")
cdef tuple search_result(Round round_, int exact)
