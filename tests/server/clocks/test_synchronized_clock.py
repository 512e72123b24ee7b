"""The server's clock: it never jumps, whatever happens to the database's, and all workers agree."""

import asyncio
import shutil
import socket
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pytlik.server import startup
from pytlik.server.app import create_app
from pytlik.server.cleanup import DAY_MS, Cleanup
from pytlik.server.clocks.synchronized_clock import (
    ASK_SECONDS,
    MAX_BEAT_AGE_MS,
    MAX_BEHIND_MS,
    RECENT_ANSWERS,
    SLEW,
    SynchronizedClock,
)
from pytlik.server.scheduling.scheduler import SWEEP_UNPLAYED_EVERY_MS
from pytlik.server.settings import Settings
from pytlik.store import Heartbeat, Unavailable, sqlite
from tests.server.http_site import START_TIME_MS, Site
from tests.server.live_server import LiveServer, open_live_server, server_test
from tests.server.reused_apps import NO_PAGE_FOLDER
from tests.sim.conditions import Conditions
from tests.sim.loop import SimLoop
from tests.sim.store import Database, SimStore

CLOCK_STEPS_MS = [-2_000, -50, 50, 2_000, 30_000, 100 * DAY_MS, -100 * DAY_MS]


class SimulatedMachines:
    """Workers on machines of their own, and a database whose clock can be set. Time is virtual."""

    def __init__(self) -> None:
        self.loop = SimLoop(Random(0))
        self.offset = 0
        """How many milliseconds the database's clock is ahead."""
        self.database = Database(lambda: self.now + self.offset)
        self.conditions = Conditions(Random(0))
        self._machines = 0

    @property
    def now(self) -> int:
        return START_TIME_MS + round(1000 * self.loop.time())

    def new_store(self) -> SimStore:
        return SimStore(self.database, self.conditions, self.loop)

    def new_clock(self) -> SynchronizedClock:
        """A clock on another machine with its own uptime."""
        self._machines += 1
        began = 1e6 * self._machines
        return SynchronizedClock(lambda: began + 1000 * self.loop.time())

    async def start_clock(self, **options: Any) -> SynchronizedClock:
        clock = self.new_clock()
        await clock.start(self.new_store(), **options)
        _ = self.loop.create_task(clock.follow(self.new_store()))
        return clock

    def keep_beating(self, clock: SynchronizedClock, worker: str) -> None:
        """Write a worker's heartbeat every second."""

        async def run() -> None:
            store = self.new_store()
            while True:
                await store.commit(Heartbeat(worker, clock()))
                await asyncio.sleep(1)

        _ = self.loop.create_task(run())

    def run(self, course: Callable[["SimulatedMachines"], Coroutine[Any, Any, None]]) -> None:
        previous = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        try:
            self.loop.run_until_complete(course(self))
        finally:
            self.loop.abandon_all_tasks()
            self.database.connection.close()
            asyncio._set_running_loop(previous)


MAX_STORE_DELAY_MS = 40
"""The longest time that a request to the store takes here, and so the accuracy of a clock."""

MAX_START_MS = 100
"""The time within which a starting worker sees a heartbeat."""


@pytest.mark.parametrize("step", CLOCK_STEPS_MS)
def test_clock_keeps_pace_when_the_database_clock_jumps(step: int) -> None:
    """A minute takes a minute, to within 0.6 seconds and the time of a request."""

    async def course(machines: SimulatedMachines) -> None:
        clock = await machines.start_clock()
        assert abs(clock() - machines.now) <= MAX_STORE_DELAY_MS
        machines.offset = step
        before, began = clock(), machines.now
        for _ in range(600):
            await asyncio.sleep(0.1)
            after = clock()
            assert after >= before
            assert abs(after - machines.now) <= MAX_STORE_DELAY_MS + SLEW * (machines.now - began)
            before = after

    SimulatedMachines().run(course)


def test_small_offset_is_corrected() -> None:
    async def course(machines: SimulatedMachines) -> None:
        clock = await machines.start_clock()
        machines.offset = 500
        await asyncio.sleep(1.2 * 0.5 / SLEW)
        assert abs(clock() - machines.now - machines.offset) <= MAX_STORE_DELAY_MS

    SimulatedMachines().run(course)


