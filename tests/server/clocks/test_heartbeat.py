"""Heartbeats: what a worker learns about the others, and the last one before it stops."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pytlik.server.clocks.heartbeat import DEAD_AFTER_MS, MAX_GAP_MS, WorkerHeartbeat
from pytlik.store import Conflict, Heartbeat, Store
from pytlik.store.connect import open_store
from tests.server.ignore_real_time import ignore_real_time
from tests.server.racing_workers import ManualClock

Scenario = Callable[[WorkerHeartbeat, Store, ManualClock], Awaitable[None]]


@pytest.fixture
def run_scenario(tmp_path: Path, empty_database: Path) -> Callable[[Scenario], None]:
    """Run a scenario with a heartbeat that only the test writes, as no scheduler runs."""
    database = str(shutil.copy(empty_database, tmp_path / "pytlik.db"))

    async def play(scenario: Scenario) -> None:
        time, store = ManualClock(), await open_store(database, notify=False)
        try:
            await scenario(WorkerHeartbeat(store, time), store, time)
        finally:
            await store.close()

    return lambda scenario: asyncio.run(play(scenario))


@pytest.mark.parametrize("gap", [MAX_GAP_MS, MAX_GAP_MS + 1])
def test_last_heartbeat_does_not_hide_downtime(
    run_scenario: Callable[[Scenario], None], gap: int
) -> None:
    """Otherwise clocks would count the time in which nobody could act."""

    async def scenario(heartbeat: WorkerHeartbeat, store: Store, time: ManualClock) -> None:
        began = time()
        await heartbeat.write_beat()
        time.advance(gap)
        if gap > MAX_GAP_MS:
            with pytest.raises(Conflict):
                await heartbeat.write_last_beat()
            assert await store.last_heartbeat() == began
        else:
            await heartbeat.write_last_beat()
            assert await store.last_heartbeat() == time()

    run_scenario(scenario)


def test_worker_that_missed_heartbeats_declares_nobody_dead(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(heartbeat: WorkerHeartbeat, store: Store, time: ManualClock) -> None:
        await heartbeat.write_beat()
        last = time()
        await store.commit(Heartbeat("other", last))
        time.advance(DEAD_AFTER_MS + 1)
        assert (await heartbeat.write_beat()).dead == {}
        time.advance(1_000)
        assert (await heartbeat.write_beat()).dead == {"other": last}
        assert (await heartbeat.write_beat()).dead == {}  # at most about once a second

    with ignore_real_time():
        run_scenario(scenario)
