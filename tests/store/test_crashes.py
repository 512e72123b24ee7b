"""Processes that race, are killed, or lose their database: nothing acknowledged is lost or done
twice, and logs have no gaps."""

import asyncio
import os
import random
import resource
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytlik.store import Append, Conflict, Store, Unavailable
from pytlik.store.connect import open_store
from pytlik.store.postgres import PostgresStore
from pytlik.store.sqlite import SqliteStore
from tests.database_servers import Postgres, wait_until

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]


def start_append_process(
    url: str, name: str, racers: int, appends: int, *matches: str
) -> "subprocess.Popen[str]":
    words = ["-m", "tests.store.append_process", url, name, str(racers), str(appends), *matches]
    return subprocess.Popen(
        [sys.executable, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["src", *sys.path])},
    )


def start_appending(process: "subprocess.Popen[str]") -> None:
    assert process.stdin
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()


Acknowledged = tuple[str, int, str]


def parse_acknowledged(lines: list[str]) -> list[Acknowledged]:
    """The acknowledgements in complete lines."""
    words = [line.split() for line in lines if line.endswith("\n")]
    return [(match, int(seq), command) for match, seq, command in words]


async def check_acknowledged_stored(store: Store, acknowledged: list[Acknowledged]) -> None:
    """Check that everything acknowledged is in the log once, where it was said to be."""
    logs: dict[str, list[bytes]] = {}
    for match, seq, command in acknowledged:
        log = logs.get(match) or logs.setdefault(match, await store.events(match))
        number = int(command.rpartition("/")[2])
        events = [f"{command}/{part}".encode() for part in range(1 + number % 3)]
        assert log[seq - len(events) : seq] == events
        assert await store.seq_of_command(match, command) == seq
    for log in logs.values():
        assert len(set(log)) == len(log)


async def test_racing_processes_make_one_log_without_gaps(url: str) -> None:
    processes = [start_append_process(url, f"p{n}", 25, 4, "m.1") for n in range(2)]
    for process in processes:
        start_appending(process)
    acknowledged = []
    for process in processes:
        with process:
            assert process.stdout
            acknowledged += parse_acknowledged(process.stdout.readlines())
        assert process.returncode == 0
    assert len(acknowledged) == 2 * 25 * 4
    store = await open_store(url, notify=False)
    await check_acknowledged_stored(store, acknowledged)
    assert len(await store.events("m.1")) == sum(
        1 + int(c.rpartition("/")[2]) % 3 for _, _, c in acknowledged
    )
    await store.close()


async def test_racing_stores_of_one_process_make_one_log(url: str) -> None:
    stores = [await open_store(url, notify=True) for _ in range(3)]
    won: list[int] = []

    async def race(store: Store, name: int) -> None:
        while True:
            seq = len(await store.events("m.1"))
            try:
                await store.commit(Append(match="m.1", seq=seq, events=(b"%d" % name,)))
            except Conflict:
                continue
            won.append(seq + 1)
            return

    await asyncio.gather(*(race(stores[n % 3], n) for n in range(50)))
    assert sorted(won) == list(range(1, 51))
    assert sorted(map(int, await stores[0].events("m.1"))) == list(range(50))
    for store in stores:
        await store.close()


async def test_acknowledged_appends_survive_kill_9(url: str) -> None:
    chance = random.Random(url)
    acknowledged: list[Acknowledged] = []
    upcoming = start_append_process(url, "p0", 3, 0, "m.1", "m.2")
    for cycle in range(20):
        with upcoming as process:
            start_appending(process)
            upcoming = start_append_process(
                url, f"p{cycle + 1}", 3, 0, "m.1", "m.2"
            )  # while this one writes
            assert process.stdout
            lines = [process.stdout.readline() for _ in range(chance.randrange(1, 40))]
            process.kill()
            acknowledged += parse_acknowledged(lines + process.stdout.readlines())
    with upcoming:
        upcoming.kill()
    assert len(acknowledged) > 100
    store = await open_store(url, notify=False)
    await check_acknowledged_stored(store, acknowledged)
    await store.close()


# ------------------------------------------------------------------------------------------- SQLite


