"""Unikat's puzzles of the day: one of each grade, the same for everyone, and who laid most.

They follow from the date alone (`unikat/solo_puzzles.py`). A puzzle is shown to everyone who has
started it, and its best answer to everyone who has answered; when the day is over, both are shown
to all.
"""

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server.clocks.clock import Clock
from pytlik.server.dailies.daily_leaderboard import DailyLeaderboards
from pytlik.server.fair_queue import heavy_work_queue
from pytlik.server.match.coaching import Compute
from pytlik.server.tokens import Holder
from pytlik.store import Store
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.solo_puzzles import (
    Grade,
    Puzzle,
    PuzzleProgress,
    find_puzzles_in_match,
    play_puzzle,
)

MAX_DAYS_IN_MEMORY = 8
"""Finding a day's puzzles takes seconds. Today is always in memory, and so is yesterday, because
somebody may have started before midnight."""

OLDEST_DAY_AGE = timedelta(days=366)
"""How far back people can look: each day costs some seconds."""


class UnikatDaily(DailyLeaderboards):
    def __init__(self, store: Store, clock: Clock, compute: Compute) -> None:
        super().__init__(store, clock, "unikat")
        self.compute = compute
        self._found: dict[date, dict[Grade, Puzzle]] = {}
        self._asked: dict[date, asyncio.Task[dict[Grade, Puzzle]]] = {}
        self._queue = heavy_work_queue()

    def check_day(self, day: date) -> None:
        super().check_day(day)
        if day < self.today() - OLDEST_DAY_AGE:
            raise Illegal(ServerReason.NO_SUCH_DAY)

    def is_ready(self, day: date) -> bool:
        """Whether the day's puzzles are in memory."""
        return day in self._found or day in self._asked

    def prepare(self, day: date, asker: str) -> None:
        """Start searching for the day's puzzles, so that nobody has to wait when they start."""
        if not self.is_ready(day):
            task = asyncio.create_task(self._search_in_turn(day, asker))
            self._asked[day] = task
            task.add_done_callback(partial(self._search_ended, day))

    def _search_ended(self, day: date, task: "asyncio.Task[dict[Grade, Puzzle]]") -> None:
        del self._asked[day]
        if task.cancelled() or task.exception():
            return
        self._found[day] = task.result()
        current = self.today() - timedelta(days=1)
        older = [each for each in self._found if each < current]
        if len(self._found) > MAX_DAYS_IN_MEMORY and older:
            del self._found[older[0]]

    async def puzzle(self, day: date, grade: Grade, asker: str) -> Puzzle:
        """The puzzle of a day and grade. Raises Illegal(TOO_FAST) if too many other days have to be
        searched for first."""
        self.prepare(day, asker)
        if day in self._found:
            return self._found[day][grade]
        return (await asyncio.shield(self._asked[day]))[grade]

    async def _search_in_turn(self, day: date, asker: str) -> dict[Grade, Puzzle]:
        if day >= self.today():  # everyone wants today's, so it waits for no other day
            return await self._search(day)
        async with self._queue.turn(asker):
            return await self._search(day)

    async def _search(self, day: date) -> dict[Grade, Puzzle]:
        """Search match by match, so that bots sharing the processes get their turn."""
        found: dict[Grade, Puzzle] = {}
        match = 0
        while len(found) < len(Grade):
            seed, without = f"daily unikat {day}", frozenset(found)
            found |= await self.compute(find_puzzles_in_match, seed, match, without)
            match += 1
        return found

    async def play_turn(
        self,
        day: date,
        grade: Grade,
        holder: Holder,
        name: str | None,
        actions: Sequence[TurnAction],
        asker: str,
    ) -> PuzzleProgress:
        """Play a turn. A finished one is the answer of someone who has started and not answered
        yet; others just try it out."""
        now = self.clock()
        mine = await self.row(day, grade, holder)
        if mine is None and day >= self.today():
            raise Illegal(ServerReason.NOT_STARTED)
        course = play_puzzle(await self.puzzle(day, grade, asker), actions)
        if course.over and mine is not None and mine.ms is None:
            # Only the first answer counts: after it the best one is shown.
            await self.put_result(day, grade, mine, name, course.laid, now)
        return course
