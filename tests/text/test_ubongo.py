"""Ubongo as text. The pictures below are what the plain terminal shows."""

import msgspec
import pytest
from rich.console import Console

from pytlik.chance import from_text
from pytlik.game import Expire, Opening, Ready
from pytlik.i18n import catalogue
from pytlik.text.durations import format_time_left
from pytlik.text.layout import TextFormat
from pytlik.text.ubongo.cards import PIECE_SHADES, cells_by_name, draw_card, draw_piece, first_cell
from pytlik.text.ubongo.table import (
    draw_all_cards,
    draw_gems,
    draw_hourglass,
    draw_table,
)
from pytlik.ubongo import deck_files, rules, solver
from pytlik.ubongo.gem_ledger import purse
from pytlik.ubongo.hexes import Hex, parse_shape
from pytlik.ubongo.messages import Action, GiveUp, Place
from pytlik.ubongo.model import Colour, Deal, Gem, Options, State
from pytlik.ubongo.view import View, view

TRANSLATE = catalogue("en")
NAMES = ("You", "Ola")
PLAIN_FORMAT, RICH_FORMAT = TextFormat(plain=True), TextFormat()
CHANCE = from_text("text")

AREA = parse_shape(" o o\no o o\n o o")
BAR = parse_shape("o o o")
DEAL = Deal(card=7, side=3, colour=Colour.RED, area=AREA, pieces={2: BAR, 5: parse_shape("o o")})


def text_of(lines: object) -> str:
    assert isinstance(lines, list)
    return "\n".join(line.plain.rstrip() for line in lines)


def apply_actions(state: State, *steps: tuple[int | None, Action, int]) -> State:
    for seat, action, now in steps:
        for event in rules.decide(state, seat, action, CHANCE, now):
            state = rules.apply(state, event)
    return state


def begin_first_round(*, options: Options | None = None, players: int = 2) -> State:
    """A match at 10 seconds, when its first round has just begun."""
    opening = Opening(players=players, commitment="", shares=("",) * players)
    deck = deck_files.all_sides()
    state: State | None = None
    for event in rules.open_match(opening, options or Options(), CHANCE, 0, deck=deck):
        state = rules.apply(state, event)
    assert state is not None
    ready = ((seat, Ready(), 7_000) for seat in range(players))
    return apply_actions(state, *ready, (None, Expire(), 10_000))


def test_free_cells_have_names() -> None:
    assert text_of(draw_card(DEAL, {}, PLAIN_FORMAT, rows=1)) == (
        "   a1  a2\n b1  b2  b3\n   c1  c2"
    )
    assert cells_by_name(AREA)["b3"] == Hex(1, 1)


def test_covered_cells_have_the_number_of_their_piece() -> None:
    lying = {2: (Hex(-1, 1), Hex(0, 1), Hex(1, 1))}
    assert text_of(draw_card(DEAL, lying, PLAIN_FORMAT, rows=1)) == (
        "   a1  a2\n [2] [2] [2]\n   c1  c2"
    )


def test_piece_is_marked_at_the_cell_it_is_placed_by() -> None:
    bent = parse_shape(" o\no o")
    assert first_cell(bent) == Hex(0, 0)
    assert text_of(draw_piece(DEAL, 2, bent, PLAIN_FORMAT, rows=1)) == "   2*\n 2   2"


def test_colour_shows_every_cell_and_piece() -> None:
    lines = draw_card(DEAL, {2: (Hex(-1, 1), Hex(0, 1), Hex(1, 1))}, RICH_FORMAT, rows=2)
    console = Console(width=80, color_system="truecolor", force_terminal=True)
    grounds = set()
    for line in lines:
        grounds |= {
            s.style.bgcolor.name for s in console.render(line) if s.style and s.style.bgcolor
        }
    assert PIECE_SHADES[Colour.RED][0] in grounds
    assert len(grounds) >= 4  # the card, the piece, and at least two shades of white


def test_table_at_the_start_of_a_round() -> None:
    state = begin_first_round()
    picture = draw_table(view(state, 0), NAMES, TRANSLATE, PLAIN_FORMAT, now=19_001).plain
    lines = picture.splitlines()
    assert lines[0] == "Round 1 of 9   0:51 #################---   display 9 sapphires, 9 ambers"
    assert lines[1].split() == ["You", "0", "points", "solving", "-"]
    assert lines[3].startswith("Card ")
    assert picture.isascii()


