"""Who is connected, and what each connection is sent.

A connection has a short queue. What is sent is whole, so a client that reads too slowly is cut off
and loses nothing: it comes back and gets one update.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import msgspec

from pytlik.game import Seat
from pytlik.server import metrics
from pytlik.server.delay import Measurements
from pytlik.server.room import Room, Told
from pytlik.server.tables import Holder
from pytlik.server.wire import Ping, ServerMessage, Update

QUEUE = 32
"""Messages that may wait for a slow client."""

TRY_LATER = 1013
"""The code of a connection that ends, and of which the client may open another."""

AT_ONCE = 20
"""Connections that are brought up to date before anything else has its turn."""

KEPT = 64
"""Events that a room keeps at hand, to be played as animation by who is a little behind."""


class Connection:
    """A socket at a table, and the seat that it looks from."""

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
        "table",
    )

    def __init__(self, table: str, holder: Holder | None) -> None:
        self.table = table
        self.holder = holder
        self.seat: Seat | None = None
        self.seen: tuple[str, int] = ("", 0)
        """The match, and how many of its events this connection knows of."""
        self.shown = False
        """Whether it gets updates: only once the log was looked at, or somebody who comes back from
        another worker could be shown less than they know already."""
        self.closing = False
        self.code = TRY_LATER
        """With which the socket is closed."""
        self.overflowed = False
        """Whether the client read too slowly, and has missed something."""
        self.interrupt: Callable[[], None] | None = None
        """Ends the waiting for a client's next message; none, while one is being answered."""
        self._queue: deque[bytes] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._measurements = Measurements()

    def send(self, message: ServerMessage) -> None:
        self.put(msgspec.json.encode(message))

    def put(self, data: bytes) -> None:
        if self.closing:
            return
        if len(self._queue) >= QUEUE:
            self.overflowed = True
            self._queue.clear()
            self.close()
            if self.interrupt:
                self.interrupt()
        else:
            self._queue.append(data)
            self._wake()

    async def next(self) -> bytes | None:
        """What to send next; None when the connection has to end."""
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
        """Nothing more is put in; what waits is still sent."""
        if not self.closing:
            self.closing, self.code = True, code
            self._wake()

    def ping(self, now: int) -> Ping:
        return Ping(n=self._measurements.ask(now))

    def pong(self, n: int, now: int) -> None:
        """If the delay isn't known yet, measure again at once: somebody may be about to act."""
        answered = self._measurements.answer(n, now)
        if answered and not self._measurements.is_enough:
            self.send(self.ping(now))

    @property
    def lag(self) -> int | None:
        """The one-way delay (G10); None, as long as it isn't known."""
        return self._measurements.delay


Made = dict[tuple[Seat | None, int, int], bytes]
"""Updates, each by its seat, what was known before, and how far it goes."""


class Hub:
    """The connections of this worker, by table."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._at: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        """In the order in which they came."""
        self._kept: dict[str, deque[tuple[int, Any]]] = {}
        self._crowds: dict[str, tuple[str, asyncio.Handle]] = {}
        """At which tables some are still to be brought up to date, and with which match."""

    def __len__(self) -> int:
        return sum(map(len, self._at.values()))

    def join(self, connection: Connection) -> None:
        self._at[connection.table][connection] = None
        metrics.CONNECTIONS.inc()

    def leave(self, connection: Connection) -> None:
        here = self._at[connection.table]
        if connection in here:
            del here[connection]
            metrics.CONNECTIONS.dec()
        if not here:
            del self._at[connection.table]

    def at(self, table: str) -> tuple[Connection, ...]:
        return tuple(self._at.get(table, ()))

    def tables(self) -> Iterator[str]:
        return iter(tuple(self._at))

    def here(self, table: str) -> Iterator[tuple[Holder, int | None]]:
        """Whose connections there are, and the delay of each."""
        for connection in self._at.get(table, ()):
            if connection.holder is not None:
                yield connection.holder, connection.lag

    # ------------------------------------------------------------------------------------- telling

    def keep(self, room: Room, told: Told) -> None:
        """Note what has happened, for the updates that speak of it."""
        kept = self._kept.setdefault(room.match, deque(maxlen=KEPT))
        first = told.seq - len(told.events) + 1
        kept.extend(enumerate(told.events[-KEPT:], max(first, told.seq - KEPT + 1)))

    def forget(self, match: str) -> None:
        self._kept.pop(match, None)
        for table, (of, others) in tuple(self._crowds.items()):
            if of == match:
                others.cancel()
                del self._crowds[table]

    def behind(self, table: str, room: Room) -> list[tuple[Connection, int]]:
        """The connections that don't know all of a match, and how much they know. None of them, if
        this room is behind: there may be two of a match for a moment."""
        return [
            (connection, since)
            for connection in self._at.get(table, ())
            if connection.shown
            and not connection.closing
            and (since := connection.seen[1] if connection.seen[0] == room.match else 0) < room.seq
        ]

    def update(self, table: str, room: Room) -> None:
        """Bring every connection at a table up to date, each with what its seat may see: those who
        play at once, and a crowd of spectators few at a time, so that nobody waits for it."""
        if table in self._crowds:
            self._crowds.pop(table)[1].cancel()  # this sees to all who are left
        self._update_some(table, room, {})

    def _update_some(self, table: str, room: Room, made: Made) -> None:
        self._crowds.pop(table, None)
        behind = self.behind(table, room)
        if len(behind) > AT_ONCE:
            behind.sort(key=lambda each: each[0].seat is None)
            del behind[AT_ONCE:]
            others = asyncio.get_running_loop().call_soon(self._update_some, table, room, made)
            self._crowds[table] = (room.match, others)
        for connection, since in behind:
            key = (connection.seat, since, room.seq)
            if key not in made:
                made[key] = msgspec.json.encode(self.made(room, connection.seat, since))
            connection.seen = (room.match, room.seq)
            connection.put(made[key])

    def made(self, room: Room, seat: Seat | None, since: int) -> Update:
        view = msgspec.json.encode(room.game.view(room.state, seat))
        return Update(
            match=room.match,
            seq=room.seq,
            seat=seat,
            events=tuple(room.game.mask(event, seat) for event in self._events(room, since)),
            view=msgspec.Raw(view),
            hash=digest(view),
            now=self._clock(),
        )

    def _events(self, room: Room, since: int) -> list[Any]:
        """The events after the first `since`; none, if some of them are no longer at hand."""
        events = []
        for seq, event in reversed(self._kept.get(room.match, ())):
            if seq <= since:
                break
            events.append(event)
        return events[::-1] if since and len(events) == room.seq - since else []


def digest(view: bytes) -> str:
    """Against accidents, and not against anyone: whoever lies about it only fools themselves."""
    return f"{crc32(view):08x}"
