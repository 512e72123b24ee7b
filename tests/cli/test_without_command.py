"""`pytlik` without a command: a server on a free port, and the page in a browser."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from pytlik.cli import main
from pytlik.i18n import catalogue

translate = catalogue("en")

TIMEOUT_SECONDS = 60

# Stands in for the browser: records what it's asked to open.
BROWSER_SCRIPT = """\
#!/bin/sh
echo "$1" > "$OPENED"
"""


@contextmanager
def run_without_command(
    folder: Path, *words: str, port: int = 8000
) -> Iterator[tuple[list[str], Path]]:
    """Run it, and yield its first lines and the file with the address that was opened."""
    browser, opened = folder / "browser", folder / "opened"
    browser.write_text(BROWSER_SCRIPT)
    browser.chmod(0o755)
    environment = {
        **os.environ,
        "BROWSER": f"{browser} %s",
        "OPENED": str(opened),
        "PYTLIK_DATABASE": str(folder / "alone.db"),
        "PYTLIK_PORT": str(port),
        "LC_ALL": "C",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "pytlik", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    with process.stdout:
        try:
            yield [process.stdout.readline().strip() for _ in range(2)], opened
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(TIMEOUT_SECONDS)


def test_it_takes_the_next_free_port_and_opens_the_browser(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with run_without_command(tmp_path, port=port) as ([first, second], opened):
            address = first.split()[-1]
            assert first == translate("serve.address", address=address)
            assert second == translate("serve.alone")
            assert port < int(address.rstrip("/").rpartition(":")[2]) < port + 20
            answer = httpx.get(address, timeout=TIMEOUT_SECONDS)
            assert answer.headers["content-type"].startswith("text/html")
            give_up = time.monotonic() + TIMEOUT_SECONDS
            while not (opened.exists() and opened.read_text().strip() == address):
                assert time.monotonic() < give_up, "no browser"
                time.sleep(0.01)  # another process: there is nothing to wait on


def test_port_in_use_is_reported_with_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    err = capsys.readouterr().err
    assert f"127.0.0.1:{port}" in err
    assert "--port" in err


def test_no_browser_flag_opens_no_browser(tmp_path: Path) -> None:
    with run_without_command(tmp_path, "--no-browser", port=0) as ([first, _], opened):
        assert httpx.get(first.split()[-1], timeout=TIMEOUT_SECONDS).status_code == 200
        assert not opened.exists()


def test_its_options_are_refused_before_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--lan", "play"])
    assert end.value.code == 2
    assert "--lan" in capsys.readouterr().err
