"""Notifications: offered while others think, turned off with a tap, shown by the service worker."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, WebSocketRoute, expect

from tests.page.conftest import PHONE, NewPage
from tests.page.page_player import Player, translate
from tests.page.scripted_play import MY_SEAT, stop_at_once
from tests.page.table_setup import SeatedTable, TableSetup
from tests.page.visit import Visit
from tests.server.push_service import Device

REDUCED_MOTION: Any = {"reduced_motion": "reduce"}
NOTIFICATIONS_ALLOWED: Any = {
    "service_workers": "allow",
    "permissions": ["notifications"],
    **REDUCED_MOTION,
}

FAKE_SUBSCRIPTION_JS = """(({ endpoint, p256dh, auth }) => {
  const key = 'the test has subscribed';
  const made = {
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => (localStorage.removeItem(key), true),
  };
  const { prototype } = PushManager;
  prototype.subscribe = async () => (localStorage.setItem(key, '1'), made);
  prototype.getSubscription = async () => (localStorage.getItem(key) ? made : null);
})"""
"""Stands in for a browser maker's push service, which Chromium would ask for an address."""

SHOWN_NOTIFICATIONS_JS = """async () => {
  const registration = await navigator.serviceWorker.ready;
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag }) => ({ title, body, tag }));
}"""

TAP_NOTIFICATION_JS = """async (table) => {
  const opened = new Promise((tell) => (self.clients.openWindow = async (url) => tell(url)));
  const [notification] = await self.registration.getNotifications({ tag: table });
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  return opened;
}"""


@pytest.fixture
def table_where_others_think(table_setup: TableSetup) -> SeatedTable:
    """A table where it's the turn of somebody who isn't connected."""
    return table_setup.create_match("unikat", 3, lambda _: None, starter=1, absent=[1])


def make_visit(page: Page, table_setup: TableSetup) -> Visit:
    return Visit(page, table_setup, translate)


def test_notifications_are_offered_and_turned_off(
    new_page: NewPage, table_setup: TableSetup, table_where_others_think: SeatedTable
) -> None:
    device = Device("https://push.example/page").subscription()
    page = new_page(None, viewport=PHONE, **NOTIFICATIONS_ALLOWED)
    page.add_init_script(f"{FAKE_SUBSCRIPTION_JS}({json.dumps(device)})")
    visit = make_visit(page, table_setup)
    visit.open_table(table_where_others_think)
    expect(visit.text("page.table.notify.offer", whole=False)).to_be_visible()
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")
    assert table_setup.subscriptions_of(table_where_others_think.token) == []
    visit.press("page.table.notify.yes")
    expect(visit.button("page.table.notify.yes")).to_have_count(0)
    (kept,) = table_setup.subscriptions_of(table_where_others_think.token)
    assert (kept.endpoint, kept.auth, kept.language) == (device["endpoint"], device["auth"], "en")

    visit.press("page.table.menu")
    visit.press("page.table.part.settings")
    switch = visit.by_role_and_name("switch", "page.settings.notify")
    expect(switch).to_be_checked()
    with page.expect_response("**/api/notifications/end"):
        switch.uncheck()
    expect(switch).not_to_be_checked()
    assert table_setup.subscriptions_of(table_where_others_think.token) == []
    page.reload()
    visit.wait_for("button", "page.table.nudge")
    expect(visit.button("page.table.notify.yes")).to_have_count(0)


def test_declined_notifications_are_not_offered_again(
    new_page: NewPage, table_setup: TableSetup, table_where_others_think: SeatedTable
) -> None:
    page = new_page(None, **NOTIFICATIONS_ALLOWED)
    visit = make_visit(page, table_setup)
    visit.open_table(table_where_others_think)
    visit.press("page.table.notify.no")
    visit.wait_for("button", "page.table.nudge")
    page.reload()
    visit.wait_for("button", "page.table.nudge")
    expect(visit.button("page.table.notify.no")).to_have_count(0)


