"""Unikat as text. The pictures below are what the plain terminal shows."""

from itertools import product
from typing import Any

import msgspec
import pytest
from rich.console import Console

from pytlik.i18n import catalogue
from pytlik.score_sheet import Row
from pytlik.text.layout import TextFormat
from pytlik.text.unikat.board import Draft
from pytlik.text.unikat.table import (
    describe_feature_clash,
    draw_score_sheet,
    draw_table,
    status_line,
)
from pytlik.text.unikat.tiles import TILE_WIDTH, describe_tile, draw_tile, replace_tile_codes
from pytlik.unikat.model import TILES, Board, Cell, Options, Phase, Placement, State, Tile
from pytlik.unikat.view import View, view

TRANSLATE = catalogue("en")
NAMES = ("You", "Ola")
PLAIN_FORMAT = TextFormat(plain=True)


def parse_tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(Tile, text.split()))


def make_state(*placed: str, hand: str = "0001 2222", display: str = "1111", **more: Any) -> State:
    """Make a round of two: `make_state("0000 0 0", "0100 1 0")`."""
    words = (line.split() for line in placed)
    board = Board(Placement(Tile(tile), int(x), int(y)) for tile, x, y in words)
    state = State(
        options=Options(rounds=2),
        players=2,
        round=1,
        board=board,
        hands=(parse_tiles(hand), parse_tiles("2000 2001 2002")),
        known=(frozenset(), frozenset()),
        display=parse_tiles(display),
        bag=parse_tiles("1200 1201"),
        phase=Phase.ACTION,
    )
    return msgspec.structs.replace(state, **more)


def draw_text(seen: View, draft: Draft | None = None, look: TextFormat = PLAIN_FORMAT) -> str:
    text = draw_table(seen, NAMES, TRANSLATE, look, draft=draft)
    return "\n".join(line.rstrip() for line in text.plain.splitlines())


def test_table_with_coordinates_display_and_rack() -> None:
    state = make_state("0000 0 0", "0100 1 0", latest=(Placement(Tile("0100"), 1, 0),))
    assert draw_text(view(state, 0)) == (
        "Round 1 of 2   > You 2   Ola 3   bag 2\n"
        "      -1    0     1     2\n"
        " -1  .     .     .     .\n"
        "  0  .    0000  0100*  .\n"
        "  1  .     .     .     .\n"
        "display  1 1111\n"
        "  a 0001  circle, orange, small, on grey\n"
        "  b 2222  cross, blue, big, on black"
    )


def test_places_for_a_chosen_tile_are_numbered_and_listed() -> None:
    seen = view(make_state("0000 0 0", "0100 1 0"), 0)
    tile = Tile("0001")
    picture = draw_text(seen, Draft(chosen=tile, places=seen.choices.lay[tile]))
    assert picture.splitlines()[1:7] == [
        "      -1    0     1     2",
        " -1  .    [1]    .     .",
        "  0 [3]   0000  0100   .",
        "  1  .    [2]    .     .",
        "It fits at  [1] 0,-1  [2] 0,1  [3] -1,0",
        "display  1 1111",
    ]


def test_drafted_chain_is_on_the_board_and_off_the_rack() -> None:
    seen = view(make_state("0000 0 0"), 0)
    picture = draw_text(seen, Draft(chain=(Placement(Tile("0001"), 0, 1),)))
    assert "  1  .    0001*  .\n" in picture
    assert "a 0001" not in picture


def test_hidden_tiles_are_not_shown() -> None:
    picture = draw_text(view(make_state("0000 0 0"), 0))
    assert all(tile not in picture for tile in ("2000", "2001", "2002", "1200", "1201"))


def test_all_hands_are_shown_when_the_round_is_over() -> None:
    over = make_state(
        "0000 0 0",
        phase=Phase.OVER,
        winners=(0,),
        ended="blocked",
        sheet=(Row(points=(2, 3), winners=(0,)),),
    )
    assert "Ola  2000 2001 2002" in draw_text(view(over, 0))


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "Your turn: lay tiles or swap"),
        ({"phase": Phase.BONUS}, "Double turn: one more action, or done"),
        ({"phase": Phase.DRAW}, "Draw a tile"),
        ({"to_move": 1}, "Ola is thinking."),
        ({"hands": (parse_tiles("2222"), parse_tiles("2000"))}, "Your turn: nothing fits, so swap"),
        (
            {"hands": (parse_tiles("2222"), parse_tiles("2000")), "display": "", "bag": ()},
            "You can't lay or swap, so pass",
        ),
        (
            {"phase": Phase.OVER, "winners": (0,), "ended": "last tile"},
            "You laid your last tile. You win the round!",
        ),
        (
            {"phase": Phase.OVER, "winners": (0, 1), "ended": "blocked"},
            "The round is stuck. It goes to You and Ola, with the fewest tiles.",
        ),
    ],
)
def test_status_line(changes: dict[str, Any], line: str) -> None:
    assert status_line(view(make_state("0000 0 0", **changes), 0), NAMES, TRANSLATE) == line


