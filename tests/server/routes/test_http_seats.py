"""Seats over HTTP: who holds them, and how they are taken, left, moved and recovered."""

from typing import Any

import pytest

from pytlik.server import tokens
from pytlik.server.socket_requests import take_back
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from tests.server.http_site import START_TIME_MS, Browser, Site, json_of, status_and_reason


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


@pytest.fixture
def max_(site: Site) -> Browser:
    return site.browser(address="203.0.113.6")


@pytest.fixture
def table(ola: Browser, max_: Browser) -> str:
    """Ola is the host and sits at 0, Max at 1, and two seats are free."""
    table = ola.create_table()
    ola.sit_down(table, "Ola")
    max_.sit_down(table, "Max")
    return table


def chair_names(answer: dict[str, dict[str, list[dict[str, str]]]]) -> list[str]:
    return [chair["name"] for chair in answer["table"]["chairs"]]


def test_looking_sets_no_cookie_but_sitting_takes_a_seat(site: Site, table: str) -> None:
    hana = site.browser()
    visit = hana.get(table)
    assert "set-cookie" not in visit.headers
    assert json_of(visit)["yours"] == []
    answer = hana.sit_down(table, "Hana")
    assert (answer["seat"], answer["yours"], answer["host"]) == (2, [2], False)
    assert chair_names(answer) == ["Ola", "Max", "Hana", ""]
    assert [chair["kind"] for chair in answer["table"]["chairs"]] == ["person"] * 3 + ["free"]
    assert json_of(hana.get(table))["yours"] == [2]


def test_tokens_are_neither_sent_nor_stored(site: Site, ola: Browser, table: str) -> None:
    token = ola.cookies["pytlik"]
    row = site.run(site.store.table(table.rpartition("/")[2]))
    assert row
    assert token.encode() not in row.doc
    assert tokens.holder_of(token).encode() in row.doc
    for path in (table, "/api/mine", "/api/tables", "/metrics", "/schema/openapi.json"):
        body = ola.get(path).content
        assert token.encode() not in body
        assert tokens.holder_of(token).encode() not in body


def test_taken_seat_is_refused(site: Site, ola: Browser, table: str) -> None:
    hana = site.browser()
    sit = f"{table}/seats"
    assert status_and_reason(hana.post(sit, {"name": "Hana", "seat": 0})) == (409, "seat_taken")
    assert status_and_reason(ola.post(sit, {"name": "Ola", "seat": 0})) == (409, "seat_taken")
    assert status_and_reason(hana.post(sit, {"name": "Hana", "seat": 4})) == (404, "no_such_seat")
    assert status_and_reason(hana.post(sit, {"name": "Hana", "seat": -1})) == (404, "no_such_seat")
    hana.sit_down(table, "Hana")
    json_of(ola.put(f"{table}/seats/3/bot", {"level": "hard"}))
    assert status_and_reason(site.browser().post(sit, {"name": "Jan"})) == (409, "table_full")
    assert status_and_reason(site.browser().post(sit, {"name": "Jan", "seat": 3})) == (
        409,
        "seat_taken",
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Ola \t K. ", "Ola K."),
        ("<b>Ola</b>", "<b>Ola</b>"),
        ("Ola\u202egnirts", "Olagnirts"),
        ("O\x00la\x1b\u200b\ufeff", "Ola"),
        ("Ola\nMax", "Ola Max"),
        ("Željka Łucja", "Željka Łucja"),
        ("Zofia " + "x" * 18, "Zofia " + "x" * 18),
        ("👩\u200d👧", "👩\u200d👧"),
    ],
)
def test_names_are_plain_text(ola: Browser, table: str, name: str, shown: str) -> None:
    assert chair_names(json_of(ola.put(f"{table}/seats/0/name", {"name": name})))[0] == shown


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "\u200d", "x" * 25])
def test_invalid_names_are_refused(ola: Browser, table: str, name: str) -> None:
    assert status_and_reason(ola.put(f"{table}/seats/0/name", {"name": name})) == (400, "bad_name")
    assert status_and_reason(ola.post(f"{table}/seats", {"name": name})) == (400, "bad_name")


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u115f", "\ufe0f", "\u0301\u0302"])
def test_invisible_names_are_refused(ola: Browser, table: str, name: str) -> None:
    assert status_and_reason(ola.put(f"{table}/seats/0/name", {"name": name})) == (400, "bad_name")


NAMES_LIKE_MAX = ["Max", "MAX", "M ax", "Mах", "Μax", "Ｍax", "M\u200dax", "Max\ufe0f", "Ma\u034fx"]


