"""The processes in which bots think, so that nobody else waits for them. A bot gets only what its
seat may see.

There are fewer processes than tables. So tables take turns, a bot that searches gets less time the
more of them wait, and bots that answer at once have a process in which nothing ever searches.
"""

import asyncio
import atexit
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from pytlik.chance import Stream
from pytlik.game import AnyGame, Budget, PlanKey, Schedule, Seat, TimedAction, as_schedule
from pytlik.games import GAMES
from pytlik.server import metrics
from pytlik.server.daemon_threads import DaemonThreads
from pytlik.server.fair_queue import FairQueue
from pytlik.server.match.deadlines import table_id_of
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.processes.parent_watch import exit_with_parent
from pytlik.store import Unavailable

T = TypeVar("T")

NICENESS = 10
"""The nice value of bots where the system has no idle scheduling."""

MIN_THINKING_SECONDS = 0.3
"""The least time that a bot that searches gets, however many others wait."""

OTHER_WORK_ASKER = "heavy"
"""The queue's name for work that isn't a table's. It takes turns with the tables."""


def think(
    game: str, view: Any, level: str, stream: Stream, budget: Budget = Budget()
) -> Schedule[Any]:
    """Let a bot decide what to do. Runs in a worker process, where the budget's time starts."""
    rules = GAMES[game]
    action = rules.automatic_action(view)
    if action is not None:
        return ((0, action),)
    return as_schedule(rules.bots[level](view, stream, budget))


def prepare_process() -> None:
    """Prepare a worker process. It has imported everything that it needs."""
    exit_with_parent()
    lower_process_priority()
    # Otherwise Python would tidy up first, which takes a minute on a busy machine.
    atexit.register(os._exit, 0)


def lower_process_priority() -> None:
    """Give people priority over bots. With a nice value alone, Linux would let a bot finish its
    time slice whenever the server has something to do, several times per action. A process with
    idle scheduling gives way at once."""
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except (AttributeError, OSError):  # another system, or a sandbox that does not allow it
        if hasattr(os, "nice"):
            os.nice(NICENESS)


def thinking_seconds(seconds: float, queue: FairQueue) -> float:
    """How long a bot may search when others want to. Once all have had their turn, no more time has
    passed than one of them asked for."""
    share = seconds * queue.slots / max(queue.slots, queue.asker_count)
    return max(share, min(seconds, MIN_THINKING_SECONDS))


def kill_processes(pool: ProcessPoolExecutor) -> None:
    """End a pool at once. Its processes only compute, so nothing is lost."""
    processes = list((pool._processes or {}).values())  # noqa: SLF001 - before 3.14 no other way
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


class BotPool:
    """The bots' processes, or threads if there are no processes."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._threads = DaemonThreads("pytlik-thinking")
        self._closed = False
        self._quick = FairQueue(1)
        self._slow = FairQueue(max(1, workers))
        self._plans: dict[tuple[str, Seat], tuple[PlanKey, Schedule[Any]]] = {}
        self._planning: WeakValueDictionary[tuple[str, Seat], asyncio.Lock] = WeakValueDictionary()
        """Locks for planning, by seat. A lock disappears when nobody holds it or waits for it."""

    async def next_step(
        self, match: LiveMatch, seat: Seat, level: str, now: int, seconds: float
    ) -> TimedAction[Any] | None:
        """A bot's next action and its moment (0: now), from what its seat sees."""
        game, view = match.game, match.game.view(match.state, seat)
        planned = await self.plan(match, seat, level)
        if game.planning and planned:
            return game.planning.next_step(planned[1], view, now)
        stream = match.chance.stream(f"bot {seat} after {match.seq}")
        steps = await self._think(table_id_of(match.id), game, view, level, stream, seconds)
        return next(iter(steps), None)

    async def plan(
        self, match: LiveMatch, seat: Seat, level: str
    ) -> tuple[PlanKey, Schedule[Any]] | None:
        """What a bot is going to do, and what that is planned for; None where bots don't plan
        ahead."""
        view = match.game.view(match.state, seat)
        key = match.game.planning.key(view) if match.game.planning else None
        return (key, await self._get_plan(match, seat, level, view, key)) if key else None

    async def _get_plan(
        self, match: LiveMatch, seat: Seat, level: str, view: Any, key: PlanKey
    ) -> Schedule[Any]:
        """Get a plan. It's made only once, however many ask for it at the same time."""
        async with self._planning.setdefault((match.id, seat), asyncio.Lock()):
            known = self._plans.get((match.id, seat))
            if known is None or known[0] != key:
                stream = match.chance.stream(f"bot {seat} in round {key.round}")
                table = table_id_of(match.id)
                known = key, await self._think(table, match.game, view, level, stream)
                self._plans[match.id, seat] = known
            return known[1]

    def forget(self, match: str) -> None:
        for key in [key for key in self._plans if key[0] == match]:
            del self._plans[key]

    async def _think(
        self,
        table: str,
        game: AnyGame,
        view: Any,
        level: str,
        stream: Stream,
        seconds: float = Budget().seconds,
    ) -> Schedule[Any]:
        queue = self._slow if level in game.searching_levels else self._quick
        with metrics.BOTS_THINKING.track_inprogress():
            async with queue.turn(table):
                budget = Budget(thinking_seconds(seconds, queue))
                return await self._run_in_process(think, game.name, view, level, stream, budget)

    async def compute(self, work: Callable[..., T], *given: Any) -> T:
        """Run something else that takes a while, when its turn comes. Raises Unavailable when the
        server stops."""
        async with self._slow.turn(OTHER_WORK_ASKER):
            return await self._run_in_process(work, *given)

    async def _run_in_process(self, work: Callable[..., T], *given: Any) -> T:
        """Run something in one of the processes, now. Raises Unavailable when the server stops."""
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
                self._pool = ProcessPoolExecutor(size, context, initializer=prepare_process)
            pool = self._pool
            try:
                return await loop.run_in_executor(pool, work, *given)
            except BrokenProcessPool:
                if self._pool is pool:  # otherwise another task has noticed, and replaced it
                    self._pool = None
                if last_try and not self._closed:
                    raise
        raise Unavailable("the server is stopping")

    def close(self) -> None:
        """Stop at once, whatever is still being computed."""
        self._closed = True
        if self._pool:
            kill_processes(self._pool)
