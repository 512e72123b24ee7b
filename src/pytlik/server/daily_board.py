"""What the days' puzzles have in common: who started when, who is on the board, and the store."""

from datetime import UTC, date, datetime

import msgspec

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server.clock import Clock
from pytlik.server.tables import Holder
from pytlik.store import BoardKey, DailyRow, NameResult, PutResult, StartPuzzle, Store

SHOWN = 100
"""So many results are shown, and one's own."""

LEAST_MS_PER_PIECE = 600
"""Nobody is quicker by hand at reaching for a piece or tile and moving it where it belongs; fair.md
says why. Results below it are kept, but have no place on the board."""

Which = int | str
"""What tells a day's puzzles apart."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    place: int | None
    """On the board, from 1; the same for equal results. None if it was too quick for a person."""
    name: str
    pieces: int
    ms: int
    yours: bool


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One puzzle's board, as one person sees it."""

    started: int | None
    """When they started."""
    answered: bool
    """Whether they have a result, which counts."""
    results: tuple[Result, ...]
    """The best, and theirs in any case."""


def today(now: int) -> date:
    return datetime.fromtimestamp(now / 1000, UTC).date()


def is_plausible(row: DailyRow) -> bool:
    return row.ms is not None and row.ms >= LEAST_MS_PER_PIECE * row.pieces


class DailyBoards:
    """The days of a game in the store."""

    def __init__(self, store: Store, clock: Clock, game: str) -> None:
        self.clock = clock
        self._store = store
        self._game = game

    def today(self) -> date:
        return today(self.clock())

    def check_day(self, day: date) -> None:
        if day > self.today():
            raise Illegal(ServerReason.NO_SUCH_DAY)

    async def row(self, day: date, which: Which, holder: Holder | None) -> DailyRow | None:
        """What is known of somebody at a puzzle; None if they have not started."""
        if holder is None:
            return None
        return await self._store.daily_row(self._key(day, which), holder)

    async def board(self, day: date, which: Which, holder: Holder | None) -> Board:
        key = self._key(day, which)
        mine = await self.row(day, which, holder)
        best = await self._store.best_results(key, LEAST_MS_PER_PIECE, SHOWN)
        results = rank_results(best, holder)
        shown = mine is not None and mine.name is not None
        if mine and shown and not any(result.yours for result in results):
            place = None
            if is_plausible(mine):
                place = 1 + await self._store.count_better(key, LEAST_MS_PER_PIECE, mine)
            results.append(describe_result(mine, place, holder))
        return Board(
            started=mine.started if mine else None,
            answered=mine is not None and mine.ms is not None,
            results=tuple(results),
        )

    async def start(self, day: date, which: Which, holder: Holder) -> None:
        """Their time runs from now on, unless it does already."""
        if day < self.today():
            raise Illegal(ServerReason.DAY_OVER)
        await self._store.commit(StartPuzzle(self._key(day, which), holder, self.clock()))

    async def put_result(
        self, day: date, which: Which, mine: DailyRow, name: str, pieces: int, now: int
    ) -> None:
        """Note the time of somebody who has started. The first result counts."""
        took = max(0, now - mine.started)
        key = self._key(day, which)
        await self._store.commit(PutResult(key, mine.holder, name, pieces, took))

    async def rename(self, day: date, which: Which, holder: Holder, name: str) -> None:
        await self._store.commit(NameResult(self._key(day, which), holder, name))

    def _key(self, day: date, which: Which) -> BoardKey:
        return BoardKey(str(day), self._game, str(which))


def rank_results(best: list[DailyRow], holder: Holder | None) -> list[Result]:
    """The best results with their places, which equal ones share."""
    results: list[Result] = []
    for number, row in enumerate(best, 1):
        last = results[-1] if results else None
        equal = last is not None and (last.pieces, last.ms) == (row.pieces, row.ms)
        results.append(describe_result(row, last.place if last and equal else number, holder))
    return results


def describe_result(row: DailyRow, place: int | None, holder: Holder | None) -> Result:
    assert row.name is not None
    assert row.ms is not None
    return Result(
        place=place, name=row.name, pieces=row.pieces, ms=row.ms, yours=row.holder == holder
    )
