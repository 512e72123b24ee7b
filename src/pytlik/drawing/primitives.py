"""What pictures are made of: paths, texts and groups, in any unit. They become SVG or PDF."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

PatternKind = Literal["stripes", "dots"]


class Pattern(NamedTuple):
    """Stripes or dots on top of a fill, in the units of the path that they fill."""

    kind: PatternKind
    ink: str


STRIPE_SPACING_AND_WIDTH = (26.0, 9.0)
"""From one stripe to the next, and the width of each. Stripes go up to the right."""
DOT_SPACING_AND_RADIUS = (27.0, 5.6)
"""From one dot to the next, and their radius. Dots are in the middle of a grid's squares."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path in SVG's notation, with absolute commands only."""

    d: str
    fill: str | None = None
    stroke: str | None = None
    width: float = 0
    dash: tuple[float, ...] = ()
    pattern: Pattern | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, on a baseline."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "start"


@dataclass(frozen=True, slots=True)
class Group:
    """Marks that are scaled, then moved."""

    marks: "tuple[Mark, ...]"
    x: float = 0
    y: float = 0
    scale: float = 1
    stretch: float = 1
    """How much taller than wide."""


Mark = Path | Text | Group
Marks = tuple[Mark, ...]


def format_coordinate(value: float) -> str:
    """A number with at most three decimals, as short as possible."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rectangle_path(x: float, y: float, width: float, height: float, corner: float = 0) -> str:
    """A rectangle as a path; `corner` rounds its corners."""
    right, bottom, n = x + width, y + height, format_coordinate
    if not corner:
        return f"M{n(x)} {n(y)}H{n(right)}V{n(bottom)}H{n(x)}Z"
    arc = f"A{n(corner)} {n(corner)} 0 0 1"
    return (
        f"M{n(x + corner)} {n(y)}H{n(right - corner)}{arc} {n(right)} {n(y + corner)}"
        f"V{n(bottom - corner)}{arc} {n(right - corner)} {n(bottom)}"
        f"H{n(x + corner)}{arc} {n(x)} {n(bottom - corner)}"
        f"V{n(y + corner)}{arc} {n(x + corner)} {n(y)}Z"
    )


def line_path(x: float, y: float, to_x: float, to_y: float) -> str:
    n = format_coordinate
    return f"M{n(x)} {n(y)}L{n(to_x)} {n(to_y)}"


def centred_text(x: float, y: float, text: str, size: float, fill: str) -> Text:
    """Bold digits, centred on a point."""
    return Text(x, y + 0.36 * size, text, size, fill, bold=True, anchor="middle")
