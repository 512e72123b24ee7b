"""A person who plays alone keeps nobody waiting, so no bot ever plays for them."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from pytlik.server.match.deadlines import (
    AWAY_DEADLINE_PREFIX,
    RECHECK_DEADLINE,
    TURN_DEADLINE,
    absent_players_to_wait_for,
    have_seats_changed_hands,
)
from pytlik.server.scheduling import deadline_actions
from pytlik.server.table import seats, tables
from pytlik.server.table.tables import Table
from pytlik.store import CheckStillDue, Conflict, SetDeadlines
from tests.server.http_site import START_TIME_MS, Site
from tests.server.live_server import LiveServer, server_test
from tests.server.people_at_table import message_kinds_until_answer, post_to_table, wait_for_message

HOUR_MS = 3_600_000
SHORT_LIMITS = {"turn_seconds": 30, "away_seconds": 60}


def start_table_with_bots(persons: str, bots: int = 0) -> Table:
    """A match of people who hold these seats, and bots."""
    table = tables.create("t", "unikat", "h", "c" * 64, 0, chairs=len(persons) + bots)
    for seat, holder in enumerate(persons):
        table = seats.sit(table, holder, seat, name=holder, recovery=f"{holder}{seat}")
    for seat in range(len(persons), len(persons) + bots):
        table = seats.add_bot(table, "h", seat, "easy")
    return tables.start(table, "h")


@pytest.mark.parametrize(
    ("persons", "bots", "absent"),
    [
        ("a", 1, set()),
        ("a", 3, set()),
        ("aa", 0, set()),  # one device that is passed around
        ("aa", 1, set()),
        ("ab", 0, {0, 1}),
        ("aab", 1, {0, 1, 2}),
    ],
)
def test_people_are_counted_rather_than_seats(persons: str, bots: int, absent: set[int]) -> None:
    table = start_table_with_bots(persons, bots)
    assert table.has_one_person == (not absent)
    assert {seat for seat, _, _ in absent_players_to_wait_for(table, ())} == absent


def test_abandoned_seat_does_not_count_as_a_person() -> None:
    two = start_table_with_bots("ab")
    one = seats.leave(two, "b", 1, 0)
    assert one.has_one_person
    assert not seats.sit(one, "c", 1, name="c", recovery="").has_one_person
    assert not seats.leave(one, "a", 0, 0).has_one_person


def test_deadlines_change_when_someone_is_left_alone_or_joined() -> None:
    """Even if a device only gives away one of its seats, and no bot is involved."""
    passed = start_table_with_bots("aa")
    shared, _ = seats.recover_seat(passed, "b", "a1", recovery="next")
    assert have_seats_changed_hands(passed, shared)
    assert have_seats_changed_hands(shared, passed)
    moved, _ = seats.recover_seat(shared, "c", "next", recovery="last")
    assert not have_seats_changed_hands(shared, moved)


def test_wait_ends_when_the_others_have_left(site: Site) -> None:
    """A worker that hasn't noticed may have set the deadline again."""
    id = site.run(site.lobby.create("unikat", "ola", chairs=3)).table.id
    match, kind = f"{id}.1", f"{AWAY_DEADLINE_PREFIX}0"

    def change(alter: Any) -> Table:
        return site.run(site.lobby.change(id, alter)).table

    for seat, holder in enumerate(("ola", "ola", "max")):
        change(lambda t, h=holder, s=seat: seats.sit(t, h, s, name=h, recovery=f"{h}{s}"))
    site.run(site.lobby.start(id, "ola"))
    change(lambda t: seats.leave(t, "max", 2, START_TIME_MS))

    async def fire_late(kind: str) -> Table:
        due = CheckStillDue(match, kind, START_TIME_MS)
        await site.store.commit(SetDeadlines(match, {kind: START_TIME_MS}))
        with site.lobby.rooms.open(id) as room, suppress(Conflict):
            if kind == TURN_DEADLINE:
                await deadline_actions.let_bots_stand_in_for_slow_players(room, (0, 1), due)
            else:
                await deadline_actions.let_bot_stand_in(room, 0, due)
        return (await site.lobby.get(id)).table

    for each in (kind, TURN_DEADLINE):
        table = site.run(fire_late(each))
        assert [chair.stand_in for chair in table.chairs] == [False, False, True]
    assert TURN_DEADLINE not in site.run(site.store.deadlines_of(match))
    change(lambda t: seats.sit(t, "eva", 2, name="eva", recovery=""))
    due = site.run(site.store.deadlines_of(match))
    assert set(due) >= {f"{AWAY_DEADLINE_PREFIX}{seat}" for seat in range(3)} | {RECHECK_DEADLINE}


@server_test
async def test_a_person_alone_with_bots_can_leave_and_come_back(live_server: LiveServer) -> None:
    table, (one,) = await live_server.create_match(
        people=1, bots=1, options={"starter": 0}, agreement=SHORT_LIMITS
    )
    hand = one.view["hand"]
    live_server.pass_time(HOUR_MS)  # they think
    assert "update" not in await message_kinds_until_answer(one)
    await one.close()
    await live_server.wait_until_quiet()
    for _ in range(3):
        live_server.pass_time(HOUR_MS)
        await live_server.wait_until_quiet()
    assert await live_server.store.deadlines() == []
    back = live_server.new_person(one.token)
    await back.join(table)
    hello = await back.wait_for("hello")
    assert not any(chair["stand_in"] for chair in hello["table"]["chairs"])
    await back.wait_for("update")
    assert (back.view["hand"], back.can_act()) == (hand, True)


@server_test
async def test_turn_limit_applies_only_while_others_wait(live_server: LiveServer) -> None:
    table, (one, other) = await live_server.create_match(
        options={"starter": 0}, agreement=SHORT_LIMITS
    )
    match = f"{table}.1"
    assert TURN_DEADLINE in await live_server.store.deadlines_of(match)
    await other.ask("DELETE", f"/api/tables/{table}/seats/1")
    while TURN_DEADLINE in await live_server.store.deadlines_of(match):  # noqa: ASYNC110 - the scheduler does it
        await asyncio.sleep(0)
    live_server.pass_time(HOUR_MS)
    assert "update" not in await message_kinds_until_answer(one)
    new = live_server.new_person()
    await post_to_table(new, table, "seats", name="New", seat=1)
    while TURN_DEADLINE not in await live_server.store.deadlines_of(match):  # noqa: ASYNC110 - the scheduler does it
        await asyncio.sleep(0)
    live_server.pass_time(31_000)
    await wait_for_message(
        one, lambda m: m["kind"] == "table_changed" and m["table"]["chairs"][0]["stand_in"]
    )
