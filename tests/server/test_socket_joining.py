"""Joining a table over its socket: who is admitted, and what they are sent first."""

import asyncio
import json
import logging
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from pytlik.game import Ready
from pytlik.server.table_socket import wait_for_turn_to_join
from pytlik.store import Unavailable
from tests.server.client import create_table
from tests.server.live_server import LiveServer, server_test, start_match
from tests.server.local_worker import LocalConnection
from tests.server.people_at_table import (
    any_legal_action,
    is_table_with_chairs,
    person_to_move,
    post_to_table,
    read_until_closed,
    wait_for_message,
)
from tests.server.racing_workers import ManualClock, begin_match, connect_person, run_workers


@server_test
async def test_first_message_is_hello(live_server: LiveServer) -> None:
    table, (ola, _) = await live_server.create_table()
    hello = ola.received[0]
    assert hello["kind"] == "hello"
    assert (hello["v"], hello["yours"], hello["host"], hello["now"]) == (
        1,
        [0],
        True,
        live_server.now,
    )
    assert hello["table"]["id"] == table
    assert [chair["name"] for chair in hello["table"]["chairs"]] == ["person 0", "person 1"]
    chairs = (await wait_for_message(ola, is_table_with_chairs(lambda chairs: chairs[1]["here"])))[
        "table"
    ]["chairs"]
    assert chairs[0]["here"]


@server_test
@pytest.mark.parametrize("table", ["aaaaaaaaaa", "no-table", "%2e%2e", "a" * 200])
async def test_unknown_table_is_not_found(live_server: LiveServer, table: str) -> None:
    ola = live_server.new_person()
    await ola.join(table)
    assert await read_until_closed(ola) == 4404
    assert live_server.rooms.connection_count == 0


@server_test
async def test_overlong_table_id_is_refused(
    live_server: LiveServer, caplog: pytest.LogCaptureFixture
) -> None:
    ola = live_server.new_person()
    with pytest.raises(InvalidStatus, match="404"):
        await ola.join("a" * 300)
    while live_server.rooms.connection_count:  # noqa: ASYNC110 - the server
        await asyncio.sleep(0.001)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


UPGRADE_HEADERS = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
)


@server_test
@pytest.mark.parametrize(
    ("hosts", "socket", "page"),
    [
        (["localhost"], 101, 200),
        ([], 400, 400),
        (["localhost", "localhost"], 400, 400),
        (["localhost", "evil.test"], 400, 400),
        (["evil.test"], 403, 403),  # a foreign name that resolves to this machine
    ],
)
async def test_missing_repeated_or_foreign_host_is_refused(
    live_server: LiveServer, hosts: list[str], socket: int, page: int
) -> None:
    table, _ = await live_server.create_table()
    headers = [f"Host: {host}" for host in hosts]
    headers += [f"Origin: http://{host}" for host in hosts[:1]]
    path = f"/api/tables/{table}"
    assert (
        await status_of_raw_request(
            live_server, f"GET {path}/socket HTTP/1.1", *headers, *UPGRADE_HEADERS
        )
        == socket
    )
    assert await status_of_raw_request(live_server, f"GET {path} HTTP/1.1", *headers) == page


async def status_of_raw_request(live_server: LiveServer, *lines: str) -> int:
    """The status of the answer to a request that no library would send."""
    address = urlsplit(live_server.address)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write("\r\n".join([*lines, "", ""]).encode())
    answer = await reader.readline()
    writer.close()
    return int(answer.split()[1])


@server_test
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
async def test_a_sockets_address_is_not_a_page(live_server: LiveServer, method: str) -> None:
    table, (ola, _) = await live_server.create_table()
    answer = await ola.http.request(method, f"/api/tables/{table}/socket", json={})
    assert answer.status_code == 404


@server_test
async def test_a_person_who_sits_down_after_connecting_sees_that_seats_view(
    live_server: LiveServer,
) -> None:
    ola, max_ = live_server.new_person(), live_server.new_person()
    table = await create_table(ola, chairs=2)
    await max_.ask("GET", "/api/mine")
    for person in (ola, max_):
        await person.join(table)
        assert (await person.next_message())["yours"] == []
        await post_to_table(person, table, "seats", name="Ola" if person is ola else "Max")
    await wait_for_message(max_, is_table_with_chairs(lambda chairs: chairs[1]["kind"] == "person"))
    await start_match(ola, table)
    for seat, person in enumerate((ola, max_)):
        update = await person.wait_for("update")
        assert (update["seat"], len(update["view"]["hand"])) == (seat, 10)


