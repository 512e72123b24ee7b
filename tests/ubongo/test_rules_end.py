"""G14 and G15: the end of the match."""

from typing import Literal

import pytest

from pytlik.game import Outcome, Seat
from pytlik.ubongo.gem_ledger import leaders, points, purse, tied_seats
from pytlik.ubongo.messages import GiveUp, MatchEnded
from pytlik.ubongo.model import Options, Phase
from pytlik.ubongo.rounds import outcome
from pytlik.ubongo.timing import deadline
from tests.ubongo.event_lines import dedent_lines
from tests.ubongo.scripted_table import ScriptedTable, begin_deciding_round, begin_round, open_table


def test_g14_points_of_the_booklets_example() -> None:
    assert points(purse(ruby=1, sapphire=1, emerald=3, amber=3)) == 16


def test_g14_after_the_ninth_round_most_points_win() -> None:
    held = (purse(amber=3), purse(ruby=1), purse(emerald=1))
    table = begin_round(players=3, round_number=9, held=held)
    assert outcome(table.state) is None
    log = table.play_script("at 10: seat 2 solves\nat 61: wait")
    assert log == dedent_lines("""
        10.000 seat 2 solves
        10.250 seat 2 is first: sapphire from the display, ruby from the bag
        60.250 the sand has run out
        60.250 amber goes into the bag
        60.250 round 9 is over
        60.250 seat 2 wins at 3:4:9
    """)
    assert table.phase() is Phase.OVER
    assert outcome(table.state) == Outcome(winners=(2,), points=(3, 4, 9))
    assert deadline(table.state) is None
    assert table.display_gems == ""


def test_g14_points_of_gems_count_not_their_number() -> None:
    held = (purse(amber=7), purse(ruby=2))
    table = begin_round(players=2, round_number=9, held=held)
    assert table.play_script("at 121: wait").endswith("seat 1 wins at 7:8")


def test_g14_the_eighth_round_is_not_the_last() -> None:
    table = begin_round(players=2, round_number=8, held=(purse(amber=1), purse()))
    assert table.play_script("at 121: wait").endswith("round 8 is over")
    assert table.phase() is Phase.READY
    assert not table.state.deciding
    table.begin_next_round()
    assert table.state.round == 9


def test_g14_a_match_has_nine_rounds() -> None:
    table = open_table(players=2)
    log = ""
    for _ in range(9):
        table.begin_next_round()
        log = table.play_script("at 1: seat 1 solves\nat 2: seat 0 gives up")
    assert table.display_gems == ""
    assert log.splitlines()[-2:] == [
        "2.000 round 9 is over",
        f"2.000 seat 1 wins at 0:{points(table.state.books.held[1])}",
    ]


@pytest.mark.parametrize("rounds", [3, 5])
def test_g14_a_shorter_match_ends_after_its_last_round(rounds: Literal[3, 5]) -> None:
    table = open_table(players=2, options=Options(rounds=rounds))
    log = ""
    for number in range(1, rounds + 1):
        table.begin_next_round()
        log = table.play_script("at 1: seat 1 solves\nat 2: seat 0 gives up")
        assert (outcome(table.state) is not None) == (number == rounds)
    assert table.display_gems == ""
    assert log.splitlines()[-2:] == [
        f"2.000 round {rounds} is over",
        f"2.000 seat 1 wins at 0:{points(table.state.books.held[1])}",
    ]


def test_g15_a_tie_after_a_shorter_match_leads_to_a_deciding_round() -> None:
    table = open_table(players=2, options=Options(rounds=3, seconds=None))
    log = ""
    for _ in range(3):
        table.begin_next_round()
        log = table.play_script("at 1: seat 0 gives up\nat 1: seat 1 gives up")
    assert log.endswith("seats 0 and 1 are tied")
    table.begin_next_round()
    log = table.play_script("at 9: seat 0 solves\nat 10: wait")
    assert log.endswith("round 4 is over\n9.250 seat 0 wins at 0:0")


@pytest.mark.parametrize(
    ("totals", "top", "to_a_deciding_round"),
    [
        ((7, 3), (0,), ()),
        ((3, 7, 5), (1,), ()),
        ((7, 7), (0, 1), (0, 1)),
        ((7, 3, 7, 2), (0, 2), (0, 2)),
        ((0, 0, 0), (0, 1, 2), (0, 1, 2)),
    ],
)
def test_g15_leaders_and_tied_seats(
    totals: tuple[int, ...], top: tuple[Seat, ...], to_a_deciding_round: tuple[Seat, ...]
) -> None:
    books = begin_round(players=len(totals), held=tuple(purse(amber=n) for n in totals)).state.books
    assert leaders(books) == top
    assert tied_seats(books) == to_a_deciding_round


def test_g15_only_tied_leaders_play_the_deciding_round() -> None:
    held = (purse(ruby=1), purse(amber=3), purse(emerald=2))
    table = begin_round(players=3, round_number=9, held=held)
    assert table.play_script("at 121: wait").splitlines()[-2:] == [
        "120.500 round 9 is over",
        "120.500 seats 0 and 2 are tied",
    ]
    assert outcome(table.state) is None
    assert table.phase() is Phase.READY
    pile = [card.id for card in table.state.cards]
    table.begin_next_round()
    assert table.state.playing == (0, 2)
    assert {seat: deal.card for seat, deal in table.state.deals.items()} == {0: pile[0], 2: pile[1]}
    assert len({deal.colour for deal in table.state.deals.values()}) == 2


