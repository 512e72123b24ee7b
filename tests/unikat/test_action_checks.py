"""Every reason for which Unikat refuses an action, with its detail."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from pytlik.game import Ready, Reason, Seat
from pytlik.unikat import action_checks
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import Action, Draw, Lay
from pytlik.unikat.model import Options, Phase, Tile
from pytlik.unikat.reasons import UnikatReason
from tests.unikat.drawn_tables import (
    DECLINE,
    PASS,
    DrawnTable,
    make_lay,
    make_swap,
    table_from_drawing,
)

ACTION_SCENE = table_from_drawing(
    """
    0000   0001   .
    0100   .      .
    """,
    hands=["0101 0102 0011 1111 2222", "2221"],
    display="2211",
    bag="2210",
)
DRAW_SCENE = ACTION_SCENE.with_changes(phase=Phase.DRAW)
BONUS_SCENE = ACTION_SCENE.with_changes(phase=Phase.BONUS, laid=True)
OVER_SCENE = ACTION_SCENE.with_changes(phase=Phase.OVER)
EMPTY_BAG_SCENE = ACTION_SCENE.with_changes(bag=())
STUCK_SCENE = table_from_drawing("0000", hands=["0001 2222", "2221"], display="", bag="")
BETWEEN_ROUNDS_SCENE = OVER_SCENE.with_changes(options=Options(rounds=2))

RefusalCase = tuple[StrEnum, DrawnTable, Action, dict[str, Any]]

REFUSALS: list[RefusalCase] = [
    (Reason.WRONG_PHASE, ACTION_SCENE, DECLINE, {"phase": Phase.ACTION}),
    (Reason.WRONG_PHASE, ACTION_SCENE, Draw("bag"), {"phase": Phase.ACTION}),
    (Reason.WRONG_PHASE, ACTION_SCENE, Ready(), {"phase": Phase.ACTION}),
    (Reason.WRONG_PHASE, BONUS_SCENE, PASS, {"phase": Phase.BONUS}),
    (Reason.WRONG_PHASE, BONUS_SCENE, Draw("bag"), {"phase": Phase.BONUS}),
    (Reason.WRONG_PHASE, DRAW_SCENE, make_lay("0101 1 1"), {"phase": Phase.DRAW}),
    (Reason.WRONG_PHASE, DRAW_SCENE, make_swap("0101", "bag"), {"phase": Phase.DRAW}),
    (Reason.WRONG_PHASE, DRAW_SCENE, DECLINE, {"phase": Phase.DRAW}),
    (Reason.WRONG_PHASE, OVER_SCENE, make_lay("0101 1 1"), {"phase": Phase.OVER}),
    (Reason.WRONG_PHASE, OVER_SCENE, make_swap("0101", "bag"), {"phase": Phase.OVER}),
    (UnikatReason.NOT_IN_HAND, ACTION_SCENE, make_lay("0002 2 0"), {"tile": Tile("0002")}),
    (
        UnikatReason.NOT_IN_HAND,
        ACTION_SCENE,
        make_lay("0101 1 1", "2221 2 1"),
        {"tile": Tile("2221")},
    ),
    (UnikatReason.NOT_IN_HAND, ACTION_SCENE, make_swap("2221", "bag"), {"tile": Tile("2221")}),
    (
        UnikatReason.TILE_TWICE,
        ACTION_SCENE,
        make_lay("0101 1 1", "0101 2 1"),
        {"tile": Tile("0101")},
    ),
    (UnikatReason.NO_TILES, ACTION_SCENE, Lay(()), {}),
    (Reason.OCCUPIED, ACTION_SCENE, make_lay("0101 1 0"), {"tile": Tile("0101"), "x": 1, "y": 0}),
    (
        Reason.OCCUPIED,
        ACTION_SCENE,
        make_lay("0101 1 1", "0102 1 1"),
        {"tile": Tile("0102"), "x": 1, "y": 1},
    ),
    (
        UnikatReason.TOUCHES_NOTHING,
        ACTION_SCENE,
        make_lay("0101 2 1"),
        {"tile": Tile("0101"), "x": 2, "y": 1},
    ),
    (
        UnikatReason.TOUCHES_NOTHING,
        ACTION_SCENE,
        make_lay("0101 1 1", "0102 3 1"),
        {"tile": Tile("0102"), "x": 3, "y": 1},
    ),
    (
        UnikatReason.NOT_NEXT_TO_LAST,
        ACTION_SCENE,
        make_lay("0101 1 1", "0011 2 0"),
        {"tile": Tile("0011"), "x": 2, "y": 0},
    ),
    (
        UnikatReason.NOT_NEXT_TO_LAST,
        BONUS_SCENE.with_changes(options=Options(extra_action="continue")),
        make_lay("0011 2 0"),
        {"tile": Tile("0011"), "x": 2, "y": 0},
    ),
    (
        UnikatReason.UNLIKE_NEIGHBOUR,
        ACTION_SCENE,
        make_lay("0011 1 1"),
        {
            "tile": Tile("0011"),
            "x": 1,
            "y": 1,
            "neighbour": Tile("0100"),
            "features": ["colour", "size", "background"],
        },
    ),
    (
        UnikatReason.UNLIKE_NEIGHBOUR,
        ACTION_SCENE,
        make_lay("0101 1 1", "1111 1 2"),
        {
            "tile": Tile("1111"),
            "x": 1,
            "y": 2,
            "neighbour": Tile("0101"),
            "features": ["shape", "size"],
        },
    ),
    (UnikatReason.NOT_IN_DISPLAY, ACTION_SCENE, make_swap("0101", "2210"), {"tile": Tile("2210")}),
    (UnikatReason.NOT_IN_DISPLAY, ACTION_SCENE, make_swap("0101", "0102"), {"tile": Tile("0102")}),
    (UnikatReason.NOT_IN_DISPLAY, DRAW_SCENE, Draw("0000"), {"tile": Tile("0000")}),
    (UnikatReason.SAME_TILE, ACTION_SCENE, make_swap("0101", "0101"), {"tile": Tile("0101")}),
    (UnikatReason.BAG_EMPTY, EMPTY_BAG_SCENE, make_swap("0101", "bag"), {}),
    (UnikatReason.BAG_EMPTY, EMPTY_BAG_SCENE.with_changes(phase=Phase.DRAW), Draw("bag"), {}),
    (UnikatReason.MUST_ACT, ACTION_SCENE, PASS, {}),
    (UnikatReason.MUST_ACT, STUCK_SCENE, PASS, {}),
]


@pytest.mark.parametrize("case", REFUSALS, ids=[f"{n}-{c[0]}" for n, c in enumerate(REFUSALS)])
def test_refusal_has_its_reason_and_detail(case: RefusalCase) -> None:
    reason, table, action, detail = case
    refusal = table.refusal(action)
    assert refusal.reason is reason
    assert refusal.detail == detail


@pytest.mark.parametrize("seat", [None, -2, 2, 3])
@pytest.mark.parametrize(
    "table", [ACTION_SCENE, BETWEEN_ROUNDS_SCENE], ids=["in a round", "between rounds"]
)
@pytest.mark.parametrize("action", [make_lay("0101 1 1"), Ready()], ids=["lay", "ready"])
def test_only_seats_at_the_table_act(seat: Seat | None, table: DrawnTable, action: Action) -> None:
    assert table.refusal(action, seat=seat).reason is Reason.NOT_YOUR_SEAT


@pytest.mark.parametrize(
    "table", [ACTION_SCENE, BONUS_SCENE, DRAW_SCENE], ids=["action", "bonus", "draw"]
)
@pytest.mark.parametrize(
    "action", [make_lay("2221 1 1"), make_swap("2221", "bag"), DECLINE, Draw("bag"), PASS]
)
def test_only_the_seat_to_move_acts(table: DrawnTable, action: Action) -> None:
    refusal = table.refusal(action, seat=1)
    assert (refusal.reason, refusal.detail) == (Reason.NOT_YOUR_TURN, {"to_move": 0})


def test_it_is_nobodys_turn_once_the_round_is_over() -> None:
    for seat in (0, 1):
        assert OVER_SCENE.refusal(make_swap("0101", "bag"), seat=seat).reason is Reason.WRONG_PHASE


@pytest.mark.parametrize(
    ("action", "first"),
    [
        (make_lay("0000 9 9", "0000 9 9"), UnikatReason.NOT_IN_HAND),
        (make_lay("0101 0 0", "0000 0 0"), UnikatReason.NOT_IN_HAND),
        (make_lay("0101 0 0", "0101 9 9"), UnikatReason.TILE_TWICE),
        (make_lay("0101 9 9", "0102 0 0"), Reason.OCCUPIED),
        (make_lay("0011 1 1", "0101 2 0", "0102 9 9"), UnikatReason.TOUCHES_NOTHING),
        (make_lay("0011 1 1", "0102 2 0"), UnikatReason.NOT_NEXT_TO_LAST),
        (make_swap("0000", "0000"), UnikatReason.NOT_IN_HAND),
        (make_swap("0000", "1210"), UnikatReason.NOT_IN_HAND),
    ],
)
def test_first_of_several_reasons_is_given(action: Action, first: StrEnum) -> None:
    assert ACTION_SCENE.refusal(action).reason is first


def test_every_reason_in_the_rules_is_triggered() -> None:
    source = Path(action_checks.__file__).read_text(encoding="utf-8")
    raised = set(re.findall(r"Illegal\(\s*\w*Reason\.([A-Z_]+)", source))
    provoked = {case[0] for case in REFUSALS} | {Reason.NOT_YOUR_SEAT, Reason.NOT_YOUR_TURN}
    assert {reason.name for reason in provoked} == raised


def test_legal_actions_are_not_refused() -> None:
    for table in (ACTION_SCENE, BONUS_SCENE, DRAW_SCENE, EMPTY_BAG_SCENE):
        for action in legal(table.state):
            action_checks.check(table.state, 0, action)
