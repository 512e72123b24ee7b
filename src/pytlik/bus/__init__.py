"""Wake-ups between workers: see `pytlik.wake_ups` for what they say.

Whoever listens again after a break is told so, and looks at everything.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

Heard = Callable[[str, int, str], None]
"""Called with the fields of a `WakeUp`."""


class Bus(Protocol):
    async def start(self, heard: Heard, missed: Callable[[], None]) -> None:
        """Listen from now on. `missed` is called when wake-ups may have been lost, and now and then
        while none can be heard."""

    def publish(self, id: str, number: int, events: Sequence[bytes] = ()) -> None:
        """Wake the others up, with the events that have led to this number. Never waits and never
        raises: a lost wake-up only delays."""

    @property
    def connected(self) -> bool:
        """Whether wake-ups come and go at the moment."""

    async def close(self) -> None: ...
