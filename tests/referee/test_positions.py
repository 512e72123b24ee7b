"""The referee's answers about the shared positions."""

import hashlib
import json
from typing import Any

import pytest

from pytlik.game import Reason
from pytlik.ubongo.reasons import UbongoReason
from pytlik.unikat.reasons import UnikatReason
from tests.referee.referee_client import ask_referee, reason_of, shared_cases

REASON_BY_KIND = {
    "occupied cell": Reason.OCCUPIED,
    "touches nothing": UnikatReason.TOUCHES_NOTHING,
    "no tiles": UnikatReason.NO_TILES,
    "not in hand": UnikatReason.NOT_IN_HAND,
    "take back": UnikatReason.SAME_TILE,
    "does not fit": UnikatReason.UNLIKE_NEIGHBOUR,
    "not next to the last tile": UnikatReason.NOT_NEXT_TO_LAST,
    "no passing": UnikatReason.MUST_ACT,
    "not in display": UnikatReason.NOT_IN_DISPLAY,
    "draw in an action": Reason.WRONG_PHASE,
    "nothing to decline": Reason.WRONG_PHASE,
    "lay while drawing": Reason.WRONG_PHASE,
    "must draw": Reason.WRONG_PHASE,
}


@pytest.mark.parametrize("case", shared_cases("unikat"))
def test_unikat_positions(case: dict[str, Any]) -> None:
    position = case["position"]
    found = ask_referee("actions", position=position)
    assert found["count"] == len(found["actions"]) == case["count"]
    assert ask_referee("count", position=position) == {"count": case["count"]}
    lines = (json.dumps(a, sort_keys=True, separators=(",", ":")) for a in found["actions"])
    joined = "\n".join(sorted(lines)).encode()
    assert hashlib.sha256(joined).hexdigest() == case["sha256"]
    after = ask_referee("apply", position=position, action=case["action"])["position"]
    assert comparable_position(after) == comparable_position(case["after"])
    for what, action in case["illegal"]:
        assert (
            reason_of(ask_referee("apply", position=position, action=action))
            is REASON_BY_KIND[what]
        )


def comparable_position(position: dict[str, Any]) -> dict[str, Any]:
    """The part of a position to compare. Only in the bag does the order count."""
    return {
        "board": sorted(position["board"]),
        "hands": [sorted(hand) for hand in position["hands"]],
        "display": sorted(position["display"]),
        **{key: position.get(key) for key in ("bag", "phase", "to_move", "winners", "ended")},
    }


@pytest.mark.parametrize("case", shared_cases("ubongo"))
def test_ubongo_puzzles_and_games(case: dict[str, Any]) -> None:
    if "puzzle" in case:
        area, pieces = case["puzzle"]["area"], case["puzzle"]["pieces"]
        solved = ask_referee("solve", area=area, pieces=pieces)
        assert solved["solutions"] == case["puzzle"]["solutions"]
        if solved["solutions"]:
            placement = solved["first"]
            assert ask_referee("check", area=area, pieces=pieces, placement=placement) == {
                "solved": True
            }
        else:
            assert solved["first"] is None
    else:
        game = case["game"]
        result = ask_referee("score", players=game["players"], rounds=game["rounds"])
        if game["score"] is None:
            assert reason_of(result) is UbongoReason.GEM_NOT_IN_BAG
        else:
            assert result == game["score"]
