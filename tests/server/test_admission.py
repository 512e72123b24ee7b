"""Who is admitted, by the origin, the proxies and the host of a request."""

from typing import Any

import pytest

from pytlik.game import Illegal, Malformed, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server.admission import Visitor, admit, group_address
from pytlik.server.settings import Settings, load_settings
from tests.server.asgi_scope import BEARER, COOKIE, TOKEN, scope
from tests.server.http_site import Site, json_of, reason

PUBLIC = Settings(host="0.0.0.0")

# ---------------------------------------------------------------------------------------- origin

OURS, FOREIGN = "http://pytlik.test", "https://evil.test"


@pytest.mark.parametrize(
    ("kind", "method", "headers", "admitted"),
    [
        ("http", "POST", {"cookie": COOKIE, "origin": OURS}, True),
        ("http", "POST", {"cookie": COOKIE, "origin": FOREIGN}, False),
        ("http", "POST", {"cookie": COOKIE, "origin": "null"}, False),
        ("http", "POST", {"cookie": COOKIE, "origin": "http://pytlik.test:81"}, False),
        ("http", "POST", {"cookie": COOKIE, "origin": "https://pytlik.test"}, False),
        ("http", "POST", {"cookie": COOKIE, "origin": "http://pytlik.test.evil.test"}, False),
        ("http", "POST", {"cookie": COOKIE}, False),
        ("http", "PUT", {"cookie": COOKIE, "origin": FOREIGN}, False),
        ("http", "DELETE", {"cookie": COOKIE, "origin": FOREIGN}, False),
        # Even without a cookie: otherwise a foreign page could make a browser take a new one and
        # lose its own.
        ("http", "POST", {"origin": FOREIGN}, False),
        ("http", "POST", {}, True),
        # No foreign page has a program's token.
        ("http", "POST", {"authorization": BEARER}, True),
        ("http", "POST", {"authorization": BEARER, "origin": FOREIGN}, True),
        ("http", "POST", {"authorization": BEARER, "cookie": COOKIE}, True),
        ("http", "GET", {"cookie": COOKIE, "origin": FOREIGN}, True),
        ("http", "GET", {"cookie": COOKIE}, True),
        ("websocket", "GET", {"cookie": COOKIE, "origin": OURS}, True),
        ("websocket", "GET", {"cookie": COOKIE, "origin": FOREIGN}, False),
        ("websocket", "GET", {"cookie": COOKIE}, False),
        ("websocket", "GET", {"origin": FOREIGN}, False),
        ("websocket", "GET", {"authorization": BEARER}, True),
        ("websocket", "GET", {}, True),
    ],
)
def test_origins(kind: str, method: str, headers: dict[str, str], admitted: bool) -> None:
    if admitted:
        admit(scope(kind, method, **headers), PUBLIC)
    else:
        with pytest.raises(Illegal) as refused:
            admit(scope(kind, method, **headers), PUBLIC)
        assert refused.value.reason is ServerReason.WRONG_ORIGIN


def test_two_origin_headers_are_refused() -> None:
    asked = scope(cookie=COOKIE, origin=OURS)
    asked["headers"].append((b"origin", FOREIGN.encode()))
    with pytest.raises(Illegal):
        admit(asked, PUBLIC)


def test_named_origins_are_the_only_ones() -> None:
    settings = load_settings(
        {"PYTLIK_ORIGINS": "https://Games.example:443/, http://10.0.0.2:8000"}, host="0.0.0.0"
    )
    admit(scope(cookie=COOKIE, origin="https://games.example"), settings)
    admit(scope(cookie=COOKIE, origin="http://10.0.0.2:8000"), settings)
    with pytest.raises(Illegal):
        admit(scope(cookie=COOKIE, origin=OURS), settings)


