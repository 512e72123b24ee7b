"""A connection between browser and server that breaks when a test wants it to."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

from tests.page.page_player import HOST


class BreakableConnection:
    """Forwards data both ways until it's cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open = True
        self._deaf = False
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server((HOST, 0))
        self.address = f"http://{HOST}:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def swallow_answers(self) -> None:
        """From now on, drop whatever the server answers."""
        self._deaf = True

    def cut(self) -> None:
        """Close every connection, and each new one at once."""
        with self._lock:
            self._open = False
            ends, self._ends = self._ends, []
        for end in ends:
            close_socket(end)

    def repair(self) -> None:
        self._deaf = False
        self._open = True

    def _listen(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _ = self._listener.accept()
                with self._lock:
                    if not self._open:
                        client.close()
                        continue
                    server = socket.create_connection((HOST, self._to))
                    self._ends += [client, server]
                for pair in ((client, server, False), (server, client, True)):
                    threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source: socket.socket, to: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if not (answers and self._deaf):
                    to.sendall(data)
        close_socket(to)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cut()
        close_socket(self._listener)
        self._thread.join()


def close_socket(end: socket.socket) -> None:
    """Close a socket, and wake any thread that waits for data there."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
