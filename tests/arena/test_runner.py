"""Matches between bots: in which order they act, and their random numbers."""

from dataclasses import replace
from typing import Any

import pytest

from pytlik.arena import play
from pytlik.arena.runner import PlayedMatch
from pytlik.chance import Stream
from pytlik.game import Budget, Event
from pytlik.games import UBONGO, UNIKAT
from pytlik.ubongo.messages import GiveUp, RoundBegan, SandRanOut, SeatGaveUp
from pytlik.ubongo.model import Options
from pytlik.unikat.model import Options as UnikatOptions


def play_giving_up(*delays_ms: int) -> PlayedMatch:
    """Play a short match of Ubongo in which each seat gives up this long after a round begins."""

    def make_bot(delay_ms: int) -> Any:
        return lambda view, _stream, _budget: [(view.began + delay_ms, GiveUp())]

    bots = {f"after {delay} ms": make_bot(delay) for delay in delays_ms}
    return play(replace(UBONGO, bots=bots), [*bots], "1", Options(rounds=3))


def events_of_first_round(
    played: PlayedMatch, *kinds: type[Event]
) -> list[tuple[str, int | None, int]]:
    """Return the name, the seat and the time since the round began of events of these kinds."""
    events = played.match.events
    begins = [index for index, event in enumerate(events) if isinstance(event, RoundBegan)]
    began = events[begins[0]].at
    return [
        (type(event).__name__, getattr(event, "seat", None), event.at - began)
        for event in events[begins[0] : begins[1]]
        if isinstance(event, kinds)
    ]


@pytest.mark.parametrize("delays_ms", [(5_000, 2_000), (2_000, 5_000)])
def test_earlier_action_comes_first(delays_ms: tuple[int, int]) -> None:
    first, second, *_ = events_of_first_round(play_giving_up(*delays_ms), SeatGaveUp)
    by_time = sorted((delay, seat) for seat, delay in enumerate(delays_ms))
    assert [first, second] == [("SeatGaveUp", seat, delay) for delay, seat in by_time]


def test_clock_acts_before_a_bot_at_the_same_moment() -> None:
    """The end of the sand is settled 250 ms later. Until then, actions would be too late."""
    played = play_giving_up(60_250, 61_000)
    assert events_of_first_round(played, SandRanOut, SeatGaveUp) == [
        ("SandRanOut", None, 60_250),
        ("SeatGaveUp", 0, 60_250),
        ("SeatGaveUp", 1, 61_000),
    ]


def test_each_decision_gets_its_own_stream() -> None:
    drawn: list[int] = []

    def choose(view: Any, stream: Stream, budget: Budget) -> Any:
        drawn.append(stream.below(1 << 32))
        return UNIKAT.bots["random"](view, stream, budget)

    played = play(
        replace(UNIKAT, bots={"curious": choose}),
        ["curious", "curious"],
        "1",
        UnikatOptions(blocked=(1, 2)),
    )
    assert len(set(drawn)) == len(drawn) == played.thinking["curious"].decisions > 3


def test_each_plan_gets_its_own_stream() -> None:
    drawn: list[int] = []

    def plan(view: Any, stream: Stream, _: Budget) -> Any:
        drawn.append(stream.below(1 << 32))
        return [(view.began + 1_000 * (1 + view.seat), GiveUp())]

    play(replace(UBONGO, bots={"curious": plan}), ["curious"] * 3, "1", Options(rounds=3))
    assert len(set(drawn)) == len(drawn) >= 9
