"""Every reason for which Unikat refuses an action, provoked, with what it says about it."""

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
from tests.unikat.drawn_tables import DECLINE, PASS, Scene, lay, swap, table

TABLE = table(
    """
    0000   0001   .
    0100   .      .
    """,
    hands=["0101 0102 0011 1111 2222", "2221"],
    display="2211",
    bag="2210",
)
DRAW = TABLE.changed(phase=Phase.DRAW)
BONUS = TABLE.changed(phase=Phase.BONUS, laid=True)
OVER = TABLE.changed(phase=Phase.OVER)
NO_BAG = TABLE.changed(bag=())
STUCK = table("0000", hands=["0001 2222", "2221"], display="", bag="")
NEXT_ROUND = OVER.changed(options=Options(rounds=2))

Case = tuple[StrEnum, Scene, Action, dict[str, Any]]

REFUSALS: list[Case] = [
    (Reason.WRONG_PHASE, TABLE, DECLINE, {"phase": Phase.ACTION}),
    (Reason.WRONG_PHASE, TABLE, Draw("bag"), {"phase": Phase.ACTION}),
    (Reason.WRONG_PHASE, TABLE, Ready(), {"phase": Phase.ACTION}),
    (Reason.WRONG_PHASE, BONUS, PASS, {"phase": Phase.BONUS}),
    (Reason.WRONG_PHASE, BONUS, Draw("bag"), {"phase": Phase.BONUS}),
    (Reason.WRONG_PHASE, DRAW, lay("0101 1 1"), {"phase": Phase.DRAW}),
    (Reason.WRONG_PHASE, DRAW, swap("0101", "bag"), {"phase": Phase.DRAW}),
    (Reason.WRONG_PHASE, DRAW, DECLINE, {"phase": Phase.DRAW}),
    (Reason.WRONG_PHASE, OVER, lay("0101 1 1"), {"phase": Phase.OVER}),
    (Reason.WRONG_PHASE, OVER, swap("0101", "bag"), {"phase": Phase.OVER}),
    (UnikatReason.NOT_IN_HAND, TABLE, lay("0002 2 0"), {"tile": Tile("0002")}),
    (UnikatReason.NOT_IN_HAND, TABLE, lay("0101 1 1", "2221 2 1"), {"tile": Tile("2221")}),
    (UnikatReason.NOT_IN_HAND, TABLE, swap("2221", "bag"), {"tile": Tile("2221")}),
    (UnikatReason.TILE_TWICE, TABLE, lay("0101 1 1", "0101 2 1"), {"tile": Tile("0101")}),
    (UnikatReason.NO_TILES, TABLE, Lay(()), {}),
    (Reason.OCCUPIED, TABLE, lay("0101 1 0"), {"tile": Tile("0101"), "x": 1, "y": 0}),
    (
        Reason.OCCUPIED,
        TABLE,
        lay("0101 1 1", "0102 1 1"),
        {"tile": Tile("0102"), "x": 1, "y": 1},
    ),
    (UnikatReason.TOUCHES_NOTHING, TABLE, lay("0101 2 1"), {"tile": Tile("0101"), "x": 2, "y": 1}),
    (
        UnikatReason.TOUCHES_NOTHING,
        TABLE,
        lay("0101 1 1", "0102 3 1"),
        {"tile": Tile("0102"), "x": 3, "y": 1},
    ),
    (
        UnikatReason.NOT_NEXT_TO_LAST,
        TABLE,
        lay("0101 1 1", "0011 2 0"),
        {"tile": Tile("0011"), "x": 2, "y": 0},
    ),
    (
        UnikatReason.NOT_NEXT_TO_LAST,
        BONUS.changed(options=Options(extra_action="continue")),
        lay("0011 2 0"),
        {"tile": Tile("0011"), "x": 2, "y": 0},
    ),
    (
        UnikatReason.UNLIKE_NEIGHBOUR,
        TABLE,
        lay("0011 1 1"),
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
        TABLE,
        lay("0101 1 1", "1111 1 2"),
        {
            "tile": Tile("1111"),
            "x": 1,
            "y": 2,
            "neighbour": Tile("0101"),
            "features": ["shape", "size"],
        },
    ),
    (UnikatReason.NOT_IN_DISPLAY, TABLE, swap("0101", "2210"), {"tile": Tile("2210")}),
    (UnikatReason.NOT_IN_DISPLAY, TABLE, swap("0101", "0102"), {"tile": Tile("0102")}),
    (UnikatReason.NOT_IN_DISPLAY, DRAW, Draw("0000"), {"tile": Tile("0000")}),
    (UnikatReason.SAME_TILE, TABLE, swap("0101", "0101"), {"tile": Tile("0101")}),
    (UnikatReason.BAG_EMPTY, NO_BAG, swap("0101", "bag"), {}),
    (UnikatReason.BAG_EMPTY, NO_BAG.changed(phase=Phase.DRAW), Draw("bag"), {}),
    (UnikatReason.MUST_ACT, TABLE, PASS, {}),
    (UnikatReason.MUST_ACT, STUCK, PASS, {}),
]


