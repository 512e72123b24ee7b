"""When a table's connections are told that it has changed: at once, but only a few times a second.

Changes that come in between are told together, as the table is then.
"""

import asyncio
from collections.abc import Callable

PAUSE_SECONDS = 0.2
"""From one message about a table to the next."""


class TableNews:
    def __init__(self, tell: Callable[[], None]) -> None:
        """`tell` sends everyone at the table how it is now."""
        self._tell = tell
        self._pause: asyncio.TimerHandle | None = None
        """Runs while nothing may be told."""
        self._waiting = False
        """Whether the table has changed since it was last told."""
        self._essential = False
        """Whether what follows can't be understood without that change."""

    @property
    def is_paused(self) -> bool:
        return self._pause is not None

    def notify_change(self, *, essential: bool) -> None:
        """The table has changed: tell of it, now or soon."""
        if self._pause:
            self._waiting = True
            self._essential = essential or self._essential
        else:
            self._tell_now()

    def catch_up(self) -> None:
        """Something about the table follows: what is essential for it goes first."""
        if self._essential:
            self._tell_now()

    def _tell_now(self) -> None:
        self.cancel()
        self._pause = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._go_on)
        self._tell()

    def _go_on(self) -> None:
        self._pause = None
        if self._waiting:
            self._tell_now()

    def cancel(self) -> None:
        """Tell nothing more of what has changed so far."""
        self._waiting = self._essential = False
        if self._pause:
            self._pause.cancel()
            self._pause = None
