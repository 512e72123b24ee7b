"""What every store promises."""

import asyncio
from typing import Any

import pytest

from pytlik.store import (
    NO_LIMIT,
    Actor,
    AdoptResults,
    Append,
    BoardKey,
    Conflict,
    Connected,
    DailyRow,
    Deadline,
    Disconnected,
    DropDays,
    DropResults,
    DropTable,
    DropWorker,
    Duplicate,
    ForgetResults,
    GiveBackGuess,
    Heartbeat,
    HideName,
    HideResults,
    MoveDeadline,
    NameResult,
    Present,
    PutResult,
    PutSecret,
    PutTable,
    SetDeadlines,
    StartPuzzle,
    StillDue,
    Store,
    SweepGuesses,
    SweepTokens,
    TableRow,
    TakeGuess,
    TokenSeen,
    Unavailable,
    WakeUp,
)
from pytlik.store.connect import open_store
from pytlik.store.sqlite import SqliteStore, machine_time

pytestmark = pytest.mark.anyio


def append(match: str, seq: int, *events: bytes, command: str | None = None) -> Append:
    return Append(match=match, seq=seq, events=events, command=command)


def table(id: str, version: int = 0, **changes: Any) -> PutTable:
    row = {"doc": b"{}", "phase": "lobby", "listed": True, "holders": (), "touched": 1}
    return PutTable(id=id, version=version, **{**row, **changes})


async def test_events_come_back_in_order(store: Store) -> None:
    await store.commit(append("m.1", 0, b"a", b"b"))
    await store.commit(append("m.1", 2, b"c"), append("n.1", 0, b"x"))
    assert await store.events("m.1") == [b"a", b"b", b"c"]
    assert await store.events("m.1", after=2) == [b"c"]
    assert await store.events("n.1") == [b"x"]
    assert await store.events("o.1") == []


async def test_events_are_read_in_pages(store: Store) -> None:
    events = [str(number).encode() for number in range(10)]
    await store.commit(append("m.1", 0, *events), append("m.2", 0, b"x"))
    for after in range(12):
        for limit in (1, 3, 10, 11, NO_LIMIT):
            page = await store.events("m.1", after, limit)
            assert page == events[after : after + limit], (after, limit)
    assert await store.events("m.1", NO_LIMIT, 5) == []


@pytest.mark.parametrize("seq", [0, 1, 3])
async def test_events_that_do_not_follow_are_refused(store: Store, seq: int) -> None:
    await store.commit(append("m.1", 0, b"a", b"b"))
    with pytest.raises(Conflict):
        await store.commit(append("m.1", seq, b"c"))
    assert await store.events("m.1") == [b"a", b"b"]


async def test_a_command_is_done_once_in_a_match(store: Store) -> None:
    await store.commit(append("m.1", 0, b"a", b"b", command="x"))
    for seq in (0, 2, 7):
        with pytest.raises(Duplicate) as refused:
            await store.commit(append("m.1", seq, b"a", command="x"))
        assert refused.value.seq == 2
    await store.commit(append("n.1", 0, b"a", command="x"))
    await store.commit(append("m.1", 2, b"c", command="y"))
    assert await store.done("m.1", "x") == 2
    assert await store.done("m.1", "y") == 3
    assert await store.done("m.1", "z") is None
    assert await store.events("m.1") == [b"a", b"b", b"c"]


async def test_a_commit_is_done_as_a_whole_or_not_at_all(store: Store) -> None:
    await store.commit(append("m.1", 0, b"a"), table("m"))
    with pytest.raises(Conflict):
        await store.commit(
            append("m.1", 1, b"b", command="x"),
            SetDeadlines("m.1", {"rules": 5}),
            PutSecret("m.1", b"secret"),
            table("n"),
            table("m", 7),
        )
    assert await store.events("m.1") == [b"a"]
    assert await store.done("m.1", "x") is None
    assert await store.next_due() is None
    assert await store.secret("m.1") is None
    assert await store.table("n") is None


