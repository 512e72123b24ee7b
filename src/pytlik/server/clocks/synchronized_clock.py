"""The clock of a worker: it never runs backwards, and all workers agree on it.

It runs on the machine's monotonic time, so setting the machine's clock can't empty an hourglass or
turn back time. It gets the time from the database, which is the same for all workers: it asks once
a second, takes the answer that was quickest (as NTP does), and corrects itself by running a little
faster or slower. A worker that starts adopts the time of the others. If the database's clock
doesn't fit the last heartbeat, either somebody has set it, or no server has run for a while. The
next heartbeat shows whether one is running.

Two workers may still disagree, if one starts with a wrong database clock while the other is cut off
from the database. When that one is back, whichever is behind adopts the other's time: time may only
run forwards.
"""

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple, TypeVar

from pytlik.store import Store, Unavailable

log = logging.getLogger(__name__)

T = TypeVar("T")

SLEW = 0.01
"""How much faster or slower it may run. An hourglass of a minute is wrong by 0.6 seconds at most,
and if the database's clock is wrong for some seconds nobody notices."""

ASK_SECONDS = 1.0
"""How often the database is asked."""

RECENT_ANSWERS = 8
"""How many of the last answers are compared. The fastest counts."""

QUICK_MS = 10
"""A worker that starts asks again until an answer was at least this quick."""

ANSWER_TIMEOUT_SECONDS = 3.0
"""An answer that takes longer is of no use."""

WAIT_FOR_BEAT_SECONDS = 2.5
"""Every running worker has written a heartbeat within this time."""

MAX_BEAT_AGE_MS = 1_200
"""If another worker runs, its last heartbeat is no older than this."""

FRESH_MS = 100
"""If a heartbeat that we have just read is no older than this, the database's clock is right."""

LOOK_FOR_BEAT_EVERY_SECONDS = 0.02
"""How often a starting worker looks for a heartbeat."""

MAX_BEHIND_MS = 1_000
"""If another worker's clock is ahead of ours by more, we adopt its time."""

WARN_MS = 10_000
"""A warning is logged if the database's clock differs by more."""

SLEEP_COUNTING_CLOCK = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
"""The clock that also runs while the machine sleeps: on Linux the first, on macOS the second; on
Windows `time.monotonic` does."""


def monotonic_ms() -> float:
    if SLEEP_COUNTING_CLOCK is None:
        return time.monotonic_ns() / 1e6
    return time.clock_gettime_ns(SLEEP_COUNTING_CLOCK) / 1e6


class ClockOffset(NamedTuple):
    """How far the database's clock is ahead of our monotonic time, and by how much that may be
    wrong (ms)."""

    ahead: float
    doubt: float


