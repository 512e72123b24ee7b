"""Circles over HTTP: joining and leaving, playing in them, and who sees what."""

import io
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from pytlik.server.circle import result_recording
from pytlik.server.clocks.leases import LEASE_MS
from pytlik.server.database_audit import audit_contents
from pytlik.server.match.deadlines import RESULT_DEADLINE
from pytlik.server.name_removal_and_takeover import remove_name_everywhere
from pytlik.server.scheduling.scheduler import Scheduler
from pytlik.store import PutCircle, SetDeadlines, Unavailable, backups
from tests.server.http_site import Browser, Site, json_of, status_and_reason

DAY_MS = 86_400_000


def start_circle(browser: Browser, member: str = "Ola") -> str:
    """Start a circle and return its path."""
    answer = json_of(browser.post("/api/circles", {"name": "Family", "member": member}))
    return f"/api/circles/{answer['circle']['id']}"


def join_circle(browser: Browser, circle: str, name: str) -> dict[str, Any]:
    answer: dict[str, Any] = json_of(browser.post(f"{circle}/members", {"name": name}))
    return answer


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


def member_names(browser: Browser, circle: str) -> list[str]:
    return [member["name"] for member in json_of(browser.get(circle))["circle"]["members"]]


def play_match_in_circle(
    site: Site, circle: str, *people: Browser, game: str = "unikat", **played: Any
) -> str:
    """Play a match in a circle to its end, and return the path of its table."""
    table = people[0].create_table(game, circle=id_of(circle), chairs=max(2, len(people)))
    for number, person in enumerate(people):
        person.sit_down(table, f"Seat {'ABCD'[number]}")
    if len(people) == 1:
        json_of(people[0].put(f"{table}/seats/1/bot", {"level": "easy"}))
    people[0].start_match(table)
    site.play_match_to_end(id_of(table), **played)
    return table


def make_scheduler(site: Site) -> Scheduler:
    return Scheduler(site.lobby.rooms, site.cleanup, keep_days=90)


def fire_due_deadlines(site: Site) -> None:
    """Do what a worker's scheduler does."""
    scheduler = make_scheduler(site)
    for lease in site.run(scheduler.leases.take_due()):
        site.run(scheduler.fire(lease))


def count_results_due(site: Site) -> int:
    return sum(each.kind == RESULT_DEADLINE for each in site.run(site.store.deadlines()))


