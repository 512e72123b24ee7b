"""Runs a program that doesn't end by itself, checks it and stops it.

    python tests/docs/background_programs.py serve --lan

It does what someone trying a sample would do: look at the program, and then stop it. A server is
asked for its page and terminated; a game in the terminal is left with its key. Each must do what
the documents say and end cleanly: then the exit status is 0.
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
"""Seconds until something that hasn't happened counts as failed."""

STOP_SECONDS = 15
"""Seconds that a server gets to stop, as on the page on hosting."""

PYTLIK_COMMAND = [sys.executable, "-m", "pytlik"]

OPENED_FILE = "opened"
"""The file in the home folder to which the fake browser writes the address it opens."""

TERMINAL_SIZE = (24, 80)
LEAVE_KEY_NAME, LEAVE_KEY = "^q", b"\x11"
"""Ctrl+Q: how the last row of every screen names it, and what a terminal sends."""


def check_server(words: list[str]) -> None:
    opened = Path.home() / OPENED_FILE
    opened.unlink(missing_ok=True)
    process = start_process([*PYTLIK_COMMAND, *words], stdout=subprocess.PIPE)
    try:
        assert process.stdout
        output = ""
        while not (found := re.search(r"http://\S+", output)):
            line = process.stdout.readline().decode()
            assert line, "it ended without an address"
            output += line
        address = found[0]
        wait_until(lambda: is_serving(address), f"{address} does not answer")
        if words[:1] != ["serve"] and "--no-browser" not in words:
            wait_until(
                lambda: opened.exists() and opened.read_text().strip() == address,
                "the browser wasn't opened",
            )
        process.send_signal(signal.SIGTERM)
        output += process.communicate(timeout=STOP_SECONDS)[0].decode()
        assert process.returncode == 0, f"exit status {process.returncode}"
        if "--lan" in words:
            assert draw_qr_code(address) in output, "where is the QR code?"
        sys.stdout.write(output)
    finally:
        end_process(process)


def is_serving(address: str) -> bool:
    """Whether the server is ready and serves the page."""
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
    """Run a game in a terminal, and leave it once its screen is drawn."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *TERMINAL_SIZE, 0, 0))
    os.environ["TERM"] = "xterm-256color"
    process = start_process([*PYTLIK_COMMAND, *words], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""

    def look() -> bool:
        """Read what there is, and return whether the program is still running."""
        nonlocal shown
        if select.select([ours], [], [], 0.01)[0]:
            try:
                shown += os.read(ours, 1 << 16)
            except OSError:
                return False  # how Linux reports that the other end is closed
        return process.poll() is None

    try:
        wait_until(lambda: LEAVE_KEY_NAME in visible_text(shown) or not look(), "nothing is shown")
        os.write(ours, LEAVE_KEY)
        wait_until(lambda: not look(), "it doesn't end")
        assert process.wait(TIMEOUT_SECONDS) == 0, visible_text(shown)
    finally:
        end_process(process)
        os.close(ours)


def visible_text(shown: bytes) -> str:
    """Return the text sent to a terminal, without its escape sequences."""
    return re.sub(r"\x1b(\[[0-?]*[ -/]*[@-~]|.)", "", shown.decode(errors="replace"))


def start_process(
    words: list[str],
    stdin: int = subprocess.DEVNULL,
    stdout: int | None = None,
    stderr: int | None = None,
) -> "subprocess.Popen[bytes]":
    """Start it in its own session, so that it can have a terminal and be killed as a group."""
    return subprocess.Popen(
        words,
        bufsize=0,  # no reading ahead: communicate() returns the rest
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
