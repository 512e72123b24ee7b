"""Backups: how they describe the schema, and files that aren't backups."""

import asyncio
import io
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest

from pytlik.game import Malformed
from pytlik.store import (
    Append,
    BoardKey,
    Connected,
    Heartbeat,
    PutCircle,
    PutResult,
    PutSecret,
    PutServerKey,
    PutSubscription,
    PutTable,
    SetDeadlines,
    StartPuzzle,
    backups,
)
from pytlik.store.connect import SCHEMA_VERSION, open_store
from pytlik.store.schema import metadata
from tests.database_servers import Postgres
from tests.store.test_connect import MIGRATED_DAILY_ROWS, OLD_DAILY_DOCUMENTS
from tests.store.test_subscriptions import make_subscription


def test_backup_tables_match_the_schema() -> None:
    found = {
        name: {
            column.name: column.type.python_type
            for column in table.columns
            if not column.info.get("transient")
        }
        for name, table in metadata.tables.items()
        if not table.info.get("transient")
    }
    assert {name: list(columns) for name, columns in found.items()} == {
        name: backups.database_columns(name) for name in backups.TABLES
    }
    for columns in found.values():
        if "match" in columns:  # in a backup, the id of a match is one text
            del columns["id"]
            columns["match"] = str
    assert found == backups.TABLES
    assert {*found, *backups.TABLES_WITHOUT_BACKUP} == {*metadata.tables}


async def fill_database(url: str) -> None:
    store = await open_store(url, notify=False)
    await store.commit(
        PutTable(
            id="t", version=0, doc=b'{"a": 1}', phase="lobby", listed=True,
            holders=("ann", "bob"), touched=2**40,
        ),
        Append(match="t.1", seq=0, events=(b'{"name": "\xc5\xbdofia"}', b"\0\xff"), command="x"),
        SetDeadlines("t.1", {"rules": 2**41}),
        PutSecret("t.1", bytes(range(256))),
    )  # fmt: skip
    await store.commit(Heartbeat("one", 2**40), Connected("t", "ann", "one", 7))
    board = BoardKey("2026-11-15", "ubongo", "3")
    for holder in ("bob", "ann"):
        await store.commit(StartPuzzle(board, holder, 2**40))
    await store.commit(PutResult(board, "ann", "Žofia", 3, 30_000))
    await store.commit(PutSubscription(make_subscription("phone", "ann", 2**40), 8))
    await store.commit(PutServerKey("vapid", bytes(range(32))))
    await store.commit(
        PutCircle(
            id="c", version=0, doc=b'{"b": 2}', touched=2**40, holders=("ann",),
            played="t.1", ended=2**40, result=b"{}", most=9,
        )
    )  # fmt: skip
    await store.close()


async def read_all_rows(url: str) -> dict[str, list[Any]]:
    async with backups.snapshot(url) as rows:
        return {table: [row async for row in rows(table)] for table in backups.TABLES}


async def workers_and_connected_tables(url: str) -> tuple[dict[str, int], list[str]]:
    """The running workers, and the tables with somebody connected to worker "one"."""
    store = await open_store(url, notify=False)
    try:
        return await store.worker_heartbeats(), await store.table_ids_with_connections_to("one")
    finally:
        await store.close()


async def make_backup(url: str) -> bytes:
    async with backups.snapshot(url) as rows:
        return b"".join([line async for line in backups.backup_lines(rows)])


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_backup_can_be_restored_to_any_database(
    url: str, kind: str, request: pytest.FixtureRequest, tmp_path: Path, migrated_database: Path
) -> None:
    asyncio.run(fill_database(url))
    data = asyncio.run(make_backup(url))
    if kind == "sqlite":
        other = str(shutil.copy(migrated_database, tmp_path / "other.db"))
    else:
        other = request.getfixturevalue("postgres").new_database()
        asyncio.run(fill_database(other))  # existing rows are replaced
    assert asyncio.run(backups.restore(other, io.BytesIO(data)))["events"] == 2
    assert asyncio.run(read_all_rows(other)) == asyncio.run(read_all_rows(url))
    assert asyncio.run(make_backup(other)) == data
    assert b"workers" not in data
    assert b"presence" not in data
    assert asyncio.run(workers_and_connected_tables(other)) == ({}, [])


@pytest.mark.anyio
async def test_snapshot_is_of_one_moment(url: str) -> None:
    await fill_database(url)
    store = await open_store(url, notify=False)
    async with backups.snapshot(url) as rows:
        before = [row async for row in rows("events")]
        await store.commit(Append(match="t.1", seq=2, events=(b"c",), command="y"))
        assert [row async for row in rows("events")] == before
        assert len([row async for row in rows("commands")]) == 1
    assert len((await read_all_rows(url))["events"]) == 3
    await store.close()


