"""What people do alone: lessons, practice, the puzzle of the day, replays, settings."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from pytlik.i18n import catalogue
from tests.page.conftest import NewPage
from tests.page.page_objects import AppPage, TransientMessages
from tests.page.page_player import Player, translate
from tests.page.scripted_play import play_until_rounds_over
from tests.page.table_setup import NAMES, TableSetup
from tests.page.ubongo_player import UbongoPlayer, solution

REDUCED_MOTION: Any = {"reduced_motion": "reduce"}
HTML_NAME = "<b onclick=x>&lt;i</b>"


@pytest.mark.parametrize(("game", "steps"), [("unikat", 9), ("ubongo", 7)])
def test_lesson_can_be_completed(new_page: NewPage, game: str, steps: int) -> None:
    """By letting it show every step."""
    learner = Player(new_page(f"/learn/{game}", **REDUCED_MOTION))
    show = learner.button("page.lesson.show")
    for step in range(1, steps + 1):
        expect(
            learner.text("page.lesson.step", whole=False, step=step, steps=steps)
        ).to_be_attached()
        on = learner.button("page.lesson.finish" if step == steps else "page.lesson.next")
        expect(show.or_(on)).to_be_visible()
        if show.is_visible():
            show.click()
        on.click()
    expect(learner.by_role_and_name("heading", "page.lesson.done.title")).to_be_visible()
    learner.button("page.lesson.done.play").click()
    learner.page.wait_for_url("**/t/*")


def test_practice(new_page: NewPage) -> None:
    player = Player(new_page("/practice", **REDUCED_MOTION))
    hint = player.button("page.practice.hint")
    solved = player.text("page.practice.withHints", whole=False)
    for _ in range(3):
        hint.click()
    expect(solved).to_be_visible()
    player.button("page.practice.next").click()
    expect(hint).to_be_visible()
    # The lamp stays off until it's asked for: it tells a lot.
    expect(player.text("page.practice.lamp.on")).to_have_count(0)
    player.button("page.practice.chosen.easy", n=3).click()
    player.dialog().get_by_role("switch").first.check()
    player.button("page.practice.play").click()
    player.expect_text("page.practice.lamp.on")
    player.page.reload()
    for _ in range(3):
        hint.click()
    player.expect_text("page.practice.solved", whole=False, n=2)


class DailyPlayer(UbongoPlayer):
    puzzle: Any

    @property
    def deal(self) -> Any:
        return self.puzzle


def test_daily_puzzle(new_page: NewPage) -> None:
    player = DailyPlayer(new_page("/daily/ubongo", may_say="ERR_FAILED", **REDUCED_MOTION))
    page = player.page
    # Not the puzzle that other tests open: this name stays on its board.
    player.by_role_and_name("radio", "page.ubongo.side", n=4).check()
    with page.expect_response("**/daily/ubongo/start") as answer:
        player.button("page.daily.start").click()
        # During the countdown the clock doesn't run yet.
        player.expect_text("page.ubongo.coverAll")
        expect(page.get_by_role("timer")).to_have_count(0)
    daily = answer.value.json()
    player.puzzle = daily["puzzle"]
    first, *others = solution(player.puzzle).items()
    player.place_piece(*first)
    player.expect_on_card(first[0])
    # Pieces on the card survive a reload.
    page.reload()
    player.button("page.daily.goOn").click()
    player.expect_on_card(first[0])
    for number, cells in others[:-1]:
        player.place_piece(number, cells)
    # Faster results aren't ranked: no person is that quick.
    too_quick = re.compile(r"^0:0[0-2]$")
    expect(page.get_by_role("timer")).not_to_have_text(too_quick)
    sent: list[Route] = []

    def hold(route: Route) -> None:
        sent.append(route)

    # While a result is being sent, the page doesn't ask to send it again, and the card stays put.
    page.route("**/daily/ubongo/solve", hold)
    place = player.card().bounding_box()
    player.place_piece(*others[-1])
    player.expect_text("page.ubongo.said.youSolved")
    again = player.button("page.daily.sendAgain")
    expect(again).to_have_count(0)
    assert player.card().bounding_box() == place
    sent.pop().abort()
    page.unroute("**/daily/ubongo/solve")
    again.click()
    result = translate("page.daily.result", time="", place="").partition(",")[0].strip()
    expect(player.main().get_by_text(result)).to_be_visible()
    # A name can be given afterwards.
    add = player.button("page.daily.name.add")
    add.click()
    player.expect_text("reason.bad_name")
    player.field("page.daily.name").fill(HTML_NAME)
    add.click()
    board = page.get_by_role("listitem")
    expect(board.get_by_text(HTML_NAME)).to_be_visible()
    expect(add).to_have_count(0)
    with page.expect_download() as picture:
        player.button("page.daily.picture").click()
    assert picture.value.suggested_filename == f"pytlik-ubongo-{daily['day']}.png"
    # Only once a day.
    page.reload()
    expect(player.main().get_by_text(result)).to_be_visible()
    expect(player.button("page.daily.start")).to_have_count(0)
    page.clock.set_fixed_time(f"{daily['day']}T12:00:00Z")  # it may be tomorrow by now
    page.goto("/")
    player.expect_text("page.first.daily.done", within=player.game_card("ubongo"))
    expect(player.text("page.first.daily.done")).to_have_count(1)


def test_replay(new_page: NewPage, table_setup: TableSetup) -> None:
    """Turn by turn to the end; then it's verified."""
    seated = table_setup.create_match("unikat", 3, play_until_rounds_over(1))
    player = Player(
        new_page(f"/replay/{seated.table}/1", may_say="status of 404 .*/coach", **REDUCED_MOTION)
    )
    turns = [event for event in table_setup.events(seated.table) if event["kind"] == "turn_ended"]
    on = player.button("page.replay.next")
    expect(on).to_be_visible()
    slider = player.field("page.replay.slider")
    moments = [int(slider.input_value())]
    while on.get_attribute("aria-disabled") != "true":
        on.click()
        expect(slider).not_to_have_value(str(moments[-1]))
        moments.append(int(slider.input_value()))
    assert moments == sorted(set(moments))
    assert len(moments) > len(turns) > 1
    player.expect_text("page.replay.over", within=player.replay_footer())
    laid = sum(
        len(event["tiles"])
        for event in table_setup.events(seated.table)
        if event["kind"] == "chain_laid"
    )
    cells = player.main().locator("[role=gridcell][data-tile]")
    expect(cells).to_have_count(laid + 1)
    for name in NAMES[:3]:
        hand = player.main().get_by_role("listitem").get_by_text(name, exact=True)
        expect(hand).to_be_visible()
    player.page.keyboard.press("Home")
    expect(cells).to_have_count(1)
    player.button("page.replay.verify").click()
    player.expect_text("page.table.fair.sound", within=player.dialog())


