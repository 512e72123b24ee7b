"""G3 to G6: what a table chooses, and what everyone draws."""

from typing import Literal

import msgspec
import pytest

from pytlik.chance import from_text
from pytlik.game import Malformed, Opening, Ready, Reason
from pytlik.ubongo.messages import DeckShuffled, MatchOpened, RoundBegan
from pytlik.ubongo.model import Colour, Deck, Options, Phase, Side, SideName
from pytlik.ubongo.rules import open_match
from tests.ubongo.drawn_cards import (
    FIVE_PIECE_CARD,
    FOUR_PIECE_CARD,
    THREE_PIECE_CARD,
    make_deck,
    make_side,
)
from tests.ubongo.scripted_table import ScriptedTable, begin_round, open_table

# ------------------------------------------------------------------------------------ the options


def test_g03_timer_runs_a_minute_unless_options_differ() -> None:
    assert sand_ms(Options()) == 60_000
    assert sand_ms(Options(seconds=30)) == 30_000
    assert sand_ms(Options(seconds=600)) == 600_000
    assert sand_ms(Options(seconds=None)) is None


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ('{"seconds": 30}', True),
        ('{"seconds": 600}', True),
        ('{"seconds": null}', True),
        ('{"seconds": 29}', False),
        ('{"seconds": 601}', False),
        ('{"pieces": 5}', True),
        ('{"pieces": 2}', False),
        ('{"patience": null}', True),
        ('{"patience": 29}', False),
    ],
)
def test_g03_g04_g15_options_have_limits(text: str, fits: bool) -> None:
    try:
        msgspec.json.decode(text, type=Options)
    except msgspec.ValidationError:
        assert not fits
    else:
        assert fits


# ------------------------------------------------------------------------------------ setting up


def test_g04_three_pieces_by_default() -> None:
    assert Options().pieces == 3
    assert sides_of(begin_round(options=Options())) == [3, 3]
    assert areas_of(begin_round(options=Options())) == [
        make_side(THREE_PIECE_CARD),
        make_side(THREE_PIECE_CARD),
    ]


@pytest.mark.parametrize(
    ("pieces", "drawing"), [(3, THREE_PIECE_CARD), (4, FOUR_PIECE_CARD), (5, FIVE_PIECE_CARD)]
)
def test_g04_everyone_has_the_same_side(pieces: SideName, drawing: str) -> None:
    table = begin_round(options=Options(pieces=pieces))
    assert sides_of(table) == [pieces, pieces]
    assert areas_of(table) == [make_side(drawing), make_side(drawing)]


def test_g04_handicap_gives_each_player_a_side() -> None:
    table = begin_round(players=3, options=Options(pieces=4, handicap=(3, 5, 4)))
    assert sides_of(table) == [3, 5, 4]
    assert areas_of(table) == [
        make_side(THREE_PIECE_CARD),
        make_side(FIVE_PIECE_CARD),
        make_side(FOUR_PIECE_CARD),
    ]


@pytest.mark.parametrize("handicap", [(3,), (3, 4, 3)])
def test_g04_a_handicap_names_every_seat(handicap: tuple[SideName, ...]) -> None:
    with pytest.raises(Malformed) as caught:
        open_table(players=2, options=Options(handicap=handicap))
    assert caught.value.reason is Reason.BAD_REQUEST


def test_g04_same_puzzle_for_everyone() -> None:
    table = begin_round(players=3, options=Options(same_puzzle=True))
    assert len({(deal.card, deal.colour) for deal in table.state.deals.values()}) == 1
    assert len(table.state.cards) == 40 - 1


def test_g04_same_puzzle_with_a_handicap_is_the_same_card() -> None:
    table = begin_round(options=Options(same_puzzle=True, handicap=(3, 4)))
    assert len({deal.card for deal in table.state.deals.values()}) == 1
    assert sides_of(table) == [3, 4]


