"""What a seat sees of a round of Unikat, as one row of small numbers (U18).

Nothing in it depends on what the seat may not know. Seats are counted clockwise from the observing
one. LAYOUT says where each part is.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from pytlik.extras import explain_missing_extra

with explain_missing_extra("pettingzoo"):
    import numpy as np
    from numpy.typing import NDArray

from pytlik.unikat.engine.kernel import (
    ACTION,
    BONUS,
    CHAIN,
    GIVE,
    OVER,
    STOP,
    TAKE,
    TAKING,
    Round,
    tile_laid,
)
from pytlik.unikat.engine.kernel_bridge import arguments_for_load, new_round
from pytlik.unikat.model import TILES, Options

ObservationRow = NDArray[np.uint8]

TILE_COUNT = len(TILES)
MAX_SEATS = 4
PHASE_COUNT = 6

PART_SIZES = {
    "hand": TILE_COUNT,
    "display": TILE_COUNT,
    "given": TILE_COUNT,  # the tile that a swap has given, which can't be taken back
    "table": TILE_COUNT,
    "last": TILE_COUNT,  # the tile that was laid last
    "beside": GIVE,  # numbered like lays: that partner lies on that side of that tile
    "known": 3 * TILE_COUNT,  # in other hands, what everyone saw going there; all, once it's over
    "counts": MAX_SEATS,  # tiles in each hand
    "to_move": MAX_SEATS,
    "phase": PHASE_COUNT,  # action, in a chain, extra action, in a swap, draw, over
    "extra": 1,  # the chain being laid is an extra action
    "earned": 1,  # if the chain ended now, an extra action would follow
    "laid": 1,  # a chain was laid in this turn
    "bag": 1,
    "quiet": 1,  # finished turns in a row without a lay, at most 255
    "players": 1,
}
PART_ENDS = dict(zip(PART_SIZES, accumulate(PART_SIZES.values()), strict=True))
LAYOUT = {name: slice(PART_ENDS[name] - size, PART_ENDS[name]) for name, size in PART_SIZES.items()}
OBSERVATION_SIZE = sum(PART_SIZES.values())

(
    DISPLAY_START,
    GIVEN_START,
    TABLE_START,
    LAST_START,
    BESIDE_START,
    KNOWN_START,
    COUNTS_START,
    TO_MOVE_START,
    PHASE_START,
    NUMBERS_START,
) = (LAYOUT[name].start for name in list(PART_SIZES)[1:11])
"""Where all parts after the hand begin; from "extra" on each is a single number."""

LAY_STEPS = {(step >> 5, tile_laid(step), step & 3): step for step in range(GIVE)}
SIDE_OFFSETS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west."""


class Neighbours:
    """Which tile lies beside which. Updated step by step, because asking the kernel is slower."""

    def __init__(self, round_: Round) -> None:
        self.row: ObservationRow = np.zeros(OBSERVATION_SIZE, np.uint8)
        """A row in which only the parts "table" and "beside" are filled in."""
        self.place: dict[int, tuple[int, int]] = {}
        self.tile: dict[tuple[int, int], int] = {}
        self.last = 0
        for x, y, tile in round_.board:
            self.put(tile, x, y)

    def put(self, tile: int, x: int, y: int) -> None:
        self.place[tile] = (x, y)
        self.tile[x, y] = tile
        self.row[TABLE_START + tile] = 1
        self.last = tile
        for side, (dx, dy) in enumerate(SIDE_OFFSETS):
            near = self.tile.get((x + dx, y + dy))
            if near is not None:
                self.row[BESIDE_START + LAY_STEPS[tile, near, side]] = 1
                self.row[BESIDE_START + LAY_STEPS[near, tile, side ^ 2]] = 1

    def copy(self) -> "Neighbours":
        other = Neighbours.__new__(Neighbours)
        other.row, other.last = self.row.copy(), self.last
        other.place, other.tile = self.place.copy(), self.tile.copy()
        return other

    def apply_step(self, step: int) -> None:
        """Update the table after a step; only lays change it."""
        if step < GIVE:
            x, y = self.place[step >> 5]
            dx, dy = SIDE_OFFSETS[step & 3]
            self.put(tile_laid(step), x + dx, y + dy)


