"""An event loop with virtual time that runs several processes in one thread.

Nothing here really waits: when every callback has run, time jumps to the next timer. Callbacks run
in the order that asyncio promises, so whatever happens here can happen on a real loop. What varies
with the seed is how long stores, networks and computations take.

A `Process` stands for an operating-system process. It owns everything that is started in it, and
everything that this starts in turn, because a mark travels in the context of each task and
callback. So a process can be frozen (as after SIGSTOP: nothing in it runs until it's thawed) or
killed (as after SIGKILL: nothing in it ever runs again, not even a `finally`).
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
"""The most seconds that threads need for anything but a bot's thinking."""

current_process: ContextVar["Process"] = ContextVar("process")


OUTSIDE_CONTEXT = Context()
"""A context outside of all processes."""


def call_outside_processes(
    loop: asyncio.AbstractEventLoop, seconds: float, function: Callable[..., object], *args: Any
) -> None:
    """Call something later, outside of all processes: what is on its way arrives even if its sender
    has died in the meantime."""
    loop.call_later(seconds, function, *args, context=OUTSIDE_CONTEXT)


class StuckError(Exception):
    """Everything waits for something that can never happen."""


class Process:
    """A simulated process: its tasks and callbacks are frozen and killed together."""

    def __init__(self, loop: "SimLoop", name: str) -> None:
        self.loop = loop
        self.name = name
        self.killed = False
        self.frozen = False
        self._held_handles: deque[asyncio.Handle] = deque()
        self._context = copy_context()
        self._context.run(current_process.set, self)
        loop.processes.append(self)

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        self.loop.started_tasks.append(self.loop.create_task(work, context=self._context.copy()))

    def call(self, function: Callable[..., T], *args: Any) -> T:
        """Call something as if it happened in this process."""
        return self._context.copy().run(function, *args)

    def freeze(self) -> None:
        self.frozen = True

    def thaw(self) -> None:
        self.frozen = False
        self.loop.run_soon(self._held_handles)
        self._held_handles.clear()

    def kill(self) -> None:
        self.killed = True
        self._held_handles.clear()

    def hold_back_if_stopped(self, handle: asyncio.Handle) -> bool:
        """Whether this process is frozen or killed, so that a callback mustn't run now. A frozen
        process runs it later."""
        if self.frozen and not self.killed:
            self._held_handles.append(handle)
        return self.frozen or self.killed


class SimLoop(asyncio.BaseEventLoop):
    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]

    def __init__(self, random: Random) -> None:
        super().__init__()
        self.random = random
        self.max_thinking_seconds = 0.1
        """The most seconds that a bot thinks."""
        self.processes: list[Process] = []
        self.started_tasks: list[asyncio.Task[Any]] = []
        """All tasks, so that they can be ended together."""
        self.failures: list[BaseException] = []
        """Errors in callbacks, and in tasks that nobody awaited."""
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
            handle._run()

    def _process_events(self, event_list: Any) -> None: ...

    def _write_to_self(self) -> None: ...

    # ------------------------------------------------------------------------------- tasks

    def _make_task(
        self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any
    ) -> "asyncio.Task[Any]":
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **options)
        self.started_tasks.append(task)
        return task

    def _note_failure(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.failures.append(error or RuntimeError(context["message"]))

    def run_in_executor(self, executor: Any, function: Any, *args: Any) -> Any:  # type: ignore[override]
        """Compute what belongs to threads and other processes. The answer comes after a while."""
        future = self.create_future()

        def compute() -> None:
            if future.cancelled():
                return
            try:
                future.set_result(function(*args))
            except Exception as error:  # noqa: BLE001 - the caller gets it
                future.set_exception(error)

        is_thinking = isinstance(executor, DaemonThreads)
        max_seconds = self.max_thinking_seconds if is_thinking else MAX_THREAD_SECONDS
        self.call_later(self.random.uniform(0, max_seconds), compute)
        return future

    def abandon_all_tasks(self) -> None:
        """Drop everything that is still running, without letting it do anything more."""
        for process in self.processes:
            process.kill()
        # A coroutine that is closed may still start a task. Without a running loop, the new task's
        # coroutine would be left behind with a warning that it was never awaited. With one, it's
        # closed like the others.
        asyncio._set_running_loop(self)
        with warnings.catch_warnings():
            # A coroutine that is closed may still make a call that would have to be awaited.
            warnings.simplefilter("ignore", RuntimeWarning)
            for task in self.started_tasks:
                if not task.done():
                    task._log_destroy_pending = False  # type: ignore[attr-defined]
                    with suppress(BaseException):
                        task.get_coro().close()
        asyncio._set_running_loop(None)
        self._ready.clear()
        self._scheduled.clear()
        self.close()
