"""What the server uses as a clock."""

from collections.abc import Awaitable, Callable
from typing import Protocol


class Clock(Protocol):
    def __call__(self) -> int:
        """Milliseconds since 1970."""


DatabaseClock = Callable[[], Awaitable[int]]
"""Milliseconds since 1970 by the database, which may run on another machine."""
