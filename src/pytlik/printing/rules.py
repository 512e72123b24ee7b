"""The rules of a game on one sheet, in two columns: the page's texts, except those that only
concern the screen."""

from pytlik.drawing.primitives import Mark, Text
from pytlik.i18n import Catalogue
from pytlik.printing.page_elements import (
    INK,
    SOFT_INK,
    Measure,
    Page,
    Paper,
    page_heading,
    wrap_text,
)

CHAPTERS = {
    "unikat": {
        "aim": ("body",),
        "tiles": ("body",),
        "setup": ("body", "first"),
        "turn": ("body",),
        "lay": ("body",),
        "chain": ("body",),
        "double": ("body", "once"),
        "swap": ("body",),
        "draw": ("body", "stock"),
        "end": ("body",),
        "rounds": ("body",),
    },
    "ubongo": {
        "aim": ("body",),
        "box": ("body",),
        "gems": ("body", "ruby", "sapphire", "emerald", "amber"),
        "setup": ("body",),
        "round": ("body",),
        "solve": ("body",),
        "reward": ("body", "first", "second", "others"),
        "over": ("body",),
        "second": ("body",),
        "end": ("body", "example"),
        "tie": ("body",),
    },
}
"""Each chapter has a title and these texts."""

SIDE_MARGIN_MM, COLUMN_GAP_MM, TOP_MARGIN_MM = 18.0, 9.0, 26.0
FONT_SIZES = (4.3, 4.1, 3.9, 3.7, 3.5, 3.3, 3.1, 2.9)
"""Font sizes. The largest one that makes everything fit onto one page is used."""
MAX_AUTHORS_FONT_SIZE = 2.7


def rules_pages(
    game: str, paper: Paper, translate: Catalogue, measure: Measure
) -> tuple[Page, ...]:
    marks = next(
        found
        for size in FONT_SIZES
        if (found := _lay_out_chapters(game, paper, translate, measure, size))
    )
    title = translate(f"page.rules.{game}.heading")
    authors = _authors(game, translate)
    # Small print, in one line in every language.
    room = (paper.width - 2 * SIDE_MARGIN_MM) / measure(authors, 1, False)  # noqa: FBT003 - a Measure's third
    size = min(MAX_AUTHORS_FONT_SIZE, room)
    foot = Text(paper.width / 2, paper.height - 12, authors, size, SOFT_INK, anchor="middle")
    return (Page((*page_heading(title, paper), *marks, foot)),)


def _authors(game: str, translate: Catalogue) -> str:
    return translate(f"page.rules.authors.{game}")


def _lay_out_chapters(
    game: str, paper: Paper, translate: Catalogue, measure: Measure, size: float
) -> list[Mark]:
    """Lay out all chapters on one page; empty if they don't fit."""
    width = (paper.width - 2 * SIDE_MARGIN_MM - COLUMN_GAP_MM) / 2
    bottom = paper.height - 18
    columns = iter((SIDE_MARGIN_MM, SIDE_MARGIN_MM + width + COLUMN_GAP_MM))
    x, y = next(columns), TOP_MARGIN_MM
    marks: list[Mark] = []
    for chapter, parts in CHAPTERS[game].items():
        texts = (translate(f"page.rules.{game}.{chapter}.{part}") for part in parts)
        lines = [line for text in texts for line in wrap_text(text, width, size, measure)]
        tall = (len(lines) + 1) * 1.4 * size + 0.8
        if y + tall > bottom:
            if (further := next(columns, None)) is None:
                return []
            x, y = further, TOP_MARGIN_MM
        marks.append(
            Text(x, y, translate(f"page.rules.{game}.{chapter}.title"), 1.1 * size, INK, bold=True)
        )
        y += 1.5 * size
        for text in lines:
            marks.append(Text(x, y, text, size, INK))
            y += 1.4 * size
        y += 1.3 * size
    return marks
