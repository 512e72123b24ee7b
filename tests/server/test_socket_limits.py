"""Too many sockets at a table, and too many messages from them."""

from contextlib import suppress

import pytest

from pytlik.game import Illegal, Seat
from pytlik.server import table_connections
from pytlik.server.connection import Connection
from pytlik.server.limits import Kind, Places
from pytlik.server.live_match import LiveMatch
from pytlik.server.middleware import Gate
from pytlik.server.room import Room
from pytlik.server.settings import Settings
from pytlik.server.table_connections import BATCH
from tests.server.client import Client
from tests.server.live_server import LiveServer, server_test
from tests.server.people import person_to_move, read_until_closed, some_action, wait_for_message

TENTH = 0.1
"""The scale of all limits, so that a few sockets reach them."""


def limit(live_server: LiveServer) -> None:
    live_server.app.state.gate = Gate(Settings(limit_scale=TENTH), lambda: live_server.now)


async def look_on(live_server: LiveServer, table: str) -> Client:
    live_server.pass_time(30_000)  # anyone who comes slowly enough may come
    stranger = live_server.person()
    await stranger.join(table)
    return stranger


@server_test
async def test_a_crowd_of_strangers_is_refused_and_members_come_in(live_server: LiveServer) -> None:
    table, (ola, _) = await live_server.match()
    limit(live_server)
    crowd = [
        await look_on(live_server, table)
        for _ in range(int(TENTH * Places.SPECTATORS_ADDRESS.value))
    ]
    for each in crowd:
        await each.until("hello")
    late = await look_on(live_server, table)
    assert await read_until_closed(late) == 1013
    assert late.socket
    assert late.socket.close_reason == "too_many_sockets"
    assert not late.received
    again = live_server.person(ola.token)
    await again.join(table)
    assert (await again.until("hello"))["yours"] == [0]
    # Someone who leaves makes room.
    await crowd[0].close()
    await live_server.wait_for_connections(2 + len(crowd))
    await (await look_on(live_server, table)).until("hello")


@server_test
async def test_sockets_of_strangers_that_come_too_fast_are_told_so(live_server: LiveServer) -> None:
    table, _ = await live_server.match()
    limit(live_server)
    count_request = live_server.app.state.gate.count_request
    for _ in range(int(TENTH * Kind.CONNECT_AT_TABLE.value.burst)):
        count_request(Kind.CONNECT_AT_TABLE, table)
    stranger = live_server.person()
    await stranger.join(table)
    assert await read_until_closed(stranger) == 1013
    assert stranger.socket
    assert stranger.socket.close_reason == "too_fast"


@server_test
async def test_messages_of_strangers_take_nothing_from_players(live_server: LiveServer) -> None:
    table, people = await live_server.match()
    limit(live_server)
    stranger = await look_on(live_server, table)
    allowed = int(TENTH * Kind.MESSAGE_STRANGER.value.burst)
    for _ in range(allowed + 1):
        await stranger.send(kind="sit", seat=99)
    assert await read_until_closed(stranger) == 1008
    reasons = [message["reason"] for message in stranger.received if "reason" in message]
    assert reasons[-1] == "too_fast"
    assert set(reasons[:-1]) == {"not_your_seat"}
    assert len(reasons) in (allowed, allowed + 1)  # one of them may have answered a ping
    # Another socket from the same address gets no further.
    again = live_server.person()
    await again.join(table)
    await again.send(kind="nothing")
    assert await read_until_closed(again) == 1008
    mine = person_to_move(people)
    assert (await mine.act(some_action(mine.view)))["kind"] == "done"


@server_test
async def test_all_strangers_together_are_refused_and_stay(live_server: LiveServer) -> None:
    table, _ = await live_server.match()
    limit(live_server)
    stranger = await look_on(live_server, table)
    await stranger.until("update")
    for _ in range(int(TENTH * Kind.MESSAGE_STRANGERS.value.burst)):
        with suppress(Illegal):
            live_server.app.state.gate.count_request(Kind.MESSAGE_STRANGERS, table)
    for _ in range(3):
        await stranger.send(kind="sit", seat=99)
        assert (await stranger.until("refused"))["reason"] == "too_fast"


@server_test
async def test_spectators_are_updated_after_the_players(live_server: LiveServer) -> None:
    table, people = await live_server.match()
    crowd = [live_server.person() for _ in range(2 * BATCH + 5)]
    for each in crowd:
        await each.join(table)
        await each.until("update")
    room = live_server.room(table)
    order: list[Seat | None] = []
    for connection in reversed([*room.connections]):  # spectators first
        room.connections.remove(connection)
        room.connections.add(connection)
    enqueue, at_first = Connection.enqueue, 0

    def noted(self: Connection, data: bytes) -> None:
        if b'"kind":"update"' in data:
            order.append(self.seat)
        enqueue(self, data)

    def first(room: Room, match: LiveMatch) -> None:
        nonlocal at_first
        room.connections.send_updates(match)
        at_first = len(order)

    mine = person_to_move(people)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "enqueue", noted)
        patch.setattr(Room, "send_updates", first)
        assert (await mine.act(some_action(mine.view)))["kind"] == "done"
        for each in crowd:
            await wait_for_message(each, lambda m: m["kind"] == "update" and m["seq"] == mine.seq)
    assert at_first == BATCH
    assert sorted(order[:2], key=str) == [0, 1]


@server_test
async def test_however_fast_people_play_every_spectator_has_a_turn(live_server: LiveServer) -> None:
    table, people = await live_server.match()
    crowd = [live_server.person() for _ in range(2 * BATCH)]
    for each in crowd:
        await each.join(table)
        await each.until("update")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            table_connections, "PAUSE_SECONDS", 1_000
        )  # another action always comes first
        for _ in range(3):
            mine = person_to_move(people)
            assert (await mine.act(some_action(mine.view)))["kind"] == "done"
            for person in people:
                while person.seq < mine.seq:
                    await person.until("update")
        for each in crowd:
            await each.until("update")


@server_test
async def test_an_action_that_comes_too_fast_is_refused_by_its_id(live_server: LiveServer) -> None:
    table, (ola, _) = await live_server.match()
    limit(live_server)
    again = live_server.person(ola.token)
    await again.join(table)
    await again.until("update")
    for _ in range(int(TENTH * Kind.MESSAGE.value.burst)):
        await again.send(kind="sit", seat=99)
    refused = await again.act({"kind": "ready"}, "mine")
    assert (refused["id"], refused["reason"]) == ("mine", "too_fast")
    assert refused["detail"]["seconds"]


@server_test
async def test_reactions_are_limited(live_server: LiveServer) -> None:
    table, (ola, max_) = await live_server.table()
    limit(live_server)
    again = live_server.person(ola.token)
    await again.join(table)
    await again.until("hello")
    for _ in range(3):
        await again.send(kind="react", reaction="clap")
    assert (await again.until("refused"))["reason"] == "too_fast"
    assert (await max_.until("line"))["reaction"] == "clap"
