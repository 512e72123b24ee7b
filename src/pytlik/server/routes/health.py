"""How the server is: for whoever watches over it."""

from typing import Literal

import msgspec
from litestar import Response, Router, get

from pytlik.game import Illegal, Reason
from pytlik.server import metrics
from pytlik.server.errors import REFUSED
from pytlik.server.routes.asking import TheGate, TheLobby, TheVisitor


class Health(msgspec.Struct, frozen=True):
    status: Literal["ok"] = "ok"


@get("/healthz")
async def alive() -> Health:
    """The process answers."""
    return Health()


@get("/readyz", responses=REFUSED)
async def ready(lobby: TheLobby) -> Health:
    """The store can be read and written."""
    await lobby.store.check()
    return Health()


@get("/metrics", include_in_schema=False)
async def numbers(gate: TheGate, visitor: TheVisitor) -> Response[bytes]:
    """For Prometheus; only for the administrator, where there is one."""
    if gate.settings.admin_token and not visitor.admin:
        raise Illegal(Reason.NOT_ADMIN)
    body, media_type = metrics.page()
    return Response(body, media_type=media_type)


router = Router("/", route_handlers=[alive, ready, numbers], tags=["health"])
