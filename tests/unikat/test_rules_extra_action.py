"""U10: the double turn."""

import pytest

from pytlik.game import Reason
from pytlik.unikat.game import legal as list_legal_actions
from pytlik.unikat.legal import first_cells, legal
from pytlik.unikat.messages import BonusDeclined, BonusEarned, DrawOwed, Lay
from pytlik.unikat.model import Options, Phase, Placement, Tile
from pytlik.unikat.reasons import UnikatReason
from pytlik.unikat.view import view
from tests.unikat.drawn_tables import (
    DECLINE,
    PLAIN_OPTIONS,
    DrawnTable,
    draw_board,
    make_lay,
    make_swap,
    table_from_drawing,
)

CONTINUE_OPTIONS = Options(starter=0, extra_action="continue")


def corner_scene(
    hands: tuple[str, str] = ("2222", "2221"), display: str = "2211", bag: str = "2210 2202",
    options: Options = PLAIN_OPTIONS,
) -> DrawnTable:  # fmt: skip
    """A table where the lettered tile touches two others."""
    return table_from_drawing(
        """
        .      0000   0001
        .      0100   0101a
        """,
        hands=hands,
        display=display,
        bag=bag,
        options=options,
    )


def test_u10_a_tile_that_touches_two_earns_an_extra_action() -> None:
    table = corner_scene()
    after = table.do(table.lay)
    assert after.events[-1] == BonusEarned(at=0, seat=0)
    assert (after.state.to_move, after.state.phase) == (0, Phase.BONUS)


def test_u10_a_tile_that_touches_one_earns_nothing() -> None:
    table = table_from_drawing("0000 0001a 0002b")
    assert table.do(table.lay).event_kinds == ["ChainLaid", "DrawOwed"]


@pytest.mark.parametrize("drawing", [
    """
    .      0001   .
    0100   0000a  0010
    """,
    """
    .      0001   .
    0100   0000a  0010
    .      1000   .
    """,
    "0001 0000a 0100",
])  # fmt: skip
def test_u10_touching_two_or_more_in_any_direction_counts(drawing: str) -> None:
    table = table_from_drawing(drawing)
    assert table.do(table.lay).state.phase is Phase.BONUS


@pytest.mark.parametrize("drawing", [
    """
    0000   0001   .
    0100   0101a  0111b
    """,
    """
    0000   0001a  0002b  0012c  0112
    0010   .      .      .      0122
    0110   0111   0101   0100   0102
    """,
])  # fmt: skip
def test_u10_any_tile_of_the_chain_may_earn_it(drawing: str) -> None:
    table = table_from_drawing(drawing)
    assert table.do(table.lay).state.phase is Phase.BONUS


def test_u10_earlier_tiles_of_the_chain_count() -> None:
    """d touches a tile on the board and c, which was laid just before it."""
    table = table_from_drawing("""
        0000   0001   .
        0100a  0101b  .
    """)
    assert table.do(table.lay).state.phase is Phase.BONUS
    table = table_from_drawing("""
        0000   0001a  0002b
        .      0101d  0102c
    """)
    assert table.do(table.lay).state.phase is Phase.BONUS


def test_u10_later_tiles_of_the_chain_do_not_count() -> None:
    """a touches two tiles only once b is laid, and b itself touches only a."""
    table = table_from_drawing("0000 0001a 0002b")
    assert table.do(table.lay).state.phase is Phase.DRAW


def test_u10_view_lists_the_legal_extra_actions() -> None:
    for options in (PLAIN_OPTIONS, CONTINUE_OPTIONS):
        table = corner_scene(hands=("0002 1101 2222", "2221"), options=options)
        bonus = table.do(table.lay).state
        assert {*list_legal_actions(view(bonus, 0))} == {*legal(bonus)}


def test_u10_the_player_may_decline() -> None:
    table = corner_scene()
    after = table.do(table.lay, DECLINE)
    assert after.events == (BonusDeclined(at=0, seat=0), DrawOwed(at=0, seat=0))
    assert DECLINE in legal(table.do(table.lay).state)


def test_u10_cannot_decline_without_an_extra_action() -> None:
    assert corner_scene().refusal(DECLINE).reason is Reason.WRONG_PHASE
    assert DECLINE not in legal(corner_scene().state)


