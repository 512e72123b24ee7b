"""Wake-ups between workers: see `pytlik.wake_ups` for what they say.

A worker follows the tables that somebody there looks at, and needs to hear of no others. Whoever
listens again after a break is told so, and looks at everything.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

Heard = Callable[[str, int, str], None]
"""Called with the fields of a `WakeUp`."""

Missed = Callable[[str | None], None]
"""Called when wake-ups may have been lost: those of one table, or any."""


class Bus(Protocol):
    async def start(self, heard: Heard, missed: Missed) -> None:
        """Listen from now on. `missed` is also called now and then while nothing can be heard."""

    def follow(self, table: str) -> None:
        """Hear of a table and its matches. Never waits; `missed` is called if it takes a while
        until they can be heard."""

    def unfollow(self, table: str) -> None:
        """Wake-ups of this table aren't needed any more."""

    def publish(self, id: str, number: int, events: Sequence[bytes] = ()) -> None:
        """Wake the others up, with the events that have led to this number. Never waits and never
        raises: a lost wake-up only delays."""

    @property
    def is_connected(self) -> bool:
        """Whether wake-ups come and go at the moment."""

    async def close(self) -> None: ...
