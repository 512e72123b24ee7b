"""Ubongo in real browsers: a whole match by mouse, touch and keyboard; how pieces are dragged; and
what the last moments of a match look like."""

import pytest
from playwright.sync_api import Locator, expect

from pytlik.ubongo.model import Phase, State
from tests.page.conftest import PHONE, NewPage
from tests.page.scripted_play import MY_SEAT, play_cards_until
from tests.page.table_setup import NAMES, TableSetup
from tests.page.touch_input import Point
from tests.page.ubongo_player import (
    LIFT_PX,
    KeySolver,
    TouchSolver,
    UbongoPlayer,
    play_whole_match,
    solution,
)
from tests.page.unikat_player import middle_once_still

MATCH_OPTIONS = {"pieces": 3, "seconds": 600}

RECORD_HEADINGS_JS = """(texts) => {
  window.seen = [];
  const look = () => {
    for (const { textContent } of document.querySelectorAll('main strong, main h2')) {
      const text = textContent.trim();
      if (texts.includes(text) && !window.seen.includes(text)) window.seen.push(text);
    }
  };
  const changes = { childList: true, characterData: true, subtree: true };
  new MutationObserver(look).observe(document.body, changes);
}"""
"""Records these headings in the order in which they're shown, however briefly."""


@pytest.mark.every_page
def test_whole_match(new_page: NewPage) -> None:
    """One match for all three kinds of input: the countdowns alone take half a minute."""
    mouse = UbongoPlayer(new_page("/settings", reduced_motion="reduce"))
    finger = TouchSolver(new_page("/settings", viewport=PHONE, touch=True, reduced_motion="reduce"))
    keys = KeySolver(new_page("/settings", reduced_motion="reduce"))
    players = [mouse, finger, keys]
    table = mouse.create_table("ubongo", chairs=3, options=MATCH_OPTIONS)
    finger.sit_down(table, "Jan")
    keys.sit_down(table, "Eva")
    mouse.start_match(table)
    for player in players[1:]:
        player.page.goto(f"/t/{table}")
    play_whole_match(players)
    for player in players:
        expect(player.page.get_by_role("row")).to_have_count(4)
        assert player.view["outcome"]["winners"] == [0]
    expect(mouse.button("page.table.again")).to_be_visible()
    mouse.expect_text("page.ubongo.end.you")
    finger.expect_text("page.ubongo.end.one", name="Ola")
    expect(keys.button("page.table.again")).to_be_visible()


def test_notice_does_not_move_the_card(new_page: NewPage, table_setup: TableSetup) -> None:
    player = TouchSolver(new_page(None, viewport=PHONE, touch=True, reduced_motion="reduce"))
    solving = play_cards_until(lambda state: state.phase is Phase.SOLVING)
    player.open_table_as(table_setup.create_match("ubongo", 2, solving, seconds=600))
    player.wait_for_card()
    place = player.card().bounding_box()
    player.open_menu("page.table.pause.ask")
    player.expect_text("page.table.pause.asked", whole=False)
    assert player.card().bounding_box() == place


def relative_position(piece: Locator, point: Point) -> Point:
    """Where a point is on a drawn piece, as fractions of its width and height."""
    found = piece.locator("svg > g").bounding_box()
    assert found
    x, y = point[0] - found["x"], point[1] - found["y"]
    return x / found["width"], y / found["height"]


@pytest.mark.parametrize("touch", [False, True])
def test_piece_is_held_where_it_was_grabbed(new_page: NewPage, *, touch: bool) -> None:
    player = TouchSolver(
        new_page("/practice", viewport=PHONE, touch=touch, reduced_motion="reduce")
    )
    piece = player.by_role_and_name("group", "page.ubongo.pieces").get_by_role("button").nth(1)
    x, y = middle_once_still(piece)
    start, end = (x - 9, y + 4), (x + 20, y - 150)
    taken = pytest.approx(relative_position(piece, start), abs=0.02)
    dragged = player.page.locator(".air")
    if touch:
        player.finger.touch("touchStart", start)
        player.finger.touch("touchMove", end)
        expect(dragged).to_be_visible()
        assert relative_position(dragged, (end[0], end[1] - LIFT_PX)) == taken
    else:
        player.page.mouse.move(*start)
        player.page.mouse.down()
        player.page.mouse.move(*end)
        expect(dragged).to_be_visible()
        assert relative_position(dragged, end) == taken


