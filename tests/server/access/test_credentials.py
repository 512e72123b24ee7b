"""How visitors identify themselves: cookies, tokens and passphrases."""

from typing import Any

import pytest

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server import tokens
from pytlik.server.access.admission import admit
from pytlik.server.access.rate_limits import Kind
from pytlik.server.settings import Settings
from tests.server.asgi_scope import BEARER_HEADER, TOKEN, make_scope
from tests.server.http_site import Browser, Site, json_of, status_and_reason

# --------------------------------------------------------------------------- cookies and tokens


def cookie_set_by_server(site: Site, url: str, **extra: Any) -> str:
    answer = site.browser(url, **extra).post("/api/tables", {"game": "unikat"})
    return str(answer.headers["set-cookie"])


def test_cookies_over_http_and_tls(make_site: Any) -> None:
    plain, _, rest = cookie_set_by_server(make_site(), "http://pytlik.test").partition("=")
    assert plain == "pytlik"
    assert rest[22:] == "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
    secure = cookie_set_by_server(make_site(), "https://pytlik.test")
    assert secure.startswith("__Host-pytlik=")
    assert secure.endswith("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure")


def test_cookies_behind_a_proxy_with_a_base_path(make_site: Any) -> None:
    site: Site = make_site(base_path="/games", trusted_proxies=("10.0.0.0/8",))
    ola = site.browser("http://pytlik.test", address="10.0.0.1")
    answer = ola.post("/games/api/tables", {"game": "unikat"})
    assert "; Path=/games;" in answer.headers["set-cookie"]
    assert status_and_reason(ola.post("/api/tables", {"game": "unikat"})) == (404, "not_found")
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


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Basic Zm9vOmJhcg==", "Bearer " + "é" * 22]
)
def test_malformed_tokens_are_refused(site: Site, header: str) -> None:
    scope = make_scope("http", "GET", authorization=header)
    with pytest.raises(Illegal) as refused:
        admit(scope, Settings(host="0.0.0.0", admin_token="x" * 20))
    assert refused.value.reason is ServerReason.BAD_TOKEN
    refused_ = site.browser().get("/api/mine", headers={"authorization": "Bearer x"})
    assert status_and_reason(refused_) == (401, "bad_token")
    assert refused_.headers["www-authenticate"] == "Bearer"


def test_a_token_and_its_hash() -> None:
    token = tokens.new_token()
    assert tokens.is_well_formed(token)
    assert tokens.holder_of(token) == tokens.holder_of(
        tokens.add_passphrase_mark(token, "open sesame")
    )
    assert len({tokens.new_token() for _ in range(100)}) == 100


# ----------------------------------------------------------------------------- private servers


@pytest.fixture
def private_site(make_site: Any) -> Site:
    site: Site = make_site(passphrase="open sesame", admin_token="x" * 20)
    return site


def test_private_server_reveals_nothing_without_the_passphrase(private_site: Site) -> None:
    stranger = private_site.browser()
    for path in ("/", "/healthz", "/readyz"):
        assert stranger.get(path).status_code == 200
    for path in ("/api/tables", "/api/mine", "/schema/openapi.json", "/metrics", "/health",
                 "/nowhere", "/api/enter/"):  # fmt: skip
        assert status_and_reason(stranger.get(path)) == (401, "passphrase_needed")
    assert status_and_reason(stranger.post("/api/tokens")) == (401, "passphrase_needed")
    for scope in (
        make_scope("websocket", path="/"),
        make_scope("websocket", authorization=BEARER_HEADER),
        make_scope("http", "GET", path="//api/tables"),
    ):
        with pytest.raises(Illegal) as refused:
            admit(scope, private_site.settings)
        assert refused.value.reason is ServerReason.PASSPHRASE_NEEDED


def test_people_enter_with_the_passphrase_and_keep_their_token(private_site: Site) -> None:
    ola = private_site.browser(cookie=f"pytlik={TOKEN}")
    refused = ola.post("/api/enter", {"passphrase": "open"})
    assert status_and_reason(refused) == (403, "wrong_passphrase")
    answer = ola.post("/api/enter", {"passphrase": "open sesame"})
    assert json_of(answer) == {"token": None}
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert cookie.startswith(f"pytlik={TOKEN}.")
    entered = private_site.browser(cookie=cookie)
    table = entered.create_table()
    entered.sit_down(table)
    # A mark is valid only for its token and this passphrase.
    other = private_site.browser(cookie=cookie.replace(TOKEN, "B" * 22))
    assert status_and_reason(other.get(table)) == (401, "passphrase_needed")
    assert not tokens.has_passphrase_mark(
        tokens.add_passphrase_mark(TOKEN, "old one"), "open sesame"
    )


