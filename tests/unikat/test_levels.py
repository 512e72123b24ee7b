"""The five levels: what each sees and misses, and how they evaluate."""

from itertools import pairwise

import pytest

from pytlik.arena import play
from pytlik.chance import Stream, from_text
from pytlik.game import Budget
from pytlik.score_sheet import Row
from pytlik.unikat.bots import BOTS, DEFAULT_BUDGET, LEVELS, Bot, alternatives, rate
from pytlik.unikat.bots.match_value import MatchValue
from pytlik.unikat.bots.weak_bots import chain_extensions
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import Decline, Draw, Lay, Swap
from pytlik.unikat.model import Options, Phase, State
from pytlik.unikat.view import View, view
from tests.unikat.drawn_tables import (
    DrawnTable,
    make_lay,
    make_swap,
    table_from_drawing,
    view_of_mover,
)
from tests.unikat.shared_positions import shared_states

FEW_SIMULATIONS = Budget(simulations=40)


def bot_stream(seed: object = "") -> Stream:
    return from_text(str(seed)).stream("bot")


# ---------------------------------------------------------------------------------- first steps


def test_first_steps_lays_one_or_two_tiles_and_swaps_oddly() -> None:
    table = table_from_drawing(
        "0000", hands=["0001 0011 0111 1111", "2222"], display="2220 2202", bag="2022"
    )
    done = [
        LEVELS["first-steps"](view_of_mover(table), bot_stream(seed), DEFAULT_BUDGET)
        for seed in range(300)
    ]
    lengths = [len(action.tiles) for action in done if isinstance(action, Lay)]
    assert set(lengths) == {1, 2}, "never the whole hand, which a chain could lay"
    assert lengths.count(1) > lengths.count(2)
    swaps = {action for action in done if isinstance(action, Swap)}
    assert {action.give for action in swaps} == set(table.state.hand), "even what fits"
    assert set(done) <= set(legal(table.state))


def test_first_steps_forgets_the_double_turn() -> None:
    table = table_from_drawing("0000", hands=["0001", "2222"], phase=Phase.BONUS, laid=True)
    assert LEVELS["first-steps"](view_of_mover(table), bot_stream(), DEFAULT_BUDGET) == Decline()


# ------------------------------------------------------------------------------- easy and medium


def test_easy_extends_its_chain_while_something_fits() -> None:
    table = table_from_drawing("0000", hands=["0001 0002 0011 0111 2222", "2221"])
    for seed in range(40):
        action = LEVELS["easy"](view_of_mover(table), bot_stream(seed), DEFAULT_BUDGET)
        assert isinstance(action, Lay)
        assert not chain_extensions(view_of_mover(table), action.tiles)


@pytest.mark.parametrize("bag", ["", "2022"], ids=["empty bag", "tiles in the bag"])
def test_easy_draws_a_tile_that_fits_on_the_board(bag: str) -> None:
    table = table_from_drawing(
        "0000", hands=["1111", "2222"], phase=Phase.DRAW, display="2221 0001 1112", bag=bag
    )
    for seed in range(20):
        drawn = LEVELS["easy"](view_of_mover(table), bot_stream(seed), DEFAULT_BUDGET)
        assert drawn == Draw("0001")


def test_easy_draws_from_the_bag_if_no_tile_of_the_display_fits() -> None:
    table = table_from_drawing(
        "0000", hands=["1111", "2222"], phase=Phase.DRAW, display="2221 1112", bag="2022"
    )
    for seed in range(20):
        drawn = LEVELS["easy"](view_of_mover(table), bot_stream(seed), DEFAULT_BUDGET)
        assert drawn == Draw("bag")


def test_medium_lays_the_most_tiles_and_keeps_few_chains() -> None:
    table = table_from_drawing("0000", hands=["0001 1000 1001 1011 2222", "2221"], bag="2210 2212")
    action = LEVELS["medium"](view_of_mover(table), bot_stream(), DEFAULT_BUDGET)
    assert isinstance(action, Lay)
    assert len(action.tiles) == 3
    table = table_from_drawing(
        "0000", hands=["1111 1112 2021", "2222"], phase=Phase.DRAW, display="1122 2000"
    )
    assert LEVELS["medium"](view_of_mover(table), bot_stream(), DEFAULT_BUDGET) == Draw("1122")


# ------------------------------------------------------------------------------- hard and master


