"""A client's end of a websocket in a few lines: so little work that the server is what is measured.

What it sends is masked with zeros, which changes nothing and is as good a mask as any.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import cast

TEXT, PING, PONG = 0x1, 0x9, 0xA


class Closed(Exception):
    """The server has ended the connection."""


class Socket(asyncio.Protocol):
    """Calls `heard` with each message."""

    def __init__(self, path: str, headers: Mapping[str, str], heard: "Heard") -> None:
        self.heard = heard
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost: Callable[[], None] = lambda: None
        self._transport: asyncio.WriteTransport | None = None
        self._buffer = bytearray()
        self._path = path
        self._headers = {
            "Host": "127.0.0.1",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
            **headers,
        }

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)
        lines = [f"GET {self._path} HTTP/1.1", *(f"{k}: {v}" for k, v in self._headers.items())]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if not self.opened.done():
            self.opened.set_exception(Closed("before it was open"))
        self.lost()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self.opened.done():
            head, found, _ = bytes(buffer).partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.opened.set_exception(Closed(head.decode()))
                return
            self.opened.set_result(None)
            del buffer[: len(head) + 4]
        at = 0
        while len(buffer) - at >= 2:
            begin, size = at + 2, buffer[at + 1]
            if size == 126:
                begin, size = at + 4, int.from_bytes(buffer[at + 2 : at + 4])
            elif size == 127:
                begin, size = at + 10, int.from_bytes(buffer[at + 2 : at + 10])
            if len(buffer) < begin + size:
                break
            kind = buffer[at] & 0xF
            if kind == TEXT:
                self.heard(self, bytes(buffer[begin : begin + size]))
            elif kind == PING:
                self.say(bytes(buffer[begin : begin + size]), PONG)
            at = begin + size
        del buffer[:at]

    def say(self, text: bytes, kind: int = TEXT) -> None:
        assert self._transport
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        self._transport.write(bytes([0x80 | kind]) + length + bytes(4) + text)

    def close(self) -> None:
        self.lost = lambda: None
        if self._transport:
            self._transport.close()


Heard = Callable[[Socket, bytes], None]


async def connect(
    port: int, path: str, heard: Heard, headers: Mapping[str, str] | None = None
) -> Socket:
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(path, headers or {}, heard), "127.0.0.1", port
    )
    await socket.opened
    return socket
