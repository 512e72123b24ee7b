"""What every store promises about commits, matches and tables."""

import asyncio
import sqlite3
import threading
from typing import Any

import pytest

from pytlik.store import (
    NO_LIMIT,
    Conflict,
    Connected,
    DeleteTable,
    DeleteWorker,
    Disconnected,
    Duplicate,
    Heartbeat,
    MoveDeadline,
    PutSecret,
    PutState,
    SavedState,
    SetDeadlines,
    Store,
    TableRow,
    TokenSeen,
    Unavailable,
    Write,
    split_match,
    sqlite,
)
from pytlik.store.connect import open_store
from pytlik.store.postgres_fixed_statements import FIXED_STATEMENTS
from pytlik.store.sqlite import SqliteStore
from tests.database_servers import Postgres
from tests.store.sample_writes import make_append, make_put_table

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("match", "key"),
    [
        ("abc.1", ("abc", 1)),
        ("abc.120", ("abc", 120)),
        *((odd, (odd, 0)) for odd in ("", "abc", "a.", "a.x", "a.01", "a.1\u0662", "a.1234567890")),
    ],
)
def test_match_id_is_split_into_table_and_number(match: str, key: tuple[str, int]) -> None:
    assert split_match(match) == key


async def test_events_come_back_in_order(store: Store) -> None:
    await store.commit(make_append("m.1", 0, b"a", b"b"))
    await store.commit(make_append("m.1", 2, b"c"), make_append("n.1", 0, b"x"))
    assert await store.events("m.1") == [b"a", b"b", b"c"]
    assert await store.events("m.1", after=2) == [b"c"]
    assert await store.events("n.1") == [b"x"]
    assert await store.events("o.1") == []


async def test_events_are_read_in_pages(store: Store) -> None:
    events = [str(number).encode() for number in range(10)]
    await store.commit(make_append("m.1", 0, *events), make_append("m.2", 0, b"x"))
    for after in range(12):
        for limit in (1, 3, 10, 11, NO_LIMIT):
            page = await store.events("m.1", after, limit)
            assert page == events[after : after + limit], (after, limit)
    assert await store.events("m.1", NO_LIMIT, 5) == []


@pytest.mark.parametrize("seq", [0, 1, 3])
async def test_events_at_the_wrong_seq_are_refused(store: Store, seq: int) -> None:
    await store.commit(make_append("m.1", 0, b"a", b"b"))
    with pytest.raises(Conflict):
        await store.commit(make_append("m.1", seq, b"c"))
    assert await store.events("m.1") == [b"a", b"b"]


async def test_command_is_done_once_per_match(store: Store) -> None:
    await store.commit(make_append("m.1", 0, b"a", b"b", command="x"))
    for seq in (0, 2, 7):
        with pytest.raises(Duplicate) as refused:
            await store.commit(make_append("m.1", seq, b"a", command="x"))
        assert refused.value.seq == 2
    await store.commit(make_append("n.1", 0, b"a", command="x"))
    await store.commit(make_append("m.1", 2, b"c", command="y"))
    assert await store.seq_of_command("m.1", "x") == 2
    assert await store.seq_of_command("m.1", "y") == 3
    assert await store.seq_of_command("m.1", "z") is None
    assert await store.events("m.1") == [b"a", b"b", b"c"]


async def test_commits_are_atomic(store: Store) -> None:
    await store.commit(make_append("m.1", 0, b"a"), make_put_table("m"))
    with pytest.raises(Conflict):
        await store.commit(
            make_append("m.1", 1, b"b", command="x"),
            SetDeadlines("m.1", {"rules": 5}),
            PutSecret("m.1", b"secret"),
            make_put_table("n"),
            make_put_table("m", 7),
        )
    assert await store.events("m.1") == [b"a"]
    assert await store.seq_of_command("m.1", "x") is None
    assert await store.next_due() is None
    assert await store.secret("m.1") is None
    assert await store.table("n") is None


async def test_a_refused_write_affects_no_other(store: Store) -> None:
    """Commits that arrive together may share a transaction."""
    await store.commit(make_append("m.1", 0, b"a"))
    refused = (make_append("n.1", 0, b"x"), make_put_table("n"), make_append("m.1", 0, b"b"))
    good = [(make_append(f"g.{n}", 0, b"a"), PutSecret(f"g.{n}", b"s")) for n in range(20)]
    commits = [good[0], refused, *good[1:10], refused, *good[10:], (make_append("m.1", 1, b"b"),)]
    answers = await asyncio.gather(
        *(store.commit(*writes) for writes in commits), return_exceptions=True
    )
    assert [type(answer) for answer in answers if answer] == [Conflict, Conflict]
    assert [await store.secret(f"g.{n}") for n in range(20)] == [b"s"] * 20
    assert await store.events("m.1") == [b"a", b"b"]
    assert await store.events("n.1") == []


