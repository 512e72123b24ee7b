"""Requests and sockets between clients and workers, as in ASGI, over a slow network."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, MutableMapping
from typing import Any

from tests.sim.conditions import Conditions
from tests.sim.loop import Process, SimLoop, call_outside_processes

App = Callable[[Any, Any, Any], Any]
Message = MutableMapping[str, Any]

MAX_UNREAD_MESSAGES = 12
"""How many messages may be on their way to a client or wait to be read before the sender has to
wait."""


class ConnectionLost(Exception):
    """The connection is gone. The request may or may not have been carried out."""


class ClosedByServer(Exception):
    """The server has closed the connection."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class RequestRefused(Exception):
    """The server has answered with an error status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(status, reason)
        self.status = status
        self.reason = reason


def asgi_scope(kind: str, method: str, path: str, token: str | None) -> dict[str, Any]:
    path, _, query = path.partition("?")
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    scope = {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": headers,
        "client": ("203.0.113.7", 50_000),
        "server": ("localhost", 80),
        "state": {},
    }
    if kind == "http":
        return scope | {"method": method}
    return scope | {"subprotocols": []}


class OneWayLane:
    """One direction of a connection: messages take time and arrive in order."""

    def __init__(self, loop: SimLoop, conditions: Conditions) -> None:
        self._loop = loop
        self._conditions = conditions
        self._last_arrival = 0.0

    def send(self, arrive: Callable[..., None], *args: Any) -> None:
        # Timers for the same moment run in any order, so no two messages arrive at the same moment.
        at = max(self._last_arrival + 1e-6, self._loop.time() + self._conditions.network_delay())
        self._last_arrival = at
        call_outside_processes(self._loop, at - self._loop.time(), arrive, *args)


class SimConnection:
    """A connection between a client and a process, which either side may lose."""

    def __init__(self, loop: SimLoop, conditions: Conditions, process: Process) -> None:
        self.loop = loop
        self.process = process
        self.is_broken = False
        self.up, self.down = OneWayLane(loop, conditions), OneWayLane(loop, conditions)

    def report_lost(self) -> None:
        """Tell the client that the connection is lost because the process has died."""


class Request(SimConnection):
    def __init__(self, loop: SimLoop, conditions: Conditions, process: Process) -> None:
        super().__init__(loop, conditions, process)
        self._answer: asyncio.Future[tuple[int, bytes]] = loop.create_future()
        self._status = 0
        self._body = b""

    async def fetch(self, app: App, scope: dict[str, Any], body: Any) -> str:
        """Send the request and return the body of the answer. Raises RequestRefused."""
        sent = b"" if body is None else json.dumps(body).encode()
        scope["headers"].append((b"content-length", str(len(sent)).encode()))
        self.up.send(self._arrive, app, scope, sent)
        status, answer = await self._answer
        if status >= 400:
            raise RequestRefused(status, json.loads(answer)["error"]["reason"])
        return answer.decode()

    def _arrive(self, app: App, scope: dict[str, Any], body: bytes) -> None:
        if self.process.killed:
            self.report_lost()
            return
        messages = deque([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Message:
            if not messages:
                await self.loop.create_future()
            return messages.popleft()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._status = message["status"]
                return
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                self.down.send(self._finish, (self._status, self._body))

        self.process.start(app(scope, receive, send))

    def _finish(self, answer: tuple[int, bytes]) -> None:
        if not self._answer.done():
            self._answer.set_result(answer)

    def report_lost(self) -> None:
        if not self._answer.done():
            self._answer.set_exception(ConnectionLost())


class Socket(SimConnection):
    """A WebSocket: `recv` and `send` are the client's side."""

    def __init__(self, loop: SimLoop, conditions: Conditions, process: Process) -> None:
        super().__init__(loop, conditions, process)
        self._inbox: deque[str] = deque()
        self._end_reason: Exception | None = None
        self.gone_at = 0.0
        """When the server can know that this connection is gone, once it is."""
        self._waiting_reader: asyncio.Future[None] | None = None
        self._unread_count = 0
        self._waiting_writers: deque[asyncio.Future[None]] = deque()
        self._messages_for_server: deque[Message] = deque([{"type": "websocket.connect"}])
        self._waiting_server: asyncio.Future[None] | None = None

    def open(self, app: App, scope: dict[str, Any]) -> None:
        self.up.send(self._start, app, scope)

    def _start(self, app: App, scope: dict[str, Any]) -> None:
        if self.process.killed:
            self.report_lost()
        else:
            self.process.start(self._serve(app, scope))

    async def _serve(self, app: App, scope: dict[str, Any]) -> None:
        await app(scope, self._receive, self._send)
        # If it was already closed in good order, this changes nothing.
        self.down.send(self._end, ClosedByServer(1006))

    # ------------------------------------------------------------------------- client

    async def recv(self) -> str:
        while not self._inbox:
            if self._end_reason:
                raise self._end_reason
            self._waiting_reader = self.loop.create_future()
            await self._waiting_reader
        self._unread_count -= 1
        self._wake_next_writer()
        return self._inbox.popleft()

    def send(self, message: dict[str, Any]) -> None:
        if self._end_reason is None:
            self.up.send(
                self._queue_for_server, {"type": "websocket.receive", "text": json.dumps(message)}
            )

    def abort(self, notice_seconds: float) -> None:
        """The client is gone at once, and the server notices it after `notice_seconds`."""
        self._end(ConnectionLost(), notice_seconds)
        call_outside_processes(self.loop, notice_seconds, self._disconnect)

    def report_lost(self) -> None:
        self._end(ConnectionLost())

    @property
    def is_open(self) -> bool:
        return self._end_reason is None

    def _end(self, error: Exception, notice_seconds: float = 0.0) -> None:
        if self._end_reason is None:
            self._end_reason = error
            self.gone_at = self.loop.time() + notice_seconds
            if isinstance(error, ConnectionLost):
                self._inbox.clear()
        if self._waiting_reader and not self._waiting_reader.done():
            self._waiting_reader.set_result(None)

    # ------------------------------------------------------------------------- server

    async def _receive(self) -> Message:
        while not self._messages_for_server:
            self._waiting_server = self.loop.create_future()
            await self._waiting_server
        return self._messages_for_server.popleft()

    async def _send(self, message: Message) -> None:
        match message["type"]:
            case "websocket.close":
                self.down.send(self._end, ClosedByServer(message["code"]))
            case "websocket.send":
                while self._unread_count >= MAX_UNREAD_MESSAGES and not self.is_broken:
                    self._waiting_writers.append(self.loop.create_future())
                    await self._waiting_writers[-1]
                if self.is_broken:
                    raise OSError("the client has gone")
                self._unread_count += 1
                self.down.send(self._deliver, message["text"])
            case _:
                pass  # the connection was accepted

    def _deliver(self, text: str) -> None:
        if self._end_reason is None:
            self._inbox.append(text)
            if self._waiting_reader and not self._waiting_reader.done():
                self._waiting_reader.set_result(None)

    def _queue_for_server(self, message: Message) -> None:
        self._messages_for_server.append(message)
        if self._waiting_server and not self._waiting_server.done():
            self._waiting_server.set_result(None)

    def _disconnect(self) -> None:
        self.is_broken = True
        self._queue_for_server({"type": "websocket.disconnect", "code": 1006})
        while self._waiting_writers:
            self._wake_next_writer()

    def _wake_next_writer(self) -> None:
        while self._waiting_writers:
            waiting = self._waiting_writers.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
