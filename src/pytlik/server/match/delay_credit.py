"""How much of a connection's delay is credited in a race (G10).

A player's time is when their solution arrived, less half of a typical round trip. Typical is the
median of the last measurements: one late answer changes nothing, and a connection that jitters is
credited what a message usually takes, not what it takes at best.

A program can answer every measurement late. But it's credited no more than the rules allow, and
everyone sees its slow connection. What it can't do is act over a fast connection and pretend to be
slow when it counts: credit beyond the smallest delay that its seat has acted with is limited to a
small quota per match.
"""

from collections.abc import Iterable
from statistics import median_low
from typing import Any

import msgspec

from pytlik.game import AnyGame, DelayCredit, Seat

MAX_MEASUREMENTS = 9
"""The delay of a connection is the median of this many of its last measurements."""

MIN_MEASUREMENTS = 3
"""With fewer, the delay isn't known: one late answer could fake it."""

EXTRA_CREDIT_QUOTA_MS = 500
"""What a seat may be credited in a match beyond its smallest delay, for all its solutions
together."""


class DelayMeasurements:
    """The delay of one connection, half of a round trip (ms)."""

    __slots__ = ("_asked", "_delays", "delay")

    def __init__(self) -> None:
        self._asked: int | None = None
        # A list, because a deque takes 600 bytes even if it's empty.
        self._delays: list[int] = []
        self.delay: int | None = None

    @property
    def has_enough(self) -> bool:
        return len(self._delays) >= MIN_MEASUREMENTS

    def start(self, now: int) -> int:
        """Start a measurement, and return the number that the answer has to repeat."""
        self._asked = now
        return now

    def finish(self, number: int, now: int) -> bool:
        """Finish a measurement. Returns whether the answer counts: only once, and only for the last
        number, so nobody can make up a delay."""
        if number != self._asked:
            return False
        self._asked = None
        self._delays.append(max(0, now - number) // 2)
        del self._delays[:-MAX_MEASUREMENTS]
        if self.has_enough:
            self.delay = median_low(self._delays)
        return True


class SeatCredit(msgspec.Struct, frozen=True):
    """What a seat has been credited in a match so far."""

    least: int
    """The smallest delay with which it acted."""
    credited: tuple[int, ...] = ()
    """The credit for each of its solutions."""

    @property
    def quota_left(self) -> int:
        """How much of the quota is left (ms)."""
        return max(
            0, EXTRA_CREDIT_QUOTA_MS - sum(max(0, each - self.least) for each in self.credited)
        )

    def with_credit(self, credit: DelayCredit) -> "SeatCredit":
        credited = (*self.credited, credit.credited) if credit.credited else self.credited
        return SeatCredit(min(credit.lag, self.least), credited)


class DelayCredits(msgspec.Struct, frozen=True):
    """What the seats of a match may be credited. All of it follows from the log, whatever the order
    of events, so every worker knows the same, and a new connection or another device changes
    nothing."""

    seat_credits: dict[Seat, SeatCredit] = {}

    def with_events(self, game: AnyGame, events: Iterable[Any]) -> "DelayCredits":
        if game.read_delay_credit is None:
            return self
        seat_credits = dict(self.seat_credits)
        for credit in map(game.read_delay_credit, events):
            if credit and credit.lag:  # without a measurement there is nothing to compare with
                account = seat_credits.get(credit.seat) or SeatCredit(credit.lag)
                seat_credits[credit.seat] = account.with_credit(credit)
        return DelayCredits(seat_credits)

    def creditable_delay(self, seat: Seat | None, lag: int) -> int:
        """How much of a measured delay counts for an action now."""
        account = self.seat_credits.get(seat) if seat is not None else None
        return min(lag, account.least + account.quota_left) if account else lag
