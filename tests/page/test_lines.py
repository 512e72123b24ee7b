"""A page that is loaded again or loses its line, in the middle of a turn and of a puzzle."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.playing_table import PATIENCE, Player, say
from tests.page.playing_ubongo import UbongoPlayer, solution
from tests.page.playing_unikat import UnikatPlayer, chain
from tests.server.running import Running

pytestmark = pytest.mark.browser


def test_a_turn_goes_on_when_the_server_is_back(new_page: NewPage, tmp_path: Path) -> None:
    """What is done without a line is kept, said to be unsaved, and done once."""
    with Running(str(tmp_path / "lines.db")) as running:
        page = new_page(
            "/settings", address=running.address, reduced_motion="reduce", may_say="WebSocket|ERR_"
        )
        player = UnikatPlayer(page)
        table = player.lays_table("unikat", options={"starter": 0})
        player.ask("PUT", f"/tables/{table}/seats/1/bot", {"level": "easy"})
        player.begins(table)
        player.my_turn()
        lying = len(player.view["board"])
        steps = chain(player.view)[:1]
        if steps:
            player.draft(steps)
        running.stop()
        player.sees("page.table.lost.saved")
        if steps:
            player.go("page.unikat.lay", n=1)
        else:
            player.swap(player.view["hand"][-1], player.view["choices"]["take"][-1])
        player.sees("page.table.lost.unsaved", n=1)
        running.start()
        expect(player.page.get_by_text(say("page.table.lost.unsaved", n=1))).to_be_hidden(
            timeout=PATIENCE
        )
        player.until(
            lambda: (
                player.view["to_move"] != 0
                or player.view["phase"] != "action"
                or len(player.view["board"]) > lying
            )
        )
        mine = [placed for placed in player.view["board"] if placed[2] in {t for t, _ in steps}]
        assert len(mine) == len(steps)


def test_reloading_in_a_turn_and_in_a_puzzle(new_page: NewPage) -> None:
    player = UnikatPlayer(new_page("/settings", reduced_motion="reduce"))
    table = player.lays_table("unikat", options={"starter": 0})
    player.ask("PUT", f"/tables/{table}/seats/1/bot", {"level": "easy"})
    player.begins(table)
    player.my_turn()
    hand = player.view["hand"]
    player.choose(hand[0])
    player.page.reload()
    player.my_turn()
    assert player.view["hand"] == hand

    solver = UbongoPlayer(new_page("/settings", reduced_motion="reduce"))
    other = Player(new_page("/settings"))
    table = solver.lays_table("ubongo", options={"pieces": 3, "seconds": 600})
    other.sits(table, "Jan")
    solver.begins(table)
    other.gives_up_always(table)
    solver.ready("page.ubongo.ready")
    solver.until_solving()
    first, *rest = solution(solver.deal).items()
    solver.put(*first)
    solver.lies(first[0])
    solver.until(lambda: solver.view["placed"].get("0"))
    solver.page.reload()
    solver.until_solving()
    solver.lies(first[0])
    for number, cells in rest:
        solver.put(number, cells)
    solver.until(lambda: not solver.solving)
    solver.until(lambda: 0 in solver.view["settled"] or solver.view["solutions"])
