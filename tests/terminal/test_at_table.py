"""A terminal player is a full member of a table on a server: they react, and see others react; a
host seats bots, begins and begins again; a pause is agreed on; and F2 to F6 do as they say."""

import pytest
from rich.text import Text
from textual.pilot import Pilot

from pytlik.game import Seat
from pytlik.server import seats, tables
from pytlik.terminal import talk
from pytlik.terminal.app import PlayApp
from pytlik.terminal.dialogs import Dialog
from pytlik.terminal.lobby import LobbyScreen
from pytlik.terminal.seated import Spoken
from pytlik.terminal.summary import summary
from pytlik.terminal.talk import Bubbles, Chat
from pytlik.ubongo.bots import LEVELS
from tests.server.client import Client, table_for
from tests.server.house import House, scene, start
from tests.terminal.playing import (
    Held,
    click,
    click_item,
    press,
    reads,
    say,
    shown,
    status,
    unikat_screen,
    until,
    written,
)
from tests.terminal.visiting import (
    answer,
    empty_database,
    first_to_move,
    hosted,
    hosting,
    house,
    same_secrets,
    terminal,
)

__all__ = ["empty_database", "house", "same_secrets"]


async def sit(house: House, table: str, name: str = "Ola") -> Client:
    """Somebody else, who is connected."""
    person = house.person()
    await person.ask("POST", f"/api/tables/{table}/seats", {"name": name, "share": "x"})
    await person.join(table)
    await person.until("hello")
    return person


async def asked(pilot: Pilot[None], title: str) -> None:
    """Until something is asked under this title."""
    await until(
        pilot, lambda: isinstance(pilot.app.screen, Dialog) and pilot.app.screen.title_text == title
    )


def kinds(app: PlayApp) -> list[str]:
    assert app.table is not None
    return [chair.kind for chair in app.table.table.chairs]


def level(app: PlayApp, seat: Seat) -> str | None:
    assert app.table is not None
    return app.table.table.chairs[seat].level


# --------------------------------------------------------------------------------------- reactions


@scene
async def test_reactions_are_sent_by_key_and_by_click_and_seen_by_all(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "LASTS", 600)  # they must not go before they are looked at
    async with first_to_move(house, Held()) as (pilot, app, ola, _):
        await press(pilot, "r")
        await asked(pilot, say("page.table.react"))
        await press(pilot, "1")
        assert (await ola.until("line"))["reaction"] == "clap"
        await reads(pilot, say("page.table.says", name="You", what="Well done!"))
        await click_item(pilot, "#keys", say("page.table.react"))
        await asked(pilot, say("page.table.react"))
        await click_item(pilot, "#answers", say("page.table.reaction.heart"))
        assert (await ola.until("line"))["reaction"] == "heart"
        await ola.send(kind="react", reaction="wow")
        bubbles = unikat_screen(app).query_one(Bubbles)
        await until(pilot, lambda: "Ola: Wow!" in bubbles.lines)
        # What was said stays in the story.
        assert "» Ola: Wow!" in [line.plain for line, _ in unikat_screen(app).lines]


@scene
async def test_a_bubble_goes_by_itself_and_what_was_said_before_is_none(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "LASTS", 0.01)
    table, (ola, _) = await house.match()
    await ola.send(kind="react", reaction="laugh")
    await ola.until("line")
    async with terminal(house, table) as (pilot, app):
        await until(pilot, lambda: shown(app) and unikat_screen(app).talk)
        bubbles = unikat_screen(app).query_one(Bubbles)
        assert bubbles.lines == ()
        await ola.send(kind="react", reaction="wow")
        await until(pilot, lambda: len(unikat_screen(app).talk) == 2)
        await until(pilot, lambda: bubbles.lines == () and not bubbles.display)
        # Who only looks on has nothing to say.
        assert unikat_screen(app).speaking() == []


@scene
async def test_all_that_was_said_can_be_read_and_more_comes_while_one_reads(house: House) -> None:
    ola, table = await hosted(house, agreement={"chat": True})
    async with terminal(house, table, name="Hana") as (pilot, app):
        await press(pilot, "enter")
        await reads(pilot, say("page.table.chat.what"))
        await press(pilot, "m")
        await reads(pilot, say("page.table.chat.nothing"))
        for number in range(6):
            await ola.send(kind="chat", text=f"line {number}")
            await ola.until("line")
        await reads(pilot, "Ola: line 5", say("page.table.chat.say"))
        await answer(pilot, *"hello")
        await reads(pilot, "Hana", "» You: hello")
        assert isinstance(app.screen, LobbyScreen)


