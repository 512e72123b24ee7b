"""Answers have the same form, whatever goes wrong."""

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from pytlik.protocol.reasons import all_reasons
from pytlik.server.access.admission import SECURITY_HEADERS
from pytlik.server.processes.logging_setup import JsonLines, configure_logging, logging_config
from pytlik.store import Conflict, Unavailable
from tests.server.asgi_scope import BEARER_HEADER, make_scope
from tests.server.http_site import Site, json_of, status_and_reason


def test_unknown_paths(site: Site) -> None:
    ola = site.browser()
    for path in ("/nowhere", "/api", "/api/tables/abcdefghjk/nothing", "/schema/nothing", "/%00"):
        assert status_and_reason(ola.get(path)) == (404, "not_found")
    assert status_and_reason(ola.post("/nowhere", {})) == (404, "not_found")
    assert status_and_reason(ola.put("/api/tables/abcdefghjk/seats/x/name", {})) == (
        404,
        "not_found",
    )


def test_wrong_method_is_answered_with_the_allowed_ones(site: Site) -> None:
    refused = site.browser().ask("PATCH", "/api/tables", {})
    assert status_and_reason(refused) == (405, "wrong_method")
    assert refused.headers["allow"] == "GET, POST, OPTIONS"


def test_head_matches_get(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table()
    for path in ("/", "/healthz", "/api/tables", table, "/schema/openapi.json", "/nowhere"):
        full, head = ola.get(path), ola.ask("HEAD", path)
        assert head.content == b""
        assert head.status_code == full.status_code
        for name in ("content-type", "content-length", "cache-control"):
            assert head.headers[name] == full.headers[name]


def test_unreadable_requests_are_refused(site: Site) -> None:
    ola = site.browser()
    for content in (b"{", b"\xff", b'{"game": "unikat"', b"[" * 5000, b'"\\ud800"'):
        refused = ola.post(
            "/api/tables", content=content, headers={"content-type": "application/json"}
        )
        assert status_and_reason(refused) == (400, "bad_request")
        assert "Traceback" not in refused.text


NOT_UTF_8_BODIES = [
    b'{"game": "unik\xffat"}',
    b'{"game": "unikat", "\xff": 1}',
    b'{"name": "\xed\xa0\x80"}',  # half a character
    b'{"name": "\xc0\xaf"}',  # an overlong encoding
    '{"name": "Žofie"}'.encode("iso-8859-2"),
    '{"game": "unikat"}'.encode("utf-16"),
]


def test_a_body_that_is_not_utf_8_is_refused_everywhere(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table()
    ola.sit_down(table)
    circle = json_of(ola.post("/api/circles", {"name": "Family", "member": "Ola"}))["circle"]["id"]
    parameters = {"table": table.rpartition("/")[2], "seat": 0, "match": 1, "circle": circle}
    paths = json_of(ola.get("/schema/openapi.json"))["paths"]
    taking = [
        (method, path.format(**parameters))
        for path, methods in paths.items()
        for method, described in methods.items()
        if "requestBody" in described
    ]
    assert len(taking) > 12
    kind = {"content-type": "application/json"}
    for method, path in taking:
        for content in NOT_UTF_8_BODIES:
            refused = ola.ask(method.upper(), path, content=content, headers=kind)
            assert status_and_reason(refused) == (400, "bad_request"), (method, path, content)


@pytest.mark.parametrize("query", ["%ff", "phase=%ff", "%c0%af=1", "phase=over&x=%ED%A0%80"])
def test_a_query_that_is_not_utf_8_is_refused(site: Site, query: str) -> None:
    ola = site.browser()
    for path in ("/api/tables", ola.create_table(), "/", "/nowhere"):
        refused = ola.get(f"{path}?{query}")
        assert status_and_reason(refused) == (400, "bad_request")
        assert refused.json()["error"]["detail"] == {"problem": "the query isn't UTF-8"}


def test_too_large_bodies_are_refused(site: Site) -> None:
    refused = site.browser().post("/api/tables", {"game": "unikat", "options": {"x": "y" * 70_000}})
    assert status_and_reason(refused) == (413, "too_large")


@pytest.mark.parametrize(
    "path", ["/", "/api/tables", "/nowhere", "/healthz", "/health", "/schema/x"]
)
def test_every_answer_has_the_security_headers(site: Site, path: str) -> None:
    answer = site.browser().get(path)
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == ("no-cache" if path == "/" else "no-store")


@pytest.mark.parametrize("path", ["/", "/api/tables", "/nowhere", "/healthz", "/api/socket"])
def test_hsts_is_sent_only_over_tls(make_site: Any, path: str) -> None:
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


@pytest.mark.parametrize("broken", [Unavailable("secret path"), Conflict()])
def test_unreachable_store(site: Site, monkeypatch: pytest.MonkeyPatch, broken: Exception) -> None:
    async def fail(*_: Any) -> None:
        raise broken

    ola = site.browser()
    monkeypatch.setattr(site.store, "commit", fail)
    monkeypatch.setattr(site.store, "check_available", fail)
    refused = ola.post("/api/tables", {"game": "unikat"})
    assert status_and_reason(refused) == (503, "unavailable")
    assert "secret" not in refused.text
    assert status_and_reason(ola.get("/readyz")) == (503, "unavailable")
    assert ola.get("/healthz").status_code == 200


def test_internal_error_is_logged_but_not_revealed(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: Any) -> None:
        raise ZeroDivisionError("our secret")

    monkeypatch.setattr(site.store, "table", fail)
    refused = site.browser().get("/api/tables/abcdefghjk")
    assert status_and_reason(refused) == (500, "internal")
    assert "secret" not in refused.text
    [record] = [record for record in caplog.records if record.exc_info]
    assert json.loads(JsonLines().format(record))["trace"].endswith("our secret")


def test_disconnect_in_the_middle_of_a_body_is_not_logged(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    """A real attack: each such request filled the log with a traceback."""
    sent: list[Any] = []
    pieces: list[Any] = [
        {"type": "http.request", "body": b'{"game": ', "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Any:
        return pieces.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    kind = {"content_type": "application/json", "content_length": "1000"}
    scope = make_scope(authorization=BEARER_HEADER, **kind)
    site.run(site.app({**scope, "query_string": b""}, receive, send))
    assert [message["status"] for message in sent if "status" in message] == [400]
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_logs_contain_no_token_name_or_invitation(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # the test's own client
    ola = site.browser()
    table = ola.create_table()
    answer = ola.sit_down(table, "Aleksandra")
    code = json_of(ola.post(f"{table}/seats/0/code"))["code"]
    ola.post("/api/codes", {"table": answer["table"]["id"], "code": code})
    ola.get("/api/tables/abcdefghjk")
    lines = [JsonLines().format(record) for record in caplog.records]
    assert any(json.loads(line).get("route") == "/api/tables/{table}" for line in lines)
    private = (ola.cookies["pytlik"], "Aleksandra", answer["table"]["id"], answer["recovery"], code)
    for line in lines:
        assert not [secret for secret in private if secret in line]


def test_log_line_format() -> None:
    record = logging.LogRecord("pytlik.x", logging.INFO, "f.py", 1, "hello %s", ("you",), None)
    record.created, record.msecs = 0.0, 7.0
    record.status = 200
    record.token = "secret"
    assert json.loads(JsonLines().format(record)) == {
        "time": "1970-01-01T00:00:00.007Z",
        "level": "info",
        "logger": "pytlik.x",
        "message": "hello you",
        "status": 200,
    }
    configure_logging("warning")
    assert logging.getLogger("pytlik").level == logging.WARNING
    assert logging_config("debug")["loggers"]["pytlik"]["level"] == "DEBUG"
    # At lower levels it would log invitations and tokens.
    assert logging_config("debug")["loggers"]["uvicorn.error"]["level"] == "WARNING"
    logging.getLogger("pytlik").handlers.clear()
    logging.getLogger("pytlik").propagate = True
    logging.getLogger("pytlik").setLevel(logging.NOTSET)


def test_every_reason_is_provoked_by_a_test() -> None:
    tests = Path(__file__).parents[2]
    text = "".join(path.read_text(encoding="utf-8") for path in tests.rglob("*.py"))
    every = set(all_reasons())
    provoked = {
        code for code in every if f'"{code}"' in text or re.search(rf"Reason\.{code.name}\b", text)
    }
    assert every == provoked
