"""Bots that are not ours: those that other packages bring, where they are installed
(`openspiel-ismcts` and its like), and anybody's own, by where they are (`mine.py:choose`)."""

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from pytlik.extras import needed
from pytlik.game import Malformed, Reason
from pytlik.games import UNIKAT

OPENSPIEL = "openspiel-"


def guests(game: str, name: str) -> Mapping[str, Any]:
    """The bots that a name may stand for; none, if it is no guest's. Raises Missing where what
    brings them is not installed, and Malformed where nobody's own bot is."""
    if ":" in name:
        return {name: own(name)}
    if game != UNIKAT.name or not name.startswith(OPENSPIEL):
        return {}
    with needed("openspiel"):
        from pytlik.adapters.openspiel_bots import BOTS  # noqa: PLC0415 - not everybody has it
    return BOTS


@cache
def own(name: str) -> Any:
    """The function that `mine.py:choose` or `package.module:choose` names."""
    place, _, function = name.rpartition(":")
    module = in_file(Path(place)) if place.endswith(".py") else in_module(place)
    bot = getattr(module, function, None) if module else None
    if not callable(bot):
        lacks = f"{place} has no function {function!r}" if module else f"there is no {place!r}"
        raise Malformed(Reason.BAD_REQUEST, problem=f"{name}: {lacks}")
    return bot


@cache
def in_file(path: Path) -> ModuleType | None:
    if not path.is_file():
        return None
    # It finds what lies beside it. Last, so that a random.py there is nobody else's.
    sys.path.append(str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(f"own bots of {path}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses, for one, look it up
    spec.loader.exec_module(module)
    return module


def in_module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name and f"{name}.".startswith(f"{missing.name}."):
            return None
        raise  # it is there, and imports what is not
