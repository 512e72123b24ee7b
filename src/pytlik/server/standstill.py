"""Time in which nobody could act doesn't count: whatever was due then is due later by the gap.

Workers write a heartbeat about once a second. If there was none for a while, no server ran, or none
could reach the store. The next one to start, or the first to reach the store again, moves all
clocks.
"""

from contextlib import suppress

from pytlik.game import Refusal, Shift
from pytlik.server.deadlines import RULES, table_of
from pytlik.server.rooms import Rooms
from pytlik.store import Actor, MoveDeadline, WakeUp


async def move_clocks(rooms: Rooms, last: int, now: int) -> None:
    """Make up for the time between the last heartbeat and now. Raises Conflict if somebody else
    did.

    Several workers may do so at once, and any of them may die halfway: a match's own clocks are
    moved once for each gap, which the last heartbeat names, and all the others together with that
    heartbeat.
    """
    store = rooms.services.store
    gap, command = now - last, f"asleep since {last}"
    deadlines = await store.deadlines()
    for deadline in deadlines:
        if deadline.kind == RULES:
            with suppress(Refusal), rooms.open(table_of(deadline.match)) as room:
                await room.refresh()
                await room.act(None, Shift(gap), command, actor=Actor.SERVER)
    moves = (
        MoveDeadline(each.match, each.kind, each.due, each.due + gap)
        for each in deadlines
        if each.kind != RULES
    )
    await store.commit(WakeUp(last, now), *moves)
