"""Reloading the page, or losing the connection, in the middle of a turn or a puzzle.

Every action must happen once: the match's log is checked, not only the page.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from pytlik.ubongo.model import Phase
from tests.page.breakable_connection import BreakableConnection
from tests.page.conftest import NewPage
from tests.page.page_player import Player, translate
from tests.page.scripted_play import play_cards_until, play_until_my_turn
from tests.page.table_setup import SeatedTable, TableSetup
from tests.page.ubongo_player import UbongoPlayer, solution
from tests.page.unikat_player import UnikatPlayer, find_long_chain
from tests.server.server_process import ServerProcess

OFFLINE_OPTIONS: Any = {"reduced_motion": "reduce", "may_say": "WebSocket|ERR_"}


@pytest.fixture
def connection(server: ServerProcess) -> Iterator[BreakableConnection]:
    with BreakableConnection(server.port) as opened:
        yield opened


def table_at_my_turn(table_setup: TableSetup) -> SeatedTable:
    return table_setup.create_match("unikat", 2, play_until_my_turn(8))


def table_while_solving(table_setup: TableSetup) -> SeatedTable:
    solving = play_cards_until(lambda state: state.phase is Phase.SOLVING)
    return table_setup.create_match("ubongo", 2, solving, seconds=600)


def count_events(table_setup: TableSetup, table: str) -> Counter[str]:
    return Counter(event["kind"] for event in table_setup.events(table))


def wait_until_banner_is_gone(player: Player) -> None:
    lost = translate("page.table.lost.saved").partition(".")[0]
    expect(player.main().get_by_text(lost)).to_have_count(0)


def count_sent_acts(player: Player) -> Counter[str]:
    """How often each act was sent, by its id."""
    return Counter(act["id"] for act in player.sent_acts)


def test_turn_whose_answer_is_lost_is_applied_once(
    new_page: NewPage, table_setup: TableSetup, connection: BreakableConnection
) -> None:
    player = UnikatPlayer(new_page(None, **OFFLINE_OPTIONS))
    seated = table_at_my_turn(table_setup)
    player.open_table_as(seated, connection.address)
    player.wait_for_turn()
    steps = find_long_chain(player.view)
    before = count_events(table_setup, seated.table)
    player.put_chain(steps)
    connection.swallow_answers()
    last = len(steps) == len(player.view["hand"])
    player.press_button("page.unikat.layLast" if last else "page.unikat.lay", n=len(steps))
    expect(player.button("page.unikat.sending")).to_be_visible()
    player.wait_until(lambda: count_events(table_setup, seated.table) > before)
    # Also while the connection only seems to be there.
    player.expect_text("page.table.lost.unsaved", n=1)
    connection.cut()
    player.expect_text("page.table.lost.unsaved", n=1)
    connection.repair()
    wait_until_banner_is_gone(player)
    player.wait_until(lambda: player.answered == 1)
    assert list(count_sent_acts(player).values()) == [2]
    for tile, cell in steps:
        expect(player.cell(cell)).to_have_attribute("data-tile", tile)
    assert count_events(table_setup, seated.table)["chain_laid"] == before["chain_laid"] + 1
    assert len(player.view["board"]) == 8 + len(steps)


def test_turn_taken_offline_is_sent_on_reconnect(
    new_page: NewPage, table_setup: TableSetup, connection: BreakableConnection
) -> None:
    player = UnikatPlayer(new_page(None, **OFFLINE_OPTIONS))
    seated = table_at_my_turn(table_setup)
    player.open_table_as(seated, connection.address)
    player.wait_for_turn()
    before = count_events(table_setup, seated.table)
    steps = find_long_chain(player.view)[:1]
    player.put_chain(steps)
    connection.cut()
    player.expect_text("page.table.lost.saved")
    # Tiles that were put down are still there, and can be laid.
    player.press_button("page.unikat.lay", n=1)
    player.expect_text("page.table.lost.unsaved", n=1)
    assert count_events(table_setup, seated.table) == before
    connection.repair()
    wait_until_banner_is_gone(player)
    player.wait_until(lambda: player.answered == 1)
    assert count_events(table_setup, seated.table)["chain_laid"] == before["chain_laid"] + 1


def test_puzzle_continues_on_reconnect(
    new_page: NewPage, table_setup: TableSetup, connection: BreakableConnection
) -> None:
    player = UbongoPlayer(new_page(None, **OFFLINE_OPTIONS))
    seated = table_while_solving(table_setup)
    player.open_table_as(seated, connection.address)
    player.wait_for_card()
    first, second, third = solution(player.deal).items()
    connection.swallow_answers()
    player.place_piece(*first)
    player.wait_until(lambda: count_events(table_setup, seated.table)["piece_placed"])
    connection.cut()
    player.expect_text("page.table.lost.unsaved", n=1)
    player.place_piece(*second)
    player.expect_on_card(second[0])
    player.expect_text("page.table.lost.unsaved", n=2)
    assert count_events(table_setup, seated.table)["piece_placed"] == 1
    connection.repair()
    wait_until_banner_is_gone(player)
    player.wait_until(lambda: player.answered == 2)
    player.expect_on_card(first[0])
    player.place_piece(*third)
    player.wait_until(lambda: not player.is_solving)
    count = count_events(table_setup, seated.table)
    assert (count["piece_placed"], count["card_solved"]) == (3, 1)


def test_page_reports_a_stopped_server_and_reconnects(
    new_page: NewPage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("stopped")
    with ServerProcess(str(folder / "lines.db")) as running, TableSetup(running) as table_setup:
        player = UnikatPlayer(new_page(None, address=running.address, **OFFLINE_OPTIONS))
        player.open_table_as(table_at_my_turn(table_setup))
        player.wait_for_turn()
        hand = player.view["hand"]
        running.stop()
        player.expect_text("page.table.lost.saved")
        running.start()
        wait_until_banner_is_gone(player)
        player.wait_for_turn()
        assert player.view["hand"] == hand


def test_reloading_during_a_turn_and_a_puzzle(new_page: NewPage, table_setup: TableSetup) -> None:
    player = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    seated = table_at_my_turn(table_setup)
    player.open_table_as(seated)
    player.wait_for_turn()
    hand, count = player.view["hand"], count_events(table_setup, seated.table)
    [(tile, cell), *_] = find_long_chain(player.view)
    player.put_chain([(tile, cell)])
    player.reload()
    # Tiles that were put down are still there, and can be taken back.
    expect(player.cell(cell)).to_have_attribute("data-tile", tile)
    player.press_button("page.unikat.takeBack")
    player.wait_for_turn()
    assert player.view["hand"] == hand
    assert player.tiles_in_page() == {*hand, *(stone[2] for stone in player.view["board"])} | set(
        player.view["display"]
    )
    assert count_events(table_setup, seated.table) == count

    solver = UbongoPlayer(new_page(None, reduced_motion="reduce"))
    seated = table_while_solving(table_setup)
    solver.open_table_as(seated)
    solver.wait_for_card()
    first, *rest = solution(solver.deal).items()
    solver.place_piece(*first)
    solver.wait_until(lambda: solver.view["placed"].get("0"))
    solver.reload()
    solver.wait_for_card()
    solver.expect_on_card(first[0])
    for number, cells in rest:
        solver.place_piece(number, cells)
    solver.wait_until(lambda: not solver.is_solving)
    assert count_events(table_setup, seated.table)["piece_placed"] == len(rest) + 1


def test_every_piece_is_shown_before_the_server_confirms_it(
    new_page: NewPage, table_setup: TableSetup, connection: BreakableConnection
) -> None:
    player = UbongoPlayer(new_page(None, **OFFLINE_OPTIONS))
    player.open_table_as(table_while_solving(table_setup), connection.address)
    player.wait_for_card()
    (first, its_cells), (second, other_cells), *_ = solution(player.deal).items()
    player.place_piece(first, its_cells)
    # The view has changed, but pieces must still be shown at once.
    player.wait_until(lambda: player.view["placed"].get(str(player.seat)))
    connection.swallow_answers()
    player.place_piece(second, other_cells)
    for number in (first, second):
        expect(player.card().get_by_text(str(number), exact=True)).to_have_count(1)
