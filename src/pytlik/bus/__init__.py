"""Wake-ups between workers: "this match (or table) has reached that number".

They carry nothing else, because what happened is read from the store: a wake-up that is lost
delays, and never loses anything. Whoever listens again after a break is told so, and looks at
everything.
"""

from collections.abc import Callable
from typing import Protocol

Heard = Callable[[str, int], None]
"""Called with the id of a match or a table, and the seq or the version that it has reached."""


class Bus(Protocol):
    async def start(self, heard: Heard, missed: Callable[[], None]) -> None:
        """Listen from now on. `missed` is called when wake-ups may have been lost, and now and then
        while none can be heard."""

    def publish(self, id: str, number: int) -> None:
        """Wake the others up. Never waits and never raises: a lost wake-up only delays."""

    @property
    def connected(self) -> bool:
        """Whether wake-ups come and go at the moment."""

    async def close(self) -> None: ...


def parse_news(news: str) -> tuple[str, int] | None:
    """ "id number", and perhaps something that only a newer Pytlik knows; None if it is neither."""
    id, number, *_ = (*news.split(" "), "")
    return (id, int(number)) if id and number.isdecimal() else None
