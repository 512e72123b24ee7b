"""Tests of the simulated connections."""

import asyncio
from random import Random
from typing import Any

from tests.sim.conditions import Conditions
from tests.sim.loop import Process, SimLoop
from tests.sim.network import ClosedByServer, Socket


def test_connection_is_gone_once_server_closes_it() -> None:
    """Neither earlier nor later, for example if someone has sent too many messages."""
    loop = SimLoop(Random(0))

    async def close_after_five_seconds(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(5)
        await send({"type": "websocket.close", "code": 1008})

    async def wait_for_end(socket: Socket) -> None:
        socket.open(close_after_five_seconds, {})
        try:
            await socket.recv()
        except ClosedByServer:
            socket.abort(20)  # the server knows already

    socket = Socket(loop, Conditions(Random(0)), Process(loop, "worker"))
    loop.run_until_complete(wait_for_end(socket))
    loop.abandon_all_tasks()
    assert 5 < socket.gone_at < 6
