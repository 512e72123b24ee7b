"""The store in PostgreSQL, for several workers.

The log is the lock: (match, seq) is unique, so of two workers that decide on the same state one
is refused, reads again and decides again.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, assert_never

import asyncpg

from pytlik.store import (
    GONE,
    Append,
    Beat,
    Come,
    Conflict,
    Deadline,
    DropTable,
    DropWorker,
    Duplicate,
    Go,
    MoveDeadline,
    PutSecret,
    PutTable,
    SetDeadlines,
    Unavailable,
    WakeUp,
    Write,
)
from pytlik.store.reading import Reading

CHANNEL = "pytlik"
"""Where workers listen: "id number" for each match that has grown and each table that changed."""

CONNECTIONS = 4
"""More of them only wait for each other."""
PATIENCE = 10
"""Seconds to wait for a connection or an answer."""

BROKEN = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
LATE = (
    asyncpg.UniqueViolationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)

SETTINGS = """
SET plan_cache_mode = force_generic_plan;  -- planning takes longer than doing
SET enable_seqscan = off  -- every query has its index, also while the planner knows no numbers yet
"""

# The events go in where the log has just the length that was expected and the command is new; the
# rest follows if they did. One statement is one transaction and one trip to the server.
APPEND = """
WITH done AS MATERIALIZED (SELECT seq FROM commands WHERE match = $1 AND command = $4),
added AS (
    INSERT INTO events SELECT $1, $2 + number, event, $8
    FROM unnest($3::bytea[]) WITH ORDINALITY AS new (event, number)
    WHERE coalesce((SELECT max(seq) FROM events WHERE match = $1), 0) = $2
    AND NOT EXISTS (SELECT FROM done)
    RETURNING seq),
reached AS (SELECT max(seq) AS seq FROM added),
said AS (
    INSERT INTO commands SELECT $1, $4, seq FROM reached
    WHERE seq IS NOT NULL AND $4::text IS NOT NULL),
dropped AS (
    DELETE FROM deadlines USING reached
    WHERE match = $1 AND kind = ANY($5::text[]) AND reached.seq IS NOT NULL),
kept AS (
    INSERT INTO deadlines SELECT $1, kind, due
    FROM reached, unnest($6::text[], $7::bigint[]) AS new (kind, due) WHERE seq IS NOT NULL
    ON CONFLICT (match, kind) DO UPDATE SET due = excluded.due)
