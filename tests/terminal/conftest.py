"""A real server, for terminals that join its tables."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.http_site import empty_database
from tests.server.live_server import ADMIN_TOKEN, LiveServer, open_live_server, same_secrets

__all__ = ["empty_database", "same_secrets"]


@pytest.fixture
def live_server(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    yield from open_live_server(tmp_path, empty_database, admin_token=ADMIN_TOKEN)


@pytest.fixture
def private_live_server(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    yield from open_live_server(tmp_path, empty_database, passphrase="open sesame")
