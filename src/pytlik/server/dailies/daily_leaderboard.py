"""The leaderboards of daily puzzles: who started when, and who has a place."""

from datetime import UTC, date, datetime

import msgspec

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server.clocks.clock import Clock
from pytlik.server.tokens import Holder
from pytlik.store import BoardKey, DailyRow, PutResult, RenameResult, StartPuzzle, Store

MAX_RESULTS_SHOWN = 100
"""How many results are shown, besides your own."""

MIN_MS_PER_PIECE = 600
"""No person can pick up and place a piece or tile faster than this; fair.md says why. Faster
results are stored but have no place on the board."""

WORST_RESULT = DailyRow("", 0, pieces=-1, ms=0)
"""Every result is better than this."""

PuzzleKey = int | str
"""Tells a day's puzzles apart: the side of the cards, or the grade."""


class RankedResult(msgspec.Struct, frozen=True, kw_only=True):
    place: int | None
    """The place on the board, from 1; equal results share it. None if it was too quick for a
    person."""
    name: str
    """Empty for your own result while you haven't given a name."""
    pieces: int
    ms: int
    yours: bool


class Leaderboard(msgspec.Struct, frozen=True, kw_only=True):
    """One puzzle's board, as one person sees it."""

    started: int | None
    """When they started."""
    answered: bool
    """Whether they have a result, which counts."""
    results: tuple[RankedResult, ...]
    """The best results, and always their own."""
    ranked: int
    """How many results have a place, their own included."""


def utc_date(now: int) -> date:
    return datetime.fromtimestamp(now / 1000, UTC).date()


def is_plausible(row: DailyRow) -> bool:
    return row.ms is not None and row.ms >= MIN_MS_PER_PIECE * row.pieces


class DailyLeaderboards:
    """All daily boards of one game."""

    def __init__(self, store: Store, clock: Clock, game: str) -> None:
        self.clock = clock
        self._store = store
        self._game = game

    def today(self) -> date:
        return utc_date(self.clock())

    def check_day(self, day: date) -> None:
        if day > self.today():
            raise Illegal(ServerReason.NO_SUCH_DAY)

    async def row(self, day: date, which: PuzzleKey, holder: Holder | None) -> DailyRow | None:
        """Somebody's row on a board; None if they haven't started."""
        if holder is None:
            return None
        return await self._store.daily_row(self._key(day, which), holder)

    async def board(self, day: date, which: PuzzleKey, holder: Holder | None) -> Leaderboard:
        key = self._key(day, which)
        mine = await self.row(day, which, holder)
        best = await self._store.best_results(key, MIN_MS_PER_PIECE, MAX_RESULTS_SHOWN)
        ranked = len(best)
        if ranked == MAX_RESULTS_SHOWN:
            ranked = await self._store.count_better_results(key, MIN_MS_PER_PIECE, WORST_RESULT)
        if mine and mine.name is None and is_plausible(mine):
            # Nobody else sees a result without a name. Its owner sees the place that it would get.
            best = sorted([*best, mine], key=ranking_key)[:MAX_RESULTS_SHOWN]
            ranked += 1
        results = make_ranked_results(best, holder)
        answered = mine is not None and mine.ms is not None
        if mine and answered and not any(result.yours for result in results):
            place = None
            if is_plausible(mine):
                place = 1 + await self._store.count_better_results(key, MIN_MS_PER_PIECE, mine)
            results.append(make_ranked_result(mine, place, holder))
        return Leaderboard(
            started=mine.started if mine else None,
            answered=answered,
            results=tuple(results),
            ranked=ranked,
        )

    async def start_puzzle(self, day: date, which: PuzzleKey, holder: Holder) -> None:
        """Start somebody's time, unless it's already running."""
        if day < self.today():
            raise Illegal(ServerReason.DAY_OVER)
        await self._store.commit(StartPuzzle(self._key(day, which), holder, self.clock()))

    async def put_result(
        self, day: date, which: PuzzleKey, mine: DailyRow, name: str | None, pieces: int, now: int
    ) -> None:
        """Store the time of somebody who has started. Only the first result counts."""
        took = max(0, now - mine.started)
        key = self._key(day, which)
        await self._store.commit(PutResult(key, mine.holder, name, pieces, took))

    async def rename_result(self, day: date, which: PuzzleKey, holder: Holder, name: str) -> None:
        """Give somebody's result a name, so that it appears on the board."""
        mine = await self.row(day, which, holder)
        if mine is None or mine.ms is None:
            raise Illegal(ServerReason.NOT_STARTED)
        await self._store.commit(RenameResult(self._key(day, which), holder, name))

    def _key(self, day: date, which: PuzzleKey) -> BoardKey:
        return BoardKey(str(day), self._game, str(which))


def ranking_key(row: DailyRow) -> tuple[int, int]:
    """What results are sorted by: most pieces first, then the fastest."""
    assert row.ms is not None
    return -row.pieces, row.ms


def make_ranked_results(best_first: list[DailyRow], holder: Holder | None) -> list[RankedResult]:
    """The best results with their places; equal results share one."""
    results: list[RankedResult] = []
    for number, row in enumerate(best_first, 1):
        last = results[-1] if results else None
        equal = last is not None and (last.pieces, last.ms) == (row.pieces, row.ms)
        results.append(make_ranked_result(row, last.place if last and equal else number, holder))
    return results


def make_ranked_result(row: DailyRow, place: int | None, holder: Holder | None) -> RankedResult:
    assert row.ms is not None
    return RankedResult(
        place=place, name=row.name or "", pieces=row.pieces, ms=row.ms, yours=row.holder == holder
    )
