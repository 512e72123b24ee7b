"""The delay of a connection is measured, shown and credited (G10). How fair that is, is in
`test_race.py`."""

import json
from typing import Any

import pytest

from pytlik.server import sockets, tokens
from pytlik.server.connection import Connection
from pytlik.server.delay import FEWEST_MEASUREMENTS, MEASUREMENTS, QUOTA_MS
from pytlik.server.presence import presence_writes
from pytlik.server.table_info import describe
from pytlik.store import Heartbeat
from pytlik.ubongo.timing import MAX_CREDIT_MS
from tests.server.client import Client
from tests.server.house import House, empty_database, house, same_secrets, scene, start
from tests.server.people import begin_round, changed, solution, until

__all__ = ["empty_database", "house", "same_secrets"]


@pytest.fixture(autouse=True)
def no_later_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a test takes, there are only the pings that follow each other."""
    monkeypatch.setattr(sockets, "PING_EVERY_SECONDS", 1e6)


async def pinged(person: Client) -> int:
    """Read on to a ping, and do not answer."""
    assert person.socket
    while (message := json.loads(await person.socket.recv()))["kind"] != "ping":
        pass
    n: int = message["n"]
    return n


async def answer_late(house: House, person: Client, milliseconds: int) -> None:
    """Each of the measurements that follow each other when somebody comes."""
    for _ in range(FEWEST_MEASUREMENTS):
        n = await pinged(person)
        house.pass_time(milliseconds)
        await person.send(kind="pong", n=n)


async def join_slowly(house: House, person: Client, table: str, milliseconds: int) -> Client:
    """Come in another tab, over a slow line."""
    slow = house.person(person.token)
    slow._ids = person._ids  # what is sent under the same id again is not done again
    await slow.join(table)
    await answer_late(house, slow, milliseconds)
    return slow


async def solve(house: House, person: Client, other: Client) -> Any:
    """What everyone hears of somebody's solution."""
    house.pass_time(20_000)
    for action in solution(person):
        assert (await person.act(action))["kind"] == "done"
    update = await until(
        other,
        lambda m: m["kind"] == "update" and any(e["kind"] == "card_solved" for e in m["events"]),
    )
    (solved,) = [event for event in update["events"] if event["kind"] == "card_solved"]
    return solved


def lag_of(house: House, table: str, seat: int) -> int | None:
    """As everyone sees it."""
    room = house.room(table)
    assert room.stored
    return describe(room.stored, room.presence.everyone(room.stored)).chairs[seat].lag


@scene
async def test_the_delay_is_measured_shown_and_credited_up_to_a_limit(house: House) -> None:
    table, people = await house.table("ubongo")
    ola, max_ = people
    await until(max_, changed(lambda chairs: chairs[1]["lag"] == 0))
    slow = house.person(ola.token)
    await ola.socket.close()  # type: ignore[union-attr]
    await slow.join(table)
    for measured in range(FEWEST_MEASUREMENTS):
        assert lag_of(house, table, 0) is None
        n = await pinged(slow)
        assert n == house.now
        await slow.send(kind="pong", n=0)  # nobody asked for this
        await slow.send(kind="pong", n=n + 1)
        house.pass_time(700)
        if measured:
            await slow.send(kind="pong", n=n - 700)  # answered already
        await slow.send(kind="pong", n=n)
    shown = await until(max_, changed(lambda chairs: chairs[0]["lag"] is not None))
    assert [chair["lag"] for chair in shown["table"]["chairs"]] == [350, 0]
    await start(slow, table)
    for person in (slow, max_):
        await person.until("update")
    await begin_round(house, [slow, max_])
    solved = await solve(house, slow, max_)
    assert (solved["lag"], solved["at"] - solved["time"]) == (350, MAX_CREDIT_MS)


@scene
async def test_a_second_connection_that_answers_late_gains_nothing(house: House) -> None:
    """The least of somebody's connections counts, whichever they act on."""
    table, (ola, max_) = await house.table("ubongo")
    await until(ola, changed(lambda chairs: chairs[0]["lag"] == 0))
    slow = await join_slowly(house, ola, table, 400)
    await start(ola, table)
    for person in (slow, max_):
        await person.until("update")
    await begin_round(house, [slow, max_])
    solved = await solve(house, slow, max_)
    assert solved["lag"] <= 1
    assert lag_of(house, table, 0) == 0


