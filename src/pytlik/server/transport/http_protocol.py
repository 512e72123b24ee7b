"""The server's end of an HTTP connection, with limits that uvicorn's own protocol doesn't have.

Until a request is complete, it costs the sender as much as us: heads have a maximum size, silence
ends the connection, and connections are counted. All times are the event loop's.
"""

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from pytlik.server.transport.connection_limits import ConnectionLimits, NoFreeSlot, TakenSlot
from pytlik.server.transport.stalled_writes import StalledWriteGuard

MAX_HEAD_BYTES, MAX_HEAD_LINES = 16_384, 100
"""The largest head of a request."""

MAX_FRAMING_BYTES = 16_384
"""How much a body may come with that isn't body: lengths of chunks, and whatever else the parser
would collect."""

HEAD_SECONDS = 10.0
"""From the first byte of a head (or from the connection) until the head is complete."""

BODY_SECONDS, SILENCE_SECONDS = 30.0, 10.0
"""From the end of a head until the body is complete, and the longest silence meanwhile."""

PARSED_AT_ONCE_BYTES = 2_048
"""How many bytes are parsed at once: small requests may come by the thousand in one piece. The rest
waits until the requests found so far are answered."""

PassToWorker = Callable[[asyncio.BaseTransport, bytes, bytes], bool]
"""Passes a connection on to another worker, given the path and the head of its request; returns
False if it stays here."""


class RequestPart(Enum):
    """The part of a request that is being read."""

    HEAD = "head"
    BODY = "body"
    NOTHING = "nothing"


class HeadTooLarge(Exception):
    """Raised inside the parser, which passes it on as an error of its own."""


class UnexpectedTrailer(Exception):
    """A header after the body; raised like `HeadTooLarge`. Nobody here uses one, and uvicorn would
    add it to the headers of the request, past all checks."""


