"""G7 and G8: pieces are placed and lifted, each checked, until the card is covered."""

import pytest

from pytlik.game import Expire, Ready, Reason, Seat
from pytlik.ubongo.hexes import Hex, normalize, turn
from pytlik.ubongo.messages import (
    Action,
    CardSolved,
    Event,
    GiveUp,
    Lift,
    PieceLifted,
    PiecePlaced,
    Place,
)
from pytlik.ubongo.model import Phase
from pytlik.ubongo.reasons import UbongoReason
from tests.ubongo.drawn_cards import make_deck, place_as_drawn
from tests.ubongo.event_lines import dedent_lines
from tests.ubongo.scripted_table import begin_deciding_round, begin_round, open_table

# ------------------------------------------------------------------------------------- solving


def test_g07_everyone_starts_at_the_same_moment_with_an_empty_card() -> None:
    table = begin_round(players=3)
    assert table.phase() is Phase.SOLVING
    assert [table.draw_card_of(seat) for seat in range(3)] == [
        dedent_lines(". . . .\n . . . .")
    ] * 3
    assert table.state.sand == table.round_start + 60_000


def test_g07_solved_when_every_cell_is_covered() -> None:
    table = begin_round()
    assert event_kinds(table.act(0, place_as_drawn(1, "1 1 1 .\n . . . ."), at=table.now)) == [
        "PiecePlaced"
    ]
    assert event_kinds(table.act(0, place_as_drawn(2, ". . . 2\n . . 2 2"), at=table.now)) == [
        "PiecePlaced"
    ]
    events = table.act(0, place_as_drawn(3, ". . . .\n 3 3 . ."), at=table.now)
    assert event_kinds(events) == ["PiecePlaced", "CardSolved"]
    assert table.draw_card_of(0) == dedent_lines("""
        1 1 1 2
         3 3 2 2
    """)


def test_g07_any_solution_will_do() -> None:
    table = begin_round()
    table.act(0, place_as_drawn(1, ". . . .\n . 1 1 1"), at=table.now)
    table.act(0, place_as_drawn(2, "2 2 . .\n 2 . . ."), at=table.now)
    table.act(0, place_as_drawn(3, ". . 3 3\n . . . ."), at=table.now)
    assert table.state.solved == {0}
    assert table.draw_card_of(0) == dedent_lines("""
        2 2 3 3
         2 1 1 1
    """)


def test_g07_pieces_may_be_turned_and_flipped() -> None:
    table = begin_round()
    for cells in ("2 2 . .\n 2 . . .", ". 2 . .\n 2 2 . .", ". . . 2\n . . 2 2"):
        table.act(0, place_as_drawn(2, cells), at=table.now)
    for cells in ("3 . . .\n 3 . . .", ". 3 . .\n 3 . . .", ". . 3 .\n . 3 . ."):
        table.act(0, place_as_drawn(3, cells), at=table.now)
    assert table.draw_card_of(0) == dedent_lines("""
        . . 3 2
         . 3 2 2
    """)


def test_g07_a_piece_that_only_fits_flipped() -> None:
    table = begin_round(cards=make_deck("1 1 1 2\n 3 3 1 2"))
    mirrored = place_as_drawn(1, ". 1 1 1\n 1 . . .")
    piece = table.state.deals[0].pieces[1]
    for _ in range(6):
        piece = turn(piece)
        assert normalize(piece) != normalize(mirrored.cells)
    table.act(0, mirrored, at=table.now)
    assert table.draw_card_of(0) == dedent_lines("""
        . 1 1 1
         1 . . .
    """)


# ------------------------------------------------------------------------------------- placing


def test_g08_a_placed_piece_can_be_moved() -> None:
    table = begin_round()
    table.act(0, place_as_drawn(1, "1 1 1 .\n . . . ."), at=table.now)
    # It may cover cells that it already covers.
    table.act(0, place_as_drawn(1, ". 1 1 1\n . . . ."), at=table.now)
    assert table.draw_card_of(0) == dedent_lines("""
        . 1 1 1
         . . . .
    """)