@scene
async def test_a_quick_connection_to_another_worker_counts_too(house: House) -> None:
    table, (ola, max_) = await house.table("ubongo")
    await ola.socket.close()  # type: ignore[union-attr]
    slow = await join_slowly(house, ola, table, 400)
    assert ola.token
    holder = tokens.holder(ola.token)
    await house.store.commit(Heartbeat("another worker", house.now))  # or it would seem to be dead
    await house.lobby.change_with(
        table,
        lambda stored: (stored.table, presence_writes(stored, "another worker", {holder: 30})),
    )
    await until(max_, changed(lambda chairs: chairs[0]["lag"] == 30))
    await start(ola, table)
    for person in (slow, max_):
        await person.until("update")
    await begin_round(house, [slow, max_])
    assert (await solve(house, slow, max_))["lag"] == 30


@scene
async def test_a_new_connection_is_credited_nothing_before_it_was_measured(house: House) -> None:
    """It may be quicker than the one that was."""
    table, (ola, max_) = await house.table("ubongo")
    await ola.socket.close()  # type: ignore[union-attr]
    slow = await join_slowly(house, ola, table, 400)
    await start(ola, table)
    for person in (slow, max_):
        await person.until("update")
    await begin_round(house, [slow, max_])
    quick = house.person(ola.token)
    await quick.join(table)
    while quick.view is None:  # and answers no ping
        assert quick.socket
        message = json.loads(await quick.socket.recv())
        if message["kind"] == "update":
            quick.view, quick.match, quick.seat = message["view"], message["match"], message["seat"]
    for number, action in enumerate(solution(quick)):
        await quick.send(kind="act", id=f"q{number}", seat=0, action=action, match=quick.match)
    update = await until(
        max_,
        lambda m: m["kind"] == "update" and any(e["kind"] == "card_solved" for e in m["events"]),
    )
    (solved,) = [event for event in update["events"] if event["kind"] == "card_solved"]
    assert (solved["lag"], solved["at"] - solved["time"]) == (0, 0)


@scene
async def test_a_line_that_becomes_slower_has_a_quota_in_a_match(house: House) -> None:
    """All of it follows from the log: coming back over another connection changes nothing."""
    table, (ola, max_) = await house.table("ubongo")
    await until(ola, changed(lambda chairs: chairs[0]["lag"] == 0))
    await start(ola, table)
    for person in (ola, max_):
        await person.until("update")
    person, credited = ola, []
    for _ in range(5):
        await begin_round(house, [person, max_])
        solved = await solve(house, person, max_)
        credited.append(solved["at"] - solved["time"])
        assert (await max_.act({"kind": "give_up"}))["kind"] == "done"
        await person.socket.close()  # type: ignore[union-attr]
        house.pass_time(MAX_CREDIT_MS)
        while not max_.view["choices"]["ready"]:
            await max_.next()
        person = await join_slowly(house, ola, table, 700)
        await person.send(kind="sync", seq=0, hash="")  # the first update was read over
        await person.until("update")
    assert credited == [1, MAX_CREDIT_MS, MAX_CREDIT_MS, 3, 1]
    assert sum(credited) == QUOTA_MS + len(credited)


def measure(connection: Connection, *round_trips: int) -> None:
    for round_trip in round_trips:
        connection.pong(connection.ping(1_000).n, 1_000 + round_trip)


def test_the_delay_is_half_of_a_typical_round_trip() -> None:
    connection = Connection(None)
    measure(connection, 80, 300)
    assert connection.lag is None
    measure(connection, 60)
    assert connection.lag == 40
    measure(connection, 500, 90)
    assert connection.lag == 45


def test_one_late_answer_changes_nothing() -> None:
    connection = Connection(None)
    measure(connection, 80, 80, 500)
    assert connection.lag == 40
    measure(connection, *[80] * MEASUREMENTS)
    measure(connection, 500)
    assert connection.lag == 40


def test_a_line_that_becomes_slower_is_noticed() -> None:
    connection = Connection(None)
    measure(connection, *[80] * MEASUREMENTS)
    measure(connection, *[400] * (MEASUREMENTS // 2))
    assert connection.lag == 40
    measure(connection, 400)
    assert connection.lag == 200
    measure(connection, *[-100] * MEASUREMENTS)  # a clock that is set back measures nothing
    assert connection.lag == 0
