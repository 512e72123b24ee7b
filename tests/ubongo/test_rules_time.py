"""G10: when a round ends, and whose solution counts when."""

from pytlik.game import DelayCredit, Expire
from pytlik.ubongo.messages import (
    CardSolved,
    PieceLifted,
    PiecePlaced,
    Place,
    SandRanOut,
    SeatGaveUp,
)
from pytlik.ubongo.model import Options, Phase
from pytlik.ubongo.timing import deadline, read_delay_credit
from tests.ubongo.drawn_cards import find_solution
from tests.ubongo.event_lines import dedent_lines, describe_events
from tests.ubongo.scripted_table import begin_round


def test_g10_the_round_ends_when_the_sand_has_run_out() -> None:
    table = begin_round()
    assert table.play_script("at 10: seat 0 solves\nat 60.249: wait").endswith("ruby from the bag")
    assert table.phase() is Phase.SOLVING
    assert table.play_script("at 60.25: wait") == dedent_lines("""
        60.250 the sand has run out
        60.250 amber goes into the bag
        60.250 round 1 is over
    """)
    assert table.phase() is Phase.READY


def test_g10_round_ends_when_everyone_has_solved_or_given_up() -> None:
    table = begin_round(players=3)
    log = table.play_script("""
        at 10: seat 0 gives up
        at 20: seat 1 solves
        at 30: seat 2 gives up
    """)
    assert log == dedent_lines("""
        10.000 seat 0 gives up
        20.000 seat 1 solves
        20.250 seat 1 is first: sapphire from the display, ruby from the bag
        30.000 seat 2 gives up
        30.000 amber goes into the bag
        30.000 round 1 is over
    """)


def test_g10_solution_is_settled_250_ms_after_arrival() -> None:
    table = begin_round()
    assert table.play_script("at 10: seat 0 solves, lag 200\nat 10.249: wait") == dedent_lines("""
        10.000 seat 0 solves, counted at 9.800
    """)
    assert deadline(table.state) == table.round_start + 10_250
    assert table.state.settled == ()
    assert table.play_script("at 10.25: wait") == dedent_lines("""
        10.250 seat 0 is first: sapphire from the display, ruby from the bag
    """)


def test_g10_settled_at_once_when_nobody_else_can_solve() -> None:
    table = begin_round()
    assert table.play_script("at 10: seat 1 gives up\nat 20: seat 0 solves") == dedent_lines("""
        10.000 seat 1 gives up
        20.000 seat 0 solves
        20.000 seat 0 is first: sapphire from the display, ruby from the bag
        20.000 amber goes into the bag
        20.000 round 1 is over
    """)
    table = begin_round()
    assert table.play_script("at 20: seat 0 solves\nat 20.1: seat 1 gives up") == dedent_lines("""
        20.000 seat 0 solves
        20.100 seat 1 gives up
        20.100 seat 0 is first: sapphire from the display, ruby from the bag
        20.100 amber goes into the bag
        20.100 round 1 is over
    """)


def test_g10_a_later_arrival_with_an_earlier_time_comes_first() -> None:
    table = begin_round(players=3)
    log = table.play_script("""
        at 10: seat 0 solves, lag 20
        at 10.1: seat 1 solves, lag 150
        at 10.3: wait
    """)
    assert log == dedent_lines("""
        10.000 seat 0 solves, counted at 9.980
        10.100 seat 1 solves, counted at 9.950
        10.250 seat 1 is first: sapphire from the display, ruby from the bag
        10.250 seat 0 is second: amber from the display, ruby from the bag
    """)


def test_g10_later_solution_is_settled_separately() -> None:
    table = begin_round(players=3)
    log = table.play_script("""
        at 10: seat 0 solves
        at 10.1: seat 1 solves
        at 11: wait
    """)
    assert log == dedent_lines("""
        10.000 seat 0 solves
        10.100 seat 1 solves
        10.250 seat 0 is first: sapphire from the display, ruby from the bag
        10.350 seat 1 is second: amber from the display, ruby from the bag
    """)


def test_g10_at_most_250_ms_are_credited() -> None:
    table = begin_round(players=3)
    log = table.play_script("""
        at 10: seat 0 solves, lag 249
        at 10: seat 1 solves, lag 9000
        at 11: wait
    """)
    assert log == dedent_lines("""
        10.000 seat 0 solves, counted at 9.751
        10.000 seat 1 solves, counted at 9.750
        10.250 seat 1 is first: sapphire from the display, ruby from the bag
        10.250 seat 0 is second: amber from the display, ruby from the bag
    """)


def test_g10_negative_lag_is_ignored() -> None:
    table = begin_round()
    assert table.play_script("at 10: seat 0 solves, lag -70") == "10.000 seat 0 solves"


