"""Run many simulated worlds on all cores: `python -m tests.sim --seeds 5000`.

    python -m tests.sim --first 1234 --seeds 1        repeat one world
    python -m tests.sim --seeds 500 --workers 8       let eight workers race on the same matches
    python -m tests.sim --bugs                        print a seed that finds each planted bug

The first broken promise ends the run and prints its seed and the end of the world's journal.
"""

import argparse
import itertools
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from os import cpu_count

from rich.console import Console
from rich.progress import track

from tests.sim.bugs import BUGS
from tests.sim.simulation import simulate

MAX_SEEDS_PER_BUG = 2_000
"""The number of seeds within which a planted bug must be found."""

SEEDS_PER_CHUNK = 10


def simulate_chunk(first: int, *, workers: int | None) -> Counter[str]:
    """Simulate a few worlds and count what was checked in them."""
    seen: Counter[str] = Counter()
    for seed in range(first, first + SEEDS_PER_CHUNK):
        world = simulate(seed, workers=workers)
        seen.update({f"  {promise}": times for promise, times in world.promises.checked.items()})
        seen.update(worlds=1, kills=world.kills, sent=world.actions_sent)
        seen["virtual seconds"] += round(world.loop.time())
        seen["acknowledged"] += sum(len(player.acknowledged) for player in world.everyone)
    return seen


def find_seed(name: str, first: int = 0) -> int | None:
    """Find a seed that exposes a planted bug: `first`, or else the first of all. If that world is
    also broken without the bug, it has found something else."""
    for seed in itertools.chain([first], range(MAX_SEEDS_PER_BUG)):
        try:
            with BUGS[name]():
                simulate(seed)
        except (AttributeError, NameError, TypeError):
            raise  # the bug no longer fits the server
        except Exception:  # noqa: BLE001 - the bug is found, whatever it breaks
            return seed
    return None


def find_and_check_seed(name: str) -> tuple[str, int | None]:
    seed = find_seed(name)
    if seed is not None:
        simulate(seed)
    return name, seed


def sum_with_progress(results: Iterable[Counter[str]], total: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    console = Console(stderr=True)
    for result in track(results, "Simulating", total=total, console=console):
        seen += result
    return seen


def run_seeds(first: int, seeds: int, workers: int | None) -> int:
    began = time.monotonic()
    chunks = range(first, first + seeds, SEEDS_PER_CHUNK)
    with ProcessPoolExecutor() as pool:
        results: Iterator[Counter[str]] = pool.map(partial(simulate_chunk, workers=workers), chunks)
        try:
            seen = sum_with_progress(results, len(chunks))
        except Exception as error:  # noqa: BLE001 - its notes name the seed
            pool.shutdown(cancel_futures=True)
            traceback.print_exception(error)
            return 1
    for what, times in seen.items():
        print(f"{times:12,}  {what}")
    print(f"all promises were kept; {time.monotonic() - began:.0f} s on {cpu_count()} cores")
    return 0


def find_bugs(names: list[str]) -> int:
    missing = 0
    with ProcessPoolExecutor() as pool:
        for name, seed in pool.map(find_and_check_seed, names):
            print(f'    "{name}": {seed},', flush=True)
            missing += seed is None
    return 1 if missing else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        "python -m tests.sim",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--workers", type=int, help="instead of one to three")
    parser.add_argument("--bugs", nargs="*", metavar="NAME", help="all of them, or only these")
    args = parser.parse_args()
    if args.bugs is not None:
        return find_bugs(args.bugs or list(BUGS))
    if args.seeds == 1:
        simulate(args.first, workers=args.workers)
        return 0
    return run_seeds(args.first, args.seeds, args.workers)


if __name__ == "__main__":
    sys.exit(main())