async def test_who_is_refused_takes_nobody_along(store: Store) -> None:
    """Commits that come together may share a transaction."""
    await store.commit(append("m.1", 0, b"a"))
    refused = (append("n.1", 0, b"x"), table("n"), append("m.1", 0, b"b"))
    good = [(append(f"g.{n}", 0, b"a"), PutSecret(f"g.{n}", b"s")) for n in range(20)]
    asked = [good[0], refused, *good[1:10], refused, *good[10:], (append("m.1", 1, b"b"),)]
    answers = await asyncio.gather(
        *(store.commit(*writes) for writes in asked), return_exceptions=True
    )
    assert [type(answer) for answer in answers if answer] == [Conflict, Conflict]
    assert [await store.secret(f"g.{n}") for n in range(20)] == [b"s"] * 20
    assert await store.events("m.1") == [b"a", b"b"]
    assert await store.events("n.1") == []


@pytest.mark.parametrize(
    "bad",
    [
        append("m.1", 1, b"b", command="\ud800"),
        SetDeadlines("m.1", {"rules": 2**63}),
    ],
    ids=["half a character", "big number"],
)
async def test_what_can_not_be_held_is_refused_alone(store: Store, bad: Any) -> None:
    await store.commit(append("m.1", 0, b"a"))
    answers = await asyncio.gather(
        store.commit(append("n.1", 0, b"a")), store.commit(bad), return_exceptions=True
    )
    assert answers[0] is None
    assert isinstance(answers[1], ValueError)
    assert await store.events("m.1") == [b"a"]


def test_an_append_that_no_store_takes_is_not_made() -> None:
    with pytest.raises(ValueError, match="nothing"):
        append("m.1", 1)
    with pytest.raises(ValueError, match="NUL"):
        append("m.1", 1, b"a", command="a\0")


async def test_big_events(store: Store) -> None:
    events = tuple(bytes([n]) * 1_000_000 for n in range(3))
    await store.commit(append("m.1", 0, *events))
    assert await store.events("m.1") == list(events)


async def test_a_secret_is_kept_and_never_replaced(store: Store) -> None:
    await store.commit(PutSecret("m.1", b"\0\xff"))
    with pytest.raises(Conflict):
        await store.commit(PutSecret("m.1", b"other"))
    assert await store.secret("m.1") == b"\0\xff"
    assert await store.secret("m.2") is None


# ------------------------------------------------------------------------------------------- tables


async def test_a_table_is_replaced_only_in_the_version_that_was_read(store: Store) -> None:
    await store.commit(table("t", doc=b"1"))
    assert await store.table("t") == TableRow("t", 1, b"1")
    await store.commit(table("t", 1, doc=b"2"))
    for version in (0, 1, 3):
        with pytest.raises(Conflict):
            await store.commit(table("t", version, doc=b"3"))
    assert await store.table("t") == TableRow("t", 2, b"2")
    with pytest.raises(Conflict):
        await store.commit(table("u", 1))
    assert await store.table("u") is None


async def test_tables_are_found_by_who_holds_a_seat(store: Store) -> None:
    await store.commit(table("a", holders=("ann", "bob", "ann"), touched=1))
    await store.commit(table("b", holders=("ann",), touched=3))
    await store.commit(table("c", holders=("bob",), touched=2))
    assert [row.id for row in await store.tables_of("ann")] == ["b", "a"]
    await store.commit(table("b", 1, holders=("cid", "bob"), touched=4))
    assert [row.id for row in await store.tables_of("ann")] == ["a"]
    assert [row.id for row in await store.tables_of("bob")] == ["b", "c", "a"]
    assert await store.tables_of("dan") == []


async def test_tables_are_listed_by_phase_and_kept_while_touched(store: Store) -> None:
    await store.commit(table("a", touched=1), table("b", touched=3), table("c", touched=2))
    await store.commit(table("d", listed=False), table("e", phase="playing"))
    assert [row.id for row in await store.tables_in("lobby", 10)] == ["b", "c", "a"]
    assert [row.id for row in await store.tables_in("lobby", 2)] == ["b", "c"]
    assert [row.id for row in await store.tables_in("playing", 9)] == ["e"]
    assert sorted(await store.untouched(2, 10)) == ["a", "d", "e"]
    assert await store.untouched(4, 5) == [*(await store.untouched(2, 5)), "c", "b"]
    assert len(await store.untouched(4, 1)) == 1
    assert await store.untouched(1, 5) == []


