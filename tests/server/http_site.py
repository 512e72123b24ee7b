"""A whole server in the test's own process, without sockets, and browsers that keep cookies."""

import asyncio
import shutil
from collections.abc import Collection, Coroutine, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx
import msgspec
import pytest

from pytlik.chance import mix
from pytlik.game import Outcome, Seat, replay
from pytlik.games import GAMES
from pytlik.server.cleanup import Cleanup
from pytlik.server.live.presence import presence_writes
from pytlik.server.lobby import Lobby
from pytlik.server.settings import Settings
from pytlik.server.table import tables
from pytlik.server.table.stored_tables import StoredTable
from pytlik.store import Actor, Append
from pytlik.store.connect import migrate, open_store
from tests.random_matches import ACTION_CHOOSERS
from tests.server.reused_apps import NO_PAGE_FOLDER, return_app, take_app

T = TypeVar("T")

START_TIME_MS = 1_794_700_800_000
"""2026-11-15, 00:00 UTC."""

HOST_NAME = "pytlik.test"
"""The server's host name for browsers."""

UNLIMITED_SCALE = 1e6
"""A scale at which no test reaches a limit by accident."""


class RecordingBus:
    """A bus that records what was published."""

    def __init__(self) -> None:
        self.published: list[tuple[str, int]] = []
        self.is_connected = True

    async def start(self, on_bus_message: Any, on_missed: Any) -> None: ...

    def follow_table(self, table: str) -> None: ...

    def unfollow_table(self, table: str) -> None: ...

    def publish(self, id: str, seq_or_version: int, _: Sequence[bytes] = ()) -> None:
        self.published.append((id, seq_or_version))

    async def close(self) -> None: ...


class Site:
    def __init__(self, database: Path, *, folder: Path = NO_PAGE_FOLDER, **settings: Any) -> None:
        self.now = START_TIME_MS
        self.bus = RecordingBus()
        self.settings = Settings(
            **{"limit_scale": UNLIMITED_SCALE, "hosts": (HOST_NAME,), **settings}
        )
        self._runner = asyncio.Runner()
        self._clients: list[httpx.AsyncClient] = []
        self.store = self.run(open_store(str(database), notify=False))
        self.app = take_app(
            self.settings,
            store=self.store,
            bus=self.bus,
            clock=lambda: self.now,
            folder=folder,
        )
        self.lobby: Lobby = self.app.state.lobby
        self.cleanup: Cleanup = self.app.state.cleanup

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def close(self) -> None:
        for client in self._clients:
            self.run(client.aclose())
        self.run(self.store.close())
        self._runner.close()
        return_app(self.app)

    def browser(
        self,
        url: str = "http://pytlik.test",
        *,
        address: str = "203.0.113.5",
        origin: str | None = "",
        **headers: str,
    ) -> "Browser":
        """A browser that sends the page's own origin, another one, or none."""
        transport = httpx.ASGITransport(app=self.app, client=(address, 50_000))
        client = httpx.AsyncClient(transport=transport, base_url=url, headers=headers)
        self._clients.append(client)
        return Browser(self, client, url if origin == "" else origin)

    def program_with_token(self) -> "Browser":
        """A program with a token. It sends no origin."""
        token = self.browser(origin=None).post("/api/tokens").json()["token"]
        return self.browser(origin=None, authorization=f"Bearer {token}")

    def play_match_to_end(
        self, table: str, *, finish: bool = True, stand_ins: Collection[Seat | None] = ()
    ) -> None:
        """Play a table's match to its end and, with `finish`, let the table know. Bots act for
        `stand_ins`."""
        found = self.run(self.lobby.get(table)).table
        game, match = GAMES[found.game], found.match_id
        raw = self.run(self.store.events(match))
        state = replay(game.apply, [msgspec.json.decode(event, type=game.event) for event in raw])
        secret = self.run(self.store.secret(match))
        assert secret
        chance = mix(secret, [chair.share for chair in found.chairs])
        random, seq, now = Random(table), len(raw), self.now
        while not game.outcome(state):
            seat, action, wait = ACTION_CHOOSERS[game.name](state, random, now)
            now += wait
            events = game.decide(state, seat, action, chance, now)
            state = replay(game.apply, events, state)
            data = tuple(map(msgspec.json.encode, events))
            actor = Actor.STAND_IN if seat in stand_ins else Actor.PERSON
            self.run(self.store.commit(Append(match=match, seq=seq, events=data, actor=actor)))
            seq += len(events)
        if finish:
            self.finish_match(table, found.match, game.outcome(state))

    def finish_match(self, table: str, match: int, outcome: Outcome | None = None) -> StoredTable:
        """Let a table know that a match is over."""
        change = self.lobby.change(table, lambda old: tables.finish_if_current(old, match, outcome))
        return self.run(change)

    async def record_connected(self, table: str, worker: str, **lags: int | None) -> StoredTable:
        """Record that exactly these people are connected to a worker, with their lag."""
        return await self.lobby.change_with_writes(
            table, lambda stored: (stored.table, presence_writes(stored, worker, lags))
        )


