"""A table that somebody here plays at, watches or changes: its match, its connections, its clocks.

Everything that happens in a match goes through `Room.act`, whether it's caused by people, bots, the
clock, the end of a pause or a server that makes up for downtime. The order is always the same:
decide, store, then tell. Nothing has changed until it is on disk.

An action passes these modules from the socket to the disk and back, each of them once:

1. `table_socket.py`            reads the message and decodes it
2. `socket_requests.py`         checks whose seat it is, and whether the match is played now
3. `live/room.py`               does one action at a time in a match, then updates everyone
4. `match/live_match.py`        holds the state, and stores the resulting events
5. the game                     decides which events it leads to
6. `match/log_replay.py`        applies them
7. `match/deadlines.py`         says what is due afterwards
8. the store                    commits the events, the command's id and the deadlines together
9. `live/table_connections.py`  makes each connection's update, from its seat's view and masked
                                events
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec.structs import replace

from pytlik.chance import mix
from pytlik.game import Illegal, Reason, Refusal, Seat, Shift
from pytlik.protocol.messages import Line, TableGone
from pytlik.server import metrics
from pytlik.server.background_tasks import retry
from pytlik.server.live.presence import Presence
from pytlik.server.live.reference_counting import RefCounted
from pytlik.server.live.room_services import RoomServices
from pytlik.server.live.table_change_throttle import TableChangeThrottle
from pytlik.server.live.table_changes import (
    TableChange,
    TableUpdate,
    has_pause_changed,
    plan_update,
)
from pytlik.server.live.table_connections import TableConnections
from pytlik.server.match.deadlines import Deadlines, have_seats_changed_hands
from pytlik.server.match.live_match import ActionRequest, LiveMatch
from pytlik.server.match.saved_states import decode_saved_state
from pytlik.server.table import seats, tables
from pytlik.server.table.stored_tables import (
    StoredTable,
    decode_table_row,
    fetch_table_row,
    read_table,
)
from pytlik.server.table.table_info import make_table_info
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import (
    Actor,
    Conflict,
    Duplicate,
    PutState,
    SetDeadlines,
    Store,
    TableRow,
    Unavailable,
    Write,
)

MAX_CONFLICTS = 10
"""How many conflicts with an unchanged log an action may have before we give up."""

MAX_TRIES = 50
"""How often others may get ahead of our change before we give up."""


class Room(RefCounted):
    """One table on this worker, in its map of rooms while anybody uses it."""

    def __init__(self, id: str, services: RoomServices, rooms: "dict[str, Room]") -> None:
        super().__init__(id, rooms, services.tasks)
        self.services = services
        self.stored: StoredTable | None = None
        """The table, kept up to date; None while nobody needs it to be. While the store can't be
        reached it may be old: see `current_table`."""
        self._gaps_before_read = services.heartbeat.gaps
        """How many gaps there were between heartbeats when the table was last read."""
        self.match: LiveMatch | None = None
        self.connections = TableConnections(services.clock, services.crowds)
        self.presence = Presence(self.connections, services.heartbeat)
        self.presence_lock = asyncio.Lock()
        """Held while writing who is here, so that it isn't written twice."""
        self.news = TableChangeThrottle(partial(send_table_to_all, self))

    # ---------------------------------------------------------------------------------- the match

    async def act(
        self,
        seat: Seat | None,
        action: Any,
        command: str | None = None,
        *,
        actor: Actor,
        holder: Holder | None = None,
        lag: int = 0,
        update: TableUpdate | None = None,
        guard: Write | None = None,
    ) -> int:
        """Do an action, and return the number of events once it's on disk. Raises Illegal or
        Unavailable. A person acts as the `holder` of their seat, and `lag` is the measured delay of
        their connection. An `update` of the table is stored with the action; then Conflict is
        raised if the table or the log has changed. It is also raised if the store refuses the
        `guard`, which is written with the action.
        """
        table = update.after.table if update else await self.current_table()
        match = await self.open_match(table)
        if not guard:
            await self.services.heartbeat.wait_until_recent()
        request = ActionRequest(
            seat=seat, action=action, command=command, actor=actor, holder=holder, lag=lag
        )
        began, known = time.perf_counter(), match.seq
        try:
            async with match.lock:
                try:
                    seq = await self._act_until_stored(match, request, table, update, guard)
                    if update:
                        self.publish_table(update.after)
                finally:
                    if match.seq > known:
                        show_new_events(self, match)
        except Unavailable:
            # It may still be on disk, without anybody having been notified.
            refresh_log_later(self, match)
            raise
        metrics.COMMIT_SECONDS.observe(time.perf_counter() - began)
        metrics.ACTIONS.labels(match.game.name).inc()
        self.services.bus.publish(match.id, seq, match.events_for_bus_message(seq))
        outcome = match.game.outcome(match.state)
        if table.phase == "playing" and outcome:
            await self.change(lambda old: tables.finish_if_current(old, table.match, outcome))
        return seq

    async def _act_until_stored(
        self,
        match: LiveMatch,
        request: ActionRequest,
        table: Table,
        update: TableUpdate | None,
        guard: Write | None,
    ) -> int:
        conflicts = 0
        while True:
            if not match.is_current:
                await match.catch_up()
            if not guard and not self.services.heartbeat.is_recent:
                # If sand is turned now, it would be moved with the clocks, and run for too long.
                raise Unavailable("the clocks may have to be moved first")
            known = match.seq
            try:
                if update:
                    return await match.decide_and_store(request, table, *update.writes)
                table = await self.current_table()
                check_holder(request, table)
                return await match.decide_and_store(request, table, guard=guard)
            except Duplicate as duplicate:
                if not match.is_current:  # another worker has done it
                    await match.catch_up()
                return duplicate.seq
            except Conflict:
                await match.catch_up()
                if update or (guard and match.seq == known):
                    raise
                conflicts = 0 if match.seq > known else conflicts + 1
                if conflicts == MAX_CONFLICTS:
                    # The log has become shorter: the table was deleted, or a backup was restored.
                    raise Unavailable("the log is not what it was") from None

    async def open_match(self, table: Table) -> LiveMatch:
        """The match that is played at a table, with its state. Raises Illegal if the table is
        gone."""
        match = self.match
        if match is None or match.id != table.match_id:
            services = self.services
            found = await services.store.secret_and_state(table.match_id)
            if found is None:
                raise Illegal(Reason.WRONG_PHASE, phase=table.phase)
            secret, saved = found
            if self.match and self.match.id == table.match_id:
                match = self.match  # another task opened it in the meantime
            else:
                match = LiveMatch(
                    services.store,
                    table.rules,
                    table.match_id,
                    mix(secret, [chair.share for chair in table.chairs]),
                    services.clock,
                    bot_pause_ms=services.bot_pause_ms,
                    gives_notice=services.notices is not None,
                    saved=decode_saved_state(table.rules, saved),
                )
                if self.stored is None or self.stored.table.match_id == match.id:
                    self._set_match(match)
        if not match.is_current:
            await self.catch_up(match)
        if not match.seq:
            # A match begins together with its log, so the table was deleted since it was read.
            raise Illegal(Reason.WRONG_PHASE, phase=table.phase)
        return match

    def _set_match(self, match: LiveMatch | None) -> None:
        if self.match:
            self.connections.stop_sending()
            self.services.bots.forget(self.match.id)
            self.services.alarm.forget(self.match.id)
            metrics.OPEN_MATCHES.dec()
        if match:
            metrics.OPEN_MATCHES.inc()
        self.match = match

    async def catch_up(self, match: LiveMatch, seq: int | None = None) -> None:
        """Check the log, because bus messages may have been lost or one says that it has reached
        `seq`, and send everyone what is new. All who ask before a check begins share it, so that
        players never wait for the checks of hundreds of newcomers, one after the other."""
        if seq is not None and seq <= match.seq:
            return
        if match.next_check is None or match.next_check.done():
            match.next_check = self.start(catch_up_with_log(self, match))
        await asyncio.shield(match.next_check)

    def apply_bus_message(self, match: LiveMatch, seq: int, events: str) -> bool:
        """Apply events that another worker has written, without reading the log, and send everyone
        an update. Returns whether that was possible."""
        if match.lock.locked() or not match.apply_bus_message(seq, events):
            return False
        show_new_events(self, match)
        return True

    def send_updates(self, match: LiveMatch) -> None:
        """Bring everyone up to date, sending them pending changes of the table first."""
        if match is self.match:
            if self.connections.find_outdated(match):
                self.news.send_pending_essentials()
            self.connections.send_updates(match)

    # ---------------------------------------------------------------------------------- the table

    async def current_table(self) -> Table:
        """The table as it is known here. It's read if it isn't known, or if this worker was cut off
        from the store since it was read. Raises Illegal(NO_SUCH_TABLE)."""
        if self.stored and self._gaps_before_read == self.services.heartbeat.gaps:
            return self.stored.table
        return (await self.refresh()).table

    async def refresh(self) -> StoredTable:
        """Read the table, and keep it up to date from now on. Raises Illegal(NO_SUCH_TABLE)."""
        gaps = self.services.heartbeat.gaps
        try:
            stored = await read_table(self.services.store, self.id)
        except Refusal:
            self.connections.send_to_all(TableGone())
            self.close()
            raise
        self._gaps_before_read = gaps
        self.set_table(stored)
        return stored

    def set_table(self, stored: StoredTable) -> None:
        """Replace the known table by the current one. If it has changed, everyone here is notified,
        and someone who has lost their seat no longer sees its view."""
        known, table = self.stored, stored.table
        if known and known.version >= stored.version:
            return
        self.stored = stored
        if self.match and self.match.id != table.match_id:
            self._set_match(None)
        if known and known.table == table:  # only others are here
            self.news.notify_change(essential=False)
        elif known:
            self.connections.update_viewed_seats(known.table, table)
            self.news.notify_change(essential=not differ_only_in_talk(known.table, table))
            if lines := new_lines(known.table, table):
                self.news.send_pending_essentials()
                self.connections.send_to_all(*lines)
            self.start_unattended(
                retry(partial(update_match_after_table_change, self, known.table, table))
            )
        if self.presence.pending_writes(stored):
            write_presence_later(self)

    async def change(self, alter: Callable[[Table], Table]) -> StoredTable:
        """Alter the table. If `alter` raises, nothing has changed."""
        return await self.change_with_writes(lambda stored: (alter(stored.table), ()))

    async def change_with_writes(
        self,
        alter: Callable[[StoredTable], TableChange],
        *,
        tries: int = MAX_TRIES,
        row: TableRow | None = None,
    ) -> StoredTable:
        """Alter the table and write something else with it, or do neither. A `row` that was just
        read isn't read again."""
        services = self.services
        for _ in range(tries):
            row = row or await fetch_table_row(services.store, self.id)
            before, replaced, row = decode_table_row(row), row.doc, None
            table, writes = alter(before)
            table = seats.with_lines_about_seat_changes(before.table, table)
            if table == before.table and not writes:
                return before
            update = plan_update(
                before, (table, writes), services.clock(), services.bot_pause_ms, replaced=replaced
            )
            try:
                if has_pause_changed(before.table, table):
                    await begin_or_end_pause(self, before.table, update)
                else:
                    await services.store.commit(*update.writes)
                    self.publish_table(update.after)
            except Conflict:
                continue
            return update.after
        raise Conflict

    def publish_table(self, after: StoredTable) -> None:
        self.services.bus.publish(self.id, after.version)
        if self.stored:
            self.set_table(after)

    def close(self) -> None:
        """End all connections, and send nothing more."""
        self._on_unused()
        for connection in self.connections:
            connection.close()

    def _on_unused(self) -> None:
        self.stored = None
        self.news.cancel()
        self._set_match(None)


