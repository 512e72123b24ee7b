"""Unikat's table in every state, and what lies over it."""

import re

from playwright.sync_api import Locator, WebSocketRoute, expect

from pytlik.unikat.model import Phase
from tests.page.page_objects import starts_with
from tests.page.scripted_play import ME, until_my_phase, until_my_turn, until_rounds_over
from tests.page.stage import CIRCLE, NAMES, Seated
from tests.page.visit import SCENES, Scene, Visit, still


def unikat(visit: Visit, seated: Seated) -> None:
    visit.open_table(seated)
    visit.wait_for("grid", "page.unikat.board")


def rack(visit: Visit) -> Locator:
    return visit.named("toolbar", "page.unikat.rack").get_by_role("button")


def cells(visit: Visit) -> Locator:
    return visit.named("grid", "page.unikat.board").get_by_role("gridcell")


def cells_named(visit: Visit, key: str) -> Locator:
    """Those whose name begins with a text that goes on with where they are."""
    return cells(visit).and_(
        visit.page.get_by_role(
            "gridcell", name=starts_with(visit.translate(key, x="", y="").partition(",")[0])
        )
    )


def choose(visit: Visit) -> None:
    """A tile that fits somewhere."""
    places = cells_named(visit, "page.unikat.cell.fits")
    expect(rack(visit).first).to_be_visible()
    for tile in rack(visit).all():
        tile.click()
        if places.count():
            return
    raise AssertionError("nothing fits")


def draft(visit: Visit) -> None:
    choose(visit)
    visit.page.keyboard.press("KeyN")
    visit.page.keyboard.press("Enter")
    visit.wait_for("button", "page.unikat.takeBack")


@still
def unikat_one(visit: Visit) -> None:
    """The first turn, with all that one can hold."""
    match = visit.stage.match
    unikat(
        visit, visit.shared_table("one", lambda: match("unikat", 4, until_my_turn(1), starter=ME))
    )
    expect(rack(visit)).to_have_count(10)


@still
def unikat_bots(visit: Visit) -> None:
    """Against three bots, at my turn."""
    match = visit.stage.match
    ask = until_my_turn(9)
    seated = visit.shared_table("unikat bots", lambda: match("unikat", 4, ask, bots="first-steps"))
    unikat(visit, seated)
    name, level = (
        visit.translate("page.bot.name.first-steps"),
        visit.translate("page.lobby.level.first-steps"),
    )
    players = visit.named("list", "page.unikat.players").get_by_role("listitem")
    expect(players.filter(has_text=f"{name}, {level}")).to_have_count(1)
    expect(players.filter(has_text=f"{name}\u00a03, {level}")).to_have_count(1)


@still
def unikat_first_game(visit: Visit) -> None:
    """As somebody sees it who has never played here."""
    visit.open("/")
    visit.page.evaluate("localStorage.removeItem('pytlik.played.unikat')")
    visit.press("page.first.now", within=visit.game_card("unikat"))
    visit.sees("page.unikat.first_game")


@still
def unikat_one_draft(visit: Visit) -> None:
    unikat_one(visit)
    draft(visit)


def sixty(visit: Visit) -> Seated:
    return visit.shared_table("sixty", lambda: visit.stage.match("unikat", 3, until_my_turn(60)))


@still
def unikat_sixty(visit: Visit) -> None:
    unikat(visit, sixty(visit))
    tiles = cells(visit).and_(visit.page.locator("[data-tile]"))
    expect(tiles).to_have_count(60)


@still
def unikat_sixty_chosen(visit: Visit) -> None:
    unikat_sixty(visit)
    choose(visit)


@still
def unikat_sixty_draft(visit: Visit) -> None:
    unikat_sixty(visit)
    draft(visit)


@still
def unikat_swap(visit: Visit) -> None:
    unikat_one(visit)
    rack(visit).first.click()
    visit.press("page.unikat.bag", n=37)
    visit.wait_for("button", "page.unikat.swapBag")


@still
def unikat_clash(visit: Visit) -> None:
    """A tile where it does not fit."""
    unikat_one(visit)
    free = cells_named(visit, "page.unikat.cell.empty")
    for tile in rack(visit).all():
        tile.click()
        if free.count():
            break
    free.first.focus()
    visit.page.keyboard.press("Enter")
    clash = starts_with(visit.translate("page.unikat.status.clash", features=""))
    expect(visit.main().get_by_text(clash)).to_be_visible()


@still
def unikat_draw(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 3, until_my_phase(Phase.DRAW)))
    visit.sees("page.unikat.status.draw")


@still
def unikat_bonus(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 3, until_my_phase(Phase.BONUS), rounds=3))
    visit.wait_for("button", "page.unikat.decline")


@still
def unikat_tools(visit: Visit) -> None:
    unikat_sixty(visit)
    visit.press("page.unikat.tools")
    expect(visit.dialog()).to_be_visible()


@still
def unikat_hint(visit: Visit) -> None:
    """For somebody who has switched hints on, and asks for one."""
    unikat_tools(visit)
    visit.dialog().get_by_role("checkbox", name=visit.translate("page.unikat.aid.hint")).check()
    visit.page.keyboard.press("Escape")
    visit.press("page.unikat.hint")
    visit.page.locator(".target").wait_for()


@still
def unikat_menu(visit: Visit) -> None:
    unikat_one(visit)
    visit.press("page.table.menu")
    visit.wait_for("button", "page.table.part.people")


def part_of_menu(name: str) -> None:
    def show(visit: Visit) -> None:
        unikat_menu(visit)
        visit.press(f"page.table.part.{name}")
        visit.wait_for("button", "page.table.menu.back")

    SCENES.append(Scene(f"unikat-menu-{name}", show, still=True))


