"""Records everything that leaves a server, with its recipient and time, and finds what reveals
something to someone who may not know it."""

import json
import logging
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from pytlik.chance import mix
from pytlik.game import AnyGame
from pytlik.games import UBONGO, UNIKAT
from pytlik.server import tokens
from pytlik.server.lobby import Lobby
from pytlik.server.processes import logging_setup
from pytlik.server.table.stored_tables import table_codec
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import PutTable, Store
from tests.server.client import Client
from tests.server.seat_knowledge import (
    TILE_PATTERN,
    MatchTruth,
    differing_paths,
    strings_in,
    tiles_in,
)

REAL_GAMES: dict[str, AnyGame] = {"unikat": UNIKAT, "ubongo": UBONGO}
"""The real games, whatever a test plants in the registry."""


@dataclass(frozen=True)
class Leak:
    """A secret that got out, and the way it took."""

    kind: str
    way: str


@dataclass(frozen=True)
class Answer:
    """An answer to a request."""

    who: "WitnessClient"
    method: str
    path: str
    status: int
    text: str
    table: Table | None
    """The table at that time, if the path names one."""

    @property
    def is_match_over(self) -> bool:
        """Whether the match that the path names was over then."""
        assert self.table
        number = int(self.path.partition("?")[0].split("/")[5])
        return number < self.table.match or self.table.phase == "over"


class WitnessClient(Client):
    """A client that keeps every frame and every answer as it came."""

    def __init__(self, address: str, name: str, record: "SentRecord") -> None:
        super().__init__(address)
        self.name = name
        self.record = record
        self.frames: list[list[str]] = []
        """The frames of each connection."""
        self.sent_tiles: set[str] = set()
        """Tiles that this client has named, and which a refusal may repeat."""

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self._ask(method, path, body)
        return answer.json() if answer.content and answer.is_success else None

    async def _ask(self, method: str, path: str, body: Any = None) -> Any:
        if self.token is None:
            created = await self.http.post("/api/tokens")
            self.token = created.json()["token"]
            self.record.add_secret("a token", self.token, self)
            self.record.add_secret("a holder", tokens.holder_of(self.token))
        headers = {"Authorization": f"Bearer {self.token}"}
        body = body if body is not None or method == "GET" else {}
        answer = await self.http.request(method, path, json=body, headers=headers)
        assert answer.status_code < 500, answer.text
        table = self.record.table_named_in(path)
        recorded = Answer(self, method, path, answer.status_code, answer.text, table)
        self.record.answers.append(recorded)
        return answer

    async def refusal_of(self, method: str, path: str, body: Any = None) -> str | None:
        """The reason, if the request is refused."""
        answer = await self._ask(method, path, body)
        reason: str | None = None if answer.is_success else answer.json()["error"]["reason"]
        return reason

    async def join(self, table: str) -> None:
        self.view, self.seq = None, 0
        await super().join(table)
        assert self.socket
        self.frames.append([])
        receive, frames = self.socket.recv, self.frames[-1]

        async def recv() -> Any:
            frames.append(str(await receive()))
            return frames[-1]

        self.socket.recv = recv  # type: ignore[method-assign,assignment]

    async def send(self, **message: Any) -> None:
        self.sent_tiles |= tiles_in(msgspec.to_builtins(message, str_keys=True))
        await super().send(**message)

    @property
    def holder(self) -> Holder | None:
        return tokens.holder_of(self.token) if self.token else None

    @property
    def is_connected(self) -> bool:
        return self.socket is not None and self.socket.close_code is None


class RecordingStore:
    """A store that keeps every version of every table."""

    def __init__(self, store: Store, versions: dict[tuple[str, int], Table]) -> None:
        self.store = store
        self.versions = versions

    async def commit(self, *writes: Any) -> None:
        await self.store.commit(*writes)
        for write in writes:
            if isinstance(write, PutTable):
                self.versions[write.id, write.version + 1] = table_codec.decode(write.doc)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