def list_circle_results(browser: Browser, circle: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json_of(browser.get(f"{circle}/results"))["results"]
    return listed


# ---------------------------------------------------------------------------------------- members


def test_link_shows_a_circle_and_joining_is_one_request(site: Site) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    seen = json_of(max_.get(circle))
    assert (seen["me"], seen["code"]) == (None, None)
    assert not max_.cookies, "looking needs no token"
    joined = join_circle(max_, circle, "Max")
    assert [member["name"] for member in joined["circle"]["members"]] == ["Ola", "Max"]
    assert joined["me"] == 2
    assert json_of(max_.get("/api/circles")) == [
        {"id": id_of(circle), "name": "Family", "members": 2}
    ]
    assert json_of(site.browser().get("/api/circles")) == []


def test_circle_reveals_no_token_or_hash(site: Site) -> None:
    ola = site.browser()
    circle = start_circle(ola)
    answer = json_of(site.browser().get(circle))
    assert set(answer["circle"]["members"][0]) == {"id", "name"}
    assert set(answer["circle"]) == {"id", "name", "members", "scores", "tables"}


@pytest.mark.parametrize("path", ["/api/circles/nothing", "/api/circles/" + "2" * 12])
def test_unknown_circle_is_not_found(site: Site, path: str) -> None:
    browser = site.browser()
    missing = (404, "no_such_circle")
    assert status_and_reason(browser.get(path)) == missing
    assert status_and_reason(browser.get(f"{path}/results")) == missing
    assert status_and_reason(browser.post(f"{path}/members", {"name": "Max"})) == missing
    assert (
        status_and_reason(browser.post("/api/tables", {"game": "unikat", "circle": id_of(path)}))
        == missing
    )


def test_circle_is_deleted_when_its_last_member_leaves(site: Site) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    join_circle(max_, circle, "Max")
    json_of(max_.put(f"{circle}/me", {"name": "Maximilian"}))
    assert member_names(ola, circle) == ["Ola", "Maximilian"]
    assert status_and_reason(max_.put(f"{circle}/name", {"name": "Mine"})) == (403, "not_keeper")
    assert json_of(ola.put(f"{circle}/name", {"name": "Us"}))["circle"]["name"] == "Us"
    stranger = site.browser()
    assert status_and_reason(stranger.put(f"{circle}/me", {"name": "X"})) == (403, "not_in_circle")
    assert status_and_reason(stranger.delete(f"{circle}/members/1")) == (403, "not_in_circle")
    json_of(ola.delete(f"{circle}/members/1"))
    assert member_names(ola, circle) == ["Maximilian"]
    json_of(max_.delete(f"{circle}/members/2"))
    assert status_and_reason(max_.get(circle)) == (404, "no_such_circle")


def test_removed_member_cannot_rejoin(site: Site) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    join_circle(max_, circle, "Max")
    json_of(ola.delete(f"{circle}/members/2"))
    answer = max_.post(f"{circle}/members", {"name": "Max"})
    assert status_and_reason(answer) == (403, "removed_from_circle")
    assert json_of(max_.get("/api/circles")) == []


def test_membership_moves_to_another_device_with_its_code(site: Site) -> None:
    ola, phone = site.browser(), site.browser()
    circle = start_circle(ola)
    code = json_of(ola.get(circle))["code"]
    assert status_and_reason(phone.post(f"{circle}/recover", {"code": "x"})) == (403, "bad_code")
    moved = json_of(phone.post(f"{circle}/recover", {"code": code.upper()}))
    assert moved["me"] == 1
    assert moved["code"] != code
    assert json_of(ola.get(circle))["me"] is None
    assert status_and_reason(ola.post(f"{circle}/recover", {"code": code})) == (403, "bad_code")
    assert json_of(ola.post(f"{circle}/recover", {"code": moved["code"]}))["me"] == 1


def test_membership_moves_to_a_new_token(site: Site) -> None:
    ola = site.browser()
    circle = start_circle(ola)
    code = json_of(ola.get(circle))["code"]
    json_of(ola.post("/api/cookie/renewal"))
    json_of(ola.post("/api/adoption", {}))
    after = json_of(ola.get(circle))
    assert after["me"] == 1
    assert after["code"] != code
    assert status_and_reason(site.browser().post(f"{circle}/recover", {"code": code})) == (
        403,
        "bad_code",
    )


def test_person_and_administrator_can_remove_a_name(site: Site) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola, "Quetzalcoatl")
    join_circle(max_, circle, "Xochipilli")
    play_match_in_circle(site, circle, ola, max_)
    fire_due_deadlines(site)
    json_of(ola.delete("/api/me"))
    assert member_names(ola, circle) == ["", "Xochipilli"]
    assert json_of(ola.get(circle))["me"] == 1, "they stay a member"
    site.run(remove_name_everywhere(site.lobby.rooms, "Xochipilli"))
    assert member_names(ola, circle) == ["", ""]
    assert "Quetzalcoatl" not in ola.get(f"{circle}/results").text


def test_creating_and_joining_circles_is_limited(make_site: Any) -> None:
    site: Site = make_site(limit_scale=0.1)
    ola, stranger = site.browser(), site.browser()
    answers = [ola.post("/api/circles", {"name": "A", "member": "Ola"}) for _ in range(5)]
    assert status_and_reason(answers[-1]) == (429, "too_fast")
    circle = f"/api/circles/{json_of(answers[0])['circle']['id']}"
    joins: list[httpx.Response] = [
        stranger.post(f"{circle}/members", {"name": ""}) for _ in range(3)
    ]
    assert status_and_reason(joins[0]) == (400, "bad_name")
    assert status_and_reason(joins[-1]) == (429, "too_fast")


# ----------------------------------------------------------------------------------------- playing


