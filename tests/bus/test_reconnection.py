"""How soon a silent bus is noticed, in virtual time."""

import asyncio
import random
from bisect import bisect_left
from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any

import pytest

from pytlik.bus.reconnection import DEFAULT_TIMINGS, HeartbeatMonitor, ReconnectingSession
from tests.bus import virtual_time

PROMISED_SECONDS = 2.0
"""How soon everyone knows what was written, according to docs/hosting.md."""

READING_SECONDS = 0.5
"""The part of it spent reading what was written."""


class SimulatedServer:
    """Carries heartbeats. While it's frozen, it holds them back; while it's gone, nobody can
    connect."""

    def __init__(self) -> None:
        self.delay = 0.01
        self.frozen = self.gone = False
        self.sessions = 0
        self._kept: list[Callable[[], None]] = []
        self._thawed = asyncio.Event()
        self._cut = asyncio.Event()

    async def session(self, monitor: HeartbeatMonitor) -> None:
        if self.gone:
            raise ConnectionRefusedError
        while self.frozen:
            await self._thawed.wait()
        self.sessions += 1
        monitor.start_beating(lambda: self._deliver_answer(monitor.note_answer))
        await self._cut.wait()
        raise ConnectionResetError

    def _deliver_answer(self, answered: Callable[[], None]) -> None:
        if self.frozen:
            self._kept.append(answered)
        else:
            asyncio.get_running_loop().call_later(self.delay, answered)

    def freeze(self) -> None:
        self.frozen = True
        self._thawed.clear()

    def thaw(self) -> None:
        self.frozen = False
        self._thawed.set()
        kept, self._kept = self._kept, []
        for answered in kept:
            self._deliver_answer(answered)

    def stop(self) -> None:
        self.gone = True
        self._cut.set()

    def start(self) -> None:
        self.gone = False
        self._cut.clear()


