"""Both databases, so that every test here is about both."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pytlik.store import Store
from pytlik.store.opening import migrate, open_store
from tests.services import Postgres


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


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database that is up to date."""
    if request.param == "sqlite":
        path: str = request.getfixturevalue("sqlite_url")
        return path
    server: Postgres = request.getfixturevalue("postgres")
    return server.fresh()


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = await open_store(url, notify=True)
    yield opened
    await opened.close()
