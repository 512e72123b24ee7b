"""Lines that aren't requests, or ask for something impossible."""

import json
from typing import Any

import pytest

from pytlik.game import Reason
from pytlik.referee import answer
from pytlik.referee.service import MAX_QUOTED_CHARACTERS
from pytlik.unikat.model import TILES
from pytlik.unikat.reasons import UnikatReason
from tests.referee.referee_client import DOMINO, EXAMPLE_FIELDS, ask_referee, reason_of, reply_to
from tests.unikat.shared_positions import SMALL_POSITION

DEEP_NESTING = 100_000


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"   ",
        b"null",
        b"17",
        b'"actions"',
        b"[]",
        b'[{"do": "pieces"}]',
        b"{",
        b"}",
        b"{}",
        b'{"do": "pieces"',
        b'{"do": "pieces"}}',
        b'{"do": "pieces"} {"do": "pieces"}',
        b'{"do": "pieces",}',
        b"{'do': 'pieces'}",
        b'{"do": "pieces" /* all of them */}',
        b'{"do": null}',
        b'{"do": 1}',
        b'{"do": ["pieces"]}',
        b'{"do": "Pieces"}',
        b'{"do": "piece_shapes"}',
        b'{"do": ""}',
        b'{"do": "pieces", "more": 1}',
        b'{"do": "pieces", "": NaN}',
        b'{"do": "pieces", "id": NaN}',
        b'{"do": "pieces", "id": Infinity}',
        b'{"do": "pieces", "id": 01}',
        b'{"do": "pieces", "id": "\xff"}',
        b'{"do": "pieces", "id": "\xed\xa0\x80"}',
        b'{"do": "pieces\xff"}',
        b'\xff\xfe{\x00"\x00',
        b'\xef\xbb\xbf{"do": "pieces"}',
        b'{"do": "\\ud800"}',
        b'{"do": "deal", "game": "unikat", "players": 2, "seed": "\\udfff"}',
        b'{"do": "pieces", "\\ud800": 1}',
        b"\x00",
        b'{"do": "pie\x00ces"}',
        b"[" * DEEP_NESTING,
        b'{"do": ' + b"[" * DEEP_NESTING + b"]" * DEEP_NESTING + b"}",
        b'{"id": ' + b"[" * DEEP_NESTING + b"]" * DEEP_NESTING + b', "do": "pieces"}',
        b'{"do": "count", "position": ' + b'{"board":' * DEEP_NESTING,
        b'{"do": "' + b"x" * 3_000_000 + b'"}',
        b'{"do": "count", "position": {"game": "' + b"y" * 3_000_000 + b'"}}',
        b'{"do": "deal", "game": "unikat", "seed": "x", "players": ' + b"9" * 100_000 + b"}",
        b'{"do": "solve", "area": [' + b"[0,0]," * 300_000 + b'[1,0]], "pieces": []}',
        "\ud800",
        '{"do": "\udfff"}',
    ],
)
def test_line_that_is_not_a_request_is_refused(line: bytes | str) -> None:
    text = answer(line)
    assert len(text) < MAX_QUOTED_CHARACTERS + 200
    assert reason_of(json.loads(text)) is Reason.BAD_REQUEST


def test_last_of_equal_keys_counts() -> None:
    assert "pieces" in reply_to('{"do": "pieces", "id": 1, "id": 2}')
    assert reply_to('{"do": "pieces", "id": 1, "id": 2}')["id"] == 2


@pytest.mark.parametrize("do", EXAMPLE_FIELDS)
def test_extra_and_missing_fields_are_refused(do: str) -> None:
    assert reason_of(ask_referee(do, **EXAMPLE_FIELDS[do], more=1)) is Reason.BAD_REQUEST
    optional = {"limit", "level", "seed", "simulations"} if do in ("actions", "best") else set()
    for field in EXAMPLE_FIELDS[do]:
        fewer = {name: value for name, value in EXAMPLE_FIELDS[do].items() if name != field}
        assert ("error" in ask_referee(do, **fewer)) is (field not in optional)


