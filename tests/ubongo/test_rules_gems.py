"""G9, G11 and G13: who gets what, and what goes back after a round."""

import pytest

from pytlik.chance import from_text
from pytlik.game import Ready
from pytlik.ubongo.gem_ledger import purse
from pytlik.ubongo.model import Gem, Phase
from pytlik.ubongo.timing import deadline
from tests.ubongo.event_lines import dedent_lines, describe_events
from tests.ubongo.scripted_table import begin_round, open_table, play_round_won_by_seat_0


def test_g09_rewards_of_first_to_fourth() -> None:
    table = begin_round(players=4)
    log = table.play_script("""
        at 10: seat 2 solves
        at 20: seat 0 solves
        at 30: seat 3 solves
        at 40: seat 1 solves
    """)
    assert log == dedent_lines("""
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
    assert table.held_gems(2) == "1 ruby, 1 sapphire"
    assert table.held_gems(0) == "1 ruby, 1 amber"
    assert table.held_gems(3) == table.held_gems(1) == "1 ruby"
    assert table.display_gems == "8 sapphire, 8 amber"
    assert table.bag_gems == "32 ruby"


def test_g09_rewards_if_two_of_three_solve() -> None:
    table = begin_round(players=3)
    log = table.play_script("""
        at 10: seat 1 solves
        at 20: seat 2 solves
        at 61: wait
    """)
    assert log == dedent_lines("""
        10.000 seat 1 solves
        10.250 seat 1 is first: sapphire from the display, ruby from the bag
        20.000 seat 2 solves
        20.250 seat 2 is second: amber from the display, ruby from the bag
        60.250 the sand has run out
        60.250 round 1 is over
    """)
    assert table.held_gems(0) == ""
    assert (table.display_gems, table.bag_gems) == ("8 sapphire, 8 amber", "34 ruby")


def test_g09_gems_are_drawn_at_random_from_the_bag() -> None:
    drawn = set[Gem]()
    for seed in range(40):
        table = open_table(chance=from_text(str(seed))).begin_next_round()
        table.play_script("at 1: seat 0 solves\nat 2: seat 1 solves")
        held = table.state.books.held[1]
        drawn.update(gem for gem in Gem if held[gem] > (gem is Gem.AMBER))
    assert drawn == set(Gem)
    for gem in Gem:
        table = begin_round(bag={**purse(), gem: 2})
        table.play_script("at 1: seat 0 solves\nat 2: seat 1 solves")
        assert table.bag_gems == ""


def test_g09_draws_follow_the_numbers_of_gems_in_the_bag() -> None:
    draws = [
        play_round_won_by_seat_0(bag=purse(ruby=1, amber=9), seed=str(seed)).state.books.held[0]
        for seed in range(60)
    ]
    rubies = sum(held[Gem.RUBY] for held in draws)
    assert 1 <= rubies <= 15


def test_g11_amber_goes_into_the_bag_if_only_one_solves() -> None:
    table = begin_round(players=4)
    log = table.play_script("at 10: seat 3 solves\nat 61: wait")
    assert log == dedent_lines("""
        10.000 seat 3 solves
        10.250 seat 3 is first: sapphire from the display, ruby from the bag
        60.250 the sand has run out
        60.250 amber goes into the bag
        60.250 round 1 is over
    """)
    assert (table.display_gems, table.bag_gems) == ("8 sapphire, 8 amber", "35 ruby, 1 amber")


@pytest.mark.parametrize("solvers", [0, 1, 2, 3])
def test_g11_every_round_takes_one_sapphire_and_one_amber_from_the_display(solvers: int) -> None:
    table = begin_round(players=3)
    lines = [f"at {10 + seat}: seat {seat} solves" for seat in range(solvers)]
    table.play_script("\n".join([*lines, "at 200: wait"]))
    assert table.phase() is Phase.READY
    assert table.display_gems == "8 sapphire, 8 amber"


def test_g13_cards_are_put_aside_and_pieces_go_back() -> None:
    table = open_table(players=2)
    seen: list[int] = []
    for number in range(1, 10):
        table.begin_next_round()
        assert table.state.round == number
        assert table.state.placed == {0: {}, 1: {}}
        assert (table.state.solutions, table.state.settled) == ((), ())
        assert table.state.gave_up == frozenset()
        seen += [deal.card for deal in table.state.deals.values()]
        table.play_script("at 1: seat 0 solves\nat 2: seat 1 gives up")
    assert len(set(seen)) == len(seen) == 18
    assert len(table.state.cards) == 40 - 18


def test_g13_tokens_go_back_after_each_round() -> None:
    table = open_table(players=4)
    for _ in range(3):
        table.begin_next_round()
        assert len({deal.colour for deal in table.state.deals.values()}) == 4
        table.play_script("\n".join(f"at 1: seat {seat} solves" for seat in range(4)))


def test_g13_the_next_round_waits_until_all_are_ready_again() -> None:
    table = begin_round()
    table.play_script("at 1: seat 0 solves\nat 2: seat 1 solves")
    assert table.state.ready == frozenset()
    assert deadline(table.state) is None
    assert (table.state.sand, table.state.starts) == (None, None)
    table.act(0, Ready(), at=table.now)
    assert table.phase() is Phase.READY
    events = table.act(1, Ready(), at=table.now)
    assert describe_events(events, table.round_start) == dedent_lines("""
        2.000 seat 1 is ready
        2.000 round 2 is to begin at 5.000
    """)
