"""U18: who may know what, by example. test_secrecy.py checks that nothing else leaks."""

import msgspec
import pytest

from pytlik.game import HIDDEN, Outcome, Ready, Seat
from pytlik.score_sheet import Row
from pytlik.unikat.messages import Draw, RoundDealt, TileDrawn, TileSwapped
from pytlik.unikat.model import Cell, Options, Phase, Placement, Stone, Tile
from pytlik.unikat.view import Choices, mask, open_view, view
from tests.unikat.drawn_tables import (
    DrawnTable,
    make_lay,
    make_swap,
    parse_tiles,
    table_from_drawing,
)

TEN_TILES = "2222 2221 2220 2212 1222 1221 1220 1212 1211 1210"


def known_tiles_by_viewer(table: DrawnTable) -> list[tuple[tuple[Tile, ...], ...]]:
    return [view(table.state, seat).known for seat in (None, 0, 1)]


def test_u18_board_display_and_counts_are_public() -> None:
    table = table_from_drawing("0000 0001", hands=["2222 2221", "2220"], to_move=1, quiet_turns=3)
    for seat in (None, 0, 1):
        seen = view(table.state, seat)
        assert seen.board == (Stone(0, 0, Tile("0000")), Stone(1, 0, Tile("0001")))
        assert (seen.display, seen.counts, seen.bag) == (parse_tiles("2211"), (2, 1), 4)
        assert (seen.to_move, seen.phase, seen.quiet_turns) == (1, Phase.ACTION, 3)


def test_u18_players_see_their_own_hand_and_spectators_none() -> None:
    table = table_from_drawing("0000", hands=["2222 2221", "2220"])
    hands = [view(table.state, seat).hand for seat in (None, 0, 1)]
    assert hands == [(), parse_tiles("2222 2221"), parse_tiles("2220")]


def test_u18_a_tile_taken_from_the_display_is_known_to_all() -> None:
    table = table_from_drawing("0000", hands=[TEN_TILES, "1122"], display="1111 1112")
    swapped = table.do(make_swap("2222", "1112"))
    assert known_tiles_by_viewer(swapped) == [(parse_tiles("1112"), ())] * 3
    drawn = table_from_drawing("0000", phase=Phase.DRAW).do(Draw("2211"))
    assert known_tiles_by_viewer(drawn) == [(parse_tiles("2211"), ())] * 3


def test_u18_a_tile_drawn_from_the_bag_is_unknown() -> None:
    swapped = table_from_drawing("0000", hands=[TEN_TILES, "1122"]).do(make_swap("2222", "bag"))
    assert known_tiles_by_viewer(swapped) == [((), ())] * 3
    drawn = table_from_drawing("0000", phase=Phase.DRAW).do(Draw("bag"))
    assert known_tiles_by_viewer(drawn) == [((), ())] * 3


def test_u18_a_tile_that_left_the_hand_is_no_longer_known() -> None:
    known = ["0001 2222 2221", ""]
    table = table_from_drawing("0000 0001a", hands=["2222 2221", "2220"], known=known)
    laid = table.do(table.lay)
    assert known_tiles_by_viewer(laid) == [(parse_tiles("2221 2222"), ())] * 3
    swapped = table.do(make_swap("2222", "2211"))
    assert known_tiles_by_viewer(swapped) == [(parse_tiles("0001 2211 2221"), ())] * 3


def test_u18_only_the_owner_sees_a_tile_from_the_bag() -> None:
    drawn = TileDrawn(at=0, seat=1, tile=Tile("2210"), source="bag")
    swapped = TileSwapped(at=0, seat=1, give=Tile("2221"), take=Tile("2210"), source="bag")
    for seat in (None, 0, 2):
        assert mask(drawn, seat) == TileDrawn(at=0, seat=1, tile=HIDDEN, source="bag")
        assert mask(swapped, seat) == TileSwapped(
            at=0, seat=1, give=Tile("2221"), take=HIDDEN, source="bag"
        )
    assert (mask(drawn, 1), mask(swapped, 1)) == (drawn, swapped)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_u18_everyone_sees_laid_tiles_and_the_display(seat: Seat | None) -> None:
    table = table_from_drawing("0000 0001a", display="2211 2212")
    laid = table.do(table.lay)
    assert [mask(event, seat) for event in laid.events] == list(laid.events)
    drawn = laid.do(Draw("2211"))
    assert [mask(event, seat) for event in drawn.events] == list(drawn.events)
    swapped = table_from_drawing("0000").do(make_swap("2222", "2211"))
    assert [mask(event, seat) for event in swapped.events] == list(swapped.events)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_u18_the_deal_shows_each_player_only_their_own_tiles(seat: Seat | None) -> None:
    dealt = RoundDealt(
        at=0,
        round=1,
        starter=0,
        hands=(parse_tiles("2222 2221"), parse_tiles("2220 2212")),
        display=parse_tiles("2211"),
        start=Tile("0000"),
        bag=parse_tiles("2210 2202 2201"),
    )
    masked = mask(dealt, seat)
    assert isinstance(masked, RoundDealt)
    for owner, hand in enumerate(dealt.hands):
        assert masked.hands[owner] == (hand if owner == seat else (HIDDEN, HIDDEN))
    assert masked.bag == (HIDDEN,) * 3
    assert (masked.display, masked.start) == (dealt.display, dealt.start)