def test_wrong_date_for_four_seconds_is_ignored() -> None:
    async def course(machines: SimulatedMachines) -> None:
        clock = await machines.start_clock()
        machines.offset = 100 * DAY_MS
        await asyncio.sleep(4)
        machines.offset = 0
        await asyncio.sleep(60)
        assert abs(clock() - machines.now) <= MAX_STORE_DELAY_MS + 1000 * SLEW * 2 * (
            4 + 8 * ASK_SECONDS
        )

    SimulatedMachines().run(course)


@pytest.mark.parametrize("step", [0, *CLOCK_STEPS_MS])
def test_starting_worker_takes_the_time_of_the_running_ones(step: int) -> None:
    async def course(machines: SimulatedMachines) -> None:
        first = await machines.start_clock()
        machines.keep_beating(first, "first")
        await asyncio.sleep(5)
        machines.offset = step
        second = await machines.start_clock()
        # A step forward shorter than a heartbeat looks like ordinary time passing.
        unseen = step if 0 < step <= MAX_BEAT_AGE_MS else 0
        assert abs(second() - first()) <= MAX_STORE_DELAY_MS + MAX_START_MS + unseen

    SimulatedMachines().run(course)


def test_starting_worker_is_not_misled_by_a_delayed_heartbeat() -> None:
    async def course(machines: SimulatedMachines) -> None:
        store, first = machines.new_store(), await machines.start_clock()
        await store.commit(Heartbeat("first", first()))
        await asyncio.sleep(2)
        starting = machines.loop.create_task(machines.start_clock())
        await asyncio.sleep(0.1)
        await store.commit(Heartbeat("first", first() - MAX_BEAT_AGE_MS - 100))
        await asyncio.sleep(0.5)
        await store.commit(Heartbeat("first", first()))
        second = await starting
        assert abs(second() - first()) <= MAX_STORE_DELAY_MS

    SimulatedMachines().run(course)


@pytest.mark.parametrize("step", CLOCK_STEPS_MS)
def test_time_goes_on_after_all_workers_have_stopped(step: int) -> None:
    """It starts from the database's time or the last heartbeat, whichever is later."""

    async def course(machines: SimulatedMachines) -> None:
        first = await machines.start_clock()
        await machines.new_store().commit(Heartbeat("first", last := first()))
        machines.offset = step
        second = await machines.start_clock(alone=True)
        assert second() >= last
        assert abs(second() - max(last, machines.now + step)) <= MAX_STORE_DELAY_MS

    SimulatedMachines().run(course)


@pytest.mark.parametrize("step", [-30_000, 30_000])
def test_workers_agree_although_one_started_while_the_other_was_cut_off(step: int) -> None:
    """And while the database's clock was wrong. Nobody's time runs backwards."""

    async def course(machines: SimulatedMachines) -> None:
        first = await machines.start_clock()
        await asyncio.sleep(60)
        await machines.new_store().commit(Heartbeat("first", first()))
        await asyncio.sleep(60)  # the first worker is cut off, and writes no more heartbeats
        machines.offset = step
        second = await machines.start_clock()
        machines.keep_beating(second, "second")
        before = first(), second()
        assert abs(before[0] - before[1]) > MAX_BEHIND_MS
        machines.offset = 0
        machines.keep_beating(first, "first")
        await asyncio.sleep(2 * ASK_SECONDS + 1)
        after = first(), second()
        assert abs(after[0] - after[1]) <= MAX_BEHIND_MS
        assert min(after) >= max(before)

    SimulatedMachines().run(course)


def test_heartbeat_of_a_dead_worker_from_the_future_is_ignored() -> None:
    async def course(machines: SimulatedMachines) -> None:
        clock = await machines.start_clock()
        await machines.new_store().commit(Heartbeat("dead", machines.now + 3_600_000))
        await asyncio.sleep(5 * ASK_SECONDS)
        assert abs(clock() - machines.now) <= MAX_STORE_DELAY_MS

    SimulatedMachines().run(course)


def test_clock_starts_without_delay_on_a_new_database() -> None:
    async def course(machines: SimulatedMachines) -> None:
        assert abs((await machines.start_clock())() - machines.now) <= MAX_STORE_DELAY_MS
        assert machines.loop.time() < 1

    SimulatedMachines().run(course)


