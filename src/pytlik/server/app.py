"""The application: routes, their dependencies, and the gate before them."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response, Router
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ControllerRouterHandler

from pytlik.bus import Bus
from pytlik.game import Malformed, Reason, Refusal
from pytlik.protocol.reasons import ServerReason
from pytlik.server.access.request_gate import App, Gate
from pytlik.server.cleanup import Cleanup
from pytlik.server.clocks.clock import Clock, DatabaseClock
from pytlik.server.dailies.ubongo_daily import UbongoDaily
from pytlik.server.dailies.unikat_daily import UnikatDaily
from pytlik.server.fair_queue import heavy_work_queue
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.server.match.coaching import Coaching
from pytlik.server.notifications.push_notifications import make_push_notifications
from pytlik.server.responses import error_responses
from pytlik.server.responses.page_files import STATIC_FOLDER, Page
from pytlik.server.routes import (
    auth,
    circles,
    forget_me,
    health,
    lan,
    lessons,
    matches,
    notifications,
    seats,
    tables,
    ubongo_daily,
    unikat_daily,
)
from pytlik.server.routes import page as page_routes
from pytlik.server.routes.dependencies import PROVIDED
from pytlik.server.settings import Settings
from pytlik.server.table_socket import SERVE_SOCKET_KEY
from pytlik.store import Store

MAX_BODY_BYTES = 64 * 1024

RESUME_COUNTDOWN_MS = 3_000
"""Three, two, one: where a clock runs, everyone resumes together after a pause."""

ROUTERS = (
    tables.router,
    seats.router,
    matches.router,
    circles.router,
    ubongo_daily.router,
    unikat_daily.router,
    lessons.router,
    forget_me.router,
    notifications.router,
    auth.router,
    health.router,
    lan.router,
)


class PytlikApp(Litestar):
    """Litestar behind our gate, which also sees requests that match no route."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            gate: Gate = self.state.gate
            app: App = super().__call__
            await gate.handle_request(app, scope, receive, send)
            return
        await super().__call__(scope, receive, send)
        # A socket's handler only lets it in. It's served here, so that neither Litestar's layers
        # nor the request stay in memory until the socket is closed.
        serve = scope.get("state", {}).get(SERVE_SOCKET_KEY)
        del scope
        if serve:
            await serve(receive, send)


class JsonRequest(Request[Any, Any, Any]):
    """Refuses a body that isn't text, which Litestar would fail on."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except UnicodeDecodeError:
            raise Malformed(Reason.BAD_REQUEST, problem="it isn't UTF-8") from None


def replace_litestars_not_found(response: Response[Any]) -> Response[Any]:
    """Replace the page that Litestar sends for formats in which we don't describe the API."""
    if response.status_code == 404:
        return error_responses.refusal_response(Refusal(ServerReason.NOT_FOUND))
    return response


def create_app_state(
    settings: Settings,
    *,
    store: Store,
    bus: Bus,
    clock: Clock,
    page: Page,
    database_clock: DatabaseClock | None = None,
) -> State:
    """Everything that handlers share. Slow work runs in threads, unless there are processes for
    bots that can do it (`run_worker`)."""
    rooms = Rooms(
        store,
        bus,
        clock,
        bot_pause_ms=round(1000 * settings.bot_pause),
        resume_countdown_ms=RESUME_COUNTDOWN_MS,
        bot_workers=settings.bot_process_count,
        notices=make_push_notifications(store, clock),
    )
    return State(
        {
            "settings": settings,
            "store": store,
            "bus": bus,
            "clock": clock,
            "began": clock(),
            "gate": Gate(settings, clock, store),
            "rooms": rooms,
            "lobby": Lobby(rooms),
            "cleanup": Cleanup(store, bus, clock, database_clock),
            "ubongo_daily": UbongoDaily(store, clock),
            "unikat_daily": UnikatDaily(store, clock, asyncio.to_thread),
            "coaching": Coaching(clock, asyncio.to_thread),
            "page": page,
            "compute": asyncio.to_thread,
            "heavy": heavy_work_queue(),
        }
    )


def create_app(
    settings: Settings,
    *,
    store: Store,
    bus: Bus,
    clock: Clock,
    handlers: Sequence[ControllerRouterHandler] = (),
    lifespan: Sequence[Callable[[Litestar], AbstractAsyncContextManager[None]]] = (),
    database_clock: DatabaseClock | None = None,
    folder: Path = STATIC_FOLDER,
) -> PytlikApp:
    """The whole server except for what `handlers` add (sockets). The page was built into
    `folder`. Tables are deleted only if they are old by both clocks."""
    page = Page(folder, settings.base_path)
    state = create_app_state(
        settings,
        store=store,
        bus=bus,
        clock=clock,
        page=page,
        database_clock=database_clock,
    )
    return PytlikApp(
        [*ROUTERS, page_routes.router(page), *handlers],
        path=settings.base_path or None,
        state=state,
        dependencies=PROVIDED,
        request_class=JsonRequest,
        exception_handlers=error_responses.HANDLERS,
        lifespan=list(lifespan),
        request_max_body_size=MAX_BODY_BYTES,
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="Pytlik",
            version="1",
            description="Tables, seats and matches of Unikat and Ubongo Extreme.",
            openapi_router=Router(
                "/schema",
                route_handlers=[],
                after_request=replace_litestars_not_found,
                include_in_schema=False,
            ),
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
    )
