"""G12: the second chance, when nobody has solved in time."""

from pytlik.ubongo.gem_ledger import purse
from pytlik.ubongo.messages import GiveUp
from pytlik.ubongo.model import Options, Phase
from tests.ubongo.event_lines import dedent_lines
from tests.ubongo.scripted_table import begin_round, play_round_won_by_seat_0


def test_g12_first_to_solve_ends_the_second_chance() -> None:
    table = begin_round(players=3)
    log = table.play_script("""
        at 20: seat 1 places 1
        at 60: seat 2 places 2
        at 100: seat 2 solves
        at 100.25: wait
    """)
    assert log == dedent_lines("""
        60.250 the sand has run out
        60.250 second chance until 120.250
        100.000 seat 2 solves
        100.250 seat 2 is first: ruby from the bag
        100.250 sapphire goes into the bag
        100.250 amber goes into the bag
        100.250 round 1 is over
    """)
    assert [table.held_gems(seat) for seat in range(3)] == ["", "", "1 ruby"]
    assert table.bag_gems == "35 ruby, 1 sapphire, 1 amber"


def test_g12_placed_pieces_stay_and_the_puzzle_is_the_same() -> None:
    table = begin_round()
    table.play_script("at 20: seat 0 places 1\nat 30: seat 0 places 2")
    deals = table.state.deals
    table.play_script("at 61: wait")
    assert table.phase() is Phase.SECOND_CHANCE
    assert table.draw_card_of(0) == "1 1 1 2\n . . 2 2"
    assert table.state.deals == deals
    assert table.play_script("at 70: seat 0 places 3") == "70.000 seat 0 solves"


def test_g12_nobody_solves_in_the_second_chance() -> None:
    table = begin_round()
    assert table.play_script("at 130: wait") == dedent_lines("""
        60.250 the sand has run out
        60.250 second chance until 120.250
        120.500 the sand has run out
        120.500 sapphire goes into the bag
        120.500 amber goes into the bag
        120.500 round 1 is over
    """)
    assert (table.held_gems(0), table.held_gems(1)) == ("", "")
    assert table.bag_gems == "36 ruby, 1 sapphire, 1 amber"


def test_g12_timer_runs_as_long_again() -> None:
    table = begin_round(options=Options(seconds=45))
    assert table.play_script("at 46: wait") == dedent_lines("""
        45.250 the sand has run out
        45.250 second chance until 90.250
    """)


def test_g12_only_the_earliest_solver_gets_a_gem() -> None:
    table = begin_round(players=3)
    log = table.play_script("""
        at 70: seat 0 solves
        at 70.2: seat 1 solves, lag 240
        at 71: wait
    """)
    assert log == dedent_lines("""
        60.250 the sand has run out
        60.250 second chance until 120.250
        70.000 seat 0 solves
        70.200 seat 1 solves, counted at 69.960
        70.250 seat 1 is first: ruby from the bag
        70.250 sapphire goes into the bag
        70.250 amber goes into the bag
        70.250 round 1 is over
    """)
    assert [table.held_gems(seat) for seat in range(3)] == ["", "1 ruby", ""]


def test_g12_settled_at_once_if_nobody_else_can_solve() -> None:
    table = begin_round()
    log = table.play_script("""
        at 70: seat 1 gives up
        at 71: seat 0 solves
    """)
    assert log == dedent_lines("""
        60.250 the sand has run out
        60.250 second chance until 120.250
        70.000 seat 1 gives up
        71.000 seat 0 solves
        71.000 seat 0 is first: ruby from the bag
        71.000 sapphire goes into the bag
        71.000 amber goes into the bag
        71.000 round 1 is over
    """)


def test_g12_seats_that_gave_up_may_go_on() -> None:
    table = begin_round()
    log = table.play_script("""
        at 5: seat 0 places 1
        at 10: seat 0 gives up
        at 61: seat 0 solves
        at 62: wait
    """)
    assert log == dedent_lines("""
        10.000 seat 0 gives up
        60.250 the sand has run out
        60.250 second chance until 120.250
        61.000 seat 0 solves
        61.250 seat 0 is first: ruby from the bag
        61.250 sapphire goes into the bag
        61.250 amber goes into the bag
        61.250 round 1 is over
    """)


def test_g12_second_chance_if_everyone_gives_up() -> None:
    table = begin_round()
    log = table.play_script("""
        at 10: seat 0 gives up
        at 11: seat 1 gives up
        at 12: seat 1 gives up
        at 13: seat 0 gives up
    """)
    assert log == dedent_lines("""
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
        table = play_round_won_by_seat_0(bag=purse(emerald=1), seed=str(seed), second_chance=True)
        assert table.held_gems(0) == "1 emerald"
        assert table.bag_gems == "1 sapphire, 1 amber"


def test_g12_too_late_for_the_second_chance() -> None:
    table = begin_round()
    table.play_script("at 61: wait")
    assert table.refusal(0, GiveUp(), at=120.251).reason == "too_late"
    assert table.play_script("at 120.45: seat 0 solves, lag 200\nat 121: wait") == dedent_lines("""
        120.450 seat 0 solves, counted at 120.250
        120.500 the sand has run out
        120.500 seat 0 is first: ruby from the bag
        120.500 sapphire goes into the bag
        120.500 amber goes into the bag
        120.500 round 1 is over
    """)
