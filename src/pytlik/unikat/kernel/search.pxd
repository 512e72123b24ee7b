# The C types of search.py.

cimport cython

from libc.stdlib cimport calloc

from pytlik.unikat.kernel.table cimport (
    ACTION,
    AROUND,
    BONUS,
    EDGE,
    HIGH,
    LOW,
    OFFSET,
    PARTNER_INDEX,
    TILES,
    Table,
    lowest,
    put,
    touched,
    unput,
)

# What a search writes on. Tiles of the hand have places in it, and sets of them are small numbers.
cdef struct Search:
    int count
    int tile[16]
    int place[81]
    int touch[16]                # for each tile of the hand those that may touch it
    unsigned char cover[65536]   # for each set the fewest chains that lay it
    unsigned short ends[65536]   # and with which tiles the last of so few can end
    unsigned char path[65536]    # for a tile and a set 2 + the longest path after it; 0: not known
    int two_key[65536]
    unsigned char two[65536]
    int nodes                    # left to look at; below 0 the search has been given up
    int found                    # tiles of the longest turn so far
    int split                    # and how many of them are its first chain
    unsigned char best_tile[32]
    unsigned short best_cell[32]
    int length                   # of the turn being tried
    unsigned char chain_tile[32]
    unsigned short chain_cell[32]
    unsigned char way_tile[8192] # ways to go on, those of a longer chain after those of a shorter
    unsigned short way_cell[8192]
    unsigned char way_bound[8192]
    int chains                   # found so far, and for each of them
    int parent[16384]            # the chain that it makes longer, or -1
    unsigned char end_tile[16384]
    unsigned short end_cell[16384]
    unsigned short left[16384]
    unsigned char bonus[16384]
    int slot[16384]              # where it is in seen
    long long seen[32768]        # chains found, by what makes them alike; 0: none

cdef inline Search* new_search() noexcept nogil:
    return <Search*>calloc(1, sizeof(Search))

cdef Search* SEARCH

cdef int look_at_hand(Search* s, Table* t) noexcept nogil
cdef int link(Search* s) noexcept nogil
cdef void fill_covers(Search* s) noexcept nogil
cdef void cover_with(Search* s, int tile, int links) noexcept nogil
@cython.locals(fewest=int, ends=int, left=int, rest=int, chains=int)
cdef void cover_sets(Search* s, int first, int end) noexcept nogil
@cython.locals(most=int, known=int, rest=int)
cdef int path(Search* s, int begins, int left) noexcept nogil
@cython.locals(key="long long", slot=int, most=int, longer=int, ways=int)
cdef int two_paths(Search* s, int end, int begins, int left) noexcept nogil
cdef void forget(Search* s) noexcept nogil

cdef void place_tile(Search* s, Table* t, int tile, int cell) noexcept nogil
cdef void take_back(Search* s, Table* t) noexcept nogil
cdef int ways_at(Search* s, Table* t, int edge, int count) noexcept nogil
cdef int ways_beside(Search* s, Table* t, int cell, int count) noexcept nogil
cdef int ways_anywhere(Search* s, Table* t, int count) noexcept nogil

cdef void note(Search* s, int split) noexcept nogil
cdef void longest_lay(Search* s, Table* t, int first, int count, int left, int split) noexcept nogil
@cython.locals(earned=int, longer=int)
cdef void longest_double(Search* s, Table* t, int first, int count, int left, int begins, int bonus) noexcept nogil
cdef int search_longest(Search* s, Table* t, int nodes) noexcept nogil

@cython.locals(earned=int, rest="long long", key="long long", slot=int)
cdef void collect(Search* s, Table* t, int first, int count, int left, int parent, int bonus) noexcept nogil
cdef int search_chains(Search* s, Table* t, int limit) noexcept nogil
