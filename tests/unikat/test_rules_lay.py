"""U5 to U9: a turn, passing, and how tiles are laid."""

import pytest

from pytlik.game import Cause, Reason
from pytlik.unikat.legal import extensions, fitting_tiles, legal
from pytlik.unikat.messages import ChainLaid, Draw, DrawOwed, Lay, TurnEnded, TurnPassed
from pytlik.unikat.model import Cell, Phase, Placement, Tile
from pytlik.unikat.reasons import UnikatReason
from pytlik.unikat.rules import cause
from tests.unikat.drawn_tables import (
    DECLINE,
    PASS,
    draw_board,
    make_lay,
    make_swap,
    parse_tiles,
    table_from_drawing,
)

# ------------------------------------------------------------------------------------- a turn


def test_u05_one_action_then_a_draw_then_the_next_player() -> None:
    table = table_from_drawing("0000 0001a", hands=["2222", "2221", "2220"])
    laid = table.do(table.lay)
    assert laid.events == (ChainLaid(at=0, seat=0, tiles=table.lay.tiles), DrawOwed(at=0, seat=0))
    assert (laid.state.to_move, laid.state.phase) == (0, Phase.DRAW)
    assert laid.refusal(make_swap("2222", "bag")).reason is Reason.WRONG_PHASE
    drawn = laid.do(Draw("bag"))
    assert drawn.events[-1] == TurnEnded(at=0, seat=0, next=1)
    assert (drawn.state.to_move, drawn.state.phase) == (1, Phase.ACTION)


@pytest.mark.parametrize(("seat", "following"), [(0, 1), (1, 2), (2, 0)])
def test_u05_play_goes_clockwise(seat: int, following: int) -> None:
    full = "2222 2221 2220 2212 1222 1221 1220 1212 1211 1210"
    hands = ["1122", "1121", "1120"]
    hands[seat] = full
    after = table_from_drawing("0000", hands=hands, to_move=seat).do(make_swap("2222", "bag"))
    assert after.state.to_move == following


def test_u05_player_may_lay_or_swap() -> None:
    table = table_from_drawing("0000 0001a")
    kinds = {type(action).__name__ for action in legal(table.state)}
    assert kinds == {"Lay", "Swap"}


# ------------------------------------------------------------------------------------ passing


def test_u06_cannot_pass_if_able_to_lay() -> None:
    table = table_from_drawing("0000 0001a", display="", bag="")
    assert table.refusal(PASS).reason is UnikatReason.MUST_ACT


@pytest.mark.parametrize(("display", "bag"), [("2211", ""), ("", "2211")])
def test_u06_cannot_pass_if_able_to_swap(display: str, bag: str) -> None:
    table = table_from_drawing("0000", display=display, bag=bag)
    assert table.refusal(PASS).reason is UnikatReason.MUST_ACT
    assert PASS not in legal(table.state)


def test_u06_must_pass_if_neither_is_possible() -> None:
    table = table_from_drawing("0000", display="", bag="")
    assert list(legal(table.state)) == [PASS]
    after = table.do(PASS)
    assert after.events == (TurnPassed(at=0, seat=0), TurnEnded(at=0, seat=0, next=1))
    assert [cause(event) for event in after.events] == [Cause(0, PASS), None]
    assert (after.state.to_move, after.hand(0)) == (1, "2222")


def test_u06_cannot_pass_an_extra_action_or_a_draw() -> None:
    for phase in (Phase.BONUS, Phase.DRAW):
        table = table_from_drawing("0000", phase=phase)
        assert table.refusal(PASS).reason is Reason.WRONG_PHASE


# ------------------------------------------------------------------------------------- laying


def test_u07_any_number_of_tiles_may_be_laid() -> None:
    table = table_from_drawing("""
        0000   0001a  0002b
        .      .      0102c
        .      .      0112d
    """)
    after = table.do(table.lay)
    assert after.board == draw_board("""
        0000   0001   0002
        .      .      0102
        .      .      0112
    """)
    assert after.hand(0) == "2222"


def test_u07_whole_hand_may_be_laid() -> None:
    table = table_from_drawing(
        "0000 0001a 0002b 0012c 0010d 0020e 0120f 0110g 0112h 0212i 1212j", hands=["", "2222"]
    )
    assert len(table.lay.tiles) == 10
    assert table.do(table.lay).hand(0) == ""


def test_u07_laying_no_tiles_is_illegal() -> None:
    assert table_from_drawing("0000").refusal(Lay(())).reason is UnikatReason.NO_TILES


def test_u07_next_to_means_sharing_an_edge() -> None:
    table = table_from_drawing("""
        .      0001a
        0000   .
    """)
    assert table.refusal(table.lay).reason is UnikatReason.TOUCHES_NOTHING


@pytest.mark.parametrize("place", ["1 0", "0 1", "2 1", "1 2"])
def test_u07_any_of_the_four_edges_counts(place: str) -> None:
    table = table_from_drawing(
        """
        .      .      .
        .      0000   .
        .      .      .
    """,
        hands=["0001 2222", "2221"],
    )
    assert table.do(make_lay(f"0001 {place}")).event_kinds[0] == "ChainLaid"


@pytest.mark.parametrize("edge", [Cell(-5000, 0), Cell(0, -5000), Cell(5000, 5000)])
def test_u07_the_table_has_no_border(edge: Cell) -> None:
    table = table_from_drawing("0000", hands=["0001 2222", "2221"])
    far = type(table.state.board)([Placement(Tile("0000"), *edge)])
    for cell in edge.neighbours():
        after = table.with_changes(board=far).do(Lay((Placement(Tile("0001"), *cell),)))
        assert after.state.board[cell] == Tile("0001")


