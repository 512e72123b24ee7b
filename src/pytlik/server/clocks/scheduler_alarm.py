"""Wakes the scheduler when something is due."""

import asyncio
from collections.abc import Mapping

from pytlik.server.clocks.clock import Clock


class SchedulerAlarm:
    def __init__(self, clock: Clock) -> None:
        self.at = 0
        """The moment at which it goes off (ms)."""
        self._clock = clock
        self._moved = asyncio.Event()
        self._due: dict[str, dict[str, int]] = {}
        """What is due in matches that are open here, as far as this worker knows."""

    def add(self, match: str, deadlines: Mapping[str, int | None]) -> None:
        """Add deadlines of a match that is open here: one may come sooner than anything known so
        far."""
        due = self._due.setdefault(match, {})
        for kind, at in deadlines.items():
            if at is None:
                due.pop(kind, None)
            else:
                due[kind] = at
                self.ring_by(at)

    def forget(self, match: str) -> None:
        """Forget a match that is no longer open here."""
        self._due.pop(match, None)

    def ring_by(self, at: int) -> None:
        """Go off at this moment at the latest."""
        if at < self.at:
            self.at = at
            self._moved.set()

    def reset(self, latest: int) -> None:
        """Go off when something is due here, but no later than this. What is due by now is left to
        the caller."""
        now = self._clock()
        self.at = latest
        for due in self._due.values():
            for kind, at in tuple(due.items()):
                if at <= now:
                    del due[kind]
                elif at < self.at:
                    self.at = at

    async def wait(self) -> None:
        """Wait until it goes off, even if it's moved forward in the meantime."""
        while True:
            self._moved.clear()
            try:
                async with asyncio.timeout(max(0, self.at - self._clock()) / 1000):
                    await self._moved.wait()
            except TimeoutError:
                return
