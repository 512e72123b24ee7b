"""Reminds players that a match waits for them: once when their turn has begun, and when another
player nudges them."""

import hashlib
from collections.abc import Callable

from pytlik.game import Illegal, Reason, Seat
from pytlik.protocol.reasons import ServerReason
from pytlik.server.live.room import Room
from pytlik.server.match.deadlines import awaited_people
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.notifications.push_notifications import DAY_SECONDS, nudge_notice, turn_notice
from pytlik.server.table.stored_tables import StoredTable
from pytlik.server.table.tables import Table, chair_at
from pytlik.server.tokens import Holder
from pytlik.store import Conflict, TakeGuess

NUDGES_PER_SECOND = 1 / 3600


async def remind_of_turn(room: Room, match: LiveMatch, stored: StoredTable, seat: Seat) -> None:
    """Notify a seat's player that it's their turn, unless they are here, or everyone else has left
    since it began. While a push service is retried the deadline's lease is renewed, so that no
    other worker does the same."""
    table, notices = stored.table, room.services.notices
    holder = table.chairs[seat].holder
    if notices is None or holder is None or table.has_one_person:
        return
    if holder in room.presence.connected_holders(stored):
        return
    await notices.send(
        holder,
        turn_notice(table, seat),
        topic=table.id,
        is_current=make_turn_check(room, match, table, seat),
        seconds=table.agreement.turn_seconds or DAY_SECONDS,
    )


async def nudge(room: Room, holder: Holder | None, seat: Seat) -> None:
    """Remind a seat's player of their turn on behalf of another player: at most once an hour,
    whoever asks. Nobody learns whether it reached them. Raises Illegal."""
    stored = await room.refresh()
    table, services = stored.table, room.services
    sender = require_nudging_seat(table, holder, seat)
    match = await room.open_match(table)
    awaited = chair_at(table, seat).holder
    if awaited is None or seat not in awaited_people(table, match.state):
        raise Illegal(ServerReason.NOT_AWAITED)
    key = hashlib.sha256(f"pytlik nudge\0{match.id}\0{seat}".encode()).hexdigest()
    try:
        await services.store.commit(TakeGuess(key, 1, NUDGES_PER_SECOND, services.clock()))
    except Conflict:
        raise Illegal(ServerReason.ALREADY_NUDGED) from None
    if services.notices is not None:
        sending = services.notices.send(
            awaited,
            nudge_notice(table, sender),
            topic=table.id,
            is_current=make_turn_check(room, match, table, seat),
        )
        room.start_unattended(sending)  # a push service may take its time


def require_nudging_seat(table: Table, holder: Holder | None, seat: Seat) -> Seat:
    """The seat of somebody who may nudge another player. Raises Illegal."""
    mine = table.held_by(holder)
    if not mine:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if any(table.chairs[each].muted for each in mine):
        raise Illegal(ServerReason.MUTED)
    if table.phase != "playing":
        raise Illegal(ServerReason.TABLE_NOT_RUNNING)
    if table.paused is not None:
        raise Illegal(ServerReason.PAUSED)
    if seat in mine:
        raise Illegal(ServerReason.NOT_AWAITED)
    return mine[0]


def make_turn_check(room: Room, match: LiveMatch, table: Table, seat: Seat) -> Callable[[], bool]:
    """Return a function that checks whether the match still waits for the player who has the seat
    now."""

    def is_awaited() -> bool:
        now = room.stored.table if room.stored else table
        same = now.match_id == match.id and now.chairs[seat].holder == table.chairs[seat].holder
        return same and now.paused is None and seat in awaited_people(now, match.state)

    return is_awaited
