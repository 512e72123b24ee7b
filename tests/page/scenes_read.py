"""Pages that are read, and the table before its match."""

from typing import Any

from playwright.sync_api import Route, expect

from tests.page.asking import my_turn
from tests.page.stage import NAMES
from tests.page.visit import Visit, heading, scene


def first_page(visit: Visit) -> None:
    visit.see("button", "page.first.now", within=visit.game_card("unikat"))


@scene
def read_first(visit: Visit) -> None:
    """With a table that goes on."""
    seated = visit.stage.match("unikat", 2, my_turn(1))
    # Somebody who has a seat has been at its table, so the page waits for it.
    visit.page.add_init_script("localStorage.setItem('pytlik.tables', 'true')")
    visit.open("/", seated)
    first_page(visit)
    card = visit.table_link(seated.table)
    visit.sees("page.first.continue", within=card, whole=False)
    visit.sees("page.tables.yours", within=card, whole=False)
    visit.see("link", "page.first.all_mine")


@scene
def read_first_new(visit: Visit) -> None:
    visit.open("/")
    first_page(visit)


@scene
def read_pass_around(visit: Visit) -> None:
    visit.open("/")
    visit.press("page.first.pass", within=visit.game_card("ubongo"))
    visit.see("button", "page.pass.begin")


@scene
def read_settings(visit: Visit) -> None:
    visit.open("/settings")
    heading(visit, visit.say("page.settings.title"))


@scene
def read_forget(visit: Visit) -> None:
    visit.open("/settings")
    visit.press("page.forget")
    visit.see("button", "page.forget.yes")


@scene
def read_mine(visit: Visit) -> None:
    seated = visit.stage.match("unikat", 3, my_turn(1))
    visit.open("/mine", seated)
    visit.sees("page.tables.yours", within=visit.table_link(seated.table), whole=False)


@scene
def read_mine_none(visit: Visit) -> None:
    visit.open("/mine")
    visit.see("link", "page.mine.begin")


@scene
def read_tables(visit: Visit) -> None:
    table = visit.stage.lobby("ubongo", 3, listed=True).table
    visit.open("/tables")
    expect(visit.table_link(table)).to_be_visible()


@scene
def read_rules_unikat(visit: Visit) -> None:
    visit.open("/rules/unikat")
    heading(visit, visit.say("page.rules.unikat.heading"))


@scene
def read_rules_ubongo(visit: Visit) -> None:
    visit.open("/rules/ubongo")
    heading(visit, visit.say("page.rules.ubongo.heading"))


@scene
def read_missing(visit: Visit) -> None:
    visit.open("/nowhere/at/all")
    heading(visit, visit.say("page.missing.title"))


@scene
def read_missing_table(visit: Visit) -> None:
    visit.open("/t/2222222222")
    heading(visit, visit.say("page.missing.table.title"))


@scene
def read_daily_unikat(visit: Visit) -> None:
    visit.open("/daily/unikat")
    heading(visit)


@scene
def read_daily_ubongo(visit: Visit) -> None:
    visit.open("/daily/ubongo")
    visit.see("button", "page.daily.start")


@scene
def read_daily_done(visit: Visit) -> None:
    """Solved, with a board of those who did so too."""
    times = ((NAMES[3], 14_200), (NAMES[0], 21_800), (NAMES[2], 63_100), (NAMES[1], 245_000))

    def solved(route: Route) -> None:
        answer: Any = route.fetch().json()
        results = [
            {"place": place, "name": name, "ms": ms, "yours": name == NAMES[0]}
            for place, (name, ms) in enumerate(times, 1)
        ]
        route.fulfill(json=answer | {"results": results})

    visit.page.route("**/api/daily/ubongo?*", solved, times=1)
    visit.open("/daily/ubongo")
    visit.see("button", "page.daily.share")


@scene
def read_door(visit: Visit) -> None:
    """As at a private server: what it says to a stranger makes the page say this to itself."""
    visit.open("/")
    first_page(visit)
    visit.page.evaluate("dispatchEvent(new Event('pytlik-closed'))")
    heading(visit, visit.say("page.missing.door.title"))


@scene
def lobby_host(visit: Visit) -> None:
    visit.table(visit.stage.lobby("unikat", 2))
    visit.see("button", "page.lobby.start_with", n=2)
    visit.see("img", "page.lobby.qr")


@scene
def lobby_guest(visit: Visit) -> None:
    visit.open(f"/t/{visit.stage.lobby('ubongo', 3).table}")
    visit.see("button", "page.lobby.sit.any")


@scene
def lobby_choices_unikat(visit: Visit) -> None:
    visit.table(visit.stage.lobby("unikat", 2))
    visit.press("page.lobby.change")
    expect(visit.dialog()).to_be_visible()


@scene
def lobby_choices_ubongo(visit: Visit) -> None:
    visit.table(visit.stage.lobby("ubongo", 2))
    visit.press("page.lobby.change")
    expect(visit.dialog()).to_be_visible()


@scene
def lobby_powers(visit: Visit) -> None:
    visit.table(visit.stage.lobby("unikat", 2))
    visit.press("page.lobby.powers")
    visit.see("button", "page.lobby.make_host")


@scene
def lobby_screen(visit: Visit) -> None:
    seated = visit.stage.lobby("unikat", 2)
    visit.open(f"/screen/{seated.table}", seated)
    heading(visit)
    visit.see("button", "page.lobby.add_bot")