async def test_tables_are_listed_where_somebody_is(store: Store) -> None:
    """However many empty ones were touched later, and whoever is at tables that are not listed."""
    await store.commit(table("real", touched=1), Connected("real", "ann", "one", None))
    await store.commit(table("hidden", listed=False), Connected("hidden", "ann", "one", None))
    await store.commit(table("busy", phase="playing"), Connected("busy", "ann", "one", None))
    await store.commit(table("watched", touched=2), Connected("watched", "", "two", None))
    for number in range(60):
        await store.commit(table(f"empty{number}", touched=10 + number))

    async def listed(limit: int) -> list[str]:
        rows = await store.tables_in("lobby", limit, only_inhabited=True)
        return [row.id for row in rows]

    assert await listed(50) == ["watched", "real"]
    assert await listed(1) == ["watched"]
    await store.commit(table("watched", 1, touched=3), Disconnected("watched", "", "two"))
    assert await listed(50) == ["real"]
    assert len(await store.tables_in("lobby", 50)) == 50


async def test_tables_are_known_that_were_made_and_left(store: Store) -> None:
    await store.commit(table("left", touched=1))
    await store.commit(table("later", touched=3))
    await store.commit(table("inhabited", touched=1), Connected("inhabited", "ann", "one", None))
    await store.commit(table("rematch", touched=1), append("rematch.1", 0, b"a"))
    await store.commit(table("playing", touched=1, phase="playing"))
    await store.commit(table("daily", touched=1, phase="daily"))
    await store.commit(table("unlisted", touched=2, listed=False))
    assert sorted(await store.never_played(3, 9)) == ["left", "unlisted"]
    assert len(await store.never_played(4, 1)) == 1
    assert await store.never_played(1, 9) == []


async def test_a_table_is_dropped_only_as_it_was_read(store: Store) -> None:
    await store.commit(table("t"))
    await store.commit(table("t", 1), Connected("t", "ann", "one", None))
    with pytest.raises(Conflict):
        await store.commit(table("t", 1), DropTable("t"))
    assert await store.table("t") is not None
    await store.commit(table("t", 2), DropTable("t"))
    assert await store.table("t") is None
    assert await store.tables_at("one") == []


@pytest.mark.parametrize("id", ["t", "T_", "%", "a*", "[t]", "t?", "ž'"])
async def test_a_dropped_table_takes_its_matches_with_it(store: Store, id: str) -> None:
    others = [
        other for other in ("t", "tt", "T_", "Tt", "a*", "ab", "t?", "tx", "%") if other != id
    ]
    for name in (id, *others):
        await store.commit(
            table(name, holders=("ann",)),
            append(f"{name}.1", 0, b"a", command="x"),
            append(f"{name}.12", 0, b"a"),
            SetDeadlines(f"{name}.1", {"rules": 1}),
            PutSecret(f"{name}.12", b"s"),
        )
    await store.commit(DropTable(id))
    assert await store.table(id) is None
    assert await store.events(f"{id}.1") == await store.events(f"{id}.12") == []
    assert await store.done(f"{id}.1", "x") is None
    assert await store.secret(f"{id}.12") is None
    assert {row.id for row in await store.tables_of("ann")} == set(others)
    for name in others:
        assert await store.events(f"{name}.1") == [b"a"]
        assert await store.secret(f"{name}.12") == b"s"
    due = await store.take_due(now=2, lease=1, limit=99)
    assert {deadline.match for deadline in due} == {f"{name}.1" for name in others}
    await store.commit(DropTable(id))


# ---------------------------------------------------------------------------------------- deadlines


async def test_deadlines_are_set_kind_by_kind(store: Store) -> None:
    await store.commit(SetDeadlines("m.1", {"rules": 30, "turn": 20}))
    await store.commit(SetDeadlines("m.1", {"bot": 10, "turn": None}))
    await store.commit(append("m.1", 0, b"a"), SetDeadlines("m.1", {"rules": 40, "away 1": None}))
    await store.commit(append("m.1", 1, b"b"), SetDeadlines("m.2", {"rules": 35}))
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
    await store.commit(append("m.1", 0, b"a", command="x"), SetDeadlines("m.1", {"rules": 10}))
    late = SetDeadlines("m.1", {"rules": None, "bot": 5})
    with pytest.raises(Conflict):
        await store.commit(append("m.1", 0, b"b"), late)
    with pytest.raises(Duplicate):
        await store.commit(append("m.1", 1, b"b", command="x"), late)
    assert await store.take_due(now=50, lease=10, limit=9) == [Deadline("m.1", "rules", 10)]