@pytest.mark.parametrize(
    "bad",
    [
        make_append("m.1", 1, b"b", command="\ud800"),
        SetDeadlines("m.1", {"rules": 2**63}),
    ],
    ids=["half a character", "big number"],
)
async def test_unstorable_value_is_refused_alone(store: Store, bad: Any) -> None:
    await store.commit(make_append("m.1", 0, b"a"))
    answers = await asyncio.gather(
        store.commit(make_append("n.1", 0, b"a")), store.commit(bad), return_exceptions=True
    )
    assert answers[0] is None
    assert isinstance(answers[1], ValueError)
    assert await store.events("m.1") == [b"a"]


def test_invalid_append_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="nothing"):
        make_append("m.1", 1)
    with pytest.raises(ValueError, match="NUL"):
        make_append("m.1", 1, b"a", command="a\0")


async def test_big_events(store: Store) -> None:
    events = tuple(bytes([n]) * 1_000_000 for n in range(3))
    await store.commit(make_append("m.1", 0, *events))
    assert await store.events("m.1") == list(events)


async def test_a_secret_is_kept_and_never_replaced(store: Store) -> None:
    await store.commit(PutSecret("m.1", b"\0\xff"))
    with pytest.raises(Conflict):
        await store.commit(PutSecret("m.1", b"other"))
    assert await store.secret("m.1") == b"\0\xff"
    assert await store.secret("m.2") is None


async def test_the_last_saved_state_of_a_match_is_kept(store: Store) -> None:
    assert await store.secret_and_state("m.1") is None
    await store.commit(make_put_table("m"), PutSecret("m.1", b"s"), PutSecret("m.2", b"t"))
    assert await store.secret_and_state("m.1") == (b"s", None)
    for seq in (200, 400):
        await store.commit(PutState("m", 1, seq, "a version", bytes([0, 255]) * seq))
    assert await store.secret_and_state("m.1") == (
        b"s",
        SavedState(400, "a version", bytes([0, 255]) * 400),
    )
    assert await store.secret_and_state("m.2") == (b"t", None)
    await store.commit(DeleteTable("m"))
    await store.commit(PutState("m", 1, 600, "a version", b"late"))
    assert await store.secret_and_state("m.1") is None


