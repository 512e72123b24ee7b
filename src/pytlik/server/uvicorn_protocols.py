"""The server's end of a connection, with limits that uvicorn's own protocols don't have.

Until a request or a message is complete, it costs the sender as much as us: heads have a maximum
size, silence ends the connection, control frames and connections are counted, and we don't read
from a client that doesn't read what we send. All times are the event loop's.
"""

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Any

from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from pytlik.server.admission import group_address, is_via_proxy
from pytlik.server.limits import Pace, Places, Rate, TakenPlaces
from pytlik.server.settings import UNIX, Settings

HEAD_BYTES, HEAD_LINES = 16_384, 100
"""The largest head of a request."""

HEAD_SECONDS = 10.0
"""From the first byte of a head (or from the connection) until the head is complete."""

BODY_SECONDS, SILENCE_SECONDS = 30.0, 10.0
"""From the end of a head until the body is complete, and the longest silence meanwhile."""

STALL_SECONDS = 10.0
"""A client that has read nothing of what waits for it in this time is cut off."""

CONTROL_FRAMES, CONTROL_SECONDS = 60, 20.0
"""How many pings, pongs and fragments may come in how much time. Browsers send one pong in 20
seconds."""

PARSED_BYTES = 1_024
"""How many bytes of a socket are parsed at once. Limits are checked in between."""

AFTER_CLOSE_BYTES = 65_536
"""How many bytes a client may still have been sending when we closed its socket."""

ARRIVALS = Rate(300, 25)
"""New connections from one address. A browser opens six at most, and keeps them."""

LONGEST_WAIT_SECONDS = 5.0
"""Clients that come faster have to wait, and are turned away if they would have to wait longer than
this. So somebody who connects again and again costs little, and a class behind one address is only
served more slowly."""

POLICY = 1008

Place = tuple[Places, str]

PassOn = Callable[[asyncio.BaseTransport, bytes, bytes], bool]
"""Passes a connection on to another worker, given the path and the head of its request; False if it
stays here."""


class Full(Exception):
    """All places of an address are taken."""


class ConnectionLimits:
    """Lets in a limited number of connections from one address, at a limited pace, and any number
    from proxies that we trust: there the gate counts requests by the address that the proxy names.
    """

    def __init__(self, settings: Settings, arrivals: Rate = ARRIVALS) -> None:
        self._settings = settings
        self._taken = TakenPlaces(settings.limit_scale)
        self._pace = Pace(arrivals, settings.limit_scale)

    def enter(self, client: tuple[str, int] | None, now: float) -> tuple[Place | None, float]:
        """The place that is taken, if it counts, and how many seconds to wait before anything is
        read. Raises Full if there is none, or too many others wait."""
        if is_via_proxy({"client": client}, self._settings):
            return None, 0
        address = group_address(client[0] if client else UNIX)
        place = (Places.REQUESTS, address)
        if not self._taken.take(place):
            raise Full
        seconds = self._pace.seconds_to_wait(address, now, LONGEST_WAIT_SECONDS)
        if seconds is None:
            self._taken.give_back(place)
            raise Full
        return place, seconds

    def leave(self, place: Place) -> None:
        self._taken.give_back(place)


