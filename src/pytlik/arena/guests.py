"""Bots that other packages bring, where they are installed: `openspiel-ismcts` and its like."""

from collections.abc import Mapping
from typing import Any

from pytlik.adapters.extras import missing
from pytlik.game import Malformed, Reason
from pytlik.games import UNIKAT

OPENSPIEL = "openspiel-"


def guests(game: str, name: str) -> Mapping[str, Any]:
    """The bots that a name may stand for; none, if it is no guest's. Raises Malformed where what
    brings them is not installed."""
    if game != UNIKAT.name or not name.startswith(OPENSPIEL):
        return {}
    try:
        from pytlik.adapters.openspiel_bots import BOTS  # noqa: PLC0415 - not everybody has it
    except ModuleNotFoundError:
        problem = missing("OpenSpiel", "openspiel")
        raise Malformed(Reason.BAD_REQUEST, problem=problem) from None
    return BOTS
