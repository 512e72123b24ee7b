"""How much of a match's log one seat can fill in a round.

The rules let a seat move pieces about for as long as the sand runs, and swap tiles for as long as
somebody lays one now and then. Each game's `Game.limits` says what is counted, and how much is too
much.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from pytlik.game import AnyGame, Illegal, Seat
from pytlik.protocol.reasons import ServerReason

MAX_PAUSES_PER_ROUND = 50
"""Pauses in a round of a game whose clocks they move. It's always possible to resume."""


class Tally(msgspec.Struct, frozen=True):
    """How often something was done in the current round."""

    by_seat: dict[Seat, int] = {}
    """Events that the game counts."""
    pauses: int = 0


def tally_events(game: AnyGame, tally: Tally, events: Iterable[Any]) -> Tally:
    """The tally after some more events."""
    limits = game.limits
    by_seat, pauses = dict(tally.by_seat), tally.pauses
    for event in events:
        kind = type(event)
        if issubclass(kind, limits.counted):
            by_seat[event.seat] = by_seat.get(event.seat, 0) + 1
        elif issubclass(kind, limits.pauses):
            pauses += 1
        elif issubclass(kind, limits.starts_again):
            by_seat, pauses = {}, 0
    return Tally(by_seat, pauses)


def check_action_limit(
    game: AnyGame, tally: Tally, state: Any, seat: Seat, events: list[Any]
) -> None:
    """Raise Illegal if a person's action, which leads to these events, is one too many."""
    game.limits.check(state, events, tally.by_seat.get(seat, 0))


def check_pause(tally: Tally) -> None:
    if tally.pauses >= MAX_PAUSES_PER_ROUND:
        raise Illegal(ServerReason.TOO_MANY_PAUSES, most=MAX_PAUSES_PER_ROUND)
