"""Several workers: none forks a match, every deadline fires once, and all agree on who is here."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from pytlik.game import Ready, replay
from pytlik.games import UBONGO
from pytlik.server import socket_requests
from pytlik.server.clocks.heartbeat import DEAD_AFTER_MS
from pytlik.server.clocks.leases import LEASE_MS
from pytlik.server.live.room import Room
from pytlik.server.match.bot_pool import BotPool
from pytlik.server.match.deadlines import RULES_DEADLINE
from pytlik.server.match.delay_credit import MIN_MEASUREMENTS
from pytlik.server.scheduling.deadline_actions import write_deadlines
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from pytlik.store import Actor, SetDeadlines, split_match
from pytlik.ubongo.messages import GiveUp, RoundBegan, SandRanOut, SecondChanceBegan
from pytlik.ubongo.timing import COUNTDOWN_MS, MAX_CREDIT_MS
from tests.database_servers import Postgres, Redis
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.local_worker import LocalConnection, LocalWorker
from tests.server.racing_workers import (
    ManualClock,
    away_deadlines,
    begin_match,
    connect_person,
    create_table_for_two,
    kill_worker,
    read_events,
    run_all_schedulers,
    run_race,
    run_workers,
    wait_for_bus_messages,
    wait_for_chairs,
)

# -------------------------------------------------------------------------- nobody forks a match


async def stored_event_numbers(database: str, match: str) -> list[int]:
    connection = await asyncpg.connect(database)
    try:
        rows = await connection.fetch(
            "SELECT seq FROM events WHERE id = $1 AND match = $2 ORDER BY seq", *split_match(match)
        )
        return [seq for (seq,) in rows]
    finally:
        await connection.close()


@asynccontextmanager
async def watch_all(workers: list[LocalWorker], tables: list[Table]) -> AsyncIterator[None]:
    """Put a spectator at every table on every worker, so that all workers keep up."""
    connections = [
        (worker, LocalConnection(table.id, None)) for worker in workers for table in tables
    ]
    for worker, connection in connections:
        await worker.join(connection)
        await worker.send_match(connection)
        connection.close()  # nothing is read
    yield
    for worker, connection in connections:
        worker.leave(connection)


@pytest.mark.slow
@pytest.mark.parametrize("bus", ["NOTIFY", "Redis"])
def test_racing_workers_agree_on_log_and_state(postgres: Postgres, redis: Redis, bus: str) -> None:
    """The log has no gaps or duplicates, and all workers end in the same state."""
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 3, redis.url if bus == "Redis" else None) as workers:
            tables = [
                await begin_match(workers[0], time, running=True, seconds=None, pieces=4)
                for _ in range(2)
            ]
            async with watch_all(workers, tables):
                counts = await run_race(workers, tables, bus, 100)
                assert counts["done"] > 340
                for table in tables:
                    log = await read_events(workers[0].store, table.match_id)
                    assert await stored_event_numbers(database, table.match_id) == list(
                        range(1, len(log) + 1)
                    )
                    await wait_for_bus_messages(workers, table.match_id, len(log))
                    state = replay(UBONGO.apply, log)
                    for worker in workers:
                        assert worker.match(table.match_id).state == state

    asyncio.run(play())


# ------------------------------------------------------------------------ every deadline fires once


async def wait_until_deadline_fired(
    workers: list[LocalWorker], table: Table, seq: int
) -> list[Any]:
    """Run all schedulers until the log has this many events, and return it."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while len(log := await read_events(workers[0].store, table.match_id)) < seq:
            for worker in workers:
                worker.run_scheduler()
            await asyncio.sleep(0)
    return log


async def fire_all_due(workers: list[LocalWorker]) -> None:
    """Let every worker fire whatever is still due."""
    for worker in workers:
        for lease in await worker.scheduler.leases.take_due():
            await worker.scheduler.fire(lease)


