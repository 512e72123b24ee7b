"""The referee: every request, every shared position, and whatever else a line may hold."""

import hashlib
import json
import random
import re
import subprocess
import sys
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytlik.game import Reason
from pytlik.referee import MOST_SAID, answer, main
from pytlik.unikat.model import TILES
from pytlik.unikat.position import Position, to_state
from tests.unikat.test_bots import most_tiles

HERE = Path(__file__).parent
DOCUMENT = (HERE.parent / "docs" / "referee.md").read_text(encoding="utf-8")

PLAIN: dict[str, Any] = {
    "game": "unikat",
    "board": [[0, 0, "0000"], [1, 0, "0001"]],
    "hands": [["0100"], ["2222"]],
    "display": ["1111"],
    "bag": ["2000"],
    "to_move": 0,
    "phase": "action",
}
LAY = {"kind": "lay", "tiles": [["0100", 0, 1]]}
DOMINO = [[0, 0], [1, 0]]

EXAMPLES: dict[str, dict[str, Any]] = {
    "actions": {"position": PLAIN, "limit": 10},
    "count": {"position": PLAIN},
    "apply": {"position": PLAIN, "action": LAY},
    "view": {"position": PLAIN, "seat": 1},
    "best": {"position": PLAIN, "seat": 0, "level": "easy", "seed": 1, "simulations": 20},
    "deal": {"game": "unikat", "players": 3, "seed": "any text"},
    "solve": {"area": DOMINO, "pieces": [DOMINO]},
    "check": {"area": DOMINO, "pieces": [DOMINO], "placement": [DOMINO]},
    "cards": {},
    "pieces": {},
    "score": {"players": 3, "rounds": [[[2, "ruby"], [0, "amber"]], {"second_chance": None}]},
}
REQUESTS = [{"do": do, **fields} for do, fields in EXAMPLES.items()]


def ask(do: str, **fields: Any) -> dict[str, Any]:
    return reply(json.dumps({"do": do, **fields}))


def reply(line: str | bytes) -> dict[str, Any]:
    text = answer(line)
    assert b"\n" not in text
    assert b"\r" not in text
    read = json.loads(text)
    assert isinstance(read, dict)
    return read


def reason(given_answer: dict[str, Any]) -> Reason:
    assert given_answer.keys() - {"id"} == {"error"}
    assert given_answer["error"].keys() == {"reason", "message"}
    message = given_answer["error"]["message"]
    assert message.endswith(".")
    assert not re.search(r"\{[a-z]+\}", message), "something was not filled in"
    return Reason(given_answer["error"]["reason"])


def shared(name: str) -> list[dict[str, Any]]:
    path = HERE.parent / "docs" / "positions" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# ------------------------------------------------------------------------------ shared positions

OF_ITS_KIND = {
    "occupied cell": Reason.OCCUPIED,
    "touches nothing": Reason.TOUCHES_NOTHING,
    "no tiles": Reason.NO_TILES,
    "not in hand": Reason.NOT_IN_HAND,
    "take back": Reason.SAME_TILE,
    "does not fit": Reason.UNLIKE_NEIGHBOUR,
    "not next to the last tile": Reason.NOT_NEXT_TO_LAST,
    "no passing": Reason.MUST_ACT,
    "not in display": Reason.NOT_IN_DISPLAY,
    "draw in an action": Reason.WRONG_PHASE,
    "nothing to decline": Reason.WRONG_PHASE,
    "lay while drawing": Reason.WRONG_PHASE,
    "must draw": Reason.WRONG_PHASE,
}


@pytest.mark.parametrize("case", shared("unikat"))
def test_unikat_positions(case: dict[str, Any]) -> None:
    position = case["position"]
    found = ask("actions", position=position)
    assert found["count"] == len(found["actions"]) == case["count"]
    assert ask("count", position=position) == {"count": case["count"]}
    lines = (json.dumps(a, sort_keys=True, separators=(",", ":")) for a in found["actions"])
    joined = "\n".join(sorted(lines)).encode()
    assert hashlib.sha256(joined).hexdigest() == case["sha256"]
    after = ask("apply", position=position, action=case["action"])["position"]
    assert compared(after) == compared(case["after"])
    for what, action in case["illegal"]:
        assert reason(ask("apply", position=position, action=action)) is OF_ITS_KIND[what]


