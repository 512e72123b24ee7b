"""Company for a program that goes on until somebody stops it.

    python tests/docs/background_programs.py serve --lan

Whoever tries a sample would look at it and then end it; this does the same. A server is asked for
its page and is told to stop, a game in the terminal is left by its key. All of them must do what
the documents say of them, and end in good order: then the exit status is 0.
"""

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import segno

TIMEOUT_SECONDS = 60
"""Seconds until what does not happen has failed to."""

STOP_SECONDS = 15
"""Seconds that a server gets to stop; the page on hosting gives it as many."""

PYTLIK_COMMAND = [sys.executable, "-m", "pytlik"]

OPENED_FILE = "opened"
"""The file in the home folder where the machine's browser writes what it has opened."""

TERMINAL_SIZE = (24, 80)
LEAVE_KEY_NAME, LEAVE_KEY = "^q", b"\x11"
"""Ctrl+Q, as the last row of every screen names it and as a terminal sends it."""


def check_server(words: list[str]) -> None:
    opened = Path.home() / OPENED_FILE
    opened.unlink(missing_ok=True)
    process = start_process([*PYTLIK_COMMAND, *words], stdout=subprocess.PIPE)
    try:
        assert process.stdout
        said = ""
        while not (found := re.search(r"http://\S+", said)):
            line = process.stdout.readline().decode()
            assert line, "it has ended without an address"
            said += line
        address = found[0]
        wait_until(lambda: is_serving(address), f"{address} does not answer")
        if words[:1] != ["serve"] and "--no-browser" not in words:
            wait_until(
                lambda: opened.exists() and opened.read_text().strip() == address, "no browser"
            )
        process.send_signal(signal.SIGTERM)
        said += process.communicate(timeout=STOP_SECONDS)[0].decode()
        assert process.returncode == 0, f"its end: {process.returncode}"
        if "--lan" in words:
            assert draw_qr_code(address) in said, "where is the QR code?"
        sys.stdout.write(said)
    finally:
        end_process(process)


def is_serving(address: str) -> bool:
    """Ready, and its page is one."""
    try:
        with urlopen(f"{address}readyz", timeout=TIMEOUT_SECONDS), urlopen(address) as page:
            return b"<script" in page.read()
    except OSError:
        return False


def draw_qr_code(address: str) -> str:
    drawn = io.StringIO()
    segno.make(address).terminal(drawn, compact=True)
    return drawn.getvalue()


def check_terminal_game(words: list[str]) -> None:
    """In a terminal, until there is something to be seen."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *TERMINAL_SIZE, 0, 0))
    os.environ["TERM"] = "xterm-256color"
    process = start_process([*PYTLIK_COMMAND, *words], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""

    def look() -> bool:
        """Whether the program is still there to show something."""
        nonlocal shown
        if select.select([ours], [], [], 0.01)[0]:
            try:
                shown += os.read(ours, 1 << 16)
            except OSError:
                return False  # so Linux says that nobody writes there any more
        return process.poll() is None

    try:
        wait_until(
            lambda: LEAVE_KEY_NAME in visible_text(shown) or not look(), "nothing is to be seen"
        )
        os.write(ours, LEAVE_KEY)
        wait_until(lambda: not look(), "it does not end")
        assert process.wait(TIMEOUT_SECONDS) == 0, visible_text(shown)
    finally:
        end_process(process)
        os.close(ours)


def visible_text(shown: bytes) -> str:
    """What a terminal was sent, without what moves the cursor and gives colours."""
    return re.sub(r"\x1b(\[[0-?]*[ -/]*[@-~]|.)", "", shown.decode(errors="replace"))


def start_process(
    words: list[str],
    stdin: int = subprocess.DEVNULL,
    stdout: int | None = None,
    stderr: int | None = None,
) -> "subprocess.Popen[bytes]":
    """In a session of its own, so that a terminal can be its own, and all of it can be ended."""
    return subprocess.Popen(
        words,
        bufsize=0,  # what is not asked for yet is left for later
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )


def end_process(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout:
        process.stdout.close()


def wait_until(happened: Callable[[], bool], otherwise: str) -> None:
    give_up = time.monotonic() + TIMEOUT_SECONDS
    while not happened():
        assert time.monotonic() < give_up, otherwise
        time.sleep(0.01)  # another process: there is nothing to wait on


if __name__ == "__main__":
    try:
        (check_terminal_game if sys.argv[1:2] == ["play"] else check_server)(sys.argv[1:])
    except (AssertionError, subprocess.TimeoutExpired) as problem:
        sys.exit(f"company: {problem}")
