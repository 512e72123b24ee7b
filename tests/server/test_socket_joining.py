"""Coming to a table by its socket: who is let in, and what they are told first."""

import asyncio
import json
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.server.client import table_for
from tests.server.house import House, empty_database, house, same_secrets, scene, start
from tests.server.people import changed, closed, mover, post, some_action, until

__all__ = ["empty_database", "house", "same_secrets"]


@scene
async def test_the_first_message_says_hello(house: House) -> None:
    table, (ola, _) = await house.table()
    hello = ola.received[0]
    assert hello["kind"] == "hello"
    assert (hello["v"], hello["yours"], hello["host"], hello["now"]) == (1, [0], True, house.now)
    assert hello["table"]["id"] == table
    assert [chair["name"] for chair in hello["table"]["chairs"]] == ["person 0", "person 1"]
    chairs = (await until(ola, changed(lambda chairs: chairs[1]["here"])))["table"]["chairs"]
    assert chairs[0]["here"]


@scene
@pytest.mark.parametrize("table", ["aaaaaaaaaa", "no-table", "%2e%2e", "a" * 300])
async def test_there_is_no_such_table(house: House, table: str) -> None:
    ola = house.person()
    await ola.join(table)
    assert await closed(ola) == 4404
    assert house.rooms.connections == 0


UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
)


@scene
@pytest.mark.parametrize(
    ("hosts", "socket", "page"),
    [
        (["localhost"], 101, 200),
        ([], 400, 400),
        (["localhost", "localhost"], 400, 400),
        (["localhost", "evil.test"], 400, 400),
        (["evil.test"], 403, 403),  # a name that points here since a moment ago
    ],
)
async def test_the_server_has_one_name_of_this_machine(
    house: House, hosts: list[str], socket: int, page: int
) -> None:
    table, _ = await house.table()
    said = [f"Host: {host}" for host in hosts]
    said += [f"Origin: http://{host}" for host in hosts[:1]]
    path = f"/api/tables/{table}"
    assert await status(house, f"GET {path}/socket HTTP/1.1", *said, *UPGRADE) == socket
    assert await status(house, f"GET {path} HTTP/1.1", *said) == page


async def status(house: House, *lines: str) -> int:
    """What a request is answered that no library would send."""
    address = urlsplit(house.address)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write("\r\n".join([*lines, "", ""]).encode())
    answer = await reader.readline()
    writer.close()
    return int(answer.split()[1])


@scene
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
async def test_a_socket_is_no_page(house: House, method: str) -> None:
    table, (ola, _) = await house.table()
    answer = await ola.http.request(method, f"/api/tables/{table}/socket", json={})
    assert answer.status_code == 404


@scene
async def test_who_sits_down_after_connecting_sees_from_there(house: House) -> None:
    ola, max_ = house.person(), house.person()
    table = await table_for(ola, chairs=2)
    await max_.ask("GET", "/api/mine")
    for person in (ola, max_):
        await person.join(table)
        assert (await person.next())["yours"] == []
        await post(person, table, "seats", name="Ola" if person is ola else "Max")
    await until(max_, changed(lambda chairs: chairs[1]["kind"] == "person"))
    await start(ola, table)
    for seat, person in enumerate((ola, max_)):
        update = await person.until("update")
        assert (update["seat"], len(update["view"]["hand"])) == (seat, 10)


@scene
async def test_a_spectator_sees_what_everyone_may(house: House) -> None:
    table, people = await house.match()
    viewer = house.person()
    await viewer.join(table)
    assert (await viewer.until("hello"))["yours"] == []
    update = await viewer.until("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])
    await mover(people).act(some_action(mover(people).view))
    assert (await viewer.until("update"))["events"]
    viewer.seat = 0
    assert (await viewer.act({"kind": "pass"}))["reason"] == "not_your_seat"
    await viewer.send(kind="react", reaction="clap")
    assert (await viewer.until("refused"))["reason"] == "not_your_seat"


@scene
async def test_where_a_socket_may_come_from(house: House) -> None:
    table, (ola, _) = await house.table()
    url = house.address.replace("http", "ws") + f"/api/tables/{table}/socket"
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
        {**cookie, "Origin": house.address},
        {"Authorization": f"Bearer {ola.token}"},
    ):
        async with connect(url, additional_headers=headers) as socket:
            assert json.loads(await socket.recv())["yours"] == [0]
    async with connect(url) as socket:
        assert json.loads(await socket.recv())["yours"] == []


@scene
async def test_nothing_is_compressed(house: House) -> None:
    """Lengths would tell of secrets."""
    table, _ = await house.table()
    url = house.address.replace("http", "ws") + f"/api/tables/{table}/socket"
    async with connect(url, compression="deflate") as socket:
        assert socket.request
        assert "deflate" in socket.request.headers["Sec-WebSocket-Extensions"]
        assert socket.response
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
