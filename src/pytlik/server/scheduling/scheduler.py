"""Looks for what is due in all matches, once a second or when the alarm goes off.

The first worker to take a deadline makes it happen, usually one that has the match open. The log
ensures that it happens only once, because it accepts no second event with the same number.
"""

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

from pytlik.server.cleanup import Cleanup
from pytlik.server.clocks.heartbeat import WorkerChanges
from pytlik.server.clocks.leases import Lease, Leases
from pytlik.server.live.rooms import Rooms
from pytlik.server.match.deadlines import table_id_of
from pytlik.server.scheduling.deadline_actions import fire_deadline
from pytlik.server.scheduling.downtime import move_clocks
from pytlik.store import Conflict, Unavailable

log = logging.getLogger(__name__)

T = TypeVar("T")

POLL_MS = 1_000
"""How often to look for deadlines that another worker has set."""

OPEN_MATCH_HEAD_START_MS = 200
"""How long a deadline is left to the worker that has the match open, if there is one: otherwise all
workers would wake up for all deadlines."""

CHECK_ROOMS_EVERY_MS = 500
"""The shortest time between two checks of all open rooms for changes, even if something is due more
often."""

STORE_TIMEOUT_SECONDS = 3.0
"""After this, a store that doesn't answer is asked again. A request may hang for longer than the
store is away, and while this worker has no heartbeat, time seems to stand still."""

SWEEP_EVERY_MS = 3_600_000
"""How often to look for tables that nobody has touched for too long."""

SWEEP_UNPLAYED_EVERY_MS = 600_000
"""How often to look for tables that were created and left without a match."""


async def with_time_limit(work: Awaitable[T]) -> T:
    """Await something for a limited time. Raises TimeoutError."""
    async with asyncio.timeout(STORE_TIMEOUT_SECONDS):
        return await work


class Scheduler:
    def __init__(self, rooms: Rooms, cleanup: Cleanup, *, keep_days: int) -> None:
        services = rooms.services
        self.leases = Leases(services.store, services.clock)
        self._rooms = rooms
        self._cleanup = cleanup
        self._keep_days = keep_days
        self._services = services
        self._removed_workers: set[str] = set()
        """Dead workers that are being removed."""
        self._checked = 0
        # Not at the start, because a machine that is just booting may not know the time yet.
        self._swept_empty = services.clock()
        self._swept = self._swept_empty - SWEEP_EVERY_MS + SWEEP_UNPLAYED_EVERY_MS

    async def run(self) -> None:
        """Do what is due, forever. An unreachable store only delays it."""
        alarm, clock = self._services.alarm, self._services.clock
        while True:
            alarm.reset(clock() + POLL_MS)
            try:
                soonest = await self._do_periodic_work()
            except (Unavailable, Conflict, TimeoutError):
                soonest = None
            except Exception:  # the scheduler must outlive everything
                log.exception("the clock missed a beat")
                soonest = None
            if soonest is not None:
                others_first = (
                    OPEN_MATCH_HEAD_START_MS if self._services.heartbeat.are_others_running else 0
                )
                alarm.ring_by(soonest + others_first)
            await alarm.wait()

    async def _do_periodic_work(self) -> int | None:
        """Do everything that has to be done regularly, and return when something is due next."""
        services = self._services
        changes = await self._write_beat()
        if changes.somebody_left:
            self._rooms.refresh_all_rooms()
        for worker, last_beat in changes.dead.items():
            if worker not in self._removed_workers:
                self._removed_workers.add(worker)
                services.tasks.start_unattended(self._remove_dead_worker(worker, last_beat))
        await with_time_limit(self.leases.renew_all())
        await self._catch_up_on_missed_bus_messages()
        self._sweep()
        if services.heartbeat.is_recent:  # otherwise something is due later than it seems
            for lease in await with_time_limit(self.leases.take_due()):
                services.tasks.start_unattended(self.fire(lease))
        return await with_time_limit(services.store.next_due())

    async def _write_beat(self) -> WorkerChanges:
        """Write a heartbeat. If no worker has written one for a while, move all clocks first."""
        services = self._services
        try:
            return await with_time_limit(services.heartbeat.write_beat())
        except Conflict:
            last = await with_time_limit(services.store.last_heartbeat())
            if last is not None:
                with suppress(Conflict):  # another worker was first
                    await move_clocks(self._rooms, last, services.clock())
            return await with_time_limit(services.heartbeat.write_beat())

    async def _catch_up_on_missed_bus_messages(self) -> None:
        now = self._services.clock()
        if not 0 <= now - self._checked < CHECK_ROOMS_EVERY_MS:  # or the clock was set back
            await with_time_limit(self._rooms.catch_up_on_missed_bus_messages())
            self._checked = now

    async def _remove_dead_worker(self, worker: str, last_beat: int) -> None:
        try:
            with suppress(Unavailable, Conflict):  # the next heartbeat finds it again
                await self._rooms.remove_dead_worker(worker, last_beat)
        finally:
            self._removed_workers.discard(worker)

    def _sweep(self) -> None:
        """Start the regular cleanup if it's due. It runs in the background, because it may take
        long, and players wait for everything else here."""
        clock, tasks = self._services.clock, self._services.tasks
        if clock() - self._swept >= SWEEP_EVERY_MS:
            self._swept = clock()
            tasks.start_unattended(self._sweep_untouched())
        if clock() - self._swept_empty >= SWEEP_UNPLAYED_EVERY_MS:
            self._swept_empty = clock()
            tasks.start_unattended(self._sweep_unplayed())

    async def _sweep_untouched(self) -> None:
        with suppress(Unavailable, Conflict):  # the next sweep finds them again
            await self._cleanup.delete_untouched_tables(self._keep_days)
            await self._cleanup.delete_unvisited_circles()
            await self._cleanup.forget_guesses_and_tokens()

    async def _sweep_unplayed(self) -> None:
        with suppress(Unavailable, Conflict):  # the next sweep finds them again
            await self._cleanup.delete_unplayed_tables()

    async def fire(self, lease: Lease) -> None:
        self.leases.start_renewing(lease)
        try:
            with (
                suppress(Unavailable, Conflict),  # the next worker that takes it tries again
                self._rooms.open(table_id_of(lease.deadline.match)) as room,
            ):
                await fire_deadline(room, lease, self.leases)
        finally:
            self.leases.stop_renewing(lease)
