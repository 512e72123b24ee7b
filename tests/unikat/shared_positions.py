"""The shared positions, which can check any implementation of the rules."""

import json
from pathlib import Path
from typing import Any

import msgspec

from pytlik.unikat.model import State
from pytlik.unikat.position import Position, to_state

POSITIONS_FILE = Path(__file__).parents[2] / "docs" / "positions" / "unikat.jsonl"

SMALL_POSITION: dict[str, Any] = {
    "game": "unikat",
    "board": [[0, 0, "0000"], [1, 0, "0001"]],
    "hands": [["0100"], ["2222"]],
    "display": ["1111"],
    "bag": ["2000"],
    "to_move": 0,
    "phase": "action",
}
"""A small position as JSON, which tests change to make others."""


def shared_states() -> list[State]:
    lines = POSITIONS_FILE.read_text(encoding="utf-8").splitlines()
    return [to_state(msgspec.convert(json.loads(line)["position"], Position)) for line in lines]
