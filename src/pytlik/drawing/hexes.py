"""Hexagonal cells and their outlines in a picture, as in the page's hexes.ts.

Cells stand on a corner; the unit is their radius.
"""

from collections.abc import Iterable
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from pytlik.drawing.primitives import Group, Marks, format_coordinate
from pytlik.ubongo.hexes import Hex, neighbours

HEX_WIDTH = sqrt(3)
"""From one side of a cell to the opposite one."""

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
    return HEX_WIDTH * (cell.q + cell.r / 2), 1.5 * cell.r


def bounding_box(cells: Iterable[Hex]) -> Box:
    xs, ys = zip(*map(centre, cells), strict=True)
    left, top = min(xs) - HEX_WIDTH / 2, min(ys) - 1
    return Box(left, top, max(xs) + HEX_WIDTH / 2 - left, max(ys) + 1 - top)


def middle_cell(cells: Iterable[Hex]) -> Hex:
    """The cell of a piece that's nearest to its middle."""
    there = tuple(cells)
    x, y = bounding_box(there).middle
    return min(there, key=lambda cell: round((centre(cell)[0] - x) ** 2
                                             + (centre(cell)[1] - y) ** 2, 6))  # fmt: skip


class OutlineSide(NamedTuple):
    """A side of a cell on the outline, and the direction outwards."""

    start: Point
    end: Point
    out: Point


def scale_and_place(marks: Marks, extent: Box, x: float, y: float, radius: float) -> Group:
    """Scale marks whose unit is a cell's radius, and move the corner of their extent to a point."""
    return Group(marks, x - extent.x * radius, y - extent.y * radius, radius)


def outline_path(cells: Iterable[Hex], *, inset: float = 0, rounding: float = 0) -> str:
    """The outline of cells as a path; it can be moved inwards and have rounded corners."""
    there = set(cells)
    sides: dict[tuple[int, int], OutlineSide] = {}
    for cell in sorted(there):
        for at, beside in enumerate(neighbours(cell)):
            if beside not in there:
                angle = pi / 3 * at
                side = OutlineSide(
                    _corner(cell, at), _corner(cell, at + 1), (cos(angle), sin(angle))
                )
                sides[_corner_key(side.start)] = side
    rings = []
    while sides:
        corner_key = next(iter(sides))
        loop = []
        while corner_key in sides:
            loop.append(sides.pop(corner_key))
            corner_key = _corner_key(loop[-1].end)
        rings.append(_ring_path(loop, inset, rounding))
    return "".join(rings)


def _corner(cell: Hex, at: int) -> Point:
    angle = pi / 3 * (at - 0.5)
    x, y = centre(cell)
    return x + cos(angle), y + sin(angle)


def _corner_key(point: Point) -> tuple[int, int]:
    """A key for a corner that's the same whichever cell it was computed from."""
    return round(point[0] * 100), round(point[1] * 100)


def _ring_path(loop: list[OutlineSide], inset: float, rounding: float) -> str:
    corners: list[Point] = []
    for before, side in zip([loop[-1], *loop], loop, strict=False):
        (a, b), (c, d) = before.out, side.out
        by = inset / (1 + a * c + b * d)
        corners.append((side.start[0] - by * (a + c), side.start[1] - by * (b + d)))
    if not rounding:
        return "M" + "L".join(_format_point(point) for point in corners) + "Z"
    steps = []
    for at, point in enumerate(corners):
        start = _interpolate(point, corners[at - 1], rounding)
        end = _interpolate(point, corners[(at + 1) % len(corners)], rounding)
        curve = f"{_format_point(start)}Q{_format_point(point)} {_format_point(end)}"
        steps.append(f"{'L' if at else 'M'}{curve}")
    return "".join(steps) + "Z"


def _format_point(point: Point) -> str:
    return f"{format_coordinate(point[0])} {format_coordinate(point[1])}"


def _interpolate(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part
