"""When the scheduler wakes up, and how much it asks of the store."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytlik.bus.connect import open_bus
from pytlik.server.alarm import Alarm
from pytlik.server.scheduler import CHECK_EVERY_MS, OTHERS_FIRST_MS, POLL_MS
from pytlik.store import Heartbeat, SetDeadlines, Store
from pytlik.store.connect import open_store
from tests.server.local_worker import LocalWorker
from tests.server.manual_clock import manual_clock
from tests.server.racing_workers import ManualTime


async def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - the scheduler tells nobody
        await asyncio.sleep(0.001)


class CountingStore:
    """A store that counts what it's asked. `round_ended` is set when the scheduler has run."""

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


@pytest.mark.parametrize("alone", [True, False])
def test_a_deadline_is_left_for_a_moment_to_the_worker_that_has_the_match_open(
    tmp_path: Path, empty_database: Path, alone: bool
) -> None:
    database = str(shutil.copy(empty_database, tmp_path / "pytlik.db"))

    async def play() -> None:
        time, store = ManualTime(), await open_store(database, notify=False)
        worker = LocalWorker(store, open_bus(""), time)
        alarm, due = worker.rooms.services.alarm, time() + POLL_MS + 100
        await store.commit(SetDeadlines("elsewhere.1", {"rules": due}))
        if not alone:
            await store.commit(Heartbeat("another worker", time()))
        await worker.start()
        await wait_until(lambda: alarm.at == time() + POLL_MS)
        time.pass_by(POLL_MS // 2)  # with the second heartbeat it knows of the others
        worker.run_scheduler()
        await wait_until(lambda: alarm.at == due + (0 if alone else OTHERS_FIRST_MS))
        alarm.add("here.1", {"rules": due})
        assert alarm.at == due
        await worker.stop()
        await store.close()

    with manual_clock():
        asyncio.run(asyncio.wait_for(play(), 60))


# ------------------------------------------------------------------------------------ the alarm


def test_the_alarm_knows_what_is_due_in_open_matches() -> None:
    alarm = Alarm(lambda: 1_000)
    alarm.start_over(5_000)
    alarm.add("a.1", {"rules": 9_000, "bot": 3_000})
    alarm.add("b.1", {"turn": 4_000})
    assert alarm.at == 3_000
    alarm.add("a.1", {"bot": None})
    assert alarm.at == 3_000  # it goes off once for nothing
    alarm.start_over(5_000)
    assert alarm.at == 4_000
    alarm.forget("b.1")
    alarm.start_over(20_000)
    assert alarm.at == 9_000


def test_what_is_due_by_now_does_not_set_off_the_alarm_again() -> None:
    """Another worker may have taken it, and then this one would never rest."""
    alarm = Alarm(lambda: 1_000)
    alarm.add("a.1", {"rules": 1_000, "turn": 1_001})
    alarm.start_over(5_000)
    assert alarm.at == 1_001
