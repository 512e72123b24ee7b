"""What every bus promises: bus messages arrive, or `on_missed` is called if they may not have."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from uuid import uuid4

import asyncpg
import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from pytlik.bus import Bus
from pytlik.bus import redis as redis_bus
from pytlik.bus.connect import open_bus
from pytlik.bus.inprocess import InProcessBus
from pytlik.bus.postgres import PostgresBus
from pytlik.bus.reconnection import Timings
from pytlik.bus.redis import RedisBus
from pytlik.bus_messages import CHANNEL
from pytlik.extras import Missing
from pytlik.store import DELETED_TABLE_VERSION, Append, Conflict, DeleteTable, PutTable
from pytlik.store.connect import open_store
from tests.database_servers import Postgres, Redis, wait_until
from tests.process_freezing import frozen_process
from tests.sim.bus import Exchange, SimBus
from tests.sim.conditions import Conditions

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Listener:
    """A worker that records what it receives."""

    heard: list[tuple[str, int]] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    missed: int = 0
    followed: set[str] = field(default_factory=set)
    """Tables whose bus messages may have been lost until now."""

    def note_bus_message(self, id: str, number: int, events: str) -> None:
        self.heard.append((id, number))
        self.events.append(events)

    def note_missed(self, table: str | None) -> None:
        if table is None:
            self.missed += 1
        else:
            self.followed.add(table)


SendBusMessage = Callable[[str, int], Awaitable[None]]


@asynccontextmanager
async def open_sender(bus: Bus, url: str | None) -> AsyncIterator[SendBusMessage]:
    """Announce that a table has changed, like a worker. With PostgreSQL, the store announces it."""
    store = await open_store(url, notify=True) if url else None

    async def say(id: str, number: int) -> None:
        if store:
            await store.commit(
                PutTable(
                    id=id,
                    version=number - 1,
                    doc=b"",
                    phase="",
                    listed=False,
                    holders=(),
                    touched=0,
                )
            )
        bus.publish(id, number)

    yield say
    if store:
        await store.close()


async def start_bus(bus: Bus, listener: Listener) -> None:
    """Start a bus and wait until it's connected: `start` itself gives up waiting after a while."""
    for table in ("a", "b", "m", "n", "t"):
        bus.follow_table(table)
    await bus.start(listener.note_bus_message, listener.note_missed)
    await wait_until(lambda: bus.is_connected)


NO_TIMEOUTS = Timings(heartbeat_seconds=3_600, recheck_seconds=3_600)
"""A busy machine isn't mistaken for silence: `on_missed` is called only when a bus begins to listen
and when its connection breaks."""


