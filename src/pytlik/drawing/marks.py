"""What pictures are made of: paths and words, in any units. Who writes them knows no game."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

PatternKind = Literal["stripes", "dots"]


class Pattern(NamedTuple):
    """What a fill bears beside its colour, in the units of the path that it fills."""

    kind: PatternKind
    ink: str


STRIPE = (26.0, 9.0)
"""From stripe to stripe, and how wide one is. Stripes go up to the right."""
DOT = (27.0, 5.6)
"""From dot to dot, and a dot's radius. A dot stands in the middle of each square of the grid."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path as SVG writes it: absolute commands only."""

    d: str
    fill: str | None = None
    stroke: str | None = None
    width: float = 0
    dash: tuple[float, ...] = ()
    pattern: Pattern | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text, on a baseline."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "start"


@dataclass(frozen=True, slots=True)
class Placed:
    """Marks that are scaled, and then moved."""

    marks: "tuple[Mark, ...]"
    x: float = 0
    y: float = 0
    scale: float = 1
    stretch: float = 1
    """How much taller than wide."""


Mark = Path | Words | Placed
Marks = tuple[Mark, ...]


def number(value: float) -> str:
    """As short as three decimals can be written."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def box(x: float, y: float, width: float, height: float, corner: float = 0) -> str:
    """A rectangle as a path, with round corners."""
    right, bottom, n = x + width, y + height, number
    if not corner:
        return f"M{n(x)} {n(y)}H{n(right)}V{n(bottom)}H{n(x)}Z"
    arc = f"A{n(corner)} {n(corner)} 0 0 1"
    return (
        f"M{n(x + corner)} {n(y)}H{n(right - corner)}{arc} {n(right)} {n(y + corner)}"
        f"V{n(bottom - corner)}{arc} {n(right - corner)} {n(bottom)}"
        f"H{n(x + corner)}{arc} {n(x)} {n(bottom - corner)}"
        f"V{n(y + corner)}{arc} {n(x + corner)} {n(y)}Z"
    )


def line(x: float, y: float, to_x: float, to_y: float) -> str:
    return f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}"


def middle(x: float, y: float, text: str, size: float, fill: str) -> Words:
    """Bold figures whose middle is at a point."""
    return Words(x, y + 0.36 * size, text, size, fill, bold=True, anchor="middle")