def compared(position: dict[str, Any]) -> dict[str, Any]:
    """What of a position is compared: lists of tiles as sets, but the bag."""
    return {
        "board": sorted(position["board"]),
        "hands": [sorted(hand) for hand in position["hands"]],
        "display": sorted(position["display"]),
        **{key: position.get(key) for key in ("bag", "phase", "to_move", "winners", "ended")},
    }


@pytest.mark.parametrize("case", shared("ubongo"))
def test_ubongo_puzzles_and_games(case: dict[str, Any]) -> None:
    if "puzzle" in case:
        area, pieces = case["puzzle"]["area"], case["puzzle"]["pieces"]
        solved = ask("solve", area=area, pieces=pieces)
        assert solved["solutions"] == case["puzzle"]["solutions"]
        if solved["solutions"]:
            placement = solved["first"]
            assert ask("check", area=area, pieces=pieces, placement=placement) == {"solved": True}
        else:
            assert solved["first"] is None
    else:
        game = case["game"]
        result = ask("score", players=game["players"], rounds=game["rounds"])
        if game["score"] is None:
            assert reason(result) is Reason.GEM_NOT_IN_BAG
        else:
            assert result == game["score"]


# --------------------------------------------------------------------------------- the document


def documented() -> list[tuple[str, str]]:
    lines = DOCUMENT.splitlines()
    return [(asked[2:], said[2:]) for asked, said in pairwise(lines) if asked[:2] == "> "]


@pytest.mark.parametrize(("asked", "said"), documented())
def test_the_examples_in_the_document(asked: str, said: str) -> None:
    text = json.dumps(reply(asked), ensure_ascii=False)
    if said.endswith(" ..."):
        assert text.startswith(said.removesuffix(" ..."))
    else:
        assert json.loads(said) == json.loads(text)


def test_the_document_has_an_example_of_every_request() -> None:
    asked = [json.loads(line) for line, _ in documented() if line.startswith("{")]
    assert {request["do"] for request in asked} == EXAMPLES.keys()


def test_the_document_names_every_reason_that_the_referee_gives() -> None:
    table = DOCUMENT.split("| reason | |")[1].split("## Unikat")[0]
    given_here = {
        Reason.BAD_REQUEST, Reason.BAD_POSITION, Reason.NOT_YOUR_TURN, Reason.TILE_TWICE,
        Reason.BAG_EMPTY, Reason.TOO_MANY, Reason.TOO_MANY_ROUNDS, Reason.SEAT_TWICE,
        Reason.GEM_NOT_IN_BAG, Reason.WRONG_SHAPE, Reason.OUTSIDE_AREA, Reason.NOT_COVERED,
        *OF_ITS_KIND.values(),
    }  # fmt: skip
    assert {code for code in Reason if f"`{code}`" in table} == given_here


# ----------------------------------------------------------------------------------- the service


def test_lines_in_lines_out_until_the_end() -> None:
    lines = [json.dumps({**request, "id": n}).encode() for n, request in enumerate(REQUESTS)]
    lines.insert(3, b"")
    lines.insert(5, b"nonsense \xff")
    sink = BytesIO()
    assert main(BytesIO(b"\n".join(lines)), sink) == 0
    answers = sink.getvalue().splitlines()
    assert len(answers) == len(lines)
    assert answers == [answer(line) for line in lines]
    labels = [json.loads(line).get("id") for line in answers]
    assert labels == [0, 1, 2, None, 3, None, *range(4, len(REQUESTS))]


def test_it_runs_as_a_program() -> None:
    deal = {"do": "deal", "game": "unikat", "players": 2, "seed": "x"}
    lines = b'{"do": "count", "id": 1\r\n' + json.dumps(deal).encode() + b"\r\n"
    command = [sys.executable, "-m", "pytlik.referee"]
    run = subprocess.run(command, input=lines, capture_output=True, check=True, timeout=60)
    assert run.stderr == b""
    first, second = run.stdout.splitlines()
    assert json.loads(first)["error"]["reason"] == "bad_request"
    assert json.loads(second)["position"]["game"] == "unikat"


