"""What every bus promises: wake-ups arrive, and where they may not have, `missed` is called."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

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


@dataclass
class Kind:
    """Buses of workers that can hear each other, and what stands between them."""

    make: Callable[[], Bus]
    database: str | None = None
    server: Any = None


@pytest.fixture(params=["in process", "postgres", "redis"])
def kind(request: pytest.FixtureRequest) -> Kind:
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
        await bus.start(ear.hear, ear.miss)
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
    await closed.start(ear.hear, ear.miss)
    async with saying(closed, kind.database) as say:
        await closed.close()
        await say("a", 1)
        await asyncio.sleep(0.05)
    assert ear.heard == []
    await closed.close()


async def test_after_a_restart_the_workers_are_told_that_they_missed_something(own: Kind) -> None:
    buses, ears = [own.make(), own.make()], [Ear(), Ear()]
    for bus, ear in zip(buses, ears, strict=True):
        await bus.start(ear.hear, ear.miss)
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
    await bus.start(ear.hear, ear.miss)
    before = ear.missed
    await asyncio.sleep(0.05)
    assert ear.missed == before  # and not while it can
    await asyncio.to_thread(own.server.stop)
    await until(lambda: ear.missed >= before + 5)
    await asyncio.to_thread(own.server.start)
    await until(bus_is_up(bus))
    before = ear.missed
    await asyncio.sleep(0.05)
    assert ear.missed <= before + 1
    await bus.close()


def bus_is_up(bus: Any) -> Callable[[], bool]:
    tasks = bus._listening if isinstance(bus, PostgresBus) else bus._tasks
    return lambda: all(task._connected.is_set() for task in tasks)


@pytest.mark.parametrize("module", ["postgres", "redis"])
async def test_a_quiet_connection_is_looked_after_and_kept(
    module: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"pytlik.bus.{module}.QUIET", 0.01)
    server: Any = request.getfixturevalue(module)
    bus = PostgresBus(server.fresh()) if module == "postgres" else RedisBus(server.url)
    ear = Ear()
    await bus.start(ear.hear, ear.miss)
    await asyncio.sleep(0.2)
    assert ear.missed == 1
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
    await until(lambda: ear.missed >= 1)
    bus.publish("b", 1)
    await until(lambda: ("b", 1) in ear.heard)
    await bus.close()


async def test_what_waits_to_be_sent_is_bounded(
    own_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "MOST", 10)
    other, ear = RedisBus(own_redis.url), Ear()
    await other.start(ear.hear, ear.miss)
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
    await bus.start(ear.hear, ear.miss)
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
    await bus.start(ear.hear, ear.miss)
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
    await bus.start(ear.hear, ear.miss)
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
    await asyncio.wait(supervised._tasks, timeout=10)
    assert all(task.cancelled() for task in supervised._tasks)
    assert tries == 1
