"""What every store promises about deadlines, workers and presence."""

import asyncio

import pytest

from pytlik.store import (
    LONG_DOWNTIME_MS,
    Actor,
    Append,
    CheckStillDue,
    Conflict,
    Connected,
    Deadline,
    DeleteTable,
    DeleteWorker,
    Disconnected,
    Duplicate,
    EndDowntime,
    Heartbeat,
    MoveDeadline,
    PresenceRow,
    SetDeadlines,
    Store,
    TableRow,
)
from pytlik.store.connect import open_store
from pytlik.store.sqlite import machine_time_ms
from tests.store.sample_writes import make_append, make_put_table

pytestmark = pytest.mark.anyio


# ---------------------------------------------------------------------------------------- deadlines
async def test_deadlines_are_set_per_kind(store: Store) -> None:
    await store.commit(SetDeadlines("m.1", {"rules": 30, "turn": 20}))
    await store.commit(SetDeadlines("m.1", {"bot": 10, "turn": None}))
    await store.commit(
        make_append("m.1", 0, b"a"), SetDeadlines("m.1", {"rules": 40, "away 1": None})
    )
    await store.commit(make_append("m.1", 1, b"b"), SetDeadlines("m.2", {"rules": 35}))
    await store.commit(SetDeadlines("m.3", {}))
    assert await store.next_due() == 10
    assert {(each.match, each.kind, each.due) for each in await store.deadlines()} == {
        ("m.1", "bot", 10),
        ("m.2", "rules", 35),
        ("m.1", "rules", 40),
    }
    assert await store.deadlines_of("m.1") == {"bot": 10, "rules": 40}
    assert await store.deadlines_of("m.3") == {}
    assert await store.take_due(now=50, lease=10, limit=9) == [
        Deadline("m.1", "bot", 10),
        Deadline("m.2", "rules", 35),
        Deadline("m.1", "rules", 40),
    ]


async def test_a_refused_append_moves_no_deadline(store: Store) -> None:
    await store.commit(make_append("m.1", 0, b"a", command="x"), SetDeadlines("m.1", {"rules": 10}))
    late = SetDeadlines("m.1", {"rules": None, "bot": 5})
    with pytest.raises(Conflict):
        await store.commit(make_append("m.1", 0, b"b"), late)
    with pytest.raises(Duplicate):
        await store.commit(make_append("m.1", 1, b"b", command="x"), late)
    assert await store.take_due(now=50, lease=10, limit=9) == [Deadline("m.1", "rules", 10)]


async def test_deadline_is_due_again_when_its_lease_expires(store: Store) -> None:
    await store.commit(SetDeadlines("m.1", {"rules": 10}), SetDeadlines("m.2", {"rules": 20}))
    assert await store.take_due(now=9, lease=100, limit=9) == []
    assert await store.take_due(now=25, lease=100, limit=1) == [Deadline("m.1", "rules", 10)]
    assert await store.take_due(now=25, lease=100, limit=9) == [Deadline("m.2", "rules", 20)]
    assert await store.take_due(now=124, lease=100, limit=9) == []
    assert await store.next_due() == 125
    # The first is done; the worker that took the second has died.
    await store.commit(make_append("m.1", 0, b"a"), SetDeadlines("m.1", {"rules": None}))
    assert await store.take_due(now=125, lease=100, limit=9) == [Deadline("m.2", "rules", 125)]


async def test_each_deadline_is_taken_once(url: str) -> None:
    stores = [await open_store(url, notify=False) for _ in range(4)]
    for n in range(200):
        await stores[n % 4].commit(SetDeadlines(f"m.{n}", {"rules": n}))

    async def take(store: Store) -> list[Deadline]:
        taken: list[Deadline] = []
        while batch := await store.take_due(now=500, lease=1000, limit=7):
            assert len(batch) <= 7
            taken += batch
        return taken

    took = await asyncio.gather(*(take(store) for store in stores for _ in range(2)))
    assert sorted(deadline.due for batch in took for deadline in batch) == list(range(200))
    for store in stores:
        await store.close()


async def test_deadline_is_moved_only_from_its_expected_time(store: Store) -> None:
    await store.commit(SetDeadlines("m.1", {"bot": 10, "turn": 20}))
    await store.commit(MoveDeadline("m.1", "bot", 10, 30), MoveDeadline("m.1", "turn", 20, None))
    assert await store.deadlines() == [Deadline("m.1", "bot", 30)]
    await store.commit(MoveDeadline("m.1", "bot", 10, 40), MoveDeadline("m.1", "bot", 10, None))
    await store.commit(MoveDeadline("m.1", "rules", 10, 40))
    assert await store.deadlines() == [Deadline("m.1", "bot", 30)]


