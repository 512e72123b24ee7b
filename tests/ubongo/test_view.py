"""G16: what a seat may know, by example. test_secrecy.py checks that nothing else leaks."""

import msgspec
import pytest

from pytlik.game import HIDDEN, Outcome, Seat
from pytlik.ubongo.gem_ledger import purse
from pytlik.ubongo.messages import (
    CardSolved,
    DeckShuffled,
    PieceLifted,
    PieceMoved,
    PiecePlaced,
    RoundBegan,
)
from pytlik.ubongo.model import Options, Phase, Solution
from pytlik.ubongo.view import Choices, View, mask, open_view, view
from tests.ubongo.drawn_cards import draw_card, place_as_drawn
from tests.ubongo.event_lines import dedent_lines
from tests.ubongo.scripted_table import ScriptedTable, begin_deciding_round, begin_round, open_table


def visible_cards(table: ScriptedTable, seat: Seat | None) -> dict[Seat, str]:
    """Draw the cards whose pieces a seat may see."""
    shown = view(table.state, seat)
    return {
        owner: draw_card(shown.deals[owner].area, pieces) for owner, pieces in shown.placed.items()
    }


def begin_with_a_piece_each(options: Options = Options()) -> ScriptedTable:
    table = begin_round(players=3, options=options)
    table.act(0, place_as_drawn(1, "1 1 1 .\n . . . ."), at=table.now)
    table.act(1, place_as_drawn(2, ". . . 2\n . . 2 2"), at=table.now)
    table.act(2, place_as_drawn(3, ". . . .\n 3 3 . ."), at=table.now)
    return table


CARD_OF_SEAT_0 = "1 1 1 .\n . . . ."
CARD_OF_SEAT_1 = ". . . 2\n . . 2 2"
CARD_OF_SEAT_2 = ". . . .\n 3 3 . ."
SOLVED_CARD = dedent_lines("""
    1 1 1 2
     3 3 2 2
""")


def test_g16_solvers_see_only_their_own_pieces() -> None:
    table = begin_with_a_piece_each()
    assert visible_cards(table, 0) == {0: CARD_OF_SEAT_0}
    assert visible_cards(table, 1) == {1: CARD_OF_SEAT_1}
    assert visible_cards(table, 2) == {2: CARD_OF_SEAT_2}


def test_g16_spectators_see_no_pieces_before_the_round_is_over() -> None:
    table = begin_with_a_piece_each()
    assert visible_cards(table, None) == {}
    table.play_script("at 5: seat 0 solves\nat 6: seat 1 solves")
    assert visible_cards(table, None) == {}
    table.play_script("at 61: wait")
    assert visible_cards(table, None) == {0: SOLVED_CARD, 1: SOLVED_CARD, 2: CARD_OF_SEAT_2}
    assert visible_cards(table, 2) == {0: SOLVED_CARD, 1: SOLVED_CARD, 2: CARD_OF_SEAT_2}


def test_g16_may_watch_after_solving() -> None:
    table = begin_with_a_piece_each()
    table.play_script("at 5: seat 0 solves")
    assert visible_cards(table, 0) == {0: SOLVED_CARD, 1: CARD_OF_SEAT_1, 2: CARD_OF_SEAT_2}
    assert visible_cards(table, 1) == {1: CARD_OF_SEAT_1}


def test_pieces_are_listed_by_number_not_by_time() -> None:
    table = begin_round()
    table.act(0, place_as_drawn(3, ". . . .\n 3 3 . ."), at=table.now)
    table.act(0, place_as_drawn(1, "1 1 1 .\n . . . ."), at=table.now)
    assert list(view(table.state, 0).placed[0]) == [1, 3]


def test_g16_may_not_watch_after_giving_up_before_the_second_chance() -> None:
    table = begin_with_a_piece_each()
    table.play_script("at 5: seat 0 gives up")
    assert visible_cards(table, 0) == {0: CARD_OF_SEAT_0}
    table.play_script("at 61: wait")
    assert table.phase() is Phase.SECOND_CHANCE
    assert visible_cards(table, 0) == {0: CARD_OF_SEAT_0}
    # Giving up in the second chance is final.
    table.play_script("at 70: seat 0 gives up")
    assert visible_cards(table, 0) == {0: CARD_OF_SEAT_0, 1: CARD_OF_SEAT_1, 2: CARD_OF_SEAT_2}


