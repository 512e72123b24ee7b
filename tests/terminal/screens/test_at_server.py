"""A terminal player is a full member of a table on a server: they send and see reactions; as
host they seat bots and start matches again; they agree on pauses; and F2 to F6 do what they say."""

from functools import partial

import pytest
from rich.text import Text
from textual.events import Key
from textual.pilot import Pilot

from pytlik.game import Seat
from pytlik.server.app import RESUME_COUNTDOWN_MS
from pytlik.server.table import seats, tables
from pytlik.terminal.screens.agreement_summary import summarize_options_and_agreement
from pytlik.terminal.screens.app import PlayApp
from pytlik.terminal.screens.chat_log import chat_bar_items, open_chat
from pytlik.terminal.screens.lobby import LobbyScreen
from pytlik.terminal.screens.table_notice import has_stand_in_for_you, is_paused, table_notice
from pytlik.terminal.session import ChatLine, Connected, ConnectionLost
from pytlik.terminal.widgets import chat
from pytlik.terminal.widgets.chat import ChatBubbles, ChatDialog
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.ubongo.bots import LEVELS
from pytlik.ubongo.messages import GiveUp
from tests.server.client import Client, create_table
from tests.server.live_server import LiveServer, server_test, start_match
from tests.terminal.screen_pilot import (
    ManualClock,
    click,
    click_item,
    is_game_shown,
    press_keys,
    screen_text,
    status_line,
    translate,
    ubongo_screen,
    unikat_screen,
    wait_for_text,
    wait_until,
)
from tests.terminal.server_tables import (
    host_in_terminal,
    host_table,
    join_in_terminal,
    start_match_in_terminal,
    type_answer,
)


async def seat_person(live_server: LiveServer, table: str, name: str = "Ola") -> Client:
    """Seat and connect somebody else."""
    person = live_server.new_person()
    await person.ask("POST", f"/api/tables/{table}/seats", {"name": name, "share": "x"})
    await person.join(table)
    await person.wait_for("hello")
    return person


async def wait_for_dialog(pilot: Pilot[None], title: str) -> None:
    """Wait until a dialog with this title is open."""
    await wait_until(
        pilot, lambda: isinstance(pilot.app.screen, Dialog) and pilot.app.screen.title_text == title
    )


def chat_keys(app: PlayApp) -> list[str]:
    screen = unikat_screen(app)
    return [item.key for item in chat_bar_items(app, app.table, screen.chat_log)]


def chair_kinds(app: PlayApp) -> list[str]:
    assert app.table is not None
    return [chair.kind for chair in app.table.table.chairs]


def bot_level_at(app: PlayApp, seat: Seat) -> str | None:
    assert app.table is not None
    return app.table.table.chairs[seat].level


# --------------------------------------------------------------------------------------- reactions


