"""Pages to read, and the table before its match."""

import json
from datetime import date
from itertools import product
from typing import Any

from msgspec import to_builtins
from playwright.sync_api import Route, expect

from pytlik.server.dailies.ubongo_daily import daily_puzzle
from tests.page.scripted_play import play_until_my_turn
from tests.page.table_setup import CIRCLE_NAME, NAMES, SeatedTable
from tests.page.visit import Visit, register_scene, wait_for_heading


def wait_for_home(visit: Visit) -> None:
    visit.wait_for("button", "page.first.now", within=visit.game_card("unikat"))


def pretend_on_network(visit: Visit) -> None:
    """Tell the next page that the server also listens on the network."""
    answer = {"host": "192.168.1.7"}
    visit.page.route("**/api/lan", lambda route: route.fulfill(json=answer), times=1)


@register_scene
def read_home(visit: Visit) -> None:
    """With a match in progress."""
    seated = visit.table_setup.create_match("unikat", 2, play_until_my_turn(1))
    # Anyone with a seat has been at its table before, and then the page waits for their tables.
    visit.page.add_init_script("localStorage.setItem('pytlik.tables', 'true')")
    visit.open("/", seated)
    wait_for_home(visit)
    card = visit.table_link(seated.table)
    visit.expect_text("page.first.continue", within=card, whole=False)
    visit.expect_text("page.tables.yours", within=card, whole=False)
    visit.wait_for("link", "page.first.all_mine")


@register_scene
def read_home_as_newcomer(visit: Visit) -> None:
    visit.open("/")
    wait_for_home(visit)


@register_scene
def read_own_record(visit: Visit) -> None:
    """As somebody who has played a lot."""
    levels = ("first-steps", "easy", "medium", "hard", "master", None)
    matches = [
        {"id": f"a.{n}", "game": game, "at": n, "level": level, "won": n % 4 > 0, "chain": n % 7}
        for n, (level, game) in enumerate(product(levels * 3, ("unikat", "ubongo")))
    ]
    place = {"day": "2026-11-17", "kind": "3", "place": 12, "ranked": 148}
    dailies = [{"game": game, **place} for game in ("unikat", "ubongo")]
    visit.open("/")
    wait_for_home(visit)
    visit.page.evaluate(
        "(record) => localStorage.setItem('pytlik.record', record)",
        json.dumps({"matches": matches, "dailies": dailies}),
    )
    visit.open("/")
    visit.region("page.record.title").get_by_role("button").click()
    visit.expect_text("page.record.kept", within=visit.dialog())
    # The next scene starts on a newcomer's first page.
    visit.page.evaluate("localStorage.removeItem('pytlik.record')")


@register_scene
def read_name_dialog(visit: Visit) -> None:
    """Before inviting friends, as somebody whose name isn't known."""
    visit.open("/")
    visit.press("page.first.friends", within=visit.game_card("unikat"))
    visit.wait_for("button", "page.lobby.rename.done")


@register_scene
def read_pass_around_unikat(visit: Visit) -> None:
    visit.open("/")
    visit.press("page.first.pass", within=visit.game_card("unikat"))
    expect(visit.field("page.lobby.unikat.rounds")).to_have_value("1")


@register_scene
def read_pass_around_ubongo(visit: Visit) -> None:
    visit.open("/")
    visit.press("page.first.pass", within=visit.game_card("ubongo"))
    visit.wait_for("button", "page.pass.begin")


@register_scene
def read_settings(visit: Visit) -> None:
    visit.open("/settings")
    wait_for_heading(visit, visit.translate("page.settings.title"))


@register_scene
def read_delete_my_data(visit: Visit) -> None:
    visit.open("/settings")
    visit.press("page.forget")
    visit.wait_for("button", "page.forget.yes")


@register_scene
def read_my_tables(visit: Visit) -> None:
    seated = visit.table_setup.create_match("unikat", 3, play_until_my_turn(1))
    visit.open("/mine", seated)
    visit.expect_text("page.tables.yours", within=visit.table_link(seated.table), whole=False)


@register_scene
def read_my_tables_empty(visit: Visit) -> None:
    visit.open("/mine")
    visit.wait_for("link", "page.mine.begin")


def circle_with_results(visit: Visit) -> SeatedTable:
    return visit.shared_table("circle", lambda: visit.table_setup.create_circle(25))


