"""Concurrent changes to a table: each is stored once, or gives up."""

import asyncio
from typing import Any

import pytest

from pytlik.server.table import seats, tables
from pytlik.server.table.tables import Table
from pytlik.store import Conflict, Unavailable
from tests.server.http_site import Site, json_of, status_and_reason


def test_concurrent_changes_are_all_stored(site: Site) -> None:
    """Four people sit down at once, each on a chair of their own."""

    async def seat_everyone() -> Table:
        stored = await site.lobby.create("unikat", "host")

        def sit(holder: str) -> Any:
            return lambda table: seats.sit(
                table, holder, seats.first_free(table), name=holder, recovery=""
            )

        await asyncio.gather(*(site.lobby.change(stored.table.id, sit(name)) for name in "abcd"))
        table: Table = (await site.lobby.get(stored.table.id)).table
        return table

    table = site.run(seat_everyone())
    assert sorted(chair.name for chair in table.chairs) == list("abcd")
    assert [version for _, version in site.bus.published] == [1, 2, 3, 4, 5]


def test_pause_is_refused_until_the_clocks_are_up_to_date(site: Site) -> None:
    """Otherwise a worker that was frozen could pause a match before moving its clocks."""
    ola = site.browser()
    table = ola.create_table(chairs=2)
    ola.sit_down(table)
    ola.sit_down(table)
    ola.start_match(table)
    awake = False

    async def bus_message() -> None:
        if not awake:
            raise Unavailable("asleep")

    site.app.state.rooms.services.heartbeat.wait_until_recent = bus_message
    assert status_and_reason(ola.post(f"{table}/pause", {})) == (503, "unavailable")
    assert json_of(ola.get(table))["table"]["paused"] is None
    awake = True
    assert json_of(ola.post(f"{table}/pause", {}))["table"]["paused"] == site.now


def test_match_starts_only_once(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table(chairs=2)
    ola.sit_down(table)
    ola.sit_down(table)
    holder = site.run(site.lobby.get(table.rpartition("/")[2])).table.host

    async def start_twice() -> list[Any]:
        name = table.rpartition("/")[2]
        begin = (site.lobby.start(name, holder) for _ in range(2))
        return await asyncio.gather(*begin, return_exceptions=True)

    outcomes = site.run(start_twice())
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Illegal", "StoredTable"]
    assert len(site.run(site.store.events(f"{table.rpartition('/')[2]}.1"))) == 2


def test_change_without_effect_is_not_stored(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table()
    published = list(site.bus.published)
    found = json_of(ola.put(f"{table}/agreement", {}))
    assert found["table"]["version"] == 1
    assert site.bus.published == published


def test_a_change_that_always_conflicts_gives_up(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = site.run(site.lobby.create("unikat", "host"))

    async def conflict(*_: Any) -> None:
        raise Conflict

    monkeypatch.setattr(site.store, "commit", conflict)
    with pytest.raises(Conflict):
        site.run(
            site.lobby.change(
                stored.table.id, lambda table: seats.add_bot(table, "host", 0, "easy")
            )
        )


def test_match_finishes_only_once(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table(chairs=2)
    ola.sit_down(table)
    ola.sit_down(table)
    ola.start_match(table)
    name = table.rpartition("/")[2]
    assert site.finish_match(name, 2).table.phase == "playing"
    over = site.finish_match(name, 1)
    assert over.table.phase == "over"
    assert site.finish_match(name, 1) == over
    assert tables.finish(over.table) is over.table
