"""PostgreSQL's locks: a frozen process blocks nobody at other tables, and nobody for long."""

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from pytlik.store import (
    Append,
    Conflict,
    Connected,
    DeleteTable,
    DeleteWorker,
    Disconnected,
    Duplicate,
    EndDowntime,
    Heartbeat,
    MoveDeadline,
    PutSecret,
    PutTable,
    SetDeadlines,
    Store,
    Unavailable,
    Write,
    postgres,
)
from pytlik.store.connect import open_store
from pytlik.store.postgres import CONNECTION_ERRORS, PostgresStore
from pytlik.store.postgres_commit_statement import commit_statement
from pytlik.store.postgres_fixed_statements import delete_table_statement
from pytlik.store.sqlite_writes import TABLES_WITH_TABLE_ID
from tests.database_servers import TIMEOUT_SECONDS
from tests.process_freezing import frozen_process

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]


@pytest.fixture
def url(postgres_url: str) -> str:
    return postgres_url


def make_append(match: str, seq: int, command: str | None = None) -> Append:
    return Append(match=match, seq=seq, events=(b"x",), command=command)


def make_put_table(id: str, version: int = 0) -> PutTable:
    return PutTable(
        id=id, version=version, doc=b"", phase="", listed=True, holders=("ann",), touched=0
    )


TABLE_WRITE, FIRST_APPEND, DEADLINES_WRITE = (
    make_put_table("t", 1),
    make_append("t.1", 0),
    SetDeadlines("t.1", {"rules": 9}),
)

COMMIT_KINDS: dict[str, tuple[Write, ...]] = {
    "an action": (make_append("t.1", 7, "c"),),
    "an action with deadlines": (make_append("t.1", 7, "c"), DEADLINES_WRITE),
    "a new table": (make_put_table("t"), PutSecret("t.1", b"s")),
    "a start": (TABLE_WRITE, FIRST_APPEND, DEADLINES_WRITE),
    "a rematch": (TABLE_WRITE, PutSecret("t.2", b"s")),
    "a pause": (
        TABLE_WRITE,
        make_append("t.1", 7),
        SetDeadlines("t.1", {"away 1": None}),
        DEADLINES_WRITE,
    ),
    "an arrival and a departure": (
        TABLE_WRITE,
        Connected("t", "a", "w", 3),
        Disconnected("t", "b", "w"),
        DEADLINES_WRITE,
    ),
    "deadlines alone": (DEADLINES_WRITE,),
    "leases renewed": (MoveDeadline("t.1", "bot", 1, 2), MoveDeadline("t.2", "bot", 1, None)),
    "clocks after downtime": (EndDowntime(1, 9), MoveDeadline("u.1", "turn", 5, 13)),
    "a heartbeat": (Heartbeat("w", 1),),
    "a dead worker": (DeleteWorker("w", 1),),
}


@pytest.mark.parametrize("writes", COMMIT_KINDS.values(), ids=COMMIT_KINDS)
async def test_server_commits_are_single_statements(url: str, writes: tuple[Write, ...]) -> None:
    """So a process that freezes at any moment holds no lock."""
    statement = commit_statement(*writes, notify=True)
    assert statement
    store = await open_store(url, notify=True)
    try:
        await store.commit(*writes)  # it's valid SQL
    except Conflict:
        pass
    finally:
        await store.close()


# ------------------------------------------------------------------------- locks that others hold


class OpenTransaction:
    """A transaction that stays open."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._transaction = connection.transaction()

    async def begin(self, text: str, *values: Any) -> None:
        await self._transaction.start()
        await self._connection.fetch(text, *values)

    async def run(self, text: str) -> None:
        await self._connection.execute(text)

    async def commit(self) -> None:
        await self._transaction.commit()

    async def roll_back(self) -> None:
        await self._transaction.rollback()

    async def wait_until_blocking(self) -> None:
        """Wait until somebody waits for one of this transaction's locks."""
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))"
        pid = self._connection.get_server_pid()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not await self._connection.fetchval(waiting, pid):  # noqa: ASYNC110
                await asyncio.sleep(0.01)  # another process, which can't notify us


