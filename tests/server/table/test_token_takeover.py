"""Ending the access of other devices: a new token takes over everything of the old one, nothing is
lost on the way, and nobody gains a hand by it."""

from typing import Any

import pytest
from msgspec.structs import replace

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server import tokens
from pytlik.server.table import tables
from pytlik.server.table.seats import (
    MAX_HOLDERS_PER_SEAT,
    MAX_REMEMBERED,
    add_move_code,
    expel,
    mute,
    redeem_move_code,
    sit,
)
from pytlik.server.table.tables import Table
from pytlik.server.table.token_takeover import take_over_table
from pytlik.store import Unavailable
from tests.server.http_site import START_TIME_MS, Browser, Site, json_of, status_and_reason


def new_recovery_code(seat: int) -> str:
    return f"new code of {seat}"


def seat_all(table: Table, *people: str) -> Table:
    for seat, person in enumerate(people):
        if person:
            table = sit(table, person, seat, name=person, recovery=f"code of {seat}")
    return table


@pytest.fixture
def table_in_lobby() -> Table:
    """Ola hosts and sits at 0, Max at 1, and two seats are free."""
    return seat_all(tables.create("t", "unikat", "ola", "", START_TIME_MS), "ola", "max")


@pytest.fixture
def table_in_match(table_in_lobby: Table) -> Table:
    """The same, while they play; Hana had seat 2 and has left it."""
    playing = tables.start(seat_all(table_in_lobby, "", "", "hana"), "ola", without_free=True)
    free = replace(playing.chairs[2], holder=None, name="", stand_in=True)
    return replace(playing, chairs=(*playing.chairs[:2], free))


# ------------------------------------------------------------------------------------- the rules


def test_seat_and_host_role_pass_to_the_new_token(table_in_match: Table) -> None:
    after = take_over_table(table_in_match, "ola", "ola2", new_recovery_code)
    assert (after.host, after.held_by("ola2"), after.held_by("ola")) == ("ola2", (0,), ())
    assert after.chairs[0].recovery == "new code of 0"
    assert after.chairs[1] == table_in_match.chairs[1]


def test_table_remembers_only_so_many_tokens_of_removed_people(table_in_lobby: Table) -> None:
    """If there are more, it's locked, so that those it forgets can't come back."""
    table = expel(table_in_lobby, "max", START_TIME_MS)
    for number in range(MAX_REMEMBERED):
        assert not table.locked
        table = take_over_table(table, f"max{number}" if number else "max", f"max{number + 1}", str)
    assert len(table.removed) == MAX_REMEMBERED
    assert table.locked


def test_seat_takes_no_more_new_tokens_than_new_devices(table_in_match: Table) -> None:
    table = table_in_match
    for number in range(MAX_HOLDERS_PER_SEAT - 1):
        table = take_over_table(table, f"ola{number}" if number else "ola", f"ola{number + 1}", str)
    with pytest.raises(Illegal, match=ServerReason.TABLE_LOCKED):
        take_over_table(table, f"ola{MAX_HOLDERS_PER_SEAT - 1}", "one too many", str)


def test_repeated_takeover_changes_nothing(table_in_match: Table) -> None:
    after = take_over_table(table_in_match, "ola", "ola2", new_recovery_code)
    assert take_over_table(after, "ola", "ola2", new_recovery_code) == after


def test_earlier_codes_are_void(table_in_match: Table) -> None:
    coded = add_move_code(table_in_match, "ola", 0, "hash", START_TIME_MS)
    with pytest.raises(Illegal, match=ServerReason.BAD_CODE):
        redeem_move_code(
            take_over_table(coded, "ola", "ola2", new_recovery_code),
            "thief",
            "hash",
            START_TIME_MS,
            recovery="x",
        )
    kept = add_move_code(coded, "max", 1, "other", START_TIME_MS)
    assert [
        code.seat for code in take_over_table(kept, "ola", "ola2", new_recovery_code).codes
    ] == [1]


