"""The coach's word on matches that are over, worked out beside the event loop and remembered."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from pytlik.server.clock import Clock
from pytlik.server.fair_queue import one_at_a_time
from pytlik.unikat import coach
from pytlik.unikat.coach import Advice, CoachedTurn
from pytlik.unikat.messages import Event

Compute = Callable[..., Awaitable[Any]]
"""Runs a function, with its arguments, where it may take a while."""

KEPT = 32
"""Matches: what is over does not change any more."""

SECONDS = 20
"""After these the rest of a match is only counted, and not judged."""

TURNS = 5
"""So many are looked at in one go, and then the bots that wait for the same process have theirs. In
long matches more: each time all that was before is replayed."""

decode = msgspec.json.Decoder(Event).decode


def look(raw: Sequence[bytes], first: int, last: int, *, judge: bool) -> tuple[CoachedTurn, ...]:
    """Runs in a worker process."""
    return coach.analyse(map(decode, raw), first, last, judge=judge)


class Coaching:
    def __init__(self, clock: Clock, compute: Compute) -> None:
        self.compute = compute
        self._clock = clock
        self._kept: OrderedDict[str, Advice] = OrderedDict()
        self._asked: dict[str, asyncio.Task[Advice]] = {}
        self._queue = one_at_a_time()

    async def advice(self, match: str, raw: Sequence[bytes], asker: str) -> Advice:
        """On a match of Unikat that is over. Whoever asks for the same meanwhile waits with us.
        Raises Illegal(TOO_FAST) if too many wait, or too many for this asker."""
        if match in self._kept:
            self._kept.move_to_end(match)
            return self._kept[match]
        if match not in self._asked:
            task = asyncio.create_task(self._look(match, raw, asker))
            self._asked[match] = task
            task.add_done_callback(partial(self._answered, match))
        # Who goes away does not take the answer away from the others.
        return await asyncio.shield(self._asked[match])

    def _answered(self, match: str, task: "asyncio.Task[Advice]") -> None:
        del self._asked[match]
        if not task.cancelled():
            task.exception()  # seen: whoever waited for it may have gone

    async def _look(self, match: str, raw: Sequence[bytes], asker: str) -> Advice:
        async with self._queue.turn(asker):
            until = self._clock() + SECONDS * 1000
            step = max(TURNS, len(raw) // 100)
            found: list[CoachedTurn] = []
            while True:
                judge = self._clock() < until
                work = partial(look, judge=judge)
                turns = await self.compute(work, raw, len(found), len(found) + step)
                found += turns
                if len(turns) < step:
                    break
        advice = coach.advice(found)
        self._kept[match] = advice
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return advice
