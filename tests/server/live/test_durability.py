"""Nothing that the server has acknowledged is lost, however it stops, and all clocks stand still
while it's down."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest

from pytlik.games import UBONGO
from pytlik.server import startup
from pytlik.server.match.deadlines import AWAY_DEADLINE_PREFIX
from pytlik.server.match.live_match import ActionRequest
from pytlik.server.settings import Settings
from pytlik.store import Actor, EndDowntime, Heartbeat, SetDeadlines, Store, Unavailable, Write
from pytlik.store.connect import migrate, open_store
from pytlik.store.sqlite import machine_time_ms
from pytlik.ubongo.messages import ClocksShifted, RoundBegan
from tests.database_servers import Postgres
from tests.random_matches import choose_ubongo_action
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.racing_workers import (
    ManualClock,
    begin_match,
    kill_worker,
    run_all_schedulers,
    run_workers,
)
from tests.server.server_load import ServerLoad
from tests.server.server_process import ServerProcess

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgres", "two workers"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> ServerProcess:
    if request.param == "sqlite":
        return ServerProcess(str(tmp_path / "pytlik.db"))
    postgres: Postgres = request.getfixturevalue("postgres")
    return ServerProcess(
        postgres.new_database(), "--workers", "2" if request.param == "two workers" else "1"
    )


def test_nothing_is_lost_when_the_server_is_killed(
    server: ServerProcess, request: pytest.FixtureRequest
) -> None:
    """Kill it a few times; tests/kill_server.py kills each kind hundreds of times."""
    cycles = {"sqlite": 4, "postgres": 2, "two workers": 2}[request.node.callspec.params["server"]]
    random = Random(request.node.name)

    async def play() -> None:
        async with ServerLoad(server.address, request.node.name) as load:
            await load.sit_down(unikat=3, ubongo=1)
            for _ in range(cycles):
                await load.play_and_kill_server(server, random.randrange(5, 60))
            async with load.let_everyone_play():
                await load.play_until_acknowledged(50)
            await load.check(server.database, everything=True)

    with server:
        asyncio.run(play())


@pytest.mark.parametrize("server", ["sqlite", "two workers"], indirect=True)
def test_nothing_is_lost_when_the_server_stops_under_load(server: ServerProcess) -> None:
    """Stop it as a service manager does, with sockets open and players in the middle of a turn."""

    async def play() -> None:
        async with ServerLoad(server.address, "stopped") as load:
            await load.sit_down(unikat=4, ubongo=1)
            async with load.let_everyone_play():
                await load.play_until_acknowledged(60)
                began = time.monotonic()
                await asyncio.to_thread(server.stop)
                # It exits by itself within systemd's default timeout.
                assert time.monotonic() - began < 90
            await load.check(server.database)
            load.expect_nothing_forgotten()
            server.start()
            async with load.let_everyone_play():
                await load.play_until_acknowledged(60)
            await load.check(server.database, everything=True)

    with server:
        asyncio.run(play())


def test_table_is_finished_after_a_crash_at_the_end_of_a_match(tmp_path: Path) -> None:
    """The last event is on disk but the table doesn't know yet; the next server updates it."""
    database, now = str(tmp_path / "pytlik.db"), ManualClock()
    migrate(database)

    async def play() -> None:
        async with run_workers(database, now) as (worker,):
            table = await begin_match(worker, now, running=False, ready=False)
            with worker.rooms.open(table.id) as room:
                match, random = await room.open_match(table), Random(0)
                while not UBONGO.outcome(match.state):
                    seat, action, wait = choose_ubongo_action(match.state, random, now())
                    now.advance(wait)
                    request = ActionRequest(
                        seat=seat, action=action, command=None, actor=Actor.PERSON
                    )
                    await match.decide_and_store(request, table)  # updates nothing but the log
            assert (await worker.lobby.get(table.id)).table.phase == "playing"
        async with run_workers(database, now) as (worker,), asyncio.timeout(TIMEOUT_SECONDS):
            while (await worker.lobby.get(table.id)).table.phase != "over":
                worker.run_scheduler()
                await asyncio.sleep(0)

    asyncio.run(play())


# ----------------------------------------------------------------------- clocks that stand still


@asynccontextmanager
async def open_database(database: str) -> AsyncIterator[Store]:
    store = await open_store(database, notify=False)
    try:
        yield store
    finally:
        await store.close()


async def sand_end_and_shift(database: str, match: str, seq: int | None = None) -> tuple[int, int]:
    """Return when the sand of the last round was due to run out, and how far that has been moved
    since. Only the first `seq` events count."""
    async with open_database(database) as store:
        raw = (await store.events(match))[:seq]
    sand = moved = 0
    for event in (msgspec.json.decode(each, type=UBONGO.event) for each in raw):
        match event:
            case RoundBegan(sand=int(at)):
                sand, moved = at, 0
            case ClocksShifted(by=by):
                moved += by
            case _:
                pass
    return sand, moved


