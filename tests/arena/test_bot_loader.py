"""Custom bots in a league, from a file or a module."""

import pickle
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytlik.arena import BotError, league, play
from pytlik.arena.bot_loader import load_bot
from pytlik.arena.league import Contest
from pytlik.game import Illegal, Malformed
from pytlik.games import UNIKAT
from pytlik.unikat.reasons import UnikatReason

UNIKAT_BOT_FILE = """
from beside import random_bot
from pytlik.unikat.messages import Lay, Pass
from pytlik.unikat.model import Placement

def first_tile(view, stream, budget):
    for tile, cells in view.choices.lay.items():
        return Lay((Placement(tile, *cells[0]),))
    return random_bot(view, stream, budget)

def passes(view, stream, budget):
    return Pass()

def nothing(view, stream, budget):
    pass

def no_steps(view, stream, budget):
    return (Pass(), Pass())

def fails(view, stream, budget):
    return 1 // 0

BUDGET = 3
"""

UBONGO_BOT_FILE = """
from pytlik.ubongo.messages import GiveUp

def gives_up(view, stream, budget):
    return [(view.began + 1000, GiveUp())]
"""


@pytest.fixture
def bot_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with bots. It imports a module beside it."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "beside.py").write_text("from pytlik.unikat.bots import random_bot\n")
    (tmp_path / "random.py").write_text(UNIKAT_BOT_FILE)
    return tmp_path / "random.py"


def test_custom_bot_plays_in_a_league_on_several_processes(bot_file: Path) -> None:
    contest = Contest(game="unikat", bots=(f"{bot_file}:first_tile", "random"), games=4)
    (line,) = league.run(contest, processes=2).lines
    assert (line.bot, line.games) == (f"{bot_file}:first_tile", 4)


def test_a_bot_may_be_in_a_module() -> None:
    name = "pytlik.unikat.bots:random_bot"
    assert set(play("unikat", [name, "random"], seed="1").thinking) == {name, "random"}


def test_custom_bot_plays_ubongo(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(UBONGO_BOT_FILE)
    name = f"{tmp_path / 'mine.py'}:gives_up"
    assert play("ubongo", [name, "hard"], seed="1").outcome.winners == (1,)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("{file}:last_tile", "has no function 'last_tile'"),
        ("{file}:BUDGET", "has no function 'BUDGET'"),
        ("{file}x.py:first_tile", "there is no '.*x.py'"),
        ("no.such.module:bot", "there is no 'no.such.module'"),
        ("pytlik.no_such_module:bot", "there is no 'pytlik.no_such_module'"),
    ],
)
def test_missing_bot_is_named(bot_file: Path, name: str, problem: str) -> None:
    contest = Contest(game="unikat", bots=(name.format(file=bot_file), "easy"))
    with pytest.raises(Malformed, match=problem):
        league.check_contest(contest)


def test_failed_import_in_a_bots_file_is_passed_on(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import no_such_module\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_bot(f"{tmp_path / 'mine.py'}:bot")


def test_failed_import_in_a_bots_module_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "module_that_lacks_another.py").write_text("import no_such_module\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_bot("module_that_lacks_another:bot")


def test_bot_with_an_illegal_action_is_named(bot_file: Path) -> None:
    with pytest.raises(Illegal) as refused:
        play("unikat", [f"{bot_file}:passes", f"{bot_file}:passes"], seed="1")
    assert refused.value.reason == UnikatReason.MUST_ACT
    detail = {"bot": f"{bot_file}:passes", "asked": '{"kind":"pass"}', "deal": "1", "decision": 1}
    assert refused.value.detail == detail


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("nothing", r"it should return an action, but returned None"),
        ("no_steps", r"it should return an action, but returned \(Pass\(\), Pass\(\)\)"),
        ("fails", r"ZeroDivisionError: .* by zero \(.*random.py:21\)"),
    ],
)
def test_a_broken_bot_is_named_with_deal_and_decision(
    bot_file: Path, bot: str, problem: str
) -> None:
    with pytest.raises(BotError) as failed:
        play("unikat", ["random", f"{bot_file}:{bot}"], seed="a deal")
    error = pickle.loads(pickle.dumps(failed.value))
    assert (error.bot, error.deal) == (f"{bot_file}:{bot}", "a deal")
    assert re.fullmatch(rf".*random.py:{bot}: {problem} \(deal 'a deal', decision \d\)", str(error))


def test_play_returns_the_match_and_its_outcome() -> None:
    played = play("unikat", ["easy", "random"], seed="1")
    assert played.outcome == played.match.outcome
    assert played.match.verify() is None
    assert [player.bot for player in played.match.seats] == ["easy", "random"]


def test_bot_that_does_nothing_is_named() -> None:
    """Otherwise the match would never end."""

    def nothing(*_: object) -> tuple[()]:
        return ()

    game = replace(UNIKAT, bots={"idle": nothing})
    with pytest.raises(BotError, match="idle: it should act, but does nothing") as failed:
        play(game, ["idle", "idle"], seed="1")
    assert (failed.value.deal, failed.value.decision) == ("1", 1)