class StalledWriteGuard(asyncio.Protocol):
    """Ends a connection whose client doesn't read."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _stall_timer: asyncio.TimerHandle | None = None
    _abort_timer: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stall_timer is None:
            self._schedule_stall_check(self.transport.get_write_buffer_size())

    def _schedule_stall_check(self, size: int) -> None:
        self._stall_timer = self.loop.call_later(STALL_SECONDS, self._check_for_progress, size)

    def _check_for_progress(self, before: int) -> None:
        """Check even after the transport was closed, which would wait for its buffer for ever."""
        self._stall_timer = None
        size = self.transport.get_write_buffer_size()
        if size >= before:
            self.transport.abort()
        elif size:
            self._schedule_stall_check(size)

    def _abort_later(self) -> None:
        """Abort a closed connection later, so that the client has a moment to read the last
        bytes."""
        if self._abort_timer is None:
            self._abort_timer = self.loop.call_later(STALL_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._stall_timer, self._abort_timer):
            if timer:
                timer.cancel()
        super().connection_lost(exc)


class RequestPart(Enum):
    """The part of a request that is being read."""

    HEAD = "head"
    BODY = "body"
    NOTHING = "nothing"


class HeadTooLarge(Exception):
    """Raised inside the parser, which passes it on as an error of its own."""


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


class Http(StalledWriteGuard, HttpToolsProtocol):
    def __init__(
        self,
        *args: Any,
        connection_limits: ConnectionLimits | None,
        pass_on: PassOn | None = None,
        **kwargs: Any,
    ) -> None:
        """A connection that another worker has passed on was counted there, and isn't passed on
        again: it has neither `connection_limits` nor `pass_on`."""
        super().__init__(*args, **kwargs)
        self._limits = connection_limits
        self._pass_on = pass_on
        self._place: Place | None = None
        self._part = RequestPart.HEAD
        self._head_bytes = 0
        self._body_until = 0.0
        self._turn = Timeout(self.loop)
        self._timeout = Timeout(self.loop)
        self._upgrades = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        seconds = 0.0
        if self._limits:
            try:
                self._place, seconds = self._limits.enter(self.client, self.loop.time())
            except Full:
                transport.abort()
                return
        if seconds:
            transport.pause_reading()
            self._turn.start(seconds, self._let_in)
        else:
            self._timeout.start(HEAD_SECONDS, self._on_timeout)

    def _let_in(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()
            self._timeout.start(HEAD_SECONDS, self._on_timeout)

    def connection_lost(self, exc: Exception | None) -> None:
        self._turn.stop()
        self._timeout.stop()
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._leave()  # sockets are counted by the gate
        if self._is_passed_on():
            self.connections.discard(self)
            self.transport.close()
        else:
            super().handle_websocket_upgrade()

    def _is_passed_on(self) -> bool:
        if not self._pass_on:
            return False
        request = b"%b %b HTTP/1.1\r\n" % (self.scope["method"].encode(), self.url)
        head = request + b"".join(b"%b: %b\r\n" % header for header in self.headers) + b"\r\n"
        return self._pass_on(self.transport, self.url.partition(b"?")[0], head)

    def _leave(self) -> None:
        if self._place and self._limits:
            self._limits.leave(self._place)
            self._place = None

    def data_received(self, data: bytes) -> None:
        if self._part is RequestPart.NOTHING:
            # Even if it is only an empty line, which begins no request.
            self._part, self._head_bytes = RequestPart.HEAD, 0
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            # It has become a WebSocket's. The parser and this object refer to each other, and would
            # be 4 KiB of every socket until the garbage collector finds them.
            self.parser = None  # type: ignore[assignment]
        if self.transport.is_closing() or self._upgrades:
            self._timeout.stop()
        elif self._part is RequestPart.HEAD:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._refuse(431)
            elif not self._timeout.is_running:
                self._timeout.start(HEAD_SECONDS, self._on_timeout)
        elif self._part is RequestPart.BODY:
            self._wait_for_body()
        else:
            self._timeout.stop()

    # ------------------------------------------------------------------------- the parser's calls

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._part, self._upgrades = RequestPart.HEAD, False

    def on_headers_complete(self) -> None:
        if self._is_large():
            raise HeadTooLarge
        self._part, self._head_bytes = RequestPart.BODY, 0
        self._body_until = self.loop.time() + BODY_SECONDS
        self._timeout.stop()
        self._upgrades = bool(self.parser.should_upgrade()) and super()._should_upgrade()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._part = RequestPart.NOTHING

    def _should_upgrade(self) -> bool:
        """Asked again with every piece of a body, so the answer is stored."""
        return self._upgrades

    def send_400_response(self, msg: str) -> None:
        if self._part is RequestPart.HEAD and self._is_large():
            self._refuse(431)
        else:
            super().send_400_response(msg)

    def _is_large(self) -> bool:
        if not self.headers:  # None before the first request
            return False
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        return size > HEAD_BYTES or len(self.headers) > HEAD_LINES

    # ------------------------------------------------------------------------------------ refusing

    def _wait_for_body(self) -> None:
        left = self._body_until - self.loop.time()
        self._timeout.start(max(0.0, min(left, SILENCE_SECONDS)), self._on_timeout)

    def _on_timeout(self) -> None:
        if self._part is RequestPart.BODY and self.flow.read_paused:
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


class Inbox:
    """What a client has sent and the application hasn't taken. It does what uvicorn needs of
    asyncio.Queue, which takes 3 KiB even if it's empty."""

    __slots__ = ("_messages", "_waiting")

    def __init__(self) -> None:
        self._messages: list[ASGIReceiveEvent] = []
        self._waiting: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._messages)

    def empty(self) -> bool:
        return not self._messages

    def put_nowait(self, message: ASGIReceiveEvent) -> None:
        self._messages.append(message)
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """Wait for a message. Only one task can."""
        while not self._messages:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        self._waiting = None
        return self._messages.pop(0)