@scene
async def test_who_is_forgotten_has_no_name_and_said_nothing(house: House) -> None:
    ola, table = await hosted(house, agreement={"chat": True})
    async with terminal(house, table, name="Hana") as (pilot, app):
        await press(pilot, "enter")
        await ola.send(kind="chat", text="my secret")
        await reads(pilot, "Ola: my secret")
        assert isinstance(app.screen, LobbyScreen)
        lobby = app.screen
        await ola.ask("DELETE", "/api/me")
        await until(pilot, lambda: not lobby.talk)
        await reads(pilot, say("page.pass.player", n=1))
        assert "Ola" not in lobby.names


@scene
async def test_what_is_said_while_the_chat_is_just_opening_is_read_there(house: House) -> None:
    _, table = await hosted(house, agreement={"chat": True})
    async with terminal(house, table, name="Hana") as (pilot, app):
        await press(pilot, "enter")
        await reads(pilot, say("page.table.chat.what"))
        assert isinstance(app.screen, LobbyScreen)
        lobby = app.screen
        lobby.chat()
        assert isinstance(app.screen, Chat)
        assert not app.screen.query("#text"), "there is something to draw on already"
        lobby.spoken(Spoken(0, "just now", None, fresh=True))
        await reads(pilot, "Ola: just now", say("page.table.chat.say"))


# ---------------------------------------------------------------------------------------- the host


@scene
async def test_a_host_seats_bots_and_begins(house: House) -> None:
    async with hosting(house) as (pilot, app, _):
        await reads(pilot, "One more player is needed", say("page.lobby.add_bot"))
        await press(pilot, "b")
        await until(pilot, lambda: kinds(app) == ["person", "bot"])
        assert level(app, 1) == "medium"
        # The key of a seat changes how strong its bot is, or sends it away.
        await press(pilot, "2")
        await asked(pilot, say("page.lobby.bot"))
        await reads(pilot, *(say(f"page.lobby.level.{name}") for name in LEVELS))
        await press(pilot, "5")
        await until(pilot, lambda: level(app, 1) == "master")
        await press(pilot, "2")
        await asked(pilot, say("page.lobby.bot"))
        await press(pilot, "6")
        await until(pilot, lambda: kinds(app) == ["person", "free"])
        await press(pilot, "plus")
        await until(pilot, lambda: kinds(app) == ["person", "free", "free"])
        await reads(pilot, " 3   ○")
        # The same by the mouse.
        await click(pilot, "#chairs", 8, 2)
        await asked(pilot, say("page.lobby.free"))
        await click_item(pilot, "#answers", say("page.lobby.level.first-steps"))
        await until(pilot, lambda: level(app, 2) == "first-steps")
        await click_item(pilot, "#actions", say("page.lobby.start_with", n=2))
        await until(pilot, lambda: shown(app))
        assert kinds(app) == ["person", "bot"]


@scene
async def test_a_host_mutes_replaces_and_passes_the_table_on(house: House) -> None:
    async with hosting(house, chairs=3) as (pilot, app, table):
        ola, max_ = await sit(house, table), await sit(house, table, "Max")

        async def choose(name: str, what: str) -> None:
            await reads(pilot, name)
            await press(pilot, {"Ola": "2", "Max": "3"}[name])
            await asked(pilot, name)
            await click_item(pilot, "#answers", say(what))

        await choose("Ola", "page.lobby.mute")
        await reads(pilot, say("page.lobby.muted"))
        await ola.send(kind="react", reaction="wow")
        assert (await ola.until("refused"))["reason"] == "muted"
        await choose("Ola", "page.lobby.unmute")
        await until(pilot, lambda: say("page.lobby.muted") not in written(app))
        await choose("Max", "page.lobby.replace")
        await until(pilot, lambda: kinds(app) == ["person", "person", "bot"])
        await choose("Ola", "page.lobby.make_host")
        await until(pilot, lambda: app.table and not app.table.host)
        await max_.until("table_changed")
        # Without that role there is nothing to be done about others, but about one's own seat.
        await press(pilot, "2")
        await pilot.pause()
        assert isinstance(app.screen, LobbyScreen)
        await press(pilot, "1")
        await asked(pilot, "Hana")
        await press(pilot, "1")
        await answer(pilot, *"Anna")
        # And not only in the line where it is typed.
        await until(pilot, lambda: isinstance(app.screen, LobbyScreen))
        await reads(pilot, "Anna")
        await press(pilot, "1")
        await asked(pilot, "Anna")
        await press(pilot, "2")
        await until(pilot, lambda: kinds(app) == ["free", "person", "bot"])
        await reads(pilot, say("page.lobby.sit.any"))


