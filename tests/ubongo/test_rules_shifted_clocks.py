"""Clocks that are shifted after a pause or after downtime."""

import pytest

from pytlik.game import Illegal, Ready, Reason, Shift
from pytlik.ubongo.messages import ClocksShifted, GiveUp
from pytlik.ubongo.model import Options, Phase
from pytlik.ubongo.rules import awaited, cause, decide
from pytlik.ubongo.timing import deadline
from pytlik.ubongo.view import view
from tests.ubongo.scripted_table import CHANCE, begin_deciding_round, begin_round, open_table

HOUR_MS = 3_600_000


def test_sand_keeps_its_remaining_time() -> None:
    table = begin_round()
    table.play_script("at 20: wait")
    began, sand = table.state.began, table.state.sand
    assert began is not None
    assert sand is not None
    now = table.round_start + 20_000 + HOUR_MS
    assert table.act(None, Shift(HOUR_MS), at=now) == [ClocksShifted(at=now, by=HOUR_MS)]
    assert (table.state.began, table.state.sand) == (began + HOUR_MS, sand + HOUR_MS)
    assert deadline(table.state) == sand + HOUR_MS + 250


def test_unsettled_solution_keeps_its_remaining_time() -> None:
    table = begin_round()
    table.play_script("at 10: seat 0 solves, lag 100")
    (before,) = table.state.solutions
    table.act(None, Shift(500), at=table.round_start + 10_600)
    (after,) = table.state.solutions
    assert (after.time, after.arrived) == (before.time + 500, before.arrived + 500)
    assert deadline(table.state) == before.arrived + 500 + 250


def test_countdown_and_patience_are_shifted_too() -> None:
    table = open_table()
    for seat in (0, 1):
        table.act(seat, Ready(), at=1_000)
    starts = table.state.starts
    assert starts is not None
    table.act(None, Shift(70), at=2_000)
    assert table.state.starts == starts + 70
    deciding = begin_deciding_round(20, 20, options=Options(patience=60))
    patience = deciding.state.patience
    assert patience is not None
    deciding.act(None, Shift(70), at=deciding.round_start + 1_000)
    assert (deciding.state.patience, deciding.state.sand) == (patience + 70, None)


def test_everyone_resumes_together_after_a_countdown() -> None:
    """Nobody can use the countdown, so the clocks are shifted by it too."""
    table = begin_round()
    table.play_script("at 20: wait")
    sand = table.state.sand
    assert sand is not None
    now = table.round_start + 20_000 + HOUR_MS
    shift = Shift(HOUR_MS + 3_000, 3_000)
    (event,) = table.act(None, shift, at=now)
    assert event == ClocksShifted(at=now, by=HOUR_MS + 3_000, resumes=now + 3_000)
    assert table.state.sand == sand + HOUR_MS + 3_000
    request = cause(event)
    assert request is not None
    assert (request.seat, request.action) == (None, shift)
    with pytest.raises(Illegal) as caught:
        decide(table.state, 0, GiveUp(), CHANCE, now + 2_999)
    assert caught.value.reason is Reason.TOO_EARLY
    assert view(table.state, 0).resumes == now + 3_000
    # Downtime during the countdown makes it longer.
    table.act(None, Shift(500), at=now + 1_000)
    assert table.state.resumes == now + 3_500
    assert table.act(0, GiveUp(), at=now + 3_500)


@pytest.mark.parametrize("deciding", [False, True])
def test_no_clock_runs_between_rounds(deciding: bool) -> None:
    table = begin_deciding_round(5, 5) if deciding else begin_round()
    table.act(None, Shift(3_000, 3_000), at=table.round_start + 1_000)
    table.play_script("at 9: seat 1 solves\nat 9.1: seat 0 gives up")
    shown = view(table.state, 0)
    assert shown.phase is (Phase.OVER if deciding else Phase.READY)
    assert (shown.starts, shown.resumes, shown.sand, shown.patience) == (None,) * 4


@pytest.mark.parametrize(("by", "countdown"), [(5, 6), (5, -1), (-5, 1)])
def test_countdown_must_be_part_of_the_shift(by: int, countdown: int) -> None:
    table = begin_round()
    with pytest.raises(Illegal):
        decide(table.state, None, Shift(by, countdown), CHANCE, table.round_start)


def test_skipped_time_has_passed_for_sand_and_solutions() -> None:
    table = begin_round()
    table.play_script("at 10: seat 0 solves")
    table.let_time_pass(table.round_start + 10_250)
    before = table.state
    assert before.began is not None
    assert before.sand is not None
    now = table.round_start + 11_000
    (event,) = table.act(None, Shift(-20_000), at=now)
    assert event == ClocksShifted(at=now, by=-20_000)
    request = cause(event)
    assert request is not None
    assert (request.seat, request.action) == (None, Shift(-20_000))
    assert (table.state.began, table.state.sand) == (before.began - 20_000, before.sand - 20_000)
    assert table.state.solutions[0].time - table.round_start == 10_000
    assert deadline(table.state) == now + 29_250


def test_only_the_server_shifts_clocks_and_only_running_ones() -> None:
    table = begin_round()
    with pytest.raises(Illegal) as caught:
        decide(table.state, 0, Shift(5), CHANCE, table.round_start)
    assert caught.value.reason is Reason.NOT_YOUR_SEAT
    waiting = open_table()
    assert waiting.act(0, Ready(), at=table.round_start)
    counting = open_table()
    for seat in (0, 1):
        counting.act(seat, Ready(), at=table.round_start)
    assert counting.phase() is Phase.COUNTDOWN
    for state, by in ((waiting.state, 5), (waiting.state, -5), (counting.state, -5)):
        with pytest.raises(Illegal) as caught:
            decide(state, None, Shift(by), CHANCE, table.round_start)
        assert caught.value.reason is Reason.WRONG_PHASE


def test_shift_is_caused_by_no_seat() -> None:
    request = cause(ClocksShifted(at=7, by=3))
    assert request is not None
    assert (request.seat, request.action) == (None, Shift(3))


def test_awaited_seats() -> None:
    table = open_table()
    assert awaited(table.state) == (0, 1)
    table = begin_round(players=3)
    assert awaited(table.state) == (0, 1, 2)
    table.play_script("at 5: seat 1 solves\nat 6: seat 0 gives up")
    assert awaited(table.state) == (2,)
    over = begin_deciding_round(20, 20, 10)
    assert awaited(over.state) == (0, 1)
    over.play_script("at 5: seat 1 solves\nat 6: wait")
    assert over.phase() is Phase.OVER
    assert awaited(over.state) == ()
