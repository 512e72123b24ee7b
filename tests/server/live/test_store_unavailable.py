"""The store can't be reached for some time: requests are refused, nothing is lost or done twice,
and connected people stay connected."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pytlik.server import tokens
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from tests.server.client import Client, Refusal
from tests.server.failing_store import (
    OUTAGES,
    FailingStore,
    Outage,
    do_nothing,
    fail_calls_to,
    failing_store_of,
    unavailable_error,
)
from tests.server.live_server import LiveServer, open_live_server, server_test
from tests.server.local_worker import LocalConnection
from tests.server.people_at_table import (
    any_legal_action,
    is_table_with_chairs,
    message_kinds_until_answer,
    person_to_move,
    post_to_table,
    read_until_closed,
    start_ubongo_round,
    wait_for_message,
)
from tests.server.racing_workers import run_workers


@pytest.fixture
def live_server(
    tmp_path: Path, empty_database: Path, same_secrets: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """A server whose store can be made to fail, and which retries soon."""
    monkeypatch.setattr("pytlik.server.background_tasks.RETRY_SECONDS", 0.002)
    yield from open_live_server(tmp_path, empty_database, around=FailingStore)


@pytest.fixture(params=OUTAGES)
def outage(
    request: pytest.FixtureRequest, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> Outage:
    return OUTAGES[request.param](live_server[0], monkeypatch)


@pytest.fixture(autouse=True)
def no_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that an outage isn't logged as an error."""
    yield
    errors = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert errors == []


async def check_table_still_works(people: list[Client]) -> None:
    """Check that the table still works: someone acts, and everyone sees it."""
    for person in people:
        await message_kinds_until_answer(person)
    one = person_to_move(people)
    done = await one.act(any_legal_action(one.view))
    assert done["kind"] == "done"
    for person in people:
        while person.seq < done["seq"]:
            await person.next_message()


# ---------------------------------------------------------------------------------------- acting


@server_test
async def test_action_refused_in_an_outage_is_done_once_when_resent(
    live_server: LiveServer, outage: Outage
) -> None:
    table, people = await live_server.create_match()
    one = person_to_move(people)
    action, before = any_legal_action(one.view), one.seq
    async with outage():
        for _ in range(3):
            refused = await one.act(action, id="again")
            assert (refused["kind"], refused["reason"]) == ("refused", "unavailable")
        for person in people:  # they stay connected, but get no update
            assert "update" not in await message_kinds_until_answer(person)
    assert len(await live_server.store.events(f"{table}.1")) == before
    answers = [await one.act(action, id="again") for _ in range(3)]
    assert answers == [answers[0]] * 3
    assert answers[0]["kind"] == "done"
    log = await live_server.store.events(f"{table}.1")
    assert before < len(log) == answers[0]["seq"]
    await check_table_still_works(people)


@server_test
async def test_action_committed_without_an_answer_is_done_once(
    live_server: LiveServer,
) -> None:
    """The connection to the database breaks just after the commit."""
    table, people = await live_server.create_match()
    one = person_to_move(people)
    action, before = any_legal_action(one.view), one.seq
    failing_store_of(live_server).after = fail_calls_to(unavailable_error, "commit Append", times=1)
    assert (await one.act(action, id="again"))["reason"] == "unavailable"
    written = len(await live_server.store.events(f"{table}.1"))
    assert written > before
    answers = [await one.act(action, id="again") for _ in range(2)]
    assert {(answer["kind"], answer["seq"]) for answer in answers} == {("done", written)}
    assert len(await live_server.store.events(f"{table}.1")) == written
    for person in people:
        while person.seq < written:
            await person.next_message()
    await check_table_still_works(people)


@server_test
async def test_all_other_messages_are_refused_in_an_outage(
    live_server: LiveServer, outage: Outage
) -> None:
    table, (ola, max_) = await live_server.create_match(agreement={"chat": True})
    async with outage():
        for message in (
            {"kind": "sync", "seq": 0, "hash": ""},
            {"kind": "chat", "text": "Hm?"},
            {"kind": "react", "reaction": "clap"},
            {"kind": "sit", "seat": None},
        ):
            await ola.send(**message)
            refused = await ola.wait_for("refused")
            assert (refused["id"], refused["reason"]) == (None, "unavailable"), message
        for path in (f"/api/tables/{table}", f"/api/tables/{table}/matches/1/events", "/readyz"):
            with pytest.raises(Refusal) as unavailable:
                await ola.ask("GET", path)
            assert unavailable.value.args == (503, "unavailable")
    await ola.send(kind="sit", seat=0)
    await ola.wait_for("update")
    await ola.send(kind="chat", text="Ah.")
    assert (await max_.wait_for("line"))["text"] == "Ah."
    assert not [m for m in max_.received if m["kind"] == "line" and m["text"] != "Ah."]
    await check_table_still_works([ola, max_])


# ---------------------------------------------------------------------------- coming and going


@server_test
async def test_person_who_connects_during_an_outage_can_reconnect_later(
    live_server: LiveServer, outage: Outage
) -> None:
    table, people = await live_server.create_match(people=3)
    ola, max_, eva = people
    await eva.disconnect()
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: not chairs[2]["here"]))
    async with outage():
        for token in (eva.token, None):
            late = live_server.new_person(token)
            await late.join(table)
            assert await read_until_closed(late) == 1013
            assert late.received == []
    back = live_server.new_person(eva.token)
    await back.join(table)
    await back.wait_for("update")
    assert (back.seat, back.view["hand"]) == (2, eva.view["hand"])
    await check_table_still_works([ola, max_, back])


