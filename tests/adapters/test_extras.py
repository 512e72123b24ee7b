"""What is not installed is named, with the command to install it."""

import importlib
import sys

import pytest

from pytlik.arena import league
from pytlik.arena.league import Contest
from pytlik.extras import Missing
from pytlik.game import Malformed

OURS = ("pettingzoo", "unikat_env", "ubongo_env", "openspiel", "openspiel_bots")


@pytest.fixture(autouse=True)
def nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pettingzoo", "gymnasium", "pyspiel", "open_spiel"):
        for loaded in [other for other in sys.modules if other.split(".")[0] == name]:
            monkeypatch.delitem(sys.modules, loaded)
        monkeypatch.setitem(sys.modules, name, None)
    for name in OURS:
        monkeypatch.delitem(sys.modules, f"pytlik.adapters.{name}", raising=False)


@pytest.mark.parametrize(
    ("module", "package"), [("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")]
)
def test_an_adapter_names_its_extra(module: str, package: str) -> None:
    with pytest.raises(Missing) as refused:
        importlib.import_module(f"pytlik.adapters.{module}")
    assert (refused.value.package, refused.value.extra) == (package, module)


def test_the_arena_names_the_extra_of_its_guests() -> None:
    contest = Contest(game="unikat", bots=("hard", "openspiel-ismcts"))
    with pytest.raises(Missing) as refused:
        league.check(contest)
    assert "pip install 'pytlik[openspiel]'" in str(refused.value)


def test_guests_are_at_unikat_only() -> None:
    with pytest.raises(Malformed, match="ubongo has"):
        league.check(Contest(game="ubongo", bots=("hard", "openspiel-ismcts")))
