"""When the scheduler wakes up, and how much it asks of the store."""

import asyncio
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytlik.bus.connect import open_bus
from pytlik.server.clocks.leases import Lease
from pytlik.server.clocks.scheduler_alarm import SchedulerAlarm
from pytlik.server.live.rooms import ROOMS_CHECKED_AT_ONCE, Rooms
from pytlik.server.scheduling.scheduler import (
    CHECK_ROOMS_EVERY_MS,
    OPEN_MATCH_HEAD_START_MS,
    POLL_MS,
)
from pytlik.store import Heartbeat, SetDeadlines
from pytlik.store.connect import open_store
from tests.server.ignore_real_time import ignore_real_time
from tests.server.local_worker import LocalWorker
from tests.server.racing_workers import ManualClock


async def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - no event to await
        await asyncio.sleep(0.001)


def test_frequent_runs_check_rooms_only_now_and_then(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each check asks the store about every open match."""
    database = str(shutil.copy(empty_database, tmp_path / "pytlik.db"))
    checks = 0

    async def count_catching_up(_: Rooms) -> None:
        nonlocal checks
        checks += 1

    async def play() -> None:
        time, store = ManualClock(), await open_store(database, notify=False)
        worker = LocalWorker(store, open_bus(""), time)
        take_due, round_began = worker.scheduler.leases.take_due, asyncio.Event()

        async def take_due_and_signal() -> list[Lease]:
            round_began.set()
            return await take_due()

        monkeypatch.setattr(worker.scheduler.leases, "take_due", take_due_and_signal)
        await worker.start()
        for _ in range(20):
            await round_began.wait()
            round_began.clear()
            time.advance(CHECK_ROOMS_EVERY_MS // 10)
            worker.run_scheduler()
        await worker.stop()
        await store.close()

    monkeypatch.setattr(Rooms, "catch_up_on_missed_bus_messages", count_catching_up)
    with ignore_real_time():
        asyncio.run(asyncio.wait_for(play(), 60))
    assert checks == 2


def test_all_rooms_are_checked_in_batches() -> None:
    batches: list[list[str]] = []

    class FakeStore:
        async def seqs_and_versions(self, _matches: Any, tables: list[str]) -> dict[str, int]:
            batches.append(tables)
            return dict.fromkeys(tables, 1)

    async def play() -> None:
        store: Any = FakeStore()
        rooms = Rooms(store, open_bus(""), lambda: 0)
        unchanged: Any = SimpleNamespace(version=1)
        with ExitStack() as stack:
            for number in range(2 * ROOMS_CHECKED_AT_ONCE + 1):
                stack.enter_context(rooms.open(f"table {number}")).stored = unchanged
            await rooms.catch_up_on_missed_bus_messages()

    asyncio.run(play())
    assert [len(tables) for tables in batches] == [ROOMS_CHECKED_AT_ONCE, ROOMS_CHECKED_AT_ONCE, 1]
    assert len({table for tables in batches for table in tables}) == 2 * ROOMS_CHECKED_AT_ONCE + 1


@pytest.mark.parametrize("alone", [True, False])
def test_worker_with_the_match_open_gets_a_head_start(
    tmp_path: Path, empty_database: Path, alone: bool
) -> None:
    database = str(shutil.copy(empty_database, tmp_path / "pytlik.db"))

    async def play() -> None:
        time, store = ManualClock(), await open_store(database, notify=False)
        worker = LocalWorker(store, open_bus(""), time)
        alarm, due = worker.rooms.services.alarm, time() + POLL_MS + 100
        await store.commit(SetDeadlines("elsewhere.1", {"rules": due}))
        if not alone:
            await store.commit(Heartbeat("another worker", time()))
        await worker.start()
        await wait_until(lambda: alarm.at == time() + POLL_MS)
        time.advance(POLL_MS // 2)  # with the second heartbeat it knows of the others
        worker.run_scheduler()
        await wait_until(lambda: alarm.at == due + (0 if alone else OPEN_MATCH_HEAD_START_MS))
        alarm.add("here.1", {"rules": due})
        assert alarm.at == due
        await worker.stop()
        await store.close()

    with ignore_real_time():
        asyncio.run(asyncio.wait_for(play(), 60))


# ------------------------------------------------------------------------------------ the alarm


def test_alarm_includes_the_deadlines_of_open_matches() -> None:
    alarm = SchedulerAlarm(lambda: 1_000)
    alarm.reset(5_000)
    alarm.add("a.1", {"rules": 9_000, "bot": 3_000})
    alarm.add("b.1", {"turn": 4_000})
    assert alarm.at == 3_000
    alarm.add("a.1", {"bot": None})
    assert alarm.at == 3_000  # it goes off once for nothing
    alarm.reset(5_000)
    assert alarm.at == 4_000
    alarm.forget("b.1")
    alarm.reset(20_000)
    assert alarm.at == 9_000


def test_overdue_deadline_does_not_set_off_the_alarm_again() -> None:
    """Another worker may have taken it, and then this one would never rest."""
    alarm = SchedulerAlarm(lambda: 1_000)
    alarm.add("a.1", {"rules": 1_000, "turn": 1_001})
    alarm.reset(5_000)
    assert alarm.at == 1_001
