"""After a match: the tally of wins, and a rematch."""

from typing import Any

from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.scripted_play import play_until_rounds_over
from tests.page.table_setup import TableSetup
from tests.page.unikat_player import UnikatPlayer

REDUCED_MOTION: Any = {"reduced_motion": "reduce"}


def test_wins_of_an_evening_are_counted(new_page: NewPage, table_setup: TableSetup) -> None:
    """The tally is shown after a match and in the lobby after it, from the second match on."""
    player = UnikatPlayer(new_page(None, **REDUCED_MOTION))
    player.open_table_as(table_setup.create_match("unikat", 2, play_until_rounds_over(1)))
    expect(player.button("page.table.again")).to_be_visible()
    expect(player.by_role_and_name("list", "page.table.tally")).to_have_count(0)

    seated = table_setup.create_match("unikat", 2, play_until_rounds_over(1), won=(2, 1))
    player.open_table_as(seated)
    players = player.by_role_and_name("list", "page.table.tally").get_by_role("listitem")
    expect(players).to_have_count(2)
    wins = [chair["wins"] for chair in player.info["chairs"]]
    assert sum(wins) == 4, "one more than before"
    expect(players).to_have_text([f"Ola {wins[0]}", f"Maximilian {wins[1]}"])
    player.ask("POST", f"/tables/{seated.table}/rematch")
    expect(player.button("page.lobby.start")).to_be_visible()
    expect(players).to_have_text([f"Ola {wins[0]}", f"Maximilian {wins[1]}"])


def test_rematch_starts_once_everyone_has_tapped(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    seated = table_setup.create_match("unikat", 2, play_until_rounds_over(1))
    host, guest = (UnikatPlayer(new_page(None, **REDUCED_MOTION)) for _ in range(2))
    host.open_table_as(seated)
    expect(host.button("page.table.again")).to_be_visible()
    guest.open_table_as(seated._replace(token=seated.others[0]))
    guest.button("page.table.again").click()
    expect(guest.button("page.table.again")).to_have_attribute("aria-pressed", "true")
    guest.expect_text("page.table.again.waiting", names="Ola")
    host.expect_text("page.table.again.ready", names="Maximilian")
    host.button("page.table.again").click()
    for player in (host, guest):
        player.wait_until(lambda player=player: player.info["phase"] == "playing")  # type: ignore[misc]
        assert player.info["match"] == 2
        expect(player.rack_tiles()).to_have_count(10)
