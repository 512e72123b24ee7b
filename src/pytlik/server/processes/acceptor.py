"""Which worker takes the next connection.

All workers listen on one socket, so that no connection waits for a worker that is dead, frozen or
just starting. But the first to wake up would take all connections that wait there, and keep them:
sockets stay open for hours. So a worker that has more connections than another briefly lets the
other go first.
"""

import asyncio
import multiprocessing.context
import socket
import time
from collections.abc import Callable
from typing import Any

REPORT_VALID_SECONDS = 3.0
"""How long a worker's report counts: a frozen worker gets no connections."""

RESPONSIVE_WITHIN_SECONDS = 1.0
"""A worker that has reported within this time can take a connection right now."""

REPORT_EVERY_SECONDS = 0.25
"""How often a worker reports while nothing happens."""

STARTUP_WAIT_SECONDS = 60.0
"""How long the first worker waits for the others at startup, unless they die. On a quiet machine
they need two seconds."""

NOT_YET_REPORTED = -1
"""In place of a count: the worker hasn't reported yet."""

GIVE_WAY_SECONDS = 0.004
"""How long a worker ignores the socket when another one should go first."""

MAX_GIVE_WAY_SECONDS, MAX_GIVE_WAY_AT_STARTUP_SECONDS = 0.03, 0.2
"""After this, it takes a connection even if no other worker has done so. The second one applies
while others are still starting: otherwise the first worker would take everything that waited for a
restart."""

ACCEPT_ERROR_PAUSE_SECONDS = 1.0
"""The pause after the system couldn't accept a connection, because too many files are open."""


class Occupancy:
    """How many connections each worker has, in memory that they share."""

    def __init__(self, context: multiprocessing.context.BaseContext, workers: int) -> None:
        self._counts = context.RawArray("q", workers)
        self._until = context.RawArray("d", workers)

    def expect(self, worker: int, now: float) -> None:
        """Note that a worker is starting."""
        self._counts[worker] = NOT_YET_REPORTED
        self._until[worker] = now + STARTUP_WAIT_SECONDS

    def report(self, worker: int, count: int, now: float) -> None:
        self._counts[worker] = count
        self._until[worker] = now + REPORT_VALID_SECONDS

    def forget(self, worker: int) -> None:
        self._until[worker] = 0.0

    def connections_of_running_workers(self, now: float) -> dict[int, int]:
        """The connections of each worker that runs right now."""
        return {
            number: int(count)
            for number, (count, until) in enumerate(zip(self._counts, self._until, strict=True))
            if count != NOT_YET_REPORTED
            and until - REPORT_VALID_SECONDS + RESPONSIVE_WITHIN_SECONDS > now
        }

    def fewest_connections_elsewhere(self, worker: int, now: float) -> int | None:
        """The fewest connections that another worker has, or NOT_YET_REPORTED; None if there is no
        other worker."""
        return min(
            (
                int(count)
                for number, (count, until) in enumerate(zip(self._counts, self._until, strict=True))
                if number != worker and until > now
            ),
            default=None,
        )


class WorkerOccupancy:
    """One worker's view of the occupancy."""

    def __init__(self, occupancy: Occupancy, worker: int) -> None:
        self._occupancy = occupancy
        self._worker = worker
        self._held_since = self._held_last = float("-inf")

    def report(self, count: int, now: float) -> None:
        self._occupancy.report(self._worker, count, now)

    def forget(self) -> None:
        self._occupancy.forget(self._worker)

    def may_accept(self, count: int, now: float) -> bool:
        """Whether this worker, which has `count` connections, may take one that waits."""
        least = self._occupancy.fewest_connections_elsewhere(self._worker, now)
        if least is None or count <= max(least, 0):
            return True
        hold = (
            MAX_GIVE_WAY_AT_STARTUP_SECONDS if least == NOT_YET_REPORTED else MAX_GIVE_WAY_SECONDS
        )
        if now - self._held_last > 3 * GIVE_WAY_SECONDS:
            self._held_since = now  # another worker took what waited before
        self._held_last = now
        if now - self._held_since < hold:
            return False
        self._held_since = now
        return True


class Acceptor:
    """Accepts connections one by one. uvicorn closes it like one of its own servers."""

    def __init__(
        self,
        listener: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        connections: Callable[[], int],
        share: WorkerOccupancy,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener = listener
        self._protocol = protocol
        self._connections = connections
        self._share = share
        self._clock = clock
        self._beginning: set[asyncio.Task[Any]] = set()
        listener.settimeout(0)
        self._loop.add_reader(listener.fileno(), self._accept_one)
        self._timer = self._loop.call_soon(self._publish_connection_count)

    def _publish_connection_count(self) -> None:
        self._share.report(self._connection_count(), self._clock())
        self._timer = self._loop.call_later(REPORT_EVERY_SECONDS, self._publish_connection_count)

    def _connection_count(self) -> int:
        return self._connections() + len(self._beginning)

    def _accept_one(self) -> None:
        if not self._share.may_accept(self._connection_count(), self._clock()):
            self._pause(GIVE_WAY_SECONDS)
            return
        try:
            taken, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # another worker was faster, or the client has gone
        except OSError:
            self._pause(ACCEPT_ERROR_PAUSE_SECONDS)
            return
        taken.settimeout(0)
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        beginning = self._loop.create_task(self._begin_connection(taken))
        self._beginning.add(beginning)
        beginning.add_done_callback(self._beginning.discard)
        self._share.report(self._connection_count(), self._clock())

    async def _begin_connection(self, taken: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, taken)
        except OSError:
            taken.close()

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener.fileno())
        self._loop.call_later(seconds, self._resume)

    def _resume(self) -> None:
        if self._listener.fileno() >= 0 and not self._timer.cancelled():
            self._loop.add_reader(self._listener.fileno(), self._accept_one)

    def close(self) -> None:
        self._timer.cancel()
        self._share.forget()
        self._loop.remove_reader(self._listener.fileno())

    async def wait_closed(self) -> None:
        """Return at once: there is nothing to wait for."""
