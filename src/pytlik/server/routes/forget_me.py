"""Requests to be forgotten, at all tables at once."""

import msgspec
from litestar import Router, delete

from pytlik.server.access.rate_limits import Kind
from pytlik.server.name_removal_and_takeover import forget_person
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import TheCaller, TheGate, TheVisitor


class ForgetResult(msgspec.Struct, frozen=True, kw_only=True):
    tables: int
    """The number of tables where something was removed."""


@delete("/api/me", responses=REFUSAL_RESPONSES, status_code=200)
async def forget_me(caller: TheCaller, gate: TheGate, visitor: TheVisitor) -> ForgetResult:
    """Remove your names from all seats, past matches and daily boards, and everything you wrote.
    You keep your seats, and the moves of your matches stay as they are."""
    gate.count_request(Kind.HEAVY, visitor.address)
    if caller.holder is None:
        return ForgetResult(tables=0)
    return ForgetResult(tables=await forget_person(caller.lobby.rooms, caller.holder))


router = Router("/", route_handlers=[forget_me], tags=["me"])
