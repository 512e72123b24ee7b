"""Deletes tables that nobody has touched for a long time or that never had a match, and circles
that nobody visits."""

from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from pytlik.bus import Bus
from pytlik.server import tokens
from pytlik.server.access.guess_limits import FORGET_AFTER_MS
from pytlik.server.access.token_expiry import EXPIRES_AFTER_MS
from pytlik.server.clocks.clock import Clock, DatabaseClock
from pytlik.server.match.log_replay import last_event
from pytlik.server.table.stored_tables import decode_table_row, make_put_table
from pytlik.store import (
    DELETED_TABLE_VERSION,
    Conflict,
    DeleteCircle,
    DeleteDaysBefore,
    DeleteOldGuesses,
    DeleteOldSubscriptions,
    DeleteTable,
    Store,
    UpdateTrackedTokens,
)

DAY_MS = 86_400_000

UNPLAYED_TABLE_LIFETIME_MS = 2_700_000
"""A table where no match was ever begun is deleted once nobody has been there for this long."""

TABLES_PER_SWEEP = 100
"""How many tables one sweep checks."""


async def delete_table(store: Store, bus: Bus, table_id: str) -> None:
    """Delete a table with all its matches."""
    await store.commit(DeleteTable(table_id))
    # Higher than any version, so workers that receive it check the table and find nothing.
    bus.publish(table_id, DELETED_TABLE_VERSION)


class Cleanup:
    def __init__(
        self, store: Store, bus: Bus, clock: Clock, database_clock: DatabaseClock | None = None
    ) -> None:
        """If there is a database clock, nothing is deleted that is recent by either clock."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._database_clock = database_clock

    async def delete_untouched_tables(self, keep_days: int) -> int:
        """Delete tables that nobody has touched for this many days, and daily boards that are
        older. Returns the number of tables."""
        before = await self._deletable_before(keep_days * DAY_MS)
        await self._store.commit(
            DeleteDaysBefore(str(datetime.fromtimestamp(before / 1000, UTC).date()))
        )
        swept = 0
        for table_id in await self._store.untouched_table_ids(before, TABLES_PER_SWEEP):
            if await self._touch_if_played_since(table_id, before):
                continue
            await delete_table(self._store, self._bus, table_id)
            swept += 1
        return swept

    async def delete_unvisited_circles(self) -> int:
        """Delete circles that nobody has visited for a year. Returns their number."""
        before = await self._deletable_before(EXPIRES_AFTER_MS)
        swept = 0
        for row in await self._store.untouched_circles(before, TABLES_PER_SWEEP):
            with suppress(Conflict):  # somebody has just visited it
                await self._store.commit(DeleteCircle(row.id, row.version))
                swept += 1
        return swept

    async def delete_unplayed_tables(self) -> int:
        """Delete tables that were created and left without a match. Returns their number."""
        before, swept = await self._earlier_of_both_clocks() - UNPLAYED_TABLE_LIFETIME_MS, 0
        while ids := await self._store.never_played_table_ids(before, TABLES_PER_SWEEP):
            dropped = [await self._delete_if_nobody_is_there(table_id) for table_id in ids]
            swept += sum(dropped)
            if not all(dropped):
                break  # somebody has come; the others are found next time
        return swept

    async def forget_guesses_and_tokens(self) -> None:
        """Forget guesses that no longer count, and tokens and subscriptions that are too old."""
        now = self._clock()
        before = await self._deletable_before(EXPIRES_AFTER_MS)
        await self._store.commit(DeleteOldGuesses(now - FORGET_AFTER_MS))
        await self._store.commit(UpdateTrackedTokens(now, before))
        await self._store.commit(DeleteOldSubscriptions(before))

    async def _deletable_before(self, lifetime_ms: int) -> int:
        """The cutoff: anything that nobody has used since then may be deleted. After a long
        downtime the server's date may be wrong, so everything gets its whole lifetime once more."""
        now = await self._earlier_of_both_clocks()
        restarted = await self._store.end_of_long_downtime()
        if restarted is not None and now - restarted < lifetime_ms:
            return 0
        return now - lifetime_ms

    async def _earlier_of_both_clocks(self) -> int:
        now = self._clock()
        return min(now, await self._database_clock()) if self._database_clock else now

    async def _delete_if_nobody_is_there(self, table_id: str) -> bool:
        """Delete an empty table, unless somebody has come in the meantime, which changes its
        version."""
        row = await self._store.table(table_id)
        if row is None or row.presence:
            return False
        put = make_put_table(decode_table_row(row).table, row.version, self._clock(), row.doc)
        try:
            await self._store.commit(put, DeleteTable(table_id))
        except Conflict:
            return False
        self._bus.publish(table_id, DELETED_TABLE_VERSION)
        return True

    async def _touch_if_played_since(self, table_id: str, before: int) -> bool:
        """Touch a table if its running match had an action since `before`, and return whether it
        had. Actions themselves don't touch the table."""
        row = await self._store.table(table_id)
        is_table = tokens.TABLE_ID.fullmatch(table_id)  # and not a daily board of an older server
        if row is None or not is_table:
            return False
        table = decode_table_row(row).table
        last = await last_event(self._store, table.match_id)
        if table.phase != "playing" or last is None:
            return False
        if msgspec.json.decode(last[1], type=EventTime).at < before:
            return False
        put = make_put_table(table, row.version, self._clock(), row.doc)
        with suppress(Conflict):  # then somebody has touched it
            await self._store.commit(put)
            self._bus.publish(table_id, row.version + 1)
        return True


class EventTime(msgspec.Struct, frozen=True):
    """Just an event's timestamp."""

    at: int
