"""What goes on beside the requests, so that it ends with the worker and no error is lost."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from pytlik.store import Conflict, Unavailable

T = TypeVar("T")

log = logging.getLogger(__name__)

AGAIN = 1.0
"""Seconds until the store is asked again, if it could not be reached."""


class Tasks:
    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[Any], None] = {}

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        self._started(work).add_done_callback(self._ended)

    def _started(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.pop(task, None)
        if not task.cancelled():
            task.exception()  # seen: whoever waited for it may have gone

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        if not task.cancelled() and (error := task.exception()):
            log.error("a task failed", exc_info=error)

    async def _insist(
        self, work: Callable[[], Awaitable[None]], *, meanwhile: Callable[[], None] | None = None
    ) -> None:
        """Nobody will say it a second time: so until the store answers. `meanwhile` is what can be
        done, once, if it does not answer at first."""
        while True:
            try:
                await work()
            except (Unavailable, Conflict):
                if meanwhile:
                    meanwhile()
                    meanwhile = None
                await asyncio.sleep(AGAIN)
            else:
                return

    async def _end_all(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
