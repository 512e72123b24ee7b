"""Ubongo's daily puzzles, the same for everyone, with a leaderboard by time."""

from datetime import date
from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from pytlik.server.access.rate_limits import Kind
from pytlik.server.dailies.ubongo_daily import UbongoDaily, daily_puzzle
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import (
    Body,
    TheCaller,
    TheGate,
    TheIdentifiedCaller,
    TheUbongoDaily,
    TheVisitor,
)
from pytlik.server.routes.seats import ShortText
from pytlik.server.table.sanitize import clean_name
from pytlik.server.tokens import Holder
from pytlik.ubongo.hexes import Hex
from pytlik.ubongo.model import Deal, SideName

Cells = Annotated[tuple[Hex, ...], msgspec.Meta(max_length=12)]


class UbongoDailyResult(msgspec.Struct, frozen=True, kw_only=True):
    place: int | None
    """From 1; equal times share a place. Null if it was too quick for a person: then only you see
    it."""
    name: str
    """Empty if it's yours and you haven't given one: then only you see it."""
    ms: int
    yours: bool


class DailyPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    day: date
    side: SideName
    started: int | None
    """When you started."""
    puzzle: Deal | None
    """Only once you've started or the day is over."""
    results: tuple[UbongoDailyResult, ...]
    """Fastest first. Yours is always included."""
    ranked: int
    """How many results have a place, yours included."""


class StartDaily(Body, frozen=True, kw_only=True):
    side: SideName = 3


class SolveDaily(Body, frozen=True, kw_only=True):
    day: date
    side: SideName = 3
    name: ShortText | None = None
    """Without one, nobody else sees your result until you give it a name."""
    placed: Annotated[dict[int, Cells], msgspec.Meta(max_length=8)]
    """The cells that each piece covers."""


class NameDaily(Body, frozen=True, kw_only=True):
    day: date
    side: SideName = 3
    name: ShortText


@get("/api/daily/ubongo", responses=REFUSAL_RESPONSES)
async def get_daily_puzzle(
    caller: TheCaller,
    ubongo_daily: TheUbongoDaily,
    day: Annotated[date | None, QueryParameter(description="by default, today (UTC)")] = None,
    side: Annotated[SideName, QueryParameter(description="how many pieces")] = 3,
) -> DailyPuzzle:
    """The puzzle of a day, and its results."""
    day = day or ubongo_daily.today()
    ubongo_daily.check_day(day)
    return await make_daily_answer(ubongo_daily, day, side, caller.holder)


@post("/api/daily/ubongo/start", responses=REFUSAL_RESPONSES, status_code=200)
async def start_puzzle(
    data: JSONBody[StartDaily],
    identified: TheIdentifiedCaller,
    ubongo_daily: TheUbongoDaily,
    gate: TheGate,
    visitor: TheVisitor,
) -> DailyPuzzle:
    """Get today's puzzle and start your time. If you've already started, your time just runs on."""
    day = ubongo_daily.today()
    if await ubongo_daily.row(day, data.side, identified.holder) is None:
        gate.count_request(Kind.CREATE, visitor.address)
        await ubongo_daily.start_puzzle(day, data.side, identified.holder)
    return await make_daily_answer(ubongo_daily, day, data.side, identified.holder)


@post("/api/daily/ubongo/solve", responses=REFUSAL_RESPONSES, status_code=200)
async def solve_puzzle(
    data: JSONBody[SolveDaily], identified: TheIdentifiedCaller, ubongo_daily: TheUbongoDaily
) -> DailyPuzzle:
    """Send your solution. If it's right, your time stops."""
    ubongo_daily.check_day(data.day)
    name = None if data.name is None else clean_name(data.name)
    await ubongo_daily.submit_solution(data.day, data.side, identified.holder, name, data.placed)
    return await make_daily_answer(ubongo_daily, data.day, data.side, identified.holder)


@post("/api/daily/ubongo/name", responses=REFUSAL_RESPONSES, status_code=200)
async def name_result(
    data: JSONBody[NameDaily], identified: TheIdentifiedCaller, ubongo_daily: TheUbongoDaily
) -> DailyPuzzle:
    """Put your result on the board under a name, or under another one."""
    ubongo_daily.check_day(data.day)
    await ubongo_daily.rename_result(data.day, data.side, identified.holder, clean_name(data.name))
    return await make_daily_answer(ubongo_daily, data.day, data.side, identified.holder)


async def make_daily_answer(
    daily: UbongoDaily, day: date, side: SideName, holder: Holder | None
) -> DailyPuzzle:
    board = await daily.board(day, side, holder)
    visible = board.started is not None or day < daily.today()
    return DailyPuzzle(
        day=day,
        side=side,
        started=board.started,
        puzzle=daily_puzzle(day, side) if visible else None,
        results=tuple(
            UbongoDailyResult(
                place=result.place, name=result.name, ms=result.ms, yours=result.yours
            )
            for result in board.results
        ),
        ranked=board.ranked,
    )


router = Router(
    "/", route_handlers=[get_daily_puzzle, start_puzzle, solve_puzzle, name_result], tags=["daily"]
)
