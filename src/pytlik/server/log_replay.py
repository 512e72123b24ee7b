"""Reading a match's log and replaying it, in pages and beside the event loop.

For rounds that are over, only the result is replayed, not every piece that was moved about. The
rest is done in one thread for all matches, a few events at a time, so that the event loop never
competes with more than one thread for the interpreter, and never for long.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec

from pytlik.game import AnyGame, Event, replay
from pytlik.server.delay_credit import DelayCredits
from pytlik.server.match_log_limits import Tally, tally_events
from pytlik.store import NO_LIMIT, MatchLog

T = TypeVar("T")

EVENTS_PER_PAGE = 2_000
"""Events that are read at once."""

SHORT_LOG_EVENTS = 64
"""Few enough events to replay on the event loop: handing them to a thread would take longer. Also
how many recent events are kept for clients that are a little behind."""

EVENTS_PER_SLICE = 500
"""Events that the thread replays at once, which takes a millisecond or two."""

LONG_LOG_EVENTS = 2_000
"""A request that has more events replayed counts as heavy."""

thread = ThreadPoolExecutor(1, "pytlik-replaying")


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """What the first `seq` events of a match have led to."""

    state: Any = None
    seq: int = 0
    tally: Tally = Tally()
    credits: DelayCredits = DelayCredits()
    recent: tuple[Any, ...] = ()
    """The last of the events that were replayed now."""


NO_EVENTS = Replayed()


async def run_in_replay_thread(work: Callable[..., T], *given: Any) -> T:
    """Run something in the thread for replays."""
    return await asyncio.get_running_loop().run_in_executor(thread, work, *given)


async def replay_log(
    store: MatchLog, game: AnyGame, match: str, before: Replayed = NO_EVENTS, until: int = NO_LIMIT
) -> Replayed:
    """Replay what a match's log has after `before`, up to its event number `until`."""
    # The recent events of a saved state aren't known.
    known = 0 if before.recent else min(before.seq, SHORT_LOG_EVENTS)
    read = await read_log(store, match, before.seq - known, until)
    if len(read) < known:  # the log isn't the one that it was saved from
        return await replay_log(store, game, match, until=until)
    after, raw = before, read[known:]
    if len(raw) <= SHORT_LOG_EVENTS:
        after = apply_raw_events(game, after, raw)
    else:
        needed, forgotten = await run_in_replay_thread(split_forgotten, game, raw)
        for part in split_into_slices(needed):
            after = await run_in_replay_thread(apply_raw_events, game, after, part)
        for part in split_into_slices(forgotten if game.delay_credit else []):
            after = await run_in_replay_thread(add_delay_credits, game, after, part)
    recent = tuple(map(game.event_decoder.decode, read[-SHORT_LOG_EVENTS:]))
    return msgspec.structs.replace(after, seq=before.seq + len(raw), recent=recent)


async def read_log(
    store: MatchLog, match: str, after: int = 0, until: int = NO_LIMIT
) -> list[bytes]:
    """The events of a match that follow the first `after`, up to number `until`."""
    raw: list[bytes] = []
    while (limit := min(EVENTS_PER_PAGE, until - after - len(raw))) > 0:
        page = await store.events(match, after + len(raw), limit)
        raw += page
        if len(page) < limit:
            break
    return raw


def split_forgotten(game: AnyGame, raw: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The events that the state depends on, and separately those that a later round has made
    meaningless."""
    begins, heads = encoded_prefix(game.round_begins), tuple(map(encoded_prefix, game.forgotten))
    last_round = max((i for i, event in enumerate(raw) if event.startswith(begins)), default=0)
    needed, forgotten = list[bytes](), list[bytes]()
    for event in raw[:last_round]:
        (forgotten if event.startswith(heads) else needed).append(event)
    return [*needed, *raw[last_round:]], forgotten


def split_into_slices(raw: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    return (raw[start : start + EVENTS_PER_SLICE] for start in range(0, len(raw), EVENTS_PER_SLICE))


def apply_raw_events(
    game: AnyGame, before: Replayed, raw: Sequence[bytes | msgspec.Raw]
) -> Replayed:
    """What some more events lead to."""
    return apply_events(game, before, list(map(game.event_decoder.decode, raw)))


def apply_events(game: AnyGame, before: Replayed, events: Sequence[Any]) -> Replayed:
    """The same with decoded events."""
    return Replayed(
        state=replay(game.apply, events, before.state) if events else before.state,
        seq=before.seq + len(events),
        tally=tally_events(game, before.tally, events),
        credits=before.credits.with_events(game, events),
        recent=tuple(events[-SHORT_LOG_EVENTS:]),
    )


def add_delay_credits(game: AnyGame, before: Replayed, raw: Sequence[bytes]) -> Replayed:
    """Take in only what events say about delays."""
    events = map(game.event_decoder.decode, raw)
    return msgspec.structs.replace(before, credits=before.credits.with_events(game, events))


def encoded_prefix(event: type[Event]) -> bytes:
    """How stored events of a kind begin. An event that is written differently is just replayed."""
    return b'{"kind":"%b"' % str(event.__struct_config__.tag).encode()


async def last_event(store: MatchLog, match: str) -> tuple[int, bytes] | None:
    """The number of a match's events, and the last one; None if there are none."""
    seq = (await store.progress([match], []))[match]
    found = await store.events(match, seq - 1, EVENTS_PER_PAGE) if seq else []
    return (seq - 1 + len(found), found[-1]) if found else None


async def is_long(store: MatchLog, *matches: str) -> bool:
    """Whether replaying all these matches is heavy."""
    return sum((await store.progress(matches, [])).values()) > LONG_LOG_EVENTS
