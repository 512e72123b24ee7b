"""Guesses are counted across all workers, and lock out only the person who makes them."""

import asyncio
import shutil
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from pytlik.server.access.guess_limits import GuessLimits, key
from pytlik.server.access.rate_limits import Kind, Limits
from pytlik.store import Unavailable
from tests.server.http_site import START_TIME_MS, Browser, Site, json_of, status_and_reason

ADMIN_TOKEN = "the administrator's token"
THIEF_ADDRESS = "198.51.100.66"
TOO_FAST = (429, "too_fast")


@pytest.fixture
def workers(tmp_path: Path, empty_database: Path) -> Iterator[tuple[Site, Site]]:
    """Two workers on one database."""
    path = Path(shutil.copy(empty_database, tmp_path / "pytlik.db"))
    settings: dict[str, Any] = {
        "limit_scale": 1,
        "passphrase": "open sesame",
        "admin_token": ADMIN_TOKEN,
    }
    sites = (Site(path, **settings), Site(path, **settings))
    yield sites
    for site in sites:
        site.close()


def enter_passphrase(site: Site, **wanted: Any) -> Browser:
    browser = site.browser(**wanted)
    json_of(browser.post("/api/enter", {"passphrase": "open sesame"}))
    return browser


@pytest.fixture
def table(workers: tuple[Site, Site]) -> str:
    ola = enter_passphrase(workers[0])
    table = ola.create_table()
    ola.sit_down(table)
    return table


def thief_at_each_worker(workers: tuple[Site, Site]) -> Iterator[Browser]:
    """The same thief, at both workers in turn."""
    return cycle([enter_passphrase(site, address=THIEF_ADDRESS) for site in workers])


@pytest.mark.parametrize("path", ["/api/codes", "/api/recover"])
def test_wrong_codes_are_limited_across_workers(
    workers: tuple[Site, Site], table: str, path: str
) -> None:
    wrong = {"table": table.rpartition("/")[2], "code": "x" * 12}
    answers = [
        status_and_reason(thief.post(path, wrong))
        for thief in islice(thief_at_each_worker(workers), 14)
    ]
    assert answers == [(403, "bad_code")] * 10 + [TOO_FAST] * 4


def test_one_more_guess_is_allowed_after_a_while(workers: tuple[Site, Site], table: str) -> None:
    wrong = {"table": table.rpartition("/")[2], "code": "x" * 12}
    one, other = islice(thief_at_each_worker(workers), 2)
    for _ in range(10):
        one.post("/api/codes", wrong)
    refused = other.post("/api/codes", wrong)
    assert status_and_reason(refused) == TOO_FAST
    assert refused.headers["retry-after"] == "30"
    for site in workers:
        site.now += 30_000
    assert status_and_reason(other.post("/api/codes", wrong)) == (403, "bad_code")
    assert status_and_reason(one.post("/api/codes", wrong)) == TOO_FAST


def test_wrong_admin_tokens_are_limited_across_workers(workers: tuple[Site, Site]) -> None:
    answers = [
        status_and_reason(
            site.browser(address=THIEF_ADDRESS, authorization="Bearer wrong").get("/metrics")
        )
        for site in islice(cycle(workers), 12)
    ]
    assert answers == [(401, "bad_token")] * 10 + [TOO_FAST] * 2
    for site in workers:  # from there even the right one is refused, but not from elsewhere
        right = {"authorization": f"Bearer {ADMIN_TOKEN}"}
        assert (
            status_and_reason(site.browser(address=THIEF_ADDRESS, **right).get("/metrics"))
            == TOO_FAST
        )
        assert site.browser(**right).get("/metrics").is_success


def test_wrong_passphrases_are_limited_across_workers(workers: tuple[Site, Site]) -> None:
    answers = [
        status_and_reason(
            site.browser(address=THIEF_ADDRESS).post("/api/enter", {"passphrase": "wrong"})
        )
        for site in islice(cycle(workers), 12)
    ]
    assert answers == [(403, "wrong_passphrase")] * 10 + [TOO_FAST] * 2