@server_test
async def test_connection_is_closed_if_the_match_cannot_be_read(live_server: LiveServer) -> None:
    """The table could still be read, but not the match."""
    table, people = await live_server.create_match()
    failing_store_of(live_server).before = fail_calls_to(unavailable_error, "events")
    late = live_server.new_person()
    await late.join(table)
    assert await read_until_closed(late) == 1013
    assert [message["kind"] for message in late.received] == ["hello"]
    failing_store_of(live_server).before = do_nothing
    await live_server.wait_for_connections(2)
    await check_table_still_works(people)


@server_test
async def test_bot_stands_in_for_a_person_who_left_during_an_outage(
    live_server: LiveServer, outage: Outage
) -> None:
    _, people = await live_server.create_match(agreement={"away_seconds": 60})
    one = person_to_move(people)
    seat = people.index(one)
    other = people[1 - seat]
    async with outage():
        await one.disconnect()
        await wait_for_message(other, is_table_with_chairs(lambda chairs: not chairs[seat]["here"]))
    seen = asyncio.create_task(
        wait_for_message(other, lambda m: m["kind"] == "update" and m["view"]["to_move"] != seat)
    )
    await live_server.skip_time_until(seen.done, 120_000)
    chairs_sent = [m["table"]["chairs"] for m in other.received if m["kind"] == "table_changed"]
    assert chairs_sent[-1][seat]["stand_in"]


# ------------------------------------------------------------------------------------ bus messages


@server_test
async def test_bus_messages_during_an_outage_are_handled_afterwards(
    live_server: LiveServer, outage: Outage
) -> None:
    """Another worker did something and announced it while this one couldn't read it."""
    table, people = await live_server.create_match()
    one = person_to_move(people)
    holder = tokens.holder_of(one.token or "")
    for person in people:
        await message_kinds_until_answer(person)
    await live_server.wait_for_connections(
        2
    )  # their lag is stored, so this worker doesn't read the table again
    async with run_workers(live_server.database, lambda: live_server.now) as (elsewhere,):
        other_connection = LocalConnection(table, holder)
        await elsewhere.join(other_connection)
        action = msgspec.json.encode(any_legal_action(one.view))
        seq = await elsewhere.act(other_connection, people.index(one), action, "c1")
        named = await elsewhere.lobby.change(table, rename_change(holder, people.index(one)))
        for person in people:
            await message_kinds_until_answer(person)
        async with outage():
            live_server.bus.publish(f"{table}.1", seq)
            live_server.bus.publish(table, named.version)
            for person in people:  # only lag may be sent again
                assert "update" not in await message_kinds_until_answer(person)
                assert not has_seen_rename(person)
        for person in people:  # without a second bus message
            while person.seq < seq:
                await person.next_message()
            if not has_seen_rename(person):
                await wait_for_message(person, lambda _, person=person: has_seen_rename(person))  # type: ignore[misc]
        elsewhere.leave(other_connection)
    await check_table_still_works(people)


def rename_change(holder: str, seat: int) -> Any:
    def alter(table: Table) -> Table:
        return seats.rename(table, holder, seat, "from elsewhere")

    return alter


def has_seen_rename(person: Client) -> bool:
    return any(
        chair["name"] == "from elsewhere"
        for message in person.received
        if message["kind"] == "table_changed"
        for chair in message["table"]["chairs"]
    )


@server_test
async def test_missed_changes_are_read_once_the_store_answers(live_server: LiveServer) -> None:
    """The bus is back after a loss, but the store isn't yet: the check is retried."""
    table, people = await live_server.create_match()
    one = person_to_move(people)
    async with run_workers(live_server.database, lambda: live_server.now) as (elsewhere,):
        other_connection = LocalConnection(table, tokens.holder_of(one.token or ""))
        await elsewhere.join(other_connection)
        action = msgspec.json.encode(any_legal_action(one.view))
        seq = await elsewhere.act(other_connection, people.index(one), action, "c1")
        failing_store_of(live_server).before = fail_calls_to(
            unavailable_error, "events", "table", times=5
        )
        live_server.rooms.refresh_all_rooms()
        for person in people:
            while person.seq < seq:
                await person.next_message()
        elsewhere.leave(other_connection)
    await check_table_still_works(people)


# ------------------------------------------------------------------------------------- deadlines


@server_test
async def test_deadline_due_during_an_outage_fires_afterwards(
    live_server: LiveServer, outage: Outage
) -> None:
    table, people = await live_server.create_match("ubongo")
    await start_ubongo_round(live_server, people)
    async with outage():
        live_server.pass_time(60_000 + 250)
        for person in people:
            assert "update" not in await message_kinds_until_answer(person)
    live_server.pass_time(1_000)
    for person in people:
        await wait_for_message(
            person, lambda m: m["kind"] == "update" and m["view"]["phase"] == "second_chance"
        )
    log = await live_server.store.events(f"{table}.1")
    assert sum(b'"sand_ran_out"' in event for event in log) == 1
    await post_to_table(people[0], table, "pause")  # everything else works as usual
