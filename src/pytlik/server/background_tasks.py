"""Background work: it ends with the worker, and no error is lost."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from pytlik.store import Conflict, Unavailable

T = TypeVar("T")

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""How long to wait before retrying a store that couldn't be reached."""


class BackgroundTasks:
    """The running tasks of a worker."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[Any], None] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start something whose result somebody waits for."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._forget)
        return task

    def start_unattended(
        self, work: Coroutine[Any, Any, Any], when_done: Callable[[], None] | None = None
    ) -> None:
        """Start something that nobody waits for: an error is logged."""
        task = self.start(work)
        task.add_done_callback(log_error)
        if when_done:
            task.add_done_callback(lambda _: when_done())

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.pop(task, None)
        if not task.cancelled():
            task.exception()  # marks it as seen: those who waited for it may have gone

    async def cancel_all(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def log_error(task: "asyncio.Task[Any]") -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("a task failed", exc_info=error)


async def retry(
    work: Callable[[], Awaitable[object]], *, on_first_failure: Callable[[], None] | None = None
) -> None:
    """Retry until the store answers; nothing else triggers this again."""
    while True:
        try:
            await work()
        except (Unavailable, Conflict):
            if on_first_failure:
                on_first_failure()
                on_first_failure = None
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return
