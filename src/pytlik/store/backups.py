"""Write and restore backups, and read a consistent snapshot of the whole database.

A backup is JSON lines, the same from both databases, so that it can be restored to either: a
header, a line for each row by table, and a footer with the number of rows, so that a file that was
cut off is noticed.
"""

import base64
import binascii
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, closing
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

import msgspec

from pytlik.game import Malformed, Reason
from pytlik.store import old_daily_documents
from pytlik.store.connect import SCHEMA_VERSION, import_postgres, read_schema_version, sqlite_path
from pytlik.store.errors import Unavailable, Unusable
from pytlik.store.sqlite import connect
from pytlik.store.writes import split_match

TABLES: dict[str, dict[str, type]] = {
    "events": {"match": str, "seq": int, "event": bytes, "actor": str},
    "commands": {"match": str, "command": str, "seq": int},
    "secrets": {"match": str, "secret": bytes},
    "tables": {
        "id": str,
        "version": int,
        "doc": bytes,
        "phase": str,
        "listed": bool,
        "touched": int,
    },
    "holders": {"holder": str, "id": str},
    "deadlines": {"match": str, "kind": str, "due": int},
    "circles": {"id": str, "version": int, "doc": bytes, "touched": int},
    "circle_results": {"id": str, "played": str, "ended": int, "doc": bytes},
    "daily": {
        "day": str,
        "game": str,
        "board": str,
        "holder": str,
        "started": int,
        "name": str,
        "pieces": int,
        "ms": int,
    },
    "beats": {"id": int, "at": int},
    "last_seen": {"holder": str, "at": int},
    "subscriptions": {
        "endpoint": str,
        "holder": str,
        "p256dh": str,
        "auth": str,
        "language": str,
        "origin": str,
        "at": int,
    },
    "server_keys": {"name": str, "key": bytes},
}
"""The columns of a backup, with Python types. They are those of `schema.py`, except that `match` is
a match's id as the rest of Pytlik knows it, made up of its table's id and its number there. Saved
states and awaited seats are left out, because they follow from the events."""

OPTIONAL_COLUMNS = {"actor", "name", "ms"}
"""Columns that may be null."""

ADDED_COLUMN_COUNTS = {"events": 1}
"""How many columns, all of them optional, are missing at the end of rows in older backups."""

RESTORABLE_OLDER_VERSIONS = ("0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009")
"""Older versions whose backups can be read."""

TABLES_WITHOUT_BACKUP = ("workers", "presence", "guesses")
"""Tables that aren't in a backup: who is connected now, and who has guessed codes. A restored
database starts with nobody connected."""

ROWS_PER_BATCH = 1000

Row = tuple[Any, ...]
RowReader = Callable[[str], AsyncIterator[Row]]
"""Reads the rows of a table, ordered by its key."""


