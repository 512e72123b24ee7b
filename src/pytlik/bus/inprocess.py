"""Wake-ups where there is only one worker."""

import asyncio
from collections.abc import Sequence

from pytlik.bus import Heard, Missed


class InProcessBus:
    def __init__(self) -> None:
        self._heard: list[Heard] = []

    async def start(self, heard: Heard, missed: Missed) -> None:
        self._heard.append(heard)
        missed(None)

    def follow(self, table: str) -> None:
        """All tables are heard of."""

    def unfollow(self, table: str) -> None:
        pass

    def publish(self, id: str, number: int, _: Sequence[bytes] = ()) -> None:
        loop = asyncio.get_running_loop()
        for heard in self._heard:
            # Not now: whoever publishes may hold a lock.
            loop.call_soon(heard, id, number, "")

    @property
    def is_connected(self) -> bool:
        return True

    async def close(self) -> None:
        self._heard.clear()
