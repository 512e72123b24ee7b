"""What every game is made of."""

from typing import Any

import pytest

from pytlik.game import (
    HIDDEN,
    Hidden,
    Illegal,
    Malformed,
    Reason,
    Refusal,
    Telling,
    check_players,
    replay,
    snake_case,
)
from pytlik.unikat.messages import BonusEarned, TurnPassed


def append(state: tuple[Any, ...] | None, event: Any) -> tuple[Any, ...]:
    return (*(state or ()), event)


def test_replay_applies_one_event_after_the_other() -> None:
    one, two = BonusEarned(at=1, seat=0), TurnPassed(at=2, seat=1)
    assert replay(append, [one, two]) == (one, two)
    begun = append(None, one)
    assert replay(append, iter([two]), begun) == (one, two)
    assert replay(append, [], begun) == begun


def test_there_is_no_state_without_events() -> None:
    with pytest.raises(Malformed) as caught:
        replay(append, [])
    assert caught.value.reason is Reason.BAD_FILE
    assert caught.value.detail == {"problem": "no events"}


def test_telling_keeps_the_events_and_the_state_they_lead_to() -> None:
    one, two = BonusEarned(at=1, seat=0), TurnPassed(at=2, seat=1)
    telling = Telling[tuple[Any, ...], Any]((), append, [])
    telling.tell(one)
    telling.tell(two)
    assert (telling.state, telling.events) == ((one, two), [one, two])


def test_a_refusal_is_a_code_with_what_a_sentence_needs() -> None:
    refusal = Illegal(Reason.OCCUPIED, x=1, y=-2)
    assert (refusal.reason, refusal.detail) == (Reason.OCCUPIED, {"x": 1, "y": -2})
    assert str(refusal) == "occupied (x=1, y=-2)"
    assert str(Malformed(Reason.BAD_FILE)) == "bad_file"


def test_malformed_and_illegal_are_different_refusals() -> None:
    assert issubclass(Malformed, Refusal)
    assert issubclass(Illegal, Refusal)
    assert not issubclass(Malformed, Illegal)
    assert not issubclass(Illegal, Malformed)


def test_reasons_are_their_own_codes() -> None:
    assert all(reason.value == reason.name.lower() for reason in Reason)


@pytest.mark.parametrize(("name", "tag"), [
    ("Lay", "lay"), ("TileSwapped", "tile_swapped"), ("GiveUp", "give_up"),
])  # fmt: skip
def test_messages_are_tagged_with_their_name(name: str, tag: str) -> None:
    assert snake_case(name) == tag


def test_hidden_is_one_value() -> None:
    assert Hidden() == HIDDEN


def test_the_number_of_players_is_checked() -> None:
    for count in (2, 3, 4):
        check_players(range(2, 5), count)
    for count in (-1, 0, 1, 5):
        with pytest.raises(Malformed) as caught:
            check_players(range(2, 5), count)
        assert caught.value.reason is Reason.BAD_REQUEST
