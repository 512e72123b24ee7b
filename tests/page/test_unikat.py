"""Whole matches of Unikat in a real browser."""

import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from pytlik.unikat.messages import TileSwapped
from tests.page.conftest import PHONE, NewPage
from tests.page.page_player import translate
from tests.page.scripted_play import (
    play_until_i_can_plan,
    play_until_my_last_turn,
    play_until_my_turn,
    play_until_others_acted,
    play_until_others_ready,
)
from tests.page.table_setup import NAMES, NO_STAND_INS, TableSetup
from tests.page.unikat_player import (
    KeyPlayer,
    TouchPlayer,
    UnikatPlayer,
    find_fitting_tile,
    find_long_chain,
)

SWAPPED_KIND = TileSwapped.__struct_config__.tag


def expect_round_over(player: UnikatPlayer) -> None:
    """Expect the page to show that the round is over, and what everyone has left."""
    expect(player.button("page.table.again")).to_be_visible()
    steps = player.region("page.unikat.over.how")
    expect(steps.get_by_role("listitem")).to_have_count(2)
    assert player.view["outcome"]
    assert [len(hand) for hand in player.view["hands"]] == player.view["counts"]


def test_match_by_mouse(new_page: NewPage) -> None:
    player = UnikatPlayer(new_page(None, reduced_motion="reduce")).open("/")
    player.play_now("unikat")
    player.play()
    expect_round_over(player)
    # It was the first match in this browser.
    player.press_button("page.table.fair")
    player.expect_text("page.table.fair.first_game", within=player.dialog())
    player.press("Escape")
    # From now on against a weaker bot.
    gentle = translate("page.lobby.level.first-steps")
    player.field("page.table.again.level").select_option(gentle)
    player.button("page.table.again").click()
    player.wait_until(lambda: not player.is_over)
    for _ in range(2):
        player.open_menu("page.table.part.people")
        level = player.field("page.lobby.level_of", name=translate("page.bot.name.first-steps"))
        expect(level).to_have_value(gentle)
        player.page.goto("/")
        player.play_now("unikat")


def test_newcomer_can_lay_at_once_and_reads_why(new_page: NewPage) -> None:
    player = UnikatPlayer(new_page(None, reduced_motion="reduce")).open("/")
    player.play_now("unikat")
    player.wait_for_turn()
    assert player.info["first_game"]
    assert player.view["choices"]["lay"]
    player.expect_text("page.unikat.goal")
    player.expect_text("page.unikat.first_game")
    player.act()
    expect(player.text("page.unikat.first_game")).to_have_count(0)
    # Only in the first match.
    first = player.info["id"]
    player.open("/").play_now("unikat")
    player.wait_until(lambda: player.info["id"] != first)
    assert not player.info["first_game"]


