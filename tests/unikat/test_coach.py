"""The coach: best turns, corners, and a match turn by turn, from what a seat could know."""

import pytest
from msgspec.structs import replace

from pytlik.arena import play
from pytlik.game import Opening, replay
from pytlik.unikat import coach, rules
from pytlik.unikat.bots import Rated
from pytlik.unikat.coach import (
    CoachedTurn,
    Corner,
    analyse,
    best_turns,
    find_corners,
    find_worst_misses,
)
from pytlik.unikat.engine.longest_turn import longest_turn
from pytlik.unikat.messages import Action, Decline, Event, Lay, RoundEnded, Swap, TurnEnded
from pytlik.unikat.model import Cell, Options, Phase, Placement, State, Tile
from pytlik.unikat.view import View, view
from tests.unikat.brute_force import most_tiles_in_a_turn
from tests.unikat.drawn_tables import (
    CHANCE,
    DrawnTable,
    make_lay,
    make_swap,
    table_from_drawing,
    view_of_mover,
)
from tests.unikat.simple_players import choose_any_action, play_match
from tests.unikat.test_longest_turn import DENSE_HAND

# ----------------------------------------------------------------------------------- one position


def test_best_turns_lay_different_tiles() -> None:
    table = table_from_drawing(
        """
        0000 0001
        0010 .
        """,
        hands=["0011 2001 2002", "2222"],
    )
    best, *others = best_turns(view_of_mover(table), 3)
    assert best.exact
    assert coach.chains_of(best)[0] == make_lay("0011 1 1").tiles
    assert best.tiles == most_tiles_in_a_turn(table.state) == 3
    assert len(others) == 2
    laid = [coach.laid_tiles(turn) for turn in (best, *others)]
    assert len(set(laid)) == 3


def test_no_best_turn_if_nothing_can_be_laid() -> None:
    assert best_turns(view_of_mover(table_from_drawing("0000", hands=["2222", "2221"]))) == ()


def test_only_one_tile_fits_a_corner() -> None:
    """Two tiles fit beside 0001 and 0010, and one of them, 0000, is already on the board."""
    table = table_from_drawing(
        """
        0000 0001
        0010 .
        """,
        hands=["0011", "2222"],
    )
    assert find_corners(view_of_mover(table)) == (
        Corner(cell=Cell(1, 1), tile=Tile("0011"), where="hand", seat=None),
    )


@pytest.mark.parametrize(
    ("where", "fields"),
    [
        ("hand", {"hands": ["0011", "2222"]}),
        ("display", {"display": "0011"}),
        ("known", {"hands": ["2222", "0011"], "known": ["", "0011"]}),
        ("unseen", {"hands": ["2222", "0011"]}),
        ("unseen", {"bag": "0011"}),
    ],
)
def test_corner_says_where_its_tile_is(where: str, fields: dict[str, object]) -> None:
    table = table_from_drawing("0000 0001\n0010 .", **fields)  # type: ignore[arg-type]
    (corner,) = find_corners(view_of_mover(table))
    assert (corner.tile, corner.where) == ("0011", where)
    assert corner.seat == (1 if where == "known" else None)


def test_corner_is_dead_if_its_tile_is_on_the_board() -> None:
    table = table_from_drawing(
        """
        0000 0001 0021 0011
        0010 .    .    .
        """
    )
    dead = {corner.cell: corner for corner in find_corners(view_of_mover(table))}
    assert dead[Cell(1, 1)] == Corner(cell=Cell(1, 1), tile=Tile("0011"), where="table")


def test_gap_is_a_corner_only_if_a_tile_fits() -> None:
    """Only 0000 fits between 0001 and 0002, with or without a third neighbour."""
    table = table_from_drawing(
        """
        0001 .    0002
        0101 0100 0102
        """
    )
    (corner,) = [
        corner for corner in find_corners(view_of_mover(table)) if corner.cell == Cell(1, 0)
    ]
    assert corner.tile == "0000"
    # 1000 and 2111 differ in all features.
    none = table_from_drawing(
        """
        1000 .    2111
        1010 1011 2011
        """
    )
    assert Cell(1, 0) not in {corner.cell for corner in find_corners(view_of_mover(none))}


def test_corners_do_not_depend_on_hidden_tiles() -> None:
    one = table_from_drawing("0000 0001\n0010 .", hands=["2222", "0011"], bag="2210 2212")
    other = table_from_drawing("0000 0001\n0010 .", hands=["2222", "2212"], bag="2210 0011")
    assert find_corners(view_of_mover(one)) == find_corners(view_of_mover(other))


