"""Which requests are admitted, by their origin, proxies and host."""

from contextlib import nullcontext
from typing import Any

import pytest

from pytlik.game import Illegal, Malformed, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server.access.admission import Headers, Visitor, admit, rate_limit_address
from pytlik.server.access.request_gate import check_content_type
from pytlik.server.settings import Settings, load_settings
from tests.server.asgi_scope import BEARER_HEADER, COOKIE_HEADER, TOKEN, make_scope
from tests.server.http_site import Site, json_of, status_and_reason

PUBLIC_SETTINGS = Settings(host="0.0.0.0")

# ---------------------------------------------------------------------------------------- origin

OWN_ORIGIN, FOREIGN_ORIGIN = "http://pytlik.test", "https://evil.test"


@pytest.mark.parametrize(
    ("kind", "method", "headers", "admitted"),
    [
        ("http", "POST", {"cookie": COOKIE_HEADER, "origin": OWN_ORIGIN}, True),
        ("http", "POST", {"cookie": COOKIE_HEADER, "origin": FOREIGN_ORIGIN}, False),
        ("http", "POST", {"cookie": COOKIE_HEADER, "origin": "null"}, False),
        ("http", "POST", {"cookie": COOKIE_HEADER, "origin": "http://pytlik.test:81"}, False),
        ("http", "POST", {"cookie": COOKIE_HEADER, "origin": "https://pytlik.test"}, False),
        (
            "http",
            "POST",
            {"cookie": COOKIE_HEADER, "origin": "http://pytlik.test.evil.test"},
            False,
        ),
        ("http", "POST", {"cookie": COOKIE_HEADER}, False),
        ("http", "PUT", {"cookie": COOKIE_HEADER, "origin": FOREIGN_ORIGIN}, False),
        ("http", "DELETE", {"cookie": COOKIE_HEADER, "origin": FOREIGN_ORIGIN}, False),
        # Even without a cookie: otherwise a foreign page could make a browser take a new one and
        # lose its own.
        ("http", "POST", {"origin": FOREIGN_ORIGIN}, False),
        ("http", "POST", {}, True),
        # No foreign page has a program's token.
        ("http", "POST", {"authorization": BEARER_HEADER}, True),
        ("http", "POST", {"authorization": BEARER_HEADER, "origin": FOREIGN_ORIGIN}, True),
        ("http", "POST", {"authorization": BEARER_HEADER, "cookie": COOKIE_HEADER}, True),
        ("http", "GET", {"cookie": COOKIE_HEADER, "origin": FOREIGN_ORIGIN}, True),
        ("http", "GET", {"cookie": COOKIE_HEADER}, True),
        ("websocket", "GET", {"cookie": COOKIE_HEADER, "origin": OWN_ORIGIN}, True),
        ("websocket", "GET", {"cookie": COOKIE_HEADER, "origin": FOREIGN_ORIGIN}, False),
        ("websocket", "GET", {"cookie": COOKIE_HEADER}, False),
        ("websocket", "GET", {"origin": FOREIGN_ORIGIN}, False),
        ("websocket", "GET", {"authorization": BEARER_HEADER}, True),
        ("websocket", "GET", {}, True),
    ],
)
def test_origins(kind: str, method: str, headers: dict[str, str], admitted: bool) -> None:
    if admitted:
        admit(make_scope(kind, method, **headers), PUBLIC_SETTINGS)
    else:
        with pytest.raises(Illegal) as refused:
            admit(make_scope(kind, method, **headers), PUBLIC_SETTINGS)
        assert refused.value.reason is ServerReason.WRONG_ORIGIN


def test_two_origin_headers_are_refused() -> None:
    scope = make_scope(cookie=COOKIE_HEADER, origin=OWN_ORIGIN)
    scope["headers"].append((b"origin", FOREIGN_ORIGIN.encode()))
    with pytest.raises(Illegal):
        admit(scope, PUBLIC_SETTINGS)