@pytest.mark.parametrize("name", NAMES_LIKE_MAX)
def test_confusable_names_are_refused(
    site: Site, ola: Browser, max_: Browser, table: str, name: str
) -> None:
    hana = site.browser()
    assert status_and_reason(hana.post(f"{table}/seats", {"name": name})) == (409, "name_taken")
    assert status_and_reason(ola.put(f"{table}/seats/0/name", {"name": name})) == (
        409,
        "name_taken",
    )
    assert chair_names(json_of(ola.get(table))) == ["Ola", "Max", "", ""]
    # They may write their own name as they like, and use it on a second seat.
    json_of(max_.put(f"{table}/seats/1/name", {"name": name}))
    max_.sit_down(table, name)
    # At other tables, and after they have left, others may use it.
    ola.sit_down(ola.create_table(), name)
    for seat in (1, 2):
        json_of(max_.delete(f"{table}/seats/{seat}"))
    hana.sit_down(table, name)


def test_another_persons_seat_is_refused_before_the_name_is_checked(
    max_: Browser, table: str
) -> None:
    """Otherwise someone could find out what others are called."""
    refused = max_.put(f"{table}/seats/0/name", {"name": "Ola"})
    assert status_and_reason(refused) == (403, "not_your_seat")


def test_nobody_acts_for_someone_elses_seat(site: Site, max_: Browser, table: str) -> None:
    not_theirs: list[tuple[str, str, Any]] = [
        ("PUT", "seats/0/name", {"name": "Thief"}),
        ("PUT", "seats/0/share", {"share": "x"}),
        ("POST", "seats/0/code", None),
        ("POST", "seats/0/back", None),
    ]
    not_host: list[tuple[str, str, Any]] = [
        ("DELETE", "seats/0", None),
        ("PUT", "seats/0/muted", {"muted": True}),
        ("PUT", "seats/2/bot", {"level": "easy"}),
        ("DELETE", "seats/2/bot", None),
        ("PUT", "host", {"seat": 1}),
    ]
    for thief in (max_, site.browser(), site.program_with_token()):
        for method, path, body in not_theirs:
            assert status_and_reason(thief.ask(method, f"{table}/{path}", body)) == (
                403,
                "not_your_seat",
            )
        for method, path, body in not_host:
            assert status_and_reason(thief.ask(method, f"{table}/{path}", body)) == (
                403,
                "not_host",
            )


def test_made_up_tokens_hold_no_seat(site: Site, ola: Browser, table: str) -> None:
    """Neither a token's hash nor a similar token is the token."""
    token = ola.cookies["pytlik"]
    for guess in (
        tokens.holder_of(token),
        token[:-1],
        token.swapcase(),
        "",
        "x" * 22,
        token + "==",
    ):
        thief = site.browser(cookie=f"pytlik={guess}")
        assert json_of(thief.get(table))["yours"] == []
        assert status_and_reason(thief.put(f"{table}/seats/0/name", {"name": "x"})) == (
            403,
            "not_your_seat",
        )


def test_a_program_plays_with_its_token(site: Site, table: str) -> None:
    bot = site.program_with_token()
    answer = bot.post(f"{table}/seats", {"name": "Robot"})
    assert "set-cookie" not in answer.headers
    assert json_of(answer)["yours"] == [2]
    assert json_of(bot.get("/api/mine"))[0]["yours"] == [2]


def test_person_leaves_and_host_frees_a_seat(ola: Browser, max_: Browser, table: str) -> None:
    assert chair_names(json_of(max_.delete(f"{table}/seats/1"))) == ["Ola", "", "", ""]
    max_.sit_down(table, "Max", seat=3)
    assert chair_names(json_of(ola.delete(f"{table}/seats/3"))) == ["Ola", "", "", ""]
    assert json_of(max_.get(table))["yours"] == []
    assert status_and_reason(ola.delete(f"{table}/seats/3")) == (409, "seat_free")
    assert status_and_reason(ola.delete(f"{table}/seats/9")) == (404, "no_such_seat")


def test_next_person_becomes_host_when_the_host_leaves(
    ola: Browser, max_: Browser, table: str
) -> None:
    second = ola.sit_down(table, "Ola too")["seat"]
    assert json_of(ola.delete(f"{table}/seats/0"))["host"]
    assert not json_of(ola.delete(f"{table}/seats/{second}"))["host"]
    assert json_of(max_.get(table))["host"]
    # Nobody else is left, so the table stays Max's.
    assert json_of(max_.delete(f"{table}/seats/1"))["host"]


def test_host_makes_someone_else_host(ola: Browser, max_: Browser, table: str) -> None:
    assert status_and_reason(ola.put(f"{table}/host", {"seat": 2})) == (409, "seat_free")
    assert not json_of(ola.put(f"{table}/host", {"seat": 1}))["host"]
    assert json_of(max_.get(table))["host"]
    assert status_and_reason(ola.put(f"{table}/host", {"seat": 0})) == (403, "not_host")


