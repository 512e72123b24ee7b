"""A race is fair on any line, and cheating gains little (G10). The lines are simulated."""

import pytest

from pytlik.server.match import delay_credit
from pytlik.server.match.delay_credit import EXTRA_CREDIT_QUOTA_MS, DelayCredits
from pytlik.ubongo.timing import MAX_CREDIT_MS
from tests.server.simulated_races import (
    CHEATS,
    PROMISED_LINES,
    ROUNDS,
    NetworkLine,
    cheat_gains,
    largest_bias,
)

ROUNDING_MS = 1
"""The server counts in milliseconds."""

EXTREME_LINES = [
    NetworkLine(0),
    NetworkLine(400),
    NetworkLine(0, 30, 30, 0.02),
    NetworkLine(400, 30, 30, 0.02),
]
"""The best and the worst of the lines, each with the shortest and the longest round trip."""


def test_no_line_has_an_advantage() -> None:
    """None gains more than 20 ms on average. `python -m tests.server.simulated_races` shows this
    for all lines."""
    assert set(EXTREME_LINES) < set(PROMISED_LINES)
    assert largest_bias(EXTREME_LINES, matches=300) <= 20


def test_crediting_the_shortest_delay_would_be_unfair(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would credit none of the jitter. This is a test of the test above."""
    monkeypatch.setattr(delay_credit, "median_low", min)
    assert largest_bias(EXTREME_LINES, matches=50) > 20


@pytest.mark.parametrize("name", CHEATS)
@pytest.mark.parametrize("round_trip", [0, 20, 200])
def test_no_cheat_gains_more_than_the_cap(name: str, round_trip: int) -> None:
    most, _ = cheat_gains(CHEATS[name], 20, NetworkLine(round_trip))
    assert most <= MAX_CREDIT_MS - round_trip / 2 + ROUNDING_MS


@pytest.mark.parametrize(
    "name",
    [
        "answers late once the match has begun",
        "answers every second one late",
        "is slow for two minutes of every four",
    ],
)
def test_occasional_slowness_gains_at_most_the_quota(name: str) -> None:
    _, in_all = cheat_gains(CHEATS[name], 20, NetworkLine(20))
    assert in_all <= EXTRA_CREDIT_QUOTA_MS + ROUNDS * ROUNDING_MS


def test_rare_late_answers_gain_nothing() -> None:
    _, in_all = cheat_gains(CHEATS["answers one in nine late"], 20, NetworkLine(20))
    assert in_all <= ROUNDS * ROUNDING_MS


def test_occasional_slowness_would_pay_without_a_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DelayCredits, "creditable_delay", lambda *args: args[-1])
    _, in_all = cheat_gains(CHEATS["answers late once the match has begun"], 20, NetworkLine(20))
    assert in_all > 2 * EXTRA_CREDIT_QUOTA_MS
