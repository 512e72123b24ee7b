"""Backups: how they describe the schema, and files that aren't backups."""

import asyncio
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
    dump,
)
from pytlik.store.connect import HEAD, open_store
from pytlik.store.schema import metadata
from tests.store.test_connect import DAYS, ROWS
from tests.store.test_subscriptions import subscription


def test_tables_and_columns_are_those_of_the_schema() -> None:
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
        name: dump.database_columns(name) for name in dump.TABLES
    }
    for columns in found.values():
        if "match" in columns:  # the id of a match is one text in a backup
            del columns["id"]
            columns["match"] = str
    assert found == dump.TABLES
    assert {*found, *dump.TRANSIENT} == {*metadata.tables}


async def fill(url: str) -> None:
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
    await store.commit(PutSubscription(subscription("phone", "ann", 2**40), 8))
    await store.commit(PutServerKey("vapid", bytes(range(32))))
    await store.commit(
        PutCircle(
            id="c", version=0, doc=b'{"b": 2}', touched=2**40, holders=("ann",),
            played="t.1", ended=2**40, result=b"{}", most=9,
        )
    )  # fmt: skip
    await store.close()


async def content(url: str) -> dict[str, list[Any]]:
    async with dump.snapshot(url) as rows:
        return {table: [row async for row in rows(table)] for table in dump.TABLES}


async def running_workers(url: str) -> tuple[dict[str, int], list[str]]:
    """The workers that run, and the tables with somebody connected."""
    store = await open_store(url, notify=False)
    try:
        return await store.workers(), await store.tables_at("one")
    finally:
        await store.close()


async def backup(url: str) -> bytes:
    async with dump.snapshot(url) as rows:
        return b"".join([line async for line in dump.backup_lines(rows)])


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_goes_from_any_database_to_any(
    url: str, kind: str, request: pytest.FixtureRequest, tmp_path: Path, migrated: Path
) -> None:
    asyncio.run(fill(url))
    data = asyncio.run(backup(url))
    if kind == "sqlite":
        other = str(shutil.copy(migrated, tmp_path / "other.db"))
    else:
        other = request.getfixturevalue("postgres").fresh()
        asyncio.run(fill(other))  # existing rows are replaced
    assert asyncio.run(dump.restore(other, io.BytesIO(data)))["events"] == 2
    assert asyncio.run(content(other)) == asyncio.run(content(url))
    assert asyncio.run(backup(other)) == data
    assert b"workers" not in data
    assert b"presence" not in data
    assert asyncio.run(running_workers(other)) == ({}, [])


@pytest.mark.anyio
async def test_a_snapshot_is_of_one_moment(url: str) -> None:
    await fill(url)
    store = await open_store(url, notify=False)
    async with dump.snapshot(url) as rows:
        before = [row async for row in rows("events")]
        await store.commit(Append(match="t.1", seq=2, events=(b"c",), command="y"))
        assert [row async for row in rows("events")] == before
        assert len([row async for row in rows("commands")]) == 1
    assert len((await content(url))["events"]) == 3
    await store.close()


def test_the_boards_of_older_backups_become_rows(url: str) -> None:
    """Before version 0004 they were documents among the tables."""
    lines = [msgspec.json.encode({"pytlik_backup": 1, "schema": "0003"})]
    for id, doc in DAYS.items():
        text = msgspec.json.encode(doc).decode()
        row = [id, 1, text, "daily", False, 1]
        lines.append(msgspec.json.encode({"table": "tables", "row": row}))
    rows = dict.fromkeys(dump.TABLES.keys() - {"daily"}, 0) | {"tables": len(DAYS)}
    lines.append(msgspec.json.encode({"rows": rows}))
    found = asyncio.run(dump.restore(url, [line + b"\n" for line in lines]))
    assert (found["tables"], found["daily"]) == (0, len(ROWS))
    after = asyncio.run(content(url))
    assert (after["tables"], after["daily"]) == ([], ROWS)


Lines = list[bytes]

SPOILED: dict[str, Callable[[Lines], Lines]] = {
    "nothing": lambda _: [],
    "no end": lambda lines: lines[:-1],
    "no header": lambda lines: lines[1:],
    "a row less": lambda lines: [*lines[:2], *lines[3:]],
    "a row after the end": lambda lines: [*lines, lines[1]],
    "a row twice": lambda lines: [*lines[:2], *lines[1:]],
    "newer": lambda lines: [lines[0].replace(HEAD.encode(), b"9999"), *lines[1:]],
    "unknown table": lambda lines: [lines[0], lines[1].replace(b"events", b"users"), *lines[2:]],
    "text for a number": lambda lines: [lines[0], lines[1].replace(b",1,", b',"1",'), *lines[2:]],
    "a value more": lambda lines: [lines[0], lines[1].replace(b",1,", b",1,2,"), *lines[2:]],
    "a number too big": lambda lines: [
        lines[0],
        lines[1].replace(b",1,", b",99999999999999999999,"),
        *lines[2:],
    ],
    "cut off": lambda lines: [lines[0], lines[1][:20]],
    "no text": lambda _: [b"\xff\xfe"],
}


def test_a_file_that_is_not_a_backup_changes_nothing(url: str) -> None:
    asyncio.run(fill(url))
    before = asyncio.run(content(url))
    lines = asyncio.run(backup(url)).splitlines(keepends=True)
    for name, spoil in SPOILED.items():
        with pytest.raises(Malformed):
            asyncio.run(dump.restore(url, spoil(lines)))
        assert asyncio.run(content(url)) == before, name


def test_backups_of_older_versions_are_read(url: str) -> None:
    """They don't name tables that didn't exist yet."""
    asyncio.run(fill(url))
    before = asyncio.run(content(url))
    *lines, end = asyncio.run(backup(url)).splitlines(keepends=True)
    older = [line for line in lines if b'"last_seen"' not in line]
    older[0] = older[0].replace(HEAD.encode(), b"0003")
    asyncio.run(dump.restore(url, [*older, end.replace(b',"last_seen":0', b"")]))
    assert asyncio.run(content(url)) == before
