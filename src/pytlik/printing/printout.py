"""Everything printed for a game: the chosen parts, behind a cover with instructions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytlik.drawing.primitives import Group, Mark, Marks, Path, Text, line_path
from pytlik.drawing.style import SOFT_INK, Skin
from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_label
from pytlik.printing import pdf, rules, ubongo, ubongo_cards, unikat
from pytlik.printing.page_elements import INK, PAPERS, Page, Paper, PaperName, Section, wrap_text
from pytlik.ubongo.deck_files import load


@dataclass(frozen=True)
class PrintOrder:
    """What to print."""

    game: str
    parts: tuple[str, ...]
    paper: PaperName
    skins: tuple[Skin, ...]
    translate: Catalogue

    @property
    def game_title(self) -> str:
        return self.translate(f"page.first.{self.game}.title")

    @property
    def paper_size(self) -> Paper:
        return PAPERS[self.paper]


# ------------------------------------------------------------------------------------------- parts


def rules_sections(order: PrintOrder) -> list[Section]:
    title = order.translate(f"page.rules.{order.game}.heading")
    return [
        Section(
            title, rules.rules_pages(order.game, order.paper_size, order.translate, pdf.text_width)
        )
    ]


def tile_sections(order: PrintOrder) -> list[Section]:
    translate = order.translate
    note = translate("print.note.tiles", mm=f"{unikat.TILE_SIDE_MM:g}")
    sections = []
    for skin in order.skins:
        title = translate(f"print.part.tiles.{skin}")
        pages = unikat.tile_pages(skin, title, order.paper_size)
        sections.append(Section(title, pages, note=note))
        note = ""
    return sections


def rack_sections(order: PrintOrder) -> list[Section]:
    title = order.translate("print.part.racks")
    pages = unikat.rack_pages(title, order.paper_size, order.skins[0], order.translate)
    return [Section(title, pages, note=order.translate("print.note.racks"))]


def unikat_score_sections(order: PrintOrder) -> list[Section]:
    title = order.translate("print.part.score")
    return [Section(title, unikat.score_pages(order.paper_size, order.translate))]


def gem_sections(order: PrintOrder) -> list[Section]:
    title = order.translate("print.part.gems")
    pages = ubongo.gem_pages(title, order.paper_size)
    return [Section(title, pages, note=order.translate("print.note.gems"))]


def piece_sections(order: PrintOrder) -> list[Section]:
    title = order.translate("print.part.pieces")
    pages = ubongo.piece_pages(title, load(), order.paper_size)
    note = order.translate("print.note.pieces", mm=f"{ubongo.CELL_WIDTH_MM:g}")
    return [Section(title, pages, both_sides=True, note=note)]


def standard_card_sections(order: PrintOrder) -> list[Section]:
    title, deck = order.translate("print.part.cards"), load("standard")
    pages = ubongo_cards.card_pages(deck.cards, (3, 4), deck, order.paper_size, order.translate)
    return [Section(title, pages, both_sides=True, note=order.translate("print.note.cards"))]


def expert_card_sections(order: PrintOrder) -> list[Section]:
    title, deck = order.translate("print.part.expert"), load("expert")
    pages = ubongo_cards.card_pages(deck.cards, (5,), deck, order.paper_size, order.translate)
    return [Section(title, pages)]


def solution_sections(order: PrintOrder) -> list[Section]:
    title = order.translate("print.part.solutions")
    return [Section(title, ubongo_cards.solution_pages(title, load(), order.paper_size))]


def ubongo_score_sections(order: PrintOrder) -> list[Section]:
    title = order.translate("print.part.score")
    return [Section(title, ubongo.score_pages(order.paper_size, order.translate))]


PART_BUILDERS: dict[str, dict[str, Callable[[PrintOrder], list[Section]]]] = {
    "unikat": {
        "rules": rules_sections,
        "tiles": tile_sections,
        "racks": rack_sections,
        "score": unikat_score_sections,
    },
    "ubongo": {
        "rules": rules_sections,
        "pieces": piece_sections,
        "cards": standard_card_sections,
        "expert": expert_card_sections,
        "gems": gem_sections,
        "score": ubongo_score_sections,
        "solutions": solution_sections,
    },
}
"""The parts of each game, in printing order."""

PARTS_ON_REQUEST = ("expert", "solutions")
"""Printed only if named."""


def default_parts(game: str) -> tuple[str, ...]:
    return tuple(part for part in PART_BUILDERS[game] if part not in PARTS_ON_REQUEST)


# ----------------------------------------------------------------------------------------- printout


@dataclass(frozen=True)
class Printout:
    """All pages, and each section with the index of its first page."""

    pages: tuple[Page, ...]
    begins: tuple[tuple[int, Section], ...]


def build_printout(order: PrintOrder) -> Printout:
    """Lay out all pages. Raises Missing if the extra `print` isn't installed."""
    makers = PART_BUILDERS[order.game]
    sections = [s for part in makers if part in order.parts for s in makers[part](order)]
    # The cover comes first but is made last, because it needs the page numbers.
    pages: list[tuple[Page, str]] = [(Page(()), "")]
    begins = []
    for section in sections:
        # A front needs an odd page number; otherwise its back would be on another sheet.
        if section.both_sides and len(pages) % 2:
            pages.append((Page(()), ""))
        begins.append((len(pages), section))
        pages += [(page, section.title) for page in section.pages]
    pages[0] = _cover_page(order, begins), ""
    numbered = [
        _add_footer(page, [order.game_title, title, f"{number}/{len(pages)}"], order)
        for number, (page, title) in enumerate(pages, start=1)
    ]
    return Printout(tuple(numbered), tuple(begins))