@pytest.mark.slow
def test_each_deadline_fires_once(postgres: Postgres) -> None:
    """The countdown, the sand, and the sand of a second chance, with four workers that all check at
    the same moment."""
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 4) as workers:
            tables = [await begin_match(workers[n % 4], time, running=False) for n in range(6)]
            for passed in (COUNTDOWN_MS, 60_000 + MAX_CREDIT_MS, 60_000 + MAX_CREDIT_MS):
                logs = {
                    table.id: await read_events(workers[0].store, table.match_id)
                    for table in tables
                }
                time.advance(passed)
                await asyncio.gather(
                    *(
                        wait_until_deadline_fired(workers, table, len(logs[table.id]) + 1)
                        for table in tables
                    )
                )
                await fire_all_due(workers)
            for table in tables:
                log = await read_events(workers[0].store, table.match_id)
                kinds = Counter(type(event) for event in log)
                assert kinds[RoundBegan] == kinds[SecondChanceBegan] == 1
                assert kinds[SandRanOut] == 2
                assert await stored_event_numbers(database, table.match_id) == list(
                    range(1, len(log) + 1)
                )
            assert await workers[0].store.deadlines() == []

    asyncio.run(play())


def test_deadlines_of_a_dead_worker_fire_on_another(postgres: Postgres) -> None:
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 2) as workers:
            table = await begin_match(workers[0], time, running=False)
            time.advance(COUNTDOWN_MS)
            (taken,) = await workers[0].store.take_due(time(), LEASE_MS, 100)
            assert taken.kind == RULES_DEADLINE
            # Here it dies. Nobody else takes the deadline before its lease has expired.
            assert await workers[1].store.take_due(time(), LEASE_MS, 100) == []
            time.advance(LEASE_MS)
            seq = len(await read_events(workers[1].store, table.match_id))
            log = await wait_until_deadline_fired(workers, table, seq + 1)
            assert isinstance(log[-1], RoundBegan)

    asyncio.run(play())


