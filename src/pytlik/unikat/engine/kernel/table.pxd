# The C types of table.py, and of what fallback.py gives the modules where they run uncompiled.

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

cdef extern from *:
    """
    #define PYTLIK_HALF_WORD_MASK 0xFFFFFFFFULL
    #define PYTLIK_WORD_MASK 0xFFFFFFFFFFFFFFFFULL
    #define PYTLIK_PCG_FACTOR 6364136223846793005ULL
    #define PYTLIK_PCG_ADDEND 1442695040888963407ULL

    /* Constants, so that the compiler can unroll loops over the sides of a cell. */
    #if defined(__GNUC__)
    __attribute__((unused))
    #endif
    static const int pytlik_side_offsets[4] = {-128, 1, 128, -1};

    /* Bits are counted by the processor's own instruction, if it has one. A wheel has to run on
       any x86 processor, so that is only known when the module is loaded. */
    #if defined(__GNUC__) && defined(__x86_64__) && !defined(__POPCNT__)
    static int pytlik_popcnt = -1;
    static inline int pytlik_count_bits(unsigned long long bits) {
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
    #define pytlik_count_bits __builtin_popcountll
    #else
    static inline int pytlik_count_bits(unsigned long long bits) {
        int count = 0;
        for (; bits; bits &= bits - 1) count++;
        return count;
    }
    #endif

    #if defined(__GNUC__)
    #define pytlik_lowest_bit __builtin_ctzll
    #else
    static inline int pytlik_lowest_bit(unsigned long long bits) {
        int place = 0;
        for (; !(bits & 1); bits >>= 1) place++;
        return place;
    }
    #endif
    """
    const unsigned long long HALF_WORD_MASK "PYTLIK_HALF_WORD_MASK"
    const unsigned long long WORD_MASK "PYTLIK_WORD_MASK"
    const unsigned long long PCG_FACTOR "PYTLIK_PCG_FACTOR"
    const unsigned long long PCG_ADDEND "PYTLIK_PCG_ADDEND"
    const int* SIDE_OFFSETS "pytlik_side_offsets"
    int count_bits "pytlik_count_bits" (unsigned long long bits) noexcept nogil
    int lowest_bit "pytlik_lowest_bit" (unsigned long long bits) noexcept nogil

ctypedef unsigned long long Word

cpdef enum:
    TILES = 81
    EDGE = 82
    START_CELL = 8256
    CELL_MASK = 16383
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

cdef struct Table:
    Word chance              # the state of the random numbers
    Word edge_low[168]       # for each edge cell, the tiles that fit there: those below 64
    Word edge_high[168]      # and the others
    Word hand_low[4]
    Word hand_high[4]
    Word known_low[4]        # for each hand, the tiles that everyone has seen going into it
    Word known_high[4]
    unsigned short edge_cell[168]
    short place[81]          # for each tile, its cell on the table, or -1
    short fits[81]           # for each tile, the number of edge cells where it fits
    unsigned char order[81]  # the tiles on the table in the order of laying
    unsigned char index[81]  # for each tile in a hand or the display, its place there
    unsigned char hand[48]   # twelve for each seat
    unsigned char hand_count[4]
    unsigned char display[81]
    unsigned char bag[81]    # in drawing order, from bag_next up to bag_end
    int edges
    int stones
    int display_count
    int bag_next
    int bag_end
    int players
    int to_move
    int phase
    int laid                 # whether a chain was laid in this turn
    int quiet                # finished turns in a row without a lay
    int extra                # whether the chain being laid is the extra action
    int earned               # whether it has earned one
    int given                # the tile that a swap has given
    int last                 # the cell of the tile laid last
    int winners              # a bit for each seat
    int ended                # LAST_TILE or BLOCKED
    int continues            # whether an extra lay must continue from the last tile
    int blocked_empty        # quiet turns per player that end the round with an empty bag
    int blocked_any          # and with any bag
    int hidden[4]            # while guessing: where in the bag the tiles for a hand end
    unsigned char at[16384]  # for each cell: 0, a tile + 1, or EDGE + the number of the edge cell

cdef inline Table* new_table() noexcept nogil:
    return <Table*>calloc(1, sizeof(Table))

cdef inline void free_table(Table* table) noexcept nogil:
    free(table)

cdef inline void copy_table(Table* source, Table* target) noexcept nogil:
    memcpy(target, source, sizeof(Table))

# Inline, because calls between modules are not; fallback.py has the same functions.
cdef inline int is_tile(int what) noexcept nogil:
    return 0 < what < EDGE

cdef inline int must_touch_last(Table* t) noexcept nogil:
    return t.phase == CHAIN or (t.phase == BONUS and t.continues)

cdef inline int random_below(Table* t, int n) noexcept nogil:
    cdef Word x = t.chance * PCG_FACTOR + PCG_ADDEND
    t.chance = x
    return <int>((((((x >> 22) ^ x) >> (22 + (x >> 61))) & HALF_WORD_MASK) * n) >> 32)

cdef Word LOW[81]
cdef Word HIGH[81]
cdef Word PARTNERS_LOW[81]
cdef Word PARTNERS_HIGH[81]
cdef unsigned char PARTNER_LIST[648]
cdef unsigned char PARTNER_INDEX[6561]

cdef void put(Table* t, int tile, int cell) noexcept nogil
cdef void take_up(Table* t, int tile) noexcept nogil
cdef void add_edge(Table* t, int tile, int cell) noexcept nogil
cdef void narrow_edge(Table* t, int edge, int tile) noexcept nogil
cdef void remove_edge(Table* t, int edge) noexcept nogil
cdef int count_touching(Table* t, int cell) noexcept nogil

cdef void add_to_hand(Table* t, int seat, int tile) noexcept nogil
cdef void remove_from_hand(Table* t, int seat, int tile) noexcept nogil
cdef void add_to_display(Table* t, int tile) noexcept nogil
cdef void remove_from_display(Table* t, int tile) noexcept nogil
