"""When the scheduler has to run next."""

import asyncio
from collections.abc import Mapping

from pytlik.server.clock import Clock


class Alarm:
    def __init__(self, clock: Clock) -> None:
        self.at = 0
        """The moment at which it goes off (ms)."""
        self._clock = clock
        self._moved = asyncio.Event()

    def add(self, deadlines: Mapping[str, int | None]) -> None:
        """Add deadlines that this worker has set: one may come sooner than anything known so
        far."""
        soonest = min((at for at in deadlines.values() if at is not None), default=None)
        if soonest is not None and soonest < self.at:
            self.at = soonest
            self._moved.set()

    async def wait(self) -> None:
        """Wait until it goes off, even if it's moved forward in the meantime."""
        while True:
            self._moved.clear()
            try:
                async with asyncio.timeout(max(0, self.at - self._clock()) / 1000):
                    await self._moved.wait()
            except TimeoutError:
                return
