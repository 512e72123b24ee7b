"""The server's end of a connection, in virtual time. Its transport records what is done with it."""

import asyncio
import heapq
import itertools
from collections.abc import Callable
from typing import Any, cast

import pytest
import uvicorn
from uvicorn.server import ServerState

from pytlik.server.settings import Settings
from pytlik.server.table_socket import MAX_MESSAGE_BYTES
from pytlik.server.transport.connection_limits import ConnectionLimits
from pytlik.server.transport.http_protocol import HttpProtocol
from pytlik.server.transport.websocket_protocol import WebSocketProtocol

WEBSOCKET_HANDSHAKE = (
    b"GET /api/tables/x/socket HTTP/1.1\r\nhost: pytlik.test\r\nconnection: upgrade\r\n"
    b"upgrade: websocket\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class ManualLoop:
    """An event loop in which time passes, and tasks run, only when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.tasks: list[Any] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = itertools.count()

    def time(self) -> float:
        return self.now

    def get_debug(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None: ...

    def call_later(self, delay: float, callback: Any, *args: Any, **_: Any) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(self.now + delay, callback, args, cast("Any", self))
        heapq.heappush(self._timers, (handle.when(), next(self._numbers), handle))
        return handle

    def create_task(self, work: Any, **_: Any) -> Any:
        self.tasks.append(work)
        return FakeTask()

    def pass_seconds(self, seconds: float) -> None:
        until = self.now + seconds
        while self._timers and self._timers[0][0] <= until:
            self.now, _, handle = heapq.heappop(self._timers)
            if not handle.cancelled():
                handle._run()
        self.now = until


class FakeTask:
    def add_done_callback(self, _: Callable[[Any], None]) -> None: ...


class RecordingTransport(asyncio.Transport):
    """A transport that records what is done with it. `unread` is what the client hasn't taken, or
    None while it takes everything."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 50_000)})
        self.protocol: Any = None
        self.written = bytearray()
        self.unread: int | None = None
        self.closed = self.aborted = self.paused = False

    def write(self, data: Any) -> None:
        self.written += data
        if self.unread is not None:
            before, self.unread = self.unread, self.unread + len(data)
            if before <= 65_536 < self.unread:
                self.protocol.pause_writing()

    def read_all(self) -> None:
        self.unread = 0
        self.protocol.resume_writing()

    def get_write_buffer_size(self) -> int:
        return self.unread or 0

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def get_protocol(self) -> asyncio.BaseProtocol:
        found: asyncio.BaseProtocol = self.protocol
        return found

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol


async def unused_app(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError


def make_http_protocol(
    loop: ManualLoop, state: ServerState, connection_limits: ConnectionLimits
) -> HttpProtocol:
    config = uvicorn.Config(
        unused_app,
        http=HttpProtocol,
        ws=WebSocketProtocol,
        log_config=None,
        ws_max_size=MAX_MESSAGE_BYTES,
    )
    config.load()
    return HttpProtocol(
        config=config,
        server_state=state,
        app_state={},
        _loop=cast("Any", loop),
        connection_limits=connection_limits,
    )


class ServerEnd:
    """The server's end of a connection."""

    def __init__(
        self, connection_limits: ConnectionLimits | None = None, address: str = "192.0.2.1"
    ) -> None:
        self.loop = ManualLoop()
        self.transport = RecordingTransport(address)
        self.state = ServerState()
        limits = connection_limits or ConnectionLimits(Settings())
        self.transport.protocol = http = make_http_protocol(self.loop, self.state, limits)
        http.connection_made(self.transport)

    @property
    def protocol(self) -> Any:
        return self.transport.protocol

    def feed_data(self, data: bytes) -> None:
        assert not self.transport.closed, "nothing is read from a closed connection"
        self.protocol.data_received(data)

    def request_count(self) -> int:
        return len(self.loop.tasks)

    def run(self, work: Any) -> Any:
        """Run a coroutine that never waits, and return its result."""
        try:
            work.send(None)
        except StopIteration as stopped:
            return stopped.value
        raise AssertionError("it waits")

    def begin_websocket(self, handshake: bytes = WEBSOCKET_HANDSHAKE) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncio, "get_event_loop", lambda: self.loop)
            self.feed_data(handshake)

    def open_websocket(self) -> None:
        self.begin_websocket()
        assert isinstance(self.protocol, WebSocketProtocol)
        self.run(self.protocol.receive())
        self.run(self.protocol.send({"type": "websocket.accept"}))
        self.transport.written.clear()

    def answer_request(self, body: bytes = b"") -> None:
        """Let the application answer the last request that it was given."""
        cycle = self.loop.tasks[-1].cr_frame.f_locals["self"]
        headers = [(b"content-length", b"%d" % len(body))]
        self.run(cycle.send({"type": "http.response.start", "status": 200, "headers": headers}))
        self.run(cycle.send({"type": "http.response.body", "body": body}))
