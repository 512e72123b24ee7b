"""Which tables are deleted, and when."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from pytlik.server import cleanup
from pytlik.server.cleanup import DAY_MS, UNPLAYED_TABLE_LIFETIME_MS
from pytlik.server.live.presence import ALL_SPECTATORS_HOLDER
from pytlik.server.scheduling.scheduler import SWEEP_UNPLAYED_EVERY_MS
from pytlik.store import (
    DELETED_TABLE_VERSION,
    Append,
    BoardKey,
    EndDowntime,
    Heartbeat,
    StartPuzzle,
)
from tests.server.http_site import START_TIME_MS, Site, json_of


def test_untouched_table_is_deleted_with_its_match(site: Site) -> None:
    ola = site.browser()
    old = ola.create_table(chairs=2)
    ola.sit_down(old, "Aleksandra")
    ola.sit_down(old)
    ola.start_match(old)
    site.play_match_to_end(old.rpartition("/")[2])
    site.now = START_TIME_MS + 5 * DAY_MS
    new = ola.create_table()
    site.now = START_TIME_MS + 11 * DAY_MS
    assert site.run(site.cleanup.delete_untouched_tables(10)) == 1
    assert ola.get(old).status_code == 404
    assert ola.get(new).status_code == 200
    assert site.run(site.store.events(f"{old.rpartition('/')[2]}.1")) == []
    assert site.run(site.store.secret(f"{old.rpartition('/')[2]}.1")) is None
    # Workers where someone still watches it are notified.
    assert site.bus.published[-1][0] == old.rpartition("/")[2]


def test_a_slow_match_is_kept_while_it_is_played(site: Site) -> None:
    ola = site.browser()
    table = ola.create_table(chairs=2, agreement={"slow": True})
    ola.sit_down(table)
    ola.sit_down(table)
    ola.start_match(table)
    name = table.rpartition("/")[2]
    last = msgspec.json.decode(site.run(site.store.events(f"{name}.1"))[-1])
    late = msgspec.json.encode({**last, "at": START_TIME_MS + 8 * DAY_MS})
    site.run(site.store.commit(Append(match=f"{name}.1", seq=2, events=(late,))))
    site.now = START_TIME_MS + 11 * DAY_MS
    assert site.run(site.cleanup.delete_untouched_tables(10)) == 0
    assert ola.get(table).status_code == 200
    site.now = START_TIME_MS + 22 * DAY_MS
    assert site.run(site.cleanup.delete_untouched_tables(10)) == 1
    assert ola.get(table).status_code == 404


def test_abandoned_tables_are_deleted_within_the_hour(site: Site) -> None:
    """But not those where someone is connected, or where a match has ever begun."""
    ola = site.browser()
    left = ola.create_table()
    inhabited, played = ola.create_table(), ola.create_table(chairs=2)
    name = inhabited.rpartition("/")[2]
    site.run(site.record_connected(name, "a worker", **{ALL_SPECTATORS_HOLDER: None}))
    ola.sit_down(played)
    ola.sit_down(played)
    ola.start_match(played)
    site.finish_match(played.rpartition("/")[2], 1)
    json_of(ola.post(f"{played}/rematch"))
    site.now = START_TIME_MS + UNPLAYED_TABLE_LIFETIME_MS
    late = ola.create_table()
    assert site.run(site.cleanup.delete_unplayed_tables()) == 0
    site.now += 1
    assert site.run(site.cleanup.delete_unplayed_tables()) == 1
    assert [ola.get(table).status_code for table in (left, inhabited, played, late)] == [
        404,
        200,
        200,
        200,
    ]
    assert site.bus.published[-1] == (left.rpartition("/")[2], DELETED_TABLE_VERSION)
    assert UNPLAYED_TABLE_LIFETIME_MS + SWEEP_UNPLAYED_EVERY_MS <= 3_600_000


def test_any_number_of_abandoned_tables_is_deleted(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleanup, "TABLES_PER_SWEEP", 2)
    ola = site.browser()
    for _ in range(5):
        ola.create_table()
    site.now += UNPLAYED_TABLE_LIFETIME_MS + 1
    assert site.run(site.cleanup.delete_unplayed_tables()) == 5


def test_person_who_connects_at_the_last_moment_saves_the_table(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even after it was found to be empty, and after it was read for the last time."""
    ola = site.browser()
    table = ola.create_table()
    name = table.rpartition("/")[2]
    site.now += UNPLAYED_TABLE_LIFETIME_MS + 1
    read = site.store.table

    async def read_and_connect(id: str) -> Any:
        row = await read(id)
        monkeypatch.setattr(site.store, "table", read)
        await site.record_connected(name, "a worker", **{ALL_SPECTATORS_HOLDER: None})
        return row

    monkeypatch.setattr(site.store, "table", read_and_connect)
    assert site.run(site.cleanup.delete_unplayed_tables()) == 0
    assert ola.get(table).status_code == 200
    assert site.run(site.cleanup._delete_if_nobody_is_there(name)) is False


def test_nothing_is_deleted_after_months_of_downtime(site: Site) -> None:
    """The server's date may be wrong, so the time before doesn't count."""
    ola = site.browser()
    old = ola.create_table(chairs=2)
    ola.sit_down(old)
    day = BoardKey(str(datetime.fromtimestamp(site.now / 1000, UTC).date()), "ubongo", "3")
    site.run(site.store.commit(Heartbeat("a worker", site.now), StartPuzzle(day, "ola", site.now)))
    site.now += 100 * DAY_MS
    site.run(site.store.commit(EndDowntime(START_TIME_MS, site.now)))
    site.now += 90 * DAY_MS - 1
    assert site.run(site.cleanup.delete_untouched_tables(90)) == 0
    assert site.run(site.store.daily_row(day, "ola")) is not None
    assert ola.get(old).status_code == 200
    site.now += 1
    assert site.run(site.cleanup.delete_untouched_tables(90)) == 1
    assert site.run(site.store.daily_row(day, "ola")) is None
    assert ola.get(old).status_code == 404
