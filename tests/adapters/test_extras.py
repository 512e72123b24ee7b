"""Missing extras are named, with the command to install them."""

import importlib
import sys

import pytest

from pytlik.arena import league
from pytlik.arena.league import Contest
from pytlik.extras import Missing
from pytlik.game import Malformed

ADAPTER_MODULES = (
    *("pettingzoo", "spaces", "unikat_env", "unikat_observation", "unikat_chance_round"),
    *("ubongo_env", "ubongo_observation", "ubongo_moves", "openspiel", "bots_from_openspiel"),
)


@pytest.fixture(autouse=True)
def nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pettingzoo", "gymnasium", "pyspiel", "open_spiel"):
        for loaded in [other for other in sys.modules if other.split(".")[0] == name]:
            monkeypatch.delitem(sys.modules, loaded)
        monkeypatch.setitem(sys.modules, name, None)
    # NumPy can't be loaded twice, so it is only hidden.
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in ADAPTER_MODULES:
        monkeypatch.delitem(sys.modules, f"pytlik.adapters.{name}", raising=False)


@pytest.mark.parametrize("module", ADAPTER_MODULES)
def test_adapter_names_its_missing_extra(module: str) -> None:
    """Even its smaller modules: the documents import numbers and layouts from them."""
    with pytest.raises(Missing) as refused:
        importlib.import_module(f"pytlik.adapters.{module}")
    assert refused.value.extra == ("openspiel" if "openspiel" in module else "pettingzoo")


def test_arena_names_the_missing_extra_of_guest_bots() -> None:
    contest = Contest(game="unikat", bots=("hard", "openspiel-ismcts"))
    with pytest.raises(Missing) as refused:
        league.check_contest(contest)
    assert "pip install 'pytlik[openspiel]'" in str(refused.value)


def test_guest_bots_play_only_unikat() -> None:
    with pytest.raises(Malformed, match="ubongo has"):
        league.check_contest(Contest(game="ubongo", bots=("hard", "openspiel-ismcts")))
