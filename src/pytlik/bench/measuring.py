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


LONG_ENOUGH = 0.1
"""A run that is over sooner is done again (in seconds): the best of short ones would be luck."""


class Row(msgspec.Struct, frozen=True):
    name: str
    rate: float
    """Things a second of this process's own time."""
    ratio: float | None = None
    """How many times as fast as a peer the first of ours is; or one of ours as the best peer."""
    aim: float | None = None
    """What the ratio is to be; or the rate, where nothing is compared."""

    @property
    def reached(self) -> bool:
        return (self.rate if self.ratio is None else self.ratio) >= (self.aim or 0)


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
    several: tuple[str, ...] = ()
    """Ours, where there are several that do just what the peers do."""


def measure(bench: Bench, repeats: int, progress: Progress) -> Section:
    rates = best(bench.runs, repeats, progress)
    first, *_ = rates
    peers = [rate for name, rate in rates.items() if name not in (first, *bench.several)]

    def ratio(name: str) -> float | None:
        if not bench.compared or not peers:
            return None
        if name in bench.several:
            return rates[name] / max(peers)
        return None if name == first else rates[first] / rates[name]

    rows = [Row(name, rate, ratio(name), bench.aims.get(name)) for name, rate in rates.items()]
    return Section(bench.title, tuple(rows))


def best(runs: Mapping[str, Run], repeats: int, progress: Progress) -> dict[str, float]:
    rates = dict.fromkeys(runs, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers' own
        for _ in range(repeats):
            for name, run in runs.items():
                progress(name)
                count, took = 0, 0.0
                began = time.process_time()
                while took < LONG_ENOUGH:
                    count += run()
                    took = time.process_time() - began
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
