"""A table's socket: receives messages, answers them and sends updates."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, assert_never

import msgspec
from litestar import asgi
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.types import Receive, Scope, Send

from pytlik.game import Malformed, Reason, Refusal
from pytlik.protocol.messages import (
    Act,
    Chat,
    ClientMessage,
    Done,
    Pong,
    React,
    Refused,
    Sit,
    Sync,
)
from pytlik.protocol.reasons import ServerReason
from pytlik.server import socket_requests
from pytlik.server.access.socket_limits import SocketVisit, TooManyMessages, TooManySockets
from pytlik.server.clocks.clock import Clock
from pytlik.server.live.connection import TRY_LATER, Connection
from pytlik.server.live.room import Room
from pytlik.server.live.rooms import Rooms
from pytlik.server.responses.error_responses import status_of
from pytlik.store import Conflict, Unavailable

log = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 8_192
MAX_MESSAGES, WINDOW_MS = 120, 20_000
"""How many messages a client may send in how much time."""
MAX_MESSAGES_WHILE_REFUSED = 20
"""How many messages are read from a client that is going to be refused."""
PING_EVERY_SECONDS = 10.0
JOIN_TIMEOUT_SECONDS = 10.0
"""How long somebody waits for others to join before they are told to try again later."""
FLUSH_SECONDS = 1.0
"""Seconds to flush the queue on close."""

TOO_MANY_SOCKETS_REASON = "too_many_sockets"
"""The reason for closing a socket that has just been opened."""

SERVE_SOCKET_KEY = "serve_socket"
"""The key in the state of a socket's request for what serves it, once it has been let in."""

POLICY, TOO_BIG, NOT_FOUND, FORBIDDEN = 1008, 1009, 4404, 4403

decoder = msgspec.json.Decoder(ClientMessage)


class ClientGone(Exception):
    """The client has closed the connection, or lost it."""


class Socket:
    """A WebSocket. Litestar has one as well, but every message passes through here, and each extra
    layer would cost everybody time."""

    __slots__ = ("_accepted", "_has_connected", "_receive", "_send")

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._has_connected = False
        self._accepted = False

    async def _receive_connect(self) -> None:
        """Receive ASGI's `websocket.connect`, which always comes first."""
        if not self._has_connected:
            self._has_connected = True
            await self._receive()

    async def wait_until_gone(self) -> None:
        """Wait until the client goes away. If it sends more than a little, nothing more is read
        from it, so wait for a limited time."""
        await self._receive_connect()
        with suppress(ClientGone):
            for _ in range(MAX_MESSAGES_WHILE_REFUSED):
                await self.receive()
            await asyncio.Event().wait()

    async def accept(self) -> None:
        await self._receive_connect()
        self._accepted = True
        await self._send({"type": "websocket.accept", "subprotocol": None, "headers": []})

    async def receive(self) -> str:
        """The next text, or an empty one for anything else."""
        message = await self._receive()
        if message["type"] != "websocket.receive":
            raise ClientGone
        return message.get("text") or ""

    async def send(self, data: bytes) -> None:
        await self._send({"type": "websocket.send", "bytes": None, "text": data.decode()})

    async def reject(self) -> None:
        """Close it without accepting it: the client doesn't learn why."""
        with suppress(RuntimeError, OSError):
            await self._send({"type": "websocket.close", "code": FORBIDDEN, "reason": ""})

    async def close(self, code: int, reason: str = "") -> None:
        """Close it. The client learns why only if it was accepted before."""
        try:
            if not self._accepted:
                await self.accept()
            await self._send({"type": "websocket.close", "code": code, "reason": reason})
        except (RuntimeError, OSError):
            pass  # it has ended already


