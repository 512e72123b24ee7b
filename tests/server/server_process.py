"""The server as a separate process that a test can stop, kill and restart."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import httpx

TIMEOUT_SECONDS = 120.0


class ServerProcess:
    """`pytlik serve` on a port chosen by the system, and on the same one after a restart."""

    program: Sequence[str] = (sys.executable, "-m", "pytlik")

    def __init__(self, database: str, *words: str, log: Path | None = None, **env: str) -> None:
        self.database = database
        self.port = 0
        self._words = words
        self._env = {f"PYTLIK_{name.upper()}": value for name, value in env.items()}
        self._log = log
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def start(self) -> Self:
        words = ["serve", "--port", str(self.port), "--database", self.database, *self._words]
        # A group of its own, so that a kill reaches all of its workers.
        with (self._log or Path(os.devnull)).open("ab") as log:
            self._process = subprocess.Popen(
                [*self.program, *words],
                env={"PYTLIK_LIMIT_SCALE": "100000", **os.environ, **self._env},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        assert self._process.stdout
        line = self._process.stdout.readline()
        self.port = urlsplit(line.split()[-1]).port or 0
        self._wait_until_ready()
        return self

    def _wait_until_ready(self) -> None:
        assert self._process
        ready = f"{self.address}{self._env.get('PYTLIK_BASE_PATH', '')}/readyz"
        give_up = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < give_up and self._process.poll() is None:
            try:
                if httpx.get(ready, timeout=2).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.02)  # another process: its port is all there is to wait for
        raise TimeoutError("the server did not start")

    def kill(self) -> None:
        """Kill all workers at once, without warning."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the server as a service manager does."""
        assert self._signal(signal.SIGTERM) == 0, "the server exited with an error"

    def stop_first_process(self) -> int:
        """Stop it as a container does, where only the first process gets the signal. Returns the
        exit status."""
        return self._signal(signal.SIGTERM, send=os.kill)

    def _signal(self, number: int, send: Callable[[int, int], None] = os.killpg) -> int:
        """Send a signal and return the exit status."""
        if self._process is None:
            return 0
        send(self._process.pid, number)
        status = self._process.wait(TIMEOUT_SECONDS)
        assert self._process.stdout
        self._process.stdout.close()
        self._process = None
        return status

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