def test_an_answer_comes_before_the_next_line_is_read() -> None:
    sink = BytesIO()

    class Source(BytesIO):
        def __next__(self) -> bytes:
            answered.append(len(sink.getvalue().splitlines()))
            return super().__next__()

    answered: list[int] = []
    main(Source(b"{}\n" * 3), sink)
    assert answered == [0, 1, 2, 3]


@pytest.mark.parametrize("request_", REQUESTS, ids=EXAMPLES)
def test_every_request_has_an_answer(request_: dict[str, Any]) -> None:
    said = reply(json.dumps(request_))
    assert "error" not in said
    assert reply(json.dumps(request_).encode()) == said


LABELS = ["7", '"seven"', "null", "[]", '{"a": [1, {"b": null}]}', "1e400", "-0.0", '"\\u00e9\\n"',
          '"žluťoučký"', "true", "9" * 400, "[1,\r\t 2]"]  # fmt: skip


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("rest", ['"do": "pieces"', '"do": "nothing"', '"more": 1'])
def test_the_label_comes_back_as_it_was_written(label: str, rest: str) -> None:
    raw = answer(f'{{{rest}, "id": {label}}}').decode()
    in_one_line = label.replace("\r\t ", "").replace(": ", ":").replace(", ", ",")
    assert raw.startswith(f'{{"id":{in_one_line},')
    json.loads(raw)


# ------------------------------------------------------------------------------------ bad lines

DEEP = 100_000


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
        b"[" * DEEP,
        b'{"do": ' + b"[" * DEEP + b"]" * DEEP + b"}",
        b'{"id": ' + b"[" * DEEP + b"]" * DEEP + b', "do": "pieces"}',
        b'{"do": "count", "position": ' + b'{"board":' * DEEP,
        b'{"do": "' + b"x" * 3_000_000 + b'"}',
        b'{"do": "count", "position": {"game": "' + b"y" * 3_000_000 + b'"}}',
        b'{"do": "deal", "game": "unikat", "seed": "x", "players": ' + b"9" * 100_000 + b"}",
        b'{"do": "solve", "area": [' + b"[0,0]," * 300_000 + b'[1,0]], "pieces": []}',
        "\ud800",
        '{"do": "\udfff"}',
    ],
)
def test_what_is_no_request(line: bytes | str) -> None:
    text = answer(line)
    assert len(text) < MOST_SAID + 200
    assert reason(json.loads(text)) is Reason.BAD_REQUEST


def test_the_last_of_equal_keys_counts() -> None:
    assert "pieces" in reply('{"do": "pieces", "id": 1, "id": 2}')
    assert reply('{"do": "pieces", "id": 1, "id": 2}')["id"] == 2


@pytest.mark.parametrize("do", EXAMPLES)
def test_no_field_more_and_no_field_less(do: str) -> None:
    assert reason(ask(do, **EXAMPLES[do], more=1)) is Reason.BAD_REQUEST
    optional = {"limit", "level", "seed", "simulations"} if do in ("actions", "best") else set()
    for field in EXAMPLES[do]:
        fewer = {name: value for name, value in EXAMPLES[do].items() if name != field}
        assert ("error" in ask(do, **fewer)) is (field not in optional)


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("actions", {"limit": -1}),
    ("actions", {"limit": "all"}),
    ("actions", {"limit": 1.5}),
    ("actions", {"limit": None}),
    ("count", {"position": None}),
    ("count", {"position": []}),
    ("count", {"position": {}}),
    ("count", {"position": {**PLAIN, "game": "ubongo"}}),
    ("count", {"position": {**PLAIN, "hands": [["0100"], ["0003"]]}}),
    ("count", {"position": {**PLAIN, "hands": [["0100"], ["02222"]]}}),
    ("count", {"position": {**PLAIN, "hands": [["0100"], ["2222\n"]]}}),
    ("count", {"position": {**PLAIN, "options": {"blocked": [0, 1]}}}),
    ("count", {"position": {**PLAIN, "board": [[10**30, 0, "0000"]]}}),
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
    # Whatever else is wrong with a request, its shape comes first.
    ("score", {"rounds": [[[0, "ruby"], [0, "ruby"]]] * 10 + [[[9, "ruby"]]]}),
    ("view", {"seat": 9, "position": {**PLAIN, "board": []}}),
    ("best", {"seat": 9, "position": {**PLAIN, "board": []}}),
    ("apply", {"position": {**PLAIN, "board": []}, "action": {"kind": "sing"}}),
]