def observe(round_: Round, table: Neighbours, seat: int, *, extra: bool = False) -> ObservationRow:
    """What a seat sees. `extra` means that the chain being laid is an extra action.

    In the middle of an action this is for the seat that acts: whether a chain can go on depends on
    its hand. The others see an action once it's done, as in a View.
    """
    row = table.row.copy()
    players, phase, hands = round_.players, round_.phase, round_.hands
    shown = hands if phase == OVER else round_.known
    counts = [len(hands[seat]), 0, 0, 0]
    # Set all ones at once: each access to an array takes as long as reading many numbers.
    ones = [
        *hands[seat],
        *(DISPLAY_START + tile for tile in round_.display),
        LAST_START + table.last,
    ]
    for further in range(1, players):
        other = (seat + further) % players
        first = KNOWN_START + (further - 1) * TILE_COUNT
        ones += [first + tile for tile in shown[other]]
        counts[further] = len(hands[other])
    ones += (TO_MOVE_START + (round_.to_move - seat) % players, PHASE_START + phase)
    if phase == TAKING:
        ones.append(GIVEN_START + round_.given)
    row[ones] = 1
    row[COUNTS_START:TO_MOVE_START] = counts
    row[NUMBERS_START:] = (
        extra and phase == CHAIN,
        would_earn_bonus(round_),
        round_.laid,
        len(round_.bag),
        min(round_.quiet_turns, 255),
        players,
    )
    return row


def would_earn_bonus(round_: Round) -> bool:
    """Would an extra action follow, if the chain ended now?"""
    if round_.phase != CHAIN:
        return False
    after = round_.copy()
    after.step(STOP)
    return after.phase == BONUS


class ObservedRound:
    """A round played step by step, with what each seat sees of it."""

    def __init__(self, round_: Round, options: Options = Options()) -> None:
        self.round = round_
        self.options = options
        self.table = Neighbours(round_)
        self.extra = False
        self.steps: list[int] = []
        """The steps done since the start."""
        self._start = round_.copy()
        self.before = round_.copy()
        """The round before the action that is under way."""

    def __deepcopy__(self, _memo: object) -> "ObservedRound":
        other = ObservedRound.__new__(ObservedRound)
        other.__dict__.update(self.__dict__)
        other.round, other.before = self.round.copy(), self.before.copy()
        other.table = self.table.copy()
        other.steps = self.steps.copy()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        # The kernel's round can't be pickled, but it can be replayed.
        return replay_steps, (self.options, arguments_for_load(self._start), self.steps)

    def apply_step(self, step: int) -> None:
        """Do a step. Raises ValueError if it isn't legal."""
        round_ = self.round
        phase = round_.phase
        if phase in (ACTION, BONUS) and step < TAKE:
            self.before.copy_from(round_)
            self.extra = phase == BONUS
        round_.step(step)
        self.steps.append(step)
        self.table.apply_step(step)

    def observe(self, seat: int) -> ObservationRow:
        if self.is_mid_action and seat != self.round.to_move:
            return observe(self.before, Neighbours(self.before), seat)
        return observe(self.round, self.table, seat, extra=self.extra)

    @property
    def is_mid_action(self) -> bool:
        """Whether an action is under way."""
        return self.round.phase in (CHAIN, TAKING)


def replay_steps(options: Options, start: dict[str, Any], steps: Iterable[int]) -> ObservedRound:
    """The round from this start, after these steps."""
    round_ = new_round(options)
    round_.load(**start)
    play = ObservedRound(round_, options)
    for step in steps:
        play.apply_step(step)
    return play
