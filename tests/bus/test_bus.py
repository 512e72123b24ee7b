"""What every bus promises: wake-ups arrive, and where they may not have, `missed` is called."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from redis.asyncio.client import PubSub

from pytlik.bus import Bus
from pytlik.bus import redis as redis_bus
from pytlik.bus.inprocess import InProcessBus
from pytlik.bus.opening import open_bus
from pytlik.bus.postgres import CHANNEL, PostgresBus
from pytlik.bus.redis import RedisBus
from pytlik.bus.supervised import Supervised
from pytlik.extras import Missing
from pytlik.store import GONE, Append, Conflict, DropTable, PutTable, postgres
from pytlik.store.opening import open_store
from tests.services import Postgres, Redis, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Ear:
    """A worker that notes what it hears."""

    heard: list[tuple[str, int]] = field(default_factory=list)
    missed: int = 0

    def hear(self, id: str, number: int) -> None:
        self.heard.append((id, number))

    def miss(self) -> None:
        self.missed += 1


Say = Callable[[str, int], Awaitable[None]]


@asynccontextmanager
async def saying(bus: Bus, url: str | None) -> AsyncIterator[Say]:
    """How a worker says that a table has changed. With PostgreSQL the store says it."""
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


async def started(bus: Bus, ear: Ear) -> None:
    """`start` itself goes on without a connection when that takes too long."""
    await bus.start(ear.hear, ear.miss)
    await until(lambda: bus.connected)


@pytest.fixture(autouse=True)
def never_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes to connect: so `missed` is called when a bus listens, and only then."""
    monkeypatch.setattr("pytlik.bus.supervised.BLIND", 3_600)


