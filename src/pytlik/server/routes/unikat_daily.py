"""Unikat's daily puzzles: lay the most tiles that you can, and a board of who did."""

from datetime import date
from typing import Annotated, Any

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from pytlik.server.admission import Visitor
from pytlik.server.errors import REFUSED
from pytlik.server.limits import Kind
from pytlik.server.middleware import Gate
from pytlik.server.routes.dependencies import (
    Body,
    TheCaller,
    TheGate,
    TheIdentifiedCaller,
    TheUnikatDaily,
    TheVisitor,
)
from pytlik.server.routes.seats import Said
from pytlik.server.sanitize import clean_name
from pytlik.server.tables import Holder
from pytlik.server.unikat_daily import UnikatDaily
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.model import Chain
from pytlik.unikat.puzzles import Grade, play_puzzle


class LaidMost(msgspec.Struct, frozen=True, kw_only=True):
    place: int | None
    """From 1, the same for equal results; null: too quick for a person, so only you see it."""
    name: str
    tiles: int
    ms: int
    yours: bool


class DailyUnikat(msgspec.Struct, frozen=True, kw_only=True):
    day: date
    grade: Grade
    started: int | None
    """When you started."""
    view: Any
    """The puzzle: shown when you have started, or the day is over."""
    most: int | None
    """How many tiles can be laid: told when you have answered, or the day is over."""
    best: tuple[Chain, ...]
    """An answer that lays them, told with it."""
    results: tuple[LaidMost, ...]
    """Most tiles first, then the quickest; and yours in any case."""


class DailyTurn(msgspec.Struct, frozen=True, kw_only=True):
    view: Any
    events: tuple[Any, ...]
    """Of the last action."""
    laid: int
    """Tiles, so far."""
    over: bool
    """The turn is over: this is your answer, if you had none and the day was not over when you
    started."""
    daily: DailyUnikat


class StartDailyUnikat(Body, frozen=True, kw_only=True):
    grade: Grade = Grade.EASY


class LayDaily(Body, frozen=True, kw_only=True):
    day: date
    grade: Grade = Grade.EASY
    name: Said
    actions: Annotated[tuple[TurnAction, ...], msgspec.Meta(min_length=1, max_length=2)]
    """All that you do in the turn, so far."""


@get("/api/daily/unikat", responses=REFUSED)
async def get_daily_puzzle(
    caller: TheCaller,
    unikat_daily: TheUnikatDaily,
    gate: TheGate,
    visitor: TheVisitor,
    day: Annotated[date | None, QueryParameter(description="today (UTC), if not said")] = None,
    grade: Annotated[Grade, QueryParameter(description="how hard")] = Grade.EASY,
) -> DailyUnikat:
    """A day's puzzle and its results."""
    day = day or unikat_daily.today()
    unikat_daily.check_day(day)
    charge_for_search(unikat_daily, day, gate, visitor)
    unikat_daily.prepare(day, visitor.address)
    return await describe_day(unikat_daily, day, grade, caller.holder, visitor)


@post("/api/daily/unikat/start", responses=REFUSED, status_code=200)
async def start_puzzle(
    data: JSONBody[StartDailyUnikat],
    identified: TheIdentifiedCaller,
    unikat_daily: TheUnikatDaily,
    gate: TheGate,
    visitor: TheVisitor,
) -> DailyUnikat:
    """See today's puzzle: your time runs from now on. Who has started before only looks again."""
    day = unikat_daily.today()
    if await unikat_daily.row(day, data.grade, identified.holder) is None:
        gate.count_request(Kind.CREATE, visitor.address)
        # First found and then started: nobody's time runs while we look for it.
        await unikat_daily.puzzle(day, data.grade, visitor.address)
        await unikat_daily.start(day, data.grade, identified.holder)
    return await describe_day(unikat_daily, day, data.grade, identified.holder, visitor)


@post("/api/daily/unikat/lay", responses=REFUSED, status_code=200)
async def lay_turn(
    data: JSONBody[LayDaily],
    identified: TheIdentifiedCaller,
    unikat_daily: TheUnikatDaily,
    gate: TheGate,
    visitor: TheVisitor,
) -> DailyTurn:
    """Your turn so far. When it is over, it is your answer, and stops your time."""
    unikat_daily.check_day(data.day)
    charge_for_search(unikat_daily, data.day, gate, visitor)
    name = clean_name(data.name)
    course = await unikat_daily.lay(
        data.day, data.grade, identified.holder, name, data.actions, visitor.address
    )
    return DailyTurn(
        view=course.view,
        events=course.events,
        laid=course.laid,
        over=course.over,
        daily=await describe_day(unikat_daily, data.day, data.grade, identified.holder, visitor),
    )


def charge_for_search(daily: UnikatDaily, day: date, gate: Gate, visitor: Visitor) -> None:
    """A day whose puzzles have to be looked for is a lot of work."""
    if not daily.ready(day):
        gate.count_request(Kind.HEAVY, visitor.address)


async def describe_day(
    daily: UnikatDaily,
    day: date,
    grade: Grade,
    holder: Holder | None,
    visitor: Visitor,
) -> DailyUnikat:
    board = await daily.board(day, grade, holder)
    past = day < daily.today()
    answered = past or board.answered
    needed = past or board.started is not None
    puzzle = await daily.puzzle(day, grade, visitor.address) if needed else None
    return DailyUnikat(
        day=day,
        grade=grade,
        started=board.started,
        view=play_puzzle(puzzle, ()).view if puzzle else None,
        most=puzzle.most if puzzle and answered else None,
        best=puzzle.answer if puzzle and answered else (),
        results=tuple(
            LaidMost(
                place=result.place,
                name=result.name,
                tiles=result.pieces,
                ms=result.ms,
                yours=result.yours,
            )
            for result in board.results
        ),
    )


router = Router("/", route_handlers=[get_daily_puzzle, start_puzzle, lay_turn], tags=["daily"])
