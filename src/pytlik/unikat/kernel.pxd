# The C types of kernel.py, and what plain.py gives it where it runs uncompiled.

cimport cython

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

cdef extern from *:
    """
    #define PYTLIK_HALF 0xFFFFFFFFULL
    #define PYTLIK_WORD 0xFFFFFFFFFFFFFFFFULL
    #define PYTLIK_FACTOR 6364136223846793005ULL
    #define PYTLIK_ADDEND 1442695040888963407ULL

    /* Counting bits by the processor's instruction where it has it. A wheel is built for any
       processor of its kind, so on x86 that is asked when the module is loaded. */
    #if defined(__GNUC__) && defined(__x86_64__) && !defined(__POPCNT__)
    static int pytlik_popcnt = -1;
    static inline int pytlik_ones(unsigned long long bits) {
        if (__builtin_expect(pytlik_popcnt > 0, 1)) {
            unsigned long long count;
            __asm__("popcntq %1, %0" : "=r"(count) : "r"(bits) : "cc");
            return (int)count;
        }
        if (pytlik_popcnt < 0) {
            __builtin_cpu_init();
            pytlik_popcnt = __builtin_cpu_supports("popcnt") ? 1 : 0;
        }
        return __builtin_popcountll(bits);
    }
    #elif defined(__GNUC__)
    #define pytlik_ones __builtin_popcountll
    #else
    static inline int pytlik_ones(unsigned long long bits) {
        int count = 0;
        for (; bits; bits &= bits - 1) count++;
        return count;
    }
    #endif

    #if defined(__GNUC__)
    #define pytlik_lowest __builtin_ctzll
    #else
    static inline int pytlik_lowest(unsigned long long bits) {
        int place = 0;
        for (; !(bits & 1); bits >>= 1) place++;
        return place;
    }
    #endif
    """
    const unsigned long long HALF "PYTLIK_HALF"
    const unsigned long long WORD "PYTLIK_WORD"
    const unsigned long long FACTOR "PYTLIK_FACTOR"
    const unsigned long long ADDEND "PYTLIK_ADDEND"
    int ones "pytlik_ones" (unsigned long long bits) noexcept nogil
    int lowest "pytlik_lowest" (unsigned long long bits) noexcept nogil

ctypedef unsigned long long Word

cpdef enum:
    TILES = 81
    EDGE = 82
    START = 8256
    AROUND = 16383
    ACTION = 0
    CHAIN = 1
    BONUS = 2
    TAKING = 3
    DRAW = 4
    OVER = 5
    GIVE = 2592
    TAKE = 2673
    BAG = 2754
    STOP = 2755
    STEPS = 2756
    LAST_TILE = 1
    BLOCKED = 2
    UNIFORM = 0
    EAGER = 1
    PATIENT = 2

cdef struct Table:
    Word chance              # where the stream of random numbers is
    Word edge_low[168]       # for each edge cell the tiles that fit there: those up to 63
    Word edge_high[168]      # and the others
    Word hand_low[4]
    Word hand_high[4]
    Word known_low[4]        # of each hand the tiles that everyone has seen going into it
    Word known_high[4]
    unsigned short edge_cell[168]
    short place[81]          # for each tile its cell on the table, or -1
    short fits[81]           # for each tile the number of edge cells where it fits
    unsigned char order[81]  # the tiles on the table as they were laid
    unsigned char index[81]  # for each tile in a hand or the display where in it
    unsigned char hand[48]   # twelve for each seat
    unsigned char hand_count[4]
    unsigned char display[81]
    unsigned char bag[81]    # in drawing order, from bag_next to before bag_end
    int edges
    int stones
    int display_count
    int bag_next
    int bag_end
    int players
    int to_move
    int phase
    int laid                 # whether this turn has brought a lay
    int quiet                # finished turns in a row without a lay
    int extra                # whether the chain is the extra action
    int earned               # whether the chain has earned one
    int given                # the tile that a swap has given
    int last                 # the cell of the tile laid last
    int winners              # a bit a seat
    int ended                # 1: with a last tile, 2: blocked
    int continues            # whether a lay as the extra action goes on from the last tile
    int blocked_empty        # quiet turns of everyone that end the round with an empty bag
    int blocked_any          # and with any
    int policy[4]            # by which each seat plays in a playout
    int weigh_cover          # what the patient policy weighs
    int weigh_tile
    int weigh_drawn
    int weigh_unseen
    int weigh_extra
    int hidden[4]            # while guessing, where in the bag the tiles for a hand end
    unsigned char at[16384]  # for each cell 0, a tile + 1, or EDGE + the number of the edge cell

