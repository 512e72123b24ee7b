"""Unikat's table in every state, and what opens over it."""

import re

from playwright.sync_api import Locator, WebSocketRoute, expect

from pytlik.unikat.model import Phase
from tests.page.page_objects import starts_with_pattern
from tests.page.scripted_play import (
    MY_SEAT,
    play_until_my_phase,
    play_until_my_turn,
    play_until_rounds_over,
)
from tests.page.table_setup import CIRCLE_NAME, NAMES, SeatedTable
from tests.page.visit import SCENES, Scene, Visit, register_window_scene


def open_board(visit: Visit, seated: SeatedTable) -> None:
    visit.open_table(seated)
    visit.wait_for("grid", "page.unikat.board")


def rack_tiles(visit: Visit) -> Locator:
    return visit.by_role_and_name("toolbar", "page.unikat.rack").get_by_role("button")


def board_cells(visit: Visit) -> Locator:
    return visit.by_role_and_name("grid", "page.unikat.board").get_by_role("gridcell")


def cells_named(visit: Visit, key: str) -> Locator:
    """Cells whose name starts with a text, wherever they are."""
    return board_cells(visit).and_(
        visit.page.get_by_role(
            "gridcell", name=starts_with_pattern(visit.translate(key, x="", y="").partition(",")[0])
        )
    )


def choose_fitting_tile(visit: Visit) -> None:
    """Choose a tile that fits somewhere."""
    places = cells_named(visit, "page.unikat.cell.fits")
    expect(rack_tiles(visit).first).to_be_visible()
    for tile in rack_tiles(visit).all():
        tile.click()
        if places.count():
            return
    raise AssertionError("nothing fits")


def draft_one_tile(visit: Visit) -> None:
    choose_fitting_tile(visit)
    visit.page.keyboard.press("KeyN")
    visit.page.keyboard.press("Enter")
    visit.wait_for("button", "page.unikat.takeBack")


@register_window_scene
def unikat_first_turn(visit: Visit) -> None:
    """The first turn, with as many tiles as anyone can hold."""
    match = visit.table_setup.create_match
    open_board(
        visit,
        visit.shared_table(
            "one", lambda: match("unikat", 4, play_until_my_turn(1), starter=MY_SEAT)
        ),
    )
    expect(rack_tiles(visit)).to_have_count(10)


@register_window_scene
def unikat_with_bots(visit: Visit) -> None:
    """Against three bots, on my turn."""
    match = visit.table_setup.create_match
    ask = play_until_my_turn(9)
    seated = visit.shared_table("unikat bots", lambda: match("unikat", 4, ask, bots="first-steps"))
    open_board(visit, seated)
    name, level = (
        visit.translate("page.bot.name.first-steps"),
        visit.translate("page.lobby.level.first-steps"),
    )
    players = visit.by_role_and_name("list", "page.unikat.players").get_by_role("listitem")
    expect(players.filter(has_text=f"{name}, {level}")).to_have_count(1)
    expect(players.filter(has_text=f"{name}\u00a03, {level}")).to_have_count(1)


@register_window_scene
def unikat_first_game(visit: Visit) -> None:
    """As somebody who has never played here."""
    visit.open("/")
    visit.page.evaluate("localStorage.removeItem('pytlik.played.unikat')")
    visit.press("page.first.now", within=visit.game_card("unikat"))
    visit.expect_text("page.unikat.first_game")


@register_window_scene
def unikat_first_turn_draft(visit: Visit) -> None:
    unikat_first_turn(visit)
    draft_one_tile(visit)


def table_with_sixty_tiles(visit: Visit) -> SeatedTable:
    return visit.shared_table(
        "sixty", lambda: visit.table_setup.create_match("unikat", 3, play_until_my_turn(60))
    )


@register_window_scene
def unikat_sixty_tiles(visit: Visit) -> None:
    open_board(visit, table_with_sixty_tiles(visit))
    tiles = board_cells(visit).and_(visit.page.locator("[data-tile]"))
    expect(tiles).to_have_count(60)


@register_window_scene
def unikat_sixty_chosen(visit: Visit) -> None:
    unikat_sixty_tiles(visit)
    choose_fitting_tile(visit)


@register_window_scene
def unikat_sixty_draft(visit: Visit) -> None:
    unikat_sixty_tiles(visit)
    draft_one_tile(visit)


