"""The delay of a connection is measured, shown and credited (G10). `test_race_fairness.py` checks
how fair that is."""

import json
from typing import Any

import pytest

from pytlik.server import table_socket, tokens
from pytlik.server.live.connection import Connection
from pytlik.server.live.presence import presence_writes
from pytlik.server.match.delay_credit import (
    EXTRA_CREDIT_QUOTA_MS,
    MAX_MEASUREMENTS,
    MIN_MEASUREMENTS,
)
from pytlik.server.table.table_info import make_table_info
from pytlik.store import Heartbeat
from pytlik.ubongo.timing import MAX_CREDIT_MS
from tests.server.client import Client, create_table
from tests.server.live_server import LiveServer, server_test, start_match
from tests.server.people_at_table import (
    is_table_with_chairs,
    message_kinds_until_answer,
    solving_actions,
    start_ubongo_round,
    wait_for_message,
)


@pytest.fixture(autouse=True)
def no_later_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send only the initial pings, however long a test takes."""
    monkeypatch.setattr(table_socket, "PING_EVERY_SECONDS", 1e6)


async def read_ping(person: Client) -> int:
    """Read until a ping, and don't answer it."""
    assert person.socket
    while (message := json.loads(await person.socket.recv()))["kind"] != "ping":
        pass
    n: int = message["n"]
    return n


async def answer_late(live_server: LiveServer, person: Client, milliseconds: int) -> None:
    """Answer each of the initial measurements late."""
    for _ in range(MIN_MEASUREMENTS):
        n = await read_ping(person)
        live_server.pass_time(milliseconds)
        await person.send(kind="pong", n=n)


async def join_slowly(
    live_server: LiveServer, person: Client, table: str, milliseconds: int
) -> Client:
    """Join from another tab, over a slow line."""
    slow = live_server.new_person(person.token)
    slow._ids = person._ids  # a repeated id isn't done again
    await slow.join(table)
    await answer_late(live_server, slow, milliseconds)
    return slow


async def solve_card(live_server: LiveServer, person: Client, other: Client) -> Any:
    """Solve a person's card, and return the event that everyone is sent."""
    live_server.pass_time(20_000)
    for action in solving_actions(person):
        assert (await person.act(action))["kind"] == "done"
    update = await wait_for_message(
        other,
        lambda m: m["kind"] == "update" and any(e["kind"] == "card_solved" for e in m["events"]),
    )
    (solved,) = [event for event in update["events"] if event["kind"] == "card_solved"]
    return solved


def lag_of(live_server: LiveServer, table: str, seat: int) -> int | None:
    """A seat's lag, as everyone sees it."""
    room = live_server.room(table)
    assert room.stored
    return (
        make_table_info(room.stored, room.presence.connected_holders(room.stored)).chairs[seat].lag
    )


@server_test
async def test_lag_is_measured_shown_and_credited_up_to_a_limit(
    live_server: LiveServer,
) -> None:
    table, people = await live_server.create_table("ubongo")
    ola, max_ = people
    await wait_for_message(max_, is_table_with_chairs(lambda chairs: chairs[1]["lag"] == 0))
    slow = live_server.new_person(ola.token)
    await ola.disconnect()
    await slow.join(table)
    for measured in range(MIN_MEASUREMENTS):
        assert lag_of(live_server, table, 0) is None
        n = await read_ping(slow)
        assert n == live_server.now
        await slow.send(kind="pong", n=0)  # nobody asked for this
        await slow.send(kind="pong", n=n + 1)
        live_server.pass_time(700)
        if measured:
            await slow.send(kind="pong", n=n - 700)  # answered already
        await slow.send(kind="pong", n=n)
    shown = await wait_for_message(
        max_, is_table_with_chairs(lambda chairs: chairs[0]["lag"] is not None)
    )
    assert [chair["lag"] for chair in shown["table"]["chairs"]] == [350, 0]
    await start_match(slow, table)
    for person in (slow, max_):
        await person.wait_for("update")
    await start_ubongo_round(live_server, [slow, max_])
    solved = await solve_card(live_server, slow, max_)
    assert (solved["lag"], solved["at"] - solved["time"]) == (350, MAX_CREDIT_MS)


@server_test
async def test_a_second_connection_that_answers_late_gains_nothing(live_server: LiveServer) -> None:
    """The smallest lag of a person's connections counts, whichever they act on."""
    table, (ola, max_) = await live_server.create_table("ubongo")
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: chairs[0]["lag"] == 0))
    slow = await join_slowly(live_server, ola, table, 400)
    await start_match(ola, table)
    for person in (slow, max_):
        await person.wait_for("update")
    await start_ubongo_round(live_server, [slow, max_])
    solved = await solve_card(live_server, slow, max_)
    assert solved["lag"] <= 1
    assert lag_of(live_server, table, 0) == 0


