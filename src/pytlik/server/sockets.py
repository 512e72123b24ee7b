"""A table's socket: messages in, messages out, and nothing that was not asked for or told."""

import asyncio
import logging
from collections import deque
from typing import Any, assert_never

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from pytlik.game import Malformed, Reason, Refusal
from pytlik.server.hub import TRY_LATER, Connection
from pytlik.server.live import Live
from pytlik.server.wire import (
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
from pytlik.store import Conflict, Unavailable

log = logging.getLogger(__name__)

FRAME = 8_192
"""The longest message of a client, in bytes."""
FRAMES, WINDOW = 120, 20_000
"""So many messages in so many milliseconds."""
PING_EVERY = 10.0
"""Seconds."""
LAST_WORDS = 1.0
"""So many seconds a client has to take what was still to be sent when the connection ends."""

POLICY, TOO_BIG, NOT_FOUND, FORBIDDEN = 1008, 1009, 4404, 4403

Socket = WebSocket[Any, Any, Any]

decoder = msgspec.json.Decoder(ClientMessage)


@websocket("/api/tables/{table:str}/socket")
async def table_socket(socket: Socket, table: FromPath[str]) -> None:
    live: Live = socket.app.state.live
    try:
        holder = socket.app.state.gate.holder_of_socket(socket)
    except Refusal:
        await socket.close(FORBIDDEN)
        return
    # Whoever reads too slowly may keep the sender waiting for ever: this ends the connection.
    patience = asyncio.timeout(None)
    now = asyncio.get_running_loop().time
    connection = Connection(table, holder, lambda: patience.reschedule(now()))
    sender: asyncio.Task[None] | None = None
    try:
        async with patience:
            await live.join(connection)
            await socket.accept()
            sender = asyncio.create_task(send(socket, connection, live))
            await live.show(connection)
            await receive(socket, connection, live)
    except WebSocketDisconnect:
        pass
    except TimeoutError:
        log.info("a client reads too slowly")
    except Refusal:
        connection.close(NOT_FOUND)
    except Unavailable:
        connection.close(TRY_LATER)
    finally:
        connection.close()
        if sender is None:
            await end(socket, connection.code)
        else:
            await asyncio.wait([sender], timeout=0 if connection.overflowed else LAST_WORDS)
            sender.cancel()
            await asyncio.wait([sender])
        await live.leave(connection)


async def end(socket: Socket, code: int) -> None:
    """Close a socket, which says why only once it was accepted."""
    try:
        if socket.connection_state == "init":
            await socket.accept()
        await socket.close(code)
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # it has ended already


async def send(socket: Socket, connection: Connection, live: Live) -> None:
    """Send what there is; ping now and then, to measure the delay and to notice who is gone."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None

    def ping() -> None:
        nonlocal timer
        connection.send(connection.ping(live.clock()))
        timer = loop.call_later(PING_EVERY, ping)

    ping()
    try:
        while (data := await connection.next()) is not None:
            await socket.send_data(data, mode="text", encoding="utf-8")
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # the client has gone; whoever receives notices it too
    else:
        await end(socket, connection.code)
    finally:
        if timer:
            timer.cancel()
    connection.close()


async def receive(socket: Socket, connection: Connection, live: Live) -> None:
    recent: deque[int] = deque(maxlen=FRAMES)
    while not connection.closing:
        data = await socket.receive_data(mode="text")
        now = live.clock()
        if len(data) > FRAME:
            connection.close(TOO_BIG)
            return
        if len(recent) == FRAMES and now - recent[0] < WINDOW:
            connection.send(Refused(id=None, reason=Reason.TOO_FAST))
            connection.close(POLICY)
            return
        recent.append(now)
        await answer(data, connection, live, now)
        await asyncio.sleep(0)  # so that answers leave, though more questions are there already


async def answer(data: str | bytes, connection: Connection, live: Live, now: int) -> None:
    """Do what a message asks for. Whatever is wrong with it is said, and nothing else happens."""
    id: str | None = None
    try:
        try:
            message = decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise Malformed(Reason.BAD_REQUEST, problem=str(error)) from None
        match message:
            case Act():
                id = message.id
                seq = await live.act(
                    connection, message.seat, message.action, message.id, message.match
                )
                connection.send(Done(id=message.id, seq=seq))
            case Sit(seat):
                await live.sit(connection, seat)
            case Sync(seq, hash):
                await live.sync(connection, seq, hash)
            case Pong(n):
                live.measured(connection, n, now)
            case React(reaction):
                await live.say(connection, reaction=reaction)
            case Chat(text):
                await live.say(connection, text=text)
            case _:
                assert_never(message)
    except Refusal as refusal:
        connection.send(Refused(id=id, reason=refusal.reason, detail=sendable(refusal.detail)))
    except (Unavailable, Conflict):
        connection.send(Refused(id=id, reason=Reason.UNAVAILABLE))


def sendable(detail: dict[str, Any]) -> dict[str, Any]:
    """What a refusal says, unless it repeats a number of the client's that JSON here can't say."""
    try:
        msgspec.json.encode(detail)
    except OverflowError:
        return {}
    return detail
