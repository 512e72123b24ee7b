"""An object that stays in a map while anybody uses it."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Self, TypeVar

from pytlik.server.background_tasks import BackgroundTasks

T = TypeVar("T")


class RefCounted:
    def __init__(self, id: str, registry: dict[str, Any], tasks: BackgroundTasks) -> None:
        self.id = id
        self._registry = registry
        self._tasks = tasks
        self._pins = 0

    @contextmanager
    def pin(self) -> Iterator[Self]:
        """Stay in the map for the duration of the block."""
        self._pin()
        try:
            yield self
        finally:
            self._unpin()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start something that somebody waits for, and stay until it has ended."""
        task = self._tasks.start(work)
        self._pin()
        task.add_done_callback(lambda _: self._unpin())
        return task

    def start_unattended(self, work: Coroutine[Any, Any, Any]) -> None:
        """Start something that nobody waits for, and stay until it has ended."""
        self._pin()
        self._tasks.start_unattended(work, self._unpin)

    def _pin(self) -> None:
        self._pins += 1
        self._registry[self.id] = self

    def _unpin(self) -> None:
        self._pins -= 1
        if not self._pins:
            del self._registry[self.id]
            self._on_unused()

    def _on_unused(self) -> None:
        """Called when nobody uses it any more."""
