"""Several workers: nobody forks a match, every deadline fires once, and all know who is here."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from pytlik.game import Ready, replay
from pytlik.games import UBONGO
from pytlik.server import seats, socket_requests
from pytlik.server.bot_pool import BotPool
from pytlik.server.deadline_actions import put_deadlines
from pytlik.server.deadlines import RULES
from pytlik.server.delay import FEWEST_MEASUREMENTS
from pytlik.server.heartbeat import DEAD_AFTER_MS
from pytlik.server.leases import LEASE_MS
from pytlik.server.room import Room
from pytlik.server.tables import Table
from pytlik.store import Actor, SetDeadlines
from pytlik.ubongo.messages import GiveUp, RoundBegan, SandRanOut, SecondChanceBegan
from pytlik.ubongo.timing import COUNTDOWN_MS, MAX_CREDIT_MS
from tests.server.house import PATIENCE
from tests.server.local_worker import LocalConnection, LocalWorker
from tests.server.racing import (
    Time,
    away,
    begin,
    chairs,
    connect,
    die,
    keeping_up,
    look,
    race,
    read,
    sit_down,
    working,
)
from tests.services import Postgres, Redis

# -------------------------------------------------------------------------- nobody forks a match


async def numbers(database: str, match: str) -> list[int]:
    connection = await asyncpg.connect(database)
    try:
        rows = await connection.fetch("SELECT seq FROM events WHERE match = $1 ORDER BY seq", match)
        return [seq for (seq,) in rows]
    finally:
        await connection.close()


@asynccontextmanager
async def watching(workers: list[LocalWorker], tables: list[Table]) -> AsyncIterator[None]:
    """Somebody looks at every table on every worker, so that all of them keep up."""
    connections = [
        (worker, LocalConnection(table.id, None)) for worker in workers for table in tables
    ]
    for worker, connection in connections:
        await worker.join(connection)
        await worker.show(connection)
        connection.close()  # and reads nothing
    yield
    for worker, connection in connections:
        worker.leave(connection)


@pytest.mark.slow
@pytest.mark.parametrize("bus", ["NOTIFY", "Redis"])
def test_workers_race_on_the_same_matches(postgres: Postgres, redis: Redis, bus: str) -> None:
    """The log has no gap and no double, and all workers end in the same state."""
    database = postgres.fresh()

    async def play() -> None:
        time = Time()
        async with working(database, time, 3, redis.url if bus == "Redis" else None) as workers:
            tables = [
                await begin(workers[0], time, running=True, seconds=None, pieces=4)
                for _ in range(2)
            ]
            async with watching(workers, tables):
                counts = await race(workers, tables, bus, 100)
                assert counts["done"] > 340
                for table in tables:
                    log = await read(workers[0].store, table.match_id)
                    assert await numbers(database, table.match_id) == list(range(1, len(log) + 1))
                    await keeping_up(workers, table.match_id, len(log))
                    state = replay(UBONGO.apply, log)
                    for worker in workers:
                        assert worker.match(table.match_id).state == state

    asyncio.run(play())


# ------------------------------------------------------------------------ every deadline fires once


async def let_it_fire(workers: list[LocalWorker], table: Table, seq: int) -> list[Any]:
    """All workers look for what is due, until one of them has done it."""
    async with asyncio.timeout(PATIENCE):
        while len(log := await read(workers[0].store, table.match_id)) < seq:
            for worker in workers:
                worker.look()
            await asyncio.sleep(0)
    return log


async def all_quiet(workers: list[LocalWorker]) -> None:
    """Let every worker look once more, and finish what it has begun."""
    for worker in workers:
        for lease in await worker.scheduler.leases.take():
            await worker.scheduler.fire(lease)


@pytest.mark.slow
def test_each_deadline_fires_once(postgres: Postgres) -> None:
    """The countdown, a solution that is settled, the sand, and the sand of a second chance, with
    four workers that all look at the same moment."""
    database = postgres.fresh()

    async def play() -> None:
        time = Time()
        async with working(database, time, 4) as workers:
            tables = [await begin(workers[n % 4], time, running=False) for n in range(6)]
            for passed in (COUNTDOWN_MS, 60_000 + MAX_CREDIT_MS, 60_000 + MAX_CREDIT_MS):
                logs = {table.id: await read(workers[0].store, table.match_id) for table in tables}
                time.pass_by(passed)
                await asyncio.gather(
                    *(let_it_fire(workers, table, len(logs[table.id]) + 1) for table in tables)
                )
                await all_quiet(workers)
            for table in tables:
                log = await read(workers[0].store, table.match_id)
                kinds = Counter(type(event) for event in log)
                assert kinds[RoundBegan] == kinds[SecondChanceBegan] == 1
                assert kinds[SandRanOut] == 2
                assert await numbers(database, table.match_id) == list(range(1, len(log) + 1))
            assert await workers[0].store.deadlines() == []

    asyncio.run(play())


def test_a_worker_that_dies_leaves_its_deadlines_to_others(postgres: Postgres) -> None:
    database = postgres.fresh()

    async def play() -> None:
        time = Time()
        async with working(database, time, 2) as workers:
            table = await begin(workers[0], time, running=False)
            time.pass_by(COUNTDOWN_MS)
            (taken,) = await workers[0].store.take_due(time(), LEASE_MS, 100)
            assert taken.kind == RULES
            # Here it dies. Nobody else takes it before it is certain that it won't be done.
            assert await workers[1].store.take_due(time(), LEASE_MS, 100) == []
            time.pass_by(LEASE_MS)
            seq = len(await read(workers[1].store, table.match_id))
            log = await let_it_fire(workers, table, seq + 1)
            assert isinstance(log[-1], RoundBegan)

    asyncio.run(play())


def test_a_bot_that_thinks_for_long_is_not_asked_twice(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was lent to its worker stays lent until it has thought."""
    database = postgres.fresh()
    asked, thought = [], asyncio.Event()

    async def think(self: BotPool, room: Any, seat: int, *given: Any) -> Any:
        asked.append(seat)
        await thought.wait()
        return 0, Ready()

    monkeypatch.setattr(BotPool, "next_step", think)

    async def play() -> None:
        time = Time()
        async with working(database, time, 2) as workers:
            table = await begin(workers[0], time, running=False, ready=False)
            await workers[0].join(LocalConnection(table.id, None))  # or bots would stand still
            async with asyncio.timeout(PATIENCE):
                while not (await workers[0].lobby.get(table.id)).presence:  # noqa: ASYNC110 - the store
                    await asyncio.sleep(0.001)
            await workers[0].lobby.change(
                table.id, lambda table: seats.stand_in(seats.stand_in(table, 1, 0), 0, 0)
            )
            async with asyncio.timeout(PATIENCE):
                while not asked:
                    await look(workers)
                for _ in range(5 * LEASE_MS // 1_000):
                    time.pass_by(1_000)
                    await look(workers)
                assert asked == [0]
                thought.set()
                log = await let_it_fire(workers, table, 4)
                while not {0, 1} <= {getattr(event, "seat", None) for event in log}:
                    log = await let_it_fire(workers, table, len(log))

    asyncio.run(play())


def test_deadlines_of_an_older_state_do_not_stay(postgres: Postgres) -> None:
    """A worker sets deadlines from what it knows, and another has just done something."""
    database = postgres.fresh()

    async def play() -> None:
        time = Time()
        async with working(database, time, 2) as (one, two):
            table = await begin(one, time, running=True)
            room = Room(table.id, one.rooms.services, {})  # so that no wake-up reaches it
            match = await room.open_match(table)
            with two.rooms.open(table.id) as other_room:
                await other_room.act(0, GiveUp(), actor=Actor.PERSON)
                await other_room.act(1, GiveUp(), actor=Actor.PERSON)  # the second chance begins
                other = two.match(table.match_id)
            due = [deadline.due for deadline in await two.store.deadlines()]
            assert match.seq < other.seq
            await put_deadlines(room, table, match, {RULES: None}, again=False)
            assert match.state == other.state
            assert [deadline.due for deadline in await two.store.deadlines()] == due

    asyncio.run(play())


# ------------------------------------------------------------------------------------ who is here


@pytest.mark.parametrize("bus", ["NOTIFY", "Redis"])
def test_people_on_different_workers_see_each_other(
    postgres: Postgres, redis: Redis, bus: str
) -> None:
    database = postgres.fresh()

    async def play() -> None:
        time = Time()
        async with working(database, time, 2, redis.url if bus == "Redis" else None) as (one, two):
            table = await sit_down(one)
            ola = await connect(one, table, "ola")
            jan = await connect(two, table, "jan")
            for person in (ola, jan):
                told = await chairs(person, lambda c: c[0]["here"] and c[1]["here"])
                assert [chair["lag"] for chair in told] == [None, None]
            for _ in range(FEWEST_MEASUREMENTS):
                socket_requests.note_delay(one.enter(ola), ola, ola.ping(0).n, 80)
            for person in (ola, jan):
                await chairs(person, lambda c: c[0]["lag"] == 40)
            one.leave(ola)
            await chairs(jan, lambda c: not c[0]["here"] and c[1]["here"])

    asyncio.run(play())


def test_a_tab_on_another_worker_keeps_the_bot_away(postgres: Postgres) -> None:
    database = postgres.fresh()

    async def play() -> None:
        time = Time()
        async with working(database, time, 2) as (one, two):
            table = await sit_down(one)
            tabs = [await connect(worker, table, "ola") for worker in (one, two)]
            jan = await connect(one, table, "jan")
            await one.lobby.start(table, "ola")
            one.leave(tabs[0])
            await chairs(jan, lambda c: c[0]["here"])
            # Even if it were due, by mistake: whoever fires it sees that she is here.
            await one.store.commit(SetDeadlines(f"{table}.1", {"away 0": time()}))
            time.pass_by(61_000)
            while await away(one):
                await look([one, two])
            assert not (await one.lobby.get(table)).table.chairs[0].stand_in
            two.leave(tabs[1])
            await chairs(jan, lambda c: not c[0]["here"])
            assert await away(one) == {"away 0": time() + 60_000}
            time.pass_by(61_000)
            await look([one, two])
            await chairs(jan, lambda c: c[0]["stand_in"])

    asyncio.run(play())


def test_when_a_worker_dies_who_was_connected_to_it_is_waited_for(postgres: Postgres) -> None:
    database = postgres.fresh()

    async def play() -> None:
        time = Time()
        async with working(database, time, 3) as (one, two, three):
            table = await sit_down(one)
            ola = await connect(one, table, "ola")
            await connect(two, table, "jan")
            await one.lobby.start(table, "ola")
            await chairs(ola, lambda c: c[1]["here"])
            await look([one, two, three])
            await die(two)
            for _ in range(DEAD_AFTER_MS // 1_000):
                time.pass_by(1_000)
                await look([one, three])
            assert two.rooms.services.heartbeat.worker in await one.store.workers()
            assert await away(one) == {}
            time.pass_by(1_000)
            await look([one, three])
            await chairs(ola, lambda c: not c[1]["here"] and c[0]["here"])
            assert await away(one) == {"away 1": time() + 60_000}
            async with asyncio.timeout(PATIENCE):
                while two.rooms.services.heartbeat.worker in await one.store.workers():
                    await look([one, three])
            # Who comes back in time, to any worker, is not replaced.
            await connect(three, table, "jan")
            await chairs(ola, lambda c: c[1]["here"] and not c[1]["stand_in"])
            assert await away(one) == {}

    asyncio.run(play())