@scene
async def test_muted_people_are_offered_nothing_to_say(house: House) -> None:
    async with first_to_move(house, Held()) as (pilot, app, ola, table):
        assert [item.key for item in unikat_screen(app).speaking()] == ["r"]
        await ola.ask("PUT", f"/api/tables/{table}/seats/1/muted", {"muted": True})
        await until(pilot, lambda: unikat_screen(app).speaking() == [])
        await press(pilot, "r")
        await pilot.pause()
        assert not isinstance(app.screen, Dialog)


@pytest.mark.parametrize("by_mouse", [False, True])
@scene
async def test_a_host_alone_with_bots_plays_again_at_once(house: House, by_mouse: bool) -> None:
    async with hosting(house) as (pilot, app, table):
        await press(pilot, "b")
        await reads(pilot, say("page.lobby.start"))
        await press(pilot, "enter")
        await until(pilot, lambda: shown(app))
        first = unikat_screen(app)
        # As when the last tile was laid: how it has ended lies over the table.
        first.show_ending("The end", Text("of the match"))
        await asked(pilot, "The end")
        await house.lobby.change(table, tables.finish)
        await reads(pilot, say("page.table.again"))
        if by_mouse:
            await click_item(pilot, "#answers", say("page.table.again"))
        else:
            await press(pilot, "f4")
        await until(pilot, lambda: app.game_screen not in (None, first))
        await until(pilot, lambda: app.table and app.table.table.phase == "playing")
        assert app.table is not None
        assert app.table.table.match == 2
        assert unikat_screen(app).trouble == ""


@scene
async def test_a_host_calls_the_others_to_another_match(house: House) -> None:
    async with hosting(house) as (pilot, app, table):
        ola = await sit(house, table)
        await reads(pilot, "Ola")
        await press(pilot, "enter")
        await ola.until("update")
        await house.lobby.change(table, tables.finish)
        await reads(pilot, say("page.table.again"))
        await press(pilot, "f4")
        await until(pilot, lambda: isinstance(app.screen, LobbyScreen))
        await reads(pilot, say("page.lobby.start"), "Ola")


# ----------------------------------------------------------------------------------- F2 and F3, F6


@pytest.mark.parametrize("by_mouse", [False, True])
@scene
async def test_a_seat_is_taken_back_from_a_bot(house: House, by_mouse: bool) -> None:
    async with first_to_move(house, Held()) as (pilot, app, _, table):
        await house.lobby.change(table, lambda old: seats.stand_in(old, 1, house.now))
        await reads(pilot, say("page.table.stand_in"), say("page.table.take_back"))
        if by_mouse:
            await click_item(pilot, "#actions", say("page.table.take_back"))
        else:
            await press(pilot, "f2")
        await until(pilot, lambda: not unikat_screen(app).replaced)
        await until(pilot, lambda: say("page.table.stand_in") not in written(app))


@pytest.mark.parametrize("by_mouse", [False, True])
@scene
async def test_who_looks_on_joins_in_where_a_seat_has_become_free(
    house: House, by_mouse: bool
) -> None:
    table, (_, leaving) = await house.match()
    async with terminal(house, table) as (pilot, app):
        await reads(pilot, say("page.table.watching"))
        await leaving.ask("DELETE", f"/api/tables/{table}/seats/1")
        await reads(pilot, say("page.table.free_seat"), say("page.table.sit"))
        if by_mouse:
            await click_item(pilot, "#actions", say("page.table.sit"))
        else:
            await press(pilot, "f2")
        await answer(pilot, *"Hana")
        await until(pilot, lambda: app.table and app.table.yours == (1,))
        await until(pilot, lambda: len(unikat_screen(app).order()) == 10)


