"""Tests of the rules' tests, and of what isn't a rule in the booklet."""

import re
from pathlib import Path

import pytest

from pytlik.game import HIDDEN, Cause, Expire, Malformed, Ready, Reason, replay
from pytlik.ubongo.action_checks import check
from pytlik.ubongo.messages import (
    Action,
    CardSolved,
    DeckShuffled,
    Event,
    GiveUp,
    Lift,
    PieceMoved,
    Place,
    RoundBegan,
)
from pytlik.ubongo.rules import apply, cause, decide
from tests.ubongo.drawn_cards import find_solution
from tests.ubongo.scripted_table import CHANCE, begin_round, open_table

UBONGO_REASONS = [
    "not_your_seat",
    "wrong_phase",
    "occupied",
    "not_your_piece",
    "not_placed",
    "wrong_shape",
    "outside_area",
    "already_solved",
    "gave_up",
    "too_late",
    "too_early",
]


def test_every_number_in_the_spec_has_a_test() -> None:
    names = " ".join(
        name
        for file in Path(__file__).parent.glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    )
    missing = [number for number in range(1, 17) if f"_g{number:02}_" not in names]
    assert missing == []


@pytest.mark.parametrize("reason", UBONGO_REASONS)
def test_every_refusal_is_triggered(reason: str) -> None:
    text = "".join(
        file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_rules_*.py")
    )
    assert f"Reason.{reason.upper()}" in text


def test_list_of_refusals_matches_the_rules() -> None:
    source = Path(check.__code__.co_filename).read_text(encoding="utf-8")
    raised = re.findall(r"Illegal\(\w*Reason\.(\w+)", source)
    assert {name.lower() for name in raised} == set(UBONGO_REASONS)


# ---------------------------------------------------------------------------------------- replay


def test_masked_events_cannot_be_replayed() -> None:
    table = open_table()
    shuffled = table.events[1]
    assert isinstance(shuffled, DeckShuffled)
    hidden = DeckShuffled(at=0, pieces=shuffled.pieces, cards=HIDDEN)
    for event in (hidden, PieceMoved(at=0, seat=0)):
        with pytest.raises(Malformed) as caught:
            replay(apply, [table.events[0], event])
        assert caught.value.reason is Reason.BAD_FILE


def test_cause_has_the_action_and_its_lag() -> None:
    table = begin_round()
    cells = find_solution(table.state.deals[0])[1]
    requests: list[tuple[int, Action, int]] = [
        (0, Place(1, cells), 70),
        (0, Lift(1), 80),
        (0, GiveUp(), 90),
    ]
    for seat, action, lag in requests:
        # 50 ms after the sand: without its lag, the repeated action would be too late.
        event, *_ = table.act(seat, action, at=table.round_start + 60_050, lag=lag)
        assert cause(event) == Cause(seat, action, lag)
    log = [
        type(event).__name__ for event in table.act(None, Expire(), at=table.round_start + 60_250)
    ]
    assert log == ["SandRanOut", "SecondChanceBegan"]
    assert cause(table.events[-2]) == Cause(None, Expire())
    assert cause(table.events[-1]) is None


def test_only_the_first_event_of_an_action_has_a_cause() -> None:
    table = begin_round()
    table.play_script("at 1: seat 0 solves\nat 2: seat 1 gives up")
    causes = {type(event): cause(event) for event in table.events}
    assert causes[RoundBegan] == Cause(None, Expire())
    assert causes[CardSolved] is None
    ready: list[Event] = table.act(0, Ready(), at=table.now)
    assert cause(ready[0]) == Cause(0, Ready())


def test_deciding_is_repeatable_and_changes_nothing() -> None:
    table = begin_round()
    before = table.state
    action = Place(1, find_solution(before.deals[0])[1])
    first = decide(before, 0, action, CHANCE, table.now)
    assert decide(before, 0, action, CHANCE, table.now) == first
    assert table.state == before
