"""SQLite, PostgreSQL, the latter with partitions, and a simulated store: tests here cover all."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from pytlik.store import Store
from pytlik.store.connect import migrate, open_store
from tests.services import Postgres
from tests.sim.store import Database, SimStore
from tests.sim.weather import Weather


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "pytlik.db"
    migrate(str(path))
    return path


@pytest.fixture
def sqlite_url(migrated: Path, tmp_path: Path) -> str:
    return str(shutil.copy(migrated, tmp_path / "pytlik.db"))


@pytest.fixture(params=["postgres", "partitioned"])
def postgres_url(request: pytest.FixtureRequest, postgres: Postgres) -> str:
    """The address of an empty, migrated database of PostgreSQL."""
    return postgres.partitioned() if request.param == "partitioned" else postgres.fresh()


@pytest.fixture(params=["sqlite", "postgres", "partitioned"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of an empty, migrated database."""
    if request.param == "sqlite":
        path: str = request.getfixturevalue("sqlite_url")
        return path
    server: Postgres = request.getfixturevalue("postgres")
    return server.partitioned() if request.param == "partitioned" else server.fresh()


@pytest.fixture(params=["sqlite", "postgres", "partitioned", "simulated"])
def place(request: pytest.FixtureRequest) -> str | None:
    """The address of a store; None for one in a simulated world."""
    if request.param == "simulated":
        return None
    if request.param == "sqlite":
        path: str = request.getfixturevalue("sqlite_url")
        return path
    server: Postgres = request.getfixturevalue("postgres")
    return server.partitioned() if request.param == "partitioned" else server.fresh()


@pytest.fixture
async def store(place: str | None) -> AsyncIterator[Store]:
    """Any store, empty."""
    if place is None:
        weather = Weather(Random(0), store_seconds=0.0001)
        yield SimStore(Database(), weather, asyncio.get_running_loop())
        return
    opened = await open_store(place, notify=True)
    yield opened
    await opened.close()