@asynccontextmanager
async def open_transaction(url: str) -> AsyncIterator[OpenTransaction]:
    connection = await asyncpg.connect(url)
    try:
        yield OpenTransaction(connection)
    finally:
        await connection.close()


@asynccontextmanager
async def open_patient_store(url: str) -> AsyncIterator[PostgresStore]:
    store = await open_store(url, notify=True)
    assert isinstance(store, PostgresStore)
    # Waiting for a lock must not time out because the machine is busy.
    for name in ("lock_timeout", "statement_timeout"):
        await store._read(f"SET {name} = 0")
    yield store
    await store.close()


async def create_table_with_match(store: Store, id: str) -> None:
    """Create a table whose match has two events."""
    await store.commit(make_put_table(id), PutSecret(f"{id}.1", b"s"), make_append(f"{id}.1", 0))
    await store.commit(make_append(f"{id}.1", 1, "c"), SetDeadlines(f"{id}.1", {"bot": 1}))


async def count_rows(url: str, id: str) -> dict[str, int]:
    """Count the rows that belong to a table, by kind."""
    connection = await asyncpg.connect(url)
    try:
        found = {
            name: await connection.fetchval(f"SELECT count(*) FROM {name} WHERE id = $1", id)
            for name in TABLES_WITH_TABLE_ID
        }
        return {name: rows for name, rows in found.items() if rows}
    finally:
        await connection.close()


async def test_stalled_deletion_blocks_nobody_else(url: str) -> None:
    async with open_patient_store(url) as store, open_transaction(url) as other:
        for id in ("t", "u"):
            await create_table_with_match(store, id)
        await other.begin(delete_table_statement("t", notify=True))
        async with asyncio.timeout(TIMEOUT_SECONDS):
            assert len(await store.events("t.1")) == 2
            await store.commit(make_append("u.1", 2, "d"), SetDeadlines("u.1", {"rules": 5}))
            await store.commit(make_put_table("u", 1), Connected("u", "ann", "w", 1))
            await store.commit(DeleteTable("u"))
            await create_table_with_match(store, "v")
            await store.commit(Heartbeat("w", 1))
            assert [due.match for due in await store.take_due(9, 9, 9)] == ["v.1"]
        assert await count_rows(url, "u") == {}


async def test_an_append_during_a_deletion_waits_and_is_refused(url: str) -> None:
    async with open_patient_store(url) as store, open_transaction(url) as other:
        await create_table_with_match(store, "t")
        await other.begin(delete_table_statement("t", notify=True))
        writes = (make_append("t.1", 2, "d"), SetDeadlines("t.1", {"rules": 5}))
        appending = asyncio.create_task(store.commit(*writes))
        await other.wait_until_blocking()
        await other.commit()
        with pytest.raises(Conflict):
            await appending
        assert await count_rows(url, "t") == {}


async def test_a_change_to_a_table_during_its_deletion_waits_and_is_refused(url: str) -> None:
    async with open_patient_store(url) as store, open_transaction(url) as other:
        await create_table_with_match(store, "t")
        await other.begin(delete_table_statement("t", notify=True))
        writes = (make_put_table("t", 1), make_append("t.1", 2), SetDeadlines("t.1", {"rules": 5}))
        changing = asyncio.create_task(store.commit(*writes, Connected("t", "ann", "w", 1)))
        await other.wait_until_blocking()
        await other.commit()
        with pytest.raises(Conflict):
            await changing
        assert await count_rows(url, "t") == {}