@pytest.mark.anyio
async def test_snapshot_has_events_in_order(postgres: Postgres) -> None:
    url = postgres.new_database()
    await fill_database(url)
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE events SET actor = 'bot' WHERE seq = 1")  # moves the row
    await connection.close()
    assert [seq for _, seq, *_ in (await read_all_rows(url))["events"]] == [1, 2]


def test_old_daily_documents_become_rows(url: str) -> None:
    """Before version 0004, daily boards were documents among the tables."""
    lines = [msgspec.json.encode({"pytlik_backup": 1, "schema": "0003"})]
    for id, doc in OLD_DAILY_DOCUMENTS.items():
        text = msgspec.json.encode(doc).decode()
        row = [id, 1, text, "daily", False, 1]
        lines.append(msgspec.json.encode({"table": "tables", "row": row}))
    rows = dict.fromkeys(backups.TABLES.keys() - {"daily"}, 0) | {
        "tables": len(OLD_DAILY_DOCUMENTS)
    }
    lines.append(msgspec.json.encode({"rows": rows}))
    found = asyncio.run(backups.restore(url, [line + b"\n" for line in lines]))
    assert (found["tables"], found["daily"]) == (0, len(MIGRATED_DAILY_ROWS))
    after = asyncio.run(read_all_rows(url))
    assert (after["tables"], after["daily"]) == ([], MIGRATED_DAILY_ROWS)


Lines = list[bytes]

SPOILED_BACKUPS: dict[str, Callable[[Lines], Lines]] = {
    "nothing": lambda _: [],
    "no end": lambda lines: lines[:-1],
    "no header": lambda lines: lines[1:],
    "a missing row": lambda lines: [*lines[:2], *lines[3:]],
    "a row after the end": lambda lines: [*lines, lines[1]],
    "two ends": lambda lines: [*lines, lines[-1]],
    "a row twice": lambda lines: [*lines[:2], *lines[1:]],
    "newer": lambda lines: [lines[0].replace(SCHEMA_VERSION.encode(), b"9999"), *lines[1:]],
    "unknown table": lambda lines: [lines[0], lines[1].replace(b"events", b"users"), *lines[2:]],
    "text for a number": lambda lines: [lines[0], lines[1].replace(b",1,", b',"1",'), *lines[2:]],
    "an extra value": lambda lines: [lines[0], lines[1].replace(b",1,", b",1,2,"), *lines[2:]],
    "a number too big": lambda lines: [
        lines[0],
        lines[1].replace(b",1,", b",99999999999999999999,"),
        *lines[2:],
    ],
    "cut off": lambda lines: [lines[0], lines[1][:20]],
    "not text": lambda _: [b"\xff\xfe"],
}


def test_a_file_that_is_not_a_backup_changes_nothing(url: str) -> None:
    asyncio.run(fill_database(url))
    before = asyncio.run(read_all_rows(url))
    lines = asyncio.run(make_backup(url)).splitlines(keepends=True)
    for name, spoil in SPOILED_BACKUPS.items():
        with pytest.raises(Malformed):
            asyncio.run(backups.restore(url, spoil(lines)))
        assert asyncio.run(read_all_rows(url)) == before, name


def test_backups_of_older_versions_are_restored(url: str) -> None:
    """They don't name tables that didn't exist yet."""
    asyncio.run(fill_database(url))
    before = asyncio.run(read_all_rows(url))
    *lines, end = asyncio.run(make_backup(url)).splitlines(keepends=True)
    older = [line for line in lines if b'"last_seen"' not in line]
    older[0] = older[0].replace(SCHEMA_VERSION.encode(), b"0003")
    asyncio.run(backups.restore(url, [*older, end.replace(b',"last_seen":0', b"")]))
    assert asyncio.run(read_all_rows(url)) == before


@pytest.mark.parametrize("table", ["events", "tables", "circles", "daily"])
def test_database_with_one_row_is_not_empty(table: str) -> None:
    async def rows(name: str) -> AsyncIterator[Any]:
        if name == table:
            yield ("a row",)

    assert not asyncio.run(backups.is_empty(rows))


def test_backups_without_actors_are_restored(url: str) -> None:
    """Before version 0003, events had no actors."""
    asyncio.run(fill_database(url))
    before = asyncio.run(read_all_rows(url))
    lines = asyncio.run(make_backup(url)).splitlines(keepends=True)
    lines[0] = lines[0].replace(SCHEMA_VERSION.encode(), b"0002")
    older = [line.replace(b',"server"]', b"]") for line in lines]
    assert sum(map(len, lines)) - sum(map(len, older)) == 2 * len(b',"server"')
    asyncio.run(backups.restore(url, older))
    after = asyncio.run(read_all_rows(url))
    without_actors = [(match, seq, event, None) for match, seq, event, _ in before["events"]]
    assert after == before | {"events": without_actors}
