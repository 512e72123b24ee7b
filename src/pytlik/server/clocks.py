"""The clocks of all matches: whatever is due is fired, by whichever worker takes it first.

Deadlines lie in the store. Taking one only lends it: a worker that dies leaves it to the others.
What makes it happen once is the log, which takes no second event of the same number.
"""

import asyncio
import logging
from typing import TYPE_CHECKING

from pytlik.game import Expire, Refusal, Seat
from pytlik.server.automatic import Automatic
from pytlik.server.due import AWAY, BOT, OVER, RULES, TURN, table_of
from pytlik.server.lobby import Lobby
from pytlik.server.room import Clock, Room
from pytlik.server.tables import Table
from pytlik.store import Deadline, SetDeadlines, Store, Unavailable

if TYPE_CHECKING:
    from pytlik.server.live import Live

log = logging.getLogger(__name__)

LEASE = 15_000
"""How long a deadline is ours before another worker may take it (ms)."""

POLL = 1_000
"""How often deadlines are looked for that another worker has set (ms)."""

BEAT = 2_000
"""How often the store is told that a server runs (ms)."""


SWEEP = 3_600_000
"""How often tables are looked for that nobody has touched for too long (ms)."""


class Clocks:
    def __init__(
        self,
        live: "Live",
        store: Store,
        lobby: Lobby,
        clock: Clock,
        *,
        bot_workers: int,
        keep_days: int,
    ) -> None:
        self._live = live
        self._store = store
        self._lobby = lobby
        self._clock = clock
        self._keep_days = keep_days
        self._automatic = Automatic(bot_workers)
        self._soonest = 0
        self._sooner = asyncio.Event()

    def noted(self, deadlines: dict[str, int | None]) -> None:
        """Deadlines that this worker has set: one of them may come sooner than thought."""
        soonest = min((at for at in deadlines.values() if at is not None), default=None)
        if soonest is not None and soonest < self._soonest:
            self._soonest = soonest
            self._sooner.set()

    def forget(self, match: str) -> None:
        self._automatic.forget(match)

    def close(self) -> None:
        self._automatic.close()

    async def run(self) -> None:
        """Fire what is due, for ever. A store that can't be reached only delays."""
        beaten = swept = 0
        while True:
            self._soonest = self._clock() + POLL
            try:
                if self._clock() - beaten >= BEAT:
                    beaten = self._clock()
                    await self._store.beat(beaten)
                if self._clock() - swept >= SWEEP:
                    swept = self._clock()
                    await self._lobby.sweep(self._keep_days)
                for deadline in await self._store.take_due(self._clock(), LEASE, 100):
                    self._live.later(self._fire(deadline))
                soonest = await self._store.next_due()
            except Unavailable:
                soonest = None
            except Exception:  # the clock must outlive everything
                log.exception("the clock missed a beat")
                soonest = None
            if soonest is not None:
                self._soonest = min(self._soonest, soonest)
            await self._wait()

    async def _wait(self) -> None:
        """Until something is due, also if that is sooner than was thought at first."""
        while True:
            self._sooner.clear()
            try:
                async with asyncio.timeout(max(0, self._soonest - self._clock()) / 1000):
                    await self._sooner.wait()
            except TimeoutError:
                return

    async def _fire(self, deadline: Deadline) -> None:
        id = table_of(deadline.match)
        try:
            found = await self._lobby.get(id)
        except Refusal:
            await self._store.commit(SetDeadlines(deadline.match, {deadline.kind: None}))
            return
        table = found.table
        if table.match_id != deadline.match or table.phase != "playing" or table.paused is not None:
            await self._store.commit(SetDeadlines(deadline.match, {deadline.kind: None}))
            return
        # What follows from it is reckoned with the table as it is now.
        with self._live.at_hand(found):
            await self._happen(deadline, table)

    async def _happen(self, deadline: Deadline, table: Table) -> None:
        room = await self._live.room(table)
        try:
            if deadline.kind == RULES:
                await self._live.do(table, room, None, Expire(), None)
            elif deadline.kind == BOT:
                await self._bots_move(table, room)
            elif deadline.kind == TURN:
                awaited = room.game.awaited(room.state)
                await self._lobby.stand_in(table.id, awaited, on=True)
                await self._live.set_deadlines((await self._lobby.get(table.id)).table, room)
            elif deadline.kind == OVER:
                await self._lobby.finish(table.id, table.match)
                await self._store.commit(SetDeadlines(room.match, {OVER: None}))
            elif deadline.kind.startswith(AWAY):
                await self._sit_in(table, room, int(deadline.kind.removeprefix(AWAY)))
        except Refusal:
            # It was early or somebody else's: say again when it is due.
            await self._live.set_deadlines(table, room)

    async def _sit_in(self, table: Table, room: Room, seat: Seat) -> None:
        if seat not in self._live.hub.present(table):
            await self._lobby.stand_in(table.id, (seat,), on=True)
        await self._store.commit(SetDeadlines(table.match_id, {f"{AWAY}{seat}": None}))
        await self._live.set_deadlines((await self._lobby.get(table.id)).table, room)

    async def _bots_move(self, table: Table, room: Room) -> None:
        """Every bot that can act does, or says when it will."""
        next_moments: list[int] = []
        seq = room.seq
        for seat in room.game.awaited(room.state):
            level = table.automatic(seat)
            if level is None:
                continue
            step = await self._automatic.next(room, seat, level)
            if step is None:
                continue
            moment, action = step
            if moment > self._clock():
                next_moments.append(moment)
            else:
                # At most one move of a seat for each state that it has seen.
                await self._live.do(table, room, seat, action, f"bot {seat} {seq}")
        if next_moments:
            deadlines: dict[str, int | None] = {BOT: min(next_moments)}
            await self._store.commit(SetDeadlines(room.match, deadlines))
            self.noted(deadlines)
        elif room.seq == seq:
            await self._live.put_deadlines(table, room, {BOT: None})
