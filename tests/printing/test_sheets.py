"""Printed sheets: true to size, complete, with fronts and backs that match, in all languages."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from pytlik.drawing.hexes import bounding_box
from pytlik.drawing.primitives import Group, Text
from pytlik.drawing.style import SKINS
from pytlik.drawing.ubongo_pictures import flattest_orientation
from pytlik.i18n import catalogue, languages
from pytlik.printing.page_elements import CUT_LINE_WIDTH_MM, PAPERS, PaperName
from pytlik.printing.pdf import text_width
from pytlik.printing.printout import (
    PART_BUILDERS,
    PrintOrder,
    build_printout,
    default_parts,
    render_pdf,
)
from pytlik.printing.rules import CHAPTERS, rules_pages
from pytlik.printing.ubongo import CELL_RADIUS_MM, CELL_WIDTH_MM, GEM_SIDE_MM
from pytlik.printing.ubongo_cards import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    solution_pages,
    turn_to_fit_card,
)
from pytlik.printing.unikat import RACK_WIDTH_MM, TILE_SIDE_MM
from pytlik.ubongo import deck_files
from pytlik.ubongo.model import Colour, Gem
from pytlik.ubongo.pieces import PIECES
from tests.printing.pdf_reader import PathBox, PdfSheets

PIECE_PAGES, CARD_PAGES, EXPERT_PAGES, GEM_PAGE = range(2, 10), range(10, 38), range(38, 52), 52
"""The pages of the parts if all are printed, counted from 0."""


def print_everything(order: PrintOrder) -> bytes:
    return render_pdf(build_printout(order), order)


@cache
def unikat_sheets(paper: PaperName = "a4") -> PdfSheets:
    order = PrintOrder("unikat", default_parts("unikat"), paper, SKINS, catalogue("en"))
    return PdfSheets(print_everything(order))


@cache
def ubongo_sheets() -> PdfSheets:
    parts = tuple(part for part in PART_BUILDERS["ubongo"] if part != "solutions")
    order = PrintOrder("ubongo", parts, "a4", SKINS[:1], catalogue("en"))
    return PdfSheets(print_everything(order))


@cache
def ubongo_letter_sheets() -> PdfSheets:
    """Ubongo's cards: the first pages are enough to check their positions."""
    order = PrintOrder("ubongo", ("cards",), "letter", SKINS[:1], catalogue("en"))
    booklet = build_printout(order)
    return PdfSheets(render_pdf(replace(booklet, pages=booklet.pages[:4]), order))


def boxes_of_size(found: list[PathBox], width: float, height: float) -> list[PathBox]:
    """Cut lines around this size. PDFium adds the line's own width on both sides."""
    by = 2 * CUT_LINE_WIDTH_MM
    return [
        one for one in found
        if abs(one.width - by - width) < 0.05 and abs(one.height - by - height) < 0.05
    ]  # fmt: skip


def test_pages_have_the_size_of_the_paper() -> None:
    for name, paper in PAPERS.items():
        sheets = unikat_sheets(name)
        sizes = [sheets.size(page) for page in range(len(sheets))]
        racks = slice(6, 10)
        assert sizes[racks] == [pytest.approx((paper.height, paper.width), abs=0.01)] * 4
        for size in (*sizes[:6], sizes[10]):
            assert size == pytest.approx((paper.width, paper.height), abs=0.01)


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_the_first_page_has_rulers(game: str) -> None:
    sheets = unikat_sheets() if game == "unikat" else ubongo_sheets()
    lines = [path.width - 0.6 for path in sheets.paths(0) if path.height < 1 and path.width > 20]
    assert lines == [pytest.approx(50, abs=0.02), pytest.approx(50.8, abs=0.02)]
    assert "50 mm" in sheets.text(0)
    assert "2 in" in sheets.text(0)


def test_sheets_have_no_raster_images() -> None:
    for sheets in (unikat_sheets(), ubongo_sheets()):
        assert b"/Subtype /Form" in sheets.data
        assert b"/Subtype /Image" not in sheets.data


