"""The health page is readable and honest, and contains no secrets."""

import asyncio
from typing import Any

import pytest

from pytlik.i18n import catalogue, pick_language
from pytlik.server import metrics
from pytlik.server.responses.health_page import Condition, render_page
from pytlik.server.routes import health
from pytlik.store import Unavailable
from tests.server.http_site import Site, json_of, status_and_reason

translate = catalogue("en")


@pytest.fixture(autouse=True)
def long_store_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the store a minute to answer, because the machine may be busy."""
    monkeypatch.setattr(health, "STORE_TIMEOUT_SECONDS", 60)


def test_all_is_well(site: Site) -> None:
    site.browser().create_table()
    site.now += 3_600_000
    answer = site.browser().get("/health")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "all is well" in answer.text
    assert "2026-11-15 00:00 UTC" in answer.text
    assert "saving takes" in answer.text
    assert "open connections" in answer.text
    assert "<script" not in answer.text
    assert "style" not in answer.text  # our security policy wouldn't allow it


def test_lost_database_is_reported_without_secrets(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> None:
        raise Unavailable("postgresql://pytlik:secret@db.example/pytlik")

    monkeypatch.setattr(site.store, "check_available", fail)
    answer = site.browser().get("/health")
    assert answer.status_code == 503
    assert "nothing can be saved" in answer.text
    assert "secret" not in answer.text
    assert "running since" in answer.text


def test_hanging_database_is_reported(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.store, "check_available", asyncio.Event().wait)
    monkeypatch.setattr(health, "STORE_TIMEOUT_SECONDS", 0.01)
    assert site.browser().get("/health").status_code == 503


def test_lost_bus_only_delays_updates(site: Site) -> None:
    site.bus.is_connected = False
    answer = site.browser().get("/health")
    assert answer.status_code == 200
    assert "updates may be late" in answer.text.replace("&#x27;", "'")


def test_numbers_require_the_admin_token_if_there_is_one(make_site: Any) -> None:
    site: Site = make_site(admin_token="x" * 20)
    shown = site.browser().get("/health").text
    assert "all is well" in shown
    for name in ("health.version", "health.connections", "health.matches"):
        assert translate(name) not in shown
    admin = site.browser(authorization="Bearer " + "x" * 20)
    assert translate("health.connections") in admin.get("/health").text


def test_private_server_shows_it_only_with_the_passphrase(make_site: Any) -> None:
    site: Site = make_site(passphrase="open sesame", base_path="/games")
    ola = site.browser()
    assert status_and_reason(ola.get("/games/health")) == (401, "passphrase_needed")
    json_of(ola.post("/games/api/enter", {"passphrase": "open sesame"}))
    answer = ola.get("/games/health")
    assert answer.status_code == 200
    assert "sesame" not in answer.text


def test_numbers_add_up() -> None:
    before = metrics.totals_by_metric().get("pytlik_actions_total", 0)
    metrics.ACTIONS.labels("unikat").inc(1_000)
    metrics.ACTIONS.labels("ubongo").inc(234)
    assert metrics.totals_by_metric()["pytlik_actions_total"] == before + 1_234
    numbers = {
        "pytlik_actions_total": 1_234_567,
        "pytlik_commit_seconds_sum": 3.0,
        "pytlik_commit_seconds_count": 2_000,
        "pytlik_bots_thinking": 7,
    }
    text = render_page(
        Condition(began=0, store_ms=0.83, bus=True, workers=4, numbers=numbers), translate
    )
    for cell in ("1970-01-01 00:00 UTC", "1,234,567", "1.5 ms", "0.8 ms", "<dd>4\n", "<dd>7\n"):
        assert cell in text.replace("\u00a0", " ")
    assert "<dd>–" in render_page(
        Condition(began=0, store_ms=1, bus=True, workers=1, numbers={}), translate
    )


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("tlh, UK;q=0.7, de", "uk"),
        ("\x00,;q=,*", "en"),
    ],
)
def test_language_is_picked_from_the_header(
    header: str, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytlik.i18n.languages", lambda: ("de", "en", "uk"))
    assert pick_language(header) == lang
