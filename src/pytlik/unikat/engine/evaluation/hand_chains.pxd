# The C types of hand_chains.py.

from libc.stdlib cimport calloc, free

from pytlik.unikat.engine.kernel.table cimport (
    HIGH,
    LOW,
    PARTNER_LIST,
    TILES,
    Table,
    Word,
    count_bits,
    lowest_bit,
)

# The tiles that are evaluated: of the hand, perhaps with an extra one.
cdef struct HeldTiles:
    int tiles
    int chains                      # the fewest chains that cover them
    int ends                        # the tiles with which such chains can end
    int startable                   # tiles that fit somewhere on the table
    int longest                     # the tiles of the longest chain
    int longest_ends

# Working memory of an evaluation. Sets of tiles of the hand are bit masks.
cdef struct Evaluator:
    int count                       # tiles in the hand
    int hand                        # the set of all of them
    int starts                      # those that fit somewhere on the table
    int corners                     # those that fit where two tiles are touched
    unsigned char tile[12]
    int adjacent[12]                # for each tile of the hand, its partners there
    int group[12]                   # and all tiles that it's connected with
    int partners[81]                # for any tile, its partners in the hand
    unsigned char chains[1024]      # for each set, the fewest chains that cover it
    short ends[1024]                # the tiles with which such chains can end
    short longest[1024]             # and the longest single chain
    int near_extra                  # tiles that are connected with the extra tile
    unsigned char chains_with[1024] # for each set of those, the same with the extra tile
    short ends_with[1024]
    short longest_with[1024]
    Word unseen_low                 # tiles that the seat hasn't seen
    Word unseen_high
    int unseen                      # how many of them
    Word display_low
    Word display_high
    int closest_rival               # tiles in the smallest other hand
    double mean_rival               # average number of tiles in the other hands
    int node_limit                  # for each search for chains
    int nodes                       # left in this one
    int stamp                       # number of this search
    int seen[24576]                 # for each chain, by what makes it different, the latest stamp
    int noted[2048]                 # for each set and bonus that a chain leaves, the stamp
    int found                       # chains found, and for each
    short left[2048]                # what it leaves
    unsigned char earns[2048]       # whether it earns a double turn
    unsigned char length[2048]
    unsigned char chain_tile[20480]
    short chain_cell[20480]
    unsigned char path_tile[12]     # the chain being tried
    short path_cell[12]
    int depth
    int out_length                  # the first chain of a turn that lays all tiles
    unsigned char out_tile[12]
    short out_cell[12]
    int quick                       # whether to skip candidates that are hardly ever best
    int touched                     # how many tiles the cell looked at last touches
    int remainders                  # sets of tiles that a turn can leave
    short remainder[1024]
    int remainder_stamp[1024]
    double left_value[1024]         # for each set, its value where a turn leaves it
    int candidates                  # and for each
    unsigned char kind[4096]
    short one[4096]                 # LAY: the chain; SWAP: the tile given; TAKE_TILE: the tile taken
    short other[4096]               # SWAP: the tile taken; -1 is the bag
    double value[4096]
    HeldTiles held
    int features                    # of what was evaluated last
    short feature[40]
    double amount[40]
    double growing_hand_penalty     # see features.Weights
    double weights[336]             # AFTER_TURN and BEFORE_DRAW

cdef inline Evaluator* new_evaluator() noexcept nogil:
    return <Evaluator*>calloc(1, sizeof(Evaluator))

cdef inline void free_evaluator(Evaluator* evaluator) noexcept nogil:
    free(evaluator)

cdef void load_hand(Evaluator* evaluator, Table* t, int seat) noexcept nogil
cdef void load_display_and_rivals(Evaluator* evaluator, Table* t, int seat) noexcept nogil
cdef void compute_fewest_chains(Evaluator* evaluator) noexcept nogil
cdef int linked_group(Evaluator* evaluator, int group, int tiles) noexcept nogil
cdef int longer_chain(int one, int other) noexcept nogil
cdef void compute_fewest_chains_with(Evaluator* evaluator, int tile) noexcept nogil
cdef int longer_with_extra_tile(Evaluator* evaluator, int one, int other) noexcept nogil