def test_mutes_and_removals_apply_to_the_new_token(table_in_match: Table) -> None:
    muted = take_over_table(
        mute(table_in_match, "ola", 1, muted=True), "max", "max2", new_recovery_code
    )
    assert muted.chairs[1].muted
    assert set(muted.muted) == {"max", "max2"}
    removed = take_over_table(
        replace(table_in_match, removed=("jan",)), "jan", "jan2", new_recovery_code
    )
    with pytest.raises(Illegal, match=ServerReason.REMOVED):
        sit(removed, "jan2", 2, name="Jan", recovery="")


def test_a_vote_is_not_counted_twice(table_in_match: Table) -> None:
    voted = replace(
        table_in_match,
        chairs=(
            table_in_match.chairs[0],
            replace(table_in_match.chairs[1], against=("ola",)),
            table_in_match.chairs[2],
        ),
    )
    assert take_over_table(voted, "ola", "ola2", new_recovery_code).chairs[1].against == ("ola2",)


@pytest.mark.parametrize("token", ["ola", "ola2"])
def test_neither_token_can_take_a_second_hand_afterwards(table_in_match: Table, token: str) -> None:
    after = take_over_table(table_in_match, "ola", "ola2", new_recovery_code)
    with pytest.raises(Illegal, match=ServerReason.SAT_ELSEWHERE):
        sit(after, token, 2, name="Somebody", recovery="")


def test_person_who_left_can_only_come_back_to_the_same_seat(table_in_match: Table) -> None:
    after = take_over_table(table_in_match, "hana", "hana2", new_recovery_code)
    assert sit(after, "hana2", 2, name="Hana", recovery="").held_by("hana2") == (2,)


def test_two_hands_are_never_merged(table_in_match: Table) -> None:
    """The new token takes a free seat first, and would then take over another one."""
    both = sit(table_in_match, "max2", 2, name="Newcomer", recovery="")
    with pytest.raises(Illegal, match=ServerReason.SAT_ELSEWHERE):
        take_over_table(both, "max", "max2", new_recovery_code)
    with pytest.raises(Illegal, match=ServerReason.SAT_ELSEWHERE):
        take_over_table(both, "max2", "max", new_recovery_code)
    over = take_over_table(tables.finish(both), "max", "max2", new_recovery_code)
    assert over.held_by("max2") == (1, 2)


def test_a_host_who_only_watches_gets_no_hand(table_in_lobby: Table) -> None:
    watching = replace(table_in_lobby, host="television")
    playing = tables.start(seat_all(watching, "", "", "hana"), "television", without_free=True)
    for old, new in (("television", "hana"), ("hana", "television")):
        with pytest.raises(Illegal, match=ServerReason.HOST_LOOKS_ON):
            take_over_table(playing, old, new, new_recovery_code)
    assert (
        take_over_table(playing, "television", "television2", new_recovery_code).host
        == "television2"
    )


# --------------------------------------------------------------------------------- over the wire


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


@pytest.fixture
def table(site: Site, ola: Browser) -> str:
    """Ola is the host and sits at 0, Max at 1, and the match has begun."""
    table = ola.create_table()
    ola.sit_down(table, "Ola")
    site.browser(address="203.0.113.6").sit_down(table, "Max")
    ola.start_match(table)
    return table


def copy_device(site: Site, browser: Browser) -> Browser:
    """Another device with the same cookie."""
    copy = site.browser()
    copy.client.cookies.set("pytlik", browser.cookies["pytlik"])
    return copy


def end_other_devices(browser: Browser) -> dict[str, Any]:
    json_of(browser.post("/api/cookie/renewal"))
    answer: dict[str, Any] = json_of(browser.post("/api/adoption", {}))
    return answer


def id_of(table: str) -> str:
    return table.rpartition("/")[2]


