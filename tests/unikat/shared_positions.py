"""The shared positions, with which any implementation of the rules can be checked."""

import json
from pathlib import Path

import msgspec

from pytlik.unikat.model import State
from pytlik.unikat.position import Position, to_state

FILE = Path(__file__).parents[2] / "docs" / "positions" / "unikat.jsonl"


def shared_states() -> list[State]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [to_state(msgspec.convert(json.loads(line)["position"], Position)) for line in lines]
