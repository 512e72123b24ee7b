"""The store in one SQLite file.

One thread owns the connection that writes. It takes everything that is waiting, writes it in one
transaction, and answers each caller only after COMMIT (synchronous=FULL). So many actions share one
wait for the disk. If a write is refused, only that one is undone.
"""

import asyncio
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

from pytlik.store.errors import Conflict, Unavailable
from pytlik.store.queries import Queries
from pytlik.store.rows import Deadline
from pytlik.store.sqlite_writes import adapt_for_sqlite, apply_write, take_due
from pytlik.store.writes import Write

T = TypeVar("T")

MAX_WRITES_PER_BATCH = 256
"""The most writes that share a transaction, so that nobody waits for more than this."""

TIMEOUT_SECONDS = 10
"""How long to wait for another process that is writing."""

CHECK_WRITABLE = (
    "INSERT INTO beats (id, at) VALUES (0, 0) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
)

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
        """Close once everything that is under way is done."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        await self._loop.run_in_executor(self._reader, self._writer.join)
        await self._loop.run_in_executor(self._reader, self._close_reading_connection)
        self._reader.shutdown()


def machine_time_ms() -> int:
    """The machine's time, which is the same for all workers that share a file."""
    return time.time_ns() // 1_000_000


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
