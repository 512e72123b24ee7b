"""What every store promises about circles and their results."""

import asyncio
from typing import Any

import pytest

from pytlik.store import CircleRow, Conflict, DeleteCircle, PutCircle, Store, UpdateTrackedTokens

pytestmark = pytest.mark.anyio

MAX_RESULTS = 3


def make_circle(version: int = 0, id: str = "club", **fields: Any) -> PutCircle:
    values = {"doc": b"{}", "touched": 1, "holders": ("ola", "max"), "most": MAX_RESULTS, **fields}
    return PutCircle(id=id, version=version, **values)


async def circle_ids_of(store: Store, holder: str) -> list[str]:
    return [row.id for row in await store.circles_of(holder)]


async def matches_played_in(store: Store, id: str = "club", **options: Any) -> list[str]:
    return [row.played for row in await store.circle_results(id, 10, **options)]


async def test_circle_is_stored_with_its_members(store: Store) -> None:
    assert await store.circle("club") is None
    await store.commit(make_circle(doc=b"first", touched=5))
    await store.commit(make_circle(id="class", holders=("ola",), touched=7))
    assert await store.circle("club") == CircleRow("club", 1, b"first", 5)
    assert await circle_ids_of(store, "ola") == ["class", "club"], "most recently touched first"
    assert await circle_ids_of(store, "max") == ["club"]
    assert await store.all_circle_ids() == ["class", "club"]


async def test_new_version_replaces_only_its_predecessor(store: Store) -> None:
    await store.commit(make_circle())
    await store.commit(make_circle(1, doc=b"second", holders=("max", "max", "eve"), touched=9))
    assert await store.circle("club") == CircleRow("club", 2, b"second", 9)
    assert [await circle_ids_of(store, each) for each in ("ola", "max", "eve")] == [
        [],
        ["club"],
        ["club"],
    ]
    for late in (
        make_circle(),
        make_circle(1, holders=()),
        make_circle(3),
        make_circle(1, id="nothing"),
    ):
        with pytest.raises(Conflict):
            await store.commit(late)
    assert await store.circle("club") == CircleRow("club", 2, b"second", 9)
    assert await circle_ids_of(store, "eve") == ["club"]
    assert await store.all_circle_ids() == ["club"]


async def test_a_result_is_written_once_and_only_with_its_circle(store: Store) -> None:
    await store.commit(make_circle())
    await store.commit(make_circle(1, played="t.1", ended=4, result=b"won"))
    assert await store.has_circle_result("club", "t.1")
    (row,) = await store.circle_results("club", 10)
    assert (row.played, row.ended, row.doc) == ("t.1", 4, b"won")
    for again in (1, 2):  # another version, and the same match
        with pytest.raises(Conflict):
            await store.commit(make_circle(again, played="t.1", ended=5, doc=b"twice"))
    with pytest.raises(Conflict):
        await store.commit(make_circle(1, played="t.2", ended=5))
    assert not await store.has_circle_result("club", "t.2")
    assert await store.circle("club") == CircleRow("club", 2, b"{}", 1)
    assert await matches_played_in(store) == ["t.1"]


async def test_one_of_two_simultaneous_results_is_refused(store: Store) -> None:
    await store.commit(make_circle())
    puts = [store.commit(make_circle(1, played="t.1", ended=4, doc=doc)) for doc in (b"a", b"b")]
    answers = await asyncio.gather(*puts, return_exceptions=True)
    assert sorted(map(type, answers), key=str) == [type(None), Conflict]
    assert await matches_played_in(store) == ["t.1"]


async def test_results_are_paged_newest_first_and_limited(store: Store) -> None:
    await store.commit(make_circle())
    await store.commit(make_circle(id="class"))
    await store.commit(make_circle(1, id="class", played="t.9", ended=1))
    played = {"t.1": 10, "t.2": 30, "t.3": 30, "t.4": 20}
    for version, (match, ended) in enumerate(played.items(), 1):
        await store.commit(make_circle(version, played=match, ended=ended))
    assert await matches_played_in(store) == ["t.3", "t.2", "t.4"]
    assert await matches_played_in(store, before="t.3") == ["t.2", "t.4"]
    assert await matches_played_in(store, before="t.2") == ["t.4"]
    assert await matches_played_in(store, before="t.1") == [], "it's gone"
    assert [row.played for row in await store.circle_results("club", 1)] == ["t.3"]
    await store.commit(make_circle(5, touched=2))
    assert len(await matches_played_in(store)) == MAX_RESULTS
    assert await matches_played_in(store, "class") == ["t.9"]


async def test_deleting_a_circle_deletes_everything_in_it(store: Store) -> None:
    for id in ("club", "class"):
        await store.commit(make_circle(id=id))
        await store.commit(make_circle(1, id=id, played="t.1", ended=4))
    with pytest.raises(Conflict):
        await store.commit(DeleteCircle("club", 1))
    assert await matches_played_in(store) == ["t.1"]
    await store.commit(DeleteCircle("club", 2))
    assert await store.circle("club") is None
    assert await matches_played_in(store) == []
    assert await circle_ids_of(store, "ola") == ["class"]
    assert await matches_played_in(store, "class") == ["t.1"]


async def test_untouched_circles_are_found(store: Store) -> None:
    for number in range(4):
        await store.commit(make_circle(id=f"c{number}", touched=number))
    assert [row.id for row in await store.untouched_circles(2, 10)] == ["c0", "c1"]
    assert [row.id for row in await store.untouched_circles(9, 1)] == ["c0"]


async def test_members_are_tracked_without_having_tables(store: Store) -> None:
    await store.commit(make_circle())
    await store.commit(UpdateTrackedTokens(now=8, before=0))
    assert await store.last_seen(["ola"]) == {"ola": 8}
    assert await store.tables_of("ola") == []
