"""Reading a match's log and replaying it, a page at a time and beside the event loop.

However long a log is, nobody waits for more than a page of it: the loop has its turn after each,
and there is one thread for all, so that the loop has no more than one rival for the interpreter.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec

from pytlik.game import Game
from pytlik.server.log_limits import Tally, count
from pytlik.store import NO_LIMIT, Store

T = TypeVar("T")

PAGE = 2_000
"""Events that are read and replayed in one go: for some milliseconds."""

SHORT = 64
"""So few are replayed where they are wanted: to hand them to a thread would take longer."""

LONG = 2_000
"""Whoever has more events than these replayed is counted as asking for something heavy."""

thread = ThreadPoolExecutor(1, "pytlik-replaying")


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """What the first `seq` events of a match have led to."""

    state: Any = None
    seq: int = 0
    tally: Tally = Tally()
    recent: tuple[Any, ...] = ()
    """The last events, at least `SHORT` if so many are new."""


NOTHING = Replayed()


async def beside(work: Callable[..., T], *given: Any) -> T:
    """Let the thread for replays do something."""
    return await asyncio.get_running_loop().run_in_executor(thread, work, *given)


async def replay_log(
    store: Store, game: Game, match: str, before: Replayed = NOTHING, until: int = NO_LIMIT
) -> Replayed:
    """Replay what a match's log has after `before`, or only its first `until` events. `recent` has
    new ones only."""
    after = msgspec.structs.replace(before, recent=())
    while True:
        limit = min(PAGE, until - after.seq)
        raw = await store.events(match, after.seq, limit) if limit > 0 else []
        if len(raw) <= SHORT:
            after = replay_page(game, after, raw)
        else:
            after = await beside(replay_page, game, after, raw)
        if len(raw) < PAGE:
            return after


def replay_page(game: Game, before: Replayed, raw: list[bytes]) -> Replayed:
    if not raw:
        return before
    events = tuple(map(game.event_decoder.decode, raw))
    state = before.state
    for event in events:
        state = game.apply(state, event)
    return Replayed(
        state=state,
        seq=before.seq + len(events),
        tally=count(before.tally, events),
        recent=(before.recent + events)[-max(SHORT, len(events)) :],
    )


async def read_whole(store: Store, match: str) -> list[bytes]:
    """All events of a match, read in pages."""
    raw: list[bytes] = []
    while page := await store.events(match, len(raw), PAGE):
        raw += page
        if len(page) < PAGE:
            break
    return raw


async def last_event(store: Store, match: str) -> tuple[int, bytes] | None:
    """How many events a match has, and the last of them; None if there is none."""
    seq = (await store.progress([match], []))[match]
    found = await store.events(match, seq - 1) if seq else []
    return (seq - 1 + len(found), found[-1]) if found else None


async def is_long(store: Store, *matches: str) -> bool:
    """Do these matches together have so many events that to replay them is heavy?"""
    return sum((await store.progress(matches, [])).values()) > LONG