def test_only_members_create_tables_in_a_circle(site: Site) -> None:
    ola, guest = site.browser(), site.browser()
    circle = start_circle(ola)
    body = {"game": "unikat", "circle": id_of(circle), "agreement": {"listed": True}}
    assert status_and_reason(guest.post("/api/tables", body)) == (403, "not_in_circle")
    created = json_of(ola.post("/api/tables", body))["table"]
    assert created["circle"] == id_of(circle)
    assert not created["agreement"]["listed"], "or strangers would find the circle"
    waiting = json_of(guest.get(circle))["circle"]["tables"]
    assert [table["id"] for table in waiting] == [created["id"]]


def test_running_match_is_not_revealed(site: Site) -> None:
    """Neither that it runs, nor who plays, nor how it goes."""
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    join_circle(max_, circle, "Max")
    table = ola.create_table("unikat", circle=id_of(circle), chairs=2)
    ola.sit_down(table, "A")
    max_.sit_down(table, "B")
    ola.start_match(table)
    site.play_match_to_end(id_of(table), finish=False)
    fire_due_deadlines(site)
    guest = site.browser()
    assert json_of(guest.get(circle))["circle"]["tables"] == []
    assert json_of(guest.get(circle))["circle"]["scores"] == []
    assert list_circle_results(guest, circle) == []
    assert id_of(table) not in guest.get(circle).text


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_finished_match_counts_for_the_members_who_played(site: Site, game: str) -> None:
    ola, max_, guest = site.browser(), site.browser(), site.browser()
    circle = start_circle(ola)
    join_circle(max_, circle, "Max")
    table = play_match_in_circle(site, circle, max_, guest, ola, game=game)
    assert list_circle_results(ola, circle) == []
    fire_due_deadlines(site)
    (result,) = list_circle_results(guest, circle)
    assert (result["game"], result["table"], result["match"]) == (game, id_of(table), 1)
    assert result["replay"]
    assert [seat.get("member") for seat in result["seats"]] == [2, None, 1]
    assert any(seat.get("won") for seat in result["seats"])
    scores = json_of(ola.get(circle))["circle"]["scores"]
    assert {(each["season"], each["member"], each["played"]) for each in scores} == {
        (season, member, 1) for season in ("", "2026-4") for member in (1, 2)
    }
    assert "Seat" not in ola.get(f"{circle}/results").text, "guests aren't named"


def test_result_survives_a_worker_that_dies_before_storing_it(site: Site) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    play_match_in_circle(site, circle, ola, max_)
    assert count_results_due(site) == 1
    assert site.run(make_scheduler(site).leases.take_due())  # this one dies
    fire_due_deadlines(site)
    assert list_circle_results(ola, circle) == [], "it's leased"
    site.now += LEASE_MS
    with patch.object(
        result_recording, "change_circle_with_result", side_effect=Unavailable("away")
    ):
        fire_due_deadlines(site)
    assert count_results_due(site) == 1
    site.now += LEASE_MS
    fire_due_deadlines(site)
    assert len(list_circle_results(ola, circle)) == 1
    assert count_results_due(site) == 0


def test_result_is_stored_once_however_often_it_is_tried(site: Site) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    table = play_match_in_circle(site, circle, ola, max_)
    fire_due_deadlines(site)
    before = json_of(ola.get(circle))
    json_of(ola.post(f"{table}/rematch", {}))  # the table has moved on
    site.run(site.store.commit(SetDeadlines(f"{id_of(table)}.1", {RESULT_DEADLINE: site.now})))
    fire_due_deadlines(site)
    after = json_of(ola.get(circle))
    assert after["circle"]["scores"] == before["circle"]["scores"]
    assert len(list_circle_results(ola, circle)) == 1
    assert count_results_due(site) == 0


def test_match_alone_against_bots_does_not_count(site: Site) -> None:
    ola = site.browser()
    circle = start_circle(ola)
    play_match_in_circle(site, circle, ola)
    fire_due_deadlines(site)
    assert list_circle_results(ola, circle) == []


def test_match_without_members_does_not_count(site: Site) -> None:
    ola, one, other = site.browser(), site.browser(), site.browser()
    circle = start_circle(ola)
    table = ola.create_table("unikat", circle=id_of(circle), chairs=2)
    one.sit_down(table, "A")
    other.sit_down(table, "B")
    ola.start_match(table)
    site.play_match_to_end(id_of(table))
    fire_due_deadlines(site)
    assert list_circle_results(ola, circle) == []