class LogCollector(logging.Handler):
    """Collects log lines as the server writes them at the most detailed level."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self.lines = lines
        self.setFormatter(logging_setup.JsonLines())
        self._config = logging_setup.logging_config("debug")["loggers"]
        self._before: dict[str, int] = {}

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    def __enter__(self) -> None:
        for name, config in self._config.items():
            logger = logging.getLogger(name)
            self._before[name] = logger.level
            logger.setLevel(config["level"])
        for name in ("pytlik", "uvicorn"):
            logging.getLogger(name).addHandler(self)

    def __exit__(self, *_: object) -> None:
        for name, level in self._before.items():
            logging.getLogger(name).setLevel(level)
            logging.getLogger(name).removeHandler(self)


@dataclass
class SentRecord:
    """Everything that was sent while matches were played."""

    witnesses: list[WitnessClient] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    versions: dict[tuple[str, int], Table] = field(default_factory=dict)
    truths: dict[str, MatchTruth] = field(default_factory=dict)
    checked: Counter[str] = field(default_factory=Counter)
    """How much of each kind was checked: an empty record would have no leaks."""
    _secrets: dict[str, tuple[str, WitnessClient | None]] = field(default_factory=dict)
    _private: dict[str, str] = field(default_factory=dict)
    _memo: dict[str, list[str]] = field(default_factory=dict)

    def create_witness(self, address: str, name: str) -> WitnessClient:
        self.witnesses.append(WitnessClient(address, name, self))
        return self.witnesses[-1]

    def add_secret(self, kind: str, text: str, owner: WitnessClient | None = None) -> None:
        """Add something that may be sent only to its owner, on request."""
        assert len(text) > 5
        self._secrets[text] = (kind, owner)

    def add_private(self, kind: str, text: str) -> None:
        """Add something that people at the table may know, but readers of logs or metrics may
        not."""
        self._private[text] = kind

    def table_named_in(self, path: str) -> Table | None:
        """The table that a path names, as it is now."""
        versions = [key for key in self.versions if f"/tables/{key[0]}" in path]
        return self.versions[max(versions)] if versions else None

    async def record_match(self, lobby: Lobby, match: str) -> None:
        """Record the secrets of a match, and its events."""
        table = (await lobby.get(match.partition(".")[0])).table
        secret = await lobby.store.secret(match)
        assert secret
        self._add_secret_bytes("the secret", secret)
        raw = await lobby.store.events(match)
        if raw:
            truth = MatchTruth(REAL_GAMES[table.game], raw)
            self._add_secret_bytes("the seed", mix(secret, truth.events[0].shares)._seed)
            self.truths[match] = truth

    def _add_secret_bytes(self, kind: str, data: bytes) -> None:
        self.add_secret(kind, data.hex())
        self.add_secret(kind, tokens.encode_bytes(data))
        self.add_secret(kind, b64encode(data).decode().rstrip("="))
        self.add_secret(kind, urlsafe_b64encode(data).decode().rstrip("="))

    # ----------------------------------------------------------------------------------- leaks

    def find_leaks(self) -> Iterator[Leak]:
        for witness in self.witnesses:
            for frames in witness.frames:
                for kind in self._leaks_in_connection(witness, frames):
                    yield Leak(kind, f"a socket of {witness.name}")
        for answer in self.answers:
            for kind in self._leaks_in_answer(answer):
                yield Leak(kind, f"{answer.method} {answer.path} by {answer.who.name}")
        for line in self.lines:
            yield from (Leak(kind, "the log") for kind in self._leaks_in_log_line(line))

    def _secrets_in_text(self, text: str, *, to: WitnessClient | None) -> Iterator[str]:
        """Secrets that appear literally in a text."""
        for secret, (kind, owner) in self._secrets.items():
            if secret in text and (to is None or owner is not to):
                yield kind

    def _leaks_in_connection(self, witness: WitnessClient, frames: list[str]) -> Iterator[str]:
        """Leaks in what a connection was sent, frame by frame, given what it had been sent
        before."""
        table: Table | None = None
        match, seq, seat = "", 0, None
        for data in frames:
            message = json.loads(data)
            kind = message["kind"]
            self.checked[kind] += 1
            yield from self._secrets_in_text(data, to=None)
            if kind in ("hello", "table_changed"):
                info = message["table"]
                table = self.versions[info["id"], info["version"]]
                if tuple(message["yours"]) != table.held_by(witness.holder):
                    yield "another's seat"
                yield from self._leaked_shares(table, data)
            assert table is not None, "hello comes first"
            if kind == "update":
                match, seq, seat = message["match"], message["seq"], message["seat"]
                if seat is not None and seat not in table.held_by(witness.holder):
                    yield "another's seat"
                yield from self._leaks_in_update(message, data)
            elif match:
                rest = {**message, "table": {}}  # the table isn't part of the game
                new = {
                    **rest,
                    "detail": without_repetitions(rest.get("detail"), witness.sent_tiles),
                }
                yield from self.truths[match].find_leaks(new, seq, seat)

    def _leaked_shares(self, table: Table, data: str) -> Iterator[str]:
        """Until everyone has sat down, nobody may know the others' shares of the seed."""
        for chair in table.chairs:
            if len(chair.share) > 5 and chair.share in data:
                yield "a share"

    def _leaks_in_update(self, message: Any, data: str) -> list[str]:
        """The same update is sent to many, so check it once."""
        if data not in self._memo:
            first = message["seq"] - len(message["events"])
            self._memo[data] = self._leaks_in_view(message) + self._leaks_in_events(message, first)
        return self._memo[data]

    def _leaks_in_view(self, message: Any) -> list[str]:
        truth, seq, seat = self.truths[message["match"]], message["seq"], message["seat"]
        rest = {name: value for name, value in message.items() if name != "events"}
        found = list(truth.find_leaks(rest, seq, seat))
        engine = json.loads(truth.view(seq, seat))
        found += [f"the view at {path}" for path in differing_paths(message["view"], engine)]
        return found

    def _leaks_in_views(self, answer: Any) -> Iterator[str]:
        """Each view is compared with its own moment."""
        for seq, view in enumerate(answer["views"], answer["after"] + 1):
            yield from self._leaks_in_view({**answer, "views": (), "view": view, "seq": seq})

    def _leaks_in_events(self, message: Any, first: int) -> list[str]:
        truth, seat = self.truths[message["match"]], message["seat"]
        found: list[str] = []
        for index, event in enumerate(message["events"], first):
            found += truth.find_leaks(event, index + 1, seat)
            if event != truth.masked_event(index, seat):
                found.append(f"the event {event.get('kind')}")
        return found

    def _leaks_in_answer(self, answer: Answer) -> Iterator[str]:
        self.checked["answer"] += 1
        path = answer.path.partition("?")[0]
        accepted = answer.status < 400
        if path.endswith(("/file", "/verify", "/coach")):
            if accepted and not answer.is_match_over:
                yield "a running match"
            elif accepted:  # with its own secret and no other
                seed = json.loads(answer.text).get("seed") or {"secret": "none"}
                rest = answer.text.replace(seed["secret"], "")
                yield from self._secrets_in_text(rest, to=answer.who)
                self.checked["file"] += 1
                return
        yield from self._secrets_in_text(answer.text, to=answer.who)
        if path == "/metrics":
            self.checked["metrics"] += 1
            for text, kind in self._private.items():
                if text in answer.text:
                    yield kind
        elif path.endswith(("/events", "/views")) and accepted:
            page = json.loads(answer.text)
            self.checked["events"] += 1
            if not answer.is_match_over:
                assert answer.table
                if path.endswith("/events"):
                    yield from self._leaks_in_events(page, page["seq"] - len(page["events"]))
                else:
                    yield from self._leaks_in_views(page)
                yours = answer.table.held_by(answer.who.holder)
                if page["seat"] is not None and page["seat"] not in yours:
                    yield "another's seat"
        elif accepted and path.startswith("/api/tables/"):
            # Such an answer contains nothing about the game at all.
            for text in tiles_in(json.loads(answer.text)) - answer.who.sent_tiles:
                yield f"a tile, {text}"

    def _leaks_in_log_line(self, line: str) -> Iterator[str]:
        self.checked["log line"] += 1
        yield from self._secrets_in_text(line, to=None)
        for text, kind in self._private.items():
            if text in line:
                yield kind
        for text in strings_in(json.loads(line)):
            if TILE_PATTERN.search(text):
                yield "a tile"
            if "cells=" in text or "hands=" in text or '"cells"' in text:
                yield "an event"


def without_repetitions(node: Any, sent_tiles: set[str]) -> Any:
    """What a refusal says apart from repeating the request."""
    if isinstance(node, dict):
        return {key: without_repetitions(value, sent_tiles) for key, value in node.items()}
    return None if isinstance(node, str) and node in sent_tiles else node
