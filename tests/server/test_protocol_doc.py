"""docs/protocol.md is what the types say, and its bot plays."""

import asyncio
import subprocess
import sys
from pathlib import Path

from docs.make_protocol import HERE, PAGE, page
from pytlik.store.opening import migrate
from tests.server.client import Client, table_for
from tests.server.running import Running

BOT = HERE / "examples" / "bot.py"


def test_the_page_is_what_the_types_say() -> None:
    assert PAGE.read_text() == page(), "run: python docs/make_protocol.py"


def test_the_page_shows_a_bot_that_is_short() -> None:
    source = BOT.read_text()
    assert source in PAGE.read_text()
    assert len([line for line in source.splitlines() if line.strip()]) <= 45


def test_two_of_the_bots_play_a_match(tmp_path: Path) -> None:
    database = str(tmp_path / "bots.db")
    migrate(database)
    with Running(database) as server:
        asyncio.run(asyncio.wait_for(play(server.address), 60))


async def play(address: str) -> None:
    host = Client(address)
    # Not the longest of ends: two who play so fast would send too much in too little time.
    table = await table_for(host, chairs=2, options={"blocked": [1, 2]})
    await host.join(table)
    bots = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-W", "error", BOT, address, table, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    changed = await host.until("hello")
    while not all(chair["here"] for chair in changed["table"]["chairs"]):
        changed = await host.until("table_changed")
    await host.ask("POST", f"/api/tables/{table}/start")
    for bot in bots:
        _, complaint = await bot.communicate()
        assert (bot.returncode, complaint) == (0, b"")
    while changed["table"]["phase"] != "over":
        changed = await host.until("table_changed")
    assert host.view["outcome"]
    assert (await host.ask("POST", f"/api/tables/{table}/matches/1/verify"))["sound"]
    assert not [m for m in host.received if m["kind"] == "refused"]
    await host.close()
