"""Presence: people come and go, quickly or in several tabs, and workers die. `test_workers.py`
checks that all workers agree."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pytlik.server import socket_requests
from pytlik.server.clocks.heartbeat import DEAD_AFTER_MS
from pytlik.server.live.connection import Connection
from pytlik.server.live.room import Room, write_presence, write_presence_later
from pytlik.server.live.table_changes import TableChange
from pytlik.server.match.deadlines import AWAY_DEADLINE_PREFIX
from pytlik.server.match.delay_credit import MAX_MEASUREMENTS
from pytlik.server.table import seats
from pytlik.server.table.stored_tables import StoredTable
from pytlik.server.table.table_info import make_table_info
from pytlik.store import Connected, PutTable, Unavailable
from pytlik.store.connect import open_store
from tests.server.client import Client
from tests.server.live_server import TIMEOUT_SECONDS, LiveServer, server_test, start_match
from tests.server.local_worker import LocalConnection, LocalVisits
from tests.server.people_at_table import (
    any_legal_action,
    is_table_with_chairs,
    message_kinds_until_answer,
    person_to_move,
    post_to_table,
    wait_for_message,
    wait_until_over,
)
from tests.server.racing_workers import (
    HOLDERS,
    ManualClock,
    away_deadlines,
    connect_person,
    create_table_for_two,
    kill_worker,
    run_all_schedulers,
    run_workers,
    wait_for_chairs,
)


async def kinds_of_away_deadlines(live_server: LiveServer) -> list[str]:
    kinds = [each.kind for each in await live_server.store.deadlines()]
    return [kind for kind in kinds if kind.startswith(AWAY_DEADLINE_PREFIX)]


@server_test
async def test_bot_stands_in_for_a_person_who_never_connects(live_server: LiveServer) -> None:
    ola, max_ = live_server.new_person(), live_server.new_person()
    created = await ola.ask(
        "POST", "/api/tables", {"game": "unikat", "chairs": 2, "agreement": {"away_seconds": 60}}
    )
    table = created["table"]["id"]
    for person in (ola, max_):
        await post_to_table(person, table, "seats", name="Ola" if person is ola else "Max")
    await ola.join(table)
    await start_match(ola, table)
    live_server.pass_time(59_000)
    await ola.wait_for("update")
    live_server.pass_time(2_000)
    chairs = (await wait_for_message(ola, is_table_with_chairs(lambda c: c[1]["stand_in"])))[
        "table"
    ]["chairs"]
    assert (chairs[0]["here"], chairs[0]["stand_in"], chairs[1]["here"]) == (True, False, False)
    await max_.join(table)
    await wait_for_message(
        ola, is_table_with_chairs(lambda c: c[1]["here"] and not c[1]["stand_in"])
    )


@server_test
async def test_bot_also_stands_in_after_a_rematch(live_server: LiveServer) -> None:
    table, people = await live_server.create_match(
        options={"blocked": [1, 2]}, agreement={"away_seconds": 60}
    )
    await asyncio.gather(*(person.play() for person in people))
    ola, max_ = people
    await wait_until_over(ola)
    await max_.disconnect()
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: not chairs[1]["here"]))
    await live_server.wait_for_connections(1)
    live_server.pass_time(600_000)  # after a match, being away has no deadline
    await post_to_table(ola, table, "rematch")
    await start_match(ola, table)
    await wait_for_message(ola, lambda m: m["kind"] == "update" and m["match"].endswith(".2"))
    live_server.pass_time(61_000)
    await wait_for_message(ola, is_table_with_chairs(lambda c: c[1]["stand_in"]))


def measure_lag(room: Room, connection: Connection, lag: int) -> None:
    """Measure a lag often enough to replace all earlier measurements."""
    for _ in range(MAX_MEASUREMENTS):
        socket_requests.handle_pong(room, connection, connection.make_ping(0).n, 2 * lag)


async def measured_connection(
    live_server: LiveServer, table: str, people: list[Client]
) -> Connection:
    """The connection on seat 1, once everyone's lag is known."""
    for seat, person in enumerate(people):  # each answers when it reads the ping
        shown = is_table_with_chairs(lambda chairs, seat=seat: chairs[seat]["lag"] == 0)  # type: ignore[misc]
        await wait_for_message(person, shown)
    await live_server.wait_for_connections(2)
    (connection,) = [one for one in live_server.room(table).connections if one.seat == 1]
    return connection


async def connect_elsewhere(room: Room) -> None:
    """Connect the person on seat 0 to another worker as well."""

    def alter(stored: StoredTable) -> TableChange:
        holder = stored.table.chairs[0].holder
        assert holder
        return stored.table, (Connected(room.id, holder, "another worker", 0),)

    await room.change_with_writes(alter)