@asgi("/api/tables/{table:str}/socket", copy_scope=False)
async def handle_table_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Let somebody in, or refuse to. The application serves whoever is let in (`PytlikApp`)."""
    if scope["type"] != ScopeType.WEBSOCKET:
        raise NotFoundException
    state = scope["litestar_app"].state
    table: str = scope["path_params"]["table"]
    try:
        visitor = await state.gate.admit_to_socket(scope)
        visit: SocketVisit = state.gate.register_socket(visitor, table)
    except Malformed as error:
        status = status_of(error)
        await send({"type": "websocket.http.response.start", "status": status, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"", "more_body": False})
        return
    except Refusal as refusal:
        socket = Socket(receive, send)
        if refusal.reason is ServerReason.TOO_FAST:
            await state.gate.socket_limits.slow_refusals.delay(socket.wait_until_gone())
        await socket.reject()
        return
    scope["state"][SERVE_SOCKET_KEY] = partial(serve, state.rooms, table, visit)


async def serve(rooms: Rooms, table: str, visit: SocketVisit, receive: Receive, send: Send) -> None:
    """Serve a client from its first message to its last."""
    socket = Socket(receive, send)
    with rooms.open(table) as room:
        refusal_reason = await serve_in_room(room, visit, socket, rooms.joining)
    if refusal_reason:
        await visit.delay_refusal(socket.wait_until_gone())
        await socket.close(TRY_LATER, refusal_reason)


async def serve_in_room(
    room: Room, visit: SocketVisit, socket: Socket, joining: asyncio.Semaphore
) -> str:
    """Returns why the client has to be refused; an empty text if it was served."""
    connection = Connection(visit.holder)
    reason = ""
    sender: Sender | None = None
    try:
        async with wait_for_turn_to_join(joining):
            await socket_requests.join(room, connection, visit.enter)
            if await socket_requests.is_heavy_to_show(room):
                visit.count_heavy()
            await socket.accept()
            sender = Sender(socket, connection, room.services.clock)
            await socket_requests.send_match(room, connection)
        await handle_messages(socket, connection, room, visit)
    except ClientGone:
        pass
    except TooManySockets:
        reason = TOO_MANY_SOCKETS_REASON
    except Refusal as refusal:
        if refusal.reason is ServerReason.TOO_FAST:
            reason = refusal.reason
        else:
            connection.close(NOT_FOUND)
    except Unavailable:
        connection.close(TRY_LATER)
    finally:
        visit.leave()
        connection.close()
        if sender is not None:
            await sender.stop(0 if connection.overflowed else FLUSH_SECONDS)
        elif not reason:
            await socket.close(connection.code)
        socket_requests.leave(room, connection)
    return reason if sender is None else ""


@asynccontextmanager
async def wait_for_turn_to_join(joining: asyncio.Semaphore) -> AsyncIterator[None]:
    """Wait until few enough others are joining. Raises Unavailable after a while."""
    try:
        async with asyncio.timeout(JOIN_TIMEOUT_SECONDS):
            await joining.acquire()
    except TimeoutError:
        raise Unavailable("too many are joining") from None
    try:
        yield
    finally:
        joining.release()


class Sender:
    """Sends what is queued, and pings now and then to measure the delay and notice lost clients.

    It has a task only while there is something to send: a waiting one takes 1.5 KiB, and most
    connections are quiet most of the time.
    """

    __slots__ = ("_clock", "_connection", "_ping_timer", "_socket", "_task")

    def __init__(self, socket: Socket, connection: Connection, clock: Clock) -> None:
        self._socket = socket
        self._connection = connection
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        connection.wake_sender = self._wake
        self._ping_repeatedly()
        self._wake()

    def _ping_repeatedly(self) -> None:
        loop = asyncio.get_running_loop()
        self._ping_timer = loop.call_later(PING_EVERY_SECONDS, self._ping_repeatedly)
        self._connection.send(self._connection.make_ping(self._clock()))

    def _wake(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        connection = self._connection
        try:
            while (data := connection.take_message()) is not None:
                await self._socket.send(data)
            if connection.closing:
                await self._socket.close(connection.code)
        except (RuntimeError, OSError):
            connection.close()  # the client has gone; the receiving side notices it too
        finally:
            self._task = None

    async def stop(self, seconds: float) -> None:
        """Stop pinging at once, and sending after this many seconds. The connection is closed
        already."""
        self._ping_timer.cancel()
        self._connection.wake_sender = None
        if task := self._task:
            await asyncio.wait([task], timeout=seconds)
            task.cancel()
            await asyncio.wait([task])


async def handle_messages(
    socket: Socket, connection: Connection, room: Room, visit: SocketVisit | None = None
) -> None:
    """Answer messages until the connection ends. Only `visit` counts them together with those of
    other connections."""
    recent: list[int] = []
    """When they arrived. A list, because a deque takes 600 bytes even if it's empty."""
    while not connection.closing:
        data = await next_message(socket, connection)
        if data is None:
            log.info("a client reads too slowly")
            return
        if visit and not socket_requests.is_member(room, connection):
            await visit.wait_for_turn()
        now = room.services.clock()
        if len(data) > MAX_MESSAGE_BYTES:
            connection.close(TOO_BIG)
            return
        while recent and now - recent[0] >= WINDOW_MS:
            del recent[0]
        if len(recent) == MAX_MESSAGES:
            connection.send(Refused(id=None, reason=ServerReason.TOO_FAST))
            connection.close(POLICY)
            return
        recent.append(now)
        await handle_message(data, connection, room, now, visit)
        await asyncio.sleep(0)  # so that answers are sent even if more messages are waiting


