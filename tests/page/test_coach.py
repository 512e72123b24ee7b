"""The coach in the replay, and Unikat's puzzle of the day, in a real browser."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from pytlik.unikat.solo_puzzles import Grade, puzzles
from tests.page.conftest import DESKTOP, PHONE, TIMEOUT_MS, NewPage
from tests.page.page_objects import AppPage
from tests.page.page_player import translate
from tests.page.scripted_play import MY_SEAT, play_until_i_lost, play_until_rounds_over
from tests.page.table_setup import TableSetup
from tests.page.unikat_player import UnikatPlayer


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_coach_leads_to_missed_chances(
    new_page: NewPage, table_setup: TableSetup, viewport: tuple[int, int]
) -> None:
    seated = table_setup.create_match("unikat", 3, play_until_rounds_over(1))
    page = new_page(f"/replay/{seated.table}/1", viewport=viewport, reduced_motion="reduce")
    visitor = AppPage(page, translate)

    def button(key: str) -> None:
        visitor.button(key).click()

    if viewport == PHONE:
        button("page.coach.title")
    button("page.coach.ask")
    coach = visitor.region("page.coach.title")
    heading = coach.get_by_role("heading", name=translate("page.coach.misses"))
    expect(heading).to_be_visible(timeout=4 * TIMEOUT_MS)
    coach.get_by_role("listitem").get_by_role("button").first.click()
    shown = visitor.by_role_and_name("group", "page.coach.shown")
    better = visitor.button("page.coach.shown.better", within=shown)
    expect(better).to_have_attribute("aria-pressed", "true")
    advice = page.request.get(f"/api/tables/{seated.table}/matches/1/coach").json()
    miss = next(turn for turn in advice["turns"] if turn["seq"] == advice["misses"][0])
    worst = max(filter(knows_better_action, miss["decisions"]), key=value_given_away)
    chance = translate("page.coach.better", percent=round(100 * worst["better"]["value"]))
    # Once in words for screen readers, once with pictures of the tiles.
    expect(visitor.replay_footer().get_by_text(chance).last).to_be_visible()

    shorter = next(turn for turn in advice["turns"] if turn["swing"])
    page.goto(f"/replay/{seated.table}/1?at={shorter['seq']}")
    if viewport == PHONE:
        button("page.coach.title")
    button("page.coach.ask")
    expect(heading).to_be_visible(timeout=4 * TIMEOUT_MS)
    if viewport == PHONE:
        page.keyboard.press("Escape")
    visitor.button("page.coach.shown.best", within=shown).click()
    tentative = visitor.main().locator('[role="gridcell"].tentative')
    expect(tentative).to_have_count(sum(map(len, shorter["best"])))
    expect(tentative.get_by_text("1", exact=True)).to_have_count(1)
    visitor.button("page.coach.shown.laid", within=shown).click()
    expect(tentative).to_have_count(0)


def test_loser_reaches_their_deciding_turn_with_one_tap(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    """It's their own worst turn, not somebody else's, and what would have been better is shown."""
    player = UnikatPlayer(new_page(None, viewport=PHONE, touch=True, reduced_motion="reduce"))
    seated = table_setup.create_match("unikat", 2, play_until_i_lost)
    player.open_table_as(seated, table_setup.address)
    player.by_role_and_name("link", "page.coach.decided").click()
    decided = translate("page.coach.decided.better", action="").strip()
    expect(player.replay_footer()).to_contain_text(decided, timeout=4 * TIMEOUT_MS)
    path = f"{table_setup.address}/api/tables/{seated.table}/matches/1"
    turns = player.page.request.get(f"{path}/coach").json()["turns"]
    mine = max(turn["lost"] for turn in turns if turn["seat"] == MY_SEAT)
    worst = next(turn for turn in turns if turn["seat"] == MY_SEAT and turn["lost"] == mine)
    shown = player.button("page.coach.shown.better")
    expect(shown).to_have_attribute("aria-pressed", "true")
    decision = max(filter(knows_better_action, worst["decisions"]), key=value_given_away)
    done, better = (round(100 * decision[each]["value"]) for each in ("done", "better"))
    lost = translate("page.coach.lost", done=done, better=better)
    expect(player.replay_footer().get_by_text(lost)).to_be_visible()


def knows_better_action(decision: dict[str, Any]) -> bool:
    return decision["better"] is not None


def value_given_away(decision: dict[str, Any]) -> float:
    lost: float = decision["better"]["value"] - decision["done"]["value"]
    return lost


def test_daily_puzzle_is_solved_perfectly(new_page: NewPage) -> None:
    page = new_page(None, reduced_motion="reduce")
    player = UnikatPlayer(page)
    with page.expect_response("**/api/daily/unikat?*", timeout=4 * TIMEOUT_MS) as answer:
        page.goto("/daily/unikat")
    # The server's day, which may be over before this test is.
    puzzle = puzzles(f"daily unikat {answer.value.json()['day']}")[Grade.MEDIUM]
    player.by_role_and_name("radio", "page.daily.grade.medium").check()
    player.button("page.daily.unikat.start").click(timeout=4 * TIMEOUT_MS)
    player.expect_text("page.daily.unikat.line")
    for number, chain in enumerate(puzzle.answer):
        if number:
            player.expect_text("page.unikat.status.bonus")
        for at, (tile, x, y) in enumerate(chain):
            player.choose_tile(tile)
            expect(player.fitting_cell((x, y))).to_be_visible(timeout=TIMEOUT_MS)
            player.fitting_cell((x, y)).click()
            if at == 0:  # tiles that were laid or put down survive a reload
                expect(player.cell((x, y))).to_have_attribute("data-tile", tile)
                page.reload()
                player.button("page.daily.goOn").click()
                expect(player.cell((x, y))).to_have_attribute("data-tile", tile)
        # Faster results aren't ranked: no person is that quick.
        expect(page.get_by_role("timer")).not_to_have_text(re.compile(r"^0:0[0-4]$"))
        left = len(puzzle.state.hand) - sum(map(len, puzzle.answer[:number]))
        last = len(chain) == left
        player.press_button("page.unikat.layLast" if last else "page.unikat.lay", n=len(chain))
    player.expect_text("page.daily.unikat.score", n=puzzle.most, most=puzzle.most)
    player.expect_text("page.daily.unikat.perfect")
    name = "Zdeňka"  # nobody else's on this board
    player.field("page.daily.name").fill(name)
    player.button("page.daily.name.add").click()
    board = page.get_by_role("listitem").filter(has_text=name)
    expect(board).to_contain_text(str(puzzle.most))
    # Your own answer can be seen all day.
    page.reload()
    player.expect_text("page.daily.unikat.mine")
    expect(board).to_contain_text(str(puzzle.most))
    # It can be tried again, but that doesn't count.
    player.button("page.daily.again").click()
    player.expect_text("page.daily.unikat.line")
