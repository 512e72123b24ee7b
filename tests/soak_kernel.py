"""Random rounds of Unikat in the rules and in the kernel, compared at every position.

    python tests/soak_kernel.py --positions 100000 --first-seed 0

The legal actions, the position after each, the end and the winners must be the same.
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from types import ModuleType

from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parent.parent))

from pytlik.unikat.engine import kernel, kernel_bridge
from tests.unikat.kernel_agreement import compare_random_round, uncompiled_bridge

ROUNDS_PER_BATCH = 20


def compare_positions(seed: int, *, uncompiled: bool) -> int:
    """Play some rounds, and return how many positions were compared."""
    module: ModuleType = uncompiled_bridge() if uncompiled else kernel_bridge
    return sum(
        1
        for number in range(ROUNDS_PER_BATCH)
        for _ in compare_random_round(f"{seed}-{number}", module)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--uncompiled", action="store_true", help="even if there is a compiled one")
    parser.add_argument("--processes", type=int)
    args = parser.parse_args()
    began, done = time.monotonic(), 0
    with ProcessPoolExecutor(args.processes) as pool, Progress(transient=True) as progress:
        task = progress.add_task("positions", total=args.positions)
        waiting = set()
        for seed in count(args.first_seed):
            waiting.add(pool.submit(compare_positions, seed, uncompiled=args.uncompiled))
            if len(waiting) < 8:
                continue
            first = waiting.pop()
            before, done = done, done + first.result()
            progress.update(task, completed=done)
            if done // 10_000 > before // 10_000:
                progress.console.print(f"{done:,} positions agree")
            if done >= args.positions:
                break
        for rest in waiting:
            rest.cancel()
    how = "compiled" if kernel.COMPILED and not args.uncompiled else "uncompiled"
    seconds = time.monotonic() - began
    print(f"kernel, {how}: agrees with the rules at {done:,} positions, in {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