def test_deleting_my_data(new_page: NewPage) -> None:
    player = Player(new_page("/settings", **REDUCED_MOTION))
    page = player.page
    messages = TransientMessages(page)
    player.field("page.settings.name").fill("Quetzal")
    player.field("page.settings.name").blur()
    page.goto("/")
    player.play_now("unikat")
    page.wait_for_url("**/t/*")
    names = "fetch('/api/mine').then((it) => it.json()).then((it) => it[0].table.chairs[0].name)"
    page.goto("/settings")
    assert page.evaluate(names) == "Quetzal"
    player.button("page.forget").click()
    player.button("page.forget.no", within=player.dialog()).click()
    assert page.evaluate(names) == "Quetzal", "it asks once more first"
    player.button("page.forget").click()
    player.button("page.forget.yes", within=player.dialog()).click()
    messages.wait_for_toast(translate("page.forget.done"))
    expect(player.dialog()).to_have_count(0)
    expect(player.field("page.settings.name")).to_have_value("")
    assert page.evaluate(names) == ""


def test_settings_are_remembered(new_page: NewPage) -> None:
    player = Player(new_page("/settings", **REDUCED_MOTION))
    page = player.page
    player.field("page.settings.name").fill(HTML_NAME)
    player.by_role_and_name("radio", "page.settings.theme.dark").check()
    player.text("page.settings.skin.granna").click()
    player.by_role_and_name("switch", "page.settings.patterns").click()
    player.field("page.settings.language").select_option(label="Deutsch")
    german = AppPage(page, catalogue("de"))
    for _ in range(2):
        expect(page.get_by_role("heading", level=1, name="Einstellungen")).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        expect(page.get_by_role("textbox")).to_have_value(HTML_NAME)
        expect(page.get_by_role("radio", name=re.compile("Granna"))).to_be_checked()
        expect(german.by_role_and_name("switch", "page.settings.patterns")).not_to_be_checked()
        page.reload()
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    now = german.button("page.first.now", within=german.game_card("unikat"))
    expect(now).to_be_visible()