@server_test
async def test_a_quick_connection_to_another_worker_counts_too(live_server: LiveServer) -> None:
    table, (ola, max_) = await live_server.create_table("ubongo")
    await ola.disconnect()
    slow = await join_slowly(live_server, ola, table, 400)
    assert ola.token
    holder = tokens.holder_of(ola.token)
    await live_server.store.commit(
        Heartbeat("another worker", live_server.now)
    )  # or it would seem dead
    await live_server.lobby.change_with_writes(
        table,
        lambda stored: (stored.table, presence_writes(stored, "another worker", {holder: 30})),
    )
    await wait_for_message(max_, is_table_with_chairs(lambda chairs: chairs[0]["lag"] == 30))
    await start_match(ola, table)
    for person in (slow, max_):
        await person.wait_for("update")
    await start_ubongo_round(live_server, [slow, max_])
    assert (await solve_card(live_server, slow, max_))["lag"] == 30


@server_test
async def test_a_new_connection_is_credited_nothing_before_it_was_measured(
    live_server: LiveServer,
) -> None:
    """It may be faster than the one that was measured."""
    table, (ola, max_) = await live_server.create_table("ubongo")
    await ola.disconnect()
    slow = await join_slowly(live_server, ola, table, 400)
    await start_match(ola, table)
    for person in (slow, max_):
        await person.wait_for("update")
    await start_ubongo_round(live_server, [slow, max_])
    quick = live_server.new_person(ola.token)
    await quick.join(table)
    while quick.view is None:  # without answering a ping
        assert quick.socket
        message = json.loads(await quick.socket.recv())
        if message["kind"] == "update":
            quick.view, quick.match, quick.seat = message["view"], message["match"], message["seat"]
    for number, action in enumerate(solving_actions(quick)):
        await quick.send(kind="act", id=f"q{number}", seat=0, action=action, match=quick.match)
    update = await wait_for_message(
        max_,
        lambda m: m["kind"] == "update" and any(e["kind"] == "card_solved" for e in m["events"]),
    )
    (solved,) = [event for event in update["events"] if event["kind"] == "card_solved"]
    assert (solved["lag"], solved["at"] - solved["time"]) == (0, 0)


@server_test
async def test_credit_for_a_line_that_becomes_slower_has_a_quota(live_server: LiveServer) -> None:
    """All of this follows from the log, so coming back over another connection changes nothing."""
    table, (ola, max_) = await live_server.create_table("ubongo")
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: chairs[0]["lag"] == 0))
    await start_match(ola, table)
    for person in (ola, max_):
        await person.wait_for("update")
    person, credited = ola, []
    for _ in range(5):
        await start_ubongo_round(live_server, [person, max_])
        solved = await solve_card(live_server, person, max_)
        credited.append(solved["at"] - solved["time"])
        assert (await max_.act({"kind": "give_up"}))["kind"] == "done"
        await person.disconnect()
        live_server.pass_time(MAX_CREDIT_MS)
        while not max_.view["choices"]["ready"]:
            await max_.next_message()
        person = await join_slowly(live_server, ola, table, 700)
        await person.send(kind="sync", seq=0, hash="")  # the first update was skipped
        await person.wait_for("update")
    assert credited == [1, MAX_CREDIT_MS, MAX_CREDIT_MS, 3, 1]
    assert sum(credited) == EXTRA_CREDIT_QUOTA_MS + len(credited)


def record_round_trips(connection: Connection, *round_trips: int) -> None:
    for round_trip in round_trips:
        connection.handle_pong(connection.make_ping(1_000).n, 1_000 + round_trip)


def test_lag_is_half_of_a_typical_round_trip() -> None:
    connection = Connection(None)
    record_round_trips(connection, 80, 300)
    assert connection.lag is None
    record_round_trips(connection, 60)
    assert connection.lag == 40
    record_round_trips(connection, 500, 90)
    assert connection.lag == 45


def test_one_late_answer_changes_nothing() -> None:
    connection = Connection(None)
    record_round_trips(connection, 80, 80, 500)
    assert connection.lag == 40
    record_round_trips(connection, *[80] * MAX_MEASUREMENTS)
    record_round_trips(connection, 500)
    assert connection.lag == 40


def test_a_line_that_becomes_slower_is_noticed() -> None:
    connection = Connection(None)
    record_round_trips(connection, *[80] * MAX_MEASUREMENTS)
    record_round_trips(connection, *[400] * (MAX_MEASUREMENTS // 2))
    assert connection.lag == 40
    record_round_trips(connection, 400)
    assert connection.lag == 200
    # A clock that is set back measures nothing.
    record_round_trips(connection, *[-100] * MAX_MEASUREMENTS)
    assert connection.lag == 0


@server_test
async def test_spectators_are_not_fully_measured_until_they_sit_down(
    live_server: LiveServer,
) -> None:
    """Otherwise everyone in an arriving crowd would send three answers at once."""
    host = live_server.new_person()
    table = await create_table(host, chairs=2)
    guest = live_server.new_person()
    await guest.ask("GET", "/api/mine")
    await guest.join(table)
    await guest.send(kind="pong", n=await read_ping(guest))
    await guest.send(kind="sit", seat=99)
    assert "ping" not in await message_kinds_until_answer(guest)
    await guest.ask("POST", f"/api/tables/{table}/seats", {"name": "Eva", "seat": 1})
    for _ in range(MIN_MEASUREMENTS - 1):
        await guest.send(kind="pong", n=await read_ping(guest))
