"""Unikat's daily puzzles: lay as many tiles as you can, with a leaderboard."""

from datetime import date
from typing import Annotated, Any

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from pytlik.server.access.admission import Visitor
from pytlik.server.access.rate_limits import Kind
from pytlik.server.access.request_gate import Gate
from pytlik.server.dailies.unikat_daily import UnikatDaily
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import (
    Body,
    TheCaller,
    TheGate,
    TheIdentifiedCaller,
    TheUnikatDaily,
    TheVisitor,
)
from pytlik.server.routes.seats import ShortText
from pytlik.server.table.sanitize import clean_name
from pytlik.server.tokens import Holder
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.model import Chain
from pytlik.unikat.solo_puzzles import Grade, play_puzzle


class UnikatDailyResult(msgspec.Struct, frozen=True, kw_only=True):
    place: int | None
    """From 1; equal results share a place. Null if it was too quick for a person: then only you
    see it."""
    name: str
    """Empty if it's yours and you haven't given one: then only you see it."""
    tiles: int
    ms: int
    yours: bool


class DailyUnikat(msgspec.Struct, frozen=True, kw_only=True):
    day: date
    grade: Grade
    started: int | None
    """When you started."""
    view: Any
    """The puzzle, only once you've started or the day is over."""
    most: int | None
    """How many tiles can be laid, only once you've answered or the day is over."""
    best: tuple[Chain, ...]
    """An answer that lays that many, from the same moment on."""
    results: tuple[UnikatDailyResult, ...]
    """Most tiles first, then the fastest. Yours is always included."""
    ranked: int
    """How many results have a place, yours included."""


class DailyTurn(msgspec.Struct, frozen=True, kw_only=True):
    view: Any
    events: tuple[Any, ...]
    """The events of the last action."""
    laid: int
    """How many tiles you've laid so far."""
    over: bool
    """Whether the turn is over. Then this is your answer, if it's your first and you started before
    the day was over."""
    daily: DailyUnikat


class StartDailyUnikat(Body, frozen=True, kw_only=True):
    grade: Grade = Grade.EASY


class LayDaily(Body, frozen=True, kw_only=True):
    day: date
    grade: Grade = Grade.EASY
    name: ShortText | None = None
    """Without one, nobody else sees your result until you give it a name."""
    actions: Annotated[tuple[TurnAction, ...], msgspec.Meta(min_length=1, max_length=2)]
    """All your actions in the turn so far."""


class NameDailyUnikat(Body, frozen=True, kw_only=True):
    day: date
    grade: Grade = Grade.EASY
    name: ShortText


@get("/api/daily/unikat", responses=REFUSAL_RESPONSES)
async def get_daily_puzzle(
    caller: TheCaller,
    unikat_daily: TheUnikatDaily,
    gate: TheGate,
    visitor: TheVisitor,
    day: Annotated[date | None, QueryParameter(description="by default, today (UTC)")] = None,
    grade: Annotated[Grade, QueryParameter(description="how hard the puzzle is")] = Grade.EASY,
) -> DailyUnikat:
    """The puzzle of a day, and its results."""
    day = day or unikat_daily.today()
    unikat_daily.check_day(day)
    count_search(unikat_daily, day, gate, visitor)
    unikat_daily.prepare(day, visitor.address)
    return await make_daily_answer(unikat_daily, day, grade, caller.holder, visitor)


@post("/api/daily/unikat/start", responses=REFUSAL_RESPONSES, status_code=200)
async def start_puzzle(
    data: JSONBody[StartDailyUnikat],
    identified: TheIdentifiedCaller,
    unikat_daily: TheUnikatDaily,
    gate: TheGate,
    visitor: TheVisitor,
) -> DailyUnikat:
    """Get today's puzzle and start your time. If you've already started, your time just runs on."""
    day = unikat_daily.today()
    if await unikat_daily.row(day, data.grade, identified.holder) is None:
        gate.count_request(Kind.CREATE, visitor.address)
        # Find it before starting the clock: searching mustn't cost anybody time.
        await unikat_daily.puzzle(day, data.grade, visitor.address)
        await unikat_daily.start_puzzle(day, data.grade, identified.holder)
    return await make_daily_answer(unikat_daily, day, data.grade, identified.holder, visitor)


@post("/api/daily/unikat/lay", responses=REFUSAL_RESPONSES, status_code=200)
async def lay_turn(
    data: JSONBody[LayDaily],
    identified: TheIdentifiedCaller,
    unikat_daily: TheUnikatDaily,
    gate: TheGate,
    visitor: TheVisitor,
) -> DailyTurn:
    """Send your turn so far. When the turn is over, it's your answer, and your time stops."""
    unikat_daily.check_day(data.day)
    count_search(unikat_daily, data.day, gate, visitor)
    name = None if data.name is None else clean_name(data.name)
    course = await unikat_daily.play_turn(
        data.day, data.grade, identified.holder, name, data.actions, visitor.address
    )
    return DailyTurn(
        view=course.view,
        events=course.events,
        laid=course.laid,
        over=course.over,
        daily=await make_daily_answer(
            unikat_daily, data.day, data.grade, identified.holder, visitor
        ),
    )


@post("/api/daily/unikat/name", responses=REFUSAL_RESPONSES, status_code=200)
async def name_result(
    data: JSONBody[NameDailyUnikat],
    identified: TheIdentifiedCaller,
    unikat_daily: TheUnikatDaily,
    gate: TheGate,
    visitor: TheVisitor,
) -> DailyUnikat:
    """Put your result on the board under a name, or under another one."""
    unikat_daily.check_day(data.day)
    count_search(unikat_daily, data.day, gate, visitor)
    await unikat_daily.rename_result(data.day, data.grade, identified.holder, clean_name(data.name))
    return await make_daily_answer(unikat_daily, data.day, data.grade, identified.holder, visitor)


def count_search(daily: UnikatDaily, day: date, gate: Gate, visitor: Visitor) -> None:
    """Count a heavy request if the day's puzzles still have to be searched for."""
    if not daily.is_ready(day):
        gate.count_request(Kind.HEAVY, visitor.address)


async def make_daily_answer(
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
            UnikatDailyResult(
                place=result.place,
                name=result.name,
                tiles=result.pieces,
                ms=result.ms,
                yours=result.yours,
            )
            for result in board.results
        ),
        ranked=board.ranked,
    )


router = Router(
    "/", route_handlers=[get_daily_puzzle, start_puzzle, lay_turn, name_result], tags=["daily"]
)