@pytest.mark.parametrize("case", REFUSALS, ids=[f"{n}-{c[0]}" for n, c in enumerate(REFUSALS)])
def test_refused_with_its_reason_and_what_a_sentence_about_it_needs(case: Case) -> None:
    reason, scene, action, detail = case
    refusal = scene.refusal(action)
    assert refusal.reason is reason
    assert refusal.detail == detail


@pytest.mark.parametrize("seat", [None, -2, 2, 3])
@pytest.mark.parametrize("scene", [TABLE, NEXT_ROUND], ids=["in a round", "between rounds"])
@pytest.mark.parametrize("action", [lay("0101 1 1"), Ready()], ids=["lay", "ready"])
def test_only_seats_of_the_table_act(seat: Seat | None, scene: Scene, action: Action) -> None:
    assert scene.refusal(action, seat=seat).reason is Reason.NOT_YOUR_SEAT


@pytest.mark.parametrize("scene", [TABLE, BONUS, DRAW], ids=["action", "bonus", "draw"])
@pytest.mark.parametrize(
    "action", [lay("2221 1 1"), swap("2221", "bag"), DECLINE, Draw("bag"), PASS]
)
def test_only_the_seat_whose_turn_it_is_acts(scene: Scene, action: Action) -> None:
    refusal = scene.refusal(action, seat=1)
    assert (refusal.reason, refusal.detail) == (Reason.NOT_YOUR_TURN, {"to_move": 0})


def test_it_is_nobodys_turn_once_the_round_is_over() -> None:
    for seat in (0, 1):
        assert OVER.refusal(swap("0101", "bag"), seat=seat).reason is Reason.WRONG_PHASE


@pytest.mark.parametrize(
    ("action", "first"),
    [
        (lay("0000 9 9", "0000 9 9"), UnikatReason.NOT_IN_HAND),
        (lay("0101 0 0", "0000 0 0"), UnikatReason.NOT_IN_HAND),
        (lay("0101 0 0", "0101 9 9"), UnikatReason.TILE_TWICE),
        (lay("0101 9 9", "0102 0 0"), Reason.OCCUPIED),
        (lay("0011 1 1", "0101 2 0", "0102 9 9"), UnikatReason.TOUCHES_NOTHING),
        (lay("0011 1 1", "0102 2 0"), UnikatReason.NOT_NEXT_TO_LAST),
        (swap("0000", "0000"), UnikatReason.NOT_IN_HAND),
        (swap("0000", "1210"), UnikatReason.NOT_IN_HAND),
    ],
)
def test_of_several_reasons_the_first_in_the_order_of_the_interface(
    action: Action, first: StrEnum
) -> None:
    assert TABLE.refusal(action).reason is first


def test_every_reason_in_the_rules_is_provoked() -> None:
    source = Path(action_checks.__file__).read_text(encoding="utf-8")
    raised = set(re.findall(r"Illegal\(\s*\w*Reason\.([A-Z_]+)", source))
    provoked = {case[0] for case in REFUSALS} | {Reason.NOT_YOUR_SEAT, Reason.NOT_YOUR_TURN}
    assert {reason.name for reason in provoked} == raised


def test_legal_actions_are_not_refused() -> None:
    for scene in (TABLE, BONUS, DRAW, NO_BAG):
        for action in legal(scene.state):
            action_checks.check(scene.state, 0, action)