@scene
async def test_a_pause_is_agreed_on_and_draws_a_curtain(house: House) -> None:
    async with first_to_move(house, Held()) as (pilot, app, ola, table):
        screen = unikat_screen(app)
        await reads(pilot, say("page.table.pause.ask"))
        await ola.ask("POST", f"/api/tables/{table}/pause", {"wanted": True})
        await reads(
            pilot, say("page.table.pause.wished", name="Ola"), say("page.table.pause.agree")
        )
        await click_item(pilot, "#actions", say("page.table.pause.agree"))
        await until(pilot, lambda: status(app) == say("page.table.paused"))
        await reads(pilot, say("page.table.paused.what"), say("page.table.paused.go_on"))
        # Nobody looks at their tiles meanwhile, or moves.
        assert say("unikat.rack") not in written(app)
        await press(pilot, "a", "l")
        assert screen.turn.chosen is None
        await ola.ask("POST", f"/api/tables/{table}/pause", {"wanted": True})
        await reads(pilot, say("page.table.paused.ready", names="Ola"))
        await press(pilot, "f3")
        await until(pilot, lambda: not screen.paused)
        await reads(pilot, say("unikat.rack"))


@scene
async def test_a_wish_for_a_pause_can_be_taken_back(house: House) -> None:
    async with first_to_move(house, Held()) as (pilot, app, _, _table):
        await press(pilot, "f3")
        await reads(pilot, say("page.table.pause.asked"), say("page.table.pause.no_longer"))
        await press(pilot, "f3")
        await until(pilot, lambda: say("page.table.pause.asked") not in written(app))


@scene
async def test_a_seat_is_given_up_in_a_match_after_a_question(house: House) -> None:
    async with first_to_move(house, Held()) as (pilot, app, _, _table):
        await press(pilot, "f6")
        await asked(pilot, say("page.lobby.seats"))
        await reads(pilot, f"Ola  ({say('page.lobby.here')})")
        await press(pilot, "2")
        await asked(pilot, "Hana")
        await press(pilot, "2")
        await reads(pilot, say("page.table.leave.what"))
        assert app.table is not None
        assert app.table.yours == (1,)
        await press(pilot, "1")
        await until(pilot, lambda: app.table and app.table.yours == ())
        await reads(pilot, say("page.table.sit"))


# ------------------------------------------------------------------------------------ what is said


@scene
async def test_what_will_be_played_is_said_before_one_sits_down(house: House) -> None:
    host = house.person()
    agreement = {"turn_seconds": 90, "listed": True}
    table = await table_for(
        host, "ubongo", options={"pieces": 4, "seconds": 120}, agreement=agreement
    )
    async with terminal(house, table) as (_, app):
        assert app.table is not None
        assert summary(app.table, say) == [
            "4 pieces a card",
            "Timer: 2 minutes",
            "Time for a turn: 90 seconds",
            "Open to everyone",
            "Without chat",
        ]


@scene
async def test_a_code_that_is_wrong_is_said_where_one_looks_on(house: House) -> None:
    """Before the match, and while one is on."""
    host, table = await hosted(house)
    async with terminal(house, table, code="wrong") as (pilot, app):
        await sit(house, table, "Hana")
        await until(pilot, lambda: app.table is not None and "free" not in kinds(app))
        assert app.lobby is not None
        assert app.lobby.trouble == say("reason.bad_code")
    await start(host, table)
    async with terminal(house, table, code="wrong") as (pilot, app):
        await until(pilot, lambda: app.game_screen is not None)
        assert app.game_screen is not None
        assert app.game_screen.trouble == say("reason.bad_code")


@scene
async def test_help_lists_the_tables_own_keys(house: House) -> None:
    async with first_to_move(house, Held()) as (pilot, _, _ola, _table):
        await press(pilot, "f1")
        await asked(pilot, say("terminal.key.help"))
        await press(pilot, "pagedown")
        await reads(pilot, say("page.table.react"), say("page.table.pause.ask"))
