"""A whole server with sockets, in the test's own event loop, and a clock that the test moves."""

import asyncio
import functools
import secrets
import shutil
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any, ParamSpec

import pytest
import uvicorn

from pytlik.bus.connect import open_bus
from pytlik.server.lobby import Lobby
from pytlik.server.room import Room
from pytlik.server.rooms import Rooms
from pytlik.server.settings import Settings
from pytlik.server.sockets import handle_table_socket
from pytlik.server.startup import listen, run_worker, server_config
from pytlik.store import Store
from pytlik.store.connect import open_store
from tests.server.client import Client, table_for
from tests.server.http_site import NOW, PLENTY
from tests.server.manual_clock import manual_clock
from tests.server.reused_apps import give_back, take_app

P = ParamSpec("P")

ADMIN = "the admin's own token"

PATIENCE = 120
"""Seconds after which a test that makes no progress has failed. The machine may be busy."""


class Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # signals are left to pytest


def keep_store(store: Store) -> Store:
    return store


class Counted:
    """Passes everything on to a store, and counts the calls under way."""

    def __init__(self, store: Store) -> None:
        self.under_way = 0
        self._store = store

    def __getattr__(self, name: str) -> Any:
        work = getattr(self._store, name)

        async def called(*args: Any, **kwargs: Any) -> Any:
            self.under_way += 1
            try:
                return await work(*args, **kwargs)
            finally:
                self.under_way -= 1

        return called


TURNS_OF_QUIET = 50
"""Turns of the event loop within which whatever was sent arrives and is answered, or asks the
store. Time would be no measure, as a loop may stand still."""


class LiveServer:
    def __init__(
        self, database: Path, *, around: Callable[[Store], Any] = keep_store, **settings: Any
    ) -> None:
        self.now = NOW
        self.settings = Settings(port=0, **{"limit_scale": PLENTY, "bot_workers": 0, **settings})
        self.people: list[Client] = []
        self.store: Store
        """The store itself, without the wrapper that the server sees."""
        self._around = around
        self._stack = ExitStack()
        self.database = str(database)

    async def open(self) -> None:
        self._stack.enter_context(manual_clock())
        self.store = await open_store(self.database, notify=False)
        self._counted: Any = Counted(self.store)
        self.bus = open_bus("")
        self.app = take_app(
            self.settings,
            store=self._around(self._counted),
            bus=self.bus,
            clock=lambda: self.now,
            handlers=[handle_table_socket],
            lifespan=[run_worker],
        )
        config = server_config(self.app, self.settings, grace=30)
        self.server = Server(config)
        self.listener = listen(self.settings)
        self._serving = asyncio.create_task(self.server.serve(sockets=[self.listener]))
        while not self.server.started:
            assert not self._serving.done()
            await asyncio.sleep(0)

    async def close(self) -> None:
        for person in self.people:
            await person.close()
        self.server.should_exit = True
        await self._serving
        await self.bus.close()
        await self.store.close()
        self.listener.close()
        self._stack.close()
        give_back(self.app)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    @property
    def rooms(self) -> Rooms:
        rooms: Rooms = self.app.state.rooms
        return rooms

    @property
    def lobby(self) -> Lobby:
        return Lobby(self.rooms)

    def room(self, table: str) -> Room:
        """The room of a table that somebody is connected to."""
        return next(room for room in self.rooms if room.id == table)

    @property
    def open_matches(self) -> list[str]:
        return [room.match.id for room in self.rooms if room.match]

    # --------------------------------------------------------------------------------- time

    def pass_time(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.rooms.services.alarm.move_to(0)

    async def skip_time_until(self, done: Callable[[], bool], most: int = 24 * 3_600_000) -> None:
        """Whenever nothing is going on, jump to the next deadline, until `done`."""
        last = self.now + most
        quiet = 0
        while not done():
            quiet = quiet + 1 if self._idle else 0
            due = await self.store.next_due() if quiet > TURNS_OF_QUIET else None
            if due is not None and self._idle and not done():
                assert due < last, "nothing gets on"
                self.pass_time(max(0, due - self.now))
                quiet = 0
            await asyncio.sleep(0 if self._idle and quiet <= TURNS_OF_QUIET else 0.002)

    @property
    def _idle(self) -> bool:
        """Whether nothing runs but the scheduler, and nobody waits for the store."""
        return len(self.rooms.services.tasks) == 1 and not self._counted.under_way

    async def wait_until_quiet(self) -> None:
        """Wait until everyone has left and nothing is going on."""
        await self.wait_for_connections(0)

    async def wait_for_connections(self, connections: int) -> None:
        """Wait until this many are connected and nothing is going on. By then presence has been
        written to the store, which people at the table may see a moment earlier."""
        while self.rooms.connection_count != connections or not self._idle:  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(0.001)

    # ------------------------------------------------------------------------------- people

    def person(self, token: str | None = None) -> Client:
        person = Client(self.address, token)
        self.people.append(person)
        return person

    async def table(
        self, game: str = "unikat", people: int = 2, bots: int = 0, **more: Any
    ) -> tuple[str, list[Client]]:
        """A table where everyone sits and is connected, and no match has begun. The first person
        hosts."""
        host = self.person()
        table = await table_for(host, game, chairs=people + bots, **more)
        seated = [host, *(self.person() for _ in range(people - 1))]
        for seat, person in enumerate(seated):
            await person.ask(
                "POST",
                f"/api/tables/{table}/seats",
                {"name": f"person {seat}", "share": f"share of {seat}"},
            )
        for seat in range(people, people + bots):
            await host.ask("PUT", f"/api/tables/{table}/seats/{seat}/bot", {"level": "easy"})
        for person in seated:
            await person.join(table)
            await person.until("hello")
        return table, seated

    async def match(self, *args: Any, **more: Any) -> tuple[str, list[Client]]:
        """A table whose match has just begun. Everyone has received the first update."""
        table, people = await self.table(*args, **more)
        await start_match(people[0], table)
        for person in people:
            await person.until("update")
        return table, people


async def start_match(host: Client, table: str) -> None:
    await host.ask("POST", f"/api/tables/{table}/start", {})


def server_test(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run an asynchronous test on its live server."""

    @functools.wraps(test)
    def play(*args: P.args, **kwargs: P.kwargs) -> None:
        made: Any = kwargs["live_server"]
        kwargs["live_server"], runner = made

        async def limited() -> None:
            async with asyncio.timeout(PATIENCE):
                await test(*args, **kwargs)

        runner.run(limited())

    return play


@pytest.fixture
def same_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make deals the same in every run, so that a failure can be reproduced."""
    monkeypatch.setattr(secrets, "token_bytes", Random("house").randbytes)


@pytest.fixture
def live_server(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    yield from open_live_server(tmp_path, empty_database)


@pytest.fixture
def big_live_server(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    """A server with an administrator, and with processes for its bots."""
    yield from open_live_server(tmp_path, empty_database, admin_token=ADMIN, bot_workers=1)


def open_live_server(
    folder: Path, empty: Path, **settings: Any
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    shutil.copy(empty, folder / "live_server.db")
    made = LiveServer(folder / "live_server.db", **settings)
    with asyncio.Runner() as runner:
        runner.run(made.open())
        try:
            yield made, runner
        finally:
            runner.run(made.close())