# ---------------------------------------------------------------------------------- a whole match


def coach_actions(table: DrawnTable, *actions: Lay | Swap) -> CoachedTurn:
    state, turn = table.state, list[coach.DoneAction]()
    for seq, action in enumerate(actions, 1):
        turn.append(coach.DoneAction(seq, state, state.to_move, action))
        events = rules.decide(state, state.to_move, action, CHANCE, 0)
        state = replay(rules.apply, events, state)
    return coach.analyse_turn(turn, judge=True)


def test_coached_turn_compares_laid_with_best() -> None:
    table = table_from_drawing("0000 0001\n0010 .", hands=["0011 2001 2002 2222", "2221"])
    turn = coach_actions(table, make_lay("0011 1 1"), make_lay("2001 2 0"))
    assert turn.laid == (make_lay("0011 1 1").tiles, make_lay("2001 2 0").tiles)
    assert sum(map(len, turn.best)) == 3
    assert (turn.swing, turn.exact) == (1, True)
    assert turn.lost > 0
    assert turn.best not in turn.others
    assert [decision.seq for decision in turn.decisions] == [1, 2]
    assert len(turn.corners) == 1


@pytest.fixture
def rate_by_tiles_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the bots' estimate by the number of tiles that an action lays."""

    def rate(_: View, action: Action) -> Rated:
        return action, (len(action.tiles) if isinstance(action, Lay) else 0) / 10

    def find_alternatives(view: View, action: Action, _: int) -> list[Rated]:
        longest = Lay(longest_turn(view).first) if view.choices.lay else Decline()
        return [rate(view, longest)] if longest != action else []

    monkeypatch.setattr(coach, "rate", rate)
    monkeypatch.setattr(coach, "alternatives", find_alternatives)


@pytest.mark.usefixtures("rate_by_tiles_laid")
def test_longest_turn_misses_nothing() -> None:
    table = table_from_drawing("0000 0001\n0010 .", hands=["0011 2001 2222", "2221"])
    turn = coach_actions(table, make_lay("0011 1 1"), make_lay("2001 2 0"))
    assert turn.best == turn.laid
    assert (turn.swing, turn.lost) == (0, 0)


@pytest.mark.usefixtures("rate_by_tiles_laid")
def test_a_swap_instead_of_a_lay_is_a_miss() -> None:
    table = table_from_drawing("0000 0001", hands=["0002 2222", "2221"])
    turn = coach_actions(table, Swap(Tile("2222"), "bag"))
    assert turn.laid == ()
    assert turn.swing == 1
    (decision,) = turn.decisions
    assert decision.better
    assert isinstance(decision.better.action, Lay)


@pytest.mark.usefixtures("rate_by_tiles_laid")
def test_loss_of_a_turn_is_the_sum_of_its_decisions() -> None:
    table = table_from_drawing("0000 0001\n0010 .", hands=["0011 2001 0012 2222", "2221"])
    turn = coach_actions(table, make_lay("0011 1 1"), Swap(Tile("2222"), "bag"))
    losses = [coach.chance_lost(decision) for decision in turn.decisions]
    assert losses == pytest.approx([0.1, 0.1])
    assert turn.lost == pytest.approx(0.2)


@pytest.mark.usefixtures("rate_by_tiles_laid")
def test_equally_good_action_is_not_called_better() -> None:
    table = table_from_drawing("0000", hands=["0001 2222", "2221"])
    longest = longest_turn(view_of_mover(table)).first
    (equal, *_) = [
        Lay((Placement(Tile("0001"), *cell),))
        for cell in Cell(0, 0).neighbours()
        if cell != longest[0].cell
    ]
    (decision,) = coach_actions(table, equal).decisions
    assert decision.better is None