class Timeout:
    """Calls something unless it is stopped, or started again, in time."""

    __slots__ = ("_loop", "_timer")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        return self._timer is not None

    def start(self, seconds: float, act: Callable[[], None]) -> None:
        self.stop()
        self._timer = self._loop.call_later(seconds, self._run_out, act)

    def stop(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _run_out(self, act: Callable[[], None]) -> None:
        self._timer = None
        act()


class HttpProtocol(StalledWriteGuard, HttpToolsProtocol):
    def __init__(
        self,
        *args: Any,
        connection_limits: ConnectionLimits | None,
        pass_on: PassToWorker | None = None,
        **kwargs: Any,
    ) -> None:
        """A connection that another worker has passed on was counted there, and isn't passed on
        again: it has neither `connection_limits` nor `pass_on`."""
        super().__init__(*args, **kwargs)
        self._limits = connection_limits
        self._pass_on = pass_on
        self._slot: TakenSlot | None = None
        self._part = RequestPart.HEAD
        self._head_bytes = self._body_bytes = self._framing_bytes = 0
        self._body_until = 0.0
        self._turn = Timeout(self.loop)
        self._timeout = Timeout(self.loop)
        self._upgrades = False
        self._unparsed = bytearray()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        seconds = 0.0
        if self._limits:
            try:
                self._slot, seconds = self._limits.enter(self.client, self.loop.time())
            except NoFreeSlot:
                transport.abort()
                return
        if seconds:
            self._turn.start(seconds, self._let_in)
            transport.pause_reading()
        else:
            self._timeout.start(HEAD_SECONDS, self._on_timeout)

    def _let_in(self) -> None:
        if not self.transport.is_closing():
            self._timeout.start(HEAD_SECONDS, self._on_timeout)
            self.transport.resume_reading()
            self._parse()

    def connection_lost(self, exc: Exception | None) -> None:
        self._turn.stop()
        self._timeout.stop()
        self._leave()
        self._unparsed.clear()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._leave()  # sockets are counted by the gate
        if self._try_to_pass_on():
            self.connections.discard(self)
            self.transport.close()
        else:
            super().handle_websocket_upgrade()

    def _try_to_pass_on(self) -> bool:
        if not self._pass_on:
            return False
        request = b"%b %b HTTP/1.1\r\n" % (self.scope["method"].encode(), self.url)
        head = request + b"".join(b"%b: %b\r\n" % header for header in self.headers) + b"\r\n"
        return self._pass_on(self.transport, self.url.partition(b"?")[0], head)

    def _leave(self) -> None:
        if self._slot and self._limits:
            self._limits.leave(self._slot)
            self._slot = None

    def data_received(self, data: bytes) -> None:
        self._unparsed += data
        if self._turn.is_running:
            # uvloop starts reading after connection_made, even if that has paused it.
            self.transport.pause_reading()
        else:
            self._parse()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._parse()

    def _parse(self) -> None:
        """Parse what has arrived, unless earlier requests are still waiting: uvicorn would keep any
        number of them, each with several KiB."""
        while self._unparsed and not self.pipeline and self._is_open:
            part = bytes(self._unparsed[:PARSED_AT_ONCE_BYTES])
            del self._unparsed[:PARSED_AT_ONCE_BYTES]
            self._parse_part(part)
        if not self._is_open:
            self._unparsed.clear()
        elif self._unparsed or self.pipeline:
            self.flow.pause_reading()

    @property
    def _is_open(self) -> bool:
        """Whether more requests may come: it isn't closing, and hasn't become a WebSocket's."""
        return not self.transport.is_closing() and self.transport.get_protocol() is self

    def _parse_part(self, data: bytes) -> None:
        if self._part is RequestPart.NOTHING:
            # Even if it's only an empty line, which doesn't begin a request.
            self._part, self._head_bytes = RequestPart.HEAD, 0
        self._body_bytes = 0
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            # It has become a WebSocket's. The parser and this object refer to each other, and would
            # cost every socket 4 KiB until the garbage collector finds them.
            self.parser = None  # type: ignore[assignment]
        if self.transport.is_closing() or self._upgrades:
            self._timeout.stop()
        elif self._part is RequestPart.HEAD:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self._refuse(431)
            elif not self._timeout.is_running:
                self._timeout.start(HEAD_SECONDS, self._on_timeout)
        elif self._part is RequestPart.BODY:
            self._framing_bytes += len(data) - self._body_bytes
            if self._framing_bytes > MAX_FRAMING_BYTES:
                self._refuse(431)
            else:
                self._start_body_timeout()
        else:
            self._timeout.stop()

    # ------------------------------------------------------------------------- the parser's calls

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._part, self._upgrades = RequestPart.HEAD, False

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._part is RequestPart.BODY:
            raise UnexpectedTrailer
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_headers_complete(self) -> None:
        if self._is_head_too_large():
            raise HeadTooLarge
        self._part, self._head_bytes, self._framing_bytes = RequestPart.BODY, 0, 0
        self._body_until = self.loop.time() + BODY_SECONDS
        self._timeout.stop()
        self._upgrades = bool(self.parser.should_upgrade()) and super()._should_upgrade()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._part = RequestPart.NOTHING

    def _should_upgrade(self) -> bool:
        """Return a stored answer, because this is called again for every piece of a body."""
        return self._upgrades

    def send_400_response(self, msg: str) -> None:
        if self._part is RequestPart.HEAD and self._is_head_too_large():
            self._refuse(431)
        elif self._part is RequestPart.BODY:
            self._refuse(400)
        else:
            super().send_400_response(msg)

    def _is_head_too_large(self) -> bool:
        if not self.headers:  # None before the first request
            return False
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        return size > MAX_HEAD_BYTES or len(self.headers) > MAX_HEAD_LINES

    # ------------------------------------------------------------------------------------ refusing

    def _start_body_timeout(self) -> None:
        left = self._body_until - self.loop.time()
        self._timeout.start(max(0.0, min(left, SILENCE_SECONDS)), self._on_timeout)

    def _on_timeout(self) -> None:
        if (self._part is RequestPart.BODY or self._unparsed) and self.flow.read_paused:
            self._timeout.start(SILENCE_SECONDS, self._on_timeout)  # we are the ones who don't read
        elif self._part is RequestPart.HEAD and self._head_bytes:
            self._refuse(408)
        else:
            self.transport.close()

    def _refuse(self, status: int) -> None:
        """Close the connection, and say why unless another answer is under way."""
        cycle: Any = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete:
            head = b"content-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head)
        self.transport.close()
