"""Addresses, versions, and migrations that lead to exactly the schema in `schema.py`."""

import asyncio
import os
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine
from sqlalchemy.ext.asyncio import create_async_engine

from pytlik.extras import Missing
from pytlik.store import Unavailable, Unusable, connect
from pytlik.store.connect import (
    SCHEMA_VERSION,
    migrate,
    open_store,
    read_schema_version,
    sqlite_path,
)
from pytlik.store.schema import metadata
from tests.database_servers import Postgres


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("pytlik.db", "pytlik.db"),
        ("/var/lib/pytlik.db", "/var/lib/pytlik.db"),
        ("sqlite:///pytlik.db", "pytlik.db"),
        ("sqlite:////var/lib/a%20b.db", "/var/lib/a b.db"),
        ("postgresql://user@host/name", None),
        ("postgres:///name?host=/run/postgresql", None),
    ],
)
def test_database_addresses(url: str, path: str | None) -> None:
    assert sqlite_path(url) == (None if path is None else Path(path))


@pytest.mark.parametrize("url", ["", "sqlite:///", "mysql://me:password@host/name"])
def test_other_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(Unusable) as refused:
        sqlite_path(url)
    assert "password" not in str(refused.value)


def test_schema_version_is_the_last_migration() -> None:
    script = ScriptDirectory(str(Path(connect.__file__).parent / "migrations"))
    assert script.get_current_head() == SCHEMA_VERSION
    names = [revision.revision for revision in script.walk_revisions()]
    assert names == sorted(names, reverse=True)


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "new" / "pytlik.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_empty_database()


def run_in_database(url: str, work: Callable[[Connection], Any]) -> Any:
    """Run `work` with a SQLAlchemy connection to the database."""
    path = sqlite_path(url)
    if path:
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            found = work(connection)
        engine.dispose()
        return found

    async def connect() -> Any:
        return await asyncpg.connect(url)

    async def ask() -> Any:
        engine = create_async_engine("postgresql+asyncpg://", async_creator=connect)
        async with engine.begin() as connection:
            found = await connection.run_sync(work)
        await engine.dispose()
        return found

    return asyncio.run(ask())


STRUCTURE_QUERIES = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE tbl_name <> 'alembic_version'",
    "postgresql": """
        SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name,
               ordinal_position
        FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name <> 'alembic_version'
        UNION ALL
        SELECT tablename, indexname, indexdef, '', '', '', 0 FROM pg_indexes
        WHERE schemaname = 'public' AND tablename <> 'alembic_version'
    """,
}


def read_structure(connection: Connection) -> set[Any]:
    rows = connection.exec_driver_sql(STRUCTURE_QUERIES[connection.dialect.name])
    return {tuple(" ".join(str(value).split()) for value in row) for row in rows}


def test_migrations_lead_to_the_schema(empty_url: str) -> None:
    assert read_schema_version(empty_url) is None
    migrate(empty_url)
    assert read_schema_version(empty_url) == SCHEMA_VERSION
    migrate(empty_url)
    migrated = run_in_database(empty_url, read_structure)
    different = run_in_database(
        empty_url,
        lambda connection: compare_metadata(MigrationContext.configure(connection), metadata),
    )
    assert different == []

    def recreate_tables(connection: Connection) -> Any:
        metadata.drop_all(connection)
        metadata.create_all(connection)
        return read_structure(connection)

    # Including what Alembic doesn't compare: WITHOUT ROWID, collations, the order of columns.
    assert migrated == run_in_database(empty_url, recreate_tables)
    assert len(migrated) > 10


