"""What clients ask of a table over their sockets."""

import asyncio
from collections.abc import Callable

import msgspec

from pytlik.game import Illegal, Malformed, Reason, Seat
from pytlik.protocol.messages import Act, Hello
from pytlik.protocol.reasons import ServerReason
from pytlik.server.live.connection import Connection
from pytlik.server.live.room import Room, refresh_table, write_presence, write_presence_later
from pytlik.server.live.table_connections import make_update
from pytlik.server.match.deadlines import table_id_of
from pytlik.server.match.log_replay import are_logs_long
from pytlik.server.table import seats, tables
from pytlik.server.table.sanitize import clean_text
from pytlik.server.table.stored_tables import decode_table_row, fetch_table_row
from pytlik.server.table.table_info import make_table_info
from pytlik.server.table.tables import Table
from pytlik.store import Actor, Unavailable

MAX_LINE_LENGTH = 280
"""Characters of a line of chat."""

MIN_SHOWN_DELAY_CHANGE_MS = 5
"""A delay that has changed by this much is shown again."""


# --------------------------------------------------------------------------------- coming and going


async def join(
    room: Room, connection: Connection, admit: Callable[[Table], None] | None = None
) -> None:
    """Start watching a table, from the person's own seat if they have one. `admit` raises if they
    may not."""
    was_known = room.stored is not None
    row = await fetch_table_row(room.services.store, room.id)
    stored = decode_table_row(row)
    if admit:
        admit(stored.table)
    room.set_table(stored)
    stored = room.stored or stored
    table = stored.table
    room.connections.add(connection)
    room.services.bus.follow_table(room.id)
    yours = table.held_by(connection.holder)
    connection.seat = yours[0] if yours else None
    connection.send(
        Hello(
            table=make_table_info(stored, room.presence.connected_holders(stored)),
            yours=yours,
            host=table.host == connection.holder,
            talk=table.talk,
            now=room.services.clock(),
        )
    )
    if yours:
        # Finish this even if we are cancelled: otherwise something could still be written after
        # everyone was told that they have gone.
        await asyncio.shield(room.start(write_presence(room, row)))
        table = await room.current_table()
        held = table.held_by(connection.holder)
        await take_back(room, tuple(seat for seat in held if table.chairs[seat].stand_in))
    elif room.presence.pending_writes(stored):
        write_presence_later(room)
    if not was_known and room.stored and room.stored.version == stored.version:
        # It may have changed while it was being read, when nobody here was listening yet.
        await refresh_table(room)


def leave(room: Room, connection: Connection) -> None:
    room.connections.remove(connection)
    if not room.connections:
        room.services.bus.unfollow_table(room.id)
    if room.stored:
        write_presence_later(room)


async def take_back(room: Room, back: tuple[Seat, ...]) -> None:
    """Let people for whom bots have stood in play again."""

    def alter(table: Table) -> Table:
        for seat in back:
            if (holder := table.chairs[seat].holder) is not None:
                table = seats.take_back(table, holder, seat)
        return table

    if back:
        await room.change(alter)


def is_member(room: Room, connection: Connection) -> bool:
    """Whether somebody belongs to the table that they are connected to."""
    return room.stored is not None and tables.is_member(room.stored.table, connection.holder)


def handle_pong(room: Room, connection: Connection, n: int, now: int) -> None:
    """Note a ping's answer, and show everyone the delay that is credited."""
    before = connection.lag
    connection.handle_pong(n, now)
    if not room.stored or not room.stored.table.held_by(connection.holder):
        return  # nothing is credited to spectators, and there may be many
    lag = connection.lag
    if lag is not None and (before is None or abs(lag - before) >= MIN_SHOWN_DELAY_CHANGE_MS):
        room.news.notify_change(essential=False)
    if room.presence.pending_writes(room.stored):
        write_presence_later(room)


# ---------------------------------------------------------------------------------------- looking


async def is_heavy_to_show(room: Room) -> bool:
    """Whether a long log would have to be replayed first."""
    match = (await room.current_table()).match_id
    is_open = room.match is not None and room.match.id == match
    return not is_open and await are_logs_long(room.services.store, match)


