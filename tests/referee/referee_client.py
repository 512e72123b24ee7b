"""Asks the referee, and reads its answers."""

import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Any

from pytlik.games import reasons
from pytlik.referee import answer
from tests.unikat.shared_positions import SMALL_POSITION

ROOT = Path(__file__).parents[2]

LAY_ACTION = {"kind": "lay", "tiles": [["0100", 0, 1]]}
DOMINO = [[0, 0], [1, 0]]

EXAMPLE_FIELDS: dict[str, dict[str, Any]] = {
    "actions": {"position": SMALL_POSITION, "limit": 10},
    "count": {"position": SMALL_POSITION},
    "apply": {"position": SMALL_POSITION, "action": LAY_ACTION},
    "view": {"position": SMALL_POSITION, "seat": 1},
    "best": {"position": SMALL_POSITION, "seat": 0, "level": "easy", "seed": 1, "simulations": 20},
    "deal": {"game": "unikat", "players": 3, "seed": "any text"},
    "solve": {"area": DOMINO, "pieces": [DOMINO]},
    "check": {"area": DOMINO, "pieces": [DOMINO], "placement": [DOMINO]},
    "cards": {},
    "pieces": {},
    "score": {"players": 3, "rounds": [[[2, "ruby"], [0, "amber"]], {"second_chance": None}]},
}
EXAMPLE_REQUESTS = [{"do": do, **fields} for do, fields in EXAMPLE_FIELDS.items()]


def ask_referee(do: str, **fields: Any) -> dict[str, Any]:
    return reply_to(json.dumps({"do": do, **fields}))


def reply_to(line: str | bytes) -> dict[str, Any]:
    text = answer(line)
    assert b"\n" not in text
    assert b"\r" not in text
    read = json.loads(text)
    assert isinstance(read, dict)
    return read


def reason_of(answer: dict[str, Any]) -> StrEnum:
    assert answer.keys() - {"id"} == {"error"}
    assert answer["error"].keys() == {"reason", "message"}
    message = answer["error"]["message"]
    assert message.endswith(".")
    assert not re.search(r"\{[a-z]+\}", message), "a placeholder was not filled in"
    code = answer["error"]["reason"]
    return next(reason for reason in reasons() if reason == code)


def shared_cases(name: str) -> list[dict[str, Any]]:
    path = ROOT / "docs" / "positions" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
