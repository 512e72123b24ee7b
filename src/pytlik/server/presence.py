"""Who is here, whichever worker they are connected to.

Each worker writes into the store who of those that sit at a table is connected to it, and whether
anybody looks at it where all of those are away. It does so together with the table: so everyone
hears of it as of any other change, and reads both at once.

A worker beats under a name of its own. One that has not done so for some time is taken for dead,
and who was connected to it for gone. If it lives after all it hears of that change too, and says
again who is here. One that is not there any more may have written something and not come to
saying so.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from uuid import uuid4

from pytlik.game import Refusal
from pytlik.server.hub import Hub
from pytlik.server.lobby import Found, Lobby, least, told
from pytlik.server.room import Clock
from pytlik.server.standstill import UNSURE
from pytlik.server.tables import Holder
from pytlik.store import Beat, Conflict, DropWorker, Store, Unavailable

BEAT = 1_000
"""About how often a worker says that it runs (ms)."""

PATIENCE = 5.0
"""Seconds that somebody who acts waits for a beat."""

DEAD = 10_000
"""A worker that has not said so for so long is dead (ms)."""

JITTER = 20
"""A delay is written anew only when it has changed by so much (ms)."""

SPECTATORS = ""
"""Stands for all who only look: nobody's token has this hash."""


class Presence:
    def __init__(
        self, store: Store, lobby: Lobby, hub: Hub, clock: Clock, missed: Callable[[], None]
    ) -> None:
        """`missed` is called when wake-ups may have been lost with a worker."""
        self.worker = uuid4().hex
        self._store = store
        self._lobby = lobby
        self._hub = hub
        self._clock = clock
        self._missed = missed
        self.unsure = UNSURE
        """How long this worker may be without a beat before people have to wait for one (ms)."""
        self._workers: set[str] = set()
        self._beaten = self._strays_sought = 0
        self._next_beat: asyncio.Future[None] | None = None
        self._ended = False

    # ---------------------------------------------------------------------------------- who is here

    def everyone(self, found: Found) -> dict[Holder, int | None]:
        """Who is connected to any worker: the others as the store has it, and ours as it is."""
        others = ((one.holder, one.lag) for one in found.presence if one.worker != self.worker)
        return least((*others, *self._hub.here(found.table.id)))

    def delay(self, found: Found, holder: Holder | None) -> int | None:
        """The least delay of somebody's connections, to any worker: the one that everyone sees."""
        others = (
            one.lag for one in found.presence if one.holder == holder and one.worker != self.worker
        )
        ours = (lag for who, lag in self._hub.here(found.table.id) if who == holder)
        return min((lag for lag in (*others, *ours) if lag is not None), default=None)

    def anyone(self, found: Found) -> bool:
        """Is anybody at all connected to any worker?"""
        others = any(one.worker != self.worker for one in found.presence)
        return others or bool(self._hub.at(found.table.id))

    def _ours(self, found: Found) -> dict[Holder, int | None]:
        """Who sits at a table and is connected here, with the delay that is worth saying; and
        spectators, as if they were one, if nobody sits there."""
        if self._ended:
            return {}
        said = {one.holder: one.lag for one in found.presence if one.worker == self.worker}
        seated = {chair.holder for chair in found.table.chairs if chair.holder is not None}
        here = {
            holder: known if near(lag, known := said.get(holder)) else lag
            for holder, lag in least(self._hub.here(found.table.id)).items()
            if holder in seated
        }
        connections = self._hub.at(found.table.id)
        if any(connection.holder not in seated for connection in connections):
            # Where somebody sits nobody needs to know, and so it is not worth a write.
            alone = not here and not any(one.holder in seated for one in found.presence)
            if alone or SPECTATORS in said:
                here[SPECTATORS] = None
        return here

    def is_said(self, found: Found) -> bool:
        """Does everyone know who is connected here?"""
        return not told(found, self.worker, self._ours(found))

    async def say(self, table: str) -> Found:
        """Let everyone know. Raises Refusal, if there is no such table."""
        while True:
            found = await self._lobby.attend(table, self.worker, self._ours)
            if self.is_said(found):  # nobody has come or gone while it was written
                return found

    # ------------------------------------------------------------------------------------- workers

    @property
    def is_awake(self) -> bool:
        """Whether the clocks are right: after a time in which no beat could be written they may
        have to be moved first."""
        return self._clock() - self._beaten <= self.unsure

    async def awake(self) -> None:
        """Wait until the clocks are right. Raises Unavailable if that takes too long."""
        if self.is_awake:
            return
        if self._next_beat is None:
            self._next_beat = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(self._next_beat)
        except TimeoutError:
            raise Unavailable("the store can't be reached") from None

    async def beat(self) -> dict[str, int]:
        """Say that this worker runs. The dead, each with its last beat. Raises Conflict if none has
        said so for a while."""
        now = self._clock()
        if 0 <= now - self._beaten < BEAT // 2:  # unless the clock was set back
            return {}
        await self._store.commit(Beat(self.worker, now, since=now - self.unsure))
        silent, self._beaten = now - self._beaten, now
        if self._next_beat:
            self._next_beat.set_result(None)
            self._next_beat = None
        if silent > DEAD // 2:
            # Where this one could not reach the store, others could not either.
            return {}
        workers = await self._store.workers()
        if self._workers - workers.keys():
            self._missed()
        self._workers = set(workers)
        dead = {worker: at for worker, at in workers.items() if now - at > DEAD}
        if abs(now - self._strays_sought) >= DEAD:
            # A worker that was taken for dead may have said who is here before it really died.
            self._strays_sought = now
            dead |= dict.fromkeys(await self._store.strays(), 0)
        return dead

    async def bury(self, worker: str, at: int) -> None:
        """Nobody is connected to a worker any more, whose last beat was at that moment (0 for a
        stray)."""
        tables = await self._store.tables_at(worker)
        await asyncio.gather(*(self._vacate(table, worker) for table in tables))
        with suppress(Conflict):  # somebody else was first, or it lives
            await self._store.commit(DropWorker(worker, at))

    async def _vacate(self, table: str, worker: str) -> None:
        with suppress(Refusal):  # the table is gone as well
            await self._lobby.attend(table, worker, lambda _: {})

    async def end(self) -> None:
        """This worker stops, and says so: the next server knows to the millisecond since when."""
        self._ended = True
        now = self._clock()
        await self._store.commit(Beat(self.worker, now))
        await self.bury(self.worker, now)


def near(lag: int | None, known: int | None) -> bool:
    return lag is not None and known is not None and abs(lag - known) < JITTER