def test_u07_cannot_lay_on_another_tile() -> None:
    table = table_from_drawing("0000 0001", hands=["0002 0102 2222", "2221"])
    assert table.refusal(make_lay("0002 1 0")).reason is Reason.OCCUPIED
    assert table.refusal(make_lay("0002 2 0", "0102 2 0")).reason is Reason.OCCUPIED


@pytest.mark.parametrize("fits", ["1000", "2000", "0100", "0200", "0010", "0020", "0001", "0002"])
def test_u08_tile_fits_if_exactly_one_feature_differs(fits: str) -> None:
    table = table_from_drawing(f"0000 {fits}a")
    assert table.do(table.lay).event_kinds[0] == "ChainLaid"


@pytest.mark.parametrize("unlike", ["1100", "0110", "0012", "2002", "1110", "0222", "1212"])
def test_u08_tile_does_not_fit_if_two_or_more_features_differ(unlike: str) -> None:
    table = table_from_drawing(f"0000 {unlike}a", hands=["2211", "2221"], display="")
    assert table.refusal(table.lay).reason is UnikatReason.UNLIKE_NEIGHBOUR


def test_u08_tile_must_fit_every_neighbour() -> None:
    table = table_from_drawing("""
        0000   0001a
        .      0022
    """)
    refusal = table.refusal(table.lay)
    assert refusal.reason is UnikatReason.UNLIKE_NEIGHBOUR
    assert refusal.detail["neighbour"] == Tile("0022")
    table = table_from_drawing("""
        0000   0001a
        .      0021
    """)
    assert table.do(table.lay).event_kinds[0] == "ChainLaid"


@pytest.mark.parametrize("unlike", range(4))
def test_u08_neighbours_on_all_four_sides_count(unlike: int) -> None:
    """0000 fits between these four, but not if any one of them is replaced."""
    around = ["0001", "0010", "0100", "1000"]
    drawing = """
        .      {0}    .
        {3}    0000a  {1}
        .      {2}    .
    """
    table = table_from_drawing(drawing.format(*around))
    assert table.do(table.lay).event_kinds[0] == "ChainLaid"
    around[unlike] = "1011"
    table = table_from_drawing(drawing.format(*around))
    assert table.refusal(table.lay).detail["neighbour"] == Tile("1011")


def test_u08_tiles_of_the_same_chain_count() -> None:
    table = table_from_drawing("""
        0000   0001a
        0100   0101b
    """)
    assert table.do(table.lay).event_kinds[0] == "ChainLaid"
    table = table_from_drawing("""
        0000   0001a
        0200   0101b
    """)
    assert table.refusal(table.lay).detail["neighbour"] == Tile("0200")


def test_u08_tile_must_touch_another() -> None:
    table = table_from_drawing("0000 . 0001a")
    assert table.refusal(table.lay).reason is UnikatReason.TOUCHES_NOTHING


def test_u08_fitting_tiles_of_a_cell() -> None:
    board = table_from_drawing("""
        0000   .
        .      0011
    """).state.board
    hand = frozenset(parse_tiles("0001 0010 0012 1000 2222"))
    assert fitting_tiles(board, Cell(1, 0), hand) == set(parse_tiles("0001 0010"))


def test_u09_a_chain_is_extended_next_to_its_last_tile() -> None:
    """The cell below 0001 also touches 1000, which neither tile may touch."""
    table = table_from_drawing("0000 0001 .\n1000 .    .", hands=["0002 0011 2222", "2221"])
    hand = frozenset(parse_tiles("0002 0011 2222"))
    assert extensions(table.state.board, Cell(1, 0), hand) == [
        Placement(Tile(tile), x, y) for x, y in [(1, -1), (2, 0)] for tile in ("0002", "0011")
    ]


def test_u09_the_first_tile_goes_next_to_any_tile() -> None:
    table = table_from_drawing("0000 0001 0002", hands=["0100 0102 2222", "2221"])
    places = {action.tiles[0] for action in legal(table.state) if isinstance(action, Lay)}
    assert places == {
        Placement(Tile(tile), x, y)
        for tile, x, y in [
            ("0100", -1, 0), ("0100", 0, -1), ("0100", 0, 1),
            ("0102", 3, 0), ("0102", 2, -1), ("0102", 2, 1),
        ]
    }  # fmt: skip
    assert table.do(make_lay("0100 0 1")).event_kinds[0] == "ChainLaid"


def test_u09_each_further_tile_touches_the_one_before() -> None:
    table = table_from_drawing("""
        0000   0001a  0002b
    """)
    assert table.do(table.lay).event_kinds[0] == "ChainLaid"


def test_u09_touching_only_the_board_is_not_enough() -> None:
    table = table_from_drawing("""
        0001a  0000   0002b
    """)
    refusal = table.refusal(table.lay)
    assert refusal.reason is UnikatReason.NOT_NEXT_TO_LAST
    assert refusal.detail == {"tile": Tile("0002"), "x": 2, "y": 0}


def test_u09_touching_an_earlier_tile_of_the_chain_is_not_enough() -> None:
    table = table_from_drawing("""
        0000   0001a  0002b
        .      0101c  .
    """)
    assert table.refusal(table.lay).reason is UnikatReason.NOT_NEXT_TO_LAST


def test_u09_no_second_lay_after_a_chain() -> None:
    table = table_from_drawing("0000 0001a", hands=["0002 2222", "2221"])
    laid = table.do(table.lay)
    assert laid.refusal(make_lay("0002 0 1")).reason is Reason.WRONG_PHASE
    assert laid.refusal(DECLINE).reason is Reason.WRONG_PHASE