@pytest.mark.parametrize(
    "writes",
    [
        (make_append("t.1", 2, "d"), SetDeadlines("t.1", {"rules": 5})),
        (make_put_table("t", 1), make_append("t.1", 2), SetDeadlines("t.1", {"rules": 5})),
        (
            make_put_table("t", 1),
            make_append("t.2", 0),
            PutSecret("t.2", b"s"),
            Connected("t", "ann", "w", 1),
        ),
    ],
    ids=["append", "change", "next match"],
)
async def test_deletion_waits_for_open_writes_and_deletes_them_too(
    url: str, writes: tuple[Write, ...]
) -> None:
    async with open_patient_store(url) as store, open_transaction(url) as other:
        await create_table_with_match(store, "t")
        statement = commit_statement(*writes, notify=True)
        assert statement
        await other.begin(statement.text, *statement.values)
        dropping = asyncio.create_task(store.commit(DeleteTable("t")))
        await other.wait_until_blocking()
        await other.commit()
        await dropping
        assert await count_rows(url, "t") == {}


async def test_deletion_locks_logs_before_deleting_events(url: str) -> None:
    """Otherwise there's a deadlock: a late append has locked the log and waits for an event that
    the deletion has already deleted, while the deletion waits for the append. PostgreSQL may delete
    rows in their order on disk, so here the first event comes after the second."""
    async with open_transaction(url) as admin:
        await admin.begin(
            "DO $$ BEGIN EXECUTE format("
            "'ALTER DATABASE %I SET enable_indexscan = off', current_database()); END $$"
        )
        await admin.commit()
    async with open_patient_store(url) as store, open_transaction(url) as other:
        await create_table_with_match(store, "t")
        await store._read(
            "WITH gone AS (DELETE FROM events WHERE id = 't' AND seq = 1 RETURNING *)"
            " INSERT INTO events SELECT * FROM gone"
        )
        await other.begin("SELECT FROM events WHERE id = 't' AND seq = 1 FOR KEY SHARE")
        dropping = asyncio.create_task(store.commit(DeleteTable("t")))
        await other.wait_until_blocking()
        with pytest.raises(asyncpg.UniqueViolationError):
            await other.run("INSERT INTO events (id, match, seq, event) VALUES ('t', 1, 2, '')")
        await other.roll_back()
        await dropping
        assert await count_rows(url, "t") == {}


async def test_appends_race_deletions_and_leave_nothing(url: str) -> None:
    stores = [await open_store(url, notify=True) for _ in range(3)]
    chance = random.Random("appends race deletions")
    done = 0

    async def play(store: Store, id: str, name: str) -> None:
        """Append like a worker until the log is empty."""
        nonlocal done
        for number in range(1_000):
            seq = len(await store.events(f"{id}.1"))
            if not seq:
                return
            try:
                await store.commit(
                    make_append(f"{id}.1", seq, f"{name} {number}"),
                    SetDeadlines(f"{id}.1", {"rules": number, "bot": None}),
                )
                done += 1
            except Conflict:
                continue

    async def change(store: Store, id: str) -> None:
        for _ in range(1_000):
            row = await store.table(id)
            if row is None:
                return
            try:
                await store.commit(
                    make_put_table(id, row.version),
                    make_append(f"{id}.2", row.version - 1),
                    Connected(id, "ann", "w", row.version),
                )
            except Conflict:
                continue

    async def drop(store: Store, id: str) -> None:
        await asyncio.sleep(chance.uniform(0, 0.03))
        await store.commit(DeleteTable(id))

    for number in range(60):
        id = f"t{number}"
        await create_table_with_match(stores[0], id)
        await asyncio.gather(
            play(stores[0], id, "a"),
            play(stores[1], id, "b"),
            change(stores[1], id),
            drop(stores[2], id),
        )
        assert await count_rows(url, id) == {}
    assert done > 60
    for store in stores:
        await store.close()


# -------------------------------------------------------------------------------- frozen sessions


