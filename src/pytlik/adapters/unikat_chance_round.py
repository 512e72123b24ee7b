"""A round of Unikat in which chance is a player: the deal and every tile from the bag are its
moves, and each seat has a story of what it has seen.

The kernel's bag has an order. Here chance decides the order as it goes: if it brings another tile
than the kernel would, the kernel's round is loaded again.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pytlik.adapters.unikat_observation import SIDE_OFFSETS
from pytlik.adapters.unikat_steps import NAMES
from pytlik.unikat.engine.kernel import (
    ACTION,
    BAG,
    BONUS,
    CHAIN,
    DRAW,
    GIVE,
    OVER,
    STOP,
    TAKE,
    Round,
    tile_laid,
)
from pytlik.unikat.engine.kernel_bridge import arguments_for_load, new_round
from pytlik.unikat.model import DISPLAY_SIZE, HAND_SIZE, TILES, Options

CHANCE = -1
NOBODY = -2
"""Who moves if it isn't a seat: chance, and nobody after the end."""

ALL_TILE_NUMBERS = range(len(TILES))

CHAIN_END_OFFSET = 10_000
"""In a log, this plus a phase means that a chain has ended, and that phase followed."""

PHASE_NAMES = ("action", "chain", "bonus", "taking", "draw", "over")

UniformRandom = Callable[[], float]
"""Returns a random number from 0 to 1, uniformly distributed."""


class RoundSetup(NamedTuple):
    """What doesn't change during a round."""

    players: int
    starter: int = 0
    options: Options = Options()

    @property
    def dealt_count(self) -> int:
        """How many tiles are dealt: hands, display, start tile (U3)."""
        return HAND_SIZE * self.players + DISPLAY_SIZE + 1


class ImpossibleDeal(Exception):
    """A made-up deal doesn't fit what happened afterwards."""


