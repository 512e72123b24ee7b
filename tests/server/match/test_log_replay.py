"""Logs are replayed in pages and slices, off the event loop, with the same result as event by
event."""

import asyncio
import threading
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from pytlik.game import replay
from pytlik.games import GAMES, UBONGO, UNIKAT
from pytlik.server.match import log_replay
from pytlik.server.match.log_replay import (
    EVENTS_PER_PAGE,
    EVENTS_PER_SLICE,
    NO_EVENTS,
    SHORT_LOG_EVENTS,
    ReplayResult,
    read_log,
    replay_log,
)
from pytlik.server.match.round_action_limits import MAX_PAUSES_PER_ROUND, Tally, tally_events
from pytlik.store import NO_LIMIT
from pytlik.ubongo.game import MAX_MOVES_PER_ROUND
from pytlik.unikat.game import MAX_QUIET_TURNS_PER_PLAYER
from tests.longest_matches import play_longest_ubongo, play_longest_unikat
from tests.random_matches import play_random_match


class StoreWithOneLog:
    """A store with one match that records how much was read at a time."""

    def __init__(self, events: Sequence[Any]) -> None:
        self.raw = [msgspec.json.encode(event) for event in events]
        self.read: list[int] = []

    async def events(self, _: str, after: int = 0, limit: int = NO_LIMIT) -> list[bytes]:
        self.read.append(limit)
        return self.raw[after : after + limit]


def replay_from_log(
    log: Any, game: Any, before: ReplayResult = NO_EVENTS, until: int = NO_LIMIT
) -> ReplayResult:
    return asyncio.run(replay_log(log, game, "m.1", before, until))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_replay_may_skip_what_later_rounds_forget(name: str, seed: int) -> None:
    """Wherever the log ends, and wherever replaying starts."""
    game, random = GAMES[name], Random(seed)
    options = UNIKAT.options(rounds=3, blocked=(1, 3)) if game is UNIKAT else UBONGO.options()
    events = play_random_match(game, 2 + seed, f"rounds {seed}", options).events
    log: Any = StoreWithOneLog(events)
    assert len(events) > 2 * SHORT_LOG_EVENTS
    for _ in range(12):
        until = random.randrange(1, len(events) + 1)
        half_way = random.randrange(1, until + 1)
        whole = replay(game.apply, events[:until])
        for before in (NO_EVENTS, replay_from_log(log, game, until=half_way)):
            found = replay_from_log(log, game, before, until)
            assert (found.state, found.seq) == (whole, until)
            assert found.tally == tally_events(game, Tally(), events[:until])
            assert found.recent == events[max(before.seq, until - SHORT_LOG_EVENTS) : until]


@pytest.mark.parametrize("longest", [play_longest_ubongo, play_longest_unikat])
def test_long_logs_are_replayed_in_slices_off_the_event_loop(
    longest: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = longest(players=2, rounds=2)
    steps: list[tuple[str, int]] = []
    apply_raw_events = log_replay.apply_raw_events

    def note_and_apply(game: Any, before: ReplayResult, raw: Sequence[bytes]) -> ReplayResult:
        steps.append((threading.current_thread().name, len(raw)))
        return apply_raw_events(game, before, raw)

    monkeypatch.setattr(log_replay, "apply_raw_events", note_and_apply)
    log: Any = StoreWithOneLog(match.events)
    assert replay_from_log(log, match.game).state == match.state
    assert {thread for thread, _ in steps} == {"pytlik-replaying_0"}
    assert max(length for _, length in steps) <= EVENTS_PER_SLICE
    assert max(log.read) <= EVENTS_PER_PAGE
    # Almost nothing of the rounds that are over is replayed.
    assert sum(length for _, length in steps) < 0.6 * len(match.events)


def test_a_log_is_read_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_replay, "EVENTS_PER_PAGE", 7)
    for length in (0, 1, 6, 7, 8, 14, 20):
        log: Any = StoreWithOneLog(range(length))
        assert asyncio.run(read_log(log, "m.1")) == log.raw
        assert asyncio.run(read_log(log, "m.1", 3, 12)) == log.raw[3:12]
        assert max(log.read) <= 7


def test_length_of_a_match_is_limited() -> None:
    """Even if everyone stalls for as long as they can, the match ends."""
    ubongo = play_longest_ubongo(2, 2)
    beside_moves = 40
    assert len(ubongo.events) <= 2 * (2 * MAX_MOVES_PER_ROUND + MAX_PAUSES_PER_ROUND + beside_moves)
    unikat = play_longest_unikat(2, 1)
    assert UNIKAT.outcome(unikat.state)
    # A swap and the end of the turn, plus a turn for each of the 80 tiles laid, with one drawn.
    assert len(unikat.events) <= 2 * 2 * MAX_QUIET_TURNS_PER_PLAYER + 80 * 7
