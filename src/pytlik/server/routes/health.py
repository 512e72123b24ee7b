"""The state of the server, for its operator."""

import asyncio
from time import perf_counter
from typing import Literal

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.datastructures import State

from pytlik.game import Illegal
from pytlik.i18n import catalogue, pick_language
from pytlik.protocol.reasons import ServerReason
from pytlik.server import metrics
from pytlik.server.access.admission import Visitor
from pytlik.server.access.request_gate import Gate, NetworkLoad
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.responses.health_page import Condition, render_page
from pytlik.server.routes.dependencies import AnyRequest, TheGate, TheLobby, TheVisitor
from pytlik.store import Store, Unavailable

MAX_NETWORKS_SHOWN = 20

STORE_TIMEOUT_SECONDS = 3.0
"""A store that takes longer to answer counts as unavailable."""


class Health(msgspec.Struct, frozen=True):
    status: Literal["ok"] = "ok"


@get("/healthz")
async def check_alive() -> Health:
    """Answer, which shows that the process is alive."""
    return Health()


@get("/readyz", responses=REFUSAL_RESPONSES)
async def check_ready(lobby: TheLobby) -> Health:
    """Check that the store can be read and written."""
    await lobby.store.check_available()
    return Health()


@get("/metrics", include_in_schema=False)
async def show_metrics(gate: TheGate, visitor: TheVisitor) -> Response[bytes]:
    """Metrics for Prometheus. If there is an administrator, nobody else may see them."""
    if gate.settings.admin_token:
        await gate.check_admin(visitor)
    body, media_type = metrics.render_metrics()
    return Response(body, media_type=media_type)


@get("/api/load", responses=REFUSAL_RESPONSES)
async def show_load(gate: TheGate, visitor: TheVisitor) -> list[NetworkLoad]:
    """The networks that currently cause the most load, as far as this worker knows. Only for the
    administrator."""
    await gate.check_admin(visitor)
    return gate.busiest_networks(MAX_NETWORKS_SHOWN)


async def may_see_metrics(gate: Gate, visitor: Visitor) -> bool:
    """Whether somebody may see the metrics. Raises Illegal after too many wrong tokens."""
    if not gate.settings.admin_token:
        return True
    try:
        await gate.check_admin(visitor)
    except Illegal as refusal:
        if refusal.reason is ServerReason.NOT_ADMIN:
            return False
        raise
    return True


@get("/health", include_in_schema=False)
async def show_health(
    request: AnyRequest, state: State, lobby: TheLobby, gate: TheGate, visitor: TheVisitor
) -> Response[str]:
    """The state of the server as a page for people, with numbers for those who may see the
    metrics."""
    condition = Condition(
        began=state.began,
        store_ms=await measure_store(lobby.store),
        bus=state.bus.is_connected,
        workers=gate.settings.workers,
        numbers=metrics.totals_by_metric() if await may_see_metrics(gate, visitor) else None,
    )
    translate = catalogue(pick_language(request.headers.get("accept-language", "")))
    return Response(
        render_page(condition, translate),
        media_type=MediaType.HTML,
        status_code=200 if condition.is_healthy else 503,
    )


async def measure_store(store: Store) -> float | None:
    """How long the store takes to write something, in milliseconds; None if it can't."""
    began = perf_counter()
    try:
        async with asyncio.timeout(STORE_TIMEOUT_SECONDS):
            await store.check_available()
    except (Unavailable, TimeoutError):
        return None
    return 1000 * (perf_counter() - began)


router = Router(
    "/",
    route_handlers=[check_alive, check_ready, show_metrics, show_load, show_health],
    tags=["health"],
)
