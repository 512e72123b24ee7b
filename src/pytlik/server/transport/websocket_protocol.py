"""The server's end of a WebSocket, with limits that uvicorn's own protocol doesn't have.

Until a message is complete, it costs the sender as much as us: control frames are counted, and we
don't read from a client that doesn't read what we send. All times are the event loop's.
"""

import asyncio
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.httptools_impl import STATUS_LINE
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from pytlik.server.transport.stalled_writes import StalledWriteGuard

MAX_CONTROL_FRAMES, CONTROL_SECONDS = 60, 20.0
"""How many pings, pongs and fragments may come in how much time. Browsers send one pong in 20
seconds."""

PARSE_CHUNK_BYTES = 1_024
"""How many bytes of a socket are parsed at once. Limits are checked in between."""

MAX_BYTES_AFTER_CLOSE = 8_192
"""How many bytes a client may still have been sending when we closed its socket."""

POLICY = 1008


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


class WritableFlag:
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


class WebSocketProtocol(StalledWriteGuard, WebSocketsSansIOProtocol):
    queue: Inbox  # type: ignore[assignment]
    writable: WritableFlag  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = Inbox()
        self.writable = WritableFlag()
        self._unparsed = bytearray()
        self._control: list[float] = []
        self._flooded = False
        self._after_close = 0

    # ------------------------------------------------------------------------------------- reading

    def data_received(self, data: bytes) -> None:
        self._unparsed += data
        self._parse()

    def _parse(self) -> None:
        """Parse what has arrived, until there is a message for the application, or the client has
        to read first."""
        while self._unparsed and not self._has_to_wait():
            part = bytes(self._unparsed[:PARSE_CHUNK_BYTES])
            del self._unparsed[:PARSE_CHUNK_BYTES]
            if self.close_sent:
                self._after_close += len(part)
                if self._after_close > MAX_BYTES_AFTER_CLOSE:
                    self.transport.abort()
                    break
            super().data_received(part)
            if self._flooded:
                self._refuse_flood()
        if self.conn.handshake_exc and not self.handshake_initiated:
            self._refuse_handshake()
        if self.transport.is_closing():
            self._unparsed.clear()
        elif self._unparsed:
            self._pause_reading()

    def _refuse_handshake(self) -> None:
        """Answer a request that the WebSocket's parser refuses although the one for HTTP didn't,
        for example with a longer line. Nothing else would, and no limit counts such a
        connection."""
        self.transport.write(STATUS_LINE[400] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

    def _has_to_wait(self) -> bool:
        if self.transport.is_closing():
            return True
        return not self.close_sent and not (self.queue.empty() and self.writable.is_set())

    def _pause_reading(self) -> None:
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    async def receive(self) -> ASGIReceiveEvent:
        # This does what uvicorn's method does without calling it, because it would wait in memory
        # as well.
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        self._parse()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response and self.close_sent:
            # Or uvicorn would log an error for each malformed request.
            self.handshake_complete = True

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
        if len(times) == MAX_CONTROL_FRAMES:
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
        """Forget the request, which takes 3 KiB: the socket is open, and nothing needs it now."""
        super().start_keepalive()
        self.request.headers.clear()  # the parser still has the rest
        self.scope = {}  # type: ignore[typeddict-item]
        del self.request, self.response

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        if not self.disconnected:
            self._abort_later()
