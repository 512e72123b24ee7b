"""`pytlik bench` measures ours beside peers, and only what does the same."""

import json
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from pytlik.bench import games, puzzles
from pytlik.bench.measuring import Bench, Row, Section, best, installed, measure
from pytlik.cli import main
from pytlik.ubongo import cards


def test_the_best_of_each_counts_and_they_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("pytlik.bench.measuring.time.process_time", lambda: clock.now)
    times = {"ours": iter([2.0, 1.0, 4.0]), "theirs": iter([10.0, 5.0, 20.0])}
    heard: list[str] = []

    def run(name: str) -> Callable[[], int]:
        def work() -> int:
            clock.now += next(times[name])
            return 100

        return work

    bench = Bench("bench.own_loop", {name: run(name) for name in times}, {"theirs": 3.0})
    assert measure(bench, 3, heard.append) == Section(
        "bench.own_loop",
        (Row("ours", 100.0), Row("theirs", 20.0, ratio=5.0, aim=3.0)),
    )
    assert heard == ["ours", "theirs"] * 3


def test_what_is_not_to_be_compared_has_no_ratio() -> None:
    section = measure(Bench("", {"a": lambda: 1, "b": lambda: 1}, compared=False), 1, str)
    assert [row.ratio for row in section.rows] == [None, None]


def test_a_peer_that_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyspiel", "pettingzoo.classic.connect_four_v3", "rlcard", *puzzles.LIBRARIES):
        monkeypatch.setitem(sys.modules, name, None)
        assert installed(name) is None
    runs = [list(bench.runs) for bench in (*games.benches(), *puzzles.benches())]
    assert runs == [
        ["Unikat"], ["Unikat"], ["2", "3", "4"], ["uniform", "eager", "patient"],
        ["kernel", "batch", "solver"], ["kernel", "batch", "solver"], ["pytlik deck"],
    ]  # fmt: skip


def test_a_peer_that_is_installed_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def covers(rows: list[list[int]]) -> list[Any]:
        return [rows]

    monkeypatch.setitem(sys.modules, "xcover", SimpleNamespace(covers=covers))
    bench = next(iter(puzzles.benches()))
    assert bench.aims["xcover"] in (puzzles.COMPILED_AIM, puzzles.UNCOMPILED_AIM)
    assert best({"xcover": bench.runs["xcover"]}, 1, str)["xcover"] > 0


def test_solvers_that_disagree_are_found_out() -> None:
    suite = puzzles.puzzles(cards.load("standard"), 3)[:2]
    with pytest.raises(ValueError, match="disagree"):
        puzzles.counting(lambda _: 2, suite, [1, 1])()


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "unikat", "--repeats", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    titles = [section["title"] for section in told["sections"]]
    assert titles[:2] == ["bench.own_loop", "bench.from_python"]
    assert all(row["rate"] > 0 for section in told["sections"] for row in section["rows"])
    assert main(["bench", "chess"]) == 2