def test_files_are_small_and_reproducible() -> None:
    assert len(unikat_sheets().data) < 100_000
    assert len(ubongo_sheets().data) < 350_000
    order = PrintOrder("unikat", ("tiles",), "a4", SKINS[:1], catalogue("uk"))
    assert print_everything(order) == print_everything(order)


# ------------------------------------------------------------------------------------------- unikat


@pytest.mark.parametrize("paper", PAPERS)
def test_tiles_have_their_true_size_on_any_paper(paper: PaperName) -> None:
    sheets = unikat_sheets(paper)
    side = TILE_SIDE_MM
    counts = [len(boxes_of_size(sheets.paths(page), side, side)) for page in (2, 3, 4, 5)]
    assert counts == [54, 27, 54, 27]
    for page in (2, 3, 4, 5):
        width, height = sheets.size(page)
        for path in sheets.paths(page):
            assert path.left > 5
            assert path.left + path.width < width - 5
            assert path.top + path.height < height - 5


@pytest.mark.parametrize("first", [2, 4])
def test_all_81_printed_tiles_differ_even_in_grey(first: int) -> None:
    # With a whole number of pixels per millimetre, each tile begins at a whole pixel.
    per_mm = 3
    found = set()
    for page in (first, first + 1):
        picture = unikat_sheets().render_page(page, per_mm).mean(axis=2).round(-1)
        for cut in boxes_of_size(unikat_sheets().paths(page), TILE_SIDE_MM, TILE_SIDE_MM):
            x, y = (round((start + CUT_LINE_WIDTH_MM) * per_mm) for start in (cut.left, cut.top))
            size = round(TILE_SIDE_MM * per_mm)
            inside = picture[y + 2 : y + size - 2, x + 2 : x + size - 2]
            assert inside.shape == (size - 4, size - 4)
            found.add(inside.tobytes())
    assert len(found) == 81


def test_ten_tiles_fit_onto_a_rack() -> None:
    assert RACK_WIDTH_MM > 10 * TILE_SIDE_MM
    for page in range(6, 10):
        racks = [
            path for path in unikat_sheets().paths(page) if abs(path.width - RACK_WIDTH_MM) < 0.5
        ]
        # The outline, and four folds.
        assert sorted(path.height < 1 for path in racks) == [False, True, True, True, True]


# ------------------------------------------------------------------------------------------- ubongo


def test_all_52_pieces_have_equal_cells_and_mirrored_backs() -> None:
    for colour, front in zip(Colour, PIECE_PAGES[::2], strict=True):
        extents = [bounding_box(flattest_orientation(shape)) for shape in PIECES[colour].values()]
        sizes = {
            (round(e.width * CELL_RADIUS_MM, 2), round(e.height * CELL_RADIUS_MM, 2))
            for e in extents
        }
        for page in (front, front + 1):
            cuts = [
                cut for size in sizes for cut in boxes_of_size(ubongo_sheets().paths(page), *size)
            ]
            assert len(cuts) == 13
            # A piece is a whole number of half cells wide.
            half = CELL_WIDTH_MM / 2
            rests = [(cut.width - 2 * CUT_LINE_WIDTH_MM) % half for cut in cuts]
            assert all(rest < 0.03 or rest > half - 0.03 for rest in rests)
        one, back = (
            ubongo_sheets().render_page(page, 2).min(axis=2) < 250 for page in (front, front + 1)
        )
        parts = slice(20 * 2, -10 * 2)
        differing = one[parts] ^ back[parts, ::-1]
        assert one.sum() > 13 * 4 * 4 * CELL_WIDTH_MM**2
        assert differing.mean() < 0.002