async def test_write_without_a_postgresql_statement_is_an_error(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a new kind of write that was forgotten there would be lost silently."""
    monkeypatch.delitem(FIXED_STATEMENTS, TokenSeen)
    store = await open_store(postgres.new_database(), notify=True)
    commits: list[list[Write]] = [[TokenSeen("ann", 5)], [make_put_table("t"), TokenSeen("ann", 5)]]
    for writes in commits:
        with pytest.raises(TypeError, match="TokenSeen"):
            await store.commit(*writes)
    assert await store.table("t") is None
    await store.close()


# ------------------------------------------------------------------------------------------- tables
async def test_table_is_replaced_only_in_the_version_read(store: Store) -> None:
    await store.commit(make_put_table("t", doc=b"1"))
    assert await store.table("t") == TableRow("t", 1, b"1")
    await store.commit(make_put_table("t", 1, doc=b"2"))
    for version in (0, 1, 3):
        with pytest.raises(Conflict):
            await store.commit(make_put_table("t", version, doc=b"3"))
    assert await store.table("t") == TableRow("t", 2, b"2")
    with pytest.raises(Conflict):
        await store.commit(make_put_table("u", 1))
    assert await store.table("u") is None


async def test_tables_are_found_by_holder(store: Store) -> None:
    await store.commit(make_put_table("a", holders=("ann", "bob", "ann"), touched=1))
    await store.commit(make_put_table("b", holders=("ann",), touched=3))
    await store.commit(make_put_table("c", holders=("bob",), touched=2))
    assert [row.id for row in await store.tables_of("ann")] == ["b", "a"]
    await store.commit(make_put_table("b", 1, holders=("cid", "bob"), touched=4))
    assert [row.id for row in await store.tables_of("ann")] == ["a"]
    assert [row.id for row in await store.tables_of("bob")] == ["b", "c", "a"]
    assert [row.id for row in await store.tables_of("bob", 2)] == ["b", "c"]
    assert await store.tables_of("dan") == []


async def test_tables_are_listed_by_phase_and_last_touch(store: Store) -> None:
    await store.commit(
        make_put_table("a", touched=1),
        make_put_table("b", touched=3),
        make_put_table("c", touched=2),
    )
    await store.commit(make_put_table("d", listed=False), make_put_table("e", phase="playing"))
    assert [row.id for row in await store.listed_tables("lobby", 10)] == ["b", "c", "a"]
    assert [row.id for row in await store.listed_tables("lobby", 2)] == ["b", "c"]
    assert [row.id for row in await store.listed_tables("playing", 9)] == ["e"]
    assert sorted(await store.untouched_table_ids(2, 10)) == ["a", "d", "e"]
    assert await store.untouched_table_ids(4, 5) == [
        *(await store.untouched_table_ids(2, 5)),
        "c",
        "b",
    ]
    assert len(await store.untouched_table_ids(4, 1)) == 1
    assert await store.untouched_table_ids(1, 5) == []


async def test_only_tables_with_people_may_be_listed(store: Store) -> None:
    """Even if many empty ones were touched later, and somebody is at unlisted tables."""
    await store.commit(make_put_table("real", touched=1), Connected("real", "ann", "one", None))
    await store.commit(
        make_put_table("hidden", listed=False), Connected("hidden", "ann", "one", None)
    )
    await store.commit(
        make_put_table("busy", phase="playing"), Connected("busy", "ann", "one", None)
    )
    await store.commit(make_put_table("watched", touched=2), Connected("watched", "", "two", None))
    for number in range(60):
        await store.commit(make_put_table(f"empty{number}", touched=10 + number))

    async def list_ids(limit: int) -> list[str]:
        rows = await store.listed_tables("lobby", limit, only_with_people=True)
        return [row.id for row in rows]

    assert await list_ids(50) == ["watched", "real"]
    assert await list_ids(1) == ["watched"]
    await store.commit(make_put_table("watched", 1, touched=3), Disconnected("watched", "", "two"))
    assert await list_ids(50) == ["real"]
    assert len(await store.listed_tables("lobby", 50)) == 50


async def test_abandoned_tables_are_found(store: Store) -> None:
    await store.commit(make_put_table("left", touched=1))
    await store.commit(make_put_table("later", touched=3))
    await store.commit(
        make_put_table("inhabited", touched=1), Connected("inhabited", "ann", "one", None)
    )
    await store.commit(make_put_table("rematch", touched=1), make_append("rematch.1", 0, b"a"))
    await store.commit(make_put_table("playing", touched=1, phase="playing"))
    await store.commit(make_put_table("daily", touched=1, phase="daily"))
    await store.commit(make_put_table("unlisted", touched=2, listed=False))
    assert sorted(await store.never_played_table_ids(3, 9)) == ["left", "unlisted"]
    assert len(await store.never_played_table_ids(4, 1)) == 1
    assert await store.never_played_table_ids(1, 9) == []


async def test_table_is_deleted_only_in_the_version_read(store: Store) -> None:
    await store.commit(make_put_table("t"))
    await store.commit(make_put_table("t", 1), Connected("t", "ann", "one", None))
    with pytest.raises(Conflict):
        await store.commit(make_put_table("t", 1), DeleteTable("t"))
    assert await store.table("t") is not None
    await store.commit(make_put_table("t", 2), DeleteTable("t"))
    assert await store.table("t") is None
    assert await store.table_ids_with_connections_to("one") == []


@pytest.mark.parametrize("id", ["t", "T_", "%", "a*", "[t]", "t?", "ž'"])
async def test_deleting_a_table_deletes_its_matches(store: Store, id: str) -> None:
    others = [
        other for other in ("t", "tt", "T_", "Tt", "a*", "ab", "t?", "tx", "%") if other != id
    ]
    for name in (id, *others):
        await store.commit(
            make_put_table(name, holders=("ann",)),
            make_append(f"{name}.1", 0, b"a", command="x"),
            make_append(f"{name}.12", 0, b"a"),
            SetDeadlines(f"{name}.1", {"rules": 1}),
            PutSecret(f"{name}.12", b"s"),
        )
    await store.commit(DeleteTable(id))
    assert await store.table(id) is None
    assert await store.events(f"{id}.1") == await store.events(f"{id}.12") == []
    assert await store.seq_of_command(f"{id}.1", "x") is None
    assert await store.secret(f"{id}.12") is None
    assert {row.id for row in await store.tables_of("ann")} == set(others)
    for name in others:
        assert await store.events(f"{name}.1") == [b"a"]
        assert await store.secret(f"{name}.12") == b"s"
    due = await store.take_due(now=2, lease=1, limit=99)
    assert {deadline.match for deadline in due} == {f"{name}.1" for name in others}
    await store.commit(DeleteTable(id))


# ------------------------------------------------------------------------------- callers that leave
async def test_cancelled_commits_do_no_harm(store: Store) -> None:
    tasks = [asyncio.create_task(store.commit(make_append(f"m.{n}", 0, b"a"))) for n in range(40)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert answers[1::2] == [None] * 20
    for n, answer in enumerate(answers):
        if answer is None:
            assert await store.events(f"m.{n}") == [b"a"]
    await store.commit(make_append("after.1", 0, b"a"))


async def test_waiting_commits_are_done_before_closing(url: str) -> None:
    store = await open_store(url, notify=False)
    commits = [
        asyncio.create_task(store.commit(make_append(f"m.{n}", 0, b"a"))) for n in range(100)
    ]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*commits) == [None] * 100
    with pytest.raises(Unavailable):
        await store.commit(make_append("m.1", 1, b"b"))
    with pytest.raises(Unavailable):
        await store.events("m.1")
    await store.close()
    store = await open_store(url, notify=False)
    for n in range(100):
        assert await store.events(f"m.{n}") == [b"a"]
    await store.close()


async def test_number_of_writes_in_a_sqlite_transaction_is_limited(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "MAX_WRITES_PER_BATCH", 3)
    store = await open_store(sqlite_url, notify=False)
    assert isinstance(store, SqliteStore)
    statements: list[str] = []
    released = threading.Event()

    def block_writer(connection: sqlite3.Connection) -> None:
        connection.set_trace_callback(statements.append)
        released.wait()

    queued = [
        asyncio.create_task(store._queue_write(block_writer)),
        *(asyncio.create_task(store.commit(make_append(f"m.{n}", 0, b"a"))) for n in range(8)),
    ]
    await asyncio.sleep(0)
    released.set()
    await asyncio.gather(*queued)
    assert statements.count("COMMIT") >= 3, "nine writes, at most three at once"
    await store.close()


# --------------------------------------------------------------------------------------------- cost
async def test_every_statement_uses_an_index(sqlite_url: str) -> None:
    """So that the 5,000th event costs as much as the first. PostgreSQL has a setting for that."""
    store = await open_store(sqlite_url, notify=False)
    assert isinstance(store, SqliteStore)
    statements: set[str] = set()
    await store._queue_write(lambda connection: connection.set_trace_callback(statements.add))
    await store.events("m.1")
    assert store._reading
    store._reading.set_trace_callback(statements.add)
    await store.commit(make_put_table("m", holders=("ann", "bob")), PutSecret("m.1", b"s"))
    await store.commit(
        make_append("m.1", 0, b"a", b"b", command="x"), SetDeadlines("m.1", {"rules": 1})
    )
    await store.commit(make_put_table("m", 1))
    with pytest.raises(Conflict):
        await store.commit(make_append("m.1", 0, b"a", command="y"))
    await store.take_due(now=2, lease=3, limit=4)
    await store.commit(Heartbeat("one", 1))
    await store.commit(
        make_put_table("m", 2), Connected("m", "ann", "one", 3), Connected("m", "bob", "one", 3)
    )
    await store.commit(
        make_put_table("m", 3), Disconnected("m", "ann", "one"), MoveDeadline("m.1", "rules", 5, 6)
    )
    await store.commit(MoveDeadline("m.1", "rules", 6, None), DeleteWorker("one", 1))
    await store.last_heartbeat()
    await store.table_ids_with_connections_to("one")
    await store.events("m.1")
    await store.seq_of_command("m.1", "x")
    await store.secret("m.1")
    await store.table("m")
    await store.tables_of("ann")
    await store.listed_tables("lobby", 5)
    await store.listed_tables("lobby", 5, only_with_people=True)
    await store.never_played_table_ids(1, 2)
    await store.untouched_table_ids(1, 2)
    await store.next_due()
    await store.commit(DeleteTable("m"))
    plans = {
        statement: await store._read(f"EXPLAIN QUERY PLAN {statement}")
        for statement in statements
        if statement.split()[0] in {"SELECT", "INSERT", "UPDATE", "DELETE"}
    }
    assert len(plans) > 20
    for statement, plan in plans.items():
        steps = [step for *_, step in plan]
        assert not any(step.startswith("SCAN") and "CONSTANT" not in step for step in steps), (
            statement,
            steps,
        )
        assert not any("TEMP B-TREE" in step for step in steps) or "holder" in statement
    await store.close()
