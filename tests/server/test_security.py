"""Who may ask: origins, proxies, cookies, tokens, passphrases, and what every answer says."""

from typing import Any

import pytest

from pytlik.game import Illegal, Reason
from pytlik.server import tokens
from pytlik.server.security import HEADERS, Visitor, admit, grouped
from pytlik.server.settings import Settings, load
from tests.server.site import Browser, Site, done, empty_database, make_site, reason, site

__all__ = ["empty_database", "make_site", "site"]

TOKEN = "A" * 22


def scope(
    kind: str = "http",
    method: str = "POST",
    peer: str | None = "203.0.113.5",
    path: str = "/api/tables",
    scheme: str = "http",
    **headers: str,
) -> dict[str, Any]:
    named = {"host": "pytlik.test", **{key.replace("_", "-"): v for key, v in headers.items()}}
    return {
        "type": kind,
        "method": method,
        "path": path,
        "scheme": scheme,
        "client": (peer, 1) if peer else None,
        "headers": [(key.encode(), value.encode()) for key, value in named.items()],
    }


# ---------------------------------------------------------------------------------------- origin

OURS, FOREIGN = "http://pytlik.test", "https://evil.test"
COOKIE, BEARER = f"pytlik={TOKEN}", f"Bearer {TOKEN}"


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
        # Without a cookie: a browser on a foreign page would be given a new one, and lose its own.
        ("http", "POST", {"origin": FOREIGN}, False),
        ("http", "POST", {}, True),
        # A program's token is nothing that a foreign page has.
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
        admit(scope(kind, method, **headers), Settings())
    else:
        with pytest.raises(Illegal) as refused:
            admit(scope(kind, method, **headers), Settings())
        assert refused.value.reason is Reason.WRONG_ORIGIN


def test_two_origins_are_none() -> None:
    asked = scope(cookie=COOKIE, origin=OURS)
    asked["headers"].append((b"origin", FOREIGN.encode()))
    with pytest.raises(Illegal):
        admit(asked, Settings())


def test_named_origins_are_the_only_ones() -> None:
    settings = load({"PYTLIK_ORIGINS": "https://Games.example:443/, http://10.0.0.2:8000"})
    admit(scope(cookie=COOKIE, origin="https://games.example"), settings)
    admit(scope(cookie=COOKIE, origin="http://10.0.0.2:8000"), settings)
    with pytest.raises(Illegal):
        admit(scope(cookie=COOKIE, origin=OURS), settings)


def test_the_origin_over_http(site: Site) -> None:
    ola = site.browser()
    table = ola.makes_table()
    refused = ola.post(f"{table}/seats", {"name": "x"}, headers={"origin": FOREIGN})
    assert reason(refused) == (403, "wrong_origin")
    assert done(ola.get(table))["yours"] == []


def test_a_foreign_form_can_not_be_sent(site: Site) -> None:
    program = site.browser(origin=None)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        refused = program.post(
            "/api/tables", content=b'{"game":"unikat"}', headers={"content-type": kind}
        )
        assert reason(refused) == (400, "bad_request")


# --------------------------------------------------------------------------------------- proxies

BEHIND = Settings(trusted_proxies=("10.0.0.0/8", "::1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.5", "198.51.100.7", "203.0.113.5"),  # no proxy of ours: not believed
        ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.7", "198.51.100.7"),  # the first was made up
        ("10.0.0.1", "1.1.1.1, 198.51.100.7, 10.9.9.9", "198.51.100.7"),
        ("10.0.0.1", "10.1.1.1, 10.2.2.2", "10.1.1.1"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("not an address", "198.51.100.7", "not an address"),
        (None, "198.51.100.7", "unix"),
    ],
)
def test_where_a_request_comes_from(peer: str | None, forwarded: str, address: str) -> None:
    asked = scope("http", "GET", peer, x_forwarded_for=forwarded)
    assert admit(asked, BEHIND).address == address


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
    assert grouped("2001:db8::1") == "2001:db8::/64"
    assert grouped("::1") == "::/64"
    assert grouped("::ffff:192.0.2.1") == "192.0.2.1"
    assert grouped("192.0.2.1") == "192.0.2.1"


# --------------------------------------------------------------------------- cookies and tokens


def given(site: Site, url: str, **extra: Any) -> str:
    answer = site.browser(url, **extra).post("/api/tables", {"game": "unikat"})
    return str(answer.headers["set-cookie"])


def test_cookies_by_http_and_by_tls(make_site: Any) -> None:
    plain, _, rest = given(make_site(), "http://pytlik.test").partition("=")
    assert plain == "pytlik"
    assert rest[22:] == "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
    secure = given(make_site(), "https://pytlik.test")
    assert secure.startswith("__Host-pytlik=")
    assert secure.endswith("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure")


def test_cookies_behind_a_proxy_with_a_base_path(make_site: Any) -> None:
    site: Site = make_site(base_path="/games", trusted_proxies=("10.0.0.0/8",))
    ola = site.browser("http://pytlik.test", address="10.0.0.1")
    answer = ola.post("/games/api/tables", {"game": "unikat"})
    assert "; Path=/games;" in answer.headers["set-cookie"]
    assert reason(ola.post("/api/tables", {"game": "unikat"})) == (404, "not_found")
    assert 'data-base="/games"' in ola.get("/games").text
    assert "/games/api/mine" in done(ola.get("/games/schema/openapi.json"))["paths"]
    by_tls = ola.post(
        "/games/api/tables",
        {"game": "unikat"},
        headers={"x-forwarded-proto": "https", "origin": "https://pytlik.test"},
    )
    assert by_tls.headers["set-cookie"].startswith("__Host-pytlik=")
    assert "; Path=/;" in by_tls.headers["set-cookie"]


