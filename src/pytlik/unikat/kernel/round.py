# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What Python holds of the kernel: a round, and what can be asked of one."""

from typing import NamedTuple

COMPILED = not __file__.endswith(".py")

if not COMPILED:
    from pytlik.unikat.kernel.deals import *
    from pytlik.unikat.kernel.numbers import *
    from pytlik.unikat.kernel.policies import *

NUMBERS = list(range(STEPS))
"""The numbers as objects, which are not made anew each time."""


def mixed(seed: int) -> int:
    """A word in which every bit of the seed matters, so that near seeds give far streams."""
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
    """Whole rounds of random steps: how many steps they took, and how many each seat won."""
    game = Round()
    t = game.table
    t.chance = mixed(seed)
    wins = [0] * players
    steps = 0
    for number in range(games):
        deal_round(t, players, number % players)
        steps += random_steps(t)
        for seat in range(players):
            if t.winners >> seat & 1:
                wins[seat] += 1
    return steps, wins


def cover(tiles: list[int]) -> int:
    """The fewest chains that lay all these tiles, at most 16, if places don't matter."""
    if len(tiles) > 16:
        raise ValueError("at most 16 tiles")
    SEARCH.count = len(tiles)
    for place, tile in enumerate(tiles):
        SEARCH.tile[place] = tile
    everything = link(SEARCH)
    fill_covers(SEARCH)
    return SEARCH.cover[everything]


class Chain(NamedTuple):
    """A chain that may be laid, and what comes of it."""

    steps: tuple[int, ...]
    left: tuple[int, ...]
    """The tiles that stay in the hand."""
    bonus: bool
    """Whether it earns a double turn, if it is the turn's first action."""
    cover: int
    """The fewest chains that would lay the tiles left, if places don't matter."""


