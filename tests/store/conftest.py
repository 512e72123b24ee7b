"""Fixtures for SQLite, PostgreSQL with and without partitions, and a simulated store."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from pytlik.store import Store
from pytlik.store.connect import migrate, open_store
from tests.database_servers import Postgres
from tests.sim.conditions import Conditions
from tests.sim.store import Database, SimStore


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "pytlik.db"
    migrate(str(path))
    return path


@pytest.fixture
def sqlite_url(migrated_database: Path, tmp_path: Path) -> str:
    return str(shutil.copy(migrated_database, tmp_path / "pytlik.db"))


@pytest.fixture(params=["postgres", "partitioned"])
def postgres_url(request: pytest.FixtureRequest, postgres: Postgres) -> str:
    """The address of an empty, migrated PostgreSQL database."""
    return (
        postgres.new_partitioned_database()
        if request.param == "partitioned"
        else postgres.new_database()
    )


@pytest.fixture(params=["sqlite", "postgres", "partitioned"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of an empty, migrated database."""
    if request.param == "sqlite":
        path: str = request.getfixturevalue("sqlite_url")
        return path
    server: Postgres = request.getfixturevalue("postgres")
    return (
        server.new_partitioned_database()
        if request.param == "partitioned"
        else server.new_database()
    )


@pytest.fixture(params=["sqlite", "postgres", "partitioned", "simulated"])
def store_address(request: pytest.FixtureRequest) -> str | None:
    """The address of a store, or None for a simulated one."""
    if request.param == "simulated":
        return None
    if request.param == "sqlite":
        path: str = request.getfixturevalue("sqlite_url")
        return path
    server: Postgres = request.getfixturevalue("postgres")
    return (
        server.new_partitioned_database()
        if request.param == "partitioned"
        else server.new_database()
    )


@pytest.fixture
async def store(store_address: str | None) -> AsyncIterator[Store]:
    """An empty store of any kind."""
    if store_address is None:
        conditions = Conditions(Random(0), store_seconds=0.0001)
        yield SimStore(Database(), conditions, asyncio.get_running_loop())
        return
    opened = await open_store(store_address, notify=True)
    yield opened
    await opened.close()
