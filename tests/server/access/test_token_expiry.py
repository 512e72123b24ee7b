"""Tokens that nobody has used for a year."""

from typing import Any

import pytest

from pytlik.server import tokens
from pytlik.server.access import token_expiry
from pytlik.server.access.token_expiry import DAY_MS, EXPIRES_AFTER_MS
from pytlik.store import EndDowntime, Heartbeat, Unavailable, UpdateTrackedTokens
from tests.server.http_site import Browser, Site, json_of, status_and_reason


def sweep_tokens(site: Site) -> None:
    """Do what the scheduler does every hour."""
    site.run(site.store.commit(UpdateTrackedTokens(site.now, site.now - EXPIRES_AFTER_MS)))


def sit_at_new_table(site: Site, browser: Browser) -> str:
    table = browser.create_table()
    browser.sit_down(table)
    sweep_tokens(site)
    return table


def test_expired_cookie_counts_as_none(site: Site) -> None:
    ola = site.browser()
    table, before = sit_at_new_table(site, ola), ola.cookies["pytlik"]
    site.now += EXPIRES_AFTER_MS
    assert json_of(ola.get(table))["yours"] == [0]
    site.now += EXPIRES_AFTER_MS + DAY_MS
    assert json_of(ola.get(table))["yours"] == []
    assert json_of(ola.get("/api/mine")) == []
    ola.create_table()
    assert ola.cookies["pytlik"] != before


def test_expired_token_of_a_program_is_refused(site: Site) -> None:
    program = site.program_with_token()
    table = sit_at_new_table(site, program)
    site.now += EXPIRES_AFTER_MS + DAY_MS
    assert status_and_reason(program.get(table)) == (401, "bad_token")
    old = program.client.headers["authorization"].removeprefix("Bearer ")
    adopted = site.program_with_token().post("/api/adoption", {"old": old})
    assert status_and_reason(adopted) == (401, "bad_token")


def test_token_in_occasional_use_does_not_expire(site: Site) -> None:
    ola, program = site.browser(), site.program_with_token()
    first, second = sit_at_new_table(site, ola), sit_at_new_table(site, program)
    for _ in range(5):
        site.now += 300 * DAY_MS
        assert json_of(ola.get(first))["yours"] == [0]
        assert json_of(program.get(second))["yours"] == [0]


def test_tokens_last_another_year_after_a_long_downtime(site: Site) -> None:
    """The server's clock may have been wrong."""
    ola = site.browser()
    table = sit_at_new_table(site, ola)
    began = site.now
    site.run(site.store.commit(Heartbeat("a worker", began)))
    site.now += 2 * EXPIRES_AFTER_MS
    site.run(site.store.commit(EndDowntime(began, site.now)))
    site.run(site.cleanup.forget_guesses_and_tokens())
    assert json_of(ola.get(table))["yours"] == [0]


def test_tokens_expire_a_year_after_a_long_downtime(site: Site) -> None:
    ola = site.browser()
    table = sit_at_new_table(site, ola)
    began = site.now
    site.run(site.store.commit(Heartbeat("a worker", began)))
    site.now += 2 * EXPIRES_AFTER_MS
    site.run(site.store.commit(EndDowntime(began, site.now)))
    site.now += EXPIRES_AFTER_MS + DAY_MS
    assert json_of(ola.get(table))["yours"] == []


def test_recovery_code_gives_back_the_seat_of_an_expired_token(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table()
    code = ola.sit_down(table)["recovery"]
    sweep_tokens(site)
    site.now += EXPIRES_AFTER_MS + DAY_MS
    body = {"table": table.rpartition("/")[2], "code": code}
    assert json_of(ola.post("/api/recover", body))["yours"] == [0]


def test_expired_cookie_does_not_open_a_private_server(make_site: Any) -> None:
    site = make_site(passphrase="open sesame")
    ola = site.browser()
    json_of(ola.post("/api/enter", {"passphrase": "open sesame"}))
    sit_at_new_table(site, ola)
    site.now += EXPIRES_AFTER_MS + DAY_MS
    assert status_and_reason(ola.get("/api/mine")) == (401, "passphrase_needed")
    assert ola.get("/healthz").is_success


def test_store_is_asked_once_a_day(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ola = site.browser()
    table = sit_at_new_table(site, ola)
    site.now += DAY_MS
    json_of(ola.get(table))

    async def fail(*_: Any) -> None:
        raise AssertionError("asked again")

    monkeypatch.setattr(site.store, "last_seen", fail)
    json_of(ola.get(table))


def test_number_of_remembered_tokens_is_limited(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_expiry, "MAX_REMEMBERED_TOKENS", 3)
    checks = token_expiry.TokenExpiry(site.store, lambda: site.now)
    for number in range(10):
        assert site.run(checks.is_valid(str(number)))
    assert list(checks._looked) == ["7", "8", "9"]


def test_nobody_is_refused_while_the_store_is_away(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> None:
        raise Unavailable("the store is gone")

    monkeypatch.setattr(site.store, "last_seen", fail)
    checks = token_expiry.TokenExpiry(site.store, lambda: site.now)
    assert site.run(checks.is_valid(tokens.holder_of(tokens.new_token())))
