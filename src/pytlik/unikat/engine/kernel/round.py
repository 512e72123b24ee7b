# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The kernel as a class that Python code uses: Round."""

COMPILED = not __file__.endswith(".py")

if not COMPILED:
    from pytlik.unikat.engine.kernel.deals import *
    from pytlik.unikat.engine.kernel.steps import *

STEP_OBJECTS = list(range(STEPS))
"""The numbers as Python objects, so that `legal` needn't create them."""


def scramble_seed(seed: int) -> int:
    """A word that depends on every bit of the seed, so that close seeds give different streams."""
    word = 0
    while True:
        word = (word + seed + 0x9E3779B97F4A7C15) % (1 << 64)
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % (1 << 64)
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % (1 << 64)
        word ^= word >> 31
        seed >>= 64
        if seed in (0, -1):
            return word


def random_games(players: int, games: int, seed: int) -> tuple[int, list[int]]:
    """Play whole rounds of random steps. Returns how many steps they took, and how many rounds each
    seat won."""
    game = Round()
    t = game.table
    t.chance = scramble_seed(seed)
    wins = [0] * players
    steps = 0
    for number in range(games):
        deal_round(t, players, number % players)
        steps += play_random_steps(t)
        for seat in range(players):
            if t.winners >> seat & 1:
                wins[seat] += 1
    return steps, wins