def test_host_adds_and_removes_bots(ola: Browser, max_: Browser, table: str) -> None:
    bot = f"{table}/seats/2/bot"
    assert json_of(ola.put(bot, {"level": "easy"}))["table"]["chairs"][2]["level"] == "easy"
    chair = json_of(ola.put(bot, {"level": "master"}))["table"]["chairs"][2]
    assert (chair["level"], chair["kind"]) == ("master", "bot")
    assert status_and_reason(ola.put(bot, {"level": "godlike"})) == (400, "bad_request")
    assert status_and_reason(ola.put(f"{table}/seats/1/bot", {"level": "easy"})) == (
        409,
        "seat_taken",
    )
    assert json_of(ola.delete(bot))["table"]["chairs"][2]["kind"] == "free"
    assert status_and_reason(ola.delete(bot)) == (409, "seat_free")


def test_host_mutes_and_unmutes_a_person(ola: Browser, max_: Browser, table: str) -> None:
    mute = f"{table}/seats/1/muted"
    assert json_of(ola.put(mute, {"muted": True}))["table"]["chairs"][1]["muted"]
    assert not json_of(ola.put(mute, {"muted": False}))["table"]["chairs"][1]["muted"]
    assert status_and_reason(ola.put(f"{table}/seats/2/muted", {"muted": True})) == (
        409,
        "seat_free",
    )


def test_bot_plays_an_abandoned_seat_until_someone_sits_down(
    site: Site, ola: Browser, max_: Browser, table: str
) -> None:
    ola.start_match(table)
    chair = json_of(max_.delete(f"{table}/seats/1"))["table"]["chairs"][1]
    assert (chair["kind"], chair["stand_in"], chair["level"]) == ("free", True, "medium")
    hana = site.browser()
    answer = hana.sit_down(table, "Hana")
    assert answer["seat"] == 1
    assert not answer["table"]["chairs"][1]["stand_in"]
    assert status_and_reason(hana.get(f"{table}/matches/1/events?seat=0")) == (403, "not_your_seat")
    json_of(hana.get(f"{table}/matches/1/events?seat=1"))
    assert status_and_reason(max_.get(f"{table}/matches/1/events?seat=1")) == (403, "not_your_seat")
    assert status_and_reason(ola.delete(f"{table}/seats/1/bot")) == (409, "table_running")
    site.play_match_to_end(table.rpartition("/")[2])
    json_of(hana.delete(f"{table}/seats/1"))
    assert status_and_reason(hana.post(f"{table}/seats", {"name": "Hana"})) == (409, "wrong_phase")
    assert status_and_reason(ola.put(f"{table}/seats/1/bot", {"level": "easy"})) == (
        409,
        "wrong_phase",
    )


def test_host_cannot_get_someone_elses_hand(
    site: Site, ola: Browser, max_: Browser, table: str
) -> None:
    """A real attack: free an opponent's seat, sit down there, and read all ten tiles."""
    ola.start_match(table)
    # Nobody is connected, so Max is away.
    assert status_and_reason(ola.delete(f"{table}/seats/1")) == (403, "needs_agreement")
    assert status_and_reason(ola.post(f"{table}/seats", {"name": "Ola", "seat": 1})) == (
        409,
        "seat_taken",
    )
    assert json_of(max_.get(table))["yours"] == [1]
    json_of(max_.delete(f"{table}/seats/1"))
    assert status_and_reason(ola.post(f"{table}/seats", {"name": "Ola", "seat": 1})) == (
        403,
        "sat_elsewhere",
    )
    assert status_and_reason(ola.get(f"{table}/matches/1/events?seat=1")) == (403, "not_your_seat")


def test_a_host_locks_the_table_and_lets_people_back(site: Site, ola: Browser, table: str) -> None:
    hana = site.browser()
    assert json_of(ola.put(f"{table}/lock", {"locked": True}))["table"]["locked"]
    assert status_and_reason(hana.post(f"{table}/seats", {"name": "Hana"})) == (403, "table_locked")
    assert status_and_reason(hana.put(f"{table}/lock", {"locked": False})) == (403, "not_host")
    assert not json_of(ola.put(f"{table}/lock", {"locked": False}))["table"]["locked"]
    hana.sit_down(table, "Hana")
    json_of(ola.delete(f"{table}/seats/2"))
    assert status_and_reason(hana.post(f"{table}/seats", {"name": "Hana"})) == (403, "removed")
    assert status_and_reason(hana.delete(f"{table}/removals")) == (403, "not_host")
    json_of(ola.delete(f"{table}/removals"))
    hana.sit_down(table, "Hana")