async def send_match(room: Room, connection: Connection) -> None:
    """Send the whole match, as the connection's seat may see it."""
    connection.seen = ("", 0)
    table = await room.current_table()
    while table.phase != "lobby":
        known = room.match
        match = await room.open_match(table)
        if match is known:
            # Another worker may already have shown more of it, and its bus message may be late.
            await room.catch_up(match)
        before, table = table, await room.current_table()
        if table.match_id == before.match_id:
            connection.shown = True
            room.send_updates(match)
            return
    connection.shown = True


async def watch_from(room: Room, connection: Connection, seat: Seat | None) -> None:
    """Watch from another seat of your own, or from none."""
    table = await room.current_table()
    if seat is not None and seat not in table.held_by(connection.holder):
        raise Illegal(Reason.NOT_YOUR_SEAT)
    before, connection.seat = connection.seat, seat
    try:
        await send_match(room, connection)
    except Unavailable:
        # A refusal changes nothing, unless the seat was lost in the meantime.
        yours = room.stored.table.held_by(connection.holder) if room.stored else ()
        connection.seat = before if before in yours else None
        raise


async def sync(room: Room, connection: Connection, seq: int, digest: str) -> None:
    """Send one whole update, unless the client has exactly this view."""
    table = await room.current_table()
    if table.phase == "lobby":
        return
    match = await room.open_match(table)
    await room.catch_up(match)
    update = make_update(match, connection.seat, 0, room.services.clock())
    if (update.seq, update.hash) != (seq, digest):
        await send_match(room, connection)


# ----------------------------------------------------------------------------------------- doing


async def act(room: Room, connection: Connection, message: Act) -> int:
    """Act for somebody who sits at the table, and return the number of events."""
    await room.services.heartbeat.wait_until_recent()
    table, seat = await room.current_table(), message.seat
    if seat not in table.held_by(connection.holder):
        raise Illegal(Reason.NOT_YOUR_SEAT)
    # Ids of commands belong to a seat, so nobody can use up another's.
    command = f"{seat} {message.id}"
    match_id = message.match or table.match_id
    if refusal := refusal_to_act(table, match_id):
        # It may have been done while that was still possible, and this worker doesn't know yet.
        is_ours = table_id_of(match_id) == table.id
        done = await room.services.store.seq_of_command(match_id, command) if is_ours else None
        if done is None:
            raise refusal
        return done
    try:
        action = table.rules.action_decoder.decode(message.action)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(Reason.BAD_REQUEST, problem=str(error)) from None
    if table.chairs[seat].stand_in:  # someone who acts is back
        await take_back(room, (seat,))
    lag = credited_delay(room, connection)
    doing = room.act(seat, action, command, actor=Actor.PERSON, holder=connection.holder, lag=lag)
    # Finish this even if we are cancelled: once it's on disk, everyone must be notified.
    return await asyncio.shield(room.start(doing))


def refusal_to_act(table: Table, match_id: str) -> Illegal | None:
    """Why nobody can act in a match now; None if they can."""
    if match_id != table.match_id:
        return Illegal(ServerReason.OTHER_MATCH, match=table.match_id)
    if table.phase == "lobby":
        return Illegal(Reason.WRONG_PHASE, phase=table.phase)
    if table.paused is not None:
        return Illegal(ServerReason.PAUSED)
    return None


def credited_delay(room: Room, connection: Connection) -> int:
    """The delay that an action is credited with, at least 1 if one was measured. Without a
    measurement on this very connection there is none: it may be quicker than the others."""
    if connection.lag is None or room.stored is None:
        return 0
    return max(1, room.presence.least_delay(room.stored, connection.holder) or 0)


async def add_talk(
    room: Room, connection: Connection, *, text: str | None = None, reaction: str | None = None
) -> None:
    """Say something to everyone at the table. It reaches all workers with the table."""
    if text is not None:
        text = clean_text(text, MAX_LINE_LENGTH)
        if not text:
            return
    await room.change(
        lambda table: tables.add_talk(table, connection.holder, text=text, reaction=reaction)
    )
