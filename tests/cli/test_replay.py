"""`pytlik replay`: step by step, or all at once in a pipe."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytlik import matchfile
from pytlik.cli import main
from pytlik.games import UBONGO, UNIKAT
from pytlik.i18n import catalogue
from pytlik.match import Match
from pytlik.matchfile import Player
from pytlik.terminal.line_mode.replay import Replay, step_through
from pytlik.ubongo.model import Options
from tests.random_matches import play_random_match
from tests.terminal.line_matches import (
    UBONGO_PLAYERS,
    answering_terminal,
    play_typed_lines,
    type_like_bot,
    unikat_match,
)
from tests.terminal.scripted_terminal import make_terminal


@pytest.fixture
def finished_match_file(tmp_path: Path) -> Path:
    """A finished match of Unikat."""
    match = unikat_match(rounds=2)
    terminal, _ = answering_terminal(lambda: type_like_bot(match), plain=True)
    play_typed_lines(match, terminal, tmp_path / "finished.json")
    return tmp_path / "finished.json"


@pytest.fixture
def unfinished_match_file(tmp_path: Path) -> Path:
    match = unikat_match()
    terminal, _ = make_terminal("swap a bag")
    play_typed_lines(match, terminal, tmp_path / "unfinished.json")
    return tmp_path / "unfinished.json"


def load_replay(file: Path, *, seat: int | None = None, open_hands: bool = True) -> Replay:
    record = matchfile.decode(file.read_bytes())
    states = list(matchfile.states(record))
    return Replay(
        match=record, states=states, seat=seat, open_hands=open_hands, translate=catalogue("en")
    )


def test_unnamed_bot_is_called_by_its_level(unfinished_match_file: Path) -> None:
    """As in a match file from a server."""
    replay = load_replay(unfinished_match_file)
    seats = (Player(""), Player("", "hard"))
    unnamed = replace(replay, match=replace(replay.match, seats=seats))
    assert unnamed.names == ("Player 1", "Vega")


def test_whole_match_is_printed_in_a_pipe(
    finished_match_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(finished_match_file)]) == 0
    shown = capsys.readouterr().out
    assert "Round 1. Anna starts." in shown
    assert shown.count("The round is over.") == 2
    assert shown.endswith("Anna and Ola share the win.\n")
    assert "a tile from the bag" not in shown  # everything is shown now
    assert shown.isascii()


def test_seat_option_replays_as_that_seat_saw_it(
    finished_match_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(finished_match_file), "--seat", "1"]) == 0
    shown = capsys.readouterr().out
    assert "You lay" in shown
    assert "Ola lays" in shown


def test_hands_stay_hidden_in_an_unfinished_match(
    unfinished_match_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(unfinished_match_file)]) == 0
    assert "for a tile from the bag." in capsys.readouterr().out
    assert main(["replay", str(unfinished_match_file), "--all"]) == 0
    assert "from the bag." in capsys.readouterr().out.replace("a tile from the bag", "")


def test_json_output_lists_events_with_hands_hidden(
    unfinished_match_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(unfinished_match_file), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["index"] for line in lines] == list(range(len(lines)))
    dealt = lines[1]["event"]
    assert dealt["kind"] == "round_dealt"
    assert dealt["hands"][0][0] == {"hidden": True}


def test_stepping_forward_back_and_to_a_number(finished_match_file: Path) -> None:
    terminal, file = make_terminal("", "b", "5", "nonsense", "9999", "")
    whole = load_replay(finished_match_file)
    step_through(whole, terminal)
    steps = [line.split(" of ")[0] for line in file.getvalue().splitlines() if ": Enter =" in line]
    count = sum(whole.describe_event(index) is not None for index in range(len(whole.states)))
    assert steps == ["1", "2", "1", "5", "5", str(count)]


@pytest.fixture
def clumsy_match_file(tmp_path: Path) -> Path:
    """A random match of Unikat, with many missed chances."""
    file = tmp_path / "clumsy.json"
    file.write_bytes(matchfile.encode(play_random_match(UNIKAT, 2, "clumsy")))
    return file


def test_coach_in_a_pipe(clumsy_match_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(clumsy_match_file), "--coach"]) == 0
    shown = capsys.readouterr().out
    comments = [line for line in shown.splitlines() if line.startswith("      | ")]
    assert any("That was the best turn." in line for line in comments)
    assert any("Most possible: " in line for line in comments)
    before, _, misses = shown.rpartition("Biggest missed chances")
    assert 1 <= len(misses.strip().splitlines()) <= 3
    assert "% instead of " in misses
    assert "Biggest missed chances" not in before


def test_coach_with_a_seat_reviews_only_that_seats_turns(
    clumsy_match_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(clumsy_match_file), "--seat", "1", "--coach", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["coach"]["seat"] for line in lines if line["coach"]} == {0}
    assert main(["replay", str(clumsy_match_file), "--coach", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["coach"]["seat"] for line in lines if line["coach"]} == {0, 1}
    for line in lines:
        if line["coach"]:
            assert line["event"]["seat"] == line["coach"]["seat"]


def test_coach_is_toggled_with_a_key(clumsy_match_file: Path) -> None:
    terminal, file = make_terminal("", "c", "", "c", "", "q")
    step_through(load_replay(clumsy_match_file), terminal)
    shown = file.getvalue()
    assert shown.count("Biggest missed chances") == 1
    assert shown.count("(c: the coach)") == 6
    steps = shown.split("(c: the coach)")
    words = ("Most possible: ", "could lay more", "the best turn")
    has_comment = [any(word in step for word in words) for step in steps]
    assert has_comment[:2] == [False, False]
    assert any(has_comment[2:4])
    assert not any(has_comment[4:])


def test_no_coach_for_an_unfinished_match(
    unfinished_match_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(unfinished_match_file), "--coach"]) == 2
    assert "can help once the game is over" in capsys.readouterr().err
    terminal, file = make_terminal("c", "q")
    step_through(load_replay(unfinished_match_file), terminal)
    assert "coach" not in file.getvalue()


@pytest.mark.parametrize("lines", [["q"], []])
def test_stepping_ends_on_quit_or_end_of_input(finished_match_file: Path, lines: list[str]) -> None:
    terminal, file = make_terminal(*lines)
    step_through(load_replay(finished_match_file), terminal)
    assert file.getvalue().count("Enter = next") == 1


def test_ubongo_match_is_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = Match.new(UBONGO, UBONGO_PLAYERS, seed="x", options=Options())
    terminal, _ = answering_terminal(
        lambda: (
            ""
            if match.view(0).choices.ready
            else "give up"
            if match.view(0).choices.solve
            else None
        ),
        plain=True,
    )
    out = tmp_path / "ubongo.json"
    play_typed_lines(match, terminal, out)
    assert main(["replay", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "Anna gives up." in shown
    assert "Max: Ubongo!" in shown
    assert "Round 9 is over." in shown
    assert "places piece" in shown


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"pytlik": 1}', b"[" * 5000])
def test_file_that_is_not_a_match_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    assert main(["replay", str(file)]) == 1
    assert "bad_file" in capsys.readouterr().err


def test_missing_file_is_refused(tmp_path: Path) -> None:
    assert main(["replay", str(tmp_path / "nothing.json")]) == 1


@pytest.mark.parametrize("words", [["--seat", "0"], ["--seat", "3"], ["--seat", "1", "--all"]])
def test_invalid_arguments_exit_with_status_2(
    unfinished_match_file: Path, words: list[str]
) -> None:
    assert main(["replay", str(unfinished_match_file), *words]) == 2


def test_actions_of_a_stand_in_are_marked(
    finished_match_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = json.loads(finished_match_file.read_bytes())
    played = next(i for i, event in enumerate(file["events"]) if event["kind"] == "chain_laid")
    file["actors"] = ["person"] * len(file["events"])
    file["actors"][played] = "stand-in"
    finished_match_file.write_text(json.dumps(file))
    assert main(["replay", str(finished_match_file)]) == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if "(played by a bot)" in line]
    assert [int(line.split()[0]) for line in marked] == [played]
    assert main(["replay", str(finished_match_file), "--json"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["actor"] for step in steps] == file["actors"]