def test_table_shows_who_has_solved_or_given_up() -> None:
    state = begin_first_round()
    found = find_solution(state, 1)
    steps = [(1, Place(piece, cells), 20_000) for piece, cells in found.items()]
    state = apply_actions(state, *steps)
    assert (
        "Ola  0 points   Ubongo!"
        in draw_table(view(state, 0), NAMES, TRANSLATE, PLAIN_FORMAT, now=20_000).plain
    )
    state = apply_actions(state, (None, Expire(), 20_250), (0, GiveUp(), 21_000))
    picture = draw_table(view(state, 0), NAMES, TRANSLATE, PLAIN_FORMAT, now=21_000).plain
    assert "gave up" in picture
    assert "Ubongo! 1st" in picture


def find_solution(state: State, seat: int) -> dict[int, tuple[Hex, ...]]:
    deal = state.deals[seat]
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found is not None
    return dict(zip(deal.pieces, found, strict=True))


def test_others_pieces_are_hidden_during_the_round() -> None:
    state = begin_first_round()
    piece, cells = next(iter(find_solution(state, 1).items()))
    after = apply_actions(state, (1, Place(piece, cells), 11_000))
    pictures = [
        draw_all_cards(view(s, 0), NAMES, TRANSLATE, PLAIN_FORMAT, now=12_000).plain
        for s in (state, after)
    ]
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize(
    ("until", "now", "shown"), [(61_000, 0, "1:01"), (1, 0, "0:01"), (0, 5, "0:00")]
)
def test_time_is_rounded_up(until: int, now: int, shown: str) -> None:
    assert format_time_left(until, now) == shown


def test_the_hourglass_runs() -> None:
    seen = view(begin_first_round(), 0)
    assert (
        draw_hourglass(seen, 10_000, TRANSLATE, PLAIN_FORMAT).plain == "1:00 ####################"
    )
    assert (
        draw_hourglass(seen, 40_000, TRANSLATE, PLAIN_FORMAT).plain == "0:30 ###########---------"
    )
    assert (
        draw_hourglass(seen, 70_000, TRANSLATE, PLAIN_FORMAT).plain == "0:00 --------------------"
    )
    untimed = view(begin_first_round(options=Options(seconds=None)), 0)
    assert draw_hourglass(untimed, 10_000, TRANSLATE, PLAIN_FORMAT).plain == "no timer"


def test_gems_in_words_and_as_symbols() -> None:
    gems = purse(ruby=1, amber=2)
    assert draw_gems(gems, TRANSLATE, PLAIN_FORMAT).plain == "1 ruby, 2 ambers"
    assert draw_gems(gems, TRANSLATE, RICH_FORMAT).plain == "◆1R ◆2A "
    assert draw_gems(purse(), TRANSLATE, PLAIN_FORMAT).plain == "-"
    assert set(gems) == set(Gem)


@pytest.mark.parametrize("pieces", [3, 4, 5])
@pytest.mark.parametrize("look", [PLAIN_FORMAT, RICH_FORMAT, TextFormat(width=120, height=40)])
def test_every_card_fits_into_the_terminal(pieces: int, look: TextFormat) -> None:
    options = msgspec.convert({"pieces": pieces}, type=Options)
    two, four = (begin_first_round(options=options, players=players) for players in (2, 4))
    deck = deck_files.all_sides()
    for number, each in enumerate(deck.cards):
        colour = tuple(Colour)[number % 4]
        side = each.sides[pieces]
        deal = Deal(
            card=each.id,
            side=options.pieces,
            colour=colour,
            area=side.area,
            pieces={n: deck.pieces[colour][n] for n in side.sets[colour]},
        )
        pictures = (
            draw_table(view_with_deal(two, deal), NAMES, TRANSLATE, look, now=10_000),
            draw_all_cards(view_with_deal(four, deal), NAMES * 2, TRANSLATE, look, now=10_000),
        )
        for line in (line for picture in pictures for line in picture.split("\n")):
            assert line.cell_len <= look.width


def view_with_deal(state: State, deal: Deal) -> View:
    """What the first seat sees if everyone has this deal."""
    return view(msgspec.structs.replace(state, deals=dict.fromkeys(state.playing, deal)), 0)
