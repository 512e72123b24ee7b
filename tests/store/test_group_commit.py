"""Simultaneous appends share a statement, and each has its own outcome."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from pytlik.bus_messages import CHANNEL
from pytlik.store import (
    Conflict,
    Duplicate,
    SetDeadlines,
    Store,
    Unavailable,
    postgres_group_commit,
)
from pytlik.store.connect import open_store
from pytlik.store.postgres import PostgresStore
from pytlik.store.postgres_group_commit import (
    MAX_APPENDS_PER_BATCH,
    MAX_CONCURRENT_FLUSHES,
    AppendQueue,
    WaitingAppend,
    resolve_append,
)
from tests.database_servers import TIMEOUT_SECONDS
from tests.store.sample_writes import make_append

pytestmark = pytest.mark.anyio


async def commit_all(store: Store, *commits: Sequence[Any]) -> list[Any]:
    """Commit all at once. The outcome of each is None, or the exception raised."""
    return await asyncio.gather(
        *(store.commit(*writes) for writes in commits), return_exceptions=True
    )


# -------------------------------------------------------------------- what every store promises


async def test_each_of_many_appends_has_its_own_outcome(store: Store) -> None:
    matches = [f"m{number}.1" for number in range(MAX_APPENDS_PER_BATCH + 7)]
    await commit_all(store, *([make_append(match, 0, b"a", command="first")] for match in matches))
    late, again, *good = matches
    outcomes = await commit_all(
        store,
        [make_append(late, 0, b"b", b"c"), SetDeadlines(late, {"rules": 1})],
        [make_append(again, 1, b"b", command="first"), SetDeadlines(again, {"rules": 1})],
        *(
            [make_append(match, 1, b"b", b"c", command="x"), SetDeadlines(match, {"rules": 5})]
            for match in good
        ),
    )
    assert isinstance(outcomes[0], Conflict)
    assert isinstance(outcomes[1], Duplicate)
    assert outcomes[1].seq == 1
    assert outcomes[2:] == [None] * len(good)
    for match in (late, again):
        assert await store.events(match) == [b"a"]
        assert await store.deadlines_of(match) == {}
        assert await store.seq_of_command(match, "x") is None
    for match in good:
        assert await store.events(match) == [b"a", b"b", b"c"]
        assert await store.deadlines_of(match) == {"rules": 5}
        assert await store.seq_of_command(match, "x") == 3


async def test_one_of_two_appends_to_a_match_is_refused(store: Store) -> None:
    outcomes = await commit_all(
        store,
        *([make_append(match, 0, event)] for event in (b"a", b"b") for match in ("m.1", "n.1")),
    )
    for match, one, other in zip(("m.1", "n.1"), outcomes[:2], outcomes[2:], strict=True):
        assert {type(one), type(other)} == {type(None), Conflict}
        assert await store.events(match) == [b"b" if one else b"a"]


async def test_deadlines_are_set_and_removed_with_each_append(store: Store) -> None:
    matches = [f"m{number}.1" for number in range(5)]
    await commit_all(
        store,
        *(
            [make_append(match, 0, b"a"), SetDeadlines(match, {"turn": 3, "rules": number})]
            for number, match in enumerate(matches)
        ),
    )
    await commit_all(
        store,
        *(
            [make_append(match, 1, b"b"), SetDeadlines(match, {"turn": None, "bot": 9})]
            for match in matches
        ),
    )
    for number, match in enumerate(matches):
        assert await store.deadlines_of(match) == {"rules": number, "bot": 9}


async def test_unstorable_value_affects_no_other_append(store: Store) -> None:
    matches = [f"m{number}.1" for number in range(6)]
    await commit_all(store, *([make_append(match, 0, b"a")] for match in matches))
    outcomes = await commit_all(
        store,
        [make_append("m0.1", 1, b"b"), SetDeadlines("m0.1", {"rules": 2**70})],
        *([make_append(match, 1, b"b")] for match in matches[1:]),
    )
    assert isinstance(outcomes[0], ValueError)
    assert outcomes[1:] == [None] * 5
    assert await store.events("m0.1") == [b"a"]


# ------------------------------------------------------------------------------------ PostgreSQL


@pytest.fixture
def url(postgres_url: str) -> str:
    return postgres_url


@asynccontextmanager
async def open_postgres_store(url: str) -> AsyncIterator[PostgresStore]:
    store = await open_store(url, notify=True)
    assert isinstance(store, PostgresStore)
    try:
        yield store
    finally:
        await store.close()


async def test_two_workers_never_fork_a_log(url: str) -> None:
    matches = [f"m{number}.1" for number in range(20)]
    async with open_postgres_store(url) as one, open_postgres_store(url) as other:
        lengths = dict.fromkeys(matches, 0)
        for number in range(12):
            outcomes = await asyncio.gather(
                *(
                    commit_all(
                        store,
                        *(
                            [make_append(match, lengths[match], *[name] * (1 + number % 3))]
                            for match in (matches if name == b"one" else reversed(matches))
                        ),
                    )
                    for store, name in ((one, b"one"), (other, b"other"))
                )
            )
            for mine, its in zip(outcomes[0], reversed(outcomes[1]), strict=True):
                assert {type(mine), type(its)} == {type(None), Conflict}
            for match in matches:
                lengths[match] += 1 + number % 3
                log = await one.events(match)
                assert len(log) == lengths[match]
                assert len({*log[-(1 + number % 3) :]}) == 1, "all events are from the same append"


async def test_log_being_deleted_delays_the_batch_and_refuses_its_append(url: str) -> None:
    connection = await asyncpg.connect(url)
    matches = [f"m{number}.1" for number in range(4)]
    try:
        async with open_postgres_store(url) as store:
            await commit_all(store, *([make_append(match, 0, b"a")] for match in matches))
            async with asyncio.timeout(TIMEOUT_SECONDS), connection.transaction():
                await connection.execute("DELETE FROM events WHERE id = 'm2'")
                waiting = asyncio.create_task(
                    commit_all(store, *([make_append(match, 1, b"b")] for match in matches))
                )
                blocked = (
                    "SELECT count(*) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))"
                )
                while not await connection.fetchval(blocked, connection.get_server_pid()):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)  # another process, which can't notify us
            outcomes = await waiting
            assert [type(outcome) for outcome in outcomes] == [
                type(None), type(None), Conflict, type(None),
            ]  # fmt: skip
            assert await store.events("m2.1") == []
    finally:
        await connection.close()


async def test_batch_sends_one_notification(url: str) -> None:
    connection = await asyncpg.connect(url)
    notifications: asyncio.Queue[str] = asyncio.Queue()
    try:
        await connection.add_listener(CHANNEL, lambda *news: notifications.put_nowait(news[-1]))
        async with open_postgres_store(url) as store:
            # All but the first wait until the first is written.
            await commit_all(store, *([make_append(f"m{n}.1", 0, b"1", b"2")] for n in range(9)))
            async with asyncio.timeout(TIMEOUT_SECONDS):
                payloads = [await notifications.get()]
                while sum(len(payload.split("\n")) for payload in payloads) < 9:
                    payloads.append(await notifications.get())
        assert len(payloads) <= 1 + MAX_CONCURRENT_FLUSHES
        lines = "\n".join(payloads).split("\n")
        assert sorted(line.split(" ")[:2] for line in lines) == [[f"m{n}.1", "2"] for n in range(9)]
    finally:
        await connection.close()


async def test_lost_connection_fails_all_waiting_appends(url: str) -> None:
    async with open_postgres_store(url) as store:
        await commit_all(store, *([make_append(f"m{n}.1", 0, b"a")] for n in range(9)))
        store._pool.terminate()
        outcomes = await commit_all(store, *([make_append(f"m{n}.1", 1, b"b")] for n in range(9)))
        assert [type(outcome) for outcome in outcomes] == [Unavailable] * 9


async def test_appends_made_before_closing_are_still_done(url: str) -> None:
    async with open_postgres_store(url) as store:
        tasks = [
            asyncio.create_task(store.commit(make_append(f"m{number}.1", 0, b"a")))
            for number in range(3 * MAX_APPENDS_PER_BATCH)
        ]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*tasks)
        with pytest.raises(Unavailable):
            await store.commit(make_append("n.1", 0, b"a"))


# -------------------------------------------------------------------------------------- the queue


class ManualDisk:
    """Writes batches when the test says so."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self._written: list[asyncio.Event] = []

    async def flush(self, batch: Sequence[WaitingAppend]) -> None:
        self.batches.append([waiting.append.match for waiting in batch])
        self._written.append(asyncio.Event())
        await self._written[-1].wait()
        for waiting in batch:
            resolve_append(waiting, done=True, before=None)

    async def finish_writes(self) -> None:
        for written in self._written:
            written.set()
        for _ in range(5):
            await asyncio.sleep(0)