def test_second_finger_turns_the_dragged_piece(new_page: NewPage) -> None:
    player = TouchSolver(new_page("/practice", viewport=PHONE, touch=True, reduced_motion="reduce"))
    pieces = player.by_role_and_name("group", "page.ubongo.pieces").get_by_role("button")
    held = middle_once_still(pieces.last)
    player.finger.touch("touchStart", held)
    held = (held[0], held[1] - 40)
    player.finger.touch("touchMove", held)
    path = player.page.locator(".air path").first
    shape = path.get_attribute("d")
    assert shape
    player.finger.tap_with_second_finger(held, (40, 40))
    expect(path).not_to_have_attribute("d", shape)
    player.finger.tap_with_second_finger(
        held, middle_once_still(player.button("page.ubongo.turnLeft"))
    )
    expect(path).to_have_attribute("d", shape)
    player.finger.touch("touchEnd")
    expect(pieces.last).to_have_attribute("aria-pressed", "true")


def test_last_solution_is_shown_before_the_results(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    def last_piece(state: State) -> bool:
        """In the ninth round, the other player is done, and I have one piece left."""
        mine = state.placed.get(MY_SEAT, {})
        return state.round == 9 and len(state.settled) == 1 and len(mine) == 2

    me = KeySolver(new_page(None, reduced_motion="reduce"))
    me.open_table_as(
        table_setup.create_match("ubongo", 2, play_cards_until(last_piece), seconds=600)
    )
    me.wait_for_card()
    moments = [
        "Ubongo!",
        me.translate("page.ubongo.roundOver", round=9, rounds=9),
        me.translate("page.ubongo.end.one", name=NAMES[1]),
    ]
    me.page.evaluate(RECORD_HEADINGS_JS, moments)
    pieces = solution(me.deal)
    left = next(number for number in pieces if str(number) not in me.view["placed"][str(MY_SEAT)])
    me.place_piece(left, pieces[left])
    expect(me.button("page.table.again")).to_be_visible()
    assert me.page.evaluate("seen") == moments


def test_unsolved_card_can_show_its_solution(new_page: NewPage, table_setup: TableSetup) -> None:
    def is_over(state: State) -> bool:
        return state.round == 1 and state.phase is Phase.READY

    me = UbongoPlayer(new_page(None, reduced_motion="reduce"))
    me.open_table_as(
        table_setup.create_match(
            "ubongo", 2, play_cards_until(is_over, gives_up=MY_SEAT), seconds=600
        )
    )
    me.wait_until(lambda: me.view)
    card = me.by_role_and_name(
        "img", "page.ubongo.cardOf", name=NAMES[MY_SEAT], card=me.deal["card"]
    )
    expect(card).to_have_text("")
    show = me.button("page.ubongo.showSolution")
    show.click()
    for piece in me.deal["pieces"]:
        expect(card.get_by_text(piece, exact=True)).to_have_count(1)
    show.click()
    expect(card).to_have_text("")


def test_bots_can_be_skipped_after_giving_up(new_page: NewPage, table_setup: TableSetup) -> None:
    me = UbongoPlayer(new_page(None, reduced_motion="reduce"))
    solving = play_cards_until(lambda state: state.phase is Phase.SOLVING)
    me.open_table_as(
        table_setup.create_match("ubongo", 4, solving, bots="first-steps", seconds=600)
    )
    me.wait_for_card()
    expect(me.button("page.ubongo.skip")).to_have_count(0)
    me.button("page.ubongo.giveUp").click()
    me.button("page.ubongo.giveUp.yes").click()
    me.button("page.ubongo.skip").click()
    expect(me.button("page.ubongo.readyNext")).to_be_visible()
    times = [solved["time"] - me.view["began"] for solved in me.view["solutions"]]
    assert len(times) == 3
    assert min(times) > 5_000, "times are by the sand, not by our clock"


def test_match_resumes_with_a_countdown_after_a_pause(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    me = UbongoPlayer(new_page(None, reduced_motion="reduce"))
    solving = play_cards_until(lambda state: state.phase is Phase.SOLVING)
    me.open_table_as(
        table_setup.create_match("ubongo", 2, solving, bots="easy", seconds=60, paused=True)
    )
    me.button("page.table.paused.go_on").click()
    me.expect_text("page.ubongo.coverAll")
    expect(me.page.get_by_role("timer")).to_have_text("1:00")
    number, cells = next(iter(solution(me.deal).items()))
    expect(me.text("page.ubongo.coverAll")).to_have_count(0)
    me.place_piece(number, cells)
    me.expect_on_card(number)
