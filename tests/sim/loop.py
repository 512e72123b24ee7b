"""An event loop with virtual time, on which several processes run in one thread.

Nothing here waits: when every callback has run, time jumps to the next timer. Callbacks run in the
order in which asyncio promises to run them, so whatever happens here can happen on a real loop.
What varies with the seed is how long stores, networks and computations take.

A `Process` stands for an operating-system process. Everything started inside it belongs to it, also
what that starts in turn, because the mark travels in the context of each task and callback. So a
process can be frozen (as after SIGSTOP: nothing of it runs until it is thawed) or killed (as after
SIGKILL: nothing of it ever runs again, not even a `finally`).
"""

import asyncio
import heapq
import warnings
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from random import Random
from typing import Any, TypeVar

from pytlik.server.daemon_threads import DaemonThreads

T = TypeVar("T")

MAX_THREAD_SECONDS = 0.05
"""Seconds within which threads are done with whatever isn't a bot's thinking."""

current_process: ContextVar["Process"] = ContextVar("process")


OUTSIDE_CONTEXT = Context()
"""Belongs to no process."""


def call_outside_processes(
    loop: asyncio.AbstractEventLoop, seconds: float, function: Callable[..., object], *args: Any
) -> None:
    """Call something outside of all processes: what is on its way arrives, also if whoever sent it
    has died meanwhile."""
    loop.call_later(seconds, function, *args, context=OUTSIDE_CONTEXT)


class StuckError(Exception):
    """Somebody waits for something that nothing will ever bring about."""


class Process:
    """What runs together, and stops together."""

    def __init__(self, loop: "SimLoop", name: str) -> None:
        self.loop = loop
        self.name = name
        self.killed = False
        self.frozen = False
        self._held: deque[asyncio.Handle] = deque()
        self._context = copy_context()
        self._context.run(current_process.set, self)
        loop.processes.append(self)

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        self.loop.started.append(self.loop.create_task(work, context=self._context.copy()))

    def call(self, function: Callable[..., T], *args: Any) -> T:
        """Call something as if this process did."""
        return self._context.copy().run(function, *args)

    def freeze(self) -> None:
        self.frozen = True

    def thaw(self) -> None:
        self.frozen = False
        self.loop.run_soon(self._held)
        self._held.clear()

    def kill(self) -> None:
        self.killed = True
        self._held.clear()

    def hold_back_if_stopped(self, handle: asyncio.Handle) -> bool:
        """Whether a callback of this process may not run now. A frozen one runs it later."""
        if self.frozen and not self.killed:
            self._held.append(handle)
        return self.frozen or self.killed


class SimLoop(asyncio.BaseEventLoop):
    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]

    def __init__(self, random: Random) -> None:
        super().__init__()
        self.random = random
        self.longest_thinking = 0.1
        """Seconds within which bots have thought."""
        self.processes: list[Process] = []
        self.started: list[asyncio.Task[Any]] = []
        """All tasks that were started in a process, so that they can be ended together."""
        self.failures: list[BaseException] = []
        """What went wrong in callbacks and in tasks that nobody waited for."""
        self.turns = 0
        self._now = 0.0
        self.set_task_factory(self._make_task)
        self.set_exception_handler(self._note_failure)

    # -------------------------------------------------------------------------------- time

    def time(self) -> float:
        return self._now

    def run_soon(self, handles: deque[asyncio.Handle]) -> None:
        self._ready.extend(handles)

    def _run_once(self) -> None:
        timers = self._scheduled
        while timers and timers[0].cancelled():
            heapq.heappop(timers)._scheduled = False  # type: ignore[attr-defined]
        if not self._ready:
            if not timers:
                raise StuckError("nothing is left to do")
            self._now = max(self._now, timers[0].when())
        while timers and timers[0].when() <= self._now:
            timer = heapq.heappop(timers)
            timer._scheduled = False  # type: ignore[attr-defined]
            self._ready.append(timer)
        for _ in range(len(self._ready)):
            handle = self._ready.popleft()
            if handle.cancelled():
                continue
            process = handle._context.get(current_process)  # type: ignore[attr-defined]
            if process and process.hold_back_if_stopped(handle):
                continue
            self.turns += 1
            handle._run()

    def _process_events(self, event_list: Any) -> None: ...

    def _write_to_self(self) -> None: ...

    # ------------------------------------------------------------------------------- tasks

    def _make_task(
        self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any
    ) -> "asyncio.Task[Any]":
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **options)
        self.started.append(task)
        return task

    def _note_failure(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.failures.append(error or RuntimeError(context["message"]))

    def run_in_executor(self, executor: Any, function: Any, *args: Any) -> Any:  # type: ignore[override]
        """Threads and processes that compute: their answer comes after some time."""
        future = self.create_future()

        def compute() -> None:
            if future.cancelled():
                return
            try:
                future.set_result(function(*args))
            except Exception as error:  # noqa: BLE001 - it is whoever asked who has to hear of it
                future.set_exception(error)

        thinking = isinstance(executor, DaemonThreads)
        longest = self.longest_thinking if thinking else MAX_THREAD_SECONDS
        self.call_later(self.random.uniform(0, longest), compute)
        return future

    def abandon_all_tasks(self) -> None:
        """Drop whatever still runs, without letting it do anything more."""
        for process in self.processes:
            process.kill()
        # What is closed may still start a task: without a loop, its coroutine would be left behind,
        # and complain that nobody has awaited it. With one, it's closed like the others.
        asyncio._set_running_loop(self)
        with warnings.catch_warnings():
            # What is closed may still call something that would have had to be awaited.
            warnings.simplefilter("ignore", RuntimeWarning)
            for task in self.started:
                if not task.done():
                    task._log_destroy_pending = False  # type: ignore[attr-defined]
                    with suppress(BaseException):
                        task.get_coro().close()
        asyncio._set_running_loop(None)
        self._ready.clear()
        self._scheduled.clear()
        self.close()
