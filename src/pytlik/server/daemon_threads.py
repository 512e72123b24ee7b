"""Threads that don't keep the program from ending."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class DaemonThreads(Executor):
    """A thread for each piece of work. Unlike those of `asyncio.to_thread`, they don't keep the
    program from ending."""

    def __init__(self, name: str) -> None:
        self._name = name

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # from here on it can't be cancelled

        def run() -> None:
            try:
                future.set_result(work(*given, **named))
            except BaseException as error:  # noqa: BLE001 - passed on to the caller
                future.set_exception(error)

        threading.Thread(target=run, name=self._name, daemon=True).start()
        return future
