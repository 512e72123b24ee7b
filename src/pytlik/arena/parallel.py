"""Runs a function for many items, on all cores or on many machines."""

import importlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from pytlik.extras import explain_missing_extra

T = TypeVar("T")
R = TypeVar("R")

QUEUED_TASKS_PER_CPU = 4
"""How many tasks are queued for each processor of a cluster: enough to keep it busy."""

NumberedResult = tuple[int, R]
"""The number of an item, and its result."""


def run_as_completed(
    work: Callable[[T], R],
    items: Sequence[T],
    *,
    processes: int | None = None,
    ray: str | None = None,
) -> Iterator[NumberedResult[R]]:
    """The result for each item, in the order in which they finish."""
    if ray is not None:
        yield from run_on_ray(work, items, ray)
        return
    processes = min(processes or os.cpu_count() or 1, len(items))
    if processes < 2:
        yield from ((index, work(item)) for index, item in enumerate(items))
        return
    # Spawned, not forked: the caller may have threads.
    with block_interrupts():
        workers = multiprocessing.get_context("spawn").Pool(processes)
    with workers as pool:
        numbered = [(work, index, item) for index, item in enumerate(items)]
        yield from pool.imap_unordered(run_one, numbered)


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Hide Ctrl+C from processes that are started inside. A terminal sends it to all of them, and
    each would print a traceback; the pool ends them anyway."""
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows has no such masks.
        return
    # Starting the resource tracker unblocks the signal, so it has to be running already.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_one(task: tuple[Callable[[T], R], int, T]) -> NumberedResult[R]:
    work, index, item = task
    return index, work(item)


def run_on_ray(
    work: Callable[[T], R], items: Sequence[T], address: str
) -> Iterator[NumberedResult[R]]:
    """Run on a cluster whose machines have Pytlik installed; the address "local" starts one."""
    with explain_missing_extra("ray"):
        ray: Any = importlib.import_module("ray")
    ray.init(address=address, log_to_driver=False, logging_level="warning")
    try:
        remote = ray.remote(run_one)
        most = QUEUED_TASKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1)))
        tasks = ((work, index, item) for index, item in enumerate(items))
        waiting: list[Any] = []
        for task in tasks:
            waiting.append(remote.remote(task))
            if len(waiting) >= most:
                done, waiting = ray.wait(waiting)
                yield from ray.get(done)
        while waiting:
            done, waiting = ray.wait(waiting)
            yield from ray.get(done)
    finally:
        ray.shutdown()
