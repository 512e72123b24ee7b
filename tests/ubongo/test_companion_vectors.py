"""The page's companion counts gems like the rules, in a match of nine rounds."""

import json
from pathlib import Path
from typing import Any

from pytlik.ubongo import gem_ledger
from pytlik.ubongo.model import ROUNDS, Gem

PAGE_SOURCE = Path(__file__).parents[2] / "web" / "src"
VECTORS_FILE = PAGE_SOURCE / "games" / "ubongo" / "companion" / "rounds.vectors.json"


def test_nine_rounds_agree_with_the_page() -> None:
    rounds: list[dict[str, Any]] = json.loads(VECTORS_FILE.read_text(encoding="utf-8"))
    assert len(rounds) == ROUNDS
    ledger = gem_ledger.new_ledger(4)
    for each in rounds:
        draws = [(seat, Gem(gem)) for seat, gem in each["draws"]]
        if each["second"]:
            ledger = gem_ledger.score_second_chance(ledger, draws[0] if draws else None)
        else:
            ledger = gem_ledger.score_round(ledger, draws)
        actual = {"display": ledger.display, "bag": ledger.bag, "held": list(ledger.held)}
        assert actual == each["books"]
        assert [gem_ledger.points(gems) for gems in ledger.held] == each["points"]
    assert {each["second"] for each in rounds} == {True, False}
    assert list(gem_ledger.leaders(ledger)) == [0, 3]