def test_match_finished_by_a_stand_in_is_marked_and_not_won(site: Site) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    join_circle(max_, circle, "Max")
    play_match_in_circle(site, circle, ola, max_, stand_ins=(0, 1))
    fire_due_deadlines(site)
    (result,) = list_circle_results(ola, circle)
    assert all(seat["helped"] for seat in result["seats"])
    scores = json_of(ola.get(circle))["circle"]["scores"]
    assert {(each["played"], each["won"]) for each in scores} == {(1, 0)}


def test_result_outlives_its_table_and_may_lack_a_circle(
    site: Site,
) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    table = play_match_in_circle(site, circle, ola, max_)
    fire_due_deadlines(site)
    site.run(site.lobby.delete_table(id_of(table)))
    assert [result["replay"] for result in list_circle_results(ola, circle)] == [False]
    play_match_in_circle(site, circle, ola, max_)
    json_of(ola.delete(f"{circle}/members/1"))
    fire_due_deadlines(site)
    assert count_results_due(site) == 0


def test_past_results_come_in_pages(site: Site) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    with patch("pytlik.server.routes.circles.RESULTS_PER_PAGE", 2):
        for _ in range(3):
            play_match_in_circle(site, circle, ola, max_)
            site.now += DAY_MS
            fire_due_deadlines(site)
        first = json_of(ola.get(f"{circle}/results"))
        last = first["results"][-1]
        earlier = json_of(ola.get(f"{circle}/results?before={last['table']}.{last['match']}"))
    assert ([len(first["results"]), first["more"]], [len(earlier["results"]), earlier["more"]]) == (
        [2, True],
        [1, False],
    )
    assert status_and_reason(ola.get(f"{circle}/results?before=x")) == (400, "bad_request")
    assert first["results"][0]["ended"] > last["ended"] > earlier["results"][0]["ended"]


# ------------------------------------------------------------------------------------- in the store


def test_unvisited_circle_is_deleted_after_a_year(site: Site) -> None:
    ola = site.browser()
    visited, forgotten = start_circle(ola), start_circle(ola)
    site.now += 300 * DAY_MS
    json_of(ola.get(visited))
    assert site.run(site.cleanup.delete_unvisited_circles()) == 0
    site.now += 100 * DAY_MS
    assert site.run(site.cleanup.delete_unvisited_circles()) == 1
    assert site.run(site.store.circle(id_of(forgotten))) is None
    assert site.run(site.store.circle(id_of(visited)))


def test_audit_and_backup_include_circles(site: Site, tmp_path: Any) -> None:
    ola, max_ = site.browser(), site.browser()
    circle = start_circle(ola)
    play_match_in_circle(site, circle, ola, max_)
    fire_due_deadlines(site)
    url = str(tmp_path / "0.db")
    checks = site.run(audit_contents(url, None, lambda *_: None))
    assert {check.check: check.wrong for check in checks if check.wrong} == {}
    (found,) = [check for check in checks if check.check == "circles"]
    assert found.found == "1"

    async def backup() -> bytes:
        async with backups.snapshot(url) as rows:
            return b"".join([line async for line in backups.backup_lines(rows)])

    lines = io.BytesIO(site.run(backup())).readlines()
    assert sum(b'"circle_results","row"' in line.replace(b" ", b"") for line in lines) == 1


def test_audit_finds_broken_circles(site: Site, tmp_path: Any) -> None:
    def put(id: str, doc: bytes, result: bytes) -> None:
        site.run(
            site.store.commit(
                PutCircle(
                    id=id, version=0, doc=doc, touched=1, holders=(),
                    played="t.1", ended=1, result=result, most=2,
                )
            )
        )  # fmt: skip

    put("c" * 12, b"{}", b'{"game":"unikat","seats":[]}')
    members = b'{"id":"d","name":"x","created":1,"members":[]}'
    put("d" * 12, members, b"[]")
    checks = site.run(audit_contents(str(tmp_path / "0.db"), None, lambda *_: None))
    (found,) = [check for check in checks if check.check == "circles"]
    assert [each.partition(":")[0] for each in found.wrong] == ["c" * 12, "d" * 12, "d" * 12]
