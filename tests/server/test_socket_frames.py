"""Frames that aren't messages, or too many of them."""

import asyncio
import json
from pathlib import Path
from typing import Any

from pytlik.server.table_socket import MAX_MESSAGES_WHILE_REFUSED, Socket
from pytlik.server.transport.websocket_protocol import MAX_CONTROL_FRAMES
from tests.server.client import Client, create_table
from tests.server.live_server import TIMEOUT_SECONDS, LiveServer, server_test
from tests.server.people_at_table import (
    any_legal_action,
    message_kinds_until_answer,
    person_to_move,
    read_until_closed,
)
from tests.server.server_process import ServerProcess


@server_test
async def test_invalid_messages_are_refused(live_server: LiveServer) -> None:
    _, (ola, _) = await live_server.create_match()
    assert ola.socket
    frames: list[str | bytes] = [
        "",
        "null",
        "{",
        "[" * 4_000,
        '{"kind": "act", "id": "a", "seat": 0, "action": ' + "[" * 4_000 + "]" * 4_000 + "}",
        '{"kind": "nothing"}',
        '{"kind": "sit", "seat": 0, "more": 1}',
        '{"kind": "pong", "n": 1.5}',
        b"binary",
        b'{"kind": "sit", "seat": 0}',
        "\0",
        '{"kind": "chat", "text": "\\ud800"}',
    ]
    for frame in frames:
        await ola.socket.send(frame)
        refused = await ola.wait_for("refused")
        assert (refused["id"], refused["reason"]) == (None, "bad_request"), frame
    assert "update" not in await message_kinds_until_answer(ola)


@server_test
async def test_frame_may_have_8_kilobytes(live_server: LiveServer) -> None:
    _, (ola, max_) = await live_server.create_match()
    assert ola.socket
    await ola.socket.send("x" * 8_192)
    assert (await ola.wait_for("refused"))["reason"] == "bad_request"
    await ola.socket.send("x" * 8_193)
    assert await read_until_closed(ola) == 1009
    assert max_.socket
    await max_.socket.send("ř" * 5_000)  # bytes count, not letters
    assert await read_until_closed(max_) == 1009


@server_test
async def test_the_rate_of_frames_is_limited(live_server: LiveServer) -> None:
    _, (ola, max_) = await live_server.create_match()
    await message_kinds_until_answer(ola)
    for _ in range(300):  # 100 in 20 seconds is no problem
        live_server.pass_time(200)
        await ola.send(kind="sit", seat=99)
        await ola.wait_for("refused")
    for _ in range(121):
        await max_.send(kind="sit", seat=99)
    assert await read_until_closed(max_) == 1008
    assert max_.received[-1]["reason"] == "too_fast"


@server_test
async def test_a_flood_of_pings_ends_only_its_own_connection(live_server: LiveServer) -> None:
    table, people = await live_server.create_match()
    stranger = live_server.new_person()
    await stranger.join(table)
    await stranger.wait_for("update")
    assert stranger.socket
    for _ in range(MAX_CONTROL_FRAMES + 1):
        _ = await stranger.socket.ping()  # and nobody waits for an answer
    assert await read_until_closed(stranger) == 1008
    assert stranger.socket.close_reason == "too many control frames"
    mine = person_to_move(people)
    assert (await mine.act(any_legal_action(mine.view)))["kind"] == "done"


def test_invalid_text_ends_the_connection_and_leaves_no_traceback(tmp_path: Path) -> None:
    """With the server's own logging. uvicorn alone would log an error."""

    async def play(address: str) -> None:
        host = Client(address)
        table = await create_table(host)
        for parts in ([b"\xff\xfe"], [b'{"kind": "chat", "text": "\xc3', b'\x28"}']):
            await host.join(table)
            await host.wait_for("hello")
            assert host.socket
            await host.socket.send(parts, text=True)
            assert await read_until_closed(host) == 1007
        await host.close()

    log = tmp_path / "log"
    with ServerProcess(str(tmp_path / "pytlik.db"), log=log) as server:
        asyncio.run(asyncio.wait_for(play(server.address), TIMEOUT_SECONDS))
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines
    assert {line["level"] for line in lines} == {"info"}
    assert not [line for line in lines if "trace" in line]


def test_hardly_anything_is_read_from_a_client_that_is_refused() -> None:
    """It could send thousands of messages while it waits for the refusal."""
    count = 0

    async def receive() -> Any:
        nonlocal count
        count += 1
        return {"type": "websocket.receive", "text": "{}"}

    async def wait_while_flooded() -> None:
        waiting = asyncio.create_task(Socket(receive, wait_forever).wait_until_gone())
        for _ in range(2 * MAX_MESSAGES_WHILE_REFUSED):
            await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()

    asyncio.run(wait_while_flooded())
    assert count == 1 + MAX_MESSAGES_WHILE_REFUSED  # with the one that connects


async def wait_forever(*_: Any) -> Any:
    await asyncio.Event().wait()
