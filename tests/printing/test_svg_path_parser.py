"""SVG paths, parsed into the commands that PDF has."""

from math import hypot

import pytest

from pytlik.drawing.primitives import rectangle_path
from pytlik.printing.svg_path_parser import Close, Curve, Line, Move, Point, parse_path


def points_of(curve: Curve, start: Point) -> list[Point]:
    found = []
    for at in range(11):
        t = at / 10
        parts = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        corners = (start, curve.first, curve.second, curve.to)
        found.append((
            sum(part * corner[0] for part, corner in zip(parts, corners, strict=True)),
            sum(part * corner[1] for part, corner in zip(parts, corners, strict=True)),
        ))  # fmt: skip
    return found


def test_lines() -> None:
    assert list(parse_path("M1-2L3 4 5 6H-.5V.25.5Z")) == [
        Move((1, -2)), Line((3, 4)), Line((5, 6)), Line((-0.5, 6)), Line((-0.5, 0.25)),
        Line((-0.5, 0.5)), Close(),
    ]  # fmt: skip


def test_pairs_after_a_move_are_lines() -> None:
    assert list(parse_path("M0 0 1 0 1 1")) == [Move((0, 0)), Line((1, 0)), Line((1, 1))]


def test_after_closing_a_path_continues_from_its_start() -> None:
    assert list(parse_path("M2 3H5ZV9"))[-1] == Line((2, 9))


def test_curves() -> None:
    assert list(parse_path("M0 0C1 2 3 4 5 6S9 10 11 12S15 16 17 18"))[1:] == [
        Curve((1, 2), (3, 4), (5, 6)),
        Curve((7, 8), (9, 10), (11, 12)),
        Curve((13, 14), (15, 16), (17, 18)),
    ]
    assert list(parse_path("M1 1S2 3 4 5"))[1] == Curve((1, 1), (2, 3), (4, 5))
    (quadratic,) = list(parse_path("M0 0Q3 3 6 0"))[1:]
    assert quadratic == Curve((2, 2), (4, 2), (6, 0))


@pytest.mark.parametrize(
    ("path", "centre", "quarters"),
    [
        ("M0-50A50 50 0 1 1 0 50A50 50 0 1 1 0-50Z", (0, 0), 4),
        ("M10 0A10 10 0 0 1 0 10", (0, 0), 1),
        ("M10 0A10 10 0 0 0 0 10", (10, 10), 1),
        ("M10 0A10 10 0 1 1 0 10", (10, 10), 3),
        ("M10 0A10 10 0 1 0 0 10", (0, 0), 3),
    ],
)
def test_arcs_stay_on_their_circle(path: str, centre: Point, quarters: int) -> None:
    steps = [step for step in parse_path(path) if not isinstance(step, Close)]
    radius = hypot(steps[0].to[0] - centre[0], steps[0].to[1] - centre[1])
    curves = [step for step in steps if isinstance(step, Curve)]
    assert len(curves) == quarters
    for start, curve in zip(steps, curves, strict=False):
        for x, y in points_of(curve, start.to):
            assert hypot(x - centre[0], y - centre[1]) == pytest.approx(radius, rel=0.001)


def test_round_corners_stay_within_their_box() -> None:
    xs, ys = zip(
        *(
            step.to
            for step in parse_path(rectangle_path(1, 2, 10, 20, 3))
            if not isinstance(step, Close)
        ),
        strict=True,
    )
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((1, 11, 2, 22))


@pytest.mark.parametrize("path", ["m1 2", "M1", "M", "M1 2T3 4", "M0 0Z1"])
def test_unsupported_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="not a path"):
        list(parse_path(path))
