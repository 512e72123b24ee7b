"""A server's clock that looks when the test moves time, and never because real time has passed."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pytlik.server.clocks import Clocks

wait_in_real_time = Clocks._wait


async def wait_until_told(clocks: Clocks) -> None:
    """As `Clocks._wait`, on a clock that moves only when it is told: whoever moves it says so by
    `noted`. A machine that stands still for a second then fires nothing."""
    while clocks._clock() < clocks._soonest:
        clocks._sooner.clear()
        await clocks._sooner.wait()


FOREVER = 10**12


@contextmanager
def told_clock() -> Iterator[None]:
    """Time that a test lets pass has passed for everyone: it's no time in which nobody could act,
    although no worker beats meanwhile."""
    with (
        patch.object(Clocks, "_wait", wait_until_told),
        patch("pytlik.server.presence.UNSURE", FOREVER),
    ):
        yield
