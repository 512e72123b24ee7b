"""Rate limits of requests, sockets and messages."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server import tokens
from pytlik.server.access import rate_limits
from pytlik.server.access.admission import Visitor
from pytlik.server.access.rate_limits import Kind, Limits, Rate, SlotLimit, Throttle
from pytlik.server.access.request_gate import Gate
from pytlik.server.access.socket_limits import SocketVisit, TooManySockets
from pytlik.server.settings import Settings
from pytlik.server.table import seats, tables
from pytlik.server.table.tables import Table
from tests.server.http_site import START_TIME_MS, Site, json_of, status_and_reason


def is_allowed(limits: Limits, kind: Kind, asker: str, now: int) -> bool:
    try:
        limits.take(kind, asker, now)
    except Illegal:
        return False
    return True


def test_burst_and_then_a_steady_rate() -> None:
    limits = Limits()
    burst, rate = Kind.GUESS.value.burst, Kind.GUESS.value.per_second
    assert [is_allowed(limits, Kind.GUESS, "a", 0) for _ in range(burst + 2)] == [True] * burst + [
        False,
        False,
    ]
    wait = round(1000 / rate)
    assert not is_allowed(limits, Kind.GUESS, "a", wait - 1000)
    assert is_allowed(limits, Kind.GUESS, "a", wait)
    assert not is_allowed(limits, Kind.GUESS, "a", wait)
    assert is_allowed(limits, Kind.GUESS, "b", wait)
    assert is_allowed(limits, Kind.READ, "a", wait)
    # Setting the clock back changes nothing.
    assert not is_allowed(limits, Kind.GUESS, "a", 0)
    assert is_allowed(limits, Kind.GUESS, "a", wait)
    # However long you wait, the bucket is filled only once.
    filled = [is_allowed(limits, Kind.GUESS, "a", 10**9) for _ in range(burst + 1)]
    assert filled == [True] * burst + [False]


def test_refusals_say_how_long_to_wait() -> None:
    limits = Limits()
    for _ in range(Kind.GUESS.value.burst):
        limits.take(Kind.GUESS, "a", 0)
    with pytest.raises(Illegal) as refused:
        limits.take(Kind.GUESS, "a", 0)
    assert refused.value.detail == {"seconds": 30}


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_ASKERS", 100)
    limits = Limits()
    for number in range(1000):
        limits.take(Kind.READ, str(number), 0)
        limits.take(Kind.READ, "busy", 0) if number < 200 else None
    assert len(limits) == 100


def test_limits_forget_the_least_recent_askers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_ASKERS", 2)
    limits = Limits()
    for asker in ("busy", "silent"):
        for _ in range(Kind.GUESS.value.burst):
            limits.take(Kind.GUESS, asker, 0)
    for asker in ("busy", "new", "busy"):
        assert is_allowed(limits, Kind.GUESS, asker, 0) is (asker == "new")
    assert is_allowed(limits, Kind.GUESS, "silent", 0)


def test_throttle_forgets_the_least_recent_askers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_ASKERS", 2)
    throttle = Throttle(Rate(burst=1, per_second=1))
    waits = [throttle.book_turn(asker, 0, 9) for asker in ("busy", "silent", "silent", "silent")]
    assert waits == [0, 0, 0, 1]
    assert [throttle.book_turn(asker, 0, 9) for asker in ("busy", "new", "busy")] == [0, 0, 1]
    assert throttle.book_turn("silent", 0, 9) == 0


def test_limits_can_be_scaled() -> None:
    limits = Limits(2.0)
    assert sum(is_allowed(limits, Kind.GUESS, "a", 0) for _ in range(100)) == 20
    limits.give_back(Kind.GUESS, "nobody")
    assert len(limits) == 1


# ------------------------------------------------------------------------------------- over HTTP


@pytest.fixture
def site_with_limits(make_site: Any) -> Site:
    site: Site = make_site(limit_scale=1.0)
    return site


def test_new_tables_are_limited_by_address(site_with_limits: Site) -> None:
    ola = site_with_limits.browser()
    answers = [ola.post("/api/tables", {"game": "unikat"}) for _ in range(41)]
    assert [answer.status_code for answer in answers] == [201] * 40 + [429]
    assert status_and_reason(answers[-1]) == (429, "too_fast")
    assert answers[-1].headers["retry-after"] == "5"
    site_with_limits.browser(address="203.0.113.99").create_table()
    site_with_limits.now = START_TIME_MS + 5_000
    ola.create_table()


def test_file_limit_admits_a_class_but_not_endless_requests(
    site_with_limits: Site,
) -> None:
    ola = site_with_limits.browser(address="203.0.113.9")
    gate = site_with_limits.app.state.gate
    requests = 30 * 100  # a class, and a hundred files
    for _ in range(requests):
        gate.count_request(Kind.FILE, "203.0.113.9")
    assert ola.get("/assets/none.js").status_code == 404
    for _ in range(Kind.FILE.value.burst - requests - 1):
        gate.count_request(Kind.FILE, "203.0.113.9")
    assert ola.get("/assets/none.js").status_code == 429
    assert ola.get("/api/tables").status_code == 200


def test_limits_remember_only_short_keys(site_with_limits: Site) -> None:
    """A real attack: ids of 15,000 characters, each remembered by several limits."""
    ola = site_with_limits.browser()
    for id in ("x" * 300, "x" * 15_000):
        answer = ola.post(f"/api/tables/{id}/seats", {"name": "Ola"})
        assert status_and_reason(answer) == (404, "not_found")
    limits = site_with_limits.app.state.gate.limits
    assert max(len(asker) for _, asker in limits._buckets) < 300


WRONG_CODE = "xxxxxx"


def test_wrong_codes_are_limited_but_right_ones_are_not(site_with_limits: Site) -> None:
    ola = site_with_limits.browser()
    table = ola.create_table()
    ola.sit_down(table)
    name = table.rpartition("/")[2]
    holder, other = ola, site_with_limits.browser()
    for _ in range(12):
        code = json_of(holder.post(f"{table}/seats/0/code"))["code"]
        json_of(other.post("/api/codes", {"table": name, "code": code}))
        holder, other = other, holder
    thief = site_with_limits.browser(address="198.51.100.66")
    wrong = {"table": name, "code": WRONG_CODE}
    codes = [thief.post("/api/codes", wrong).status_code for _ in range(12)]
    assert codes == [403] * 10 + [429] * 2
    assert status_and_reason(thief.post("/api/recover", wrong)) == (429, "too_fast")


def test_addresses_share_a_limit_after_their_first_wrong_guess(site_with_limits: Site) -> None:
    ola = site_with_limits.browser()
    table = ola.create_table()
    ola.sit_down(table)
    wrong = {"table": table.rpartition("/")[2], "code": WRONG_CODE}
    thieves = [site_with_limits.browser(address=f"198.51.100.{host}") for host in range(40)]
    assert {thief.post("/api/codes", wrong).status_code for thief in thieves} == {403}
    codes = [thief.post("/api/codes", wrong).status_code for thief in thieves]
    assert codes == [403] * 30 + [429] * 10
    # A refused attempt isn't a guess, so it doesn't count.
    site_with_limits.now += 10_000
    assert thieves[-1].post("/api/codes", wrong).status_code == 403


def test_owner_gets_through_however_many_others_guess(site_with_limits: Site) -> None:
    """Otherwise anyone who knows the link could lock out someone who has lost their seat."""
    ola = site_with_limits.browser()
    table = ola.create_table()
    json_of(ola.post(f"{table}/seats", {"name": "Ola"}))
    code = json_of(ola.post(f"{table}/seats/0/code"))["code"]
    name = table.rpartition("/")[2]
    for host in range(40):
        thief = site_with_limits.browser(address=f"198.51.100.{host}")
        for path in ("codes", "recover", "codes"):
            thief.post(f"/api/{path}", {"table": name, "code": WRONG_CODE})
    phone = site_with_limits.browser(address="203.0.113.77")
    recovery = json_of(phone.post("/api/codes", {"table": name, "code": code}))["recovery"]
    laptop = site_with_limits.browser(address="203.0.113.78")
    json_of(laptop.post("/api/recover", {"table": name, "code": recovery}))


def test_guesses_at_all_tables_are_limited_by_address(site_with_limits: Site) -> None:
    thief = site_with_limits.browser(address="198.51.100.66")
    codes = [
        thief.post("/api/codes", {"table": f"table{number}", "code": WRONG_CODE}).status_code
        for number in range(61)
    ]
    assert codes == [404] * 60 + [429]


def test_no_number_of_addresses_can_guess_a_code_in_time() -> None:
    """As docs/fair.md promises."""
    seconds = seats.CODE_LIFETIME_MS / 1000
    kinds = (Kind.GUESS_AT_TABLE, Kind.FIRST_GUESS_AT_TABLE)
    guesses = sum(kind.value.burst + seconds * kind.value.per_second for kind in kinds)
    assert guesses == 1_290
    assert guesses / len(tokens.LETTERS) ** tokens.CODE_LENGTH < 1.5e-6
    assert len(tokens.LETTERS) ** tokens.RECOVERY_LENGTH > 7.8e17


def test_wrong_passphrases_are_limited(make_site: Any) -> None:
    site: Site = make_site(limit_scale=1.0, passphrase="open sesame")
    wrong = [site.browser().post("/api/enter", {"passphrase": "?"}) for _ in range(11)]
    assert [answer.status_code for answer in wrong] == [403] * 10 + [429]
    right = site.browser().post("/api/enter", {"passphrase": "open sesame"})
    assert status_and_reason(right) == (429, "too_fast")
    other = site.browser(address="198.51.100.1")
    for _ in range(15):
        json_of(other.post("/api/enter", {"passphrase": "open sesame"}))


def test_all_requests_are_limited_by_address(site_with_limits: Site) -> None:
    ola = site_with_limits.browser()
    codes = [ola.get("/nowhere").status_code for _ in range(301)]
    assert codes == [404] * 300 + [429]
    assert status_and_reason(ola.get("/healthz")) == (429, "too_fast")
    assert site_with_limits.browser(address="198.51.100.1").get("/healthz").status_code == 200


def test_strangers_do_not_use_up_the_players_limits(site_with_limits: Site) -> None:
    """All changes to a table used to be counted together, so anyone who knew the link could block
    it."""
    ola, max_ = site_with_limits.browser(), site_with_limits.browser(address="203.0.113.6")
    table = ola.create_table()
    max_.sit_down(table)
    for host in range(9):
        stranger = site_with_limits.browser(address=f"198.51.100.{host}")
        codes = [stranger.post(f"{table}/rematch").status_code for _ in range(21)]
        assert codes[-1] == 429
    share = {"share": "something else"}
    for _ in range(20):  # a host without a seat, and someone with one
        json_of(ola.put(f"{table}/agreement", {"listed": True}))
        json_of(max_.put(f"{table}/seats/0/share", share))
    assert ola.get(table).status_code == 200


def test_strangers_are_limited_by_address_and_in_total(site_with_limits: Site) -> None:
    ola = site_with_limits.browser()
    table = ola.create_table()
    one = site_with_limits.browser(address="198.51.100.1")
    codes = [one.post(f"{table}/rematch").status_code for _ in range(21)]
    assert codes == [403] * 20 + [429]
    many = [
        site_with_limits.browser(address=f"198.51.101.{host % 50}")
        .post(f"{table}/rematch")
        .status_code
        for host in range(101)
    ]
    assert many == [403] * 100 + [429]
    # Someone who wants to sit down has to wait a moment, but not for long.
    guest = site_with_limits.browser(address="203.0.113.9")
    assert status_and_reason(guest.post(f"{table}/seats", {"name": "Max"})) == (429, "too_fast")
    site_with_limits.now += 1_000
    guest.sit_down(table)


def test_members_are_limited_individually(site_with_limits: Site) -> None:
    ola = site_with_limits.browser()
    table = ola.create_table()
    guest = site_with_limits.browser(address="203.0.113.6")
    guest.sit_down(table)
    share = {"share": "something else"}
    codes = [guest.put(f"{table}/seats/0/share", share).status_code for _ in range(101)]
    assert codes == [200] * 100 + [429]
    json_of(ola.put(f"{table}/agreement", {"listed": True}))


def socket_visitor(address: str, token: str | None = None) -> Visitor:
    return Visitor(address=address, secure=False, token=token)


def test_sockets_are_limited_by_address_and_by_person(site_with_limits: Site) -> None:
    gate: Gate = site_with_limits.app.state.gate
    for number in range(120):
        assert gate.register_socket(socket_visitor("198.51.100.1"), str(number)).holder is None
    with pytest.raises(Illegal) as refused:
        gate.register_socket(socket_visitor("198.51.100.1"), "table")
    assert refused.value.reason is ServerReason.TOO_FAST
    for host in range(30):
        gate.register_socket(socket_visitor(f"198.51.101.{host}", "A" * 22), "table")
    with pytest.raises(Illegal) as refused:
        gate.register_socket(socket_visitor("198.51.101.99", "A" * 22), "table")
    assert refused.value.reason is ServerReason.TOO_FAST
    assert gate.register_socket(socket_visitor("198.51.101.99", "B" * 22), "table").holder


# ------------------------------------------------------------------------------- sockets at a table

OLAS_TOKEN = "O" * 22
TABLE_ID = "abcdefghjk"


def make_table() -> Table:
    return tables.create(TABLE_ID, "unikat", tokens.holder_of(OLAS_TOKEN), "", START_TIME_MS)


class TableGate:
    """Sockets at one table of a gate whose clock the test moves."""

    def __init__(self) -> None:
        self.now = START_TIME_MS
        self.gate = Gate(Settings(), lambda: self.now)
        self.table = make_table()

    def visit(self, address: str, token: str | None = None) -> SocketVisit:
        self.now += 1_000
        visit = self.gate.register_socket(socket_visitor(address, token), TABLE_ID)
        visit.enter(self.table)
        return visit


def make_token(number: int) -> str:
    return f"{number:022d}"


def test_spectators_are_limited_but_members_always_get_in() -> None:
    visitors = TableGate()
    hosts = range(SlotLimit.SPECTATORS.value)
    crowd = [visitors.visit(f"198.51.100.{host}", make_token(host)) for host in hosts]
    with pytest.raises(TooManySockets):
        visitors.visit("198.51.101.1")
    assert visitors.visit("203.0.113.5", OLAS_TOKEN).holder == tokens.holder_of(OLAS_TOKEN)
    crowd[0].leave()
    crowd[0].leave()
    visitors.visit("198.51.101.1")
    with pytest.raises(TooManySockets):
        visitors.visit("198.51.101.2")


def test_one_address_cannot_take_all_spectator_places() -> None:
    visitors = TableGate()
    for _ in range(SlotLimit.SPECTATORS_ADDRESS.value):
        visitors.visit("198.51.100.1")
    with pytest.raises(TooManySockets):
        visitors.visit("198.51.100.1")
    visitors.visit("198.51.100.2")


def test_a_persons_sockets_at_a_table_are_limited() -> None:
    visitors = TableGate()
    mine = [
        visitors.visit(f"203.0.113.{host}", OLAS_TOKEN) for host in range(SlotLimit.PERSON.value)
    ]
    with pytest.raises(TooManySockets):
        visitors.visit("203.0.113.99", OLAS_TOKEN)
    mine[0].leave()
    visitors.visit("203.0.113.99", OLAS_TOKEN)


def test_open_sockets_are_limited_by_address_and_released() -> None:
    visitors = TableGate()
    here = [
        visitors.gate.register_socket(socket_visitor("203.0.113.1"), str(number))
        for number in range(Kind.CONNECT.value.burst)
    ]
    while len(here) < SlotLimit.ADDRESS.value:
        visitors.now += 1_000
        here.append(visitors.gate.register_socket(socket_visitor("203.0.113.1"), str(len(here))))
    for each in here:
        each.enter(visitors.table)
    visitors.now += 60_000
    with pytest.raises(TooManySockets):
        visitors.visit("203.0.113.1", OLAS_TOKEN)
    for each in here:
        each.leave()
    visitors.visit("203.0.113.1", OLAS_TOKEN).leave()
    assert len(visitors.gate.socket_limits.slots) == 0


@pytest.mark.parametrize("token", [None, "A" * 22], ids=["without a token", "with a token"])
def test_new_sockets_of_strangers_are_limited_by_address(token: str | None) -> None:
    visitors = TableGate()

    def visit(address: str = "198.51.100.1", token: str | None = token) -> None:
        visit = visitors.gate.register_socket(socket_visitor(address, token), TABLE_ID)
        visit.enter(visitors.table)
        visit.leave()

    for _ in range(Kind.CONNECT_PERSON.value.burst):
        visit()
    visitors.now += 1_000 * Kind.CONNECT_PERSON.value.burst  # the person's allowance is full again
    for _ in range(Kind.CONNECT_PERSON.value.burst):
        visit()
    left = count_until_refused(partial(visit, token=token and "B" * 22))
    assert left == Kind.CONNECT_PERSON.value.burst, "as many as were refilled"
    visit("198.51.100.2", token and "C" * 22)
    visit(token=OLAS_TOKEN)


def test_address_that_sent_too_much_cannot_reconnect_at_once() -> None:
    visitors = TableGate()
    stranger = visitors.visit("198.51.100.1")
    count_until_refused(partial(stranger.count_message, member=False))
    stranger.leave()
    with pytest.raises(Illegal) as refused:
        visitors.visit("198.51.100.1")
    assert refused.value.reason is ServerReason.TOO_FAST
    visitors.visit("198.51.100.1", OLAS_TOKEN)
    visitors.visit("198.51.100.2")
    assert 55 <= refused.value.detail["seconds"] <= 61
    visitors.now += 1_000 * refused.value.detail["seconds"]
    visitors.visit("198.51.100.1")


def test_new_sockets_of_strangers_are_limited_by_table() -> None:
    visitors = TableGate()
    for number in range(Kind.CONNECT_AT_TABLE.value.burst):
        visit = visitors.gate.register_socket(socket_visitor(f"198.51.{number}.1"), TABLE_ID)
        visit.enter(visitors.table)
        visit.leave()
    visit = visitors.gate.register_socket(socket_visitor("198.50.1.1"), TABLE_ID)
    with pytest.raises(Illegal) as refused:
        visit.enter(visitors.table)
    assert refused.value.reason is ServerReason.TOO_FAST
    visitors.gate.register_socket(socket_visitor("198.50.1.1", OLAS_TOKEN), TABLE_ID).enter(
        visitors.table
    )


def count_until_refused(ask: Callable[[], None], most: int = 10_000) -> int:
    """How often something can be done before it's refused."""
    for number in range(most):
        try:
            ask()
        except Illegal:
            return number
    raise AssertionError("nothing limits it")


