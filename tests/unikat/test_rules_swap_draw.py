"""U11 to U14: the swap, the draw, and the display."""

import pytest

from pytlik.game import Reason
from pytlik.unikat.legal import can_swap, legal
from pytlik.unikat.messages import DisplayFilled, Draw, DrawOwed, Swap, TileDrawn, TileSwapped
from pytlik.unikat.model import Phase, Tile
from pytlik.unikat.reasons import UnikatReason
from tests.unikat.drawn_tables import DECLINE, make_swap, parse_tiles, table_from_drawing

TEN_TILES = "2222 2221 2220 2212 1222 1221 1220 1212 1211 1210"
NINE_TILES = TEN_TILES[5:]

# -------------------------------------------------------------------------------------- swap


def test_u11_swap_with_the_display() -> None:
    table = table_from_drawing("0000", hands=[TEN_TILES, "1122"], display="1111 1112 1121")
    after = table.do(make_swap("2222", "1112"))
    assert after.events[0] == TileSwapped(
        at=0, seat=0, give=Tile("2222"), take=Tile("1112"), source="display"
    )
    assert after.display == "1111 1121 2222"
    assert after.hand(0) == f"{NINE_TILES} 1112"
    assert after.bag == table.bag


def test_u11_swap_with_the_bag_makes_the_display_grow() -> None:
    table = table_from_drawing(
        "0000", hands=[TEN_TILES, "1122"], display="1111 1112 1121", bag="1110 1101"
    )
    after = table.do(make_swap("2222", "bag"))
    assert after.events[0] == TileSwapped(
        at=0, seat=0, give=Tile("2222"), take=Tile("1110"), source="bag"
    )
    assert after.display == "1111 1112 1121 2222"
    assert after.hand(0) == f"{NINE_TILES} 1110"
    assert after.bag == "1101"


def test_u11_cannot_take_back_the_given_tile() -> None:
    table = table_from_drawing("0000")
    refusal = table.refusal(make_swap("2222", "2222"))
    assert (refusal.reason, refusal.detail) == (UnikatReason.SAME_TILE, {"tile": Tile("2222")})
    assert make_swap("2222", "2222") not in legal(table.state)


def test_u11_swap_takes_from_the_display_and_gives_from_the_hand() -> None:
    table = table_from_drawing("0000")
    assert table.refusal(make_swap("2222", "2210")).reason is UnikatReason.NOT_IN_DISPLAY
    assert table.refusal(make_swap("2211", "bag")).reason is UnikatReason.NOT_IN_HAND


def test_u11_every_give_and_take_is_a_swap() -> None:
    table = table_from_drawing("0000", hands=["2222 2221", "2220"], display="2211 2212", bag="2202")
    assert set(legal(table.state)) == {
        Swap(Tile(give), take) for give in ("2222", "2221") for take in ("2211", "2212", "bag")
    }


def test_u11_next_player_may_take_the_given_tile() -> None:
    table = table_from_drawing("0000", hands=[TEN_TILES, "1122"]).do(make_swap("2222", "bag"))
    assert table.do(make_swap("1122", "2222")).hand(1) == "2222"


def test_u12_a_swap_needs_something_to_take() -> None:
    table = table_from_drawing("0000", display="", bag="")
    assert not can_swap(table.state)
    assert table.refusal(make_swap("2222", "bag")).reason is UnikatReason.BAG_EMPTY
    assert table.refusal(make_swap("2222", "2222")).reason is UnikatReason.SAME_TILE


def test_u12_another_tile_in_the_display_is_enough() -> None:
    table = table_from_drawing("0000", hands=[TEN_TILES, "1122"], display="1111", bag="")
    assert can_swap(table.state)
    assert table.refusal(make_swap("2222", "bag")).reason is UnikatReason.BAG_EMPTY
    assert table.do(make_swap("2222", "1111")).display == "2222"


def test_u12_a_tile_in_the_bag_is_enough() -> None:
    table = table_from_drawing("0000", hands=[TEN_TILES, "1122"], display="", bag="1111")
    assert can_swap(table.state)
    assert table.do(make_swap("2222", "bag")).hand(0) == f"{NINE_TILES} 1111"


# -------------------------------------------------------------------------------------- draw


def test_u13_one_tile_is_drawn_however_many_were_laid() -> None:
    table = table_from_drawing("0000 0001a 0002b 0012c 0010d", hands=["2222", "2221"])
    drawn = table.do(table.lay, Draw("bag"))
    assert drawn.events[0] == TileDrawn(at=0, seat=0, tile=Tile("2210"), source="bag")
    assert (drawn.hand(0), drawn.bag) == ("2222 2210", "2202 2201 2200")
    assert drawn.state.to_move == 1


