"""Pure-Python stand-ins for what the .pxd files declare, used where nothing is compiled.

Names and fields are the same; the .pxd files say what the fields mean.
"""

TILES = 81

ACTION, CHAIN, BONUS, TAKING, DRAW, OVER = range(6)
"""The phases: CHAIN is in the middle of a lay, TAKING in the middle of a swap."""

GIVE = 2592
TAKE = GIVE + TILES
BAG = TAKE + TILES
STOP = BAG + 1
STEPS = STOP + 1
"""Where each kind of step begins, and how many steps there are."""

MOST_LAYOUTS = 128

LAST_TILE, BLOCKED = 1, 2
"""How a round ends."""

CELL_MASK = 128 * 128 - 1
"""A cell is (x + 128 y) & CELL_MASK."""
SIDE_OFFSETS = [-128, 1, 128, -1]
"""From a cell to those north, east, south, west of it."""
START_CELL = 64 * 128 + 64
EDGE = 82
EDGES = 168
"""n tiles have at most 2n + 2 empty cells next to them, and there are 81 tiles."""

HALF_WORD_MASK = (1 << 32) - 1
WORD_MASK = (1 << 64) - 1
PCG_FACTOR = 6364136223846793005
PCG_ADDEND = 1442695040888963407


class Table:
    """A round, with everything that is hidden from the seats."""

    def __init__(self) -> None:
        self.chance = 0
        self.edge_low = [0] * EDGES
        self.edge_high = [0] * EDGES
        self.hand_low = [0] * 4
        self.hand_high = [0] * 4
        self.known_low = [0] * 4
        self.known_high = [0] * 4
        self.edge_cell = [0] * EDGES
        self.place = [0] * 81
        self.fits = [0] * 81
        self.order = [0] * 81
        self.index = [0] * 81
        self.hand = [0] * 48
        self.hand_count = [0] * 4
        self.display = [0] * 81
        self.bag = [0] * 81
        self.edges = self.stones = self.display_count = self.bag_next = self.bag_end = 0
        self.players = self.to_move = self.phase = self.laid = self.quiet = 0
        self.extra = self.earned = self.given = self.last = 0
        self.winners = self.ended = self.continues = self.blocked_empty = self.blocked_any = 0
        self.hidden = [0] * 4
        self.at = [0] * (CELL_MASK + 1)


class Search:
    """Working memory of a search."""

    def __init__(self) -> None:
        self.count = self.nodes = self.longest = self.split = self.length = self.chains = 0
        self.starts = self.wanted = self.layouts = self.most_layouts = 0
        self.tile = [0] * 16
        self.place = [0] * 81
        self.touch = [0] * 16
        self.path = [0] * 65536
        self.two_key = [0] * 65536
        self.two = [0] * 65536
        self.best_tile = [0] * 32
        self.best_cell = [0] * 32
        self.chain_tile = [0] * 32
        self.chain_cell = [0] * 32
        self.way_tile = [0] * 8192
        self.way_cell = [0] * 8192
        self.way_bound = [0] * 8192
        self.way_key = [0] * 8192
        self.start_cell = [0] * 168
        self.parent = [0] * 16384
        self.end_tile = [0] * 16384
        self.end_cell = [0] * 16384
        self.left = [0] * 16384
        self.bonus = [0] * 16384
        self.slot = [0] * 16384
        self.seen = [0] * 32768
        self.layout = [0] * 12 * (MOST_LAYOUTS + 1)


def new_search() -> Search:
    return Search()


def new_table() -> Table:
    return Table()


def free_table(table: Table) -> None:
    """Do nothing: Python frees unused memory itself."""


def copy_table(source: Table, target: Table) -> None:
    for name, value in vars(source).items():
        setattr(target, name, value.copy() if isinstance(value, list) else value)


def count_bits(bits: int) -> int:
    return bits.bit_count()


def lowest_bit(bits: int) -> int:
    """The index of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


def is_tile(what: int) -> int:
    """Does this content of a cell mean a tile?"""
    return 0 < what < EDGE


def must_touch_last(t: Table) -> int:
    """Whether the next tile must lie next to the last one: within a chain (U9), and in an extra
    action that has to continue it (U10)."""
    return t.phase == CHAIN or (t.phase == BONUS and t.continues)


def random_below(t: Table, n: int) -> int:
    """A random number from 0 to n - 1: PCG (XSH-RS), scaled by a multiplication."""
    x = (t.chance * PCG_FACTOR + PCG_ADDEND) & WORD_MASK
    t.chance = x
    return (((((x >> 22) ^ x) >> (22 + (x >> 61))) & HALF_WORD_MASK) * n) >> 32


def objects_at(objects: list[int], places: list[int], count: int) -> list[int]:
    """The objects at the first `count` of these places."""
    return [objects[place] for place in places[:count]]