def test_other_devices_lose_everything(site: Site, ola: Browser, table: str) -> None:
    other, elsewhere = copy_device(site, ola), ola.create_table()
    answer = end_other_devices(ola)
    assert [(each["table"], each["seat"]) for each in answer["seats"]] == [(id_of(table), 0)]
    assert answer["refused"] == []
    assert (json_of(ola.get(table))["yours"], json_of(other.get(table))["yours"]) == ([0], [])
    assert json_of(ola.get(elsewhere))["host"]
    assert not json_of(other.get(elsewhere))["host"]
    assert json_of(other.get("/api/mine")) == []
    assert "pytlik-old" not in ola.cookies


def test_recovery_codes_are_replaced(site: Site, ola: Browser) -> None:
    table = ola.create_table()
    before = ola.sit_down(table, "Ola")["recovery"]
    (seat,) = end_other_devices(ola)["seats"]
    body = {"table": id_of(table), "code": before}
    assert status_and_reason(site.browser().post("/api/recover", body)) == (403, "bad_code")
    body["code"] = seat["recovery"]
    assert json_of(site.browser().post("/api/recover", body))["yours"] == [0]


def test_a_lost_answer_to_the_renewal_loses_nothing(site: Site, ola: Browser, table: str) -> None:
    json_of(copy_device(site, ola).post("/api/cookie/renewal"))  # Ola doesn't get this cookie
    assert json_of(ola.get(table))["yours"] == [0]
    end_other_devices(ola)
    assert json_of(ola.get(table))["yours"] == [0]


def test_a_lost_answer_to_the_adoption_loses_nothing(ola: Browser, table: str) -> None:
    json_of(ola.post("/api/cookie/renewal"))
    old = ola.cookies["pytlik-old"]
    first = json_of(ola.post("/api/adoption", {}))
    ola.client.cookies.set("pytlik-old", old, domain="pytlik.test", path="/")
    assert json_of(ola.post("/api/adoption", {})) == first
    assert "pytlik-old" not in ola.cookies
    assert json_of(ola.get(table))["yours"] == [0]


def test_an_unfinished_takeover_does_not_start_over(ola: Browser, table: str) -> None:
    json_of(ola.post("/api/cookie/renewal"))
    cookies = ola.cookies
    json_of(ola.post("/api/cookie/renewal"))
    assert ola.cookies == cookies
    assert json_of(ola.post("/api/adoption", {}))["seats"]
    assert json_of(ola.get(table))["yours"] == [0]