class SynchronizedClock:
    """Milliseconds since 1970. Start it before you read it."""

    def __init__(self, monotonic: Callable[[], float] = monotonic_ms) -> None:
        self._monotonic = monotonic
        self._offsets: deque[ClockOffset] = deque(maxlen=RECENT_ANSWERS)
        self._set_at = self._time = 0.0
        """The time when it was last set, by monotonic time and by its own."""
        self._behind = 0.0
        """By how much it was wrong then."""
        self._warned = False
        self._beats: dict[str, int] = {}
        """The last heartbeat of each worker that we know of."""

    def __call__(self) -> int:
        return int(self._exact(self._monotonic()))

    def _exact(self, monotonic: float) -> float:
        passed = monotonic - self._set_at
        most = SLEW * passed
        return self._time + passed + max(-most, min(most, self._behind))

    # ------------------------------------------------------------------------------------ starting

    async def start(self, store: Store, *, alone: bool = False) -> None:
        """Set it, but not before the last beat: time never runs backwards, whatever the database's
        clock says. `alone` says that no other worker can be running. Raises Unavailable."""
        for _ in range(RECENT_ANSWERS):
            await self._ask(store)
            if self._best.doubt <= QUICK_MS:
                break
        last = await store.last_heartbeat()
        self._set(self._monotonic() + self._best.ahead)
        if last is None or 0 <= self() - last <= MAX_BEAT_AGE_MS:
            return
        self._set(max(self(), last))
        if not alone:
            await self._adopt_time_of_other_workers(store)

    async def _adopt_time_of_other_workers(self, store: Store) -> None:
        """Adopt the time of the others, if any are running. A heartbeat may be old when we read it,
        because writing or reading took long, so the freshest of several counts."""
        known = await store.worker_heartbeats()
        slowest, ahead = 0.0, -math.inf
        until = self._monotonic() + 1000 * WAIT_FOR_BEAT_SECONDS
        while known and self._monotonic() < until:
            await asyncio.sleep(LOOK_FOR_BEAT_EVERY_SECONDS)
            asked = self._monotonic()
            workers = await store.worker_heartbeats()
            answered = self._monotonic()
            slowest = max(slowest, answered - asked)
            beats = [at for worker, at in workers.items() if known.get(worker) != at]
            ahead = max([ahead, *(at - answered for at in beats)])
            if 0 <= self._best.ahead - ahead <= FRESH_MS:
                break
        if ahead > -math.inf:
            # If the database's clock fits by now, no worker could write a heartbeat for a while.
            fits = 0 <= self._best.ahead - ahead <= MAX_BEAT_AGE_MS + slowest
            self._set(self._monotonic() + (self._best.ahead if fits else ahead))

    def _set(self, to: float) -> None:
        self._set_at, self._time, self._behind = self._monotonic(), to, 0.0

    # ------------------------------------------------------------------------------------ steering

    @property
    def _best(self) -> ClockOffset:
        return min(self._offsets, key=lambda offset: offset.doubt)

    async def _ask(self, store: Store) -> None:
        asked = self._monotonic()
        database_time = await answer_in_time(store.now())
        answered = self._monotonic()
        # The database cuts off fractions of a millisecond: half of one, on average.
        self._offsets.append(
            ClockOffset(database_time + 0.5 - (asked + answered) / 2, (answered - asked) / 2 + 0.5)
        )

    async def follow(self, store: Store) -> None:
        """Follow the database's clock forever, and don't stay behind another worker's."""
        while True:
            await asyncio.sleep(ASK_SECONDS)
            with suppress(Unavailable):  # it runs by itself until the database can be reached again
                await self._ask(store)
                self._steer()
                await self._catch_up_with_other_workers(store)

    async def _catch_up_with_other_workers(self, store: Store) -> None:
        """Adopt the time of a running worker that is far ahead. It has written its heartbeat before
        we read it, so it can't be ahead otherwise. A heartbeat that doesn't change counts for
        nothing: that worker may have died long ago."""
        known, self._beats = self._beats, await answer_in_time(store.worker_heartbeats())
        beats = [at for worker, at in self._beats.items() if known.get(worker, at) != at]
        if (ahead := max(beats, default=0) - self()) > MAX_BEHIND_MS:
            log.warning("another worker's clock is %.0f s ahead of ours", ahead / 1000)
            self._set(max(beats))

    def _steer(self) -> None:
        """Correct what is certainly wrong."""
        monotonic, best = self._monotonic(), self._best
        self._time, self._set_at = self._exact(monotonic), monotonic
        wrong = monotonic + best.ahead - self._time
        if abs(wrong) > WARN_MS and not self._warned:
            log.warning("the database's clock is %.0f s ahead of the server's", wrong / 1000)
        self._warned = abs(wrong) > WARN_MS
        self._behind = max(0.0, wrong - best.doubt) + min(0.0, wrong + best.doubt)


async def answer_in_time(answer: Awaitable[T]) -> T:
    """Wait for the database's answer. Raises Unavailable if it takes too long."""
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_SECONDS):
            return await answer
    except TimeoutError:
        raise Unavailable("the database doesn't answer") from None


async def start_clock(store: Store, *, alone: bool = False) -> SynchronizedClock:
    clock = SynchronizedClock()
    await clock.start(store, alone=alone)
    return clock
