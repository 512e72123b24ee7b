"""The store in PostgreSQL, for several workers.

The log is the lock: (id, match, seq) is unique, so of two workers that decide on the same state one
is refused, reads again and decides again. No other lock concerns more than one table.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg

from pytlik.store.daily_statements import daily_write_statement
from pytlik.store.daily_writes import DailyWrite
from pytlik.store.errors import Conflict, Duplicate, Unavailable
from pytlik.store.notification_statements import notification_statements
from pytlik.store.notification_writes import NotificationWrite
from pytlik.store.postgres_commit_statement import commit_statement
from pytlik.store.postgres_fixed_statements import delete_table_statement
from pytlik.store.postgres_group_commit import (
    MAX_CONCURRENT_FLUSHES,
    AppendQueue,
    WaitingAppend,
    append_batch_statement,
    fail_append,
    resolve_append,
)
from pytlik.store.postgres_statement import Statement
from pytlik.store.queries import Queries
from pytlik.store.rows import Deadline
from pytlik.store.writes import Append, DeleteTable, SetDeadlines, Write

CONNECTIONS_FOR_ACTIONS = MAX_CONCURRENT_FLUSHES
CONNECTIONS_FOR_OTHERS = 3
"""Actions have connections of their own, so that they never wait behind a crowd that joins or
reads. With more connections, requests would only wait for each other in the database."""
TIMEOUT_SECONDS = 10
"""How long to wait for a connection or an answer."""

CONNECTION_ERRORS = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
CONFLICT_ERRORS = (
    asyncpg.UniqueViolationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)
ERRORS_OF_ONE_APPEND = (
    *CONFLICT_ERRORS,
    asyncpg.DataError,
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
)
"""Errors that may concern one append of a batch and none of the others."""

SESSION_SETTINGS = """
SET plan_cache_mode = force_generic_plan;  -- planning takes longer than doing
SET enable_seqscan = off;  -- every query has its index, also while the planner knows no numbers yet
-- In milliseconds. What the server commits is one statement, and leaves no transaction open. If one
-- stays open all the same, its worker is disconnected before others give up waiting for its locks,
-- and they give up before their client does (TIMEOUT_SECONDS). All of this is longer than the short
-- pauses of a busy machine.
SET idle_in_transaction_session_timeout = 5000;
SET lock_timeout = 6000;
SET statement_timeout = 8000
"""

# Materialised: otherwise the planner may ask for more rows than the limit.
TAKE_DUE = """
WITH taken AS MATERIALIZED (
    SELECT id, match, kind, due FROM deadlines WHERE due <= $1
    ORDER BY due LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE deadlines SET due = $2 FROM taken
WHERE deadlines.id = taken.id AND deadlines.match = taken.match AND deadlines.kind = taken.kind
RETURNING taken.id || '.' || taken.match, taken.kind, taken.due
"""


class PostgresStore(Queries):
    presence_sql = """
        (SELECT coalesce(json_agg(json_build_array(holder, worker, lag)), '[]')::text
         FROM presence WHERE presence.id = tables.id)
    """
    ids_sql = "unnest($1::text[]) AS ids (value)"
    match_ids_sql = """
        (SELECT value, split_part(value, '.', 1) AS id, split_part(value, '.', 2)::int AS number
         FROM unnest($1::text[]) AS ids (value))
    """

    def __init__(self, pool: "asyncpg.Pool[Any]", *, notify: bool) -> None:
        self._pool = pool
        self._notify = notify
        self._closed = False
        self._busy = 0
        self._idle = asyncio.Event()
        # The pool itself would serve the latest request first.
        self._actions = asyncio.Semaphore(CONNECTIONS_FOR_ACTIONS)
        self._others = asyncio.Semaphore(CONNECTIONS_FOR_OTHERS)
        self._appends = AppendQueue(self._append_all)

    @classmethod
    async def connect(cls, url: str, *, notify: bool) -> "PostgresStore":
        """Connect. With `notify`, each commit wakes up all listeners."""
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=CONNECTIONS_FOR_ACTIONS + CONNECTIONS_FOR_OTHERS,
                timeout=TIMEOUT_SECONDS,
                command_timeout=TIMEOUT_SECONDS,
                init=apply_settings,
                reset=skip_reset,
            )
        except CONNECTION_ERRORS as error:
            raise Unavailable(str(error)) from error
        return cls(pool, notify=notify)

    @contextmanager
    def _keep_open(self) -> Iterator[None]:
        """Make `close` wait until the block is done. Raises Unavailable if it's already closed."""
        if self._closed:
            raise Unavailable("the store is closed")
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1
            if not self._busy:
                self._idle.set()

    @asynccontextmanager
    async def _connection(self, queue: asyncio.Semaphore) -> AsyncIterator[Any]:
        try:
            async with (
                wait_turn(queue),
                self._pool.acquire(timeout=TIMEOUT_SECONDS) as connection,
            ):
                yield connection
        except CONFLICT_ERRORS:
            raise Conflict from None
        except asyncpg.DataError as error:
            raise ValueError(str(error)) from error
        except CONNECTION_ERRORS as error:
            raise Unavailable(str(error) or type(error).__name__) from error

    async def commit(self, *writes: Write) -> None:
        with self._keep_open():
            match writes:
                case [Append() as append]:
                    await self._appends.commit(append)
                case [Append() as append, SetDeadlines() as due] if due.match == append.match:
                    await self._appends.commit(append, due)
                case _:
                    await self._commit_directly(writes, self._others)

    async def _commit_directly(self, writes: tuple[Write, ...], queue: asyncio.Semaphore) -> None:
        statement = commit_statement(*writes, notify=self._notify)
        async with self._connection(queue) as connection:
            if statement:
                await execute_statement(connection, statement)
            elif len(writes) == 1:
                await self._execute_write(connection, writes[0])
            else:
                async with connection.transaction():
                    for write in writes:
                        await self._execute_write(connection, write)

    async def _append_all(self, batch: Sequence[WaitingAppend]) -> None:
        """Write appends to different matches, and resolve each."""
        if len(batch) > 1:
            statement = append_batch_statement(batch, notify=self._notify)
            async with self._connection(self._actions) as connection:
                try:
                    rows = await connection.fetch(statement.text, *statement.values)
                except ERRORS_OF_ONE_APPEND:
                    pass  # nothing was written: try each by itself
                else:
                    for waiting, (done, before, *_) in zip(batch, rows, strict=True):
                        resolve_append(waiting, done=done, before=before)
                    return
        for waiting in batch:
            try:
                await self._commit_directly(waiting.writes, self._actions)
            except Exception as error:  # noqa: BLE001 - passed on to the caller
                fail_append(waiting, error)
            else:
                resolve_append(waiting, done=True, before=None)

    async def _execute_write(self, connection: Any, write: Write) -> None:
        if isinstance(write, DeleteTable):
            await connection.execute(delete_table_statement(write.id, notify=self._notify))
        elif isinstance(write, DailyWrite):
            sql, values = daily_write_statement(write)
            await connection.execute(sql, *values)
        elif isinstance(write, NotificationWrite):
            for sql, values in notification_statements(write):
                await connection.execute(sql, *values)
        elif statement := commit_statement(write, notify=self._notify):
            await execute_statement(connection, statement)
        else:
            raise TypeError(f"there is no statement for {type(write).__name__}")

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        with self._keep_open():
            async with self._connection(self._others) as connection:
                rows: list[Any] = await connection.fetch(sql, *values)
                return rows

    async def take_due(self, now: int, lease: int, limit: int) -> list[Deadline]:
        rows = await self._read(TAKE_DUE, now, now + lease, limit)
        return sorted((Deadline(*row) for row in rows), key=lambda taken: taken.due)

    async def now(self) -> int:
        now: int = await self._read_value(
            "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        )
        return now

    async def check_available(self) -> None:
        await self._read(
            "INSERT INTO beats VALUES (0, 0) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
        )

    async def close(self) -> None:
        """Close once everything that is under way is done."""
        if self._closed:
            return
        self._closed = True
        if self._busy:
            self._idle.clear()
            await self._idle.wait()
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._pool.close()
        except (*CONNECTION_ERRORS, TimeoutError):
            self._pool.terminate()


@asynccontextmanager
async def wait_turn(queue: asyncio.Semaphore) -> AsyncIterator[None]:
    """Wait in order of arrival, for a limited time."""
    async with asyncio.timeout(TIMEOUT_SECONDS if queue.locked() else None):
        await queue.acquire()
    try:
        yield
    finally:
        queue.release()


async def apply_settings(connection: Any) -> None:
    await connection.execute(SESSION_SETTINGS)


async def skip_reset(connection: Any) -> None:
    """Skip the reset: our use of a connection leaves nothing to reset, and this saves a round
    trip."""


async def execute_statement(connection: Any, statement: Statement) -> None:
    done, before, *_ = await connection.fetchrow(statement.text, *statement.values)
    if before is not None:
        raise Duplicate(before)
    if not done:
        raise Conflict