# -------------------------------------------------------------------------------- workers, presence
async def test_last_heartbeat_of_each_worker_and_overall(store: Store) -> None:
    assert await store.last_heartbeat() is None
    assert await store.worker_heartbeats() == {}
    await store.commit(Heartbeat("one", 1000))
    await store.commit(Heartbeat("two", 2000))
    assert await store.worker_heartbeats() == {"one": 1000, "two": 2000}
    assert await store.last_heartbeat() == 2000
    await store.commit(Heartbeat("one", 2**41))
    await store.commit(Heartbeat("two", 3000))  # its clock is behind
    assert await store.worker_heartbeats() == {"one": 2**41, "two": 3000}
    assert await store.last_heartbeat() == 2**41


async def test_only_one_worker_ends_a_downtime(store: Store) -> None:
    await store.commit(Heartbeat("one", 1000, since=0))  # the very first heartbeat
    with pytest.raises(Conflict):
        await store.commit(Heartbeat("one", 9000, since=7000))
    assert await store.last_heartbeat() == 1000
    assert await store.worker_heartbeats() == {"one": 1000}
    with pytest.raises(Conflict):  # the last heartbeat was another one
        await store.commit(EndDowntime(999, 9000), SetDeadlines("m.1", {"turn": 1}))
    await store.commit(EndDowntime(1000, 9000), SetDeadlines("m.1", {"turn": 2}))
    with pytest.raises(Conflict):  # another worker has already done it
        await store.commit(EndDowntime(1000, 9001), SetDeadlines("m.1", {"turn": 3}))
    await store.commit(Heartbeat("one", 9002, since=7002))
    assert await store.last_heartbeat() == 9002
    assert await store.deadlines() == [Deadline("m.1", "turn", 2)]


async def test_the_end_of_a_long_downtime_is_remembered(store: Store) -> None:
    await store.commit(Heartbeat("one", 1000))
    month_later = 1000 + LONG_DOWNTIME_MS
    await store.commit(EndDowntime(1000, month_later - 1))
    assert await store.end_of_long_downtime() is None
    with pytest.raises(Conflict):  # another worker has already ended it
        await store.commit(EndDowntime(1000, month_later))
    assert await store.end_of_long_downtime() is None
    second = month_later - 1 + LONG_DOWNTIME_MS
    third = second + 2 * LONG_DOWNTIME_MS
    for last, now in ((month_later - 1, second), (second, third)):
        await store.commit(EndDowntime(last, now), SetDeadlines("m.1", {"turn": 2}))
        assert await store.end_of_long_downtime() == now
    await store.commit(EndDowntime(third, third + 9000))
    assert await store.end_of_long_downtime() == third


async def test_a_commit_is_refused_unless_its_deadline_is_still_due(store: Store) -> None:
    await store.commit(SetDeadlines("m.1", {"turn": 5}), make_put_table("t"))
    for wrong in (
        CheckStillDue("m.1", "turn", 4),
        CheckStillDue("m.1", "bot", 5),
        CheckStillDue("n.1", "turn", 5),
    ):
        with pytest.raises(Conflict):
            await store.commit(make_put_table("t", 1), wrong)
    await store.commit(
        make_put_table("t", 1),
        CheckStillDue("m.1", "turn", 5),
        MoveDeadline("m.1", "turn", 5, None),
    )
    assert await store.deadlines() == []
    with pytest.raises(Conflict):
        await store.commit(CheckStillDue("m.1", "turn", 5))


async def test_seqs_and_versions_of_matches_and_tables(store: Store) -> None:
    await store.commit(
        make_append("m.1", 0, b"a", b"b"), make_append("m.2", 0, b"c"), make_put_table("t")
    )
    await store.commit(make_put_table("t", 1))
    assert await store.seqs_and_versions(["m.1", "m.3"], ["t", "u"]) == {
        "m.1": 2,
        "m.3": 0,
        "t": 2,
        "u": 0,
    }
    assert await store.seqs_and_versions([], []) == {}


