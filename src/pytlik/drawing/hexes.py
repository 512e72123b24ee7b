"""Where hexagonal cells and their outlines are in a picture. Cells stand on a corner; the unit is
their radius. As in the page's hexes.ts."""

from collections.abc import Iterable
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from pytlik.drawing.marks import number
from pytlik.ubongo.hexes import Hex, neighbours

WIDE = sqrt(3)
"""From side to side."""

Point = tuple[float, float]


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2


def centre(cell: Hex) -> Point:
    return WIDE * (cell.q + cell.r / 2), 1.5 * cell.r


def box_of(cells: Iterable[Hex]) -> Box:
    xs, ys = zip(*map(centre, cells), strict=True)
    left, top = min(xs) - WIDE / 2, min(ys) - 1
    return Box(left, top, max(xs) + WIDE / 2 - left, max(ys) + 1 - top)


def held_by(cells: Iterable[Hex]) -> Hex:
    """The cell of a piece that is nearest to its middle."""
    there = tuple(cells)
    x, y = box_of(there).middle
    return min(there, key=lambda cell: round((centre(cell)[0] - x) ** 2
                                             + (centre(cell)[1] - y) ** 2, 6))  # fmt: skip


class Side(NamedTuple):
    """A side of a cell that has nothing beyond it, and the direction in which nothing is."""

    start: Point
    end: Point
    out: Point


def outline(cells: Iterable[Hex], *, inset: float = 0, soft: float = 0) -> str:
    """The outline of cells as a path, moved inwards a little and with soft corners."""
    there = set(cells)
    sides: dict[tuple[int, int], Side] = {}
    for cell in sorted(there):
        for at, beside in enumerate(neighbours(cell)):
            if beside not in there:
                angle = pi / 3 * at
                side = Side(corner(cell, at), corner(cell, at + 1), (cos(angle), sin(angle)))
                sides[spot(side.start)] = side
    rings = []
    while sides:
        at_spot = next(iter(sides))
        loop = []
        while at_spot in sides:
            loop.append(sides.pop(at_spot))
            at_spot = spot(loop[-1].end)
        rings.append(ring(loop, inset, soft))
    return "".join(rings)


def corner(cell: Hex, at: int) -> Point:
    angle = pi / 3 * (at - 0.5)
    x, y = centre(cell)
    return x + cos(angle), y + sin(angle)


def spot(point: Point) -> tuple[int, int]:
    """A corner, whichever cell it was worked out from."""
    return round(point[0] * 100), round(point[1] * 100)


def ring(loop: list[Side], inset: float, soft: float) -> str:
    corners: list[Point] = []
    for before, side in zip([loop[-1], *loop], loop, strict=False):
        (a, b), (c, d) = before.out, side.out
        by = inset / (1 + a * c + b * d)
        corners.append((side.start[0] - by * (a + c), side.start[1] - by * (b + d)))
    if not soft:
        return "M" + "L".join(pair(point) for point in corners) + "Z"
    steps = []
    for at, point in enumerate(corners):
        start = between(point, corners[at - 1], soft)
        end = between(point, corners[(at + 1) % len(corners)], soft)
        steps.append(f"{'L' if at else 'M'}{pair(start)}Q{pair(point)} {pair(end)}")
    return "".join(steps) + "Z"


def pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def between(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part
