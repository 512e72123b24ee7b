"""Measures rates. Runs take turns, so that their ratios hold even on a busy machine."""

import importlib
import time
import warnings
from collections.abc import Callable, Mapping
from types import ModuleType

import msgspec

Run = Callable[[], int]
"""Does some work, and returns how many things it has done."""

Progress = Callable[[str], object]
"""Called with the name of what is measured next."""

MIN_RUN_SECONDS = 0.1
"""Shorter runs are repeated, because the best of several short ones would be luck."""


class Row(msgspec.Struct, frozen=True):
    name: str
    rate: float
    """Things per second of this process's CPU time."""
    ratio: float | None = None
    """For a peer: how many times as fast our first program is. For one of several of ours: how many
    times as fast as the best peer it is."""
    aim: float | None = None
    """The target for the ratio, or for the rate if nothing is compared."""

    @property
    def is_aim_reached(self) -> bool:
        return (self.rate if self.ratio is None else self.ratio) >= (self.aim or 0)


class Section(msgspec.Struct, frozen=True):
    """Programs that do the same thing, or several things that ours does."""

    title: str
    """The key of a text."""
    rows: tuple[Row, ...]


class Bench(msgspec.Struct, frozen=True):
    """What is measured in one section: ours first, then the peers."""

    title: str
    runs: dict[str, Run]
    aims: dict[str, float] = {}
    compared: bool = True
    own_names: tuple[str, ...] = ()
    """The names of our programs, if several do what the peers do."""


def measure_bench(bench: Bench, repeats: int, progress: Progress) -> Section:
    rates = measure_rates(bench.runs, repeats, progress)
    first, *_ = rates
    peers = [rate for name, rate in rates.items() if name not in (first, *bench.own_names)]

    def ratio(name: str) -> float | None:
        if not bench.compared or not peers:
            return None
        if name in bench.own_names:
            return rates[name] / max(peers)
        return None if name == first else rates[first] / rates[name]

    rows = [Row(name, rate, ratio(name), bench.aims.get(name)) for name, rate in rates.items()]
    return Section(bench.title, tuple(rows))


def measure_rates(runs: Mapping[str, Run], repeats: int, progress: Progress) -> dict[str, float]:
    rates = dict.fromkeys(runs, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the peers
        for _ in range(repeats):
            for name, run in runs.items():
                progress(name)
                count, took = 0, 0.0
                began = time.process_time()
                while took < MIN_RUN_SECONDS:
                    count += run()
                    took = time.process_time() - began
                rates[name] = max(rates[name], count / took)
    return rates


def import_if_installed(name: str) -> ModuleType | None:
    """Import a peer, if it's installed: `pip install 'pytlik[bench]'` installs them all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            return None
