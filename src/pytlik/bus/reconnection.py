"""Connections that are monitored by heartbeats and reopened when they're lost.

A connection may be dead without an error: a frozen server closes nothing. So every endpoint keeps
sending itself heartbeats through the server. If they don't come back, the connection is lost.
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
    """By default a lost connection is noticed within a second. From then on `on_missed` is called
    every second, so no worker is out of date for two."""

    heartbeat_seconds: float = 0.5
    """The time between two heartbeats."""
    recheck_seconds: float = 1.0
    """The time between two calls of `on_missed` while disconnected."""
    first_retry_seconds: float = 0.05
    longest_retry_seconds: float = 1.0
    """The first pause between attempts to connect, and the longest that it grows to."""
    connect_wait_seconds: float = 5.0
    """How long `wait_until_connected` waits before it goes on without a connection."""


DEFAULT_TIMINGS = Timings()

LOST_AFTER_MISSED_BEATS = 2
"""After how many unanswered heartbeats a connection is lost. Counted, not timed: if this very
process was frozen, an answer may have arrived that only has to be read."""


class HeartbeatLost(ConnectionError):
    """Heartbeats don't come back: the connection is dead."""


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
        if self._unanswered < LOST_AFTER_MISSED_BEATS:
            self._unanswered = 0
            self._tell()

    async def watch(self, interval: float) -> None:
        """Send heartbeats until too many stay unanswered, and then raise HeartbeatLost. An answer
        that comes later is ignored, because the session is already ending."""
        await self._opened.wait()
        while True:
            self._send()
            await asyncio.sleep(interval)
            self._unanswered += 1
            if self._unanswered == LOST_AFTER_MISSED_BEATS:
                raise HeartbeatLost


SessionFunction = Callable[[HeartbeatMonitor], Coroutine[Any, Any, None]]


class ReconnectingSession:
    """Runs `session` again and again; it raises when its connection is lost. `on_missed` is called
    when a connection is made, when it's lost, and repeatedly while there is none."""

    def __init__(
        self,
        name: str,
        session: SessionFunction,
        on_missed: Callable[[], None] = lambda: None,
        timings: Timings = DEFAULT_TIMINGS,
    ) -> None:
        self._name = name
        self._session = session
        self._on_missed = on_missed
        self._timings = timings
        self._retry = timings.first_retry_seconds
        self._connected = asyncio.Event()
        self._lost = asyncio.Event()
        self._lost.set()
        self._tasks = [
            asyncio.create_task(self._run(), name=name),
            asyncio.create_task(self._report_missed_while_disconnected(), name=f"{name}: looking"),
        ]

    @property
    def is_connected(self) -> bool:
        return self._connected.is_set()

    async def wait_until_connected(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timings.connect_wait_seconds):
                await self._connected.wait()

    async def _run(self) -> None:
        this = asyncio.current_task()
        assert this is not None
        while True:
            monitor = HeartbeatMonitor(self._mark_connected)
            try:
                await run_until_first_ends(self._session(monitor), self._watch_heartbeat(monitor))
            except Exception as error:  # whatever went wrong, try again
                if this.cancelling():
                    # A client that is connecting may mistake the cancellation for a lost
                    # connection.
                    raise asyncio.CancelledError from error
                log.warning("%s: lost, trying again: %s", self._name, type(error).__name__)
                if self._connected.is_set():
                    self._mark_disconnected()
            # So that not all workers retry at the same moment.
            await asyncio.sleep(self._retry * random.uniform(0.5, 1))
            self._retry = min(2 * self._retry, self._timings.longest_retry_seconds)

    async def _watch_heartbeat(self, monitor: HeartbeatMonitor) -> None:
        try:
            await monitor.watch(self._timings.heartbeat_seconds)
        except HeartbeatLost:
            # Don't wait for the session to end, which may take a while.
            if self._connected.is_set():
                self._mark_disconnected()
            raise

    async def _report_missed_while_disconnected(self) -> None:
        while True:
            await self._lost.wait()
            await asyncio.sleep(self._timings.recheck_seconds)
            if not self._connected.is_set():
                self._on_missed()

    def _mark_connected(self) -> None:
        if not self._connected.is_set():
            log.info("%s: connected", self._name)
            self._connected.set()
            self._lost.clear()
            self._retry = self._timings.first_retry_seconds
            self._on_missed()

    def _mark_disconnected(self) -> None:
        self._connected.clear()
        self._lost.set()
        self._on_missed()

    async def close(self) -> None:
        for task in self._tasks:
            await cancel_until_done(task)


class ReconnectingBus:
    """A bus that receives messages through sessions that reconnect."""

    def __init__(self, url: str, timings: Timings = DEFAULT_TIMINGS) -> None:
        self._url = url
        self._timings = timings
        self._sessions: list[ReconnectingSession] = []

    async def _open_session(
        self,
        name: str,
        session: SessionFunction,
        on_missed: Callable[[], None],
    ) -> None:
        opened = ReconnectingSession(name, session, on_missed, self._timings)
        self._sessions.append(opened)
        await opened.wait_until_connected()

    @property
    def is_connected(self) -> bool:
        return all(session.is_connected for session in self._sessions)

    async def close(self) -> None:
        for session in self._sessions:
            await session.close()


async def run_until_first_ends(*works: Coroutine[Any, Any, None]) -> None:
    """Run all until one of them ends or fails, and return or raise as it does."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            await cancel_until_done(task)


async def cancel_until_done(task: "asyncio.Task[None]") -> None:
    """Cancel a task as often as it takes: a client that is connecting may retry by itself."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.1)
    if not task.cancelled():
        task.exception()  # retrieved, so that asyncio doesn't warn about it