def test_messages_are_limited_by_person_table_and_address() -> None:
    visitors = TableGate()
    ola = visitors.visit("203.0.113.1", OLAS_TOKEN)
    assert count_until_refused(partial(ola.count_message, member=True)) == Kind.MESSAGE.value.burst
    # The limit holds for another socket of the same person, too.
    again = visitors.visit("203.0.113.2", OLAS_TOKEN)
    assert count_until_refused(partial(again.count_message, member=True)) <= 12
    stranger = visitors.visit("198.51.100.1")
    sent = count_until_refused(partial(stranger.count_message, member=False))
    assert sent == Kind.MESSAGE_STRANGER.value.burst
    total = sent
    for host in range(2, 10):
        stranger = visitors.visit(f"198.51.100.{host}")
        total += count_until_refused(partial(stranger.count_message, member=False))
    seconds = (visitors.now - START_TIME_MS) / 1000
    rate = Kind.MESSAGE_STRANGERS.value
    assert total <= rate.burst + rate.per_second * seconds
    # None of that counts against the players.
    max_ = visitors.visit("203.0.113.3", make_token(1))
    assert count_until_refused(partial(max_.count_message, member=True)) == Kind.MESSAGE.value.burst
    # One address, at any number of tables.
    total = sum(
        count_until_refused(
            partial(
                visitors.gate.register_socket(
                    socket_visitor("198.51.77.1"), str(number)
                ).count_message,
                member=False,
            )
        )
        for number in range(20)
    )
    assert total == Kind.MESSAGE_ADDRESS.value.burst


