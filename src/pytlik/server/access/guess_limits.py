"""Guesses at codes, passphrases and the administrator's token, counted for all workers together.

Each worker counts in memory first, which costs nothing and works even while the store is away; then
in the store, for all workers together. The store knows an address only as a hash, and only until
its allowance is full again.
"""

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from math import ceil

from pytlik.game import Illegal, Refusal
from pytlik.protocol.reasons import ServerReason
from pytlik.server.access.rate_limits import Kind, Limits
from pytlik.server.clocks.clock import Clock
from pytlik.store import Conflict, GiveBackGuess, Store, TakeGuess, Unavailable

FORGET_AFTER_MS = 3_600_000
"""By then every allowance is full again, whatever the rate."""

GuessKey = tuple[Kind, str]


class GuessLimits:
    def __init__(self, limits: Limits, store: Store | None, clock: Clock) -> None:
        """Without a store only this worker's guesses count."""
        self._limits = limits
        self._store = store
        self._clock = clock

    @asynccontextmanager
    async def limit(self, *askers: GuessKey) -> AsyncIterator[None]:
        """Make a guess inside this block. Only a wrong (refused) one counts, but someone who has
        made too many can't even try."""
        await self.take(askers)
        yield
        await self.give_back(askers)

    @asynccontextmanager
    async def limit_move_code(self, table: str, address: str) -> AsyncIterator[None]:
        """Guess a short code inside this block. All addresses together have few guesses, but
        someone who hasn't guessed wrong yet doesn't wait for those who have."""
        mine = f"{table} {address}"
        first = await self.is_allowance_full(Kind.GUESS, mine)
        shared = Kind.FIRST_GUESS_AT_TABLE if first else Kind.GUESS_AT_TABLE
        askers = ((Kind.GUESS, mine), (Kind.GUESS_ANYWHERE, address), (shared, table))
        async with self.limit(*askers):
            yield

    @asynccontextmanager
    async def limit_recovery_code(self, table: str, address: str) -> AsyncIterator[None]:
        """Guess a recovery code inside this block. It's so long that no number of addresses would
        find it."""
        mine = f"{table} {address}"
        async with self.limit((Kind.GUESS, mine), (Kind.GUESS_ANYWHERE, address)):
            yield

    async def is_allowance_full(self, kind: Kind, asker: str) -> bool:
        """Whether there were no wrong guesses here lately."""
        now = self._clock()
        if not self._limits.is_allowance_full(kind, asker, now):
            return False
        if self._store is None:
            return True
        with suppress(Unavailable):
            burst, _ = self._limits.burst_and_rate(kind)
            return await self._remaining(self._store, (kind, asker), now) >= burst
        return True

    async def take(self, askers: Sequence[GuessKey]) -> None:
        """Count a guess for all of these, or for none. Raises Illegal(TOO_FAST)."""
        taken: list[GuessKey] = []
        try:
            for asker in askers:
                self._limits.take(*asker, self._clock())
                taken.append(asker)
        except Refusal:
            self._give_back_here(taken)
            raise
        if self._store is None:
            return
        taken = []
        try:
            for asker in askers:
                await self._take_from(self._store, asker)
                taken.append(asker)
        except Illegal:
            await self.give_back(taken)
            self._give_back_here(askers[len(taken) :])
            raise
        except Unavailable:
            pass  # this worker has counted it

    async def give_back(self, askers: Sequence[GuessKey]) -> None:
        """Take back what was counted, because the guess was right."""
        self._give_back_here(askers)
        if self._store is None:
            return
        with suppress(Unavailable, Conflict):  # then it still counts, until it expires
            for kind, asker in askers:
                burst, _ = self._limits.burst_and_rate(kind)
                await self._store.commit(GiveBackGuess(key(kind, asker), burst))

    def _give_back_here(self, askers: Sequence[GuessKey]) -> None:
        for kind, asker in askers:
            self._limits.give_back(kind, asker)

    async def _take_from(self, store: Store, asker: GuessKey) -> None:
        now, (burst, per_second) = self._clock(), self._limits.burst_and_rate(asker[0])
        try:
            await store.commit(TakeGuess(key(*asker), burst, per_second, now))
        except Conflict:
            remaining = await self._remaining(store, asker, now)
            seconds = max(1, ceil((1 - remaining) / per_second))
            raise Illegal(ServerReason.TOO_FAST, seconds=seconds) from None

    async def _remaining(self, store: Store, asker: GuessKey, now: int) -> float:
        """How many guesses are left by now."""
        burst, per_second = self._limits.burst_and_rate(asker[0])
        found = await store.remaining_guesses(key(*asker))
        if found is None:
            return burst
        remaining, at = found
        return min(burst, remaining + max(0, now - at) / 1000 * per_second)


def key(kind: Kind, asker: str) -> str:
    """The key under which the store counts an asker's guesses."""
    return hashlib.sha256(f"pytlik guess\0{kind.name}\0{asker}".encode()).hexdigest()
