"""G9 to G13: who gets what, when a round ends, and the second chance."""

import pytest

from pytlik.chance import from_text
from pytlik.game import Expire, Ready
from pytlik.ubongo.messages import GiveUp, Place
from pytlik.ubongo.model import Gem, Options, Phase
from pytlik.ubongo.rules import deadline
from pytlik.ubongo.score import purse
from tests.ubongo.rounds import Table, begun, opened, solution, story, tell

# ------------------------------------------------------------------------------------ the rewards


def test_g09_first_second_third_and_fourth() -> None:
    table = begun(players=4)
    told = table.play("""
        at 10: seat 2 solves
        at 20: seat 0 solves
        at 30: seat 3 solves
        at 40: seat 1 solves
    """)
    assert told == story("""
        10.000 seat 2 solves
        10.250 seat 2 is first: sapphire from the display, ruby from the bag
        20.000 seat 0 solves
        20.250 seat 0 is second: amber from the display, ruby from the bag
        30.000 seat 3 solves
        30.250 seat 3 is third: ruby from the bag
        40.000 seat 1 solves
        40.000 seat 1 is fourth: ruby from the bag
        40.000 round 1 is over
    """)
    assert table.held(2) == "1 ruby, 1 sapphire"
    assert table.held(0) == "1 ruby, 1 amber"
    assert table.held(3) == table.held(1) == "1 ruby"
    assert table.display == "8 sapphire, 8 amber"
    assert table.bag == "32 ruby"


def test_g09_two_solve_out_of_three() -> None:
    table = begun(players=3)
    told = table.play("""
        at 10: seat 1 solves
        at 20: seat 2 solves
        at 61: wait
    """)
    assert told == story("""
        10.000 seat 1 solves
        10.250 seat 1 is first: sapphire from the display, ruby from the bag
        20.000 seat 2 solves
        20.250 seat 2 is second: amber from the display, ruby from the bag
        60.250 the sand has run out
        60.250 round 1 is over
    """)
    assert table.held(0) == ""
    assert (table.display, table.bag) == ("8 sapphire, 8 amber", "34 ruby")


def test_g09_drawn_blind_and_only_what_is_in_the_bag() -> None:
    drawn = set[Gem]()
    for seed in range(40):
        table = opened(chance=from_text(str(seed))).begin()
        table.play("at 1: seat 0 solves\nat 2: seat 1 solves")
        held = table.state.books.held[1]
        drawn.update(gem for gem in Gem if held[gem] > (gem is Gem.AMBER))
    assert drawn == set(Gem)
    for gem in Gem:
        table = begun(bag={**purse(), gem: 2})
        table.play("at 1: seat 0 solves\nat 2: seat 1 solves")
        assert table.bag == ""


def test_g09_each_gem_is_as_likely_as_there_are_of_it() -> None:
    draws = [
        opened_with(bag=purse(ruby=1, amber=9), seed=str(seed)).state.books.held[0]
        for seed in range(60)
    ]
    rubies = sum(held[Gem.RUBY] for held in draws)
    assert 1 <= rubies <= 15


# ------------------------------------------------------------------------------------------- time


def test_g10_the_round_ends_when_the_sand_has_run_out() -> None:
    table = begun()
    assert table.play("at 10: seat 0 solves\nat 60.249: wait").endswith("ruby from the bag")
    assert table.phase() is Phase.SOLVING
    assert table.play("at 60.25: wait") == story("""
        60.250 the sand has run out
        60.250 amber goes into the bag
        60.250 round 1 is over
    """)
    assert table.phase() is Phase.READY


def test_g10_or_as_soon_as_everyone_has_solved_or_given_up() -> None:
    table = begun(players=3)
    told = table.play("""
        at 10: seat 0 gives up
        at 20: seat 1 solves
        at 30: seat 2 gives up
    """)
    assert told == story("""
        10.000 seat 0 gives up
        20.000 seat 1 solves
        20.250 seat 1 is first: sapphire from the display, ruby from the bag
        30.000 seat 2 gives up
        30.000 amber goes into the bag
        30.000 round 1 is over
    """)


def test_g10_settled_250_ms_after_it_arrived() -> None:
    table = begun()
    assert table.play("at 10: seat 0 solves, lag 200\nat 10.249: wait") == story("""
        10.000 seat 0 solves, counted at 9.800
    """)
    assert deadline(table.state) == table.zero + 10_250
    assert table.state.settled == ()
    assert table.play("at 10.25: wait") == story("""
        10.250 seat 0 is first: sapphire from the display, ruby from the bag
    """)


