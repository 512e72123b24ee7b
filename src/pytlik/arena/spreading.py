"""The same work for many things, on all cores or on many machines."""

import importlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from pytlik.extras import needed

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""So many tasks wait for each processor of a cluster: enough to keep it busy."""

Done = tuple[int, R]
"""The number of the thing, and what came of it."""


def spread(
    work: Callable[[T], R],
    things: Sequence[T],
    *,
    processes: int | None = None,
    ray: str | None = None,
) -> Iterator[Done[R]]:
    """What comes of each thing, in whatever order it is done."""
    if ray is not None:
        yield from on_ray(work, things, ray)
        return
    processes = min(processes or os.cpu_count() or 1, len(things))
    if processes < 2:
        yield from ((index, work(thing)) for index, thing in enumerate(things))
        return
    # Spawned and not forked: whoever calls may have threads.
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        numbered = [(work, index, thing) for index, thing in enumerate(things)]
        yield from pool.imap_unordered(one, numbered)


def one(task: tuple[Callable[[T], R], int, T]) -> Done[R]:
    work, index, thing = task
    return index, work(thing)


def on_ray(work: Callable[[T], R], things: Sequence[T], address: str) -> Iterator[Done[R]]:
    """On a cluster whose machines have Pytlik installed; "local" starts one here."""
    with needed("ray"):
        ray: Any = importlib.import_module("ray")
    ray.init(address=address, log_to_driver=False, logging_level="warning")
    try:
        remote = ray.remote(one)
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        tasks = ((work, index, thing) for index, thing in enumerate(things))
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
