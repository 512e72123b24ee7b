"""Calling the commands: what they print, what they refuse, and how they end."""

import json
import os
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from pytlik import matchfile
from pytlik.cli import COMMANDS, choose_language, main
from pytlik.games import UNIKAT
from pytlik.i18n import catalogue
from pytlik.ubongo import deck_files
from tests.random_matches import play_random_match

translate = catalogue("en")


@pytest.fixture(autouse=True)
def english_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@pytest.fixture(scope="module")
def match_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("match") / "match.json"
    path.write_bytes(matchfile.encode(play_random_match(UNIKAT, 2, "a match")))
    return path


def run_command(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """Run a command, and return its exit status, output and errors."""
    try:
        status = main([str(word) for word in words])
    except SystemExit as end:
        status = int(end.code or 0)
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run_command(capsys, name, "--help")
    assert status == 0
    assert " ".join(out.split()).endswith(
        " ".join(translate("cli.example", example=translate(f"cli.{name}.example")).split())
    )


@pytest.mark.parametrize(
    "words",
    [
        ["checkers"],
        ["verify"],
        ["deck", "--car", "3"],
        ["--lang"],
        ["arena", "unikat", "easy", "nobody"],
        ["arena", "unikat", "easy", "hard", "--option", "dice=3"],
    ],
)
def test_invalid_arguments_exit_with_status_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run_command(capsys, *words)
    assert (status, out) == (2, "")
    assert "pytlik" in err


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        ("servr", "serve"),
        ("play --seeed x", "--seed"),
        ("play unikat --bots mediun", "medium"),
        ("play unikta", "unikat"),
        ("admin tabels", "tables"),
        ("print ubongo --papr a4", "--paper"),
        ("arena unikt easy hard", "unikat"),
        ("--lann", "--lan"),
    ],
)
def test_misspelt_word_gets_a_suggestion(
    words: str, suggestion: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run_command(capsys, *words.split())
    assert (status, out) == (2, "")
    assert err.endswith(f"\nDid you mean {suggestion}?\n")


@pytest.mark.parametrize("words", ["chess", "play --colours", "play chess"])
def test_unrecognizable_word_gets_no_suggestion(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run_command(capsys, *words.split())
    assert status == 2
    assert "Did you mean" not in err


def test_bad_setting_is_named_by_its_flag_or_variable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = "Expected `int` <= 65535"
    status, _, err = run_command(capsys, "serve", "--port", "99999")
    assert (status, err) == (2, f"pytlik: --port: {problem}\n")
    monkeypatch.setenv("PYTLIK_PORT", "99999")
    status, _, err = run_command(capsys, "serve")
    assert (status, err) == (2, f"pytlik: PYTLIK_PORT: {problem}\n")


@pytest.mark.parametrize("command", ["deck --cards 1 --out", "print unikat score --out"])
def test_unwritable_file_is_named(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nowhere" / "file"
    status, _, err = run_command(capsys, *command.split(), path)
    assert status == 1
    assert str(path) in err


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_command(capsys, "--version")
    assert status == 0
    assert out.strip() == version("pytlik")


@pytest.mark.parametrize(
    ("words", "system", "language"),
    [
        (["play", "--lang", "pl"], "de_DE.UTF-8", "pl"),
        (["play"], "de_DE.UTF-8", "de"),
        (["play", "--lang", "xx"], "de_DE.UTF-8", "de"),
        (["play"], "xx_YY.UTF-8", "en"),
        (["play"], "C", "en"),
    ],
)
def test_language_comes_from_the_flag_or_the_system_or_is_english(
    words: list[str], system: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", system)
    assert choose_language(words) == language


# ---------------------------------------------------------------------------------------- verify


def test_verify_accepts_a_good_match(match_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run_command(capsys, "verify", match_file)
    assert (status, err) == (0, "")
    assert out.startswith("Verified: all ")
    status, out, _ = run_command(capsys, "verify", match_file, "--json")
    answer = json.loads(out)
    assert (status, answer["verified"], answer["flaw"]) == (0, True, None)


def test_verify_names_the_first_changed_event(
    match_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file: dict[str, Any] = json.loads(match_file.read_bytes())
    bag = file["events"][1]["bag"]
    bag[-1], bag[-2] = bag[-2], bag[-1]
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(file))
    status, out, _ = run_command(capsys, "verify", changed)
    assert status == 1
    assert "event 1 (round_dealt)" in out
    status, out, _ = run_command(capsys, "verify", changed, "--json")
    answer = json.loads(out)
    assert (status, answer["verified"], answer["flaw"], answer["event"]) == (
        1, False, "not_from_seed", 1,
    )  # fmt: skip


def test_error_about_a_file_contains_no_escape_sequences(
    capsys: pytest.CaptureFixture[str], match_file: Path, tmp_path: Path
) -> None:
    file = json.loads(match_file.read_text())
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(file | {"extra\x1b]0;x\x07\u202e": 1}))
    status, _, err = run_command(capsys, "verify", changed)
    assert (status, "`extra]0;x`" in err) == (1, True)


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize("keep", [0, 1, 500])
def test_a_truncated_match_file_is_refused(
    command: str,
    keep: int,
    match_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    short = tmp_path / "short.json"
    short.write_bytes(match_file.read_bytes()[:keep])
    status, out, err = run_command(capsys, command, short)
    assert (status, out) == (1, "")
    assert err.startswith("pytlik: bad_file: ")


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_missing_file_is_reported(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run_command(capsys, command, tmp_path / "nothing.json")
    assert (status, out) == (1, "")
    assert "nothing.json" in err


def test_refusal_is_json_with_the_json_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.json"
    empty.touch()
    status, out, _ = run_command(capsys, "verify", empty, "--json")
    assert status == 1
    assert json.loads(out)["error"]["reason"] == "bad_file"


def test_missing_file_is_reported_as_json_with_the_json_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "nothing.json"
    status, out, err = run_command(capsys, "verify", missing, "--json")
    message = f"{missing}: No such file or directory"
    assert status == 1
    assert json.loads(out) == {"error": {"reason": "bad_file", "message": message}}
    assert err == f"pytlik: {message}\n"


# ------------------------------------------------------------------------------------------ deck


def test_deck_is_generated_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deck.json"
    words = ("deck", "--seed", "spring", "--cards", "2", "--pieces", "3", "--out", path)
    status, out, _ = run_command(capsys, *words)
    assert status == 0
    assert out == translate("deck.made", n=2, puzzles=8, file=path) + "\n"
    status, out, _ = run_command(capsys, "deck", "--check", path)
    assert (status, out) == (0, translate("deck.good", n=2) + "\n")
    once_more = path.read_bytes()
    status, out, _ = run_command(capsys, *words, "--json")
    assert json.loads(out) == {"cards": 2, "puzzles": 8}
    assert path.read_bytes() == once_more
    assert list(tmp_path.iterdir()) == [path]


def test_deck_is_written_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["deck", "--cards", "1", "--pieces", "3"]) == 0
    out, _ = capfdbinary.readouterr()
    assert len(deck_files.decode_deck(out).cards) == 1


@pytest.mark.parametrize(
    "words", [["--cards", "0"], ["--cards", "x"], ["--pieces", "2"], ["--pieces", ""]]
)
def test_impossible_deck_is_refused_before_generating(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run_command(capsys, "deck", *words, "--out", tmp_path / "deck.json")
    assert status == 2
    assert words[0] in err
    assert not list(tmp_path.iterdir())


def test_each_problem_in_a_deck_file_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = json.loads(deck_files.encode(deck_files.load()))
    file["cards"][0]["sides"]["3"]["area"].append([90, 90])
    file["cards"][1]["id"] = file["cards"][0]["id"]
    path = tmp_path / "deck.json"
    path.write_text(json.dumps(file))
    status, out, _ = run_command(capsys, "deck", "--check", path)
    assert status == 1
    assert "card 1, side 3: The cells of this area aren't all connected." in out.splitlines()
    assert "card 1: Another card has the same number." in out.splitlines()
    status, out, _ = run_command(capsys, "deck", "--check", path, "--json")
    answer = json.loads(out)
    assert (status, answer["good"]) == (1, False)
    assert {"code": "area_not_connected", "card": 1, "side": 3} in answer["problems"]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"pytlik_deck": 1}', b'{"pytlik_deck": 7}'])
def test_malformed_deck_file_is_refused(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deck.json"
    path.write_bytes(data)
    status, out, err = run_command(capsys, "deck", "--check", path)
    assert (status, out) == (1, "")
    assert err.startswith("pytlik: bad_file: ")


def test_an_empty_deck_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deck.json"
    path.write_bytes(b'{"pytlik_deck": 1, "pieces": {}, "cards": []}')
    status, out, _ = run_command(capsys, "deck", "--check", path)
    assert status == 1
    assert translate("deck.problem.no_cards") in out


def test_unwritable_deck_file_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "missing" / "deck.json"
    status, _, err = run_command(capsys, "deck", "--cards", "1", "--pieces", "3", "--out", path)
    assert status == 1
    assert err == f"\npytlik: {path}: No such file or directory\n"
    assert not list(tmp_path.iterdir())


# --------------------------------------------------------------------------------- as a program

COMMANDS_TESTED_ELSEWHERE = {"serve", "backup", "restore", "doctor", "admin"}
"""Commands with tests of their own: a server runs until it's stopped, and the others need a
database."""


def test_examples_run_as_written(match_file: Path, tmp_path: Path) -> None:
    """Run each example in a shell, with a match file in the folder for those that name one."""
    (tmp_path / "match.json").write_bytes(match_file.read_bytes())
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for name in COMMANDS.keys() - COMMANDS_TESTED_ELSEWHERE:
        example = translate(f"cli.{name}.example")
        done = subprocess.run(
            example, shell=True, cwd=tmp_path, env=environment, input="", text=True, check=False,
            capture_output=True, timeout=240,
        )  # fmt: skip
        assert done.returncode == 0, (example, done.stderr)
        assert done.stdout, example
        assert "pytlik" in shlex.split(example)


def test_closed_output_pipe_does_not_crash_replay(match_file: Path) -> None:
    program = Path(sys.executable).parent / "pytlik"
    done = subprocess.run(
        f"{shlex.quote(str(program))} replay {shlex.quote(str(match_file))} | head -n 1",
        shell=True, text=True, check=False, capture_output=True, input="",
    )  # fmt: skip
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr
