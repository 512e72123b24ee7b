"""The store in one SQLite file.

One thread owns the connection that writes. It takes whatever has gathered, writes it in one
transaction, and only after COMMIT (synchronous=FULL) tells each caller: so many actions share one
wait for the disk. A write that fails undoes itself alone.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar, assert_never

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

T = TypeVar("T")

BATCH = 256
"""The most that share a transaction: nobody waits for more than this."""

Job = tuple[Callable[[sqlite3.Connection], Any], "asyncio.Future[Any]"]


class SqliteStore:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._reader = ThreadPoolExecutor(1, "pytlik-reader")
        self._local = threading.local()
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write, name="pytlik-writer", daemon=True)
        self._writer.start()

    # ------------------------------------------------------------------------------------ writing

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((work, future))
        return await future

    def _write(self) -> None:
        connection = connect(self._path)
        while True:
            batch = [self._jobs.get()]
            while len(batch) < BATCH and not self._jobs.empty():
                batch.append(self._jobs.get())
            jobs = [job for job in batch if job]
            if jobs:
                answers = run(connection, [work for work, _ in jobs])
                pairs = [(future, answer) for (_, future), answer in zip(jobs, answers, strict=True)]
                self._loop.call_soon_threadsafe(tell, pairs)
            if None in batch:
                connection.close()
                return

    async def commit(self, *writes: Write) -> None:
        def work(connection: sqlite3.Connection) -> None:
            for write in writes:
                put(connection, write)

        await self._do(work)

    async def take_due(self, now: int, lease: int, limit: int) -> list[Deadline]:
        def work(connection: sqlite3.Connection) -> list[Deadline]:
            rows = connection.execute(
                "SELECT match, kind, due FROM deadlines WHERE due <= ? ORDER BY due LIMIT ?",
                (now, limit),
            ).fetchall()
            connection.executemany(
                "UPDATE deadlines SET due = ? WHERE match = ? AND kind = ?",
                [(now + lease, match, kind) for match, kind, _ in rows],
            )
            return [Deadline(*row) for row in rows]

        return await self._do(work)

    async def beat(self, now: int) -> int | None:
        def work(connection: sqlite3.Connection) -> int | None:
            row = connection.execute("SELECT at FROM beats WHERE id = 1").fetchone()
            connection.execute("INSERT OR REPLACE INTO beats VALUES (1, ?)", (now,))
            return row[0] if row else None

        return await self._do(work)

    # ------------------------------------------------------------------------------------ reading

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        def work() -> list[Any]:
            if not hasattr(self._local, "connection"):
                self._local.connection = connect(self._path)
            return self._local.connection.execute(sql, values).fetchall()  # type: ignore[no-any-return]

        try:
            return await self._loop.run_in_executor(self._reader, work)
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from error

    async def events(self, match: str, after: int = 0) -> list[bytes]:
        rows = await self._read(
            "SELECT event FROM events WHERE match = ? AND seq > ? ORDER BY seq", match, after
        )
        return [event for (event,) in rows]

    async def done(self, match: str, command: str) -> int | None:
        rows = await self._read(
            "SELECT seq FROM commands WHERE match = ? AND command = ?", match, command
        )
        return rows[0][0] if rows else None

    async def secret(self, match: str) -> bytes | None:
        rows = await self._read("SELECT secret FROM secrets WHERE match = ?", match)
        return rows[0][0] if rows else None

    async def table(self, id: str) -> TableRow | None:
        rows = await self._read("SELECT id, version, doc FROM tables WHERE id = ?", id)
        return TableRow(*rows[0]) if rows else None

    async def tables_of(self, holder: str) -> list[TableRow]:
        rows = await self._read(
            "SELECT id, version, doc FROM tables JOIN holders USING (id) WHERE holder = ?"
            " ORDER BY touched DESC",
            holder,
        )
        return [TableRow(*row) for row in rows]

    async def tables_in(self, phase: str, limit: int) -> list[TableRow]:
        rows = await self._read(
            "SELECT id, version, doc FROM tables WHERE phase = ? AND listed"
            " ORDER BY touched DESC LIMIT ?",
            phase,
            limit,
        )
        return [TableRow(*row) for row in rows]

    async def untouched(self, before: int, limit: int) -> list[str]:
        rows = await self._read(
            "SELECT id FROM tables WHERE touched < ? ORDER BY touched LIMIT ?", before, limit
        )
        return [id for (id,) in rows]

    async def next_due(self) -> int | None:
        rows = await self._read("SELECT min(due) FROM deadlines")
        due: int | None = rows[0][0]
        return due

    async def check(self) -> None:
        await self._do(lambda connection: connection.execute("SELECT count(*) FROM beats"))

    async def close(self) -> None:
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._writer.join)
        self._reader.shutdown()


def connect(path: Path) -> sqlite3.Connection:
    """A connection that begins and ends transactions only when told to."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def run(
    connection: sqlite3.Connection, works: list[Callable[[sqlite3.Connection], Any]]
) -> list[Any]:
    """Do all in one transaction; the answer of each, or the exception that it ended with."""
    answers: list[Any] = []
    try:
        connection.execute("BEGIN IMMEDIATE")
        for work in works:
            connection.execute("SAVEPOINT work")
            try:
                answers.append(work(connection))
            except (Conflict, Duplicate) as refused:
                connection.execute("ROLLBACK TO work")
                answers.append(refused)
            connection.execute("RELEASE work")
        connection.execute("COMMIT")
    except Exception as error:
        # The disk is full, the file is locked or broken: nothing of it has happened.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        failed = Unavailable(str(error))
        failed.__cause__ = error
        return [failed] * len(works)
    return answers


