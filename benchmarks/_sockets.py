"""A minimal websocket client that does so little work that it's the server that is measured. It
masks what it sends with zeros, which is a valid mask and changes nothing."""

import asyncio
import socket as sockets
from collections.abc import Callable, Mapping
from typing import cast

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA

SLOW_BUFFER_BYTES, SLOW_PAUSE_SECONDS = 4096, 4.0
"""How much a slow reader reads at once, and how long it then pauses."""


class ConnectionClosed(Exception):
    """The server closed the connection."""


class Socket(asyncio.Protocol):
    """Calls `on_message` for each message, and `lost` if the server ends the connection."""

    def __init__(
        self, path: str, headers: Mapping[str, str], on_message: "OnMessage", *, slow: bool = False
    ) -> None:
        self.on_message = on_message
        self._slow = slow
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost: Callable[[], None] = lambda: None
        self._transport: asyncio.Transport | None = None
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
        self._transport = cast("asyncio.Transport", transport)
        lines = [f"GET {self._path} HTTP/1.1", *(f"{k}: {v}" for k, v in self._headers.items())]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())

    @property
    def local_port(self) -> int:
        assert self._transport
        return int(self._transport.get_extra_info("sockname")[1])

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if not self.opened.done():
            self.opened.set_exception(ConnectionClosed("before it was open"))
        self.lost()

    def data_received(self, data: bytes) -> None:
        if self._slow and self._transport:
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(SLOW_PAUSE_SECONDS, self._resume)
        buffer = self._buffer
        buffer += data
        if not self.opened.done():
            head, found, _ = bytes(buffer).partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.opened.set_exception(ConnectionClosed(head.decode()))
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
                self.on_message(self, bytes(buffer[begin : begin + size]))
            elif kind == PING:
                self.send(bytes(buffer[begin : begin + size]), PONG)
            elif kind == CLOSE and self._transport:
                self._transport.close()
            at = begin + size
        del buffer[:at]

    def _resume(self) -> None:
        if self._transport and not self._transport.is_closing():
            self._transport.resume_reading()

    def send(self, text: bytes, kind: int = TEXT) -> None:
        assert self._transport
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        self._transport.write(bytes([0x80 | kind]) + length + bytes(4) + text)

    def close(self) -> None:
        self.lost = lambda: None
        if self._transport:
            self._transport.close()


OnMessage = Callable[[Socket, bytes], None]


async def connect(
    port: int,
    path: str,
    on_message: OnMessage,
    headers: Mapping[str, str] | None = None,
    *,
    slow: bool = False,
) -> Socket:
    loop = asyncio.get_running_loop()
    raw = sockets.socket()
    raw.setblocking(False)  # noqa: FBT003 - the only way to call it
    try:
        if slow:
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, SLOW_BUFFER_BYTES)
        await loop.sock_connect(raw, ("127.0.0.1", port))
    except BaseException:
        raw.close()
        raise
    _, socket = await loop.create_connection(
        lambda: Socket(path, headers or {}, on_message, slow=slow), sock=raw
    )
    try:
        await socket.opened
    except BaseException:
        socket.close()
        raise
    return socket
