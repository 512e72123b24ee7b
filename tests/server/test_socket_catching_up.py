"""A client that has missed something gets one whole update."""

import asyncio
import socket as sockets
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pytlik.server import socket_requests
from pytlik.server.live.connection import MAX_QUEUED_MESSAGES, Connection
from pytlik.server.table_socket import Sender, Socket, next_message
from tests.server.live_server import TIMEOUT_SECONDS, LiveServer, server_test
from tests.server.people_at_table import (
    any_legal_action,
    is_table_with_chairs,
    message_kinds_until_answer,
    person_to_move,
    wait_for_message,
)


@server_test
async def test_sync_sends_an_update_only_if_the_view_is_wrong(
    live_server: LiveServer,
) -> None:
    _, people = await live_server.create_match()
    ola = people[0]
    right = ola.received[-1]
    await ola.send(kind="sync", seq=right["seq"], hash=right["hash"])
    assert "update" not in await message_kinds_until_answer(ola)
    for wrong in ({"hash": "wrong"}, {"seq": right["seq"] - 1}, {"seq": 10**30}):
        await ola.send(**{"kind": "sync", "seq": right["seq"], "hash": right["hash"], **wrong})
        assert (await message_kinds_until_answer(ola)).count("update") == 1
        update = [m for m in ola.received if m["kind"] == "update"][-1]
        assert {**update, "now": 0} == {**right, "now": 0}


@server_test
async def test_reconnecting_brings_one_whole_update(live_server: LiveServer) -> None:
    table, people = await live_server.create_match()
    ola = people[0]
    one = person_to_move(people)
    await ola.disconnect()
    if one is not ola:
        await one.act(any_legal_action(one.view))
    back = live_server.new_person(ola.token)
    await back.join(table)
    assert (await back.next_message())["kind"] == "hello"
    assert (await message_kinds_until_answer(back)).count("update") == 1
    assert back.seat == 0
    assert back.seq >= ola.seq
    (update,) = [m for m in back.received if m["kind"] == "update"]
    assert update["events"] == []


@server_test
async def test_a_slow_reader_is_cut_off_and_loses_nothing(live_server: LiveServer) -> None:
    live_server.listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4_096)
    table, (ola, max_) = await live_server.create_match()
    small = sockets.socket()
    small.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
    small.connect(("127.0.0.1", live_server.listener.getsockname()[1]))
    url = f"ws://127.0.0.1/api/tables/{table}/socket"
    headers = {"Authorization": f"Bearer {max_.token}"}
    await max_.disconnect()
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: not chairs[1]["here"]))
    slow = await connect(url, sock=small, additional_headers=headers, max_queue=1)
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: chairs[1]["here"]))
    room = live_server.room(table)
    there = next(one for one in room.connections if one.seat == 1)
    for _ in range(2_000):  # whole updates, none of which is read
        await socket_requests.send_match(room, there)
        await asyncio.sleep(0)
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: not chairs[1]["here"]))
    assert live_server.rooms.connection_count == 1
    with suppress(ConnectionClosed):
        while True:
            await slow.recv()
    again = live_server.new_person(max_.token)
    await again.join(table)
    update = await again.wait_for("update")
    assert (update["seq"], update["view"]) == (max_.seq, max_.view)
    await slow.close()


def test_queue_of_a_connection_is_bounded() -> None:
    cut: list[bool] = []
    connection = Connection(None)
    connection.interrupt = lambda: cut.append(True)
    for _ in range(1_000):
        connection.enqueue(b"data")
    assert (connection.overflowed, cut, len(connection._queue)) == (True, [True], 0)
    other = Connection(None)
    for _ in range(MAX_QUEUED_MESSAGES):
        other.enqueue(b"data")
    other.close()
    other.enqueue(b"too late")
    assert not other.overflowed
    assert [other.take_message() for _ in range(MAX_QUEUED_MESSAGES + 1)] == [
        b"data"
    ] * MAX_QUEUED_MESSAGES + [None]


async def wait_forever(*_: Any) -> Any:
    await asyncio.get_running_loop().create_future()


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not condition():  # noqa: ASYNC110 - it ends in an instant
            await asyncio.sleep(0)


def test_a_quiet_connection_needs_no_task_to_send() -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message.get("text") or message.get("code"))

    async def play() -> None:
        connection, socket = Connection(None), Socket(receive, send)
        await socket.accept()
        sender = Sender(socket, connection, lambda: 7)
        await wait_until(lambda: len(asyncio.all_tasks()) == 1)
        assert sent == [None, '{"kind":"ping","n":7}']
        connection.enqueue(b"news")
        connection.enqueue(b"more news")
        await wait_until(lambda: len(asyncio.all_tasks()) == 1)
        assert sent[2:] == ["news", "more news"]
        connection.enqueue(b"the last news")
        connection.close(4404)
        await sender.stop(TIMEOUT_SECONDS)
        assert sent[4:] == ["the last news", 4404]

    asyncio.run(play())


def test_only_a_slow_reader_interrupts_the_wait_for_a_message() -> None:
    async def play() -> None:
        connection = Connection(None)
        waiting = asyncio.create_task(next_message(Socket(wait_forever, wait_forever), connection))
        await wait_until(lambda: connection.interrupt is not None)
        for _ in range(MAX_QUEUED_MESSAGES + 1):
            connection.enqueue(b"data")
        assert await waiting is None
        other = asyncio.create_task(
            next_message(Socket(wait_forever, wait_forever), Connection(None))
        )
        await asyncio.sleep(0)
        other.cancel()
        with pytest.raises(asyncio.CancelledError):
            await other

    asyncio.run(play())
