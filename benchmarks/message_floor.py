"""What just the messages of an action cost: a limit for every server in Python.

    python benchmarks/message_floor.py [--repeats N --seconds S --tables N]

For each action a server receives one message and sends five: an update to each of four people, and
an answer. Two servers do this and nothing else. They have no rules, no database, no limits and no
pings, and their messages mean nothing. One uses our layers (uvicorn and websockets on uvloop), the
other writes finished frames to uvloop's connections itself. Pytlik and boardgame.io play beside
them as in server.py. All take turns, and the best of each counts.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple, cast

import uvicorn
import uvloop

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._load_generator import SEATS, Table, play_at_full_speed
from benchmarks._sockets import Socket, connect
from benchmarks.server import (
    UNLIMITED_MESSAGES_PROGRAM,
    Cores,
    RunningServer,
    create_tables,
    install_boardgameio,
    run_boardgameio,
    run_pytlik,
    run_server,
)
from pytlik.server.transport.http_protocol import HttpProtocol
from pytlik.server.transport.websocket_protocol import WebSocketProtocol

UPDATE_BYTES, ACTION = 1_100, b'{"kind":"act","id":"17","seat":2,"action":{"kind":"draw"}}'
"""The mean size of an update of Unikat in server.py, and an action as people send it."""

ANSWER = '{"kind":"done","id":"17","seq":17}'
NUMBER_DIGITS = 9


def make_update(number: int) -> str:
    return f"{number:0{NUMBER_DIGITS}}".ljust(UPDATE_BYTES, "x")


# ------------------------------------------------------------------------------------- the servers


class FloorTable:
    """The connections at a table: for each, the object that sends to it."""

    def __init__(self) -> None:
        self.number = 0
        self.connections: list[Any] = []


async def serve_asgi(tables: dict[str, FloorTable], scope: Any, receive: Any, send: Any) -> None:
    """Our layers and nothing else."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    if scope["type"] != "websocket":
        raise NotImplementedError
    table = tables[scope["path"]]
    await receive()
    await send({"type": "websocket.accept"})
    table.connections.append(send)
    await send({"type": "websocket.send", "text": make_update(table.number)})
    while (await receive())["type"] == "websocket.receive":
        table.number += 1
        update = {"type": "websocket.send", "text": make_update(table.number)}
        for each in table.connections:
            await each(update)
        await send({"type": "websocket.send", "text": ANSWER})
    table.connections.remove(send)


def run_asgi_server(port: int) -> None:
    tables: dict[str, FloorTable] = defaultdict(FloorTable)
    http: Any = partial(HttpProtocol, connection_limits=None)
    uvicorn.run(
        partial(serve_asgi, tables),
        port=port,
        http=http,
        ws=WebSocketProtocol,
        loop="uvloop",
        ws_per_message_deflate=False,
        log_config=None,
        interface="asgi3",
        lifespan="off",
    )


class FloorProtocol(asyncio.Protocol):
    """Understands what our client sends, and nothing else."""

    def __init__(self, tables: dict[str, FloorTable]) -> None:
        self._tables = tables
        self._table: FloorTable | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if self._table:
            self._table.connections.remove(self._transport)

    def data_received(self, data: bytes) -> None:
        assert self._transport
        if self._table is None:
            self._open(data)
            return
        table = self._table
        # A header, a mask of zeros and the action; whole, because nobody sends two at once.
        assert data[6:].endswith(b"}"), data
        table.number += 1
        update = text_frame(make_update(table.number).encode())
        for each in table.connections:
            each.write(update)
        self._transport.write(text_frame(ANSWER.encode()))

    def _open(self, head: bytes) -> None:
        assert self._transport
        request, *lines = head.decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
        if "upgrade" not in headers:
            self._transport.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
            return
        key = next(line for line in lines if line.lower().startswith("sec-websocket-key"))
        digest = sha1(key.split(": ")[1].encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
        self._transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            b"sec-websocket-accept: " + b64encode(digest.digest()) + b"\r\n\r\n"
        )
        self._table = self._tables[request.split()[1]]
        self._table.connections.append(self._transport)
        self._transport.write(text_frame(make_update(self._table.number).encode()))