async def test_what_was_taken_is_due_again_when_the_lease_is_over(store: Store) -> None:
    await store.commit(SetDeadlines("m.1", {"rules": 10}), SetDeadlines("m.2", {"rules": 20}))
    assert await store.take_due(now=9, lease=100, limit=9) == []
    assert await store.take_due(now=25, lease=100, limit=1) == [Deadline("m.1", "rules", 10)]
    assert await store.take_due(now=25, lease=100, limit=9) == [Deadline("m.2", "rules", 20)]
    assert await store.take_due(now=124, lease=100, limit=9) == []
    assert await store.next_due() == 125
    # Done, as far as the first is concerned; whoever took the second has died.
    await store.commit(append("m.1", 0, b"a"), SetDeadlines("m.1", {"rules": None}))
    assert await store.take_due(now=125, lease=100, limit=9) == [Deadline("m.2", "rules", 125)]


async def test_several_takers_take_each_deadline_once(url: str) -> None:
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


async def test_a_deadline_is_moved_only_from_where_it_was(store: Store) -> None:
    await store.commit(SetDeadlines("m.1", {"bot": 10, "turn": 20}))
    await store.commit(MoveDeadline("m.1", "bot", 10, 30), MoveDeadline("m.1", "turn", 20, None))
    assert await store.deadlines() == [Deadline("m.1", "bot", 30)]
    await store.commit(MoveDeadline("m.1", "bot", 10, 40), MoveDeadline("m.1", "bot", 10, None))
    await store.commit(MoveDeadline("m.1", "rules", 10, 40))
    assert await store.deadlines() == [Deadline("m.1", "bot", 30)]


# ------------------------------------------------------------------------------- workers, presence


async def test_the_last_beat_is_known_of_each_worker_and_of_all(store: Store) -> None:
    assert await store.last_beat() is None
    assert await store.workers() == {}
    await store.commit(Heartbeat("one", 1000))
    await store.commit(Heartbeat("two", 2000))
    assert await store.workers() == {"one": 1000, "two": 2000}
    assert await store.last_beat() == 2000
    await store.commit(Heartbeat("one", 2**41))
    await store.commit(Heartbeat("two", 3000))  # its clock is behind
    assert await store.workers() == {"one": 2**41, "two": 3000}
    assert await store.last_beat() == 2**41


async def test_after_a_silence_only_one_worker_wakes_the_others(store: Store) -> None:
    await store.commit(Heartbeat("one", 1000, since=0))  # the first beat ever follows on nothing
    with pytest.raises(Conflict):
        await store.commit(Heartbeat("one", 9000, since=7000))
    assert await store.last_beat() == 1000
    assert await store.workers() == {"one": 1000}
    with pytest.raises(Conflict):  # another beat was the last
        await store.commit(WakeUp(999, 9000), SetDeadlines("m.1", {"turn": 1}))
    await store.commit(WakeUp(1000, 9000), SetDeadlines("m.1", {"turn": 2}))
    with pytest.raises(Conflict):  # somebody has seen to it
        await store.commit(WakeUp(1000, 9001), SetDeadlines("m.1", {"turn": 3}))
    await store.commit(Heartbeat("one", 9002, since=7002))
    assert await store.last_beat() == 9002
    assert await store.deadlines() == [Deadline("m.1", "turn", 2)]


async def test_what_must_still_be_due_is_looked_at_together_with_the_rest(store: Store) -> None:
    await store.commit(SetDeadlines("m.1", {"turn": 5}), table("t"))
    for wrong in (
        StillDue("m.1", "turn", 4),
        StillDue("m.1", "bot", 5),
        StillDue("n.1", "turn", 5),
    ):
        with pytest.raises(Conflict):
            await store.commit(table("t", 1), wrong)
    await store.commit(
        table("t", 1), StillDue("m.1", "turn", 5), MoveDeadline("m.1", "turn", 5, None)
    )
    assert await store.deadlines() == []
    with pytest.raises(Conflict):
        await store.commit(StillDue("m.1", "turn", 5))


async def test_it_is_known_how_far_everything_has_come(store: Store) -> None:
    await store.commit(append("m.1", 0, b"a", b"b"), append("m.2", 0, b"c"), table("t"))
    await store.commit(table("t", 1))
    assert await store.progress(["m.1", "m.3"], ["t", "u"]) == {"m.1": 2, "m.3": 0, "t": 2, "u": 0}
    assert await store.progress([], []) == {}


