"""The example bots, in Python and in TypeScript, play whole matches on a real server."""

import asyncio
import runpy
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pytlik.games import UNIKAT
from pytlik.store.connect import migrate
from pytlik.unikat.messages import BonusDeclined, ChainLaid, TileDrawn, TileSwapped
from tests.docs.machine import start_when_full
from tests.server.client import Client, table_for
from tests.server.server_process import ServerProcess

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
ADMIN = "an administrator's token"
PATIENCE = 240
"""Seconds until a match that does not get on has failed: the machine may be busy with others."""
NODE = shutil.which("node", path=Path(sys.executable).parent) or shutil.which("node")
BOTS = {
    "python": [sys.executable, "-W", "error", str(EXAMPLES / "bot.py")],
    "typescript": [str(NODE), str(EXAMPLES / "bot.ts")],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    database = str(tmp_path_factory.mktemp("bots") / "bots.db")
    migrate(database)
    with ServerProcess(database, admin_token=ADMIN) as running:
        yield running


@asynccontextmanager
async def playing(
    address: str, game: str, *, with_host: bool = False, **options: Any
) -> AsyncIterator[tuple[Client, str]]:
    """A table where both have begun a match, given nothing but its link: who hosts it, and its id.
    Both must come to their end by themselves, and complain about nothing."""
    host = Client(address)
    table = await table_for(host, game, chairs=len(BOTS) + with_host, options=options)
    if with_host:
        await host.ask("POST", f"/api/tables/{table}/seats", {"name": "host"})
    processes = [
        await asyncio.create_subprocess_exec(
            *words, f"{address}/t/{table}", name, stderr=subprocess.PIPE
        )
        for name, words in BOTS.items()
    ]
    try:
        await start_when_full(host, table)
        yield host, table
        for process in processes:
            _, complaint = await process.communicate()
            assert (process.returncode, complaint) == (0, b"")
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.communicate()
        await host.close()


async def unikat(server: ServerProcess) -> Any:
    """A match in whose course the server is killed and comes back; its file."""
    async with playing(server.address, "unikat", rounds=3) as (host, table):
        await host.until("update")
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        await host.join(table)
        while not (host.view and host.view["outcome"]):
            await host.next()
        assert (await host.ask("POST", f"/api/tables/{table}/matches/1/verify"))["sound"]
        return await host.ask("GET", f"/api/tables/{table}/matches/1/file")


async def ubongo(address: str, cards: int) -> list[int]:
    """Who has solved, in the order in which they have, until everyone has solved so many."""
    solved: list[int] = []
    async with playing(address, "ubongo") as (host, table):
        while min(solved.count(seat) for seat in range(len(BOTS))) < cards:
            events = (await host.until("update"))["events"]
            solved += [event["seat"] for event in events if event["kind"] == "card_solved"]
        await delete(address, table)
    return solved


async def pause(address: str) -> None:
    """A person asks for a pause, and then to go on; nothing happens unless both agree."""
    async with playing(address, "unikat", with_host=True) as (host, table):
        for paused in (True, False):
            told = await host.ask("POST", f"/api/tables/{table}/pause")
            while (told["table"]["paused"] is not None) != paused:
                told = await host.until("table_changed")
        await delete(address, table)


async def gone_meanwhile(server: ServerProcess) -> None:
    """A table that is not there any more when the server is back."""
    async with playing(server.address, "unikat") as (host, _):
        await host.until("update")
        await asyncio.to_thread(server.kill)
        for file in Path(server.database).parent.glob("*.db*"):
            file.unlink()
        migrate(server.database)
        await asyncio.to_thread(server.start)


async def delete(address: str, table: str) -> None:
    """So that they leave."""
    administrator = Client(address, ADMIN)
    await administrator.ask("DELETE", f"/api/tables/{table}")
    await administrator.close()


def test_both_play_unikat_alike_though_the_server_dies(server: ServerProcess) -> None:
    file = asyncio.run(asyncio.wait_for(unikat(server), PATIENCE))
    choose = runpy.run_path(str(EXAMPLES / "bot.py"))["unikat"]
    state: Any = None
    asked = []
    for event in map(UNIKAT.event_decoder.decode, map(msgspec.json.encode, file["events"])):
        if isinstance(event, ChainLaid | BonusDeclined | TileSwapped | TileDrawn):
            view = msgspec.to_builtins(UNIKAT.view(state, event.seat), str_keys=True)
            chosen = msgspec.convert(choose(view), UNIKAT.action)
            done = UNIKAT.cause(event)
            assert done
            assert chosen == done.action
            asked.append(event.seat)
        state = UNIKAT.apply(state, event)
    assert min(asked.count(0), asked.count(1)) >= 5


def test_both_fill_cards_of_ubongo(server: ServerProcess) -> None:
    solved = asyncio.run(asyncio.wait_for(ubongo(server.address, cards=2), PATIENCE))
    assert sorted(solved) == [0, 0, 1, 1]


def test_both_agree_to_a_pause(server: ServerProcess) -> None:
    asyncio.run(asyncio.wait_for(pause(server.address), PATIENCE))


def test_both_leave_a_table_that_has_gone_while_their_line_was_cut(tmp_path: Path) -> None:
    database = str(tmp_path / "gone.db")
    migrate(database)
    with ServerProcess(database) as server:
        asyncio.run(asyncio.wait_for(gone_meanwhile(server), PATIENCE))


@pytest.mark.parametrize("bot", BOTS)
def test_what_the_server_refuses_is_said_with_its_reason(server: ServerProcess, bot: str) -> None:
    words = [*BOTS[bot], f"{server.address}/t/nosuch"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode != 0
    assert "no_such_table" in ended.stderr


def test_typescript_is_well_typed() -> None:
    """By the page's own compiler."""
    tsc = ROOT / "web" / "node_modules" / "typescript" / "bin" / "tsc"
    said = subprocess.run(
        [str(NODE), tsc, "-p", EXAMPLES], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stdout) == (0, "")