def test_crash_during_the_adoption_loses_nothing(
    site: Site, ola: Browser, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = ola.create_table()
    ola.sit_down(second, "Ola")
    json_of(ola.post("/api/cookie/renewal"))
    commit, commits = site.store.commit, 0

    async def fail(*writes: Any) -> None:
        nonlocal commits
        commits += 1
        if commits > 4:  # notifications, the daily boards in two commits, and the first table
            raise Unavailable("the store is gone")
        await commit(*writes)

    monkeypatch.setattr(site.store, "commit", fail)
    assert status_and_reason(ola.post("/api/adoption", {})) == (503, "unavailable")
    monkeypatch.undo()
    yours = sorted(json_of(ola.get(each))["yours"] for each in (table, second))
    assert yours == [[], [0]]
    assert len(json_of(ola.post("/api/adoption", {}))["seats"]) == 2
    assert [json_of(ola.get(each))["yours"] for each in (table, second)] == [[0], [0]]


def test_takeover_of_a_second_hand_waits_for_the_match_to_end(
    site: Site, ola: Browser, table: str
) -> None:
    hana = site.browser()
    max_ = ola.create_table()
    ola.sit_down(max_, "Ola")
    hana.sit_down(max_, "Hana")
    site.browser(address="203.0.113.9").sit_down(max_, "Jan")
    ola.start_match(max_)
    json_of(hana.delete(f"{max_}/seats/1"))
    json_of(ola.post("/api/cookie/renewal"))
    ola.sit_down(max_, "Newcomer", seat=1)
    answer = json_of(ola.post("/api/adoption", {}))
    assert answer["refused"] == [id_of(max_)]
    assert [each["table"] for each in answer["seats"]] == [id_of(table)]
    assert "pytlik-old" in ola.cookies
    site.play_match_to_end(id_of(max_))
    assert json_of(ola.post("/api/adoption", {}))["refused"] == []
    assert json_of(ola.get(max_))["yours"] == [0, 1]


def test_daily_results_pass_to_the_new_token(site: Site, ola: Browser) -> None:
    json_of(ola.post("/api/daily/ubongo/start", {"side": 3}))
    site.now += 86_400_000
    started = json_of(ola.post("/api/daily/ubongo/start", {"side": 4}))["started"]
    site.now += 60_000
    other = copy_device(site, ola)
    end_other_devices(ola)
    assert json_of(ola.get("/api/daily/ubongo?side=4"))["started"] == started
    assert json_of(other.get("/api/daily/ubongo?side=4"))["started"] is None
    yesterday = "/api/daily/ubongo?day=2026-11-15&side=3"
    assert json_of(ola.get(yesterday))["started"] == START_TIME_MS


def test_programs_send_their_old_token(site: Site) -> None:
    program = site.program_with_token()
    table = program.create_table()
    program.sit_down(table, "Robot")
    new, old = (
        site.program_with_token(),
        program.client.headers["authorization"].removeprefix("Bearer "),
    )
    problem = program.post("/api/cookie/renewal")
    assert status_and_reason(problem) == (400, "bad_request")
    assert status_and_reason(new.post("/api/adoption", {"old": "nothing like it"})) == (
        401,
        "bad_token",
    )
    assert json_of(new.post("/api/adoption", {"old": old}))["seats"]
    assert (json_of(new.get(table))["yours"], json_of(program.get(table))["yours"]) == ([0], [])


def test_new_token_is_admitted_on_a_private_server(make_site: Any) -> None:
    ola = make_site(passphrase="a secret garden").browser()
    json_of(ola.post("/api/enter", {"passphrase": "a secret garden"}))
    table = ola.create_table()
    ola.sit_down(table, "Ola")
    before = ola.cookies["pytlik"]
    end_other_devices(ola)
    assert tokens.has_passphrase_mark(ola.cookies["pytlik"], "a secret garden")
    assert ola.cookies["pytlik"] != before
    assert json_of(ola.get(table))["yours"] == [0]


def test_adoption_without_a_token_does_nothing(site: Site) -> None:
    nobody = site.browser()
    assert json_of(nobody.post("/api/adoption", {})) == {"seats": [], "refused": []}


def test_browser_can_get_a_cookie_before_it_claims_a_seat(
    site: Site, ola: Browser, table: str
) -> None:
    """Then a claim whose answer was lost can be repeated."""
    code = json_of(ola.post(f"{table}/seats/0/code"))["code"]
    tablet = site.browser()
    json_of(tablet.post("/api/cookie"))
    cookie = tablet.cookies["pytlik"]
    body = {"table": id_of(table), "code": code}
    json_of(tablet.post("/api/codes", body))
    tablet.client.cookies.clear()  # the answer and its cookie are lost
    tablet.client.cookies.set("pytlik", cookie)
    assert json_of(tablet.post("/api/codes", body))["yours"] == [0]


def test_adoptions_are_limited(make_site: Any) -> None:
    strict = make_site(limit_scale=1)
    program, new = strict.program_with_token(), tokens.new_token()
    old = program.client.headers["authorization"].removeprefix("Bearer ")
    other = strict.browser(origin=None, authorization=f"Bearer {new}", address="203.0.113.8")
    answers = [other.post("/api/adoption", {"old": old}).status_code for _ in range(42)]
    assert answers == [200] * 40 + [429] * 2
