"""A picture of latency over load: half of the actions took no longer than the dashed line, 99 % no
longer than the solid one. It's drawn for light and dark pages, with a background of its own."""

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH, HEIGHT = 720, 440
LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 72, 24, 92, 56
"""Margins around the plot."""
MARKER_RADIUS = 4.5

STYLE = """
  .page { fill: #fffdf8 } text { fill: #1d1a15; font: 14px system-ui, sans-serif }
  .title { font-weight: 600; font-size: 16px } .grid { stroke: #d5cbb8 }
  .ink { stroke: #1d1a15 }
  .line { fill: none; stroke-width: 2.5 } .p50 { stroke-dasharray: 6 5; stroke-width: 1.75 }
  .s0 { stroke: #1d6b4c; fill: #1d6b4c } .s1 { stroke: #5b4a9e; fill: #5b4a9e }
  .s2 { stroke: #b04a12; fill: #b04a12 } .line.s0, .line.s1, .line.s2 { fill: none }
  @media (prefers-color-scheme: dark) {
    .page { fill: #14201b } text { fill: #f0ebe0 } .grid { stroke: #3d5247 }
    .ink { stroke: #f0ebe0 }
    .s0 { stroke: #86d6ae; fill: #86d6ae } .s1 { stroke: #c3b2ec; fill: #c3b2ec }
    .s2 { stroke: #f0a070; fill: #f0a070 } .line.s0, .line.s1, .line.s2 { fill: none }
  }
"""


class Point(NamedTuple):
    """Actions per second, and how many milliseconds they took."""

    rate: float
    p50: float
    p99: float


class Scale(NamedTuple):
    """A logarithmic axis from one number to another, and its place in the picture."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        share = log10(value / self.low) / log10(self.high / self.low)
        return self.begin + share * (self.end - self.begin)


def draw_chart(series: dict[str, list[Point]]) -> str:
    """An SVG with the lines of each server. Raises ValueError if there's nothing to show."""
    points = [point for line in series.values() for point in line]
    if not points:
        raise ValueError("no load was measured")
    waits = [wait for point in points for wait in (point.p50, point.p99)]
    rates = sorted({point.rate for point in points})
    across = Scale(rates[0] / 1.15, rates[-1] * 1.15, LEFT_MARGIN, WIDTH - RIGHT_MARGIN)
    up = Scale(
        10.0 ** floor(log10(min(waits))),
        10.0 ** max(ceil(log10(max(waits))), floor(log10(min(waits))) + 1),
        HEIGHT - BOTTOM_MARGIN,
        TOP_MARGIN,
    )
    parts = [
        *draw_axes(across, up, rates),
        *draw_legend(series),
        *(
            part
            for number, line in enumerate(series.values())
            for part in draw_line(number, sorted(line), across, up)
        ),
    ]
    names = ", ".join(series)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<title>How long an action takes at which load: {escape(names)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def draw_axes(across: Scale, up: Scale, rates: Sequence[float]) -> Iterable[str]:
    yield draw_text(
        LEFT_MARGIN, 28, "How long an action takes until everyone has it", "start", "title"
    )
    wait = up.low
    while wait <= up.high * 1.001:
        y = up(wait)
        yield f'<path class="grid" d="M{LEFT_MARGIN} {y:.1f}H{WIDTH - RIGHT_MARGIN}"/>'
        yield draw_text(
            LEFT_MARGIN - 8, y + 5, f"{wait:g} ms" if wait < 1000 else f"{wait / 1000:g} s"
        )
        wait *= 10
    free = 0.0
    for rate in rates:
        x = across(rate)
        yield f'<path class="grid" d="M{x:.1f} {HEIGHT - BOTTOM_MARGIN}v6"/>'
        if x >= free:
            yield draw_text(x, HEIGHT - BOTTOM_MARGIN + 22, f"{rate:,.0f}", "middle")
            free = x + 44
    middle = (LEFT_MARGIN + WIDTH - RIGHT_MARGIN) / 2
    yield draw_text(middle, HEIGHT - 10, "actions that people make per second", "middle")


def draw_legend(series: Iterable[str]) -> Iterable[str]:
    width = (WIDTH - RIGHT_MARGIN - LEFT_MARGIN) / 3
    for number, name in enumerate(series):
        x = LEFT_MARGIN + number * width
        yield f'<path class="line s{number}" d="M{x:.1f} 52h34"/>'
        yield draw_marker(number, x + 17, 52)
        yield draw_text(x + 42, 57, name, "start")
    yield f'<path class="line ink" d="M{LEFT_MARGIN} 74h34"/>'
    yield draw_text(LEFT_MARGIN + 42, 79, "99 % are faster", "start")
    yield f'<path class="line ink p50" d="M{LEFT_MARGIN + width:.1f} 74h34"/>'
    yield draw_text(LEFT_MARGIN + width + 42, 79, "half are faster", "start")


def draw_line(number: int, line: Sequence[Point], across: Scale, up: Scale) -> Iterable[str]:
    for kind in ("p50", "p99"):
        places = [(across(point.rate), up(getattr(point, kind))) for point in line]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline class="line {kind} s{number}" points="{corners}"/>'
        if kind == "p99":
            yield from (draw_marker(number, x, y) for x, y in places)


def draw_marker(number: int, x: float, y: float) -> str:
    """Each server has a shape as well as a colour."""
    if number == 0:
        return f'<circle class="s0" cx="{x:.1f}" cy="{y:.1f}" r="{MARKER_RADIUS}"/>'
    corner = f"M{x - MARKER_RADIUS:.1f} {y + MARKER_RADIUS:.1f}h{2 * MARKER_RADIUS}"
    shape = (
        f"v{-2 * MARKER_RADIUS}h{-2 * MARKER_RADIUS}z"
        if number == 1
        else f"l{-MARKER_RADIUS} {-2 * MARKER_RADIUS}z"
    )
    return f'<path class="s{number}" d="{corner}{shape}"/>'


def draw_text(x: float, y: float, text: str, anchor: str = "end", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
