# The C types of chain_search.py.

cimport cython

from pytlik.unikat.engine.kernel.longest_turn_search cimport (
    Search,
    add_ways_at,
    add_ways_beside,
    load_hand,
    place_tile,
    take_back,
)
from pytlik.unikat.engine.kernel.table cimport EDGE, Table, count_touching

@cython.locals(earned=int, rest="long long", key="long long", slot=int)
cdef void collect_chains(Search* s, Table* t, int first, int count, int left, int parent, int bonus) noexcept nogil
cdef int search_chains(Search* s, Table* t, int limit) noexcept nogil
