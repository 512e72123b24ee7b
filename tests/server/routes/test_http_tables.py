"""Tables over HTTP: creating, finding, agreeing, and the course of matches."""

from unittest.mock import AsyncMock

import msgspec
import pytest

from pytlik.chance import commit
from pytlik.server.live.presence import ALL_SPECTATORS_HOLDER
from pytlik.server.match.deadlines import RECHECK_DEADLINE
from pytlik.server.routes import tables
from pytlik.store import SetDeadlines
from tests.server.http_site import Browser, Site, json_of, status_and_reason


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


@pytest.fixture
def max_(site: Site) -> Browser:
    return site.browser(address="203.0.113.6")


def table_id(table: str) -> str:
    return table.removeprefix("/api/tables/")


def stored_document(site: Site, table: str) -> bytes:
    row = site.run(site.store.table(table_id(table)))
    assert row
    return row.doc


def test_new_table_has_a_commitment_and_an_unseated_host(
    site: Site, ola: Browser, max_: Browser
) -> None:
    answer = ola.post("/api/tables", {"game": "unikat"})
    assert answer.status_code == 201
    created = answer.json()
    assert (created["host"], created["yours"], created["now"]) == (True, [], site.now)
    table = created["table"]
    assert (table["phase"], table["match"], len(table["chairs"])) == ("lobby", 1, 4)
    assert (table["fewest_players"], table["most_players"]) == (2, 4)
    assert table["host_seat"] is None
    secret = site.run(site.store.secret(f"{table['id']}.1"))
    assert secret
    assert table["commitment"] == commit(secret)
    seen = json_of(max_.get(f"/api/tables/{table['id']}"))
    assert (seen["host"], seen["yours"]) == (False, [])
    assert site.bus.published == [(table["id"], 1)]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "chess"},
        {"game": "unikat", "chairs": 5},
        {"game": "unikat", "chairs": 1},
        {"game": "unikat", "surprise": 1},
        {"game": "unikat", "options": {"rounds": 0}},
        {"game": "unikat", "options": {"seconds": 60}},
        {"game": "unikat", "chairs": 2, "options": {"starter": 2}},
        {"game": "ubongo", "options": {"handicap": [3, 4]}},
        {"game": "ubongo", "agreement": {"slow": True}},
        {"game": "unikat", "agreement": {"turn_seconds": 1}},
        [],
        None,
    ],
)
def test_malformed_tables_are_refused(ola: Browser, body: object) -> None:
    assert status_and_reason(ola.post("/api/tables", body)) == (400, "bad_request")


def test_unknown_table_is_not_found(ola: Browser) -> None:
    for name in ("abcdefghjk", "x", "daily-ubongo-2026-11-15", "%00", "ABCDEFGHJK", "é" * 10):
        assert status_and_reason(ola.get(f"/api/tables/{name}")) == (404, "no_such_table")
        assert status_and_reason(ola.post(f"/api/tables/{name}/rematch")) == (404, "no_such_table")


def test_only_listed_tables_with_people_are_found(site: Site, ola: Browser) -> None:
    ola.create_table()
    listed = ola.create_table(agreement={"listed": True})
    assert json_of(site.browser().get("/api/tables")) == [], "nobody is there"
    watch_table(site, listed)
    found = json_of(site.browser().get("/api/tables"))
    assert [table["id"] for table in found] == [table_id(listed)]
    assert json_of(ola.get("/api/tables?phase=playing")) == []
    assert status_and_reason(ola.get("/api/tables?phase=daily")) == (400, "bad_request")


def watch_table(site: Site, table: str) -> None:
    """Record that someone watches a table, on some worker."""
    site.run(site.record_connected(table_id(table), "a worker", **{ALL_SPECTATORS_HOLDER: None}))


def test_empty_tables_do_not_crowd_out_one_with_people(site: Site, ola: Browser) -> None:
    """Sixty empty tables, all touched later."""
    real = ola.create_table(agreement={"listed": True})
    watch_table(site, real)
    stranger = site.browser(address="203.0.113.9")
    for _ in range(60):
        site.now += 1
        stranger.create_table(agreement={"listed": True})
    found = json_of(site.browser().get("/api/tables?phase=lobby"))
    assert [table["id"] for table in found] == [table_id(real)]


