"""Several rounds: the score sheet, who begins (U4), and who has won (U17)."""

import pytest

from pytlik.game import Outcome
from pytlik.score_sheet import Row, StarterRule, best, next_starter, outcome, totals

THREE_ROUNDS = (
    Row(points=(0, 4, 7), winners=(0,)),
    Row(points=(5, 0, 1), winners=(1,)),
    Row(points=(2, 3, 0), winners=(2,)),
)


def test_totals_add_up_each_seats_column() -> None:
    assert totals(THREE_ROUNDS, 3) == (7, 7, 8)
    assert totals((), 3) == (0, 0, 0)


def test_best_is_most_or_fewest_and_ties_are_shared() -> None:
    assert best([3, 5, 5, 1], most=True) == (1, 2)
    assert best([3, 1, 5, 1], most=False) == (1, 3)
    assert best([4, 4], most=True) == best([4, 4], most=False) == (0, 1)


def test_outcome_covers_all_rounds() -> None:
    assert outcome(THREE_ROUNDS, 3, most=False) == Outcome(winners=(0, 1), points=(7, 7, 8))
    assert outcome(THREE_ROUNDS, 3, most=True) == Outcome(winners=(2,), points=(7, 7, 8))


@pytest.mark.parametrize(("starts", "starter", "winners", "begins"), [
    ("same", 2, [0], 2),
    ("rotate", 0, [2], 1),
    ("rotate", 3, [2], 0),
    ("winner", 1, [3], 3),
    ("winner", 1, [1], 1),
    ("winner", 1, [0, 3], 3),
    ("winner", 1, [1, 0], 0),
    ("winner", 3, [3, 1, 2], 1),
    ("winner", 0, [0, 1, 2, 3], 1),
])  # fmt: skip
def test_starter_of_the_next_round_of_four(
    starts: StarterRule, starter: int, winners: list[int], begins: int
) -> None:
    assert next_starter(starts, starter, winners, 4) == begins
    assert next_starter(starts, starter, winners[::-1], 4) == begins
