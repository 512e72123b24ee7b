"""A program at a table that does what a browser does, for tests and load."""

import asyncio
import itertools
import json
from contextlib import suppress
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pytlik.chance import from_text
from pytlik.server.match.bot_pool import think
from pytlik.ubongo.view import View as UbongoView
from pytlik.unikat.view import View as UnikatView

VIEW_TYPES = {"unikat": UnikatView, "ubongo": UbongoView}

TIMEOUT_SECONDS = 60
"""How many seconds a busy machine may take to answer."""


class Refusal(Exception):
    """The server refused a request."""


class Client:
    """Someone who may hold seats. `view` is the last view they were sent."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.address = address
        self.token = token
        # Nothing is encrypted here, and reading the system's certificates takes time. No connection
        # is reused: the server closes it after five seconds, perhaps just when we send.
        self.http = httpx.AsyncClient(
            base_url=address,
            timeout=TIMEOUT_SECONDS,
            verify=False,
            limits=httpx.Limits(max_keepalive_connections=0),
        )
        self.socket: ClientConnection | None = None
        self.view: Any = None
        self.seq = 0
        self.match: str | None = None
        self.seat: int | None = None
        self.received: list[dict[str, Any]] = []
        self._ids = itertools.count(1)

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        if self.token is None and path != "/api/tokens":
            self.token = (await self.ask("POST", "/api/tokens"))["token"]
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = await self.http.request(
            method, path, json=body if body is not None or method == "GET" else {}, headers=headers
        )
        if answer.status_code >= 400:
            raise Refusal(answer.status_code, answer.json()["error"]["reason"])
        return answer.json() if answer.content else None

    async def join(self, table: str) -> None:
        """Open the socket of a table."""
        url = self.address.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        self.socket = await connect(
            url, additional_headers=headers, compression=None, open_timeout=TIMEOUT_SECONDS
        )

    async def next_message(self) -> dict[str, Any]:
        """Return the next message, answering pings along the way."""
        assert self.socket
        while True:
            message: dict[str, Any] = json.loads(await self.socket.recv())
            if message["kind"] == "ping":
                # messages that came before it still have to be read
                with suppress(ConnectionClosed):
                    await self.send(kind="pong", n=message["n"])
                continue
            self.received.append(message)
            if message["kind"] == "update":
                self.view, self.seq, self.seat = message["view"], message["seq"], message["seat"]
                self.match = message["match"]
            return message

    async def wait_for(self, kind: str) -> dict[str, Any]:
        while True:
            message = await self.next_message()
            if message["kind"] == kind:
                return message

    async def send(self, **message: Any) -> None:
        assert self.socket
        await self.socket.send(msgspec.json.encode(message).decode())

    async def act(self, action: Any, id: str | None = None) -> dict[str, Any]:
        """Ask for an action, and wait for its answer."""
        id = id or f"c{next(self._ids)}"
        await self.send(kind="act", id=id, seat=self.seat, action=action, match=self.match)
        while True:
            message = await self.next_message()
            if message["kind"] in ("done", "refused") and message["id"] == id:
                return message

    def can_act(self) -> bool:
        choices = self.view["choices"]
        return any(value for name, value in choices.items() if name != "take")

    async def play(self, level: str = "medium") -> None:
        """Play the match to its end, choosing actions like one of our bots."""
        while self.view is None or not self.view["outcome"]:
            if self.view is not None and self.view["game"] == "unikat" and self.can_act():
                view = msgspec.convert(self.view, UnikatView, str_keys=True)
                stream = from_text(f"{self.seat} {self.seq}").stream("play")
                (_, action), *_ = think("unikat", view, level, stream)
                await self.act(action)
            else:
                await self.next_message()

    async def disconnect(self) -> None:
        """Close the socket, as a closed tab does."""
        assert self.socket
        await self.socket.close()

    async def close(self) -> None:
        if self.socket:
            await self.disconnect()
        await self.http.aclose()


async def create_table(host: Client, game: str = "unikat", **more: Any) -> str:
    answer = await host.ask("POST", "/api/tables", {"game": game, **more})
    id: str = answer["table"]["id"]
    return id


async def play_against_bot(client: Client, level: str, seconds: float = TIMEOUT_SECONDS) -> None:
    """Play a match of Unikat against a bot of this level, to its end."""
    table = await create_table(client, "unikat", chairs=2)
    seats = f"/api/tables/{table}/seats"
    await client.ask("POST", seats, {"name": "Ada", "share": "anything"})
    await client.ask("PUT", f"{seats}/1/bot", {"level": level})
    await client.join(table)
    await client.ask("POST", f"/api/tables/{table}/start")
    async with asyncio.timeout(seconds):
        await client.play("easy")


async def run_all(*work: Any) -> None:
    async with asyncio.TaskGroup() as group:
        for one in work:
            group.create_task(one)
