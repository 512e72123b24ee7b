"""What every store promises about guesses and tokens."""

import asyncio

import pytest

from pytlik.store import (
    Conflict,
    DeleteOldGuesses,
    DeleteTable,
    GiveBackGuess,
    Store,
    TakeGuess,
    TokenSeen,
    UpdateTrackedTokens,
)
from tests.store.sample_writes import make_put_table

pytestmark = pytest.mark.anyio


async def try_guess(store: Store, now: int) -> bool:
    """Take a guess: three at once are allowed, then one in ten seconds."""
    try:
        await store.commit(TakeGuess("thief", 3, 0.1, now))
    except Conflict:
        return False
    return True


async def test_guesses_are_limited_and_replenished(store: Store) -> None:
    assert await store.remaining_guesses("thief") is None
    assert [await try_guess(store, 0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert await store.remaining_guesses("thief") == (0, 0)
    assert [await try_guess(store, 9_000), await try_guess(store, 10_000)] == [False, True]
    assert [await try_guess(store, 10**9) for _ in range(4)] == [True] * 3 + [False]
    await store.commit(TakeGuess("another", 3, 0.1, 0))


async def test_workers_with_different_clocks_share_the_guesses(store: Store) -> None:
    taken = [
        await try_guess(store, now) for now in (50_000, 40_000, 50_000, 40_000, 55_000, 60_000)
    ]
    assert taken == [True, True, True, False, False, True]


async def test_simultaneous_guesses_stay_within_the_limit(store: Store) -> None:
    taken = await asyncio.gather(*(try_guess(store, 0) for _ in range(12)))
    assert sum(taken) == 3


async def test_correct_guess_is_given_back(store: Store) -> None:
    await try_guess(store, 0)
    await try_guess(store, 0)
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.remaining_guesses("thief") == (2, 0)
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.remaining_guesses("thief") is None
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.remaining_guesses("thief") is None


async def test_old_guesses_are_deleted(store: Store) -> None:
    await try_guess(store, 100)
    await store.commit(DeleteOldGuesses(100))
    assert await store.remaining_guesses("thief") is not None
    await store.commit(DeleteOldGuesses(101))
    assert await store.remaining_guesses("thief") is None


async def test_tokens_at_tables_have_a_last_seen_time(store: Store) -> None:
    await store.commit(make_put_table("one", holders=("ann", "bob")))
    await store.commit(TokenSeen("ann", 5))
    assert await store.last_seen(["ann"]) == {}  # strangers can't fill the store
    await store.commit(UpdateTrackedTokens(10, 0))
    assert await store.last_seen(["ann", "bob", "eve"]) == {"ann": 10, "bob": 10}
    await store.commit(TokenSeen("ann", 20))
    await store.commit(TokenSeen("ann", 15))
    await store.commit(UpdateTrackedTokens(30, 0))
    assert await store.last_seen(["ann", "bob"]) == {"ann": 20, "bob": 10}


async def test_old_token_is_remembered_as_long_as_its_table(store: Store) -> None:
    await store.commit(make_put_table("one", holders=("ann",)))
    await store.commit(UpdateTrackedTokens(10, 0))
    await store.commit(UpdateTrackedTokens(50, 40))
    assert await store.last_seen(["ann"]) == {"ann": 10}
    await store.commit(DeleteTable("one"))
    await store.commit(UpdateTrackedTokens(60, 10))
    assert await store.last_seen(["ann"]) == {"ann": 10}
    await store.commit(UpdateTrackedTokens(60, 40))
    assert await store.last_seen(["ann"]) == {}
