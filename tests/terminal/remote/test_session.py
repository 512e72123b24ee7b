"""The full-screen program at a table on a real server: with someone else, with a lost connection,
behind a passphrase, and with no table to join."""

import asyncio
from itertools import count

import pytest
from textual.pilot import Pilot

from pytlik.chance import from_text
from pytlik.terminal.remote.http_client import send_request
from pytlik.terminal.remote.session import RemoteSession
from pytlik.terminal.remote.table_url import TableUrl, parse_table_url
from pytlik.terminal.screens.app import PlayApp
from pytlik.terminal.screens.lobby import LobbyScreen
from pytlik.terminal.ubongo.screen import UbongoScreen
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.ubongo import solver
from pytlik.unikat.bots import BOTS, DEFAULT_BUDGET
from pytlik.unikat.messages import Swap
from tests.server.client import create_table
from tests.server.live_server import ADMIN_TOKEN, LiveServer, server_test, start_match
from tests.terminal.screen_pilot import (
    SCREEN_SIZE,
    ManualClock,
    is_game_shown,
    press_keys,
    status_line,
    translate,
    ubongo_screen,
    unikat_screen,
    wait_for_text,
    wait_until,
)
from tests.terminal.server_tables import (
    host_table,
    join_in_terminal,
    may_act,
    start_match_in_terminal,
    type_answer,
)
from tests.terminal.ubongo.test_screen import keys_to_place as piece_keys
from tests.terminal.unikat.test_screen import keys_for_action


def has_match_ended(app: PlayApp) -> bool:
    view = unikat_screen(app).view
    return view is not None and view.outcome is not None


async def take_turns(pilot: Pilot[None], app: PlayApp) -> None:
    """Play to the end with the keyboard."""
    for number in count(1):
        await wait_until(pilot, lambda: may_act(app) or has_match_ended(app))
        view = unikat_screen(app).view
        assert view is not None
        if has_match_ended(app):
            return
        action = BOTS["longest"](view, from_text("a person").stream(str(number)), DEFAULT_BUDGET)
        await press_keys(pilot, *keys_for_action(app, action))
        await wait_until(pilot, lambda view=view: unikat_screen(app).view is not view)  # type: ignore[misc]


# ------------------------------------------------------------------------------------- two players


@server_test
async def test_seat_is_taken_by_name_and_two_people_play_and_chat(live_server: LiveServer) -> None:
    host, table = await host_table(live_server, agreement={"chat": True})
    async with join_in_terminal(live_server, table) as (pilot, app):
        # Watching needs no seat: one is taken only when you ask for it, with a name.
        await wait_for_text(pilot, translate("page.lobby.free"), translate("page.lobby.sit.any"))
        await press_keys(pilot, "enter")
        await type_answer(pilot, *"Hana")
        await wait_for_text(pilot, "Hana", translate("page.lobby.waiting_for", name="Ola"))
        await start_match(host, table)
        await wait_until(pilot, lambda: is_game_shown(app))
        await host.send(kind="chat", text="Good luck")
        await wait_for_text(pilot, translate("page.table.says", name="Ola", what="Good luck"))
        await press_keys(pilot, "m")
        await type_answer(pilot, *"thanks")
        while (await host.wait_for("line"))["text"] != "thanks":
            pass
        assert unikat_screen(app).names == ("Ola", translate("play.you"))
        playing = asyncio.create_task(host.play())
        await take_turns(pilot, app)
        await playing
        # A second match at the same table.
        assert host.socket is not None
        await host.disconnect()
        away = translate("page.table.away", name="Ola")
        await wait_until(
            pilot, lambda: away in [line.plain for line, _ in unikat_screen(app).event_log._lines]
        )
        await host.ask("POST", f"/api/tables/{table}/rematch")
        await wait_until(pilot, lambda: isinstance(app.screen, LobbyScreen))
        await wait_for_text(pilot, translate("page.lobby.waiting_for", name="Ola"))
        await start_match(host, table)
        await wait_until(pilot, lambda: is_game_shown(app))
        assert unikat_screen(app).view.round == 1  # type: ignore[union-attr]


def is_on_card(screen: UbongoScreen, piece: int) -> bool:
    """Whether a piece is on the card. Once the last one solves it, nothing is held."""
    return screen.controls.held is None or piece in screen.controls.placed


@server_test
async def test_ubongo_is_solved_on_a_server(live_server: LiveServer) -> None:
    host, table = await host_table(live_server, "ubongo")
    async with join_in_terminal(live_server, table, name="Hana") as (pilot, app):
        await wait_for_text(pilot, translate("page.lobby.sit.any"))
        await press_keys(pilot, "enter")
        await wait_for_text(pilot, "Hana")
        await start_match(host, table)
        await wait_until(pilot, lambda: is_game_shown(app))
        await host.wait_for("update")
        await host.act({"kind": "ready"})
        await wait_until(pilot, lambda: status_line(app) == translate("page.ubongo.coverAll"))
        await press_keys(pilot, "enter")
        screen = ubongo_screen(app)
        await live_server.skip_time_until(lambda: screen.controls.held is not None)
        assert screen.controls.held is not None
        deal = screen.controls.held.deal
        found = solver.first(deal.area, list(deal.pieces.values()))
        assert found is not None
        for piece, cells in zip(deal.pieces, found, strict=True):
            await press_keys(pilot, *piece_keys(screen.controls.held, piece, cells))
            await wait_until(pilot, lambda piece=piece: is_on_card(screen, piece))  # type: ignore[misc]
        await live_server.skip_time_until(lambda: bool(screen.view and screen.view.settled))
        assert screen.view is not None
        assert screen.view.settled == (1,)
        assert screen.view.points[1] > 0