WRONG_REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("actions", {"limit": -1}),
    ("actions", {"limit": "all"}),
    ("actions", {"limit": 1.5}),
    ("actions", {"limit": None}),
    ("count", {"position": None}),
    ("count", {"position": []}),
    ("count", {"position": {}}),
    ("count", {"position": {**SMALL_POSITION, "game": "ubongo"}}),
    ("count", {"position": {**SMALL_POSITION, "hands": [["0100"], ["0003"]]}}),
    ("count", {"position": {**SMALL_POSITION, "hands": [["0100"], ["02222"]]}}),
    ("count", {"position": {**SMALL_POSITION, "hands": [["0100"], ["2222\n"]]}}),
    ("count", {"position": {**SMALL_POSITION, "options": {"blocked": [0, 1]}}}),
    ("count", {"position": {**SMALL_POSITION, "board": [[10**30, 0, "0000"]]}}),
    ("apply", {"action": None}),
    ("apply", {"action": {}}),
    ("apply", {"action": {"kind": "ready"}}),
    ("apply", {"action": {"kind": "lay"}}),
    ("apply", {"action": {"kind": "lay", "tiles": [[0, 1, "0100"]]}}),
    ("apply", {"action": {"kind": "lay", "tiles": [["0100", 0, 1, 2]]}}),
    ("apply", {"action": {"kind": "lay", "tiles": [["0100", 0.0, 1]]}}),
    ("apply", {"action": {"kind": "lay", "tiles": [["0103", 0, 1]]}}),
    ("apply", {"action": {"kind": "swap", "give": "bag", "take": "1111"}}),
    ("apply", {"action": {"kind": "swap", "give": "0100", "take": "Bag"}}),
    ("apply", {"action": {"kind": "swap", "give": "0100", "take": "bag\n"}}),
    ("apply", {"action": {"kind": "swap", "give": "0100", "take": "1113"}}),
    ("apply", {"action": {"kind": "decline", "take": "bag"}}),
    ("apply", {"action": {"kind": "draw"}}),
    ("view", {"seat": 2}),
    ("view", {"seat": -1}),
    ("view", {"seat": "0"}),
    ("best", {"seat": None}),
    ("best", {"seat": 2}),
    ("best", {"level": "hardest"}),
    ("best", {"seed": None}),
    ("best", {"seed": 1.5}),
    ("best", {"simulations": 0}),
    ("best", {"simulations": "many"}),
    ("best", {"ms": 500}),
    ("best", {"seed": [1]}),
    ("deal", {"game": "ubongo"}),
    ("deal", {"players": 1}),
    ("deal", {"players": 5}),
    ("deal", {"players": True}),
    ("deal", {"seed": 1}),
    ("solve", {"area": [[0, 0], [0, 0]]}),
    ("solve", {"pieces": [[[0, 0], [0, 0]]]}),
    ("solve", {"pieces": [[]]}),
    ("solve", {"area": [[0, 0, 0]]}),
    ("solve", {"area": [[q, 0] for q in range(1001)]}),
    ("solve", {"area": 2}),
    ("check", {"placement": []}),
    ("check", {"placement": [DOMINO, DOMINO]}),
    ("check", {"placement": [[[0, 0], [0, 0]]]}),
    ("check", {"placement": [[["0", 0], [1, 0]]]}),
    ("score", {"players": 1}),
    ("score", {"players": 5}),
    ("score", {"rounds": [[]]}),
    ("score", {"rounds": [[[3, "ruby"]]]}),
    ("score", {"rounds": [[[-1, "ruby"]]]}),
    ("score", {"rounds": [{"second_chance": [3, "ruby"]}]}),
    ("score", {"rounds": [{"second_chance": []}]}),
    ("score", {"rounds": [{}]}),
    ("score", {"rounds": [None]}),
    ("score", {"rounds": [[[0, "diamond"]]]}),
    ("score", {"rounds": [[[0]]]}),
    ("score", {"rounds": None}),
    # Whatever else is wrong with a request, its shape is checked first.
    ("score", {"rounds": [[[0, "ruby"], [0, "ruby"]]] * 10 + [[[9, "ruby"]]]}),
    ("view", {"seat": 9, "position": {**SMALL_POSITION, "board": []}}),
    ("best", {"seat": 9, "position": {**SMALL_POSITION, "board": []}}),
    ("apply", {"position": {**SMALL_POSITION, "board": []}, "action": {"kind": "sing"}}),
]


@pytest.mark.parametrize(("do", "fields"), WRONG_REQUESTS)
def test_bad_values_are_refused(do: str, fields: dict[str, Any]) -> None:
    assert reason_of(ask_referee(do, **{**EXAMPLE_FIELDS[do], **fields})) is Reason.BAD_REQUEST


IMPOSSIBLE_POSITIONS = [
    {"hands": [["0100"], ["0000"]]},
    {"bag": [*TILES]},
    {"display": ["1111", "1111"]},
    {"board": [[0, 0, "0000"], [5, 5, "0001"]]},
    {"board": [[0, 0, "0000"], [1, 0, "1111"]], "display": []},
    {"board": [[0, 0, "0000"], [0, 0, "0001"]]},
    {"board": []},
    {"display": []},
    {"hands": [["0100"]]},
    {"to_move": 7},
    {"phase": "over"},
]


@pytest.mark.parametrize("changes", IMPOSSIBLE_POSITIONS)
@pytest.mark.parametrize("do", ["actions", "count", "apply", "view", "best"])
def test_impossible_positions_are_refused(do: str, changes: dict[str, Any]) -> None:
    fields = {**EXAMPLE_FIELDS[do], "position": {**SMALL_POSITION, **changes}}
    if do == "view":
        fields["seat"] = 0
    assert reason_of(ask_referee(do, **fields)) is UnikatReason.BAD_POSITION


def test_position_with_82_tiles_is_refused() -> None:
    everything = [*map(str, TILES)]
    position = {
        **SMALL_POSITION,
        "board": [[0, 0, "0000"]],
        "hands": [everything[1:11], everything[11:21]],
        "display": everything[21:24],
        "bag": everything[24:],
    }
    assert "error" not in ask_referee("view", position=position, seat=0)
    position["bag"] = [*everything[24:], "1111"]
    assert reason_of(ask_referee("view", position=position, seat=0)) is UnikatReason.BAD_POSITION