class ChanceRound:
    """A round from its deal on, or from a given moment."""

    def __init__(self, setup: RoundSetup, start: Round | None = None, foreseen: Sequence[int] = ()):
        """`start` replaces the deal. `foreseen` is the beginning of the kernel's bag: tiles that
        are known to come needn't be loaded again."""
        self.setup = setup
        self.start = start
        self.round: Round | None = None
        self.log: list[int] = []
        """Steps; tiles that chance brought, as ~tile; and where chains have ended."""
        self.histories = [""] * setup.players
        self.foreseen = foreseen
        self.dealt: list[int] = []
        self.due = 0
        self.extra = False
        self.action_at = 0
        """How long the log was when the latest action began."""
        self.before: ChanceRound | None = None
        """The round at that point, if it was needed."""
        if start is not None:
            self._set_round(start.copy())
            public = describe_public(start)
            self.histories = [
                f"from {public} hand {join_tile_codes(sorted(hand))};" for hand in start.hands
            ]

    def copy(self) -> "ChanceRound":
        other = ChanceRound.__new__(ChanceRound)
        other.__dict__.update(self.__dict__)
        other.round = self.round.copy() if self.round else None
        other.log = self.log.copy()
        other.histories = self.histories.copy()
        other.dealt = self.dealt.copy()
        if self.round:
            other.board = self.board.copy()
            other.place = self.place.copy()
        return other

    def __deepcopy__(self, _memo: object) -> "ChanceRound":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # The kernel's round can't be pickled, but it can be replayed.
        return restore_pickled, (
            self.setup,
            None if self.start is None else arguments_for_load(self.start),
            self.log,
        )

    @property
    def kernel_round(self) -> Round:
        """The kernel's round, once the deal is done."""
        assert self.round is not None
        return self.round

    @property
    def to_move(self) -> int:
        if self.round is None or self.due:
            return CHANCE
        return NOBODY if self.round.is_over else self.round.to_move

    def apply_step_or_tile(self, step_or_tile: int) -> None:
        """Apply a step of the seat to move, or a tile that chance brings, whichever is due."""
        if self.to_move == CHANCE:
            self.apply_chance_tile(step_or_tile)
        else:
            self.apply_seat_step(step_or_tile)

    def possible_tiles(self) -> list[int]:
        """The tiles that chance may bring, each as likely as any other."""
        tiles = ALL_TILE_NUMBERS if self.round is None else sorted(self.round.bag)
        return [tile for tile in tiles if tile not in self.dealt]

    def apply_chance_tile(self, tile: int) -> None:
        """Bring a tile, for the deal or out of the bag. Raises ValueError if it isn't there."""
        left = ALL_TILE_NUMBERS if self.round is None else self.round.bag
        if tile not in left or tile in self.dealt:
            raise ValueError(f"chance can't bring tile {tile} now")
        self.log.append(~tile)
        self.dealt.append(tile)
        if self.round is None:
            count = len(self.dealt)
            if count <= HAND_SIZE * self.setup.players:
                self.histories[(count - 1) // HAND_SIZE] += f" ={TILES[tile]}"
            else:
                sign = "@" if count == self.setup.dealt_count else "*"
                self._add_to_all_histories(f" {sign}{TILES[tile]}")
            if len(self.dealt) == self.setup.dealt_count:
                self._deal()
        elif len(self.dealt) == self.due:
            self._finish_draw()

    def _deal(self) -> None:
        players, dealt = self.setup.players, self.dealt
        gone = {*dealt, *self.foreseen}
        rest = [tile for tile in range(len(TILES)) if tile not in gone]
        round_ = new_round(self.setup.options)
        round_.load(
            board=[(0, 0, dealt[-1])],
            hands=[dealt[HAND_SIZE * s : HAND_SIZE * (s + 1)] for s in range(players)],
            known=[[] for _ in range(players)],
            display=dealt[HAND_SIZE * players : -1],
            bag=[*self.foreseen, *rest],
            to_move=self.setup.starter,
            phase=ACTION,
            laid=False,
            quiet_turns=0,
        )
        self.dealt = []
        self._set_round(round_)
        self._add_to_all_histories(f" p{self.setup.starter}")

    def _set_round(self, round_: Round) -> None:
        self.round = round_
        self.board = round_.board
        self.place = {tile: (x, y) for x, y, tile in self.board}

    def _finish_draw(self) -> None:
        """Finish the step that waited for tiles, now that chance has brought them."""
        round_ = self.kernel_round
        drawn, self.dealt, self.due = self.dealt, [], 0
        bag = round_.bag
        if bag[: len(drawn)] != drawn:
            rest = [tile for tile in bag if tile not in drawn]
            # We have the board already, and asking the kernel for it is slow.
            round_.load(**arguments_for_load(round_, board=self.board, bag=[*drawn, *rest]))
        if self.asked == BAG:
            self.histories[round_.to_move] += f" ={TILES[drawn[0]]}"
        else:
            self._add_to_all_histories("".join(f" *{TILES[tile]}" for tile in drawn))
        self._apply_kernel_step(self.asked)

    def apply_seat_step(self, step: int) -> None:
        """Do a step of the seat to move. Raises ValueError if it isn't legal."""
        round_ = self.kernel_round
        phase = round_.phase
        if not round_.is_legal(step):
            raise ValueError(f"step {step} is not legal now")
        if phase in (ACTION, BONUS):
            self.action_at = len(self.log)
            self.extra = phase == BONUS
        if step == STOP and phase == CHAIN:
            # Whether a chain must end here depends on a hand, which others may not know. So only
            # its owner's story has the step; the log has the end in either case.
            self.histories[round_.to_move] += " stop"
        else:
            self.log.append(step)
            self._add_to_all_histories(f" {NAMES[step]}")
        self.due = count_draws(round_, step)
        if self.due:
            self.asked = step
        else:
            self._apply_kernel_step(step)

    def _apply_kernel_step(self, step: int) -> None:
        round_ = self.kernel_round
        phase, seat = round_.phase, round_.to_move
        if step < GIVE:
            x, y = self.place[step >> 5]
            dx, dy = SIDE_OFFSETS[step & 3]
            tile = tile_laid(step)
            self.place[tile] = (x + dx, y + dy)
            self.board.append((x + dx, y + dy, tile))
        round_.step(step)
        after = round_.phase
        if after != CHAIN and (step < GIVE or phase == CHAIN):
            self.log.append(CHAIN_END_OFFSET + after)
        if after == BONUS:
            self._add_to_all_histories(" bonus")
        elif round_.to_move != seat and after != OVER:
            self._add_to_all_histories(f" p{round_.to_move}")

    def _add_to_all_histories(self, what: str) -> None:
        self.histories = [story + what for story in self.histories]


def count_draws(round_: Round, step: int) -> int:
    """How many tiles a step brings out of the bag."""
    if step == BAG:
        return 1
    if TAKE <= step < BAG and round_.phase == DRAW and len(round_.display) == 1:
        return min(DISPLAY_SIZE, len(round_.bag))  # U14
    return 0


def steps_and_tiles_from_log(chance_round: ChanceRound, log: Sequence[int]) -> Iterator[int]:
    """The steps and tiles that repeat a log. The caller has to apply each one before asking for the
    next. Raises ImpossibleDeal if a step isn't legal."""
    for entry in log:
        if entry < 0:
            yield ~entry
            continue
        round_ = chance_round.kernel_round
        if entry < CHAIN_END_OFFSET:
            if not round_.is_legal(entry):
                raise ImpossibleDeal
            yield entry
            continue
        if round_.phase == CHAIN:
            yield STOP
        if round_.phase != entry - CHAIN_END_OFFSET:
            raise ImpossibleDeal


def replay_log(setup: RoundSetup, start: Round | None, log: Sequence[int]) -> ChanceRound:
    """The round that a log leads to."""
    chance_round = ChanceRound(
        setup, start, [~entry for entry in log if entry < 0][setup.dealt_count :]
    )
    for step_or_tile in steps_and_tiles_from_log(chance_round, log):
        chance_round.apply_step_or_tile(step_or_tile)
    return chance_round


def restore_pickled(
    setup: RoundSetup, start: dict[str, Any] | None, log: Sequence[int]
) -> ChanceRound:
    if start is None:
        return replay_log(setup, None, log)
    round_ = new_round(setup.options)
    round_.load(**start)
    return replay_log(setup, round_, log)


def join_tile_codes(tiles: Sequence[int]) -> str:
    return ",".join(TILES[tile] for tile in tiles)


def describe_public(round_: Round) -> str:
    """What everyone may know."""
    over = round_.phase == OVER
    shown = round_.hands if over else round_.known
    hands = " ".join(
        f"p{seat}:{len(hand)}({join_tile_codes(sorted(tiles))})"
        for seat, (hand, tiles) in enumerate(zip(round_.hands, shown, strict=True))
    )
    table = " ".join(f"{x},{y}:{TILES[tile]}" for x, y, tile in round_.board)
    return (
        f"p{round_.to_move} {PHASE_NAMES[round_.phase]} laid:{int(round_.laid)}"
        f" quiet:{round_.quiet_turns} {hands} bag:{len(round_.bag)}"
        f" display {join_tile_codes(sorted(round_.display))} table {table}"
    )
