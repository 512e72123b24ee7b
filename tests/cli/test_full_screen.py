"""When `pytlik play` runs full screen or line by line, and what it leaves behind."""

import io
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytlik import matchfile
from pytlik.cli import main, play
from pytlik.i18n import catalogue
from pytlik.terminal.screens.app import PlayApp

translate = catalogue("en")

REAL_SUPPORTS_FULL_SCREEN = play.supports_full_screen
TABLE_LINK = "https://play.example/t/abcdefghjk"


@pytest.fixture(autouse=True)
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use English and a full-screen terminal without input."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")
    monkeypatch.setattr(play, "supports_full_screen", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO())


@pytest.fixture
def shown_apps(monkeypatch: pytest.MonkeyPatch) -> list[PlayApp]:
    """The apps that were run full screen; each exits at once."""
    apps: list[PlayApp] = []
    monkeypatch.setattr(PlayApp, "run", lambda app: apps.append(app))  # noqa: PLW0108 - a method
    return apps


def hide_textual(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "textual"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "pytlik.terminal.screens.app")


def test_terminal_gets_full_screen(shown_apps: list[PlayApp]) -> None:
    assert main(["play", "ubongo", "--bots", "easy"]) == 0
    assert [app.session.game for app in shown_apps] == ["ubongo"]


@pytest.mark.parametrize("flag", ["--lines", "--plain"])
def test_lines_and_plain_flags_use_line_mode(
    flag: str, shown_apps: list[PlayApp], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", flag]) == 0
    assert shown_apps == []
    assert "Type help for the commands" in capsys.readouterr().out


class FakeScreen(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "encoding", "piped", "whole"),
    [
        ("xterm-256color", "utf-8", "", True),
        ("xterm-256color", "utf-8", "stdin", False),
        ("xterm-256color", "utf-8", "stderr", False),
        ("dumb", "utf-8", "", False),
        ("xterm-256color", "latin-1", "", False),
    ],
)
def test_full_screen_needs_a_capable_terminal(
    terminal: str, encoding: str, piped: str, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", terminal)
    for name in ("stdin", "stdout", "stderr"):
        end = io.StringIO() if name == piped else FakeScreen(io.BytesIO(), encoding)
        monkeypatch.setattr(sys, name, end)
    assert REAL_SUPPORTS_FULL_SCREEN() is whole


def test_without_the_extra_it_falls_back_to_line_mode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hide_textual(monkeypatch)
    assert main(["play"]) == 0
    output = capsys.readouterr()
    assert (
        output.err
        == translate("terminal.no_extra", command="pip install 'pytlik[terminal]'") + "\n"
    )
    assert "Type help for the commands" in output.out


def test_a_table_on_a_server_needs_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hide_textual(monkeypatch)
    assert main(["play", TABLE_LINK]) == 1
    assert play.INSTALL_COMMAND in capsys.readouterr().err


def test_a_table_on_a_server_needs_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play, "supports_full_screen", lambda: False)
    assert main(["play", TABLE_LINK]) == 2
    assert translate("terminal.no_screen") in capsys.readouterr().err


def test_link_opens_its_table(
    shown_apps: list[PlayApp], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["play", TABLE_LINK, "--name", "Hana"]) == 0
    (app,) = shown_apps
    assert app.remote is not None
    assert str(app.remote.link) == TABLE_LINK
    assert app.person_name == "Hana"


@pytest.mark.parametrize(
    "words",
    [
        ["checkers"],
        [TABLE_LINK, "--bots", "easy"],
        [TABLE_LINK, "--seconds", "30"],
        [TABLE_LINK + "?x"],
    ],
)
def test_invalid_arguments_exit_with_status_2(
    words: list[str], shown_apps: list[PlayApp], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *words]) == 2
    assert capsys.readouterr().err.startswith("pytlik play: ")
    assert shown_apps == []


def test_leaving_saves_the_match_if_asked(
    shown_apps: list[PlayApp], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match.json"
    assert main(["play", "--seed", "x", "--out", str(out)]) == 0
    assert len(shown_apps) == 1
    assert matchfile.decode(out.read_bytes()).seed is None
    assert f"pytlik replay {out}" in capsys.readouterr().out


def test_it_starts_in_a_real_terminal_and_quits_with_a_key() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-m", "pytlik", "play", "--seed", "x"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**environment, "LINES": "24", "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
    )
    os.close(theirs)
    read = b""
    try:
        # Quit once the bag is shown: the table is complete then.
        while "╭┄┄┄╮".encode() not in read:
            assert select.select([ours], [], [], 60)[0], read[-500:]
            read += os.read(ours, 65_536)
        os.write(ours, b"\x11")
        while process.poll() is None:
            if select.select([ours], [], [], 60)[0]:
                try:
                    read += os.read(ours, 65_536)
                except OSError:
                    break  # the terminal is closed
        assert process.wait(60) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        os.close(ours)
    assert b"\x1b[?1049h" in read
