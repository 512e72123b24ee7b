"""One client's socket at a table, and what waits to be sent to it.

The queue is short. Updates are always complete, so a client that reads too slowly can be
disconnected without losing anything: it reconnects and gets one update.
"""

from collections.abc import Callable

import msgspec

from pytlik.game import Seat
from pytlik.protocol.messages import Ping, ServerMessage
from pytlik.server.match.delay_credit import DelayMeasurements
from pytlik.server.tokens import Holder

MAX_QUEUED_MESSAGES = 32
"""Messages that may wait for a slow client."""

TRY_LATER = 1013
"""The code that tells a client to connect again."""


class Connection:
    """A socket at a table, and the seat that it is shown."""

    __slots__ = (
        "_measurements",
        "_queue",
        "closing",
        "code",
        "holder",
        "interrupt",
        "overflowed",
        "seat",
        "seen",
        "shown",
        "wake_sender",
    )

    def __init__(self, holder: Holder | None) -> None:
        self.holder = holder
        self.seat: Seat | None = None
        self.seen: tuple[str, int] = ("", 0)
        """The match, and how many of its events the client has been sent."""
        self.shown = False
        """Whether it gets updates: only after the log was read, because a client that comes from
        another worker must never be shown less than it knows already."""
        self.closing = False
        self.code = TRY_LATER
        """The code to close the socket with."""
        self.overflowed = False
        """Whether the client read too slowly and has missed something."""
        self.interrupt: Callable[[], object] | None = None
        """Stops waiting for the client's next message; None while a message is being answered."""
        self.wake_sender: Callable[[], None] | None = None
        """Called when there is something to send, or when the connection has to end."""
        # A list, because a deque takes 600 bytes even if it's empty.
        self._queue: list[bytes] = []
        self._measurements = DelayMeasurements()

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

    def take_message(self) -> bytes | None:
        """The next message to send, if there is one."""
        return self._queue.pop(0) if self._queue else None

    def _wake(self) -> None:
        if self.wake_sender:
            self.wake_sender()

    def close(self, code: int = TRY_LATER) -> None:
        """Accept no more messages; those that wait are still sent."""
        if not self.closing:
            self.closing, self.code = True, code
            self._wake()

    def make_ping(self, now: int) -> Ping:
        return Ping(n=self._measurements.start(now))

    def handle_pong(self, n: int, now: int) -> None:
        """Note a measurement. If the delay of a player isn't known yet, measure again at once: they
        may be about to act."""
        answered = self._measurements.finish(n, now)
        if answered and self.seat is not None and not self._measurements.has_enough:
            self.send(self.make_ping(now))

    @property
    def lag(self) -> int | None:
        """The one-way delay (G10); None while it isn't known."""
        return self._measurements.delay
