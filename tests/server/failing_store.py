"""A store that fails when a test wants it to, and ways in which a store becomes unreachable."""

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from pytlik.store import Store, Unavailable, sqlite
from tests.server.live_server import LiveServer

Outage = Callable[[], AbstractAsyncContextManager[None]]


async def do_nothing(_: str) -> None: ...


class FailingStore:
    """Passes everything on to a store, with hooks before and after that a test chooses. Both get
    the name of the method, for a commit with the kind of its first write ("commit Append"), and may
    raise."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.before: Callable[[str], Awaitable[None]] = do_nothing
        self.after: Callable[[str], Awaitable[None]] = do_nothing

    def __getattr__(self, name: str) -> Any:
        work = getattr(self.store, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            full = f"commit {type(args[0]).__name__}" if name == "commit" else name
            await self.before(full)
            answer = await work(*args, **kwargs)
            await self.after(full)
            return answer

        return call


def failing_store_of(live_server: LiveServer) -> FailingStore:
    """The store of a server that was opened with `around=FailingStore`."""
    store: FailingStore = live_server.app.state.store
    return store


def fail_calls_to(
    error: Callable[[], Exception], *names: str, times: int | None = None
) -> Callable[[str], Awaitable[None]]:
    """Raise an error whenever one of these methods (or any, if none are named) is called, at most
    `times` times."""
    left = times

    async def fail(name: str) -> None:
        nonlocal left
        if (not names or name in names) and left != 0:
            left = None if left is None else left - 1
            raise error()

    return fail


def unavailable_error() -> Exception:
    return Unavailable("a test's")


def raise_on_every_call(live_server: LiveServer, _: pytest.MonkeyPatch) -> Outage:
    @asynccontextmanager
    async def outage() -> AsyncIterator[None]:
        failing_store_of(live_server).before = fail_calls_to(unavailable_error)
        yield
        failing_store_of(live_server).before = do_nothing

    return outage


def lose_sqlite_file(live_server: LiveServer, patch: pytest.MonkeyPatch) -> Outage:
    """Make SQLite itself fail to read and write. Afterwards, it reconnects."""

    def fail(*_: Any) -> Any:
        raise sqlite3.OperationalError("unable to open database file")

    @asynccontextmanager
    async def outage() -> AsyncIterator[None]:
        store = live_server.store
        assert isinstance(store, sqlite.SqliteStore)
        with patch.context() as meanwhile:
            meanwhile.setattr(sqlite, "connect", fail)
            meanwhile.setattr(sqlite, "run_in_transaction", fail)
            await store._loop.run_in_executor(store._reader, store._close_reading_connection)
            yield

    return outage


OUTAGES = {"a store that raises": raise_on_every_call, "SQLite without its file": lose_sqlite_file}
