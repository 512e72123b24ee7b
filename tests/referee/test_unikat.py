"""Unikat's requests."""

import json
import random
from enum import StrEnum
from typing import Any

import msgspec
import pytest

from pytlik.chance import Stream
from pytlik.game import Bot, Budget, Reason
from pytlik.games import UNIKAT
from pytlik.referee import answer
from pytlik.unikat.game import legal
from pytlik.unikat.messages import Action
from pytlik.unikat.position import Position, to_state
from pytlik.unikat.reasons import UnikatReason
from pytlik.unikat.view import View
from tests.referee.referee_client import LAY_ACTION, ask_referee, reason_of, shared_cases
from tests.unikat.brute_force import most_tiles_in_a_turn
from tests.unikat.shared_positions import SMALL_POSITION

ILLEGAL_ACTIONS: list[tuple[StrEnum, dict[str, Any], dict[str, Any]]] = [
    (Reason.WRONG_PHASE, {}, {"kind": "draw", "take": "bag"}),
    (Reason.WRONG_PHASE, {}, {"kind": "decline"}),
    (Reason.WRONG_PHASE, {"phase": "draw"}, LAY_ACTION),
    (Reason.WRONG_PHASE, {"phase": "bonus"}, {"kind": "pass"}),
    (UnikatReason.NOT_IN_HAND, {}, {"kind": "lay", "tiles": [["2222", 9, 9]]}),
    (UnikatReason.NOT_IN_HAND, {}, {"kind": "swap", "give": "2222", "take": "0202"}),
    (UnikatReason.TILE_TWICE, {}, {"kind": "lay", "tiles": [["0100", 0, 0], ["0100", 0, 2]]}),
    (UnikatReason.NO_TILES, {}, {"kind": "lay", "tiles": []}),
    (Reason.OCCUPIED, {}, {"kind": "lay", "tiles": [["0100", 1, 0]]}),
    (UnikatReason.TOUCHES_NOTHING, {}, {"kind": "lay", "tiles": [["0100", 10**30, 0]]}),
    (UnikatReason.UNLIKE_NEIGHBOUR, {}, {"kind": "lay", "tiles": [["0100", 1, 1]]}),
    (
        UnikatReason.NOT_NEXT_TO_LAST,
        {"hands": [["0100", "0002"], ["2222"]]},
        {"kind": "lay", "tiles": [["0100", 0, 1], ["0002", 2, 0]]},
    ),
    (
        UnikatReason.NOT_NEXT_TO_LAST,
        {"phase": "bonus", "options": {"extra_action": "continue"}},
        LAY_ACTION,
    ),
    (UnikatReason.NOT_IN_DISPLAY, {}, {"kind": "swap", "give": "0100", "take": "0202"}),
    (UnikatReason.NOT_IN_DISPLAY, {"phase": "draw"}, {"kind": "draw", "take": "0100"}),
    (UnikatReason.SAME_TILE, {}, {"kind": "swap", "give": "0100", "take": "0100"}),
    (UnikatReason.BAG_EMPTY, {"bag": []}, {"kind": "swap", "give": "0100", "take": "bag"}),
    (UnikatReason.BAG_EMPTY, {"bag": [], "phase": "draw"}, {"kind": "draw", "take": "bag"}),
    (UnikatReason.MUST_ACT, {}, {"kind": "pass"}),
]


@pytest.mark.parametrize(("reason", "changes", "action"), ILLEGAL_ACTIONS)
def test_illegal_action_is_refused(
    reason: Reason, changes: dict[str, Any], action: dict[str, Any]
) -> None:
    assert (
        reason_of(ask_referee("apply", position={**SMALL_POSITION, **changes}, action=action))
        is reason
    )


OVER_POSITION = {
    **SMALL_POSITION,
    "phase": "over",
    "hands": [[], ["2222"]],
    "winners": [0],
    "ended": "last tile",
}