async def test_idle_transaction_is_terminated(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("SET idle_in_transaction_session_timeout = 100")
    async with open_patient_store(url) as store:
        await create_table_with_match(store, "t")
        await connection.execute(f"BEGIN; {delete_table_statement('t', notify=True)}")
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await store.commit(make_append("t.1", 2))  # it was not deleted after all
        with pytest.raises(CONNECTION_ERRORS):
            await connection.execute("COMMIT")
        connection.terminate()


async def test_store_recovers_after_its_idle_transaction_is_terminated(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(url, notify=True)
    assert isinstance(store, PostgresStore)
    await store._read("SET idle_in_transaction_session_timeout = 100")
    execute = PostgresStore._execute_write

    async def freeze(self: PostgresStore, connection: Any, write: Write) -> None:
        await execute(self, connection, write)
        ended = asyncio.Event()
        connection.add_termination_listener(lambda _: ended.set())
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await ended.wait()

    monkeypatch.setattr(PostgresStore, "_execute_write", freeze)
    with pytest.raises(Unavailable):
        await store.commit(make_put_table("t"), make_put_table("u"))  # needs two statements
    monkeypatch.undo()
    assert await store.table("t") is None
    await store.commit(make_put_table("t"), make_put_table("u"))
    await store.close()


async def test_timeouts_are_set_and_in_ascending_order(url: str) -> None:
    store = await open_store(url, notify=True)
    assert isinstance(store, PostgresStore)
    names = ("idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout")
    sql = "SELECT setting::int FROM pg_settings WHERE name = $1"
    idle, lock, statement = [(await store._read(sql, name))[0][0] for name in names]
    assert 0 < idle < lock < statement < 10_000
    await store.close()


async def test_lock_that_is_never_released_makes_the_store_unavailable(url: str) -> None:
    store = await open_store(url, notify=True)
    assert isinstance(store, PostgresStore)
    async with open_transaction(url) as other:
        await create_table_with_match(store, "t")
        await other.begin(delete_table_statement("t", notify=True))
        await store._read("SET lock_timeout = 1")
        with pytest.raises(Unavailable):
            await store.commit(make_append("t.1", 2))
    # The server notices a little later that the other connection is gone.
    await store._read("SET lock_timeout = 0")
    await store.commit(make_append("t.1", 2))
    await store.close()


async def test_store_is_unavailable_if_no_connection_is_free_in_time(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(url, notify=True)
    assert isinstance(store, PostgresStore)
    for _ in range(postgres.CONNECTIONS_FOR_OTHERS):
        await store._others.acquire()
    with monkeypatch.context() as patch:
        patch.setattr(postgres, "TIMEOUT_SECONDS", 0)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            with pytest.raises(Unavailable):
                await store.events("t.1")
    for _ in range(postgres.CONNECTIONS_FOR_OTHERS):
        store._others.release()
    assert await store.events("t.1") == []
    await store.close()


def start_table_deleting_process(url: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.table_deleting_process", url],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["src", *sys.path])},
    )


@pytest.mark.slow
async def test_process_frozen_during_a_deletion_blocks_nobody(url: str) -> None:
    """It's frozen at a random moment, so the test does it many times."""
    chance = random.Random("frozen while it deletes")
    async with open_patient_store(url) as store:
        await create_table_with_match(store, "t")
        with start_table_deleting_process(url) as process:
            assert process.stdout
            for seq in range(2, 42):
                await asyncio.to_thread(process.stdout.readline)
                await asyncio.sleep(chance.uniform(0, 0.01))
                with frozen_process(process.pid):
                    async with asyncio.timeout(TIMEOUT_SECONDS):
                        await store.commit(make_append("t.1", seq))
                        await create_table_with_match(store, f"u{seq}")
                        await store.commit(DeleteTable(f"u{seq}"))
            process.kill()


async def test_repeated_command_is_a_duplicate_not_a_conflict(url: str) -> None:
    """Even if the table changes in the same commit."""
    store = await open_store(url, notify=True)
    await create_table_with_match(store, "t")
    with pytest.raises(Duplicate):
        await store.commit(make_put_table("t", 1), make_append("t.1", 2, "c"))
    with pytest.raises(Conflict):
        await store.commit(make_put_table("t", 1), make_append("t.1", 1, "d"))
    with pytest.raises(Conflict):
        await store.commit(make_put_table("t", 2), make_append("t.1", 2, "d"))
    row = await store.table("t")
    assert row
    assert row.version == 1
    await store.commit(make_put_table("t", 1), make_append("t.1", 2, "d"))
    assert await store.seq_of_command("t.1", "d") == 3
    await store.close()