def test_only_configured_origins_are_accepted() -> None:
    settings = load_settings(
        {"PYTLIK_ORIGINS": "https://Games.example:443/, http://10.0.0.2:8000"}, host="0.0.0.0"
    )
    admit(make_scope(cookie=COOKIE_HEADER, origin="https://games.example"), settings)
    admit(make_scope(cookie=COOKIE_HEADER, origin="http://10.0.0.2:8000"), settings)
    with pytest.raises(Illegal):
        admit(make_scope(cookie=COOKIE_HEADER, origin=OWN_ORIGIN), settings)


def test_wrong_origin_is_refused_over_http(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table()
    refused = ola.post(f"{table}/seats", {"name": "x"}, headers={"origin": FOREIGN_ORIGIN})
    assert status_and_reason(refused) == (403, "wrong_origin")
    assert json_of(ola.get(table))["yours"] == []


def test_foreign_forms_are_refused(site: Site) -> None:
    program = site.browser(origin=None)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        refused = program.post(
            "/api/tables", content=b'{"game":"unikat"}', headers={"content-type": kind}
        )
        assert status_and_reason(refused) == (400, "bad_request")


@pytest.mark.parametrize(
    ("headers", "accepted"),
    [
        ({}, True),
        ({"content_length": "0"}, True),
        ({"content_length": "2", "content_type": "application/json"}, True),
        ({"content_length": "2", "content_type": "Application/JSON; charset=utf-8"}, True),
        ({"content_length": "2"}, False),
        ({"transfer_encoding": "chunked"}, False),
        ({"content_length": "0", "content_type": "text/plain"}, False),
    ],
)
def test_request_with_a_body_must_be_json(headers: dict[str, str], accepted: bool) -> None:
    with nullcontext() if accepted else pytest.raises(Malformed, match="application/json"):
        check_content_type(Headers(make_scope(**headers)))


# --------------------------------------------------------------------------------------- proxies

BEHIND_PROXY_SETTINGS = Settings(host="0.0.0.0", trusted_proxies=("10.0.0.0/8", "::1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.5", "198.51.100.7", "203.0.113.5"),  # not our proxy, so not trusted
        ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.7", "198.51.100.7"),  # the visitor made up the first one
        ("10.0.0.1", "1.1.1.1, 198.51.100.7, 10.9.9.9", "198.51.100.7"),
        ("10.0.0.1", "10.1.1.1, 10.2.2.2", "10.1.1.1"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        # A visitor may write anything to the left of what our proxies add.
        ("10.0.0.1", "10.7.7.7, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "127.0.0.1, ::1, 198.51.100.7, 10.2.2.2, 10.3.3.3", "198.51.100.7"),
        ("10.0.0.1", "198.51.100.8, nonsense, 10.2.2.2", "10.2.2.2"),
        ("10.0.0.1", "198.51.100.8, , 10.2.2.2", "10.2.2.2"),
        ("10.0.0.1", "198.51.100.7, unknown", "10.0.0.1"),
        # Some proxies add the port.
        ("10.0.0.1", "198.51.100.7:50123", "198.51.100.7"),
        ("10.0.0.1", "198.51.100.7:50123, 10.2.2.2:443", "198.51.100.7"),
        ("10.0.0.1", "[2001:db8:1:2:3::4]:50123", "2001:db8:1:2::/64"),
        ("10.0.0.1", "[2001:db8:1:2:3::4], [::1]:443", "2001:db8:1:2::/64"),
        ("::1", "::ffff:198.51.100.7, ::ffff:10.0.0.2", "198.51.100.7"),
        ("10.0.0.1", "198.51.100.7:50123:1", "10.0.0.1"),
        ("10.0.0.1", "[198.51.100.7", "10.0.0.1"),
        ("not an address", "198.51.100.7", "not an address"),
        (None, "198.51.100.7", "unix"),
    ],
)
def test_address_of_a_request(peer: str | None, forwarded: str, address: str) -> None:
    scope = make_scope("http", "GET", peer, x_forwarded_for=forwarded)
    assert admit(scope, BEHIND_PROXY_SETTINGS).address == address


def test_headers_of_several_proxies_count_as_one_list() -> None:
    scope = make_scope("http", "GET", "10.0.0.1", x_forwarded_for="1.1.1.1, 198.51.100.7")
    scope["headers"].append((b"X-Forwarded-For", b"10.2.2.2"))
    assert admit(scope, BEHIND_PROXY_SETTINGS).address == "198.51.100.7"


def test_a_proxy_on_a_unix_socket() -> None:
    scope = make_scope(
        "http", "GET", None, x_forwarded_for="198.51.100.7", x_forwarded_proto="https"
    )
    behind = Settings(trusted_proxies=("unix",))
    assert admit(scope, behind) == Visitor(address="198.51.100.7", secure=True)


def test_only_a_trusted_proxy_sets_scheme_and_host() -> None:
    headers = {
        "x_forwarded_proto": "https",
        "x_forwarded_host": "games.example",
        "origin": "https://games.example",
        "cookie": f"__Host-pytlik={TOKEN}",
    }
    trusted = admit(make_scope(peer="10.0.0.1", **headers), BEHIND_PROXY_SETTINGS)
    assert (trusted.secure, trusted.token, trusted.by_cookie) == (True, TOKEN, True)
    with pytest.raises(Illegal):
        admit(make_scope(peer="203.0.113.5", **headers), BEHIND_PROXY_SETTINGS)
    assert not admit(
        make_scope("http", "GET", "203.0.113.5", **headers), BEHIND_PROXY_SETTINGS
    ).secure


def test_last_value_of_a_forwarded_header_counts() -> None:
    """Visitors can put anything before the value that our proxy adds."""
    scope = make_scope("http", "GET", "10.0.0.1", x_forwarded_proto="https, http")
    assert not admit(scope, BEHIND_PROXY_SETTINGS).secure
    headers = {"x_forwarded_proto": "https", "origin": "https://games.example"}
    admit(
        make_scope(peer="10.0.0.1", x_forwarded_host="evil.test, games.example", **headers),
        BEHIND_PROXY_SETTINGS,
    )


def test_ipv6_addresses_are_limited_by_network() -> None:
    assert rate_limit_address("2001:db8::1") == "2001:db8::/64"
    assert rate_limit_address("::1") == "::/64"
    assert rate_limit_address("::ffff:192.0.2.1") == "192.0.2.1"
    assert rate_limit_address("192.0.2.1") == "192.0.2.1"


# ----------------------------------------------------------------------------------------- hosts

LOCAL_SETTINGS, NAMED_HOST_SETTINGS = (
    Settings(),
    load_settings({"PYTLIK_HOSTS": "Games.example., [2001:DB8::1]"}, host="0.0.0.0"),
)
LOCAL_PROXY_SETTINGS = Settings(trusted_proxies=("127.0.0.1",))


def is_host_refused(settings: Settings, host: str, peer: str = "127.0.0.1", **headers: str) -> bool:
    scope = make_scope("http", "GET", peer, host=host, **headers)
    try:
        admit(scope, settings)
    except Illegal as refused:
        return refused.reason is ServerReason.WRONG_HOST
    return False


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "LOCALHOST.", "pytlik.localhost:8000", "127.0.0.1:8000",
     "127.4.5.6", "[::1]", "[::1]:8000"],
)  # fmt: skip
def test_local_server_accepts_the_machines_own_names(host: str) -> None:
    assert not is_host_refused(LOCAL_SETTINGS, host)
    assert not is_host_refused(LOCAL_PROXY_SETTINGS, host)
    assert not is_host_refused(NAMED_HOST_SETTINGS, host)
    assert not is_host_refused(Settings(host="::1"), host)
    assert not is_host_refused(Settings(host="localhost"), host)