def test_nothing_is_legal_when_the_round_is_over() -> None:
    assert ask_referee("actions", position=OVER_POSITION) == {"actions": [], "count": 0}
    assert ask_referee("count", position=OVER_POSITION) == {"count": 0}
    for action in (
        LAY_ACTION,
        {"kind": "decline"},
        {"kind": "draw", "take": "bag"},
        {"kind": "pass"},
    ):
        assert (
            reason_of(ask_referee("apply", position=OVER_POSITION, action=action))
            is Reason.WRONG_PHASE
        )
    assert reason_of(ask_referee("best", position=OVER_POSITION, seat=0)) is Reason.WRONG_PHASE
    assert ask_referee("view", position=OVER_POSITION, seat=None)["view"]["hands"] == [[], ["2222"]]


def test_pass_if_nothing_else_is_legal() -> None:
    stuck = {**SMALL_POSITION, "hands": [["2222"], ["0100"]], "display": [], "bag": []}
    assert ask_referee("actions", position=stuck) == {"actions": [{"kind": "pass"}], "count": 1}
    assert ask_referee("best", position=stuck, seat=0)["action"] == {"kind": "pass"}
    after = ask_referee("apply", position=stuck, action={"kind": "pass"})
    assert after["position"] == {**stuck, "to_move": 1, "quiet_turns": 1}
    assert [event["kind"] for event in after["events"]] == ["turn_passed", "turn_ended"]


def test_a_round_ends_blocked() -> None:
    stuck = {
        **SMALL_POSITION, "hands": [["2222"], ["0222"]], "display": [], "bag": [], "quiet_turns": 1,
        "options": {"extra_action": "anywhere", "blocked": [1, 20]},
    }  # fmt: skip
    after = ask_referee("apply", position=stuck, action={"kind": "pass"})["position"]
    assert (after["phase"], after["winners"], after["ended"]) == ("over", [0, 1], "blocked")
    assert ask_referee("view", position=after, seat=0)["view"]["outcome"] == {
        "winners": [0, 1],
        "points": [1, 1],
    }


def test_more_actions_than_the_limit() -> None:
    everything = ask_referee("actions", position=SMALL_POSITION)
    assert everything["count"] == 5
    assert ask_referee("actions", position=SMALL_POSITION, limit=5) == everything
    assert reason_of(ask_referee("actions", position=SMALL_POSITION, limit=4)) is Reason.TOO_MANY
    assert reason_of(ask_referee("actions", position=SMALL_POSITION, limit=0)) is Reason.TOO_MANY


@pytest.mark.slow
def test_more_than_a_hundred_thousand_actions() -> None:
    hand = ["2220", "2221", "2210", "2211", "2212", "2200", "2201", "2202"]
    position = {**SMALL_POSITION, "board": [[0, 0, "2222"]], "hands": [hand, ["0100"]]}
    assert reason_of(ask_referee("actions", position=position)) is Reason.TOO_MANY
    seven = {**position, "hands": [hand[:7], ["0100"]]}
    assert (
        ask_referee("actions", position=seven)["count"]
        == ask_referee("count", position=seven)["count"]
        == 95_194
    )


def test_deal_is_a_new_round_determined_by_its_seed() -> None:
    position = ask_referee("deal", game="unikat", players=4, seed="a")["position"]
    assert (position["to_move"], position["phase"]) == (0, "action")
    assert [len(hand) for hand in position["hands"]] == [10] * 4
    assert len(position["bag"]) == 37
    assert ask_referee("deal", game="unikat", players=4, seed="a")["position"] == position
    assert ask_referee("deal", game="unikat", players=4, seed="b")["position"] != position
    assert "count" in ask_referee("count", position=position)