class DatabaseInUse(Exception):
    """A server is using the database."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pytlik_backup: Literal[1]
    schema: str


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: str
    row: list[Any]


class Footer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rows: dict[str, int]


@asynccontextmanager
async def snapshot(url: str) -> AsyncIterator[RowReader]:
    """Read everything as it is now, whatever is written in the meantime."""
    path = sqlite_path(url)
    reading = postgres_snapshot(url) if path is None else sqlite_snapshot(path)
    async with reading as rows:
        yield rows


@asynccontextmanager
async def sqlite_snapshot(path: Path) -> AsyncIterator[RowReader]:
    async def rows(table: str) -> AsyncIterator[Row]:
        for row in connection.execute(select_statement(table)):
            yield tuple(map(convert_sqlite_value, TABLES[table].values(), row))

    try:
        with closing(connect(path)) as connection:
            connection.execute("BEGIN")
            connection.execute("SELECT 1 FROM beats").fetchone()  # the snapshot is taken here
            yield rows
    except sqlite3.Error as error:
        raise Unavailable(str(error)) from error


@asynccontextmanager
async def postgres_snapshot(url: str) -> AsyncIterator[RowReader]:
    broken = import_postgres().CONNECTION_ERRORS

    async def rows(table: str) -> AsyncIterator[Row]:
        async for row in connection.cursor(select_statement(table), prefetch=ROWS_PER_BATCH):
            yield tuple(row)

    try:
        connection = await import_postgres().asyncpg.connect(url)
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                yield rows
        finally:
            await connection.close()
    except broken as error:
        raise Unavailable(str(error) or type(error).__name__) from error


def select_statement(table: str) -> str:
    columns = ", ".join(TABLES[table])
    key = "1, 2, 3, 4" if table == "daily" else "1, 2"
    if "match" in TABLES[table]:
        columns = columns.replace("match", "id || '.' || match", 1)
        key = "id, match, 2"
    return f"SELECT {columns} FROM {table} ORDER BY {key}"


def database_columns(table: str) -> list[str]:
    columns = list(TABLES[table])
    return ["id", *columns] if "match" in columns else columns


def convert_sqlite_value(kind: type, value: Any) -> Any:
    return bool(value) if kind is bool else value


def check_schema_version(url: str) -> None:
    """Raise Unusable unless the database has this program's schema version."""
    found = read_schema_version(url)
    if found != SCHEMA_VERSION:
        raise Unusable(
            f"the database is of version {found or 'none'}, and this Pytlik of {SCHEMA_VERSION}"
        )


async def backup_lines(rows: RowReader) -> AsyncIterator[bytes]:
    """The lines of a backup."""
    yield msgspec.json.encode(Header(1, SCHEMA_VERSION)) + b"\n"
    number = dict.fromkeys(TABLES, 0)
    for table in TABLES:
        async for row in rows(table):
            number[table] += 1
            line = Line(table, [encode_bytes_as_text(value) for value in row])
            yield msgspec.json.encode(line) + b"\n"
    yield msgspec.json.encode(Footer(number)) + b"\n"


def parse_row_counts(last_line: bytes) -> dict[str, int]:
    return msgspec.json.decode(last_line, type=Footer).rows


def encode_bytes_as_text(value: Any) -> Any:
    """Encode bytes that are text, such as events and tables, as text, so that a backup is
    readable."""
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def decode_value(kind: type, value: Any) -> Any:
    if kind is bytes:
        if isinstance(value, str):
            return value.encode()
        if isinstance(value, dict) and list(value) == ["base64"]:
            return base64.b64decode(value["base64"], validate=True)
    if type(value) is not kind:
        raise ValueError(f"{value!r} is no {kind.__name__}")
    return value


def parse_rows(file: Iterable[bytes]) -> Iterator[tuple[str, Row]]:
    """The rows of a backup, by table. Raises Malformed if it isn't a backup, or isn't complete."""
    read: Counter[str] = Counter()
    number = 0
    footer = None
    try:
        for number, line in enumerate(file, 1):
            if number == 1:
                check_header(msgspec.json.decode(line, type=Header))
            elif footer is None and line.startswith(b'{"rows"'):
                footer = msgspec.json.decode(line, type=Footer)
            else:
                entry = msgspec.json.decode(line, type=Line)
                read[entry.table] += 1
                yield from upgrade_row(entry.table, decode_backup_row(entry.table, entry.row))
        check_row_counts(footer, read)
    except (msgspec.DecodeError, ValueError, KeyError, binascii.Error) as error:
        raise Malformed(Reason.BAD_FILE, problem=f"line {number}: {error}") from None


def upgrade_row(table: str, row: Row) -> Iterator[tuple[str, Row]]:
    """Convert a row of a backup: older backups have one document for the boards of each day."""
    if table == "tables" and row[0].startswith(old_daily_documents.PREFIX):
        for each in old_daily_documents.rows_of_day(row[0], row[2]):
            yield "daily", each
    else:
        yield table, row


def decode_backup_row(table: str, values: list[Any]) -> Row:
    """Convert a row of a backup to a row of the database."""
    columns = TABLES[table]
    if len(values) < len(columns):
        values = [*values, *[None] * ADDED_COLUMN_COUNTS.get(table, 0)]
    row: list[Any] = [
        None if value is None and name in OPTIONAL_COLUMNS else decode_value(kind, value)
        for (name, kind), value in zip(columns.items(), values, strict=True)
    ]
    if "match" in columns:
        match, *others = row
        return (*split_match(match), *others)
    return tuple(row)


