"""The full-screen game at a table on a real server: with somebody else, with a line that is cut,
behind a passphrase, and where there is nothing to play at."""

import asyncio
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from pytlik.chance import from_text
from pytlik.terminal.app import PlayApp
from pytlik.terminal.asking import Link, ask, parse
from pytlik.terminal.dialogs import Dialog
from pytlik.terminal.lobby import LobbyScreen
from pytlik.terminal.there import SeatedThere
from pytlik.terminal.ubongo_screen import UbongoScreen
from pytlik.ubongo import solver
from pytlik.unikat.bots import BOTS, BUDGET
from pytlik.unikat.messages import Swap
from tests.server.client import table_for
from tests.server.house import ADMIN, House, opened, scene, start
from tests.terminal.playing import (
    SIZE,
    Held,
    press,
    reads,
    say,
    shown,
    status,
    ubongo_screen,
    unikat_screen,
    until,
)
from tests.terminal.test_ubongo_screen import keys_for as piece_keys
from tests.terminal.test_unikat_screen import keys_for
from tests.terminal.visiting import (
    answer,
    empty_database,
    first_to_move,
    hosted,
    house,
    may_act,
    same_secrets,
    terminal,
)

__all__ = ["empty_database", "house", "same_secrets"]


@pytest.fixture
def private_house(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[House, asyncio.Runner]]:
    yield from opened(tmp_path, empty_database, passphrase="open sesame")


def has_ended(app: PlayApp) -> bool:
    view = unikat_screen(app).view
    return view is not None and view.outcome is not None


async def take_turns(pilot: Pilot[None], app: PlayApp) -> None:
    """The person at the terminal plays to the end, by keys."""
    for number in count(1):
        await until(pilot, lambda: may_act(app) or has_ended(app))
        view = unikat_screen(app).view
        assert view is not None
        if has_ended(app):
            return
        action = BOTS["longest"](view, from_text("a person").stream(str(number)), BUDGET)
        await press(pilot, *keys_for(app, action))
        await until(pilot, lambda view=view: unikat_screen(app).view is not view)  # type: ignore[misc]


# ------------------------------------------------------------------------------------ two who play


@scene
async def test_a_seat_is_taken_by_name_and_two_play_and_talk(house: House) -> None:
    host, table = await hosted(house, agreement={"chat": True})
    async with terminal(house, table) as (pilot, app):
        # Looking takes nothing: a seat is taken when one says so, and how one is called.
        await reads(pilot, say("page.lobby.free"), say("page.lobby.sit.any"))
        await press(pilot, "enter")
        await answer(pilot, *"Hana")
        await reads(pilot, "Hana", say("page.lobby.waiting"))
        await start(host, table)
        await until(pilot, lambda: shown(app))
        await host.send(kind="chat", text="Good luck")
        await reads(pilot, say("page.table.says", name="Ola", what="Good luck"))
        await press(pilot, "m")
        await answer(pilot, *"thanks")
        while (await host.until("line"))["text"] != "thanks":
            pass
        assert unikat_screen(app).names == ("Ola", say("play.you"))
        playing = asyncio.create_task(host.play())
        await take_turns(pilot, app)
        await playing
        # Once more, at the same table.
        assert host.socket is not None
        await host.socket.close()
        away = say("page.table.away", name="Ola")
        await until(pilot, lambda: away in [line.plain for line, _ in unikat_screen(app).lines])
        await host.ask("POST", f"/api/tables/{table}/rematch")
        await until(pilot, lambda: isinstance(app.screen, LobbyScreen))
        await reads(pilot, say("page.lobby.waiting"))
        await start(host, table)
        await until(pilot, lambda: shown(app))
        assert unikat_screen(app).view.round == 1  # type: ignore[union-attr]


def lies(screen: UbongoScreen, piece: int) -> bool:
    """The last piece solves the card, and then nothing is held any more."""
    return screen.hold is None or piece in screen.placed


@scene
async def test_ubongo_is_solved_on_a_server(house: House) -> None:
    host, table = await hosted(house, "ubongo")
    async with terminal(house, table, name="Hana") as (pilot, app):
        await reads(pilot, say("page.lobby.sit.any"))
        await press(pilot, "enter")
        await reads(pilot, "Hana")
        await start(host, table)
        await until(pilot, lambda: shown(app))
        await host.until("update")
        await host.act({"kind": "ready"})
        await until(pilot, lambda: status(app) == say("page.ubongo.coverAll"))
        await press(pilot, "enter")
        screen = ubongo_screen(app)
        await house.hurry(lambda: screen.hold is not None)
        assert screen.hold is not None
        deal = screen.hold.deal
        found = solver.first(deal.area, list(deal.pieces.values()))
        assert found is not None
        for piece, cells in zip(deal.pieces, found, strict=True):
            await press(pilot, *piece_keys(screen.hold, piece, cells))
            await until(pilot, lambda piece=piece: lies(screen, piece))  # type: ignore[misc]
        await house.hurry(lambda: bool(screen.view and screen.view.settled))
        assert screen.view is not None
        assert screen.view.settled == (1,)
        assert screen.view.points[1] > 0