def test_several_processes_may_migrate_at_once(empty_url: str) -> None:
    code = "import sys; from pytlik.store.connect import migrate; migrate(sys.argv[1])"
    processes = [subprocess.Popen([sys.executable, "-c", code, empty_url]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    assert read_schema_version(empty_url) == SCHEMA_VERSION


def test_up_to_date_database_needs_no_alembic(sqlite_url: str) -> None:
    code = (
        "import sys; from pytlik.store.connect import migrate; migrate(sys.argv[1]);"
        "assert not {'alembic', 'sqlalchemy', 'asyncpg'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, sqlite_url], check=True)


def set_version(url: str, number: str) -> None:
    def work(connection: Connection) -> None:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{number}'")

    run_in_database(url, work)


def test_a_database_may_be_newer_by_one_version(empty_url: str) -> None:
    """So that an older worker can restart while others are upgraded."""
    migrate(empty_url)
    next_version, second_next = (f"{int(SCHEMA_VERSION) + more:04}" for more in (1, 2))
    set_version(empty_url, next_version)
    migrate(empty_url)
    assert read_schema_version(empty_url) == next_version
    for newer in (second_next, "9999"):
        set_version(empty_url, newer)
        with pytest.raises(Unusable, match=f"of version {newer}.*take the newer Pytlik"):
            migrate(empty_url)


def test_migrations_only_add() -> None:
    """An older worker keeps working on a database that a newer one has migrated. The exceptions
    need a stop: the daily boards move, and matches get other keys."""
    folder = Path(connect.__file__).parent / "migrations" / "versions"
    adding = {"create_table", "create_index", "add_column"}
    others = [
        file.name
        for file in sorted(folder.glob("*.py"))
        if not adding.issuperset(re.findall(r"\bop\.(\w+)\(", file.read_text()))
    ]
    assert others == ["v0004_daily.py", "v0006_keys.py"]


def test_unreachable_database_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no database, " * 100)
    for url in (
        str(tmp_path / "file"),
        str(tmp_path / "file" / "below"),
        f"postgresql:///none?host={tmp_path}",
    ):
        with pytest.raises(Unavailable):
            migrate(url)
    with pytest.raises(Unavailable):
        asyncio.run(open_store(f"postgresql:///none?host={tmp_path}", notify=False))


@pytest.mark.parametrize("missing", ["asyncpg"])
def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "pytlik.store.postgres", raising=False)
    monkeypatch.delattr("pytlik.store.postgres", raising=False)
    for use in (migrate, lambda url: asyncio.run(open_store(url, notify=False))):
        with pytest.raises(Missing, match=r"pip install 'pytlik\[postgres\]'"):
            use("postgresql:///x")


def test_failed_migration_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pytlik.db"
    upgrade = connect.run_migrations

    def fail(connection: Connection) -> None:
        upgrade(connection)
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(connect, "run_migrations", fail)
    with pytest.raises(Unavailable):
        migrate(str(path))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT * FROM sqlite_master").fetchall() == []
    monkeypatch.setattr(connect, "run_migrations", upgrade)
    migrate(str(path))
    assert read_schema_version(str(path)) == SCHEMA_VERSION


@pytest.fixture
def permissive_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def file_modes(folder: Path) -> dict[str, str]:
    return {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in folder.iterdir()}


DATABASE_FILES = ("pytlik.db", "pytlik.db-shm", "pytlik.db-wal")


@pytest.mark.usefixtures("permissive_umask")
def test_only_the_owner_can_read_a_database(tmp_path: Path) -> None:
    """Even if the umask makes new files readable by everybody."""
    path = tmp_path / "pytlik.db"
    migrate(str(path))
    assert set(file_modes(tmp_path).values()) == {"0o600"}

    async def use() -> None:
        store = await open_store(str(path), notify=False)
        await store.check_available()
        assert file_modes(tmp_path) == dict.fromkeys(DATABASE_FILES, "0o600")
        await store.close()

    asyncio.run(use())


@pytest.mark.usefixtures("permissive_umask")
@pytest.mark.parametrize("opened", ["served", "migrated", "looked at"])
def test_database_readable_by_others_becomes_private(tmp_path: Path, opened: str) -> None:
    """Such as one made by an older Pytlik, including the files beside it."""
    path = tmp_path / "pytlik.db"
    migrate(str(path))

    async def open_it() -> None:
        store = await open_store(str(path), notify=False)
        await store.close()

    with closing(sqlite3.connect(path)) as connection:
        connection.execute("REPLACE INTO beats VALUES (0, 0)")
        connection.commit()
        for name, mode in zip(DATABASE_FILES, (0o644, 0o666, 0o640), strict=True):
            (tmp_path / name).chmod(mode)
        match opened:
            case "served":
                asyncio.run(open_it())
            case "migrated":
                migrate(str(path))
            case _:
                assert read_schema_version(str(path)) == SCHEMA_VERSION
        assert file_modes(tmp_path) == dict.fromkeys(DATABASE_FILES, "0o600")


def test_database_of_another_owner_is_opened_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pytlik.db"
    migrate(str(path))
    path.chmod(0o660)

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    migrate(str(path))
    assert read_schema_version(str(path)) == SCHEMA_VERSION


# ------------------------------------------------------------------------------- older databases


def migrate_to(version: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrate like an older Pytlik."""
    with monkeypatch.context() as older:
        command = pytest.importorskip("alembic.command")
        upgrade = command.upgrade
        older.setattr(command, "upgrade", lambda config, _: upgrade(config, version))
        migrate(url)


OLD_DAILY_DOCUMENTS: dict[str, Any] = {
    "daily-ubongo-2026-11-15": {
        "boards": {
            "3": {
                "started": {"ann": 5, "bob": 7},
                "results": [{"holder": "ann", "name": "Žofia", "ms": 30_000, "tiles": 0}],
            }
        }
    },
    "daily-unikat-2026-11-16": {
        "boards": {
            "hard": {
                "started": {"ann": 9},
                "results": [{"holder": "ann", "name": "Ann", "ms": 8_000, "tiles": 6}],
            },
            "easy": {"started": {"bob": 4}, "results": []},
        }
    },
    "daily-unikat-2026-11-17": {"boards": {}},
}
"""Days as they were stored before version 0004."""

MIGRATED_DAILY_ROWS = [
    ("2026-11-15", "ubongo", "3", "ann", 5, "Žofia", 3, 30_000),
    ("2026-11-15", "ubongo", "3", "bob", 7, None, 0, None),
    ("2026-11-16", "unikat", "easy", "bob", 4, None, 0, None),
    ("2026-11-16", "unikat", "hard", "ann", 9, "Ann", 6, 8_000),
]


def test_old_daily_documents_become_rows(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate_to("0003", empty_url, monkeypatch)

    def fill(connection: Connection) -> None:
        for id, doc in {**OLD_DAILY_DOCUMENTS, "abcdefghjk": {}}.items():
            connection.execute(
                metadata.tables["tables"].insert(),
                {
                    "id": id, "version": 1, "doc": msgspec.json.encode(doc), "phase": "daily",
                    "listed": False, "touched": 1,
                },
            )  # fmt: skip

    run_in_database(empty_url, fill)
    assert read_schema_version(empty_url) == "0003"
    migrate(empty_url)
    assert read_schema_version(empty_url) == SCHEMA_VERSION

    def read(connection: Connection) -> Any:
        rows = connection.exec_driver_sql("SELECT * FROM daily ORDER BY 1, 2, 3, 4").fetchall()
        tables = connection.exec_driver_sql("SELECT id FROM tables").fetchall()
        return [tuple(row) for row in rows], [id for (id,) in tables]

    assert run_in_database(empty_url, read) == (MIGRATED_DAILY_ROWS, ["abcdefghjk"])


def test_matches_of_older_databases_get_new_keys(
    empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate_to("0005", empty_url, monkeypatch)

    def fill(connection: Connection) -> None:
        for match in ("abc.1", "abc.12", "xyz.1"):
            for row in (
                f"events (match, seq, event, actor) VALUES ('{match}', 1, '{match}', 'person')",
                f"events (match, seq, event, actor) VALUES ('{match}', 2, 'b', NULL)",
                f"commands (match, command, seq) VALUES ('{match}', '0 x.1', 2)",
                f"secrets (match, secret) VALUES ('{match}', 'secret of {match}')",
                f"deadlines (match, kind, due) VALUES ('{match}', 'turn', {2**41})",
            ):
                connection.exec_driver_sql(f"INSERT INTO {row}")

    run_in_database(empty_url, fill)
    migrate(empty_url)

    async def read() -> None:
        store = await open_store(empty_url, notify=False)
        try:
            for match in ("abc.1", "abc.12", "xyz.1"):
                assert list(map(as_bytes, await store.events(match))) == [match.encode(), b"b"]
                assert await store.actors(match) == ["person", None]
                assert await store.seq_of_command(match, "0 x.1") == 2
                assert as_bytes(await store.secret(match)) == f"secret of {match}".encode()
                assert await store.deadlines_of(match) == {"turn": 2**41}
        finally:
            await store.close()

    asyncio.run(read())


def as_bytes(value: bytes | str | None) -> bytes | None:
    """SQLite keeps the type of a literal in a statement: text, where the server writes bytes."""
    return value.encode() if isinstance(value, str) else value
