"""Connections whose client doesn't read what we send."""

import asyncio
from math import inf

STALL_SECONDS = 10.0
"""A client that has read nothing of what waits for it in this time is cut off."""


class StalledWriteGuard(asyncio.Protocol):
    """Ends a connection whose client doesn't read."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _stall_timer: asyncio.TimerHandle | None = None
    _abort_timer: asyncio.TimerHandle | None = None
    _writing_paused = False

    def pause_writing(self) -> None:
        super().pause_writing()
        self._writing_paused = True
        if self._stall_timer:  # what waited at the last check may have been read since
            self._stall_timer.cancel()
        self._schedule_stall_check(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._writing_paused = False
        super().resume_writing()

    def _schedule_stall_check(self, size: int) -> None:
        # While more may be written, the size doesn't tell whether anything was read.
        only_read = self._writing_paused or self.transport.is_closing()
        before = size if only_read else inf
        self._stall_timer = self.loop.call_later(STALL_SECONDS, self._check_for_progress, before)

    def _check_for_progress(self, before: float) -> None:
        """Check even after the transport was closed, which would wait for its buffer forever."""
        self._stall_timer = None
        size = self.transport.get_write_buffer_size()
        if size >= before:
            self.transport.abort()
        elif size:
            self._schedule_stall_check(size)

    def _abort_later(self) -> None:
        """Abort a closed connection later, so that the client has a moment to read the last
        bytes."""
        if self._abort_timer is None:
            self._abort_timer = self.loop.call_later(STALL_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._stall_timer, self._abort_timer):
            if timer:
                timer.cancel()
        super().connection_lost(exc)
