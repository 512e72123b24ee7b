# The C types of longest_turn_layouts.py.

cimport cython

from pytlik.unikat.engine.kernel.longest_turn_search cimport (
    Search,
    add_ways_beside,
    add_ways_to_begin_again,
    beginning_tiles,
    find_beginnings,
    load_hand,
    longest_path,
    longest_two_paths,
    place_tile,
    take_back,
)
from pytlik.unikat.engine.kernel.table cimport ACTION, Table, count_touching

@cython.locals(place=int)
cdef void note_layout(Search* s) noexcept nogil
@cython.locals(bound=int)
cdef void note_chain_layouts(Search* s, Table* t, int first, int count, int left) noexcept nogil
@cython.locals(bound=int, earned=int)
cdef void note_turn_layouts(Search* s, Table* t, int first, int count, int left, int begins, int bonus) noexcept nogil
cdef int search_layouts(Search* s, Table* t, int tiles, int most) noexcept nogil
