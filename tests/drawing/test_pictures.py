"""Pictures: as on the page, complete, and without anything that the viewer may not know."""

import re
from math import sqrt
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pytlik.drawing.hexes import bounding_box, outline_path
from pytlik.drawing.picture import Picture
from pytlik.drawing.pieces import (
    CARD_COLOUR,
    CARD_INK_COLOUR,
    CARD_LINE_COLOUR,
    CELL_COLOUR,
    CELL_GAP_COLOUR,
    RIM_COLOUR,
)
from pytlik.drawing.primitives import DOT_SPACING_AND_RADIUS, STRIPE_SPACING_AND_WIDTH, Group
from pytlik.drawing.style import SKINS, Skin, Style, default_skin
from pytlik.drawing.tiles import tile_marks
from pytlik.drawing.ubongo_pictures import (
    card_picture,
    deal_picture,
    find_solution,
    pieces_picture,
    side_picture,
    view_picture,
)
from pytlik.drawing.unikat_pictures import (
    board_picture,
    contents_from_state,
    contents_from_view,
    hand_picture,
    table_picture,
    tile_picture,
)
from pytlik.games import UBONGO, UNIKAT
from pytlik.i18n import languages
from pytlik.matchfile import states
from pytlik.ubongo import deck_files
from pytlik.ubongo.hexes import Hex, parse_shape
from pytlik.ubongo.model import Colour, Deal
from pytlik.ubongo.pieces import PIECES
from pytlik.ubongo.view import view as ubongo_view
from pytlik.unikat.model import TILES, State, Tile
from pytlik.unikat.view import view as unikat_view
from tests.random_matches import play_random_match

PAGE_SOURCE = Path(__file__).parents[2] / "web" / "src"
SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"


def parse_picture(picture: Picture) -> ET.Element:
    root = ET.fromstring(picture.svg)
    assert root.tag == f"{SVG_NAMESPACE}svg"
    assert root.findtext(f"{SVG_NAMESPACE}title")
    return root


def texts_in(picture: Picture) -> list[str]:
    return [text.text or "" for text in parse_picture(picture).iter(f"{SVG_NAMESPACE}text")]


def tiles_in(picture: Picture, skin: Skin = "huch") -> list[Tile]:
    """The tiles in a picture."""
    tiles_by_marks = {tile_marks(one, skin): one for one in TILES}
    return [tiles_by_marks[mark.marks] for mark in picture.marks
            if isinstance(mark, Group) and mark.marks in tiles_by_marks]  # fmt: skip


def middle_of_match() -> State:
    found: State = list(states(play_random_match(UNIKAT, 3, "a match")))[60]
    return found


# ----------------------------------------------------------------------------------- as on the page


def test_patterns_and_card_colours_match_the_page() -> None:
    page = (PAGE_SOURCE / "games" / "unikat" / "add-tile-patterns.ts").read_text(encoding="utf-8")
    assert re.findall(r'<rect width="(\d+)" height="26"', page) == [
        f"{n:g}" for n in STRIPE_SPACING_AND_WIDTH
    ]
    assert (
        f'<rect width="{DOT_SPACING_AND_RADIUS[0]:g}" height="{DOT_SPACING_AND_RADIUS[0]:g}"'
        in page
    )
    assert f'r="{DOT_SPACING_AND_RADIUS[1]:g}"' in page
    card = (PAGE_SOURCE / "games" / "ubongo" / "colours.css").read_text(encoding="utf-8")
    names = ("card", "card-line", "card-ink", "rim", "ground", "white")
    ours = (
        CARD_COLOUR,
        CARD_LINE_COLOUR,
        CARD_INK_COLOUR,
        RIM_COLOUR,
        CELL_GAP_COLOUR,
        CELL_COLOUR,
    )
    for name, colour in zip(names, ours, strict=True):
        assert f"--{name}: light-dark({colour}, " in card


def test_default_skin_of_each_language() -> None:
    skins = {lang: default_skin(lang) for lang in languages()}
    assert {lang for lang, skin in skins.items() if skin == "granna"} == {"pl", "cs", "sk", "uk"}


# -------------------------------------------------------------------------------------------- tiles


@pytest.mark.parametrize("skin", SKINS)
def test_all_tiles_differ_even_without_colours(skin: Skin) -> None:
    pictures = [tile_picture(one, Style(skin=skin)) for one in TILES]
    assert len({picture.svg for picture in pictures}) == 81
    assert len({picture.title for picture in pictures}) == 81
    # Patterns must differ in form, so their names in the document don't count.
    grey = [re.sub(r"#[0-9a-f]{6}|[0-9a-f]{8}-0", "", picture.svg) for picture in pictures]
    drawings = [re.sub("<title>.*</title>", "", text) for text in grey]
    assert len(set(drawings)) == 81


def test_without_patterns_there_are_only_colours() -> None:
    picture = tile_picture(Tile("0122"), Style(patterns=False))
    assert "pattern" not in picture.svg
    assert "pattern" in tile_picture(Tile("0122")).svg


def test_pictures_do_not_share_pattern_names() -> None:
    one, other = (tile_picture(Tile(code)).svg for code in ("0100", "1100"))
    names = [set(re.findall(r'pattern id="([^"]+)"', svg)) for svg in (one, other)]
    assert all(names)
    assert not names[0] & names[1]
    assert all(f"url(#{name})" in one for name in names[0])


def test_tile_titles_are_translated() -> None:
    assert tile_picture(Tile("0000")).title == "circle, orange, small, on white"
    czech = Style(skin="granna", lang="cs")
    # Colour and size agree with the shape.
    assert tile_picture(Tile("0000"), czech).title == "hvězdička, modrá, malá, bílé pozadí"
    assert tile_picture(Tile("2000"), czech).title == "čtverec, modrý, malý, bílé pozadí"


