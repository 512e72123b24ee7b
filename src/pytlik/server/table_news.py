"""When a table's connections are told that it has changed: at once, but only a few times a second.

What comes in between is told together, as it is then.
"""

import asyncio
from collections.abc import Callable

PAUSE_SECONDS = 0.2
"""From one telling of a table to the next."""


class TableNews:
    def __init__(self, tell: Callable[[str], None]) -> None:
        """`tell` says to everyone at a table how it is now."""
        self._tell = tell
        self._pauses: dict[str, asyncio.TimerHandle] = {}
        """The tables that were told of just now, and when each may be told of again."""
        self._waiting: dict[str, bool] = {}
        """Those that have changed since, and whether what follows can't be understood without."""

    def __len__(self) -> int:
        return len(self._pauses)

    def changed(self, table: str, *, essential: bool) -> None:
        """A table has changed: tell of it, now or soon."""
        if table in self._pauses:
            self._waiting[table] = essential or self._waiting.get(table, False)
        else:
            self._tell_now(table)

    def catch_up(self, table: str) -> None:
        """Something follows that is about a table: what is essential for it goes first."""
        if self._waiting.get(table):
            self._pauses[table].cancel()
            self._tell_now(table)

    def _tell_now(self, table: str) -> None:
        self._waiting.pop(table, None)
        loop = asyncio.get_running_loop()
        self._pauses[table] = loop.call_later(PAUSE_SECONDS, self._go_on, table)
        self._tell(table)

    def _go_on(self, table: str) -> None:
        del self._pauses[table]
        if table in self._waiting:
            self._tell_now(table)

    def forget(self, table: str) -> None:
        """Nobody is there any more."""
        self._waiting.pop(table, None)
        if timer := self._pauses.pop(table, None):
            timer.cancel()

    def close(self) -> None:
        for table in tuple(self._pauses):
            self.forget(table)