@pytest.fixture
def own_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests share a Redis and may run at the same time, so each has its own channel."""
    monkeypatch.setattr(redis_bus, "CHANNEL", f"pytlik {uuid4()}")


@dataclass
class BusKind:
    """Buses of workers that can hear each other."""

    make: Callable[[], Bus]
    database: str | None = None


@dataclass
class BusWithOwnServer:
    """The same, with a server that may be restarted."""

    make: Callable[[Timings], Bus]
    server: Postgres | Redis
    database: str | None = None


@pytest.fixture(params=["in process", "postgres", "redis", "simulated"])
def bus_kind(request: pytest.FixtureRequest, own_channel: None) -> BusKind:
    if request.param == "simulated":
        calm = Conditions(Random(0), bus_seconds=0)
        exchange = cache(lambda: Exchange(calm, asyncio.get_running_loop()))
        return BusKind(lambda: SimBus(exchange()))
    if request.param == "in process":
        only = InProcessBus()
        return BusKind(lambda: only)
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        url = server.new_database()
        return BusKind(lambda: PostgresBus(url, NO_TIMEOUTS), url)
    redis: Redis = request.getfixturevalue("redis")
    return BusKind(lambda: RedisBus(redis.url, NO_TIMEOUTS))


@pytest.fixture(params=["postgres", "redis"])
def bus_with_own_server(request: pytest.FixtureRequest) -> BusWithOwnServer:
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("own_postgres")
        url = server.new_database()
        return BusWithOwnServer(lambda timings: PostgresBus(url, timings), server, url)
    redis: Redis = request.getfixturevalue("own_redis")
    return BusWithOwnServer(lambda timings: RedisBus(redis.url, timings), redis)


async def test_every_worker_receives_what_one_publishes(bus_kind: BusKind) -> None:
    buses, listeners = [bus_kind.make() for _ in range(3)], [Listener() for _ in range(3)]
    for bus, listener in zip(buses, listeners, strict=True):
        await start_bus(bus, listener)
    assert [listener.missed for listener in listeners] == [1] * 3  # for messages from before
    async with open_sender(buses[0], bus_kind.database) as say:
        for number in (1, 2, 3):
            await say("a", number)
        await say("b", 1)
    for listener in listeners:
        await wait_until(lambda listener=listener: {("a", 3), ("b", 1)} <= set(listener.heard))  # type: ignore[misc]
        assert listener.heard == sorted(listener.heard)
        assert listener.missed == 1
    for bus in buses:
        await bus.close()


async def test_worker_receives_messages_of_the_tables_it_follows(
    redis: Redis, own_channel: None
) -> None:
    bus, listener = RedisBus(redis.url, NO_TIMEOUTS), Listener()
    bus.follow_table("a")
    await bus.start(listener.note_bus_message, listener.note_missed)
    await wait_until(lambda: bus.is_connected)
    bus.follow_table("c")
    await wait_until(lambda: "c" in listener.followed)  # messages until now may be lost
    bus.publish("x", 1)
    bus.publish("c.1", 2)
    bus.publish("a", 3)
    await wait_until(lambda: len(listener.heard) == 2)
    bus.unfollow_table("a")
    bus.follow_table("d")
    await wait_until(lambda: "d" in listener.followed)
    assert listener.followed == {"c", "d"}
    bus.unfollow_table("c")
    bus.follow_table("e")
    await wait_until(lambda: "e" in listener.followed)  # done before the other is released
    bus.follow_table("f")
    await wait_until(lambda: "f" in listener.followed)
    for table in ("a", "c", "d"):
        bus.publish(table, 9)
    await wait_until(lambda: ("d", 9) in listener.heard)
    assert set(listener.heard) == {("c.1", 2), ("a", 3), ("d", 9)}
    await bus.close()


async def test_followed_tables_are_received_after_a_break(own_redis: Redis) -> None:
    bus, listener = RedisBus(own_redis.url, NO_TIMEOUTS), Listener()
    await bus.start(listener.note_bus_message, listener.note_missed)
    await wait_until(lambda: bus.is_connected)
    bus.follow_table("a")
    await asyncio.to_thread(own_redis.stop)
    await wait_until(lambda: not bus.is_connected)
    bus.follow_table("b")
    await asyncio.to_thread(own_redis.start)
    await wait_until(lambda: bus.is_connected)
    bus.publish("a", 1)
    bus.publish("b", 1)
    await wait_until(lambda: {("a", 1), ("b", 1)} <= set(listener.heard))
    await bus.close()


async def test_closed_bus_is_silent(bus_kind: BusKind) -> None:
    closed, listener = bus_kind.make(), Listener()
    await start_bus(closed, listener)
    await closed.close()
    other, witness = bus_kind.make(), Listener()
    await start_bus(other, witness)
    async with open_sender(other, bus_kind.database) as say:
        await say("a", 1)
        await wait_until(lambda: bool(witness.heard))
    assert listener.heard == []
    for bus in (closed, other):
        await bus.close()


async def test_restart_of_the_server_is_reported_to_workers(
    bus_with_own_server: BusWithOwnServer,
) -> None:
    buses, listeners = (
        [bus_with_own_server.make(NO_TIMEOUTS), bus_with_own_server.make(NO_TIMEOUTS)],
        [Listener(), Listener()],
    )
    for bus, listener in zip(buses, listeners, strict=True):
        await start_bus(bus, listener)
    async with open_sender(buses[0], bus_with_own_server.database) as say:
        await say("a", 1)
        await wait_until(lambda: all(listener.heard for listener in listeners))
        assert all(bus.is_connected for bus in buses)
        await asyncio.to_thread(bus_with_own_server.server.stop)
        await wait_until(lambda: not any(bus.is_connected for bus in buses))
        buses[0].publish("m", 7)  # never raises
        await asyncio.to_thread(bus_with_own_server.server.start)
        await wait_until(lambda: all(bus.is_connected for bus in buses))
        assert [listener.missed for listener in listeners] == [
            3,
            3,
        ]  # at the start, when the connection broke, and now
        await say("a", 2)
        await wait_until(lambda: all(("a", 2) in listener.heard for listener in listeners))
    for bus in buses:
        await bus.close()


async def test_broken_connection_is_reported_repeatedly(
    bus_with_own_server: BusWithOwnServer,
) -> None:
    bus, listener = bus_with_own_server.make(replace(NO_TIMEOUTS, recheck_seconds=0.01)), Listener()
    await start_bus(bus, listener)
    before = listener.missed
    await asyncio.to_thread(bus_with_own_server.server.stop)
    await wait_until(lambda: listener.missed >= before + 5)
    await asyncio.to_thread(bus_with_own_server.server.start)
    await wait_until(lambda: bus.is_connected)
    await bus.close()


async def test_a_frozen_redis_is_noticed(own_redis: Redis) -> None:
    """With the default timings. How soon it's noticed is tested in virtual time."""
    buses, listeners = [RedisBus(own_redis.url), RedisBus(own_redis.url)], [Listener(), Listener()]
    for bus, listener in zip(buses, listeners, strict=True):
        await start_bus(bus, listener)
    with frozen_process(int((own_redis.data / "redis.pid").read_text())):
        await wait_until(lambda: not any(bus.is_connected for bus in buses))
        buses[0].publish("a", 7)
        before = [listener.missed for listener in listeners]
        await wait_until(
            lambda: all(
                listener.missed >= n + 2 for listener, n in zip(listeners, before, strict=True)
            )
        )
        assert not any(bus.is_connected for bus in buses)
        before = [listener.missed for listener in listeners]
    await wait_until(lambda: all(bus.is_connected for bus in buses))
    assert all(listener.missed > n for listener, n in zip(listeners, before, strict=True))
    # The message was waiting.
    await wait_until(lambda: all(("a", 7) in listener.heard for listener in listeners))
    for bus in buses:
        await bus.close()