def check_row_counts(footer: Footer | None, read: Counter[str]) -> None:
    # Older backups don't name tables that didn't exist yet.
    if footer is None or dict.fromkeys(TABLES, 0) | footer.rows != {t: read[t] for t in TABLES}:
        raise ValueError("this is not all of the backup")


def check_header(header: Header) -> None:
    if header.schema not in (SCHEMA_VERSION, *RESTORABLE_OLDER_VERSIONS):
        raise ValueError(
            f"the backup is of version {header.schema}, and this Pytlik of {SCHEMA_VERSION}"
        )


async def is_empty(rows: RowReader) -> bool:
    for table in ("events", "tables", "circles", "daily"):
        async for _ in rows(table):
            return False
    return True


def read_row_batches(file: Iterable[bytes]) -> Iterator[tuple[str, list[Row]]]:
    for table, rows in groupby(parse_rows(file), itemgetter(0)):
        while batch := [row for _, row in islice(rows, ROWS_PER_BATCH)]:
            yield table, batch


async def restore(
    url: str, file: Iterable[bytes], *, unused_since: int | None = None
) -> dict[str, int]:
    """Replace everything with a backup, or change nothing, and return the number of rows of each
    table. Raises Malformed, or DatabaseInUse if a worker has reported since `unused_since`."""
    number = dict.fromkeys(TABLES, 0)

    def count_rows() -> Iterator[tuple[str, list[Row]]]:
        for table, batch in read_row_batches(file):
            number[table] += len(batch)
            yield table, batch

    path = sqlite_path(url)
    if path is None:
        await restore_postgres(url, count_rows(), unused_since)
    else:
        restore_sqlite(path, count_rows(), unused_since)
    return number


def restore_sqlite(
    path: Path, batches: Iterable[tuple[str, list[Row]]], unused_since: int | None
) -> None:
    try:
        with closing(connect(path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            alive = connection.execute("SELECT max(at) FROM workers").fetchone()[0]
            check_not_in_use(alive, unused_since)
            for table in (*TABLES, *TABLES_WITHOUT_BACKUP):
                connection.execute(f"DELETE FROM {table}")
            for table, rows in batches:
                columns = database_columns(table)
                places = ", ".join("?" * len(columns))
                connection.executemany(
                    f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows
                )
            connection.execute("COMMIT")
    except (sqlite3.IntegrityError, sqlite3.DataError, OverflowError) as error:
        raise Malformed(Reason.BAD_FILE, problem=str(error)) from error
    except sqlite3.Error as error:
        raise Unavailable(str(error)) from error


def check_not_in_use(last_heartbeat: int | None, unused_since: int | None) -> None:
    if last_heartbeat is not None and unused_since is not None and last_heartbeat >= unused_since:
        raise DatabaseInUse


async def restore_postgres(
    url: str, batches: Iterable[tuple[str, list[Row]]], unused_since: int | None
) -> None:
    asyncpg, broken = import_postgres().asyncpg, import_postgres().CONNECTION_ERRORS
    try:
        connection = await asyncpg.connect(url)
        try:
            async with connection.transaction():
                await connection.execute("LOCK TABLE workers IN EXCLUSIVE MODE")
                alive = await connection.fetchval("SELECT max(at) FROM workers")
                check_not_in_use(alive, unused_since)
                await connection.execute(f"TRUNCATE {', '.join((*TABLES, *TABLES_WITHOUT_BACKUP))}")
                for table, rows in batches:
                    await connection.copy_records_to_table(
                        table, records=rows, columns=database_columns(table)
                    )
        finally:
            await connection.close()
    except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, OverflowError) as error:
        raise Malformed(Reason.BAD_FILE, problem=str(error)) from error
    except broken as error:
        raise Unavailable(str(error) or type(error).__name__) from error