def test_slow_bot_is_not_asked_twice(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worker keeps the lease until the bot has decided."""
    database = postgres.new_database()
    seats_asked, thought = [], asyncio.Event()

    async def think(self: BotPool, room: Any, seat: int, *args: Any) -> Any:
        seats_asked.append(seat)
        await thought.wait()
        return 0, Ready()

    monkeypatch.setattr(BotPool, "next_step", think)

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 2) as workers:
            table = await begin_match(workers[0], time, running=False, ready=False)
            await workers[0].join(LocalConnection(table.id, None))  # or bots would wait
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while not (await workers[0].lobby.get(table.id)).presence:  # noqa: ASYNC110 - the store
                    await asyncio.sleep(0.001)
            await workers[0].lobby.change(
                table.id,
                lambda table: seats.start_stand_in(seats.start_stand_in(table, 1, 0), 0, 0),
            )
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while not seats_asked:
                    await run_all_schedulers(workers)
                for _ in range(5 * LEASE_MS // 1_000):
                    time.advance(1_000)
                    await run_all_schedulers(workers)
                assert seats_asked == [0]
                thought.set()
                log = await wait_until_deadline_fired(workers, table, 4)
                while not {0, 1} <= {getattr(event, "seat", None) for event in log}:
                    log = await wait_until_deadline_fired(workers, table, len(log))

    asyncio.run(play())


def test_deadlines_of_an_older_state_do_not_remain(postgres: Postgres) -> None:
    """A worker sets deadlines from its own state, just after another worker has moved on."""
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 2) as (one, two):
            table = await begin_match(one, time, running=True)
            room = Room(table.id, one.rooms.services, {})  # so that no bus message reaches it
            match = await room.open_match(table)
            with two.rooms.open(table.id) as other_room:
                await other_room.act(0, GiveUp(), actor=Actor.PERSON)
                await other_room.act(1, GiveUp(), actor=Actor.PERSON)  # the second chance begins
                other = two.match(table.match_id)
            due = [deadline.due for deadline in await two.store.deadlines()]
            assert match.seq < other.seq
            await write_deadlines(room, table, match, {RULES_DEADLINE: None}, repeat_later=False)
            assert match.state == other.state
            assert [deadline.due for deadline in await two.store.deadlines()] == due

    asyncio.run(play())


# ------------------------------------------------------------------------------------ who is here


@pytest.mark.parametrize("bus", ["NOTIFY", "Redis"])
def test_people_on_different_workers_see_each_other(
    postgres: Postgres, redis: Redis, bus: str
) -> None:
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 2, redis.url if bus == "Redis" else None) as (
            one,
            two,
        ):
            table = await create_table_for_two(one)
            ola = await connect_person(one, table, "ola")
            jan = await connect_person(two, table, "jan")
            for person in (ola, jan):
                chairs = await wait_for_chairs(person, lambda c: c[0]["here"] and c[1]["here"])
                assert [chair["lag"] for chair in chairs] == [None, None]
            for _ in range(MIN_MEASUREMENTS):
                socket_requests.handle_pong(one.enter(ola), ola, ola.make_ping(0).n, 80)
            for person in (ola, jan):
                await wait_for_chairs(person, lambda c: c[0]["lag"] == 40)
            one.leave(ola)
            await wait_for_chairs(jan, lambda c: not c[0]["here"] and c[1]["here"])

    asyncio.run(play())


def test_no_bot_stands_in_while_a_tab_is_on_another_worker(postgres: Postgres) -> None:
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 2) as (one, two):
            table = await create_table_for_two(one)
            tabs = [await connect_person(worker, table, "ola") for worker in (one, two)]
            jan = await connect_person(one, table, "jan")
            await one.lobby.start(table, "ola")
            one.leave(tabs[0])
            await wait_for_chairs(jan, lambda c: c[0]["here"])
            # Even if the deadline fires by mistake, that worker sees that she's here.
            await one.store.commit(SetDeadlines(f"{table}.1", {"away 0": time()}))
            time.advance(61_000)
            while await away_deadlines(one):
                await run_all_schedulers([one, two])
            assert not (await one.lobby.get(table)).table.chairs[0].stand_in
            two.leave(tabs[1])
            await wait_for_chairs(jan, lambda c: not c[0]["here"])
            assert await away_deadlines(one) == {"away 0": time() + 60_000}
            time.advance(61_000)
            await run_all_schedulers([one, two])
            await wait_for_chairs(jan, lambda c: c[0]["stand_in"])

    asyncio.run(play())


def test_people_on_a_dead_worker_get_an_away_deadline(postgres: Postgres) -> None:
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 3) as (one, two, three):
            table = await create_table_for_two(one)
            ola = await connect_person(one, table, "ola")
            await connect_person(two, table, "jan")
            await one.lobby.start(table, "ola")
            await wait_for_chairs(ola, lambda c: c[1]["here"])
            await run_all_schedulers([one, two, three])
            await kill_worker(two)
            for _ in range(DEAD_AFTER_MS // 1_000):
                time.advance(1_000)
                await run_all_schedulers([one, three])
            assert two.rooms.services.heartbeat.worker in await one.store.worker_heartbeats()
            assert await away_deadlines(one) == {}
            time.advance(1_000)
            await run_all_schedulers([one, three])
            await wait_for_chairs(ola, lambda c: not c[1]["here"] and c[0]["here"])
            assert await away_deadlines(one) == {"away 1": time() + 60_000}
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while two.rooms.services.heartbeat.worker in await one.store.worker_heartbeats():
                    await run_all_schedulers([one, three])
            # Someone who comes back in time, to any worker, gets no stand-in.
            await connect_person(three, table, "jan")
            await wait_for_chairs(ola, lambda c: c[1]["here"] and not c[1]["stand_in"])
            assert await away_deadlines(one) == {}

    asyncio.run(play())
