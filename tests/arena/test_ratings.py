"""Intervals and Elo numbers, against what is known of them."""

from math import comb

import pytest

from pytlik.arena.ratings import AVERAGE_ELO, elo_ratings, win_share_interval


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Wilson's interval as statistics books print it.
        (5, 10, 0.237, 0.763),
        (10, 10, 0.722, 1.0),
        (0, 10, 0.0, 0.278),
        (120, 200, 0.531, 0.665),
    ],
)
def test_intervals(wins: float, games: int, low: float, high: float) -> None:
    assert win_share_interval(wins, games) == pytest.approx((low, high), abs=0.001)


def test_nothing_played_says_nothing() -> None:
    assert win_share_interval(0, 0) == (0.0, 1.0)


def test_what_was_seen_lies_in_its_interval() -> None:
    """Also where every game was won: a hair outside, and no picture of the league can be drawn."""
    for games in range(1, 300):
        for wins in (0, games / 2, games):
            low, high = win_share_interval(wins, games)
            assert low <= wins / games <= high


@pytest.mark.parametrize("truth", [0.5, 0.7, 0.95])
def test_the_interval_holds_the_truth_in_about_95_of_100_leagues(truth: float) -> None:
    games = 200
    held = sum(
        comb(games, wins) * truth**wins * (1 - truth) ** (games - wins)
        for wins in range(games + 1)
        if win_share_interval(wins, games)[0] <= truth <= win_share_interval(wins, games)[1]
    )
    assert 0.93 < held < 0.97


def test_ten_to_one_is_400_points() -> None:
    numbers = elo_ratings(["a", "b"], [({"a": 1, "b": 1}, {"a": 10_000, "b": 1_000})])
    assert numbers["a"] - numbers["b"] == pytest.approx(400, abs=1)
    assert numbers["a"] + numbers["b"] == pytest.approx(2 * AVERAGE_ELO, abs=1)


def test_equals_at_a_large_table_are_equal() -> None:
    """One among three others wins a quarter, and is no weaker for that."""
    assert elo_ratings(["a", "b"], [({"a": 1, "b": 3}, {"a": 250, "b": 750})]) == {
        "a": pytest.approx(AVERAGE_ELO, abs=1),
        "b": pytest.approx(AVERAGE_ELO, abs=1),
    }


def test_who_never_lost_has_a_number() -> None:
    numbers = elo_ratings(["a", "b"], [({"a": 1, "b": 1}, {"a": 100, "b": 0})])
    assert 800 < numbers["a"] - numbers["b"] < 1000


def test_a_chain_of_results_orders_all() -> None:
    pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    wins = {("a", "b"): 640, ("b", "c"): 640, ("a", "c"): 760}
    numbers = elo_ratings(
        ["c", "a", "b"],
        [
            ({one: 1, two: 1}, {one: wins[one, two], two: 1000 - wins[one, two]})
            for one, two in pairs
        ],
    )
    assert numbers["a"] - numbers["b"] == pytest.approx(100, abs=2)
    assert numbers["b"] - numbers["c"] == pytest.approx(100, abs=2)
