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
from tests.docs.sample_machine import start_when_full
from tests.server.client import Client, create_table
from tests.server.server_process import ServerProcess

ROOT = Path(__file__).parents[2]
EXAMPLES_FOLDER = ROOT / "docs" / "examples"
ADMIN_TOKEN = "an administrator's token"
TIMEOUT_SECONDS = 240
"""Seconds until a match that makes no progress has failed: the machine may be busy."""
NODE_PROGRAM = shutil.which("node", path=Path(sys.executable).parent) or shutil.which("node")
BOT_COMMANDS = {
    "python": [sys.executable, "-W", "error", str(EXAMPLES_FOLDER / "bot.py")],
    "typescript": [str(NODE_PROGRAM), str(EXAMPLES_FOLDER / "bot.ts")],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    database = str(tmp_path_factory.mktemp("bots") / "bots.db")
    migrate(database)
    with ServerProcess(database, admin_token=ADMIN_TOKEN) as running:
        yield running


@asynccontextmanager
async def start_bots_at_table(
    address: str, game: str, *, with_host: bool = False, **options: Any
) -> AsyncIterator[tuple[Client, str]]:
    """Yield a table's host and id, once both bots have started a match with nothing but its link.

    Both must end by themselves, and complain about nothing.
    """
    host = Client(address)
    table = await create_table(host, game, chairs=len(BOT_COMMANDS) + with_host, options=options)
    if with_host:
        await host.ask("POST", f"/api/tables/{table}/seats", {"name": "host"})
    processes = [
        await asyncio.create_subprocess_exec(
            *words, f"{address}/t/{table}", name, stderr=subprocess.PIPE
        )
        for name, words in BOT_COMMANDS.items()
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


async def play_unikat_through_restart(server: ServerProcess) -> Any:
    """Play a match during which the server is killed and restarted, and return its file."""
    async with start_bots_at_table(server.address, "unikat", rounds=3) as (host, table):
        await host.wait_for("update")
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        await host.join(table)
        while not (host.view and host.view["outcome"]):
            await host.next_message()
        assert (await host.ask("POST", f"/api/tables/{table}/matches/1/verify"))["sound"]
        return await host.ask("GET", f"/api/tables/{table}/matches/1/file")


async def play_ubongo_cards(address: str, cards: int) -> list[int]:
    """Return which seats solved, in order, until every bot has solved this many cards."""
    solved: list[int] = []
    async with start_bots_at_table(address, "ubongo") as (host, table):
        while min(solved.count(seat) for seat in range(len(BOT_COMMANDS))) < cards:
            events = (await host.wait_for("update"))["events"]
            solved += [event["seat"] for event in events if event["kind"] == "card_solved"]
        await delete_table(address, table)
    return solved


async def pause_and_go_on(address: str) -> None:
    """Ask for a pause, and then to go on, as a person; nothing happens unless both bots agree."""
    async with start_bots_at_table(address, "unikat", with_host=True) as (host, table):
        for paused in (True, False):
            message = await host.ask("POST", f"/api/tables/{table}/pause")
            while (message["table"]["paused"] is not None) != paused:
                message = await host.wait_for("table_changed")
        await delete_table(address, table)


async def lose_table_during_restart(server: ServerProcess) -> None:
    """Restart the server without the table."""
    async with start_bots_at_table(server.address, "unikat") as (host, _):
        await host.wait_for("update")
        await asyncio.to_thread(server.kill)
        for file in Path(server.database).parent.glob("*.db*"):
            file.unlink()
        migrate(server.database)
        await asyncio.to_thread(server.start)


async def delete_table(address: str, table: str) -> None:
    """Delete the table, so that the bots leave."""
    administrator = Client(address, ADMIN_TOKEN)
    await administrator.ask("DELETE", f"/api/tables/{table}")
    await administrator.close()


def test_both_play_unikat_alike_through_a_server_crash(server: ServerProcess) -> None:
    file = asyncio.run(asyncio.wait_for(play_unikat_through_restart(server), TIMEOUT_SECONDS))
    choose = runpy.run_path(str(EXAMPLES_FOLDER / "bot.py"))["choose_unikat_action"]
    state: Any = None
    seats = []
    for event in map(UNIKAT.event_decoder.decode, map(msgspec.json.encode, file["events"])):
        if isinstance(event, ChainLaid | BonusDeclined | TileSwapped | TileDrawn):
            view = msgspec.to_builtins(UNIKAT.view(state, event.seat), str_keys=True)
            chosen = msgspec.convert(choose(view), UNIKAT.action)
            cause = UNIKAT.cause(event)
            assert cause
            assert chosen == cause.action
            seats.append(event.seat)
        state = UNIKAT.apply(state, event)
    assert min(seats.count(0), seats.count(1)) >= 5


def test_both_solve_ubongo_cards(server: ServerProcess) -> None:
    solved = asyncio.run(
        asyncio.wait_for(play_ubongo_cards(server.address, cards=2), TIMEOUT_SECONDS)
    )
    assert sorted(solved) == [0, 0, 1, 1]


def test_both_agree_to_a_pause(server: ServerProcess) -> None:
    asyncio.run(asyncio.wait_for(pause_and_go_on(server.address), TIMEOUT_SECONDS))


def test_both_leave_a_table_that_vanished_while_disconnected(tmp_path: Path) -> None:
    database = str(tmp_path / "gone.db")
    migrate(database)
    with ServerProcess(database) as server:
        asyncio.run(asyncio.wait_for(lose_table_during_restart(server), TIMEOUT_SECONDS))


@pytest.mark.parametrize("bot", BOT_COMMANDS)
def test_refusal_is_reported_with_its_reason(server: ServerProcess, bot: str) -> None:
    words = [*BOT_COMMANDS[bot], f"{server.address}/t/nosuch"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode != 0
    assert "no_such_table" in ended.stderr


def test_typescript_example_type_checks() -> None:
    """With the page's own compiler."""
    tsc = ROOT / "web" / "node_modules" / "typescript" / "bin" / "tsc"
    result = subprocess.run(
        [str(NODE_PROGRAM), tsc, "-p", EXAMPLES_FOLDER], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (0, "")
