"""Open the store for an address, and migrate its database: SQLite for a path, PostgreSQL for a URL.

`migrate` runs once, before any worker starts. If the database is up to date, it doesn't even import
what migrations need.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pytlik.extras import explain_missing_extra
from pytlik.store.errors import Unavailable, Unusable
from pytlik.store.interface import Store
from pytlik.store.sqlite import SqliteStore, make_private

if TYPE_CHECKING:
    from sqlalchemy import Connection

SCHEMA_VERSION = "0010"
"""The version of the schema: the number of the last migration."""

MAX_VERSIONS_AHEAD = 1
"""How many versions newer a database may be. Each version only adds to the one before, so workers
can be replaced one by one."""

TIMEOUT_SECONDS = 60
"""How long to wait for another process that migrates."""

MIGRATION_LOCK = 0x70_79_74_6C_69_6B
"""PostgreSQL's advisory locks are numbers; this one is "pytlik"."""


def sqlite_path(url: str) -> Path | None:
    """Where the file is, for `sqlite:///path` (a fourth slash begins an absolute path) or a path
    alone; None for PostgreSQL. Raises Unusable for anything else."""
    if url.startswith(("postgresql://", "postgres://")):
        return None
    if url.startswith("sqlite:///"):
        url = unquote(url.removeprefix("sqlite:///"))
    if not url or "://" in url:
        scheme = url.partition("://")[0]  # not the rest of it: it may contain a password
        raise Unusable(f"a database is a path, sqlite:///path or postgresql://..., not {scheme!r}")
    return Path(url).expanduser()


async def open_store(url: str, *, notify: bool) -> Store:
    """Open a store. With `notify`, PostgreSQL wakes up all listeners, such as `PostgresBus`."""
    path = sqlite_path(url)
    if path is None:
        return await import_postgres().PostgresStore.connect(url, notify=notify)  # type: ignore[no-any-return]
    store = SqliteStore(path)
    try:
        await store.check_available()
    except BaseException:
        await store.close()
        raise
    return store


def import_postgres() -> ModuleType:
    with explain_missing_extra("postgres"):
        from pytlik.store import postgres  # noqa: PLC0415 - an extra: not everybody has it
    return postgres


def read_schema_version(url: str) -> str | None:
    """The version of a database; None if it's empty or doesn't exist."""
    path = sqlite_path(url)
    if path is None:
        return asyncio.run(postgres_schema_version(url))
    if not path.exists():
        return None
    make_private(path)
    try:
        with closing(sqlite3.connect(path, timeout=TIMEOUT_SECONDS)) as connection:
            return sqlite_schema_version(connection)
    except sqlite3.Error as error:
        raise Unavailable(str(error)) from error


def sqlite_schema_version(connection: sqlite3.Connection) -> str | None:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'")
    if not known.fetchone():
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return row[0] if row else None


async def postgres_schema_version(url: str) -> str | None:
    asyncpg, broken = import_postgres().asyncpg, import_postgres().CONNECTION_ERRORS
    try:
        connection = await asyncpg.connect(url, timeout=TIMEOUT_SECONDS)
        try:
            if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
                return None
            found: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
            return found
        finally:
            await connection.close()
    except broken as error:
        raise Unavailable(str(error) or type(error).__name__) from error


def migrate(url: str) -> None:
    """Bring a database up to date, and create it if there is none. One that is newer by one version
    stays as it is; a still newer one raises Unusable. Any number of processes may call this at
    once. In an event loop, use `await asyncio.to_thread(migrate, url)`."""
    found = read_schema_version(url)
    if found == SCHEMA_VERSION:
        return
    if found is not None and found > SCHEMA_VERSION:
        if int(found) - int(SCHEMA_VERSION) <= MAX_VERSIONS_AHEAD:
            return
        raise Unusable(
            f"the database is of version {found}, and this is a Pytlik of version {SCHEMA_VERSION}:"
            " take the newer Pytlik, or an older backup"
        )
    path = sqlite_path(url)
    if path is None:
        asyncio.run(migrate_postgres(url))
    else:
        migrate_sqlite(path)


def migrate_sqlite(path: Path) -> None:
    from sqlalchemy import create_engine  # noqa: PLC0415 - takes half a second
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415
    from sqlalchemy.pool import NullPool  # noqa: PLC0415

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, timeout=TIMEOUT_SECONDS)

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        make_private(path)
        engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # other processes that migrate wait here
            run_migrations(connection)
            connection.commit()
    except (OSError, sqlite3.Error, DBAPIError) as error:
        raise Unavailable(str(error)) from error


async def migrate_postgres(url: str) -> None:
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415
    from sqlalchemy.pool import NullPool  # noqa: PLC0415

    asyncpg, broken = import_postgres().asyncpg, import_postgres().CONNECTION_ERRORS

    async def connect() -> Any:
        return await asyncpg.connect(url, timeout=TIMEOUT_SECONDS)

    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            # Held until the end of the transaction: other processes that migrate wait here.
            await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
            await connection.run_sync(run_migrations)
    except (*broken, DBAPIError) as error:
        raise Unavailable(str(error) or type(error).__name__) from error
    finally:
        await engine.dispose()


def run_migrations(connection: "Connection") -> None:
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    command.upgrade(config, "head")
