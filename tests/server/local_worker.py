"""A worker without sockets: tests call it directly for the people at its tables."""

import asyncio
from contextlib import ExitStack

import msgspec

from pytlik.bus import Bus
from pytlik.protocol.messages import Act
from pytlik.server import socket_requests
from pytlik.server.cleanup import Cleanup
from pytlik.server.clocks.clock import Clock
from pytlik.server.live.connection import Connection
from pytlik.server.live.room import Room
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.worker import Worker
from pytlik.store import Store


class LocalConnection(Connection):
    """A connection that knows which table it is at."""

    def __init__(self, table: str, holder: str | None) -> None:
        super().__init__(holder)
        self.table = table

    async def next_message(self) -> bytes | None:
        """Wait for the next message to send; None when the connection has to end."""
        while (data := self.take_message()) is None and not self.closing:
            woken = asyncio.Event()
            self.wake_sender = woken.set
            await woken.wait()
        return data


class LocalVisits:
    """Connections to rooms, without sockets."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self._open: dict[Connection, tuple[Room, ExitStack]] = {}

    def enter(self, connection: LocalConnection) -> Room:
        """Open the connection's room, which stays open until the connection leaves."""
        if connection not in self._open:
            stack = ExitStack()
            room = stack.enter_context(self.rooms.open(connection.table))
            self._open[connection] = room, stack
        return self._open[connection][0]

    async def join(self, connection: LocalConnection) -> None:
        await socket_requests.join(self.enter(connection), connection)

    async def send_match(self, connection: LocalConnection) -> None:
        await socket_requests.send_match(self.enter(connection), connection)

    async def act(self, connection: LocalConnection, seat: int, raw: bytes, command: str) -> int:
        act = Act(id=command, seat=seat, action=msgspec.Raw(raw))
        return await socket_requests.act(self.enter(connection), connection, act)

    def leave(self, connection: LocalConnection) -> None:
        room, stack = self._open.pop(connection)
        socket_requests.leave(room, connection)
        stack.close()


class LocalWorker(Worker, LocalVisits):
    def __init__(self, store: Store, bus: Bus, clock: Clock) -> None:
        LocalVisits.__init__(self, Rooms(store, bus, clock))
        super().__init__(self.rooms, Cleanup(store, bus, clock))
        self.lobby = Lobby(self.rooms)
        self.store = store
        self.bus = bus
        self.clock = clock

    def match(self, id: str) -> LiveMatch:
        """A match that is open here."""
        return next(room.match for room in self.rooms if room.match and room.match.id == id)

    @property
    def open_matches(self) -> list[str]:
        return [room.match.id for room in self.rooms if room.match]

    def run_scheduler(self) -> None:
        """Make the scheduler run now."""
        self.rooms.services.alarm.ring_by(0)
