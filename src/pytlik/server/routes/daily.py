"""Daily puzzles: the same for everyone, and a board of results by time."""

from datetime import date
from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from pytlik.server import daily as days
from pytlik.server import plain
from pytlik.server.daily import Daily
from pytlik.server.errors import REFUSED
from pytlik.server.limits import Kind
from pytlik.server.routes.asking import AnAsker, ATaker, Body, TheDaily, TheGate, TheVisitor
from pytlik.server.routes.seats import Said
from pytlik.server.tables import Holder
from pytlik.ubongo.hexes import Hex
from pytlik.ubongo.model import Deal, SideName

Cells = Annotated[tuple[Hex, ...], msgspec.Meta(max_length=12)]


class Quick(msgspec.Struct, frozen=True, kw_only=True):
    place: int | None
    """From 1, the same for equal times; null: too quick for a person, so only you see it."""
    name: str
    ms: int
    yours: bool


class DailyPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    day: date
    side: SideName
    started: int | None
    """When you started."""
    puzzle: Deal | None
    """Shown when you have started, or the day is over."""
    results: tuple[Quick, ...]
    """The quickest first, and yours in any case."""


class StartDaily(Body, frozen=True, kw_only=True):
    side: SideName = 3


class SolveDaily(Body, frozen=True, kw_only=True):
    day: date
    side: SideName = 3
    name: Said
    placed: Annotated[dict[int, Cells], msgspec.Meta(max_length=8)]
    """For each piece the cells that it covers."""


@get("/api/daily/ubongo", responses=REFUSED)
async def look(
    asker: AnAsker,
    daily: TheDaily,
    day: Annotated[date | None, QueryParameter(description="today (UTC), if not said")] = None,
    side: Annotated[SideName, QueryParameter(description="how many pieces")] = 3,
) -> DailyPuzzle:
    """A day's puzzle and its results."""
    day = day or daily.today()
    daily.check_day(day)
    return await shown(daily, day, side, asker.holder)


@post("/api/daily/ubongo/start", responses=REFUSED, status_code=200)
async def start(
    data: JSONBody[StartDaily], taker: ATaker, daily: TheDaily, gate: TheGate, visitor: TheVisitor
) -> DailyPuzzle:
    """See today's puzzle: your time runs from now on. Who has started before only looks again."""
    day = daily.today()
    if await daily.row(day, data.side, taker.holder) is None:
        gate.take(Kind.CREATE, visitor.address)
        await daily.start(day, data.side, taker.holder)
    return await shown(daily, day, data.side, taker.holder)


@post("/api/daily/ubongo/solve", responses=REFUSED, status_code=200)
async def solve(data: JSONBody[SolveDaily], taker: ATaker, daily: TheDaily) -> DailyPuzzle:
    """Your solution, which stops your time if it is right."""
    daily.check_day(data.day)
    name = plain.name(data.name)
    await daily.solve(data.day, data.side, taker.holder, name, data.placed)
    return await shown(daily, data.day, data.side, taker.holder)


async def shown(daily: Daily, day: date, side: SideName, holder: Holder | None) -> DailyPuzzle:
    board = await daily.board(day, side, holder)
    visible = board.started is not None or day < daily.today()
    return DailyPuzzle(
        day=day,
        side=side,
        started=board.started,
        puzzle=days.puzzle(day, side) if visible else None,
        results=tuple(
            Quick(place=result.place, name=result.name, ms=result.ms, yours=result.yours)
            for result in board.results
        ),
    )


router = Router("/", route_handlers=[look, start, solve], tags=["daily"])