def test_g16_may_watch_after_giving_up_once_somebody_has_solved() -> None:
    table = begin_with_a_piece_each()
    table.play_script("at 5: seat 0 gives up\nat 6: seat 1 solves")
    assert visible_cards(table, 0) == {0: CARD_OF_SEAT_0, 1: SOLVED_CARD, 2: CARD_OF_SEAT_2}
    assert visible_cards(table, 2) == {2: CARD_OF_SEAT_2}


def test_g16_may_watch_after_giving_up_without_a_timer() -> None:
    table = begin_with_a_piece_each(Options(seconds=None))
    table.play_script("at 5: seat 0 gives up")
    assert visible_cards(table, 0) == {0: CARD_OF_SEAT_0, 1: CARD_OF_SEAT_1, 2: CARD_OF_SEAT_2}


def test_g16_others_are_spectators_in_a_deciding_round() -> None:
    table = begin_deciding_round(7, 3, 7)
    table.play_script("at 1: seat 0 places 1\nat 1: seat 2 places 2")
    assert visible_cards(table, 1) == {}
    assert visible_cards(table, 0) == {0: CARD_OF_SEAT_0}
    table.play_script("at 2: seat 2 gives up")
    assert visible_cards(table, 1) == {0: CARD_OF_SEAT_0, 2: CARD_OF_SEAT_1}


def test_g16_nobody_is_sent_a_card_before_the_round_begins() -> None:
    table = open_table(players=3)
    coming = [f'"card":{card.id}' for card in table.state.cards[:3]]
    everyone = (0, 1, 2, None)
    while not table.state.deals:
        for seat in everyone:
            shown = msgspec.json.encode(view(table.state, seat)).decode()
            assert view(table.state, seat).deals == {}
            assert not any(card in shown for card in coming)
        if table.phase() is Phase.COUNTDOWN:
            table.let_time_pass(10**9)
            break
        table.play_script("\n".join(f"at 1001: seat {seat} is ready" for seat in range(3)))
    for seat in everyone:
        assert [deal.card for deal in view(table.state, seat).deals.values()] == [
            int(card.split(":")[1]) for card in coming
        ]


def test_g16_cards_stay_visible_until_the_next_round() -> None:
    table = begin_round()
    shown = table.state.deals
    table.play_script("at 1: seat 0 solves\nat 2: seat 1 gives up")
    table.play_script("at 9: seat 0 is ready\nat 9: seat 1 is ready")
    assert table.phase() is Phase.COUNTDOWN
    assert view(table.state, 0).deals == shown


@pytest.mark.parametrize("seat", [0, 1, None])
def test_g16_what_everyone_sees(seat: Seat | None) -> None:
    table = begin_round(options=Options(seconds=90))
    table.play_script("at 5: seat 0 solves, lag 40\nat 6: wait")
    zero = table.round_start
    shown = view(table.state, seat)
    assert shown == View(
        seat=seat,
        players=2,
        options=Options(seconds=90),
        round=1,
        phase=Phase.SOLVING,
        playing=(0, 1),
        deciding=False,
        ready=(0, 1),
        starts=None,
        began=zero,
        sand=zero + 90_000,
        patience=None,
        books=table.state.books,
        points=(7, 0),
        deals=table.state.deals,
        placed=shown.placed,
        solutions=(Solution(seat=0, time=zero + 4960, arrived=zero + 5000),),
        settled=(0,),
        gave_up=(),
        outcome=None,
        choices=Choices(solve=seat == 1),
    )


def test_g16_outcome_is_public() -> None:
    table = begin_deciding_round(5, 5)
    assert view(table.state, 0).deciding
    assert view(table.state, 0).patience == table.round_start + 600_000
    table.play_script("at 1: seat 1 gives up")
    for seat in (0, 1, None):
        assert view(table.state, seat).outcome == Outcome(winners=(0,), points=(5, 5))
        assert view(table.state, seat).gave_up == (1,)
        assert view(table.state, seat).choices == Choices()


