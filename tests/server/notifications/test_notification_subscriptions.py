"""How a browser subscribes to notifications, and what ends its subscription."""

import sys
from typing import Any

import pytest

from pytlik.server import tokens
from pytlik.server.match.deadlines import NOTICE_DEADLINE_PREFIX
from pytlik.server.notifications import push_notifications
from pytlik.store import Unavailable
from tests.server.http_site import Browser, Site, json_of, status_and_reason
from tests.server.push_service import (
    Device,
)

HOUR_MS = 3_600_000


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser("https://pytlik.test")


def make_device(number: int = 1) -> Device:
    return Device(f"https://push.example/{number}")


def subscribed_devices(site: Site, browser: Browser) -> list[str]:
    (token,) = (value for name, value in browser.cookies.items() if name.endswith("pytlik"))
    found = site.run(site.store.subscriptions_of(tokens.holder_of(token)))
    return [each.endpoint.rpartition("/")[2] for each in found]


def test_browser_subscribes_and_unsubscribes(site: Site, ola: Browser) -> None:
    body = make_device().subscription("cs-CZ")
    json_of(ola.put("/api/notifications", body))
    json_of(ola.put("/api/notifications", body))
    assert subscribed_devices(site, ola) == ["1"]
    (kept,) = site.run(
        site.store.subscriptions_of(tokens.holder_of(next(iter(ola.cookies.values()))))
    )
    assert (kept.language, kept.origin, kept.at) == ("cs", "https://pytlik.test", site.now)
    json_of(site.browser().post("/api/notifications/end", {"endpoint": body["endpoint"]}))
    assert subscribed_devices(site, ola) == ["1"]
    for endpoint in (body["endpoint"], "\0", "not an address"):
        json_of(ola.post("/api/notifications/end", {"endpoint": endpoint}))
    assert subscribed_devices(site, ola) == []


def test_person_has_at_most_eight_devices(site: Site, ola: Browser) -> None:
    for number in range(10):
        site.now += 1
        json_of(ola.put("/api/notifications", make_device(number).subscription()))
    assert subscribed_devices(site, ola) == ["9", "8", "7", "6", "5", "4", "3", "2"]


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "http://push.example/1"},
        {"endpoint": "https://push.example/1\r\nHost: other"},
        {"endpoint": "https://push.example/" + "1" * 1000},
        {"p256dh": "AAAA"},
        {"auth": "AAAA"},
        {"language": "x" * 99},
    ],
)
def test_malformed_subscriptions_are_refused(ola: Browser, change: dict[str, str]) -> None:
    body = make_device().subscription() | change
    assert status_and_reason(ola.put("/api/notifications", body)) == (400, "bad_request")


def test_a_person_who_is_forgotten_is_not_notified(site: Site, ola: Browser) -> None:
    json_of(ola.put("/api/notifications", make_device().subscription()))
    json_of(ola.delete("/api/me"))
    assert subscribed_devices(site, ola) == []


def test_ending_other_devices_ends_their_notifications(site: Site) -> None:
    browser = site.browser()
    table = browser.create_table()
    browser.sit_down(table)
    json_of(browser.put("/api/notifications", make_device().subscription()))
    old = tokens.holder_of(browser.cookies["pytlik"])
    json_of(browser.post("/api/cookie/renewal"))
    json_of(browser.post("/api/adoption", {}))
    assert site.run(site.store.subscriptions_of(old)) == []
    json_of(browser.put("/api/notifications", make_device().subscription()))
    assert (
        len(site.run(site.store.subscriptions_of(tokens.holder_of(browser.cookies["pytlik"])))) == 1
    )


def test_subscription_expires_after_a_year_without_confirmation(site: Site, ola: Browser) -> None:
    json_of(ola.put("/api/notifications", make_device().subscription()))
    site.now += 364 * 24 * HOUR_MS
    site.run(site.cleanup.forget_guesses_and_tokens())
    assert subscribed_devices(site, ola) == ["1"]
    site.now += 2 * 24 * HOUR_MS
    site.run(site.cleanup.forget_guesses_and_tokens())
    assert subscribed_devices(site, ola) == []


def test_key_is_the_same_on_all_workers_and_after_restarts(site: Site, make_site: Any) -> None:
    key = json_of(site.browser().get("/api/notifications"))["key"]
    other = push_notifications.make_push_notifications(site.store, lambda: site.now)
    assert other
    assert site.run(other.public_key()) == key
    assert json_of(make_site().browser().get("/api/notifications"))["key"] != key


def test_workers_that_create_the_key_at_the_same_time_share_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        push_notifications.make_push_notifications(site.store, lambda: site.now) for _ in range(2)
    )
    assert first
    assert second
    key = site.run(first.public_key())

    async def read_too_early(_: str) -> None:
        monkeypatch.undo()

    monkeypatch.setattr(site.store, "server_key", read_too_early)
    assert site.run(second.public_key()) == key


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if `cryptography` weren't installed."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    monkeypatch.delitem(sys.modules, "pytlik.server.notifications.push_encryption")
    monkeypatch.delattr("pytlik.server.notifications.push_encryption")


@pytest.mark.usefixtures("without_extra")
def test_a_server_without_the_extra_offers_nothing(make_site: Any) -> None:
    browser = make_site().browser()
    assert json_of(browser.get("/api/notifications")) == {"key": None}
    refused = browser.put("/api/notifications", make_device().subscription())
    assert status_and_reason(refused) == (404, "not_found")
    table = browser.create_table(chairs=2)
    browser.sit_down(table, "Ola")
    browser.site.browser(address="203.0.113.6").sit_down(table, "Max")
    browser.start_match(table)
    due = browser.site.run(browser.site.store.deadlines())
    assert not any(NOTICE_DEADLINE_PREFIX in each.kind for each in due)


def test_the_key_is_not_lost_when_the_store_is_away(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: str) -> None:
        raise Unavailable("away")

    with monkeypatch.context() as away:
        away.setattr(site.store, "server_key", fail)
        assert status_and_reason(site.browser().get("/api/notifications"))[0] == 503
    assert json_of(site.browser().get("/api/notifications"))["key"]
