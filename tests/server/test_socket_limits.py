"""Too many sockets at a table, and too many messages from them."""

from contextlib import suppress

import pytest

from pytlik.game import Illegal, Seat
from pytlik.server import audience
from pytlik.server.audience import BATCH
from pytlik.server.connection import Connection
from pytlik.server.limits import Kind, Places
from pytlik.server.live_match import LiveMatch
from pytlik.server.middleware import Gate
from pytlik.server.room import Room
from pytlik.server.settings import Settings
from tests.server.client import Client
from tests.server.house import House, empty_database, house, same_secrets, scene
from tests.server.people import closed, mover, some_action, until

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
    for _ in range(allowed + 1):
        await stranger.send(kind="sit", seat=99)
    assert await closed(stranger) == 1008
    reasons = [message["reason"] for message in stranger.received if "reason" in message]
    assert reasons[-1] == "too_fast"
    assert set(reasons[:-1]) == {"not_your_seat"}
    assert len(reasons) in (allowed, allowed + 1)  # one may have been the answer to a ping
    # Another socket of the same address gets no further, whatever it says.
    again = house.person()
    await again.join(table)
    await again.send(kind="nothing")
    assert await closed(again) == 1008
    mine = mover(people)
    assert (await mine.act(some_action(mine.view)))["kind"] == "done"


@scene
async def test_all_strangers_together_are_refused_and_stay(house: House) -> None:
    table, _ = await house.match()
    limit(house)
    stranger = await look_on(house, table)
    await stranger.until("update")
    for _ in range(int(TENTH * Kind.MESSAGE_STRANGERS.value.burst)):
        with suppress(Illegal):
            house.app.state.gate.take(Kind.MESSAGE_STRANGERS, table)
    for _ in range(3):
        await stranger.send(kind="sit", seat=99)
        assert (await stranger.until("refused"))["reason"] == "too_fast"


@scene
async def test_a_crowd_is_brought_up_to_date_after_those_who_play(house: House) -> None:
    table, people = await house.match()
    crowd = [house.person() for _ in range(2 * BATCH + 5)]
    for each in crowd:
        await each.join(table)
        await each.until("update")
    room = house.room(table)
    order: list[Seat | None] = []
    for connection in reversed([*room.audience]):  # spectators first, as if they had been
        room.audience.remove(connection)
        room.audience.add(connection)
    put, at_first = Connection.put, 0

    def noted(self: Connection, data: bytes) -> None:
        if b'"kind":"update"' in data:
            order.append(self.seat)
        put(self, data)

    def first(room: Room, match: LiveMatch) -> None:
        nonlocal at_first
        room.audience.update(match)
        at_first = len(order)

    mine = mover(people)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "put", noted)
        patch.setattr(Room, "show", first)
        assert (await mine.act(some_action(mine.view)))["kind"] == "done"
        for each in crowd:
            await until(each, lambda m: m["kind"] == "update" and m["seq"] == mine.seq)
    assert at_first == BATCH
    assert sorted(order[:2], key=str) == [0, 1]


@scene
async def test_however_fast_people_play_every_spectator_has_a_turn(house: House) -> None:
    table, people = await house.match()
    crowd = [house.person() for _ in range(2 * BATCH)]
    for each in crowd:
        await each.join(table)
        await each.until("update")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audience, "PAUSE_SECONDS", 1_000)  # another action always comes first
        for _ in range(3):
            mine = mover(people)
            assert (await mine.act(some_action(mine.view)))["kind"] == "done"
            for person in people:
                while person.seq < mine.seq:
                    await person.until("update")
        for each in crowd:
            await each.until("update")


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