def test_choices_before_a_round() -> None:
    table = open_table(players=2)
    assert [choice_names(table, seat) for seat in (0, 1, None)] == ["ready", "ready", ""]
    table.play_script("at 1001: seat 1 is ready")
    assert [choice_names(table, seat) for seat in (0, 1, None)] == ["ready", "", ""]
    table.play_script("at 1001: seat 0 is ready")
    assert [choice_names(table, seat) for seat in (0, 1, None)] == ["", "", ""]


def test_the_choice_to_solve_ends_with_solving_or_giving_up() -> None:
    table = begin_round(players=3)
    assert [choice_names(table, seat) for seat in (0, 1, 2, None)] == ["solve"] * 3 + [""]
    table.play_script("at 1: seat 0 solves\nat 2: seat 1 gives up")
    assert [choice_names(table, seat) for seat in (0, 1, 2, None)] == ["", "", "solve", ""]
    table.play_script("at 3: seat 2 solves")
    assert [choice_names(table, seat) for seat in (0, 1, 2, None)] == ["ready"] * 3 + [""]


def test_second_chance_gives_back_the_choice_to_solve() -> None:
    table = begin_round()
    table.play_script("at 1: seat 0 gives up\nat 61: wait")
    assert choice_names(table, 0) == "solve"


def test_only_tied_seats_have_choices_in_a_deciding_round() -> None:
    held = (purse(ruby=1), purse(), purse(ruby=1))
    table = begin_round(players=3, round_number=9, held=held)
    table.play_script("at 121: wait")
    assert [choice_names(table, seat) for seat in (0, 1, 2, None)] == ["ready", "", "ready", ""]
    table.begin_next_round()
    assert [choice_names(table, seat) for seat in (0, 1, 2, None)] == ["solve", "", "solve", ""]


# ------------------------------------------------------------------------------------------ events


def test_g16_the_order_of_the_cards_is_hidden() -> None:
    shuffled = open_table().events[1]
    assert isinstance(shuffled, DeckShuffled)
    for seat in (0, None):
        hidden = DeckShuffled(at=shuffled.at, pieces=shuffled.pieces, cards=HIDDEN)
        assert mask(shuffled, seat) == hidden


def test_g16_others_see_only_that_something_moved() -> None:
    table = begin_round(players=3)
    placed = table.act(1, place_as_drawn(1, "1 1 1 .\n . . . ."), at=table.now, lag=7)[0]
    lifted = table.act(1, place_as_drawn(1, ". 1 1 1\n . . . ."), at=table.now, lag=9)[0]
    for event in (placed, lifted):
        assert mask(event, 1) == event
        for seat in (0, 2, None):
            assert mask(event, seat) == PieceMoved(at=event.at, seat=1)


@pytest.mark.parametrize(
    "event",
    [
        PiecePlaced(at=5, seat=1, piece=2, cells=(), lag=3),
        PieceLifted(at=5, seat=1, piece=2, lag=3),
    ],
)
def test_g16_placing_and_lifting_look_alike(event: PiecePlaced | PieceLifted) -> None:
    assert mask(event, 1) == event
    assert mask(event, 0) == mask(event, None) == PieceMoved(at=5, seat=1)


def test_g16_all_other_events_are_public() -> None:
    table = begin_round(players=3)
    table.play_script("at 1: seat 0 solves\nat 2: seat 1 gives up\nat 3: seat 2 gives up")
    secret = (PiecePlaced, PieceLifted, DeckShuffled)
    public = [event for event in table.events if not isinstance(event, secret)]
    assert {RoundBegan, CardSolved} <= {type(event) for event in public}
    for event in public:
        assert mask(event, 2) == mask(event, None) == event


def choice_names(table: ScriptedTable, seat: Seat | None) -> str:
    """`ready`, `solve` or nothing."""
    may = view(table.state, seat).choices
    return " ".join(name for name in ("ready", "solve") if getattr(may, name))


def test_open_view_shows_all_pieces() -> None:
    table = begin_with_a_piece_each()
    shown = open_view(table.state, None)
    assert shown.placed == table.state.placed
    assert msgspec.structs.replace(shown, placed={}) == view(table.state, None)