def test_notifications_are_not_offered_on_your_own_turn(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    seated = table_setup.create_match("unikat", 3, lambda _: None, starter=MY_SEAT, absent=[1])
    page = new_page(None, **NOTIFICATIONS_ALLOWED)
    visit = make_visit(page, table_setup)
    with page.expect_response("**/api/notifications"):
        visit.open_table(seated)
    visit.expect_text("page.table.away", name="Maximilian")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    expect(visit.button("page.table.notify.yes")).to_have_count(0)
    expect(visit.button("page.table.nudge")).to_have_count(0)


def test_second_nudge_is_refused(
    new_page: NewPage, table_setup: TableSetup, table_where_others_think: SeatedTable
) -> None:
    page = new_page(None, may_say="status of 4", **NOTIFICATIONS_ALLOWED)
    visit = make_visit(page, table_setup)
    visit.open_table(table_where_others_think)
    visit.press("page.table.notify.no")
    toast = page.locator(".toast")
    visit.press("page.table.nudge")
    expect(toast).to_have_text(translate("page.table.nudged", name="Maximilian"))
    toast.click()
    expect(toast).to_have_count(0)
    visit.press("page.table.nudge")
    expect(toast).to_have_text(translate("reason.already_nudged"))


def test_frozen_page_counts_as_away(new_page: NewPage, table_setup: TableSetup) -> None:
    """The server must notify them then, as the page can't. A headless browser freezes nothing, so
    the page only gets the event, and no new connection until it thaws."""
    seated = table_setup.create_match("unikat", 2, stop_at_once, absent=(MY_SEAT, 1))
    page, other = new_page(None, **REDUCED_MOTION), Player(new_page(None, **REDUCED_MOTION))
    frozen: list[str] = []

    def connect(line: WebSocketRoute) -> None:
        if frozen:
            line.close()
        else:
            line.connect_to_server()

    page.route_web_socket(re.compile(seated.table), connect)
    Player(page).open_table_as(seated)
    other.open_table_as(seated._replace(token=seated.others[0]))

    def is_here() -> bool:
        return bool(other.info) and other.info["chairs"][MY_SEAT]["here"]

    other.wait_until(is_here)
    frozen.append(seated.table)
    page.evaluate("document.dispatchEvent(new Event('freeze'))")
    other.wait_until(lambda: not is_here())
    frozen.clear()
    other.wait_until(is_here)


class PushSender:
    """Delivers messages to a page's service worker, as the browser does."""

    def __init__(self, page: Page, address: str) -> None:
        self._address = address
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._ids: list[str] = []
        self._session.on("ServiceWorker.workerRegistrationUpdated", self._note_registration)
        self._session.send("ServiceWorker.enable")

    def _note_registration(self, event: dict[str, Any]) -> None:
        self._ids += [each["registrationId"] for each in event["registrations"]]

    def deliver(self, player: Player, **message: str) -> None:
        player.wait_until(lambda: self._ids)
        push = {
            "origin": self._address,
            "registrationId": self._ids[-1],
            "data": json.dumps(message),
        }
        self._session.send("ServiceWorker.deliverPushMessage", push)


def test_service_worker_shows_a_notification_that_opens_its_table(
    new_page: NewPage, table_setup: TableSetup, table_where_others_think: SeatedTable
) -> None:
    page = new_page("/", **NOTIFICATIONS_ALLOWED)
    player = Player(page)
    page.evaluate("navigator.serviceWorker.register('/sw.js')")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    (worker,) = page.context.service_workers
    worker.evaluate("self.badges = []")
    worker.evaluate("void (navigator.setAppBadge = async (n) => { self.badges.push(n) })")
    pushes = PushSender(page, table_setup.address)
    shown = {
        "title": "Your turn · Unikat",
        "body": "Ola, Max",
        "tag": table_where_others_think.table,
    }
    other = {"title": "Your turn · Unikat", "body": "Hana", "tag": "another"}
    for each in (shown, other, shown):
        pushes.deliver(player, table=each["tag"], title=each["title"], body=each["body"])
    # None of them is lost, though they come at once: the third replaces the first.
    player.wait_until(lambda: len(worker.evaluate("self.badges")) == 3)
    assert worker.evaluate("self.badges") == [1, 2, 2]
    assert sorted(page.evaluate(SHOWN_NOTIFICATIONS_JS), key=lambda one: str(one["body"])) == [
        other,
        shown,
    ]
    assert worker.evaluate(TAP_NOTIFICATION_JS, "another") == f"{table_setup.address}/t/another"
    player.wait_until(lambda: worker.evaluate("self.badges") == [1, 2, 2, 1])
    # Opening the table dismisses its notification.
    make_visit(page, table_setup).open_table(table_where_others_think)
    player.wait_until(lambda: page.evaluate(SHOWN_NOTIFICATIONS_JS) == [])
