"""Brings the people at a table to the same worker.

Every worker that has somebody at a table reads and applies each action there and makes the views of
those who sit with it. So with people spread over eight workers, an action would cost far more than
with two. The worker that accepts a socket therefore passes it on to the worker that its table
belongs to, over a Unix socket. That worker answers the request as if it had accepted the connection
itself.

Nothing depends on it: a table works the same wherever its people are. A socket stays where it is if
the other worker is busy, frozen or just starting.
"""

import asyncio
import socket
import sys
import time
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any

from pytlik.server.processes.acceptor import Occupancy

INBOX_SOCKET_TYPE = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
"""Messages arrive whole. Linux lets only ten datagrams wait; macOS has no sequenced packets."""

HEAD_BYTES = 65_536
"""Larger than any head of a request that we accept."""

CROWDED_FACTOR, CROWDED_SPARE = 1.25, 50
"""A worker that has this many times the average number of connections, plus this many, is passed no
others. So the crowd that watches one table is spread over several workers."""


def make_inboxes(workers: int) -> list[tuple[socket.socket, socket.socket]]:
    """For each worker, the end it reads from and the end that the others write to. The supervisor
    makes them, so that a worker's successor finds what its predecessor was passed."""
    return [socket.socketpair(socket.AF_UNIX, INBOX_SOCKET_TYPE) for _ in range(workers)]


def rank_workers(path: bytes, workers: Iterable[int]) -> list[int]:
    """The workers that a path belongs to, the first choice first (rendezvous hashing: if a worker
    comes or goes, only its own tables change places)."""

    def weight(worker: int) -> bytes:
        return blake2b(path, digest_size=8, salt=worker.to_bytes(8, "big")).digest()

    return sorted(workers, key=weight)


class SocketPasser:
    """One worker's end: passes sockets on, and receives them."""

    def __init__(
        self, worker: int, occupancy: Occupancy, inboxes: list[tuple[socket.socket, socket.socket]]
    ) -> None:
        self._worker = worker
        self._occupancy = occupancy
        self._inbox = inboxes[worker][0]
        self._outboxes = [outbox for _, outbox in inboxes]

    def pass_on(self, transport: asyncio.BaseTransport, path: bytes, head: bytes) -> bool:
        """Pass a connection on to the worker that the path belongs to. Returns False if it stays
        here; otherwise the caller closes its own end."""
        worker = self.choose_worker(path, time.monotonic())
        if worker == self._worker:
            return False
        outbox = self._outboxes[worker]
        outbox.settimeout(0)  # a process doesn't inherit it
        try:
            socket.send_fds(outbox, [head], [transport.get_extra_info("socket").fileno()])
        except OSError:  # full
            return False
        return True

    def choose_worker(self, path: bytes, now: float) -> int:
        """The first worker in the path's order that has room; this one if none has."""
        counts = self._occupancy.connections_of_running_workers(now)
        if not counts:
            return self._worker
        most = CROWDED_FACTOR * sum(counts.values()) / len(counts) + CROWDED_SPARE
        ranked = rank_workers(path, counts)
        return next((worker for worker in ranked if counts[worker] <= most), self._worker)

    def make_receiver(self, protocol: Callable[[], asyncio.Protocol]) -> "Receiver":
        return Receiver(self._inbox, protocol)


class Receiver:
    """Receives what others pass on to this worker. uvicorn closes it like one of its servers."""

    def __init__(self, inbox: socket.socket, protocol: Callable[[], asyncio.Protocol]) -> None:
        self._loop = asyncio.get_running_loop()
        self._inbox = inbox
        self._protocol = protocol
        self._beginning: set[asyncio.Task[Any]] = set()
        inbox.settimeout(0)
        self._loop.add_reader(inbox.fileno(), self._receive_one)

    def _receive_one(self) -> None:
        try:
            head, files, _, _ = socket.recv_fds(self._inbox, HEAD_BYTES, 1)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.close()
            return
        if not files:
            if not head:
                self.close()  # the supervisor is gone, and soon we'll be too
            return  # or too many files are open, and the client has to come again
        beginning = self._loop.create_task(self._begin_connection(files[0], head))
        self._beginning.add(beginning)
        beginning.add_done_callback(self._beginning.discard)

    async def _begin_connection(self, file: int, head: bytes) -> None:
        passed = socket.socket(fileno=file)
        passed.settimeout(0)
        try:
            _, protocol = await self._loop.connect_accepted_socket(self._protocol, passed)
        except OSError:
            passed.close()
            return
        protocol.data_received(head)

    def close(self) -> None:
        self._loop.remove_reader(self._inbox.fileno())

    async def wait_closed(self) -> None:
        """Return at once: there is nothing to wait for."""
