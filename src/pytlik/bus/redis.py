"""Wake-ups by the pub/sub of Redis or Valkey, for many workers.

What could not be sent waits and is sent later; of a match only the highest number waits. Where too
much waits, all of it becomes one word to look at everything.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from pytlik.bus import Heard
from pytlik.bus.supervised import Supervised

CHANNEL = "pytlik"

MOST = 10_000
"""Ids that may wait to be sent."""

EVERYTHING = "*"
"""Says that wake-ups were dropped."""

QUIET = 20
"""After so many seconds without a word see whether the connection still lives."""

TIMEOUT = 5


class RedisBus:
    def __init__(self, url: str) -> None:
        self._url = url
        self._tasks: list[Supervised] = []
        self._waiting: dict[str, int] = {}
        self._overflown = False
        self._wake = asyncio.Event()

    async def start(self, heard: Heard, missed: Callable[[], None]) -> None:
        async def listening(up: Callable[[], None]) -> None:
            async with connect(self._url) as redis:
                await listen(redis, heard, missed, up)

        self._tasks += [
            Supervised("wake-ups from Redis", listening, missed),
            Supervised("wake-ups to Redis", self._send),
        ]
        for task in self._tasks:
            await task.connected()

    def publish(self, id: str, number: int) -> None:
        if len(self._waiting) >= MOST and id not in self._waiting:
            self._waiting.clear()
            self._overflown = True
        if not self._overflown:
            self._waiting[id] = max(number, self._waiting.get(id, 0))
        self._wake.set()

    async def _send(self, up: Callable[[], None]) -> None:
        async with connect(self._url) as redis:
            await redis.ping()
            up()
            while True:
                await self._wake.wait()
                self._wake.clear()
                sending, self._waiting = self._waiting, {}
                overflown, self._overflown = self._overflown, False
                try:
                    await redis.publish(CHANNEL, EVERYTHING if overflown else packed(sending))
                except BaseException:
                    self._overflown |= overflown
                    for id, number in sending.items():
                        self.publish(id, number)
                    self._wake.set()
                    raise

    @property
    def connected(self) -> bool:
        return all(task.up for task in self._tasks)

    async def close(self) -> None:
        for task in self._tasks:
            await task.close()


def packed(numbers: dict[str, int]) -> str:
    return "\n".join(f"{id} {number}" for id, number in numbers.items())


def unpacked(payload: str) -> Iterator[tuple[str, int]]:
    for line in payload.split("\n"):
        id, _, number = line.rpartition(" ")
        if id and number.isdecimal():
            yield id, int(number)


def connect(url: str) -> "Redis":
    """A client that tries nothing twice by itself: `Supervised` does, and knows of it."""
    return Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=TIMEOUT,
        socket_connect_timeout=TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )


async def listen(
    redis: "Redis", heard: Heard, missed: Callable[[], None], up: Callable[[], None]
) -> None:
    """Listen until the connection breaks."""
    async with redis.pubsub() as pubsub:
        await pubsub.subscribe(CHANNEL)
        asked = False
        while True:
            message: dict[str, Any] | None = await pubsub.get_message(timeout=QUIET)
            if message is None:
                if asked:
                    raise ConnectionResetError("Redis has nothing to say")
                await pubsub.ping()
                asked = True
                continue
            asked = False
            if message["type"] == "subscribe":
                # The client may have connected anew without a word: only this shows it.
                up()
                missed()
            elif message["type"] == "message":
                if message["data"] == EVERYTHING:
                    missed()
                for id, number in unpacked(message["data"]):
                    heard(id, number)
