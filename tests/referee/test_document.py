"""The referee does what its document says."""

import json
from itertools import pairwise

import pytest

from pytlik.game import Reason
from pytlik.games import reasons
from pytlik.ubongo.reasons import UbongoReason
from pytlik.unikat.reasons import UnikatReason
from tests.referee.referee_client import EXAMPLE_FIELDS, ROOT, reply_to
from tests.referee.test_positions import REASON_BY_KIND

DOCUMENT = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8")


def documented_exchanges() -> list[tuple[str, str]]:
    lines = DOCUMENT.splitlines()
    return [(request[2:], reply[2:]) for request, reply in pairwise(lines) if request[:2] == "> "]


@pytest.mark.parametrize(("line", "expected"), documented_exchanges())
def test_documented_examples(line: str, expected: str) -> None:
    text = json.dumps(reply_to(line), ensure_ascii=False)
    if expected.endswith(" ..."):
        assert text.startswith(expected.removesuffix(" ..."))
    else:
        assert json.loads(expected) == json.loads(text)


def test_every_request_has_a_documented_example() -> None:
    requests = [json.loads(line) for line, _ in documented_exchanges() if line.startswith("{")]
    assert {request["do"] for request in requests} == EXAMPLE_FIELDS.keys()


def test_every_reason_that_the_referee_gives_is_documented() -> None:
    table = DOCUMENT.split("| reason | |")[1].split("## Unikat")[0]
    expected = {
        Reason.BAD_REQUEST, Reason.NOT_YOUR_TURN, Reason.TOO_MANY,
        UnikatReason.BAD_POSITION, UnikatReason.TILE_TWICE, UnikatReason.BAG_EMPTY,
        UbongoReason.TOO_MANY_ROUNDS, UbongoReason.SEAT_TWICE, UbongoReason.GEM_NOT_IN_BAG,
        UbongoReason.WRONG_SHAPE, UbongoReason.OUTSIDE_AREA, UbongoReason.NOT_COVERED,
        *REASON_BY_KIND.values(),
    }  # fmt: skip
    assert {code for code in reasons() if f"`{code}`" in table} == expected