def test_incomplete_search_is_marked_as_inexact(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_from_drawing("2222", hands=[DENSE_HAND, "0000"], display="0001", bag="0002")
    swap = make_swap("2220", "0001")
    assert coach_actions(table, swap).exact
    monkeypatch.setattr(coach, "longest_turn", lambda view, _: longest_turn(view, 3))
    assert not coach_actions(table, swap).exact


@pytest.fixture(scope="module")
def match_events() -> list[Event]:
    played = play_match(3, Options(rounds=2, blocked=(1, 3)), CHANCE, choose_any_action)
    return [event for _, _, events, _ in played for event in events]


def test_every_turn_of_a_match_is_analysed(match_events: list[Event]) -> None:
    turns = analyse(match_events, judge=False)
    ends = [event for event in match_events if type(event).__name__ == "TurnEnded"]
    rounds = [event for event in match_events if type(event).__name__ == "RoundEnded"]
    assert len(ends) <= len(turns) <= len(ends) + len(rounds)
    assert {turn.round for turn in turns} == {1, 2}
    assert [turn.seq for turn in turns] == sorted({turn.seq for turn in turns})
    for turn in turns:
        assert getattr(match_events[turn.seq - 1], "seat", None) == turn.seat
        assert turn.exact
        assert turn.swing >= 0
        assert turn.decisions == ()


def test_turn_that_ends_a_round_is_included() -> None:
    played = play("unikat", ["hasty", "hasty"], "1", Options(rounds=2))
    events: list[Event] = played.match.events
    ends = [
        seq
        for seq, event in enumerate(events, 1)
        if isinstance(event, RoundEnded) and event.ended == "last tile"
    ]
    assert len(ends) == 2
    turns = list(coach.split_turns(events))
    assert len(turns) == sum(isinstance(event, TurnEnded) for event in events) + 2
    assert {turn[-1].seq + 1 for turn in turns} >= {*ends}


def test_analysis_in_parts_equals_the_whole(match_events: list[Event]) -> None:
    whole = analyse(match_events, judge=False)
    parts = [
        analyse(match_events, first, first + 7, judge=False) for first in range(0, len(whole), 7)
    ]
    assert sum(parts, ()) == whole
    assert analyse(match_events, len(whole), judge=False) == ()


def test_coach_knows_no_more_than_the_seat(match_events: list[Event]) -> None:
    """The coach says the same if other tiles are hidden from the seat."""
    turn = next(turn for turn in coach.split_turns(match_events) if isinstance(turn[0].action, Lay))
    done = turn[0]
    shuffled = done._replace(state=with_other_hidden_tiles(done.state, done.seat))
    assert shuffled.state != done.state
    assert view(shuffled.state, done.seat) == view(done.state, done.seat)
    assert coach.analyse_turn([shuffled], judge=True) == coach.analyse_turn([done], judge=True)


def with_other_hidden_tiles(state: State, seat: int) -> State:
    """Exchange an unknown tile of another hand for one in the bag."""
    other = (seat + 1) % state.players
    hand = state.hands[other]
    unknown = next(tile for tile in hand if tile not in state.known[other])
    taken = state.bag[-1]
    hands = tuple(
        tuple(taken if tile is unknown else tile for tile in each) if owner == other else each
        for owner, each in enumerate(state.hands)
    )
    return replace(state, hands=hands, bag=(*state.bag[:-1], unknown))


def make_coached_turn(seq: int, lost: float, swing: int, *, judged: bool = True) -> CoachedTurn:
    table = table_from_drawing("0000 0001", hands=["0002 2222", "2221"])
    turn = coach_actions(table, Swap(Tile("2222"), "bag"))
    decisions = turn.decisions if judged else ()
    return replace(turn, seq=seq, lost=lost, swing=swing, decisions=decisions)


def test_the_three_biggest_misses_come_first() -> None:
    turns = [
        make_coached_turn(1, 0.1, 2),
        make_coached_turn(2, 0.0, 7),  # held tiles back, but lost nothing
        make_coached_turn(3, 0.3, 1),
        make_coached_turn(4, 0.1, 5),
        make_coached_turn(5, 0.05, 1),
    ]
    assert find_worst_misses(turns) == (3, 4, 1)
    assert find_worst_misses([make_coached_turn(1, 0.0, 3, judged=False)]) == (1,)
    assert find_worst_misses([make_coached_turn(1, 0.0, 0)]) == ()


def test_analysis_includes_the_first_turn() -> None:
    opening = Opening(players=2, commitment="", shares=("", ""))
    events = rules.open_match(opening, Options(starter=0), CHANCE, 0)
    state = replay(rules.apply, events)
    give = state.hands[0][0]
    events += rules.decide(state, 0, Swap(give, "bag"), CHANCE, 0)
    assert state.phase is Phase.ACTION
    (turn,) = analyse(events)
    assert (turn.seq, turn.seat, turn.round) == (3, 0, 1)
