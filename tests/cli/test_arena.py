"""`pytlik arena`: the results of a long league aren't lost, and a bot's mistake is reported."""

import signal
import sys
from pathlib import Path

import pytest

from pytlik.arena import league
from pytlik.arena.league import Contest, LeagueTable
from pytlik.arena.parallel import run_as_completed
from pytlik.cli import main

SHORT_LEAGUE_COMMAND = ["arena", "unikat", "longest", "random", "--games", "2", "--processes", "1"]
SHORT_LEAGUE_COMMAND += ["--option", "blocked=[1,2]"]


def test_missing_matplotlib_is_reported_before_the_league_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(_contest: Contest, **_more: object) -> LeagueTable:
        raise AssertionError("the league was played")

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr(league, "run", fail)
    assert main([*SHORT_LEAGUE_COMMAND, "--plot", str(tmp_path / "league.png")]) == 1
    assert "pip install 'pytlik[plot]'" in capsys.readouterr().err


def test_results_are_printed_even_if_the_plot_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("pytlik.cli.arena.import_matplotlib", lambda: None)
    monkeypatch.setattr("pytlik.cli.arena.draw_png", lambda *_: b"a picture")
    assert main([*SHORT_LEAGUE_COMMAND, "--plot", str(tmp_path / "no folder" / "league.png")]) == 1
    output = capsys.readouterr()
    assert "longest" in output.out
    assert "no folder" in output.err


def test_illegal_action_is_reported_with_the_bots_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from pytlik.unikat.messages import Pass\n\n\ndef bot(*_):\n    return Pass()\n"
    )
    assert main(["arena", "unikat", f"{mine}:bot", "easy", "--games", "2", "--processes", "1"]) == 1
    assert f'{mine}:bot: {{"kind":"pass"}}: You can\'t pass' in capsys.readouterr().err


def test_broken_bot_is_reported_on_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("def bot(*_):\n    return {}['x']\n")
    assert main(["arena", "unikat", f"{mine}:bot", "easy", "--games", "2", "--processes", "2"]) == 1
    lines = capsys.readouterr().err.strip().splitlines()
    place = f"({mine}:2) (deal '1, deal 0', decision 3)"
    assert lines == [f"pytlik arena: {mine}:bot: KeyError: 'x' {place}"]


def test_bot_that_does_nothing_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("def bot(*_):\n    return ()\n")
    assert main(["arena", "unikat", f"{mine}:bot", "easy", "--games", "2", "--processes", "1"]) == 1
    assert f"{mine}:bot: it should act, but does nothing" in capsys.readouterr().err


def test_starter_without_a_seat_is_a_usage_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "unikat", "easy", "hard", "--option", "starter=2"]) == 2
    assert "there's no such seat to start" in capsys.readouterr().err


def test_unknown_option_is_reported_with_the_valid_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "unikat", "easy", "hard", "--option", "foo=1"]) == 2
    assert "`foo`" in (err := capsys.readouterr().err)
    assert "(unikat has the options rounds, starter, next_starter, extra_action, blocked)" in err


def blocks_interrupts(_: object) -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signal masks")
def test_workers_block_interrupts() -> None:
    """A terminal sends Ctrl+C to all processes, and only one of them should react."""
    assert dict(run_as_completed(blocks_interrupts, (1, 2), processes=2)) == {0: True, 1: True}
    assert not blocks_interrupts(None)
