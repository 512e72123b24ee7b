"""Tokens expire when nobody has used them for a year.

A sweep adds a row to the store for each token that any table remembers. A worker that sees a token
checks its row once a day, and notes there that it was used.
"""

from collections import OrderedDict

from pytlik.server.access.batched_reads import BatchedReads
from pytlik.server.clocks.clock import Clock
from pytlik.server.tokens import Holder
from pytlik.store import Conflict, Store, TokenSeen, Unavailable

DAY_MS = 86_400_000

EXPIRES_AFTER_MS = 365 * DAY_MS

MAX_REMEMBERED_TOKENS = 10_000
"""How many tokens a worker remembers having checked."""


class TokenExpiry:
    def __init__(self, store: Store | None, clock: Clock) -> None:
        """Without a store no token expires."""
        self._store = store
        self._last_seen = BatchedReads(store.last_seen) if store else None
        self._clock = clock
        self._looked: OrderedDict[Holder, int] = OrderedDict()
        """The day on which each token was last checked."""

    async def is_valid(self, holder: Holder) -> bool:
        """Whether a token that is being used was used within the last year."""
        now = self._clock()
        today = now // DAY_MS
        if self._store is None or self._last_seen is None or self._looked.get(holder) == today:
            return True
        try:
            last_used = await self._last_seen.get(holder)
            if last_used is not None and await self._has_expired(last_used, now):
                return False
            if last_used is not None and last_used // DAY_MS < today:
                await self._store.commit(TokenSeen(holder, now))
        except (Unavailable, Conflict):
            return True  # the request itself needs the store as well
        self._looked[holder] = today
        self._looked.move_to_end(holder)
        if len(self._looked) > MAX_REMEMBERED_TOKENS:
            self._looked.popitem(last=False)
        return True

    async def _has_expired(self, last_used: int, now: int) -> bool:
        """Whether a token was last used more than a year ago. After a long downtime that may be
        wrong, so the year starts over."""
        if self._store is None or now - last_used <= EXPIRES_AFTER_MS:
            return False
        restarted = await self._store.end_of_long_downtime()
        return restarted is None or now - restarted > EXPIRES_AFTER_MS
