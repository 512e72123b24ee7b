"""The time, for those who play in this process."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds that never run back."""


class WaitingClock(Clock, Protocol):
    async def wait(self, until: int) -> None:
        """Come back at a moment, or at once if it is past."""


class SystemClock:
    """The time of day when the program began, and from then on what has passed."""

    def __init__(self) -> None:
        self._began = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        return self._began + time.monotonic_ns() // 1_000_000

    async def wait(self, until: int) -> None:
        # A little more, so that it is never too early: a loop's clock is not as fine as ours.
        await asyncio.sleep(max(until - self.now() + 1, 0) / 1000)