async def next_message(socket: Socket, connection: Connection) -> str | None:
    """The next message; None if the client reads too slowly, when the sender might wait forever.
    Only waiting is interrupted, never an answer."""
    task = asyncio.current_task()
    assert task
    connection.interrupt = task.cancel  # asyncio.timeout would do the same, with 400 bytes more
    try:
        return await socket.receive()
    except asyncio.CancelledError:
        if connection.overflowed and not task.uncancel():
            return None
        raise
    finally:
        connection.interrupt = None


async def handle_message(
    data: str | bytes, connection: Connection, room: Room, now: int, visit: SocketVisit | None
) -> None:
    """Do what a message asks for. If anything is wrong with it, say so and do nothing."""
    id: str | None = None
    try:
        try:
            message = decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            if visit:
                visit.count_message(member=socket_requests.is_member(room, connection))
            raise Malformed(Reason.BAD_REQUEST, problem=str(error)) from None
        if isinstance(message, Act):
            id = message.id
        if visit:
            count_message(message, visit, member=socket_requests.is_member(room, connection))
        match message:
            case Act():
                seq = await socket_requests.act(room, connection, message)
                connection.send(Done(id=message.id, seq=seq))
            case Sit(seat):
                await socket_requests.watch_from(room, connection, seat)
            case Sync(seq, hash):
                await socket_requests.sync(room, connection, seq, hash)
            case Pong(n):
                socket_requests.handle_pong(room, connection, n, now)
            case React(reaction):
                await socket_requests.add_talk(room, connection, reaction=reaction)
            case Chat(text):
                await socket_requests.add_talk(room, connection, text=text)
            case _:
                assert_never(message)
    except Refusal as refusal:
        connection.send(
            Refused(id=id, reason=refusal.reason, detail=encodable_detail(refusal.detail))
        )
        if isinstance(refusal, TooManyMessages):
            connection.close(POLICY)
    except (Unavailable, Conflict):
        connection.send(Refused(id=id, reason=ServerReason.UNAVAILABLE))


def count_message(message: ClientMessage, visit: SocketVisit, *, member: bool) -> None:
    """Count a message. Raises Illegal(TOO_FAST)."""
    visit.count_message(member=member)
    if isinstance(message, React | Chat):
        visit.count_talk(member=member)


def encodable_detail(detail: dict[str, Any]) -> dict[str, Any]:
    """The detail of a refusal, unless it repeats a number that JSON can't encode here."""
    try:
        msgspec.json.encode(detail)
    except OverflowError:
        return {}
    return detail