def test_tied_round_is_won_together() -> None:
    names = ["Ty", "Ola", "Max"]

    def result(*winners: int) -> str:
        over = make_state("0000 0 0", phase=Phase.OVER, winners=winners, ended="blocked")
        return status_line(view(over, 0), names, catalogue("pl")).replace("\u00a0", " ")

    assert result(1) == "Impas! Ola ma najmniej kafelków i wygrywa rundę."
    assert result(0, 1) == "Impas! Najmniej kafelków i wspólne zwycięstwo w rundzie: Ty i Ola."


def test_the_score_sheet() -> None:
    rows = (Row(points=(0, 4), winners=(0,)), Row(points=(3, 3), winners=(0, 1)))
    seen = view(make_state("0000 0 0", sheet=rows, phase=Phase.OVER), 0)
    assert draw_score_sheet(seen, NAMES, TRANSLATE, PLAIN_FORMAT).plain == (
        "Round       You     Ola\n"
        "1            *0       4\n"
        "2            *3      *3\n"
        "Total         3       7"
    )


def test_a_refusal_names_the_features_that_clash() -> None:
    detail = {"features": ["shape", "size"], "neighbour": Tile("0000")}
    assert describe_feature_clash(detail, TRANSLATE) == "It differs from 0000 in shape and size."


def test_a_tile_in_words() -> None:
    assert describe_tile(Tile("0210"), TRANSLATE) == "circle, blue, medium, on white"
    # Colour and size agree with the shape.
    assert describe_tile(Tile("0210"), catalogue("pl")) == "koło, niebieskie, średnie, białe tło"
    assert describe_tile(Tile("1210"), catalogue("pl")) == "kwadrat, niebieski, średni, białe tło"


def test_all_tiles_look_different_even_without_hue() -> None:
    looks = set()
    for tile in TILES:
        rows = [draw_tile(tile, row, 2, dark=False) for row in range(2)]
        assert all(row.cell_len == TILE_WIDTH for row in rows)
        paper = str(rows[0].style).split(" on ")[1]  # white, grey or black
        looks.add((tuple(row.plain for row in rows), paper))
    assert len(looks) == 81


def test_tile_codes_become_pictures_only_in_capable_terminals() -> None:
    line = "Ola lays 1 tile: 0110 1,0"
    assert replace_tile_codes(line, PLAIN_FORMAT).plain == line
    assert replace_tile_codes(line, TextFormat()).plain == "Ola lays 1 tile:  ◍ ◍  1,0"


def state_with_long_row(length: int) -> State:
    """A row of tiles that a real match could have: each differs from the next in one feature."""
    codes, line = ["".join(code) for code in product("012", repeat=4)], ["0000"]
    while len(line) < length:
        last = Tile(line[-1])
        line.append(
            next(c for c in codes if c not in line and len(last.differing_features(Tile(c))) == 1)
        )
    return make_state(
        *(f"{code} {x} 0" for x, code in enumerate(line)), hand="2222", display="2221"
    )


@pytest.mark.parametrize("look", [PLAIN_FORMAT, TextFormat(), TextFormat(width=60, height=20)])
def test_a_table_that_is_too_wide_is_clipped_and_says_so(look: TextFormat) -> None:
    seen = view(state_with_long_row(40), 0)
    picture = draw_table(seen, NAMES, TRANSLATE, look)
    assert all(line.cell_len <= look.width for line in picture.split("\n"))
    assert "pan left" in picture.plain


def test_panning_shows_another_part() -> None:
    seen = view(state_with_long_row(40), 0)
    shown = [
        draw_table(seen, NAMES, TRANSLATE, PLAIN_FORMAT, pan=Cell(x, 0)).plain for x in (0, 30)
    ]
    assert "0000" in shown[0]
    assert "0000" not in shown[1]


def test_sixty_tiles_fit_into_a_small_terminal() -> None:
    # A block of 9 by 9 in which neighbours differ in one feature: two Gray codes of three digits.
    gray = ["00", "01", "02", "12", "11", "10", "20", "21", "22"]
    placed = [f"{a}{b} {x} {y}" for y, a in enumerate(gray) for x, b in enumerate(gray)][:60]
    seen = view(make_state(*placed, hand="2222 2221", display="2220"), 0)
    look = TextFormat()
    picture = draw_table(seen, NAMES, TRANSLATE, look)
    lines = picture.split("\n")
    assert len(lines) <= look.height - 2
    assert all(line.cell_len <= look.width for line in lines)
    assert "pan left" not in picture.plain


def test_colours_are_used_in_a_terminal_that_has_them() -> None:
    console = Console(width=80, color_system="truecolor", force_terminal=True)
    segments = console.render(
        draw_table(view(make_state("0000 0 0"), 0), NAMES, TRANSLATE, TextFormat())
    )
    grounds = {s.style.bgcolor.name for s in segments if s.style and s.style.bgcolor}
    assert {"#ffffff", "#2c5a4b"} <= grounds


def test_plain_text_is_ascii_without_styles() -> None:
    text = draw_table(view(make_state("0000 0 0"), 0), NAMES, TRANSLATE, PLAIN_FORMAT)
    assert text.plain.isascii()
    assert not [span for span in text.spans if span.style]