def test_g10_settled_at_once_when_nobody_else_can_come() -> None:
    table = begun()
    assert table.play("at 10: seat 1 gives up\nat 20: seat 0 solves") == story("""
        10.000 seat 1 gives up
        20.000 seat 0 solves
        20.000 seat 0 is first: sapphire from the display, ruby from the bag
        20.000 amber goes into the bag
        20.000 round 1 is over
    """)
    table = begun()
    assert table.play("at 20: seat 0 solves\nat 20.1: seat 1 gives up") == story("""
        20.000 seat 0 solves
        20.100 seat 1 gives up
        20.100 seat 0 is first: sapphire from the display, ruby from the bag
        20.100 amber goes into the bag
        20.100 round 1 is over
    """)


def test_g10_a_later_arrival_with_an_earlier_time_comes_first() -> None:
    table = begun(players=3)
    told = table.play("""
        at 10: seat 0 solves, lag 20
        at 10.1: seat 1 solves, lag 150
        at 10.3: wait
    """)
    assert told == story("""
        10.000 seat 0 solves, counted at 9.980
        10.100 seat 1 solves, counted at 9.950
        10.250 seat 1 is first: sapphire from the display, ruby from the bag
        10.250 seat 0 is second: amber from the display, ruby from the bag
    """)


def test_g10_who_counts_later_is_not_settled_with_the_first() -> None:
    table = begun(players=3)
    told = table.play("""
        at 10: seat 0 solves
        at 10.1: seat 1 solves
        at 11: wait
    """)
    assert told == story("""
        10.000 seat 0 solves
        10.100 seat 1 solves
        10.250 seat 0 is first: sapphire from the display, ruby from the bag
        10.350 seat 1 is second: amber from the display, ruby from the bag
    """)


def test_g10_at_most_250_ms_are_credited() -> None:
    table = begun(players=3)
    told = table.play("""
        at 10: seat 0 solves, lag 249
        at 10: seat 1 solves, lag 9000
        at 11: wait
    """)
    assert told == story("""
        10.000 seat 0 solves, counted at 9.751
        10.000 seat 1 solves, counted at 9.750
        10.250 seat 1 is first: sapphire from the display, ruby from the bag
        10.250 seat 0 is second: amber from the display, ruby from the bag
    """)


def test_g10_a_delay_below_zero_is_none() -> None:
    table = begun()
    assert table.play("at 10: seat 0 solves, lag -70") == "10.000 seat 0 solves"


def test_g10_no_time_counts_before_the_beginning() -> None:
    table = begun()
    assert table.play("at 0.1: seat 0 solves, lag 200") == story("""
        0.100 seat 0 solves, counted at 0.000
    """)


def test_g10_equal_times_go_by_arrival() -> None:
    table = begun(players=3)
    told = table.play("""
        at 10: seat 2 solves
        at 10.2: seat 0 solves, lag 200
        at 11: wait
    """)
    assert told == story("""
        10.000 seat 2 solves
        10.200 seat 0 solves, counted at 10.000
        10.250 seat 2 is first: sapphire from the display, ruby from the bag
        10.450 seat 0 is second: amber from the display, ruby from the bag
    """)


def test_g10_in_time_though_it_arrived_after_the_sand_had_run_out() -> None:
    table = begun()
    told = table.play("""
        at 60.25: seat 1 solves, lag 250
        at 61: wait
    """)
    assert told == story("""
        60.250 seat 1 solves, counted at 60.000
        60.250 the sand has run out
        60.250 seat 1 is first: sapphire from the display, ruby from the bag
        60.250 amber goes into the bag
        60.250 round 1 is over
    """)


def test_g10_settling_another_just_after_the_sand_does_not_end_the_round() -> None:
    """Seat 0 is settled at 60.150, when a solution in time may still be on its way."""
    table = begun(players=3)
    told = table.play("""
        at 59.9: seat 0 solves
        at 60.2: seat 1 solves, lag 240
        at 61: wait
    """)
    assert told == story("""
        59.900 seat 0 solves
        60.150 seat 0 is first: sapphire from the display, ruby from the bag
        60.200 seat 1 solves, counted at 59.960
        60.250 the sand has run out
        60.250 seat 1 is second: amber from the display, ruby from the bag
        60.250 round 1 is over
    """)


def test_g10_too_late_by_a_millisecond() -> None:
    """Everything but the last piece lies there; `too_late` is provoked among the refusals."""
    table = begun()
    table.play("at 1: seat 0 places 1\nat 1: seat 0 places 2")
    last = Place(3, solution(table.state.deals[0])[3])
    assert table.refusal(0, last, at=60.001).reason == "too_late"
    assert table.refusal(0, last, at=60.2, lag=199).reason == "too_late"
    assert table.play("at 60.2: seat 0 places 3, lag 200") == story("""
        60.200 seat 0 solves, counted at 60.000
    """)


