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
from pytlik.server.live.room import Room
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.server.settings import Settings
from pytlik.server.startup import listen, run_worker, server_config
from pytlik.server.table_socket import handle_table_socket
from pytlik.store import Store
from pytlik.store.connect import open_store
from tests.server.client import Client, create_table
from tests.server.http_site import START_TIME_MS, UNLIMITED_SCALE
from tests.server.ignore_real_time import ignore_real_time
from tests.server.reused_apps import return_app, take_app

P = ParamSpec("P")

ADMIN_TOKEN = "the admin's own token"

TIMEOUT_SECONDS = 120
"""Seconds after which a test that makes no progress has failed. The machine may be busy."""


class ServerWithoutSignals(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # signals are left to pytest


def unchanged_store(store: Store) -> Store:
    return store


class CountingStore:
    """Passes everything on to a store, and counts the calls under way."""

    def __init__(self, store: Store) -> None:
        self.under_way = 0
        self._store = store

    def __getattr__(self, name: str) -> Any:
        work = getattr(self._store, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            self.under_way += 1
            try:
                return await work(*args, **kwargs)
            finally:
                self.under_way -= 1

        return call


QUIET_LOOP_TURNS = 50
"""Turns of the event loop within which any message arrives and is answered, or leads to a request
to the store. Seconds would be no measure, as the loop may be held up."""


class LiveServer:
    def __init__(
        self, database: Path, *, around: Callable[[Store], Any] = unchanged_store, **settings: Any
    ) -> None:
        self.now = START_TIME_MS
        self.settings = Settings(
            port=0, **{"limit_scale": UNLIMITED_SCALE, "bot_workers": 0, **settings}
        )
        self.people: list[Client] = []
        self.store: Store
        """The store itself, without the wrapper that the server sees."""
        self._around = around
        self._stack = ExitStack()
        self.database = str(database)

    async def open(self) -> None:
        self._stack.enter_context(ignore_real_time())
        self.store = await open_store(self.database, notify=False)
        self._counted: Any = CountingStore(self.store)
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
        self.server = ServerWithoutSignals(config)
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
        return_app(self.app)

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
        """The room of a table that someone is connected to."""
        return next(room for room in self.rooms if room.id == table)

    @property
    def open_matches(self) -> list[str]:
        return [room.match.id for room in self.rooms if room.match]

    # --------------------------------------------------------------------------------- time

    def pass_time(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.rooms.services.alarm.ring_by(0)

    async def skip_time_until(self, done: Callable[[], bool], most: int = 24 * 3_600_000) -> None:
        """Whenever nothing is going on, jump to the next deadline, until `done`."""
        last = self.now + most
        quiet = 0
        while not done():
            quiet = quiet + 1 if self._is_idle else 0
            due = await self.store.next_due() if quiet > QUIET_LOOP_TURNS else None
            if due is not None and self._is_idle and not done():
                assert due < last, "there is no progress"
                self.pass_time(max(0, due - self.now))
                quiet = 0
            await asyncio.sleep(0 if self._is_idle and quiet <= QUIET_LOOP_TURNS else 0.002)

    @property
    def _is_idle(self) -> bool:
        """Whether nothing runs but the scheduler, and nobody waits for the store."""
        return len(self.rooms.services.tasks) == 1 and not self._counted.under_way

    async def wait_until_quiet(self) -> None:
        """Wait until everyone has left and nothing is going on."""
        await self.wait_for_connections(0)

    async def wait_for_connections(self, connections: int) -> None:
        """Wait until this many are connected and nothing is going on. By then presence has been
        written to the store, which people at the table may see a moment earlier."""
        while self.rooms.connection_count != connections or not self._is_idle:  # noqa: ASYNC110 - no event to await
            await asyncio.sleep(0.001)

    # ------------------------------------------------------------------------------- people

    def new_person(self, token: str | None = None) -> Client:
        person = Client(self.address, token)
        self.people.append(person)
        return person

    async def create_table(
        self, game: str = "unikat", people: int = 2, bots: int = 0, **more: Any
    ) -> tuple[str, list[Client]]:
        """A table where everyone sits and is connected, and no match has begun. The first person
        hosts."""
        host = self.new_person()
        table = await create_table(host, game, chairs=people + bots, **more)
        seated = [host, *(self.new_person() for _ in range(people - 1))]
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
            await person.wait_for("hello")
        return table, seated

    async def create_match(self, *args: Any, **more: Any) -> tuple[str, list[Client]]:
        """A table whose match has just begun. Everyone has received the first update."""
        table, people = await self.create_table(*args, **more)
        await start_match(people[0], table)
        for person in people:
            await person.wait_for("update")
        return table, people


async def start_match(host: Client, table: str) -> None:
    await host.ask("POST", f"/api/tables/{table}/start", {})


def server_test(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run an asynchronous test on its live server."""

    @functools.wraps(test)
    def play(*args: P.args, **kwargs: P.kwargs) -> None:
        server: Any = kwargs["live_server"]
        kwargs["live_server"], runner = server

        async def run_test() -> None:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await test(*args, **kwargs)

        runner.run(run_test())

    return play


@pytest.fixture
def same_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make deals and ids the same in every run, so that a failure can be reproduced."""
    random = Random("house")
    monkeypatch.setattr(secrets, "token_bytes", random.randbytes)
    monkeypatch.setattr(secrets, "choice", random.choice)


@pytest.fixture
def live_server(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    yield from open_live_server(tmp_path, empty_database)


@pytest.fixture
def live_server_with_bot_processes(
    tmp_path: Path, empty_database: Path, same_secrets: None
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    """A server with an administrator, and with processes for its bots."""
    yield from open_live_server(tmp_path, empty_database, admin_token=ADMIN_TOKEN, bot_workers=1)


def open_live_server(
    folder: Path, empty: Path, **settings: Any
) -> Iterator[tuple[LiveServer, asyncio.Runner]]:
    shutil.copy(empty, folder / "live_server.db")
    server = LiveServer(folder / "live_server.db", **settings)
    with asyncio.Runner() as runner:
        runner.run(server.open())
        try:
            yield server, runner
        finally:
            runner.run(server.close())
