"""The delay of a connection is measured, shown and credited (G10)."""

import json

from pytlik.server.hub import Connection
from tests.server.client import Client
from tests.server.house import House, empty_database, house, same_secrets, scene, start
from tests.server.people import begin_round, changed, solution, until

__all__ = ["empty_database", "house", "same_secrets"]


async def pinged(person: Client) -> int:
    """Read on to a ping, and do not answer."""
    assert person.socket
    while (message := json.loads(await person.socket.recv()))["kind"] != "ping":
        pass
    n: int = message["n"]
    return n


@scene
async def test_the_delay_is_measured_shown_and_credited_up_to_a_limit(house: House) -> None:
    table, people = await house.table("ubongo")
    ola, max_ = people
    await until(max_, changed(lambda chairs: chairs[1]["lag"] == 0))
    slow = house.person(ola.token)
    await ola.socket.close()  # type: ignore[union-attr]
    await slow.join(table)
    n = await pinged(slow)
    assert n == house.now
    await slow.send(kind="pong", n=0)  # nobody asked for this
    await slow.send(kind="pong", n=n + 1)
    house.pass_time(700)
    await slow.send(kind="pong", n=n)
    shown = await until(max_, changed(lambda chairs: chairs[0]["lag"] is not None))
    assert [chair["lag"] for chair in shown["table"]["chairs"]] == [350, 0]
    await slow.send(kind="pong", n=n)  # answered already
    await start(slow, table)
    for person in (slow, max_):
        await person.until("update")
    await begin_round(house, [slow, max_])
    house.pass_time(20_000)
    for action in solution(slow):
        assert (await slow.act(action))["kind"] == "done"
    update = await until(
        max_,
        lambda m: m["kind"] == "update" and any(e["kind"] == "card_solved" for e in m["events"]),
    )
    (solved,) = [event for event in update["events"] if event["kind"] == "card_solved"]
    assert (solved["lag"], solved["at"] - solved["time"]) == (350, 250)


def test_of_several_measurements_the_least_counts() -> None:
    connection = Connection("table", None)
    assert connection.lag is None
    for round_trip in (80, 300, 60, 500):
        n = connection.ping(1_000).n
        connection.pong(n, 1_000 + round_trip)
    assert connection.lag == 30
    for _ in range(5):
        connection.pong(connection.ping(1_000).n, 1_400)
    assert connection.lag == 200
    connection.pong(connection.ping(1_000).n, 900)  # the clock was set back
    assert connection.lag == 0
