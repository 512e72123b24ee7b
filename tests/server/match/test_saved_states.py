"""States of long matches are saved, and give the same result as the whole log. Unusable ones are
ignored."""

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pytlik.game import AnyGame
from pytlik.games import GAMES, UBONGO, UNIKAT
from pytlik.server.match import saved_states
from pytlik.server.match.log_replay import NO_EVENTS, ReplayResult, replay_log
from pytlik.server.match.saved_states import (
    SAVE_EVERY_EVENTS,
    decode_saved_state,
    encode_saved_state,
    is_worth_saving,
)
from pytlik.store import NO_LIMIT, SavedState
from tests.random_matches import play_random_match
from tests.server.live_server import LiveServer, server_test
from tests.server.match.test_log_replay import StoreWithOneLog


def replay_from_log(
    log: StoreWithOneLog, game: AnyGame, before: ReplayResult = NO_EVENTS, until: int = NO_LIMIT
) -> Any:
    found: Any = log
    return asyncio.run(replay_log(found, game, "m.1", before, until))


def save_and_store(game: AnyGame, found: ReplayResult) -> SavedState:
    put = encode_saved_state(game, "m.1", found)
    return SavedState(put.seq, put.version, put.state)


@pytest.mark.parametrize("name", GAMES)
def test_saved_state_gives_the_same_result_as_the_log(name: str) -> None:
    """Wherever it was saved, and however far the log goes on."""
    game, random = GAMES[name], Random(name)
    options = UNIKAT.options(rounds=3, blocked=(1, 3)) if game is UNIKAT else UBONGO.options()
    log = StoreWithOneLog(play_random_match(game, 3, f"saved {name}", options).events)
    for _ in range(20):
        until = random.randrange(1, len(log.raw) + 1)
        before = replay_from_log(log, game, until=random.randrange(1, until + 1))
        loaded = decode_saved_state(game, save_and_store(game, before))
        assert loaded
        assert loaded == replace(before, recent=())
        assert replay_from_log(log, game, loaded, until) == replay_from_log(log, game, until=until)


@pytest.mark.parametrize("name", GAMES)
def test_unreadable_saved_state_is_ignored(name: str) -> None:
    game = GAMES[name]
    log = StoreWithOneLog(play_random_match(game, 2, "unreadable").events)
    saved = save_and_store(game, replay_from_log(log, game, until=50))
    assert decode_saved_state(game, saved)
    assert decode_saved_state(game, None) is None
    assert decode_saved_state(game, replace(saved, version="another")) is None
    for data in (b"", b"\x01", saved.state[:-1], saved.state.replace(b"\xa5", b"\xc1")):
        assert decode_saved_state(game, replace(saved, state=data)) is None


def test_state_ahead_of_its_log_is_ignored() -> None:
    log = StoreWithOneLog(play_random_match(UNIKAT, 2, "ahead").events)
    loaded = decode_saved_state(
        UNIKAT, save_and_store(UNIKAT, replay_from_log(log, UNIKAT, until=60))
    )
    assert loaded
    del log.raw[40:]
    assert replay_from_log(log, UNIKAT, loaded) == replay_from_log(log, UNIKAT)


def test_short_matches_are_not_saved() -> None:
    assert not is_worth_saving(UNIKAT, SAVE_EVERY_EVENTS - 1, 0)
    assert is_worth_saving(UNIKAT, SAVE_EVERY_EVENTS, 0)
    assert not is_worth_saving(UNIKAT, SAVE_EVERY_EVENTS, 1)


@server_test
async def test_a_match_is_opened_from_its_saved_state(live_server: LiveServer) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saved_states, "SAVE_EVERY_EVENTS", 4)
        table, people = await live_server.create_match(options={"blocked": [1, 2]})
        await asyncio.gather(*(person.play() for person in people))
        await live_server.wait_for_connections(2)
        found = await live_server.store.secret_and_state(f"{table}.1")
        assert found
        secret, saved = found
        assert secret == await live_server.store.secret(f"{table}.1")
        assert saved
        assert saved.seq >= 4
        shown = live_server.room(table).match
        assert shown
        for person in people:
            await person.disconnect()
        await live_server.wait_until_quiet()
        await people[0].join(table)
        await people[0].wait_for("update")
        again = live_server.room(table).match
        assert again
        assert again is not shown
        assert (again.state, again.seq) == (shown.state, shown.seq)
        assert again.events_since(again.seq - 1) == shown.events_since(shown.seq - 1)
