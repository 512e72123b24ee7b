# The C types of hand.py.

from libc.stdlib cimport calloc, free

from pytlik.unikat.kernel.table cimport HIGH, LOW, PARTNER, TILES, Table, Word, lowest, ones

cdef struct Mind:
    int n                          # tiles in the hand
    int full                       # the set of all of them
    int starts                     # those that fit somewhere on the table
    int corners                    # those that fit where two tiles are touched
    unsigned char tile[12]
    int adjacent[12]               # for each tile of the hand its partners there
    int piece[12]                  # and what it hangs together with
    int local[81]                  # and for any tile
    unsigned char paths[1024]      # for each set of tiles of the hand the fewest chains that cover it
    short ends[1024]               # the tiles that can stand at the end of one of so few
    short core[1024]               # and the longest single chain
    int hanging                    # what hangs together with one more tile
    unsigned char paths_with[1024] # for each set of that the same with the tile
    short ends_with[1024]
    short core_with[1024]
    Word unseen_low
    Word unseen_high
    int unseen
    Word display_low
    Word display_high
    int fewest                     # tiles of the other who has fewest
    int next_count                 # tiles of the next player
    double others                  # tiles of the others in the mean
    int limit                      # nodes that a search for chains may take
    int nodes
    int stamp
    int seen[24576]
    int noted[2048]                # for each set and bonus the stamp, if a chain leaves it
    int found                      # chains found
    short left[2048]               # what each leaves
    unsigned char earns[2048]
    unsigned char length[2048]
    unsigned char chain_tile[20480]
    short chain_cell[20480]
    unsigned char path_tile[12]
    short path_cell[12]
    int depth
    int out_length                 # the first chain of a turn that lays all
    unsigned char out_tile[12]
    short out_cell[12]
    int quick                      # whether to look at nothing else then
    int touched
    int asked                      # sets whose worth is asked for
    short sets[1024]
    int in_sets[1024]
    double worth[1024]
    int options
    unsigned char kind[4096]
    short one[4096]
    short other[4096]
    double value[4096]
    int parts                      # features of what was judged last
    short part[40]
    double amount[40]
    double weights[1400]           # AFTER and BEFORE

cdef inline Mind* new_mind() noexcept nogil:
    return <Mind*>calloc(1, sizeof(Mind))

cdef inline void drop_mind(Mind* mind) noexcept nogil:
    free(mind)

cdef void sit(Mind* q, Table* t, int seat) noexcept nogil
cdef void chart(Mind* q) noexcept nogil
cdef int joined(Mind* q, int group, int tiles) noexcept nogil
cdef int longer(int one, int other) noexcept nogil
cdef void chart_with(Mind* q, int tile) noexcept nogil
cdef int longer_with(Mind* q, int one, int other) noexcept nogil
