"""Bots that other packages bring, where they are installed: `openspiel-ismcts` and its like."""

from collections.abc import Mapping
from typing import Any

from pytlik.extras import needed
from pytlik.games import UNIKAT

OPENSPIEL = "openspiel-"


def guests(game: str, name: str) -> Mapping[str, Any]:
    """The bots that a name may stand for; none, if it is no guest's. Raises Missing where what
    brings them is not installed."""
    if game != UNIKAT.name or not name.startswith(OPENSPIEL):
        return {}
    with needed("openspiel"):
        from pytlik.adapters.openspiel_bots import BOTS  # noqa: PLC0415 - not everybody has it
    return BOTS
