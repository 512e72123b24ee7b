"""Too many sockets at a table, and too many messages from them."""

from pytlik.server.gate import Gate
from pytlik.server.limits import Kind, Places
from pytlik.server.settings import Settings
from tests.server.client import Client
from tests.server.house import House, empty_database, house, same_secrets, scene
from tests.server.people import closed, mover, some_action

__all__ = ["empty_database", "house", "same_secrets"]

TENTH = 0.1
"""Of all limits: so that few sockets reach them."""


def limit(house: House) -> None:
    house.app.state.gate = Gate(Settings(limit_scale=TENTH), lambda: house.now)


async def look_on(house: House, table: str) -> Client:
    house.pass_time(30_000)  # whoever comes slowly enough may come
    stranger = house.person()
    await stranger.join(table)
    return stranger


@scene
async def test_a_crowd_of_strangers_is_refused_and_members_come_in(house: House) -> None:
    table, (ola, _) = await house.match()
    limit(house)
    crowd = [
        await look_on(house, table) for _ in range(int(TENTH * Places.SPECTATORS_ADDRESS.value))
    ]
    for each in crowd:
        await each.until("hello")
    late = await look_on(house, table)
    assert await closed(late) == 1013
    assert late.socket
    assert late.socket.close_reason == "too_many_sockets"
    assert not late.received
    again = house.person(ola.token)
    await again.join(table)
    assert (await again.until("hello"))["yours"] == [0]
    # Whoever leaves makes room.
    await crowd[0].close()
    await house.quiet_but_for(2 + len(crowd))
    await (await look_on(house, table)).until("hello")


@scene
async def test_sockets_of_strangers_that_come_too_fast_are_told_so(house: House) -> None:
    table, _ = await house.match()
    limit(house)
    take = house.app.state.gate.take
    for _ in range(int(TENTH * Kind.CONNECT_AT_TABLE.value.burst)):
        take(Kind.CONNECT_AT_TABLE, table)
    stranger = house.person()
    await stranger.join(table)
    assert await closed(stranger) == 1013
    assert stranger.socket
    assert stranger.socket.close_reason == "too_fast"


@scene
async def test_messages_of_strangers_take_nothing_from_who_plays(house: House) -> None:
    table, people = await house.match()
    limit(house)
    stranger = await look_on(house, table)
    allowed = int(TENTH * Kind.MESSAGE_STRANGER.value.burst)
    for _ in range(allowed + 5):  # and its answer to the first ping
        await stranger.send(kind="sit", seat=99)
    reasons = [(await stranger.until("refused"))["reason"] for _ in range(allowed + 5)]
    assert reasons[: allowed - 1] == ["not_your_seat"] * (allowed - 1)
    assert reasons[-4:] == ["too_fast"] * 4
    await stranger.send(kind="nothing")
    assert (await stranger.until("refused"))["reason"] == "too_fast"
    mine = mover(people)
    assert (await mine.act(some_action(mine.view)))["kind"] == "done"


@scene
async def test_an_action_that_comes_too_fast_is_refused_by_its_id(house: House) -> None:
    table, (ola, _) = await house.match()
    limit(house)
    again = house.person(ola.token)
    await again.join(table)
    await again.until("update")
    for _ in range(int(TENTH * Kind.MESSAGE.value.burst)):
        await again.send(kind="sit", seat=99)
    refused = await again.act({"kind": "ready"}, "mine")
    assert (refused["id"], refused["reason"]) == ("mine", "too_fast")
    assert refused["detail"]["seconds"]


@scene
async def test_reactions_are_limited(house: House) -> None:
    table, (ola, max_) = await house.table()
    limit(house)
    again = house.person(ola.token)
    await again.join(table)
    await again.until("hello")
    for _ in range(3):
        await again.send(kind="react", reaction="clap")
    assert (await again.until("refused"))["reason"] == "too_fast"
    assert (await max_.until("line"))["reaction"] == "clap"