class Browser:
    def __init__(self, site: Site, client: httpx.AsyncClient, origin: str | None) -> None:
        self.site = site
        self.client = client
        self.origin = origin

    def ask(self, method: str, path: str, body: Any = None, **extra: Any) -> httpx.Response:
        headers = dict(extra.pop("headers", {}))
        if self.origin is not None and method not in {"GET", "HEAD"}:
            headers.setdefault("origin", self.origin)
        if body is not None:
            extra["json"] = body
        return self.site.run(self.client.request(method, path, headers=headers, **extra))

    def get(self, path: str, **extra: Any) -> httpx.Response:
        return self.ask("GET", path, **extra)

    def post(self, path: str, body: Any = None, **extra: Any) -> httpx.Response:
        return self.ask("POST", path, body, **extra)

    def put(self, path: str, body: Any = None, **extra: Any) -> httpx.Response:
        return self.ask("PUT", path, body, **extra)

    def delete(self, path: str, **extra: Any) -> httpx.Response:
        return self.ask("DELETE", path, **extra)

    @property
    def cookies(self) -> dict[str, str]:
        return dict(self.client.cookies)

    # ------------------------------------------------------------------------- what people do

    def create_table(self, game: str = "unikat", **fields: Any) -> str:
        """Create a table and return its path."""
        answer = json_of(self.post("/api/tables", {"game": game, **fields}))
        return f"/api/tables/{answer['table']['id']}"

    def sit_down(self, table: str, name: str = "Ola", **fields: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json_of(self.post(f"{table}/seats", {"name": name, **fields}))
        return answer

    def start_match(self, table: str) -> dict[str, Any]:
        answer: dict[str, Any] = json_of(self.post(f"{table}/start", {"without_free": True}))
        return answer


def json_of(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def status_and_reason(answer: httpx.Response) -> tuple[int, str]:
    """The status and code of a refusal."""
    assert answer.headers["content-type"] == "application/json"
    error = answer.json()["error"]
    assert set(error) == {"reason", "detail"}
    assert not answer.headers.get("set-cookie")
    return answer.status_code, error["reason"]


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("site") / "empty.db"
    migrate(str(path))
    return path


@pytest.fixture
def make_site(tmp_path: Path, empty_database: Path, same_secrets: None) -> Iterator[Any]:
    sites: list[Site] = []

    def make(**settings: Any) -> Site:
        path = tmp_path / f"{len(sites)}.db"
        shutil.copy(empty_database, path)
        sites.append(Site(path, **settings))
        return sites[-1]

    yield make
    for site in sites:
        site.close()


@pytest.fixture
def site(make_site: Any) -> Site:
    new_site: Site = make_site()
    return new_site