def test_g04_the_cards_are_shuffled() -> None:
    table = open_table()
    numbers = [card.id for card in table.state.cards]
    assert sorted(numbers) == list(range(1, 41))
    assert numbers != sorted(numbers)
    other = open_table(chance=from_text("another"))
    assert numbers != [card.id for card in other.state.cards]


def test_g04_cards_without_the_sides_in_play_are_left_out() -> None:
    whole = make_deck(cards=41)
    blank = msgspec.structs.replace(whole.cards[0], sides={3: whole.cards[0].sides[3]})
    partly = msgspec.structs.replace(whole, cards=(blank, *whole.cards[1:]))
    assert len(open_table(cards=partly).state.cards) == 41
    assert len(open_table(cards=partly, options=Options(pieces=4)).state.cards) == 40
    assert len(open_table(cards=partly, options=Options(handicap=(3, 4))).state.cards) == 40


@pytest.mark.parametrize(("players", "enough"), [(2, 20), (3, 30), (4, 40)])
def test_g04_the_deck_must_last_ten_rounds(players: int, enough: int) -> None:
    open_table(players=players, cards=make_deck(cards=enough))
    with pytest.raises(Malformed) as caught:
        open_table(players=players, cards=make_deck(cards=enough - 1))
    assert caught.value.reason is Reason.BAD_REQUEST


def test_g04_first_events_of_a_match() -> None:
    opening = Opening(players=2, commitment="c0", shares=("s1", "s2"))
    events = open_match(opening, Options(seconds=90), from_text("x"), 77, deck=make_deck())
    assert events[0] == MatchOpened(
        at=77, players=2, options=Options(seconds=90), commitment="c0", shares=("s1", "s2")
    )
    assert isinstance(events[1], DeckShuffled)
    assert len(events) == 2


@pytest.mark.parametrize(("rounds", "enough"), [(3, 8), (5, 12)])
def test_g04_a_shorter_match_needs_fewer_cards(rounds: Literal[3, 5], enough: int) -> None:
    options = Options(rounds=rounds)
    open_table(options=options, cards=make_deck(cards=enough))
    with pytest.raises(Malformed):
        open_table(options=options, cards=make_deck(cards=enough - 1))


@pytest.mark.parametrize("rounds", [3, 5])
def test_g05_a_shorter_match_has_fewer_gems_in_its_display(rounds: Literal[3, 5]) -> None:
    table = open_table(options=Options(rounds=rounds))
    assert table.display_gems == f"{rounds} sapphire, {rounds} amber"
    assert table.bag_gems == "9 ruby, 9 sapphire, 9 emerald, 9 amber"


def test_g05_matches_without_a_number_of_rounds_have_nine() -> None:
    """They were stored before tables could choose it."""
    stored = b'{"pieces":3,"handicap":[],"same_puzzle":false,"seconds":60,"patience":600}'
    assert msgspec.json.decode(stored, type=Options) == Options(rounds=9)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g05_display_and_bag(players: int) -> None:
    table = open_table(players=players)
    assert table.display_gems == "9 sapphire, 9 amber"
    assert table.bag_gems == "9 ruby, 9 sapphire, 9 emerald, 9 amber"
    assert [table.held_gems(seat) for seat in range(players)] == [""] * players


# ------------------------------------------------------------------------------ a round's beginning


def test_g06_everyone_draws_a_token_of_a_different_colour() -> None:
    drawn = set[tuple[Colour, ...]]()
    for seed in range(30):
        table = open_table(players=3, chance=from_text(str(seed))).begin_next_round()
        colours = [deal.colour for deal in table.state.deals.values()]
        assert len(set(colours)) == 3
        drawn.add(tuple(colours))
    assert {colours[0] for colours in drawn} == set(Colour)
    assert len(drawn) > 10


def test_g06_drawing_tokens_moves_no_gems() -> None:
    table = open_table(players=4)
    before = table.state.books
    assert table.begin_next_round().state.books == before


