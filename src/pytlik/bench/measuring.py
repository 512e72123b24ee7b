"""Rates of runs that take turns, so that their ratios hold on a busy machine as well."""

import importlib
import time
import warnings
from collections.abc import Callable, Mapping
from types import ModuleType

import msgspec

Run = Callable[[], int]
"""Does some work; how many things it has done."""

Progress = Callable[[str], object]
"""Hears what is measured next."""


class Row(msgspec.Struct, frozen=True):
    name: str
    rate: float
    """Things a second of this process's own time."""
    ratio: float | None = None
    """How many times as fast ours is, the first of the section."""
    aim: float | None = None
    """And how many times it is to be."""


class Section(msgspec.Struct, frozen=True):
    """Programs that do the same thing; or ours, doing several."""

    title: str
    """The key of a text."""
    rows: tuple[Row, ...]


class Bench(msgspec.Struct, frozen=True):
    """What is measured in one section: ours first, then the peers."""

    title: str
    runs: dict[str, Run]
    aims: dict[str, float] = {}
    compared: bool = True


def measure(bench: Bench, repeats: int, progress: Progress) -> Section:
    rates = best(bench.runs, repeats, progress)
    ours = next(iter(rates.values()))
    rows = [
        Row(
            name,
            rate,
            ratio=ours / rate if bench.compared and number else None,
            aim=bench.aims.get(name),
        )
        for number, (name, rate) in enumerate(rates.items())
    ]
    return Section(bench.title, tuple(rows))


def best(runs: Mapping[str, Run], repeats: int, progress: Progress) -> dict[str, float]:
    rates = dict.fromkeys(runs, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers' own
        for _ in range(repeats):
            for name, run in runs.items():
                progress(name)
                began = time.process_time()
                count = run()
                took = max(time.process_time() - began, 1e-9)
                rates[name] = max(rates[name], count / took)
    return rates


def installed(name: str) -> ModuleType | None:
    """A peer, where it is there: `pip install 'pytlik[bench]'` brings them all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            return None
