"""A store that fails when a test wants it to, and the ways in which a store can't be reached."""

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from pytlik.store import Store, Unavailable, sqlite
from tests.server.house import House

Outage = Callable[[], AbstractAsyncContextManager[None]]


async def nothing(_: str) -> None: ...


class Unsteady:
    """Does what the store behind it does, with something before and after that a test chooses.
    Both are given the name of what is called, of a commit with what is written first ("commit
    Append"), and may raise."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.before: Callable[[str], Awaitable[None]] = nothing
        self.after: Callable[[str], Awaitable[None]] = nothing

    def __getattr__(self, name: str) -> Any:
        work = getattr(self.store, name)

        async def called(*args: Any, **kwargs: Any) -> Any:
            full = f"commit {type(args[0]).__name__}" if name == "commit" else name
            await self.before(full)
            answer = await work(*args, **kwargs)
            await self.after(full)
            return answer

        return called


def unsteady(house: House) -> Unsteady:
    """The store of a house that was opened `around=Unsteady`."""
    store: Unsteady = house.app.state.store
    return store


def failing(
    error: Callable[[], Exception], *names: str, times: int | None = None
) -> Callable[[str], Awaitable[None]]:
    """Raise an error whenever one of these (any, if none are named) is called, or so often."""
    left = times

    async def fail(name: str) -> None:
        nonlocal left
        if (not names or name in names) and left != 0:
            left = None if left is None else left - 1
            raise error()

    return fail


def unreachable() -> Exception:
    return Unavailable("a test's")


def raising(house: House, _: pytest.MonkeyPatch) -> Outage:
    @asynccontextmanager
    async def outage() -> AsyncIterator[None]:
        unsteady(house).before = failing(unreachable)
        yield
        unsteady(house).before = nothing

    return outage


def without_its_file(house: House, patch: pytest.MonkeyPatch) -> Outage:
    """SQLite itself finds that it can neither read nor write, and connects again afterwards."""

    def fail(*_: Any) -> Any:
        raise sqlite3.OperationalError("unable to open database file")

    @asynccontextmanager
    async def outage() -> AsyncIterator[None]:
        store = house.store
        assert isinstance(store, sqlite.SqliteStore)
        with patch.context() as meanwhile:
            meanwhile.setattr(sqlite, "connect", fail)
            meanwhile.setattr(sqlite, "run_in_transaction", fail)
            await store._loop.run_in_executor(store._reader, store._end_reading)
            yield

    return outage


OUTAGES = {"a store that raises": raising, "SQLite without its file": without_its_file}