def test_g08_a_lifted_piece_leaves_its_cells_free() -> None:
    table = begin_round()
    table.act(0, place_as_drawn(1, "1 1 1 .\n . . . ."), at=table.now)
    table.act(0, place_as_drawn(3, ". . . .\n 3 3 . ."), at=table.now)
    assert table.act(0, Lift(1), at=table.now + 5, lag=9) == [
        PieceLifted(at=table.now, seat=0, piece=1, lag=9)
    ]
    assert table.draw_card_of(0) == dedent_lines("""
        . . . .
         3 3 . .
    """)
    table.act(0, place_as_drawn(1, ". 1 1 1\n . . . ."), at=table.now)


def test_g08_cells_may_be_named_in_any_order() -> None:
    table = begin_round()
    events = table.act(0, Place(1, (Hex(2, 0), Hex(0, 0), Hex(1, 0))), at=table.now, lag=40)
    cells = (Hex(0, 0), Hex(1, 0), Hex(2, 0))
    assert events == [PiecePlaced(at=table.now, seat=0, piece=1, cells=cells, lag=40)]


def test_g08_everyone_has_a_card_and_pieces_of_their_own() -> None:
    table = begin_round()
    table.act(0, place_as_drawn(1, "1 1 1 .\n . . . ."), at=table.now)
    table.act(1, place_as_drawn(1, "1 1 1 .\n . . . ."), at=table.now)
    table.act(1, Lift(1), at=table.now)
    assert table.draw_card_of(0) == "1 1 1 .\n . . . ."
    assert table.draw_card_of(1) == ". . . .\n . . . ."


def test_g08_ubongo_is_called_automatically() -> None:
    table = begin_round()
    table.play_script("at 7: seat 1 places 1\nat 8: seat 1 places 2\nat 9: seat 1 places 3")
    assert table.events[-1] == CardSolved(
        at=table.round_start + 9000, seat=1, time=table.now, lag=0
    )


# ------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (place_as_drawn(4, "4 4 . .\n . . . ."), UbongoReason.NOT_YOUR_PIECE),
        (place_as_drawn(1, "1 1 . .\n . . 1 ."), UbongoReason.WRONG_SHAPE),
        (place_as_drawn(1, "1 1 . .\n . . . ."), UbongoReason.WRONG_SHAPE),
        (place_as_drawn(1, "1 1 1 1\n . . . ."), UbongoReason.WRONG_SHAPE),
        (Place(1, ()), UbongoReason.WRONG_SHAPE),
        (Place(1, (Hex(0, 0), Hex(1, 0), Hex(1, 0))), UbongoReason.WRONG_SHAPE),
        (Place(1, (Hex(0, 0), Hex(1, 0), Hex(2, 0), Hex(2, 0))), UbongoReason.WRONG_SHAPE),
        (place_as_drawn(1, ". . 1 1 1\n . . . ."), UbongoReason.OUTSIDE_AREA),
        (place_as_drawn(1, ". . . .\n . . . .\n  1 1 1"), UbongoReason.OUTSIDE_AREA),
        (place_as_drawn(3, ". . . 3\n . . 3 ."), Reason.OCCUPIED),
        (place_as_drawn(1, ". 1 1 1\n . . . ."), Reason.OCCUPIED),
        (Lift(1), UbongoReason.NOT_PLACED),
        (Lift(4), UbongoReason.NOT_PLACED),
    ],
)
def test_g08_refusals_while_piece_2_is_on_the_right(action: Action, reason: Reason) -> None:
    table = begin_round()
    table.act(0, place_as_drawn(2, ". . . 2\n . . 2 2"), at=table.now)
    refused = table.refusal(0, action)
    assert refused.reason is reason
    assert isinstance(action, Place | Lift)
    assert refused.detail["piece"] == action.piece
    # The player can go on.
    table.act(0, place_as_drawn(3, ". . . .\n 3 3 . ."), at=table.now)