def render_pdf(printout: Printout, order: PrintOrder) -> bytes:
    """The printout as PDF."""
    translate = order.translate
    outline = {0: translate("print.title")} | {begin: part.title for begin, part in printout.begins}
    title = format_label(order.game_title, translate("print.title"), translate)
    return pdf.render_pdf(
        printout.pages, order.paper_size, title=title, lang=translate.lang, outline=outline
    )


def _add_footer(page: Page, parts: list[str], order: PrintOrder) -> Page:
    """Add small print, where nothing is cut, that says what a page belongs to."""
    paper = order.paper_size.rotated if page.landscape else order.paper_size
    text = " · ".join(part for part in parts if part)
    foot = Text(paper.width - 24, paper.height - 5.5, text, 2.6, SOFT_INK, anchor="end")
    return Page((*page.marks, foot), page.landscape)


def _cover_page(order: PrintOrder, begins: Sequence[tuple[int, Section]]) -> Page:
    """Instructions, the contents, and rulers to check that the print has its true size."""
    translate, paper = order.translate, order.paper_size
    left, right = 22.0, paper.width - 22
    marks: list[Mark] = [
        Text(left, 34, order.game_title, 13, INK, bold=True),
        Text(left, 43, translate("print.title"), 6, SOFT_INK),
        Group(_emblem(order), right - 45, 18),
    ]
    y = 78.0

    def paragraph(text: str, size: float, *, indent: float = 0) -> None:
        nonlocal y
        for line_text in wrap_text(text, right - left - indent, size, pdf.text_width):
            marks.append(Text(left + indent, y, line_text, size, INK))
            y += size * 1.42

    paragraph(translate("print.scale"), 4)
    y += 6
    marks += _rulers(left, y)
    y += 16
    for begin, section in begins:
        first, last = begin + 1, begin + len(section.pages)
        pages = str(first) if first == last else f"{first}–{last}"
        sides = translate("print.sides.both" if section.both_sides else "print.sides.one")
        marks.append(Text(left, y, pages, 4, INK, bold=True))
        marks.append(Text(left + 18, y, section.title, 4, INK, bold=True))
        marks.append(Text(right, y, sides, 3.4, SOFT_INK, anchor="end"))
        y += 6.2
    y += 4
    notes = [
        translate("print.note.paper"),
        *(section.note for _, section in begins if section.note),
    ]
    for number, note in enumerate(notes, start=1):
        marks.append(Text(left, y, str(number), 3.7, INK, bold=True))
        paragraph(note, 3.7, indent=7)
        y += 1.6
    return Page(tuple(marks))


def _emblem(order: PrintOrder) -> Marks:
    return unikat.emblem(order.skins[0]) if order.game == "unikat" else ubongo.emblem(load())


def _rulers(left: float, y: float) -> list[Mark]:
    """50 millimetres and two inches, with ticks every five millimetres and every quarter inch."""
    marks: list[Mark] = []
    for x, step, count, label in ((left, 5.0, 10, "50 mm"), (left + 80, 6.35, 8, "2 in")):
        length = step * count
        marks.append(Path(line_path(x, y, x + length, y), stroke=INK, width=0.3))
        for at in range(count + 1):
            tall = 4 if at in (0, count) else 2.6 if at % 2 == 0 else 1.6
            tick = line_path(x + at * step, y, x + at * step, y - tall)
            marks.append(Path(tick, stroke=INK, width=0.3))
        marks.append(Text(x + length / 2, y + 5, label, 3.6, INK, bold=True, anchor="middle"))
    return marks