def test_g10_no_time_counts_before_the_round_begins() -> None:
    table = begin_round()
    assert table.play_script("at 0.1: seat 0 solves, lag 200") == dedent_lines("""
        0.100 seat 0 solves, counted at 0.000
    """)


def test_g10_equal_times_go_by_arrival() -> None:
    table = begin_round(players=3)
    log = table.play_script("""
        at 10: seat 2 solves
        at 10.2: seat 0 solves, lag 200
        at 11: wait
    """)
    assert log == dedent_lines("""
        10.000 seat 2 solves
        10.200 seat 0 solves, counted at 10.000
        10.250 seat 2 is first: sapphire from the display, ruby from the bag
        10.450 seat 0 is second: amber from the display, ruby from the bag
    """)


def test_g10_solution_may_arrive_after_the_sand_ran_out() -> None:
    table = begin_round()
    log = table.play_script("""
        at 60.25: seat 1 solves, lag 250
        at 61: wait
    """)
    assert log == dedent_lines("""
        60.250 seat 1 solves, counted at 60.000
        60.250 the sand has run out
        60.250 seat 1 is first: sapphire from the display, ruby from the bag
        60.250 amber goes into the bag
        60.250 round 1 is over
    """)


def test_g10_settling_another_just_after_the_sand_does_not_end_the_round() -> None:
    """Seat 0 is settled at 60.150, when a timely solution may still be on its way."""
    table = begin_round(players=3)
    log = table.play_script("""
        at 59.9: seat 0 solves
        at 60.2: seat 1 solves, lag 240
        at 61: wait
    """)
    assert log == dedent_lines("""
        59.900 seat 0 solves
        60.150 seat 0 is first: sapphire from the display, ruby from the bag
        60.200 seat 1 solves, counted at 59.960
        60.250 the sand has run out
        60.250 seat 1 is second: amber from the display, ruby from the bag
        60.250 round 1 is over
    """)


def test_g10_too_late_by_a_millisecond() -> None:
    """Only the last piece is missing. test_rules_solving.py has more cases of `too_late`."""
    table = begin_round()
    table.play_script("at 1: seat 0 places 1\nat 1: seat 0 places 2")
    last = Place(3, find_solution(table.state.deals[0])[3])
    assert table.refusal(0, last, at=60.001).reason == "too_late"
    assert table.refusal(0, last, at=60.2, lag=199).reason == "too_late"
    assert table.play_script("at 60.2: seat 0 places 3, lag 200") == dedent_lines("""
        60.200 seat 0 solves, counted at 60.000
    """)


def test_g10_late_clock_does_not_change_the_order() -> None:
    table = begin_round(players=4)
    for seat, at, lag in [(0, 10_000, 0), (1, 10_200, 240), (2, 10_300, 0)]:
        for number, cells in find_solution(table.state.deals[seat]).items():
            table.act(seat, Place(number, cells), at=table.round_start + at, lag=lag)
    # Seat 2's action has settled the first two, 50 ms late.
    assert table.state.settled == (1, 0)
    events = table.act(None, Expire(), at=table.round_start + 70_000)
    assert describe_events(events, table.round_start) == dedent_lines("""
        70.000 the sand has run out
        70.000 seat 2 is third: ruby from the bag
        70.000 round 1 is over
    """)


def test_g10_round_without_a_timer_ends_when_all_are_done() -> None:
    table = begin_round(options=Options(seconds=None))
    assert deadline(table.state) is None
    log = table.play_script("""
        at 100000: seat 0 solves
        at 200000: wait
        at 300000: seat 1 gives up
    """)
    assert log == dedent_lines("""
        100000.000 seat 0 solves
        100000.250 seat 0 is first: sapphire from the display, ruby from the bag
        300000.000 seat 1 gives up
        300000.000 amber goes into the bag
        300000.000 round 1 is over
    """)


def test_g10_no_second_chance_without_a_timer() -> None:
    table = begin_round(options=Options(seconds=None))
    assert table.play_script("at 5: seat 0 gives up\nat 6: seat 1 gives up") == dedent_lines("""
        5.000 seat 0 gives up
        6.000 seat 1 gives up
        6.000 sapphire goes into the bag
        6.000 amber goes into the bag
        6.000 round 1 is over
    """)


def test_g10_delay_credit_of_each_event() -> None:
    """Up to 250 ms for a solution, and nothing for other actions."""
    solved = CardSolved(at=10_000, seat=1, time=9_750, lag=400)
    assert read_delay_credit(solved) == DelayCredit(1, lag=400, credited=250)
    for acted in (
        PiecePlaced(at=10_000, seat=1, piece=1, cells=(), lag=30),
        PieceLifted(at=10_000, seat=1, piece=1, lag=30),
        SeatGaveUp(at=10_000, seat=1, lag=30),
    ):
        assert read_delay_credit(acted) == DelayCredit(1, lag=30, credited=0)
    assert read_delay_credit(SandRanOut(at=10_000)) is None
