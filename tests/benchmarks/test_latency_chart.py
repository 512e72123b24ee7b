"""The chart of latency by load."""

from xml.etree import ElementTree as ET

import pytest

from benchmarks._latency_chart import HEIGHT, WIDTH, Point, draw_chart
from benchmarks.latency_by_load import SERVER_LABELS, Percentiles, Row, chart_series

SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"


def make_line(slowness: float) -> list[Point]:
    loads = (50, 200, 800, 3200)
    return [Point(load, slowness * load / 100, slowness * load / 10) for load in loads]


SERIES = {"first & best": make_line(0.5), "second": make_line(1), "third": make_line(3)[:2]}


def polyline_points(drawn: ET.Element) -> list[tuple[float, float]]:
    pairs = [pair.split(",") for pair in drawn.attrib["points"].split()]
    return [(float(x), float(y)) for x, y in pairs]


def test_every_server_has_both_lines_and_its_name() -> None:
    root = ET.fromstring(draw_chart(SERIES))
    lines = {
        drawn.attrib["class"]: polyline_points(drawn)
        for drawn in root.iter(f"{SVG_NAMESPACE}polyline")
    }
    assert lines.keys() == {f"line {kind} s{n}" for kind in ("p50", "p99") for n in range(3)}
    for number, points in enumerate(SERIES.values()):
        for kind in ("p50", "p99"):
            assert len(lines[f"line {kind} s{number}"]) == len(points)
    assert {text.text for text in root.iter(f"{SVG_NAMESPACE}text")} >= SERIES.keys()


def test_slower_is_higher_and_more_load_is_further_right() -> None:
    root = ET.fromstring(draw_chart(SERIES))
    lines = {
        drawn.attrib["class"]: polyline_points(drawn)
        for drawn in root.iter(f"{SVG_NAMESPACE}polyline")
    }
    for drawn in lines.values():
        across, down = zip(*drawn, strict=True)
        assert sorted(across) == list(across)
        assert sorted(down, reverse=True) == list(down)
        assert min(across) >= 0
        assert max(across) <= WIDTH
        assert min(down) >= 0
        assert max(down) <= HEIGHT
    for (_, fast), (_, slow) in zip(lines["line p50 s0"], lines["line p99 s0"], strict=True):
        assert slow < fast
    for (_, fast), (_, slow) in zip(lines["line p99 s0"], lines["line p99 s1"], strict=True):
        assert slow < fast


def test_no_chart_without_measurements() -> None:
    with pytest.raises(ValueError, match="no load"):
        draw_chart({"first": []})


def make_row(server: str, load: float, *, late: float) -> Row:
    waits = Percentiles(p50=2, p90=3, p99=4, p999=None, max=5)
    return Row(
        server=server,
        load=load,
        offered=load,
        achieved=load,
        everyone=waits,
        answer=waits,
        returns=None,
        troubles={},
        cpu=10,
        late=late,
    )


def test_loads_that_the_client_delayed_are_not_shown() -> None:
    first, second, third = SERVER_LABELS.values()
    rows = [
        make_row(first, 50, late=0.9),
        make_row(first, 100, late=1.1),
        make_row(second, 50, late=0.1),
    ]
    assert chart_series(rows) == {first: [Point(50, 2, 4)], second: [Point(50, 2, 4)], third: []}