async def test_a_frozen_connection_to_postgresql_is_noticed_and_replaced(
    postgres: Postgres,
) -> None:
    url = postgres.new_database()
    bus, listener = PostgresBus(url), Listener()
    await start_bus(bus, listener)
    listening = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> $1"
    connection = await asyncpg.connect(url)
    pids = await connection.fetch(listening, connection.get_server_pid())
    await connection.close()
    async with open_sender(bus, url) as say:
        before = listener.missed
        with frozen_process(pids[0]["pid"]):
            await wait_until(lambda: not bus.is_connected or listener.missed > before)
            await wait_until(lambda: bus.is_connected)
            assert listener.missed >= before + 2  # when it was lost, and when there was another
            await say("a", 1)
            await wait_until(lambda: ("a", 1) in listener.heard)
    await bus.close()


async def test_bus_may_start_before_its_server(own_redis: Redis) -> None:
    own_redis.stop()
    bus, listener = (
        RedisBus(own_redis.url, replace(NO_TIMEOUTS, connect_wait_seconds=0.05)),
        Listener(),
    )
    bus.follow_table("b")
    await bus.start(listener.note_bus_message, listener.note_missed)
    bus.publish("a", 1)
    bus.publish("a", 2)
    assert listener.missed == 0
    own_redis.start()
    await wait_until(lambda: bool(listener.missed))
    bus.publish("b", 1)
    await wait_until(lambda: ("b", 1) in listener.heard)
    await bus.close()