@server_test
async def test_small_changes_in_lag_are_not_stored(live_server: LiveServer) -> None:
    table, people = await live_server.create_table()
    connection = await measured_connection(live_server, table, people)
    room = live_server.room(table)
    await connect_elsewhere(room)
    await live_server.wait_for_connections(2)
    version = (await live_server.lobby.get(table)).version
    for lag, writes in ((15, 0), (19, 0), (20, 1), (39, 1), (1, 1), (0, 2), (60, 3)):
        measure_lag(room, connection, lag)
        await live_server.wait_for_connections(2)
        found = await live_server.lobby.get(table)
        assert found.version == version + writes, lag
        assert (
            make_table_info(found, room.presence.connected_holders(found)).chairs[1].lag == lag
        )  # exactly, on the worker that measured it


@server_test
async def test_lag_is_stored_once_someone_is_on_another_worker(
    live_server: LiveServer,
) -> None:
    """Before that, nobody would read it."""
    table, people = await live_server.create_table()
    connection = await measured_connection(live_server, table, people)
    room = live_server.room(table)
    version = (await live_server.lobby.get(table)).version
    measure_lag(room, connection, 60)
    await live_server.wait_for_connections(2)
    assert (await live_server.lobby.get(table)).version == version
    await connect_elsewhere(room)
    await live_server.wait_for_connections(2)
    found = await live_server.lobby.get(table)
    assert {one.lag for one in found.presence if one.holder == connection.holder} == {60}


@server_test
async def test_spectators_cause_no_write_while_someone_is_seated(live_server: LiveServer) -> None:
    table, _ = await live_server.create_table()
    await live_server.wait_for_connections(2)
    version = (await live_server.lobby.get(table)).version
    viewer, nobody = live_server.new_person(), live_server.new_person()
    await viewer.ask("GET", "/api/mine")
    for person in (viewer, nobody):
        await person.join(table)
        for _ in range(2):  # by the second answer, the lag has been measured
            await message_kinds_until_answer(person)
    await live_server.wait_for_connections(4)
    assert (await live_server.lobby.get(table)).version == version


@server_test
async def test_two_tabs_are_one_person(live_server: LiveServer) -> None:
    table, (ola, max_) = await live_server.create_match()
    tab = live_server.new_person(max_.token)
    await tab.join(table)
    await tab.wait_for("update")
    await max_.disconnect()
    await live_server.wait_for_connections(2)
    found = await live_server.lobby.get(table)
    assert len(found.here) == 2
    assert not await kinds_of_away_deadlines(live_server)
    await tab.disconnect()
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: not chairs[1]["here"]))
    await live_server.wait_for_connections(1)
    assert await kinds_of_away_deadlines(live_server) == ["away 1"]


@server_test
async def test_person_who_leaves_while_their_arrival_is_stored_is_gone(
    live_server: LiveServer,
) -> None:
    """The store is slow, and the person is quick."""
    table, (ola, max_) = await live_server.create_match()
    commit = live_server.store.commit

    async def slow_commit(*writes: Any) -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        await commit(*writes)

    await max_.disconnect()
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: not chairs[1]["here"]))
    await live_server.wait_for_connections(1)
    live_server.store.commit = slow_commit  # type: ignore[method-assign]
    holder = (await live_server.lobby.get(table)).table.chairs[1].holder
    visits = LocalVisits(live_server.rooms)
    for moments in range(60):
        tab = LocalConnection(table, holder)
        arrival = asyncio.create_task(visits.join(tab))
        for _ in range(moments):
            await asyncio.sleep(0)
        arrival.cancel()
        await asyncio.wait([arrival])
        visits.enter(tab)  # if it was cancelled before it began
        visits.leave(tab)
    await live_server.wait_for_connections(1)
    found = await live_server.lobby.get(table)
    assert [one.holder for one in found.presence] == [found.table.chairs[0].holder]
    assert await kinds_of_away_deadlines(live_server) == ["away 1"]


@server_test
async def test_person_who_left_before_their_arrival_was_stored_is_gone(
    live_server: LiveServer,
) -> None:
    """When they left there was nothing to undo, because their arrival wasn't stored yet."""
    table, people = await live_server.create_table()
    for person in people:
        await person.disconnect()
    await live_server.wait_until_quiet()
    commit = live_server.store.commit
    holder = (await live_server.lobby.get(table)).table.chairs[1].holder
    tab = Connection(holder)
    with live_server.rooms.open(table) as room:
        room.connections.add(tab)

        async def leave_and_commit(*writes: Any) -> None:
            live_server.store.commit = commit  # type: ignore[method-assign]
            room.connections.remove(tab)
            write_presence_later(room)
            await commit(*writes)

        live_server.store.commit = leave_and_commit  # type: ignore[method-assign]
        await write_presence(room)
        await live_server.wait_until_quiet()
    assert (await live_server.lobby.get(table)).here == {}