def test_programs_enter_with_a_token(private_site: Site) -> None:
    program = private_site.browser(origin=None)
    answer = json_of(program.post("/api/enter", {"passphrase": "open sesame", "program": True}))
    entered = private_site.browser(origin=None, authorization=f"Bearer {answer['token']}")
    entered.sit_down(entered.create_table())
    again = json_of(entered.post("/api/tokens"))["token"]
    assert json_of(private_site.browser(authorization=f"Bearer {again}").get("/api/mine")) == []
    bearer = private_site.browser(origin=None, authorization=BEARER_HEADER)
    answer = json_of(bearer.post("/api/enter", {"passphrase": "open sesame", "program": True}))
    assert answer["token"].startswith(TOKEN)


def test_administrator_needs_no_passphrase(private_site: Site) -> None:
    admin = private_site.browser(origin=None, authorization="Bearer " + "x" * 20)
    assert json_of(admin.get("/api/tables")) == []
    assert admin.get("/metrics").status_code == 200


# ------------------------------------------------------------------------ guesses at a token


ADMIN_TOKEN, ADMIN_TOKEN_LIKE_A_PLAYERS = "correct horse battery", "correct-horse-battery-"
"""The second looks like a player's token."""

ADMIN_REQUESTS = [("GET", "/metrics"), ("GET", "/health"), ("DELETE", "/api/tables/aaaaaaaaaa")]


def ask_with_token(
    site: Site, method: str, path: str, token: str, address: str = "203.0.113.5"
) -> Any:
    shown = [(b"authorization", f"Bearer {token}".encode())]
    return site.browser(origin=None, address=address).ask(method, path, headers=shown)


@pytest.mark.parametrize(("method", "path"), ADMIN_REQUESTS)
@pytest.mark.parametrize("passphrase", [None, "open sesame"])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (ADMIN_TOKEN, "wrong horse battery 1"),
        (ADMIN_TOKEN, "é" * 20),
        (ADMIN_TOKEN, TOKEN),
        (ADMIN_TOKEN_LIKE_A_PLAYERS, TOKEN),
        (ADMIN_TOKEN_LIKE_A_PLAYERS, "x"),
    ],
)
def test_guesses_at_the_admin_token_are_limited(
    make_site: Any, right: str, wrong: str, passphrase: str | None, method: str, path: str
) -> None:
    site: Site = make_site(admin_token=right, passphrase=passphrase, limit_scale=1)
    found = 404 if method == "DELETE" else 200
    for _ in range(Kind.GUESS.value.burst):
        # The right token doesn't count as a guess.
        assert ask_with_token(site, method, path, right).status_code == found
        answer = ask_with_token(site, method, path, wrong)
        assert answer.status_code in {401, 403} or "pytlik_" not in answer.text
    # Now neither is checked, so nothing reveals which one is right.
    for token in (wrong, right):
        refused = ask_with_token(site, method, path, token)
        assert status_and_reason(refused) == (429, "too_fast")
        assert refused.headers["retry-after"] == "30"
    assert ask_with_token(site, method, path, right, "203.0.113.6").status_code == found
    # Players from that address aren't affected.
    player = site.browser(cookie=f"pytlik={tokens.add_passphrase_mark(TOKEN, passphrase or '')}")
    assert json_of(player.get("/api/mine")) == []
    site.now += 30_000
    assert ask_with_token(site, method, path, right).status_code == found


def test_admin_token_is_an_ordinary_token_on_other_routes(make_site: Any) -> None:
    """So nothing there reveals whether a guess was right."""
    site: Site = make_site(admin_token=ADMIN_TOKEN_LIKE_A_PLAYERS, limit_scale=1)
    for _ in range(2 * Kind.GUESS.value.burst):
        for token in (TOKEN, ADMIN_TOKEN_LIKE_A_PLAYERS):
            assert json_of(ask_with_token(site, "GET", "/api/mine", token)) == []
    answers = [
        site.browser(origin=None, authorization=f"Bearer {token}").post(
            "/api/tables", {"game": "unikat"}
        )
        for token in (TOKEN, ADMIN_TOKEN_LIKE_A_PLAYERS)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].headers.keys() == answers[1].headers.keys()


def test_bad_tokens_are_not_limited_without_an_administrator(make_site: Any) -> None:
    site: Site = make_site(limit_scale=1)
    for _ in range(20):
        refused = site.browser().get("/api/mine", headers={"authorization": "Bearer x"})
        assert status_and_reason(refused) == (401, "bad_token")


def test_an_open_server_has_no_passphrase(site: Site) -> None:
    refused = site.browser().post("/api/enter", {"passphrase": ""})
    assert status_and_reason(refused) == (403, "wrong_passphrase")


def test_metrics_require_the_admin_token_if_there_is_one(private_site: Site, site: Site) -> None:
    answer = site.browser().get("/metrics")
    assert "pytlik_requests_total" in answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    entered = Browser(private_site, private_site.browser().client, "http://pytlik.test")
    json_of(entered.post("/api/enter", {"passphrase": "open sesame"}))
    assert status_and_reason(entered.get("/metrics")) == (403, "not_admin")