async def test_queue_of_unsent_messages_is_bounded(
    own_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "MAX_WAITING_IDS", 10)
    other, listener = RedisBus(own_redis.url, NO_TIMEOUTS), Listener()
    await start_bus(other, listener)
    bus = RedisBus(own_redis.url, NO_TIMEOUTS)
    for number in range(1, 30):
        bus.publish("a", number)
    assert bus._waiting == {"a": (29, ())}
    for number in range(30):
        bus.publish(f"m{number}", 1)
    assert bus._waiting == {}
    before = listener.missed
    await bus.start(lambda *_: None, lambda _: None)
    await wait_until(lambda: listener.missed > before)
    assert listener.heard == []
    for each in (bus, other):
        await each.close()


def test_number_of_unsent_events_is_limited() -> None:
    waiting: tuple[int, tuple[bytes, ...]] = (0, ())
    for seq in range(1, 100):
        waiting = redis_bus.merge_bus_messages(waiting, seq, (b"x",))
        assert 1 <= len(waiting[1]) <= redis_bus.MAX_WAITING_EVENTS
    assert waiting[0] == 99


async def test_updating_a_waiting_message_drops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_bus, "MAX_WAITING_IDS", 2)
    bus = RedisBus("redis://localhost")
    for table, version in (("a", 1), ("b", 1), ("a", 2)):
        bus.publish(table, version)
    assert bus._waiting == {"a": (2, ()), "b": (1, ())}


async def test_dropped_messages_are_reported_after_a_failed_send(
    redis: Redis, own_channel: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "MAX_WAITING_IDS", 1)
    other, listener = RedisBus(redis.url, NO_TIMEOUTS), Listener()
    await start_bus(other, listener)
    before = listener.missed
    bus = RedisBus(redis.url, NO_TIMEOUTS)
    for table in ("a", "b"):
        bus.publish(table, 1)
    async with redis_bus.connect("redis://localhost:1") as unreachable:
        with pytest.raises(RedisConnectionError):
            await bus._send_waiting(unreachable)
    await start_bus(bus, Listener())
    await wait_until(lambda: listener.missed > before)
    for each in (bus, other):
        await each.close()


async def test_messages_are_kept_after_a_failed_send(redis: Redis, own_channel: None) -> None:
    other, listener = RedisBus(redis.url, NO_TIMEOUTS), Listener()
    await start_bus(other, listener)
    bus = RedisBus(redis.url, NO_TIMEOUTS)
    bus.publish("m.1", 2, (b"1", b"2"))
    async with redis_bus.connect("redis://localhost:1") as unreachable:
        with pytest.raises(RedisConnectionError):
            await bus._send_waiting(unreachable)
    bus.publish("m.1", 3, (b"3",))
    await start_bus(bus, Listener())
    await wait_until(lambda: bool(listener.heard))
    assert (listener.heard, listener.events) == ([("m.1", 3)], ["[1,2,3]"])
    for each in (bus, other):
        await each.close()


# ------------------------------------------------------------------------------ PostgreSQL's NOTIFY


async def test_commit_is_published_only_if_it_is_done(postgres: Postgres) -> None:
    url = postgres.new_database()
    bus, listener = PostgresBus(url, NO_TIMEOUTS), Listener()
    await start_bus(bus, listener)
    store, silent = [await open_store(url, notify=notify) for notify in (True, False)]
    table = PutTable(id="t", version=0, doc=b"", phase="", listed=True, holders=(), touched=0)
    await store.commit(Append(match="t.1", seq=0, events=(b"a", b"b")))
    with pytest.raises(Conflict):
        await store.commit(Append(match="t.1", seq=0, events=(b"x",)))
    with pytest.raises(Conflict):
        await store.commit(table, Append(match="t.1", seq=0, events=(b"x",)))
    await silent.commit(Append(match="t.1", seq=2, events=(b"c",)))
    await store.commit(Append(match="t.1", seq=3, events=(b"d",)), table)
    await store.commit(DeleteTable("t"))
    await wait_until(lambda: ("t", DELETED_TABLE_VERSION) in listener.heard)
    assert listener.heard == [("t.1", 2), ("t.1", 4), ("t", 1), ("t", DELETED_TABLE_VERSION)]
    for opened in (store, silent):
        await opened.close()
    await bus.close()


