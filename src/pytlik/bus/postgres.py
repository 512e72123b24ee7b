"""Wake-ups by PostgreSQL's NOTIFY.

`PostgresStore(notify=True)` sends them inside the transaction that they speak of: so they come in
order, and only if it commits. Here is who listens.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import asyncpg

from pytlik.bus import Heard
from pytlik.bus.supervised import Supervised

CHANNEL = "pytlik"
"""As `pytlik.store.postgres` has it, which this can't import: neither needs the other."""

QUIET = 20
"""After so many seconds without a word see whether the connection still lives."""

TIMEOUT = 10


class PostgresBus:
    def __init__(self, url: str) -> None:
        self._url = url
        self._listening: list[Supervised] = []

    async def start(self, heard: Heard, missed: Callable[[], None]) -> None:
        async def session(up: Callable[[], None]) -> None:
            await listen(self._url, heard, missed, up)

        listening = Supervised("wake-ups from PostgreSQL", session, missed)
        self._listening.append(listening)
        await listening.connected()

    def publish(self, id: str, number: int) -> None:
        """The store has said it already."""

    @property
    def connected(self) -> bool:
        return all(listening.up for listening in self._listening)

    async def close(self) -> None:
        for listening in self._listening:
            await listening.close()


async def listen(
    url: str, heard: Heard, missed: Callable[[], None], up: Callable[[], None]
) -> None:
    """Listen until the connection breaks."""
    lost = asyncio.Event()

    def notified(_connection: Any, _pid: int, _channel: str, payload: object) -> None:
        id, _, number = str(payload).rpartition(" ")
        if id and number.isdecimal():
            heard(id, int(number))

    connection = await asyncpg.connect(url, timeout=TIMEOUT, command_timeout=TIMEOUT)
    try:
        connection.add_termination_listener(lambda _: lost.set())
        await connection.add_listener(CHANNEL, notified)
        up()
        missed()
        while not lost.is_set():
            try:
                async with asyncio.timeout(QUIET):
                    await lost.wait()
            except TimeoutError:
                await connection.execute("SELECT 1")
        raise ConnectionResetError("PostgreSQL has closed the connection")
    finally:
        connection.terminate()