@register_scene
def read_home_with_circle(visit: Visit) -> None:
    """As a member of a circle, at whose table a seat is free."""
    visit.page.add_init_script("localStorage.setItem('pytlik.circles', 'true')")
    visit.open("/", circle_with_results(visit))
    wait_for_home(visit)
    circle = visit.region("page.circle.mine").get_by_role("link")
    expect(circle).to_contain_text(visit.translate("page.circle.count", n=4))


@register_scene
def read_circle(visit: Visit) -> None:
    """As its organiser."""
    seated = circle_with_results(visit)
    visit.open(f"/circle/{seated.table}", seated)
    visit.wait_for("button", "page.circle.more")
    visit.wait_for("table", "page.first.ubongo.title")


@register_scene
def read_circle_new(visit: Visit) -> None:
    """As its founder, before others join."""
    seated = visit.shared_table("own circle", lambda: visit.table_setup.create_circle(0, members=1))
    visit.open(f"/circle/{seated.table}", seated)
    visit.wait_for("button", "page.circle.leave")
    visit.expect_text("page.circle.none")


@register_scene
def read_circle_device_code(visit: Visit) -> None:
    """The code for another device."""
    read_circle_new(visit)
    visit.main().get_by_text(visit.translate("page.lobby.move.title")).click()
    visit.expect_text("page.circle.code.what")


@register_scene
def read_circle_rename(visit: Visit) -> None:
    read_circle_new(visit)
    visit.press("page.circle.rename")
    expect(visit.field("page.circle.name", within=visit.dialog())).to_be_visible()


@register_scene
def read_circle_leave(visit: Visit) -> None:
    read_circle_new(visit)
    visit.press("page.circle.leave")
    visit.expect_text("page.circle.leave.sure", within=visit.dialog())


@register_scene
def read_circle_as_guest(visit: Visit) -> None:
    """As somebody with its link, before any match was played."""
    seated = visit.shared_table("new circle", lambda: visit.table_setup.create_circle(0))
    visit.open(f"/circle/{seated.table}")
    visit.wait_for("button", "page.circle.join")
    visit.expect_text("page.circle.none")


@register_scene
def read_circle_start(visit: Visit) -> None:
    visit.open("/")
    visit.press("page.circle.start", within=visit.region("page.circle.mine"))
    expect(visit.field("page.circle.name", within=visit.dialog())).to_be_visible()


@register_scene
def read_listed_tables(visit: Visit) -> None:
    table = visit.table_setup.create_lobby("ubongo", 3, listed=True).table
    visit.open("/tables")
    expect(visit.table_link(table)).to_be_visible()


@register_scene
def read_rules_unikat(visit: Visit) -> None:
    visit.open("/rules/unikat")
    wait_for_heading(visit, visit.translate("page.rules.unikat.heading"))


@register_scene
def read_rules_ubongo(visit: Visit) -> None:
    visit.open("/rules/ubongo")
    wait_for_heading(visit, visit.translate("page.rules.ubongo.heading"))


@register_scene
def read_page_not_found(visit: Visit) -> None:
    visit.open("/nowhere/at/all")
    wait_for_heading(visit, visit.translate("page.missing.title"))


@register_scene
def read_table_not_found(visit: Visit) -> None:
    visit.open("/t/2222222222")
    wait_for_heading(visit, visit.translate("page.missing.table.title"))


@register_scene
def read_daily_unikat(visit: Visit) -> None:
    visit.open("/daily/unikat")
    wait_for_heading(visit)


@register_scene
def read_daily_ubongo(visit: Visit) -> None:
    visit.open("/daily/ubongo")
    visit.wait_for("button", "page.daily.start")


@register_scene
def read_daily_solved(visit: Visit) -> None:
    """Solved, but without a name yet, and with a board of others who solved it."""
    times = ((NAMES[3], 14_200), ("", 21_800), (NAMES[2], 63_100), (NAMES[1], 245_000))

    def answer_solved(route: Route) -> None:
        answer: Any = route.fetch().json()
        results = [
            {"place": place, "name": name, "ms": ms, "yours": not name}
            for place, (name, ms) in enumerate(times, 1)
        ]
        card = to_builtins(daily_puzzle(date.fromisoformat(answer["day"]), 3))
        route.fulfill(json=answer | {"puzzle": card, "results": results, "ranked": 12})

    visit.page.route("**/api/daily/ubongo?*", answer_solved, times=1)
    visit.open("/daily/ubongo")
    visit.wait_for("button", "page.daily.share")


