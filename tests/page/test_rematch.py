"""After a match: who has won how often, and another one."""

from typing import Any

from playwright.sync_api import expect

from tests.page.asking import rounds_over
from tests.page.conftest import NewPage
from tests.page.stage import Stage
from tests.page.unikat_player import UnikatPlayer

CALM: Any = {"reduced_motion": "reduce"}


def test_the_games_of_an_evening_are_counted(new_page: NewPage, stage: Stage) -> None:
    """At the end of a match and in the lobby before the next, but not before there is a second."""
    player = UnikatPlayer(new_page(None, **CALM))
    player.comes(stage.match("unikat", 2, rounds_over(1)))
    expect(player.button("page.table.again")).to_be_visible()
    expect(player.named("list", "page.table.tally")).to_have_count(0)

    seated = stage.match("unikat", 2, rounds_over(1), won=(2, 1))
    player.comes(seated)
    players = player.named("list", "page.table.tally").get_by_role("listitem")
    expect(players).to_have_count(2)
    wins = [chair["wins"] for chair in player.info["chairs"]]
    assert sum(wins) == 4, "one more than before"
    expect(players).to_have_text([f"Ola {wins[0]}", f"Maximilian {wins[1]}"])
    player.ask("POST", f"/tables/{seated.table}/rematch")
    expect(player.button("page.lobby.start")).to_be_visible()
    expect(players).to_have_text([f"Ola {wins[0]}", f"Maximilian {wins[1]}"])
