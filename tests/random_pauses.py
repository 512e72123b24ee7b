"""Random pauses in the event loops and threads of the tests, if tests/shake_tests.py has
set SHAKE_SEED_VARIABLE.

No test may fail because a loop or a thread stalls for three seconds.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import thread
from functools import wraps
from random import Random
from typing import Any

import pytest

SHAKE_SEED_VARIABLE = "PYTLIK_SHAKE_SEED"
"""The environment variable with the seed of a shaken run."""

MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.001, 3
SECONDS_BETWEEN_PAUSES = 5
"""How often a process pauses one of its loops or threads, on average."""


def random_pause_seconds(random: Random) -> float:
    """Draw a length. Every order of magnitude is equally likely: races come in all sizes."""
    return float(MIN_PAUSE_SECONDS * (MAX_PAUSE_SECONDS / MIN_PAUSE_SECONDS) ** random.random())


class RandomPauses:
    """Decides when to pause, and for how long."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)
        self._lock = threading.Lock()
        self._next = time.monotonic()
        self._draw_next_pause()

    def _draw_next_pause(self) -> None:
        self._next += self._random.expovariate(1 / SECONDS_BETWEEN_PAUSES)

    def maybe_pause(self) -> None:
        """Pause if it is time."""
        with self._lock:
            now = time.monotonic()
            if now < self._next:
                return
            self._next = now
            self._draw_next_pause()
            length = random_pause_seconds(self._random)
        time.sleep(length)


def add_pauses(pauses: RandomPauses, work: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function, to pause now and then before or after it."""

    @wraps(work)
    def work_with_pauses(*args: Any, **kwargs: Any) -> Any:
        pauses.maybe_pause()
        done = work(*args, **kwargs)
        pauses.maybe_pause()
        return done

    return work_with_pauses


def pytest_configure(config: pytest.Config) -> None:
    if SHAKE_SEED_VARIABLE not in os.environ:
        return
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    pauses = RandomPauses(f"{os.environ[SHAKE_SEED_VARIABLE]} {worker}")
    for owner, name in (
        # Before and after a loop handles what has happened.
        (asyncio.BaseEventLoop, "_run_once"),
        # Before a thread starts, and before others learn that it's done.
        (threading.Thread, "run"),
        (thread._WorkItem, "run"),
    ):
        setattr(owner, name, add_pauses(pauses, getattr(owner, name)))