for each in ("people", "chat", "invite", "settings", "seat", "leave"):
    part_of_menu(each)


@still
def unikat_paused(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 3, until_my_turn(1), paused=True))
    visit.wait_for("button", "page.table.paused.go_on")


@still
def unikat_away(visit: Visit) -> None:
    """The others have gone, and a bot will take over."""
    unikat(visit, visit.stage.match("unikat", 2, until_my_turn(1), away=14 * 60_000))
    away, _, _ = visit.translate("page.table.away.countdown", name=NAMES[1], time="").partition(".")
    expect(visit.main().get_by_text(away).last).to_be_visible()


@still
def unikat_played_for_you(visit: Visit) -> None:
    """After a bot has played for whoever looks at the page."""
    unikat(visit, visit.stage.match("unikat", 2, until_my_turn(8), replaced=True))
    visit.wait_for("link", "page.table.played.see")


@still
def unikat_watched(visit: Visit) -> None:
    """By somebody who has only the link."""
    match = visit.stage.match
    seated = visit.shared_table("one", lambda: match("unikat", 4, until_my_turn(1), starter=ME))
    visit.open(f"/t/{seated.table}")
    visit.sees("page.table.watching")


@still
def unikat_screen(visit: Visit) -> None:
    visit.open(f"/screen/{sixty(visit).table}")
    visit.wait_for("grid", "page.unikat.board")


@still
def unikat_round_end(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 4, until_rounds_over(1), rounds=3))
    visit.wait_for("button", "page.unikat.ready")


def three_rounds(visit: Visit) -> Seated:
    match = visit.stage.match
    won = (3, 2, 0, 1)
    return visit.shared_table(
        "over", lambda: match("unikat", 4, until_rounds_over(3), rounds=3, won=won)
    )


@still
def unikat_match_end(visit: Visit) -> None:
    unikat(visit, three_rounds(visit))
    visit.wait_for("button", "page.table.again")
    visit.wait_for("list", "page.table.tally")


@still
def unikat_screen_end(visit: Visit) -> None:
    visit.open(f"/screen/{three_rounds(visit).table}")
    visit.wait_for("list", "page.table.tally")


def circle_table(visit: Visit) -> Seated:
    """Where a match of a circle has ended."""

    def lay() -> Seated:
        circle = visit.stage.circle(0)
        return visit.stage.match("unikat", 4, until_rounds_over(3), rounds=3, circle=circle)

    return visit.shared_table("circle over", lay)


@still
def unikat_circle_end(visit: Visit) -> None:
    unikat(visit, circle_table(visit))
    expect(visit.main().get_by_role("link", name=CIRCLE)).to_be_visible()


@still
def unikat_screen_circle_end(visit: Visit) -> None:
    visit.open(f"/screen/{circle_table(visit).table}")
    expect(visit.main().get_by_role("link", name=CIRCLE)).to_be_visible()


@still
def unikat_share(visit: Visit) -> None:
    unikat_match_end(visit)
    visit.press("page.lobby.invite.share")
    expect(visit.dialog().get_by_role("img")).to_be_visible()


@still
def unikat_fair(visit: Visit) -> None:
    unikat_match_end(visit)
    visit.press("page.table.fair")
    visit.sees("page.table.fair.sound", whole=False)


@still
def unikat_replay(visit: Visit) -> None:
    seated = visit.stage.match("unikat", 3, until_rounds_over(1))
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.press("page.replay.last")
    visit.sees("page.replay.over", within=visit.replay_line())


@still
def unikat_coach(visit: Visit) -> None:
    seated = visit.stage.match("unikat", 3, until_rounds_over(1))
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.wait_for("button", "page.replay.next")
    # On a desk the coach is there; on a phone it comes with a button.
    opens = visit.button("page.coach.title")
    if opens.is_visible():
        opens.click()
    visit.press("page.coach.ask")
    coach = visit.region("page.coach.title")
    visit.wait_for("heading", "page.coach.misses", within=coach)
    coach.get_by_role("listitem").get_by_role("button").first.click()
    visit.wait_for("button", "page.coach.shown.better")


@still
def unikat_daily(visit: Visit) -> None:
    visit.open("/daily/unikat")
    visit.press("page.daily.unikat.start")
    visit.wait_for("grid", "page.unikat.board")


@still
def unikat_line_lost(visit: Visit) -> None:
    seated = visit.stage.match("unikat", 3, until_my_turn(1))
    lines: list[WebSocketRoute] = []

    def first_only(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) == 1:
            line.connect_to_server()
        else:
            line.close()

    visit.page.route_web_socket(re.compile(seated.table), first_only)
    unikat(visit, seated)
    lines[0].close()
    visit.sees("page.table.lost.saved")


@still
def unikat_passed(visit: Visit) -> None:
    """One device for two: the curtain between their turns."""
    visit.open("/")
    visit.press("page.first.pass", within=visit.game_card("unikat"))
    visit.press("page.pass.begin")
    visit.sees("page.pass.what", within=visit.page.get_by_role("region"))


@still
def unikat_passed_round_end(visit: Visit) -> None:
    """One device for three, opened again between two rounds."""
    unikat(visit, visit.stage.match("unikat", 3, until_rounds_over(1), rounds=3, passed=True))
    visit.wait_for("button", "page.unikat.ready")


@still
def unikat_lesson(visit: Visit) -> None:
    visit.open("/learn/unikat")
    visit.wait_for("grid", "page.unikat.board")
