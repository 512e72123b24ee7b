"""Who is here, and how long the others wait for someone who isn't. `test_workers.py` checks that
all workers agree."""

import asyncio
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pytlik.protocol.agreement import Agreement
from pytlik.server import deadline_actions, seats, socket_requests, tables
from pytlik.server.connection import Connection
from pytlik.server.deadlines import AWAY
from pytlik.server.delay_credit import MEASUREMENTS
from pytlik.server.heartbeat import DEAD_AFTER_MS
from pytlik.server.room import Room, write_presence
from pytlik.server.stored_tables import StoredTable
from pytlik.server.table_info import describe_table
from pytlik.server.tables import Table
from pytlik.store import Conflict, Heartbeat, PutTable, StillDue, Unavailable
from pytlik.store.connect import open_store
from tests.server.http_site import NOW, Site, make_site, site
from tests.server.live_server import (
    PATIENCE,
    LiveServer,
    empty_database,
    live_server,
    same_secrets,
    server_test,
    start_match,
)
from tests.server.local_worker import LocalConnection, Visits
from tests.server.people import (
    kinds_until_answer,
    person_to_move,
    post,
    some_action,
    table_with_chairs,
    wait_for_message,
    wait_until_over,
)
from tests.server.racing_workers import (
    HOLDERS,
    ManualTime,
    away_deadlines,
    check_clocks,
    connect,
    kill_worker,
    run_workers,
    sit_down,
    wait_for_chairs,
)

__all__ = ["empty_database", "live_server", "make_site", "same_secrets", "site"]

