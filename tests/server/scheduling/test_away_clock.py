"""How long the others wait for someone who isn't here before a bot takes over, and what everyone
sees of it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from pytlik.protocol.table_agreement import Agreement
from pytlik.server.match.deadlines import AWAY_DEADLINE_PREFIX
from pytlik.server.scheduling import deadline_actions
from pytlik.server.table import pause_votes, seats
from pytlik.server.table.stored_tables import StoredTable
from pytlik.server.table.table_info import make_table_info
from pytlik.server.table.tables import Table
from pytlik.store import CheckStillDue, Conflict
from tests.server.http_site import START_TIME_MS, Site

WAIT_MS = 60_000
AWAY_AGREEMENT = Agreement(away_seconds=WAIT_MS // 1000)


class AwayTable:
    """A table with four chairs: two of Ola's, Max's, and a bot's. Workers are simulated."""

    def __init__(self, site: Site, agreement: Agreement = AWAY_AGREEMENT) -> None:
        self.site = site
        self.id = site.run(
            site.lobby.create("unikat", "ola", chairs=4, agreement=agreement)
        ).table.id
        for seat, holder in enumerate(("ola", "ola", "max")):
            self.change(sit_change(holder, seat))
        self.change(lambda table: seats.add_bot(table, "ola", 3, "easy"))

    def change(self, alter: Callable[[Table], Table]) -> StoredTable:
        return self.site.run(self.site.lobby.change(self.id, alter))

    def start(self) -> None:
        self.site.run(self.site.lobby.start(self.id, "ola"))

    def set_connected(self, worker: str, *here: str) -> StoredTable:
        return self.site.run(self.site.record_connected(self.id, worker, **dict.fromkeys(here)))

    async def let_bot_stand_in(self, seat: int) -> StoredTable:
        """Do what happens when the wait for a seat's person is over."""
        match, kind = f"{self.id}.1", f"{AWAY_DEADLINE_PREFIX}{seat}"
        due = (await self.site.store.deadlines_of(match)).get(kind, 0)
        with self.site.lobby.rooms.open(self.id) as room, suppress(Conflict):
            await deadline_actions.let_bot_stand_in(room, seat, CheckStillDue(match, kind, due))
        return await self.site.lobby.get(self.id)

    def stand_in_times(self) -> dict[int, int]:
        """When a bot will take over each seat, in milliseconds since the start."""
        return {
            int(each.kind.removeprefix("away ")): each.due - START_TIME_MS
            for each in self.site.run(self.site.store.deadlines())
            if each.kind.startswith("away")
        }


def sit_change(holder: str, seat: int) -> Callable[[Table], Table]:
    return lambda table: seats.sit(table, holder, seat, name=holder, recovery=holder)


def test_absent_people_get_a_deadline_when_a_match_starts(site: Site) -> None:
    table = AwayTable(site)
    table.set_connected("one", "max")
    assert table.stand_in_times() == {}
    table.start()
    assert table.stand_in_times() == {
        0: WAIT_MS,
        1: WAIT_MS,
    }  # a device that is passed around holds several seats
    site.now += 1_000
    table.set_connected("one", "max", "ola")
    assert table.stand_in_times() == {}


@pytest.mark.parametrize(
    "agreement", [Agreement(away_seconds=None), Agreement(slow=True, away_seconds=60)]
)
def test_agreement_can_rule_out_away_deadlines(site: Site, agreement: Agreement) -> None:
    table = AwayTable(site, agreement)
    table.set_connected("one", "max")
    table.start()
    table.set_connected("one")
    assert table.stand_in_times() == {}


def test_a_person_connected_to_any_worker_is_here(site: Site) -> None:
    table = AwayTable(site)
    table.set_connected("one", "ola", "max")
    table.set_connected("two", "max")
    table.start()
    site.now += 1_000
    table.set_connected("one", "ola")
    assert table.stand_in_times() == {}
    site.now += 1_000
    found = table.set_connected("two")
    assert table.stand_in_times() == {2: 2_000 + WAIT_MS}
    assert list(found.here) == ["ola"]
    # Others coming and going gives nobody more time.
    site.now += 1_000
    table.set_connected("one")
    assert table.stand_in_times() == {0: 3_000 + WAIT_MS, 1: 3_000 + WAIT_MS, 2: 2_000 + WAIT_MS}


def test_pause_stops_the_wait_and_it_starts_over_afterwards(site: Site) -> None:
    table = AwayTable(site)
    table.set_connected("one", "max")
    table.start()
    assert set(table.stand_in_times()) == {0, 1}
    for holder in ("ola", "max"):
        table.change(lambda t, holder=holder: pause_votes.vote_on_pause(t, holder, site.now))  # type: ignore[misc]
    assert table.stand_in_times() == {}
    site.now += 1_000_000
    table.set_connected("one")  # anyone who leaves now isn't waited for either
    assert table.stand_in_times() == {}
    for holder in ("ola", "max"):
        table.change(lambda t, holder=holder: pause_votes.vote_on_pause(t, holder, site.now))  # type: ignore[misc]
    assert table.stand_in_times() == dict.fromkeys((0, 1, 2), 1_000_000 + WAIT_MS)


