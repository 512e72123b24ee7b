"""Which clocks are moved after downtime, and by how much."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from pytlik.bus.connect import open_bus
from pytlik.game import Expire, Illegal, Ready
from pytlik.protocol.messages import Act
from pytlik.protocol.table_agreement import Agreement
from pytlik.server import socket_requests
from pytlik.server.clocks.heartbeat import WorkerHeartbeat
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.server.match.deadlines import (
    AWAY_DEADLINE_PREFIX,
    BOT_DEADLINE,
    RECHECK_DEADLINE,
    RULES_DEADLINE,
    TURN_DEADLINE,
)
from pytlik.server.scheduling.downtime import move_clocks
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from pytlik.store import Actor, Conflict, Heartbeat, SetDeadlines, Store, Unavailable
from pytlik.store.connect import migrate, open_store
from tests.server.local_worker import LocalConnection
from tests.server.racing_workers import ManualClock, begin_match

GAP_MS = 100_000


class WorkerWithoutScheduler:
    """A worker whose scheduler never runs, so that nothing happens but what a test does."""

    def __init__(self, store: Store, clock: ManualClock) -> None:
        self.store = store
        self.rooms = Rooms(store, open_bus(""), clock)
        self.lobby = Lobby(self.rooms)


def run_on_worker(
    path: Path, course: Callable[[Any, ManualClock, int], Coroutine[Any, Any, None]]
) -> None:
    """Run a course of events on a worker. It's given the clock and the time of the last
    heartbeat."""

    async def run() -> None:
        store, now = await open_store(str(path / "pytlik.db"), notify=False), ManualClock()
        try:
            await store.commit(Heartbeat("another", now()))
            await course(WorkerWithoutScheduler(store, now), now, now())
        finally:
            await store.close()

    migrate(str(path / "pytlik.db"))
    asyncio.run(run())


async def beat_now(worker: WorkerWithoutScheduler, now: ManualClock) -> WorkerHeartbeat:
    """Write a heartbeat now, and start the worker's own."""
    await worker.store.commit(Heartbeat("another", now()))
    heartbeat = worker.rooms.services.heartbeat
    heartbeat.is_running = True
    await heartbeat.write_beat()
    return heartbeat


async def deadlines_of_match(worker: WorkerWithoutScheduler, match: str) -> Mapping[str, int]:
    return await worker.store.deadlines_of(match)


def test_late_worker_does_not_move_the_sand_of_a_new_round(tmp_path: Path) -> None:
    """Two workers wake up. By the time the second one moves the clocks, the first one has done so,
    people act again, and a round has begun."""

    async def course(worker: WorkerWithoutScheduler, now: ManualClock, last: int) -> None:
        asleep = await begin_match(worker, now, running=True)
        before = await deadlines_of_match(worker, asleep.match_id)
        now.advance(GAP_MS)
        gap = now() - last
        await move_clocks(worker.rooms, last, now())
        awake = await begin_match(worker, now, running=True)
        turned = await deadlines_of_match(worker, awake.match_id)
        with pytest.raises(Conflict):
            await move_clocks(worker.rooms, last, now())
        assert await deadlines_of_match(worker, awake.match_id) == turned
        assert (await deadlines_of_match(worker, asleep.match_id))[RULES_DEADLINE] == before[
            RULES_DEADLINE
        ] + gap

    run_on_worker(tmp_path, course)


def test_an_action_under_way_waits_until_the_clocks_are_moved(tmp_path: Path) -> None:
    """The sand seems to have run out while nobody could act."""

    async def course(worker: WorkerWithoutScheduler, now: ManualClock, _: int) -> None:
        table = await begin_match(worker, now, running=True)
        before = await deadlines_of_match(worker, table.match_id)
        heartbeat, last = await beat_now(worker, now), now()
        now.advance(GAP_MS)
        awaited, wait = asyncio.Event(), heartbeat.wait_until_recent

        async def wait_noticed() -> None:
            awaited.set()
            await wait()

        with (
            patch.object(heartbeat, "wait_until_recent", wait_noticed),
            worker.rooms.open(table.id) as room,
        ):
            expiry = asyncio.create_task(room.act(None, Expire(), actor=Actor.CLOCK))
            noticed = asyncio.create_task(awaited.wait())
            await asyncio.wait((expiry, noticed), return_when=asyncio.FIRST_COMPLETED)
            await move_clocks(worker.rooms, last, now())
            await heartbeat.write_beat()
            with pytest.raises(Illegal, match="too_early"):
                await expiry
        due = await deadlines_of_match(worker, table.match_id)
        assert due[RULES_DEADLINE] == before[RULES_DEADLINE] + now() - last

    run_on_worker(tmp_path, course)


