"""What all games share."""

import pickle
from typing import Any

import pytest

from pytlik.game import (
    HIDDEN,
    EventRecorder,
    Hidden,
    Illegal,
    Malformed,
    Opening,
    Reason,
    Refusal,
    check_opening,
    check_viewer,
    replay,
    snake_case,
)
from pytlik.protocol.reasons import all_reasons
from pytlik.unikat.messages import BonusEarned, TurnPassed


def append_event(state: tuple[Any, ...] | None, event: Any) -> tuple[Any, ...]:
    return (*(state or ()), event)


def test_replay_applies_events_in_order() -> None:
    one, two = BonusEarned(at=1, seat=0), TurnPassed(at=2, seat=1)
    assert replay(append_event, [one, two]) == (one, two)
    start = append_event(None, one)
    assert replay(append_event, iter([two]), start) == (one, two)
    assert replay(append_event, [], start) == start


def test_replay_needs_an_event() -> None:
    with pytest.raises(Malformed) as caught:
        replay(append_event, [])
    assert caught.value.reason is Reason.BAD_FILE
    assert caught.value.detail == {"problem": "no events"}


def test_recorder_keeps_the_events_and_the_resulting_state() -> None:
    one, two = BonusEarned(at=1, seat=0), TurnPassed(at=2, seat=1)
    recorder = EventRecorder[tuple[Any, ...], Any]((), append_event, [])
    recorder.record(one)
    recorder.record(two)
    assert (recorder.state, recorder.events) == ((one, two), [one, two])


def test_refusal_is_a_code_with_details() -> None:
    refusal = Illegal(Reason.OCCUPIED, x=1, y=-2)
    assert (refusal.reason, refusal.detail) == (Reason.OCCUPIED, {"x": 1, "y": -2})
    assert str(refusal) == "occupied (x=1, y=-2)"
    assert str(Malformed(Reason.BAD_FILE)) == "bad_file"


@pytest.mark.parametrize("refusal", [Illegal(Reason.OCCUPIED, x=1), Malformed(Reason.BAD_FILE)])
def test_refusal_can_be_pickled(refusal: Refusal) -> None:
    again = pickle.loads(pickle.dumps(refusal))
    assert type(again) is type(refusal)
    assert (again.reason, again.detail) == (refusal.reason, refusal.detail)


def test_malformed_and_illegal_are_different_refusals() -> None:
    assert issubclass(Malformed, Refusal)
    assert issubclass(Illegal, Refusal)
    assert not issubclass(Malformed, Illegal)
    assert not issubclass(Illegal, Malformed)


def test_reason_codes_match_their_names() -> None:
    assert all(reason.value == reason.name.lower() for reason in all_reasons())


def test_no_two_reasons_have_the_same_code() -> None:
    assert len({reason.value for reason in all_reasons()}) == len(all_reasons())


@pytest.mark.parametrize(("name", "tag"), [
    ("Lay", "lay"), ("TileSwapped", "tile_swapped"), ("GiveUp", "give_up"),
])  # fmt: skip
def test_messages_are_tagged_with_their_name(name: str, tag: str) -> None:
    assert snake_case(name) == tag


def test_hidden_values_are_equal() -> None:
    assert Hidden() == HIDDEN


def make_opening(players: int, shares: int | None = None) -> Opening:
    count = players if shares is None else shares
    return Opening(players=players, commitment="", shares=("",) * count)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_opening_accepts_the_games_player_counts(players: int) -> None:
    check_opening(make_opening(players), range(2, 5))


@pytest.mark.parametrize(
    "wrong",
    [make_opening(0), make_opening(1), make_opening(5), make_opening(8), make_opening(3, 2)],
)
def test_opening_refuses_other_counts_or_missing_shares(wrong: Opening) -> None:
    with pytest.raises(Malformed) as caught:
        check_opening(wrong, range(2, 5))
    assert caught.value.reason is Reason.BAD_REQUEST


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_view_is_for_a_seat_or_a_spectator(seat: int | None) -> None:
    check_viewer(seat, 3)


@pytest.mark.parametrize("seat", [-1, 3])
def test_view_for_a_missing_seat_is_refused(seat: int) -> None:
    with pytest.raises(Illegal) as caught:
        check_viewer(seat, 3)
    assert caught.value.reason is Reason.NOT_YOUR_SEAT