def test_owner_is_not_locked_out_by_others(workers: tuple[Site, Site]) -> None:
    ola = enter_passphrase(workers[0])
    table = ola.create_table()
    recovery = ola.sit_down(table)["recovery"]
    name = table.rpartition("/")[2]
    for number in range(60):
        thief = enter_passphrase(workers[0], address=f"198.51.100.{number % 4}")
        thief.post("/api/codes", {"table": name, "code": "x" * 6})
        thief.post("/api/recover", {"table": name, "code": "x" * 12})
    code = json_of(ola.post(f"{table}/seats/0/code"))["code"]
    tablet = enter_passphrase(workers[1], address="203.0.113.77")
    moved = json_of(tablet.post("/api/codes", {"table": name, "code": code}))
    assert moved["recovery"] != recovery
    phone = enter_passphrase(workers[1], address="203.0.113.78")
    json_of(phone.post("/api/recover", {"table": name, "code": moved["recovery"]}))


def test_right_guesses_leave_nothing_in_the_store(
    workers: tuple[Site, Site],
) -> None:
    admin = workers[0].browser(authorization=f"Bearer {ADMIN_TOKEN}")
    for _ in range(30):
        assert admin.get("/metrics").is_success
    asker = key(Kind.GUESS, "203.0.113.5")
    assert workers[1].run(workers[1].store.remaining_guesses(asker)) is None


def test_each_worker_counts_for_itself_while_the_store_is_away(
    workers: tuple[Site, Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = workers[0]

    async def fail(*_: Any) -> None:
        raise Unavailable("the store is gone")

    monkeypatch.setattr(site.store, "commit", fail)
    monkeypatch.setattr(site.store, "remaining_guesses", fail)
    thief = site.browser(address=THIEF_ADDRESS, authorization="Bearer wrong")
    answers = [status_and_reason(thief.get("/metrics")) for _ in range(12)]
    assert answers == [(401, "bad_token")] * 10 + [TOO_FAST] * 2
    assert site.browser(authorization=f"Bearer {ADMIN_TOKEN}").get("/metrics").is_success


def test_refused_guess_uses_up_no_other_allowance(workers: tuple[Site, Site]) -> None:
    guesses: GuessLimits = workers[0].app.state.gate.guesses
    askers = ((Kind.GUESS_ANYWHERE, "a"), (Kind.GUESS, "b"))
    other: GuessLimits = workers[1].app.state.gate.guesses

    async def use_up() -> None:
        for _ in range(10):
            await other.take(askers[1:])

    workers[1].run(use_up())
    refused = workers[0].run(asyncio.wait_for(is_refused_as_too_fast(guesses, askers), 60))
    assert refused
    limits: Limits = workers[0].app.state.gate.limits
    assert all(limits.is_allowance_full(*asker, START_TIME_MS) for asker in askers)
    for kind, asker in askers[:1]:
        assert workers[0].run(guesses.is_allowance_full(kind, asker))
    assert workers[0].now == START_TIME_MS


def test_guess_refused_locally_uses_up_no_other_allowance(
    workers: tuple[Site, Site],
) -> None:
    guesses: GuessLimits = workers[0].app.state.gate.guesses
    limits: Limits = workers[0].app.state.gate.limits
    for _ in range(Kind.GUESS.value.burst):
        limits.take(Kind.GUESS, "b", START_TIME_MS)
    askers = ((Kind.GUESS_ANYWHERE, "a"), (Kind.GUESS, "b"))
    assert workers[0].run(is_refused_as_too_fast(guesses, askers))
    assert limits.is_allowance_full(Kind.GUESS_ANYWHERE, "a", START_TIME_MS)


def test_each_kind_of_guess_has_its_own_count(workers: tuple[Site, Site]) -> None:
    one, other = (worker.app.state.gate.guesses for worker in workers)
    workers[0].run(one.take([(Kind.GUESS, "a")]))
    assert not workers[1].run(other.is_allowance_full(Kind.GUESS, "a"))
    assert workers[1].run(other.is_allowance_full(Kind.GUESS_ANYWHERE, "a"))


async def is_refused_as_too_fast(
    guesses: GuessLimits, askers: tuple[tuple[Kind, str], ...]
) -> bool:
    try:
        await guesses.take(askers)
    except Exception as error:  # noqa: BLE001 - the test says what it must be
        return getattr(error, "reason", None) == "too_fast"
    return False