def test_g10_a_clock_that_comes_late_changes_no_order() -> None:
    table = begun(players=4)
    for seat, at, lag in [(0, 10_000, 0), (1, 10_200, 240), (2, 10_300, 0)]:
        for number, cells in solution(table.state.deals[seat]).items():
            table.ask(seat, Place(number, cells), at=table.zero + at, lag=lag)
    # Seat 2 has let the two before be settled, 50 ms late.
    assert table.state.settled == (1, 0)
    assert tell(table.ask(None, Expire(), at=table.zero + 70_000), table.zero) == story("""
        70.000 the sand has run out
        70.000 seat 2 is third: ruby from the bag
        70.000 round 1 is over
    """)


def test_g10_without_a_timer_it_ends_only_when_all_are_done() -> None:
    table = begun(options=Options(seconds=None))
    assert deadline(table.state) is None
    told = table.play("""
        at 100000: seat 0 solves
        at 200000: wait
        at 300000: seat 1 gives up
    """)
    assert told == story("""
        100000.000 seat 0 solves
        100000.250 seat 0 is first: sapphire from the display, ruby from the bag
        300000.000 seat 1 gives up
        300000.000 amber goes into the bag
        300000.000 round 1 is over
    """)


def test_g10_without_a_timer_there_is_no_second_chance() -> None:
    table = begun(options=Options(seconds=None))
    assert table.play("at 5: seat 0 gives up\nat 6: seat 1 gives up") == story("""
        5.000 seat 0 gives up
        6.000 seat 1 gives up
        6.000 sapphire goes into the bag
        6.000 amber goes into the bag
        6.000 round 1 is over
    """)


# -------------------------------------------------------------------------- solved by one, by none


def test_g11_solved_by_only_one_the_amber_goes_into_the_bag() -> None:
    table = begun(players=4)
    told = table.play("at 10: seat 3 solves\nat 61: wait")
    assert told == story("""
        10.000 seat 3 solves
        10.250 seat 3 is first: sapphire from the display, ruby from the bag
        60.250 the sand has run out
        60.250 amber goes into the bag
        60.250 round 1 is over
    """)
    assert (table.display, table.bag) == ("8 sapphire, 8 amber", "35 ruby, 1 amber")


@pytest.mark.parametrize("solvers", [0, 1, 2, 3])
def test_g11_every_round_takes_one_sapphire_and_one_amber_from_the_display(solvers: int) -> None:
    table = begun(players=3)
    lines = [f"at {10 + seat}: seat {seat} solves" for seat in range(solvers)]
    table.play("\n".join([*lines, "at 200: wait"]))
    assert table.phase() is Phase.READY
    assert table.display == "8 sapphire, 8 amber"


def test_g12_second_chance_first_to_solve_ends_it_for_all() -> None:
    table = begun(players=3)
    told = table.play("""
        at 20: seat 1 places 1
        at 60: seat 2 places 2
        at 100: seat 2 solves
        at 100.25: wait
    """)
    assert told == story("""
        60.250 the sand has run out
        60.250 second chance until 120.250
        100.000 seat 2 solves
        100.250 seat 2 is first: ruby from the bag
        100.250 sapphire goes into the bag
        100.250 amber goes into the bag
        100.250 round 1 is over
    """)
    assert [table.held(seat) for seat in range(3)] == ["", "", "1 ruby"]
    assert table.bag == "35 ruby, 1 sapphire, 1 amber"


def test_g12_placed_pieces_stay_and_the_puzzle_is_the_same() -> None:
    table = begun()
    table.play("at 20: seat 0 places 1\nat 30: seat 0 places 2")
    deals = table.state.deals
    table.play("at 61: wait")
    assert table.phase() is Phase.SECOND_CHANCE
    assert table.card(0) == "1 1 1 2\n . . 2 2"
    assert table.state.deals == deals
    assert table.play("at 70: seat 0 places 3") == "70.000 seat 0 solves"


def test_g12_second_chance_nobody_solves() -> None:
    table = begun()
    assert table.play("at 130: wait") == story("""
        60.250 the sand has run out
        60.250 second chance until 120.250
        120.500 the sand has run out
        120.500 sapphire goes into the bag
        120.500 amber goes into the bag
        120.500 round 1 is over
    """)
    assert (table.held(0), table.held(1)) == ("", "")
    assert table.bag == "36 ruby, 1 sapphire, 1 amber"


def test_g12_the_timer_has_the_same_length() -> None:
    table = begun(options=Options(seconds=45))
    assert table.play("at 46: wait") == story("""
        45.250 the sand has run out
        45.250 second chance until 90.250
    """)


def test_g12_who_was_earlier_wins_the_second_chance_and_only_they() -> None:
    table = begun(players=3)
    told = table.play("""
        at 70: seat 0 solves
        at 70.2: seat 1 solves, lag 240
        at 71: wait
    """)
    assert told == story("""
        60.250 the sand has run out
        60.250 second chance until 120.250
        70.000 seat 0 solves
        70.200 seat 1 solves, counted at 69.960
        70.250 seat 1 is first: ruby from the bag
        70.250 sapphire goes into the bag
        70.250 amber goes into the bag
        70.250 round 1 is over
    """)
    assert [table.held(seat) for seat in range(3)] == ["", "1 ruby", ""]