@pytest.mark.parametrize("level", ["medium", "hard", "master"])
def test_whole_hand_is_laid_if_possible(level: str) -> None:
    table = table_from_drawing("0000", hands=["0001 0011 0111 1111", "2222 2221"], bag="2210 2212")
    action = LEVELS[level](view_of_mover(table), bot_stream(), FEW_SIMULATIONS)
    assert isinstance(action, Lay)
    assert len(action.tiles) == 4


@pytest.mark.parametrize("level", ["hard", "master"])
def test_whole_hand_is_laid_in_a_double_turn_if_possible(level: str) -> None:
    table = table_from_drawing(
        """
        0000 0001
        0010 .
        """,
        hands=["0011 2001 2101", "2222 2221"],
        bag="2210 2212",
    )
    for _ in range(2):
        table = table.do(LEVELS[level](view_of_mover(table), bot_stream(), FEW_SIMULATIONS))
    assert table.state.winners == (0,)


@pytest.mark.parametrize("bot", [LEVELS["hard"], BOTS["cover"]], ids=["hard", "cover"])
def test_holding_a_chain_back_swaps_the_odd_tile(bot: Bot) -> None:
    """Nine tiles form one chain. The tenth doesn't belong to it, and a tile in the display
    continues it."""
    chain = "0001 0002 0012 0011 0010 0020 0021 0022 0122"
    table = table_from_drawing(
        "0000",
        hands=[f"{chain} 2211", "1111 1112 2222 2221 2220 1220 1221 1222 2112 2111"],
        display="0121 2200 2020",
        bag="2000 2001 2002 1000 1001 1002 2010 2011",
    )
    assert bot(view_of_mover(table), bot_stream(), DEFAULT_BUDGET) == make_swap("2211", "0121")


def test_master_accepts_a_budget_in_seconds() -> None:
    """It stops and returns a legal action."""
    state = next(state for state in shared_states() if len(state.hand) > 5)
    known = view(state, state.to_move)
    assert LEVELS["master"](known, bot_stream(), Budget(seconds=0.05)) in {*legal(state)}


def test_hidden_tiles_change_no_decision() -> None:
    """Two rounds that look the same to a seat."""
    table = table_from_drawing(
        "0000", hands=["0001 0101 1222", "2222 2221"], display="1200", bag="2211 2212"
    )
    other = table_from_drawing(
        "0000", hands=["0001 0101 1222", "2211 2212"], display="1200", bag="2222 2221"
    )
    for bot in LEVELS.values():
        assert bot(view_of_mover(table), bot_stream(), FEW_SIMULATIONS) == bot(
            view_of_mover(other), bot_stream(), FEW_SIMULATIONS
        )


OTHER_NEARLY_OUT = table_from_drawing(
    "0000",
    hands=["1222 0200 1212 2200 1001 0010", "1202 0020"],
    display="0021 2001 0201",
    bag="0100 0112 0222 0120",
)
"""The other has two tiles left, one of which fits."""


def view_in_last_round(table: DrawnTable, mine: int, other: int) -> View:
    """What the seat to move sees with these minus points from the round before."""
    options = Options(starter=0, rounds=2)
    row = Row(points=(mine, other), winners=(0,))
    return view_of_mover(table.with_changes(options=options, round=2, sheet=(row,)))


def test_leader_gets_rid_of_tiles_in_the_last_round() -> None:
    """A lead of five points survives four tiles, but not six. If only this round counted, a swap
    would keep a better chance of going out first (U17)."""
    assert isinstance(
        LEVELS["hard"](view_of_mover(OTHER_NEARLY_OUT), bot_stream(), DEFAULT_BUDGET), Swap
    )
    action = LEVELS["hard"](
        view_in_last_round(OTHER_NEARLY_OUT, 0, 5), bot_stream(), DEFAULT_BUDGET
    )
    assert isinstance(action, Lay)
    assert len(action.tiles) == 2


def test_trailing_seat_tries_to_go_out_first() -> None:
    """When it's behind, getting rid of some tiles doesn't help."""
    alone = LEVELS["hard"](view_of_mover(OTHER_NEARLY_OUT), bot_stream(), DEFAULT_BUDGET)
    assert (
        LEVELS["hard"](view_in_last_round(OTHER_NEARLY_OUT, 1, 0), bot_stream(), DEFAULT_BUDGET)
        == alone
    )


