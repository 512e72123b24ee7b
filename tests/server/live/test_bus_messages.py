"""A lost bus message only causes a delay: every worker catches up without it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import pytest

from pytlik.game import Ready
from pytlik.server.clocks.heartbeat import INTERVAL_MS
from pytlik.server.clocks.leases import Leases
from pytlik.server.live.room import Room
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.scheduling.deadline_actions import fire_deadline
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from pytlik.store import Actor, Append, Unavailable, Write
from tests.database_servers import Postgres, Redis
from tests.server.http_site import RecordingBus, Site
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.local_worker import LocalConnection, LocalWorker
from tests.server.racing_workers import (
    ManualClock,
    begin_match,
    connect_person,
    kill_worker,
    read_events,
    run_all_schedulers,
    run_workers,
    wait_for_bus_messages,
    wait_for_chairs,
)


@asynccontextmanager
async def match_on_two_workers(
    database: str, time: ManualClock, redis: Redis
) -> AsyncIterator[tuple[LocalWorker, LocalWorker, Table, tuple[LocalConnection, LocalConnection]]]:
    """A match under way whose players are connected to different workers."""
    async with run_workers(database, time, 2, redis.url) as (one, two):
        table = await begin_match(one, time, running=False, ready=False)
        ola, jan = (
            await connect_person(one, table.id, "ola"),
            await connect_person(two, table.id, "jan"),
        )
        for worker, person in ((one, ola), (two, jan)):
            await worker.send_match(person)
        yield one, two, table, (ola, jan)


def test_unannounced_changes_of_a_dead_worker_are_noticed(
    postgres: Postgres, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with match_on_two_workers(database, time, redis) as (one, two, table, (ola, _)):
            await run_all_schedulers([one, two])
            monkeypatch.setattr(one.bus, "publish", lambda *_: None)
            seq = await one.act(ola, 0, msgspec.json.encode(Ready()), "c1")
            await kill_worker(one)
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while two.match(table.match_id).seq < seq:
                    time.advance(INTERVAL_MS)
                    await run_all_schedulers([two])

    asyncio.run(play())


def test_change_is_announced_although_the_stores_answer_was_lost(
    postgres: Postgres, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the answer, the worker can't announce the change at once."""
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with match_on_two_workers(database, time, redis) as (one, two, table, (ola, _)):
            commit = one.store.commit

            async def lose_answer(*writes: Write) -> None:
                await commit(*writes)
                if isinstance(writes[0], Append):
                    monkeypatch.undo()
                    raise Unavailable("the line was cut")

            monkeypatch.setattr(one.store, "commit", lose_answer)
            with pytest.raises(Unavailable):
                await one.act(ola, 0, msgspec.json.encode(Ready()), "c1")
            log = await read_events(one.store, table.match_id)
            await wait_for_bus_messages([one, two], table.match_id, len(log))
            assert two.match(table.match_id).state.ready == {0}

    asyncio.run(play())


def test_workers_notice_changes_while_the_bus_is_down(postgres: Postgres, own_redis: Redis) -> None:
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with match_on_two_workers(database, time, own_redis) as (one, two, table, (ola, jan)):
            await asyncio.to_thread(own_redis.stop)
            await one.act(ola, 0, msgspec.json.encode(Ready()), "c1")
            await wait_for_bus_messages([two], table.match_id, one.match(table.match_id).seq)
            one.leave(ola)
            await wait_for_chairs(jan, lambda c: not c[0]["here"])
            await asyncio.to_thread(own_redis.start)

    asyncio.run(play())


@pytest.mark.parametrize("by_redis", [False, True], ids=["notify", "redis"])
def test_events_in_a_bus_message_are_not_read_from_the_store(
    postgres: Postgres, redis: Redis, by_redis: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        url = redis.url if by_redis else None
        async with run_workers(database, time, 2, url) as (one, two):
            table = await begin_match(one, time, running=False, ready=False)
            ola, jan = (
                await connect_person(one, table.id, "ola"),
                await connect_person(two, table.id, "jan"),
            )
            for worker, person in ((one, ola), (two, jan)):
                await worker.send_match(person)

            async def read(*_: object) -> list[bytes]:
                raise AssertionError("they were told")

            monkeypatch.setattr(two.store, "events", read)
            seq = await one.act(ola, 0, msgspec.json.encode(Ready()), "c1")
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while two.match(table.match_id).seq < seq:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            assert two.match(table.match_id).state == one.match(table.match_id).state
            monkeypatch.undo()

    asyncio.run(play())


def test_unusable_events_in_a_bus_message_are_not_applied(postgres: Postgres, redis: Redis) -> None:
    database = postgres.new_database()

    async def play() -> None:
        time = ManualClock()
        async with match_on_two_workers(database, time, redis) as (_, two, table, _):
            match = two.match(table.match_id)
            before = match.replayed
            for seq, events in (
                (match.seq + 2, '[{"kind":"ready","seat":0}]'),
                (match.seq + 1, '[{"kind":"of the next version"}]'),
                (match.seq + 1, "[no json"),
                (match.seq + 1, "[]"),
                (match.seq, "[1]"),
                (match.seq + 1, ""),
            ):
                assert not match.apply_bus_message(seq, events), events
            assert match.replayed is before

    asyncio.run(play())


@pytest.mark.parametrize("starter", [0, 1], ids=["person", "bot"])
def test_bot_moves_although_its_worker_missed_the_last_action(site: Site, starter: int) -> None:
    """Another worker takes the deadline of a bot before it knows of the action that set it. Its
    state may be one in which no bot can move, or one in which the bot has already moved."""

    async def play() -> None:
        here, there = (Rooms(site.store, RecordingBus(), lambda: site.now) for _ in range(2))
        lobby = Lobby(here)
        made = await lobby.create("unikat", "ola", chairs=3, options={"starter": starter})
        id = made.table.id
        await lobby.change(id, lambda old: seats.sit(old, "ola", 0, name="Ola", recovery=""))
        for seat in (1, 2):
            await lobby.change(id, partial(seats.add_bot, host="ola", seat=seat, level="easy"))
        table = (await lobby.start(id, "ola")).table
        with here.open(id) as room, there.open(id) as outdated:
            known = await outdated.open_match(table)
            match = await room.open_match(table)
            while match.seq == known.seq or match.game.awaited(match.state) == (0,):
                await act_with_advice(room, match)
            leases = Leases(site.store, lambda: site.now)
            (lease,) = [each for each in await leases.take_due() if each.deadline.kind == "bot"]
            await fire_deadline(outdated, lease, leases)
            assert known.seq > match.seq
            assert (await site.store.actors(match.id))[match.seq] == Actor.BOT

    site.run(play())


async def act_with_advice(room: Room, match: LiveMatch) -> None:
    """Let whoever is on turn do what a bot would do."""
    (seat,) = match.game.awaited(match.state)
    bots = room.services.bots
    step = await bots.next_step(match, seat, "easy", room.services.clock(), seconds=1)
    assert step
    actor = Actor.BOT if seat else Actor.PERSON
    await room.act(seat, step[1], f"bot {seat} {match.seq}", actor=actor)