async def test_it_is_known_who_caused_each_event(store: Store) -> None:
    await store.commit(append("m.1", 0, b"a", b"b"))
    by_person = Append(match="m.1", seq=2, events=(b"c", b"d"), actor=Actor.PERSON)
    await store.commit(by_person, SetDeadlines("m.1", {"turn": 5}))
    await store.commit(Append(match="m.1", seq=4, events=(b"e",), actor=Actor.STAND_IN), table("t"))
    assert await store.actors("m.1") == ["server"] * 2 + ["person"] * 2 + ["stand-in"]


async def test_it_knows_what_time_it_is(store: Store) -> None:
    """Here all of them are on the same machine."""
    before = machine_time()
    now = await store.now()
    assert before <= now <= machine_time()


async def test_strays_are_workers_that_have_ended_and_still_have_people(store: Store) -> None:
    await store.commit(Heartbeat("one", 1000))
    for version, worker in enumerate(("one", "two", "two")):
        await store.commit(table("t", version), Connected("t", f"holder {version}", worker, None))
    assert await store.strays() == ["two"]
    await store.commit(Heartbeat("two", 2000))
    assert await store.strays() == []


async def test_a_worker_is_dropped_unless_it_lives(store: Store) -> None:
    await store.commit(Heartbeat("one", 1000))
    with pytest.raises(Conflict):
        await store.commit(DropWorker("one", 999))
    assert await store.workers() == {"one": 1000}
    await store.commit(DropWorker("one", 1000))
    assert (await store.workers(), await store.last_beat()) == ({}, 1000)
    with pytest.raises(Conflict):
        await store.commit(DropWorker("one", 1000))


async def test_a_table_is_read_with_who_is_there(store: Store) -> None:
    await store.commit(table("t", holders=("ann",)), table("u"))
    await store.commit(table("t", 1, holders=("ann",)), Connected("t", "ann", "one", None))
    await store.commit(
        table("t", 2, holders=("ann",)),
        Connected("t", "ann", "two", 30),
        Connected("u", "ann", "one", 5),
    )
    both = {Present("ann", "one", None), Present("ann", "two", 30)}
    for found in (
        await store.table("t"),
        (await store.tables_of("ann"))[0],
        next(row for row in await store.tables_in("lobby", 9) if row.id == "t"),
    ):
        assert found
        assert set(found.presence) == both
    assert await store.tables_at("two") == ["t"]
    assert sorted(await store.tables_at("one")) == ["t", "u"]
    await store.commit(
        table("t", 3), Connected("t", "ann", "one", 7), Disconnected("t", "ann", "two")
    )
    assert await store.table("t") == TableRow("t", 4, b"{}", (Present("ann", "one", 7),))
    assert await store.tables_at("two") == []
    with pytest.raises(Conflict):
        await store.commit(table("t", 3), Disconnected("t", "ann", "one"))
    await store.commit(DropTable("t"))
    assert await store.tables_at("one") == ["u"]


# --------------------------------------------------------------------------- who comes and goes