@server_test
async def test_spectator_sees_what_everyone_may_see(live_server: LiveServer) -> None:
    table, people = await live_server.create_match()
    viewer = live_server.new_person()
    await viewer.join(table)
    assert (await viewer.wait_for("hello"))["yours"] == []
    update = await viewer.wait_for("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])
    await person_to_move(people).act(any_legal_action(person_to_move(people).view))
    assert (await viewer.wait_for("update"))["events"]
    viewer.seat = 0
    assert (await viewer.act({"kind": "pass"}))["reason"] == "not_your_seat"
    await viewer.send(kind="react", reaction="clap")
    assert (await viewer.wait_for("refused"))["reason"] == "not_your_seat"


@server_test
async def test_origin_and_token_of_a_socket_are_checked(live_server: LiveServer) -> None:
    table, (ola, _) = await live_server.create_table()
    url = live_server.address.replace("http", "ws") + f"/api/tables/{table}/socket"
    cookie = {"Cookie": f"pytlik={ola.token}"}
    for headers in (
        {**cookie, "Origin": "https://elsewhere.example"},
        {**cookie, "Origin": "null"},
        cookie,
        {"Origin": "https://elsewhere.example"},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Basic b2xhOm9sYQ=="},
    ):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, additional_headers=headers)
        assert refused.value.response.status_code == 403
    for headers in (
        {**cookie, "Origin": live_server.address},
        {"Authorization": f"Bearer {ola.token}"},
    ):
        async with connect(url, additional_headers=headers) as socket:
            assert json.loads(await socket.recv())["yours"] == [0]
    async with connect(url) as socket:
        assert json.loads(await socket.recv())["yours"] == []


@server_test
async def test_nothing_is_compressed(live_server: LiveServer) -> None:
    """Lengths of compressed messages would reveal secrets."""
    table, _ = await live_server.create_table()
    url = live_server.address.replace("http", "ws") + f"/api/tables/{table}/socket"
    async with connect(url, compression="deflate") as socket:
        assert socket.request
        assert "deflate" in socket.request.headers["Sec-WebSocket-Extensions"]
        assert socket.response
        assert "Sec-WebSocket-Extensions" not in socket.response.headers


def test_only_a_few_join_at_once_and_nobody_waits_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        joining = asyncio.Semaphore(1)
        async with wait_for_turn_to_join(joining):
            monkeypatch.setattr("pytlik.server.table_socket.JOIN_TIMEOUT_SECONDS", 0)
            with pytest.raises(Unavailable):
                async with wait_for_turn_to_join(joining):
                    raise AssertionError
            monkeypatch.setattr("pytlik.server.table_socket.JOIN_TIMEOUT_SECONDS", 120)
            next_one = asyncio.create_task(enter(joining))
            await asyncio.sleep(0)
            assert not next_one.done()
        await next_one
        with pytest.raises(ZeroDivisionError):
            async with wait_for_turn_to_join(joining):
                raise ZeroDivisionError
        await enter(joining)  # the place was released

    async def enter(joining: asyncio.Semaphore) -> None:
        async with wait_for_turn_to_join(joining):
            pass

    asyncio.run(play())


def test_newcomers_share_one_read_of_the_log(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can act during a read, so players would wait for each of a thousand strangers."""
    database = str(shutil.copy(empty_database, tmp_path / "pytlik.db"))

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            ola = await connect_person(worker, table.id, "ola")
            await worker.send_match(ola)
            looks, may_look, read_events = 0, asyncio.Event(), worker.store.events

            async def read_events_in_time(*args: Any) -> Any:
                nonlocal looks
                looks += 1
                await may_look.wait()
                return await read_events(*args)

            def connect_newcomers() -> list[asyncio.Task[None]]:
                crowd = (LocalConnection(table.id, None) for _ in range(100))
                return [asyncio.create_task(worker.send_match(each)) for each in crowd]

            monkeypatch.setattr(worker.store, "events", read_events_in_time)
            first = connect_newcomers()
            while not looks:  # noqa: ASYNC110 - no event to await
                await asyncio.sleep(0)
            # These may have to see more than the read under way returns, so they wait for the next.
            second = connect_newcomers()
            await asyncio.sleep(0)
            action = asyncio.create_task(worker.act(ola, 0, msgspec.json.encode(Ready()), "c1"))
            may_look.set()
            await action
            await asyncio.gather(*first, *second)
            assert looks == 2

    asyncio.run(play())