@register_window_scene
def unikat_swap(visit: Visit) -> None:
    unikat_first_turn(visit)
    rack_tiles(visit).first.click()
    visit.press("page.unikat.bag", n=37)
    visit.wait_for("button", "page.unikat.swapBag")


@register_window_scene
def unikat_tile_that_clashes(visit: Visit) -> None:
    """A tile on a cell where it doesn't fit."""
    unikat_first_turn(visit)
    free = cells_named(visit, "page.unikat.cell.empty")
    for tile in rack_tiles(visit).all():
        tile.click()
        if free.count():
            break
    free.first.focus()
    visit.page.keyboard.press("Enter")
    clash = starts_with_pattern(visit.translate("page.unikat.status.clash", features=""))
    expect(visit.main().get_by_text(clash)).to_be_visible()


@register_window_scene
def unikat_draw(visit: Visit) -> None:
    open_board(visit, visit.table_setup.create_match("unikat", 3, play_until_my_phase(Phase.DRAW)))
    visit.expect_text("page.unikat.status.draw")


@register_window_scene
def unikat_bonus(visit: Visit) -> None:
    open_board(
        visit,
        visit.table_setup.create_match("unikat", 3, play_until_my_phase(Phase.BONUS), rounds=3),
    )
    visit.wait_for("button", "page.unikat.decline")


@register_window_scene
def unikat_tools(visit: Visit) -> None:
    unikat_sixty_tiles(visit)
    visit.press("page.unikat.tools")
    expect(visit.dialog()).to_be_visible()


@register_window_scene
def unikat_hint(visit: Visit) -> None:
    """After turning hints on, and asking for one."""
    unikat_tools(visit)
    visit.dialog().get_by_role("checkbox", name=visit.translate("page.unikat.aid.hint")).check()
    visit.page.keyboard.press("Escape")
    visit.press("page.unikat.hint")
    visit.page.locator(".target").wait_for()


@register_window_scene
def unikat_menu(visit: Visit) -> None:
    unikat_first_turn(visit)
    visit.press("page.table.menu")
    visit.wait_for("button", "page.table.part.people")


def add_menu_scene(name: str) -> None:
    def show(visit: Visit) -> None:
        unikat_menu(visit)
        visit.press(f"page.table.part.{name}")
        visit.wait_for("button", "page.table.menu.back")

    SCENES.append(Scene(f"unikat-menu-{name}", show, fills_window=True))


for each in ("people", "chat", "invite", "settings", "seat", "leave"):
    add_menu_scene(each)


@register_window_scene
def unikat_paused(visit: Visit) -> None:
    open_board(
        visit, visit.table_setup.create_match("unikat", 3, play_until_my_turn(1), paused=True)
    )
    visit.wait_for("button", "page.table.paused.go_on")


@register_window_scene
def unikat_others_away(visit: Visit) -> None:
    """The others have left, and a bot is about to take over."""
    open_board(
        visit, visit.table_setup.create_match("unikat", 2, play_until_my_turn(1), away=14 * 60_000)
    )
    away, _, _ = visit.translate("page.table.away.countdown", name=NAMES[1], time="").partition(".")
    expect(visit.main().get_by_text(away).last).to_be_visible()


@register_window_scene
def unikat_played_for_you(visit: Visit) -> None:
    """After a bot has played for me."""
    open_board(
        visit, visit.table_setup.create_match("unikat", 2, play_until_my_turn(8), replaced=True)
    )
    visit.wait_for("link", "page.table.played.see")


@register_window_scene
def unikat_as_spectator(visit: Visit) -> None:
    """As somebody who has only the link."""
    match = visit.table_setup.create_match
    seated = visit.shared_table(
        "one", lambda: match("unikat", 4, play_until_my_turn(1), starter=MY_SEAT)
    )
    visit.open(f"/t/{seated.table}")
    visit.expect_text("page.table.watching")


@register_window_scene
def unikat_on_television(visit: Visit) -> None:
    visit.open(f"/screen/{table_with_sixty_tiles(visit).table}")
    visit.wait_for("grid", "page.unikat.board")


@register_window_scene
def unikat_round_end(visit: Visit) -> None:
    open_board(
        visit, visit.table_setup.create_match("unikat", 4, play_until_rounds_over(1), rounds=3)
    )
    visit.wait_for("button", "page.unikat.ready")