@server_test
async def test_leaving_undoes_an_arrival_stored_without_an_answer(
    live_server: LiveServer,
) -> None:
    """They used to seem connected for as long as the worker ran."""
    table, people = await live_server.create_table()
    for person in people:
        await person.disconnect()
    await live_server.wait_until_quiet()
    commit = live_server.store.commit

    async def lose_answer(*writes: Any) -> None:
        live_server.store.commit = commit  # type: ignore[method-assign]
        await commit(*writes)
        raise Unavailable("no answer")

    holder = (await live_server.lobby.get(table)).table.chairs[1].holder
    visits, tab = LocalVisits(live_server.rooms), LocalConnection(table, holder)
    live_server.store.commit = lose_answer  # type: ignore[method-assign]
    with pytest.raises(Unavailable):
        await visits.join(tab)
    assert holder in (await live_server.lobby.get(table)).here
    visits.leave(tab)
    await live_server.wait_until_quiet()
    assert (await live_server.lobby.get(table)).here == {}


@server_test
async def test_worker_taken_for_dead_stores_its_presence_again(
    live_server: LiveServer,
) -> None:
    table, people = await live_server.create_match()
    worker = live_server.rooms.services.heartbeat.worker
    last = (await live_server.store.worker_heartbeats())[worker]
    await live_server.rooms.remove_dead_worker(worker, last)
    for seat, person in enumerate(people):
        shown = is_table_with_chairs(lambda chairs, seat=seat: chairs[seat]["here"])  # type: ignore[misc]
        await wait_for_message(person, shown)
    await live_server.wait_for_connections(2)
    found = await live_server.lobby.get(table)
    assert len(found.here) == 2
    assert not await kinds_of_away_deadlines(live_server)
    assert (await person_to_move(people).act(any_legal_action(person_to_move(people).view)))[
        "kind"
    ] == "done"


# --------------------------------------------------------------------- the whole server is killed


def test_people_who_stay_away_after_a_kill_get_an_away_deadline(
    empty_database: Path, tmp_path: Path
) -> None:
    """With one worker and SQLite, the next server finds the dead one, as other workers would."""
    database, time = str(shutil.copy(empty_database, tmp_path / "pytlik.db")), ManualClock()

    async def play() -> None:
        async with run_workers(database, time) as (worker,):
            table = await create_table_for_two(worker)
            ola, _ = [await connect_person(worker, table, holder) for holder in HOLDERS]
            await worker.lobby.start(table, "ola")
            await wait_for_chairs(ola, lambda c: c[0]["here"] and c[1]["here"])
            await run_all_schedulers([worker])
            await kill_worker(worker)
        async with run_workers(database, time) as (worker,):
            ola = await connect_person(worker, table, "ola")
            for _ in range(DEAD_AFTER_MS // 1_000):
                time.advance(1_000)
                await run_all_schedulers([worker])
            assert await away_deadlines(worker) == {}
            time.advance(1_000)
            await run_all_schedulers([worker])
            await wait_for_chairs(ola, lambda c: c[0]["here"] and not c[1]["here"])
            assert await away_deadlines(worker) == {"away 1": time() + 60_000}
            # the dead worker is forgotten once all tables are updated
            while len(await worker.store.worker_heartbeats()) > 1:
                await run_all_schedulers([worker])
        # This worker was shut down properly, so it left no presence behind.
        store = await open_store(database, notify=False)
        assert (await store.worker_heartbeats(), await store.last_heartbeat()) == ({}, time())
        row = await store.table(table)
        assert row
        assert row.presence == ()
        assert {each.kind for each in await store.deadlines()} >= {"away 0", "away 1"}
        await store.close()

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_checks_do_not_pile_up_while_the_store_is_away(
    empty_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytlik.server.background_tasks.RETRY_SECONDS", 0.01)
    database = str(shutil.copy(empty_database, tmp_path / "pytlik.db"))

    async def play() -> None:
        async with run_workers(database, ManualClock()) as (worker,):
            table = await create_table_for_two(worker)
            ola = await connect_person(worker, table, "ola")
            read = worker.store.table

            async def unavailable(_: object) -> None:
                raise Unavailable("gone")

            monkeypatch.setattr(worker.store, "table", unavailable)
            for _ in range(20):
                worker.rooms.refresh_all_rooms()
                await asyncio.sleep(0)
            assert len(worker.rooms.services.tasks) <= 2  # the scheduler and a single check
            monkeypatch.setattr(worker.store, "table", read)
            stored = await worker.lobby.get(table)
            await worker.store.commit(put_renamed_table(stored))  # nobody announces it
            worker.rooms.refresh_all_rooms()
            await wait_for_chairs(ola, lambda c: c[0]["name"] == "renamed")

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def put_renamed_table(found: StoredTable) -> PutTable:
    """A write that renames someone at the table, without a bus message."""
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