def test_g12_settled_at_once_if_nobody_else_can_come() -> None:
    table = begun()
    told = table.play("""
        at 70: seat 1 gives up
        at 71: seat 0 solves
    """)
    assert told == story("""
        60.250 the sand has run out
        60.250 second chance until 120.250
        70.000 seat 1 gives up
        71.000 seat 0 solves
        71.000 seat 0 is first: ruby from the bag
        71.000 sapphire goes into the bag
        71.000 amber goes into the bag
        71.000 round 1 is over
    """)


def test_g12_who_had_given_up_may_go_on() -> None:
    table = begun()
    told = table.play("""
        at 5: seat 0 places 1
        at 10: seat 0 gives up
        at 61: seat 0 solves
        at 62: wait
    """)
    assert told == story("""
        10.000 seat 0 gives up
        60.250 the sand has run out
        60.250 second chance until 120.250
        61.000 seat 0 solves
        61.250 seat 0 is first: ruby from the bag
        61.250 sapphire goes into the bag
        61.250 amber goes into the bag
        61.250 round 1 is over
    """)


def test_g12_all_gave_up_is_solved_by_nobody() -> None:
    table = begun()
    told = table.play("""
        at 10: seat 0 gives up
        at 11: seat 1 gives up
        at 12: seat 1 gives up
        at 13: seat 0 gives up
    """)
    assert told == story("""
        10.000 seat 0 gives up
        11.000 seat 1 gives up
        11.000 second chance until 71.000
        12.000 seat 1 gives up
        13.000 seat 0 gives up
        13.000 sapphire goes into the bag
        13.000 amber goes into the bag
        13.000 round 1 is over
    """)


def test_g12_the_rounds_gems_go_into_the_bag_after_the_draw() -> None:
    """The bag is down to one emerald: nothing else can be drawn."""
    for seed in range(5):
        table = opened_with(bag=purse(emerald=1), seed=str(seed), second_chance=True)
        assert table.held(0) == "1 emerald"
        assert table.bag == "1 sapphire, 1 amber"


def test_g12_late_for_the_second_chance_too() -> None:
    table = begun()
    table.play("at 61: wait")
    assert table.refusal(0, GiveUp(), at=120.251).reason == "too_late"
    assert table.play("at 120.45: seat 0 solves, lag 200\nat 121: wait") == story("""
        120.450 seat 0 solves, counted at 120.250
        120.500 the sand has run out
        120.500 seat 0 is first: ruby from the bag
        120.500 sapphire goes into the bag
        120.500 amber goes into the bag
        120.500 round 1 is over
    """)


# ------------------------------------------------------------------------------------ after a round


def test_g13_cards_are_put_aside_and_pieces_go_back() -> None:
    table = opened(players=2)
    seen: list[int] = []
    for number in range(1, 10):
        table.begin()
        assert table.state.round == number
        assert table.state.placed == {0: {}, 1: {}}
        assert (table.state.solutions, table.state.settled) == ((), ())
        assert table.state.gave_up == frozenset()
        seen += [deal.card for deal in table.state.deals.values()]
        table.play("at 1: seat 0 solves\nat 2: seat 1 gives up")
    assert len(set(seen)) == len(seen) == 18
    assert len(table.state.cards) == 40 - 18


def test_g13_tokens_go_back_so_every_colour_can_come_again() -> None:
    table = opened(players=4)
    for _ in range(3):
        table.begin()
        assert len({deal.colour for deal in table.state.deals.values()}) == 4
        table.play("\n".join(f"at 1: seat {seat} solves" for seat in range(4)))


def test_g13_the_next_round_waits_until_all_are_ready_again() -> None:
    table = begun()
    table.play("at 1: seat 0 solves\nat 2: seat 1 solves")
    assert table.state.ready == frozenset()
    assert deadline(table.state) is None
    assert (table.state.sand, table.state.starts) == (None, None)
    table.ask(0, Ready(), at=table.now)
    assert table.phase() is Phase.READY
    assert tell(table.ask(1, Ready(), at=table.now), table.zero) == story("""
        2.000 seat 1 is ready
        2.000 round 2 is to begin at 5.000
    """)


# -------------------------------------------------------------------------------------- moments


def opened_with(*, bag: dict[Gem, int], seed: str, second_chance: bool = False) -> Table:
    """A round in which only seat 0 solves, with its sapphire or in the second chance."""
    table = begun(bag=bag)
    table.chance = from_text(seed)
    table.play(f"at {61 if second_chance else 1}: seat 0 solves\nat 200: wait")
    return table
