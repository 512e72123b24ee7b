"""However many masters are thinking at other tables, a fast bot still answers at once, and tables
take turns. The processes are simulated, in virtual time."""

import asyncio
import dataclasses
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from pytlik.chance import from_text
from pytlik.game import Budget
from pytlik.games import UNIKAT
from pytlik.server.match import bot_pool
from pytlik.server.match.bot_pool import MIN_THINKING_SECONDS, BotPool
from tests.sim.loop import SimLoop

MASTER_TABLES = 6
"""How many tables have only masters, who think for as long as the settings allow."""

MAX_THINKING_SECONDS = 30.0

MAX_EASY_MOVE_SECONDS = 4.0
"""The time within which an easy bot moves, including the pause in which it seems to think."""

EASY_THINKING_SECONDS = 0.02
"""Many times what an easy bot needs, including the way to its process and back."""


class VirtualLoop(SimLoop):
    """An event loop with virtual time and the test's own pools."""

    run_in_executor = asyncio.BaseEventLoop.run_in_executor  # type: ignore[assignment]

    def _write_to_self(self) -> None:
        """Do nothing: there is no selector to wake up."""


class SimulatedPool:
    """A pool whose masters use up exactly their budget."""

    def __init__(self, size: int, *_: Any, **__: Any) -> None:
        self._idle = size
        self._waiting: deque[tuple[Future[Any], float]] = deque()
        self._processes: dict[int, Any] = {}

    def submit(
        self, _: Any, __: str, ___: Any, level: str, ____: Any, budget: Budget
    ) -> "Future[Any]":
        future: Future[Any] = Future()
        seconds = budget.seconds if level == "master" else EASY_THINKING_SECONDS
        self._waiting.append((future, seconds))
        self._start_waiting()
        return future

    def _start_waiting(self) -> None:
        while self._idle and self._waiting:
            self._idle -= 1
            future, seconds = self._waiting.popleft()
            asyncio.get_running_loop().call_later(seconds, self._end, future, seconds)

    def _end(self, future: "Future[Any]", seconds: float) -> None:
        self._idle += 1
        future.set_result(((0, seconds),))
        self._start_waiting()

    def shutdown(self, **_: Any) -> None:
        pass


def run_crowd(workers: int, play: Callable[["Crowd"], Coroutine[Any, Any, None]]) -> None:
    loop = VirtualLoop(Random(0))

    async def run() -> None:
        await play(Crowd(workers))

    previous = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        loop.run_until_complete(run())
    finally:
        loop.abandon_all_tasks()
        asyncio._set_running_loop(previous)


class Crowd:
    def __init__(self, workers: int) -> None:
        self.bots = BotPool(workers)
        self.loop = asyncio.get_running_loop()

    async def move(self, table: int, level: str, seconds: float = 1.5) -> float:
        """Ask a bot to move, and return how many seconds that took in all."""
        view: Any = SimpleNamespace(choices=None)
        game = dataclasses.replace(UNIKAT, view=lambda *_: view)
        room: Any = SimpleNamespace(
            game=game, state=None, id=f"table{table}.1", seq=0, chance=from_text("")
        )
        began = self.loop.time()
        await self.bots.next_step(room, 0, level, 0, seconds)
        return self.loop.time() - began

    def let_masters_play(self, tables: int, seconds: float) -> None:
        """Let masters play forever, without a pause."""

        async def play(table: int) -> None:
            while True:
                await self.move(table, "master", seconds)

        self.tasks = [self.loop.create_task(play(table)) for table in range(tables)]


@pytest.fixture(autouse=True)
def simulated_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "ProcessPoolExecutor", SimulatedPool)


@pytest.mark.parametrize("workers", [1, 2, 8])
@pytest.mark.parametrize("level", ["first-steps", "easy", "medium", "hard"])
def test_other_bots_do_not_wait_for_masters(workers: int, level: str) -> None:
    async def play(crowd: Crowd) -> None:
        crowd.let_masters_play(MASTER_TABLES, MAX_THINKING_SECONDS)
        for _ in range(20):
            await asyncio.sleep(7.3)
            assert await crowd.move(100, level) == pytest.approx(EASY_THINKING_SECONDS)

    run_crowd(workers, play)


def test_a_hundred_easy_bots_at_once_move_in_time() -> None:
    async def play(crowd: Crowd) -> None:
        crowd.let_masters_play(MASTER_TABLES, MAX_THINKING_SECONDS)
        await asyncio.sleep(1)
        took = await asyncio.gather(*(crowd.move(100 + number, "easy") for number in range(100)))
        assert max(took) < MAX_EASY_MOVE_SECONDS

    run_crowd(1, play)


@pytest.mark.parametrize("workers", [1, 2])
def test_another_master_waits_for_one_round_at_most(workers: int) -> None:
    """Time is shared, so a round of all tables takes no longer than one master may think."""

    async def play(crowd: Crowd) -> None:
        crowd.let_masters_play(MASTER_TABLES, MAX_THINKING_SECONDS)
        await asyncio.sleep(
            500
        )  # until those that began with all the time to themselves have ended
        for _ in range(5):
            assert await crowd.move(100, "master", 1.5) <= MAX_THINKING_SECONDS + 1.5

    run_crowd(workers, play)


def test_master_has_full_time_alone_but_little_in_a_crowd() -> None:
    async def play(crowd: Crowd) -> None:
        assert await crowd.move(1, "master", 30) == 30
        took = await asyncio.gather(*(crowd.move(table, "master", 0.1) for table in range(2)))
        assert took == pytest.approx([0.1, 0.2]), "nobody gets more than was agreed"
        crowd.let_masters_play(1000, 1.5)
        await asyncio.sleep(1000)
        assert bot_pool.thinking_seconds(1.5, crowd.bots._slow) == MIN_THINKING_SECONDS

    run_crowd(1, play)
