"""Two browsers at one table, by an invitation link; and what they type is only ever text."""

import re

import pytest
from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.playing_table import PATIENCE, say
from tests.page.playing_unikat import UnikatPlayer

pytestmark = pytest.mark.browser

NASTY = "<b onclick=x>&lt;i</b>"
SCRIPT = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"


def test_two_browsers_by_an_invitation_link(new_page: NewPage) -> None:
    host = UnikatPlayer(new_page(None, reduced_motion="reduce")).at("/")
    host.button("page.first.friends").click()
    link = host.page.get_by_label(say("page.lobby.invite.link")).input_value(timeout=PATIENCE)
    guest = UnikatPlayer(new_page(None, reduced_motion="reduce")).at(link)
    guest.page.get_by_label(say("page.lobby.name")).fill(NASTY)
    guest.button("page.lobby.sit.any").click()
    expect(host.page.get_by_text(NASTY, exact=True).first).to_be_visible(timeout=PATIENCE)
    host.button("page.lobby.start_with", n=2).click()
    players = [host, guest]
    for player in players:
        player.until(lambda player=player: player.view)  # type: ignore[misc]
    for _ in range(3):
        mover = players[host.view["to_move"]]
        mover.my_turn()
        mover.act()
        told = [player.view for player in players]
        for player in players:
            player.until(lambda player=player, mover=mover: board(player) == board(mover))  # type: ignore[misc]
            cells = player.page.get_by_role("gridcell").and_(player.page.locator("[data-tile]"))
            expect(cells).to_have_count(len(mover.view["board"]), timeout=PATIENCE)
        assert told[0]["hand"] != told[1]["hand"]
        # Until both know whose turn it is.
        host.until(lambda: host.view["to_move"] == guest.view["to_move"])
    expect(host.page.get_by_text(NASTY).first).to_be_visible()
    nothing_has_run(host)


def test_chat_is_text(new_page: NewPage) -> None:
    host = UnikatPlayer(new_page("/settings", reduced_motion="reduce"))
    guest = UnikatPlayer(new_page("/settings", reduced_motion="reduce"))
    table = host.lays_table("unikat", name=NASTY, agreement={"chat": True})
    guest.sits(table, "Jan")
    host.begins(table)
    guest.at(f"/t/{table}")
    for player in (host, guest):
        player.until(lambda player=player: player.view)  # type: ignore[misc]
        menu = player.page.get_by_role("button", name=re.compile(f"^{say('page.table.menu')}"))
        menu.first.click()
        player.button("page.table.part.chat").click()
    host.page.get_by_label(say("page.table.chat.what")).fill(SCRIPT)
    host.button("page.table.chat.say").click()
    for player in (host, guest):
        lines = player.page.get_by_role("list", name=say("page.table.part.chat"))
        expect(lines.get_by_text(SCRIPT)).to_be_visible(timeout=PATIENCE)
        expect(lines.get_by_text(NASTY)).to_be_visible()
        nothing_has_run(player)


def board(player: UnikatPlayer) -> list[object]:
    found: list[object] = player.view["board"]
    return found


def nothing_has_run(player: UnikatPlayer) -> None:
    assert player.page.title() != "run"
    assert player.page.locator("[onclick], [onerror], img[src=x]").count() == 0
