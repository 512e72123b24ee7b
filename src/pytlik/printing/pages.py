"""Paper and pages. Everything is in millimetres, from the upper left corner."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pytlik.drawing.marks import Mark, Marks, Path, Words, box, line

PaperName = Literal["a4", "letter"]


class Paper(NamedTuple):
    width: float
    height: float

    @property
    def turned(self) -> "Paper":
        return Paper(self.height, self.width)


PAPERS: dict[PaperName, Paper] = {"a4": Paper(210, 297), "letter": Paper(215.9, 279.4)}

MARGIN = 10.0
"""What printers leave white at most."""

INK, SOFT, FAINT = "#1d1a15", "#5a5246", "#8f887b"
HAIR = 0.12
"""How wide a cut line is."""
STRONG, FINE = 0.35, 0.15
"""How wide the lines of a score sheet are."""


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
    """Each second page is the back of the one before."""
    note: str = ""
    """How to make things of it."""


Measure = Callable[[str, float, bool], float]
"""How wide a text is at a size, bold or not."""


def wrapped(text: str, width: float, size: float, measure: Measure) -> Iterator[str]:
    """The lines of a text that must not be wider than so much."""
    for paragraph in text.split("\n"):
        said = ""
        for word in paragraph.split(" "):
            longer = f"{said} {word}" if said else word
            if said and measure(longer, size, False) > width:  # noqa: FBT003 - a Measure's third
                yield said
                longer = word
            said = longer
        yield said


def heading(title: str, paper: Paper) -> Marks:
    """What a page shows, in its margin."""
    return (Words(paper.width / 2, MARGIN + 3, title, 4, SOFT, bold=True, anchor="middle"),)


def cut_grid(
    left: float, top: float, columns: int, rows: int, width: float, height: float
) -> list[Mark]:
    """Ticks around a block, where to put the ruler."""
    right, bottom = left + columns * width, top + rows * height
    ticks: list[Mark] = []
    for column in range(columns + 1):
        x = left + column * width
        ticks += [tick(x, top - 6, x, top - 2.5), tick(x, bottom + 2.5, x, bottom + 6)]
    for row in range(rows + 1):
        y = top + row * height
        ticks += [tick(left - 6, y, left - 2.5, y), tick(right + 2.5, y, right + 6, y)]
    return ticks


def tick(x: float, y: float, to_x: float, to_y: float) -> Path:
    return Path(line(x, y, to_x, to_y), stroke=INK, width=HAIR)


def sheet_lines(
    left: float, right: float, first: float, rows: list[float], columns: int = 4
) -> list[Mark]:
    """The lines of a score sheet: `rows` are its upper edge, the lines between and the lower edge.
    Strong are those around it, under the names, above the last row and behind the first column."""
    top, bottom = rows[0], rows[-1]
    strong = {rows[1], rows[-2]}
    marks: list[Mark] = [
        Path(box(left, top, right - left, bottom - top, 2), stroke=INK, width=STRONG)
    ]
    marks += [ruled(left, y, right, y, strong=y in strong) for y in rows[1:-1]]
    wide = (right - left - first) / columns
    for at in range(columns):
        x = left + first + at * wide
        marks.append(ruled(x, top, x, bottom, strong=at == 0))
    return marks


def ruled(x: float, y: float, to_x: float, to_y: float, *, strong: bool) -> Path:
    ink, width = (INK, STRONG) if strong else (FAINT, FINE)
    return Path(line(x, y, to_x, to_y), stroke=ink, width=width)
