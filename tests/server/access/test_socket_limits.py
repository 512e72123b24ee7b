"""Too many sockets at a table, and too many messages from them."""

from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from pytlik.game import Illegal, Seat
from pytlik.server.access.rate_limits import Kind, SlotLimit
from pytlik.server.access.request_gate import Gate
from pytlik.server.access.socket_limits import SlowRefusals, SocketVisit
from pytlik.server.live.connection import Connection
from pytlik.server.live.room import Room
from pytlik.server.live.table_connections import UPDATES_PER_BATCH
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.settings import Settings
from tests.server.client import Client
from tests.server.live_server import LiveServer, server_test
from tests.server.people_at_table import (
    any_legal_action,
    person_to_move,
    read_until_closed,
    wait_for_message,
)

LIMIT_SCALE = 0.1
"""The scale of all limits, so that a few sockets reach them."""


class QuickRefusals(SlowRefusals):
    """Counts the refusals that would be delayed."""

    def __init__(self) -> None:
        super().__init__(shortest=0, longest=0)
        self.count = 0

    async def delay(self, gone: Coroutine[Any, Any, None]) -> None:
        self.count += 1
        await super().delay(gone)


def lower_limits(live_server: LiveServer) -> QuickRefusals:
    gate = Gate(Settings(limit_scale=LIMIT_SCALE), lambda: live_server.now)
    refusals = QuickRefusals()
    gate.socket_limits = replace(gate.socket_limits, slow_refusals=refusals)
    live_server.app.state.gate = gate
    return refusals


async def watch_table(live_server: LiveServer, table: str) -> Client:
    live_server.pass_time(30_000)  # long enough to stay within the limits
    stranger = live_server.new_person()
    await stranger.join(table)
    return stranger


@server_test
async def test_crowd_of_strangers_is_refused_but_members_get_in(live_server: LiveServer) -> None:
    table, (ola, _) = await live_server.create_match()
    refusals = lower_limits(live_server)
    crowd = [
        await watch_table(live_server, table)
        for _ in range(int(LIMIT_SCALE * SlotLimit.SPECTATORS_ADDRESS.value))
    ]
    for each in crowd:
        await each.wait_for("hello")
    late = await watch_table(live_server, table)
    assert await read_until_closed(late) == 1013
    assert late.socket
    assert late.socket.close_reason == "too_many_sockets"
    assert not late.received
    assert refusals.count == 1
    again = live_server.new_person(ola.token)
    await again.join(table)
    assert (await again.wait_for("hello"))["yours"] == [0]
    # Someone who leaves makes room.
    await crowd[0].close()
    await live_server.wait_for_connections(2 + len(crowd))
    await (await watch_table(live_server, table)).wait_for("hello")


@server_test
async def test_sockets_opened_too_fast_by_strangers_are_closed(live_server: LiveServer) -> None:
    table, _ = await live_server.create_match()
    lower_limits(live_server)
    count_request = live_server.app.state.gate.count_request
    for _ in range(int(LIMIT_SCALE * Kind.CONNECT_AT_TABLE.value.burst)):
        count_request(Kind.CONNECT_AT_TABLE, table)
    stranger = live_server.new_person()
    await stranger.join(table)
    assert await read_until_closed(stranger) == 1013
    assert stranger.socket
    assert stranger.socket.close_reason == "too_fast"


@server_test
async def test_refusal_of_too_many_sockets_is_delayed(
    live_server: LiveServer,
) -> None:
    table, _ = await live_server.create_match()
    refusals = lower_limits(live_server)
    for _ in range(int(LIMIT_SCALE * Kind.CONNECT.value.burst)):
        live_server.app.state.gate.count_request(Kind.CONNECT, "127.0.0.1")
    with pytest.raises(InvalidStatus) as refused:
        await live_server.new_person().join(table)
    assert refused.value.response.status_code == 403
    assert refusals.count == 1


