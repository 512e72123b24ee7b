"""`pytlik bench` compares our code with peers that do the same work."""

import json
import sys
from collections.abc import Callable
from itertools import cycle
from types import SimpleNamespace
from typing import Any

import pytest

from pytlik.bench import ubongo_solvers, unikat_simulators
from pytlik.bench.measurement import (
    MIN_RUN_SECONDS,
    Bench,
    Row,
    Section,
    import_if_installed,
    measure_bench,
    measure_rates,
)
from pytlik.cli import main
from pytlik.cli.bench import print_results
from pytlik.i18n import catalogue
from pytlik.ubongo import deck_files, kernel


@pytest.fixture
def process_clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The process's own time, which advances when a run says so."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("pytlik.bench.measurement.time.process_time", lambda: clock.now)
    return clock


def make_run_lasting(clock: SimpleNamespace, *seconds: float, done: int = 8) -> Callable[[], int]:
    """A run that takes these times in turn, over and over."""
    takes = cycle(seconds)

    def work() -> int:
        clock.now += next(takes)
        return done

    return work


def test_runs_take_turns_and_the_best_counts(process_clock: SimpleNamespace) -> None:
    order: list[str] = []
    runs = {
        "ours": make_run_lasting(process_clock, 2, 1, 4),
        "theirs": make_run_lasting(process_clock, 10, 5, 20),
    }
    bench = Bench("bench.own_loop", runs, {"theirs": 3.0})
    assert measure_bench(bench, 3, order.append) == Section(
        "bench.own_loop",
        (Row("ours", 8.0), Row("theirs", 1.6, ratio=5.0, aim=3.0)),
    )
    assert order == ["ours", "theirs"] * 3


def test_short_run_is_repeated(process_clock: SimpleNamespace) -> None:
    # Four of them are long enough, and their mean counts.
    short = MIN_RUN_SECONDS / 4
    rates = measure_rates(
        {"ours": make_run_lasting(process_clock, short / 2, short * 1.5, done=1)}, 1, str
    )
    assert rates["ours"] == pytest.approx(1 / short)
    assert process_clock.now == pytest.approx(MIN_RUN_SECONDS)


def test_several_of_ours_are_compared_with_the_best_peer(
    process_clock: SimpleNamespace,
) -> None:
    seconds = {"kernel": 1, "solver": 4, "slow": 16, "good": 8}
    runs = {name: make_run_lasting(process_clock, takes) for name, takes in seconds.items()}
    bench = Bench("", runs, {"kernel": 10.0, "solver": 2.0}, own_names=("kernel", "solver"))
    rows = measure_bench(bench, 1, str).rows
    assert [row.ratio for row in rows] == [8.0, 2.0, 16.0, 8.0]
    assert [row.is_aim_reached for row in rows if row.aim] == [False, True]


def test_nothing_is_compared_without_peers(process_clock: SimpleNamespace) -> None:
    runs = {"a": make_run_lasting(process_clock, 1), "b": make_run_lasting(process_clock, 2)}
    rows = measure_bench(Bench("", runs, {"a": 8.0}, own_names=("a", "b")), 1, str).rows
    assert [row.ratio for row in rows] == [None, None]
    assert rows[0].is_aim_reached


def test_uncompared_bench_has_no_ratios(process_clock: SimpleNamespace) -> None:
    runs = {"a": make_run_lasting(process_clock, 1), "b": make_run_lasting(process_clock, 2)}
    section = measure_bench(Bench("", runs, compared=False), 1, str)
    assert [row.ratio for row in section.rows] == [None, None]


def test_peer_that_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*unikat_simulators.PEERS.values(), *ubongo_solvers.PEERS.values()):
        monkeypatch.setitem(sys.modules, name, None)
        assert import_if_installed(name) is None
    runs = [list(bench.runs) for bench in (*unikat_simulators.benches(), *ubongo_solvers.benches())]
    assert runs == [
        ["Unikat"], ["Unikat"], ["2", "3", "4"], ["random", "hard"],
        *[["kernel", "batch", "solver"]] * 4, ["pytlik deck"],
    ]  # fmt: skip


def test_installed_peer_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def covers(rows: list[list[int]]) -> list[Any]:
        return [rows]

    monkeypatch.setitem(sys.modules, "xcover", SimpleNamespace(covers=covers))
    bench = next(iter(ubongo_solvers.benches()))
    aim = ubongo_solvers.COMPILED_AIM if kernel.COMPILED else ubongo_solvers.UNCOMPILED_AIM
    assert bench.aims["kernel"] == aim
    assert measure_rates({"xcover": bench.runs["xcover"]}, 1, str)["xcover"] > 0


def test_eight_pieces_on_forty_cells() -> None:
    large = ubongo_solvers.large_puzzle()
    assert (len(large.area), len(large.pieces)) == (40, 8)
    assert ubongo_solvers.count_with_kernel(large) == ubongo_solvers.count_with_solver(large) == 36


def test_disagreeing_solvers_are_an_error() -> None:
    suite = ubongo_solvers.deck_puzzles(deck_files.load("standard"), 3)[:2]
    with pytest.raises(ValueError, match="disagree"):
        ubongo_solvers.make_counting_run(lambda _: 2, suite, [1, 1])()


def test_bench_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "rlcard", None)
    assert main(["bench", "unikat", "--repeats", "1", "--json"]) == 0
    shown = capsys.readouterr()
    report = json.loads(shown.out)
    titles = [section["title"] for section in report["sections"]]
    assert titles[:2] == ["bench.own_loop", "bench.from_python"]
    assert all(row["rate"] > 0 for section in report["sections"] for row in section["rows"])
    assert "RLCard (pip install 'pytlik[bench]')" in shown.err
    assert main(["bench", "chess"]) == 2


def test_table_shows_which_aims_are_reached(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    rows = (Row("kernel", 5000.0, ratio=49.0, aim=50.0), Row("solver", 80.0, ratio=3.0, aim=2.0))
    deck = Row("pytlik deck", 1.25, aim=1.0)
    print_results(
        [Section("bench.puzzles.3", rows), Section("bench.deck", (deck,))], catalogue("en")
    )
    shown = [line.split("│")[1:-1] for line in capsys.readouterr().out.splitlines() if "│" in line]
    assert [[cell.strip() for cell in line] for line in shown] == [
        ["puzzles, 3 pieces, all solutions", "", "", ""],
        ["kernel", "5,000", "49 ×", "50 × ✗"],
        ["solver", "80", "3 ×", "2 × ✓"],
        ["decks of 432 puzzles, made and checked", "", "", ""],
        ["pytlik deck", "1.25", "", "1 ✓"],
    ]