def test_action_that_waited_too_long_for_the_store_is_refused(tmp_path: Path) -> None:
    """Once the store is back, the clocks may have to be moved before anyone acts."""

    async def course(worker: WorkerWithoutScheduler, now: ManualClock, _: int) -> None:
        table = await begin_match(worker, now, running=True)
        before = await deadlines_of_match(worker, table.match_id)
        await beat_now(worker, now)
        with worker.rooms.open(table.id) as room:
            match = await room.open_match((await room.refresh()).table)
            async with match.lock:  # someone else waits for the store
                expiry = asyncio.create_task(room.act(None, Expire(), actor=Actor.CLOCK))
                await asyncio.sleep(0)  # the match is open, so this is enough to reach the lock
                now.advance(GAP_MS)
            with pytest.raises(Unavailable):
                await expiry
        assert await deadlines_of_match(worker, table.match_id) == before

    run_on_worker(tmp_path, course)


def leave_seat_of_ola(table: Table) -> Table:
    return seats.leave(table, "ola", 0, now=0)


def test_nobody_acts_for_a_seat_they_lost_while_a_worker_was_cut_off(tmp_path: Path) -> None:
    """The worker received nothing from the others, so it has to read the table again."""

    async def course(worker: WorkerWithoutScheduler, now: ManualClock, _: int) -> None:
        table = await begin_match(worker, now, running=False, ready=False)
        connection = LocalConnection(table.id, "ola")
        with worker.rooms.open(table.id) as room:
            await room.refresh()
            heartbeat = await beat_now(worker, now)
            another = WorkerWithoutScheduler(worker.store, now)
            await another.lobby.change(table.id, leave_seat_of_ola)
            now.advance(GAP_MS)
            ready = Act(id="1", seat=0, action=msgspec.Raw(b'{"kind": "ready"}'))
            acting = asyncio.create_task(socket_requests.act(room, connection, ready))
            await worker.store.commit(Heartbeat("another", now()))
            await heartbeat.write_beat()
            with pytest.raises(Illegal, match="not_your_seat"):
                await acting

    run_on_worker(tmp_path, course)


def test_nobody_acts_for_a_seat_they_lost_while_their_action_waited(tmp_path: Path) -> None:
    async def course(worker: WorkerWithoutScheduler, now: ManualClock, _: int) -> None:
        table = await begin_match(worker, now, running=False, ready=False)
        with worker.rooms.open(table.id) as room:
            match = await room.open_match((await room.refresh()).table)
            async with match.lock:
                acting = asyncio.create_task(room.act(0, Ready(), actor=Actor.PERSON, holder="ola"))
                await asyncio.sleep(0)  # the match is open, so this is enough to reach the lock
                await room.change(leave_seat_of_ola)
            with pytest.raises(Illegal, match="not_your_seat"):
                await acting

    run_on_worker(tmp_path, course)


def test_deadlines_set_since_the_store_is_back_are_not_moved(tmp_path: Path) -> None:
    """Before any worker has a heartbeat again, someone sits down or comes back."""

    async def course(worker: WorkerWithoutScheduler, now: ManualClock, last: int) -> None:
        stored = await worker.lobby.create(
            "unikat", "host", chairs=2, agreement=Agreement(turn_seconds=60, away_seconds=30)
        )
        match = stored.table.match_id
        earlier = {
            TURN_DEADLINE: last + 40_000,
            f"{AWAY_DEADLINE_PREFIX}0": last + 500,
            RECHECK_DEADLINE: last + 500,
        }
        await worker.store.commit(SetDeadlines(match, dict(earlier)))
        now.advance(GAP_MS)
        later = {f"{AWAY_DEADLINE_PREFIX}1": now() + 30_000, BOT_DEADLINE: now()}
        await worker.store.commit(SetDeadlines(match, dict(later)))
        gap = now() - last
        await move_clocks(worker.rooms, last, now())
        assert await deadlines_of_match(worker, match) == {
            TURN_DEADLINE: earlier[TURN_DEADLINE] + gap,
            f"{AWAY_DEADLINE_PREFIX}0": earlier[f"{AWAY_DEADLINE_PREFIX}0"] + gap,
            RECHECK_DEADLINE: earlier[RECHECK_DEADLINE],
            **later,
        }

    run_on_worker(tmp_path, course)


def test_time_until_the_clocks_are_moved_does_not_count(tmp_path: Path) -> None:
    """Between two downtimes someone leaves, and there is no heartbeat."""

    async def course(worker: WorkerWithoutScheduler, now: ManualClock, last: int) -> None:
        stored = await worker.lobby.create(
            "unikat", "host", chairs=2, agreement=Agreement(turn_seconds=60, away_seconds=30)
        )
        now.advance(GAP_MS)
        left = now()
        due_then = left + 30_000
        await worker.store.commit(
            SetDeadlines(stored.table.match_id, {f"{AWAY_DEADLINE_PREFIX}1": due_then})
        )
        now.advance(20_000)
        await move_clocks(worker.rooms, last, now())
        assert await deadlines_of_match(worker, stored.table.match_id) == {
            f"{AWAY_DEADLINE_PREFIX}1": due_then + now() - left
        }

    run_on_worker(tmp_path, course)
