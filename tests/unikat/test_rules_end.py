"""U15 to U17: the end of a round and of a match."""

import pytest
from msgspec.structs import replace

from pytlik.game import Outcome, Ready, Reason
from pytlik.score_sheet import Row
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import Draw, MatchEnded, RoundEnded, SeatReady
from pytlik.unikat.model import Options, Phase
from pytlik.unikat.rounds import outcome
from pytlik.unikat.rules import awaited
from tests.unikat.drawn_tables import (
    PASS,
    PLAIN_OPTIONS,
    DrawnTable,
    make_lay,
    make_swap,
    parse_tiles,
    table_from_drawing,
)

TWO_ROUNDS = Options(rounds=2, starter=0)

# ---------------------------------------------------------------------------- the last tile


def test_u15_laying_the_last_tile_wins_at_once() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222 2221"])
    after = table.do(table.lay)
    assert after.event_kinds == ["ChainLaid", "RoundEnded", "MatchEnded"]
    assert after.events[1] == RoundEnded(
        at=0, winners=(0,), ended="last tile", hands=((), parse_tiles("2222 2221"))
    )
    assert (after.state.winners, after.state.ended) == ((0,), "last tile")
    assert list(legal(after.state)) == []


def test_u15_no_draw_after_the_last_tile() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222"])
    after = table.do(table.lay)
    assert (after.hand(0), after.display, after.bag) == ("", table.display, table.bag)
    assert after.refusal(Draw("bag")).reason is Reason.WRONG_PHASE


def test_u15_last_tile_earns_no_double_turn() -> None:
    table = table_from_drawing(
        """
        0000   0001
        0100   0101a
        """,
        hands=["", "2222"],
    )
    assert table.do(table.lay).event_kinds == ["ChainLaid", "RoundEnded", "MatchEnded"]


def test_u15_last_tile_in_a_double_turn_wins() -> None:
    table = table_from_drawing(
        """
        0000   0001
        0100   0101a
        """,
        hands=["0102", "2222"],
    )
    after = table.do(table.lay, make_lay("0102 2 1"))
    assert after.event_kinds == ["ChainLaid", "RoundEnded", "MatchEnded"]
    assert after.state.winners == (0,)


def test_u15_any_seat_may_win() -> None:
    table = table_from_drawing("0000 0001a", hands=["2222", "2221", ""], to_move=2)
    assert table.do(table.lay).state.winners == (2,)


def test_u15_swapping_the_last_tile_ends_nothing() -> None:
    after = table_from_drawing("0000").do(make_swap("2222", "bag"))
    assert after.event_kinds == ["TileSwapped", "DrawOwed"]


# ---------------------------------------------------------------------------------- blocked


