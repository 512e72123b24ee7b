"""The bookkeeping of gems, written out round by round."""

import pytest
from msgspec.structs import replace

from pytlik.game import Illegal
from pytlik.ubongo.gem_ledger import (
    leaders,
    new_ledger,
    points,
    purse,
    score_round,
    score_second_chance,
    tied_seats,
)
from pytlik.ubongo.model import Gem
from pytlik.ubongo.reasons import UbongoReason

RUBY, SAPPHIRE, EMERALD, AMBER = Gem.RUBY, Gem.SAPPHIRE, Gem.EMERALD, Gem.AMBER

START_LEDGER = new_ledger(3)


def test_g03_54_gems_at_the_start() -> None:
    counts = [START_LEDGER.display, START_LEDGER.bag, *START_LEDGER.held]
    total = {gem: sum(count[gem] for count in counts) for gem in Gem}
    assert total == purse(ruby=9, sapphire=18, emerald=9, amber=18)


def test_g05_nine_sapphires_and_nine_ambers_are_laid_out() -> None:
    assert START_LEDGER.display == purse(sapphire=9, amber=9)
    assert START_LEDGER.bag == purse(ruby=9, sapphire=9, emerald=9, amber=9)
    assert START_LEDGER.held == (purse(), purse(), purse())


def test_g09_rewards_of_first_to_third() -> None:
    ledger = score_round(START_LEDGER, [(2, RUBY), (0, EMERALD), (1, AMBER)])
    assert ledger.held[2] == purse(sapphire=1, ruby=1)
    assert ledger.held[0] == purse(amber=1, emerald=1)
    assert ledger.held[1] == purse(amber=1)
    assert ledger.display == purse(sapphire=8, amber=8)
    assert ledger.bag == purse(ruby=8, sapphire=9, emerald=8, amber=8)


def test_g09_third_and_fourth_draw_only_from_the_bag() -> None:
    ledger = score_round(new_ledger(4), [(3, RUBY), (2, RUBY), (1, RUBY), (0, RUBY)])
    assert ledger.held == (
        purse(ruby=1),
        purse(ruby=1),
        purse(ruby=1, amber=1),
        purse(ruby=1, sapphire=1),
    )


def test_g11_amber_goes_into_the_bag_if_only_one_solves() -> None:
    ledger = score_round(START_LEDGER, [(1, SAPPHIRE)])
    assert ledger.held[1] == purse(sapphire=2)
    assert ledger.display == purse(sapphire=8, amber=8)
    assert ledger.bag == purse(ruby=9, sapphire=8, emerald=9, amber=10)


def test_g11_amber_goes_into_the_bag_after_the_draw() -> None:
    ledger = START_LEDGER
    for _ in range(4):
        ledger = score_round(ledger, [(0, AMBER), (1, AMBER)])
    # One amber is left in the bag, too few for two draws.
    with pytest.raises(Illegal) as refused:
        score_round(ledger, [(0, AMBER), (1, AMBER)])
    assert refused.value.reason is UbongoReason.GEM_NOT_IN_BAG
    ledger = score_round(ledger, [(0, AMBER), (1, RUBY)])
    assert (ledger.bag[AMBER], ledger.display[AMBER]) == (0, 4)
    # The amber that nobody claims goes into the bag only after the draw.
    with pytest.raises(Illegal) as refused:
        score_round(ledger, [(0, AMBER)])
    assert refused.value.reason is UbongoReason.GEM_NOT_IN_BAG
    assert score_round(ledger, [(0, RUBY)]).bag[AMBER] == 1


@pytest.mark.parametrize("second", [(1, EMERALD), None])
def test_g12_a_second_chance_takes_nothing_from_the_display(
    second: tuple[int, Gem] | None,
) -> None:
    ledger = score_second_chance(START_LEDGER, second)
    assert ledger.held[1] == (purse(emerald=1) if second else purse())
    assert ledger.display == purse(sapphire=8, amber=8)
    left = 8 if second else 9
    assert ledger.bag == purse(ruby=9, sapphire=10, emerald=left, amber=10)


def test_g12_the_rounds_gems_go_into_the_bag_after_the_draw() -> None:
    ledger = replace(START_LEDGER, bag=purse(ruby=1))
    with pytest.raises(Illegal) as refused:
        score_second_chance(ledger, (0, SAPPHIRE))
    assert refused.value.reason is UbongoReason.GEM_NOT_IN_BAG
    assert score_second_chance(ledger, (0, RUBY)).bag == purse(sapphire=1, amber=1)


def test_g14_the_booklets_example_is_16_points() -> None:
    assert points(purse(ruby=1, sapphire=1, emerald=3, amber=3)) == 16


def test_g15_tied_leaders_play_a_deciding_round() -> None:
    ledger = score_round(START_LEDGER, [(0, AMBER), (1, SAPPHIRE)])
    assert [points(gems) for gems in ledger.held] == [4, 4, 0]
    assert (leaders(ledger), tied_seats(ledger)) == ((0, 1), (0, 1))
    ledger = score_second_chance(ledger, (1, AMBER))
    assert (leaders(ledger), tied_seats(ledger)) == ((1,), ())


def test_seat_cannot_solve_twice_in_a_round() -> None:
    with pytest.raises(Illegal) as refused:
        score_round(START_LEDGER, [(0, RUBY), (1, RUBY), (0, RUBY)])
    assert refused.value.reason is UbongoReason.SEAT_TWICE
    assert refused.value.detail == {"seat": 0}


def test_gem_that_is_not_in_the_bag_cannot_be_drawn() -> None:
    ledger = START_LEDGER
    for _ in range(9):
        ledger = score_second_chance(ledger, (0, RUBY))
    assert ledger.bag[RUBY] == 0
    with pytest.raises(Illegal) as refused:
        score_second_chance(ledger, (0, RUBY))
    assert refused.value.reason is UbongoReason.GEM_NOT_IN_BAG
    assert refused.value.detail == {"gem": RUBY}
