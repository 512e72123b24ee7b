"""What open tables cost while nobody acts, and what an action costs beyond that.

    python benchmarks/idle_cost.py [--workers N --tables N ... --seconds S --repeats N]

Tables of four connections on PostgreSQL. First everyone only waits, then they act 200 times a
second. The processor time is that of the workers and PostgreSQL; the best of each counts.
"""

import argparse
import asyncio
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._load_generator import play_at_rate
from benchmarks.server import (
    ACTIONS_PER_SECOND,
    Cores,
    RunningServer,
    create_tables,
    run_pytlik_on_postgres,
    temporary_folder,
)

SETTLING_SECONDS = 3.0
"""After this nobody's delay is measured for the first time any more."""


async def measure(served: RunningServer, count: int, seconds: float) -> tuple[float, float]:
    """The milliseconds of processor time of a second without actions, and of an action."""
    tables = await create_tables(served, count)
    await play_at_rate(tables, ACTIONS_PER_SECOND, 1)  # first uses take longer
    await asyncio.sleep(SETTLING_SECONDS)
    before = served.cpu_ms()
    await asyncio.sleep(seconds)
    idle = (served.cpu_ms() - before) / seconds
    before = served.cpu_ms()
    steady = await play_at_rate(tables, ACTIONS_PER_SECOND, seconds)
    action = (served.cpu_ms() - before) / len(steady.waits)
    for table in tables:
        table.close()
    return idle, action


def main() -> None:
    parser = argparse.ArgumentParser(description="What tables cost while nobody acts.")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--tables", type=int, nargs="+", default=[100, 500], metavar="N")
    parser.add_argument("--seconds", type=float, default=8, metavar="S", help="of each part")
    parser.add_argument("--repeats", type=int, default=1, metavar="N")
    args = parser.parse_args()
    available = sorted(os.sched_getaffinity(0))
    cores = Cores(available[0], available[-1])
    print("| tables | ms a second, nobody acts | ms an action | of which beyond that |")
    print("| ---: | ---: | ---: | ---: |")
    for count in args.tables:
        found = []
        for _ in range(args.repeats):
            with (
                temporary_folder() as at,
                run_pytlik_on_postgres(cores, at, args.workers) as served,
            ):
                found.append(asyncio.run(measure(served, count, args.seconds)))
        idle, action = map(min, zip(*found, strict=True))
        beyond = action - idle / ACTIONS_PER_SECOND
        print(f"| {count} | {idle:.0f} | {action:.2f} | {beyond:.2f} |")
    print(f"\n{args.workers} workers, load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
