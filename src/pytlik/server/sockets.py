"""A table's socket: messages in, messages out, and nothing that was not asked for or told."""

import asyncio
from collections import deque
from typing import Any, assert_never

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from pytlik.game import Malformed, Reason, Refusal
from pytlik.server.hub import Connection
from pytlik.server.live import Live
from pytlik.server.wire import (
    Act,
    Chat,
    Chatted,
    ClientMessage,
    Done,
    Hello,
    Ping,
    Pong,
    React,
    Reacted,
    Refused,
    Sit,
    Sync,
)
from pytlik.store import Unavailable

FRAME = 8_192
"""The longest message of a client, in bytes."""
FRAMES, WINDOW = 120, 20_000
"""So many messages in so many milliseconds."""
PING_EVERY = 10.0

POLICY, TOO_BIG, TRY_LATER, NOT_FOUND, FORBIDDEN = 1008, 1009, 1013, 4404, 4403

Socket = WebSocket[Any, Any, Any]

decoder = msgspec.json.Decoder(ClientMessage)


@websocket("/api/tables/{table:str}/socket")
async def table_socket(socket: Socket, table: str) -> None:
    live: Live = socket.app.state.live
    try:
        holder = socket.app.state.gate.holder_of_socket(socket)
    except Refusal:
        await socket.close(FORBIDDEN)
        return
    connection = Connection(table, holder)
    try:
        found = await live.join(connection)
    except Refusal:
        await socket.accept()
        await socket.close(NOT_FOUND)
        return
    await socket.accept()
    connection.send(
        Hello(
            table=live.info(found),
            yours=found.table.held_by(holder),
            host=found.table.host == holder,
            now=live.clock(),
        )
    )
    sender = asyncio.create_task(send(socket, connection, live))
    try:
        await live.show(connection)
        live.presence(connection)
        await receive(socket, connection, live)
    except WebSocketDisconnect:
        pass
    finally:
        connection.close()
        await sender
        await live.leave(connection)


async def send(socket: Socket, connection: Connection, live: Live) -> None:
    """Send what there is; ping now and then, to measure the delay and to notice who is gone."""
    pinged = asyncio.get_running_loop().time() - PING_EVERY
    try:
        while True:
            wait = pinged + PING_EVERY - asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(max(wait, 0)):
                    data = await connection.next()
            except TimeoutError:
                pinged = asyncio.get_running_loop().time()
                data = msgspec.json.encode(Ping(n=live.clock()))
            if data is None:
                break
            await socket.send_data(data, mode="text", encoding="utf-8")
        await socket.close(TRY_LATER)
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # the client has gone; whoever receives notices it too
    connection.close()


async def receive(socket: Socket, connection: Connection, live: Live) -> None:
    recent: deque[int] = deque(maxlen=FRAMES)
    while not connection.closing:
        data = await socket.receive_data(mode="text")
        now = live.clock()
        if len(data) > FRAME:
            await socket.close(TOO_BIG)
            return
        if len(recent) == FRAMES and now - recent[0] < WINDOW:
            connection.send(Refused(id=None, reason=Reason.TOO_FAST))
            await socket.close(POLICY)
            return
        recent.append(now)
        await answer(data, connection, live, now)


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
                seq = await live.act(connection, message.seat, message.action, message.id)
                connection.send(Done(id=message.id, seq=seq))
            case Sit(seat):
                await live.sit(connection, seat)
            case Sync(seq, hash):
                await live.sync(connection, seq, hash)
            case Pong(n):
                connection.measured(now - n)
            case React(reaction):
                live.say(connection, lambda seat: Reacted(seat=seat, reaction=reaction))
            case Chat(text):
                live.chat(connection, lambda seat: Chatted(seat=seat, text=text))
            case _:
                assert_never(message)
    except Refusal as refusal:
        connection.send(Refused(id=id, reason=refusal.reason, detail=refusal.detail))
    except Unavailable:
        connection.send(Refused(id=id, reason=Reason.UNAVAILABLE))