def table_after_three_rounds(visit: Visit) -> SeatedTable:
    match = visit.table_setup.create_match
    won = (3, 2, 0, 1)
    return visit.shared_table(
        "over", lambda: match("unikat", 4, play_until_rounds_over(3), rounds=3, won=won)
    )


@register_window_scene
def unikat_match_end(visit: Visit) -> None:
    open_board(visit, table_after_three_rounds(visit))
    visit.wait_for("button", "page.table.again")
    visit.wait_for("list", "page.table.tally")


@register_window_scene
def unikat_on_television_match_end(visit: Visit) -> None:
    visit.open(f"/screen/{table_after_three_rounds(visit).table}")
    visit.wait_for("list", "page.table.tally")


def finished_circle_table(visit: Visit) -> SeatedTable:
    """A table where a circle's match has ended."""

    def lay() -> SeatedTable:
        circle = visit.table_setup.create_circle(0)
        return visit.table_setup.create_match(
            "unikat", 4, play_until_rounds_over(3), rounds=3, circle=circle
        )

    return visit.shared_table("circle over", lay)


@register_window_scene
def unikat_circle_end(visit: Visit) -> None:
    open_board(visit, finished_circle_table(visit))
    expect(visit.main().get_by_role("link", name=CIRCLE_NAME)).to_be_visible()


@register_window_scene
def unikat_on_television_circle_end(visit: Visit) -> None:
    visit.open(f"/screen/{finished_circle_table(visit).table}")
    expect(visit.main().get_by_role("link", name=CIRCLE_NAME)).to_be_visible()


@register_window_scene
def unikat_share(visit: Visit) -> None:
    unikat_match_end(visit)
    visit.press("page.lobby.invite.share")
    expect(visit.dialog().get_by_role("img")).to_be_visible()


@register_window_scene
def unikat_fairness_check(visit: Visit) -> None:
    unikat_match_end(visit)
    visit.press("page.table.fair")
    visit.expect_text("page.table.fair.sound", whole=False)


@register_window_scene
def unikat_replay(visit: Visit) -> None:
    seated = visit.table_setup.create_match("unikat", 3, play_until_rounds_over(1))
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.press("page.replay.last")
    visit.expect_text("page.replay.over", within=visit.replay_footer())


@register_window_scene
def unikat_coach(visit: Visit) -> None:
    seated = visit.table_setup.create_match("unikat", 3, play_until_rounds_over(1))
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.wait_for("button", "page.replay.next")
    # On a desktop the coach is already open; on a phone a button opens it.
    opens = visit.button("page.coach.title")
    if opens.is_visible():
        opens.click()
    visit.press("page.coach.ask")
    coach = visit.region("page.coach.title")
    visit.wait_for("heading", "page.coach.misses", within=coach)
    coach.get_by_role("listitem").get_by_role("button").first.click()
    visit.wait_for("button", "page.coach.shown.better")


@register_window_scene
def unikat_daily(visit: Visit) -> None:
    visit.open("/daily/unikat")
    visit.press("page.daily.unikat.start")
    visit.wait_for("grid", "page.unikat.board")


@register_window_scene
def unikat_connection_lost(visit: Visit) -> None:
    seated = visit.table_setup.create_match("unikat", 3, play_until_my_turn(1))
    lines: list[WebSocketRoute] = []

    def first_only(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) == 1:
            line.connect_to_server()
        else:
            line.close()

    visit.page.route_web_socket(re.compile(seated.table), first_only)
    open_board(visit, seated)
    lines[0].close()
    visit.expect_text("page.table.lost.saved")


@register_window_scene
def unikat_passed_around(visit: Visit) -> None:
    """Two people on one device: the curtain between their turns."""
    visit.open("/")
    visit.press("page.first.pass", within=visit.game_card("unikat"))
    visit.press("page.pass.begin")
    visit.expect_text("page.pass.what", within=visit.page.get_by_role("region"))


@register_window_scene
def unikat_passed_around_round_end(visit: Visit) -> None:
    """Three people on one device, opened again between two rounds."""
    open_board(
        visit,
        visit.table_setup.create_match(
            "unikat", 3, play_until_rounds_over(1), rounds=3, passed=True
        ),
    )
    visit.wait_for("button", "page.unikat.ready")


@register_window_scene
def unikat_lesson(visit: Visit) -> None:
    visit.open("/learn/unikat")
    visit.wait_for("grid", "page.unikat.board")
