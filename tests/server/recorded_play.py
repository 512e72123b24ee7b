"""Plays scripts on a server of their own, and records everything it sends."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.server.live_server import TIMEOUT_SECONDS, LiveServer
from tests.server.scripted_match import ScriptedMatch
from tests.server.sent_record import LogCollector, RecordingStore, SentRecord

CHECK_EVERY_SECONDS = 0.2
"""How often to check for a leak."""

PlayAndRecord = Callable[..., SentRecord]


async def wait_until_found(
    playing: "asyncio.Future[None]",
    live_server: LiveServer,
    record: SentRecord,
    found: Callable[[SentRecord], bool],
) -> None:
    """Wait until a script has ended, in whatever way, or `found` is true of the record."""

    def count_received() -> int:
        frames = sum(len(each) for witness in record.witnesses for each in witness.frames)
        return len(record.lines) + len(record.answers) + frames

    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not playing.done():
                before = count_received()
                await record_matches(live_server, record)
                # What arrived in the meantime may belong to events that haven't been recorded yet.
                if count_received() == before and found(record):
                    break
                await asyncio.wait([playing], timeout=CHECK_EVERY_SECONDS)
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def record_matches(live_server: LiveServer, record: SentRecord) -> None:
    for match in dict.fromkeys(table.match_id for table in record.versions.values()):
        if await live_server.store.secret(match):  # otherwise it hasn't begun
            await record.record_match(live_server.lobby, match)


@pytest.fixture
def play_and_record(tmp_path: Path, empty_database: Path, same_secrets: None) -> PlayAndRecord:
    """Play a script on a server of its own, and return the record of everything that was sent."""

    def run(
        script: Callable[[LiveServer, SentRecord], Awaitable[ScriptedMatch]],
        then: Callable[[ScriptedMatch], Awaitable[None]] | None = None,
        *,
        found: Callable[[SentRecord], bool] | None = None,
    ) -> SentRecord:
        """A leaking server may never let a script end, so stop as soon as the leak is found."""
        database = tmp_path / "live_server.db"
        shutil.copy(empty_database, database)
        record = SentRecord()

        async def play_script(live_server: LiveServer) -> None:
            match = await script(live_server, record)
            if then:
                await then(match)

        async def play_and_note(live_server: LiveServer) -> None:
            if found:
                await wait_until_found(
                    asyncio.ensure_future(play_script(live_server)), live_server, record, found
                )
            else:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await play_script(live_server)
            await record_matches(live_server, record)

        with asyncio.Runner() as runner, LogCollector(record.lines):
            live_server = LiveServer(
                database, around=lambda store: RecordingStore(store, record.versions)
            )
            runner.run(live_server.open())
            try:
                runner.run(play_and_note(live_server))
            finally:
                runner.run(live_server.close())
        return record

    return run
