"""The clocks that matches and replays in a terminal use."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds that never run backwards."""


class WaitingClock(Clock, Protocol):
    async def wait(self, until: int) -> None:
        """Return at that time, or at once if it has passed."""


class SystemClock:
    """The time of day when the program started, plus what has passed since."""

    def __init__(self) -> None:
        self._offset = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        return self._offset + time.monotonic_ns() // 1_000_000

    async def wait(self, until: int) -> None:
        # One millisecond more, so that it is never early: the event loop's clock is coarser.
        await asyncio.sleep(max(until - self.now() + 1, 0) / 1000)
