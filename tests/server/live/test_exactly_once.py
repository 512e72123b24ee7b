"""Every action is done once, even if it's sent up to five times, out of order, over connections
that break. `make soak` sends 9,000 of them; other tests race several workers."""

import asyncio
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from pytlik.game import Illegal, Ready, Reason, Refusal
from pytlik.server.clocks.leases import Lease
from pytlik.server.live.connection import MAX_QUEUED_MESSAGES
from pytlik.server.live.room import Room
from pytlik.server.match.deadlines import RULES_DEADLINE
from pytlik.server.scheduling.deadline_actions import fire_deadline, write_deadlines
from pytlik.server.table_socket import Socket, handle_messages
from pytlik.store import Append, Deadline, DeleteTable, SavedState, Unavailable, Write
from pytlik.store.connect import migrate
from pytlik.ubongo import solver
from pytlik.ubongo.messages import Place
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.local_worker import LocalConnection
from tests.server.racing_workers import (
    HOLDERS,
    ManualClock,
    begin_match,
    read_events,
    run_race,
    run_workers,
)
from tests.server.server_load import ServerLoad
from tests.server.server_process import ServerProcess


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = str(tmp_path / "pytlik.db")
    migrate(path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("each", [70, pytest.param(560, marks=pytest.mark.soak)])
def test_actions_sent_up_to_five_times_are_done_once(database: str, each: int) -> None:
    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as workers:
            tables = [
                await begin_match(workers[0], time, running=True, seconds=None, pieces=4)
                for _ in range(8)
            ]
            counts = await run_race(workers, tables, "exactly once", each)
            assert counts["actions"] == 16 * each
            assert counts["sent"] > 2 * counts["actions"]
            assert counts["dropped"] > counts["actions"] / 6
            assert counts["done"] > 0.85 * counts["actions"]
            while [*workers[0].rooms]:  # noqa: ASYNC110 - nobody is left at any table
                await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


@pytest.mark.slow
def test_actions_over_breaking_sockets_are_done_once(tmp_path: Path) -> None:
    async def play(server: ServerProcess) -> None:
        async with ServerLoad(server.address, "exactly once", copies=5, drops=0.05) as load:
            await load.sit_down(unikat=4, ubongo=1)
            async with load.let_everyone_play():
                await load.play_until_acknowledged(150)
            await load.check(server.database, everything=True)
            assert load.claims.again > 150

    with ServerProcess(str(tmp_path / "pytlik.db")) as server:
        asyncio.run(play(server))


def test_repeated_action_without_effect_gets_the_same_answer(database: str) -> None:
    """Being ready twice changes nothing, so only the log of commands shows that it was done."""

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            ola, jan = (LocalConnection(table.id, holder) for holder in HOLDERS)
            await worker.join(ola)
            await worker.join(jan)
            ready = msgspec.json.encode(Ready())
            first = await worker.act(ola, 0, ready, "c1")
            await worker.act(jan, 1, ready, "c1")
            assert await worker.act(ola, 0, ready, "c1") == first

    asyncio.run(play())


def test_person_who_leaves_during_an_action_leaves_no_presence(database: str) -> None:
    """The actor's connection is cut while the action is being written to disk."""

    async def act(seat: int) -> str:
        return msgspec.json.encode(
            {"kind": "act", "id": "c1", "seat": seat, "action": Ready()}
        ).decode()

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            ola, jan = (LocalConnection(table.id, holder) for holder in HOLDERS)
            await worker.join(ola)
            await worker.join(jan)
            await worker.send_match(jan)
            socket = cast("Socket", SimpleNamespace(receive=partial(act, 0)))
            acting = asyncio.create_task(handle_messages(socket, ola, worker.enter(ola)))
            match = worker.match(table.match_id)
            while not match.lock.locked():  # noqa: ASYNC110 - no event to await
                await asyncio.sleep(0)
            for _ in range(MAX_QUEUED_MESSAGES + 1):
                ola.enqueue(b"")
            assert ola.overflowed
            await acting
            while True:
                message = msgspec.json.decode(await jan.next_message() or b"")
                if message["kind"] == "update" and message["view"]["ready"] == [0]:
                    break
            worker.leave(ola)
            worker.leave(jan)

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_action_under_way_completes_although_everyone_has_left(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The task is cancelled and everyone leaves while the action is being written: its deadlines
    are still set."""

    async def play() -> None:
        time, writing, written = ManualClock(), asyncio.Event(), asyncio.Event()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            people = [LocalConnection(table.id, holder) for holder in HOLDERS]
            for person in people:
                await worker.join(person)
            ready = msgspec.json.encode(Ready())
            await worker.act(people[0], 0, ready, "c1")
            commit = worker.store.commit

            async def slow_commit(*writes: Write) -> None:
                if isinstance(writes[0], Append):
                    writing.set()
                    await written.wait()
                await commit(*writes)

            monkeypatch.setattr(worker.store, "commit", slow_commit)
            acting = asyncio.create_task(worker.act(people[1], 1, ready, "c1"))
            await writing.wait()
            acting.cancel()
            await asyncio.wait([acting])
            for person in people:
                worker.leave(person)
            written.set()
            while [*worker.rooms]:  # noqa: ASYNC110 - no event to await
                await asyncio.sleep(0)
            assert [each.kind for each in await worker.store.deadlines()] == [RULES_DEADLINE]

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_action_at_a_deleted_table_is_not_retried_forever(database: str) -> None:
    """A missing log must not be mistaken for one that others are writing to."""

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            ola = LocalConnection(table.id, HOLDERS[0])
            await worker.join(ola)
            await worker.enter(ola).open_match(table)
            await worker.store.commit(DeleteTable(table.id))
            with pytest.raises(Unavailable):
                await worker.act(ola, 0, msgspec.json.encode(Ready()), "c1")
            assert await read_events(worker.store, table.match_id) == []
            worker.leave(ola)

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_deadline_of_a_deleted_table_is_removed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is deleted just after it was read, so its log is empty."""

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=True)
            store = worker.store
            read = store.secret_and_state

            async def drop_after_reading(match: str) -> tuple[bytes, SavedState | None] | None:
                found = await read(match)
                await store.commit(DeleteTable(table.id))
                return found

            monkeypatch.setattr(store, "secret_and_state", drop_after_reading)
            due = Deadline(table.match_id, RULES_DEADLINE, time())
            leases = worker.scheduler.leases
            room = Room(table.id, worker.rooms.services, {})
            await fire_deadline(room, Lease(due, time()), leases)
            with pytest.raises(Illegal):
                await room.open_match(table)
            assert await store.deadlines() == []

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_deadlines_set_while_their_table_is_deleted_do_not_remain(database: str) -> None:
    """Otherwise they would stay until they're due, although nothing else is left of the table."""

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=True)
            room = Room(table.id, worker.rooms.services, {})
            match = await room.open_match(table)
            await worker.store.commit(DeleteTable(table.id))
            due = match.deadlines(table)
            assert due
            await write_deadlines(room, table, match, due, repeat_later=True)
            assert await worker.store.deadlines() == []

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_resent_action_is_answered_without_reading_the_log(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an outage everyone resends what wasn't answered, and nobody can act until that's
    done."""

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=True, seconds=None)
            ola = LocalConnection(table.id, HOLDERS[0])
            await worker.join(ola)
            match = await worker.enter(ola).open_match(table)
            deal = match.state.deals[0]
            solution = solver.first(deal.area, list(deal.pieces.values()))
            assert solution
            # The rules would allow it again.
            place = msgspec.json.encode(Place(next(iter(deal.pieces)), solution[0]))
            seq = await worker.act(ola, 0, place, "c1")
            monkeypatch.setattr(worker.store, "events", None)
            assert [await worker.act(ola, 0, place, "c1") for _ in range(3)] == [seq] * 3
            assert match.is_current
            worker.leave(ola)

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_another_seat_may_use_the_same_command_id(database: str) -> None:
    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            connections = [LocalConnection(table.id, holder) for holder in HOLDERS]
            ready = msgspec.json.encode(Ready())
            for connection in connections:
                await worker.join(connection)
            seqs = [
                await worker.act(connection, seat, ready, "c1")
                for seat, connection in enumerate(connections)
            ]
            assert len(set(seqs)) == 2
            with pytest.raises(Refusal) as refused:
                await worker.act(connections[0], 1, ready, "c2")
            assert isinstance(refused.value, Illegal)
            assert refused.value.reason is Reason.NOT_YOUR_SEAT

    asyncio.run(play())
