"""Tables of four connections on Pytlik's server and on boardgame.io's, and two ways to load them:
as fast as possible, and at a given rate.

An action is done when all four connections have received it, and whoever sent it has the answer, if
there is one.
"""

import asyncio
import http.client
import itertools
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec

from benchmarks._sockets import OnMessage, Socket, connect
from pytlik.server import tokens

SEATS = range(4)
ROUNDS = 20
NOT_ACKNOWLEDGED = 1 << 31


class Table(ABC):
    """A table in play. `act` sends the next action; `done` is called when everyone has it."""

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self.done: Callable[[Table], None] = lambda _: None
        self.failed: str | None = None
        self.began = 0.0
        self.known = [-1] * len(SEATS)
        """The state number that each connection has received."""
        self.reached = 0
        """The state number after the latest action; NOT_ACKNOWLEDGED until the server answers."""
        self.busy = True

    @abstractmethod
    def act(self) -> None: ...

    async def join(self, seat: int, joining: Callable[[OnMessage], Awaitable[Socket]]) -> Socket:
        socket = await joining(lambda socket, message: self.on_message(seat, socket, message))
        socket.lost = self._lost
        self.sockets.append(socket)
        return socket

    @abstractmethod
    def on_message(self, seat: int, socket: Socket, message: bytes) -> None: ...

    def look(self) -> None:
        if self.busy and min(self.known) >= self.reached:
            self.busy = False
            self.done(self)

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()

    def _lost(self) -> None:
        self.failed = "the server has closed a connection"


# ------------------------------------------------------------------------------------------ Pytlik


class Choices(msgspec.Struct):
    lay: dict[str, list[tuple[int, int]]]
    swap: bool
    draw: bool
    take: list[str]
    decline: bool
    pass_: bool = msgspec.field(name="pass")
    ready: bool


class View(msgspec.Struct):
    hand: list[str]
    choices: Choices


class Update(msgspec.Struct):
    seq: int
    view: View


update = msgspec.json.Decoder(Update)


def choose(view: View, *, lay: bool) -> Any:
    """A legal action, found without thinking; None if the seat has nothing to do."""
    can = view.choices
    if can.draw:
        return {"kind": "draw", "take": can.take[0]}
    if can.lay and (lay or not can.swap):
        tile, cells = next(iter(can.lay.items()))
        return {"kind": "lay", "tiles": [(tile, *cells[0])]}
    if can.swap:
        return {"kind": "swap", "give": view.hand[0], "take": can.take[0]}
    for kind, may in (("decline", can.decline), ("pass", can.pass_), ("ready", can.ready)):
        if may:
            return {"kind": kind}
    return None


class PytlikTable(Table):
    def __init__(self) -> None:
        super().__init__()
        self._views: list[View | None] = [None] * len(SEATS)
        self._numbers = itertools.count(1)

    def act(self) -> None:
        number = next(self._numbers)
        known = [(seat, view) for seat, view in enumerate(self._views) if view]
        can = ((seat, choose(view, lay=number % 4 > 0)) for seat, view in known)
        seat, action = next(((seat, action) for seat, action in can if action), (0, None))
        if action is None:
            self.failed = "the match is over"
            return
        self.busy, self.reached = True, NOT_ACKNOWLEDGED
        asked = {"kind": "act", "id": str(number), "seat": seat, "action": action}
        self.sockets[seat].send(msgspec.json.encode(asked))

    def on_message(self, seat: int, socket: Socket, message: bytes) -> None:
        kind = message[9:13]
        if kind == b"upda":
            news = update.decode(message)
            self._views[seat] = news.view
            self.known[seat] = news.seq
            self.look()
        elif kind == b"done":
            self.reached = json.loads(message)["seq"]
            self.look()
        elif kind == b"refu":
            self.failed = message.decode()
        else:
            answer_ping(socket, message)


