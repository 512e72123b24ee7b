"""Ubongo's requests."""

from typing import Any

import pytest

from pytlik.game import Reason
from pytlik.ubongo.reasons import UbongoReason
from tests.referee.referee_client import DOMINO, ask_referee, reason_of


def test_edge_cases_of_puzzles() -> None:
    assert ask_referee("solve", area=[], pieces=[]) == {"solutions": 1, "first": []}
    assert ask_referee("solve", area=DOMINO, pieces=[]) == {"solutions": 0, "first": None}
    assert ask_referee("solve", area=[], pieces=[DOMINO]) == {"solutions": 0, "first": None}
    far = [[0, 0], [10**30, -(10**30)]]
    assert ask_referee("solve", area=far, pieces=[[[5, 5]], [[7, 7]]])["solutions"] == 2
    assert ask_referee("solve", area=far, pieces=[DOMINO]) == {"solutions": 0, "first": None}
    singles = [[[0, 0]]] * 30
    assert (
        ask_referee("solve", area=[[q, 0] for q in range(30)], pieces=singles)["solutions"] > 2**64
    )


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
    reply = ask_referee("check", area=area, pieces=pieces, placement=placement)
    assert reply == ({"solved": False, "reason": expected} if expected else {"solved": True})


def test_every_shipped_puzzle_is_made_of_shipped_pieces() -> None:
    pieces, cards = ask_referee("pieces")["pieces"], ask_referee("cards")["cards"]
    assert set(pieces) == {"red", "blue", "green", "yellow"}
    for colour in pieces.values():
        assert [*colour] == [str(number) for number in range(1, 14)]
    card = cards[0]
    assert card["id"] == 1
    for name, side in card["sides"].items():
        for colour, numbers in side["sets"].items():
            assert len(numbers) == int(name)
            mine = [pieces[colour][str(number)] for number in numbers]
            assert ask_referee("solve", area=side["area"], pieces=mine)["solutions"] >= 1


@pytest.mark.parametrize(
    ("reason", "rounds"),
    [
        (UbongoReason.TOO_MANY_ROUNDS, [{"second_chance": None}] * 10),
        (UbongoReason.SEAT_TWICE, [[[0, "ruby"], [0, "amber"]]]),
        (UbongoReason.GEM_NOT_IN_BAG, [[[0, "ruby"], [1, "ruby"]]] * 5),
    ],
)
def test_impossible_scores_are_refused(reason: Reason, rounds: Any) -> None:
    assert reason_of(ask_referee("score", players=2, rounds=rounds)) is reason


def test_tie_is_reported_only_after_nine_rounds() -> None:
    nobody = {"second_chance": None}
    assert ask_referee("score", players=4, rounds=[nobody] * 8)["tied"] == []
    assert ask_referee("score", players=4, rounds=[nobody] * 9)["tied"] == [0, 1, 2, 3]
    assert ask_referee("score", players=2, rounds=[])["display"] == {"sapphire": 9, "amber": 9}
