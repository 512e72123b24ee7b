"""A real server, for terminals that join its tables."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.house import ADMIN, House, empty_database, opened, same_secrets

__all__ = ["empty_database", "same_secrets"]


@pytest.fixture
def house(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[House, asyncio.Runner]]:
    yield from opened(tmp_path, empty_database, admin_token=ADMIN)


@pytest.fixture
def private_house(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[House, asyncio.Runner]]:
    yield from opened(tmp_path, empty_database, passphrase="open sesame")
