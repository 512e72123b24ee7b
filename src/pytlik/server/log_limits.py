"""How much of a match's log one seat can fill in a round.

The rules let a seat move pieces about for as long as the sand runs, and swap tiles for as long as
somebody lays one now and then. Nobody gets near these numbers by playing. Whoever reaches one can
still do what brings the round to its end, and nobody else is held up: other seats have numbers of
their own, and clocks and bots have none.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from pytlik.game import Illegal, Reason, Seat
from pytlik.ubongo.messages import (
    CardSolved,
    ClocksShifted,
    CountdownBegan,
    PieceLifted,
    PiecePlaced,
)
from pytlik.ubongo.reasons import UbongoReason
from pytlik.unikat.legal import can_lay
from pytlik.unikat.messages import RoundDealt, TileSwapped
from pytlik.unikat.reasons import UnikatReason

MOST_MOVES = 1_000
"""Pieces placed or lifted by one seat in a round of Ubongo. After that only a piece that solves the
card may be placed."""

MOST_SWAPS = 100
"""Swaps by one seat in a round of Unikat. Whoever can't lay still may."""

MOST_PAUSES = 50
"""Pauses in a round of Ubongo, where each moves the clocks. To go on is always possible."""

MOST_BLOCKED = 100
"""Turns a player without a lay that a table may choose for U16. The rules would take ten times as
many."""

REPEATED = (PiecePlaced, PieceLifted, TileSwapped)
ROUND_BEGINS = (CountdownBegan, RoundDealt)


class Tally(msgspec.Struct, frozen=True):
    """How often something was done in the round that is played."""

    by_seat: dict[Seat, int] = {}
    """Pieces moved, or tiles swapped."""
    pauses: int = 0


def count(tally: Tally, events: Iterable[Any]) -> Tally:
    """The tally after some events more."""
    by_seat, pauses = dict(tally.by_seat), tally.pauses
    for event in events:
        if isinstance(event, REPEATED):
            by_seat[event.seat] = by_seat.get(event.seat, 0) + 1
        elif isinstance(event, ClocksShifted):
            pauses += 1
        elif isinstance(event, ROUND_BEGINS):
            by_seat, pauses = {}, 0
    return Tally(by_seat, pauses)


def check_person(tally: Tally, state: Any, seat: Seat, events: list[Any]) -> None:
    """Raise Illegal if what a person asks for, which leads to these events, is once too often."""
    done = tally.by_seat.get(seat, 0)
    match events[0]:
        case PiecePlaced() | PieceLifted() if done >= MOST_MOVES:
            if not any(isinstance(event, CardSolved) for event in events):
                raise Illegal(UbongoReason.TOO_MANY_MOVES, most=MOST_MOVES)
        case TileSwapped() if done >= MOST_SWAPS:
            # After a lay in the same turn the swap is the turn's extra action, and does no harm.
            if not state.laid and can_lay(state):
                raise Illegal(UnikatReason.TOO_MANY_SWAPS, most=MOST_SWAPS)
        case _:
            pass


def check_pause(tally: Tally) -> None:
    if tally.pauses >= MOST_PAUSES:
        raise Illegal(Reason.TOO_MANY_PAUSES, most=MOST_PAUSES)