# ------------------------------------------------------------ notifications and background work


async def catch_up_with_log(room: Room, match: LiveMatch) -> None:
    async with match.lock:
        match.next_check = None  # requests from now on need a later check
        if await match.catch_up():
            show_new_events(room, match)


async def begin_or_end_pause(room: Room, before: Table, update: TableUpdate) -> None:
    """Begin or end a pause. During it nothing is due, and afterwards everything is due that
    much later, plus a countdown if people act against a clock."""
    # Otherwise the time in which nobody could act would never be made up for: in a pause,
    # nothing is due that could be moved.
    await room.services.heartbeat.wait_until_recent()
    table = update.after.table
    try:
        match = await room.open_match(table)
    except Illegal:
        raise Conflict from None  # the table was deleted since it was read
    await room.catch_up(match)
    if before.paused is not None and match.game.deadline(match.state) is not None:
        # If people play against a clock, it shouldn't take them by surprise.
        is_race = bool(match.game.awaited(match.state))
        countdown = room.services.resume_countdown_ms if is_race else 0
        shift = partial(end_pause, before.paused, countdown)
        await room.act(None, shift, actor=Actor.SERVER, update=update)
    else:
        deadlines = SetDeadlines(match.id, match.deadlines(table))
        await room.services.store.commit(*update.writes, deadlines)
        room.publish_table(update.after)


