"""Circles: creating and joining them, their members, and what was played in them."""

from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from litestar import Router, delete, get, post, put
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from pytlik.game import Refusal
from pytlik.protocol.circles import CircleInfo, CircleMember, CircleResult
from pytlik.protocol.messages import TableInfo
from pytlik.server import tokens
from pytlik.server.access.admission import SAFE_METHODS, Visitor
from pytlik.server.access.rate_limits import Kind
from pytlik.server.access.request_gate import NEW_TOKEN, VISITOR, Gate
from pytlik.server.circle import circles
from pytlik.server.circle.circles import Circle
from pytlik.server.circle.stored_circles import (
    change_circle,
    circle_codec,
    create_circle,
    read_circle,
    visit_circle,
)
from pytlik.server.lobby import Lobby
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import (
    AnyRequest,
    Body,
    TheCaller,
    TheGate,
    TheIdentifiedCaller,
    TheLobby,
    TheVisitor,
)
from pytlik.server.routes.seats import NewName, ShortText
from pytlik.server.table.sanitize import clean_name
from pytlik.server.table.table_info import make_table_info

MAX_MY_CIRCLES = 20
RESULTS_PER_PAGE = 20

MATCH_ID_PATTERN = rf"^{tokens.TABLE_ID.pattern}\.[0-9]{{1,9}}$"

CircleId = FromPath[str]
MemberNumber = FromPath[int]


class NewCircle(Body, frozen=True, kw_only=True):
    name: ShortText
    """What the circle is called."""
    member: ShortText
    """What you are called there."""


class CircleCode(Body, frozen=True, kw_only=True):
    code: ShortText