def test_g06_tokens_are_drawn_again_each_round() -> None:
    table = open_table(players=4)
    drawn = set[tuple[Colour, ...]]()
    for _ in range(9):
        table.begin_next_round()
        drawn.add(tuple(deal.colour for deal in table.state.deals.values()))
        table.play_script("\n".join(f"at 1: seat {seat} solves" for seat in range(4)))
    assert len(drawn) > 3


def test_g06_each_takes_the_top_card() -> None:
    table = open_table(players=3)
    pile = [card.id for card in table.state.cards]
    table.begin_next_round()
    assert [deal.card for deal in table.state.deals.values()] == pile[:3]
    assert [card.id for card in table.state.cards] == pile[3:]


def test_g06_each_takes_the_pieces_shown_for_their_colour() -> None:
    """In this deck, blue pieces are numbered from 11, green from 21 and yellow from 31."""
    table = open_table(players=4, cards=with_own_numbers(make_deck())).begin_next_round()
    tens = {Colour.RED: 0, Colour.BLUE: 10, Colour.GREEN: 20, Colour.YELLOW: 30}
    for deal in table.state.deals.values():
        ten = tens[deal.colour]
        assert list(deal.pieces) == [ten + 1, ten + 2, ten + 3]
        assert deal.pieces == {n: table.state.pieces[deal.colour][n] for n in deal.pieces}


def test_g06_a_round_begins_when_all_are_ready() -> None:
    table = open_table(players=3)
    begins = table.now
    assert table.play_script("""
        at 1000: seat 2 is ready
        at 1001: seat 2 is ready
        at 1002: seat 0 is ready
    """).splitlines() == ["1000.000 seat 2 is ready", "1002.000 seat 0 is ready"]
    assert table.phase() is Phase.READY
    assert table.play_script("at 1003: seat 1 is ready").splitlines() == [
        "1003.000 seat 1 is ready",
        "1003.000 round 1 is to begin at 1006.000",
    ]
    assert table.phase() is Phase.COUNTDOWN
    assert not table.state.deals
    assert table.play_script("at 1005.999: wait") == ""
    assert table.play_script("at 1006: wait") == "1006.000 round 1 begins"
    assert table.phase() is Phase.SOLVING
    assert table.state.began == begins + 6000


def test_g06_being_ready_twice_changes_nothing() -> None:
    table = open_table()
    table.act(0, Ready(), at=table.now)
    before = table.state
    assert table.act(0, Ready(), at=table.now) == []
    assert table.state == before


# ------------------------------------------------------------------------------------- helpers


def sand_ms(options: Options) -> int | None:
    began = begin_round(options=options).events[-1]
    assert isinstance(began, RoundBegan)
    return None if began.sand is None else began.sand - began.at


def sides_of(table: ScriptedTable) -> list[SideName]:
    return [deal.side for deal in table.state.deals.values()]


def areas_of(table: ScriptedTable) -> list[Side]:
    return [
        Side(area=deal.area, sets={colour: tuple(deal.pieces) for colour in Colour})
        for deal in table.state.deals.values()
    ]


def with_own_numbers(whole: Deck) -> Deck:
    """The same deck, with piece numbers that no two colours share."""
    tens = {colour: 10 * index for index, colour in enumerate(Colour)}
    pieces = {
        colour: {tens[colour] + number: cells for number, cells in shapes.items()}
        for colour, shapes in whole.pieces.items()
    }
    numbered = tuple(
        msgspec.structs.replace(
            card,
            sides={
                name: msgspec.structs.replace(
                    shown,
                    sets={c: tuple(tens[c] + n for n in ns) for c, ns in shown.sets.items()},
                )
                for name, shown in card.sides.items()
            },
        )
        for card in whole.cards
    )
    return msgspec.structs.replace(whole, pieces=pieces, cards=numbered)
