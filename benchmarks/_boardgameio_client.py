"""Tables on boardgame.io's server, which creates a match when the first player joins."""

import asyncio
import itertools
from functools import partial

import msgspec

from benchmarks._load_generator import SEATS, Table
from benchmarks._sockets import OnMessage, Socket, connect


class BoardgameIoTable(Table):
    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._state = -1
        self._owed = False
        self._to_move = 0

    def choose(self) -> tuple[int, bytes] | None:
        if self._to_move not in self.sockets:
            return None
        self.reached = self._state + 1
        kind, words = ("draw", []) if self._owed else ("lay", [0])
        seat = str(self._to_move)
        move = {"type": kind, "args": words, "playerID": seat}
        asked = ["update", {"type": "MAKE_MOVE", "payload": move}, self._state, self.id, seat]
        return self._to_move, b"42/unikat," + msgspec.json.encode(asked)

    def on_message(self, seat: int, socket: Socket, message: bytes) -> None:
        if message == b"2":
            socket.send(b"3")
        elif message.startswith((b'42/unikat,["update"', b'42/unikat,["sync"')):
            number = int(number_after(message, b'"_stateID":'))
            if number > self._state:
                self._state = number
                self._owed = b'"owed":true' in message
                self._to_move = int(number_after(message, b'"currentPlayer":"'))
            # The new state is the only answer.
            if seat == self.actor and number >= self.reached:
                self.note_answer()
            self.note_state(seat, number)


def number_after(message: bytes, mark: bytes) -> bytes:
    """The digits that follow a marker."""
    begin = end = message.index(mark) + len(mark)
    while 48 <= message[end] <= 57:
        end += 1
    return message[begin:end]


class BoardgameIoClient:
    games = ("unikat",)

    def __init__(self, port: int) -> None:
        self.port = port
        self._numbers = itertools.count(1)

    def create_table(self, _: str = "unikat") -> str:
        return f"m{next(self._numbers)}"

    async def join(
        self, id: str, on_message: OnMessage, person: int | None = None, *, slow: bool = False
    ) -> Socket:
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
                if not synced.done():
                    synced.set_result(None)

        path = "/socket.io/?EIO=4&transport=websocket"
        socket = await connect(self.port, path, first, slow=slow)
        try:
            await synced
        except BaseException:
            socket.close()
            raise
        return socket

    async def join_table(self, id: str, _: str) -> Table:
        table = BoardgameIoTable(id)
        for person in SEATS:
            await table.join(person, partial(self.join, table.id, person=person))
        return table

    async def watch(self, table: str, *, slow: bool = False) -> Socket:
        return await self.join(table, answer_ping, slow=slow)


def answer_ping(socket: Socket, message: bytes) -> None:
    if message == b"2":
        socket.send(b"3")
