"""Intervals and Elo ratings, compared with known values."""

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
def test_wilson_intervals(wins: float, games: int, low: float, high: float) -> None:
    assert win_share_interval(wins, games) == pytest.approx((low, high), abs=0.001)


def test_interval_without_games_is_everything() -> None:
    assert win_share_interval(0, 0) == (0.0, 1.0)


def test_interval_contains_the_observed_share() -> None:
    """Even if every game was won: if it's a hair outside, the league can't be drawn."""
    for games in range(1, 300):
        for wins in (0, games / 2, games):
            low, high = win_share_interval(wins, games)
            assert low <= wins / games <= high


@pytest.mark.parametrize("truth", [0.5, 0.7, 0.95])
def test_interval_contains_the_truth_in_95_of_100_leagues(truth: float) -> None:
    games = 200
    share = sum(
        comb(games, wins) * truth**wins * (1 - truth) ** (games - wins)
        for wins in range(games + 1)
        if win_share_interval(wins, games)[0] <= truth <= win_share_interval(wins, games)[1]
    )
    assert 0.93 < share < 0.97


def test_ten_to_one_is_400_points() -> None:
    numbers = elo_ratings(["a", "b"], [({"a": 1, "b": 1}, {"a": 10_000, "b": 1_000})])
    assert numbers["a"] - numbers["b"] == pytest.approx(400, abs=1)
    assert numbers["a"] + numbers["b"] == pytest.approx(2 * AVERAGE_ELO, abs=1)


def test_equal_bots_at_a_large_table_have_equal_ratings() -> None:
    """One bot against three others wins a quarter of the games, and is no weaker."""
    assert elo_ratings(["a", "b"], [({"a": 1, "b": 3}, {"a": 250, "b": 750})]) == {
        "a": pytest.approx(AVERAGE_ELO, abs=1),
        "b": pytest.approx(AVERAGE_ELO, abs=1),
    }


def test_unbeaten_bot_has_a_rating() -> None:
    numbers = elo_ratings(["a", "b"], [({"a": 1, "b": 1}, {"a": 100, "b": 0})])
    assert 800 < numbers["a"] - numbers["b"] < 1000


def test_chain_of_results_orders_all_bots() -> None:
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