@pytest.fixture
def own_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests share a Redis, and those that run at the same time must not be heard here."""
    monkeypatch.setattr(redis_bus, "CHANNEL", f"pytlik {uuid4()}")


@dataclass
class Kind:
    """Buses of workers that can hear each other, and what stands between them."""

    make: Callable[[], Bus]
    database: str | None = None
    server: Any = None


@pytest.fixture(params=["in process", "postgres", "redis"])
def kind(request: pytest.FixtureRequest, own_channel: None) -> Kind:
    if request.param == "in process":
        only = InProcessBus()
        return Kind(lambda: only)
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        url = server.fresh()
        return Kind(lambda: PostgresBus(url), url)
    redis: Redis = request.getfixturevalue("redis")
    return Kind(lambda: RedisBus(redis.url))


@pytest.fixture(params=["postgres", "redis"])
def own(request: pytest.FixtureRequest) -> Kind:
    """With a server that may be restarted."""
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("own_postgres")
        url = server.fresh()
        return Kind(lambda: PostgresBus(url), url, server)
    redis: Redis = request.getfixturevalue("own_redis")
    return Kind(lambda: RedisBus(redis.url), None, redis)


async def test_every_worker_hears_what_one_says(kind: Kind) -> None:
    buses, ears = [kind.make() for _ in range(3)], [Ear() for _ in range(3)]
    for bus, ear in zip(buses, ears, strict=True):
        await started(bus, ear)
    assert [ear.missed for ear in ears] == [1] * 3  # what was before nobody has heard
    async with saying(buses[0], kind.database) as say:
        for number in (1, 2, 3):
            await say("a", number)
        await say("b", 1)
    for ear in ears:
        await until(lambda ear=ear: {("a", 3), ("b", 1)} <= set(ear.heard))  # type: ignore[misc]
        assert ear.heard == sorted(ear.heard)
        assert ear.missed == 1
    for bus in buses:
        await bus.close()


async def test_a_bus_is_silent_once_it_is_closed(kind: Kind) -> None:
    closed, ear = kind.make(), Ear()
    await started(closed, ear)
    await closed.close()
    other, witness = kind.make(), Ear()
    await started(other, witness)
    async with saying(other, kind.database) as say:
        await say("a", 1)
        await until(lambda: bool(witness.heard))
    assert ear.heard == []
    for bus in (closed, other):
        await bus.close()


async def test_after_a_restart_the_workers_are_told_that_they_missed_something(own: Kind) -> None:
    buses, ears = [own.make(), own.make()], [Ear(), Ear()]
    for bus, ear in zip(buses, ears, strict=True):
        await started(bus, ear)
    async with saying(buses[0], own.database) as say:
        await say("a", 1)
        await until(lambda: all(ear.heard for ear in ears))
        assert all(bus.connected for bus in buses)
        await asyncio.to_thread(own.server.stop)
        await until(lambda: not any(bus.connected for bus in buses))
        buses[0].publish("m", 7)  # never raises
        await asyncio.to_thread(own.server.start)
        await until(lambda: all(ear.missed >= 2 for ear in ears))
        await say("a", 2)
        await until(lambda: all(("a", 2) in ear.heard for ear in ears))
    assert all(bus.connected for bus in buses)
    for bus in buses:
        await bus.close()


async def test_while_nothing_can_be_heard_the_workers_are_told_so_again_and_again(
    own: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytlik.bus.supervised.BLIND", 0.01)
    bus, ear = own.make(), Ear()
    await started(bus, ear)
    before = ear.missed
    await asyncio.sleep(0.05)
    assert ear.missed == before  # and not while it can
    await asyncio.to_thread(own.server.stop)
    await until(lambda: ear.missed >= before + 5)
    await asyncio.to_thread(own.server.start)
    await until(lambda: bus.connected)
    before = ear.missed
    await asyncio.sleep(0.05)
    assert ear.missed <= before + 1
    await bus.close()


async def test_a_quiet_connection_to_postgresql_is_looked_after_and_kept(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytlik.bus.postgres.QUIET", 0.01)
    asked, execute = 0, asyncpg.Connection.execute

    async def counted(connection: Any, query: str, *given: Any, **more: Any) -> Any:
        nonlocal asked
        said = await execute(connection, query, *given, **more)
        asked += query == "SELECT 1"
        return said

    monkeypatch.setattr(asyncpg.Connection, "execute", counted)
    bus, ear = PostgresBus(postgres.fresh()), Ear()
    await started(bus, ear)
    await until(lambda: asked > 3)
    assert ear.missed == 1
    await bus.close()


async def test_a_quiet_connection_to_redis_is_looked_after_and_kept(
    redis: Redis, own_channel: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is soon asked whether it lives, and has all the time it needs for its answer."""
    soon, late = 0.01, 600
    monkeypatch.setattr(redis_bus, "QUIET", soon)
    answered, ping, get_message = 0, PubSub.ping, PubSub.get_message

    async def asked(pubsub: Any) -> Any:
        monkeypatch.setattr(redis_bus, "QUIET", late)
        return await ping(pubsub)

    async def told(pubsub: Any, **how: Any) -> Any:
        nonlocal answered
        message = await get_message(pubsub, **how)
        if message and message["type"] != "subscribe":  # what the answer is called depends on Redis
            answered += 1
            monkeypatch.setattr(redis_bus, "QUIET", soon)
        return message

    monkeypatch.setattr(PubSub, "ping", asked)
    monkeypatch.setattr(PubSub, "get_message", told)
    bus, ear = RedisBus(redis.url), Ear()
    await started(bus, ear)
    await until(lambda: answered > 3)
    assert ear.missed == 1
    await bus.close()


async def test_a_redis_that_says_nothing_is_given_up(
    redis: Redis, own_channel: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "QUIET", 0.01)

    async def unheard(_: Any) -> None: ...

    monkeypatch.setattr(PubSub, "ping", unheard)
    bus, ear = RedisBus(redis.url), Ear()
    await bus.start(ear.hear, ear.miss)
    await until(lambda: ear.missed > 2)
    await bus.close()


