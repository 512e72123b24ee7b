"""`pytlik play` as a command, and what it saves when you leave a match."""

import os
import sys
from io import StringIO
from pathlib import Path

import pytest

from pytlik import matchfile
from pytlik.cli import main
from pytlik.games import UBONGO
from pytlik.match import Match
from pytlik.matchfile import Player
from pytlik.terminal.line_mode.terminal import needs_plain_text
from pytlik.ubongo import model as ubongo
from tests.terminal.line_matches import UBONGO_PLAYERS, play_typed_lines, unikat_match
from tests.terminal.scripted_terminal import make_terminal


@pytest.mark.parametrize("lines", [["quit"], []])
def test_leaving_saves_the_match_so_far(tmp_path: Path, lines: list[str]) -> None:
    match = unikat_match()
    terminal, file = make_terminal(*lines)
    out = tmp_path / "match.json"
    play_typed_lines(match, terminal, out)
    assert "You left the table." in file.getvalue()
    assert "pytlik replay" in file.getvalue()
    record = matchfile.decode(out.read_bytes())
    assert record.seed is None
    assert list(record.events) == match.events


def test_leaving_ubongo_saves_the_match_too(tmp_path: Path) -> None:
    match = Match.new(UBONGO, UBONGO_PLAYERS, seed="x", options=ubongo.Options())
    terminal, _ = make_terminal("", "quit")
    out = tmp_path / "match.json"
    play_typed_lines(match, terminal, out)
    assert matchfile.decode(out.read_bytes()).seed is None


def test_saving_leaves_no_temporary_files(tmp_path: Path) -> None:
    out, other = tmp_path / "match.json", tmp_path / "other.json"
    out.write_text("old")
    other.write_text("other")
    terminal, _ = make_terminal("quit")
    play_typed_lines(unikat_match(), terminal, out)
    assert sorted(os.listdir(tmp_path)) == ["match.json", "other.json"]  # noqa: PTH208
    assert other.read_text() == "other"
    matchfile.decode(out.read_bytes())


def run_play(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> int:
    monkeypatch.setattr(sys, "stdin", StringIO(text))
    return main(["play", *words])


def test_play_works_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "m.json"
    words = ("--seed", "s", "--name", "Zoë", "--bots", "random,longest,random", "--out", str(out))
    assert run_play(monkeypatch, "help\nquit\n", "unikat", *words) == 0
    shown = capsys.readouterr().out
    assert "Unikat, with random, longest and random 2." in shown
    assert matchfile.decode(out.read_bytes()).seats[0] == Player("Zoë")


def test_default_game_is_unikat(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_play(monkeypatch, "") == 0
    shown = capsys.readouterr().out
    assert "Unikat, with Hexa." in shown
    assert "Hexa, Medium: I lay as many tiles as I can, turn after turn." in shown.splitlines()


def test_bot_with_the_persons_name_gets_a_number(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = tmp_path / "m.json"
    words = ("--name", "vega", "--bots", "hard,easy,hard", "--lines", "--out", str(out))
    assert run_play(monkeypatch, "quit\n", "ubongo", *words) == 0
    names = [player.name for player in matchfile.decode(out.read_bytes()).seats]
    assert names == ["vega", "Vega 2", "Rondo", "Vega 3"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["chess"], "chess"),
        (["--bots", "genius"], 'no bot "genius"'),
        (["--bots", ""], 'no bot ""'),
        (["--bots", "random,random,random,random"], "Play against one to three bots"),
        (["--name", "x" * 41], "at most 40"),
        (["--rounds", "0"], "--rounds"),
        (["--rounds", "21"], "--rounds"),
        (["--rounds", "many"], "--rounds"),
        (["--starter", "3"], "from 1 to 2"),
        (["--blocked", "1"], "--blocked"),
        (["--blocked", "0,5"], "--blocked"),
        (["--seconds", "60"], "--seconds is only for ubongo"),
        (["--same-puzzle"], "--same-puzzle is only for ubongo"),
        (["ubongo", "--rounds", "2"], "--rounds"),
        (["ubongo", "--bots", "longest"], 'no bot "longest"'),
        (["ubongo", "--pieces", "6"], "--pieces"),
        (["ubongo", "--seconds", "5"], "--seconds"),
        (["ubongo", "--patience", "1"], "--patience"),
        (["ubongo", "--handicap", "3"], "each of the 2 players"),
        (["ubongo", "--handicap", "3,9"], "--handicap"),
        (["--out", "/no/such/place/match.json"], "--out"),
        (["--out", "/"], "--out"),
    ],
)
def test_invalid_arguments_exit_with_status_2(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    complaint: str,
) -> None:
    try:
        status = run_play(monkeypatch, "", *words)
    except SystemExit as exit_:  # argparse exits this way
        status = int(exit_.code or 0)
    assert status == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert not captured.out


@pytest.mark.parametrize(
    "words",
    [
        ["--rounds", "3", "--bots", "hard,easy", "--starter", "2", "--next-starter", "rotate"],
        ["--extra-action", "continue", "--blocked", "1,9"],
        ["ubongo", "--pieces", "5", "--seconds", "none", "--patience", "none"],
        ["ubongo", "--handicap", "3,5", "--same-puzzle", "--bots", "master"],
    ],
)
def test_every_table_option_has_a_flag(
    monkeypatch: pytest.MonkeyPatch, words: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "match.json"
    assert run_play(monkeypatch, "", *words, "--out", str(out)) == 0
    options = matchfile.decode(out.read_bytes()).events[0].options
    assert options != type(options)()


class FakeScreen(StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "encoding", "plain"),
    [
        ({"TERM": "xterm-256color"}, "utf-8", False),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "utf-8", True),
        ({"TERM": "dumb"}, "utf-8", True),
        ({}, "utf-8", True),
        ({"TERM": "xterm"}, "iso8859-2", True),
    ],
)
def test_plain_text_is_needed_without_colour_or_unicode(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], encoding: str, *, plain: bool
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    file = FakeScreen()
    file.encoding = encoding
    assert needs_plain_text(file) is plain
    assert needs_plain_text(StringIO())