def test_g08_a_refusal_names_the_piece_that_is_in_the_way() -> None:
    table = begin_round()
    table.act(0, place_as_drawn(2, ". . . 2\n . . 2 2"), at=table.now)
    table.act(0, place_as_drawn(3, ". . . .\n 3 3 . ."), at=table.now)
    assert table.refusal(0, place_as_drawn(1, ". . . .\n 1 1 1 .")).detail["other"] in {2, 3}
    assert table.refusal(0, place_as_drawn(1, ". 1 1 1\n . . . .")).detail == {
        "piece": 1,
        "other": 2,
    }


SOLVING_ACTIONS: list[Action] = [place_as_drawn(1, "1 1 1 .\n . . . ."), Lift(1), GiveUp()]


@pytest.mark.parametrize("action", SOLVING_ACTIONS, ids=lambda action: type(action).__name__)
def test_g08_actions_at_the_wrong_time_are_refused(action: Action) -> None:
    early = open_table()
    assert early.refusal(0, action).reason is Reason.WRONG_PHASE
    for seat in (0, 1):
        early.act(seat, Ready(), at=early.now)
    assert early.refusal(0, action).reason is Reason.WRONG_PHASE
    solved = begin_round()
    solved.play_script("at 1: seat 0 solves")
    assert solved.refusal(0, action).reason is UbongoReason.ALREADY_SOLVED
    gone = begin_round()
    gone.play_script("at 1: seat 0 gives up")
    assert gone.refusal(0, action).reason is UbongoReason.GAVE_UP
    over = begin_round()
    over.play_script("at 1: seat 0 solves\nat 2: seat 1 solves")
    assert over.refusal(0, action, at=3).reason is Reason.WRONG_PHASE


@pytest.mark.parametrize("action", SOLVING_ACTIONS, ids=lambda action: type(action).__name__)
def test_g10_too_late_when_the_sand_has_run_out(action: Action) -> None:
    table = begin_round()
    table.play_script("at 1: seat 0 places 1")
    assert table.refusal(0, action, at=60.001).reason is UbongoReason.TOO_LATE
    assert table.refusal(0, action, at=60.101, lag=100).reason is UbongoReason.TOO_LATE
    table.act(0, action, at=table.round_start + 60_100, lag=100)


@pytest.mark.parametrize("seat", [None, 2, -1, 4])
def test_g08_only_players_may_act(seat: Seat | None) -> None:
    ready, solving = open_table(), begin_round()
    assert ready.refusal(seat, Ready()).reason is Reason.NOT_YOUR_SEAT
    for action in SOLVING_ACTIONS:
        assert solving.refusal(seat, action).reason is Reason.NOT_YOUR_SEAT


def test_g15_only_tied_seats_may_act_in_the_deciding_round() -> None:
    table = begin_deciding_round(7, 3, 7)
    for action in (*SOLVING_ACTIONS, Ready()):
        assert table.refusal(1, action).reason is Reason.NOT_YOUR_SEAT


def test_g06_ready_is_refused_except_between_rounds() -> None:
    table = begin_round()
    assert table.refusal(0, Ready()).reason is Reason.WRONG_PHASE
    table = begin_deciding_round(5, 5)
    table.play_script("at 1: seat 0 gives up")
    assert table.refusal(1, Ready()).reason is Reason.WRONG_PHASE


def test_g10_only_the_clock_may_expire_deadlines() -> None:
    table = begin_round()
    assert table.refusal(0, Expire(), at=99).reason is Reason.NOT_YOUR_SEAT
    assert table.refusal(None, Expire(), at=60.249).reason is Reason.TOO_EARLY
    assert table.refusal(None, Expire(), at=60.249).detail == {"due": table.round_start + 60_250}
    assert open_table().refusal(None, Expire()).reason is Reason.WRONG_PHASE


# -------------------------------------------------------------------------------------- helpers


def event_kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]
