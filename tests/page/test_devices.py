"""Ending the access of other devices, from the page."""

from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.page_objects import TransientMessages
from tests.page.unikat_player import UnikatPlayer


def test_another_device_loses_the_seat_and_this_one_keeps_it(new_page: NewPage) -> None:
    page = new_page(None, reduced_motion="reduce")
    messages = TransientMessages(page)
    ola = UnikatPlayer(page).open("/")
    ola.button("page.first.friends", within=ola.game_card("unikat")).click()
    link = ola.field("page.lobby.invite.link").input_value()
    stolen = ola.page.context.cookies()
    other = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    other.page.context.add_cookies([dict(each) for each in stolen])  # type: ignore[misc]
    other.open(link)
    expect(other.field("page.lobby.invite.link")).to_be_visible()
    expect(other.button("page.lobby.sit.any")).to_have_count(0)

    ola.text("page.lobby.my_seat").click()
    ola.button("page.lobby.devices.end").click()
    ola.button("page.lobby.devices.yes").click()
    messages.wait_for_toast(ola.say("page.lobby.devices.done"))
    expect(other.button("page.lobby.sit.any")).to_be_visible()
    expect(ola.button("page.lobby.sit.any")).to_have_count(0)
    names = {cookie["name"] for cookie in ola.page.context.cookies()}
    assert names == {"pytlik"}
    assert ola.page.context.cookies() != stolen
