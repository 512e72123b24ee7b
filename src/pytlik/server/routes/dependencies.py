"""What route handlers get injected: the lobby, the gate, and who is asking."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency as Given
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath

from pytlik.game import Refusal, Seat
from pytlik.protocol.messages import TableInfo
from pytlik.server import tokens
from pytlik.server.access.admission import SAFE_METHODS, Visitor
from pytlik.server.access.request_gate import NEW_TOKEN, OLD_TOKEN, VISITOR, Gate
from pytlik.server.dailies.ubongo_daily import UbongoDaily
from pytlik.server.dailies.unikat_daily import UnikatDaily
from pytlik.server.lobby import Lobby
from pytlik.server.table.stored_tables import StoredTable
from pytlik.server.table.table_info import make_table_info
from pytlik.server.table.tables import Table, is_member
from pytlik.server.tokens import Holder

AnyRequest = Request[Any, Any, Any]


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a request."""


class TableAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A table, and your role there."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    now: int


TableId = FromPath[str]
SeatNumber = FromPath[int]
MatchNumber = FromPath[int]


@dataclass(frozen=True)
class Caller:
    """Whoever is asking something about a table. They may not have a token yet."""

    lobby: Lobby
    holder: Holder | None

    async def change(self, table: str, alter: Callable[[Table], Table]) -> TableAnswer:
        return self.answer(await self.lobby.change(table, alter))

    def answer(self, stored: StoredTable) -> TableAnswer:
        return TableAnswer(
            table=make_table_info(stored),
            yours=stored.table.held_by(self.holder),
            host=self.holder is not None and stored.table.host == self.holder,
            now=self.lobby.now(),
        )


@dataclass(frozen=True)
class IdentifiedCaller(Caller):
    """A caller with a token, which is needed to take a seat or start a puzzle."""

    holder: Holder


TheLobby = Given[Lobby]
TheUbongoDaily = Given[UbongoDaily]
TheUnikatDaily = Given[UnikatDaily]
TheGate = Given[Gate]
TheVisitor = Given[Visitor]
TheCaller = Given[Caller]
TheIdentifiedCaller = Given[IdentifiedCaller]


async def lobby(state: State) -> Lobby:
    injected: Lobby = state.lobby
    return injected


async def ubongo_daily(state: State) -> UbongoDaily:
    injected: UbongoDaily = state.ubongo_daily
    return injected


async def unikat_daily(state: State) -> UnikatDaily:
    injected: UnikatDaily = state.unikat_daily
    return injected


async def gate(state: State) -> Gate:
    injected: Gate = state.gate
    return injected


async def visitor(request: AnyRequest) -> Visitor:
    injected: Visitor = request.scope["state"][VISITOR]
    return injected


async def caller(lobby: TheLobby, visitor: TheVisitor) -> Caller:
    return Caller(lobby, visitor.holder)


async def identified_caller(
    request: AnyRequest, lobby: TheLobby, visitor: TheVisitor
) -> IdentifiedCaller:
    """Give callers a token if they have none, and renew the cookie of browsers so that it doesn't
    expire. Not for GET requests: nobody needs a token just to look."""
    token = visitor.token or tokens.new_token()
    if visitor.by_cookie or visitor.token is None:
        set_token_cookie(request, token)
    return IdentifiedCaller(lobby, tokens.holder_of(token))


def set_token_cookie(request: AnyRequest, token: str) -> None:
    """Set the token as a cookie in the answer, unless the request is refused."""
    request.scope["state"][NEW_TOKEN] = token


def keep_old_token(request: AnyRequest, token: str) -> None:
    """Let the browser keep its previous token in a second cookie. An empty one removes it."""
    request.scope["state"][OLD_TOKEN] = token


PROVIDED = {
    "lobby": Provide(lobby),
    "ubongo_daily": Provide(ubongo_daily),
    "unikat_daily": Provide(unikat_daily),
    "gate": Provide(gate),
    "visitor": Provide(visitor),
    "caller": Provide(caller),
    "identified": Provide(identified_caller),
}


async def limit_table_changes(
    connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler
) -> None:
    """Limit the changes to a table. A guard; each member of the table has their own limit."""
    table = connection.path_params.get("table")
    if table is not None and connection.scope.get("method") not in SAFE_METHODS:
        state = connection.app.state
        visitor: Visitor = connection.scope["state"][VISITOR]
        member = await is_member_of(state.lobby, str(table), visitor.holder)
        gate: Gate = state.gate
        gate.count_change(str(table), visitor, member=member)


async def is_member_of(lobby: Lobby, table: str, holder: Holder | None) -> bool:
    if holder is None:
        return False
    try:
        return is_member((await lobby.get(table)).table, holder)
    except Refusal:
        return False  # no such table: the handler reports that
