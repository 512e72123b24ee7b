"""Deadlines that this worker has taken from the store. They are only leased: if the worker dies,
another one takes them."""

import asyncio

import msgspec

from pytlik.server.clocks.clock import Clock
from pytlik.store import Deadline, MoveDeadline, Store, Write

LEASE_MS = 3_000
"""How long a deadline is ours before another worker may take it. It's short because the worker may
die; while bots think longer, it's renewed."""

MAX_LEASES_AT_ONCE = 100
"""How many deadlines are taken at once."""


class Lease(msgspec.Struct, eq=False):
    """A deadline, and until when it's ours."""

    deadline: Deadline
    until: int

    def move_to(self, to: int | None) -> MoveDeadline:
        return MoveDeadline(self.deadline.match, self.deadline.kind, self.until, to)


class Leases:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._running: dict[Lease, None] = {}
        self._moving = asyncio.Lock()
        """Held while leases are renewed or ended."""

    async def take_due(self) -> list[Lease]:
        """Lease what is due."""
        now = self._clock()
        deadlines = await self._store.take_due(now, LEASE_MS, MAX_LEASES_AT_ONCE)
        return [Lease(deadline, now + LEASE_MS) for deadline in deadlines]

    def start_renewing(self, lease: Lease) -> None:
        """Renew this lease from now on."""
        self._running[lease] = None

    def stop_renewing(self, lease: Lease) -> None:
        """Stop renewing this lease. If the deadline hasn't ended, another worker takes it."""
        del self._running[lease]

    async def renew_all(self) -> None:
        """Renew the leases of deadlines that are still being handled."""
        until = self._clock() + LEASE_MS
        old = [lease for lease in self._running if until - lease.until >= LEASE_MS // 3]
        async with self._moving:
            if old:
                await self._store.commit(*(lease.move_to(until) for lease in old))
            for lease in old:
                lease.until = until

    async def end_deadline(self, lease: Lease, *writes: Write) -> None:
        """End a deadline that has been handled, so that nobody takes it again. If its lease is just
        being renewed, wait for that first."""
        async with self._moving:
            await self._store.commit(lease.move_to(None), *writes)