def end_pause(began: int, countdown: int, now: int) -> Shift:
    return Shift(max(0, now - began) + countdown, countdown)


def check_holder(request: ActionRequest, table: Table) -> None:
    """Check that a person still has the seat that they act for: they may have lost it while their
    action waited. Raises Illegal."""
    if request.holder is not None and request.seat not in table.held_by(request.holder):
        raise Illegal(Reason.NOT_YOUR_SEAT)


def send_table_to_all(room: Room) -> None:
    """Send everyone here the current table."""
    if room.stored:
        info = make_table_info(room.stored, room.presence.connected_holders(room.stored))
        room.connections.send_table(room.stored.table, info)


def show_new_events(room: Room, match: LiveMatch) -> None:
    """Show events that are on disk, and note what is due next."""
    room.send_updates(match)
    if room.stored:
        set_alarm_for_deadlines(room, match, match.deadlines(room.stored.table))
    if state := match.state_to_save():
        room.start_unattended(save_if_possible(room.services.store, state))


async def save_if_possible(store: Store, state: PutState) -> None:
    """Save a state. If that fails, nothing is lost: the next one comes soon."""
    with suppress(Unavailable):
        await store.commit(state)


def set_alarm_for_deadlines(room: Room, match: LiveMatch, deadlines: Deadlines) -> None:
    """Alert the scheduler when something is due, while the match is open here."""
    if match is room.match:
        room.services.alarm.add(match.id, deadlines)