@pytest.mark.parametrize(("do", "fields"), WRONG)
def test_bad_values(do: str, fields: dict[str, Any]) -> None:
    assert reason(ask(do, **{**EXAMPLES[do], **fields})) is Reason.BAD_REQUEST


IMPOSSIBLE = [
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


@pytest.mark.parametrize("changes", IMPOSSIBLE)
@pytest.mark.parametrize("do", ["actions", "count", "apply", "view", "best"])
def test_positions_that_can_not_be(do: str, changes: dict[str, Any]) -> None:
    fields = {**EXAMPLES[do], "position": {**PLAIN, **changes}}
    if do == "view":
        fields["seat"] = 0
    assert reason(ask(do, **fields)) is Reason.BAD_POSITION


def test_a_position_with_82_tiles() -> None:
    everything = [*map(str, TILES)]
    position = {
        **PLAIN,
        "board": [[0, 0, "0000"]],
        "hands": [everything[1:11], everything[11:21]],
        "display": everything[21:24],
        "bag": everything[24:],
    }
    assert "error" not in ask("view", position=position, seat=0)
    position["bag"] = [*everything[24:], "1111"]
    assert reason(ask("view", position=position, seat=0)) is Reason.BAD_POSITION


# ---------------------------------------------------------------------------------------- Unikat

ILLEGAL: list[tuple[Reason, dict[str, Any], dict[str, Any]]] = [
    (Reason.WRONG_PHASE, {}, {"kind": "draw", "take": "bag"}),
    (Reason.WRONG_PHASE, {}, {"kind": "decline"}),
    (Reason.WRONG_PHASE, {"phase": "draw"}, LAY),
    (Reason.WRONG_PHASE, {"phase": "bonus"}, {"kind": "pass"}),
    (Reason.NOT_IN_HAND, {}, {"kind": "lay", "tiles": [["2222", 9, 9]]}),
    (Reason.NOT_IN_HAND, {}, {"kind": "swap", "give": "2222", "take": "0202"}),
    (Reason.TILE_TWICE, {}, {"kind": "lay", "tiles": [["0100", 0, 0], ["0100", 0, 2]]}),
    (Reason.NO_TILES, {}, {"kind": "lay", "tiles": []}),
    (Reason.OCCUPIED, {}, {"kind": "lay", "tiles": [["0100", 1, 0]]}),
    (Reason.TOUCHES_NOTHING, {}, {"kind": "lay", "tiles": [["0100", 10**30, 0]]}),
    (Reason.UNLIKE_NEIGHBOUR, {}, {"kind": "lay", "tiles": [["0100", 1, 1]]}),
    (
        Reason.NOT_NEXT_TO_LAST,
        {"hands": [["0100", "0002"], ["2222"]]},
        {"kind": "lay", "tiles": [["0100", 0, 1], ["0002", 2, 0]]},
    ),
    (
        Reason.NOT_NEXT_TO_LAST,
        {"phase": "bonus", "options": {"extra_action": "continue"}},
        LAY,
    ),
    (Reason.NOT_IN_DISPLAY, {}, {"kind": "swap", "give": "0100", "take": "0202"}),
    (Reason.NOT_IN_DISPLAY, {"phase": "draw"}, {"kind": "draw", "take": "0100"}),
    (Reason.SAME_TILE, {}, {"kind": "swap", "give": "0100", "take": "0100"}),
    (Reason.BAG_EMPTY, {"bag": []}, {"kind": "swap", "give": "0100", "take": "bag"}),
    (Reason.BAG_EMPTY, {"bag": [], "phase": "draw"}, {"kind": "draw", "take": "bag"}),
    (Reason.MUST_ACT, {}, {"kind": "pass"}),
]


@pytest.mark.parametrize(("why", "changes", "action"), ILLEGAL)
def test_illegal_actions(why: Reason, changes: dict[str, Any], action: dict[str, Any]) -> None:
    assert reason(ask("apply", position={**PLAIN, **changes}, action=action)) is why


OVER = {**PLAIN, "phase": "over", "hands": [[], ["2222"]], "winners": [0], "ended": "last tile"}


def test_nothing_is_legal_when_the_round_is_over() -> None:
    assert ask("actions", position=OVER) == {"actions": [], "count": 0}
    assert ask("count", position=OVER) == {"count": 0}
    for action in (LAY, {"kind": "decline"}, {"kind": "draw", "take": "bag"}, {"kind": "pass"}):
        assert reason(ask("apply", position=OVER, action=action)) is Reason.WRONG_PHASE
    assert reason(ask("best", position=OVER, seat=0)) is Reason.WRONG_PHASE
    assert ask("view", position=OVER, seat=None)["view"]["hands"] == [[], ["2222"]]


def test_a_pass_where_nothing_else_is_legal() -> None:
    stuck = {**PLAIN, "hands": [["2222"], ["0100"]], "display": [], "bag": []}
    assert ask("actions", position=stuck) == {"actions": [{"kind": "pass"}], "count": 1}
    assert ask("best", position=stuck, seat=0)["action"] == {"kind": "pass"}
    after = ask("apply", position=stuck, action={"kind": "pass"})
    assert after["position"] == {**stuck, "to_move": 1, "quiet_turns": 1}
    assert [event["kind"] for event in after["events"]] == ["turn_passed", "turn_ended"]


def test_a_round_ends_blocked() -> None:
    stuck = {
        **PLAIN, "hands": [["2222"], ["0222"]], "display": [], "bag": [], "quiet_turns": 1,
        "options": {"extra_action": "anywhere", "blocked": [1, 20]},
    }  # fmt: skip
    after = ask("apply", position=stuck, action={"kind": "pass"})["position"]
    assert (after["phase"], after["winners"], after["ended"]) == ("over", [0, 1], "blocked")
    assert ask("view", position=after, seat=0)["view"]["outcome"] == {
        "winners": [0, 1],
        "points": [1, 1],
    }


def test_more_actions_than_the_limit() -> None:
    everything = ask("actions", position=PLAIN)
    assert everything["count"] == 5
    assert ask("actions", position=PLAIN, limit=5) == everything
    assert reason(ask("actions", position=PLAIN, limit=4)) is Reason.TOO_MANY
    assert reason(ask("actions", position=PLAIN, limit=0)) is Reason.TOO_MANY


@pytest.mark.slow
def test_more_than_a_hundred_thousand_actions() -> None:
    hand = ["2220", "2221", "2210", "2211", "2212", "2200", "2201", "2202"]
    position = {**PLAIN, "board": [[0, 0, "2222"]], "hands": [hand, ["0100"]]}
    assert reason(ask("actions", position=position)) is Reason.TOO_MANY
    seven = {**position, "hands": [hand[:7], ["0100"]]}
    assert (
        ask("actions", position=seven)["count"] == ask("count", position=seven)["count"] == 95_194
    )


def test_a_deal_is_a_round_about_to_begin_and_follows_from_its_seed() -> None:
    position = ask("deal", game="unikat", players=4, seed="a")["position"]
    assert (position["to_move"], position["phase"]) == (0, "action")
    assert [len(hand) for hand in position["hands"]] == [10] * 4
    assert len(position["bag"]) == 37
    assert ask("deal", game="unikat", players=4, seed="a")["position"] == position
    assert ask("deal", game="unikat", players=4, seed="b")["position"] != position
    assert "count" in ask("count", position=position)


def test_a_game_by_the_best_action_to_its_end() -> None:
    position = ask("deal", game="unikat", players=2, seed="whole game")["position"]
    levels = ["easy", "hard"]
    while position["phase"] != "over":
        seat = position["to_move"]
        found = ask(
            "best", position=position, seat=seat, level=levels[seat], seed=len(str(position))
        )
        assert 0 <= found["value"] <= 1
        position = ask("apply", position=position, action=found["action"])["position"]
    assert position["winners"] == [1]


def test_best_is_for_the_seat_to_move() -> None:
    assert reason(ask("best", position=PLAIN, seat=1)) is Reason.NOT_YOUR_TURN


def test_best_with_all_it_can_be_given() -> None:
    for level in ("first-steps", "easy", "medium", "hard", "master"):
        for more in ({}, {"ms": 5}, {"simulations": 5}, {"seed": "text"}, {"seed": -(10**400)}):
            found = ask("best", position=PLAIN, seat=0, level=level, **more)
            assert found.keys() == {"action", "most_tiles", "value", "alternatives"}
            assert found["most_tiles"] == 1
    assert ask("best", position=PLAIN, seat=0)["action"]["kind"] == "lay"


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_best_with_simulations_is_repeated_and_counts_all_tiles(level: str) -> None:
    for seed in "abcd":
        position = ask("deal", game="unikat", players=2, seed=seed)["position"]
        asked = {"position": position, "seat": 0, "level": level, "seed": 7, "simulations": 10}
        found = ask("best", **asked)
        assert ask("best", **asked) == found
        assert found["most_tiles"] == most_tiles(to_state(msgspec.convert(position, Position)))


@pytest.mark.parametrize("case", shared("unikat")[::4])
def test_what_a_seat_may_not_know_changes_nothing(case: dict[str, Any]) -> None:
    position = case["position"]
    mixed = random.Random(1)
    for seat in (None, *range(len(position["hands"]))):
        hidden = [other for other in range(len(position["hands"])) if other != seat]
        tiles = [tile for other in hidden for tile in position["hands"][other]] + position["bag"]
        mixed.shuffle(tiles)
        hands, bag = list(position["hands"]), []
        for other in hidden:
            size = len(hands[other])
            hands[other], tiles = tiles[:size], tiles[size:]
        bag = tiles
        elsewhere = {**position, "hands": hands, "bag": bag}
        if seat is None:
            # A spectator may see what everyone may.
            elsewhere_view = ask("view", position=elsewhere, seat=None)
            assert elsewhere_view == ask("view", position=position, seat=None)
            continue
        for request in (
            {"do": "view", "seat": seat},
            *(
                {"do": "best", "seat": seat, "level": level, "seed": 3}
                for level in ("easy", "hard")
            ),
        ):
            there = answer(json.dumps({**request, "position": elsewhere}))
            assert there == answer(json.dumps({**request, "position": position}))


# ---------------------------------------------------------------------------------------- Ubongo


def test_puzzles_at_the_edge() -> None:
    assert ask("solve", area=[], pieces=[]) == {"solutions": 1, "first": []}
    assert ask("solve", area=DOMINO, pieces=[]) == {"solutions": 0, "first": None}
    assert ask("solve", area=[], pieces=[DOMINO]) == {"solutions": 0, "first": None}
    far = [[0, 0], [10**30, -(10**30)]]
    assert ask("solve", area=far, pieces=[[[5, 5]], [[7, 7]]])["solutions"] == 2
    assert ask("solve", area=far, pieces=[DOMINO]) == {"solutions": 0, "first": None}
    singles = [[[0, 0]]] * 30
    assert ask("solve", area=[[q, 0] for q in range(30)], pieces=singles)["solutions"] > 2**64


TRIANGLE = [[0, 0], [1, 0], [0, 1]]
BAR = [[0, 0], [1, 0], [2, 0]]


@pytest.mark.parametrize(
    ("expected", "area", "pieces", "placement"),
    [
        (None, [], [], []),
        (None, BAR, [[[0, 0], [0, 1], [0, 2]]], [BAR]),
        (None, BAR, [[[5, 5]], DOMINO], [[[0, 0]], [[2, 0], [1, 0]]]),
        ("wrong_shape", BAR, [TRIANGLE], [BAR]),
        ("wrong_shape", BAR, [BAR], [DOMINO]),
        ("wrong_shape", BAR, [BAR], [[]]),
        ("wrong_shape", BAR, [[[0, 0]], DOMINO], [DOMINO, [[2, 0]]]),
        ("wrong_shape", BAR, [DOMINO, TRIANGLE], [[[8, 8], [9, 8]], BAR]),
        ("outside_area", DOMINO, [BAR], [BAR]),
        ("outside_area", DOMINO, [DOMINO, DOMINO], [DOMINO, [[1, 0], [2, 0]]]),
        ("occupied", BAR, [DOMINO, DOMINO], [DOMINO, [[1, 0], [2, 0]]]),
        ("not_covered", BAR, [DOMINO], [DOMINO]),
        ("not_covered", BAR, [], []),
    ],
)
def test_checking_a_placement(expected: str | None, area: Any, pieces: Any, placement: Any) -> None:
    said = ask("check", area=area, pieces=pieces, placement=placement)
    assert said == ({"solved": False, "reason": expected} if expected else {"solved": True})


def test_every_shipped_puzzle_is_made_of_shipped_pieces() -> None:
    pieces, cards = ask("pieces")["pieces"], ask("cards")["cards"]
    assert set(pieces) == {"red", "blue", "green", "yellow"}
    for colour in pieces.values():
        assert [*colour] == [str(number) for number in range(1, 14)]
    card = cards[0]
    assert card["id"] == 1
    for name, side in card["sides"].items():
        for colour, numbers in side["sets"].items():
            assert len(numbers) == int(name)
            mine = [pieces[colour][str(number)] for number in numbers]
            assert ask("solve", area=side["area"], pieces=mine)["solutions"] >= 1


@pytest.mark.parametrize(
    ("why", "rounds"),
    [
        (Reason.TOO_MANY_ROUNDS, [{"second_chance": None}] * 10),
        (Reason.SEAT_TWICE, [[[0, "ruby"], [0, "amber"]]]),
        (Reason.GEM_NOT_IN_BAG, [[[0, "ruby"], [1, "ruby"]]] * 5),
    ],
)
def test_books_that_do_not_balance(why: Reason, rounds: Any) -> None:
    assert reason(ask("score", players=2, rounds=rounds)) is why


def test_a_tie_is_told_only_after_nine_rounds() -> None:
    nobody = {"second_chance": None}
    assert ask("score", players=4, rounds=[nobody] * 8)["tied"] == []
    assert ask("score", players=4, rounds=[nobody] * 9)["tied"] == [0, 1, 2, 3]
    assert ask("score", players=2, rounds=[])["display"] == {"sapphire": 9, "amber": 9}


# ------------------------------------------------------------------------------------- anything

POSITIONS = [case["position"] for case in shared("unikat") if case["count"] < 1000]
SEEDS = [
    *REQUESTS,
    *({"do": "count", "position": position} for position in POSITIONS[:6]),
    *(
        {"do": "apply", "position": c["position"], "action": c["action"]}
        for c in shared("unikat")[:6]
    ),
]

words = ["0000", "1111", "2222", "bag", "ruby", "lay", "swap", "draw", "over", "bonus"]
junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from(words),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def mutated(data: st.DataObject, value: Any, depth: int = 0) -> Any:
    """The value with something in it changed, taken out, doubled or exchanged."""
    if depth and data.draw(st.integers(0, 5)) == 0:
        return data.draw(junk)
    if isinstance(value, dict) and value:
        key = data.draw(st.sampled_from(sorted(value)))
        match data.draw(st.integers(0, 6)):
            case 0:
                return {name: item for name, item in value.items() if name != key}
            case 1:
                return {**value, data.draw(st.text(max_size=5)): data.draw(junk)}
            case _:
                return {**value, key: mutated(data, value[key], depth + 1)}
    if isinstance(value, list) and value:
        at = data.draw(st.integers(0, len(value) - 1))
        match data.draw(st.integers(0, 4)):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value, value[at]]
            case 2:
                return value[::-1]
            case _:
                return [*value[:at], mutated(data, value[at], depth + 1), *value[at + 1 :]]
    if isinstance(value, int):
        return data.draw(st.integers(value - 2, value + 2) | junk)
    return data.draw(junk)


def check_any(line: str | bytes) -> None:
    said = reply(line)
    if "error" in said:
        reason(said)


@given(st.data())
def test_requests_with_something_wrong(data: st.DataObject) -> None:
    request: Any = data.draw(st.sampled_from(SEEDS))
    for _ in range(data.draw(st.integers(1, 3))):
        request = mutated(data, request)
    check_any(json.dumps(request))


@given(st.data())
def test_lines_with_something_wrong(data: st.DataObject) -> None:
    line = json.dumps(data.draw(st.sampled_from(SEEDS))).encode()
    at = data.draw(st.integers(0, len(line)))
    until = data.draw(st.integers(at, min(len(line), at + 4)))
    check_any(line[:at] + data.draw(st.binary(max_size=3)) + line[until:])


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_any_line_at_all(line: bytes | str) -> None:
    check_any(line)
