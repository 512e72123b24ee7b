"""Ending other devices' access, from the page."""

from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.page_objects import TransientMessages
from tests.page.unikat_player import UnikatPlayer


def test_another_device_loses_the_seat_and_this_one_keeps_it(new_page: NewPage) -> None:
    page = new_page(None, reduced_motion="reduce")
    messages = TransientMessages(page)
    ola = UnikatPlayer(page).open("/")
    link = ola.invite_friends("unikat", "Ola")
    stolen = ola.page.context.cookies()
    other = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    other.page.context.add_cookies([dict(each) for each in stolen])  # type: ignore[misc]
    other.open(link)
    expect(other.field("page.lobby.invite.link")).to_be_visible()
    expect(other.button("page.lobby.sit.any")).to_have_count(0)

    ola.text("page.lobby.my_seat").click()
    ola.button("page.lobby.devices.end").click()
    ola.button("page.lobby.devices.yes").click()
    messages.wait_for_toast(ola.translate("page.lobby.devices.done"))
    expect(other.button("page.lobby.sit.any")).to_be_visible()
    expect(ola.button("page.lobby.sit.any")).to_have_count(0)
    names = {cookie["name"] for cookie in ola.page.context.cookies()}
    assert names == {"pytlik"}
    assert ola.page.context.cookies() != stolen


def move_seat_to_device(old: UnikatPlayer, new: UnikatPlayer, link: str, *, looking: bool) -> None:
    """Move a seat from one device to another, while the old one looks at the table or not."""
    old.text("page.lobby.my_seat").click()
    with old.page.expect_response("**/code") as answer:
        old.button("page.lobby.move.make").click()
    code = answer.value.json()["code"]
    if not looking:
        old.open("/settings")
    new.open(f"{link}#code={code}")
    new.button("page.lobby.code.take").click()
    expect(new.button("page.lobby.start")).to_be_visible()


def test_old_device_does_not_offer_a_moved_seat(new_page: NewPage) -> None:
    old = UnikatPlayer(new_page("/", reduced_motion="reduce"))
    new = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    link = old.invite_friends("unikat", "Ola")
    move_seat_to_device(old, new, link, looking=True)
    expect(old.button("page.lobby.sit.any")).to_be_visible()
    expect(old.button("page.lobby.recover", name="Ola")).to_have_count(0)
    old.page.reload()
    expect(old.button("page.lobby.sit.any")).to_be_visible()
    expect(old.button("page.lobby.recover", name="Ola")).to_have_count(0)


def test_old_device_learns_once_that_its_seat_was_moved(new_page: NewPage) -> None:
    page = new_page(None, reduced_motion="reduce", may_say="status of 403")
    messages = TransientMessages(page)
    old = UnikatPlayer(page).open("/")
    new = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    link = old.invite_friends("unikat", "Ola")
    move_seat_to_device(old, new, link, looking=False)
    old.open(link)
    old.button("page.lobby.recover", name="Ola").click()
    messages.wait_for_toast(old.translate("page.lobby.recover.moved"))
    expect(old.button("page.lobby.recover", name="Ola")).to_have_count(0)
