"""A connection that is kept alive, and whose silence is noticed.

A connection may be dead without a word: a frozen server closes nothing. So every endpoint sends
itself a heartbeat through the server, again and again, and what does not come back is lost.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Timings:
    """Seconds. As they are, silence is noticed at most a second after it began, and from then on
    `missed` is called every second: so nobody is behind for two."""

    heartbeat: float = 0.5
    """From one heartbeat to the next."""
    blind: float = 1.0
    """From one call of `missed` to the next while nothing can be heard."""
    first_retry: float = 0.05
    longest_retry: float = 1.0
    """Between tries to connect: the first pause, and the longest that they grow to."""
    patience: float = 5.0
    """How long `wait_until_connected` waits before it goes on without a connection."""


TIMINGS = Timings()

LOST_AFTER = 2
"""Intervals without an answer. Counted, not timed: if this very process has stood still, an answer
may already be here that only has to be read."""


class Silent(ConnectionError):
    """Heartbeats don't come back."""


class HeartbeatMonitor:
    """Notices when heartbeats stay unanswered. A session calls `start_beating` once they can be
    sent, and `note_answer` whenever one comes back."""

    def __init__(self, answered: Callable[[], None]) -> None:
        self._tell = answered
        self._opened = asyncio.Event()
        self._send: Callable[[], None] = lambda: None
        self._unanswered = 0

    def start_beating(self, send: Callable[[], None]) -> None:
        """Send heartbeats from now on, by `send`, which must not wait for anything."""
        self._send = send
        self._opened.set()

    def note_answer(self) -> None:
        if self._unanswered < LOST_AFTER:
            self._unanswered = 0
            self._tell()

    async def watch(self, interval: float) -> None:
        """Send heartbeats until they stay without an answer; one that comes after that is too late,
        because the session is already being ended."""
        await self._opened.wait()
        while True:
            self._send()
            await asyncio.sleep(interval)
            self._unanswered += 1
            if self._unanswered == LOST_AFTER:
                raise Silent


Session = Callable[[HeartbeatMonitor], Coroutine[Any, Any, None]]


class ReconnectingSession:
    """Runs `session` again and again; it ends by an exception when its connection is lost. `missed`
    is called when a connection was made, when it was lost, and now and then while there is none."""

    def __init__(
        self,
        name: str,
        session: Session,
        missed: Callable[[], None] = lambda: None,
        timings: Timings = TIMINGS,
    ) -> None:
        self._name = name
        self._session = session
        self._missed = missed
        self._timings = timings
        self._retry = timings.first_retry
        self._connected = asyncio.Event()
        self._lost = asyncio.Event()
        self._lost.set()
        self._tasks = [
            asyncio.create_task(self._run(), name=name),
            asyncio.create_task(self._check_while_disconnected(), name=f"{name}: looking"),
        ]

    @property
    def is_connected(self) -> bool:
        return self._connected.is_set()

    async def wait_until_connected(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timings.patience):
                await self._connected.wait()

    async def _run(self) -> None:
        this = asyncio.current_task()
        assert this is not None
        while True:
            monitor = HeartbeatMonitor(self._mark_connected)
            try:
                await run_until_first_ends(self._session(monitor), self._watch(monitor))
            except Exception as error:  # whatever it was, the way out is to try again
                if this.cancelling():
                    # A client that is connecting may take that for a lost connection.
                    raise asyncio.CancelledError from error
                log.warning("%s: lost, trying again: %s", self._name, type(error).__name__)
                if self._connected.is_set():
                    self._mark_disconnected()
            # Not all workers at the same moment.
            await asyncio.sleep(self._retry * random.uniform(0.5, 1))
            self._retry = min(2 * self._retry, self._timings.longest_retry)

    async def _watch(self, monitor: HeartbeatMonitor) -> None:
        try:
            await monitor.watch(self._timings.heartbeat)
        except Silent:
            # At once: it may take the session a while to end.
            if self._connected.is_set():
                self._mark_disconnected()
            raise

    async def _check_while_disconnected(self) -> None:
        while True:
            await self._lost.wait()
            await asyncio.sleep(self._timings.blind)
            if not self._connected.is_set():
                self._missed()

    def _mark_connected(self) -> None:
        if not self._connected.is_set():
            log.info("%s: connected", self._name)
            self._connected.set()
            self._lost.clear()
            self._retry = self._timings.first_retry
            self._missed()

    def _mark_disconnected(self) -> None:
        self._connected.clear()
        self._lost.set()
        self._missed()

    async def close(self) -> None:
        for task in self._tasks:
            await cancel_until_done(task)


class ReconnectingBus:
    """A bus that hears others through sessions that reconnect."""

    def __init__(self, url: str, timings: Timings = TIMINGS) -> None:
        self._url = url
        self._timings = timings
        self._sessions: list[ReconnectingSession] = []

    async def _open_session(
        self,
        name: str,
        session: Callable[[HeartbeatMonitor], Coroutine[Any, Any, None]],
        missed: Callable[[], None],
    ) -> None:
        opened = ReconnectingSession(name, session, missed, self._timings)
        self._sessions.append(opened)
        await opened.wait_until_connected()

    @property
    def is_connected(self) -> bool:
        return all(session.is_connected for session in self._sessions)

    async def close(self) -> None:
        for session in self._sessions:
            await session.close()


async def run_until_first_ends(*works: Coroutine[Any, Any, None]) -> None:
    """Do all until one of them ends or fails, and answer as it does."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            await cancel_until_done(task)


async def cancel_until_done(task: "asyncio.Task[None]") -> None:
    """Cancel a task, as often as it takes: a client that is connecting may try again by itself."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.1)
    if not task.cancelled():
        task.exception()  # seen, so that nobody is warned of it