@scene
async def test_who_finds_no_seat_looks_on(house: House) -> None:
    table, people = await house.table()
    async with terminal(house, table) as (pilot, app):
        await reads(pilot, say("page.lobby.full"))
        await start(people[0], table)
        await until(pilot, lambda: shown(app))
        screen = unikat_screen(app)
        assert screen.seat is None
        assert screen.actions() == []
        await reads(pilot, "person 0 10", "person 1 10")


# ------------------------------------------------------------------------------------ a line is cut


@scene
async def test_what_was_asked_while_the_line_was_cut_is_done_once(house: House) -> None:
    clock = Held()
    async with first_to_move(house, clock) as (pilot, app, ola, table):
        screen = unikat_screen(app)
        cut(house, table)
        await reads(pilot, say("page.table.lost.saved"))
        # Meanwhile the person goes on; it is said that this is not saved yet.
        view = screen.view
        assert view is not None
        give = screen.order()[0]
        await press(pilot, *keys_for(app, Swap(give, "bag")))
        await reads(pilot, say("page.table.lost.unsaved", n=1))
        clock.next()
        await until(pilot, lambda: not screen.lost)
        await until(pilot, lambda: screen.view is not view and give not in screen.view.hand)  # type: ignore[union-attr]
        events = await ola.ask("GET", f"/api/tables/{table}/matches/1/events")
        kinds = [event["kind"] for event in events["events"]]
        assert kinds.count("tile_swapped") == 1


@scene
async def test_a_chain_that_was_begun_survives_a_cut_line(house: House) -> None:
    clock = Held()
    async with first_to_move(house, clock) as (pilot, app, _, table):
        screen = unikat_screen(app)
        await press(pilot, "a")
        turn = screen.turn
        assert turn.chosen is not None
        cut(house, table)
        await until(pilot, lambda: screen.lost)
        clock.next()
        await until(pilot, lambda: not screen.lost)
        await pilot.pause()
        assert screen.turn == turn


def cut(house: House, table: str) -> None:
    for connection in house.room(table).audience:
        connection.close()


@scene
async def test_a_table_that_is_deleted_is_gone_in_words(house: House) -> None:
    _, table = await hosted(house)
    admin = house.person(ADMIN)
    async with terminal(house, table) as (pilot, app):
        await admin.ask("DELETE", f"/api/tables/{table}")
        await until(pilot, lambda: isinstance(app.screen, Dialog))
        await reads(pilot, say("page.missing.gone.title"))
        await press(pilot, "enter")
        await until(pilot, lambda: not app.is_running or app._exit)


# --------------------------------------------------------------------------- not at a table at all


@scene
async def test_a_link_to_no_table_says_so(house: House) -> None:
    async with terminal(house, "abcdefghjk") as (pilot, _):
        await reads(pilot, say("page.missing.table.title"))


def test_a_server_out_of_reach_is_tried_again() -> None:
    clock = Held()
    seated = SeatedThere(Link("http://127.0.0.1:9", "abcdefghjk"), clock, say)
    app = PlayApp(seated, say)

    async def course() -> None:
        async with app.run_test(size=SIZE) as pilot:
            await reads(pilot, say("terminal.offline"))
            before = clock.now()
            await until(pilot, clock.next)
            assert clock.now() > before
            await reads(pilot, say("terminal.offline"))

    asyncio.run(course())


def test_a_private_server_is_entered_with_its_passphrase(
    private_house: tuple[House, asyncio.Runner],
) -> None:
    house, runner = private_house

    async def course() -> None:
        body = {"passphrase": "open sesame", "program": True}
        entered = await ask("POST", house.address, "/api/enter", None, body)
        host = house.person(entered["token"])
        table = await table_for(host, chairs=2)
        kept: list[str] = []
        seated = SeatedThere(Link(house.address, table), Held(), say, keep=kept.append)
        app = PlayApp(seated, say)
        async with app.run_test(size=SIZE) as pilot:
            await answer(pilot, *"wrong")
            await reads(pilot, say("reason.wrong_passphrase"))
            await answer(pilot, *"open", "space", *"sesame")
            await until(pilot, lambda: seated.table is not None)
            assert kept[-1] == seated.token

    runner.run(course())


# ------------------------------------------------------------------------------------------- links


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("https://play.example/t/abcdefghjk", Link("https://play.example", "abcdefghjk")),
        ("http://192.168.0.7:8000/t/abcdefghjk/", Link("http://192.168.0.7:8000", "abcdefghjk")),
        (
            "https://play.example/games/t/abcdefghjk#code=a2b3c4",
            Link("https://play.example/games", "abcdefghjk", "a2b3c4"),
        ),
        ("unikat", None),
        ("abcdefghjk", None),
        ("ftp://play.example/t/abcdefghjk", None),
        ("https://play.example/tables", None),
    ],
)
def test_links_are_those_that_people_send_each_other(text: str, link: Link | None) -> None:
    assert parse(text) == link


def test_the_socket_of_a_link() -> None:
    assert (
        Link("https://play.example/x", "t1").socket == "wss://play.example/x/api/tables/t1/socket"
    )
