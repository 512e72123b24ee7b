"""Paper and pages. All lengths are in millimetres, from the upper left corner."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pytlik.drawing.primitives import Mark, Marks, Path, Text, line_path, rectangle_path

PaperName = Literal["a4", "letter"]


class Paper(NamedTuple):
    width: float
    height: float

    @property
    def rotated(self) -> "Paper":
        return Paper(self.height, self.width)


PAPERS: dict[PaperName, Paper] = {"a4": Paper(210, 297), "letter": Paper(215.9, 279.4)}

MARGIN_MM = 10.0
"""The widest margin that printers leave blank."""

INK, SOFT_INK, FAINT_INK = "#1d1a15", "#5a5246", "#8f887b"
CUT_LINE_WIDTH_MM = 0.12
"""Width of a cut line."""
STRONG_LINE_WIDTH_MM, FINE_LINE_WIDTH_MM = 0.35, 0.15
"""Widths of the lines on a score sheet."""


@dataclass(frozen=True)
class Page:
    marks: Marks
    landscape: bool = False


@dataclass(frozen=True)
class Section:
    """Pages that belong together."""

    title: str
    pages: tuple[Page, ...]
    both_sides: bool = False
    """Every second page is the back of the one before."""
    note: str = ""
    """How to make the parts from the printed pages."""


Measure = Callable[[str, float, bool], float]
"""The width of a text at a size, bold or not."""


def wrap_text(text: str, width: float, size: float, measure: Measure) -> Iterator[str]:
    """Break a text into lines that are no wider than this."""
    for paragraph in text.split("\n"):
        line_text = ""
        for word in paragraph.split(" "):
            longer = f"{line_text} {word}" if line_text else word
            if line_text and measure(longer, size, False) > width:  # noqa: FBT003 - a Measure's third
                yield line_text
                longer = word
            line_text = longer
        yield line_text


def page_heading(title: str, paper: Paper) -> Marks:
    """The title of a page, in its margin."""
    return (Text(paper.width / 2, MARGIN_MM + 3, title, 4, SOFT_INK, bold=True, anchor="middle"),)


def crop_marks(
    left: float, top: float, columns: int, rows: int, width: float, height: float
) -> list[Mark]:
    """Short lines around a block, for lining up a ruler."""
    right, bottom = left + columns * width, top + rows * height
    ticks: list[Mark] = []
    for column in range(columns + 1):
        x = left + column * width
        ticks += [_crop_mark(x, top - 6, x, top - 2.5), _crop_mark(x, bottom + 2.5, x, bottom + 6)]
    for row in range(rows + 1):
        y = top + row * height
        ticks += [_crop_mark(left - 6, y, left - 2.5, y), _crop_mark(right + 2.5, y, right + 6, y)]
    return ticks


def _crop_mark(x: float, y: float, to_x: float, to_y: float) -> Path:
    return Path(line_path(x, y, to_x, to_y), stroke=INK, width=CUT_LINE_WIDTH_MM)


def score_sheet_lines(
    left: float, right: float, first: float, rows: list[float], columns: int = 4
) -> list[Mark]:
    """The lines of a score sheet: `rows` are its upper edge, the lines between and the lower edge.
    The outer lines and those under the names, above the last row and after the first column are
    strong."""
    top, bottom = rows[0], rows[-1]
    strong = {rows[1], rows[-2]}
    marks: list[Mark] = [
        Path(
            rectangle_path(left, top, right - left, bottom - top, 2),
            stroke=INK,
            width=STRONG_LINE_WIDTH_MM,
        )
    ]
    marks += [_ruled_line(left, y, right, y, strong=y in strong) for y in rows[1:-1]]
    wide = (right - left - first) / columns
    for at in range(columns):
        x = left + first + at * wide
        marks.append(_ruled_line(x, top, x, bottom, strong=at == 0))
    return marks


def _ruled_line(x: float, y: float, to_x: float, to_y: float, *, strong: bool) -> Path:
    ink, width = (INK, STRONG_LINE_WIDTH_MM) if strong else (FAINT_INK, FINE_LINE_WIDTH_MM)
    return Path(line_path(x, y, to_x, to_y), stroke=ink, width=width)
