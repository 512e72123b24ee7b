"""How much the scheduler asks of the store."""

import asyncio
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from pytlik.bus.connect import open_bus
from pytlik.server.scheduler import CHECK_EVERY_MS
from pytlik.store import Store
from pytlik.store.connect import open_store
from tests.server.local_worker import LocalWorker
from tests.server.manual_clock import manual_clock
from tests.server.racing_workers import ManualTime


class CountingStore:
    """A store that counts what it's asked. `round_ended` is set when the scheduler has looked around."""

    def __init__(self, store: Store) -> None:
        self.calls: Counter[str] = Counter()
        self.round_ended = asyncio.Event()
        self._store = store

    def __getattr__(self, name: str) -> Any:
        self.calls[name] += 1
        if name == "next_due":
            self.round_ended.set()
        return getattr(self._store, name)


def test_however_much_is_due_rooms_are_checked_only_now_and_then(
    tmp_path: Path, empty_database: Path
) -> None:
    """The check asks about every match that is open here."""
    database = str(shutil.copy(empty_database, tmp_path / "pytlik.db"))

    async def play() -> None:
        time, inner = ManualTime(), await open_store(database, notify=False)
        store: Any = CountingStore(inner)
        worker = LocalWorker(store, open_bus(""), time)
        await worker.start()
        for _ in range(20):
            await store.round_ended.wait()
            store.round_ended.clear()
            time.pass_by(CHECK_EVERY_MS // 10)
            worker.run_scheduler()
        await worker.stop()
        await inner.close()
        assert store.calls["next_due"] >= 20
        assert store.calls["progress"] == 2

    with manual_clock():
        asyncio.run(asyncio.wait_for(play(), 60))