@pytest.mark.parametrize(
    "host",
    ["rebound.evil.test", "rebound.evil.test:8000", "localhost.evil.test", "127.0.0.1.evil.test",
     "evil-localhost", "localhost@evil.test", "127.0.0.1, evil.test", "192.168.1.7:8000",
     "[2001:db8::1]:8000", "[::1", "localhost:80:80", "a b"],
)  # fmt: skip
def test_dns_rebinding_is_refused(host: str) -> None:
    for local in (
        LOCAL_SETTINGS,
        Settings(host="127.0.0.2"),
        Settings(host="::1"),
        LOCAL_PROXY_SETTINGS,
    ):
        assert is_host_refused(local, host)
        assert is_host_refused(local, host, x_forwarded_host="localhost", peer="203.0.113.5")
    for kind in ("http", "websocket"):
        with pytest.raises(Illegal):
            admit(
                make_scope(kind, host=host, origin=f"http://{host}", cookie=COOKIE_HEADER),
                LOCAL_SETTINGS,
            )


def test_local_proxy_passes_on_the_public_host() -> None:
    """As in docs/hosting.md: the server is bound to 127.0.0.1 and trusts it as a proxy."""
    headers = {
        "host": "games.example",
        "x_forwarded_proto": "https",
        "origin": "https://games.example",
    }
    visitor = admit(make_scope(peer="127.0.0.1", **headers), LOCAL_PROXY_SETTINGS)
    assert visitor.secure
    named = Settings(trusted_proxies=("127.0.0.1",), hosts=("games.example",))
    admit(make_scope(peer="127.0.0.1", **headers), named)
    assert is_host_refused(named, "localhost", x_forwarded_host="other.example")
    assert is_host_refused(named, "other.example", x_forwarded_for="198.51.100.7")


