"""Bots at a table. They think in processes of their own, so that nobody waits for them, and they
get only what their seat may see.

There are fewer processes than tables. So tables take turns, a bot that searches has less time the
more of them wait, and those that answer at once have a process that no search is ever in.
"""

import asyncio
import atexit
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from pytlik.chance import Stream
from pytlik.game import Budget, Ready, Seat
from pytlik.server import metrics
from pytlik.server.deadlines import table_of
from pytlik.server.fair_queue import FairQueue
from pytlik.server.following import follow
from pytlik.server.live_match import LiveMatch
from pytlik.store import Unavailable
from pytlik.ubongo import bots as ubongo_bots
from pytlik.ubongo.view import View as UbongoView
from pytlik.unikat import bots as unikat_bots
from pytlik.unikat.view import View as UnikatView

T = TypeVar("T")

Step = tuple[int, Any]
"""A moment, and what is done then."""

POLITE = 10
"""How far bots stand back where the system has no scheduling for idle times (a nice value)."""


SEARCHING = {("unikat", "master")}
"""Games and levels that think for as long as they are given. All others answer within
milliseconds."""

LEAST_SECONDS = 0.3
"""That long a bot that searches may think, however many others wait."""

HEAVY = "heavy"
"""Takes turns with the tables: whatever else is worked out in the bots' processes."""


def unikat_steps(view: UnikatView, level: str, stream: Stream, budget: Budget) -> tuple[Step, ...]:
    return ((0, unikat_bots.LEVELS[level](view, stream, budget)),)


def ubongo_steps(view: UbongoView, level: str, stream: Stream, budget: Budget) -> tuple[Step, ...]:
    if view.choices.ready:
        return ((0, Ready()),)
    return ubongo_bots.LEVELS[level](view, stream)


THINK: dict[str, Callable[[Any, str, Stream, Budget], tuple[Step, ...]]] = {
    "unikat": unikat_steps,
    "ubongo": ubongo_steps,
}


def think(
    game: str, view: Any, level: str, stream: Stream, budget: Budget = Budget()
) -> tuple[Step, ...]:
    """Runs in a worker process: the budget's time counts from here, not from when it was asked."""
    return THINK[game](view, level, stream, budget)


def begin_work() -> None:
    """In a worker process, which has imported by now all that it needs."""
    follow()
    stand_back()
    # Python would take itself apart first: a minute, where the server's own work leaves no time.
    atexit.register(os._exit, 0)


def stand_back() -> None:
    """Whoever waits for an answer comes before bots that think. A nice value only makes them get
    less: Linux lets them finish their slice first, each time that the server has something to do,
    which is several times in an action. Idle ones are put aside at once."""
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except (AttributeError, OSError):  # another system, or a sandbox that does not allow it
        if hasattr(os, "nice"):
            os.nice(POLITE)


def share_time(seconds: float, queue: FairQueue) -> float:
    """How long somebody may search where others want the same: once all have had their turn, no
    more time has passed than one of them had asked for."""
    share = seconds * queue.slots / max(queue.slots, queue.askers)
    return max(share, min(seconds, LEAST_SECONDS))


class DaemonThreads(Executor):
    """A thread for each piece of work. Nobody waits for it when the program ends, as they would
    for the threads of `asyncio.to_thread`."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # nothing can take it back once it has begun

        def run() -> None:
            try:
                future.set_result(work(*given, **named))
            except BaseException as error:  # noqa: BLE001 - it is whoever asked who has to hear of it
                future.set_exception(error)

        threading.Thread(target=run, name="pytlik-thinking", daemon=True).start()
        return future


def kill(pool: ProcessPoolExecutor) -> None:
    """End a pool at once, whatever its processes are doing: they only think, and own nothing."""
    processes = list((pool._processes or {}).values())  # noqa: SLF001 - before 3.14 no other way
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


class Automatic:
    """The processes that bots think in; threads, if there are to be none."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._threads = DaemonThreads()
        self._closed = False
        self._quick = FairQueue(1)
        self._slow = FairQueue(max(1, workers))
        self._plans: dict[tuple[str, Seat], tuple[Any, tuple[Step, ...]]] = {}

    async def next(
        self, room: LiveMatch, seat: Seat, level: str, now: int, seconds: float
    ) -> Step | None:
        """The bot's next move and its moment (0: now), from what its seat sees."""
        view = room.game.view(room.state, seat)
        if room.game.name == "ubongo" and view.choices.solve:
            steps = await self._plan(room, seat, level, view)
            return ubongo_bots.pending(steps, view.placed[seat], now)
        stream = room.chance.stream(f"bot {seat} after {room.seq}")
        table = table_of(room.id)
        steps = await self._think(table, room.game.name, view, level, stream, seconds)
        return steps[0]

    async def _plan(
        self, room: LiveMatch, seat: Seat, level: str, view: UbongoView
    ) -> tuple[Step, ...]:
        """A race is planned once, with moments counted from its beginning."""
        key, moment = (room.id, seat), (view.round, view.began)
        known = self._plans.get(key)
        if known is None or known[0] != moment:
            stream = room.chance.stream(f"bot {seat} in round {view.round}")
            known = (moment, await self._think(table_of(room.id), "ubongo", view, level, stream))
            self._plans[key] = known
        return known[1]

    def forget(self, match: str) -> None:
        for key in [key for key in self._plans if key[0] == match]:
            del self._plans[key]

    async def _think(
        self,
        table: str,
        game: str,
        view: Any,
        level: str,
        stream: Stream,
        seconds: float = Budget().seconds,
    ) -> tuple[Step, ...]:
        queue = self._slow if (game, level) in SEARCHING else self._quick
        with metrics.BOTS.track_inprogress():
            async with queue.turn(table):
                budget = Budget(share_time(seconds, queue))
                return await self._run(think, game, view, level, stream, budget)

    async def compute(self, work: Callable[..., T], *given: Any) -> T:
        """Whatever else takes a while, when its turn has come. Raises Unavailable when the server
        stops."""
        async with self._slow.turn(HEAVY):
            return await self._run(work, *given)

    async def _run(self, work: Callable[..., T], *given: Any) -> T:
        """Let one of the processes do something now. Raises Unavailable when the server stops."""
        loop = asyncio.get_running_loop()
        for last_try in (False, True):
            if self._closed:
                break
            if not self._workers:
                return await loop.run_in_executor(self._threads, work, *given)
            if self._pool is None:
                # Spawned and not forked: a fork would inherit threads and connections.
                context = multiprocessing.get_context("spawn")
                # One more than may search at once; it starts when it is first needed.
                size = self._workers + self._quick.slots
                self._pool = ProcessPoolExecutor(size, context, initializer=begin_work)
            pool = self._pool
            try:
                return await loop.run_in_executor(pool, work, *given)
            except BrokenProcessPool:
                if self._pool is pool:  # or somebody else has noticed, and there is a new one
                    self._pool = None
                if last_try and not self._closed:
                    raise
        raise Unavailable("the server stops")

    def close(self) -> None:
        """Stop at once: nobody waits for what is still being thought."""
        self._closed = True
        if self._pool:
            kill(self._pool)