class Round:
    """A round that is being played. `pytlik.unikat.steps` makes one from a State or a View."""

    def __cinit__(self) -> None:
        self.table = new_table()
        t = self.table
        t.blocked_empty = 2
        t.blocked_any = 20
        self.set_weights(10, -3, 0, 4, 6)
        clear(t, 2)
        self.origin = (0, 0)

    def __init__(self) -> None:
        if not COMPILED:
            self.__cinit__()

    def __dealloc__(self) -> None:
        drop_table(self.table)

    def set_options(self, *, continues: bool, blocked: tuple[int, int]) -> None:
        """U10: where a lay as the extra action may begin. U16: turns a player without a lay that
        end the round, with an empty bag and with any."""
        self.table.continues = continues
        self.table.blocked_empty, self.table.blocked_any = blocked

    def set_weights(self, cover: int, tile: int, drawn: int, unseen: int, extra: int) -> None:
        """What the patient policy weighs: each chain that it takes to cover the hand, each tile in
        it, a tile to be drawn, one that comes unseen in a swap, and an extra action."""
        t = self.table
        t.weigh_cover = cover
        t.weigh_tile = tile
        t.weigh_drawn = drawn
        t.weigh_unseen = unseen
        t.weigh_extra = extra

    def copy(self) -> "Round":
        other = Round()
        copy_table(self.table, other.table)
        other.origin = self.origin
        return other

    def copy_from(self, other: "Round") -> None:
        """Become the same as another one, without making anything."""
        copy_table(other.table, self.table)
        self.origin = other.origin

    def seed(self, seed: int) -> None:
        """Where chance goes on."""
        self.table.chance = mixed(seed)

    def deal(self, players: int, starter: int = 0) -> None:
        """Begin a new round. The mixing is the kernel's own, not that of `pytlik.chance`."""
        if not 2 <= players <= 4 or not 0 <= starter < players:
            raise ValueError("2 to 4 can play, and one of them begins")
        self.origin = (0, 0)
        deal_round(self.table, players, starter)

    def guess(self, seat: int) -> None:
        """Mix what a seat may not know; -1 is a spectator."""
        mix_unknown(self.table, seat)

    def legal(self) -> list[int]:
        """The legal steps, in no order that means anything."""
        return chosen(NUMBERS, LEGAL, legal_numbers(self.table))

    def legal_mask(self, mask: bytearray) -> None:
        """Write 1 for each legal step and 0 for each other into 2,756 bytes, of any kind that can
        be written to."""
        if len(mask) != STEPS:
            raise ValueError(f"{STEPS} bytes are needed")
        for number in range(STEPS):
            mask[number] = 0
        for place in range(legal_numbers(self.table)):
            mask[LEGAL[place]] = 1

    def is_legal(self, number: int) -> bool:
        return bool(allows(self.table, number))

    def step(self, number: int) -> None:
        if not allows(self.table, number):
            raise ValueError(f"step {number} is not legal now")
        play(self.table, number)

    def lay_step(self, tile: int, x: int, y: int) -> int:
        """The step that lays a tile there, or -1 if there is none."""
        left, top = self.origin
        if abs(x - left) > TILES or abs(y - top) > TILES:
            return -1
        what = self.table.at[(START + x - left + 128 * (y - top)) & AROUND]
        number = lay_number(self.table, tile, what - EDGE) if what >= EDGE else -1
        return number if allows(self.table, number) else -1

    def chains(self, limit: int = 2000) -> tuple[list[Chain], bool]:
        """The chains that may be laid now; of those alike in what they leave, in bonus, and in
        where and with what they end only one. At most so many (16,000), and whether these are
        all."""
        if not 0 < limit <= 16000:
            raise ValueError("1 to 16,000 chains")
        # On a copy, since a search leaves the edge cells in another order.
        game = self.copy()
        complete = search_chains(SEARCH, game.table, limit)
        fill_covers(SEARCH)
        found = []
        for chain in range(SEARCH.chains):
            copy_table(self.table, game.table)
            laid = []
            place = chain
            while place >= 0:
                laid.append((SEARCH.end_tile[place], SEARCH.end_cell[place]))
                place = SEARCH.parent[place]
            left = SEARCH.left[chain]
            found.append(
                Chain(
                    game.laid_steps(laid[::-1]),
                    tuple(SEARCH.tile[place] for place in range(SEARCH.count) if left >> place & 1),
                    SEARCH.bonus[chain] != 0,
                    SEARCH.cover[left],
                )
            )
        return found, bool(complete)

    def laid_steps(self, placed: list[tuple[int, int]]) -> tuple[int, ...]:
        """Lay these tiles on these cells, as a chain; the steps of it."""
        steps = []
        for tile, cell in placed:
            steps.append(lay_number(self.table, tile, self.table.at[cell] - EDGE))
            lay(self.table, tile, cell)
        if self.table.phase == CHAIN:
            steps.append(STOP)
            stop(self.table)
        return tuple(steps)

    def longest_turn(self, nodes: int = 1_000_000) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
        """A turn that lays as many tiles as possible, or what is left to lay of a turn: the steps
        of its chain and of the second one if it earns that, and whether all that is possible was
        seen or ruled out within so many nodes."""
        game = self.copy()
        exact = search_longest(SEARCH, game.table, nodes)
        laid = [(SEARCH.best_tile[n], SEARCH.best_cell[n]) for n in range(SEARCH.found)]
        first = game.laid_steps(laid[: SEARCH.split])
        return first, game.laid_steps(laid[SEARCH.split :]), bool(exact)

    def play_out(self, policies: list[int], limit: int = 100) -> None:
        """Play to the end of the round, with a policy for each seat. `limit` is how many chains a
        policy looks at."""
        if len(policies) != self.players or not set(policies) <= {UNIFORM, EAGER, PATIENT}:
            raise ValueError("each seat needs a policy")
        if not 0 < limit <= 16000:
            raise ValueError("1 to 16,000 chains")
        for seat, policy in enumerate(policies):
            self.table.policy[seat] = policy
        play_to_end(SEARCH, self.table, limit)

    def playouts(
        self, seat: int, games: int, policies: list[int], limit: int = 100
    ) -> tuple[list[float], list[int]]:
        """From here many rounds to the end, each with what the seat may not know made up anew
        (-2: all hands known, only chance differs): the wins of each seat, a shared one in equal
        parts, and the tiles that were left in each hand."""
        game = self.copy()
        wins = [0.0] * self.players
        left = [0] * self.players
        t = game.table
        for _ in range(games):
            chance = t.chance
            copy_table(self.table, t)
            t.chance = chance
            if seat != -2:
                mix_unknown(t, seat)
            game.play_out(policies, limit)
            for other in range(t.players):
                left[other] += t.hand_count[other]
                if t.winners >> other & 1:
                    wins[other] += 1 / ones(t.winners)
        self.table.chance = t.chance
        return wins, left

    def random_step(self) -> None:
        if self.table.phase != OVER:
            do_any(self.table)

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
    def over(self) -> bool:
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
        """Of each hand the tiles that everyone has seen going into it (U18)."""
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
                what = t.at[(t.place[tile] + OFFSET[side]) & AROUND]
                if is_stone(what) and what - 1 not in found:
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
        left, top = board[0][:2]
        self.origin = (left, top)
        for x, y, tile in board:
            t.last = (START + x - left + 128 * (y - top)) & AROUND
            put(t, tile, t.last)
        for seat, tiles in enumerate(hands):
            for tile in tiles:
                into_hand(t, seat, tile)
            for tile in known[seat]:
                t.known_low[seat] |= LOW[tile]
                t.known_high[seat] |= HIGH[tile]
        for tile in display:
            into_display(t, tile)
        t.bag_end = len(bag)
        for place, tile in enumerate(bag):
            t.bag[place] = tile
        t.to_move = to_move
        t.phase = phase
        t.laid = laid
        t.quiet = quiet_turns
        t.winners = sum(1 << seat for seat in winners)
        t.ended = ended
