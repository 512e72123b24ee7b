"""Wake-ups between workers: see `pytlik.wake_ups` for what they say.

A worker follows the tables that its people look at, and needs no wake-ups for others. If wake-ups
may have been lost, the worker is told, and checks the store.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

OnWakeUp = Callable[[str, int, str], None]
"""A callback that gets the fields of a `WakeUp`."""

OnMissed = Callable[[str | None], None]
"""A callback for when wake-ups may have been lost: those of one table, or of any (None)."""


class Bus(Protocol):
    async def start(self, on_wake_up: OnWakeUp, on_missed: OnMissed) -> None:
        """Listen from now on. While nothing can be heard, `on_missed` is called again and again."""

    def follow(self, table: str) -> None:
        """Listen to wake-ups of a table and its matches. Never waits: if they can't be heard at
        once, `on_missed` is called as soon as they can."""

    def unfollow(self, table: str) -> None:
        """Stop listening to wake-ups of a table."""

    def publish(self, id: str, seq_or_version: int, events: Sequence[bytes] = ()) -> None:
        """Tell the other workers that a match has reached this seq, with the last events that led
        there, or a table this version. Never waits and never raises: a lost wake-up only delays."""

    @property
    def is_connected(self) -> bool:
        """Whether wake-ups come and go at the moment."""

    async def close(self) -> None: ...