def test_new_holder_who_is_not_connected_gets_a_deadline(site: Site) -> None:
    table = AwayTable(site)
    table.set_connected("one", "ola", "max")
    table.start()
    table.change(lambda t: seats.leave(t, t.chairs[2].holder, 2, site.now))
    assert table.stand_in_times() == {}
    table.change(sit_change("eva", 2))
    assert table.stand_in_times() == {2: WAIT_MS}
    site.now += 1_000
    # Someone who moves the seat to another device has the whole time again.
    table.change(lambda t: seats.recover_seat(t, "eva's other", "eva", recovery="next")[0])
    assert table.stand_in_times() == {2: 1_000 + WAIT_MS}
    table.change(lambda t: seats.leave(t, "eva's other", 2, site.now))
    assert table.stand_in_times() == {}


def test_no_away_deadlines_after_the_match(site: Site) -> None:
    table = AwayTable(site)
    table.start()
    assert set(table.stand_in_times()) == {0, 1, 2}
    site.finish_match(table.id, 1)
    assert table.stand_in_times() == {}
    site.run(site.lobby.rematch(table.id, "ola"))
    assert table.stand_in_times() == {}
    table.set_connected("one", "max")
    table.start()
    missed = [each for each in site.run(site.store.deadlines()) if each.kind.startswith("away")]
    assert {each.match for each in missed} == {f"{table.id}.2"}
    assert set(table.stand_in_times()) == {0, 1}


def test_a_bot_stands_in_only_for_the_absent(site: Site) -> None:
    table = AwayTable(site)
    table.start()
    table.set_connected("elsewhere", "max")
    found = [site.run(table.let_bot_stand_in(seat)) for seat in range(4)][-1]
    assert [chair.stand_in for chair in found.table.chairs] == [True, True, False, False]
    assert table.stand_in_times() == {}


def test_bot_does_not_stand_in_if_the_wait_has_started_over(site: Site) -> None:
    """A worker has taken the deadline, and before it lets a bot stand in, the person comes and
    goes."""
    table = AwayTable(site)
    table.start()
    match, kind = f"{table.id}.1", f"{AWAY_DEADLINE_PREFIX}2"

    async def stand_in_late() -> StoredTable:
        taken = (await site.store.deadlines_of(match))[kind]
        site.now += 5_000
        await site.record_connected(table.id, "one", max=None)
        await site.record_connected(table.id, "one")
        with site.lobby.rooms.open(table.id) as room, pytest.raises(Conflict):
            await deadline_actions.let_bot_stand_in(room, 2, CheckStillDue(match, kind, taken))
        return await site.lobby.get(table.id)

    assert not site.run(stand_in_late()).table.chairs[2].stand_in
    assert table.stand_in_times()[2] > table.stand_in_times()[0]


def test_a_person_who_connects_just_before_a_bot_stands_in_keeps_playing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both changes are made to the same version of the table."""
    table = AwayTable(site)
    table.start()
    commit = site.store.commit

    async def connect_first(*writes: Any) -> None:
        monkeypatch.setattr(site.store, "commit", commit)
        await site.record_connected(table.id, "one", max=None)
        await commit(*writes)

    monkeypatch.setattr(site.store, "commit", connect_first)
    found = site.run(table.let_bot_stand_in(2))
    assert not found.table.chairs[2].stand_in
    assert list(found.here) == ["max"]
    assert set(table.stand_in_times()) == {0, 1}


def test_everyone_sees_when_a_bot_will_stand_in(site: Site) -> None:
    table = AwayTable(site)

    def times_shown() -> list[int | None]:
        chairs = site.browser().get(f"/api/tables/{table.id}").json()["table"]["chairs"]
        return [chair["stand_in_at"] for chair in chairs]

    table.set_connected("one", "ola", "max")
    table.start()
    assert times_shown() == [None] * 4
    site.now += 1_000
    table.set_connected("one", "ola")
    expected = START_TIME_MS + 1_000 + WAIT_MS
    assert times_shown() == [None, None, expected, None]
    site.now += 1_000
    table.change(lambda t: seats.rename(t, "ola", 0, "Aleksandra"))  # gives nobody more time
    assert times_shown() == [None, None, expected, None]
    table.set_connected("one", "ola", "max")
    assert times_shown() == [None] * 4
    table.set_connected("one", "ola")
    site.run(table.let_bot_stand_in(2))
    assert times_shown() == [None] * 4


def test_a_person_who_has_just_connected_is_shown_as_here(site: Site) -> None:
    """Their own worker shows it before it's stored."""
    table = AwayTable(site)
    table.start()
    stored = site.run(site.lobby.get(table.id))
    assert [chair.stand_in_at for chair in make_table_info(stored).chairs[:3]] == [
        START_TIME_MS + WAIT_MS
    ] * 3
    there = make_table_info(stored, {"ola": None}).chairs
    assert [chair.stand_in_at for chair in there] == [None, None, START_TIME_MS + WAIT_MS, None]


def test_table_info_shows_who_is_here(site: Site) -> None:
    table = AwayTable(site)
    site.run(site.record_connected(table.id, "one", max=40))
    site.run(site.record_connected(table.id, "two", max=30, ola=None))
    version = site.run(site.lobby.get(table.id)).version
    chairs = site.browser().get(f"/api/tables/{table.id}").json()["table"]["chairs"]
    assert [(chair["here"], chair["lag"]) for chair in chairs] == [
        (True, None),
        (True, None),
        (True, 30),
        (False, None),
    ]
    assert site.bus.published[-1] == (table.id, version)