def refresh_log_later(room: Room, match: LiveMatch) -> None:
    """Read the log again when the store answers: only once, however many requests failed."""
    if not match.is_being_refreshed:
        match.is_being_refreshed = True
        room.start_unattended(retry(partial(refresh_log, room, match)))


async def refresh_log(room: Room, match: LiveMatch) -> None:
    await room.catch_up(match)
    room.services.bus.publish(match.id, match.seq)
    match.is_being_refreshed = False


async def update_match_after_table_change(room: Room, old: Table, table: Table) -> None:
    """Apply the consequences of a table change to its match."""
    if room.stored is None or room.stored.table.phase == "lobby":
        return
    if have_seats_changed_hands(old, table):
        room.services.alarm.ring_by(room.services.clock())  # to set the deadlines again
    with suppress(Refusal):  # the table is gone
        room.send_updates(await room.open_match(room.stored.table))


async def refresh_table(room: Room) -> None:
    """Read the table again. If it's gone, everyone here is notified."""
    with suppress(Refusal):
        await room.refresh()


def write_presence_later(room: Room) -> None:
    tell = partial(room.news.notify_change, essential=False)
    room.start_unattended(retry(partial(write_presence, room), on_first_failure=tell))


async def write_presence(room: Room, row: TableRow | None = None) -> None:
    """Write into the store who is connected here, until nothing is pending. A `row` of the table
    that was just read saves reading it."""
    async with room.presence_lock:
        known = None if room.presence.is_in_doubt else room.stored
        with suppress(Refusal):  # the table is gone
            while known is None or room.presence.pending_writes(known):
                room.presence.is_in_doubt = True
                known, row = await write_presence_once(room, row), None
                room.presence.is_in_doubt = False
                if room.stored:  # others may have changed the table in the meantime
                    room.set_table(known)
                    known = room.stored


async def write_presence_once(room: Room, row: TableRow | None) -> StoredTable:
    return await room.change_with_writes(
        lambda stored: (stored.table, room.presence.pending_writes(stored)), row=row
    )


def differ_only_in_talk(old: Table, table: Table) -> bool:
    return replace(old, talk=(), speakers={}) == replace(table, talk=(), speakers={})


def new_lines(old: Table, table: Table) -> list[Line]:
    """Lines that are new, and earlier lines if somebody has taken back what they said."""
    heard = {line.number: line for line in old.talk}
    return [line for line in table.talk if heard.get(line.number) != line]
