"""Who is admitted: origins, proxies, cookies, tokens, passphrases, and the headers of every
answer."""

from typing import Any

import pytest

from pytlik.game import Illegal, Malformed, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server import tokens
from pytlik.server.admission import HEADERS, Visitor, admit, group_address
from pytlik.server.limits import Kind
from pytlik.server.settings import Settings, load_settings
from tests.server.http_site import Browser, Site, empty_database, json_of, make_site, reason, site

__all__ = ["empty_database", "make_site", "site"]

TOKEN = "A" * 22
PUBLIC = Settings(host="0.0.0.0")


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


def test_two_origins_are_none() -> None:
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
def test_there_is_one_host(settings: Settings) -> None:
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


# --------------------------------------------------------------------------- cookies and tokens


def cookie_given(site: Site, url: str, **extra: Any) -> str:
    answer = site.browser(url, **extra).post("/api/tables", {"game": "unikat"})
    return str(answer.headers["set-cookie"])


def test_cookies_by_http_and_by_tls(make_site: Any) -> None:
    plain, _, rest = cookie_given(make_site(), "http://pytlik.test").partition("=")
    assert plain == "pytlik"
    assert rest[22:] == "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
    secure = cookie_given(make_site(), "https://pytlik.test")
    assert secure.startswith("__Host-pytlik=")
    assert secure.endswith("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure")


def test_cookies_behind_a_proxy_with_a_base_path(make_site: Any) -> None:
    site: Site = make_site(base_path="/games", trusted_proxies=("10.0.0.0/8",))
    ola = site.browser("http://pytlik.test", address="10.0.0.1")
    answer = ola.post("/games/api/tables", {"game": "unikat"})
    assert "; Path=/games;" in answer.headers["set-cookie"]
    assert reason(ola.post("/api/tables", {"game": "unikat"})) == (404, "not_found")
    assert 'data-base="/games"' in ola.get("/games").text
    assert "/games/api/mine" in json_of(ola.get("/games/schema/openapi.json"))["paths"]
    by_tls = ola.post(
        "/games/api/tables",
        {"game": "unikat"},
        headers={"x-forwarded-proto": "https", "origin": "https://pytlik.test"},
    )
    assert by_tls.headers["set-cookie"].startswith("__Host-pytlik=")
    assert "; Path=/;" in by_tls.headers["set-cookie"]


def test_a_browser_keeps_its_token(site: Site) -> None:
    ola = site.browser()
    ola.create_table()
    token = ola.cookies["pytlik"]
    assert len(token) == 22
    ola.create_table()
    assert ola.cookies["pytlik"] == token
    assert site.browser().post("/api/tables", {"game": "unikat"}).headers["set-cookie"][7:29] != (
        token
    )


@pytest.mark.parametrize("said", ["Bearer", "Bearer x", "Basic Zm9vOmJhcg==", "Bearer " + "é" * 22])
def test_what_is_no_token(site: Site, said: str) -> None:
    asked = scope("http", "GET", authorization=said)
    with pytest.raises(Illegal) as refused:
        admit(asked, Settings(host="0.0.0.0", admin_token="x" * 20))
    assert refused.value.reason is ServerReason.BAD_TOKEN
    refused_ = site.browser().get("/api/mine", headers={"authorization": "Bearer x"})
    assert reason(refused_) == (401, "bad_token")
    assert refused_.headers["www-authenticate"] == "Bearer"


def test_a_token_and_its_hash() -> None:
    token = tokens.new_token()
    assert tokens.is_well_formed(token)
    assert tokens.holder_of(token) == tokens.holder_of(tokens.mark_token(token, "open sesame"))
    assert len({tokens.new_token() for _ in range(100)}) == 100


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
        assert refused.value.reason is ServerReason.PASSPHRASE_NEEDED


def test_who_knows_the_passphrase_comes_in_and_keeps_their_token(private: Site) -> None:
    ola = private.browser(cookie=f"pytlik={TOKEN}")
    refused = ola.post("/api/enter", {"passphrase": "open"})
    assert reason(refused) == (403, "wrong_passphrase")
    answer = ola.post("/api/enter", {"passphrase": "open sesame"})
    assert json_of(answer) == {"token": None}
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert cookie.startswith(f"pytlik={TOKEN}.")
    entered = private.browser(cookie=cookie)
    table = entered.create_table()
    entered.sit_down(table)
    # A mark is valid only for its token and this passphrase.
    other = private.browser(cookie=cookie.replace(TOKEN, "B" * 22))
    assert reason(other.get(table)) == (401, "passphrase_needed")
    assert not tokens.bears_mark(tokens.mark_token(TOKEN, "old one"), "open sesame")


def test_programs_enter_with_a_token(private: Site) -> None:
    program = private.browser(origin=None)
    told = json_of(program.post("/api/enter", {"passphrase": "open sesame", "program": True}))
    entered = private.browser(origin=None, authorization=f"Bearer {told['token']}")
    entered.sit_down(entered.create_table())
    again = json_of(entered.post("/api/tokens"))["token"]
    assert json_of(private.browser(authorization=f"Bearer {again}").get("/api/mine")) == []
    known = private.browser(origin=None, authorization=BEARER)
    told = json_of(known.post("/api/enter", {"passphrase": "open sesame", "program": True}))
    assert told["token"].startswith(TOKEN)