def test_u13_draw_from_the_display_or_the_bag() -> None:
    table = table_from_drawing("0000", phase=Phase.DRAW, display="2211 2212")
    assert list(legal(table.state)) == [Draw("2211"), Draw("2212"), Draw("bag")]
    after = table.do(Draw("2212"))
    assert after.events[0] == TileDrawn(at=0, seat=0, tile=Tile("2212"), source="display")
    assert (after.hand(0), after.display) == ("2222 2212", "2211")


def test_u13_cannot_draw_a_tile_outside_the_display() -> None:
    table = table_from_drawing("0000", phase=Phase.DRAW)
    assert table.refusal(Draw("2210")).reason is UnikatReason.NOT_IN_DISPLAY
    assert table.refusal(Draw("2222")).reason is UnikatReason.NOT_IN_DISPLAY


def test_u13_a_swap_with_fewer_than_ten_is_followed_by_a_draw() -> None:
    after = table_from_drawing("0000", hands=[NINE_TILES, "1122"]).do(make_swap("2221", "2211"))
    assert after.event_kinds == ["TileSwapped", "DrawOwed"]
    assert after.do(Draw("2221")).hand(0).split()[-2:] == ["2211", "2221"]


def test_u13_a_swap_with_ten_is_not_followed_by_a_draw() -> None:
    after = table_from_drawing("0000", hands=[TEN_TILES, "1122"]).do(make_swap("2222", "2211"))
    assert after.event_kinds == ["TileSwapped", "TurnEnded"]


def test_u13_a_declined_extra_action_is_followed_by_a_draw() -> None:
    after = table_from_drawing("0000", phase=Phase.BONUS, laid=True).do(DECLINE)
    assert after.events[-1] == DrawOwed(at=0, seat=0)


def test_u13_the_draw_is_mandatory() -> None:
    table = table_from_drawing("0000", phase=Phase.DRAW)
    assert table.refusal(DECLINE).reason is Reason.WRONG_PHASE


def test_u13_draw_from_the_display_if_the_bag_is_empty() -> None:
    table = table_from_drawing("0000 0001a", bag="")
    laid = table.do(table.lay)
    assert laid.state.phase is Phase.DRAW
    assert list(legal(laid.state)) == [Draw("2211")]
    assert laid.refusal(Draw("bag")).reason is UnikatReason.BAG_EMPTY


def test_u13_nothing_is_drawn_if_both_are_empty() -> None:
    table = table_from_drawing("0000 0001a", display="", bag="")
    assert table.do(table.lay).event_kinds == ["ChainLaid", "TurnEnded"]


# ----------------------------------------------------------------------------------- display


def test_u14_empty_display_gets_three_tiles_at_once() -> None:
    table = table_from_drawing("0000", phase=Phase.DRAW, display="2211", bag="2210 2202 2201 2200")
    after = table.do(Draw("2211"))
    assert after.events[1] == DisplayFilled(at=0, tiles=parse_tiles("2210 2202 2201"))
    assert (after.display, after.bag) == ("2210 2202 2201", "2200")


def test_u14_display_is_not_filled_before_it_is_empty() -> None:
    table = table_from_drawing("0000", phase=Phase.DRAW, display="2211 2212")
    after = table.do(Draw("2211"))
    assert after.event_kinds == ["TileDrawn", "TurnEnded"]
    assert (after.display, after.bag) == ("2212", table.bag)


@pytest.mark.parametrize("bag", ["2210 2202", "2210"])
def test_u14_display_gets_as_many_as_the_bag_has(bag: str) -> None:
    after = table_from_drawing("0000", phase=Phase.DRAW, bag=bag).do(Draw("2211"))
    assert (after.display, after.bag) == (bag, "")


def test_u14_display_gets_none_from_an_empty_bag() -> None:
    after = table_from_drawing("0000", phase=Phase.DRAW, bag="").do(Draw("2211"))
    assert after.event_kinds == ["TileDrawn", "TurnEnded"]
    assert after.display == ""


def test_u14_a_swap_does_not_fill_the_display() -> None:
    after = table_from_drawing("0000", hands=[TEN_TILES, "1122"]).do(make_swap("2222", "2211"))
    assert after.event_kinds == ["TileSwapped", "TurnEnded"]
    assert after.display == "2222"