def tell(pairs: "list[tuple[asyncio.Future[Any], Any]]") -> None:
    for future, answer in pairs:
        if future.done():  # whoever asked has gone
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def put(connection: sqlite3.Connection, write: Write) -> None:
    match write:
        case Append():
            append(connection, write)
        case PutTable():
            put_table(connection, write)
        case SetDeadlines(match, due):
            for kind, at in due.items():
                if at is None:
                    connection.execute(
                        "DELETE FROM deadlines WHERE match = ? AND kind = ?", (match, kind)
                    )
                else:
                    connection.execute(
                        "INSERT OR REPLACE INTO deadlines VALUES (?, ?, ?)", (match, kind, at)
                    )
        case PutSecret(match, secret):
            connection.execute("INSERT INTO secrets VALUES (?, ?)", (match, secret))
        case DropTable(id):
            for name in ("events", "commands", "secrets", "deadlines"):
                # Matches are named after their table: "table.1", "table.2".
                connection.execute(f"DELETE FROM {name} WHERE match GLOB ?", (f"{id}.*",))
            connection.execute("DELETE FROM holders WHERE id = ?", (id,))
            connection.execute("DELETE FROM tables WHERE id = ?", (id,))
        case _:
            assert_never(write)


def append(connection: sqlite3.Connection, write: Append) -> None:
    match, seq = write.match, write.seq
    if write.command is not None:
        done = connection.execute(
            "SELECT seq FROM commands WHERE match = ? AND command = ?", (match, write.command)
        ).fetchone()
        if done:
            raise Duplicate(done[0])
    last = connection.execute(
        "SELECT seq FROM events WHERE match = ? ORDER BY seq DESC LIMIT 1", (match,)
    ).fetchone()
    if (last[0] if last else 0) != seq:
        raise Conflict
    connection.executemany(
        "INSERT INTO events VALUES (?, ?, ?)",
        [(match, number, event) for number, event in enumerate(write.events, seq + 1)],
    )
    if write.command is not None:
        connection.execute(
            "INSERT INTO commands VALUES (?, ?, ?)",
            (match, write.command, seq + len(write.events)),
        )


def put_table(connection: sqlite3.Connection, write: PutTable) -> None:
    row = (write.version + 1, write.doc, write.phase, write.listed, write.touched)
    if write.version:
        done = connection.execute(
            "UPDATE tables SET version = ?, doc = ?, phase = ?, listed = ?, touched = ?"
            " WHERE id = ? AND version = ?",
            (*row, write.id, write.version),
        )
    else:
        done = connection.execute(
            "INSERT INTO tables (version, doc, phase, listed, touched, id)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*row, write.id),
        )
    if not done.rowcount:
        raise Conflict
    connection.execute("DELETE FROM holders WHERE id = ?", (write.id,))
    connection.executemany(
        "INSERT INTO holders VALUES (?, ?)",
        [(holder, write.id) for holder in dict.fromkeys(write.holders)],
    )