def test_clock_needs_the_database_only_to_start() -> None:
    async def course(machines: SimulatedMachines) -> None:
        store = machines.new_store()
        store.reachable, store.hangs = False, True
        with pytest.raises(Unavailable):
            await machines.new_clock().start(store)
        clock = await machines.start_clock()
        _ = machines.loop.create_task(clock.follow(store))
        await asyncio.sleep(60)  # it runs by itself
        assert abs(clock() - machines.now) <= MAX_STORE_DELAY_MS

    SimulatedMachines().run(course)


def test_jump_of_the_database_clock_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Once, and again if it was right in between."""

    async def course(machines: SimulatedMachines) -> None:
        await machines.start_clock()
        for offset, warnings in ((9_000, 0), (100 * DAY_MS, 1), (0, 1), (-11_000, 2)):
            machines.offset = offset
            await asyncio.sleep(2 * RECENT_ANSWERS * ASK_SECONDS)
            assert len(caplog.records) == warnings

    SimulatedMachines().run(course)


def test_server_uses_a_synchronized_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_database: Path
) -> None:
    """It knows the database's clock as well."""
    wrong, app_arguments = 0, dict[str, Any]()
    monkeypatch.setattr(sqlite, "machine_time_ms", lambda: START_TIME_MS + wrong)
    settings = Settings(database=str(shutil.copy(empty_database, tmp_path / "pytlik.db")))

    def remember(settings: Settings, **arguments: Any) -> Any:
        app_arguments.update(arguments)
        return create_app(settings, folder=NO_PAGE_FOLDER, **arguments)

    class Server:
        async def serve(self, **_: Any) -> None:
            nonlocal wrong
            wrong = 100 * DAY_MS
            assert app_arguments["clock"]() < START_TIME_MS + DAY_MS
            assert await app_arguments["database_clock"]() == START_TIME_MS + wrong

    monkeypatch.setattr(startup, "create_app", remember)
    monkeypatch.setattr(startup, "make_server", lambda *_: Server())
    with socket.socket() as listener:
        asyncio.run(startup.serve_as_worker(settings, listener))
    assert app_arguments


# ---------------------------------------------------------------------------------------- deleting


@pytest.mark.parametrize("which", ["clock", "second clock"])
@pytest.mark.parametrize("sweep", ["old", "empty"])
def test_tables_are_deleted_only_when_both_clocks_agree(site: Site, which: str, sweep: str) -> None:
    """A single clock that is off by 100 days deletes nothing."""
    ola = site.browser()
    tables = [ola.create_table() for _ in range(5)]
    times = {"clock": START_TIME_MS, "second clock": START_TIME_MS}

    async def database_clock() -> int:
        return times["second clock"]

    cleanup = Cleanup(site.store, site.bus, lambda: times["clock"], database_clock)

    def count_deleted() -> int:
        return site.run(
            cleanup.delete_untouched_tables(90)
            if sweep == "old"
            else cleanup.delete_unplayed_tables()
        )

    times[which] = START_TIME_MS + 100 * DAY_MS
    assert count_deleted() == 0
    assert all(ola.get(table).status_code == 200 for table in tables)
    times.update(dict.fromkeys(times, START_TIME_MS + 100 * DAY_MS))
    assert count_deleted() == len(tables)


class CountingStore:
    """A store that counts the calls of each method."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        self.calls[name] += 1
        return getattr(self._store, name)


@pytest.fixture
def live_server(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    yield from open_live_server(tmp_path, empty_database, around=CountingStore)


@server_test
async def test_nothing_is_deleted_in_the_first_ten_minutes(
    live_server: LiveServer,
) -> None:
    """Its machine may not know the time yet, so neither clock may be right."""
    calls: Counter[str] = live_server.app.state.store.calls

    async def pass_time(milliseconds: int) -> None:
        """Pass time and let the scheduler check twice, as a check may already be under way."""
        live_server.pass_time(milliseconds)
        for _ in range(2):
            looks = calls["next_due"]
            live_server.pass_time(0)
            while calls["next_due"] == looks:  # noqa: ASYNC110 - no event to await
                await asyncio.sleep(0)

    await pass_time(SWEEP_UNPLAYED_EVERY_MS - 1)
    assert [calls[name] for name in ("untouched_table_ids", "never_played_table_ids")] == [0, 0]
    await pass_time(1)
    assert [calls[name] for name in ("untouched_table_ids", "never_played_table_ids")] == [1, 1]
