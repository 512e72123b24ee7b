"""Bugs in who is sent what, and in who counts as present."""

import asyncio
import sys
from contextlib import AbstractContextManager, suppress
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from pytlik.game import Refusal
from pytlik.server.background_tasks import RETRY_SECONDS
from pytlik.server.live import room, rooms, table_connections
from pytlik.server.live.connection import Connection
from pytlik.server.live.presence import Presence
from pytlik.server.live.reference_counting import RefCounted
from pytlik.server.live.room import Room
from pytlik.server.live.rooms import Rooms
from pytlik.server.live.table_connections import TableConnections, make_update
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.table.stored_tables import read_table
from pytlik.server.table.tables import Table
from pytlik.store import (
    Conflict,
    Unavailable,
)
from tests.sim.bugs.bug_patches import apply_all_patches, do_nothing, register_bug


@register_bug
def never_catch_up_on_missed_bus_messages() -> AbstractContextManager[object]:
    return patch.object(Rooms, "catch_up_on_missed_bus_messages", do_nothing)


@register_bug
def ignore_bus_messages_about_tables() -> AbstractContextManager[object]:
    handle = Rooms.handle_bus_message

    def handle_only_matches(self: Rooms, id: str, number: int, events: str = "") -> None:
        if "." in id:
            handle(self, id, number, events)

    return patch.object(Rooms, "handle_bus_message", handle_only_matches)


@register_bug
def show_stale_view_after_reconnect() -> AbstractContextManager[object]:
    """Send whatever this worker happens to know, before it has looked at the log."""
    make = Connection.__init__

    def init(self: Connection, *args: Any) -> None:
        make(self, *args)
        self.shown = True

    return patch.object(Connection, "__init__", init)


@register_bug
def send_everyone_the_same_view() -> AbstractContextManager[object]:
    """Make one update for everyone who is equally far behind, instead of one for each seat."""

    def send_same_update(self: TableConnections, match: LiveMatch) -> None:
        updates: dict[int, Any] = {}
        for connection, since in self.find_outdated(match):
            if since not in updates:
                updates[since] = make_update(match, connection.seat, since, self._clock())
            connection.seen = (match.id, match.seq)
            connection.send(updates[since])

    return patch.object(TableConnections, "send_updates", send_same_update)


@register_bug
def send_unmasked_events() -> AbstractContextManager[object]:

    def make_unmasked_update(match: LiveMatch, seat: Any, since: int, now: int) -> Any:
        update = make_update(match, seat, since, now)
        return replace(update, events=tuple(match.events_since(since)))

    return patch.object(table_connections, "make_update", make_unmasked_update)


@register_bug
def keep_showing_lost_seat() -> AbstractContextManager[object]:
    return patch.object(TableConnections, "update_viewed_seats", lambda *_: None)


@register_bug
def drop_messages_to_slow_clients() -> AbstractContextManager[object]:
    enqueue = Connection.enqueue

    def enqueue_if_room(self: Connection, data: bytes) -> None:
        if len(self._queue) < 2:
            enqueue(self, data)

    return patch.object(Connection, "enqueue", enqueue_if_room)


@register_bug
def answer_from_outdated_table() -> AbstractContextManager[object]:
    """Once a room has read its table, ignore every newer version."""
    set_table = Room.set_table

    def set_table_once(self: Room, stored: Any) -> None:
        if self.stored is None:
            set_table(self, stored)

    return patch.object(Room, "set_table", set_table_once)


@register_bug
def use_table_from_before_outage() -> AbstractContextManager[object]:
    """Also don't check again, before an action, whether the player still has the seat."""

    async def known_table(self: Room) -> Table:
        return (self.stored or await self.refresh()).table

    return apply_all_patches(
        patch.object(Room, "current_table", known_table),
        patch.object(room, "check_holder", lambda *_: None),
    )


@register_bug
def never_remove_dead_workers() -> AbstractContextManager[object]:
    return patch.object(Rooms, "remove_dead_worker", do_nothing)


@register_bug
def forget_arrivals_during_store_outage() -> AbstractContextManager[object]:
    async def try_once(work: Any, **__: Any) -> None:
        with suppress(Unavailable, Conflict):
            await work()

    def pending_writes(self: Presence, stored: Any) -> Any:
        """Return them only to the code that writes them, not to the code that checks whether all
        were written."""
        return original(self, stored) if sys._getframe(1).f_code.co_name == "<lambda>" else ()

    original = Presence.pending_writes
    return apply_all_patches(
        patch.object(room, "retry", try_once),
        patch.object(rooms, "retry", try_once),
        patch.object(Presence, "pending_writes", pending_writes),
    )


@register_bug
def stop_retrying_after_three_failures() -> AbstractContextManager[object]:
    """Someone who leaves during a longer outage of the store seems to be present for ever."""

    async def three_times(work: Any, *, on_first_failure: Any = None) -> None:
        for _ in range(3):
            try:
                await work()
            except (Unavailable, Conflict):
                if on_first_failure:
                    on_first_failure()
                    on_first_failure = None
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    return apply_all_patches(
        patch.object(room, "retry", three_times), patch.object(rooms, "retry", three_times)
    )


@register_bug
def update_only_first_batch_of_spectators() -> AbstractContextManager[object]:
    """When spectators are updated a few at a time, those after the first batch wait for the next
    action."""

    def update_once(self: TableConnections, match: LiveMatch, updates: Any) -> None:
        behind = sorted(self.find_outdated(match), key=lambda each: each[1])
        for connection, since in behind[: table_connections.UPDATES_PER_BATCH]:
            self._send_update(match, connection, since, updates)

    return patch.object(TableConnections, "_update_next_connections", update_once)


@register_bug
def show_old_view_after_seat_change() -> AbstractContextManager[object]:
    """It stays until someone acts."""
    update_viewed_seats = TableConnections.update_viewed_seats

    def keep_seen(self: TableConnections, *tables: Table) -> None:
        seen = {connection: connection.seen for connection in self}
        update_viewed_seats(self, *tables)
        for connection in self:
            connection.seen = seen[connection]

    return patch.object(TableConnections, "update_viewed_seats", keep_seen)


@register_bug
def keep_people_at_deleted_table() -> AbstractContextManager[object]:
    async def refresh(room_: Room) -> None:
        with suppress(Refusal):
            room_.set_table(await read_table(room_.services.store, room_.id))

    return apply_all_patches(
        patch.object(room, "refresh_table", refresh), patch.object(rooms, "refresh_table", refresh)
    )


@register_bug
def keep_retracted_lines_on_pages() -> AbstractContextManager[object]:
    """Send only lines that nobody has been sent before."""

    def unsent_lines(old: Table, table: Table) -> list[Any]:
        sent = {line.number for line in old.talk}
        return [line for line in table.talk if line.number not in sent]

    return patch.object(room, "new_lines", unsent_lines)


@register_bug
def keep_room_open_after_failure() -> AbstractContextManager[object]:
    """Work that failed in the room counts as still running."""
    start = RefCounted.start

    def start_and_forget(self: RefCounted, work: Any) -> Any:
        async def count_if_done() -> Any:
            try:
                return await work
            except Exception:
                self._pin()
                raise

        return start(self, count_if_done())

    return patch.object(RefCounted, "start", start_and_forget)
