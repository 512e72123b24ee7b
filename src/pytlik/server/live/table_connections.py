"""The connections at one table, and the updates that they are sent.

An update is made for the seat that a connection is shown: nothing else of a match ever leaves the
server over a socket.
"""

import asyncio
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import msgspec

from pytlik.game import Seat
from pytlik.protocol.messages import ServerMessage, TableChanged, TableInfo, Update
from pytlik.server import metrics
from pytlik.server.clocks.clock import Clock
from pytlik.server.live.connection import Connection
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder

UPDATES_PER_BATCH = 10
"""How many connections are brought up to date at once."""

BATCH_PAUSE_SECONDS, MAX_BATCH_PAUSE_SECONDS = 0.02, 0.1
"""The pause between two batches of a crowd: the first if there is only one crowd, and longer the
more there are, up to the second. However fast people play, up to five crowds of spectators together
cost a worker 500 messages a second, and even the largest is up to date within two seconds."""

EncodedUpdates = dict[tuple[Seat | None, int, int], bytes]
"""Updates by seat, by the seq that was known before, and by the seq that they lead to."""


class TableConnections:
    def __init__(self, clock: Clock, crowds: "set[TableConnections] | None" = None) -> None:
        """`crowds`: all tables of this worker where spectators are waiting for updates."""
        self._clock = clock
        self._crowds = set() if crowds is None else crowds
        self._connections: dict[Connection, None] = {}
        """In order of arrival."""
        self._next_batch: asyncio.TimerHandle | None = None
        """Brings more of a crowd up to date."""
        self._next_batch_at = 0.0
        """The earliest time for that, on the event loop's clock."""

    def __len__(self) -> int:
        return len(self._connections)

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._connections))

    def add(self, connection: Connection) -> None:
        self._connections[connection] = None
        metrics.OPEN_SOCKETS.inc()

    def remove(self, connection: Connection) -> None:
        if connection in self._connections:
            del self._connections[connection]
            metrics.OPEN_SOCKETS.dec()

    @property
    def holders(self) -> Iterator[tuple[Holder, int | None]]:
        """The holders who are connected, and the delay of each."""
        for connection in self._connections:
            if connection.holder is not None:
                yield connection.holder, connection.lag

    def update_viewed_seats(self, old: Table, table: Table) -> None:
        """Move viewers whose seat has changed: to another seat of theirs, to none, or to the one
        that they have just taken."""
        for connection in self._connections:
            yours = table.held_by(connection.holder)
            lost = connection.seat is not None and connection.seat not in yours
            has_sat_down = connection.seat is None and yours and not old.held_by(connection.holder)
            if lost or has_sat_down:
                connection.seat = yours[0] if yours else None
                connection.seen = ("", 0)
                if has_sat_down:
                    connection.send(connection.make_ping(self._clock()))

    # ------------------------------------------------------------------------------------ messages

    def send_to_all(self, *messages: ServerMessage) -> None:
        """Send the same messages to every connection."""
        for data in map(msgspec.json.encode, messages):
            for connection in self:
                connection.enqueue(data)

    def send_table(self, table: Table, info: TableInfo) -> None:
        """Send everyone the current table, and which seats are theirs."""
        encoded: dict[tuple[Any, ...], bytes] = {}
        for connection in self:
            yours, host = table.held_by(connection.holder), table.host == connection.holder
            if (yours, host) not in encoded:  # there may be many spectators
                news = TableChanged(table=info, yours=yours, host=host)
                encoded[yours, host] = msgspec.json.encode(news)
            connection.enqueue(encoded[yours, host])

    def find_outdated(self, match: LiveMatch) -> list[tuple[Connection, int]]:
        """The connections that don't know all events of a match, and how many they know."""
        return [
            (connection, since)
            for connection in self._connections
            if connection.shown
            and not connection.closing
            and (since := connection.seen[1] if connection.seen[0] == match.id else 0) < match.seq
        ]

    def send_updates(self, match: LiveMatch) -> None:
        """Bring every connection up to date, each with what its seat may see: players at once, and
        a crowd of spectators a few at a time, so that nobody waits for them."""
        self.stop_sending()  # this covers everyone who is left
        updates: EncodedUpdates = {}
        behind = self.find_outdated(match)
        if len(behind) > UPDATES_PER_BATCH:
            for connection, since in behind:
                if connection.seat is not None:
                    self._send_update(match, connection, since, updates)
            self._schedule_next_updates(match, updates)
        else:
            for connection, since in behind:
                self._send_update(match, connection, since, updates)

    def stop_sending(self) -> None:
        self._crowds.discard(self)
        if self._next_batch:
            self._next_batch.cancel()
            self._next_batch = None

    def _schedule_next_updates(self, match: LiveMatch, updates: EncodedUpdates) -> None:
        """Send the next batch as soon as the pause after the last one is over."""
        loop = asyncio.get_running_loop()
        self._crowds.add(self)
        if loop.time() < self._next_batch_at:
            self._next_batch = loop.call_at(
                self._next_batch_at, self._update_next_connections, match, updates
            )
        else:
            self._update_next_connections(match, updates)

    def _update_next_connections(self, match: LiveMatch, updates: EncodedUpdates) -> None:
        self._next_batch = None
        # Those who know least come first, so that nobody is left behind when actions come fast.
        behind = sorted(self.find_outdated(match), key=lambda each: each[1])
        for connection, since in behind[:UPDATES_PER_BATCH]:
            self._send_update(match, connection, since, updates)
        pause = min(BATCH_PAUSE_SECONDS * len(self._crowds), MAX_BATCH_PAUSE_SECONDS)
        self._next_batch_at = asyncio.get_running_loop().time() + pause
        if len(behind) > UPDATES_PER_BATCH:
            self._schedule_next_updates(match, updates)
        else:
            self._crowds.discard(self)

    def _send_update(
        self, match: LiveMatch, connection: Connection, since: int, updates: EncodedUpdates
    ) -> None:
        key = (connection.seat, since, match.seq)
        if key not in updates:
            update = make_update(match, connection.seat, since, self._clock())
            updates[key] = msgspec.json.encode(update)
        connection.seen = (match.id, match.seq)
        connection.enqueue(updates[key])


def make_update(match: LiveMatch, seat: Seat | None, since: int, now: int) -> Update:
    """The match as a seat may see it, with the events after the first `since`."""
    view = msgspec.json.encode(match.game.view(match.state, seat))
    return Update(
        match=match.id,
        seq=match.seq,
        seat=seat,
        events=tuple(match.game.mask(event, seat) for event in match.events_since(since)),
        view=msgspec.Raw(view),
        hash=hash_view(view),
        awaited=match.game.awaited(match.state),
        now=now,
    )


def hash_view(view: bytes) -> str:
    """A hash that guards against accidents, not attacks: a client that lies about it only fools
    itself."""
    return f"{crc32(view):08x}"