async def test_a_bus_starts_before_its_server(
    own_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytlik.bus.supervised.PATIENCE", 0.05)
    own_redis.stop()
    bus, ear = RedisBus(own_redis.url), Ear()
    await bus.start(ear.hear, ear.miss)
    bus.publish("a", 1)
    bus.publish("a", 2)
    assert ear.missed == 0
    own_redis.start()
    await until(lambda: bool(ear.missed))
    bus.publish("b", 1)
    await until(lambda: ("b", 1) in ear.heard)
    await bus.close()


async def test_what_waits_to_be_sent_is_bounded(
    own_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "MOST", 10)
    other, ear = RedisBus(own_redis.url), Ear()
    await started(other, ear)
    bus = RedisBus(own_redis.url)
    for number in range(1, 30):
        bus.publish("a", number)
    assert bus._waiting == {"a": 29}
    for number in range(30):
        bus.publish(f"m{number}", 1)
    assert bus._waiting == {}
    before = ear.missed
    await bus.start(lambda *_: None, lambda: None)
    await until(lambda: ear.missed > before)
    assert ear.heard == []
    for each in (bus, other):
        await each.close()


# ------------------------------------------------------------------------------ PostgreSQL's NOTIFY


async def test_a_commit_is_heard_when_and_only_if_it_is_done(postgres: Postgres) -> None:
    url = postgres.fresh()
    bus, ear = PostgresBus(url), Ear()
    await started(bus, ear)
    store, silent = [await open_store(url, notify=notify) for notify in (True, False)]
    table = PutTable(id="t", version=0, doc=b"", phase="", listed=True, holders=(), touched=0)
    await store.commit(Append(match="t.1", seq=0, events=(b"a", b"b")))
    with pytest.raises(Conflict):
        await store.commit(Append(match="t.1", seq=0, events=(b"x",)))
    with pytest.raises(Conflict):
        await store.commit(table, Append(match="t.1", seq=0, events=(b"x",)))
    await silent.commit(Append(match="t.1", seq=2, events=(b"c",)))
    await store.commit(Append(match="t.1", seq=3, events=(b"d",)), table)
    await store.commit(DropTable("t"))
    await until(lambda: ("t", GONE) in ear.heard)
    assert ear.heard == [("t.1", 2), ("t.1", 4), ("t", 1), ("t", GONE)]
    for opened in (store, silent):
        await opened.close()
    await bus.close()


async def test_wake_ups_come_in_the_order_of_the_log(postgres: Postgres) -> None:
    url = postgres.fresh()
    bus, ear = PostgresBus(url), Ear()
    await started(bus, ear)
    stores = [await open_store(url, notify=True) for _ in range(3)]
    for seq in range(60):
        await stores[seq % 3].commit(Append(match="m.1", seq=seq, events=(b"x",)))
    await until(lambda: ("m.1", 60) in ear.heard)
    assert [number for _, number in ear.heard] == list(range(1, 61))
    for store in stores:
        await store.close()
    await bus.close()


async def test_what_is_no_wake_up_is_passed_over(postgres: Postgres, redis: Redis) -> None:
    url = postgres.fresh()
    bus, ear = PostgresBus(url), Ear()
    await started(bus, ear)
    database = url.partition("?")[0].rpartition("/")[2]
    for payload in ("", "x", "x y", " 3", "a 1"):
        await postgres.execute(f"SELECT pg_notify('{CHANNEL}', '{payload}')", database)
    await until(lambda: bool(ear.heard))
    assert ear.heard == [("a", 1)]
    await bus.close()
    assert list(redis_bus.unpacked("x\n\nx y\n 3\na 1\nb c 2")) == [("a", 1), ("b c", 2)]


def test_store_and_bus_speak_on_the_same_channel() -> None:
    assert postgres.CHANNEL == CHANNEL


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


async def test_a_client_that_takes_its_end_for_a_lost_connection_ends() -> None:
    tries = 0

    async def session(_: Callable[[], None]) -> None:
        nonlocal tries
        tries += 1
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ConnectionError from None

    supervised = Supervised("a client", session)
    await until(lambda: tries > 0)
    # As the event loop does with what is left when it ends: once.
    for task in supervised._tasks:
        task.cancel()
    await asyncio.wait(supervised._tasks, timeout=60)
    assert all(task.cancelled() for task in supervised._tasks)
    assert tries == 1
