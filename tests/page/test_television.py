"""The table on a television: legible from the sofa, and with nothing to tap."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from pytlik.ubongo.model import Phase
from tests.page.conftest import NewPage
from tests.page.scripted_play import play_cards_until, play_until_my_turn, play_until_rounds_over
from tests.page.table_setup import NAMES, SeatedTable, TableSetup
from tests.page.unikat_player import UnikatPlayer

MIN_TEXT_PX = 48
"""The minimum size of text that is read from three metres away."""

TELEVISION_OPTIONS: Any = {"viewport": (1920, 1080), "reduced_motion": "reduce"}

ARE_NAMES_LEGIBLE_JS = """([names, least]) => {
  const largest = (name) =>
    Math.max(...[...document.querySelectorAll('main *')]
      .filter((each) => !each.children.length && each.textContent.trim() === name)
      .filter((each) => each.checkVisibility() && !each.closest('.unseen'))
      .map((each) => parseFloat(getComputedStyle(each).fontSize)));
  return names.every((name) => largest(name) >= least);
}"""

VISIBLE_CONTROLS_JS = """() => [...document.querySelectorAll('button, a[href]')]
  .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((each) => each.getAttribute('aria-disabled') !== 'true')
  .map((each) => each.textContent.trim() || each.getAttribute('aria-label'))"""

TABLES_TO_SHOW: dict[str, Callable[[TableSetup], SeatedTable]] = {
    "unikat": lambda table_setup: table_setup.create_match("unikat", 4, play_until_my_turn(9)),
    "unikat-over": lambda table_setup: table_setup.create_match(
        "unikat", 4, play_until_rounds_over(2), rounds=2
    ),
    "ubongo": lambda table_setup: table_setup.create_match(
        "ubongo", 4, play_cards_until(lambda state: state.phase is Phase.SOLVING), seconds=600
    ),
    "ubongo-round-over": lambda table_setup: table_setup.create_match(
        "ubongo",
        4,
        play_cards_until(lambda state: state.phase is Phase.READY and state.round == 1, gives_up=2),
        seconds=600,
    ),
    "ubongo-over": lambda table_setup: table_setup.create_match(
        "ubongo", 4, play_cards_until(lambda state: bool(state.winners)), seconds=600
    ),
}


@pytest.mark.parametrize("scene", TABLES_TO_SHOW)
def test_names_are_legible_and_nothing_can_be_tapped(
    new_page: NewPage, table_setup: TableSetup, scene: str
) -> None:
    page = new_page(f"/screen/{TABLES_TO_SHOW[scene](table_setup).table}", **TELEVISION_OPTIONS)
    page.wait_for_function(ARE_NAMES_LEGIBLE_JS, arg=[NAMES, MIN_TEXT_PX])
    assert page.evaluate(VISIBLE_CONTROLS_JS) == []


def test_moving_the_mouse_shows_the_menu(new_page: NewPage, table_setup: TableSetup) -> None:
    screen = UnikatPlayer(new_page(None, **TELEVISION_OPTIONS))
    screen.open(f"/screen/{TABLES_TO_SHOW['unikat'](table_setup).table}")
    menu = screen.menu_button(screen.page.locator("body"))
    expect(menu).to_be_attached()
    screen.page.mouse.move(300, 300)
    screen.page.mouse.move(310, 310)
    menu.click()
    expect(screen.dialog()).to_be_visible()


def test_timer_is_large_while_solving(new_page: NewPage, table_setup: TableSetup) -> None:
    screen = UnikatPlayer(new_page(None, **TELEVISION_OPTIONS))
    screen.open(f"/screen/{TABLES_TO_SHOW['ubongo'](table_setup).table}")
    timer = screen.by_role_and_name("timer", "page.ubongo.hourglass")
    expect(timer).to_be_visible()
    height = timer.evaluate("(timer) => parseFloat(getComputedStyle(timer).fontSize)")
    assert height > 3 * MIN_TEXT_PX


def test_invitation_is_shown_only_while_a_seat_is_free(new_page: NewPage) -> None:
    host, leaver = (UnikatPlayer(new_page("/settings")) for _ in range(2))
    screen = UnikatPlayer(new_page(None, **TELEVISION_OPTIONS))
    screen.page.route("**/api/lan", lambda route: route.fulfill(json={"host": "192.168.1.7"}))
    table = host.create_table("unikat")
    screen.open(f"/screen/{table}")
    code = screen.by_role_and_name("img", "page.lobby.qr")
    expect(code).to_be_visible()
    leaver.sit_down(table, "Jan")
    screen.expect_text("page.screen.starter", name="Ola")
    expect(code).to_have_count(0)
    host.start_match(table)
    screen.wait_until(lambda: screen.view)
    leaver.ask("DELETE", f"/tables/{table}/seats/1")
    expect(code).to_be_visible()
    leaver.sit_down(table, "Jan")
    expect(code).to_have_count(0)