def test_a_hand_is_drawn_in_rows_of_ten() -> None:
    picture = hand_picture(TILES[:13])
    assert tiles_in(picture) == list(TILES[:13])
    assert picture.width == 5 * picture.height


# ------------------------------------------------------------------------------------------- tables


def test_state_picture_shows_board_display_and_all_hands() -> None:
    state = middle_of_match()
    picture = table_picture(contents_from_state(state), Style(names=("Ola", "Max", "Hana")))
    shown = [*state.board.values(), *state.display, *(t for hand in state.hands for t in hand)]
    assert tiles_in(picture) == shown
    assert {"Ola", "Max", "Hana", f"bag {len(state.bag)}"} <= set(texts_in(picture))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_view_picture_shows_only_the_own_hand(seat: int | None) -> None:
    state = middle_of_match()
    picture = table_picture(contents_from_view(unikat_view(state, seat)))
    own = () if seat is None else state.hands[seat]
    assert tiles_in(picture) == [*state.board.values(), *state.display, *own]


def test_finished_round_shows_all_hands() -> None:
    state = list(states(play_random_match(UNIKAT, 2, "to the end")))[-1]
    left = sum(map(len, state.hands))
    picture = table_picture(contents_from_view(unikat_view(state, None)))
    assert len(tiles_in(picture)) == len(state.board) + len(state.display) + left


def test_board_picture_encloses_its_tiles() -> None:
    state = middle_of_match()
    picture = board_picture(state.board.stones)
    assert tiles_in(picture) == list(state.board.values())
    parse_picture(picture)
    for mark in picture.marks:
        if isinstance(mark, Group):
            assert 0 < mark.x < picture.width - 40
            assert 0 < mark.y < picture.height - 40


# ------------------------------------------------------------------------------------------- hexes


def path_points(path: str) -> list[tuple[float, float]]:
    values = [float(value) for value in re.findall(r"-?[\d.]+", path)]
    return list(zip(values[::2], values[1::2], strict=True))


@pytest.mark.parametrize("colour", Colour)
def test_outline_encloses_the_area_of_its_cells(colour: Colour) -> None:
    for cells in PIECES[colour].values():
        points = path_points(outline_path(cells))
        around = zip(points, [*points[1:], points[0]], strict=True)
        twice = sum(x * v - u * y for (x, y), (u, v) in around)
        assert twice / 2 == pytest.approx(len(cells) * 1.5 * sqrt(3), abs=0.02)


def test_an_outline_with_a_hole_has_two_rings() -> None:
    ring = parse_shape(" o o\no . o\n o o")
    assert outline_path(ring).count("M") == 2
    assert bounding_box([Hex(0, 0)]).width == pytest.approx(sqrt(3))


# ----------------------------------------------------------------------------------------- puzzles


def deal_of(number: int, side: int, colour: Colour) -> Deal:
    found = deck_files.all_sides().cards[number - 1].sides[side]
    pieces = {n: PIECES[colour][n] for n in found.sets[colour]}
    return Deal(card=number, side=side, colour=colour, area=found.area, pieces=pieces)  # type: ignore[arg-type]


def test_card_shows_the_pieces_of_every_colour() -> None:
    card = deck_files.load().cards[30]
    texts = texts_in(card_picture(card))
    for side in card.sides.values():
        alone = texts_in(side_picture(side, "one side"))
        for chosen in side.sets.values():
            assert {*map(str, chosen)} <= set(alone) & set(texts)


@pytest.mark.parametrize("colour", Colour)
def test_a_deal_is_drawn_with_and_without_its_solution(colour: Colour) -> None:
    deal = deal_of(31, 4, colour)
    found = find_solution(deal.area, deal.pieces)
    assert sorted(cell for cells in found.values() for cell in cells) == sorted(deal.area)
    empty, full = deal_picture(deal), deal_picture(deal, found)
    assert (
        sorted(texts_in(empty)) == sorted(texts_in(full)) == sorted(["card 31", *map(str, found)])
    )
    assert full.height < empty.height


def test_unsolvable_puzzle_has_no_solution_to_draw() -> None:
    assert find_solution((Hex(0, 0),), {1: PIECES[Colour.RED][1]}) == {}


def test_all_or_some_pieces_of_a_colour_are_drawn() -> None:
    assert texts_in(pieces_picture(Colour.BLUE)) == [str(number) for number in range(1, 14)]
    assert texts_in(pieces_picture(Colour.BLUE, (3, 12))) == ["3", "12"]


def test_view_picture_shows_only_pieces_the_seat_may_see() -> None:
    hidden = 0
    for state in states(play_random_match(UBONGO, 3, "another")):
        view = ubongo_view(state, 1)
        picture = view_picture(view, Style(names=("Ola", "Max", "Hana")))
        assert {"Ola", "Max", "Hana"} <= set(texts_in(picture))
        # The edge of a piece, which makes it look thick, is drawn once per piece.
        shown = picture.svg.count('"translate(0 0.13)"')
        assert shown == sum(map(len, view.placed.values()))
        hidden += sum(map(len, state.placed.values())) - shown
    assert hidden


def test_paths_only_have_absolute_commands() -> None:
    """The parser for printing reads no others."""

    def paths(picture: Picture) -> set[str]:
        return set(re.findall(r' d="([^"]+)"', picture.svg))

    pictures = [tile_picture(one, Style(skin=skin)) for one in TILES for skin in SKINS]
    pictures += [card_picture(deck_files.load().cards[0]), pieces_picture(Colour.RED)]
    letters = set("".join(re.sub(r"[-\d. ]", "", path) for p in pictures for path in paths(p)))
    assert letters <= set("MLHVCSQAZ")
