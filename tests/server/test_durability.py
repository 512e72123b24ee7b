"""Nothing that the server has acknowledged is lost, however it ends; and while it is down all
clocks stand still."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from pytlik.games import UBONGO
from pytlik.server import serving
from pytlik.server.settings import Settings
from pytlik.store import Store, Unavailable, Write
from pytlik.store.opening import migrate, open_store
from pytlik.ubongo.messages import ClocksShifted, RoundBegan
from tests.server.client import Client
from tests.server.load import Load
from tests.server.racing import Time, begin, working
from tests.server.running import Running
from tests.services import Postgres

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgres", "two workers"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Running:
    if request.param == "sqlite":
        return Running(str(tmp_path / "pytlik.db"))
    postgres: Postgres = request.getfixturevalue("postgres")
    return Running(postgres.fresh(), "--workers", "2" if request.param == "two workers" else "1")


CYCLES = {1: 10, 2: 4}


def test_killed_at_any_moment(server: Running, request: pytest.FixtureRequest) -> None:
    """20 cycles in all: 10 with SQLite, 6 with PostgreSQL, 4 with two workers."""
    cycles = {"sqlite": 10, "postgres": 6, "two workers": 4}[request.node.callspec.params["server"]]
    random = Random(request.node.name)

    async def play() -> None:
        load = Load(server.address, request.node.name)
        await load.sit_down(unikat=4, ubongo=1)
        for _ in range(cycles):
            await load.kill(server, random.randrange(5, 80))
        async with load.playing():
            await load.more(50)
        await load.check(server.database, everything=True)
        await load.leave()

    with server:
        asyncio.run(play())


def test_stopped_under_load(server: Running) -> None:
    """As a service manager does it: with sockets open, and players in the middle of things."""

    async def play() -> None:
        load = Load(server.address, "stopped")
        await load.sit_down(unikat=4, ubongo=1)
        async with load.playing():
            await load.more(60)
            began = time.monotonic()
            await asyncio.to_thread(server.stop)
            assert time.monotonic() - began < 5
        await load.check(server.database)
        load.all_know()
        server.start()
        async with load.playing():
            await load.more(60)
        await load.check(server.database, everything=True)
        await load.leave()

    with server:
        asyncio.run(play())


# ----------------------------------------------------------------------- clocks that stand still


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    store = await open_store(database, notify=False)
    try:
        yield store
    finally:
        await store.close()


async def happened(database: str, match: str, kind: Any) -> list[Any]:
    """The events of a kind in a match."""
    async with opened(database) as store:
        raw = await store.events(match)
    events = [msgspec.json.decode(event, type=UBONGO.event) for event in raw]
    return [event for event in events if isinstance(event, kind)]


def test_the_sand_waits_for_the_server(server: Running) -> None:
    """A round is under way when the server dies, and nobody starts it for some time."""

    async def play() -> None:
        load = Load(server.address, "sand")
        await load.sit_down(ubongo=1)
        host = load.players[0]
        async with load.playing():
            await load.until(lambda: bool(host.client.view and host.client.view["sand"]))
            load.ended = True
            server.kill()
        match = next(iter(load.told.games))
        began = (await happened(server.database, match, RoundBegan))[-1]
        async with opened(server.database) as store:
            now = serving.wall_clock()
            last = await store.beat(now)
            assert last is not None
            await store.beat(last - 100_000)  # as if it were long ago
        server.start()
        for _ in range(2):  # the second time it was not away for long
            (shifted,) = await happened(server.database, match, ClocksShifted)
            downtime = serving.wall_clock() - last
            assert 100_000 <= shifted.by <= 100_000 + downtime
            await host.client.join(host.table)
            view = (await host.client.until("update"))["view"]
            assert view["sand"] == began.sand + shifted.by
            await host.hang_up()
            server.kill()
            server.start()
        await load.leave()

    with server:
        asyncio.run(play())


class Dying:
    """A store whose process dies before some write."""

    def __init__(self, store: Store, writes: int) -> None:
        self._store = store
        self._left = writes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, *writes: Write) -> None:
        if not self._left:
            raise Unavailable("killed")
        self._left -= 1
        await self._store.commit(*writes)


@pytest.mark.parametrize("writes", range(4))
def test_clocks_are_moved_once_even_if_that_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """Three rounds are under way; whoever starts the server dies after some of them."""
    now = Time()
    settings = Settings(database=str(tmp_path / "pytlik.db"))
    monkeypatch.setattr(serving, "wall_clock", now)

    async def dying(database: str, *, notify: bool) -> Any:
        return Dying(await open_store(database, notify=notify), writes)

    async def sand() -> list[int]:
        async with opened(settings.database) as store:
            return sorted(deadline.due for deadline in await store.deadlines())

    async def play() -> None:
        async with working(settings.database, now) as (live, *_):
            for _ in range(3):
                await begin(live, now, running=True)
            await live._store.beat(now())
        before = await sand()
        now.pass_by(100_000)
        with monkeypatch.context() as patch, pytest.raises(Unavailable):
            patch.setattr(serving, "open_store", dying)
            await serving.wake_up(settings)
        await serving.wake_up(settings)
        assert await sand() == [due + 100_000 for due in before]
        now.pass_by(1_000)
        await serving.wake_up(settings)
        assert await sand() == [due + 100_000 for due in before]

    migrate(settings.database)
    asyncio.run(play())