def test_u10_extra_lay_may_start_anywhere() -> None:
    table = corner_scene(hands=("1000 2222", "2221"))
    after = table.do(table.lay, make_lay("1000 0 0"))
    assert after.board == draw_board("""
        1000   0000   0001
        .      0100   0101
    """)
    assert after.event_kinds == ["ChainLaid", "DrawOwed"]
    assert after.state.latest == (*table.lay.tiles, Placement(Tile("1000"), 0, 0))


def test_u10_extra_action_may_be_a_swap() -> None:
    table = corner_scene()
    after = table.do(table.lay, make_swap("2222", "2211"))
    assert after.event_kinds == ["TileSwapped", "DrawOwed"]
    assert (after.hand(0), after.display) == ("2211", "2222")


def test_u10_the_extra_action_never_earns_another() -> None:
    table = table_from_drawing(
        """
        0000   0001   0002
        0100   0101a  .
        """,
        hands=["0102 2222", "2221"],
    )
    after = table.do(table.lay, make_lay("0102 2 1"))
    assert len(after.state.board.touching(after.state.board.last)) == 2
    assert after.event_kinds == ["ChainLaid", "DrawOwed"]


def test_u10_only_a_lay_earns_it() -> None:
    table = corner_scene()
    assert table.do(make_swap("2222", "bag")).event_kinds == ["TileSwapped", "DrawOwed"]


def test_u10_impossible_extra_action_is_skipped() -> None:
    table = corner_scene(display="", bag="")
    after = table.do(table.lay)
    assert after.event_kinds == ["ChainLaid", "TurnEnded"]


@pytest.mark.parametrize(("hand", "display", "bag"), [
    ("0102 2222", "", ""),
    ("2222", "2211", ""),
    ("2222", "", "2211"),
], ids=["a lay", "a swap with the display", "a swap with the bag"])  # fmt: skip
def test_u10_possible_extra_action_is_not_skipped(hand: str, display: str, bag: str) -> None:
    table = corner_scene(hands=(hand, "2221"), display=display, bag=bag)
    assert table.do(table.lay).state.phase is Phase.BONUS


def test_u10_double_turn_is_still_one_turn() -> None:
    """One draw at its end, however many actions it had."""
    table = corner_scene(hands=("1000 2222", "2221"))
    after = table.do(table.lay, make_lay("1000 0 0"))
    assert after.state.phase is Phase.DRAW
    assert after.state.to_move == 0


# -------------------------------------------------------------------------- option "continue"


def test_u10_option_continue_goes_on_from_the_last_tile() -> None:
    table = corner_scene(hands=("1000 0111 2222", "2221"), options=CONTINUE_OPTIONS)
    bonus = table.do(table.lay)
    assert set(first_cells(bonus.state)) == {(3, 1), (2, 2)}
    assert bonus.refusal(make_lay("1000 0 0")).reason is UnikatReason.NOT_NEXT_TO_LAST
    assert bonus.do(make_lay("0111 3 1")).event_kinds[0] == "ChainLaid"
    assert {action.tiles for action in legal(bonus.state) if isinstance(action, Lay)} == {
        (Placement(Tile("0111"), 3, 1),),
        (Placement(Tile("0111"), 2, 2),),
    }


def test_u10_option_continue_leaves_the_first_action_free() -> None:
    table = corner_scene(hands=("1000 2222", "2221"), options=CONTINUE_OPTIONS)
    assert table.do(make_lay("1000 0 0")).event_kinds[0] == "ChainLaid"


def test_u10_option_continue_is_skipped_if_nothing_fits() -> None:
    """1000 would fit next to 0000, but not next to the last tile."""
    hands = ("1000 2222", "2221")
    table = corner_scene(hands, display="", bag="", options=CONTINUE_OPTIONS)
    assert table.do(table.lay).event_kinds == ["ChainLaid", "TurnEnded"]
    table = corner_scene(hands, display="", bag="")
    assert table.do(table.lay).event_kinds == ["ChainLaid", "BonusEarned"]


def test_u10_option_continue_still_allows_a_swap() -> None:
    table = corner_scene(options=CONTINUE_OPTIONS)
    assert table.do(table.lay, make_swap("2222", "bag")).event_kinds == ["TileSwapped", "DrawOwed"]