def test_the_administrator_is_let_in(private: Site) -> None:
    admin = private.browser(origin=None, authorization="Bearer " + "x" * 20)
    assert json_of(admin.get("/api/tables")) == []
    assert admin.get("/metrics").status_code == 200


# ------------------------------------------------------------------------ guesses at a token


ADMIN, LIKE_A_PLAYERS = "correct horse battery", "correct-horse-battery-"
"""The second looks like a player's token."""

ASKED = [("GET", "/metrics"), ("GET", "/health"), ("DELETE", "/api/tables/aaaaaaaaaa")]


def ask_with(site: Site, method: str, path: str, token: str, address: str = "203.0.113.5") -> Any:
    shown = [(b"authorization", f"Bearer {token}".encode())]
    return site.browser(origin=None, address=address).ask(method, path, headers=shown)


@pytest.mark.parametrize(("method", "path"), ASKED)
@pytest.mark.parametrize("passphrase", [None, "open sesame"])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (ADMIN, "wrong horse battery 1"),
        (ADMIN, "é" * 20),
        (ADMIN, TOKEN),
        (LIKE_A_PLAYERS, TOKEN),
        (LIKE_A_PLAYERS, "x"),
    ],
)
def test_guesses_at_the_administrators_token_are_counted(
    make_site: Any, right: str, wrong: str, passphrase: str | None, method: str, path: str
) -> None:
    site: Site = make_site(admin_token=right, passphrase=passphrase, limit_scale=1)
    found = 404 if method == "DELETE" else 200
    for _ in range(Kind.GUESS.value.burst):
        # which doesn't count as a guess
        assert ask_with(site, method, path, right).status_code == found
        answer = ask_with(site, method, path, wrong)
        assert answer.status_code in {401, 403} or "pytlik_" not in answer.text
    # Now neither is checked, so nothing reveals which one is right.
    for token in (wrong, right):
        refused = ask_with(site, method, path, token)
        assert reason(refused) == (429, "too_fast")
        assert refused.headers["retry-after"] == "30"
    assert ask_with(site, method, path, right, "203.0.113.6").status_code == found
    # Players from that address aren't affected.
    player = site.browser(cookie=f"pytlik={tokens.mark_token(TOKEN, passphrase or '')}")
    assert json_of(player.get("/api/mine")) == []
    site.now += 30_000
    assert ask_with(site, method, path, right).status_code == found


def test_where_the_administrator_is_not_asked_for_a_token_is_a_players(make_site: Any) -> None:
    """Nobody learns there whether the guess was right."""
    site: Site = make_site(admin_token=LIKE_A_PLAYERS, limit_scale=1)
    for _ in range(2 * Kind.GUESS.value.burst):
        for token in (TOKEN, LIKE_A_PLAYERS):
            assert json_of(ask_with(site, "GET", "/api/mine", token)) == []
    made = [
        site.browser(origin=None, authorization=f"Bearer {token}").post(
            "/api/tables", {"game": "unikat"}
        )
        for token in (TOKEN, LIKE_A_PLAYERS)
    ]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].headers.keys() == made[1].headers.keys()


def test_where_there_is_no_administrator_there_is_nothing_to_guess(make_site: Any) -> None:
    site: Site = make_site(limit_scale=1)
    for _ in range(20):
        refused = site.browser().get("/api/mine", headers={"authorization": "Bearer x"})
        assert reason(refused) == (401, "bad_token")


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


@pytest.mark.parametrize("path", ["/", "/api/tables", "/nowhere", "/healthz", "/api/socket"])
def test_by_tls_browsers_are_told_to_stay_with_it(make_site: Any, path: str) -> None:
    site: Site = make_site(trusted_proxies=("10.0.0.0/8",))
    name, year = "strict-transport-security", "max-age=31536000"
    assert site.browser("https://pytlik.test").get(path).headers[name] == year
    assert name not in site.browser().get(path).headers
    passed_on = {"x-forwarded-proto": "https"}
    assert name not in site.browser().get(path, headers=passed_on).headers
    proxy = site.browser(address="10.0.0.1")
    assert proxy.get(path, headers=passed_on).headers[name] == year
    assert name not in proxy.get(path, headers={"x-forwarded-proto": "http"}).headers
    refused = proxy.get(path, headers=passed_on | {"authorization": "Bearer x"})
    assert (refused.status_code, refused.headers[name]) == (401, year)


def test_metrics_are_the_administrators_where_there_is_one(private: Site, site: Site) -> None:
    answer = site.browser().get("/metrics")
    assert "pytlik_requests_total" in answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    entered = Browser(private, private.browser().client, "http://pytlik.test")
    json_of(entered.post("/api/enter", {"passphrase": "open sesame"}))
    assert reason(entered.get("/metrics")) == (403, "not_admin")