def test_the_master_plays_a_lost_round_for_points() -> None:
    """The other player lays 0001 next, whatever happens, and a lead of four makes up for only
    four tiles."""
    table = table_from_drawing(
        "0000",
        hands=["0010 0020 1222 2111 1212", "0001"],
        known=["", "0001"],
        display="2112 1221",
        bag="2201 2210",
    )
    action = LEVELS["master"](view_in_last_round(table, 0, 4), bot_stream(), FEW_SIMULATIONS)
    assert isinstance(action, Lay)
    assert len(action.tiles) == 2


def test_single_round_is_won_or_lost() -> None:
    match_value = MatchValue(view_of_mover(OTHER_NEARLY_OUT))
    assert match_value.of_win_chance(0.3, 7) == 0.3
    assert [match_value.of_round_end(winners, [2, 2]) for winners in (0b01, 0b10, 0b11)] == [
        1,
        0,
        0.5,
    ]


@pytest.mark.parametrize("rounds", [2, 5])
def test_tiles_left_count_in_a_longer_match(rounds: int) -> None:
    match_value = MatchValue(
        view_of_mover(OTHER_NEARLY_OUT.with_changes(options=Options(rounds=rounds)))
    )
    assert match_value.of_round_end(0b10, [3, 0]) + match_value.of_round_end(
        0b01, [0, 3]
    ) == pytest.approx(1)
    assert match_value.of_round_end(0b01, [0, 9]) > match_value.of_round_end(0b01, [0, 3]) > 0.5
    worths = [match_value.of_win_chance(0.3, left) for left in range(10)]
    assert worths == sorted(worths, reverse=True)
    assert match_value.of_win_chance(0.6, 5) > match_value.of_win_chance(0.3, 5)


def test_match_value_depends_on_the_best_opponent() -> None:
    table = table_from_drawing(
        "0000", hands=["2222", "2221", "2220"], options=Options(rounds=2, starter=0)
    )
    match_value = MatchValue(view_of_mover(table))
    behind_one_opponent = match_value.of_round_end(0b010, [3, 0, 9])
    assert behind_one_opponent == match_value.of_round_end(0b110, [3, 0, 0]) < 0.5
    assert match_value.of_round_end(0b001, [0, 3, 9]) > 0.5


# ------------------------------------------------------------------------------------- a league


@pytest.mark.parametrize(("stronger", "weaker"), [("hard", "longest"), ("easy", "first-steps")])
def test_a_short_league(stronger: str, weaker: str) -> None:
    """It's deterministic, so it can't fail by chance."""
    won = 0.0
    for deal in range(12):
        for lineup in ([stronger, weaker], [weaker, stronger]):
            winners = play(
                "unikat", lineup, f"league {deal}", None, FEW_SIMULATIONS
            ).outcome.winners
            won += (lineup.index(stronger) in winners) / len(winners)
    assert won >= MIN_WINS[stronger]


MIN_WINS = {"hard": 17, "easy": 20}


# ----------------------------------------------------------------------------------------- ratings


def test_only_laying_the_last_tile_is_a_certain_win() -> None:
    known = view_of_mover(table_from_drawing("0000", hands=["0001 0002", "2222 2221", "1222 1221"]))
    assert rate(known, make_lay("0001 1 0", "0002 2 0"))[1] == 1
    assert 0 < rate(known, make_lay("0001 1 0"))[1] < 1
    assert 0 < rate(known, make_swap("0001", "bag"))[1] < 1


def test_one_chain_is_better_than_single_tiles() -> None:
    def chance(hand: str) -> float:
        known = view_of_mover(
            table_from_drawing("0000", hands=[hand, "2222 2221"], display="1200 2100", bag="2211")
        )
        return rate(known, make_swap(hand[-4:], "1200"))[1]

    assert chance("0001 0011 0111 2212") > chance("0001 2011 0122 2212")


@pytest.mark.parametrize("state", shared_states())
def test_alternatives_are_other_legal_actions_best_first(state: State) -> None:
    known = view(state, state.to_move)
    action, value = rate(known, LEVELS["hard"](known, bot_stream(), DEFAULT_BUDGET))
    others = alternatives(known, action, 5)
    assert len(others) <= 5
    assert {action, *(other for other, _ in others)} <= set(legal(state))
    assert action not in [other for other, _ in others]
    values = [value for _, value in others]
    assert all(one >= next_one for one, next_one in pairwise(values))
    assert all(0 <= value <= 1 for value in [value, *values])
    lays = [other.tiles for other, _ in others if isinstance(other, Lay)]
    assert len(lays) == len({frozenset(placed.tile for placed in chain) for chain in lays})
