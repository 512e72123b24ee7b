"""One client's socket at a table, and what waits to be sent to it.

The queue is short. What is sent is always whole, so a client that reads too slowly is cut off and
loses nothing: it comes back and gets one update.
"""

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from pytlik.game import Seat
from pytlik.protocol.messages import Ping, ServerMessage
from pytlik.server.delay_credit import Measurements
from pytlik.server.tables import Holder

MAX_QUEUED_MESSAGES = 32
"""Messages that may wait for a slow client."""

TRY_LATER = 1013
"""The code that tells a client to connect again."""


class Connection:
    """A socket at a table, and the seat that it is shown."""

    __slots__ = (
        "_measurements",
        "_queue",
        "_waiting",
        "closing",
        "code",
        "holder",
        "interrupt",
        "overflowed",
        "seat",
        "seen",
        "shown",
    )

    def __init__(self, holder: Holder | None) -> None:
        self.holder = holder
        self.seat: Seat | None = None
        self.seen: tuple[str, int] = ("", 0)
        """The match, and how many of its events the client has been told of."""
        self.shown = False
        """Whether it gets updates: only after the log was read, because a client that comes from
        another worker must never be shown less than it knows already."""
        self.closing = False
        self.code = TRY_LATER
        """The code to close the socket with."""
        self.overflowed = False
        """Whether the client read too slowly and has missed something."""
        self.interrupt: Callable[[], None] | None = None
        """Stops waiting for the client's next message; None while a message is being answered."""
        self._queue: deque[bytes] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._measurements = Measurements()

    def send(self, message: ServerMessage) -> None:
        self.enqueue(msgspec.json.encode(message))

    def enqueue(self, data: bytes) -> None:
        if self.closing:
            return
        if len(self._queue) >= MAX_QUEUED_MESSAGES:
            self.overflowed = True
            self._queue.clear()
            self.close()
            if self.interrupt:
                self.interrupt()
        else:
            self._queue.append(data)
            self._wake()

    async def next_message(self) -> bytes | None:
        """Wait for the next message to send; None when the connection has to end."""
        while not self._queue:
            if self.closing:
                return None
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self._queue.popleft()

    def _wake(self) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)

    def close(self, code: int = TRY_LATER) -> None:
        """Accept no more messages; those that wait are still sent."""
        if not self.closing:
            self.closing, self.code = True, code
            self._wake()

    def make_ping(self, now: int) -> Ping:
        return Ping(n=self._measurements.start(now))

    def handle_pong(self, n: int, now: int) -> None:
        """Note a measurement. If the delay isn't known yet, measure again at once: somebody may be
        about to act."""
        answered = self._measurements.finish(n, now)
        if answered and not self._measurements.is_enough:
            self.send(self.make_ping(now))

    @property
    def lag(self) -> int | None:
        """The one-way delay (G10); None while it isn't known."""
        return self._measurements.delay