@register_scene
def read_private_server(visit: Visit) -> None:
    """As on a private server: on its refusal of a stranger, the page sends itself this event."""
    visit.open("/")
    wait_for_home(visit)
    visit.page.evaluate("dispatchEvent(new Event('pytlik-closed'))")
    wait_for_heading(visit, visit.translate("page.missing.door.title"))


@register_scene
def lobby_as_host(visit: Visit) -> None:
    pretend_on_network(visit)
    visit.open_table(visit.table_setup.create_lobby("unikat", 2))
    visit.wait_for("button", "page.lobby.start_with", n=2)
    visit.wait_for("img", "page.lobby.qr")
    visit.expect_text("page.lobby.invite.network", whole=False)


@register_scene
def lobby_without_network(visit: Visit) -> None:
    """When no other device can open the link."""
    visit.open_table(visit.table_setup.create_lobby("unikat", 2))
    visit.expect_text("page.lobby.invite.local")


@register_scene
def lobby_bots(visit: Visit) -> None:
    """Add a bot, and replace it with a weaker one."""
    visit.open_table(visit.table_setup.create_lobby("ubongo", 3))
    visit.press("page.lobby.add_bot")
    visit.expect_text("page.bot.ubongo.medium")
    level = visit.field("page.lobby.level_of", name=visit.translate("page.bot.name.medium"))
    level.select_option(visit.translate("page.lobby.level.first-steps"))
    visit.expect_text("page.bot.ubongo.first-steps")


@register_scene
def lobby_as_guest(visit: Visit) -> None:
    visit.open(f"/t/{visit.table_setup.create_lobby('ubongo', 3).table}")
    visit.wait_for("button", "page.lobby.sit.any")


@register_scene
def lobby_circle(visit: Visit) -> None:
    """At a table whose matches count in a circle, as somebody who isn't in it yet."""
    circle = visit.table_setup.create_circle(0)
    visit.open(f"/circle/{circle.table}")
    visit.main().get_by_role("link", name=visit.translate("page.first.unikat.title")).click()
    visit.press("page.lobby.sit.any")
    visit.wait_for("button", "page.circle.join")


@register_scene
def lobby_options_unikat(visit: Visit) -> None:
    visit.open_table(visit.table_setup.create_lobby("unikat", 2))
    visit.press("page.lobby.change")
    expect(visit.dialog()).to_be_visible()


@register_scene
def lobby_options_ubongo(visit: Visit) -> None:
    visit.open_table(visit.table_setup.create_lobby("ubongo", 2))
    visit.press("page.lobby.change")
    expect(visit.dialog()).to_be_visible()


@register_scene
def lobby_host_powers(visit: Visit) -> None:
    visit.open_table(visit.table_setup.create_lobby("unikat", 2))
    visit.press("page.lobby.powers")
    visit.wait_for("button", "page.lobby.make_host")


@register_scene
def lobby_on_television_without_network(visit: Visit) -> None:
    seated = visit.table_setup.create_lobby("unikat", 2)
    visit.open(f"/screen/{seated.table}", seated)
    visit.expect_text("page.lobby.invite.local")


@register_scene
def lobby_on_television_of_circle(visit: Visit) -> None:
    """A television at a table whose matches count in a circle."""
    circle = visit.shared_table("new circle", lambda: visit.table_setup.create_circle(0))
    pretend_on_network(visit)
    visit.open(f"/circle/{circle.table}")
    visit.main().get_by_role("link", name=visit.translate("page.first.unikat.title")).click()
    visit.wait_for("button", "page.lobby.sit.any")
    visit.open(visit.page.url.replace("/t/", "/screen/"))
    visit.expect_text("page.circle.counts", name=CIRCLE_NAME, whole=False)


@register_scene
def lobby_on_television(visit: Visit) -> None:
    pretend_on_network(visit)
    seated = visit.table_setup.create_lobby("unikat", 2)
    visit.open(f"/screen/{seated.table}", seated)
    wait_for_heading(visit)
    visit.wait_for("button", "page.lobby.add_bot")
