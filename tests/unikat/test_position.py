"""Positions: what they contain, what they leave out, and which are impossible."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.game import Malformed
from pytlik.games import UNIKAT
from pytlik.score_sheet import Row
from pytlik.unikat.model import TILES, Cell, Options, Phase, State, Tile
from pytlik.unikat.position import Position, from_state, to_state
from pytlik.unikat.reasons import UnikatReason
from tests.random_matches import random_match_steps
from tests.unikat.drawn_tables import parse_tiles
from tests.unikat.shared_positions import SMALL_POSITION

OVER_FIELDS = {"phase": "over", "hands": [[], ["2222"]], "winners": [0], "ended": "last tile"}


def position_with(**changes: Any) -> Position:
    return msgspec.convert({**SMALL_POSITION, **changes}, Position)


def write_position(state: State) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(from_state(state)), type=dict[str, Any])


def test_position_becomes_a_one_round_match() -> None:
    state = to_state(position_with())
    assert dict(state.board) == {Cell(0, 0): Tile("0000"), Cell(1, 0): Tile("0001")}
    assert state.hands == (parse_tiles("0100"), parse_tiles("2222"))
    assert (state.display, state.bag) == (parse_tiles("1111"), parse_tiles("2000"))
    assert (state.players, state.to_move, state.phase) == (2, 0, Phase.ACTION)
    assert (state.options, state.round, state.sheet) == (Options(), 1, ())
    assert state.known == (frozenset(), frozenset())
    assert (state.laid, state.quiet_turns, state.winners, state.ended) == (False, 0, (), None)


def test_last_tile_listed_is_the_last_laid() -> None:
    assert to_state(position_with()).board.last == Cell(1, 0)
    assert to_state(position_with(board=SMALL_POSITION["board"][::-1])).board.last == Cell(0, 0)


def test_finished_round_has_a_row_on_the_score_sheet() -> None:
    state = to_state(position_with(**OVER_FIELDS))
    assert state.sheet == (Row(points=(0, 1), winners=(0,)),)
    assert state.finished
    assert (state.winners, state.ended) == ((0,), "last tile")


@pytest.mark.parametrize(
    ("phase", "changes", "laid"),
    [
        ("bonus", {}, True),
        ("bonus", {"laid": True}, True),
        ("bonus", {"laid": False}, False),
        ("draw", {}, False),
        ("draw", {"laid": True}, True),
        ("draw", {"laid": False}, False),
        ("action", {"laid": False}, False),
    ],
)
def test_default_of_laid_depends_on_the_phase(phase: str, changes: Any, laid: bool) -> None:
    assert to_state(position_with(phase=phase, **changes)).laid is laid


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"phase": "bonus"},
        {"phase": "bonus", "laid": False},
        {"phase": "draw"},
        {"phase": "draw", "laid": True},
        {"quiet_turns": 7},
        # The check comes at the end of a turn, so this turn may still be played.
        {"quiet_turns": 1000},
        {"options": {"extra_action": "continue", "blocked": [2, 20]}},
        {"options": {"extra_action": "anywhere", "blocked": [1, 5]}},
        {"display": [], "bag": []},
        OVER_FIELDS,
        {"phase": "over", "winners": [0, 1], "ended": "blocked"},
        {
            "phase": "over",
            "hands": [["0100"], ["2222", "2221"]],
            "winners": [0],
            "ended": "blocked",
        },
        {"board": [[2**53, -(2**53), "0000"]]},
    ],
)
def test_position_survives_a_round_trip(changes: Any) -> None:
    assert write_position(to_state(position_with(**changes))) == {**SMALL_POSITION, **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"laid": False},
        {"phase": "bonus", "laid": True},
        {"phase": "draw", "laid": False},
        {"quiet_turns": 0},
        {"options": {}},
        {"options": {"extra_action": "anywhere"}},
        {"options": {"blocked": [2, 20]}},
    ],
)
def test_defaults_are_not_written(changes: Any) -> None:
    kept = {"phase": changes.get("phase", "action")}
    assert write_position(to_state(position_with(**changes))) == {**SMALL_POSITION, **kept}


def test_winners_may_come_in_any_order() -> None:
    assert to_state(position_with(phase="over", winners=[1, 0], ended="blocked")).winners == (0, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_state_survives_a_round_trip(players: int) -> None:
    options = Options(starter=0, extra_action="continue")
    phases = set()
    for _, state in random_match_steps(UNIKAT, players, "positions", options):
        expected = replace(
            state,
            options=replace(options, starter=None),
            known=(frozenset(),) * players,
            latest=(),
            laid=state.laid and state.phase is not Phase.OVER,
        )
        assert to_state(from_state(state)) == expected
        phases.add(state.phase)
    assert phases == set(Phase)


@pytest.mark.parametrize(
    ("problem", "changes"),
    [
        ("2 times", {"board": [[0, 0, "0000"], [1, 0, "0000"]]}),
        ("2 times", {"hands": [["0100"], ["0100"]]}),
        ("2 times", {"hands": [["0100", "0100"], ["2222"]]}),
        ("2 times", {"hands": [["0000"], ["2222"]]}),
        ("3 times", {"display": ["0100"], "bag": ["0100"]}),
        ("2 times", {"display": ["1111", "1111"]}),
        ("2 times", {"bag": [*TILES]}),
        ("no tile on the table", {"board": []}),
        ("in one place", {"board": [[0, 0, "0000"], [0, 0, "0001"]]}),
        ("exactly one feature", {"board": [[0, 0, "0000"], [1, 0, "0011"]]}),
        ("exactly one feature", {"board": [[0, 0, "0000"], [1, 0, "0001"], [2, 0, "1002"]]}),
        ("islands", {"board": [[0, 0, "0000"], [2, 0, "0001"]]}),
        ("islands", {"board": [[0, 0, "0000"], [1, 1, "0001"]]}),
        ("2 to 4", {"hands": []}),
        ("2 to 4", {"hands": [["0100"]]}),
        ("2 to 4", {"hands": [["0100"], ["2222"], ["2221"], ["2220"], ["2212"]]}),
        ("no such seat", {"to_move": 2}),
        ("no such seat", {"to_move": -1}),
        ("more than 10", {"hands": [["0100"], [*TILES[-11:]]]}),
        ("hand is empty", {"hands": [["0100"], []]}),
        ("hand is empty", {"hands": [[], ["2222"]], "phase": "draw"}),
        ("display is empty", {"display": []}),
        ("laid", {"laid": True}),
        ("laid", {**OVER_FIELDS, "laid": True}),
        ("ten tiles", {"phase": "draw", "hands": [[*TILES[-10:]], ["0100"]]}),
        ("nothing to draw", {"phase": "draw", "display": [], "bag": []}),
        ("winners", {"winners": [0]}),
        ("winners", {"winners": []}),
        ("winners", {"ended": "blocked"}),
        ("ended in one way", {"phase": "over"}),
        ("ended in one way", {"phase": "over", "winners": [0, 1]}),
        ("ended in one way", {"phase": "over", "ended": "blocked"}),
        ("ended so", {"phase": "over", "winners": [0, 1], "ended": "last tile"}),
        ("ended so", {**OVER_FIELDS, "hands": [[], []]}),
        ("ended so", {**OVER_FIELDS, "ended": "blocked"}),
        ("not those", {**OVER_FIELDS, "winners": [1]}),
        ("not those", {**OVER_FIELDS, "winners": []}),
        ("not those", {**OVER_FIELDS, "winners": [0, 0]}),
        ("not those", {"phase": "over", "winners": [0], "ended": "blocked"}),
    ],
)  # fmt: skip
def test_impossible_position_is_rejected(problem: str, changes: Any) -> None:
    with pytest.raises(Malformed) as refused:
        to_state(position_with(**changes))
    assert refused.value.reason is UnikatReason.BAD_POSITION
    assert problem in refused.value.detail["problem"]


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "ubongo"},
        {"board": [[0, 0, "0003"]]},
        {"board": [[0, 0]]},
        {"board": [[0, 0, "0000", 0]]},
        {"board": [["0000", 0, 0]]},
        {"board": [[0.5, 0, "0000"]]},
        {"board": [[True, 0, "0000"]]},
        {"board": [[2**53 + 1, 0, "0000"]]},
        {"board": None},
        {"hands": [["010"], ["2222"]]},
        {"hands": {"0": ["0100"]}},
        {"display": ["bag"]},
        {"bag": [1111]},
        {"to_move": None},
        {"phase": "ready"},
        {"laid": None},
        {"laid": 1},
        {"quiet_turns": -1},
        {"options": {"blocked": [0, 20]}},
        {"options": {"blocked": [2]}},
        {"options": {"extra_action": "nowhere"}},
        {"options": {"rounds": 2}},
        {"options": None},
        {"winners": [None], **{k: v for k, v in OVER_FIELDS.items() if k != "winners"}},
        {**OVER_FIELDS, "ended": "bored"},
        {"more": 1},
    ],
)
def test_malformed_position_fails_to_decode(changes: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        position_with(**changes)


@pytest.mark.parametrize("field", SMALL_POSITION)
def test_all_seven_fields_are_required(field: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(
            {name: value for name, value in SMALL_POSITION.items() if name != field}, Position
        )
