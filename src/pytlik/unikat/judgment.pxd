# The C types of judgment.py.

cimport cython

from libc.math cimport exp
from libc.stdlib cimport calloc, free

from pytlik.unikat.kernel cimport (
    ACTION,
    AROUND,
    BAG,
    BONUS,
    CHAIN,
    DRAW,
    EDGE,
    GIVE,
    HIGH,
    LOW,
    OFFSET,
    OVER,
    PARTNER,
    PARTNERS_HIGH,
    PARTNERS_LOW,
    STOP,
    TAKE,
    TILES,
    Round,
    Table,
    Word,
    below,
    can_swap,
    copy_table,
    drop_table,
    give,
    into_hand,
    lay,
    lay_number,
    lowest,
    mix_unknown,
    new_table,
    ones,
    out_of_hand,
    play,
    stop,
    take,
    take_unseen,
)

cpdef enum:
    FEATURES = 700
    GROWS = 1399
    AFTER = 0
    BEFORE = 1
    LAY = 0
    SWAP = 1
    TAKING_ONE = 2
    ENDING = 3
    OUT = 4
    IN_ALL = 77

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
cdef int longer_with(Mind* q, int one, int other) noexcept nogil
cdef void chart_with(Mind* q, int tile) noexcept nogil
cdef void add(Mind* q, int part, double amount) noexcept nogil
@cython.locals(join_low=Word, join_high=Word, reach_low=Word, reach_high=Word, total=double)
cdef double judge(Mind* q, Table* t, int tiles, int paths, int ends, int core, int core_ends, int startable, int quiet, Word display_low, Word display_high, int moment) noexcept nogil
cdef int beside(Mind* q, int tiles) noexcept nogil
cdef double judge_hand(Mind* q, Table* t, int tiles, int laid, Word display_low, Word display_high, int moment) noexcept nogil
cdef double judge_with(Mind* q, Table* t, int tiles, int laid, Word display_low, Word display_high, int moment) noexcept nogil

cdef double judge_seat(Mind* q, Table* t, int seat, int moment) noexcept nogil
cpdef double chance_of(double value) noexcept

cdef int look(Mind* q, Table* t, int cell) noexcept nogil
cdef int may_begin(Table* t, int cell) noexcept nogil
cdef void find_chains(Mind* q, Table* t, int earning) noexcept nogil
cdef void chains_at(Mind* q, Table* t, int cell, int rest, int bonus, int earning) noexcept nogil
cdef void note_chain(Mind* q, int rest, int bonus) noexcept nogil
cdef int lays_all(Mind* q, Table* t, int doubles) noexcept nogil
cdef int out_at(Mind* q, Table* t, int cell, int rest, int bonus, int doubles) noexcept nogil
cdef void keep_out(Mind* q) noexcept nogil
cdef int out_again(Mind* q, Table* t, int rest) noexcept nogil

cdef void ask_worth(Mind* q, int tiles) noexcept nogil
cdef void option(Mind* q, int kind, int one, int other, double value) noexcept nogil
cdef void weigh(Mind* q, Table* t) noexcept nogil
@cython.locals(value=double, best=double)
cdef void weigh_draw(Mind* q, Table* t) noexcept nogil
@cython.locals(value=double, best=double)
cdef void weigh_swaps(Mind* q, Table* t, int tile) noexcept nogil
@cython.locals(value=double, best=double)
cdef void weigh_lays(Mind* q, Table* t) noexcept nogil
cdef int best_option(Mind* q) noexcept nogil
cdef void do_option(Mind* q, Table* t, int number) noexcept nogil
cdef void play_on(Mind* q, Table* t) noexcept nogil

cdef void settle(Mind* q, Table* t, int seat) noexcept nogil
cdef void unready(Mind* q, Table* t, int seat) noexcept nogil
@cython.locals(value=double, best=double)
cdef void improve(Mind* q, Table* t, int seat, int place) noexcept nogil

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
