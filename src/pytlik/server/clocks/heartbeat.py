"""Which workers run: each writes a heartbeat into the store about once a second.

A worker without a heartbeat for some time is considered dead. If no worker had one for a while,
nobody could act, and the clocks have to be moved before anything is due (see
`scheduling/downtime.py`).
"""

import asyncio
from functools import cached_property
from uuid import uuid4

import msgspec

from pytlik.server.clocks.clock import Clock
from pytlik.store import Heartbeat, Store, Unavailable

INTERVAL_MS = 1_000
"""About how often a worker writes a heartbeat."""

MAX_GAP_MS = 2_000
"""A gap of up to this length between heartbeats may be chance. A longer gap counts from the last
heartbeat, which makes it a little too long: it's better to let the sand run for a second more."""

MAX_WAIT_FOR_BEAT_SECONDS = 5.0
"""How long an action waits for a heartbeat."""

DEAD_AFTER_MS = 10_000
"""A worker without a heartbeat for this long is dead."""


class WorkerChanges(msgspec.Struct, frozen=True):
    """What a worker learns about the others with its heartbeat."""

    dead: dict[str, int] = {}
    """Workers that no longer run, each with its last heartbeat (0 if that isn't known)."""
    somebody_left: bool = False
    """Whether a worker has gone since the last time, perhaps before it could announce what it
    did."""


class WorkerHeartbeat:
    """The heartbeat of this worker."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.last = 0
        """When it was last written (ms)."""
        self.gaps = 0
        """How many long gaps there were between heartbeats. In each, others may have changed
        anything without this worker noticing."""
        self.is_running = False
        """Whether a scheduler writes it. In programs without one nobody waits for it."""
        self.has_ended = False
        self._store = store
        self._clock = clock
        self._max_gap = MAX_GAP_MS
        self._known: set[str] = set()
        self._strays_sought = 0
        self._next: asyncio.Future[None] | None = None

    @cached_property
    def worker(self) -> str:
        """The name of this worker."""
        return uuid4().hex

    @property
    def are_others_running(self) -> bool:
        """Whether other workers run, as far as this one knows."""
        return bool(self._known - {self.worker})

    @property
    def is_recent(self) -> bool:
        """Whether the clocks are right: after a time in which no heartbeat could be written they
        may have to be moved first."""
        return not self.is_running or self._clock() - self.last <= self._max_gap

    async def wait_until_recent(self) -> None:
        """Wait until the clocks are right. Raises Unavailable if that takes too long."""
        if self.is_recent:
            return
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(MAX_WAIT_FOR_BEAT_SECONDS):
                await asyncio.shield(self._next)
        except TimeoutError:
            raise Unavailable("the store can't be reached") from None

    async def write_beat(self) -> WorkerChanges:
        """Write a heartbeat. Raises Conflict if no worker has written one for a while."""
        now = self._clock()
        if 0 <= now - self.last < INTERVAL_MS // 2:  # unless the clock was set back
            return WorkerChanges()
        await self._store.commit(Heartbeat(self.worker, now, since=now - self._max_gap))
        silent, self.last = now - self.last, now
        if silent > self._max_gap:
            self.gaps += 1
        if self._next:
            self._next.set_result(None)
            self._next = None
        if silent > DEAD_AFTER_MS // 2:
            # If this worker couldn't reach the store, others probably couldn't either.
            return WorkerChanges()
        workers = await self._store.worker_heartbeats()
        somebody_left = bool(self._known - workers.keys())
        self._known = set(workers)
        dead = {worker: at for worker, at in workers.items() if now - at > DEAD_AFTER_MS}
        if abs(now - self._strays_sought) >= DEAD_AFTER_MS:
            # A worker that was considered dead may have written its presence before it really died.
            self._strays_sought = now
            dead |= dict.fromkeys(await self._store.stopped_workers_with_presence(), 0)
        return WorkerChanges(dead, somebody_left)

    async def write_last_beat(self) -> int:
        """Write the last heartbeat, so that the next server knows exactly when this one stopped.
        Raises Conflict if there was none for a while: then the next server has to move the clocks
        by all that time."""
        self.has_ended = True
        now = self._clock()
        await self._store.commit(Heartbeat(self.worker, now, since=now - self._max_gap))
        return now
