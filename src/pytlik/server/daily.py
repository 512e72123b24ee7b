"""The puzzles of the day: the same for everyone, one for each side of the cards, and who was quick.

Which puzzle it is follows from the date alone. It is shown when somebody starts, and to everyone
when the day is over.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime

import msgspec
from msgspec.structs import replace

from pytlik import chance
from pytlik.game import Illegal, Reason
from pytlik.server.room import Clock
from pytlik.server.tables import Holder
from pytlik.store import Conflict, PutTable, Store
from pytlik.ubongo import cards
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.model import Books, Colour, Deal, Options, SideName, State
from pytlik.ubongo.refusals import check_place

MOST = 2_000
"""Who has started and not solved is remembered for so many, a day and side."""

TRIES = 50
"""So often somebody else may be first before we give up."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    holder: Holder
    name: str
    ms: int


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One puzzle: who started when, and who has solved it, the quickest first."""

    started: dict[Holder, int] = {}
    results: tuple[Result, ...] = ()


class Day(msgspec.Struct, frozen=True, kw_only=True):
    boards: dict[SideName, Board] = {}

    def board(self, side: SideName) -> Board:
        return self.boards.get(side, Board())


decode = msgspec.json.Decoder(Day).decode


def puzzle(day: date, side: SideName) -> Deal:
    stream = chance.from_text(f"daily ubongo {day} {side}").stream("puzzle")
    deck = cards.all_sides()
    card = stream.choice([card for card in deck.cards if side in card.sides])
    colour = stream.choice(tuple(Colour))
    face = card.sides[side]
    pieces = {number: deck.pieces[colour][number] for number in face.sets[colour]}
    return Deal(card=card.id, side=side, colour=colour, area=face.area, pieces=pieces)


def check(deal: Deal, placed: dict[int, Shape]) -> None:
    """Is the puzzle solved? Raises Illegal with what the rules of placing say (G7, G8)."""
    laid: dict[int, Shape] = {}
    for piece, cells in placed.items():
        state = State(
            options=Options(),
            players=1,
            books=Books(display={}, bag={}, held=()),
            playing=(0,),
            deals={0: deal},
            placed={0: laid},
        )
        check_place(state, 0, piece, cells)
        laid = {**laid, piece: cells}
    if sum(map(len, laid.values())) < len(deal.area):
        raise Illegal(Reason.NOT_COVERED)


# ---------------------------------------------------------------------------- starting and solving


def start(board: Board, holder: Holder, now: int) -> Board:
    """The first start counts, however often somebody looks again."""
    if holder in board.started:
        return board
    started = {**board.started, holder: now}
    if len(started) > MOST:
        solved = {result.holder for result in board.results}
        started.pop(next((first for first in started if first not in solved), holder))
    return replace(board, started=started)


def solve(board: Board, holder: Holder, name: str, now: int) -> Board:
    """Note the time; of somebody who solves it again the better one, under the new name."""
    if holder not in board.started:
        raise Illegal(Reason.NOT_STARTED)
    took = max(0, now - board.started[holder])
    before = [result.ms for result in board.results if result.holder == holder]
    result = Result(holder=holder, name=name, ms=min([took, *before]))
    others = (result for result in board.results if result.holder != holder)
    quickest = sorted((*others, result), key=lambda result: result.ms)
    return replace(board, results=tuple(quickest[:MOST]))


def today(now: int) -> date:
    return datetime.fromtimestamp(now / 1000, UTC).date()


class Daily:
    """The days in the store. A day is one document among the tables, changed as they are: enough
    for families and clubs, where a few people a minute start or solve."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def today(self) -> date:
        return today(self._clock())

    def check_day(self, day: date) -> None:
        if day > self.today():
            raise Illegal(Reason.NO_SUCH_DAY)

    async def board(self, day: date, side: SideName) -> Board:
        row = await self._store.table(document(day))
        return decode(row.doc).board(side) if row else Board()

    async def start(self, day: date, side: SideName, holder: Holder) -> Board:
        if day < self.today():
            raise Illegal(Reason.DAY_OVER)
        now = self._clock()
        return await self._change(day, side, lambda board: start(board, holder, now))

    async def solve(
        self, day: date, side: SideName, holder: Holder, name: str, placed: dict[int, Shape]
    ) -> Board:
        now = self._clock()
        check(puzzle(day, side), placed)
        return await self._change(day, side, lambda board: solve(board, holder, name, now))

    async def _change(self, day: date, side: SideName, alter: Callable[[Board], Board]) -> Board:
        for _ in range(TRIES):
            row = await self._store.table(document(day))
            before = decode(row.doc) if row else Day()
            board = alter(before.board(side))
            if board == before.board(side):
                return board
            after = Day(boards={**before.boards, side: board})
            put = PutTable(
                id=document(day),
                version=row.version if row else 0,
                doc=msgspec.json.encode(after),
                phase="daily",
                listed=False,
                holders=(),
                touched=self._clock(),
            )
            try:
                await self._store.commit(put)
            except Conflict:
                continue
            return board
        raise Conflict


def document(day: date) -> str:
    """No table has such an id."""
    return f"daily-ubongo-{day}"