class Writability:
    """Whether we may write. It does what uvicorn needs of asyncio.Event, but has one only while we
    may not: each takes 800 bytes."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event: asyncio.Event | None = None

    def is_set(self) -> bool:
        return self._event is None

    def clear(self) -> None:
        self._event = self._event or asyncio.Event()

    def set(self) -> None:
        if self._event:
            self._event.set()
            self._event = None

    async def wait(self) -> None:
        if self._event:
            await self._event.wait()


class WebSocket(StalledWriteGuard, WebSocketsSansIOProtocol):
    queue: Inbox  # type: ignore[assignment]
    writable: Writability  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = Inbox()
        self.writable = Writability()
        self._unparsed = bytearray()
        self._control: list[float] = []
        self._flooded = False
        self._after_close = 0

    # ------------------------------------------------------------------------------------- reading

    def data_received(self, data: bytes) -> None:
        if self.close_sent:
            self._after_close += len(data)
            if self._after_close > AFTER_CLOSE_BYTES:
                self.transport.abort()
                return
        self._unparsed += data
        self._parse()

    def _parse(self) -> None:
        """Parse what has arrived, until there is a message for the application, or the client has
        to read first."""
        while self._unparsed and not self._has_to_wait():
            part = bytes(self._unparsed[:PARSED_BYTES])
            del self._unparsed[:PARSED_BYTES]
            super().data_received(part)
            if self._flooded:
                self._refuse_flood()
        if self.transport.is_closing():
            self._unparsed.clear()
        elif self._unparsed:
            self._pause_reading()

    def _has_to_wait(self) -> bool:
        if self.transport.is_closing():
            return True
        return not self.close_sent and not (self.queue.empty() and self.writable.is_set())

    def _pause_reading(self) -> None:
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    async def receive(self) -> ASGIReceiveEvent:
        # What uvicorn's method does, which isn't called: it would wait in memory as well.
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        self._parse()
        return message

    def pause_writing(self) -> None:
        super().pause_writing()
        self._pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._parse()
        waits = not self.queue.empty() or self._unparsed
        if self.read_paused and not waits and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unparsed.clear()
        self.read_paused = False  # or the next receive would try to go on reading
        super().connection_lost(exc)

    # ------------------------------------------------------------------------------ control frames

    def handle_ping(self) -> None:
        self._count_control()
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        self._count_control()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        self._count_control()
        super().handle_cont(event)

    def _count_control(self) -> None:
        now, times = self.loop.time(), self._control
        while times and now - times[0] >= CONTROL_SECONDS:
            del times[0]
        if len(times) == CONTROL_FRAMES:
            self._flooded = True
        else:
            times.append(now)

    def _refuse_flood(self) -> None:
        if self.close_sent or self.transport.is_closing():
            self.transport.abort()
            return
        self.conn.fail(POLICY, "too many control frames")
        self.handle_parser_exception()
        self._abort_later()

    # --------------------------------------------------------------------------- beginning and end

    def start_keepalive(self) -> None:
        """Forget the request, which takes 3 KiB: the socket is open, and nobody asks for it now."""
        super().start_keepalive()
        self.request.headers.clear()  # the parser still has the rest
        self.scope = {}  # type: ignore[typeddict-item]
        del self.request, self.response

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        if not self.disconnected:
            self._abort_later()
