"""Deleting tables: those that nobody has touched for a long time, and those without a match; and
circles that nobody visits."""

from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from pytlik.bus import Bus
from pytlik.server import tokens
from pytlik.server.clock import Clock, SecondClock
from pytlik.server.guess_limits import FORGET_AFTER_MS
from pytlik.server.log_replay import last_event
from pytlik.server.stored_tables import load, put_table
from pytlik.server.token_expiry import EXPIRES_AFTER_MS
from pytlik.store import (
    GONE,
    Conflict,
    DropCircle,
    DropDays,
    DropTable,
    Store,
    SweepGuesses,
    SweepSubscriptions,
    SweepTokens,
)

DAY_MS = 86_400_000

EMPTY_FOR_MS = 2_700_000
"""A table where no match was ever begun is deleted once nobody has been there for this long."""

BATCH = 100
"""How many tables one sweep checks."""


async def delete_table(store: Store, bus: Bus, table_id: str) -> None:
    """Delete a table with all its matches."""
    await store.commit(DropTable(table_id))
    # Higher than any version, so workers that receive it check the table and find nothing.
    bus.publish(table_id, GONE)


class Cleanup:
    def __init__(
        self, store: Store, bus: Bus, clock: Clock, second_clock: SecondClock | None = None
    ) -> None:
        """With a second clock, nothing is deleted that is recent by either."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._second_clock = second_clock

    async def delete_untouched(self, keep_days: int) -> int:
        """Delete tables that nobody has touched for this many days, and older daily boards. Returns
        the number of tables."""
        before = await self._earlier_time() - keep_days * DAY_MS
        await self._store.commit(DropDays(str(datetime.fromtimestamp(before / 1000, UTC).date())))
        swept = 0
        for table_id in await self._store.untouched_table_ids(before, BATCH):
            if await self._was_played_since(table_id, before):
                continue
            await delete_table(self._store, self._bus, table_id)
            swept += 1
        return swept

    async def delete_unvisited_circles(self) -> int:
        """Delete circles that nobody has visited for a year. Returns their number."""
        before = await self._earlier_time() - EXPIRES_AFTER_MS
        swept = 0
        for row in await self._store.untouched_circles(before, BATCH):
            with suppress(Conflict):  # somebody has just visited it
                await self._store.commit(DropCircle(row.id, row.version))
                swept += 1
        return swept

    async def delete_empty(self) -> int:
        """Delete tables that were created and left without a match. Returns their number."""
        before, swept = await self._earlier_time() - EMPTY_FOR_MS, 0
        while ids := await self._store.never_played_table_ids(before, BATCH):
            dropped = [await self._drop_if_empty(table_id) for table_id in ids]
            swept += sum(dropped)
            if not all(dropped):
                break  # somebody has come; the others are found next time
        return swept

    async def forget_guesses_and_tokens(self) -> None:
        """Forget guesses that no longer count, and tokens and subscriptions that are too old."""
        now = self._clock()
        await self._store.commit(SweepGuesses(now - FORGET_AFTER_MS))
        await self._store.commit(SweepTokens(now, now - EXPIRES_AFTER_MS))
        await self._store.commit(SweepSubscriptions(now - EXPIRES_AFTER_MS))

    async def _earlier_time(self) -> int:
        now = self._clock()
        return min(now, await self._second_clock()) if self._second_clock else now

    async def _drop_if_empty(self, table_id: str) -> bool:
        """Delete an empty table, unless somebody has come in the meantime, which changes its
        version."""
        row = await self._store.table(table_id)
        if row is None or row.presence:
            return False
        put = put_table(load(row).table, row.version, self._clock(), row.doc)
        try:
            await self._store.commit(put, DropTable(table_id))
        except Conflict:
            return False
        self._bus.publish(table_id, GONE)
        return True

    async def _was_played_since(self, table_id: str, before: int) -> bool:
        """Whether there was an action in the match. Actions don't touch the table, so touch it
        now."""
        row = await self._store.table(table_id)
        is_table = tokens.TABLE_ID.fullmatch(table_id)  # and not a daily board of an older server
        if row is None or not is_table:
            return False
        table = load(row).table
        last = await last_event(self._store, table.match_id)
        if table.phase != "playing" or last is None:
            return False
        if msgspec.json.decode(last[1], type=Timestamp).at < before:
            return False
        put = put_table(table, row.version, self._clock(), row.doc)
        with suppress(Conflict):  # then somebody has touched it
            await self._store.commit(put)
            self._bus.publish(table_id, row.version + 1)
        return True


class Timestamp(msgspec.Struct, frozen=True):
    """Just an event's timestamp."""

    at: int
