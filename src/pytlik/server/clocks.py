"""The clocks of all matches: whatever is due is fired, by whichever worker takes it first.

Deadlines lie in the store. Taking one only lends it: a worker that dies leaves it to the others.
What makes it happen once is the log, which takes no second event of the same number.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from pytlik.game import Expire, Refusal
from pytlik.server.bot_pool import BotPool
from pytlik.server.due import (
    AGAIN,
    AWAY,
    BOT,
    LOOK,
    OVER,
    RULES,
    TURN,
    look_again,
    may_bots_move,
    table_of,
)
from pytlik.server.guesses import FORGET_AFTER_MS
from pytlik.server.last_seen import EXPIRES_AFTER_MS
from pytlik.server.lobby import Found, Lobby
from pytlik.server.room import Clock, Room
from pytlik.server.standstill import move_clocks
from pytlik.server.tables import Table
from pytlik.store import (
    Actor,
    Conflict,
    Deadline,
    MoveDeadline,
    SetDeadlines,
    StillDue,
    Store,
    SweepGuesses,
    SweepTokens,
    Unavailable,
    Write,
)

if TYPE_CHECKING:
    from pytlik.server.live import Live

log = logging.getLogger(__name__)

T = TypeVar("T")

LEASE = 3_000
"""How long a deadline is ours before another worker may take it (ms). Short, because whoever took
it may die; where bots think for longer it is renewed."""

POLL = 1_000
"""How often deadlines are looked for that another worker has set (ms)."""

PATIENCE = 3.0
"""Seconds until a store that doesn't answer the clock is asked again. A request may hang for longer
than the store is away; and as long as this worker doesn't beat, time seems to stand still."""

SWEEP = 3_600_000
"""How often tables are looked for that nobody has touched for too long (ms)."""

SWEEP_EMPTY = 600_000
"""How often tables are looked for that were made and left (ms)."""