@server_test
async def test_strangers_messages_do_not_use_up_the_players_limits(live_server: LiveServer) -> None:
    table, people = await live_server.create_match()
    lower_limits(live_server)
    stranger = await watch_table(live_server, table)
    allowed = int(LIMIT_SCALE * Kind.MESSAGE_STRANGER.value.burst)
    for _ in range(allowed + 1):
        await stranger.send(kind="sit", seat=99)
    assert await read_until_closed(stranger) == 1008
    reasons = [message["reason"] for message in stranger.received if "reason" in message]
    assert reasons[-1] == "too_fast"
    assert set(reasons[:-1]) == {"not_your_seat"}
    assert len(reasons) in (allowed, allowed + 1)  # one of them may have answered a ping
    # Its address can't reconnect at once.
    with pytest.raises(InvalidStatus):
        await live_server.new_person().join(table)
    mine = person_to_move(people)
    assert (await mine.act(any_legal_action(mine.view)))["kind"] == "done"


@server_test
async def test_strangers_wait_for_their_turn_but_players_do_not(live_server: LiveServer) -> None:
    table, people = await live_server.create_match()
    stranger = await watch_table(live_server, table)
    await stranger.wait_for("update")
    waited: list[str | None] = []

    async def note(visit: SocketVisit) -> None:
        waited.append(visit.holder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SocketVisit, "wait_for_turn", note)
        await stranger.send(kind="sit", seat=99)
        await stranger.wait_for("refused")
        assert waited
        assert set(waited) == {None}
        mine = person_to_move(people)
        assert (await mine.act(any_legal_action(mine.view)))["kind"] == "done"
        assert set(waited) == {None}


@server_test
async def test_strangers_over_their_shared_limit_stay_connected(live_server: LiveServer) -> None:
    table, _ = await live_server.create_match()
    lower_limits(live_server)
    stranger = await watch_table(live_server, table)
    await stranger.wait_for("update")
    for _ in range(int(LIMIT_SCALE * Kind.MESSAGE_STRANGERS.value.burst)):
        with suppress(Illegal):
            live_server.app.state.gate.count_request(Kind.MESSAGE_STRANGERS, table)
    for _ in range(3):
        await stranger.send(kind="sit", seat=99)
        assert (await stranger.wait_for("refused"))["reason"] == "too_fast"


@server_test
async def test_spectators_are_updated_after_the_players(live_server: LiveServer) -> None:
    table, people = await live_server.create_match()
    crowd = [live_server.new_person() for _ in range(2 * UPDATES_PER_BATCH + 5)]
    for each in crowd:
        await each.join(table)
        await each.wait_for("update")
    room = live_server.room(table)
    order: list[Seat | None] = []
    for connection in reversed([*room.connections]):  # spectators first
        room.connections.remove(connection)
        room.connections.add(connection)
    enqueue, at_first = Connection.enqueue, 0

    def note_and_enqueue(self: Connection, data: bytes) -> None:
        if b'"kind":"update"' in data:
            order.append(self.seat)
        enqueue(self, data)

    def send_and_count(room: Room, match: LiveMatch) -> None:
        nonlocal at_first
        room.connections.send_updates(match)
        at_first = len(order)

    mine = person_to_move(people)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "enqueue", note_and_enqueue)
        patch.setattr(Room, "send_updates", send_and_count)
        assert (await mine.act(any_legal_action(mine.view)))["kind"] == "done"
        for each in crowd:
            await wait_for_message(each, lambda m: m["kind"] == "update" and m["seq"] == mine.seq)
    assert at_first == len(people) + UPDATES_PER_BATCH
    assert sorted(order[:2], key=str) == [0, 1]


@server_test
async def test_refusal_of_a_too_fast_action_carries_its_id(live_server: LiveServer) -> None:
    table, (ola, _) = await live_server.create_match()
    lower_limits(live_server)
    again = live_server.new_person(ola.token)
    await again.join(table)
    await again.wait_for("update")
    for _ in range(int(LIMIT_SCALE * Kind.MESSAGE.value.burst)):
        await again.send(kind="sit", seat=99)
    refused = await again.act({"kind": "ready"}, "mine")
    assert (refused["id"], refused["reason"]) == ("mine", "too_fast")
    assert refused["detail"]["seconds"]


@server_test
async def test_reactions_are_limited(live_server: LiveServer) -> None:
    table, (ola, max_) = await live_server.create_table()
    lower_limits(live_server)
    again = live_server.new_person(ola.token)
    await again.join(table)
    await again.wait_for("hello")
    for _ in range(3):
        await again.send(kind="react", reaction="clap")
    assert (await again.wait_for("refused"))["reason"] == "too_fast"
    assert (await max_.wait_for("line"))["reaction"] == "clap"
