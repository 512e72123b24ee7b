"""The table on a television: a stage that is read from the sofa, and that nobody taps."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from pytlik.ubongo.model import Phase
from tests.page.conftest import NewPage
from tests.page.scripted_play import ubongo_until, until_my_turn, until_rounds_over
from tests.page.stage import NAMES, Seated, Stage
from tests.page.unikat_player import UnikatPlayer

FAR_PX = 48
"""What is read from three metres away is at least so large."""

ON_TELEVISION: Any = {"viewport": (1920, 1080), "reduced_motion": "reduce"}

LEGIBLE = """([names, least]) => {
  const largest = (name) =>
    Math.max(...[...document.querySelectorAll('main *')]
      .filter((each) => !each.children.length && each.textContent.trim() === name)
      .filter((each) => each.checkVisibility() && !each.closest('.unseen'))
      .map((each) => parseFloat(getComputedStyle(each).fontSize)));
  return names.every((name) => largest(name) >= least);
}"""

CONTROLS = """() => [...document.querySelectorAll('button, a[href]')]
  .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((each) => each.getAttribute('aria-disabled') !== 'true')
  .map((each) => each.textContent.trim() || each.getAttribute('aria-label'))"""

SCENES: dict[str, Callable[[Stage], Seated]] = {
    "unikat": lambda stage: stage.match("unikat", 4, until_my_turn(9)),
    "unikat-over": lambda stage: stage.match("unikat", 4, until_rounds_over(2), rounds=2),
    "ubongo": lambda stage: stage.match(
        "ubongo", 4, ubongo_until(lambda state: state.phase is Phase.SOLVING), seconds=600
    ),
    "ubongo-round-over": lambda stage: stage.match(
        "ubongo",
        4,
        ubongo_until(lambda state: state.phase is Phase.READY and state.round == 1, gives_up=2),
        seconds=600,
    ),
    "ubongo-over": lambda stage: stage.match(
        "ubongo", 4, ubongo_until(lambda state: bool(state.winners)), seconds=600
    ),
}


@pytest.mark.parametrize("scene", SCENES)
def test_names_are_read_from_the_sofa_and_nothing_is_to_be_tapped(
    new_page: NewPage, stage: Stage, scene: str
) -> None:
    page = new_page(f"/screen/{SCENES[scene](stage).table}", **ON_TELEVISION)
    page.wait_for_function(LEGIBLE, arg=[NAMES, FAR_PX])
    assert page.evaluate(CONTROLS) == []


def test_whoever_moves_the_mouse_finds_the_menu(new_page: NewPage, stage: Stage) -> None:
    screen = UnikatPlayer(new_page(None, **ON_TELEVISION))
    screen.open(f"/screen/{SCENES['unikat'](stage).table}")
    menu = screen.menu_button(screen.page.locator("body"))
    expect(menu).to_be_attached()
    screen.page.mouse.move(300, 300)
    screen.page.mouse.move(310, 310)
    menu.click()
    expect(screen.dialog()).to_be_visible()


def test_the_sand_is_the_largest_thing_in_a_race(new_page: NewPage, stage: Stage) -> None:
    screen = UnikatPlayer(new_page(None, **ON_TELEVISION))
    screen.open(f"/screen/{SCENES['ubongo'](stage).table}")
    timer = screen.named("timer", "page.ubongo.hourglass")
    expect(timer).to_be_visible()
    height = timer.evaluate("(timer) => parseFloat(getComputedStyle(timer).fontSize)")
    assert height > 3 * FAR_PX


def test_how_to_join_is_shown_only_while_a_seat_is_free(new_page: NewPage) -> None:
    host, leaver = (UnikatPlayer(new_page("/settings")) for _ in range(2))
    screen = UnikatPlayer(new_page(None, **ON_TELEVISION))
    screen.page.route("**/api/lan", lambda route: route.fulfill(json={"host": "192.168.1.7"}))
    table = host.create_table("unikat")
    screen.open(f"/screen/{table}")
    code = screen.named("img", "page.lobby.qr")
    expect(code).to_be_visible()
    leaver.sit_down(table, "Jan")
    screen.sees("page.screen.starter", name="Ola")
    expect(code).to_have_count(0)
    host.start_match(table)
    screen.until(lambda: screen.view)
    leaver.ask("DELETE", f"/tables/{table}/seats/1")
    expect(code).to_be_visible()
    leaver.sit_down(table, "Jan")
    expect(code).to_have_count(0)