@server_test
async def test_reactions_are_sent_by_key_or_click_and_seen_by_everyone(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Bubbles mustn't disappear before they're checked.
    monkeypatch.setattr(chat, "BUBBLE_SECONDS", 600)
    async with start_match_in_terminal(live_server, ManualClock()) as (pilot, app, ola, _):
        await press_keys(pilot, "r")
        await wait_for_dialog(pilot, translate("page.table.react"))
        await press_keys(pilot, "1")
        assert (await ola.wait_for("line"))["reaction"] == "clap"
        await wait_for_text(pilot, translate("page.table.says", name="You", what="Well done!"))
        await click_item(pilot, "#keys", translate("page.table.react"))
        await wait_for_dialog(pilot, translate("page.table.react"))
        await click_item(pilot, "#answers", translate("page.table.reaction.heart"))
        assert (await ola.wait_for("line"))["reaction"] == "heart"
        await ola.send(kind="react", reaction="wow")
        bubbles = unikat_screen(app).query_one(ChatBubbles)
        await wait_until(pilot, lambda: "Ola: Wow!" in bubbles.lines)
        # Chat stays in the log.
        assert "» Ola: Wow!" in [line.plain for line, _ in unikat_screen(app).event_log._lines]


@server_test
async def test_bubbles_disappear_and_earlier_chat_has_none(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "BUBBLE_SECONDS", 0.01)
    table, (ola, _) = await live_server.create_match()
    await ola.send(kind="react", reaction="laugh")
    await ola.wait_for("line")
    async with join_in_terminal(live_server, table) as (pilot, app):
        await wait_until(pilot, lambda: is_game_shown(app) and unikat_screen(app).chat_log.lines)
        bubbles = unikat_screen(app).query_one(ChatBubbles)
        assert bubbles.lines == ()
        await ola.send(kind="react", reaction="wow")
        await wait_until(pilot, lambda: len(unikat_screen(app).chat_log.lines) == 2)
        await wait_until(pilot, lambda: bubbles.lines == () and not bubbles.display)
        # Spectators can't chat.
        assert chat_keys(app) == []


@server_test
async def test_chat_log_can_be_read_and_is_updated_meanwhile(
    live_server: LiveServer,
) -> None:
    ola, table = await host_table(live_server, agreement={"chat": True})
    async with join_in_terminal(live_server, table, name="Hana") as (pilot, app):
        await press_keys(pilot, "enter")
        await wait_for_text(pilot, translate("page.table.chat.what"))
        await press_keys(pilot, "m")
        await wait_for_text(pilot, translate("page.table.chat.nothing"))
        for number in range(6):
            await ola.send(kind="chat", text=f"line {number}")
            await ola.wait_for("line")
        await wait_for_text(pilot, "Ola: line 5", translate("page.table.chat.say"))
        await type_answer(pilot, *"hello")
        await wait_for_text(pilot, "Hana", "» You: hello")
        assert isinstance(app.screen, LobbyScreen)


@server_test
async def test_forgotten_person_loses_their_name_and_chat(live_server: LiveServer) -> None:
    ola, table = await host_table(live_server, agreement={"chat": True})
    async with join_in_terminal(live_server, table, name="Hana") as (pilot, app):
        await press_keys(pilot, "enter")
        await ola.send(kind="chat", text="my secret")
        await wait_for_text(pilot, "Ola: my secret")
        assert isinstance(app.screen, LobbyScreen)
        lobby = app.screen
        await ola.ask("DELETE", "/api/me")
        await wait_until(pilot, lambda: not lobby.chat_log.lines)
        await wait_for_text(pilot, translate("page.pass.player", n=1))
        assert "Ola" not in lobby.names


@server_test
async def test_chat_line_that_arrives_while_the_chat_opens_is_shown(
    live_server: LiveServer,
) -> None:
    _, table = await host_table(live_server, agreement={"chat": True})
    async with join_in_terminal(live_server, table, name="Hana") as (pilot, app):
        await press_keys(pilot, "enter")
        await wait_for_text(pilot, translate("page.table.chat.what"))
        assert isinstance(app.screen, LobbyScreen)
        lobby = app.screen
        open_chat(app, lobby.chat_log.text(lobby.names, translate))
        assert isinstance(app.screen, ChatDialog)
        assert not app.screen.query("#text"), "the dialog can be drawn on already"
        lobby.add_chat_line(ChatLine(0, "just now", None, fresh=True))
        await wait_for_text(pilot, "Ola: just now", translate("page.table.chat.say"))


# ---------------------------------------------------------------------------------------- the host


@server_test
async def test_host_seats_bots_and_starts(live_server: LiveServer) -> None:
    async with host_in_terminal(live_server) as (pilot, app, _):
        await wait_for_text(pilot, "One more player needed", translate("page.lobby.add_bot"))
        await press_keys(pilot, "b")
        await wait_until(pilot, lambda: chair_kinds(app) == ["person", "bot"])
        assert bot_level_at(app, 1) == "medium"
        # The key of a seat changes its bot's level, or removes the bot.
        await press_keys(pilot, "2")
        await wait_for_dialog(pilot, translate("page.bot.name.medium"))
        await wait_for_text(
            pilot,
            translate("page.bot.unikat.medium"),
            *(translate(f"page.lobby.level.{name}") for name in LEVELS),
        )
        await press_keys(pilot, "5")
        await wait_until(pilot, lambda: bot_level_at(app, 1) == "master")
        await press_keys(pilot, "2")
        await wait_for_dialog(pilot, translate("page.bot.name.master"))
        await press_keys(pilot, "6")
        await wait_until(pilot, lambda: chair_kinds(app) == ["person", "free"])
        await press_keys(pilot, "plus")
        await wait_until(pilot, lambda: chair_kinds(app) == ["person", "free", "free"])
        await wait_for_text(pilot, " 3   ○")
        # The same with the mouse.
        await click(pilot, "#chairs", 8, 2)
        await wait_for_dialog(pilot, translate("page.lobby.free"))
        await click_item(pilot, "#answers", translate("page.lobby.level.first-steps"))
        await wait_until(pilot, lambda: bot_level_at(app, 2) == "first-steps")
        await click_item(pilot, "#actions", translate("page.lobby.start_with", n=2))
        await wait_until(pilot, lambda: is_game_shown(app))
        assert chair_kinds(app) == ["person", "bot"]


@server_test
async def test_first_person_seated_starts_if_a_television_hosts(
    live_server: LiveServer,
) -> None:
    television = live_server.new_person()
    table = await create_table(television, "unikat", chairs=2)
    async with join_in_terminal(live_server, table, name="Hana") as (pilot, app):
        await wait_for_text(pilot, translate("page.lobby.sit.any"))
        await press_keys(pilot, "enter")
        await wait_for_text(pilot, "Hana", translate("page.lobby.need_one"))
        assert translate("page.lobby.add_bot") not in screen_text(app), "only the host seats bots"
        await television.ask("PUT", f"/api/tables/{table}/seats/1/bot", {"level": "easy"})
        await wait_for_text(pilot, translate("page.lobby.start"))
        await press_keys(pilot, "enter")
        await wait_until(pilot, lambda: is_in_match(app, 1))
        # Nobody else has to agree to another match, though only the host could open the lobby.
        await live_server.lobby.change(table, tables.finish)
        await wait_for_text(pilot, translate("page.table.again"))
        await press_keys(pilot, "f4")
        await wait_until(pilot, lambda: is_in_match(app, 2))


@server_test
async def test_others_wait_for_the_starter_if_a_television_hosts(
    live_server: LiveServer,
) -> None:
    table = await create_table(live_server.new_person(), "unikat", chairs=2)
    await seat_person(live_server, table)
    async with join_in_terminal(live_server, table, name="Hana") as (pilot, app):
        await press_keys(pilot, "enter")
        await wait_for_text(pilot, "Hana", translate("page.lobby.waiting_for", name="Ola"))
        assert translate("page.lobby.start") not in screen_text(app)


@server_test
async def test_host_mutes_replaces_and_hands_over_the_table(live_server: LiveServer) -> None:
    async with host_in_terminal(live_server, chairs=3) as (pilot, app, table):
        ola, max_ = (
            await seat_person(live_server, table),
            await seat_person(live_server, table, "Max"),
        )

        async def choose(name: str, what: str) -> None:
            await wait_for_text(pilot, name)
            await press_keys(pilot, {"Ola": "2", "Max": "3"}[name])
            await wait_for_dialog(pilot, name)
            await click_item(pilot, "#answers", translate(what))

        await choose("Ola", "page.lobby.mute")
        await wait_for_text(pilot, translate("page.lobby.muted"))
        await ola.send(kind="react", reaction="wow")
        assert (await ola.wait_for("refused"))["reason"] == "muted"
        await choose("Ola", "page.lobby.unmute")
        await wait_until(pilot, lambda: translate("page.lobby.muted") not in screen_text(app))
        await choose("Max", "page.lobby.replace")
        await wait_until(pilot, lambda: chair_kinds(app) == ["person", "person", "bot"])
        await choose("Ola", "page.lobby.make_host")
        await wait_until(pilot, lambda: app.table and not app.table.host)
        await max_.wait_for("table_changed")
        # Only the host can do something about others, but everyone about their own seat.
        await press_keys(pilot, "2")
        await pilot.pause()
        assert isinstance(app.screen, LobbyScreen)
        await press_keys(pilot, "1")
        await wait_for_dialog(pilot, "Hana")
        await press_keys(pilot, "1")
        await type_answer(pilot, *"Anna")
        # The name appears on the screen, not only in the input line.
        await wait_until(pilot, lambda: isinstance(app.screen, LobbyScreen))
        await wait_for_text(pilot, "Anna")
        await press_keys(pilot, "1")
        await wait_for_dialog(pilot, "Anna")
        await press_keys(pilot, "2")
        await wait_until(pilot, lambda: chair_kinds(app) == ["free", "person", "bot"])
        await wait_for_text(pilot, translate("page.lobby.sit.any"))


@server_test
async def test_muted_people_are_offered_no_chat(live_server: LiveServer) -> None:
    async with start_match_in_terminal(live_server, ManualClock()) as (pilot, app, ola, table):
        assert chat_keys(app) == ["r"]
        await ola.ask("PUT", f"/api/tables/{table}/seats/1/muted", {"muted": True})
        await wait_until(pilot, lambda: chat_keys(app) == [])
        await press_keys(pilot, "r")
        await pilot.pause()
        assert not isinstance(app.screen, Dialog)


@pytest.mark.parametrize("by_mouse", [False, True])
@server_test
async def test_host_alone_with_bots_plays_again_at_once(
    live_server: LiveServer, by_mouse: bool
) -> None:
    async with host_in_terminal(live_server) as (pilot, app, table):
        await press_keys(pilot, "b")
        await wait_for_text(pilot, translate("page.lobby.start"))
        await press_keys(pilot, "enter")
        await wait_until(pilot, lambda: is_game_shown(app))
        first = unikat_screen(app)
        # As after the last tile: the result covers the table.
        first.show_match_end_dialog("The end", Text("of the match"))
        await wait_for_dialog(pilot, "The end")
        await live_server.lobby.change(table, tables.finish)
        await wait_for_text(pilot, translate("page.table.again"))
        if by_mouse:
            await click_item(pilot, "#answers", translate("page.table.again"))
        else:
            await press_keys(pilot, "f4")
        await wait_until(pilot, lambda: app.game_screen not in (None, first))
        await wait_until(pilot, lambda: app.table and app.table.table.phase == "playing")
        assert app.table is not None
        assert app.table.table.match == 2
        assert unikat_screen(app).problem == ""


@server_test
async def test_screen_closed_before_its_first_drawing_is_not_drawn(live_server: LiveServer) -> None:
    """Playing again at once closes the result and a lobby that was there for a moment. Textual may
    draw a screen for the first time after its parts are gone."""
    async with host_in_terminal(live_server) as (pilot, app, _):
        lobby, dialog = LobbyScreen(), Dialog("The end", "of the match", [])
        for screen in (lobby, dialog):
            await app.push_screen(screen)
            await app.pop_screen()
            assert not screen.children
        lobby._start_drawing_unless_closed()
        lobby.redraw_if_ready()
        assert not lobby.is_ready_to_draw
        dialog.fit_to_screen()
        dialog.on_key(Key("down", None))
        await pilot.pause()


@server_test
async def test_host_calls_the_others_to_another_match(live_server: LiveServer) -> None:
    async with host_in_terminal(live_server) as (pilot, app, table):
        ola = await seat_person(live_server, table)
        await wait_for_text(pilot, "Ola")
        await press_keys(pilot, "enter")
        await ola.wait_for("update")
        await live_server.lobby.change(table, tables.finish)
        await wait_for_text(pilot, translate("page.table.again.lobby"))
        await press_keys(pilot, "f7")
        await wait_until(pilot, lambda: isinstance(app.screen, LobbyScreen))
        await wait_for_text(pilot, translate("page.lobby.start"), "Ola")


@server_test
async def test_another_match_starts_when_everyone_wants_it(live_server: LiveServer) -> None:
    """Each votes once; either the terminal or the other comes first."""
    async with start_match_in_terminal(live_server, ManualClock()) as (pilot, app, ola, table):
        await live_server.lobby.change(table, tables.finish)
        await wait_for_text(pilot, translate("page.table.again"))
        assert translate("page.table.again.lobby") not in screen_text(app), (
            "only the host goes there"
        )
        await press_keys(pilot, "f4")
        await wait_for_text(pilot, translate("page.table.again.others"))
        await wait_until(pilot, lambda: translate("page.table.again") not in screen_text(app))
        await vote_for_rematch(ola, table, seat=0)
        await wait_until(pilot, lambda: is_in_match(app, 2))
        await live_server.lobby.change(table, tables.finish)
        await wait_for_text(pilot, translate("page.table.again"))
        await vote_for_rematch(ola, table, seat=0)
        await wait_for_text(pilot, translate("page.table.again.ready", names="Ola"))
        await press_keys(pilot, "f4")
        await wait_until(pilot, lambda: app.table and app.table.table.match == 3)
        await ola.ask("PUT", f"/api/tables/{table}/seats/0/share", {"share": "x"})
        await wait_until(pilot, lambda: is_in_match(app, 3))


async def vote_for_rematch(person: Client, table: str, seat: Seat) -> None:
    """Vote for another match and, if that opens the lobby for it, send a share."""
    answer = await person.ask("POST", f"/api/tables/{table}/again")
    if answer["table"]["phase"] == "lobby":
        await person.ask("PUT", f"/api/tables/{table}/seats/{seat}/share", {"share": "x"})


def is_in_match(app: PlayApp, number: int) -> bool:
    table = app.table and app.table.table
    return bool(table and table.match == number and table.phase == "playing" and is_game_shown(app))


# ------------------------------------------------------------------------------------ absent people


@server_test
async def test_countdown_until_a_bot_takes_over_is_shown(
    live_server: LiveServer,
) -> None:
    clock = ManualClock()
    async with start_match_in_terminal(live_server, clock) as (pilot, app, ola, _):
        await ola.close()
        countdown = partial(translate, "page.table.away.countdown", name="Ola")
        await wait_for_text(pilot, countdown(time="2:00"))
        clock.pass_time(65_000)
        await wait_for_text(pilot, countdown(time="0:55"))
        # A lost connection is more important.
        app.handle_news(ConnectionLost(0, table_known=True))
        await wait_for_text(pilot, translate("page.table.lost.saved"))
        app.handle_news(Connected())
        await wait_for_text(pilot, countdown(time="0:55"))


@server_test
async def test_no_countdown_without_stand_ins(live_server: LiveServer) -> None:
    agreement = {"away_seconds": None}
    ola, table = await host_table(live_server, agreement=agreement)
    async with join_in_terminal(live_server, table, name="Hana") as (pilot, app):
        await press_keys(pilot, "enter")
        await wait_until(pilot, lambda: app.table and app.table.yours)
        await start_match(ola, table)
        await wait_until(pilot, lambda: is_game_shown(app))
        await ola.close()
        await wait_for_text(pilot, translate("page.table.away", name="Ola"))
        assert app.table is not None
        assert translate("page.table.away", name="Ola") == table_notice(app.table, translate, 0)


# ----------------------------------------------------------------------------------- F2 and F3, F6


@pytest.mark.parametrize("by_mouse", [False, True])
@server_test
async def test_seat_is_taken_back_from_a_bot(live_server: LiveServer, by_mouse: bool) -> None:
    async with start_match_in_terminal(live_server, ManualClock()) as (pilot, app, _, table):
        await live_server.lobby.change(
            table, lambda old: seats.start_stand_in(old, 1, live_server.now)
        )
        await wait_for_text(
            pilot, translate("page.table.stand_in"), translate("page.table.take_back")
        )
        if by_mouse:
            await click_item(pilot, "#actions", translate("page.table.take_back"))
        else:
            await press_keys(pilot, "f2")
        await wait_until(pilot, lambda: not has_stand_in_for_you(app.table))
        await wait_until(pilot, lambda: translate("page.table.stand_in") not in screen_text(app))


@pytest.mark.parametrize("by_mouse", [False, True])
@server_test
async def test_spectator_takes_a_freed_seat(live_server: LiveServer, by_mouse: bool) -> None:
    table, (_, leaving) = await live_server.create_match()
    async with join_in_terminal(live_server, table) as (pilot, app):
        await wait_for_text(pilot, translate("page.table.watching"))
        await leaving.ask("DELETE", f"/api/tables/{table}/seats/1")
        await wait_for_text(pilot, translate("page.table.free_seat"), translate("page.table.sit"))
        if by_mouse:
            await click_item(pilot, "#actions", translate("page.table.sit"))
        else:
            await press_keys(pilot, "f2")
        await type_answer(pilot, *"Hana")
        await wait_until(pilot, lambda: app.table and app.table.yours == (1,))
        await wait_until(pilot, lambda: len(unikat_screen(app).controls.rack) == 10)


@server_test
async def test_pause_is_agreed_on_and_hides_the_table(live_server: LiveServer) -> None:
    async with start_match_in_terminal(live_server, ManualClock()) as (pilot, app, ola, table):
        screen = unikat_screen(app)
        await wait_for_text(pilot, translate("page.table.pause.ask"))
        await ola.ask("POST", f"/api/tables/{table}/pause", {"wanted": True})
        await wait_for_text(
            pilot,
            translate("page.table.pause.wished", name="Ola"),
            translate("page.table.pause.agree"),
        )
        await click_item(pilot, "#actions", translate("page.table.pause.agree"))
        await wait_until(pilot, lambda: status_line(app) == translate("page.table.paused"))
        await wait_for_text(
            pilot, translate("page.table.paused.what"), translate("page.table.paused.go_on")
        )
        # Meanwhile nobody can look at their tiles or act.
        assert translate("unikat.rack") not in screen_text(app)
        await press_keys(pilot, "a", "l")
        assert screen.controls.turn.chosen is None
        await ola.ask("POST", f"/api/tables/{table}/pause", {"wanted": True})
        await wait_for_text(pilot, translate("page.table.paused.ready", names="Ola"))
        await press_keys(pilot, "f3")
        await wait_until(pilot, lambda: not is_paused(app.table))
        await wait_for_text(pilot, translate("unikat.rack"))


@server_test
async def test_pause_request_can_be_withdrawn(live_server: LiveServer) -> None:
    async with start_match_in_terminal(live_server, ManualClock()) as (pilot, app, _, _table):
        await press_keys(pilot, "f3")
        await wait_for_text(
            pilot, translate("page.table.pause.asked"), translate("page.table.pause.no_longer")
        )
        await press_keys(pilot, "f3")
        await wait_until(pilot, lambda: translate("page.table.pause.asked") not in screen_text(app))


@server_test
async def test_giving_up_a_seat_during_a_match_asks_first(live_server: LiveServer) -> None:
    async with start_match_in_terminal(live_server, ManualClock()) as (pilot, app, _, _table):
        await press_keys(pilot, "f6")
        await wait_for_dialog(pilot, translate("page.lobby.seats"))
        await wait_for_text(pilot, f"Ola  ({translate('page.lobby.here')})")
        await press_keys(pilot, "2")
        await wait_for_dialog(pilot, "Hana")
        await press_keys(pilot, "2")
        await wait_for_text(pilot, translate("page.table.leave.what"))
        assert app.table is not None
        assert app.table.yours == (1,)
        await press_keys(pilot, "1")
        await wait_until(pilot, lambda: app.table and app.table.yours == ())
        await wait_for_text(pilot, translate("page.table.sit"))


@server_test
async def test_resuming_a_puzzle_starts_with_a_countdown(live_server: LiveServer) -> None:
    host, clock = live_server.new_person(), ManualClock()
    table = await create_table(host, "ubongo", chairs=2)
    await host.ask("PUT", f"/api/tables/{table}/seats/1/bot", {"level": "easy"})
    async with join_in_terminal(live_server, table, name="Hana", token=host.token, clock=clock) as (
        pilot,
        app,
    ):
        await press_keys(pilot, "enter")
        await wait_until(pilot, lambda: app.table and app.table.yours)
        await start_match(host, table)
        await wait_until(pilot, lambda: is_game_shown(app))
        await press_keys(pilot, "enter")
        screen = ubongo_screen(app)
        await live_server.skip_time_until(
            lambda: screen.view is not None and screen.view.phase == "solving"
        )
        await wait_until(pilot, lambda: not screen.has_class("-counting"))
        for key in ("page.table.pause.ask", "page.table.paused.go_on"):
            await wait_for_text(pilot, translate(key))
            await press_keys(pilot, "f3")
        await wait_until(pilot, lambda: screen.has_class("-counting"))
        clock.pass_time(RESUME_COUNTDOWN_MS)
        await wait_until(pilot, lambda: not screen.has_class("-counting"))


@server_test
async def test_bots_that_still_solve_can_be_skipped(live_server: LiveServer) -> None:
    async with host_in_terminal(live_server, "ubongo") as (pilot, app, _):
        await press_keys(pilot, "b")
        await wait_for_text(pilot, translate("page.lobby.start"))
        await press_keys(pilot, "enter")
        await wait_until(pilot, lambda: is_game_shown(app))
        await press_keys(pilot, "enter")

        def phase() -> str:
            view = ubongo_screen(app).view
            return "" if view is None else view.phase

        await live_server.skip_time_until(lambda: phase() == "solving")
        await press_keys(pilot, "s")
        assert phase() == "solving", "nobody is done"
        app.act(GiveUp())
        await wait_for_text(pilot, translate("page.ubongo.skip"))
        now = live_server.now
        await press_keys(pilot, "s")
        await wait_until(pilot, lambda: phase() in ("second_chance", "ready"))
        assert live_server.now == now


# ---------------------------------------------------------------------------------------- messages


@server_test
async def test_options_are_shown_before_taking_a_seat(live_server: LiveServer) -> None:
    host = live_server.new_person()
    agreement = {"turn_seconds": 90, "listed": True, "aids": False}
    table = await create_table(
        host, "ubongo", options={"pieces": 4, "seconds": 120}, agreement=agreement
    )
    async with join_in_terminal(live_server, table) as (_, app):
        assert app.table is not None
        assert summarize_options_and_agreement(app.table, translate) == [
            "4 pieces per card",
            "Timer: 2 minutes",
            "9 rounds",
            "Time per turn: 90 seconds",
            "Open to everyone",
            "No chat",
            "No help while playing",
        ]


@server_test
async def test_wrong_code_is_reported_to_a_spectator(live_server: LiveServer) -> None:
    """Before the match, and during it."""
    host, table = await host_table(live_server)
    async with join_in_terminal(live_server, table, code="wrong") as (pilot, app):
        await seat_person(live_server, table, "Hana")
        await wait_until(pilot, lambda: app.table is not None and "free" not in chair_kinds(app))
        assert app.lobby is not None
        assert app.lobby.problem == translate("reason.bad_code")
    await start_match(host, table)
    async with join_in_terminal(live_server, table, code="wrong") as (pilot, app):
        await wait_until(pilot, lambda: app.game_screen is not None)
        assert app.game_screen is not None
        assert app.game_screen.problem == translate("reason.bad_code")


@server_test
async def test_help_lists_the_tables_own_keys(live_server: LiveServer) -> None:
    async with start_match_in_terminal(live_server, ManualClock()) as (pilot, _, _ola, _table):
        await press_keys(pilot, "f1")
        await wait_for_dialog(pilot, translate("terminal.key.help"))
        await press_keys(pilot, "pagedown")
        await wait_for_text(pilot, translate("page.table.react"), translate("page.table.pause.ask"))