WAIT = 60_000
AGREED = Agreement(away_seconds=WAIT // 1000)


class Scene:
    """A table with four chairs: two of Ola's, Max's, and a bot's. Workers are simulated."""

    def __init__(self, site: Site, agreement: Agreement = AGREED) -> None:
        self.site = site
        self.id = site.run(
            site.lobby.create("unikat", "ola", chairs=4, agreement=agreement)
        ).table.id
        for seat, holder in enumerate(("ola", "ola", "max")):
            self.change(sitting(holder, seat))
        self.change(lambda table: seats.add_bot(table, "ola", 3, "easy"))

    def change(self, alter: Callable[[Table], Table]) -> StoredTable:
        return self.site.run(self.site.lobby.change(self.id, alter))

    def start(self) -> None:
        self.site.run(self.site.lobby.start(self.id, "ola"))

    def attend(self, worker: str, *here: str) -> StoredTable:
        return self.site.run(self.site.record_connected(self.id, worker, **dict.fromkeys(here)))

    async def stand_in(self, seat: int) -> StoredTable:
        """As when the wait for a seat's person is over."""
        match, kind = f"{self.id}.1", f"{AWAY}{seat}"
        due = (await self.site.store.deadlines_of(match)).get(kind, 0)
        with self.site.lobby.rooms.open(self.id) as room, suppress(Conflict):
            await deadline_actions.stand_in(room, seat, StillDue(match, kind, due))
        return await self.site.lobby.get(self.id)

    def away(self) -> dict[int, int]:
        """When a bot will take over for whom, counted from the beginning."""
        return {
            int(each.kind.removeprefix("away ")): each.due - NOW
            for each in self.site.run(self.site.store.deadlines())
            if each.kind.startswith("away")
        }


async def kinds_of_away_deadlines(live_server: LiveServer) -> list[str]:
    kinds = [each.kind for each in await live_server.store.deadlines()]
    return [kind for kind in kinds if kind.startswith(AWAY)]


def sitting(holder: str, seat: int) -> Callable[[Table], Table]:
    return lambda table: seats.sit(table, holder, seat, name=holder, recovery=holder)


# ---------------------------------------------------------------------------------- the away clock


def test_when_a_match_begins_who_is_not_here_is_waited_for(site: Site) -> None:
    table = Scene(site)
    table.attend("one", "max")
    assert table.away() == {}
    table.start()
    assert table.away() == {0: WAIT, 1: WAIT}  # a device that is passed around holds several seats
    site.now += 1_000
    table.attend("one", "max", "ola")
    assert table.away() == {}


@pytest.mark.parametrize(
    "agreement", [Agreement(away_seconds=None), Agreement(slow=True, away_seconds=60)]
)
def test_nobody_is_waited_for_where_so_agreed(site: Site, agreement: Agreement) -> None:
    table = Scene(site, agreement)
    table.attend("one", "max")
    table.start()
    table.attend("one")
    assert table.away() == {}


def test_who_is_connected_to_any_worker_is_here(site: Site) -> None:
    table = Scene(site)
    table.attend("one", "ola", "max")
    table.attend("two", "max")
    table.start()
    site.now += 1_000
    table.attend("one", "ola")
    assert table.away() == {}
    site.now += 1_000
    found = table.attend("two")
    assert table.away() == {2: 2_000 + WAIT}
    assert list(found.here) == ["ola"]
    # Others coming and going gives nobody more time.
    site.now += 1_000
    table.attend("one")
    assert table.away() == {0: 3_000 + WAIT, 1: 3_000 + WAIT, 2: 2_000 + WAIT}


def test_in_a_pause_nobody_is_waited_for_and_after_it_as_long_as_ever(site: Site) -> None:
    table = Scene(site)
    table.attend("one", "max")
    table.start()
    assert set(table.away()) == {0, 1}
    for holder in ("ola", "max"):
        table.change(lambda t, holder=holder: tables.want_pause(t, holder, site.now))  # type: ignore[misc]
    assert table.away() == {}
    site.now += 1_000_000
    table.attend("one")  # anyone who leaves now isn't waited for either
    assert table.away() == {}
    for holder in ("ola", "max"):
        table.change(lambda t, holder=holder: tables.want_pause(t, holder, site.now))  # type: ignore[misc]
    assert table.away() == dict.fromkeys((0, 1, 2), 1_000_000 + WAIT)


def test_who_takes_a_seat_over_and_does_not_come_is_waited_for(site: Site) -> None:
    table = Scene(site)
    table.attend("one", "ola", "max")
    table.start()
    table.change(lambda t: seats.leave(t, t.chairs[2].holder, 2, site.now))
    assert table.away() == {}
    table.change(sitting("eva", 2))
    assert table.away() == {2: WAIT}
    site.now += 1_000
    # Someone who moves the seat to another device has the whole time again.
    table.change(lambda t: seats.recover(t, "eva's other", "eva", recovery="next")[0])
    assert table.away() == {2: 1_000 + WAIT}
    table.change(lambda t: seats.leave(t, "eva's other", 2, site.now))
    assert table.away() == {}


def test_after_the_match_nobody_is_waited_for(site: Site) -> None:
    table = Scene(site)
    table.start()
    assert set(table.away()) == {0, 1, 2}
    site.finish(table.id, 1)
    assert table.away() == {}
    site.run(site.lobby.rematch(table.id, "ola"))
    assert table.away() == {}
    table.attend("one", "max")
    table.start()
    missed = [each for each in site.run(site.store.deadlines()) if each.kind.startswith("away")]
    assert {each.match for each in missed} == {f"{table.id}.2"}
    assert set(table.away()) == {0, 1}


def test_a_bot_sits_in_only_for_who_is_not_here(site: Site) -> None:
    table = Scene(site)
    table.start()
    table.attend("elsewhere", "max")
    found = [site.run(table.stand_in(seat)) for seat in range(4)][-1]
    assert [chair.stand_in for chair in found.table.chairs] == [True, True, False, False]
    assert table.away() == {}


def test_a_wait_that_has_begun_anew_is_not_over(site: Site) -> None:
    """A worker has taken the deadline, and before it lets a bot sit in, somebody came and went."""
    table = Scene(site)
    table.start()
    match, kind = f"{table.id}.1", f"{AWAY}2"

    async def stand_in_late() -> StoredTable:
        taken = (await site.store.deadlines_of(match))[kind]
        site.now += 5_000
        await site.record_connected(table.id, "one", max=None)
        await site.record_connected(table.id, "one")
        with site.lobby.rooms.open(table.id) as room, pytest.raises(Conflict):
            await deadline_actions.stand_in(room, 2, StillDue(match, kind, taken))
        return await site.lobby.get(table.id)

    assert not site.run(stand_in_late()).table.chairs[2].stand_in
    assert table.away()[2] > table.away()[0]


def test_who_comes_while_a_bot_is_about_to_sit_in_is_first(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have read the same version of the table."""
    table = Scene(site)
    table.start()
    commit = site.store.commit

    async def coming(*writes: Any) -> None:
        monkeypatch.setattr(site.store, "commit", commit)
        await site.record_connected(table.id, "one", max=None)
        await commit(*writes)

    monkeypatch.setattr(site.store, "commit", coming)
    found = site.run(table.stand_in(2))
    assert not found.table.chairs[2].stand_in
    assert list(found.here) == ["max"]
    assert set(table.away()) == {0, 1}


def test_everyone_sees_when_a_bot_will_sit_in(site: Site) -> None:
    table = Scene(site)

    def shown() -> list[int | None]:
        chairs = site.browser().get(f"/api/tables/{table.id}").json()["table"]["chairs"]
        return [chair["stand_in_at"] for chair in chairs]

    table.attend("one", "ola", "max")
    table.start()
    assert shown() == [None] * 4
    site.now += 1_000
    table.attend("one", "ola")
    expected = NOW + 1_000 + WAIT
    assert shown() == [None, None, expected, None]
    site.now += 1_000
    table.change(lambda t: seats.rename(t, "ola", 0, "Aleksandra"))  # gives nobody more time
    assert shown() == [None, None, expected, None]
    table.attend("one", "ola", "max")
    assert shown() == [None] * 4
    table.attend("one", "ola")
    site.run(table.stand_in(2))
    assert shown() == [None] * 4


def test_who_has_just_come_is_shown_as_here(site: Site) -> None:
    """On their worker, before it's written down."""
    table = Scene(site)
    table.start()
    stored = site.run(site.lobby.get(table.id))
    assert [chair.stand_in_at for chair in describe_table(stored).chairs[:3]] == [NOW + WAIT] * 3
    there = describe_table(stored, {"ola": None}).chairs
    assert [chair.stand_in_at for chair in there] == [None, None, NOW + WAIT, None]


def test_what_the_link_shows_names_who_is_here(site: Site) -> None:
    table = Scene(site)
    site.run(site.record_connected(table.id, "one", max=40))
    site.run(site.record_connected(table.id, "two", max=30, ola=None))
    version = site.run(site.lobby.get(table.id)).version
    chairs = site.browser().get(f"/api/tables/{table.id}").json()["table"]["chairs"]
    assert [(chair["here"], chair["lag"]) for chair in chairs] == [
        (True, None),
        (True, None),
        (True, 30),
        (False, None),
    ]
    assert site.bus.said[-1] == (table.id, version)


# ---------------------------------------------------------------------------------- with sockets


@server_test
async def test_a_bot_sits_in_for_who_never_comes(live_server: LiveServer) -> None:
    ola, max_ = live_server.person(), live_server.person()
    created = await ola.ask(
        "POST", "/api/tables", {"game": "unikat", "chairs": 2, "agreement": {"away_seconds": 60}}
    )
    table = created["table"]["id"]
    for person in (ola, max_):
        await post(person, table, "seats", name="Ola" if person is ola else "Max")
    await ola.join(table)
    await start_match(ola, table)
    live_server.pass_time(59_000)
    await ola.until("update")
    live_server.pass_time(2_000)
    chairs = (await wait_for_message(ola, table_with_chairs(lambda c: c[1]["stand_in"])))["table"][
        "chairs"
    ]
    assert (chairs[0]["here"], chairs[0]["stand_in"], chairs[1]["here"]) == (True, False, False)
    await max_.join(table)
    await wait_for_message(ola, table_with_chairs(lambda c: c[1]["here"] and not c[1]["stand_in"]))


@server_test
async def test_the_same_after_a_rematch(live_server: LiveServer) -> None:
    table, people = await live_server.match(
        options={"blocked": [1, 2]}, agreement={"away_seconds": 60}
    )
    await asyncio.gather(*(person.play() for person in people))
    ola, max_ = people
    await wait_until_over(ola)
    await max_.socket.close()  # type: ignore[union-attr]
    await wait_for_message(ola, table_with_chairs(lambda chairs: not chairs[1]["here"]))
    await live_server.wait_for_connections(1)
    live_server.pass_time(600_000)  # nobody is waited for after a match
    await post(ola, table, "rematch")
    await start_match(ola, table)
    await wait_for_message(ola, lambda m: m["kind"] == "update" and m["match"].endswith(".2"))
    live_server.pass_time(61_000)
    await wait_for_message(ola, table_with_chairs(lambda c: c[1]["stand_in"]))


def measure(room: Room, connection: Connection, lag: int) -> None:
    """Only the last measurements count."""
    for _ in range(MEASUREMENTS):
        socket_requests.handle_pong(room, connection, connection.make_ping(0).n, 2 * lag)


@server_test
async def test_delays_that_only_jitter_are_not_written(live_server: LiveServer) -> None:
    table, people = await live_server.table()
    for seat, person in enumerate(people):  # each answers when it reads the ping
        shown = table_with_chairs(lambda chairs, seat=seat: chairs[seat]["lag"] == 0)  # type: ignore[misc]
        await wait_for_message(person, shown)
    await live_server.wait_for_connections(2)
    room = live_server.room(table)
    (there,) = [one for one in room.audience if one.seat == 1]
    version = (await live_server.lobby.get(table)).version
    for lag, writes in ((15, 0), (19, 0), (20, 1), (39, 1), (1, 1), (0, 2), (60, 3)):
        measure(room, there, lag)
        await live_server.wait_for_connections(2)
        found = await live_server.lobby.get(table)
        assert found.version == version + writes, lag
        assert (
            describe_table(found, room.presence.all_here(found)).chairs[1].lag == lag
        )  # exactly, on the worker that measured it


@server_test
async def test_spectators_cost_no_write_while_somebody_sits_there(live_server: LiveServer) -> None:
    table, _ = await live_server.table()
    await live_server.wait_for_connections(2)
    version = (await live_server.lobby.get(table)).version
    viewer, nobody = live_server.person(), live_server.person()
    await viewer.ask("GET", "/api/mine")
    for person in (viewer, nobody):
        await person.join(table)
        for _ in range(2):  # by the second answer, the delay has been measured
            await kinds_until_answer(person)
    await live_server.wait_for_connections(4)
    assert (await live_server.lobby.get(table)).version == version


@server_test
async def test_two_tabs_are_one_person(live_server: LiveServer) -> None:
    table, (ola, max_) = await live_server.match()
    tab = live_server.person(max_.token)
    await tab.join(table)
    await tab.until("update")
    await max_.socket.close()  # type: ignore[union-attr]
    await live_server.wait_for_connections(2)
    found = await live_server.lobby.get(table)
    assert len(found.here) == 2
    assert not await kinds_of_away_deadlines(live_server)
    await tab.socket.close()  # type: ignore[union-attr]
    await wait_for_message(ola, table_with_chairs(lambda chairs: not chairs[1]["here"]))
    await live_server.wait_for_connections(1)
    assert await kinds_of_away_deadlines(live_server) == ["away 1"]


@server_test
async def test_who_comes_and_goes_while_it_is_written_has_gone(live_server: LiveServer) -> None:
    """The store is slow, and the person is quick."""
    table, (ola, max_) = await live_server.match()
    commit = live_server.store.commit

    async def slow(*writes: Any) -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        await commit(*writes)

    await max_.socket.close()  # type: ignore[union-attr]
    await wait_for_message(ola, table_with_chairs(lambda chairs: not chairs[1]["here"]))
    await live_server.wait_for_connections(1)
    live_server.store.commit = slow  # type: ignore[method-assign]
    holder = (await live_server.lobby.get(table)).table.chairs[1].holder
    visits = Visits(live_server.rooms)
    for moments in range(60):
        tab = LocalConnection(table, holder)
        coming = asyncio.create_task(visits.join(tab))
        for _ in range(moments):
            await asyncio.sleep(0)
        coming.cancel()
        await asyncio.wait([coming])
        visits.enter(tab)  # if it was cancelled before it began
        visits.leave(tab)
    await live_server.wait_for_connections(1)
    found = await live_server.lobby.get(table)
    assert [one.holder for one in found.presence] == [found.table.chairs[0].holder]
    assert await kinds_of_away_deadlines(live_server) == ["away 1"]


@server_test
async def test_who_has_gone_before_it_was_written_that_they_came(live_server: LiveServer) -> None:
    """When they left there was nothing to undo, because their coming wasn't written yet."""
    table, people = await live_server.table()
    for person in people:
        await person.socket.close()  # type: ignore[union-attr]
    await live_server.wait_until_quiet()
    commit = live_server.store.commit
    holder = (await live_server.lobby.get(table)).table.chairs[1].holder
    tab = Connection(holder)
    with live_server.rooms.open(table) as room:
        room.audience.add(tab)

        async def meanwhile(*writes: Any) -> None:
            live_server.store.commit = commit  # type: ignore[method-assign]
            room.audience.remove(tab)
            await write_presence(room)
            assert (await live_server.lobby.get(table)).here == {}
            await commit(*writes)

        live_server.store.commit = meanwhile  # type: ignore[method-assign]
        await write_presence(room)
    assert (await live_server.lobby.get(table)).here == {}


@server_test
async def test_a_worker_that_was_taken_for_dead_says_again_who_is_here(
    live_server: LiveServer,
) -> None:
    table, people = await live_server.match()
    worker = live_server.rooms.services.heartbeat.worker
    last = (await live_server.store.workers())[worker]
    await live_server.rooms.remove_dead_worker(worker, last)
    for seat, person in enumerate(people):
        shown = table_with_chairs(lambda chairs, seat=seat: chairs[seat]["here"])  # type: ignore[misc]
        await wait_for_message(person, shown)
    await live_server.wait_for_connections(2)
    found = await live_server.lobby.get(table)
    assert len(found.here) == 2
    assert not await kinds_of_away_deadlines(live_server)
    assert (await person_to_move(people).act(some_action(person_to_move(people).view)))[
        "kind"
    ] == "done"


@server_test
async def test_who_could_not_beat_does_not_judge_others(live_server: LiveServer) -> None:
    heartbeat = live_server.rooms.services.heartbeat
    await live_server.store.commit(Heartbeat("other", live_server.now))
    live_server.now += 60_000
    assert (await heartbeat.beat()).dead == {}
    live_server.now += 1_000
    assert (await heartbeat.beat()).dead == {"other": live_server.now - 61_000}
    assert (await heartbeat.beat()).dead == {}  # and no more than about once a second


# --------------------------------------------------------------------- the whole server is killed


def test_after_the_whole_server_was_killed_who_does_not_come_back_is_waited_for(
    empty_database: Path, tmp_path: Path
) -> None:
    """With one worker and SQLite, the next server's clock finds the dead one, as other workers
    would."""
    database, time = str(shutil.copy(empty_database, tmp_path / "pytlik.db")), ManualTime()

    async def play() -> None:
        async with run_workers(database, time) as (worker,):
            table = await sit_down(worker)
            ola, _ = [await connect(worker, table, holder) for holder in HOLDERS]
            await worker.lobby.start(table, "ola")
            await wait_for_chairs(ola, lambda c: c[0]["here"] and c[1]["here"])
            await check_clocks([worker])
            await kill_worker(worker)
        async with run_workers(database, time) as (worker,):
            ola = await connect(worker, table, "ola")
            for _ in range(DEAD_AFTER_MS // 1_000):
                time.pass_by(1_000)
                await check_clocks([worker])
            assert await away_deadlines(worker) == {}
            time.pass_by(1_000)
            await check_clocks([worker])
            await wait_for_chairs(ola, lambda c: c[0]["here"] and not c[1]["here"])
            assert await away_deadlines(worker) == {"away 1": time() + 60_000}
            # the worker is forgotten after all tables have been told
            while len(await worker.store.workers()) > 1:
                await check_clocks([worker])
        # This one was shut down properly, and left nobody behind.
        store = await open_store(database, notify=False)
        assert (await store.workers(), await store.last_beat()) == ({}, time())
        row = await store.table(table)
        assert row
        assert row.presence == ()
        assert {each.kind for each in await store.deadlines()} >= {"away 0", "away 1"}
        await store.close()

    asyncio.run(asyncio.wait_for(play(), PATIENCE))


def test_doubts_do_not_pile_up_while_the_store_is_away(
    empty_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytlik.server.tasks.RETRY_SECONDS", 0.01)
    database = str(shutil.copy(empty_database, tmp_path / "pytlik.db"))

    async def play() -> None:
        async with run_workers(database, ManualTime()) as (worker,):
            table = await sit_down(worker)
            ola = await connect(worker, table, "ola")
            read = worker.store.table

            async def unavailable(_: str) -> None:
                raise Unavailable("gone")

            monkeypatch.setattr(worker.store, "table", unavailable)
            for _ in range(20):
                worker.rooms.check_all()
                await asyncio.sleep(0)
            assert len(worker.rooms.services.tasks) <= 2  # the scheduler, and one that watches
            monkeypatch.setattr(worker.store, "table", read)
            stored = await worker.lobby.get(table)
            await worker.store.commit(table_again(stored))  # nobody announces it
            worker.rooms.check_all()
            await wait_for_chairs(ola, lambda c: c[0]["name"] == "renamed")

    asyncio.run(asyncio.wait_for(play(), PATIENCE))


def table_again(found: StoredTable) -> PutTable:
    """The table with a changed name, written by someone who doesn't announce it."""
    table = seats.rename(found.table, "ola", 0, "renamed")
    return PutTable(
        id=table.id,
        version=found.version,
        doc=msgspec.json.encode(table),
        phase=table.phase,
        listed=False,
        holders=("ola", "jan"),
        touched=0,
    )
