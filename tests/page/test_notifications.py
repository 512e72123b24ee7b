"""Notifications: offered while others think, ended with one tap, shown by the service worker."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, WebSocketRoute, expect

from tests.page.conftest import PHONE, NewPage
from tests.page.player import Player, translate
from tests.page.scripted_play import ME, at_the_beginning
from tests.page.stage import Seated, Stage
from tests.page.visit import Visit
from tests.server.push_service import Device

CALM: Any = {"reduced_motion": "reduce"}
ALLOWED: Any = {
    "service_workers": "allow",
    "permissions": ["notifications"],
    **CALM,
}

SUBSCRIBES = """(({ endpoint, p256dh, auth }) => {
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

SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag }) => ({ title, body, tag }));
}"""

TAP = """async (table) => {
  const opened = new Promise((tell) => (self.clients.openWindow = async (url) => tell(url)));
  const [notification] = await self.registration.getNotifications({ tag: table });
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  return opened;
}"""


@pytest.fixture
def waiting(stage: Stage) -> Seated:
    """A table where somebody else thinks, and isn't there."""
    return stage.match("unikat", 3, lambda _: None, starter=1, absent=[1])


def visit_of(page: Page, stage: Stage) -> Visit:
    return Visit(page, stage, translate)


def test_they_are_offered_while_others_think_and_end_with_one_tap(
    new_page: NewPage, stage: Stage, waiting: Seated
) -> None:
    device = Device("https://push.example/page").subscription()
    page = new_page(None, viewport=PHONE, **ALLOWED)
    page.add_init_script(f"{SUBSCRIBES}({json.dumps(device)})")
    visit = visit_of(page, stage)
    visit.open_table(waiting)
    expect(visit.text("page.table.notify.offer", whole=False)).to_be_visible()
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")
    assert stage.subscriptions(waiting.token) == []
    visit.press("page.table.notify.yes")
    expect(visit.button("page.table.notify.yes")).to_have_count(0)
    (kept,) = stage.subscriptions(waiting.token)
    assert (kept.endpoint, kept.auth, kept.language) == (device["endpoint"], device["auth"], "en")

    visit.press("page.table.menu")
    visit.press("page.table.part.settings")
    switch = visit.named("switch", "page.settings.notify")
    expect(switch).to_be_checked()
    with page.expect_response("**/api/notifications/end"):
        switch.uncheck()
    expect(switch).not_to_be_checked()
    assert stage.subscriptions(waiting.token) == []
    page.reload()
    visit.wait_for("button", "page.table.nudge")
    expect(visit.button("page.table.notify.yes")).to_have_count(0)


def test_no_is_an_answer(new_page: NewPage, stage: Stage, waiting: Seated) -> None:
    page = new_page(None, **ALLOWED)
    visit = visit_of(page, stage)
    visit.open_table(waiting)
    visit.press("page.table.notify.no")
    visit.wait_for("button", "page.table.nudge")
    page.reload()
    visit.wait_for("button", "page.table.nudge")
    expect(visit.button("page.table.notify.no")).to_have_count(0)


def test_nobody_is_asked_on_their_own_turn(new_page: NewPage, stage: Stage) -> None:
    seated = stage.match("unikat", 3, lambda _: None, starter=ME, absent=[1])
    page = new_page(None, **ALLOWED)
    visit = visit_of(page, stage)
    with page.expect_response("**/api/notifications"):
        visit.open_table(seated)
    visit.sees("page.table.away", name="Maximilian")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    expect(visit.button("page.table.notify.yes")).to_have_count(0)
    expect(visit.button("page.table.nudge")).to_have_count(0)


def test_a_nudge(new_page: NewPage, stage: Stage, waiting: Seated) -> None:
    page = new_page(None, may_say="status of 4", **ALLOWED)
    visit = visit_of(page, stage)
    visit.open_table(waiting)
    visit.press("page.table.notify.no")
    toast = page.locator(".toast")
    visit.press("page.table.nudge")
    expect(toast).to_have_text(translate("page.table.nudged", name="Maximilian"))
    toast.click()
    expect(toast).to_have_count(0)
    visit.press("page.table.nudge")
    expect(toast).to_have_text(translate("reason.already_nudged"))


def test_who_has_a_frozen_page_is_away(new_page: NewPage, stage: Stage) -> None:
    """So the server notifies them: the page can't. A browser without a window freezes nothing, so
    the page is only told that it will be, and doesn't get a new connection until it thaws."""
    seated = stage.match("unikat", 2, at_the_beginning, absent=(ME, 1))
    page, other = new_page(None, **CALM), Player(new_page(None, **CALM))
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
        return bool(other.info) and other.info["chairs"][ME]["here"]

    other.until(is_here)
    frozen.append(seated.table)
    page.evaluate("document.dispatchEvent(new Event('freeze'))")
    other.until(lambda: not is_here())
    frozen.clear()
    other.until(is_here)


class Pushes:
    """Delivers messages to a page's service worker, as the browser does."""

    def __init__(self, page: Page, address: str) -> None:
        self._address = address
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._ids: list[str] = []
        self._session.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._session.send("ServiceWorker.enable")

    def _note(self, event: dict[str, Any]) -> None:
        self._ids += [each["registrationId"] for each in event["registrations"]]

    def deliver(self, player: Player, **message: str) -> None:
        player.until(lambda: self._ids)
        said = {
            "origin": self._address,
            "registrationId": self._ids[-1],
            "data": json.dumps(message),
        }
        self._session.send("ServiceWorker.deliverPushMessage", said)


def test_the_service_worker_shows_a_notification_that_opens_its_table(
    new_page: NewPage, stage: Stage, waiting: Seated
) -> None:
    page = new_page("/", **ALLOWED)
    player = Player(page)
    page.evaluate("navigator.serviceWorker.register('/sw.js')")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    (worker,) = page.context.service_workers
    worker.evaluate("self.badges = []")
    worker.evaluate("void (navigator.setAppBadge = async (n) => { self.badges.push(n) })")
    pushes = Pushes(page, stage.address)
    shown = {"title": "Your turn · Unikat", "body": "Ola, Max", "tag": waiting.table}
    other = {"title": "Your turn · Unikat", "body": "Hana", "tag": "another"}
    for each in (shown, other, shown):
        pushes.deliver(player, table=each["tag"], title=each["title"], body=each["body"])
    # They come at once, and none is lost: the third takes the place of the first.
    player.until(lambda: len(worker.evaluate("self.badges")) == 3)
    assert worker.evaluate("self.badges") == [1, 2, 2]
    assert sorted(page.evaluate(SHOWN), key=lambda one: str(one["body"])) == [other, shown]
    assert worker.evaluate(TAP, "another") == f"{stage.address}/t/another"
    player.until(lambda: worker.evaluate("self.badges") == [1, 2, 2, 1])
    # Whoever sees the table needs no notification of it.
    visit_of(page, stage).open_table(waiting)
    player.until(lambda: page.evaluate(SHOWN) == [])
