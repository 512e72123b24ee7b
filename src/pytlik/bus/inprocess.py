"""The bus of a server with only one worker."""

import asyncio
from collections.abc import Sequence

from pytlik.bus import OnBusMessage, OnMissed


class InProcessBus:
    def __init__(self) -> None:
        self._callbacks: list[OnBusMessage] = []

    async def start(self, on_bus_message: OnBusMessage, on_missed: OnMissed) -> None:
        self._callbacks.append(on_bus_message)
        on_missed(None)

    def follow_table(self, table: str) -> None:
        """Does nothing: the worker gets the bus messages about all tables."""

    def unfollow_table(self, table: str) -> None:
        pass

    def publish(self, id: str, seq_or_version: int, _: Sequence[bytes] = ()) -> None:
        loop = asyncio.get_running_loop()
        for on_bus_message in self._callbacks:
            # Not at once: the publisher may hold a lock.
            loop.call_soon(on_bus_message, id, seq_or_version, "")

    @property
    def is_connected(self) -> bool:
        return True

    async def close(self) -> None:
        self._callbacks.clear()
