"""Restarts workers that die: at once if one has run well, and otherwise after ever longer pauses,
for example while the database is down."""

import logging
import multiprocessing.connection
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

log = logging.getLogger(__name__)

RAN_WELL_SECONDS = 10.0
"""A worker that lived longer than this didn't fail to start."""

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 8.0
"""Starting keeps a core busy for about a second, so with the longest pause each worker needs a
ninth of a core; and once the database is back nobody waits for longer than that."""

TICK_SECONDS = 0.2
"""A signal to stop is noticed within this time."""


class Process(Protocol):
    """The part of multiprocessing.Process that we use."""

    @property
    def pid(self) -> int | None: ...
    @property
    def exitcode(self) -> int | None: ...
    @property
    def sentinel(self) -> int: ...
    def is_alive(self) -> bool: ...
    def terminate(self) -> None: ...
    def join(self) -> None: ...


class WorkerSlot:
    """The place of one worker, and what became of its predecessors."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: Process | None = None
        self.failures = 0
        self.start_at = 0.0
        self._started = 0.0

    def note_start(self, process: Process, now: float) -> None:
        self.process = process
        self._started = now

    def note_death(self, now: float) -> float:
        """Note that the worker has died, and return how long to wait before the next one starts."""
        self.process = None
        if now - self._started >= RAN_WELL_SECONDS:
            self.failures = 0
            pause = 0.0
        else:
            pause = min(FIRST_PAUSE_SECONDS * 2**self.failures, LONGEST_PAUSE_SECONDS)
            self.failures += 1
        self.start_at = now + pause
        return pause


def keep_running(
    workers: int,
    start: Callable[[int], Process],
    stopping: Callable[[], bool],
    died: Callable[[int, Process], None] = lambda *_: None,
    *,
    clock: Callable[[], float] = time.monotonic,
    wait: Callable[[Sequence[Any], float], Any] = multiprocessing.connection.wait,
) -> None:
    """Run this many workers until it is time to stop, and then stop them."""
    places = [WorkerSlot(number) for number in range(workers)]
    while not stopping():
        now = clock()
        for place in places:
            process = place.process
            if process and not process.is_alive():
                pause = place.note_death(now)
                died(place.number, process)
                log.warning(
                    "worker %d has died (%s), another starts in %.1f s",
                    place.number,
                    process.exitcode,
                    pause,
                )
            if place.process is None and now >= place.start_at:
                place.note_start(start(place.number), now)
        wait([place.process.sentinel for place in places if place.process], TICK_SECONDS)
    running = [place.process for place in places if place.process]
    for process in running:
        process.terminate()
    for process in running:
        process.join()