async def test_actor_of_each_event_is_stored(store: Store) -> None:
    await store.commit(make_append("m.1", 0, b"a", b"b"))
    by_person = Append(match="m.1", seq=2, events=(b"c", b"d"), actor=Actor.PERSON)
    await store.commit(by_person, SetDeadlines("m.1", {"turn": 5}))
    await store.commit(
        Append(match="m.1", seq=4, events=(b"e",), actor=Actor.STAND_IN), make_put_table("t")
    )
    assert await store.actors("m.1") == ["server"] * 2 + ["person"] * 2 + ["stand-in"]
    assert await store.actors("m.1", after=1, limit=2) == ["server", "person"]


async def test_awaited_seats_are_stored(store: Store) -> None:
    """Whether an append is written alone, together with others, or with a table."""
    await store.commit(
        make_append("m.1", 0, b"a", b"b"), make_append("m.2", 0, b"a"), make_put_table("t")
    )
    await asyncio.gather(
        *(
            store.commit(Append(match=f"m.{number}", seq=0, events=(b"a", b"b"), awaited=(number,)))
            for number in (3, 4, 5)
        )
    )
    assert await store.awaited_seats(["m.1", "m.3", "m.4", "m.5", "m.6"]) == {
        "m.3": (3,),
        "m.4": (4,),
        "m.5": (5,),
    }
    await store.commit(Append(match="m.3", seq=2, events=(b"c", b"d"), awaited=(0, 2)))
    nobody = Append(match="m.4", seq=2, events=(b"c",), awaited=())
    await store.commit(nobody, SetDeadlines("m.4", {"turn": 5}))
    await store.commit(
        Append(match="m.1", seq=2, events=(b"c",), awaited=(1,)), make_put_table("t", 1)
    )
    await store.commit(make_append("m.5", 2, b"c"))  # like an older Pytlik
    assert await store.awaited_seats(["m.1", "m.3", "m.4", "m.5"]) == {
        "m.1": (1,),
        "m.3": (0, 2),
        "m.4": (),
    }
    assert await store.awaited_seats([]) == {}


async def test_the_store_knows_the_time(store: Store) -> None:
    """In tests, all stores are on this machine."""
    before = machine_time_ms()
    now = await store.now()
    assert before <= now <= machine_time_ms()


async def test_stopped_workers_with_presence_are_found(store: Store) -> None:
    await store.commit(Heartbeat("one", 1000))
    for version, worker in enumerate(("one", "two", "two")):
        await store.commit(
            make_put_table("t", version), Connected("t", f"holder {version}", worker, None)
        )
    assert await store.stopped_workers_with_presence() == ["two"]
    await store.commit(Heartbeat("two", 2000))
    assert await store.stopped_workers_with_presence() == []


async def test_worker_is_deleted_unless_it_is_alive(store: Store) -> None:
    await store.commit(Heartbeat("one", 1000))
    with pytest.raises(Conflict):
        await store.commit(DeleteWorker("one", 999))
    assert await store.worker_heartbeats() == {"one": 1000}
    await store.commit(DeleteWorker("one", 1000))
    assert (await store.worker_heartbeats(), await store.last_heartbeat()) == ({}, 1000)
    with pytest.raises(Conflict):
        await store.commit(DeleteWorker("one", 1000))


async def test_a_table_is_read_together_with_its_presence(store: Store) -> None:
    await store.commit(make_put_table("t", holders=("ann",)), make_put_table("u"))
    await store.commit(make_put_table("t", 1, holders=("ann",)), Connected("t", "ann", "one", None))
    await store.commit(
        make_put_table("t", 2, holders=("ann",)),
        Connected("t", "ann", "two", 30),
        Connected("u", "ann", "one", 5),
    )
    both = {PresenceRow("ann", "one", None), PresenceRow("ann", "two", 30)}
    for found in (
        await store.table("t"),
        (await store.tables_of("ann"))[0],
        next(row for row in await store.listed_tables("lobby", 9) if row.id == "t"),
    ):
        assert found
        assert set(found.presence) == both
    assert await store.table_ids_with_connections_to("two") == ["t"]
    assert sorted(await store.table_ids_with_connections_to("one")) == ["t", "u"]
    await store.commit(
        make_put_table("t", 3), Connected("t", "ann", "one", 7), Disconnected("t", "ann", "two")
    )
    assert await store.table("t") == TableRow("t", 4, b"{}", (PresenceRow("ann", "one", 7),))
    assert await store.table_ids_with_connections_to("two") == []
    with pytest.raises(Conflict):
        await store.commit(make_put_table("t", 3), Disconnected("t", "ann", "one"))
    await store.commit(DeleteTable("t"))
    assert await store.table_ids_with_connections_to("one") == ["u"]