SELECT reached.seq, (SELECT seq FROM done) AS done{notify}
FROM reached
"""
# Heard when, and only if, it commits; and in the order of the commits.
NOTIFY = f", CASE WHEN seq > 0 THEN pg_notify('{CHANNEL}', $1 || ' ' || seq)::text END"

SET_DEADLINES = """
WITH dropped AS (DELETE FROM deadlines WHERE match = $1 AND kind = ANY($2::text[]))
INSERT INTO deadlines SELECT $1, * FROM unnest($3::text[], $4::bigint[])
ON CONFLICT (match, kind) DO UPDATE SET due = excluded.due
"""

# Materialised: otherwise the planner may ask for more rows than the limit.
TAKE_DUE = """
WITH taken AS MATERIALIZED (
    SELECT match, kind, due FROM deadlines WHERE due <= $1
    ORDER BY due LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE deadlines SET due = $2 FROM taken
WHERE deadlines.match = taken.match AND deadlines.kind = taken.kind
RETURNING taken.match, taken.kind, taken.due
"""

# Clocks differ between machines: the latest beat counts.
BEAT = """
WITH server AS (
    INSERT INTO beats VALUES (1, $2)
    ON CONFLICT (id) DO UPDATE SET at = greatest(beats.at, excluded.at) WHERE beats.at >= $3
    RETURNING at)
INSERT INTO workers SELECT $1, $2 FROM server
ON CONFLICT (worker) DO UPDATE SET at = excluded.at
"""

COME = """
INSERT INTO presence VALUES ($1, $2, $3, $4)
ON CONFLICT (id, holder, worker) DO UPDATE SET lag = $4
"""


class PostgresStore(Reading):
    presence = """
        (SELECT coalesce(json_agg(json_build_array(holder, worker, lag)), '[]')::text
         FROM presence WHERE presence.id = tables.id)
    """
    ids = "unnest($1::text[]) AS ids (value)"

    def __init__(self, pool: "asyncpg.Pool[Any]", *, notify: bool) -> None:
        self._pool = pool
        self._notify = notify
        self._append = APPEND.format(notify=NOTIFY if notify else "")
        self._closed = False
        self._busy = 0
        self._idle = asyncio.Event()
        # The pool would let whoever comes last go first.
        self._queue = asyncio.Semaphore(CONNECTIONS)

    @classmethod
    async def connect(cls, url: str, *, notify: bool) -> "PostgresStore":
        """With `notify` each commit wakes up whoever listens on CHANNEL."""
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=CONNECTIONS,
                timeout=PATIENCE,
                command_timeout=PATIENCE,
                init=prepare,
                reset=leave,
            )
        except BROKEN as error:
            raise Unavailable(str(error)) from error
        return cls(pool, notify=notify)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        if self._closed:
            raise Unavailable("the store is closed")
        self._busy += 1
        try:
            async with turn(self._queue), self._pool.acquire(timeout=PATIENCE) as connection:
                yield connection
        except LATE:
            raise Conflict from None
        except asyncpg.DataError as error:
            raise ValueError(str(error)) from error
        except BROKEN as error:
            raise Unavailable(str(error) or type(error).__name__) from error
        finally:
            self._busy -= 1
            if not self._busy:
                self._idle.set()

    async def commit(self, *writes: Write) -> None:
        async with self._connection() as connection:
            match writes:
                case [Append() as only]:
                    await self._add(connection, only, {})
                case [Append() as first, SetDeadlines(match, due)] if match == first.match:
                    await self._add(connection, first, due)
                case _:
                    async with connection.transaction():
                        for write in writes:
                            await self._put(connection, write)

    async def _add(self, connection: Any, write: Append, due: dict[str, int | None]) -> None:
        reached, done, *_ = await connection.fetchrow(
            self._append,
            write.match,
            write.seq,
            write.events,
            write.command,
            *split(due),
            write.actor,
        )
        if done is not None:
            raise Duplicate(done)
        if reached is None:
            raise Conflict

    async def _put(self, connection: Any, write: Write) -> None:
        match write:
            case Append():
                await self._add(connection, write, {})
            case SetDeadlines(match, due):
                await connection.execute(SET_DEADLINES, match, *split(due))
            case PutSecret(match, secret):
                await connection.execute("INSERT INTO secrets VALUES ($1, $2)", match, secret)
            case PutTable():
                await put_table(connection, write)
                await self._tell(connection, write.id, write.version + 1)
            case DropTable(id):
                await drop_table(connection, id)
                await self._tell(connection, id, GONE)
            case MoveDeadline(match, kind, due, None):
                await connection.execute(
                    "DELETE FROM deadlines WHERE match = $1 AND kind = $2 AND due = $3",
                    match,
                    kind,
                    due,
                )
            case MoveDeadline(match, kind, due, to):
                await connection.execute(
                    "UPDATE deadlines SET due = $4 WHERE match = $1 AND kind = $2 AND due = $3",
                    match,
                    kind,
                    due,
                    to,
                )
            case Come(id, holder, worker, lag):
                await connection.execute(COME, id, holder, worker, lag)
            case Go(id, holder, worker):
                await connection.execute(
                    "DELETE FROM presence WHERE id = $1 AND holder = $2 AND worker = $3",
                    id,
                    holder,
                    worker,
                )
            case Beat(worker, at, since):
                expect_row(await connection.execute(BEAT, worker, at, since))
            case WakeUp(last, at):
                expect_row(
                    await connection.execute(
                        "UPDATE beats SET at = $1 WHERE id = 1 AND at = $2", at, last
                    )
                )
            case DropWorker(worker, at):
                expect_row(
                    await connection.execute(
                        "DELETE FROM workers WHERE worker = $1 AND at = $2", worker, at
                    )
                )
            case _:
                assert_never(write)

    async def _tell(self, connection: Any, id: str, number: int) -> None:
        if self._notify:
            await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, f"{id} {number}")

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        async with self._connection() as connection:
            rows: list[Any] = await connection.fetch(sql, *values)
            return rows

    async def take_due(self, now: int, lease: int, limit: int) -> list[Deadline]:
        rows = await self._read(TAKE_DUE, now, now + lease, limit)
        return sorted((Deadline(*row) for row in rows), key=lambda taken: taken.due)

    async def check(self) -> None:
        await self._read(
            "INSERT INTO beats VALUES (0, 0) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
        )

    async def close(self) -> None:
        """All that was asked for before is still done."""
        if self._closed:
            return
        self._closed = True
        if self._busy:
            self._idle.clear()
            await self._idle.wait()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._pool.close()
        except (*BROKEN, TimeoutError):
            self._pool.terminate()


@asynccontextmanager
async def turn(queue: asyncio.Semaphore) -> AsyncIterator[None]:
    """First come, first served, and not for longer than anybody would wait."""
    async with asyncio.timeout(PATIENCE if queue.locked() else None):
        await queue.acquire()
    try:
        yield
    finally:
        queue.release()


async def prepare(connection: Any) -> None:
    await connection.execute(SETTINGS)


async def leave(connection: Any) -> None:
    """What a connection was used for leaves nothing to reset, so spare the trip to the server."""


def split(due: dict[str, int | None]) -> tuple[list[str], list[str], list[int]]:
    """The kinds that are dropped, those that are kept, and when the latter are due."""
    dropped = [kind for kind, at in due.items() if at is None]
    kept = {kind: at for kind, at in due.items() if at is not None}
    return dropped, list(kept), list(kept.values())


def expect_row(done: str) -> None:
    """PostgreSQL says what it did and to how many rows."""
    if done.endswith(" 0"):
        raise Conflict


async def put_table(connection: Any, write: PutTable) -> None:
    row = (write.id, write.version + 1, write.doc, write.phase, write.listed, write.touched)
    if write.version:
        done = await connection.execute(
            "UPDATE tables SET version = $2, doc = $3, phase = $4, listed = $5, touched = $6"
            " WHERE id = $1 AND version = $7",
            *row,
            write.version,
        )
    else:
        done = await connection.execute(
            "INSERT INTO tables VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING", *row
        )
    expect_row(done)
    await connection.execute("DELETE FROM holders WHERE id = $1", write.id)
    await connection.execute(
        "INSERT INTO holders SELECT DISTINCT unnest($2::text[]), $1", write.id, write.holders
    )


async def drop_table(connection: Any, id: str) -> None:
    for name in ("tables", "holders", "presence"):
        await connection.execute(f"DELETE FROM {name} WHERE id = $1", id)
    # An append at this very moment would leave the end of a log behind: let nobody append.
    await connection.execute("LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE")
    for name in ("events", "commands", "secrets", "deadlines"):
        # "/" is what comes after ".".
        await connection.execute(
            f"DELETE FROM {name} WHERE match >= $1 AND match < $2", f"{id}.", f"{id}/"
        )