@server_test
async def test_person_without_a_seat_watches(live_server: LiveServer) -> None:
    table, people = await live_server.create_table()
    async with join_in_terminal(live_server, table) as (pilot, app):
        await wait_for_text(pilot, translate("page.lobby.full"))
        await start_match(people[0], table)
        await wait_until(pilot, lambda: is_game_shown(app))
        screen = unikat_screen(app)
        assert screen.seat is None
        assert screen.view is not None
        assert screen.action_bar_items(screen.view) == []
        await wait_for_text(pilot, "person 0 10", "person 1 10")


# ------------------------------------------------------------------------------- a lost connection


@server_test
async def test_action_taken_offline_is_applied_once(live_server: LiveServer) -> None:
    clock = ManualClock()
    async with start_match_in_terminal(live_server, clock) as (pilot, app, ola, table):
        screen = unikat_screen(app)
        cut_connections(live_server, table)
        await wait_for_text(pilot, translate("page.table.lost.saved"))
        # Meanwhile the person plays on, and is told that it isn't saved yet.
        view = screen.view
        assert view is not None
        give = screen.controls.rack[0]
        await press_keys(pilot, *keys_for_action(app, Swap(give, "bag")))
        await wait_for_text(pilot, translate("page.table.lost.unsaved", n=1))
        clock.jump_to_next_wait()
        await wait_until(pilot, lambda: not screen.lost_text)
        await wait_until(pilot, lambda: screen.view is not view and give not in screen.view.hand)  # type: ignore[union-attr]
        events = await ola.ask("GET", f"/api/tables/{table}/matches/1/events")
        kinds = [event["kind"] for event in events["events"]]
        assert kinds.count("tile_swapped") == 1


@server_test
async def test_started_chain_survives_a_lost_connection(live_server: LiveServer) -> None:
    clock = ManualClock()
    async with start_match_in_terminal(live_server, clock) as (pilot, app, _, table):
        screen = unikat_screen(app)
        await press_keys(pilot, "a")
        turn = screen.controls.turn
        assert turn.chosen is not None
        cut_connections(live_server, table)
        await wait_until(pilot, lambda: screen.lost_text)
        clock.jump_to_next_wait()
        await wait_until(pilot, lambda: not screen.lost_text)
        await pilot.pause()
        assert screen.controls.turn == turn


def cut_connections(live_server: LiveServer, table: str) -> None:
    for connection in live_server.room(table).connections:
        connection.close()


@server_test
async def test_deleted_table_is_reported(live_server: LiveServer) -> None:
    _, table = await host_table(live_server)
    admin = live_server.new_person(ADMIN_TOKEN)
    async with join_in_terminal(live_server, table) as (pilot, app):
        await admin.ask("DELETE", f"/api/tables/{table}")
        await wait_until(pilot, lambda: isinstance(app.screen, Dialog))
        await wait_for_text(pilot, translate("page.missing.gone.title"))
        await press_keys(pilot, "enter")
        await wait_until(pilot, lambda: not app.is_running or app._exit)


# --------------------------------------------------------------------------- not at a table at all


@server_test
async def test_link_to_no_table_is_reported(live_server: LiveServer) -> None:
    async with join_in_terminal(live_server, "abcdefghjk") as (pilot, _):
        await wait_for_text(pilot, translate("page.missing.table.title"))


def test_unreachable_server_is_retried() -> None:
    clock = ManualClock()
    session = RemoteSession(TableUrl("http://127.0.0.1:9", "abcdefghjk"), clock, translate)
    app = PlayApp(session, translate)

    async def script() -> None:
        async with app.run_test(size=SCREEN_SIZE) as pilot:
            await wait_for_text(pilot, translate("terminal.offline"))
            before = clock.now()
            await wait_until(pilot, clock.jump_to_next_wait)
            assert clock.now() > before
            await wait_for_text(pilot, translate("terminal.offline"))

    asyncio.run(script())


def test_private_server_is_entered_with_its_passphrase(
    private_live_server: tuple[LiveServer, asyncio.Runner],
) -> None:
    live_server, runner = private_live_server

    async def script() -> None:
        body = {"passphrase": "open sesame", "program": True}
        entered = await send_request("POST", live_server.address, "/api/enter", None, body)
        host = live_server.new_person(entered["token"])
        table = await create_table(host, chairs=2)
        saved: list[str] = []
        session = RemoteSession(
            TableUrl(live_server.address, table), ManualClock(), translate, save_token=saved.append
        )
        app = PlayApp(session, translate)
        async with app.run_test(size=SCREEN_SIZE) as pilot:
            await type_answer(pilot, *"wrong")
            await wait_for_text(pilot, translate("reason.wrong_passphrase"))
            await type_answer(pilot, *"open", "space", *"sesame")
            await wait_until(pilot, lambda: session.table is not None)
            assert saved[-1] == session._requests.token

    runner.run(script())


# ------------------------------------------------------------------------------------------- links


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("https://play.example/t/abcdefghjk", TableUrl("https://play.example", "abcdefghjk")),
        (
            "http://192.168.0.7:8000/t/abcdefghjk/",
            TableUrl("http://192.168.0.7:8000", "abcdefghjk"),
        ),
        (
            "https://play.example/games/t/abcdefghjk#code=a2b3c4",
            TableUrl("https://play.example/games", "abcdefghjk", "a2b3c4"),
        ),
        ("unikat", None),
        ("abcdefghjk", None),
        ("ftp://play.example/t/abcdefghjk", None),
        ("https://play.example/tables", None),
    ],
)
def test_table_links_are_parsed(text: str, link: TableUrl | None) -> None:
    assert parse_table_url(text) == link


def test_socket_url_of_a_link() -> None:
    assert (
        TableUrl("https://play.example/x", "t1").socket_url
        == "wss://play.example/x/api/tables/t1/socket"
    )
