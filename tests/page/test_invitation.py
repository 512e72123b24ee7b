"""Inviting others: the host's name, a link that they can open, and joining a match."""

import json
import re
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.page.conftest import NewPage
from tests.page.table_setup import TableSetup
from tests.page.unikat_player import UnikatPlayer

REDUCED_MOTION: Any = {"reduced_motion": "reduce"}


def test_page_says_if_only_this_machine_can_open_the_link(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    host = UnikatPlayer(new_page(None, **REDUCED_MOTION))
    seated = table_setup.create_lobby("unikat", 1)
    host.open_table_as(seated)
    host.expect_text("page.lobby.invite.local")
    expect(host.by_role_and_name("img", "page.lobby.qr")).to_have_count(0)
    host.open(f"/screen/{seated.table}")
    host.expect_text("page.lobby.invite.local")
    expect(host.by_role_and_name("img", "page.lobby.qr")).to_have_count(0)


def test_link_has_the_servers_network_address(new_page: NewPage, table_setup: TableSetup) -> None:
    host = UnikatPlayer(new_page(None, **REDUCED_MOTION))
    host.page.route("**/api/lan", lambda route: route.fulfill(json={"host": "192.168.1.7"}))
    seated = table_setup.create_lobby("unikat", 1)
    host.open_table_as(seated)
    port = table_setup.address.rpartition(":")[2]
    address = f"192.168.1.7:{port}/t/{seated.table}"
    expect(host.field("page.lobby.invite.link")).to_have_value(f"http://{address}")
    expect(host.by_role_and_name("img", "page.lobby.qr")).to_be_visible()
    host.open(f"/screen/{seated.table}")
    expect(host.main().get_by_text(address, exact=True)).to_be_visible()


def test_name_is_asked_for_once(new_page: NewPage) -> None:
    host = UnikatPlayer(new_page("/", **REDUCED_MOTION))
    first = host.invite_friends("unikat", "Max")
    host.open("/")
    host.button("page.first.friends", within=host.game_card("unikat")).click()
    expect(host.field("page.lobby.invite.link")).not_to_have_value(first)
    expect(host.region("page.lobby.seats").get_by_text("Max", exact=True)).to_be_visible()


def start_match_with_free_seat(new_page: NewPage) -> tuple[UnikatPlayer, str]:
    """Start a match at a table that one person then leaves, and return its host and the table."""
    host, leaver = (UnikatPlayer(new_page("/settings", **REDUCED_MOTION)) for _ in range(2))
    table = host.create_table("unikat")
    leaver.sit_down(table, "Jan")
    host.start_match(table)
    leaver.ask("DELETE", f"/tables/{table}/seats/1")
    return host, table


def test_joining_during_a_match_asks_for_a_name(new_page: NewPage) -> None:
    host, table = start_match_with_free_seat(new_page)
    guest = UnikatPlayer(new_page(None, **REDUCED_MOTION))
    guest.open(f"/t/{table}")
    guest.button("page.table.sit").click()
    guest.field("page.lobby.name", within=guest.dialog()).fill("Eva")
    guest.press("Enter")
    guest.wait_until(lambda: guest.seat == 1)
    host.wait_until(lambda: host.info["chairs"][1]["name"] == "Eva")


def test_no_buttons_are_shown_before_the_match_has_loaded(new_page: NewPage) -> None:
    """The name dialog used to vanish if the match arrived after it."""
    _, table = start_match_with_free_seat(new_page)
    guest = UnikatPlayer(new_page(None, **REDUCED_MOTION))
    lines: list[WebSocketRoute] = []
    delayed: list[str | bytes] = []

    def hold_back_match(line: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if json.loads(message)["kind"] == "update":
                delayed.append(message)
            else:
                line.send(message)

        lines.append(line)
        line.connect_to_server().on_message(pass_on)

    guest.page.route_web_socket(re.compile(table), hold_back_match)
    guest.open(f"/t/{table}")
    guest.wait_until(lambda: delayed)
    guest.expect_text("page.table.coming")
    expect(guest.main().get_by_role("button")).to_have_count(0)
    lines[0].send(delayed[0])
    guest.button("page.table.sit").click()
    expect(guest.field("page.lobby.name", within=guest.dialog())).to_be_visible()