class BusWorld:
    """A server, a bus that listens to it, and the times of its calls of `on_missed`."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        assert isinstance(self.loop, virtual_time.VirtualLoop)
        self.stall = self.loop.stall
        self.server = SimulatedServer()
        self.missed: list[float] = []
        self.bus = ReconnectingSession(
            "a bus", self.server.session, lambda: self.missed.append(self.loop.time())
        )

    def was_notified_within(self, moment: float, seconds: float) -> bool:
        after = bisect_left(self.missed, moment)
        return after < len(self.missed) and self.missed[after] <= moment + seconds


def run_in_virtual_time(play: Callable[[BusWorld], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        world = BusWorld()
        await world.bus.wait_until_connected()
        await play(world)
        await world.bus.close()

    virtual_time.run_in_virtual_time(main())


def test_one_session_lasts_while_all_is_well() -> None:
    async def play(world: BusWorld) -> None:
        assert world.missed == [0.01]
        await asyncio.sleep(3_600)
        assert world.bus.is_connected
        assert (world.server.sessions, len(world.missed)) == (1, 1)

    run_in_virtual_time(play)


@pytest.mark.parametrize("seconds", [1.1, 2.5, 25, 300])
@pytest.mark.parametrize("fault", ["frozen", "gone"])
def test_possible_losses_are_reported_within_two_seconds(fault: str, seconds: float) -> None:
    async def play(world: BusWorld) -> None:
        chance = random.Random(f"{fault} {seconds}")
        for _ in range(20):
            await asyncio.sleep(chance.uniform(3, 5))
            assert world.bus.is_connected
            began, server = world.loop.time(), world.server
            (server.freeze if fault == "frozen" else server.stop)()
            await asyncio.sleep(seconds)
            assert not world.bus.is_connected
            (server.thaw if fault == "frozen" else server.start)()
            back = world.loop.time()
            await world.bus.wait_until_connected()
            # What is written just before the bus reconnects is reported right after.
            moments = [began, back, world.loop.time() - 0.02]
            moments += [chance.uniform(began, back) for _ in range(200)]
            for moment in moments:
                assert world.was_notified_within(moment, PROMISED_SECONDS - READING_SECONDS), (
                    moment - began
                )
            assert world.was_notified_within(
                world.loop.time() - 0.02, 0.02
            )  # once more, at the end

    run_in_virtual_time(play)


def test_short_pause_of_the_server_is_not_a_loss() -> None:
    async def play(world: BusWorld) -> None:
        for _ in range(100):
            await asyncio.sleep(1.23)
            world.server.freeze()
            await asyncio.sleep(DEFAULT_TIMINGS.heartbeat_seconds - 0.05)
            world.server.thaw()
        assert (world.server.sessions, len(world.missed)) == (1, 1)

    run_in_virtual_time(play)


def test_stalled_worker_keeps_its_session() -> None:
    async def play(world: BusWorld) -> None:
        for _ in range(100):
            await asyncio.sleep(1.234)
            world.stall(3)
        assert (world.server.sessions, len(world.missed)) == (1, 1)

    run_in_virtual_time(play)


def test_slow_server_is_not_lost() -> None:
    async def play(world: BusWorld) -> None:
        world.server.delay = 0.9 * DEFAULT_TIMINGS.heartbeat_seconds
        await asyncio.sleep(100)
        assert (world.server.sessions, len(world.missed)) == (1, 1)

    run_in_virtual_time(play)


def test_late_answer_does_not_count() -> None:
    """Its session is being ended, which may take a while."""

    async def play(world: BusWorld) -> None:
        monitors: list[HeartbeatMonitor] = []
        connected_after_answer: list[bool] = []

        async def session(monitor: HeartbeatMonitor) -> None:
            monitors.append(monitor)
            monitor.start_beating(lambda: None)
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0.05)
                monitor.note_answer()
                connected_after_answer.append(bus.is_connected)

        bus = ReconnectingSession("slow to end", session)
        await asyncio.sleep(10)
        assert len(monitors) > 3
        assert len(connected_after_answer) > 2
        assert not any(connected_after_answer)
        await bus.close()

    run_in_virtual_time(play)


def test_retry_pauses_grow_and_start_over() -> None:
    async def play(world: BusWorld) -> None:
        tries: list[float] = []

        async def refuse(_: HeartbeatMonitor) -> None:
            tries.append(world.loop.time())
            raise ConnectionRefusedError

        bus = ReconnectingSession("refused", refuse)
        await asyncio.sleep(60)
        pauses = [after - before for before, after in pairwise(tries)]
        assert pauses[0] <= DEFAULT_TIMINGS.first_retry_seconds
        assert all(
            DEFAULT_TIMINGS.longest_retry_seconds / 2
            <= pause
            <= DEFAULT_TIMINGS.longest_retry_seconds
            for pause in pauses[6:]
        )
        await bus.close()
        world.server.stop()
        await asyncio.sleep(60)
        world.server.start()
        await asyncio.sleep(3)
        world.server.stop()
        world.server.start()
        await asyncio.sleep(DEFAULT_TIMINGS.first_retry_seconds + 0.02)
        assert world.bus.is_connected

    run_in_virtual_time(play)


def test_start_without_a_server_does_not_wait_forever() -> None:
    async def main() -> None:
        world = BusWorld()
        world.server.gone = True
        await world.bus.wait_until_connected()
        assert world.loop.time() == DEFAULT_TIMINGS.connect_wait_seconds
        assert [round(moment, 3) for moment in world.missed if moment < 4.5] == [1, 2, 3, 4]
        await world.bus.close()

    virtual_time.run_in_virtual_time(main())


def test_session_that_raises_when_cancelled_still_ends() -> None:
    async def main() -> None:
        tries = 0

        async def session(_: HeartbeatMonitor) -> None:
            nonlocal tries
            tries += 1
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                raise ConnectionError from None

        supervised = ReconnectingSession("a client", session)
        await asyncio.sleep(1)
        # Once, as the event loop does with remaining tasks when it ends.
        for task in supervised._tasks:
            task.cancel()
        await asyncio.wait(supervised._tasks, timeout=60)
        assert all(task.cancelled() for task in supervised._tasks)
        assert tries == 1

    virtual_time.run_in_virtual_time(main())
