"""The store in PostgreSQL, for several workers.

The log is the lock: (match, seq) is unique, so of two workers that decide on the same state one
is refused, reads again and decides again.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, assert_never

import asyncpg

from pytlik.store import (
    Append,
    Conflict,
    Deadline,
    DropTable,
    Duplicate,
    PutSecret,
    PutTable,
    SetDeadlines,
    TableRow,
    Unavailable,
    Write,
)

CHANNEL = "pytlik"

BROKEN = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)


class PostgresStore:
    def __init__(self, pool: "asyncpg.Pool[Any]", *, notify: bool) -> None:
        self._pool = pool
        self._notify = notify

    @classmethod
    async def connect(cls, url: str, *, notify: bool) -> "PostgresStore":
        try:
            pool = await asyncpg.create_pool(url, min_size=1, max_size=8, command_timeout=10)
        except BROKEN as error:
            raise Unavailable(str(error)) from error
        return cls(pool, notify=notify)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        try:
            async with self._pool.acquire(timeout=10) as connection:
                yield connection
        except BROKEN as error:
            raise Unavailable(str(error)) from error

    async def commit(self, *writes: Write) -> None:
        async with self._connection() as connection:
            try:
                async with connection.transaction():
                    for write in writes:
                        await put(connection, write)
                        if self._notify and isinstance(write, Append):
                            # Inside the transaction: it is heard when, and only if, it commits.
                            seq = write.seq + len(write.events)
                            await connection.execute(
                                "SELECT pg_notify($1, $2)", CHANNEL, f"{write.match} {seq}"
                            )
            except asyncpg.UniqueViolationError:
                raise Conflict from None

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        async with self._connection() as connection:
            rows: list[Any] = await connection.fetch(sql, *values)
            return rows

    async def events(self, match: str, after: int = 0) -> list[bytes]:
        rows = await self._read(
            "SELECT event FROM events WHERE match = $1 AND seq > $2 ORDER BY seq", match, after
        )
        return [row["event"] for row in rows]

    async def done(self, match: str, command: str) -> int | None:
        rows = await self._read(
            "SELECT seq FROM commands WHERE match = $1 AND command = $2", match, command
        )
        return rows[0]["seq"] if rows else None

    async def secret(self, match: str) -> bytes | None:
        rows = await self._read("SELECT secret FROM secrets WHERE match = $1", match)
        return rows[0]["secret"] if rows else None

    async def table(self, id: str) -> TableRow | None:
        rows = await self._read("SELECT id, version, doc FROM tables WHERE id = $1", id)
        return TableRow(*rows[0]) if rows else None

    async def tables_of(self, holder: str) -> list[TableRow]:
        rows = await self._read(
            "SELECT id, version, doc FROM tables JOIN holders USING (id) WHERE holder = $1"
            " ORDER BY touched DESC",
            holder,
        )
        return [TableRow(*row) for row in rows]

    async def tables_in(self, phase: str, limit: int) -> list[TableRow]:
        rows = await self._read(
            "SELECT id, version, doc FROM tables WHERE phase = $1 AND listed"
            " ORDER BY touched DESC LIMIT $2",
            phase,
            limit,
        )
        return [TableRow(*row) for row in rows]

    async def untouched(self, before: int, limit: int) -> list[str]:
        rows = await self._read(
            "SELECT id FROM tables WHERE touched < $1 ORDER BY touched LIMIT $2", before, limit
        )
        return [row["id"] for row in rows]

    async def take_due(self, now: int, lease: int, limit: int) -> list[Deadline]:
        rows = await self._read(
            "UPDATE deadlines SET due = $2 FROM (SELECT match, kind, due AS was FROM deadlines"
            " WHERE due <= $1 ORDER BY due LIMIT $3 FOR UPDATE SKIP LOCKED) AS taken"
            " WHERE deadlines.match = taken.match AND deadlines.kind = taken.kind"
            " RETURNING deadlines.match, deadlines.kind, taken.was",
            now,
            now + lease,
            limit,
        )
        return [Deadline(*row) for row in rows]

    async def next_due(self) -> int | None:
        rows = await self._read("SELECT min(due) FROM deadlines")
        due: int | None = rows[0][0]
        return due

    async def beat(self, now: int) -> int | None:
        rows = await self._read(
            "WITH before AS (SELECT at FROM beats WHERE id = 1), said AS ("
            " INSERT INTO beats VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = $1)"
            " SELECT at FROM before",
            now,
        )
        return rows[0][0] if rows else None

    async def check(self) -> None:
        await self._read("SELECT count(*) FROM beats")

    async def close(self) -> None:
        await self._pool.close()


async def put(connection: Any, write: Write) -> None:
    match write:
        case Append():
            await append(connection, write)
        case PutTable():
            await put_table(connection, write)
        case SetDeadlines(match, due):
            dropped = [kind for kind, at in due.items() if at is None]
            await connection.execute(
                "DELETE FROM deadlines WHERE match = $1 AND kind = ANY($2)", match, dropped
            )
            kept = {kind: at for kind, at in due.items() if at is not None}
            await connection.execute(
                "INSERT INTO deadlines SELECT $1, * FROM unnest($2::text[], $3::bigint[])"
                " ON CONFLICT (match, kind) DO UPDATE SET due = excluded.due",
                match,
                list(kept),
                list(kept.values()),
            )
        case PutSecret(match, secret):
            await connection.execute("INSERT INTO secrets VALUES ($1, $2)", match, secret)
        case DropTable(id):
            for name in ("events", "commands", "secrets", "deadlines"):
                # Matches are named after their table: "table.1", "table.2".
                await connection.execute(
                    f"DELETE FROM {name} WHERE starts_with(match, $1)", f"{id}."
                )
            await connection.execute("DELETE FROM holders WHERE id = $1", id)
            await connection.execute("DELETE FROM tables WHERE id = $1", id)
        case _:
            assert_never(write)


async def append(connection: Any, write: Append) -> None:
    """One statement: the events go in where the log has just the length that was expected."""
    match, seq, count = write.match, write.seq, len(write.events)
    if write.command is not None:
        done = await connection.fetchval(
            "SELECT seq FROM commands WHERE match = $1 AND command = $2", match, write.command
        )
        if done is not None:
            raise Duplicate(done)
    inserted = await connection.execute(
        "INSERT INTO events SELECT $1, $2 + number, event"
        " FROM unnest($3::bytea[]) WITH ORDINALITY AS new (event, number)"
        " WHERE coalesce((SELECT max(seq) FROM events WHERE match = $1), 0) = $2",
        match,
        seq,
        list(write.events),
    )
    if inserted != f"INSERT 0 {count}":
        raise Conflict
    if write.command is not None:
        await connection.execute(
            "INSERT INTO commands VALUES ($1, $2, $3)", match, write.command, seq + count
        )


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
    if done.endswith(" 0"):
        raise Conflict
    await connection.execute("DELETE FROM holders WHERE id = $1", write.id)
    await connection.execute(
        "INSERT INTO holders SELECT DISTINCT unnest($2::text[]), $1", write.id, list(write.holders)
    )
