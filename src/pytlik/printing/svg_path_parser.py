"""SVG paths, translated into the commands that PDF has: move, line, cubic curve, close."""

import re
from collections.abc import Iterator
from math import asin, ceil, copysign, cos, pi, sin, sqrt, tan
from typing import NamedTuple

Point = tuple[float, float]


class Move(NamedTuple):
    to: Point


class Line(NamedTuple):
    to: Point


class Curve(NamedTuple):
    first: Point
    second: Point
    to: Point


class Close(NamedTuple):
    pass


PathStep = Move | Line | Curve | Close

COMMAND_PATTERN = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER_PATTERN = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
ARGUMENT_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}
"""The commands that our drawings use, and how many numbers each takes."""


def parse_path(path: str) -> Iterator[PathStep]:
    """Parse a path. Raises ValueError for relative or unknown commands, and for missing numbers."""
    here: Point = (0, 0)
    start: Point = (0, 0)
    control: Point | None = None
    for command, rest in COMMAND_PATTERN.findall(path):
        numbers = [float(value) for value in NUMBER_PATTERN.findall(rest)]
        takes = ARGUMENT_COUNTS.get(command)
        if takes is None or (len(numbers) % takes if takes else numbers) or (takes and not numbers):
            raise ValueError(f"not a path that can be printed: {path!r}")
        if command == "Z":
            yield Close()
            here, control = start, None
        for at in range(0, len(numbers), takes or 1):
            done = list(_command_to_steps(command if at == 0 or command != "M" else "L",
                             numbers[at : at + takes], here, control))  # fmt: skip
            yield from done
            last = done[-1]
            here = last.to if not isinstance(last, Close) else start
            control = last.second if isinstance(last, Curve) and command in "CS" else None
            if isinstance(last, Move):
                start = here


def _command_to_steps(
    command: str, n: list[float], here: Point, control: Point | None
) -> Iterator[PathStep]:
    x, y = here
    match command:
        case "M":
            yield Move((n[0], n[1]))
        case "L":
            yield Line((n[0], n[1]))
        case "H":
            yield Line((n[0], y))
        case "V":
            yield Line((x, n[0]))
        case "C":
            yield Curve((n[0], n[1]), (n[2], n[3]), (n[4], n[5]))
        case "S":
            before = control or here
            yield Curve((2 * x - before[0], 2 * y - before[1]), (n[0], n[1]), (n[2], n[3]))
        case "Q":
            a, b, to = n[0], n[1], (n[2], n[3])
            first = x + 2 / 3 * (a - x), y + 2 / 3 * (b - y)
            yield Curve(first, (to[0] + 2 / 3 * (a - to[0]), to[1] + 2 / 3 * (b - to[1])), to)
        case _:
            large, sweep = bool(n[3]), bool(n[4])
            yield from _arc_to_curves(here, n[0], (n[5], n[6]), large=large, sweep=sweep)


def _arc_to_curves(
    start: Point, radius: float, end: Point, *, large: bool, sweep: bool
) -> Iterator[Curve]:
    """Part of a circle as curves of at most a quarter each."""
    (x, y), (u, v) = start, end
    half = sqrt((u - x) ** 2 + (v - y) ** 2) / 2
    radius = max(radius, half)
    # The centre lies on the perpendicular through the middle between the ends.
    away = sqrt(max(radius**2 - half**2, 0)) / (2 * half) * (-1 if large == sweep else 1)
    middle_x, middle_y = (x + u) / 2 - away * (v - y), (y + v) / 2 + away * (u - x)
    angle = 2 * asin(min(half / radius, 1))
    whole = copysign(2 * pi - angle if large else angle, 1 if sweep else -1)
    count = ceil(abs(whole) / (pi / 2) - 1e-9)
    part = whole / count
    reach = 4 / 3 * tan(part / 4)
    at_x, at_y = x - middle_x, y - middle_y
    for number in range(count):
        to_x = at_x * cos(part) - at_y * sin(part)
        to_y = at_x * sin(part) + at_y * cos(part)
        to = end if number == count - 1 else (middle_x + to_x, middle_y + to_y)
        yield Curve(
            (middle_x + at_x - reach * at_y, middle_y + at_y + reach * at_x),
            (middle_x + to_x + reach * to_y, middle_y + to_y - reach * to_x),
            to,
        )
        at_x, at_y = to_x, to_y
