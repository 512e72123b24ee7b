"""What every store promises about guesses and tokens."""

import asyncio

import pytest

from pytlik.store import (
    Conflict,
    DropTable,
    GiveBackGuess,
    Store,
    SweepGuesses,
    SweepTokens,
    TakeGuess,
    TokenSeen,
)
from tests.store.writes import table

pytestmark = pytest.mark.anyio


async def guess(store: Store, now: int) -> bool:
    """Take a guess: three at once are allowed, then one in ten seconds."""
    try:
        await store.commit(TakeGuess("thief", 3, 0.1, now))
    except Conflict:
        return False
    return True


async def test_guesses_are_limited_and_come_back(store: Store) -> None:
    assert await store.guesses("thief") is None
    assert [await guess(store, 0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert await store.guesses("thief") == (0, 0)
    assert [await guess(store, 9_000), await guess(store, 10_000)] == [False, True]
    assert [await guess(store, 10**9) for _ in range(4)] == [True] * 3 + [False]
    await store.commit(TakeGuess("another", 3, 0.1, 0))


async def test_workers_whose_clocks_differ_share_the_guesses(store: Store) -> None:
    taken = [await guess(store, now) for now in (50_000, 40_000, 50_000, 40_000, 55_000, 60_000)]
    assert taken == [True, True, True, False, False, True]


async def test_simultaneous_guesses_take_no_more_than_there_are(store: Store) -> None:
    taken = await asyncio.gather(*(guess(store, 0) for _ in range(12)))
    assert sum(taken) == 3


async def test_a_guess_that_was_right_leaves_nothing_behind(store: Store) -> None:
    await guess(store, 0)
    await guess(store, 0)
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.guesses("thief") == (2, 0)
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.guesses("thief") is None
    await store.commit(GiveBackGuess("thief", 3))
    assert await store.guesses("thief") is None


async def test_old_guesses_are_forgotten(store: Store) -> None:
    await guess(store, 100)
    await store.commit(SweepGuesses(100))
    assert await store.guesses("thief") is not None
    await store.commit(SweepGuesses(101))
    assert await store.guesses("thief") is None


async def test_tokens_that_tables_remember_have_a_date(store: Store) -> None:
    await store.commit(table("one", holders=("ann", "bob")))
    await store.commit(TokenSeen("ann", 5))
    assert await store.last_seen("ann") is None  # strangers can't fill the store
    await store.commit(SweepTokens(10, 0))
    assert await store.last_seen("ann") == await store.last_seen("bob") == 10
    await store.commit(TokenSeen("ann", 20))
    await store.commit(TokenSeen("ann", 15))
    await store.commit(SweepTokens(30, 0))
    assert (await store.last_seen("ann"), await store.last_seen("bob")) == (20, 10)


async def test_an_old_token_is_remembered_as_long_as_a_table_does(store: Store) -> None:
    await store.commit(table("one", holders=("ann",)))
    await store.commit(SweepTokens(10, 0))
    await store.commit(SweepTokens(50, 40))
    assert await store.last_seen("ann") == 10
    await store.commit(DropTable("one"))
    await store.commit(SweepTokens(60, 10))
    assert await store.last_seen("ann") == 10
    await store.commit(SweepTokens(60, 40))
    assert await store.last_seen("ann") is None
