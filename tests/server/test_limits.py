"""How often things may be asked for."""

from typing import Any

import pytest

from pytlik.game import Illegal, Reason
from pytlik.server import limits
from pytlik.server.limits import Kind, Limits
from tests.server.site import NOW, Site, done, empty_database, make_site, reason, site

__all__ = ["empty_database", "make_site", "site"]


def allowed(made: Limits, kind: Kind, asker: str, now: int) -> bool:
    try:
        made.take(kind, asker, now)
    except Illegal:
        return False
    return True


def test_a_burst_and_then_a_rate() -> None:
    made = Limits()
    burst, rate = Kind.GUESS.value.burst, Kind.GUESS.value.per_second
    assert [allowed(made, Kind.GUESS, "a", 0) for _ in range(burst + 2)] == [True] * burst + [
        False,
        False,
    ]
    wait = round(1000 / rate)
    assert not allowed(made, Kind.GUESS, "a", wait - 1000)
    assert allowed(made, Kind.GUESS, "a", wait)
    assert not allowed(made, Kind.GUESS, "a", wait)
    assert allowed(made, Kind.GUESS, "b", wait)
    assert allowed(made, Kind.READ, "a", wait)
    # A clock that is set back takes nothing away and gives nothing.
    assert not allowed(made, Kind.GUESS, "a", 0)
    # Waiting for ever fills the bucket once.
    filled = [allowed(made, Kind.GUESS, "a", 10**9) for _ in range(burst + 1)]
    assert filled == [True] * burst + [False]


def test_how_long_to_wait_is_said() -> None:
    made = Limits()
    for _ in range(Kind.GUESS.value.burst):
        made.take(Kind.GUESS, "a", 0)
    with pytest.raises(Illegal) as refused:
        made.take(Kind.GUESS, "a", 0)
    assert refused.value.detail == {"seconds": 30}


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ASKERS", 100)
    made = Limits()
    for number in range(1000):
        made.take(Kind.READ, str(number), 0)
        made.take(Kind.READ, "busy", 0) if number < 200 else None
    assert len(made) == 100


def test_a_scale_for_schools() -> None:
    made = Limits(2.0)
    assert sum(allowed(made, Kind.GUESS, "a", 0) for _ in range(100)) == 20
    made.give_back(Kind.GUESS, "nobody")
    assert len(made) == 1


# ------------------------------------------------------------------------------------- over HTTP


@pytest.fixture
def strict(make_site: Any) -> Site:
    made: Site = make_site(limit_scale=1.0)
    return made


def test_tables_are_limited_by_address(strict: Site) -> None:
    ola = strict.browser()
    made = [ola.post("/api/tables", {"game": "unikat"}) for _ in range(41)]
    assert [answer.status_code for answer in made] == [201] * 40 + [429]
    assert reason(made[-1]) == (429, "too_fast")
    assert made[-1].headers["retry-after"] == "5"
    strict.browser(address="203.0.113.99").makes_table()
    strict.now = NOW + 5_000
    ola.makes_table()


def test_wrong_codes_are_limited_and_right_ones_are_not(strict: Site) -> None:
    ola = strict.browser()
    table = ola.makes_table()
    ola.sits(table)
    name = table.rpartition("/")[2]
    holder, other = ola, strict.browser()
    for _ in range(12):
        code = done(holder.post(f"{table}/seats/0/code"))["code"]
        done(other.post("/api/codes", {"table": name, "code": code}))
        holder, other = other, holder
    thief = strict.browser(address="198.51.100.66")
    wrong = {"table": name, "code": "xxxxxx"}
    codes = [thief.post("/api/codes", wrong).status_code for _ in range(12)]
    assert codes == [403] * 10 + [429] * 2
    assert reason(thief.post("/api/recover", wrong)) == (429, "too_fast")
    # From many addresses it is the table that is counted.
    codes = [
        strict.browser(address=f"198.51.100.{host}").post("/api/codes", wrong).status_code
        for host in range(100, 125)
    ]
    assert codes == [403] * 20 + [429] * 5


def test_wrong_passphrases_are_limited(make_site: Any) -> None:
    site: Site = make_site(limit_scale=1.0, passphrase="open sesame")
    wrong = [site.browser().post("/api/enter", {"passphrase": "?"}) for _ in range(11)]
    assert [answer.status_code for answer in wrong] == [403] * 10 + [429]
    right = site.browser().post("/api/enter", {"passphrase": "open sesame"})
    assert reason(right) == (429, "too_fast")
    other = site.browser(address="198.51.100.1")
    for _ in range(15):
        done(other.post("/api/enter", {"passphrase": "open sesame"}))


def test_requests_are_limited_by_address_wherever_they_go(strict: Site) -> None:
    ola = strict.browser()
    codes = [ola.get("/nowhere").status_code for _ in range(301)]
    assert codes == [404] * 300 + [429]
    assert reason(ola.get("/healthz")) == (429, "too_fast")
    assert strict.browser(address="198.51.100.1").get("/healthz").status_code == 200


def test_changes_to_a_table_are_limited_whoever_makes_them(strict: Site) -> None:
    ola = strict.browser()
    table = ola.makes_table()
    addresses = [f"198.51.100.{host}" for host in (1, 2)]
    codes = [
        strict.browser(address=addresses[number % 2]).post(f"{table}/rematch").status_code
        for number in range(101)
    ]
    assert codes == [403] * 100 + [429]
    assert ola.get(table).status_code == 200


def test_sockets_are_limited(strict: Site) -> None:
    scope = {
        "type": "websocket",
        "path": "/",
        "scheme": "ws",
        "client": ("198.51.100.1", 1),
        "headers": [(b"host", b"localhost"), (b"authorization", b"Bearer " + b"A" * 22)],
    }

    gate = strict.app.state.gate
    holders = {gate.holder_of_socket(scope) for _ in range(120)}
    assert len(holders) == 1
    assert None not in holders
    with pytest.raises(Illegal) as refused:
        gate.holder_of_socket(scope)
    assert refused.value.reason is Reason.TOO_FAST
