"""Anybody's own bot in a league, by the file or the module that it is in."""

import sys
from pathlib import Path

import pytest

from pytlik.arena import league
from pytlik.arena.guests import own
from pytlik.arena.league import Contest
from pytlik.arena.playing import play
from pytlik.game import Illegal, Malformed
from pytlik.unikat.reasons import UnikatReason

MINE = """
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

BUDGET = 3
"""

UBONGO = """
from pytlik.ubongo.messages import GiveUp

def gives_up(view, stream):
    return [(view.began + 1000, GiveUp())]
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with bots; it imports what lies beside it."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "beside.py").write_text("from pytlik.unikat.bots import random_bot\n")
    (tmp_path / "random.py").write_text(MINE)
    return tmp_path / "random.py"


def test_a_bot_of_ones_own_plays_in_a_league_on_many_processes(mine: Path) -> None:
    contest = Contest(game="unikat", bots=(f"{mine}:first_tile", "random"), games=4)
    (line,) = league.run(contest, processes=2).lines
    assert (line.bot, line.games) == (f"{mine}:first_tile", 4)


def test_a_bot_may_be_in_a_module() -> None:
    name = "pytlik.unikat.bots:random_bot"
    assert set(play("unikat", [name, "random"], seed="1").thought) == {name, "random"}


def test_in_ubongo_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(UBONGO)
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
def test_what_is_not_there_is_named(mine: Path, name: str, problem: str) -> None:
    contest = Contest(game="unikat", bots=(name.format(file=mine), "easy"))
    with pytest.raises(Malformed, match=problem):
        league.check(contest)


def test_what_a_bots_own_file_lacks_is_its_own_affair(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import no_such_module\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        own(f"{tmp_path / 'mine.py'}:bot")


def test_who_asks_for_what_is_not_legal_is_named(mine: Path) -> None:
    with pytest.raises(Illegal) as refused:
        play("unikat", [f"{mine}:passes", f"{mine}:passes"], seed="1")
    assert refused.value.reason == UnikatReason.MUST_ACT
    assert refused.value.detail == {"bot": f"{mine}:passes", "asked": '{"kind":"pass"}'}


def test_who_returns_no_action_is_named(mine: Path) -> None:
    with pytest.raises(TypeError, match=r"random.py:nothing is to return an action, not None"):
        play("unikat", [f"{mine}:nothing", "random"], seed="1")
