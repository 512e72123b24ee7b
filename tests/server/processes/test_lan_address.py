"""The server's address on the local network, which only its own machine learns."""

from typing import Any

import pytest

from pytlik.server.routes import lan
from tests.server.http_site import json_of

LAN_ADDRESS = "192.168.1.7"


@pytest.fixture(autouse=True)
def known_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "find_lan_address", lambda: LAN_ADDRESS)


@pytest.mark.parametrize(
    ("listens_on", "asks_from", "host"),
    [
        ("0.0.0.0", "127.0.0.1", LAN_ADDRESS),
        ("::", "::1", LAN_ADDRESS),
        ("0.0.0.0", "192.168.1.9", None),
        ("::", "2001:db8::1", None),
        ("127.0.0.1", "127.0.0.1", None),
    ],
)
def test_lan_address_is_sent_only_to_this_machine(
    make_site: Any, listens_on: str, asks_from: str, host: str | None
) -> None:
    site = make_site(host=listens_on)
    assert json_of(site.browser(address=asks_from).get("/api/lan")) == {"host": host}


def test_visitor_behind_a_local_proxy_is_not_from_this_machine(
    make_site: Any,
) -> None:
    site = make_site(host="0.0.0.0", trusted_proxies=("127.0.0.1",))
    passed_on = {"x-forwarded-for": "198.51.100.7"}
    visitor = site.browser(address="127.0.0.1")
    assert json_of(visitor.get("/api/lan", headers=passed_on)) == {"host": None}


def test_machine_without_a_network_has_no_lan_address(
    make_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "find_lan_address", lambda: "127.0.0.1")
    site = make_site(host="0.0.0.0")
    assert json_of(site.browser(address="127.0.0.1").get("/api/lan")) == {"host": None}