def test_a_browser_keeps_its_token(site: Site) -> None:
    ola = site.browser()
    ola.makes_table()
    token = ola.cookies["pytlik"]
    assert len(token) == 22
    ola.makes_table()
    assert ola.cookies["pytlik"] == token
    assert site.browser().post("/api/tables", {"game": "unikat"}).headers["set-cookie"][7:29] != (
        token
    )


@pytest.mark.parametrize("said", ["Bearer", "Bearer x", "Basic Zm9vOmJhcg==", "Bearer " + "é" * 22])
def test_what_is_no_token(site: Site, said: str) -> None:
    asked = scope("http", "GET", authorization=said)
    with pytest.raises(Illegal) as refused:
        admit(asked, Settings(admin_token="x" * 20))
    assert refused.value.reason is Reason.BAD_TOKEN
    refused_ = site.browser().get("/api/mine", headers={"authorization": "Bearer x"})
    assert reason(refused_) == (401, "bad_token")
    assert refused_.headers["www-authenticate"] == "Bearer"


def test_a_token_and_its_hash() -> None:
    token = tokens.new()
    assert tokens.well_formed(token)
    assert tokens.holder(token) == tokens.holder(tokens.marked(token, "open sesame"))
    assert len({tokens.new() for _ in range(100)}) == 100


# ----------------------------------------------------------------------------- private servers


@pytest.fixture
def private(make_site: Any) -> Site:
    made: Site = make_site(passphrase="open sesame", admin_token="x" * 20)
    return made


def test_a_private_server_tells_nothing_without_the_passphrase(private: Site) -> None:
    stranger = private.browser()
    for path in ("/", "/healthz", "/readyz"):
        assert stranger.get(path).status_code == 200
    for path in ("/api/tables", "/api/mine", "/schema/openapi.json", "/metrics", "/health",
                 "/nowhere", "/api/enter/"):  # fmt: skip
        assert reason(stranger.get(path)) == (401, "passphrase_needed")
    assert reason(stranger.post("/api/tokens")) == (401, "passphrase_needed")
    for asked in (
        scope("websocket", path="/"),
        scope("websocket", authorization=BEARER),
        scope("http", "GET", path="//api/tables"),
    ):
        with pytest.raises(Illegal) as refused:
            admit(asked, private.settings)
        assert refused.value.reason is Reason.PASSPHRASE_NEEDED


def test_who_knows_the_passphrase_comes_in_and_keeps_their_token(private: Site) -> None:
    ola = private.browser(cookie=f"pytlik={TOKEN}")
    refused = ola.post("/api/enter", {"passphrase": "open"})
    assert reason(refused) == (403, "wrong_passphrase")
    answer = ola.post("/api/enter", {"passphrase": "open sesame"})
    assert done(answer) == {"token": None}
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert cookie.startswith(f"pytlik={TOKEN}.")
    entered = private.browser(cookie=cookie)
    table = entered.makes_table()
    entered.sits(table)
    # A mark is a token's own, and this passphrase's.
    other = private.browser(cookie=cookie.replace(TOKEN, "B" * 22))
    assert reason(other.get(table)) == (401, "passphrase_needed")
    assert not tokens.bears_mark(tokens.marked(TOKEN, "old one"), "open sesame")


def test_programs_enter_with_a_token(private: Site) -> None:
    program = private.browser(origin=None)
    told = done(program.post("/api/enter", {"passphrase": "open sesame", "program": True}))
    entered = private.browser(origin=None, authorization=f"Bearer {told['token']}")
    entered.sits(entered.makes_table())
    again = done(entered.post("/api/tokens"))["token"]
    assert done(private.browser(authorization=f"Bearer {again}").get("/api/mine")) == []
    known = private.browser(origin=None, authorization=BEARER)
    told = done(known.post("/api/enter", {"passphrase": "open sesame", "program": True}))
    assert told["token"].startswith(TOKEN)


def test_the_administrator_is_let_in(private: Site) -> None:
    admin = private.browser(origin=None, authorization="Bearer " + "x" * 20)
    assert done(admin.get("/api/tables")) == []
    assert admin.get("/metrics").status_code == 200


def test_an_open_server_has_no_passphrase(site: Site) -> None:
    refused = site.browser().post("/api/enter", {"passphrase": ""})
    assert reason(refused) == (403, "wrong_passphrase")


# --------------------------------------------------------------------------------- every answer


@pytest.mark.parametrize(
    "path", ["/", "/api/tables", "/nowhere", "/healthz", "/health", "/schema/x"]
)
def test_every_answer_has_the_headers(site: Site, path: str) -> None:
    answer = site.browser().get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == ("no-cache" if path == "/" else "no-store")


def test_metrics_are_the_administrators_where_there_is_one(private: Site, site: Site) -> None:
    answer = site.browser().get("/metrics")
    assert "pytlik_requests_total" in answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    entered = Browser(private, private.browser().client, "http://pytlik.test")
    done(entered.post("/api/enter", {"passphrase": "open sesame"}))
    assert reason(entered.get("/metrics")) == (403, "not_admin")
