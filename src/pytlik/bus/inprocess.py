"""Wake-ups where there is only one worker."""

import asyncio
from collections.abc import Callable, Sequence

from pytlik.bus import Heard


class InProcessBus:
    def __init__(self) -> None:
        self._heard: list[Heard] = []

    async def start(self, heard: Heard, missed: Callable[[], None]) -> None:
        self._heard.append(heard)
        missed()

    def publish(self, id: str, number: int, _: Sequence[bytes] = ()) -> None:
        loop = asyncio.get_running_loop()
        for heard in self._heard:
            # Not now: whoever publishes may hold a lock.
            loop.call_soon(heard, id, number, "")

    @property
    def connected(self) -> bool:
        return True

    async def close(self) -> None:
        self._heard.clear()
