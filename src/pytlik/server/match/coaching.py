"""What the coach says about finished matches: computed outside the event loop, and cached."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from pytlik.game import AnyGame
from pytlik.games import GAMES
from pytlik.server.clocks.clock import Clock
from pytlik.server.fair_queue import heavy_work_queue

Compute = Callable[..., Awaitable[Any]]
"""Runs a function, with its arguments, where it may take a while."""

MAX_CACHED_MATCHES = 32
"""Matches whose advice is cached: it never changes, since they are over."""

MAX_JUDGING_SECONDS = 20
"""After this many seconds, the rest of a match is only counted, not judged."""

TURNS_PER_JOB = 5
"""Few enough that bots sharing the pool get a turn. Long matches have more, because each job
replays everything before it."""


def analyse_turns(
    game: str, raw: Sequence[bytes], first: int, last: int, *, judge: bool
) -> tuple[Any, ...]:
    """What the coach says about some turns. Runs in a worker process."""
    rules = GAMES[game]
    turns: tuple[Any, ...] = rules.load("coach").analyse(
        map(rules.event_decoder.decode, raw), first, last, judge=judge
    )
    return turns


class Coaching:
    """Advice for any game that has a coach."""

    def __init__(self, clock: Clock, compute: Compute) -> None:
        self.compute = compute
        self._clock = clock
        self._cached: OrderedDict[str, Any] = OrderedDict()
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._queue = heavy_work_queue()

    async def review_finished_match(
        self, game: AnyGame, match: str, raw_events: Sequence[bytes], address: str
    ) -> Any:
        """Return advice on a finished match. Requests for the same match share one answer. Raises
        Illegal(TOO_FAST) if too many wait, in all or from this address."""
        if match in self._cached:
            self._cached.move_to_end(match)
            return self._cached[match]
        if match not in self._tasks:
            task = asyncio.create_task(self._analyse(game, match, raw_events, address))
            self._tasks[match] = task
            task.add_done_callback(partial(self._finish, match))
        # A client that disconnects must not cancel it for the others.
        return await asyncio.shield(self._tasks[match])

    def _finish(self, match: str, task: "asyncio.Task[Any]") -> None:
        del self._tasks[match]
        if not task.cancelled():
            task.exception()  # marks it as seen: those who waited for it may have gone

    async def _analyse(
        self, game: AnyGame, match: str, raw_events: Sequence[bytes], address: str
    ) -> Any:
        async with self._queue.turn(address):
            until = self._clock() + MAX_JUDGING_SECONDS * 1000
            step = max(TURNS_PER_JOB, len(raw_events) // 100)
            found: list[Any] = []
            while True:
                judge = self._clock() < until
                job = partial(analyse_turns, judge=judge)
                turns = await self.compute(
                    job, game.name, raw_events, len(found), len(found) + step
                )
                found += turns
                if len(turns) < step:
                    break
        advice = game.load("coach").make_advice(found)
        self._cached[match] = advice
        if len(self._cached) > MAX_CACHED_MATCHES:
            self._cached.popitem(last=False)
        return advice
