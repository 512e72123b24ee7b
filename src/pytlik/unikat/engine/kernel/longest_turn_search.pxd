# The C types of longest_turn_search.py.

cimport cython

from libc.stdlib cimport calloc

from pytlik.unikat.engine.kernel.table cimport (
    ACTION,
    BONUS,
    CELL_MASK,
    EDGE,
    HIGH,
    LOW,
    PARTNER_INDEX,
    SIDE_OFFSETS,
    TILES,
    Table,
    Word,
    count_touching,
    lowest_bit,
    must_touch_last,
    put,
    take_up,
)

cpdef enum:
    MOST_LAYOUTS = 128

# Working memory of a search. Tiles of the hand have places in it, and sets of them are bit masks.
cdef struct Search:
    int count                    # tiles in the hand
    int tile[16]
    int place[81]
    int touch[16]                # for each tile of the hand, those that may touch it
    unsigned char path[65536]    # for a tile and a set, 2 + the longest path after it; 0: not known
    int two_key[65536]           # the same for two paths, as a hash table
    unsigned char two[65536]
    int nodes                    # left to look at; below 0 the search was cut short
    int longest                  # tiles of the longest turn so far
    int split                    # how many of them are its first chain
    unsigned char best_tile[32]
    unsigned short best_cell[32]
    int length                   # of the turn being tried
    unsigned char chain_tile[32]
    unsigned short chain_cell[32]
    unsigned char way_tile[8192] # ways to continue, those of a longer chain after those of a shorter
    unsigned short way_cell[8192]
    unsigned char way_bound[8192]
    int way_key[8192]
    int starts                   # where chains may begin, for search_chains
    unsigned short start_cell[168]
    int chains                   # found so far, and for each of them
    int parent[16384]            # the chain that it extends, or -1
    unsigned char end_tile[16384]
    unsigned short end_cell[16384]
    unsigned short left[16384]
    unsigned char bonus[16384]
    int slot[16384]              # where it is in seen
    long long seen[32768]        # chains found, by what makes them alike; 0: none
    int wanted                   # tiles of the turns whose layouts are counted
    int layouts
    int most_layouts
    unsigned short layout[1548]  # 12 cells each, by place in the hand; one more is being compared

cdef inline Search* new_search() noexcept nogil:
    return <Search*>calloc(1, sizeof(Search))

cdef Search* SEARCH

cdef int load_hand(Search* s, Table* t) noexcept nogil
cdef void forget_paths(Search* s) noexcept nogil
@cython.locals(most=int, known=int, rest=int)
cdef int longest_path(Search* s, int begins, int left) noexcept nogil
@cython.locals(key="long long", slot=int, most=int, longer=int, ways=int)
cdef int longest_two_paths(Search* s, int end, int begins, int left) noexcept nogil

cdef void place_tile(Search* s, Table* t, int tile, int cell) noexcept nogil
cdef void take_back(Search* s, Table* t) noexcept nogil
@cython.locals(low=Word, high=Word)
cdef int add_ways_at(Search* s, Table* t, int edge, int count) noexcept nogil
cdef int add_ways_beside(Search* s, Table* t, int cell, int count) noexcept nogil
cdef int add_ways_anywhere(Search* s, Table* t, int count) noexcept nogil
cdef int add_ways_to_begin_again(Search* s, Table* t, int count) noexcept nogil
cdef int find_beginnings(Search* s, Table* t) noexcept nogil
cdef int beginning_tiles(Search* s, int count) noexcept nogil
@cython.locals(key=int, slot=int, tile=int, cell=int, bound=int)
cdef void sort_ways(Search* s, int first, int count) noexcept nogil

cdef void note_turn(Search* s, int split) noexcept nogil
cdef void try_chain(Search* s, Table* t, int first, int count, int left, int split) noexcept nogil
@cython.locals(earned=int, longer=int)
cdef void try_double(Search* s, Table* t, int first, int count, int left, int begins, int bonus) noexcept nogil
cdef int search_longest(Search* s, Table* t, int nodes, int doubles) noexcept nogil
@cython.locals(bonus=int, left=int)
cdef int search_second_chain(Search* s, Table* t, int length, int nodes) noexcept nogil
