"""Time in which nobody could act doesn't count: whatever was due then is due later by the gap.

Workers beat about once a second. If no beat was written for a while, no server ran or none of them
could reach the store.
"""

from contextlib import suppress

from pytlik.bus.opening import open_bus
from pytlik.game import Refusal
from pytlik.server.due import RULES, table_of
from pytlik.server.live import Live
from pytlik.server.lobby import Lobby
from pytlik.server.presence import BEAT
from pytlik.server.room import Clock
from pytlik.store import Beat, SetDeadlines, Store

UNSURE = 2 * BEAT
"""A worker whose last beat is no older may be alive, on another machine (ms). So after a crash a
gap that short is not noticed. A longer one is counted from the last beat, and so a little too long:
better that the sand lasts a second more. Who stops in good order says so, and every millisecond
counts."""


async def wake_up(store: Store, clock: Clock) -> None:
    """To be called before the first worker starts: the clocks stood still while no server ran."""
    now, last = clock(), await store.last_beat()
    running = any(now - at <= UNSURE for at in (await store.workers()).values())
    if last is not None and last < now and not running:
        await move_clocks(store, last, now, clock)


async def move_clocks(store: Store, last: int, now: int, clock: Clock) -> None:
    """Who dies while doing it has moved the sand of some matches, and nothing else. The next server
    moves the rest, and knows the gap from the same last beat."""
    gap, command = now - last, f"asleep since {last}"
    live = Live(store, open_bus(""), Lobby(store, open_bus(""), clock), clock)
    deadlines = await store.deadlines()
    for deadline in deadlines:
        if deadline.kind == RULES:
            with suppress(Refusal):
                await live.shift(table_of(deadline.match), gap, command)
    await store.commit(
        *(
            SetDeadlines(deadline.match, {deadline.kind: deadline.due + gap})
            for deadline in deadlines
            if deadline.kind != RULES
        ),
        Beat(None, now),
    )
