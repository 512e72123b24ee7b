"""The last heartbeat of a worker."""

import asyncio
from pathlib import Path

import pytest

from pytlik.server.heartbeat import MAX_GAP_MS, WorkerHeartbeat
from pytlik.store import Conflict
from pytlik.store.connect import migrate, open_store
from tests.server.racing_workers import ManualTime


@pytest.mark.parametrize("gap", [MAX_GAP_MS, MAX_GAP_MS + 1])
def test_a_worker_that_stops_does_not_hide_a_standstill(tmp_path: Path, gap: int) -> None:
    """Otherwise the time in which nobody could act would never be made up for."""
    path = str(tmp_path / "pytlik.db")
    migrate(path)

    async def play() -> None:
        time, store = ManualTime(), await open_store(path, notify=False)
        began, heartbeat = time(), WorkerHeartbeat(store, time)
        await heartbeat.beat()
        time.pass_by(gap)
        if gap > MAX_GAP_MS:
            with pytest.raises(Conflict):
                await heartbeat.end()
            assert await store.last_beat() == began
        else:
            await heartbeat.end()
            assert await store.last_beat() == time()
        await store.close()

    asyncio.run(play())
