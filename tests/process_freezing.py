"""Freezing a process for a test, which `make shake` respects.

Nobody can tell whether a process was stopped once or twice. So if `make shake` had stopped it a
moment before the test did, it would continue it in the middle of the test.
"""

import fcntl
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FROZEN_FOLDER = Path(__file__).parent.parent / "build" / "frozen"
"""Has a file for each process that a test has frozen, named after its process id."""


@contextmanager
def frozen_process(pid: int) -> Iterator[None]:
    """Freeze a process during the block: it does nothing, and closes nothing."""
    mark = FROZEN_FOLDER / str(pid)
    with lock_signals():
        mark.touch()
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with lock_signals():
            mark.unlink()
            os.kill(pid, signal.SIGCONT)


def is_frozen_by_test(pid: int) -> bool:
    return (FROZEN_FOLDER / str(pid)).exists()


@contextmanager
def lock_signals() -> Iterator[None]:
    """Held by whoever freezes or continues processes: a test, or `make shake`."""
    FROZEN_FOLDER.mkdir(parents=True, exist_ok=True)
    with (FROZEN_FOLDER / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
