"""People at the full-screen program who join a table on a real server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from pytlik.terminal.remote.session import RemoteSession
from pytlik.terminal.remote.table_url import TableUrl
from pytlik.terminal.screens.app import PlayApp
from pytlik.terminal.widgets.dialogs import Dialog, Question
from tests.server.client import Client, create_table
from tests.server.live_server import LiveServer, start_match
from tests.terminal.screen_pilot import (
    SCREEN_SIZE,
    ManualClock,
    is_game_shown,
    press_keys,
    translate,
    unikat_screen,
    wait_for_text,
    wait_until,
)


@asynccontextmanager
async def join_in_terminal(
    live_server: LiveServer,
    table: str,
    *,
    name: str = "",
    clock: ManualClock | None = None,
    token: str | None = None,
    code: str | None = None,
    size: Any = SCREEN_SIZE,
) -> AsyncIterator[tuple[Pilot[None], PlayApp]]:
    session = RemoteSession(
        TableUrl(live_server.address, table, code), clock or ManualClock(), translate, token=token
    )
    app = PlayApp(session, translate, name=name)
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: session.table is not None or isinstance(app.screen, Dialog))
        yield pilot, app


async def host_table(
    live_server: LiveServer, game: str = "unikat", **more: Any
) -> tuple[Client, str]:
    """Create a table of two, whose host sits there and waits."""
    host = live_server.new_person()
    table = await create_table(host, game, **{"chairs": 2, **more})
    await host.ask("POST", f"/api/tables/{table}/seats", {"name": "Ola", "share": "x"})
    await host.join(table)
    await host.wait_for("hello")
    return host, table


@asynccontextmanager
async def host_in_terminal(
    live_server: LiveServer, game: str = "unikat", **more: Any
) -> AsyncIterator[tuple[Pilot[None], PlayApp, str]]:
    """Hana in a terminal, who has created a table of two and sits at it."""
    hana = live_server.new_person()
    table = await create_table(hana, game, **{"chairs": 2, **more})
    async with join_in_terminal(live_server, table, name="Hana", token=hana.token) as (pilot, app):
        await press_keys(pilot, "enter")
        await wait_for_text(pilot, "Hana", translate("page.lobby.you_host"))
        yield pilot, app, table


@asynccontextmanager
async def start_match_in_terminal(
    live_server: LiveServer, clock: ManualClock
) -> AsyncIterator[tuple[Pilot[None], PlayApp, Client, str]]:
    """Hana's match with Ola, who is the host. It's Hana's turn."""
    ola, table = await host_table(live_server, options={"starter": 1})
    async with join_in_terminal(live_server, table, name="Hana", clock=clock) as (pilot, app):
        await press_keys(pilot, "enter")
        await wait_until(pilot, lambda: app.table and app.table.yours)
        await start_match(ola, table)
        await wait_until(pilot, lambda: is_game_shown(app) and may_act(app))
        yield pilot, app, ola, table


async def type_answer(pilot: Pilot[None], *keys: str) -> None:
    """Type an answer to the question on the screen."""

    def is_input_focused() -> bool:
        screen = pilot.app.screen
        # The question appears before its parts do.
        lines = screen.query("#answer").results(Input) if isinstance(screen, Question) else ()
        return any(line.has_focus for line in lines)

    await wait_until(pilot, is_input_focused)
    await press_keys(pilot, *keys, "enter")


def may_act(app: PlayApp) -> bool:
    view = unikat_screen(app).view
    assert view is not None
    can = view.choices
    return bool(can.lay or can.swap or can.draw or can.decline or can.pass_)
