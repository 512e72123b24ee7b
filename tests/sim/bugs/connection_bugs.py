"""Bugs in who is told what, and in who is said to be here."""

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
from pytlik.server.live.refcounted import RefCounted
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
def rely_on_bus_messages() -> AbstractContextManager[object]:
    return patch.object(Rooms, "catch_up_on_missed_bus_messages", do_nothing)


@register_bug
def ignore_bus_messages_for_tables() -> AbstractContextManager[object]:
    hear = Rooms.handle_bus_message

    def hear_matches(self: Rooms, id: str, number: int, events: str = "") -> None:
        if "." in id:
            hear(self, id, number, events)

    return patch.object(Rooms, "handle_bus_message", hear_matches)


@register_bug
def show_a_stale_view_after_a_reconnect() -> AbstractContextManager[object]:
    """Whatever this worker happens to know, before it has looked at the log."""
    make = Connection.__init__

    def init(self: Connection, *args: Any) -> None:
        make(self, *args)
        self.shown = True

    return patch.object(Connection, "__init__", init)


@register_bug
def show_everyone_the_same() -> AbstractContextManager[object]:
    """An update is made once for everybody who knows as much, and not for each seat."""

    def update(self: TableConnections, match: LiveMatch) -> None:
        updates: dict[int, Any] = {}
        for connection, since in self.find_outdated(match):
            if since not in updates:
                updates[since] = make_update(match, connection.seat, since, self._clock())
            connection.seen = (match.id, match.seq)
            connection.send(updates[since])

    return patch.object(TableConnections, "send_updates", update)


@register_bug
def tell_events_as_they_are() -> AbstractContextManager[object]:

    def unmasked(match: LiveMatch, seat: Any, since: int, now: int) -> Any:
        update = make_update(match, seat, since, now)
        return replace(update, events=tuple(match.events_since(since)))

    return patch.object(table_connections, "make_update", unmasked)


@register_bug
def leave_a_lost_seat_in_sight() -> AbstractContextManager[object]:
    return patch.object(TableConnections, "update_viewed_seats", lambda *_: None)


@register_bug
def drop_what_a_slow_client_has_no_room_for() -> AbstractContextManager[object]:
    enqueue = Connection.enqueue

    def drop(self: Connection, data: bytes) -> None:
        if len(self._queue) < 2:
            enqueue(self, data)

    return patch.object(Connection, "enqueue", drop)


@register_bug
def answer_from_an_old_table() -> AbstractContextManager[object]:
    """A change of a table that comes while it is read is not looked for."""
    set_table = Room.set_table

    def once(self: Room, stored: Any) -> None:
        if self.stored is None:
            set_table(self, stored)

    return patch.object(Room, "set_table", once)


@register_bug
def go_on_with_a_table_from_before_an_outage() -> AbstractContextManager[object]:
    """Nor is it looked up again, before somebody acts, whether they still have the seat."""

    async def known_table(self: Room) -> Table:
        return (self.stored or await self.refresh()).table

    return apply_all_patches(
        patch.object(Room, "current_table", known_table),
        patch.object(room, "check_holder", lambda *_: None),
    )


@register_bug
def never_reap_a_worker() -> AbstractContextManager[object]:
    return patch.object(Rooms, "remove_dead_worker", do_nothing)


@register_bug
def forget_who_comes_while_the_store_is_away() -> AbstractContextManager[object]:
    async def once(work: Any, **__: Any) -> None:
        with suppress(Unavailable, Conflict):
            await work()

    def pending_writes(self: Presence, stored: Any) -> Any:
        """Only where it is written, and not where it is looked for whether it was."""
        return as_it_is(self, stored) if sys._getframe(1).f_code.co_name == "<lambda>" else ()

    as_it_is = Presence.pending_writes
    return apply_all_patches(
        patch.object(room, "retry", once),
        patch.object(rooms, "retry", once),
        patch.object(Presence, "pending_writes", pending_writes),
    )


@register_bug
def stop_retrying_after_three_failures() -> AbstractContextManager[object]:
    """Whoever leaves while the store is away for longer seems to be here for ever."""

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
def leave_half_a_crowd_behind() -> AbstractContextManager[object]:
    """When spectators are brought up to date a few at a time, the others wait for the next
    action."""

    def update_once(self: TableConnections, match: LiveMatch, updates: Any) -> None:
        behind = sorted(self.find_outdated(match), key=lambda each: each[1])
        for connection, since in behind[: table_connections.UPDATES_PER_BATCH]:
            self._send_update(match, connection, since, updates)

    return patch.object(TableConnections, "_update_next_connections", update_once)


@register_bug
def show_the_old_view_from_a_new_seat() -> AbstractContextManager[object]:
    """Until somebody acts."""
    update_viewed_seats = TableConnections.update_viewed_seats

    def keep_seen(self: TableConnections, *tables: Table) -> None:
        seen = {connection: connection.seen for connection in self}
        update_viewed_seats(self, *tables)
        for connection in self:
            connection.seen = seen[connection]

    return patch.object(TableConnections, "update_viewed_seats", keep_seen)


@register_bug
def leave_people_at_a_table_that_is_gone() -> AbstractContextManager[object]:
    async def refresh(room_: Room) -> None:
        with suppress(Refusal):
            room_.set_table(await read_table(room_.services.store, room_.id))

    return apply_all_patches(
        patch.object(room, "refresh_table", refresh), patch.object(rooms, "refresh_table", refresh)
    )


@register_bug
def leave_on_pages_what_was_taken_back() -> AbstractContextManager[object]:
    """Only lines that nobody has heard yet are sent."""

    def unheard(old: Table, table: Table) -> list[Any]:
        heard = {line.number for line in old.talk}
        return [line for line in table.talk if line.number not in heard]

    return patch.object(room, "new_lines", unheard)


@register_bug
def keep_a_room_open_after_a_failure() -> AbstractContextManager[object]:
    """What was started there counts as running for ever."""
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