def text_frame(text: bytes) -> bytes:
    size = len(text)
    return (bytes([0x81, size]) if size < 126 else b"\x81\x7e" + size.to_bytes(2)) + text


def run_raw_frame_server(port: int) -> None:
    async def serve() -> None:
        tables: dict[str, FloorTable] = defaultdict(FloorTable)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: FloorProtocol(tables), "127.0.0.1", port)
        await server.serve_forever()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())


FLOORS: dict[str, Callable[[int], None]] = {
    "layers": run_asgi_server,
    "frames": run_raw_frame_server,
}

# -------------------------------------------------------------------------------------- the client


class FloorClientTable(Table):
    def choose(self) -> tuple[int, bytes]:
        self.reached += 1
        return self.reached % len(SEATS), ACTION

    def on_message(self, seat: int, socket: Socket, message: bytes) -> None:  # noqa: ARG002
        if len(message) == UPDATE_BYTES:
            self.note_state(seat, int(message[:NUMBER_DIGITS]))
        else:
            self.note_answer()
            self.finish_if_received_by_all()


async def create_floor_tables(served: RunningServer, count: int) -> list[Table]:
    tables: list[Table] = []
    for number in range(count):
        table = FloorClientTable(str(number))
        for seat in SEATS:
            await table.join(seat, partial(connect, served.client.port, f"/{number}"))
        tables.append(table)
    return tables


class Speed(NamedTuple):
    rate: float
    cpu: float
    """Milliseconds per action."""


async def measure(served: RunningServer, tables: list[Table], seconds: float) -> Speed:
    await play_at_full_speed(tables, 0.5)  # first uses take longer
    before = served.cpu_ms()
    played = await play_at_full_speed(tables, seconds)
    speed = Speed(played.rate, (served.cpu_ms() - before) / len(played.actions))
    for table in tables:
        table.close()
    return speed


async def measure_game(served: RunningServer, count: int, seconds: float) -> Speed:
    return await measure(served, await create_tables(served, count), seconds)


async def measure_floor(served: RunningServer, count: int, seconds: float) -> Speed:
    return await measure(served, await create_floor_tables(served, count), seconds)


def measure_all(repeats: int, seconds: float, count: int, *, alone: bool) -> dict[str, Speed]:
    available = os.sched_getaffinity(0)
    cores = Cores(min(available), max(available))
    best: dict[str, Speed] = {}

    def note(name: str, speed: Speed) -> None:
        known = best.get(name, speed)
        best[name] = Speed(max(known.rate, speed.rate), min(known.cpu, speed.cpu))

    for _ in range(repeats):
        for name, floor in (("messages alone, our layers", "layers"), ("frames alone", "frames")):
            command = [sys.executable, __file__, "--serve", floor, "--port", "{port}"]
            with run_server(command, cores, "/", {}) as served:
                note(name, asyncio.run(measure_floor(served, count, seconds)))
        with tempfile.TemporaryDirectory(prefix="pytlik-bench-") as folder:
            database = f"sqlite:///{folder}/floor.db"
            with run_pytlik(cores, database, program=UNLIMITED_MESSAGES_PROGRAM) as served:
                note("Pytlik, SQLite", asyncio.run(measure_game(served, count, seconds)))
        if not alone:
            with run_boardgameio(cores) as served:
                note("boardgame.io, in memory", asyncio.run(measure_game(served, count, seconds)))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description="What the messages of an action cost alone.")
    parser.add_argument("--repeats", type=int, default=3, metavar="N")
    parser.add_argument("--seconds", type=float, default=3, metavar="S", help="of each run")
    parser.add_argument("--tables", type=int, default=100, metavar="N")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    parser.add_argument("--serve", choices=FLOORS, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        FLOORS[args.serve](args.port)
        return
    if not args.alone:
        install_boardgameio()
    best = measure_all(args.repeats, args.seconds, args.tables, alone=args.alone)
    print("| | actions/s | CPU ms an action |\n| --- | ---: | ---: |")
    for name, speed in best.items():
        print(f"| {name} | {speed.rate:,.0f} | {speed.cpu:.3f} |")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