@pytest.mark.parametrize("server", ["sqlite"], indirect=True)
def test_sand_stands_still_while_the_server_is_down(server: ServerProcess) -> None:
    """A round is under way when the server dies, and nobody restarts it for some time."""

    async def play() -> None:
        async with ServerLoad(server.address, "sand") as load:
            await load.sit_down(ubongo=1)
            host = load.players[0]
            async with load.let_everyone_play():
                await load.wait_until(lambda: bool(host.client.view and host.client.view["sand"]))
                load.ended = True
                server.kill()
            match = next(iter(load.claims.games))
            # The sand has already been moved if the machine froze.
            sand, moved_before = await sand_end_and_shift(server.database, match)
            async with open_database(server.database) as store:
                last = await store.last_heartbeat()
                assert last is not None
                long_ago = last - 100_000
                for worker in await store.worker_heartbeats():
                    await store.commit(Heartbeat(worker, long_ago))
                await store.commit(EndDowntime(last, long_ago))
            server.start()
            for _ in range(2):  # the second time it wasn't down for long
                await host.client.join(host.table)
                update = await host.client.wait_for("update")
                _, moved = await sand_end_and_shift(server.database, match, update["seq"])
                assert update["view"]["sand"] == sand + moved
                downtime = machine_time_ms() - last
                assert 100_000 <= moved - moved_before <= 100_000 + downtime
                await host.abort_connection()
                server.kill()
                server.start()

    with server:
        asyncio.run(play())


class DyingStore:
    """A store whose process dies before a certain write."""

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


@pytest.mark.parametrize("later", [0, 60_000])
@pytest.mark.parametrize("writes", range(4))  # the sand of each round, then the rest in one write
def test_clocks_are_moved_once_even_if_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int, later: int
) -> None:
    """Three rounds are under way, and the starting server dies after moving some of them. The next
    one starts at once or later."""
    now = ManualClock()
    settings = Settings(database=str(tmp_path / "pytlik.db"))
    monkeypatch.setattr(startup, "start_clock", AsyncMock(return_value=now))

    async def open_dying_store(database: str, *, notify: bool) -> Any:
        return DyingStore(await open_store(database, notify=notify), writes)

    async def sand() -> list[int]:
        async with open_database(settings.database) as store:
            return sorted(deadline.due for deadline in await store.deadlines())

    async def play() -> None:
        async with run_workers(settings.database, now) as (worker, *_):
            tables = [await begin_match(worker, now, running=True) for _ in range(3)]
            await worker.store.commit(
                SetDeadlines(tables[0].match_id, {f"{AWAY_DEADLINE_PREFIX}0": now()})
            )
        before = await sand()
        now.advance(100_000)
        with monkeypatch.context() as patch:
            patch.setattr(startup, "open_store", open_dying_store)
            with pytest.raises(Unavailable):
                await startup.prepare_clocks(settings)
        now.advance(later)
        for _ in range(2):
            await startup.prepare_clocks(settings)
            assert await sand() == [due + 100_000 + later for due in before]

    migrate(settings.database)
    asyncio.run(play())


@pytest.mark.parametrize("gap", [1, 700, 1_999, 4_000])
def test_clean_stop_counts_every_millisecond_of_downtime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gap: int
) -> None:
    now, settings = ManualClock(), Settings(database=str(tmp_path / "pytlik.db"))
    monkeypatch.setattr(startup, "start_clock", AsyncMock(return_value=now))
    migrate(settings.database)

    async def play() -> None:
        async with run_workers(settings.database, now) as (worker,):
            await begin_match(worker, now, running=True)
            (before,) = await worker.store.deadlines()
            now.advance(5_000)  # while it runs, long after its last heartbeat
        now.advance(gap)
        await startup.prepare_clocks(settings)
        async with open_database(settings.database) as store:
            (after,) = await store.deadlines()
        assert after.due == before.due + gap

    asyncio.run(play())


@pytest.mark.parametrize(("gap", "moved"), [(2_000, 0), (2_001, 2_001), (7_000, 7_000)])
def test_gap_after_a_crash_counts_once_no_worker_can_be_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gap: int, moved: int
) -> None:
    now, settings = ManualClock(), Settings(database=str(tmp_path / "pytlik.db"))
    monkeypatch.setattr(startup, "start_clock", AsyncMock(return_value=now))
    migrate(settings.database)

    async def play() -> None:
        async with run_workers(settings.database, now) as (worker,):
            await begin_match(worker, now, running=True)
            (before,) = await worker.store.deadlines()
            await run_all_schedulers([worker])
            assert worker.rooms.services.heartbeat.last == now()
            await kill_worker(worker)
        async with open_database(settings.database) as store:
            now.advance(gap)
            await startup.prepare_clocks(settings)
            (after,) = await store.deadlines()
        assert after.due == before.due + moved

    asyncio.run(play())
