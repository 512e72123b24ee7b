"""Seats that pause, are played by a bot or move to another device; and a private server."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from pytlik.protocol.table_agreement import Agreement
from tests.page.conftest import NewPage
from tests.page.page_objects import AppPage, TransientMessages
from tests.page.page_player import translate
from tests.page.scripted_play import play_until_my_turn, stop_at_once
from tests.page.table_setup import NAMES, TableSetup
from tests.page.unikat_player import UnikatPlayer
from tests.server.server_process import ServerProcess

REDUCED_MOTION: Any = {"reduced_motion": "reduce"}
TURN_LIMIT_AGREEMENT = Agreement(away_seconds=None, turn_seconds=600)


def test_pause_and_resume(new_page: NewPage) -> None:
    host, guest = (UnikatPlayer(new_page("/settings", **REDUCED_MOTION)) for _ in range(2))
    table = host.create_table("unikat", options={"starter": 0})
    guest.sit_down(table, "Jan")
    host.start_match(table)
    guest.open(f"/t/{table}")
    host.wait_for_turn()
    host.open_menu("page.table.pause.ask")
    host.expect_text("page.table.pause.asked", whole=False)
    guest.expect_text("page.table.pause.wished", whole=False, name="Ola")
    guest.button("page.table.pause.agree").click()
    for player in (host, guest):
        expect(player.button("page.table.paused.go_on")).to_be_visible()
        # Nothing on the table can be reached.
        grid = player.page.locator("[inert]").get_by_role("grid")
        expect(grid).to_have_count(1)
    host.button("page.table.paused.go_on").click()
    guest.expect_text("page.table.paused.ready", within=guest.pause_curtain(), names="Ola")
    guest.button("page.table.paused.go_on").click()
    host.wait_for_turn()
    host.act()


def test_pause_is_refused(new_page: NewPage) -> None:
    host, guest = (UnikatPlayer(new_page("/settings", **REDUCED_MOTION)) for _ in range(2))
    messages = TransientMessages(host.page)
    table = host.create_table("unikat")
    guest.sit_down(table, "Jan")
    host.start_match(table)
    guest.open(f"/t/{table}")
    host.open_menu("page.table.pause.ask")
    guest.button("page.table.pause.refuse").click()
    messages.wait_for_bubble(translate("page.table.change.refused_pause", name="Jan"))
    messages.wait_for_announcement(translate("page.table.change.refused_pause", name="Jan"))
    expect(host.text("page.table.pause.asked", whole=False)).to_have_count(0)
    expect(guest.button("page.table.pause.refuse")).to_have_count(0)


def test_bot_plays_a_turn_that_takes_too_long(new_page: NewPage, table_setup: TableSetup) -> None:
    player = UnikatPlayer(new_page(None, **REDUCED_MOTION))
    seated = table_setup.create_match(
        "unikat", 2, play_until_my_turn(8), agreed=TURN_LIMIT_AGREEMENT
    )
    player.open_table_as(seated)
    player.wait_for_turn()
    table_setup.let_turn_run_out(seated.table)
    player.expect_text("page.table.stand_in", whole=False)
    player.wait_until(lambda: player.view["to_move"] == 1)
    player.button("page.table.take_back").click()
    expect(player.text("page.table.stand_in", whole=False)).to_have_count(0)
    expect(player.rack_tiles()).to_have_count(len(player.view["hand"]))
    # The page says what the bot played, and links to it.
    player.expect_text("page.table.played.turns", whole=False, n=1)
    player.by_role_and_name("link", "page.table.played.see").click()
    played = translate("page.replay.stand_in", text="").strip()
    expect(player.main().locator("footer").filter(has_text=played)).to_be_visible()


def test_everyone_sees_when_a_bot_will_take_over_an_absent_seat(new_page: NewPage) -> None:
    host, guest = (UnikatPlayer(new_page("/settings", **REDUCED_MOTION)) for _ in range(2))
    agreement = {"away_seconds": 600}
    table = host.create_table("unikat", options={"starter": 1}, agreement=agreement)
    guest.sit_down(table, "Jan")
    host.start_match(table)
    guest.open(f"/t/{table}")
    guest.wait_for_turn()
    host.expect_text("page.unikat.status.thinks", name="Jan")
    guest.page.goto("/settings")
    countdown = re.escape(translate("page.table.away.countdown", name="Jan", time="0:00"))
    shown = re.compile(countdown.replace("0:00", r"(10:00|9:\d\d)"))
    # One is visible and counts down, the other is announced once.
    for each in range(2):
        expect(host.main().get_by_text(shown).nth(each)).to_be_attached()
    host.expect_text("page.unikat.over.waiting", names="Jan")
    guest.page.goto(f"/t/{table}")
    expect(host.main().get_by_text(shown)).to_have_count(0)
    host.expect_text("page.unikat.status.thinks", name="Jan")


def test_expired_countdown_is_not_shown(new_page: NewPage, table_setup: TableSetup) -> None:
    """After downtime, bots take over later than announced."""
    player = UnikatPlayer(new_page(None, **REDUCED_MOTION))
    player.open_table_as(table_setup.create_match("unikat", 2, play_until_my_turn(1), away=-5_000))
    # One is visible, the other is for screen readers.
    expect(player.main().get_by_text(translate("page.table.away", name=NAMES[1]))).to_have_count(2)
    expect(player.main().get_by_text("0:00")).to_have_count(0)


@pytest.mark.parametrize(("game", "pause"), [("unikat", False), ("ubongo", True)])
def test_nothing_for_other_people_is_offered_alone_with_bots(
    new_page: NewPage, table_setup: TableSetup, game: str, pause: bool
) -> None:
    """Sand is an exception: it can be stopped."""
    player = UnikatPlayer(new_page(None, **REDUCED_MOTION))
    ask = play_until_my_turn(2) if game == "unikat" else stop_at_once
    player.open_table_as(table_setup.create_match(game, 2, ask, bots="easy"))
    player.open_menu()
    player.expect_text("page.table.part.settings", within=player.dialog())
    for absent in ("page.table.pause.ask", "page.table.part.invite", "page.table.part.chat"):
        expect(player.button(absent)).to_have_count(0)
    expect(player.button("page.table.reaction.clap")).to_have_count(0)
    expect(player.button("page.table.react")).to_have_count(0)
    expect(player.button("page.table.pause.now")).to_have_count(int(pause))


def test_seat_moves_to_another_device(new_page: NewPage, table_setup: TableSetup) -> None:
    old, new = (UnikatPlayer(new_page(None, **REDUCED_MOTION)) for _ in range(2))
    seated = table_setup.create_match("unikat", 2, play_until_my_turn(8))
    old.open_table_as(seated)
    old.wait_for_turn()
    hand = old.view["hand"]
    with old.page.expect_response("**/code") as answer:
        old.open_menu("page.table.part.seat", "page.lobby.move.make")
    code = answer.value.json()["code"]
    expect(old.dialog().get_by_text(code[:3])).to_be_visible()
    new.open(f"/t/{seated.table}#code={code}")
    new.button("page.lobby.code.take").click()
    new.wait_for_turn()
    assert new.view["hand"] == hand
    assert "#" not in new.page.url
    old.wait_until(lambda: old.seat is None)
    expect(old.rack_tiles()).to_have_count(0)
    new.act()


def test_player_is_removed_only_if_everyone_else_agrees(new_page: NewPage) -> None:
    host, other, unwanted = (
        UnikatPlayer(new_page("/settings", **REDUCED_MOTION)) for _ in range(3)
    )
    table = host.create_table("unikat", chairs=3)
    other.sit_down(table, "Jan")
    unwanted.sit_down(table, "Eva")
    messages = TransientMessages(other.page)
    # Pages open only after this: one still loading when the match starts never uses the lobby's
    # files that it was told to preload, and the browser complains.
    host.start_match(table)
    for player in (other, unwanted):
        player.open(f"/t/{table}")
    other.wait_until(lambda: other.view)
    unwanted.wait_until(lambda: unwanted.view)

    def manage(player: UnikatPlayer) -> None:
        player.open_menu("page.table.part.people")
        seat = player.dialog().get_by_role("listitem").filter(has_text="Eva")
        player.button("page.lobby.powers", within=seat).click()
        player.button("page.lobby.ask_to_leave").click()

    manage(host)
    other.wait_until(lambda: other.info["chairs"][2]["against"] == [0])
    assert unwanted.seat == 2
    manage(other)
    unwanted.wait_until(lambda: unwanted.seat is None)
    expect(unwanted.rack_tiles()).to_have_count(0)
    messages.wait_for_bubble(translate("page.table.change.removed", name="Eva"))


def test_arrivals_and_departures_are_announced(new_page: NewPage) -> None:
    """Before and during a match, visibly and for screen readers."""
    host, guest = (UnikatPlayer(new_page("/settings", **REDUCED_MOTION)) for _ in range(2))
    messages = TransientMessages(host.page)
    table = host.create_table("unikat")
    host.open(f"/t/{table}")
    host.expect_text("page.lobby.need_one")
    guest.sit_down(table, "Jan")
    messages.wait_for_toast(translate("page.table.change.sat_down", name="Jan"))
    messages.wait_for_announcement(translate("page.table.change.sat_down", name="Jan"))
    guest.ask("DELETE", f"/tables/{table}/seats/1")
    messages.wait_for_toast(translate("page.lobby.left", name="Jan"))
    guest.sit_down(table, "Eva")
    host.button("page.lobby.start").click()
    host.wait_until(lambda: host.view)
    expect(host.by_role_and_name("grid", "page.unikat.board")).to_be_visible()
    guest.ask("DELETE", f"/tables/{table}/seats/1")
    messages.wait_for_bubble(translate("page.table.change.left", name="Eva"))
    messages.wait_for_announcement(translate("page.table.change.left", name="Eva"))
    guest.sit_down(table, "Eva")
    messages.wait_for_bubble(translate("page.table.change.sat_down", name="Eva"))


def test_locked_table_admits_nobody_new(new_page: NewPage) -> None:
    host = UnikatPlayer(new_page("/settings", **REDUCED_MOTION))
    guest = UnikatPlayer(new_page("/settings", **REDUCED_MOTION, may_say="status of 403"))
    table = host.create_table("unikat")
    host.open(f"/t/{table}")
    host.button("page.lobby.lock").click()
    host.expect_text("page.lobby.locked")
    guest.open(f"/t/{table}")
    guest.expect_text("page.lobby.locked")
    with pytest.raises(PlaywrightError, match="table_locked"):
        guest.sit_down(table, "Jan")
    host.button("page.lobby.unlock").click()
    expect(host.text("page.lobby.locked")).to_have_count(0)


def test_private_server_asks_for_a_passphrase(new_page: NewPage, tmp_path: Path) -> None:
    word = "a word among friends"
    with ServerProcess(str(tmp_path / "private.db"), passphrase=word) as private:
        page = new_page(None, address=private.address, may_say="status of 40[13]")
        visitor = AppPage(page, translate)
        messages = TransientMessages(page)
        page.goto("/")
        field = visitor.field("page.missing.door.passphrase")
        enter = visitor.button("page.missing.door.enter")
        field.fill("a word among strangers")
        enter.click()
        # A toast for those who see it, an announcement for screen readers.
        messages.wait_for_toast(translate("reason.wrong_passphrase"))
        messages.wait_for_announcement(translate("reason.wrong_passphrase"))
        field.fill(word)
        enter.click()
        play_now = visitor.button("page.first.now", within=visitor.game_card("unikat"))
        expect(play_now).to_be_visible()
        page.reload()
        expect(play_now).to_be_visible()