class PytlikServer:
    """Pytlik's server, used by four people who sit at every table."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._people = [tokens.new_token() for _ in SEATS]
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self, person: int, path: str, body: Any) -> Any:
        headers = {"Authorization": self.bearer(person), "Content-Type": "application/json"}
        self._http.request("POST", path, json.dumps(body), headers)
        answer = self._http.getresponse()
        content = json.loads(answer.read())
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {content}")
        return content

    def bearer(self, person: int) -> str:
        return f"Bearer {self._people[person]}"

    def new_table(self) -> str:
        """A table where everybody sits, with a match under way."""
        made = self.ask(0, "/api/tables", {"game": "unikat", "options": {"rounds": ROUNDS}})
        id: str = made["table"]["id"]
        for person in SEATS:
            self.ask(person, f"/api/tables/{id}/seats", {"name": f"P{person}", "seat": person})
        self.ask(0, f"/api/tables/{id}/start", {})
        return id

    async def join(self, id: str, on_message: OnMessage, person: int | None = None) -> Socket:
        headers = {} if person is None else {"Authorization": self.bearer(person)}
        return await connect(self.port, f"/api/tables/{id}/socket", on_message, headers)

    async def table(self) -> Table:
        table = PytlikTable()
        id = self.new_table()
        for person in SEATS:
            await table.join(person, partial(self.join, id, person=person))
        return await wait_until_ready(table)

    async def watch(self, table: str) -> Socket:
        return await self.join(table, answer_ping)


def answer_ping(socket: Socket, message: bytes) -> None:
    if message[9:13] == b"ping":
        socket.send(b'{"kind":"pong","n":%d}' % json.loads(message)["n"])


# ------------------------------------------------------------------------------------ boardgame.io


class BoardgameIoTable(Table):
    def __init__(self, id: str) -> None:
        super().__init__()
        self._id = id
        self._owed = False
        self._to_move = 0

    def act(self) -> None:
        self.busy, self.reached = True, self.known[0] + 1
        kind, words = ("draw", []) if self._owed else ("lay", [0])
        seat = str(self._to_move)
        move = {"type": kind, "args": words, "playerID": seat}
        asked = ["update", {"type": "MAKE_MOVE", "payload": move}, self.known[0], self._id, seat]
        self.sockets[self._to_move].send(b"42/unikat," + msgspec.json.encode(asked))

    def on_message(self, seat: int, socket: Socket, message: bytes) -> None:
        if message == b"2":
            socket.send(b"3")
        elif message.startswith((b'42/unikat,["update"', b'42/unikat,["sync"')):
            if seat == 0:
                self._owed = b'"owed":true' in message
                self._to_move = int(number_after(message, b'"currentPlayer":"'))
            self.known[seat] = int(number_after(message, b'"_stateID":'))
            self.look()


def number_after(message: bytes, mark: bytes) -> bytes:
    """The digits that follow a marker."""
    begin = end = message.index(mark) + len(mark)
    while 48 <= message[end] <= 57:
        end += 1
    return message[begin:end]


class BoardgameIoServer:
    """boardgame.io's server, which creates a match for the first who joins."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._numbers = itertools.count(1)

    def new_table(self) -> str:
        return f"m{next(self._numbers)}"

    async def join(self, id: str, on_message: OnMessage, person: int | None = None) -> Socket:
        seat = None if person is None else str(person)
        sync = b"42/unikat," + msgspec.json.encode(["sync", id, seat, None, len(SEATS)])
        synced = asyncio.get_running_loop().create_future()

        def first(socket: Socket, message: bytes) -> None:
            if message.startswith(b"0"):
                socket.send(b"40/unikat,")
            elif message.startswith(b"40/unikat"):
                socket.send(sync)
            elif message.startswith(b'42/unikat,["sync"'):
                socket.on_message = on_message
                on_message(socket, message)
                synced.set_result(None)

        socket = await connect(self.port, "/socket.io/?EIO=4&transport=websocket", first)
        await synced
        return socket

    async def table(self) -> Table:
        id = self.new_table()
        table = BoardgameIoTable(id)
        for person in SEATS:
            await table.join(person, partial(self.join, id, person=person))
        return await wait_until_ready(table)

    async def watch(self, table: str) -> Socket:
        return await self.join(
            table, lambda socket, message: socket.send(b"3") if message == b"2" else None
        )


async def wait_until_ready(table: Table) -> Table:
    """The table, once everyone has received its state."""
    async with asyncio.timeout(10):
        while table.busy:  # noqa: ASYNC110 - it ends in an instant
            await asyncio.sleep(0.002)
    return table


# ----------------------------------------------------------------------------------------- playing


class PlayResult(NamedTuple):
    actions: int
    seconds: float
    waits: list[float]
    """Seconds from when each action was due until everyone had received it, ascending."""

    @property
    def rate(self) -> float:
        return self.actions / self.seconds

    def percentile(self, percent: float) -> float:
        """In milliseconds."""
        return 1000 * self.waits[min(len(self.waits) - 1, int(len(self.waits) * percent / 100))]


async def play_at_full_speed(tables: list[Table], seconds: float) -> PlayResult:
    """At each table, send the next action as soon as everyone has received the last one."""
    waits: list[float] = []
    stop = time.perf_counter() + seconds

    def done(table: Table) -> None:
        now = time.perf_counter()
        waits.append(now - table.began)
        if now < stop:
            table.began = now
            table.act()

    start = time.perf_counter()
    for table in tables:
        table.done = done
        table.began = time.perf_counter()
        table.act()
    await asyncio.sleep(max(0, stop - time.perf_counter()))
    await wait_until_idle(tables)
    return PlayResult(len(waits), time.perf_counter() - start, sorted(waits))


async def play_at_rate(tables: list[Table], rate: float, seconds: float) -> PlayResult:
    """Send this many actions a second, however slow the server is. Waits count from when an action
    was due."""
    waits: list[float] = []

    def done(table: Table) -> None:
        waits.append(time.perf_counter() - table.began)

    for table in tables:
        table.done = done
    start = time.perf_counter()
    turns = itertools.cycle(tables)
    for number in range(int(rate * seconds)):
        due = start + number / rate
        if (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        table = next(turns)
        while table.busy:
            table = next(turns)
            await asyncio.sleep(0)
        table.began = due
        table.act()
    await wait_until_idle(tables)
    return PlayResult(len(waits), time.perf_counter() - start, sorted(waits))


async def wait_until_idle(tables: list[Table]) -> None:
    async with asyncio.timeout(30):
        while any(table.busy for table in tables):
            await asyncio.sleep(0.002)
            if failed := next((table.failed for table in tables if table.failed), None):
                raise RuntimeError(failed)
