"""Inviting others: a link that they can open."""

from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.stage import Stage
from tests.page.unikat_player import UnikatPlayer


def test_a_link_that_nobody_else_can_open_says_so(new_page: NewPage, stage: Stage) -> None:
    host = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    seated = stage.lobby("unikat", 1)
    host.comes(seated)
    host.sees("page.lobby.invite.local")
    expect(host.named("img", "page.lobby.qr")).to_have_count(0)
    host.at(f"/screen/{seated.table}")
    host.sees("page.lobby.invite.local")
    expect(host.named("img", "page.lobby.qr")).to_have_count(0)


def test_on_this_machine_the_link_has_the_address_in_the_network(
    new_page: NewPage, stage: Stage
) -> None:
    host = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    host.page.route("**/api/lan", lambda route: route.fulfill(json={"host": "192.168.1.7"}))
    seated = stage.lobby("unikat", 1)
    host.comes(seated)
    port = stage.address.rpartition(":")[2]
    address = f"192.168.1.7:{port}/t/{seated.table}"
    expect(host.field("page.lobby.invite.link")).to_have_value(f"http://{address}")
    expect(host.named("img", "page.lobby.qr")).to_be_visible()
    host.at(f"/screen/{seated.table}")
    expect(host.main().get_by_text(address, exact=True)).to_be_visible()