def test_page_shows_what_happened_since_your_last_turn(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    seated = table_setup.create_match("unikat", 3, play_until_others_acted, starter=0)
    swap = next(e for e in reversed(table_setup.events(seated.table)) if e["kind"] == SWAPPED_KIND)
    player = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    player.open_table_as(seated, table_setup.address)
    last = player.region("page.unikat.last")
    turns = last.get_by_role("listitem")
    expect(turns).to_have_count(2)
    gave = translate("page.unikat.told.swapped.bag.name", name=NAMES[2], give="").removesuffix(".")
    expect(turns.first).to_contain_text(gave)
    history = player.by_role_and_name("list", "page.replay.turns").get_by_role("listitem")
    expect(history).to_have_count(4)
    expect(history.first).to_contain_text(gave)
    expect(history.last).to_have_text(translate("page.unikat.told.dealt.you", round=1))
    returned = player.take_button(swap["give"])
    by = translate("page.unikat.display.given", tile="", name=NAMES[2]).rpartition(",")[2]
    expect(returned).to_have_accessible_name(re.compile(f"{by}$"))
    # It's shown until your next action.
    player.act()
    expect(last).to_have_count(0)
    expect(history).to_have_count(5)
    expect(returned).not_to_have_accessible_name(re.compile(f"{by}$"))


def test_turn_can_be_planned_while_others_think(new_page: NewPage, table_setup: TableSetup) -> None:
    """The plan can't be played yet, but it survives a reload."""
    player = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    player.open_table_as(
        table_setup.create_match("unikat", 2, play_until_i_can_plan, absent=[1]),
        table_setup.address,
    )
    player.wait_until(lambda: player.view)
    tile, cell = find_fitting_tile(player.view)
    player.put_chain([(tile, cell)])
    player.press("c")
    lay = player.button("page.unikat.lay", n=1)
    expect(lay).to_have_attribute("aria-disabled", "true")
    player.reload()
    expect(player.cell(cell)).to_have_attribute("data-tile", tile)
    expect(lay).to_have_attribute("aria-disabled", "true")
    assert not player.sent_acts


def test_table_can_agree_to_play_without_aids(new_page: NewPage, table_setup: TableSetup) -> None:
    """Then the page doesn't show where a tile fits, but it can be put there."""
    agreed = replace(NO_STAND_INS, aids=False)
    player = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    seated = table_setup.create_match("unikat", 2, play_until_my_turn(8), agreed=agreed)
    player.open_table_as(seated, table_setup.address)
    player.wait_for_turn()
    [(tile, cell), *_] = find_long_chain(player.view)
    player.show_whole_board()
    player.choose_tile(tile)
    expect(player.tile(tile)).to_have_attribute("aria-pressed", "true")
    expect(player.fitting_cell(cell)).to_have_count(0)
    player.cell(cell).click()
    expect(player.cell(cell)).to_have_attribute("data-tile", tile)
    player.press("t")
    player.expect_text("page.lobby.sum.no_aids", within=player.dialog())


def test_typing_in_the_menu_triggers_no_action(new_page: NewPage, table_setup: TableSetup) -> None:
    """The table's shortcuts are letters, too: one of them lays the tiles."""
    player = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    player.open_table_as(
        table_setup.create_match("unikat", 2, play_until_my_turn(8)), table_setup.address
    )
    player.wait_for_turn()
    [(tile, cell), *_] = find_long_chain(player.view)
    player.put_chain([(tile, cell)])
    player.open_menu("page.table.part.chat")
    field = player.dialog().get_by_role("textbox")
    field.press_sequentially("crnpth-0")
    field.press("Backspace")
    expect(field).to_have_value("crnpth-")
    field.press("Escape")
    expect(player.dialog()).to_have_count(0)
    expect(player.cell(cell)).to_have_attribute("data-tile", tile)
    assert not player.sent_acts


def test_every_page_of_the_menu_takes_the_focus(new_page: NewPage, table_setup: TableSetup) -> None:
    """So keys don't reach the table behind it, and Escape closes it."""
    player = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    player.open_table_as(
        table_setup.create_match("unikat", 2, play_until_my_turn(8)), table_setup.address
    )
    player.wait_for_turn()
    [(tile, cell), *_] = find_long_chain(player.view)
    player.put_chain([(tile, cell)])
    for part in ("people", "chat", "invite", "settings", "seat", "leave"):
        player.open_menu(f"page.table.part.{part}")
        focused = player.dialog().locator(":focus")
        if part == "chat":
            expect(focused).to_have_role("textbox")
        else:
            expect(focused).to_have_text(translate(f"page.table.part.{part}"))
        player.press("c", "Escape")
        expect(player.dialog()).to_have_count(0)
        expect(player.menu_button()).to_be_focused()
        expect(player.cell(cell)).to_have_attribute("data-tile", tile)
    assert not player.sent_acts


def test_chat_beside_the_board_on_a_desktop(new_page: NewPage, table_setup: TableSetup) -> None:
    """Typing there triggers no action, and reading it needs no menu."""
    seated = table_setup.create_match("unikat", 2, play_until_my_turn(8))
    player = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    player.open_table_as(seated, table_setup.address)
    player.wait_for_turn()
    [(tile, cell), *_] = find_long_chain(player.view)
    player.put_chain([(tile, cell)])
    field = player.field("page.table.chat.what", within=player.main())
    expect(field).not_to_be_focused()
    field.press_sequentially("cool")
    field.press("Enter")
    lines = player.by_role_and_name("list", "page.table.part.chat", within=player.main())
    expect(lines.get_by_text("cool")).to_be_visible()
    expect(player.cell(cell)).to_have_attribute("data-tile", tile)
    assert not player.sent_acts


@pytest.mark.slow
def test_rest_of_a_match_by_touch_on_a_phone(new_page: NewPage, table_setup: TableSetup) -> None:
    page = new_page(None, viewport=PHONE, touch=True, reduced_motion="reduce")
    player = TouchPlayer(page)
    player.open_table_as(
        table_setup.create_match("unikat", 2, play_until_my_turn(16), bots="first-steps", starter=0)
    )
    player.play()
    expect_round_over(player)


def test_rounds_of_a_match_by_touch_on_a_phone(new_page: NewPage, table_setup: TableSetup) -> None:
    """From one round to the next, and from the last turn to the end of the match."""
    page = new_page(None, viewport=PHONE, touch=True, reduced_motion="reduce")
    player = TouchPlayer(page)
    player.open_table_as(
        table_setup.create_match("unikat", 2, play_until_others_ready(1), rounds=3)
    )
    player.press_button("page.unikat.ready")
    player.wait_until(lambda: player.view["round"] == 2)
    expect(player.rack_tiles()).to_have_count(len(player.view["hand"]))
    player.expect_text("page.unikat.round", round=2, rounds=3)

    player = TouchPlayer(new_page(None, viewport=PHONE, touch=True, reduced_motion="reduce"))
    player.open_table_as(
        table_setup.create_match("unikat", 2, play_until_my_last_turn(3), rounds=3, starter=0)
    )
    player.wait_for_turn()
    player.act()
    expect_round_over(player)
    assert [len(row["points"]) for row in player.view["sheet"]] == [2] * 3
    sheet = player.by_role_and_name("table", "page.unikat.sheet")
    expect(sheet.get_by_role("row")).to_have_count(1 + 3 + 1)
    totals = [sum(points) for points in zip(*points_by_round(player), strict=True)]
    shown = sheet.get_by_role("row").last.get_by_role("cell").all_inner_texts()
    assert [abs(int(text.replace("−", "-"))) for text in shown] == totals
    assert player.view["outcome"]["points"] == totals


ARE_ALL_TILES_IN_SIGHT_JS = """(grid) => {
  const board = grid.getBoundingClientRect();
  return [...grid.querySelectorAll('[data-tile]')].every((tile) => {
    const { left, top, right, bottom } = tile.getBoundingClientRect();
    const isWithin = left >= board.left && right <= board.right;
    return isWithin && top >= board.top && bottom <= board.bottom;
  });
}"""


def test_result_shows_the_whole_board(new_page: NewPage, table_setup: TableSetup) -> None:
    """Even if only a part of it was in view when the last tiles were laid."""
    player = UnikatPlayer(new_page(None, viewport=PHONE, reduced_motion="reduce"))
    player.open_table_as(
        table_setup.create_match("unikat", 2, play_until_my_last_turn(1), starter=0)
    )
    player.wait_for_turn()
    chain = find_long_chain(player.view)
    player.put_chain(chain)
    for _ in range(4):
        player.button("page.unikat.larger").click()
    board = player.board_element().element_handle()
    assert not player.page.evaluate(ARE_ALL_TILES_IN_SIGHT_JS, board)
    player.press_button("page.unikat.layLast", n=len(chain))
    expect_round_over(player)
    player.page.wait_for_function(ARE_ALL_TILES_IN_SIGHT_JS, arg=board)


def points_by_round(player: UnikatPlayer) -> list[list[int]]:
    return [row["points"] for row in player.view["sheet"]]


@pytest.mark.slow
def test_match_by_keyboard(new_page: NewPage, table_setup: TableSetup) -> None:
    """The start of one match, and another from its middle to its end."""
    player = KeyPlayer(new_page(None, reduced_motion="reduce"))
    player.open("/")
    expect(player.button("page.first.now", within=player.game_card("unikat"))).to_be_visible()
    player.tab_to(translate("page.first.now"), about=translate("page.first.unikat.title"))
    player.press("Enter")
    for _ in range(2):
        player.wait_for_turn()
        player.act()

    player = KeyPlayer(new_page(None, reduced_motion="reduce"))
    player.open_table_as(
        table_setup.create_match("unikat", 2, play_until_my_turn(30), bots="first-steps", starter=0)
    )
    player.play()
    expect_round_over(player)
    # And another match at once.
    player.tab_to(translate("page.table.again"))
    player.press("Enter")
    player.wait_until(lambda: not player.is_over)
