"""Whole games of Ubongo in a real browser, nine rounds each."""

import pytest
from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.playing_table import PATIENCE, Player
from tests.page.playing_ubongo import KeySolver, UbongoPlayer

# The other one gives up in every round, so that nobody waits for the sand.
OPTIONS = {"pieces": 3, "seconds": 600}


@pytest.mark.slow  # the countdowns alone take half a minute
@pytest.mark.parametrize("how", [UbongoPlayer, KeySolver])
def test_a_whole_game(new_page: NewPage, how: type[UbongoPlayer]) -> None:
    player = how(new_page("/settings", reduced_motion="reduce"))
    other = Player(new_page("/settings"))
    table = player.lays_table("ubongo", options=OPTIONS)
    other.sits(table, "Jan")
    player.begins(table)
    other.gives_up_always(table)
    player.play()
    expect(player.button("page.table.again")).to_be_visible(timeout=PATIENCE)
    player.sees("page.ubongo.end.you")
    assert player.view["outcome"]["winners"] == [0]
    expect(player.page.get_by_role("row")).to_have_count(3)
