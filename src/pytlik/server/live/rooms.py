"""All rooms of this worker, and the bus messages that reach them from other workers."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from pytlik.bus import Bus
from pytlik.game import Refusal
from pytlik.server.background_tasks import BackgroundTasks, retry
from pytlik.server.clocks.clock import Clock
from pytlik.server.clocks.heartbeat import WorkerHeartbeat
from pytlik.server.clocks.scheduler_alarm import SchedulerAlarm
from pytlik.server.live.presence import presence_writes
from pytlik.server.live.room import Room, refresh_table
from pytlik.server.live.room_services import RoomServices
from pytlik.server.match.bot_pool import BotPool
from pytlik.server.match.deadlines import table_id_of
from pytlik.server.notifications.push_notifications import PushNotifications
from pytlik.store import DELETED_TABLE_VERSION, Conflict, DeleteWorker, Store

ROOMS_CHECKED_AT_ONCE = 50
"""How many rooms are checked with one request. With all of them at once, actions would have to wait
for it."""

SOCKETS_JOINING_AT_ONCE = 8
"""How many sockets may be joining at once. When thousands come back together, actions would have to
wait for all of them."""


PRESENCE_REMOVALS_AT_ONCE = 8
"""At how many tables the connections of a dead worker are removed at once, for the same reason."""


class Rooms:
    def __init__(
        self,
        store: Store,
        bus: Bus,
        clock: Clock,
        *,
        bot_pause_ms: int = 0,
        resume_countdown_ms: int = 0,
        bot_workers: int = 0,
        notices: PushNotifications | None = None,
    ) -> None:
        self.services = RoomServices(
            store=store,
            bus=bus,
            clock=clock,
            bots=BotPool(bot_workers),
            bot_pause_ms=bot_pause_ms,
            resume_countdown_ms=resume_countdown_ms,
            heartbeat=WorkerHeartbeat(store, clock),
            alarm=SchedulerAlarm(clock),
            tasks=BackgroundTasks(),
            notices=notices,
        )
        self.joining = asyncio.Semaphore(SOCKETS_JOINING_AT_ONCE)
        self._rooms: dict[str, Room] = {}
        self._is_all_in_doubt = self._is_checking_all = False

    def __iter__(self) -> Iterator[Room]:
        return iter(tuple(self._rooms.values()))

    @property
    def connection_count(self) -> int:
        """The number of connections at all tables."""
        return sum(len(room.connections) for room in self)

    @contextmanager
    def open(self, table_id: str) -> Iterator[Room]:
        """The room of a table, kept open for the duration of the block."""
        room = self._rooms.get(table_id) or Room(table_id, self.services, self._rooms)
        with room.pin():
            yield room

    def close(self) -> None:
        """End all connections, and send nothing more."""
        for room in self:
            room.close()

    # -------------------------------------------------------------------------------- bus messages

    def handle_bus_message(self, id: str, number: int, events: str = "") -> None:
        """Handle a bus message: a match or a table has reached this number, on another worker or
        here. For a match, `events` are those that led there, if they fit."""
        room = self._rooms.get(table_id_of(id))
        if room is None:
            return
        match = room.match
        if match and match.id == id and match.seq < number:
            if not room.apply_bus_message(match, number, events):
                room.start_unattended(retry(partial(room.catch_up, match, number)))
        elif room.id == id and room.stored and room.stored.version < number:
            room.start_unattended(retry(partial(refresh_table, room)))

    def handle_missed_bus_messages(self, table_id: str | None) -> None:
        """Check what may have changed, because bus messages may have been lost: those of one table,
        or any."""
        if table_id is None:
            self.refresh_all_rooms()
        elif room := self._rooms.get(table_id):
            room.start_unattended(retry(partial(refresh_room, room)))

    def refresh_all_rooms(self) -> None:
        """Check everything, because bus messages may have been lost. Only one check runs at a time;
        if it's requested while one runs, it runs once more."""
        self._is_all_in_doubt = True
        if not self._is_checking_all:
            self.services.tasks.start_unattended(self._refresh_all_rooms())

    async def _refresh_all_rooms(self) -> None:
        self._is_checking_all = True
        try:
            while self._is_all_in_doubt:
                self._is_all_in_doubt = False
                await asyncio.gather(*(retry(partial(refresh_room, room)) for room in self))
        finally:
            self._is_checking_all = False

    async def catch_up_on_missed_bus_messages(self) -> None:
        """Check whether anything here has moved on without a bus message: it may have been lost
        with the worker that should have sent it, or because the bus has silently failed."""
        rooms = list(self)
        while rooms:
            some, rooms = rooms[:ROOMS_CHECKED_AT_ONCE], rooms[ROOMS_CHECKED_AT_ONCE:]
            matches = [room.match.id for room in some if room.match]
            tables = [room.id for room in some if room.stored]
            for id, number in (
                await self.services.store.seqs_and_versions(matches, tables)
            ).items():
                self.handle_bus_message(
                    id, DELETED_TABLE_VERSION if not number and id in self._rooms else number
                )

    # ------------------------------------------------------------------------------- other workers

    async def remove_dead_worker(self, worker: str, last_beat: int) -> None:
        """Remove a dead worker's connections, and then the worker itself (`last_beat` is 0 if that
        is done)."""
        turns = asyncio.Semaphore(PRESENCE_REMOVALS_AT_ONCE)
        tables = await self.services.store.table_ids_with_connections_to(worker)
        await asyncio.gather(*(self._remove_presence(table, worker, turns) for table in tables))
        with suppress(Conflict):  # another worker was faster, or it's alive
            await self.services.store.commit(DeleteWorker(worker, last_beat))

    async def _remove_presence(self, table_id: str, worker: str, turns: asyncio.Semaphore) -> None:
        async with turns:
            with suppress(Refusal), self.open(table_id) as room:  # the table may be gone as well
                await room.change_with_writes(
                    lambda stored: (stored.table, presence_writes(stored, worker, {}))
                )


async def refresh_room(room: Room) -> None:
    """Read a room's log and table again."""
    with room.pin():
        if room.match:
            await room.catch_up(room.match)
        if room.stored:
            await refresh_table(room)