class Round:
    """A round that is being played. `kernel_bridge` makes one from a State or a View."""

    def __cinit__(self) -> None:
        self.table = new_table()
        t = self.table
        t.blocked_empty = 2
        t.blocked_any = 20
        clear(t, 2)
        self.origin = (0, 0)

    def __init__(self) -> None:
        if not COMPILED:
            self.__cinit__()

    def __dealloc__(self) -> None:
        free_table(self.table)

    def set_options(self, *, continues: bool, blocked: tuple[int, int]) -> None:
        """Whether an extra lay must continue from the last tile (U10), and after how many turns
        per player without a lay the round ends, with an empty bag and with any bag (U16)."""
        self.table.continues = continues
        self.table.blocked_empty, self.table.blocked_any = blocked

    def copy(self) -> "Round":
        other = Round()
        copy_table(self.table, other.table)
        other.origin = self.origin
        return other

    def copy_from(self, other: "Round") -> None:
        """Become the same as another one, without creating an object."""
        copy_table(other.table, self.table)
        self.origin = other.origin

    def seed(self, seed: int) -> None:
        """Set the state of the random numbers."""
        self.table.chance = scramble_seed(seed)

    def deal(self, players: int, starter: int = 0) -> None:
        """Begin a new round. It is shuffled by the kernel, not by `pytlik.chance`."""
        if not 2 <= players <= 4 or not 0 <= starter < players:
            raise ValueError("2 to 4 can play, and one of them begins")
        self.origin = (0, 0)
        deal_round(self.table, players, starter)

    def guess(self, seat: int) -> None:
        """Shuffle what a seat may not know; -1 is a spectator."""
        guess_unknown(self.table, seat)

    def legal(self) -> list[int]:
        """The legal steps, in no particular order."""
        return objects_at(STEP_OBJECTS, LEGAL_STEPS, find_legal_steps(self.table))

    def legal_mask(self) -> bytearray:
        """2,756 bytes: 1 for each legal step, 0 for every other step."""
        mask = bytearray(STEPS)
        for place in range(find_legal_steps(self.table)):
            mask[LEGAL_STEPS[place]] = 1
        return mask

    def is_legal(self, number: int) -> bool:
        return bool(is_legal_step(self.table, number))

    def step(self, number: int) -> None:
        if not is_legal_step(self.table, number):
            raise ValueError(f"step {number} is not legal now")
        do_step(self.table, number)

    def lay_step(self, tile: int, x: int, y: int) -> int:
        """The step that lays a tile at x, y, or -1 if there is none."""
        left, top = self.origin
        if abs(x - left) > TILES or abs(y - top) > TILES:
            return -1
        what = self.table.at[self.cell_at(x, y)]
        number = lay_number(self.table, tile, what - EDGE) if what >= EDGE else -1
        return number if is_legal_step(self.table, number) else -1

    def cell_at(self, x: int, y: int) -> int:
        left, top = self.origin
        return (START_CELL + x - left + 128 * (y - top)) & CELL_MASK

    def play_randomly(self) -> None:
        """Play random steps to the end of the round."""
        play_random_steps(self.table)

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def to_move(self) -> int:
        return self.table.to_move

    @property
    def phase(self) -> int:
        return self.table.phase

    @property
    def is_over(self) -> bool:
        return self.table.phase == OVER

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the round, once it is over."""
        return tuple(seat for seat in range(self.players) if self.table.winners >> seat & 1)

    @property
    def ended(self) -> int:
        """LAST_TILE or BLOCKED, once it is over."""
        return self.table.ended

    @property
    def laid(self) -> bool:
        return self.table.laid != 0

    @property
    def quiet_turns(self) -> int:
        return self.table.quiet

    @property
    def given(self) -> int:
        """While TAKING, the tile that the swap gives."""
        return self.table.given

    @property
    def hands(self) -> list[list[int]]:
        t = self.table
        return [
            [t.hand[seat * 12 + place] for place in range(t.hand_count[seat])]
            for seat in range(t.players)
        ]

    @property
    def known(self) -> list[list[int]]:
        """For each hand, the tiles that everyone has seen going into it (U18)."""
        t = self.table
        return [
            [
                tile
                for tile in range(TILES)
                if t.known_low[seat] & LOW[tile] or t.known_high[seat] & HIGH[tile]
            ]
            for seat in range(t.players)
        ]

    @property
    def display(self) -> list[int]:
        return [self.table.display[place] for place in range(self.table.display_count)]

    @property
    def bag(self) -> list[int]:
        """In drawing order."""
        return [self.table.bag[place] for place in range(self.table.bag_next, self.table.bag_end)]

    @property
    def board(self) -> list[tuple[int, int, int]]:
        """The tiles on the table as they were laid: x, y, tile."""
        t = self.table
        order = [t.order[place] for place in range(t.stones)]
        found = {order[0]: self.origin}
        reached = [order[0]]
        for tile in reached:
            x, y = found[tile]
            for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                what = t.at[(t.place[tile] + SIDE_OFFSETS[side]) & CELL_MASK]
                if is_tile(what) and what - 1 not in found:
                    found[what - 1] = (x + dx, y + dy)
                    reached.append(what - 1)
        return [(*found[tile], tile) for tile in order]

    def load(
        self,
        *,
        board: list[tuple[int, int, int]],
        hands: list[list[int]],
        known: list[list[int]],
        display: list[int],
        bag: list[int],
        to_move: int,
        phase: int,
        laid: bool,
        quiet_turns: int,
        winners: tuple[int, ...] = (),
        ended: int = 0,
    ) -> None:
        """Become a given round. It must be possible: nothing is checked here."""
        t = self.table
        clear(t, len(hands))
        self.origin = (board[0][0], board[0][1])
        for x, y, tile in board:
            t.last = self.cell_at(x, y)
            put(t, tile, t.last)
        for seat, tiles in enumerate(hands):
            for tile in tiles:
                add_to_hand(t, seat, tile)
            for tile in known[seat]:
                t.known_low[seat] |= LOW[tile]
                t.known_high[seat] |= HIGH[tile]
        for tile in display:
            add_to_display(t, tile)
        t.bag_end = len(bag)
        for place, tile in enumerate(bag):
            t.bag[place] = tile
        t.to_move = to_move
        t.phase = phase
        t.laid = laid
        t.quiet = quiet_turns
        t.winners = sum(1 << seat for seat in winners)
        t.ended = ended