def test_u18_all_hands_are_shown_after_the_round() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222 2221"])
    assert view(table.state, 0).hands == ()
    over = table.do(table.lay)
    for seat in (None, 0, 1):
        seen = view(over.state, seat)
        assert seen.hands == ((), parse_tiles("2222 2221"))
        assert (seen.winners, seen.ended) == ((0,), "last tile")
        assert seen.outcome == Outcome(winners=(0,), points=(0, 2))
        assert seen.bag == 4


def test_u18_hands_and_score_sheet_are_shown_between_rounds() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222 2221"], options=Options(rounds=3))
    sheet = (Row(points=(5, 0), winners=(1,)),)
    over = table.with_changes(round=2, starter=1, sheet=sheet).do(table.lay)
    for seat in (None, 0, 1):
        shown = view(over.state, seat)
        assert shown.hands == ((), parse_tiles("2222 2221"))
        assert (shown.round, shown.starter, shown.outcome) == (2, 1, None)
        assert shown.sheet == (*sheet, Row(points=(0, 2), winners=(0,)))


def test_hidden_tile_as_json() -> None:
    assert msgspec.json.encode(HIDDEN) == b'{"hidden":true}'


# ------------------------------------------------------------------------------ the choices


def test_the_choices_of_an_action() -> None:
    table = table_from_drawing("0000", hands=["0001 0002 2222", "2221"])
    around = (Cell(0, -1), Cell(1, 0), Cell(0, 1), Cell(-1, 0))
    assert view(table.state, 0).choices == Choices(
        lay={Tile("0001"): around, Tile("0002"): around},
        swap=True,
        take=("2211", "bag"),
    )


def test_only_the_mover_has_choices() -> None:
    for phase in (Phase.ACTION, Phase.BONUS, Phase.DRAW):
        table = table_from_drawing("0000", phase=phase)
        assert view(table.state, 1).choices == Choices()
        assert view(table.state, None).choices == Choices()


def test_the_choices_of_an_extra_action() -> None:
    options = Options(extra_action="continue")
    table = table_from_drawing(
        """
        0000   0001
        0100   0101a
        """,
        hands=["1000 1101 2222", "2221"],
        bag="",
        options=options,
    )
    bonus = table.do(table.lay)
    assert view(bonus.state, 0).choices == Choices(
        lay={Tile("1101"): (Cell(2, 1), Cell(1, 2))}, swap=True, take=("2211",), decline=True
    )
    assert view(bonus.state, 0).latest == (Placement(Tile("0101"), 1, 1),)


def test_extra_action_can_be_declined_but_not_passed() -> None:
    """Only a set-up position can be like this: in play, the extra action is skipped (U10)."""
    stuck = table_from_drawing("0000", phase=Phase.BONUS, laid=True, display="", bag="")
    assert view(stuck.state, 0).choices == Choices(decline=True)


def test_the_choices_of_a_draw() -> None:
    table = table_from_drawing("0000", phase=Phase.DRAW, display="2211 2212", bag="")
    assert view(table.state, 0).choices == Choices(draw=True, take=("2211", "2212"))


def test_the_choice_to_pass() -> None:
    stuck = table_from_drawing("0000", display="", bag="")
    assert view(stuck.state, 0).choices == Choices(pass_=True)
    for other in (
        table_from_drawing("0000", display="", bag="2211"),
        table_from_drawing("0000", hands=["0001 2222", "2221"], display="", bag=""),
    ):
        assert not view(other.state, 0).choices.pass_
    assert msgspec.json.decode(msgspec.json.encode(Choices(pass_=True)))["pass"] is True


def test_the_choice_to_be_ready() -> None:
    table = table_from_drawing("0000 0001a", hands=["", "2222"], options=Options(rounds=2))
    over = table.do(table.lay)
    assert view(over.state, 1).choices == Choices(ready=True)
    ready = over.do(Ready(), seat=1)
    assert view(ready.state, 1).choices == Choices()
    assert view(ready.state, 0).choices == Choices(ready=True)
    assert view(ready.state, 0).ready == (1,)
    table = table_from_drawing("0000 0001a", hands=["", "2222"])
    assert view(table.do(table.lay).state, 1).choices == Choices()


def test_tile_with_several_places_is_one_choice() -> None:
    table = table_from_drawing("0000 0001", hands=["0002 2222", "2221"])
    assert set(view(table.state, 0).choices.lay) == {Tile("0002")}
    for cell in view(table.state, 0).choices.lay[Tile("0002")]:
        assert table.do(make_lay(f"0002 {cell.x} {cell.y}")).event_kinds[0] == "ChainLaid"


def test_a_view_is_a_few_kilobytes_of_json() -> None:
    table = table_from_drawing("0000", hands=[TEN_TILES, "1122"])
    assert len(msgspec.json.encode(view(table.state, 0))) < 4000


def test_open_view_shows_all_hands() -> None:
    table = table_from_drawing("0000", hands=["0001 2222", "2221"])
    seen = open_view(table.state, None)
    assert seen.hands == table.state.hands
    assert msgspec.structs.replace(seen, hands=()) == view(table.state, None)