def test_everyone_sees_where_the_host_sits(ola: Browser, max_: Browser) -> None:
    table = ola.create_table()
    assert max_.sit_down(table, "Max")["table"]["host_seat"] is None
    assert ola.sit_down(table, "Ola")["table"]["host_seat"] == 1
    passed_on = json_of(ola.put(f"{table}/host", {"seat": 0}))["table"]
    assert passed_on["host_seat"] == 0


def test_my_tables_show_where_i_am_awaited(
    site: Site, ola: Browser, max_: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ola.create_table(options={"starter": 0})
    other = max_.create_table()
    site.now += 1
    ola.sit_down(table, "Ola")
    max_.sit_down(table, "Max")
    ola.start_match(table)
    [mine] = json_of(ola.get("/api/mine"))
    assert (mine["table"]["id"], mine["yours"], mine["host"]) == (table_id(table), [0], True)
    assert mine["awaited"] == [0]
    # Data of an older Pytlik or from a backup has no awaited seats.
    monkeypatch.setattr(site.store, "awaited_seats", AsyncMock(return_value={}))
    assert json_of(ola.get("/api/mine")) == [mine]
    theirs = json_of(max_.get("/api/mine"))
    assert {found["table"]["id"] for found in theirs} == {table_id(table), table_id(other)}
    assert json_of(site.browser().get("/api/mine")) == []


def test_only_so_many_of_my_tables_are_read(ola: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody may have created thousands."""
    for _ in range(3):
        ola.post("/api/tables", {"game": "unikat"})
    monkeypatch.setattr(tables, "MAX_MY_TABLES_READ", 2)
    assert len(json_of(ola.get("/api/mine"))) == 2


def test_only_the_host_chooses_options_and_agreement(ola: Browser, max_: Browser) -> None:
    table = ola.create_table()
    answer = json_of(ola.put(f"{table}/options", {"rounds": 3}))
    assert answer["table"]["options"]["rounds"] == 3
    answer = json_of(ola.put(f"{table}/agreement", {"chat": True, "slow": True}))
    assert answer["table"]["agreement"]["chat"]
    assert answer["table"]["agreement"]["away_seconds"] is None
    assert status_and_reason(max_.put(f"{table}/options", {})) == (403, "not_host")
    assert status_and_reason(max_.put(f"{table}/agreement", {})) == (403, "not_host")
    assert status_and_reason(ola.put(f"{table}/options", {"rounds": "x"})) == (400, "bad_request")


def test_match_starts_with_its_options_and_shares(site: Site, ola: Browser, max_: Browser) -> None:
    table = ola.create_table(chairs=3, options={"starter": 2})
    ola.sit_down(table, seat=0, share="one")
    max_.sit_down(table, "Max", seat=2, share="two")
    assert status_and_reason(max_.post(f"{table}/start", {})) == (403, "not_host")
    assert status_and_reason(ola.post(f"{table}/start", {})) == (409, "not_everyone")
    answer = ola.start_match(table)
    assert answer["table"]["phase"] == "playing"
    # The free seat is gone, and Max, who begins, has moved up.
    assert [chair["name"] for chair in answer["table"]["chairs"]] == ["Ola", "Max"]
    assert answer["table"]["options"]["starter"] == 1
    opened, dealt = json_of(max_.get(f"{table}/matches/1/events?seat=1"))["events"]
    assert opened["shares"] == ["one", "two"]
    assert dealt["hands"][0] == [{"hidden": True}] * 10
    assert len(set(dealt["hands"][1])) == 10
    # Nothing is due except that both should connect, and that Max is notified.
    due = {each.kind for each in site.run(site.store.deadlines())}
    assert due == {"away 0", "away 1", "notice 1"}
    assert status_and_reason(ola.post(f"{table}/start", {})) == (409, "table_running")
    assert status_and_reason(ola.put(f"{table}/options", {})) == (409, "table_running")
    assert status_and_reason(ola.post(f"{table}/chairs")) == (409, "table_running")


def test_match_needs_enough_players(ola: Browser) -> None:
    table = ola.create_table("ubongo")
    ola.sit_down(table)
    refused = ola.post(f"{table}/start", {"without_free": True})
    assert status_and_reason(refused) == (409, "too_few_players")
    assert refused.json()["error"]["detail"] == {"fewest": 2}


def test_bots_can_play_without_people(site: Site, ola: Browser) -> None:
    table = ola.create_table(chairs=2)
    for seat in (0, 1):
        json_of(ola.put(f"{table}/seats/{seat}/bot", {"level": "easy"}))
    ola.start_match(table)
    assert site.run(site.store.next_due()) is not None


def test_one_browser_can_hold_several_seats(ola: Browser) -> None:
    table = ola.create_table(chairs=2)
    assert ola.sit_down(table, "Ola")["seat"] == 0
    assert ola.sit_down(table, "Hana")["yours"] == [0, 1]
    ola.start_match(table)
    for seat in (0, 1):
        json_of(ola.get(f"{table}/matches/1/events?seat={seat}"))


def test_rematch_has_a_new_secret_and_new_shares(site: Site, ola: Browser, max_: Browser) -> None:
    table = ola.create_table(chairs=2)
    ola.sit_down(table, share="one")
    max_.sit_down(table, "Max", share="two")
    assert status_and_reason(ola.post(f"{table}/rematch")) == (409, "match_not_over")
    before = ola.start_match(table)["table"]["commitment"]
    site.play_match_to_end(table_id(table))
    over = json_of(ola.get(table))["table"]
    assert over["phase"] == "over"
    assert 1 in [chair["wins"] for chair in over["chairs"]]
    assert status_and_reason(max_.post(f"{table}/rematch")) == (403, "not_host")
    assert status_and_reason(ola.post(f"{table}/start", {})) == (409, "wrong_phase")
    again = json_of(ola.post(f"{table}/rematch"))["table"]
    assert (again["phase"], again["match"]) == ("lobby", 2)
    assert again["commitment"] != before
    assert b"one" not in stored_document(site, table)
    json_of(ola.put(f"{table}/seats/0/share", {"share": "three"}))
    assert status_and_reason(max_.put(f"{table}/seats/0/share", {"share": "x"})) == (
        403,
        "not_your_seat",
    )
    json_of(ola.post(f"{table}/chairs"))
    ola.start_match(table)
    assert status_and_reason(ola.put(f"{table}/seats/0/share", {"share": "x"})) == (
        409,
        "table_running",
    )
    opened, *_ = json_of(ola.get(f"{table}/matches/2/events"))["events"]
    assert opened["shares"] == ["three", ""]


def test_unanimous_rematch_starts_with_the_last_share(
    site: Site, ola: Browser, max_: Browser
) -> None:
    table = ola.create_table(chairs=2)
    ola.sit_down(table, share="one")
    max_.sit_down(table, "Max", share="two")
    ola.start_match(table)
    assert status_and_reason(max_.post(f"{table}/again")) == (409, "match_not_over")
    site.play_match_to_end(table_id(table))
    chairs = site.run(site.lobby.get(table_id(table))).table.chairs
    site.run(
        site.record_connected(table_id(table), "w", **{str(chair.holder): 20 for chair in chairs})
    )
    voted = json_of(max_.post(f"{table}/again"))["table"]
    assert (voted["phase"], voted["again"]) == ("over", [1])
    assert status_and_reason(site.browser().post(f"{table}/again")) == (403, "not_your_seat")
    ready = json_of(ola.post(f"{table}/again"))["table"]
    assert (ready["phase"], ready["match"], ready["again"]) == ("lobby", 2, [0, 1])
    waiting = json_of(ola.put(f"{table}/seats/0/share", {"share": "three"}))["table"]
    assert waiting["phase"] == "lobby"
    started = json_of(max_.put(f"{table}/seats/1/share", {"share": "four"}))["table"]
    assert (started["phase"], started["again"]) == ("playing", [])
    opened, *_ = json_of(ola.get(f"{table}/matches/2/events"))["events"]
    assert opened["shares"] == ["three", "four"]


def test_a_rematch_with_too_few_people_waits_in_the_lobby(
    site: Site, ola: Browser, max_: Browser
) -> None:
    table = ola.create_table(chairs=2)
    ola.sit_down(table)
    max_.sit_down(table, "Max")
    ola.start_match(table)
    site.play_match_to_end(table_id(table))
    max_.delete(f"{table}/seats/1")
    holder = site.run(site.lobby.get(table_id(table))).table.chairs[0].holder
    site.run(site.record_connected(table_id(table), "w", **{str(holder): 20}))
    assert json_of(ola.post(f"{table}/again"))["table"]["phase"] == "lobby"
    alone = json_of(ola.put(f"{table}/seats/0/share", {"share": "one"}))["table"]
    assert (alone["phase"], alone["match"]) == ("lobby", 2)
    # Somebody else who sits down hasn't agreed to anything: the host decides when it starts.
    joined = max_.sit_down(table, "Max", share="two")["table"]
    assert (joined["phase"], joined["again"]) == ("lobby", [0])
    ola.start_match(table)
    opened, *_ = json_of(ola.get(f"{table}/matches/2/events"))["events"]
    assert opened["shares"] == ["one", "two"]


def test_chairs_are_added_up_to_the_games_maximum(ola: Browser, max_: Browser) -> None:
    table = ola.create_table("ubongo", chairs=3, options={"handicap": [4, 4, 5]})
    info = json_of(ola.post(f"{table}/chairs"))["table"]
    assert info["options"]["handicap"] == [4, 4, 5, 3]
    assert status_and_reason(ola.post(f"{table}/chairs")) == (409, "table_full")
    assert status_and_reason(max_.post(f"{table}/chairs")) == (403, "not_host")


def test_pause_needs_everyone(site: Site, ola: Browser, max_: Browser) -> None:
    table = ola.create_table(chairs=3)
    ola.sit_down(table)
    max_.sit_down(table, "Max")
    json_of(ola.put(f"{table}/seats/2/bot", {"level": "easy"}))
    assert status_and_reason(ola.post(f"{table}/pause", {})) == (409, "table_not_running")
    ola.start_match(table)
    assert json_of(ola.post(f"{table}/pause", {}))["table"]["pausing"] == [0]
    assert json_of(ola.post(f"{table}/pause", {"wanted": False}))["table"]["pausing"] == []
    json_of(max_.post(f"{table}/pause", {}))
    info = json_of(ola.post(f"{table}/pause", {}))["table"]
    assert (info["paused"], info["pausing"]) == (site.now, [])
    json_of(max_.post(f"{table}/pause", {}))
    assert json_of(ola.post(f"{table}/pause", {}))["table"]["paused"] is None
    assert status_and_reason(site.browser().post(f"{table}/pause", {})) == (403, "not_your_seat")


def test_only_the_administrator_deletes_tables(make_site) -> None:  # type: ignore[no-untyped-def]
    site: Site = make_site(admin_token="x" * 20)
    ola = site.browser()
    table = ola.create_table(chairs=2)
    ola.sit_down(table)
    ola.sit_down(table)
    ola.start_match(table)
    assert status_and_reason(ola.delete(table)) == (403, "not_admin")
    admin = site.browser(origin=None, authorization="Bearer " + "x" * 20)
    assert admin.delete(table).status_code == 204
    assert status_and_reason(ola.get(table)) == (404, "no_such_table")
    assert status_and_reason(admin.delete(table)) == (404, "no_such_table")
    assert site.run(site.store.events(f"{table_id(table)}.1")) == []
    assert json_of(ola.get("/api/mine")) == []
    wrong = site.browser(origin=None, authorization="Bearer " + "y" * 20)
    assert status_and_reason(wrong.delete(table)) == (401, "bad_token")


def test_leaving_a_running_match_resets_its_deadlines(site: Site, ola: Browser) -> None:
    table = ola.create_table(chairs=2, agreement={"away_seconds": None})
    ola.sit_down(table)
    ola.sit_down(table)
    ola.start_match(table)
    assert site.run(site.store.next_due()) is None
    json_of(ola.delete(f"{table}/seats/1"))
    assert site.run(site.store.next_due()) == site.now
    site.run(site.store.commit(SetDeadlines(f"{table_id(table)}.1", {RECHECK_DEADLINE: None})))
    # Someone who takes over the seat plays with the existing seed.
    before = msgspec.json.decode(stored_document(site, table))["chairs"][1].get("share", "")
    site.browser().sit_down(table, "Hana", share="late")
    assert msgspec.json.decode(stored_document(site, table))["chairs"][1].get("share", "") == before
    assert site.run(site.store.next_due()) == site.now  # it checks again: a person plays now
