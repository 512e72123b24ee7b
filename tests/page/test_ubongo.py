"""A whole game of Ubongo in real browsers, nine rounds: by mouse, by touch on a phone, by keys."""

import pytest
from playwright.sync_api import expect

from tests.page.conftest import PHONE, NewPage
from tests.page.ubongo_player import KeySolver, TouchSolver, UbongoPlayer, play_together

OPTIONS = {"pieces": 3, "seconds": 600}


@pytest.mark.every_page
def test_a_whole_game(new_page: NewPage) -> None:
    """The countdowns alone take half a minute: one game for all three."""
    mouse = UbongoPlayer(new_page("/settings", reduced_motion="reduce"))
    finger = TouchSolver(new_page("/settings", viewport=PHONE, touch=True, reduced_motion="reduce"))
    keys = KeySolver(new_page("/settings", reduced_motion="reduce"))
    players = [mouse, finger, keys]
    table = mouse.create_table("ubongo", chairs=3, options=OPTIONS)
    finger.sit_down(table, "Jan")
    keys.sit_down(table, "Eva")
    mouse.start_match(table)
    for player in players[1:]:
        player.page.goto(f"/t/{table}")
    play_together(players)
    for player in players:
        expect(player.page.get_by_role("row")).to_have_count(4)
        assert player.view["outcome"]["winners"] == [0]
    expect(mouse.button("page.table.again")).to_be_visible()
    mouse.sees("page.ubongo.end.you")
    finger.sees("page.ubongo.end.one", name="Ola")
    keys.sees("page.table.again.wait")