def test_a_person_takes_the_seat_back_from_the_bot(site: Site, ola: Browser, table: str) -> None:
    def sit_in(old: Table) -> Table:
        return seats.start_stand_in(old, 0, site.now)

    ola.start_match(table)
    site.run(site.lobby.change(table.rpartition("/")[2], sit_in))
    assert json_of(ola.get(table))["table"]["chairs"][0]["stand_in"]
    assert not json_of(ola.post(f"{table}/seats/0/back"))["table"]["chairs"][0]["stand_in"]
    site.run(site.lobby.change(table.rpartition("/")[2], sit_in))
    with site.lobby.rooms.open(table.rpartition("/")[2]) as room:
        site.run(take_back(room, (0,)))
    assert not json_of(ola.get(table))["table"]["chairs"][0]["stand_in"]


# ------------------------------------------------------------------------------------ codes


def test_a_code_moves_a_seat_to_another_device(site: Site, ola: Browser, table: str) -> None:
    new_code = ola.post(f"{table}/seats/0/code")
    assert new_code.status_code == 201
    code, expires = new_code.json()["code"], new_code.json()["expires"]
    assert len(code) == 6
    assert not set(code) & set("01ilo")
    assert expires == START_TIME_MS + 600_000
    phone = site.browser(address="203.0.113.9")
    body = {"table": table.rpartition("/")[2], "code": f" {code[:3].upper()}-{code[3:]} "}
    answer = json_of(phone.post("/api/codes", body))
    assert (answer["seat"], answer["yours"], answer["host"]) == (0, [0], True)
    assert json_of(ola.get(table))["yours"] == []
    assert not json_of(ola.get(table))["host"]
    assert status_and_reason(ola.post("/api/codes", body)) == (403, "bad_code")


def test_void_codes_are_refused(site: Site, ola: Browser, max_: Browser, table: str) -> None:
    name = table.rpartition("/")[2]
    first = json_of(ola.post(f"{table}/seats/0/code"))["code"]
    second = json_of(ola.post(f"{table}/seats/0/code"))["code"]
    thief = site.browser()
    assert status_and_reason(thief.post("/api/codes", {"table": name, "code": first})) == (
        403,
        "bad_code",
    )
    site.now += 600_000
    assert status_and_reason(thief.post("/api/codes", {"table": name, "code": second})) == (
        403,
        "bad_code",
    )
    third = json_of(ola.post(f"{table}/seats/0/code"))["code"]
    json_of(ola.delete(f"{table}/seats/0"))
    assert status_and_reason(thief.post("/api/codes", {"table": name, "code": third})) == (
        403,
        "bad_code",
    )
    other = max_.create_table()
    fourth = json_of(max_.post(f"{table}/seats/1/code"))["code"]
    refused = thief.post("/api/codes", {"table": other.rpartition("/")[2], "code": fourth})
    assert status_and_reason(refused) == (403, "bad_code")
    refused = thief.post("/api/codes", {"table": "abcdefghjk", "code": fourth})
    assert status_and_reason(refused) == (404, "no_such_table")


def test_code_moves_the_right_seat_after_free_ones_are_removed(
    site: Site, ola: Browser, max_: Browser, table: str
) -> None:
    json_of(max_.delete(f"{table}/seats/1"))
    max_.sit_down(table, "Max", seat=3)
    code = json_of(max_.post(f"{table}/seats/3/code"))["code"]
    ola.start_match(table)
    answer = json_of(
        site.browser().post("/api/codes", {"table": table.rpartition("/")[2], "code": code})
    )
    assert (answer["seat"], chair_names(answer)) == (1, ["Ola", "Max"])


def test_recovery_code_gives_back_a_lost_seat(site: Site, table: str) -> None:
    hana = site.browser()
    recovery = hana.sit_down(table, "Hana")["recovery"]
    name = table.rpartition("/")[2]
    again = site.browser(address="203.0.113.9")
    assert status_and_reason(again.post("/api/recover", {"table": name, "code": "x"})) == (
        403,
        "bad_code",
    )
    assert status_and_reason(again.post("/api/codes", {"table": name, "code": recovery})) == (
        403,
        "bad_code",
    )
    answer = json_of(again.post("/api/recover", {"table": name, "code": recovery}))
    assert (answer["seat"], answer["yours"]) == (2, [2])
    assert json_of(hana.get(table))["yours"] == []
    # The code has been used. If this device is lost too, the new code helps.
    body = {"table": name, "code": recovery}
    assert status_and_reason(hana.post("/api/recover", body)) == (403, "bad_code")
    body["code"] = answer["recovery"]
    assert json_of(hana.post("/api/recover", body))["yours"] == [2]