cdef inline Table* new_table() noexcept nogil:
    return <Table*>calloc(1, sizeof(Table))

cdef inline void drop_table(Table* table) noexcept nogil:
    free(table)

cdef inline void copy_table(Table* source, Table* target) noexcept nogil:
    memcpy(target, source, sizeof(Table))

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

cdef inline list chosen(list objects, int* places, int count):
    cdef list found = PyList_New(count)
    cdef int number
    for number in range(count):
        thing = objects[places[number]]
        Py_INCREF(thing)
        PyList_SET_ITEM(found, number, thing)
    return found

cdef Word BIT[64]
cdef Word LOW[81]
cdef Word HIGH[81]
cdef Word PARTNERS_LOW[81]
cdef Word PARTNERS_HIGH[81]
cdef unsigned char PARTNER[648]
cdef unsigned char PARTNER_INDEX[6561]
cdef int OFFSET[4]
cdef list NUMBERS
cdef int LEGAL[2756]
cdef Search* SEARCH

cdef int below(Table* t, int n) noexcept nogil
cdef void put(Table* t, int tile, int cell) noexcept nogil
cdef void new_edge(Table* t, int tile, int cell) noexcept nogil
cdef void narrow(Table* t, int edge, int tile) noexcept nogil
cdef void drop_edge(Table* t, int edge) noexcept nogil
cdef void unput(Table* t, int tile) noexcept nogil
cdef int is_stone(int what) noexcept nogil
cdef int touched(Table* t, int cell) noexcept nogil

cdef void into_hand(Table* t, int seat, int tile) noexcept nogil
cdef void out_of_hand(Table* t, int seat, int tile) noexcept nogil
cdef void into_display(Table* t, int tile) noexcept nogil
cdef void out_of_display(Table* t, int tile) noexcept nogil

cdef int goes_on(Table* t) noexcept nogil
cdef int lays_anywhere(Table* t) noexcept nogil
cdef int takeable(Table* t) noexcept nogil
cdef int can_swap(Table* t) noexcept nogil
cdef void lay(Table* t, int tile, int cell) noexcept nogil
cdef void give(Table* t, int tile) noexcept nogil
cdef void take(Table* t, int tile) noexcept nogil
cdef void take_unseen(Table* t) noexcept nogil
cdef void taken(Table* t) noexcept nogil
cdef void stop(Table* t) noexcept nogil
cdef void end_actions(Table* t) noexcept nogil
cdef void end_turn(Table* t) noexcept nogil
cdef void block(Table* t) noexcept nogil

@cython.locals(must_touch_last=int)
cdef int lay_number(Table* t, int tile, int edge) noexcept nogil
cdef int lays_at(Table* t, int edge, int count) noexcept nogil
cdef int legal_numbers(Table* t) noexcept nogil
cdef int allows(Table* t, int number) noexcept nogil
cdef void play(Table* t, int number) noexcept nogil

cdef void clear(Table* t, int players) noexcept nogil
cdef void shuffle_bag(Table* t) noexcept nogil
cdef void deal_round(Table* t, int players, int starter) noexcept nogil
cdef void mix_unknown(Table* t, int seat) noexcept nogil
@cython.locals(stops=int)
cdef void do_any(Table* t) noexcept nogil
cdef void random_lay(Table* t, int number) noexcept nogil
cdef void random_extension(Table* t, int number) noexcept nogil
cdef int random_steps(Table* t) noexcept nogil

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

cdef void lay_found(Search* s, Table* t, int chain) noexcept nogil
cdef int linked(Table* t, int tile) noexcept nogil
@cython.locals(best=int)
cdef void take_linked(Table* t) noexcept nogil
@cython.locals(best=int, value=int, worth=int)
cdef void eager(Search* s, Table* t, int limit) noexcept nogil
cdef int goes_out(Search* s, Table* t) noexcept nogil
@cython.locals(worth=int, value=int, drawn=int, give_place=int, take_tile=int, chain_laid=int)
cdef void patient(Search* s, Table* t, int limit) noexcept nogil
cdef void play_to_end(Search* s, Table* t, int limit) noexcept nogil

cdef class Round:
    cdef Table* table
    cdef readonly tuple origin
    cpdef Round copy(self)
    cpdef void copy_from(self, Round other) except *
    cpdef list legal(self)
    cpdef void legal_mask(self, unsigned char[::1] mask) except *
    cpdef void step(self, int number) except *
