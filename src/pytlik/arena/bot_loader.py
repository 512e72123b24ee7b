"""Bots from elsewhere: those of other packages, if they are installed (such as
`openspiel-ismcts`), and your own, named by file or module (`mine.py:choose`)."""

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from pytlik.extras import explain_missing_extra
from pytlik.game import AnyGame, Malformed, Reason

OPENSPIEL_PREFIX = "openspiel-"


def find_bots(game: AnyGame, name: str) -> Mapping[str, Any]:
    """The bots of a game by name, with the external ones that `name` asks for. Raises Missing if
    the package that has them isn't installed, and Malformed if there is no such function."""
    return {**game.bots, **load_external_bots(game, name)}


def load_external_bots(game: AnyGame, name: str) -> Mapping[str, Any]:
    """The function that a name such as `mine.py:choose` points to, or all bots from OpenSpiel if
    the name is one of theirs; empty for other names."""
    if ":" in name:
        return {name: load_bot(name)}
    if not name.startswith(OPENSPIEL_PREFIX) or "openspiel" not in game.shows:
        return {}
    with explain_missing_extra("openspiel"):
        bots: Mapping[str, Any] = game.load("openspiel")
    return bots


@cache
def load_bot(name: str) -> Any:
    """The function that `mine.py:choose` or `package.module:choose` names."""
    place, _, function = name.rpartition(":")
    module = load_file(Path(place)) if place.endswith(".py") else load_module(place)
    bot = getattr(module, function, None) if module else None
    if not callable(bot):
        lacks = f"{place} has no function {function!r}" if module else f"there is no {place!r}"
        raise Malformed(Reason.BAD_REQUEST, problem=f"{name}: {lacks}")
    return bot


@cache
def load_file(path: Path) -> ModuleType | None:
    if not path.is_file():
        return None
    # Lets it import its neighbours. Appended at the end, so that a random.py among them shadows
    # nothing.
    sys.path.append(str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(f"own bots of {path}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses, for example, look it up
    spec.loader.exec_module(module)
    return module


def load_module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name and f"{name}.".startswith(f"{missing.name}."):
            return None
        raise  # it exists, and imports something that doesn't
