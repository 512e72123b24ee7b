"""The store can't be reached for some time: what is asked for then is refused, nothing is lost,
nothing is done twice, and whoever is connected stays so."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pytlik.server import seats, tokens
from pytlik.server.tables import Table
from tests.server.client import Client, Refusal
from tests.server.house import House, empty_database, opened, same_secrets, scene
from tests.server.local_worker import LocalConnection
from tests.server.people import (
    begin_round,
    changed,
    closed,
    mover,
    post,
    quiet,
    some_action,
    until,
)
from tests.server.racing import working
from tests.server.unsteady import OUTAGES, Outage, Unsteady, failing, nothing, unreachable, unsteady

__all__ = ["empty_database", "same_secrets"]


@pytest.fixture
def house(
    tmp_path: Path, empty_database: Path, same_secrets: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """Its store can be made to fail, and it asks again soon."""
    monkeypatch.setattr("pytlik.server.tasks.RETRY_SECONDS", 0.002)
    yield from opened(tmp_path, empty_database, around=Unsteady)


@pytest.fixture(params=OUTAGES)
def outage(request: pytest.FixtureRequest, house: Any, monkeypatch: pytest.MonkeyPatch) -> Outage:
    return OUTAGES[request.param](house[0], monkeypatch)


@pytest.fixture(autouse=True)
def no_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """An outage is no error of ours."""
    yield
    told = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert told == []


async def act_and_see(people: list[Client]) -> None:
    """The table is as good as before: whose turn it is acts, and everyone sees it."""
    for person in people:
        await quiet(person)
    one = mover(people)
    done = await one.act(some_action(one.view))
    assert done["kind"] == "done"
    for person in people:
        while person.seq < done["seq"]:
            await person.next()


# ---------------------------------------------------------------------------------------- acting


@scene
async def test_an_act_is_refused_and_done_once_when_it_is_sent_again(
    house: House, outage: Outage
) -> None:
    table, people = await house.match()
    one = mover(people)
    action, before = some_action(one.view), one.seq
    async with outage():
        for _ in range(3):
            refused = await one.act(action, id="again")
            assert (refused["kind"], refused["reason"]) == ("refused", "unavailable")
        for person in people:  # who is connected, and is told nothing
            assert "update" not in await quiet(person)
    assert len(await house.store.events(f"{table}.1")) == before
    answers = [await one.act(action, id="again") for _ in range(3)]
    assert answers == [answers[0]] * 3
    assert answers[0]["kind"] == "done"
    log = await house.store.events(f"{table}.1")
    assert before < len(log) == answers[0]["seq"]
    await act_and_see(people)


@scene
async def test_what_was_written_though_nobody_heard_it_is_done_once(house: House) -> None:
    """The connection to the database broke after the commit."""
    table, people = await house.match()
    one = mover(people)
    action, before = some_action(one.view), one.seq
    unsteady(house).after = failing(unreachable, "commit Append", times=1)
    assert (await one.act(action, id="again"))["reason"] == "unavailable"
    written = len(await house.store.events(f"{table}.1"))
    assert written > before
    answers = [await one.act(action, id="again") for _ in range(2)]
    assert {(answer["kind"], answer["seq"]) for answer in answers} == {("done", written)}
    assert len(await house.store.events(f"{table}.1")) == written
    for person in people:
        while person.seq < written:
            await person.next()
    await act_and_see(people)


@scene
async def test_all_other_messages_are_refused_too(house: House, outage: Outage) -> None:
    table, (ola, max_) = await house.match(agreement={"chat": True})
    async with outage():
        for message in (
            {"kind": "sync", "seq": 0, "hash": ""},
            {"kind": "chat", "text": "Hm?"},
            {"kind": "react", "reaction": "clap"},
            {"kind": "sit", "seat": None},
        ):
            await ola.send(**message)
            refused = await ola.until("refused")
            assert (refused["id"], refused["reason"]) == (None, "unavailable"), message
        for path in (f"/api/tables/{table}", f"/api/tables/{table}/matches/1/events", "/readyz"):
            with pytest.raises(Refusal) as unavailable:
                await ola.ask("GET", path)
            assert unavailable.value.args == (503, "unavailable")
    await ola.send(kind="sit", seat=0)
    await ola.until("update")
    await ola.send(kind="chat", text="Ah.")
    assert (await max_.until("line"))["text"] == "Ah."
    assert not [m for m in max_.received if m["kind"] == "line" and m["text"] != "Ah."]
    await act_and_see([ola, max_])


# ---------------------------------------------------------------------------- coming and going


@scene
async def test_who_comes_then_may_come_later(house: House, outage: Outage) -> None:
    table, people = await house.match(people=3)
    ola, max_, eva = people
    await eva.socket.close()  # type: ignore[union-attr]
    await until(ola, changed(lambda chairs: not chairs[2]["here"]))
    async with outage():
        for token in (eva.token, None):
            late = house.person(token)
            await late.join(table)
            assert await closed(late) == 1013
            assert late.received == []
    back = house.person(eva.token)
    await back.join(table)
    await back.until("update")
    assert (back.seat, back.view["hand"]) == (2, eva.view["hand"])
    await act_and_see([ola, max_, back])


@scene
async def test_nor_does_anybody_stay_halfway(house: House) -> None:
    """The table could still be read, and the match could not."""
    table, people = await house.match()
    unsteady(house).before = failing(unreachable, "events")
    late = house.person()
    await late.join(table)
    assert await closed(late) == 1013
    assert [message["kind"] for message in late.received] == ["hello"]
    unsteady(house).before = nothing
    await house.quiet_but_for(2)
    await act_and_see(people)


@scene
async def test_who_leaves_then_is_seen_to_be_gone_and_a_bot_sits_in(
    house: House, outage: Outage
) -> None:
    _, people = await house.match(agreement={"away_seconds": 60})
    one = mover(people)
    seat = people.index(one)
    other = people[1 - seat]
    async with outage():
        await one.socket.close()  # type: ignore[union-attr]
        await until(other, changed(lambda chairs: not chairs[seat]["here"]))
    seen = asyncio.create_task(
        until(other, lambda m: m["kind"] == "update" and m["view"]["to_move"] != seat)
    )
    await house.hurry(seen.done, 120_000)
    told = [m["table"]["chairs"] for m in other.received if m["kind"] == "table_changed"]
    assert told[-1][seat]["stand_in"]


# ------------------------------------------------------------------------------------ wake-ups


@scene
async def test_wake_ups_that_come_then_are_heeded_afterwards(house: House, outage: Outage) -> None:
    """Another worker has done something, and has said so when nobody here could look."""
    table, people = await house.match()
    one = mover(people)
    holder = tokens.holder(one.token or "")
    for person in people:
        await quiet(person)
    await house.quiet_but_for(2)  # their delays are written: nobody here looks at the table again
    async with working(house.database, lambda: house.now) as (elsewhere,):
        there = LocalConnection(table, holder)
        await elsewhere.join(there)
        action = msgspec.json.encode(some_action(one.view))
        seq = await elsewhere.act(there, people.index(one), action, "c1")
        named = await elsewhere.lobby.change(table, rename(holder, people.index(one)))
        for person in people:
            await quiet(person)
        async with outage():
            house.bus.publish(f"{table}.1", seq)
            house.bus.publish(table, named.version)
            for person in people:  # delays may be told anew, and are all that is
                assert "update" not in await quiet(person)
                assert not renamed(person)
        for person in people:  # without another wake-up
            while person.seq < seq:
                await person.next()
            if not renamed(person):
                await until(person, lambda _, person=person: renamed(person))  # type: ignore[misc]
        elsewhere.leave(there)
    await act_and_see(people)


def rename(holder: str, seat: int) -> Any:
    def alter(table: Table) -> Table:
        return seats.rename(table, holder, seat, "from elsewhere")

    return alter


def renamed(person: Client) -> bool:
    return any(
        chair["name"] == "from elsewhere"
        for message in person.received
        if message["kind"] == "table_changed"
        for chair in message["table"]["chairs"]
    )


@scene
async def test_what_was_missed_is_looked_for_until_it_is_found(house: House) -> None:
    """The bus was lost and is back, but the store is not yet: everything is looked at later."""
    table, people = await house.match()
    one = mover(people)
    async with working(house.database, lambda: house.now) as (elsewhere,):
        there = LocalConnection(table, tokens.holder(one.token or ""))
        await elsewhere.join(there)
        action = msgspec.json.encode(some_action(one.view))
        seq = await elsewhere.act(there, people.index(one), action, "c1")
        unsteady(house).before = failing(unreachable, "events", "table", times=5)
        house.rooms.check_all()
        for person in people:
            while person.seq < seq:
                await person.next()
        elsewhere.leave(there)
    await act_and_see(people)


# ------------------------------------------------------------------------------------- deadlines


@scene
async def test_what_is_due_then_happens_afterwards(house: House, outage: Outage) -> None:
    table, people = await house.match("ubongo")
    await begin_round(house, people)
    async with outage():
        house.pass_time(60_000 + 250)
        for person in people:
            assert "update" not in await quiet(person)
    house.pass_time(1_000)
    for person in people:
        await until(
            person, lambda m: m["kind"] == "update" and m["view"]["phase"] == "second_chance"
        )
    log = await house.store.events(f"{table}.1")
    assert sum(b'"sand_ran_out"' in event for event in log) == 1
    await post(people[0], table, "pause")  # and all else is as usual
