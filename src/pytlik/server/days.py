"""What the days' puzzles have in common: who started when, who is on the board, and the store."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import msgspec
from msgspec.structs import replace

from pytlik.game import Illegal, Reason
from pytlik.server.room import Clock
from pytlik.server.tables import Holder
from pytlik.server.unknown_fields import Documents
from pytlik.store import Conflict, PutTable, Store

MOST = 2_000
"""Who has started and not solved is remembered for so many, a day and puzzle."""

ADOPTED = 366
"""So many days back a new token takes over what a former one has done."""

TRIES = 50
"""So often somebody else may be first before we give up."""

Which = int | str
"""What tells a day's puzzles apart."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    holder: Holder
    name: str
    ms: int
    tiles: int = 0
    """How many were laid, in Unikat's."""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One puzzle: who started when, and who has answered, the best first."""

    started: dict[Holder, int] = {}
    results: tuple[Result, ...] = ()


class Day(msgspec.Struct, frozen=True, kw_only=True):
    boards: dict[str, Board] = {}

    def board(self, which: Which) -> Board:
        return self.boards.get(str(which), Board())


documents = Documents(Day)


def start(board: Board, holder: Holder, now: int) -> Board:
    """The first start counts, however often somebody looks again."""
    if holder in board.started:
        return board
    started = {**board.started, holder: now}
    if len(started) > MOST:
        solved = {result.holder for result in board.results}
        started.pop(next((first for first in started if first not in solved), holder))
    return replace(board, started=started)


def today(now: int) -> date:
    return datetime.fromtimestamp(now / 1000, UTC).date()


def adopt(board: Board, old: Holder, new: Holder) -> Board:
    """What one holder has started and solved is another's from now on: of two starts the first,
    of two results the better."""
    started = dict(board.started)
    if (at := started.pop(old, None)) is not None:
        started[new] = min(at, started.get(new, at))
    results: dict[Holder, Result] = {}
    for result in board.results:  # the best first
        holder = new if result.holder == old else result.holder
        results.setdefault(holder, replace(result, holder=holder))
    return replace(board, started=started, results=tuple(results.values()))


class Days:
    """The days of a game in the store. A day is one document among the tables, changed as they are:
    enough for families and clubs, where a few people a minute start or solve."""

    def __init__(self, store: Store, clock: Clock, game: str) -> None:
        self.clock = clock
        self._store = store
        self._game = game

    def today(self) -> date:
        return today(self.clock())

    def check_day(self, day: date) -> None:
        if day > self.today():
            raise Illegal(Reason.NO_SUCH_DAY)

    async def board(self, day: date, which: Which) -> Board:
        row = await self._store.table(self._document(day))
        return documents.decode(row.doc).board(which) if row else Board()

    async def start(self, day: date, which: Which, holder: Holder) -> Board:
        if day < self.today():
            raise Illegal(Reason.DAY_OVER)
        now = self.clock()
        return await self.change(day, which, lambda board: start(board, holder, now))

    async def change(self, day: date, which: Which, alter: Callable[[Board], Board]) -> Board:
        for _ in range(TRIES):
            row = await self._store.table(self._document(day))
            before = documents.decode(row.doc) if row else Day()
            board = alter(before.board(which))
            if board == before.board(which):
                return board
            put = PutTable(
                id=self._document(day),
                version=row.version if row else 0,
                doc=documents.encode(
                    Day(boards={**before.boards, str(which): board}), row.doc if row else None
                ),
                phase="daily",
                listed=False,
                holders=(),
                touched=self.clock(),
            )
            try:
                await self._store.commit(put)
            except Conflict:
                continue
            return board
        raise Conflict

    async def adopt(self, old: Holder, new: Holder) -> None:
        """Everything of one holder is another's from now on, on all days of the last year."""
        dates = [self.today() - timedelta(days=back) for back in range(ADOPTED + 1)]
        kept = await self._store.progress([], [self._document(day) for day in dates])
        for day in dates:
            if kept[self._document(day)]:
                await self._adopt_day(day, old, new)

    async def _adopt_day(self, day: date, old: Holder, new: Holder) -> None:
        row = await self._store.table(self._document(day))
        for which in documents.decode(row.doc).boards if row else ():
            await self.change(day, which, lambda board: adopt(board, old, new))

    def _document(self, day: date) -> str:
        """No table has such an id."""
        return f"daily-{self._game}-{day}"