def test_the_origin_over_http(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table()
    refused = ola.post(f"{table}/seats", {"name": "x"}, headers={"origin": FOREIGN})
    assert reason(refused) == (403, "wrong_origin")
    assert json_of(ola.get(table))["yours"] == []


def test_a_foreign_form_can_not_be_sent(site: Site) -> None:
    program = site.browser(origin=None)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        refused = program.post(
            "/api/tables", content=b'{"game":"unikat"}', headers={"content-type": kind}
        )
        assert reason(refused) == (400, "bad_request")


# --------------------------------------------------------------------------------------- proxies

BEHIND = Settings(host="0.0.0.0", trusted_proxies=("10.0.0.0/8", "::1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.5", "198.51.100.7", "203.0.113.5"),  # no proxy of ours: not believed
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
def test_where_a_request_comes_from(peer: str | None, forwarded: str, address: str) -> None:
    asked = scope("http", "GET", peer, x_forwarded_for=forwarded)
    assert admit(asked, BEHIND).address == address


def test_headers_of_several_proxies_are_one_list() -> None:
    asked = scope("http", "GET", "10.0.0.1", x_forwarded_for="1.1.1.1, 198.51.100.7")
    asked["headers"].append((b"X-Forwarded-For", b"10.2.2.2"))
    assert admit(asked, BEHIND).address == "198.51.100.7"


def test_a_proxy_on_a_unix_socket() -> None:
    asked = scope("http", "GET", None, x_forwarded_for="198.51.100.7", x_forwarded_proto="https")
    behind = Settings(trusted_proxies=("unix",))
    assert admit(asked, behind) == Visitor(address="198.51.100.7", secure=True)


def test_only_a_trusted_proxy_says_that_it_is_tls_and_which_host() -> None:
    said = {
        "x_forwarded_proto": "https",
        "x_forwarded_host": "games.example",
        "origin": "https://games.example",
        "cookie": f"__Host-pytlik={TOKEN}",
    }
    trusted = admit(scope(peer="10.0.0.1", **said), BEHIND)
    assert (trusted.secure, trusted.token, trusted.by_cookie) == (True, TOKEN, True)
    with pytest.raises(Illegal):
        admit(scope(peer="203.0.113.5", **said), BEHIND)
    assert not admit(scope("http", "GET", "203.0.113.5", **said), BEHIND).secure


def test_addresses_are_counted_by_network() -> None:
    assert group_address("2001:db8::1") == "2001:db8::/64"
    assert group_address("::1") == "::/64"
    assert group_address("::ffff:192.0.2.1") == "192.0.2.1"
    assert group_address("192.0.2.1") == "192.0.2.1"


# ----------------------------------------------------------------------------------------- hosts

LOCAL, NAMED = (
    Settings(),
    load_settings({"PYTLIK_HOSTS": "Games.example., [2001:DB8::1]"}, host="0.0.0.0"),
)
BY_PROXY = Settings(trusted_proxies=("127.0.0.1",))


def refused_host(settings: Settings, host: str, peer: str = "127.0.0.1", **headers: str) -> bool:
    asked = scope("http", "GET", peer, host=host, **headers)
    try:
        admit(asked, settings)
    except Illegal as refused:
        return refused.reason is ServerReason.WRONG_HOST
    return False


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "LOCALHOST.", "pytlik.localhost:8000", "127.0.0.1:8000",
     "127.4.5.6", "[::1]", "[::1]:8000"],
)  # fmt: skip
def test_a_server_for_this_machine_answers_to_its_names(host: str) -> None:
    assert not refused_host(LOCAL, host)
    assert not refused_host(BY_PROXY, host)
    assert not refused_host(NAMED, host)
    assert not refused_host(Settings(host="::1"), host)
    assert not refused_host(Settings(host="localhost"), host)


@pytest.mark.parametrize(
    "host",
    ["rebound.evil.test", "rebound.evil.test:8000", "localhost.evil.test", "127.0.0.1.evil.test",
     "evil-localhost", "localhost@evil.test", "127.0.0.1, evil.test", "192.168.1.7:8000",
     "[2001:db8::1]:8000", "[::1", "localhost:80:80", "a b"],
)  # fmt: skip
def test_another_site_can_not_have_its_name_point_at_this_machine(host: str) -> None:
    for local in (LOCAL, Settings(host="127.0.0.2"), Settings(host="::1"), BY_PROXY):
        assert refused_host(local, host)
        assert refused_host(local, host, x_forwarded_host="localhost", peer="203.0.113.5")
    for kind in ("http", "websocket"):
        with pytest.raises(Illegal):
            admit(scope(kind, host=host, origin=f"http://{host}", cookie=COOKIE), LOCAL)


def test_a_proxy_on_this_machine_passes_on_what_it_is_called() -> None:
    """As in docs/hosting.md: the server is bound to 127.0.0.1 and trusts it as a proxy."""
    said = {
        "host": "games.example",
        "x_forwarded_proto": "https",
        "origin": "https://games.example",
    }
    visitor = admit(scope(peer="127.0.0.1", **said), BY_PROXY)
    assert visitor.secure
    named = Settings(trusted_proxies=("127.0.0.1",), hosts=("games.example",))
    admit(scope(peer="127.0.0.1", **said), named)
    assert refused_host(named, "localhost", x_forwarded_host="other.example")
    assert refused_host(named, "other.example", x_forwarded_for="198.51.100.7")


def test_the_hosts_of_named_origins_are_known() -> None:
    assert not refused_host(Settings(origins=("https://games.example",)), "games.example")
    assert refused_host(Settings(origins=("https://games.example",)), "other.example")


def test_a_public_server_answers_to_all_names_or_to_those_it_was_told() -> None:
    for host in ("games.example", "games.example:8000", "192.168.1.7", "[2001:db8::1]:8000"):
        assert not refused_host(PUBLIC, host)
        assert not refused_host(NAMED, host)
    assert not refused_host(NAMED, "[2001:db8:0::1]")
    assert not refused_host(PUBLIC, "evil.test")
    assert refused_host(NAMED, "evil.test")


@pytest.mark.parametrize("settings", [LOCAL, PUBLIC, NAMED])
def test_there_has_to_be_one_host_header(settings: Settings) -> None:
    twice, none = scope("http", "GET", host="localhost"), scope("http", "GET")
    twice["headers"].append((b"Host", b"localhost"))
    none["headers"] = []
    for asked in (twice, none):
        with pytest.raises(Malformed) as refused:
            admit(asked | {"http_version": "1.1"}, settings)
        assert refused.value.reason is Reason.BAD_REQUEST
    admit(none | {"http_version": "1.0"}, settings)
    with pytest.raises(Malformed):
        admit(twice | {"http_version": "1.0"}, settings)


def test_hosts_over_http(make_site: Any) -> None:
    local: Site = make_site(hosts=())
    browser = local.browser("http://localhost:8000")
    table = browser.create_table()
    attack = local.browser("http://rebound.evil.test:8000")
    for path in ("/", table, "/api/tables", "/healthz", "/metrics"):
        assert reason(attack.get(path)) == (403, "wrong_host")
    assert reason(attack.post("/api/tables", {"game": "unikat"})) == (403, "wrong_host")
    twice = [("host", "localhost"), ("host", "localhost")]
    answer = local.run(browser.client.request("GET", "/api/tables", headers=twice))
    assert reason(answer) == (400, "bad_request")
