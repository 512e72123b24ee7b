"""Notifies a table's connections that it has changed: at once, but only a few times a second.

Changes in between are sent together, as the table is then.
"""

import asyncio
from collections.abc import Callable

NEWS_PAUSE_SECONDS = 0.2
"""The time between two messages about a table."""


class TableChangeThrottle:
    def __init__(self, tell: Callable[[], None]) -> None:
        """`tell` sends everyone at the table how it is now."""
        self._tell = tell
        self._pause: asyncio.TimerHandle | None = None
        """Runs while nothing may be sent."""
        self._waiting = False
        """Whether the table has changed since it was last sent."""
        self._essential = False
        """Whether the next message can't be understood without that change."""

    @property
    def is_paused(self) -> bool:
        return self._pause is not None

    def notify_change(self, *, essential: bool) -> None:
        """Send everyone the changed table, now or soon."""
        if self._pause:
            self._waiting = True
            self._essential = essential or self._essential
        else:
            self._tell_now()

    def send_pending_essentials(self) -> None:
        """Send a pending change now if the message that follows can't be understood without it."""
        if self._essential:
            self._tell_now()

    def _tell_now(self) -> None:
        self.cancel()
        self._pause = asyncio.get_running_loop().call_later(NEWS_PAUSE_SECONDS, self._end_pause)
        self._tell()

    def _end_pause(self) -> None:
        self._pause = None
        if self._waiting:
            self._tell_now()

    def cancel(self) -> None:
        """Don't send what has changed so far, and end the pause."""
        self._waiting = self._essential = False
        if self._pause:
            self._pause.cancel()
            self._pause = None
