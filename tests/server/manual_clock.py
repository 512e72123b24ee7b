"""A server's clock that reacts when the test moves time, and never because real time has passed."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pytlik.server.alarm import Alarm

wait_in_real_time = Alarm.wait


async def wait_until_told(alarm: Alarm) -> None:
    """Like `Alarm.wait`, on a clock that moves only when the test moves the alarm. A machine that
    stands still for a second then fires nothing."""
    while alarm._clock() < alarm.at:
        alarm._moved.clear()
        await alarm._moved.wait()


FOREVER = 10**12


@contextmanager
def manual_clock() -> Iterator[None]:
    """Time that a test lets pass counts as time in which people could act, although no worker beats
    meanwhile."""
    with (
        patch.object(Alarm, "wait", wait_until_told),
        patch("pytlik.server.heartbeat.MAX_GAP_MS", FOREVER),
    ):
        yield