def test_g15_first_to_solve_wins_the_match() -> None:
    table = begin_deciding_round(5, 5)
    gems = table.state.books
    assert table.play_script("at 400: seat 1 solves\nat 401: wait") == dedent_lines("""
        400.000 seat 1 solves
        400.250 seat 1 is first
        400.250 round 10 is over
        400.250 seat 1 wins at 5:5
    """)
    assert table.state.books == gems
    assert outcome(table.state) == Outcome(winners=(1,), points=(5, 5))


def test_g15_first_by_counted_time_wins() -> None:
    table = begin_deciding_round(5, 5, 5)
    assert table.play_script("""
        at 40: seat 1 solves
        at 40.2: seat 0 solves, lag 220
        at 41: wait
    """) == dedent_lines("""
        40.000 seat 1 solves
        40.200 seat 0 solves, counted at 39.980
        40.250 seat 0 is first
        40.250 round 10 is over
        40.250 seat 0 wins at 5:5:5
    """)


def test_g15_settled_at_once_when_nobody_else_can_solve() -> None:
    table = begin_deciding_round(5, 5)
    assert table.play_script(
        "at 40: seat 1 solves\nat 40.1: seat 0 solves, lag 150"
    ) == dedent_lines("""
        40.000 seat 1 solves
        40.100 seat 0 solves, counted at 39.950
        40.100 seat 0 is first
        40.100 round 10 is over
        40.100 seat 0 wins at 5:5
    """)


def test_g15_deciding_round_has_no_timer() -> None:
    table = begin_deciding_round(5, 5, options=Options(seconds=30, patience=None))
    assert table.state.sand is None
    assert deadline(table.state) is None
    assert table.play_script("at 100000: seat 0 solves\nat 100001: wait").endswith(
        "seat 0 wins at 5:5"
    )


def test_g15_last_seat_that_has_not_given_up_wins() -> None:
    table = begin_deciding_round(5, 5, 5)
    assert table.play_script("at 10: seat 1 gives up\nat 20: seat 0 gives up") == dedent_lines("""
        10.000 seat 1 gives up
        20.000 seat 0 gives up
        20.000 round 10 is over
        20.000 seat 2 wins at 5:5:5
    """)


def test_g15_giving_up_does_not_hurry_settling() -> None:
    table = begin_deciding_round(5, 5, 5)
    assert table.play_script("""
        at 10: seat 1 solves
        at 10.1: seat 0 gives up
        at 10.2: seat 2 solves, lag 240
    """) == dedent_lines("""
        10.000 seat 1 solves
        10.100 seat 0 gives up
        10.200 seat 2 solves, counted at 9.960
        10.200 seat 2 is first
        10.200 round 10 is over
        10.200 seat 2 wins at 5:5:5
    """)


def test_g15_solver_wins_when_the_last_other_gives_up() -> None:
    table = begin_deciding_round(5, 5, 5)
    log = table.play_script("""
        at 9: seat 0 gives up
        at 10: seat 1 solves
        at 10.1: seat 2 gives up
    """)
    assert log.endswith("seat 1 wins at 5:5:5")


def test_g15_remaining_seats_share_when_patience_ends() -> None:
    table = begin_deciding_round(5, 5, 5)
    assert table.play_script("at 10: seat 1 gives up\nat 700: wait") == dedent_lines("""
        10.000 seat 1 gives up
        600.000 the table's patience ends
        600.000 round 10 is over
        600.000 seats 0 and 2 win at 5:5:5
    """)
    assert outcome(table.state) == Outcome(winners=(0, 2), points=(5, 5, 5))


@pytest.mark.parametrize("patience", [30, 86_400])
def test_g15_patience_is_an_option(patience: int) -> None:
    table = begin_deciding_round(5, 5, options=Options(patience=patience))
    assert deadline(table.state) == table.round_start + 1000 * patience


def test_g15_unsettled_solver_wins_when_patience_ends() -> None:
    table = begin_deciding_round(5, 5)
    assert table.play_script("at 599.9: seat 1 solves\nat 700: wait") == dedent_lines("""
        599.900 seat 1 solves
        600.000 the table's patience ends
        600.000 seat 1 is first
        600.000 round 10 is over
        600.000 seat 1 wins at 5:5
    """)


def test_g15_patience_is_for_the_deciding_round_only() -> None:
    table = begin_round(options=Options(seconds=600, patience=30))
    assert table.state.patience is None
    assert deadline(table.state) == table.round_start + 600_250


def test_g15_same_puzzle_and_handicap_hold_in_the_deciding_round() -> None:
    table = begin_deciding_round(7, 3, 7, options=Options(same_puzzle=True, handicap=(3, 4, 5)))
    assert len({deal.card for deal in table.state.deals.values()}) == 1
    assert {seat: deal.side for seat, deal in table.state.deals.items()} == {0: 3, 2: 5}


def test_g15_nothing_happens_after_the_end() -> None:
    table: ScriptedTable = begin_deciding_round(5, 5)
    table.play_script("at 10: seat 0 gives up")
    assert isinstance(table.events[-1], MatchEnded)
    assert table.refusal(1, GiveUp()).reason == "wrong_phase"
