"""A server's clock that reacts when the test moves time, and never because real time has passed."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pytlik.server.clocks.scheduler_alarm import SchedulerAlarm

wait_in_real_time = SchedulerAlarm.wait


async def wait_until_moved(alarm: SchedulerAlarm) -> None:
    """Like `SchedulerAlarm.wait`, on a clock that moves only when the test moves the alarm. So
    nothing fires because a machine freezes for a second."""
    while alarm._clock() < alarm.at:
        alarm._moved.clear()
        await alarm._moved.wait()


FOREVER_MS = 10**12


@contextmanager
def ignore_real_time() -> Iterator[None]:
    """Count time that a test lets pass as time in which people could act, although no worker writes
    a heartbeat meanwhile."""
    with (
        patch.object(SchedulerAlarm, "wait", wait_until_moved),
        patch("pytlik.server.clocks.heartbeat.MAX_GAP_MS", FOREVER_MS),
    ):
        yield