class MyCircle(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    members: int


class CircleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A circle, and who you are there."""

    circle: CircleInfo
    me: int | None
    """Your number among the members; null if you aren't one."""
    code: str | None
    """The code that moves your membership to another device, where it's entered. It works once."""


class PlayedInCircle(CircleResult, frozen=True, kw_only=True):
    table: str
    match: int
    ended: int
    replay: bool
    """Whether the match can still be replayed: tables are deleted after some time."""


class CircleResults(msgspec.Struct, frozen=True, kw_only=True):
    results: tuple[PlayedInCircle, ...]
    """Newest first."""
    more: bool
    """Whether there are earlier ones."""


@post("/api/circles", responses=REFUSAL_RESPONSES, status_code=201)
async def start_circle(
    request: AnyRequest,
    data: JSONBody[NewCircle],
    gate: TheGate,
    visitor: TheVisitor,
    identified: TheIdentifiedCaller,
) -> CircleAnswer:
    """Start a circle, as its first member. Whoever knows its id can see it and join."""
    gate.count_request(Kind.CREATE, visitor.address)
    now = identified.lobby.now()
    name, member = clean_name(data.name), clean_name(data.member)
    id = tokens.random_letters(tokens.CIRCLE_ID_LENGTH)
    empty = Circle(id=id, name=name, created=now, members=())
    token = token_of(request, visitor)
    circle = circles.join(empty, identified.holder, member, recovery_code_hasher(token, id))
    await create_circle(identified.lobby.store, circle, now)
    return await circle_answer(identified.lobby, circle, token)


@get("/api/circles", responses=REFUSAL_RESPONSES)
async def my_circles(caller: TheCaller) -> list[MyCircle]:
    """The circles that you're in, most recently used first."""
    if caller.holder is None:
        return []
    rows = await caller.lobby.store.circles_of(caller.holder)
    mine = (circle_codec.decode(row.doc) for row in rows)
    return [
        MyCircle(id=circle.id, name=circle.name, members=len(circle.members))
        for circle in mine
        if circle.member_of(caller.holder)
    ][:MAX_MY_CIRCLES]


@get("/api/circles/{circle:str}", responses=REFUSAL_RESPONSES)
async def get_circle(circle: CircleId, lobby: TheLobby, visitor: TheVisitor) -> CircleAnswer:
    """A circle. You don't need a token to look at it."""
    found = await visit_circle(lobby.store, circle, lobby.now())
    return await circle_answer(lobby, found, visitor.token)


@get("/api/circles/{circle:str}/results", responses=REFUSAL_RESPONSES)
async def list_results(
    circle: CircleId,
    lobby: TheLobby,
    before: Annotated[
        str | None,
        QueryParameter(pattern=MATCH_ID_PATTERN, description="only what ended before this match"),
    ] = None,
) -> CircleResults:
    """What was played in a circle, newest first, in pages. Only matches that are over are here."""
    store = lobby.store
    await read_circle(store, circle)
    rows = await store.circle_results(circle, RESULTS_PER_PAGE + 1, before)
    shown = rows[:RESULTS_PER_PAGE]
    stored = await store.seqs_and_versions([row.played for row in shown], [])
    return CircleResults(
        results=tuple(
            PlayedInCircle(
                **msgspec.structs.asdict(msgspec.json.decode(row.doc, type=CircleResult)),
                table=row.played.partition(".")[0],
                match=int(row.played.partition(".")[2]),
                ended=row.ended,
                replay=stored[row.played] > 0,
            )
            for row in shown
        ),
        more=len(rows) > len(shown),
    )


@put("/api/circles/{circle:str}/name", responses=REFUSAL_RESPONSES)
async def rename_circle(
    circle: CircleId, data: JSONBody[NewName], lobby: TheLobby, visitor: TheVisitor
) -> CircleAnswer:
    """Give a circle another name, as its organiser."""
    name = clean_name(data.name)
    return await change_and_answer(
        lobby, circle, visitor.token, lambda old: circles.rename_circle(old, visitor.holder, name)
    )


@post("/api/circles/{circle:str}/members", responses=REFUSAL_RESPONSES, status_code=201)
async def join_circle(
    request: AnyRequest,
    circle: CircleId,
    data: JSONBody[NewName],
    visitor: TheVisitor,
    identified: TheIdentifiedCaller,
) -> CircleAnswer:
    """Join a circle. From then on, matches that you finish at its tables count for you."""
    name = clean_name(data.name)
    token = token_of(request, visitor)
    codes = recovery_code_hasher(token, circle)
    return await change_and_answer(
        identified.lobby,
        circle,
        token,
        lambda old: circles.join(old, identified.holder, name, codes),
    )


@put("/api/circles/{circle:str}/me", responses=REFUSAL_RESPONSES)
async def rename_me(
    circle: CircleId, data: JSONBody[NewName], lobby: TheLobby, visitor: TheVisitor
) -> CircleAnswer:
    """Choose another name for yourself in a circle. It also appears in earlier results."""
    name = clean_name(data.name)
    return await change_and_answer(
        lobby, circle, visitor.token, lambda old: circles.rename_member(old, visitor.holder, name)
    )


@delete(
    "/api/circles/{circle:str}/members/{member:int}", responses=REFUSAL_RESPONSES, status_code=204
)
async def remove_member(
    circle: CircleId, member: MemberNumber, lobby: TheLobby, visitor: TheVisitor
) -> None:
    """Leave a circle or, as its organiser, remove somebody, who can't come back. The member's name
    is removed as well. When the last member has left, the circle is deleted."""
    await change_circle(
        lobby.store,
        circle,
        lobby.now(),
        lambda old: circles.remove_member(old, visitor.holder, member),
    )


@post("/api/circles/{circle:str}/recover", responses=REFUSAL_RESPONSES, status_code=200)
async def recover_member(
    request: AnyRequest,
    circle: CircleId,
    data: JSONBody[CircleCode],
    gate: TheGate,
    visitor: TheVisitor,
    identified: TheIdentifiedCaller,
) -> CircleAnswer:
    """Move a membership to this device, with the code from the other one, which is then used up."""
    token = token_of(request, visitor)
    hashed = tokens.hashed_code(circle, data.code)
    codes = recovery_code_hasher(token, circle)
    async with gate.guesses.limit_recovery_code(circle, visitor.address):
        return await change_and_answer(
            identified.lobby,
            circle,
            token,
            lambda old: circles.recover_membership(old, identified.holder, hashed, codes),
        )


def token_of(request: AnyRequest, visitor: Visitor) -> str:
    """The token of an identified caller, who may have just got it."""
    token: str = visitor.token or request.scope["state"][NEW_TOKEN]
    return token


def recovery_code_hasher(token: str, circle: str) -> circles.HashRecoveryCode:
    """Return a function that hashes the recovery code of a token's membership."""
    return lambda number: tokens.hashed_code(circle, tokens.recovery_code(token, circle, number))


async def change_and_answer(
    lobby: Lobby, circle: str, token: str | None, alter: Callable[[Circle], Circle]
) -> CircleAnswer:
    changed = await change_circle(lobby.store, circle, lobby.now(), alter)
    return await circle_answer(lobby, changed, token)


async def circle_answer(lobby: Lobby, circle: Circle, token: str | None) -> CircleAnswer:
    me = circle.member_of(tokens.holder_of(token)) if token else None
    return CircleAnswer(
        circle=CircleInfo(
            id=circle.id,
            name=circle.name,
            members=tuple(CircleMember(id=each.id, name=each.name) for each in circle.members),
            scores=circle.scores,
            tables=await joinable_tables(lobby, circle),
        ),
        me=me.id if me else None,
        code=tokens.recovery_code(token, circle.id, me.id) if me and token else None,
    )


async def joinable_tables(lobby: Lobby, circle: Circle) -> tuple[TableInfo, ...]:
    """The circle's tables that can still be joined before their match begins."""
    found = []
    for id in circle.tables:
        with suppress(Refusal):  # it was deleted
            stored = await lobby.get(id)
            if stored.table.phase == "lobby" and any(
                chair.is_free for chair in stored.table.chairs
            ):
                found.append(make_table_info(stored))
    return tuple(found)


async def limit_circle_changes(
    connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler
) -> None:
    """Limit the changes to a circle, as to a table. A guard."""
    circle = connection.path_params.get("circle")
    if circle is not None and connection.scope.get("method") not in SAFE_METHODS:
        gate: Gate = connection.app.state.gate
        visitor: Visitor = connection.scope["state"][VISITOR]
        member = False
        with suppress(Refusal):  # no such circle: the handler reports that
            found = await read_circle(connection.app.state.store, str(circle))
            member = found.member_of(visitor.holder) is not None
        gate.count_change(str(circle), visitor, member=member)


router = Router(
    "/",
    route_handlers=[
        start_circle,
        my_circles,
        get_circle,
        list_results,
        rename_circle,
        join_circle,
        rename_me,
        remove_member,
        recover_member,
    ],
    guards=[limit_circle_changes],
    tags=["circles"],
)
