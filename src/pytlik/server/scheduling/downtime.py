"""Time in which nobody could act doesn't count: whatever was due then is due later by the gap.

Workers write a heartbeat about once a second. If there was none for a while, no server ran, or none
could reach the store. The next one to start, or the first to reach the store again, moves all
clocks.
"""

from contextlib import suppress

from pytlik.game import Refusal, Shift
from pytlik.server.clocks.heartbeat import MAX_GAP_MS
from pytlik.server.live.room import Room
from pytlik.server.live.rooms import Rooms
from pytlik.server.match.deadlines import (
    AWAY_DEADLINE_PREFIX,
    RULES_DEADLINE,
    TURN_DEADLINE,
    table_id_of,
)
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.table.stored_tables import read_table
from pytlik.server.table.tables import Table
from pytlik.store import Actor, Deadline, EndDowntime, MoveDeadline, Store


async def move_clocks(rooms: Rooms, last: int, now: int) -> None:
    """Make up for the time between the last heartbeat and now. Raises Conflict if another worker
    already has.

    Several workers may do so at once, and any of them may die halfway: a match's own clocks are
    moved once for each gap, which the last heartbeat names, and all the others together with that
    heartbeat.
    """
    store = rooms.services.store
    deadlines = await store.deadlines()
    for deadline in deadlines:
        if deadline.kind == RULES_DEADLINE:
            with suppress(Refusal), rooms.open(table_id_of(deadline.match)) as room:
                await move_match_clocks(room, last, now)
    moves = [
        MoveDeadline(each.match, each.kind, each.due, each.due + now - since)
        for each in deadlines
        if gives_people_time(each)
        and (since := await start_of_missed_time(store, each, last)) < now
    ]
    await store.commit(EndDowntime(last, now), *moves)


async def move_match_clocks(room: Room, last: int, now: int) -> None:
    """Move the clocks of the game itself, unless that's already done. If the worker that did it
    died soon after, more time may have passed: then they are moved by the rest."""
    match = await room.open_match((await room.refresh()).table)
    done = await clocks_moved_until(room.services.store, match, last)
    if done == last or now - done > MAX_GAP_MS:
        # Only as long as nobody has made up for the time since `last`: afterwards people act again,
        # and sand may have been turned since.
        not_ended = EndDowntime(last, last)
        await room.act(
            None,
            Shift(now - done),
            downtime_command_id(done),
            actor=Actor.SERVER,
            guard=not_ended,
        )


def downtime_command_id(moment: int) -> str:
    return f"asleep since {moment}"


async def clocks_moved_until(store: Store, match: LiveMatch, last: int) -> int:
    """The moment up to which a match's clocks have been moved for a gap that began at `last`."""
    until = last
    while (seq := await store.seq_of_command(match.id, downtime_command_id(until))) is not None:
        (event,) = await store.events(match.id, seq - 1, 1)
        cause = match.game.cause(match.game.event_decoder.decode(event))
        if cause is None or not isinstance(cause.action, Shift) or cause.action.by <= 0:
            break
        until += cause.action.by
    return until


def gives_people_time(deadline: Deadline) -> bool:
    """Whether it's a deadline that gives people time. What should happen as soon as possible
    needn't be moved."""
    return deadline.kind == TURN_DEADLINE or deadline.kind.startswith(AWAY_DEADLINE_PREFIX)


async def start_of_missed_time(store: Store, deadline: Deadline, last: int) -> int:
    """The moment from which nobody could use the time until a deadline. It may be later than
    `last`: tables change as soon as the store is back, before the clocks are moved."""
    with suppress(Refusal):  # the table is gone
        table = (await read_table(store, table_id_of(deadline.match))).table
        return max(last, when_deadline_was_set(deadline, table))
    return last


def when_deadline_was_set(deadline: Deadline, table: Table) -> int:
    agreement = table.agreement
    seconds = agreement.turn_seconds if deadline.kind == TURN_DEADLINE else agreement.away_seconds
    return deadline.due - 1000 * (seconds or 0)
