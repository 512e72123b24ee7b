"""The store in one SQLite file.

One thread owns the connection that writes. It takes everything that is waiting, writes it in one
transaction, and tells each caller only after COMMIT (synchronous=FULL). So many actions share one
wait for the disk. If a write is refused, only that one is undone.
"""

import asyncio
import json
import queue
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from pytlik.store.circle_statements import sqlite_circle_statements
from pytlik.store.circle_writes import CircleWrite
from pytlik.store.daily_statements import daily_statement
from pytlik.store.daily_writes import DailyWrite
from pytlik.store.errors import Conflict, Duplicate, Unavailable
from pytlik.store.notification_statements import notification_statements
from pytlik.store.queries import Queries
from pytlik.store.rows import Deadline
from pytlik.store.writes import (
    Append,
    CheckStillDue,
    Connected,
    DeleteOldGuesses,
    DeleteTable,
    DeleteWorker,
    Disconnected,
    EndDowntime,
    GiveBackGuess,
    Heartbeat,
    MoveDeadline,
    PutSecret,
    PutState,
    PutTable,
    SetDeadlines,
    TakeGuess,
    TokenSeen,
    UpdateTrackedTokens,
    Write,
    split_match,
)

T = TypeVar("T")

MAX_WRITES_PER_BATCH = 256
"""The most writes that share a transaction, so that nobody waits for more than this."""

TIMEOUT_SECONDS = 10
"""How long to wait for another process that is writing."""

TABLES_WITH_TABLE_ID = (
    "events",
    "commands",
    "secrets",
    "deadlines",
    "holders",
    "presence",
    "tables",
)
"""The database's tables whose rows belong to a table of players and have its id."""

CHECK_WRITABLE = (
    "INSERT INTO beats (id, at) VALUES (0, 0) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
)

# Statements name their columns, because a newer Pytlik may have added some.
WriteFunction = Callable[[sqlite3.Connection], Any]
QueuedWrite = tuple[WriteFunction, "asyncio.Future[Any]"]


