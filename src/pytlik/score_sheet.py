"""The score sheet of a match of several rounds: its totals, its winners, and who begins next."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from pytlik.game import Outcome, Seat

StarterRule = Literal["same", "rotate", "winner"]
"""Who begins the next round: the same seat, the next one, or the last round's winner (U4)."""


class Row(msgspec.Struct, frozen=True):
    """A finished round on the score sheet: each seat's points, and who won it."""

    points: tuple[int, ...]
    winners: tuple[Seat, ...]


Sheet = tuple[Row, ...]


def totals(sheet: Sheet, players: int) -> tuple[int, ...]:
    return tuple(sum(row.points[seat] for row in sheet) for seat in range(players))


def best(points: Sequence[int], *, most: bool) -> tuple[Seat, ...]:
    """The seats with the most points, or with the fewest; equals share."""
    top = max(points) if most else min(points)
    return tuple(seat for seat, value in enumerate(points) if value == top)


def outcome(sheet: Sheet, players: int, *, most: bool) -> Outcome:
    points = totals(sheet, players)
    return Outcome(winners=best(points, most=most), points=points)


def next_starter(starts: StarterRule, starter: Seat, winners: Sequence[Seat], players: int) -> Seat:
    """Who begins the round after one that `starter` began and `winners` won (U4)."""
    match starts:
        case "same":
            return starter
        case "rotate":
            return (starter + 1) % players
        case "winner":
            # If several won, the first one clockwise after the starter begins; the starter comes
            # last.
            return min(winners, key=lambda seat: (seat - starter - 1) % players)