async def test_appends_during_a_flush_form_one_batch() -> None:
    disk = ManualDisk()
    queue = AppendQueue(disk.flush)

    async def ask(*matches: str) -> "list[asyncio.Task[None]]":
        tasks = [
            asyncio.create_task(queue.commit(make_append(match, 0, b"a"))) for match in matches
        ]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return tasks

    under_way = [await ask(match) for match in ("first", "second")[:MAX_CONCURRENT_FLUSHES]]
    assert disk.batches == [["first"], ["second"]][:MAX_CONCURRENT_FLUSHES]
    waiting = await ask("a", "b", "gone", "a", "c")
    waiting[2].cancel()
    await asyncio.sleep(0)
    assert len(disk.batches) == MAX_CONCURRENT_FLUSHES
    await disk.finish_writes()
    assert disk.batches[MAX_CONCURRENT_FLUSHES:] == [["a", "b", "c"], ["a"]]
    await disk.finish_writes()
    await asyncio.gather(*(task for tasks in under_way for task in tasks))
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(outcome) for outcome in done] == [
        type(None), type(None), asyncio.CancelledError, type(None), type(None),
    ]  # fmt: skip


async def test_number_of_appends_in_a_batch_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_group_commit, "MAX_APPENDS_PER_BATCH", 2)
    disk = ManualDisk()
    queue = AppendQueue(disk.flush)
    appends = [asyncio.create_task(queue.commit(make_append(f"m.{n}", 0, b"a"))) for n in range(5)]
    await asyncio.sleep(0)
    for _ in range(3):
        await disk.finish_writes()
    await asyncio.gather(*appends)
    assert [len(batch) for batch in disk.batches] == [2, 2, 1]


async def test_append_right_after_a_flush_is_not_forgotten() -> None:
    """Callers get their answer a moment before the task that flushed is done."""

    async def flush(batch: Sequence[WaitingAppend]) -> None:
        for waiting in batch:
            resolve_append(waiting, done=True, before=None)

    queue = AppendQueue(flush)

    async def ask_twice(match: str) -> None:
        await queue.commit(make_append(match, 0, b"a"))
        await queue.commit(make_append(match, 1, b"b"))

    asking = [
        asyncio.create_task(ask_twice(f"m.{number}"))
        for number in range(MAX_CONCURRENT_FLUSHES + 1)
    ]
    for _ in range(20):
        await asyncio.sleep(0)
    assert all(task.done() for task in asking)
    await asyncio.gather(*asking)