@contextmanager
def limit_file_size(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond this many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_commits_wait_for_the_disk(url: str) -> None:
    """Only a power failure would show the difference, so check the settings."""
    store = await open_store(url, notify=False)
    if isinstance(store, SqliteStore):
        (synchronous,) = await store._queue_write(
            lambda connection: connection.execute("PRAGMA synchronous").fetchone()
        )
        assert synchronous == 2  # FULL
    else:
        assert isinstance(store, PostgresStore)
        assert await store._read_value("SHOW synchronous_commit") == "on"
    await store.close()


async def test_full_disk_changes_nothing_and_is_recovered_from(sqlite_url: str) -> None:
    store = await open_store(sqlite_url, notify=False)
    seq = 0
    with limit_file_size(400_000):
        while True:
            many = tuple(b"x" * 10_000 for _ in range(3))
            commits = [store.commit(Append(match=f"m.{n}", seq=seq, events=many)) for n in range(3)]
            answers = await asyncio.gather(*commits, return_exceptions=True)
            if any(answers):
                break
            seq += 3
        assert all(isinstance(answer, Unavailable) for answer in answers)
        with pytest.raises(Unavailable):
            await store.commit(Append(match="m.0", seq=seq, events=(b"x" * 400_000,)))
        assert [len(await store.events(f"m.{n}")) for n in range(3)] == [seq] * 3
    await store.commit(Append(match="m.0", seq=seq, events=many))
    assert len(await store.events("m.0")) == seq + 3
    assert await store.events("m.1") == [b"x" * 10_000] * seq
    await store.close()


async def test_read_only_database_is_unavailable(sqlite_url: str) -> None:
    store = await open_store(sqlite_url, notify=False)
    assert isinstance(store, SqliteStore)
    await store.commit(Append(match="m.1", seq=0, events=(b"a",)))
    await store._queue_write(lambda connection: connection.execute("PRAGMA query_only = ON"))
    with pytest.raises(Unavailable, match="readonly"):
        await store.commit(Append(match="m.1", seq=1, events=(b"b",)))
    assert await store.events("m.1") == [b"a"]
    # The next try uses a new connection.
    await store.check_available()
    await store.commit(Append(match="m.1", seq=1, events=(b"b",)))
    await store.close()


async def test_read_only_postgresql_is_unavailable(postgres: Postgres) -> None:
    """For example, a standby server."""
    store = await open_store(postgres.new_database(), notify=False)
    assert isinstance(store, PostgresStore)
    await store._read("SET default_transaction_read_only = on")
    with pytest.raises(Unavailable, match="read-only"):
        await store.check_available()
    assert await store.events("m.1") == []
    await store.close()


async def test_reading_reconnects_after_an_error(sqlite_url: str) -> None:
    store = await open_store(sqlite_url, notify=False)
    assert isinstance(store, SqliteStore)
    await store.commit(Append(match="m.1", seq=0, events=(b"a",)))
    assert await store.events("m.1") == [b"a"]
    assert store._reading
    store._reading.close()
    with pytest.raises(Unavailable, match="closed"):
        await store.events("m.1")
    assert await store.events("m.1") == [b"a"]
    await store.close()


@pytest.mark.parametrize("content", [None, b"", b"no database" * 1000])
async def test_a_file_that_is_not_a_database_is_unavailable(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "pytlik.db"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Unavailable):
        await open_store(str(path), notify=False)
    if content != b"":  # SQLite writes a header into an empty file
        assert (path.read_bytes() if path.exists() else None) == content


def test_writer_thread_survives_the_end_of_the_loop(sqlite_url: str) -> None:
    """Nobody can receive the answer, and the thread goes on with what comes after it."""
    writing, loop_ended, written_later = (threading.Event() for _ in range(3))

    def write_until_the_loop_has_ended(_: sqlite3.Connection) -> None:
        writing.set()
        assert loop_ended.wait(60)

    async def begin_writing() -> SqliteStore:
        store = await open_store(sqlite_url, notify=False)
        assert isinstance(store, SqliteStore)
        store._jobs.put((write_until_the_loop_has_ended, store._loop.create_future()))
        assert await asyncio.to_thread(writing.wait, 60)
        return store

    store = asyncio.run(begin_writing())
    loop_ended.set()
    store._jobs.put((lambda _: written_later.set(), store._loop.create_future()))
    assert written_later.wait(60)
    store._jobs.put(None)
    store._writer.join(60)
    assert not store._writer.is_alive()
    store._reader.shutdown()


# --------------------------------------------------------------------------------------- PostgreSQL


async def test_restart_of_postgresql_loses_nothing(own_postgres: Postgres) -> None:
    store = await open_store(own_postgres.new_database(), notify=True)
    acknowledged: list[Acknowledged] = []
    failed = healed = 0
    enough = asyncio.Event()

    async def work(name: str, match: str) -> None:
        nonlocal failed, healed
        number = seq = 0
        while not enough.is_set():
            command = f"{name}/{number}"
            events = tuple(f"{command}/{part}".encode() for part in range(1 + number % 3))
            try:
                if await store.seq_of_command(match, command) is None:
                    seq = len(await store.events(match))
                    await store.commit(Append(match=match, seq=seq, events=events, command=command))
                    acknowledged.append((match, seq + len(events), command))
                    healed += bool(failed)
                number += 1
            except Unavailable:
                failed += 1
                await asyncio.sleep(0.01)
            except Conflict:
                pass

    working = [asyncio.create_task(work(f"w{n}", f"m.{n % 5}")) for n in range(10)]
    for _ in range(2):
        so_far = len(acknowledged)
        await wait_until(lambda so_far=so_far: len(acknowledged) >= so_far + 100)  # type: ignore[misc]
        await asyncio.to_thread(own_postgres.stop)
        await wait_until(lambda enough=failed + 10: failed >= enough)  # type: ignore[misc]
        await asyncio.to_thread(own_postgres.start)
    already = healed
    await wait_until(lambda: healed >= already + 100)
    enough.set()
    await asyncio.gather(*working)
    await check_acknowledged_stored(store, acknowledged)
    await store.close()