def test_best_actions_play_a_whole_round() -> None:
    position = ask_referee("deal", game="unikat", players=2, seed="whole game")["position"]
    levels = ["easy", "hard"]
    while position["phase"] != "over":
        seat = position["to_move"]
        found = ask_referee(
            "best", position=position, seat=seat, level=levels[seat], seed=len(str(position))
        )
        assert 0 <= found["value"] <= 1
        position = ask_referee("apply", position=position, action=found["action"])["position"]
    assert position["winners"] == [1]


def test_best_is_for_the_seat_to_move() -> None:
    assert reason_of(ask_referee("best", position=SMALL_POSITION, seat=1)) is Reason.NOT_YOUR_TURN


def test_best_accepts_all_its_fields() -> None:
    for level in ("first-steps", "easy", "medium", "hard", "master"):
        for more in ({}, {"ms": 5}, {"simulations": 5}, {"seed": "text"}, {"seed": -(10**400)}):
            found = ask_referee("best", position=SMALL_POSITION, seat=0, level=level, **more)
            assert found.keys() == {"action", "most_tiles", "value", "alternatives"}
            assert found["most_tiles"] == 1
    assert ask_referee("best", position=SMALL_POSITION, seat=0)["action"]["kind"] == "lay"


@pytest.fixture
def bot_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, Budget]]:
    """Replace the bots, and record each call: the level, a random number and the budget."""
    calls = list[tuple[str, int, Budget]]()

    def make_bot(level: str) -> Bot[View, Action]:
        def choose(view: View, stream: Stream, budget: Budget) -> Action:
            calls.append((level, stream.below(1 << 32), budget))
            return next(legal(view))

        return choose

    for level in UNIKAT.levels:
        monkeypatch.setitem(UNIKAT.bots, level, make_bot(level))
    return calls


def test_best_uses_a_hard_bot_by_default(
    bot_calls: list[tuple[str, int, Budget]],
) -> None:
    for more in ({}, {"level": "medium"}, {"ms": 500}, {"simulations": 7}):
        ask_referee("best", position=SMALL_POSITION, seat=0, **more)
    levels, _, budgets = zip(*bot_calls, strict=True)
    assert levels == ("hard", "medium", "hard", "hard")
    assert budgets == (Budget(), Budget(), Budget(seconds=0.5), Budget(simulations=7))


def test_seed_decides_the_bots_random_numbers(bot_calls: list[tuple[str, int, Budget]]) -> None:
    for more in ({}, {"seed": 0}, {"seed": 1}, {"seed": "1"}, {"seed": "text"}):
        ask_referee("best", position=SMALL_POSITION, seat=0, **more)
    none, zero, one, one_as_text, text = (number for _, number, _ in bot_calls)
    assert (none, one) == (zero, one_as_text)
    assert len({zero, one, text}) == 3


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_best_with_simulations_is_repeatable_and_counts_all_tiles(level: str) -> None:
    for seed in "abcd":
        position = ask_referee("deal", game="unikat", players=2, seed=seed)["position"]
        fields = {"position": position, "seat": 0, "level": level, "seed": 7, "simulations": 10}
        found = ask_referee("best", **fields)
        assert ask_referee("best", **fields) == found
        assert len(found["alternatives"]) == 5
        assert found["most_tiles"] == most_tiles_in_a_turn(
            to_state(msgspec.convert(position, Position))
        )


@pytest.mark.parametrize("case", shared_cases("unikat")[::4])
def test_hidden_tiles_change_no_answer(case: dict[str, Any]) -> None:
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
            # A spectator sees what everyone may see.
            elsewhere_view = ask_referee("view", position=elsewhere, seat=None)
            assert elsewhere_view == ask_referee("view", position=position, seat=None)
            continue
        for request in (
            {"do": "view", "seat": seat},
            *(
                {"do": "best", "seat": seat, "level": level, "seed": 3}
                for level in ("easy", "hard")
            ),
        ):
            changed = answer(json.dumps({**request, "position": elsewhere}))
            assert changed == answer(json.dumps({**request, "position": position}))
