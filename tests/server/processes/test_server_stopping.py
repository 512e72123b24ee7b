"""The server stops at once, even while bots think or visitors wait."""

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest
from websockets.exceptions import InvalidMessage, InvalidStatus

from pytlik.server.access.rate_limits import Kind
from pytlik.server.match.bot_pool import BotPool
from pytlik.store import Unavailable
from pytlik.store.connect import open_store
from tests.server.client import Client, create_table
from tests.server.endless_thinking import think_forever
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.server_process import ServerProcess


class ServerWithEndlessBots(ServerProcess):
    program = (sys.executable, "-m", "tests.server.endless_thinking")


def thinking_processes(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().split()] if file.exists() else []


async def wait_until_bot_thinks(file: Path) -> None:
    """Wait until a bot thinks. It's in another process, so its file is all there is to watch."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not thinking_processes(file):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)


def has_process_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("bot_workers", ["2", "0"])
def test_server_stops_while_bots_think(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot_workers: str
) -> None:
    """Only the server itself gets the signal, not its bots' processes, as in a container."""
    file, database = tmp_path / "thinking", str(tmp_path / "pytlik.db")
    monkeypatch.setenv("THINKING", str(file))
    server = ServerWithEndlessBots(database, bot_workers=bot_workers, bot_pause="0").start()

    async def play() -> None:
        ola = Client(server.address)
        table = await create_table(ola, chairs=2)
        for seat in range(2):
            body = {"level": "master"}
            await ola.ask("PUT", f"/api/tables/{table}/seats/{seat}/bot", body)
        await ola.join(table)
        await ola.ask("POST", f"/api/tables/{table}/start", {})
        await wait_until_bot_thinks(file)
        await ola.close()

    async def workers() -> dict[str, int]:
        store = await open_store(database, notify=False)
        try:
            return await store.worker_heartbeats()
        finally:
            await store.close()

    try:
        asyncio.run(play())
        # It would never end if it waited for the bot.
        assert server.stop_first_process() == 0
    finally:
        server.kill()
    assert asyncio.run(workers()) == {}, "it has recorded that it ended"
    give_up = time.monotonic() + TIMEOUT_SECONDS
    while not all(map(has_process_ended, thinking_processes(file))):
        assert time.monotonic() < give_up, "a bot still thinks"
        time.sleep(0.02)  # another process, which is ending


@pytest.mark.slow
def test_server_stops_while_strangers_wait_for_a_refusal(tmp_path: Path) -> None:
    scale = 0.1
    server = ServerProcess(str(tmp_path / "pytlik.db"), limit_scale=str(scale)).start()

    async def play() -> None:
        ola = Client(server.address)
        table = await create_table(ola, chairs=2)
        for _ in range(round(scale * Kind.CONNECT_STRANGER.value.burst)):
            await Client(server.address).join(table)
        refused = asyncio.create_task(Client(server.address).join(table))
        await ola.ask("GET", f"/api/tables/{table}")  # so the server knows of it
        assert not refused.done()
        assert await asyncio.to_thread(server.stop_first_process) == 0
        with pytest.raises((InvalidStatus, InvalidMessage, OSError)) as ended:
            await refused
        if isinstance(ended.value, InvalidStatus):
            assert ended.value.response.status_code == 500, "it didn't wait for the refusal"
        await ola.close()

    try:
        asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))
    finally:
        server.kill()


@pytest.mark.parametrize("workers", [1, 0])
def test_closed_pool_abandons_its_work_and_takes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    file = tmp_path / "thinking"
    monkeypatch.setenv("THINKING", str(file))

    async def play() -> None:
        bots = BotPool(workers)
        thought = asyncio.create_task(bots.compute(think_forever))
        await wait_until_bot_thinks(file)
        bots.close()
        if workers:
            with pytest.raises(Unavailable):
                await thought
        else:
            thought.cancel()
        with pytest.raises(Unavailable):
            await bots.compute(think_forever)
        assert len(thinking_processes(file)) == 1

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))