def test_talk_is_limited_by_person_table_and_address() -> None:
    visitors = TableGate()
    ola = visitors.visit("203.0.113.1", OLAS_TOKEN)
    assert count_until_refused(partial(ola.count_talk, member=True)) == Kind.TALK.value.burst
    # Strangers are refused anyway, so they can't silence the players.
    for host in range(20):
        stranger = visitors.visit(f"198.51.100.{host}")
        assert (
            count_until_refused(partial(stranger.count_talk, member=False)) == Kind.TALK.value.burst
        )
    crowd = [
        visitors.gate.register_socket(
            socket_visitor(f"203.0.114.{number}", make_token(number)), TABLE_ID
        )
        for number in range(10)
    ]
    total = sum(count_until_refused(partial(each.count_talk, member=True)) for each in crowd)
    assert total == Kind.TALK_AT_TABLE.value.burst
    total = sum(
        count_until_refused(
            partial(
                visitors.gate.register_socket(
                    socket_visitor("203.0.115.1", make_token(number)), f"other {number}"
                ).count_talk,
                member=True,
            )
        )
        for number in range(20)
    )
    assert total == Kind.TALK_ADDRESS.value.burst


# -------------------------------------------------------------------------------- busy networks


def test_administrator_sees_busy_networks_but_no_addresses(make_site: Any) -> None:
    site: Site = make_site(admin_token="x" * 20, limit_scale=1)
    admin = site.browser(address="192.0.2.1", origin=None, authorization=f"Bearer {'x' * 20}")
    for last in (5, 6):
        for _ in range(20):
            site.browser(address=f"203.0.113.{last}").create_table()
    quiet = site.browser(address="2001:db8:1:2::3")
    quiet.get("/api/mine")
    answer = admin.get("/api/load")
    busy, *others = json_of(answer)
    assert (busy["network"], busy["sockets"]) == ("203.0.113.0/24", 0)
    assert busy["used"]["create"] == 50, "that of its busiest address"
    assert {other["network"] for other in others} == {"2001:db8:1::/48", "192.0.2.0/24"}
    assert "203.0.113.5" not in answer.text
    site.now += 3_600_000
    assert [load["network"] for load in json_of(admin.get("/api/load"))] == ["192.0.2.0/24"]
    assert status_and_reason(quiet.get("/api/load")) == (403, "not_admin")


def test_open_sockets_are_counted_by_network() -> None:
    gate = Gate(Settings(), lambda: START_TIME_MS)
    for address in ("203.0.113.5", "203.0.113.6", "203.0.113.6", "198.51.100.7", "unix"):
        assert gate.socket_limits.slots.take((SlotLimit.ADDRESS, address))
    loads = gate.busiest_networks(2)
    assert [(load.network, load.sockets) for load in loads] == [
        ("203.0.113.0/24", 3),
        ("198.51.100.0/24", 1),
    ]
    assert "?" in {load.network for load in gate.busiest_networks(3)}