class SqliteStore(Queries):
    """Create it inside an event loop, on a migrated database."""

    presence_sql = """
        (SELECT json_group_array(json_array(holder, worker, lag))
         FROM presence WHERE presence.id = tables.id)
    """
    ids_sql = "json_each($1)"
    match_ids_sql = """
        (SELECT value, substr(value, 1, instr(value, '.') - 1) AS id,
         CAST(substr(value, instr(value, '.') + 1) AS INTEGER) AS number FROM json_each($1))
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._closed = False
        self._jobs: queue.SimpleQueue[QueuedWrite | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._reader = ThreadPoolExecutor(1, "pytlik-reader")
        self._reading: sqlite3.Connection | None = None
        self._writer = threading.Thread(
            target=self._run_writer_thread, name="pytlik-writer", daemon=True
        )
        self._writer.start()

    # ------------------------------------------------------------------------------------ writing

    async def _queue_write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise Unavailable("the store is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((work, future))
        return await future

    def _run_writer_thread(self) -> None:
        """The writing thread's loop, which ends when it gets None."""
        connection: sqlite3.Connection | None = None
        while True:
            batch = [self._jobs.get()]
            while len(batch) < MAX_WRITES_PER_BATCH and not self._jobs.empty():
                batch.append(self._jobs.get())
            jobs = [job for job in batch if job and not job[1].cancelled()]
            try:
                connection = connection or connect(self._path)
                answers = run_in_transaction(connection, [work for work, _ in jobs])
            except Exception as error:  # noqa: BLE001 - this thread must outlive everything
                # The disk is full, or the file is locked or broken: nothing was written. We don't
                # know what state the connection is in, so the next batch gets a new one.
                answers = [to_unavailable(error) for _ in jobs]
                close_quietly(connection)
                connection = None
            pairs = [(future, answer) for (_, future), answer in zip(jobs, answers, strict=True)]
            with suppress(RuntimeError):  # the loop is closed, so nobody waits any more
                self._loop.call_soon_threadsafe(resolve_futures, pairs)
            if None in batch:
                close_quietly(connection)
                return

    async def commit(self, *writes: Write) -> None:
        def work(connection: sqlite3.Connection) -> None:
            for write in writes:
                apply_write(connection, write)

        await self._queue_write(work)

    async def take_due(self, now: int, lease: int, limit: int) -> list[Deadline]:
        return await self._queue_write(lambda connection: take_due(connection, now, lease, limit))

    async def now(self) -> int:
        return machine_time_ms()

    async def check_available(self) -> None:
        await self._queue_write(lambda connection: connection.execute(CHECK_WRITABLE))

    # ------------------------------------------------------------------------------------ reading

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        if self._closed:
            raise Unavailable("the store is closed")
        return await self._loop.run_in_executor(
            self._reader, self._fetch, *adapt_for_sqlite(sql, values)
        )

    def _fetch(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        """Runs in the reading thread, like `_close_reading_connection`."""
        try:
            self._reading = self._reading or connect(self._path)
            return self._reading.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self._close_reading_connection()
            raise to_unavailable(error) from error

    def _close_reading_connection(self) -> None:
        close_quietly(self._reading)
        self._reading = None

    async def close(self) -> None:
        """Close after everything that was asked for is done."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        await self._loop.run_in_executor(self._reader, self._writer.join)
        await self._loop.run_in_executor(self._reader, self._close_reading_connection)
        self._reader.shutdown()


def machine_time_ms() -> int:
    """All workers that share a file are on the same machine."""
    return time.time_ns() // 1_000_000


def adapt_for_sqlite(sql: str, values: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Convert a statement and its values from PostgreSQL's form to SQLite's."""
    lists = (json.dumps(value) if isinstance(value, list) else value for value in values)
    return sql.replace("$", "?"), tuple(lists)


def make_private(path: Path) -> None:
    """A database contains secrets, so let only its owner read it, whoever created it and whatever
    the umask was. The files that SQLite puts beside it get the same permissions."""
    for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        # We can't change somebody else's file, and don't need to if it doesn't exist.
        with suppress(OSError):
            mode = file.stat().st_mode
            if mode & 0o077:
                file.chmod(stat.S_IMODE(mode) & 0o700)


def connect(path: Path) -> sqlite3.Connection:
    """Connect to an existing database. Transactions begin and end only when told."""
    make_private(path)
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=TIMEOUT_SECONDS,
        check_same_thread=False,
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error:
        close_quietly(connection)
        raise
    return connection


def close_quietly(connection: sqlite3.Connection | None) -> None:
    if connection:
        with suppress(sqlite3.Error):
            connection.close()


def to_unavailable(error: Exception) -> Unavailable:
    failed = Unavailable(str(error))
    failed.__cause__ = error
    return failed


def resolve_futures(pairs: list[tuple["asyncio.Future[Any]", Any]]) -> None:
    for future, answer in pairs:
        if future.done():  # the caller has gone
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def run_in_transaction(connection: sqlite3.Connection, works: list[WriteFunction]) -> list[Any]:
    """Do everything in one transaction, and return each answer or the exception it was refused
    with."""
    connection.execute("BEGIN IMMEDIATE")
    answers = run_without_savepoints(connection, works)
    if answers is None:
        connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        answers = run_with_savepoints(connection, works)
    connection.execute("COMMIT")
    return answers


def run_without_savepoints(
    connection: sqlite3.Connection, works: list[WriteFunction]
) -> list[Any] | None:
    """Return the answers, or None if one was refused halfway. That's so rare that savepoints would
    cost more than doing everything again."""
    answers = []
    for work in works:
        before = connection.total_changes
        answers.append(run_or_return_error(connection, work))
        if isinstance(answers[-1], Exception) and connection.total_changes != before:
            return None
    return answers


def run_with_savepoints(connection: sqlite3.Connection, works: list[WriteFunction]) -> list[Any]:
    answers = []
    for work in works:
        connection.execute("SAVEPOINT work")
        answers.append(run_or_return_error(connection, work))
        if isinstance(answers[-1], Exception):
            connection.execute("ROLLBACK TO work")
        connection.execute("RELEASE work")
    return answers


def run_or_return_error(connection: sqlite3.Connection, work: WriteFunction) -> Any:
    """Do one piece of work, and return its answer or the exception that concerns it alone."""
    try:
        return work(connection)
    except sqlite3.IntegrityError:
        return Conflict()
    except (sqlite3.DataError, sqlite3.ProgrammingError, OverflowError) as error:
        return ValueError(str(error))
    except sqlite3.Error:
        raise
    except Exception as error:  # noqa: BLE001 - passed on to the caller
        return error


def apply_write(connection: sqlite3.Connection, write: Write) -> None:
    match write:
        case Append():
            append(connection, write)
        case PutTable():
            put_table(connection, write)
        case SetDeadlines():
            set_deadlines(connection, write)
        case PutSecret(match, secret):
            connection.execute(
                "INSERT INTO secrets (id, match, secret) VALUES (?, ?, ?)",
                (*split_match(match), secret),
            )
        case PutState(id, number, seq, version, state):
            connection.execute(
                "UPDATE secrets SET state_seq = ?, state_version = ?, state = ?"
                " WHERE id = ? AND match = ?",
                (seq, version, state, id, number),
            )
        case DeleteTable(id):
            for name in TABLES_WITH_TABLE_ID:
                connection.execute(f"DELETE FROM {name} WHERE id = ?", (id,))
        case MoveDeadline(match, kind, due, None):
            connection.execute(
                "DELETE FROM deadlines WHERE id = ? AND match = ? AND kind = ? AND due = ?",
                (*split_match(match), kind, due),
            )
        case MoveDeadline(match, kind, due, to):
            connection.execute(
                "UPDATE deadlines SET due = ? WHERE id = ? AND match = ? AND kind = ? AND due = ?",
                (to, *split_match(match), kind, due),
            )
        case CheckStillDue(match, kind, due):
            if not connection.execute(
                "SELECT 1 FROM deadlines WHERE id = ? AND match = ? AND kind = ? AND due = ?",
                (*split_match(match), kind, due),
            ).fetchone():
                raise Conflict
        case Connected(id, holder, worker, lag):
            connection.execute(
                "INSERT INTO presence (id, holder, worker, lag) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id, holder, worker) DO UPDATE SET lag = excluded.lag",
                (id, holder, worker, lag),
            )
        case Disconnected(id, holder, worker):
            connection.execute(
                "DELETE FROM presence WHERE id = ? AND holder = ? AND worker = ?",
                (id, holder, worker),
            )
        case Heartbeat(worker, at, since):
            note_heartbeat(connection, at, since)
            connection.execute(
                "INSERT INTO workers (worker, at) VALUES (?, ?)"
                " ON CONFLICT (worker) DO UPDATE SET at = excluded.at",
                (worker, at),
            )
        case EndDowntime(last, at):
            if not connection.execute(
                "UPDATE beats SET at = ? WHERE id = 1 AND at = ?", (at, last)
            ).rowcount:
                raise Conflict
        case DeleteWorker(worker, at):
            if not connection.execute(
                "DELETE FROM workers WHERE worker = ? AND at = ?", (worker, at)
            ).rowcount:
                raise Conflict
        case TakeGuess():
            take_guess(connection, write)
        case GiveBackGuess(key, burst):
            connection.execute("UPDATE guesses SET remaining = remaining + 1 WHERE key = ?", (key,))
            connection.execute("DELETE FROM guesses WHERE key = ? AND remaining >= ?", (key, burst))
        case DeleteOldGuesses(before):
            connection.execute("DELETE FROM guesses WHERE at < ?", (before,))
        case TokenSeen(holder, at):
            connection.execute(
                "UPDATE last_seen SET at = ?2 WHERE holder = ?1 AND at < ?2", (holder, at)
            )
        case UpdateTrackedTokens(now, before):
            connection.execute(
                "INSERT INTO last_seen (holder, at) SELECT DISTINCT holder, ? FROM holders"
                " WHERE holder NOT IN (SELECT holder FROM last_seen)",
                (now,),
            )
            connection.execute(
                "DELETE FROM last_seen WHERE at < ?"
                " AND NOT EXISTS (SELECT 1 FROM holders WHERE holder = last_seen.holder)",
                (before,),
            )
        case _ if isinstance(write, CircleWrite):
            first, *others = sqlite_circle_statements(write)
            if not connection.execute(*adapt_for_sqlite(*first)).rowcount:
                raise Conflict
            for statement in others:
                connection.execute(*adapt_for_sqlite(*statement))
        case _ if isinstance(write, DailyWrite):
            connection.execute(*adapt_for_sqlite(*daily_statement(write)))
        case _:
            for statement in notification_statements(write):
                connection.execute(*adapt_for_sqlite(*statement))


def take_guess(connection: sqlite3.Connection, write: TakeGuess) -> None:
    left = "min(?2, remaining + max(0, ?4 - at) * ?3 / 1000.0)"
    if not connection.execute(
        "INSERT INTO guesses (key, remaining, at) VALUES (?1, ?2 - 1, ?4) ON CONFLICT (key)"
        f" DO UPDATE SET remaining = {left} - 1, at = max(at, ?4) WHERE {left} >= 1",
        (write.key, write.burst, write.per_second, write.now),
    ).rowcount:
        raise Conflict


def append(connection: sqlite3.Connection, write: Append) -> None:
    """Use as few statements as possible: between them, this thread gives way to others."""
    key, seq, command = split_match(write.match), write.seq, write.command
    first, *others = write.events
    added = connection.execute(
        "INSERT INTO events (id, match, seq, event, actor) SELECT ?1, ?2, ?3 + 1, ?4, ?6"
        " WHERE coalesce((SELECT max(seq) FROM events WHERE id = ?1 AND match = ?2), 0) = ?3"
        " AND NOT EXISTS (SELECT 1 FROM commands WHERE id = ?1 AND match = ?2 AND command = ?5)",
        (*key, seq, first, command, write.actor),
    )
    if not added.rowcount:
        done = connection.execute(
            "SELECT seq FROM commands WHERE id = ? AND match = ? AND command = ?", (*key, command)
        ).fetchone()
        raise Duplicate(done[0]) if done else Conflict
    if others:
        connection.executemany(
            "INSERT INTO events (id, match, seq, event, actor) VALUES (?, ?, ?, ?, ?)",
            [(*key, number, event, write.actor) for number, event in enumerate(others, seq + 2)],
        )
    if command is not None:
        connection.execute(
            "INSERT INTO commands (id, match, command, seq) VALUES (?, ?, ?, ?)",
            (*key, command, seq + len(write.events)),
        )


def set_deadlines(connection: sqlite3.Connection, write: SetDeadlines) -> None:
    key = split_match(write.match)
    for kind, at in write.due.items():
        if at is None:
            connection.execute(
                "DELETE FROM deadlines WHERE id = ? AND match = ? AND kind = ?", (*key, kind)
            )
        else:
            connection.execute(
                "INSERT INTO deadlines (id, match, kind, due) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id, match, kind) DO UPDATE SET due = excluded.due",
                (*key, kind, at),
            )


def note_heartbeat(connection: sqlite3.Connection, at: int, since: int) -> None:
    """Clocks differ between machines: the latest beat counts."""
    if not connection.execute(
        "INSERT INTO beats (id, at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE"
        " SET at = max(beats.at, excluded.at) WHERE beats.at >= ?2",
        (at, since),
    ).rowcount:
        raise Conflict


def take_due(connection: sqlite3.Connection, now: int, lease: int, limit: int) -> list[Deadline]:
    rows = connection.execute(
        "SELECT id, match, kind, due FROM deadlines WHERE due <= ? ORDER BY due LIMIT ?",
        (now, limit),
    ).fetchall()
    connection.executemany(
        "UPDATE deadlines SET due = ? WHERE id = ? AND match = ? AND kind = ?",
        [(now + lease, *key) for *key, _ in rows],
    )
    return [Deadline(f"{id}.{match}", kind, due) for id, match, kind, due in rows]


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
    places = ", ".join("?" * len(write.holders))
    connection.execute(
        f"DELETE FROM holders WHERE id = ? AND holder NOT IN ({places})", (write.id, *write.holders)
    )
    connection.executemany(
        "INSERT INTO holders (holder, id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(holder, write.id) for holder in write.holders],
    )
