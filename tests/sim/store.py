"""A simulated store whose requests take time, or get lost before or after they are carried out.

SQLite in memory answers them, with the same statements as the store in a file. So both keep the
same promises, and `tests/store` tests both. Only the way to the database is simulated.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from pytlik.store import Deadline, Unavailable, Write
from pytlik.store.queries import Queries
from pytlik.store.schema import metadata
from pytlik.store.sqlite import SqliteStore, machine_time_ms, run_in_transaction
from pytlik.store.sqlite_writes import adapt_for_sqlite, apply_write, take_due
from tests.sim.conditions import Conditions, RequestFate
from tests.sim.loop import call_outside_processes

T = TypeVar("T")

DatabaseWork = Callable[[sqlite3.Connection], Any]

REQUEST_TIMEOUT_SECONDS = 10.0
"""Seconds after which an unanswered request is given up."""


@cache
def empty_database() -> bytes:
    """A database with empty tables."""
    connection = sqlite3.connect(":memory:")
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    metadata.create_all(engine)
    data = connection.serialize()
    engine.dispose()
    connection.close()
    return data


class Database:
    """The data, which survives every crash of a worker."""

    def __init__(self, clock: Callable[[], int] = machine_time_ms) -> None:
        self.clock = clock
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.deserialize(empty_database())
        self.watchers: list[Callable[[tuple[Write, ...]], None]] = []
        """Called after each commit."""
        self.deadline_watchers: list[Callable[[list[Deadline], int], None]] = []
        """Called with the deadlines that a worker has taken, and the end of its lease."""

    def run(self, work: DatabaseWork, writes: tuple[Write, ...] = ()) -> Any:
        """Run some work and return its answer, or the exception that it was refused with."""
        (answer,) = run_in_transaction(self.connection, [work])
        if writes and not isinstance(answer, Exception):
            for watch in self.watchers:
                watch(writes)
        return answer

    def query(self, sql: str, *values: Any) -> list[Any]:
        """Query the database directly, for checks."""
        return self.connection.execute(sql, values).fetchall()


class SimStore(Queries):
    """One worker's connection to the database."""

    presence_sql = SqliteStore.presence_sql
    ids_sql = SqliteStore.ids_sql
    match_ids_sql = SqliteStore.match_ids_sql

    def __init__(
        self, database: Database, conditions: Conditions, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.reachable = True
        self.hangs = False
        """Whether a request waits while the store can't be reached, instead of failing at once."""
        self.hanging_requests = 0
        """How many requests arrived while the store couldn't be reached and are still waiting."""
        self._database = database
        self._conditions = conditions
        self._loop = loop
        self._closed = False
        self.on_written: Callable[[], None] = lambda: None
        """Called when a commit is on disk, before anyone has heard of it."""

    async def _request(self, work: Callable[[sqlite3.Connection], T], *writes: Write) -> T:
        if self._closed:
            raise Unavailable("the store is closed")
        answer: asyncio.Future[T] = self._loop.create_future()
        # Once a request is on its way it arrives, even if its sender has died or was cancelled.
        call_outside_processes(
            self._loop, self._conditions.store_delay(), self._arrive, work, writes, answer
        )
        return await answer

    def _arrive(
        self, work: DatabaseWork, writes: tuple[Write, ...], answer: "asyncio.Future[Any]"
    ) -> None:
        if not self.reachable:
            error = Unavailable("can't be reached")
            if self.hangs:
                self.hanging_requests += 1
                self._answer_later(REQUEST_TIMEOUT_SECONDS, answer, error)
                call_outside_processes(self._loop, REQUEST_TIMEOUT_SECONDS, self._give_up)
            else:
                self._answer_later(self._conditions.store_delay(), answer, error)
            return
        fate = self._conditions.draw_request_fate()
        result: Any = Unavailable("lost")
        if fate is not RequestFate.LOST_BEFORE:
            result = self._database.run(work, writes)
            if writes and not isinstance(result, Exception):
                self.on_written()
        if fate is RequestFate.LOST_AFTER:
            result = Unavailable("lost")
        self._answer_later(self._conditions.store_delay(), answer, result)

    def _give_up(self) -> None:
        self.hanging_requests -= 1

    def _answer_later(self, seconds: float, answer: "asyncio.Future[Any]", result: Any) -> None:
        def answer_now() -> None:
            if answer.done():
                return
            if isinstance(result, Exception):
                answer.set_exception(result)
            else:
                answer.set_result(result)

        call_outside_processes(self._loop, seconds, answer_now)

    def reconnect(self) -> None:
        self.reachable = True

    async def commit(self, *writes: Write) -> None:
        def work(connection: sqlite3.Connection) -> None:
            for write in writes:
                apply_write(connection, write)

        await self._request(work, *writes)

    async def take_due(self, now: int, lease: int, limit: int) -> list[Deadline]:
        def work(connection: sqlite3.Connection) -> list[Deadline]:
            taken = take_due(connection, now, lease, limit)
            for watch in self._database.deadline_watchers:
                watch(taken, now + lease)
            return taken

        return await self._request(work)

    async def now(self) -> int:
        return await self._request(lambda _: self._database.clock())

    async def check_available(self) -> None:
        await self._request(
            lambda connection: connection.execute("REPLACE INTO beats VALUES (0, 0)")
        )

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        return await self._request(
            lambda connection: connection.execute(*adapt_for_sqlite(sql, values)).fetchall()
        )

    async def close(self) -> None:
        self._closed = True
