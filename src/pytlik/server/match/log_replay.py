"""Reads and replays a match's log, in pages and outside the event loop.

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
from pytlik.server.match.delay_credit import DelayCredits
from pytlik.server.match.round_action_limits import Tally, tally_events
from pytlik.store import NO_LIMIT, MatchLog

T = TypeVar("T")

EVENTS_PER_PAGE = 2_000
"""How many events are read at once."""

SHORT_LOG_EVENTS = 64
"""Few enough events to replay on the event loop: handing them to a thread would take longer. Also
how many recent events are kept for clients that are a little behind."""

EVENTS_PER_SLICE = 500
"""Events that the thread replays at once, which takes a millisecond or two."""

LONG_LOG_EVENTS = 2_000
"""A request that replays more events than this counts as heavy."""

replay_executor = ThreadPoolExecutor(1, "pytlik-replaying")


class ReplayResult(msgspec.Struct, frozen=True, kw_only=True):
    """What the first `seq` events of a match have led to."""

    state: Any = None
    seq: int = 0
    tally: Tally = Tally()
    credits: DelayCredits = DelayCredits()
    recent: tuple[Any, ...] = ()
    """The last of the events that were just replayed."""


NO_EVENTS = ReplayResult()


async def run_in_replay_thread(work: Callable[..., T], *given: Any) -> T:
    """Run something in the thread for replays."""
    return await asyncio.get_running_loop().run_in_executor(replay_executor, work, *given)


async def replay_log(
    store: MatchLog,
    game: AnyGame,
    match: str,
    before: ReplayResult = NO_EVENTS,
    until: int = NO_LIMIT,
    *,
    with_recent: bool = True,
) -> ReplayResult:
    """Replay what a match's log has after `before`, up to its event number `until`. Recent events
    that `before` doesn't have are read as well, unless nobody needs them (`with_recent`)."""
    # Read at least one event again: it shows that the log is the one that a state was saved from.
    again = SHORT_LOG_EVENTS if with_recent else 1
    known = 0 if before.recent else min(before.seq, again)
    read = await read_log(store, match, before.seq - known, until)
    if len(read) < known:
        return await replay_log(store, game, match, until=until, with_recent=with_recent)
    after, raw = before, read[known:]
    if len(raw) <= SHORT_LOG_EVENTS:
        after = apply_raw_events(game, after, raw)
    else:
        needed, forgotten = await run_in_replay_thread(separate_forgotten_events, game, raw)
        for part in split_into_slices(needed):
            after = await run_in_replay_thread(apply_raw_events, game, after, part)
        for part in split_into_slices(forgotten if game.read_delay_credit else []):
            after = await run_in_replay_thread(add_delay_credits, game, after, part)
    recent = read[-SHORT_LOG_EVENTS:] if with_recent else ()
    return msgspec.structs.replace(
        after, seq=before.seq + len(raw), recent=tuple(map(game.event_decoder.decode, recent))
    )


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


def separate_forgotten_events(
    game: AnyGame, raw: Sequence[bytes]
) -> tuple[list[bytes], list[bytes]]:
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
    game: AnyGame, before: ReplayResult, raw: Sequence[bytes | msgspec.Raw]
) -> ReplayResult:
    """The result after some more events."""
    return apply_events(game, before, list(map(game.event_decoder.decode, raw)))


def apply_events(game: AnyGame, before: ReplayResult, events: Sequence[Any]) -> ReplayResult:
    """The same, for decoded events."""
    return ReplayResult(
        state=replay(game.apply, events, before.state) if events else before.state,
        seq=before.seq + len(events),
        tally=tally_events(game, before.tally, events),
        credits=before.credits.with_events(game, events),
        recent=tuple(events[-SHORT_LOG_EVENTS:]),
    )


def add_delay_credits(game: AnyGame, before: ReplayResult, raw: Sequence[bytes]) -> ReplayResult:
    """Apply only what events say about delays."""
    events = map(game.event_decoder.decode, raw)
    return msgspec.structs.replace(before, credits=before.credits.with_events(game, events))


def encoded_prefix(event: type[Event]) -> bytes:
    """How stored events of a kind begin. An event that is written differently is just replayed."""
    return b'{"kind":"%b"' % str(event.__struct_config__.tag).encode()


async def last_event(store: MatchLog, match: str) -> tuple[int, bytes] | None:
    """The number of a match's events, and the last one; None if there are none."""
    seq = (await store.seqs_and_versions([match], []))[match]
    found = await store.events(match, seq - 1, EVENTS_PER_PAGE) if seq else []
    return (seq - 1 + len(found), found[-1]) if found else None


async def are_logs_long(store: MatchLog, *matches: str) -> bool:
    """Whether replaying all these matches counts as heavy."""
    return sum((await store.seqs_and_versions(matches, [])).values()) > LONG_LOG_EVENTS