async def test_a_caller_who_goes_away_leaves_no_harm(store: Store) -> None:
    tasks = [asyncio.create_task(store.commit(append(f"m.{n}", 0, b"a"))) for n in range(40)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert answers[1::2] == [None] * 20
    for n, answer in enumerate(answers):
        if answer is None:
            assert await store.events(f"m.{n}") == [b"a"]
    await store.commit(append("after", 0, b"a"))


async def test_what_waits_is_done_before_closing(url: str) -> None:
    store = await open_store(url, notify=False)
    commits = [asyncio.create_task(store.commit(append(f"m.{n}", 0, b"a"))) for n in range(100)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*commits) == [None] * 100
    with pytest.raises(Unavailable):
        await store.commit(append("m.1", 1, b"b"))
    with pytest.raises(Unavailable):
        await store.events("m.1")
    await store.close()
    store = await open_store(url, notify=False)
    for n in range(100):
        assert await store.events(f"m.{n}") == [b"a"]
    await store.close()


# ------------------------------------------------------------------------------------------- cost


async def test_every_statement_finds_its_rows_by_an_index(sqlite_url: str) -> None:
    """So that the 5,000th event costs what the first did. PostgreSQL is told so by a setting."""
    store = await open_store(sqlite_url, notify=False)
    assert isinstance(store, SqliteStore)
    statements: set[str] = set()
    await store._do(lambda connection: connection.set_trace_callback(statements.add))
    await store.events("m.1")
    assert store._reading
    store._reading.set_trace_callback(statements.add)
    await store.commit(table("m", holders=("ann", "bob")), PutSecret("m.1", b"s"))
    await store.commit(append("m.1", 0, b"a", b"b", command="x"), SetDeadlines("m.1", {"rules": 1}))
    await store.commit(table("m", 1))
    with pytest.raises(Conflict):
        await store.commit(append("m.1", 0, b"a", command="y"))
    await store.take_due(now=2, lease=3, limit=4)
    await store.commit(Heartbeat("one", 1))
    await store.commit(
        table("m", 2), Connected("m", "ann", "one", 3), Connected("m", "bob", "one", 3)
    )
    await store.commit(
        table("m", 3), Disconnected("m", "ann", "one"), MoveDeadline("m.1", "rules", 5, 6)
    )
    await store.commit(MoveDeadline("m.1", "rules", 6, None), DropWorker("one", 1))
    await store.last_beat()
    await store.tables_at("one")
    await store.events("m.1")
    await store.done("m.1", "x")
    await store.secret("m.1")
    await store.table("m")
    await store.tables_of("ann")
    await store.tables_in("lobby", 5)
    await store.tables_in("lobby", 5, only_inhabited=True)
    await store.never_played(1, 2)
    await store.untouched(1, 2)
    await store.next_due()
    await store.commit(DropTable("m"))
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


# ------------------------------------------------------------------------------ boards of the day

BOARD = BoardKey("2026-11-15", "ubongo", "3")


async def solve(store: Store, holder: str, ms: int, *, pieces: int = 3) -> None:
    await store.commit(StartPuzzle(BOARD, holder, 1))
    await store.commit(PutResult(BOARD, holder, holder.title(), pieces, ms))


async def names(store: Store, *, pace: int = 0, limit: int = 10) -> list[str | None]:
    return [row.name for row in await store.best_results(BOARD, pace, limit)]


async def test_a_board_has_the_best_results_and_no_starts(store: Store) -> None:
    for n in range(5):
        await store.commit(StartPuzzle(BOARD, f"nobody {n}", n))
    await solve(store, "ann", 30_000)
    await solve(store, "bob", 20_000)
    await solve(store, "cid", 40_000, pieces=4)
    await solve(store, "dan", 5_999)
    assert await names(store) == ["Cid", "Dan", "Bob", "Ann"]
    assert await names(store, limit=2) == ["Cid", "Dan"]
    assert await names(store, pace=2_000) == ["Cid", "Bob", "Ann"]
    ann = await store.daily_row(BOARD, "ann")
    assert ann == DailyRow("ann", 1, "Ann", 3, 30_000)
    assert await store.count_better(BOARD, 2_000, ann) == 2
    assert await store.count_better(BOARD, 0, ann) == 3
    assert await store.daily_row(BOARD, "nobody 3") == DailyRow("nobody 3", 3)
    assert await store.daily_row(BOARD, "eve") is None
    other = BoardKey("2026-11-15", "ubongo", "4")
    assert await store.best_results(other, 0, 10) == []


async def test_the_first_start_and_the_first_result_count(store: Store) -> None:
    await store.commit(PutResult(BOARD, "ann", "Ann", 3, 30_000))
    assert await store.daily_row(BOARD, "ann") is None, "who has not started has no result"
    await solve(store, "ann", 30_000)
    await store.commit(StartPuzzle(BOARD, "ann", 99))
    await store.commit(PutResult(BOARD, "ann", "Anna", 4, 20_000))
    assert await store.daily_row(BOARD, "ann") == DailyRow("ann", 1, "Ann", 3, 30_000)
    await store.commit(NameResult(BOARD, "ann", "Anna"))
    assert await names(store) == ["Anna"]
    await store.commit(StartPuzzle(BOARD, "bob", 1))
    await store.commit(NameResult(BOARD, "bob", "Bob"))
    assert await store.daily_row(BOARD, "bob") == DailyRow("bob", 1), "there is nothing to name"


async def test_names_go_from_boards_and_days_go_whole(store: Store) -> None:
    await solve(store, "ann", 30_000)
    await solve(store, "bob", 20_000)
    await solve(store, "cid", 10_000)
    await store.commit(HideResults("ann"))
    assert await names(store) == ["Cid", "Bob"]
    assert await store.daily_row(BOARD, "ann") == DailyRow("ann", 1, None, 3, 30_000)
    await store.commit(HideName("Bob"))
    assert await names(store) == ["Cid"]
    await store.commit(DropResults(BOARD, "Cid"))
    assert await store.daily_row(BOARD, "cid") is None
    await store.commit(DropDays("2026-11-15"))
    assert await store.daily_row(BOARD, "ann")
    await store.commit(DropDays("2026-11-16"))
    assert await store.daily_row(BOARD, "ann") is None


async def test_results_pass_to_another_token(store: Store) -> None:
    await solve(store, "ann", 30_000)
    await store.commit(AdoptResults("ann", "ann2"))
    assert await store.daily_row(BOARD, "ann") is None
    assert await store.daily_row(BOARD, "ann2") == DailyRow("ann2", 1, "Ann", 3, 30_000)
    await solve(store, "bob", 20_000)
    await store.commit(AdoptResults("bob", "ann2"))
    assert await store.daily_row(BOARD, "ann2") == DailyRow("ann2", 1, "Ann", 3, 30_000)
    await store.commit(ForgetResults("bob"))
    assert await names(store) == ["Ann"]


# ------------------------------------------------------------------------------- guesses and tokens


async def guess(store: Store, now: int) -> bool:
    """Three at once, and then one in ten seconds."""
    try:
        await store.commit(TakeGuess("thief", 3, 0.1, now))
    except Conflict:
        return False
    return True


async def test_there_are_so_many_guesses_and_they_come_back(store: Store) -> None:
    assert await store.guesses("thief") is None
    assert [await guess(store, 0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert await store.guesses("thief") == (0, 0)
    assert [await guess(store, 9_000), await guess(store, 10_000)] == [False, True]
    assert [await guess(store, 10**9) for _ in range(4)] == [True] * 3 + [False]
    await store.commit(TakeGuess("another", 3, 0.1, 0))


async def test_workers_whose_clocks_differ_share_the_guesses(store: Store) -> None:
    taken = [await guess(store, now) for now in (50_000, 40_000, 50_000, 40_000, 55_000, 60_000)]
    assert taken == [True, True, True, False, False, True]


async def test_of_guesses_at_the_same_time_no_more_are_taken(store: Store) -> None:
    taken = await asyncio.gather(*(guess(store, 0) for _ in range(12)))
    assert sum(taken) == 3


async def test_a_guess_that_was_right_leaves_nothing_behind(store: Store) -> None:
    await guess(store, 0)
    await guess(store, 0)
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.guesses("thief") == (2, 0)
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.guesses("thief") is None
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.guesses("thief") is None


async def test_old_guesses_are_forgotten(store: Store) -> None:
    await guess(store, 100)
    await store.commit(SweepGuesses(100))
    assert await store.guesses("thief") is not None
    await store.commit(SweepGuesses(101))
    assert await store.guesses("thief") is None


async def test_tokens_that_tables_remember_have_a_date(store: Store) -> None:
    await store.commit(table("one", holders=("ann", "bob")))
    await store.commit(TokenSeen("ann", 5))
    assert await store.last_seen("ann") is None  # strangers can't fill the store
    await store.commit(SweepTokens(10, 0))
    assert await store.last_seen("ann") == await store.last_seen("bob") == 10
    await store.commit(TokenSeen("ann", 20))
    await store.commit(TokenSeen("ann", 15))
    await store.commit(SweepTokens(30, 0))
    assert (await store.last_seen("ann"), await store.last_seen("bob")) == (20, 10)


async def test_an_old_token_is_remembered_as_long_as_a_table_does(store: Store) -> None:
    await store.commit(table("one", holders=("ann",)))
    await store.commit(SweepTokens(10, 0))
    await store.commit(SweepTokens(50, 40))
    assert await store.last_seen("ann") == 10
    await store.commit(DropTable("one"))
    await store.commit(SweepTokens(60, 10))
    assert await store.last_seen("ann") == 10
    await store.commit(SweepTokens(60, 40))
    assert await store.last_seen("ann") is None
