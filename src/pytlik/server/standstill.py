"""Time in which nobody could act doesn't count: whatever was due then is due later by the gap.

Workers beat about once a second. If no beat was written for a while, no server ran, or none could
reach the store. The next one to start, or the first to reach the store again, moves all clocks.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from pytlik.game import Refusal
from pytlik.server.due import RULES, table_of
from pytlik.store import MoveDeadline, Store, WakeUp

UNSURE = 2_000
"""A gap between beats that is no longer may be chance (ms). A longer one is counted from the last
beat, and so a little too long: better that the sand lasts a second more."""

ShiftMatch = Callable[[str, int, str], Awaitable[None]]
"""Moves the clocks of the match at a table, by milliseconds, once for each command."""


async def move_clocks(store: Store, shift: ShiftMatch, last: int, now: int) -> None:
    """Make up for the time between the last beat and now. Raises Conflict if somebody else did.

    Several may do so at once, and any of them may die halfway: a match's own clocks are moved once
    for each gap, which the last beat names, and all the others together with that beat.
    """
    gap, command = now - last, f"asleep since {last}"
    deadlines = await store.deadlines()
    for deadline in deadlines:
        if deadline.kind == RULES:
            with suppress(Refusal):
                await shift(table_of(deadline.match), gap, command)
    moves = (
        MoveDeadline(each.match, each.kind, each.due, each.due + gap)
        for each in deadlines
        if each.kind != RULES
    )
    await store.commit(WakeUp(last, now), *moves)
