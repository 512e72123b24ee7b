"""One request to the store for everyone who asks the same kind of question at the same time.

When thousands of people come back at once, their questions would otherwise wait in the store's
queue, and actions behind them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

PATIENCE_SECONDS = 0.1
"""How long the next request waits for the one before. One that the store never answers holds up
nobody else."""


class BatchedReads(Generic[K, V]):
    """Callers that ask while a request is under way share the next one."""

    def __init__(self, read: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._read = read
        self._waiting: dict[K, asyncio.Future[V | None]] = {}
        self._reader: asyncio.Task[None] | None = None
        self._requests: set[asyncio.Task[None]] = set()

    async def get(self, key: K) -> V | None:
        """The value of a key; None if it has none. Raises whatever the request raises."""
        loop = asyncio.get_running_loop()
        answer = self._waiting.setdefault(key, loop.create_future())
        if self._reader is None:
            self._reader = loop.create_task(self._read_all())
        return await asyncio.shield(answer)  # others may wait for it, too

    async def _read_all(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, {}
                request = asyncio.create_task(self._answer(batch))
                self._requests.add(request)
                request.add_done_callback(self._requests.discard)
                await asyncio.wait([request], timeout=PATIENCE_SECONDS)
        finally:
            self._reader = None

    async def _answer(self, batch: Mapping[K, "asyncio.Future[V | None]"]) -> None:
        try:
            found = await self._read(list(batch))
        except Exception as error:  # noqa: BLE001 - passed on to everyone who waits
            for answer in batch.values():
                answer.set_exception(error)
                answer.exception()  # nobody may be waiting any more
        else:
            for key, answer in batch.items():
                answer.set_result(found.get(key))