async def test_bus_messages_come_in_the_order_of_the_log(postgres: Postgres) -> None:
    url = postgres.new_database()
    bus, listener = PostgresBus(url), Listener()
    await start_bus(bus, listener)
    stores = [await open_store(url, notify=True) for _ in range(3)]
    for seq in range(60):
        await stores[seq % 3].commit(Append(match="m.1", seq=seq, events=(b"x",)))
    await wait_until(lambda: ("m.1", 60) in listener.heard)
    assert [number for _, number in listener.heard] == list(range(1, 61))
    for store in stores:
        await store.close()
    await bus.close()


MALFORMED_PAYLOADS = ("", "x", "x y", " 3")


@pytest.mark.usefixtures("own_channel")
async def test_malformed_redis_messages_are_ignored(redis: Redis) -> None:
    bus, listener = RedisBus(redis.url, NO_TIMEOUTS), Listener()
    await start_bus(bus, listener)
    missed = listener.missed
    async with redis_bus.connect(redis.url) as client:
        for payload in (*MALFORMED_PAYLOADS, "a 1"):
            await client.publish(redis_bus.channel_of("a"), payload)
        await wait_until(lambda: bool(listener.heard))
    assert (listener.heard, listener.missed) == ([("a", 1)], missed)
    await bus.close()


async def test_malformed_notifications_are_ignored(postgres: Postgres) -> None:
    url = postgres.new_database()
    bus, listener = PostgresBus(url), Listener()
    await start_bus(bus, listener)
    database = url.partition("?")[0].rpartition("/")[2]
    for payload in (*MALFORMED_PAYLOADS, "a 1"):
        await postgres.execute(f"SELECT pg_notify('{CHANNEL}', '{payload}')", database)
    await wait_until(lambda: bool(listener.heard))
    assert listener.heard == [("a", 1)]
    await bus.close()


async def test_events_come_with_the_bus_message(postgres: Postgres) -> None:
    url = postgres.new_database()
    bus, listener = PostgresBus(url), Listener()
    await start_bus(bus, listener)
    store = await open_store(url, notify=True)
    large = b'"' + b"x" * 8_000 + b'"'
    await store.commit(Append(match="m.1", seq=0, events=(b'{"a":1}', '"ä"'.encode())))
    await store.commit(Append(match="m.1", seq=2, events=(large,)))
    await wait_until(lambda: ("m.1", 3) in listener.heard)
    assert listener.events == ['[{"a":1},"ä"]', ""]
    await store.close()
    await bus.close()


async def test_redis_sends_waiting_events_of_a_match_together(redis: Redis) -> None:
    bus, listener = RedisBus(redis.url), Listener()
    await start_bus(bus, listener)
    bus.publish("m.1", 2, (b"1", b"2"))
    bus.publish("m.1", 3, (b"3",))
    bus.publish("n.1", 5, (b"5",))
    bus.publish("n.1", 9, (b"9",))
    bus.publish("n.1", 6, (b"6",))
    await wait_until(lambda: {("m.1", 3), ("n.1", 9)} <= set(listener.heard))
    assert dict(zip(listener.heard, listener.events, strict=True)) == {
        ("m.1", 3): "[1,2,3]",
        ("n.1", 9): "[9]",
    }
    await bus.close()


# ------------------------------------------------------------------------------------------ opening


async def test_settings_choose_the_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(open_bus("pytlik.db"), InProcessBus)
    assert isinstance(open_bus("postgresql:///x"), PostgresBus)
    assert isinstance(open_bus("postgresql:///x", "redis://localhost"), RedisBus)
    assert isinstance(open_bus("pytlik.db", "redis://localhost"), RedisBus)
    for package, module, redis in (
        ("asyncpg", "pytlik.bus.postgres", None),
        ("redis.asyncio", "pytlik.bus.redis", "redis://localhost"),
    ):
        monkeypatch.setitem(sys.modules, package, None)
        monkeypatch.delitem(sys.modules, module)
        with pytest.raises(Missing, match=r"pip install 'pytlik\[(postgres|redis)\]'"):
            open_bus("postgresql:///x", redis)
