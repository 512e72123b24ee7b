"""Turns for work that takes a while, shared fairly however much one asker wants."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason

MAX_WAITING, MAX_WAITING_EACH = 32, 8
"""How much heavy work may wait, in all and from one address, which a whole class may share."""

RETRY_AFTER_SECONDS = 20
"""When to ask again if too many wait: about as long as the heaviest work takes."""


def heavy_work_queue() -> "FairQueue":
    """A queue for heavy work that requests ask for, by address. Too much of it is refused."""
    return FairQueue(1, most=MAX_WAITING, most_each=MAX_WAITING_EACH)


class FairQueue:
    """Lets some work at once while the rest wait. Every asker has one turn before any has a second.

    At most `most` may wait in all, and at most `most_each` of one asker.
    """

    def __init__(
        self, slots: int, *, most: int | None = None, most_each: int | None = None
    ) -> None:
        self.slots = slots
        self._free = slots
        self._most = most
        self._most_each = most_each
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """In the order of their turns."""
        self._working: Counter[str] = Counter()

    @property
    def asker_count(self) -> int:
        """How many different askers work or wait."""
        return len(self._waiting.keys() | self._working.keys())

    @asynccontextmanager
    async def turn(self, asker: str) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block. Raises Illegal(TOO_FAST) if too many
        wait already."""
        if self._free:
            self._take_slot(asker)
        else:
            await self._wait(asker)
        try:
            yield
        finally:
            self._free_slot(asker)

    async def _wait(self, asker: str) -> None:
        queue = self._waiting.get(asker, deque())
        if (self._most_each is not None and len(queue) >= self._most_each) or (
            self._most is not None and sum(map(len, self._waiting.values())) >= self._most
        ):
            raise Illegal(ServerReason.TOO_FAST, seconds=RETRY_AFTER_SECONDS)
        its_turn = asyncio.get_running_loop().create_future()
        self._waiting[asker] = queue
        queue.append(its_turn)
        try:
            await its_turn
        except asyncio.CancelledError:
            if its_turn.cancelled():
                self._leave(asker, its_turn)
            else:  # it got its turn just now
                self._free_slot(asker)
            raise

    def _leave(self, asker: str, its_turn: "asyncio.Future[None]") -> None:
        queue = self._waiting.get(asker)
        if queue and its_turn in queue:  # otherwise it was skipped in the meantime
            queue.remove(its_turn)
            if not queue:
                del self._waiting[asker]

    def _take_slot(self, asker: str) -> None:
        self._free -= 1
        self._working[asker] += 1

    def _free_slot(self, asker: str) -> None:
        self._free += 1
        self._working[asker] -= 1
        if not self._working[asker]:
            del self._working[asker]
        self._next()

    def _next(self) -> None:
        """Give the free slot to the next asker. If they have more work, it goes to the end of the
        queue."""
        while self._waiting and self._free:
            asker, queue = self._waiting.popitem(last=False)
            its_turn = queue.popleft()
            if queue:
                self._waiting[asker] = queue
            if not its_turn.cancelled():
                self._take_slot(asker)
                its_turn.set_result(None)
