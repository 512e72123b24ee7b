"""A task that keeps a connection alive: when it breaks, another is made, sooner or later."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress

log = logging.getLogger(__name__)

SOON, LATE = 0.05, 2.0
"""Seconds between tries: the first, and the most that they grow to."""

BLIND = 2.0
"""Every so many seconds without a connection whoever listens should look for itself."""

PATIENCE = 5.0
"""Seconds that `start` waits for the first connection, before it goes on without one."""


class Supervised:
    """Runs `session` again and again. It calls `up` once it is connected, and ends by an exception
    when the connection is lost. While there is none `blind` is called now and then."""

    def __init__(
        self,
        name: str,
        session: Callable[[Callable[[], None]], Awaitable[None]],
        blind: Callable[[], None] = lambda: None,
    ) -> None:
        self._name = name
        self._session = session
        self._blind = blind
        self._connected = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._run(), name=name),
            asyncio.create_task(self._look(), name=f"{name}: looking"),
        ]

    @property
    def up(self) -> bool:
        return self._connected.is_set()

    async def connected(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._connected.wait()

    async def _run(self) -> None:
        this = asyncio.current_task()
        assert this is not None
        wait = SOON
        while True:
            try:
                await self._session(self._up)
            except Exception as error:  # whatever it was, the way out is to try again
                if this.cancelling():
                    # A client that is connecting may take that for a lost connection.
                    raise asyncio.CancelledError from error
                if self._connected.is_set():
                    wait = SOON
                    self._connected.clear()
                log.warning("%s: lost, trying again: %s", self._name, type(error).__name__)
            # Not all workers at the same moment.
            await asyncio.sleep(wait * random.uniform(0.5, 1))
            wait = min(2 * wait, LATE)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(BLIND)
            if not self._connected.is_set():
                self._blind()

    def _up(self) -> None:
        log.info("%s: connected", self._name)
        self._connected.set()

    async def close(self) -> None:
        for task in self._tasks:
            # A client that is connecting may try again by itself.
            while not task.done():
                task.cancel()
                await asyncio.wait([task], timeout=0.1)