async def soon(work: Awaitable[T]) -> T:
    """Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        return await work


class Lent(msgspec.Struct, eq=False):
    """A deadline that this worker has taken, and until when it is its own."""

    deadline: Deadline
    until: int

    def moved(self, to: int | None) -> MoveDeadline:
        return MoveDeadline(self.deadline.match, self.deadline.kind, self.until, to)


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
        self._bot_pool = BotPool(bot_workers)
        self._lent: dict[Lent, None] = {}
        self._moving = asyncio.Lock()
        """Held while deadlines that this worker has taken are renewed or ended."""
        self._burying: set[str] = set()
        self._soonest = 0
        self._sooner = asyncio.Event()

    def noted(self, deadlines: dict[str, int | None]) -> None:
        """Deadlines that this worker has set: one of them may come sooner than thought."""
        soonest = min((at for at in deadlines.values() if at is not None), default=None)
        if soonest is not None and soonest < self._soonest:
            self._soonest = soonest
            self._sooner.set()

    def forget(self, match: str) -> None:
        self._bot_pool.forget(match)

    async def compute(self, work: Callable[..., T], *given: Any) -> T:
        """Let the bots' processes do something else that takes a while."""
        return await self._bot_pool.compute(work, *given)

    def close(self) -> None:
        self._bot_pool.close()

    async def run(self) -> None:
        """Fire what is due, for ever. A store that can't be reached only delays."""
        # Not at once: a machine that starts may not know the time yet.
        swept_empty = self._clock()
        swept = swept_empty - SWEEP + SWEEP_EMPTY
        while True:
            self._soonest = self._clock() + POLL
            try:
                for worker, at in (await self._beat()).items():
                    if worker not in self._burying:
                        self._burying.add(worker)
                        self._live.later(self._bury(worker, at))
                await soon(self._renew())
                await soon(self._live.look())
                if self._clock() - swept >= SWEEP:
                    swept = self._clock()
                    await self._lobby.sweep(self._keep_days)
                    await self._sweep_people(swept)
                if self._clock() - swept_empty >= SWEEP_EMPTY:
                    swept_empty = self._clock()
                    # Beside the clock: somebody may have made very many of them.
                    self._live.later(self._sweep_empty())
                if self._live.presence.is_awake:  # or something is due later than it seems
                    await soon(self._take())
                soonest = await soon(self._store.next_due())
            except (Unavailable, Conflict, TimeoutError):
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

    async def _beat(self) -> dict[str, int]:
        """Say that this worker runs; and if none did for a while, move all clocks first."""
        presence = self._live.presence
        try:
            return await soon(presence.beat())
        except Conflict:
            last = await soon(self._store.last_beat())
            if last is not None:
                with suppress(Conflict):  # another worker was first
                    await move_clocks(self._store, self._live.shift, last, self._clock())
            return await soon(presence.beat())

    async def _bury(self, worker: str, at: int) -> None:
        try:
            with suppress(Unavailable, Conflict):  # the next beat finds it again
                await self._live.presence.bury(worker, at)
        finally:
            self._burying.discard(worker)

    async def _sweep_people(self, now: int) -> None:
        """Forget guesses that count no more, and tokens that are too old."""
        await self._store.commit(SweepGuesses(now - FORGET_AFTER_MS))
        await self._store.commit(SweepTokens(now, now - EXPIRES_AFTER_MS))

    async def _sweep_empty(self) -> None:
        with suppress(Unavailable, Conflict):  # the next sweep finds them again
            await self._lobby.sweep_empty()

    async def _take(self) -> None:
        now = self._clock()
        for deadline in await self._store.take_due(now, LEASE, 100):
            self._live.later(self.fire(Lent(deadline, now + LEASE)))

    async def _renew(self) -> None:
        """What is still going on stays ours."""
        until = self._clock() + LEASE
        old = [lent for lent in self._lent if until - lent.until >= LEASE // 3]
        async with self._moving:
            if old:
                await self._store.commit(*(lent.moved(until) for lent in old))
            for lent in old:
                lent.until = until

    async def _drop(self, lent: Lent, *writes: Write) -> None:
        """It has happened: nobody needs to take it again. If it is being renewed just now, only
        its new moment ends it."""
        async with self._moving:
            await self._store.commit(lent.moved(None), *writes)

    async def fire(self, lent: Lent) -> None:
        self._lent[lent] = None
        try:
            with suppress(Unavailable, Conflict):  # whoever takes it next tries again
                await self._fire(lent)
        finally:
            del self._lent[lent]

    async def _fire(self, lent: Lent) -> None:
        match = lent.deadline.match
        try:
            found = await self._lobby.get(table_of(match))
        except Refusal:
            await self._drop(lent)
            return
        table = found.table
        if table.match_id != match or table.phase != "playing" or table.paused is not None:
            await self._drop(lent)
            return
        # What follows from it is reckoned with the table as it is now.
        with self._live.at_hand(found):
            await self._happen(lent, found)

    async def _happen(self, lent: Lent, found: Found) -> None:
        table, deadline = found.table, lent.deadline
        room = await self._live.room(table)
        try:
            if deadline.kind == RULES:
                await self._live.do(table, room, None, Expire(), None, actor=Actor.CLOCK)
            elif deadline.kind == BOT:
                if may_bots_move(table, anyone_here=self._live.presence.anyone(found)):
                    await self._bots_move(table, room)
                else:  # until somebody comes (`Lobby.change_with`)
                    await self._drop(lent)
            elif deadline.kind == LOOK:
                await self._live.set_deadlines(table, room, again=False)
                await self._drop(lent, SetDeadlines(room.match, look_again(self._clock())))
            elif deadline.kind == AGAIN:
                await self._live.check_deadlines(table, room)
                await self._drop(lent)
            elif deadline.kind == TURN:
                awaited = room.game.awaited(room.state)
                still_due = StillDue(room.match, TURN, lent.until)
                await self._lobby.end_turn(table.id, awaited, still_due)
            elif deadline.kind == OVER:
                await self._lobby.finish(table.id, table.match)
                await self._store.commit(SetDeadlines(room.match, {OVER: None}))
            elif deadline.kind.startswith(AWAY):
                seat = int(deadline.kind.removeprefix(AWAY))
                await self._lobby.sit_in(table.id, seat)
                await self._drop(lent)
        except Refusal:
            # It was early or somebody else's: say again when it is due.
            await self._live.set_deadlines(table, room, again=True)

    async def _bots_move(self, table: Table, room: Room) -> None:
        """Every bot that can act does, or says when it will."""
        next_moments: list[int] = []
        seq = room.seq
        for seat in room.game.awaited(room.state):
            level = table.automatic(seat)
            if level is None:
                continue
            seconds = table.agreement.bot_seconds
            step = await self._bot_pool.next_step(room, seat, level, self._clock(), seconds)
            if step is None:
                continue
            moment, action = step
            table = (await self._live.table(table.id)).table
            if table.paused is not None or table.automatic(seat) is None:
                continue  # while it thought
            if moment > self._clock():
                next_moments.append(moment)
            else:
                # At most one move of a seat for each state that it has seen.
                actor = Actor.BOT if table.chairs[seat].bot else Actor.STAND_IN
                await self._live.do(table, room, seat, action, f"bot {seat} {seq}", actor=actor)
        if next_moments:
            deadlines: dict[str, int | None] = {BOT: min(next_moments)}
            await self._store.commit(SetDeadlines(room.match, deadlines))
            self.noted(deadlines)
        elif room.seq == seq:
            await self._live.put_deadlines(table, room, {BOT: None}, again=True)