def test_cells_of_cards_and_pieces_have_the_same_size() -> None:
    side = {0: 3, 1: 4}
    deck = deck_files.load("standard")
    for at, page in enumerate(CARD_PAGES):
        chosen = deck.cards[at // 2 * 4 : at // 2 * 4 + 4]
        expected = sorted(
            round(
                bounding_box(turn_to_fit_card(card.sides[side[at % 2]].area)).width
                * CELL_RADIUS_MM,
                1,
            )
            for card in chosen
        )
        # The background between the cells, which has no line of its own.
        paths = Counter(round(path.width, 1) for path in ubongo_sheets().paths(page))
        assert not Counter(expected) - paths


def test_all_54_cards_are_printed_with_432_puzzles() -> None:
    puzzles = 0
    for at, card in enumerate(deck_files.load("standard").cards):
        for back, side in enumerate((3, 4)):
            text = ubongo_sheets().text(CARD_PAGES[at // 4 * 2 + back])
            # The card's name is followed by the pieces of each colour, with or without a space.
            rest = re.split(rf"card {card.id}\b", text)[1].split("card")[0].split("Ubongo")[0]
            sets = card.sides[side].sets.values()
            assert rest.replace(" ", "") == "".join(str(n) for own in sets for n in own)
            puzzles += len(sets)
    assert puzzles == 432


@pytest.mark.parametrize("paper", PAPERS)
def test_front_and_back_of_a_card_align(paper: PaperName) -> None:
    sheets, first = (
        (ubongo_sheets(), CARD_PAGES[0]) if paper == "a4" else (ubongo_letter_sheets(), 2)
    )
    width, _ = sheets.size(first)
    for page in (first, first + 1):
        assert len(boxes_of_size(sheets.paths(page), CARD_WIDTH_MM, CARD_HEIGHT_MM)) == 4
    for card in (1, 2, 3, 4):
        (x, y), (back_x, back_y) = (
            sheets.text_position(page, f"card {card}") for page in (first, first + 1)
        )
        assert back_y == pytest.approx(y, abs=0.01)
        # A card's name is 5 mm from its left edge, on both sides.
        assert width - (back_x - 5) - CARD_WIDTH_MM == pytest.approx(x - 5, abs=0.5)


def test_fronts_are_on_odd_pages() -> None:
    """Counted from 1, so their backs are on the same sheet, whatever is printed before them."""
    for parts in (("cards",), ("rules", "pieces"), ("rules", "pieces", "gems")):
        booklet = build_printout(PrintOrder("ubongo", parts, "a4", SKINS[:1], catalogue("en")))
        for begin, section in booklet.begins:
            assert not section.both_sides or (begin % 2 == 0 and len(section.pages) % 2 == 0)
    assert "3–10" in ubongo_sheets().text(0)


def test_the_expert_deck_is_printed_on_request() -> None:
    text = " ".join(ubongo_sheets().text(page) for page in EXPERT_PAGES)
    assert [int(n) for n in re.findall(r"card (\d+)", text)] == list(range(1, 55))
    assert "expert" not in default_parts("ubongo")


def test_the_solutions_of_all_432_puzzles_are_printed_on_request() -> None:
    deck = deck_files.load("standard")
    pages = solution_pages("solutions", deck, PAPERS["letter"])
    solved = [mark for page in pages for mark in page.marks if isinstance(mark, Group)]
    assert len(solved) == 432
    assert [
        sorted(mark.text for mark in one.marks if isinstance(mark, Text)) for one in solved
    ] == [
        sorted(map(str, numbers))
        for card in deck.cards for side in card.sides.values() for numbers in side.sets.values()
    ]  # fmt: skip
    assert "solutions" not in default_parts("ubongo")


def test_54_gems_are_printed_with_their_values() -> None:
    assert len(boxes_of_size(ubongo_sheets().paths(GEM_PAGE), GEM_SIDE_MM, GEM_SIDE_MM)) == 54
    digits = re.findall(r"\b[1-4]\b", ubongo_sheets().text(GEM_PAGE).split("Ubongo")[0])
    assert Counter(digits) == Counter({"4": 9 + 1, "3": 18, "2": 9, "1": 18})


# ---------------------------------------------------------------------------------------- languages


@pytest.mark.parametrize("lang", languages())
def test_rules_fit_on_one_page_in_legible_letters(lang: str) -> None:
    for game in CHAPTERS:
        for paper in PAPERS.values():
            (page,) = rules_pages(game, paper, catalogue(lang), text_width)
            sizes = {mark.size for mark in page.marks if isinstance(mark, Text)}
            # The authors' line is the only one that is smaller.
            assert sorted(sizes)[1] >= 3.3
            for mark in page.marks:
                if isinstance(mark, Text) and mark.anchor == "middle":
                    # Printers leave a margin of their own.
                    assert text_width(mark.text, mark.size, mark.bold) < paper.width - 20


@pytest.mark.parametrize("lang", languages())
def test_texts_on_the_first_page_do_not_overlap(lang: str) -> None:
    for game, parts in PART_BUILDERS.items():
        order = PrintOrder(game, tuple(parts), "a4", SKINS[:1], catalogue(lang))
        lines: dict[float, list[tuple[float, float]]] = {}
        for mark in build_printout(order).pages[0].marks:
            if isinstance(mark, Text):
                width = text_width(mark.text, mark.size, mark.bold)
                left = mark.x - width if mark.anchor == "end" else mark.x
                lines.setdefault(mark.y, []).append((left, left + width))
        for spans in map(sorted, lines.values()):
            assert all(one[1] < other[0] for one, other in pairwise(spans)), spans


@pytest.mark.parametrize("lang", ["cs", "pl", "sk", "uk"])
def test_no_line_of_the_rules_ends_with_a_single_letter(lang: str) -> None:
    translate = catalogue(lang)
    letters = translate("language.single_letters")
    for game in CHAPTERS:
        for paper in PAPERS.values():
            (page,) = rules_pages(game, paper, translate, text_width)
            lines = [mark.text for mark in page.marks if isinstance(mark, Text)]
            assert any("\u00a0" in line for line in lines)
            assert not [line for line in lines if re.search(rf"(?i)\s[{letters}]$", line)]


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_all_texts_are_printed_in_every_language(game: str, lang: str) -> None:
    translate = catalogue(lang)
    parts = ("rules", "score", "gems") if game == "ubongo" else ("rules", "score", "racks")
    paper: PaperName = "a4" if game == "unikat" else "letter"
    sheets = PdfSheets(print_everything(PrintOrder(game, parts, paper, SKINS, translate)))

    def remove_spaces(text: str) -> str:
        return re.sub(r"\s", "", text)

    printed = remove_spaces(" ".join(sheets.text(page) for page in range(len(sheets))))
    keys = [
        f"page.first.{game}.title",
        "print.title",
        "print.scale",
        "print.note.paper",
        "print.part.score",
    ]
    keys += [f"page.rules.{game}.heading", f"page.rules.authors.{game}"]
    keys += [f"page.rules.{game}.{chapter}.title" for chapter in CHAPTERS[game]]
    keys += [f"page.rules.{game}.{c}.{p}" for c, texts in CHAPTERS[game].items() for p in texts]
    if game == "unikat":
        keys += ["print.part.racks", "print.note.racks", "print.cut", "print.fold", "print.glue"]
        keys += ["page.unikat.sheet", "unikat.sheet.round", "unikat.sheet.total"]
    else:
        keys += ["print.part.gems", "print.note.gems", "page.ubongo.end.points"]
        keys += [f"ubongo.gem.{gem}" for gem in Gem]
    assert [key for key in keys if remove_spaces(translate(key)) not in printed] == []
    for page in range(len(sheets)):
        picture = sheets.render_page(page, 1).min(axis=2) < 200
        edge = np.concatenate([picture[:, :4].ravel(), picture[:, -4:].ravel()])
        assert not edge.any(), "a text runs off the page"