def test_hosts_of_configured_origins_are_accepted() -> None:
    assert not is_host_refused(Settings(origins=("https://games.example",)), "games.example")
    assert is_host_refused(Settings(origins=("https://games.example",)), "other.example")


def test_public_server_accepts_all_hosts_unless_configured() -> None:
    for host in ("games.example", "games.example:8000", "192.168.1.7", "[2001:db8::1]:8000"):
        assert not is_host_refused(PUBLIC_SETTINGS, host)
        assert not is_host_refused(NAMED_HOST_SETTINGS, host)
    assert not is_host_refused(NAMED_HOST_SETTINGS, "[2001:db8:0::1]")
    assert not is_host_refused(PUBLIC_SETTINGS, "evil.test")
    assert is_host_refused(NAMED_HOST_SETTINGS, "evil.test")


@pytest.mark.parametrize("settings", [LOCAL_SETTINGS, PUBLIC_SETTINGS, NAMED_HOST_SETTINGS])
def test_exactly_one_host_header_is_required(settings: Settings) -> None:
    twice, none = make_scope("http", "GET", host="localhost"), make_scope("http", "GET")
    twice["headers"].append((b"Host", b"localhost"))
    none["headers"] = []
    for scope in (twice, none):
        with pytest.raises(Malformed) as refused:
            admit(scope | {"http_version": "1.1"}, settings)
        assert refused.value.reason is Reason.BAD_REQUEST
    admit(none | {"http_version": "1.0"}, settings)
    with pytest.raises(Malformed):
        admit(twice | {"http_version": "1.0"}, settings)


def test_wrong_host_is_refused_over_http(make_site: Any) -> None:
    local: Site = make_site(hosts=())
    browser = local.browser("http://localhost:8000")
    table = browser.create_table()
    attack = local.browser("http://rebound.evil.test:8000")
    for path in ("/", table, "/api/tables", "/healthz", "/metrics"):
        assert status_and_reason(attack.get(path)) == (403, "wrong_host")
    assert status_and_reason(attack.post("/api/tables", {"game": "unikat"})) == (403, "wrong_host")
    twice = [("host", "localhost"), ("host", "localhost")]
    answer = local.run(browser.client.request("GET", "/api/tables", headers=twice))
    assert status_and_reason(answer) == (400, "bad_request")