def scene_after_quiet_turn(
    turns: int, *, bag: str, options: Options = PLAIN_OPTIONS, players: int = 2
) -> DrawnTable:
    """A table after a turn without a lay that follows `turns` others without one."""
    hands = ["2222 2221 2220 2212 1222 1221 1220 1212 1211 1210", "1122", "1121", "1120"]
    table = table_from_drawing(
        "0000", hands=hands[:players], display="1111", bag=bag, quiet_turns=turns, options=options
    )
    return table.do(make_swap("2222", "1111"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_u16_blocked_after_two_quiet_turns_each_with_an_empty_bag(players: int) -> None:
    before = scene_after_quiet_turn(2 * players - 2, bag="", players=players)
    assert before.event_kinds == ["TileSwapped", "TurnEnded"]
    blocked = scene_after_quiet_turn(2 * players - 1, bag="", players=players)
    assert blocked.event_kinds == ["TileSwapped", "TurnEnded", "RoundEnded", "MatchEnded"]
    assert (blocked.state.ended, blocked.state.phase) == ("blocked", Phase.OVER)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_u16_blocked_after_twenty_quiet_turns_each_with_any_bag(players: int) -> None:
    assert scene_after_quiet_turn(2 * players, bag="2201", players=players).state.ended is None
    assert scene_after_quiet_turn(20 * players - 2, bag="2201", players=players).state.ended is None
    assert (
        scene_after_quiet_turn(20 * players - 1, bag="2201", players=players).state.ended
        == "blocked"
    )


def test_u16_the_bag_counts_as_it_is_now() -> None:
    """With two players, the last tile leaves the bag in the fifth quiet turn."""
    table = table_from_drawing(
        "0000", hands=["2222", "2221"], display="2211", bag="2201", quiet_turns=4
    )
    swapped = table.do(make_swap("2222", "2211"))
    assert swapped.do(Draw("2222")).state.ended == "blocked"  # fills the display from the bag
    assert swapped.do(Draw("bag")).state.ended == "blocked"
    table = table.with_changes(bag=parse_tiles("2201 2202"))
    assert table.do(make_swap("2222", "2211"), Draw("bag")).state.ended is None


def test_u16_passes_count() -> None:
    table = table_from_drawing("0000", display="", bag="")
    after = table.do(PASS, PASS, PASS)
    assert (after.state.quiet_turns, after.state.ended) == (3, None)
    assert after.do(PASS).state.ended == "blocked"


def test_u16_a_lay_resets_the_count() -> None:
    table = table_from_drawing("0000 0001a", quiet_turns=30)
    after = table.do(table.lay, Draw("bag"))
    assert after.state.quiet_turns == 0
    assert after.do(make_swap("2221", "bag"), Draw("bag")).state.quiet_turns == 1


def test_u16_a_lay_resets_the_count_if_a_swap_follows() -> None:
    table = table_from_drawing("0000 0001a 0002", quiet_turns=30)
    after = table.do(table.lay, make_swap("2222", "2211"), Draw("bag"))
    assert after.state.quiet_turns == 0


def test_u16_both_limits_are_options() -> None:
    options = Options(blocked=(3, 5))
    assert scene_after_quiet_turn(4, bag="", options=options).state.ended is None
    assert scene_after_quiet_turn(5, bag="", options=options).state.ended == "blocked"
    assert scene_after_quiet_turn(8, bag="2201", options=options).state.ended is None
    assert scene_after_quiet_turn(9, bag="2201", options=options).state.ended == "blocked"


def test_u16_limit_for_any_bag_also_holds_for_an_empty_one() -> None:
    options = Options(blocked=(5, 3))
    assert scene_after_quiet_turn(4, bag="", options=options).state.ended is None
    assert scene_after_quiet_turn(5, bag="", options=options).state.ended == "blocked"


def test_u16_fewest_tiles_win() -> None:
    table = table_from_drawing(
        "0000", hands=["2222 2221", "2220", "2212 1222"], display="", bag="", quiet_turns=5
    )
    after = table.do(PASS)
    assert after.state.winners == (1,)
    assert after.state.sheet == (Row(points=(2, 1, 2), winners=(1,)),)


def test_u16_ties_share_the_victory() -> None:
    table = table_from_drawing(
        "0000", hands=["2222", "2220 2221", "2212"], display="", bag="", quiet_turns=5
    )
    assert table.do(PASS).state.winners == (0, 2)


# --------------------------------------------------------------------------- several rounds


def make_score_sheet(*rows: tuple[int, ...]) -> tuple[Row, ...]:
    """A score sheet of rounds, each won by the seats with no tiles left."""
    return tuple(
        Row(points=row, winners=tuple(s for s, left in enumerate(row) if not left)) for row in rows
    )


def test_u17_a_minus_point_for_each_tile_left_in_the_hand() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222 2221", "2220"], options=TWO_ROUNDS)
    after = table.do(table.lay)
    assert after.state.sheet == (Row(points=(0, 2, 1), winners=(0,)),)
    assert after.event_kinds == ["ChainLaid", "RoundEnded"]
    assert outcome(after.state) is None


def test_u17_fewest_minus_points_after_the_last_round_win() -> None:
    """Seat 0 wins the last round, but seat 1 wins the match."""
    table = table_from_drawing(
        "0000 0001a", hands=["", "2222 2221", "2220"], options=Options(rounds=3)
    )
    after = table.with_changes(sheet=make_score_sheet((9, 0, 8), (3, 5, 0))).do(table.lay)
    assert after.events[-1] == MatchEnded(at=0, winners=(1,), points=(12, 7, 9))
    assert outcome(after.state) == Outcome(winners=(1,), points=(12, 7, 9))
    assert after.state.finished


def test_u17_ties_share_the_victory() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222 2221", "2220"], options=TWO_ROUNDS)
    after = table.with_changes(sheet=make_score_sheet((3, 0, 2))).do(table.lay)
    assert after.events[-1] == MatchEnded(at=0, winners=(1,), points=(3, 2, 3))
    after = table.with_changes(sheet=make_score_sheet((2, 0, 1))).do(table.lay)
    assert after.events[-1] == MatchEnded(at=0, winners=(0, 1, 2), points=(2, 2, 2))


def test_u17_a_match_may_have_twenty_rounds() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222"], options=Options(rounds=20))
    eighteen = table.with_changes(sheet=make_score_sheet(*[(0, 1)] * 18)).do(table.lay)
    assert not eighteen.state.finished
    nineteen = table.with_changes(sheet=make_score_sheet(*[(0, 1)] * 19)).do(table.lay)
    assert nineteen.events[-1] == MatchEnded(at=0, winners=(0,), points=(0, 20))


def test_u17_the_next_round_begins_when_all_are_ready() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222 2221", "2220"], options=TWO_ROUNDS)
    over = table.do(table.lay)
    one = over.do(Ready(), seat=2)
    assert one.events == (SeatReady(at=0, seat=2),)
    again = one.do(Ready(), seat=2)
    assert (again.events, again.state) == ((), one.state)
    two = again.do(Ready(), seat=0)
    assert (two.event_kinds, two.state.phase) == (["SeatReady"], Phase.OVER)
    three = two.do(Ready(), seat=1)
    assert three.event_kinds == ["SeatReady", "RoundDealt"]
    assert (three.state.round, three.state.phase) == (2, Phase.ACTION)
    assert three.state.sheet == over.state.sheet


def test_u17_no_round_follows_the_last() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222"])
    after = table.do(table.lay)
    assert after.refusal(Ready(), seat=1).reason is Reason.WRONG_PHASE


def test_awaited_seats_are_the_mover_or_those_not_ready() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222 2221"], options=TWO_ROUNDS)
    assert awaited(table.state) == (0,)
    over = table.do(table.lay).state
    assert awaited(over) == (0, 1)
    assert awaited(replace(over, ready=frozenset({0}))) == (1,)
    assert awaited(replace(over, options=PLAIN_OPTIONS)) == ()
