"""What an action costs with two, four and eight workers on the same core, all included.

    python benchmarks/worker_overhead.py [--repeats N --seconds S --tables N] [--buses notify redis]

Tables of four connections, on PostgreSQL; bus messages by NOTIFY or by Redis. The tables are spread
over all workers, and the people at each are brought to the same one; with PYTLIK_GATHER_TABLES=0 in
the environment, people are spread too. The processor time is that of all workers, PostgreSQL and
Redis together, at a given rate and ("busy") at full speed. Runs take turns and the best of each
counts. "x" compares with two workers on the same bus.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.server import (
    Cores,
    RunningServer,
    SpeedResult,
    measure,
    run_pytlik_on_postgres,
    temporary_folder,
)
from tests.database_servers import Redis

WORKER_COUNTS = (2, 4, 8)


@contextmanager
def run_redis(cores: Cores, at: Path) -> Iterator[Redis]:
    os.sched_setaffinity(0, {cores.server})
    server = Redis(at / "redis")
    server.start()
    os.sched_setaffinity(0, {cores.client})
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def run_workers(bus: str, cores: Cores, at: Path, workers: int) -> Iterator[RunningServer]:
    with run_redis(cores, at) if bus == "redis" else nullcontext() as redis:
        words = ["--redis", redis.url] if redis else []
        with run_pytlik_on_postgres(cores, at, workers, *words) as served:
            pid = int((redis.data / "redis.pid").read_text()) if redis else None
            yield served._replace(pids=(*served.pids, pid)) if pid else served


def main() -> None:
    parser = argparse.ArgumentParser(description="What an action costs with more workers.")
    parser.add_argument("--buses", nargs="+", default=["notify", "redis"], metavar="BUS")
    parser.add_argument("--repeats", type=int, default=3, metavar="N")
    parser.add_argument("--seconds", type=float, default=6, metavar="S", help="of each run")
    parser.add_argument("--tables", type=int, default=100, metavar="N")
    args = parser.parse_args()
    available = sorted(os.sched_getaffinity(0))
    cores = Cores(available[0], available[-1])
    best: dict[tuple[str, int], SpeedResult] = {}
    for _ in range(args.repeats):
        for bus in args.buses:
            for workers in WORKER_COUNTS:
                with temporary_folder() as at, run_workers(bus, cores, at, workers) as served:
                    found = asyncio.run(measure(served, args.tables, args.seconds))
                key = bus, workers
                best[key] = best[key].best_of_both(found) if key in best else found
    print(f"{args.tables} tables, load {os.getloadavg()[0]:.1f} at the end")
    print()
    print("| bus | workers | actions/s | p50 ms | p99 ms | CPU ms | x | busy | x |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for (bus, workers), found in best.items():
        two = best[bus, WORKER_COUNTS[0]]
        print(
            f"| {bus} | {workers} | {found.rate:,.0f} | {found.p50:.1f} | {found.p99:.1f}"
            f" | {found.cpu:.2f} | {found.cpu / two.cpu:.2f}"
            f" | {found.busy_cpu:.2f} | {found.busy_cpu / two.busy_cpu:.2f} |"
        )


if __name__ == "__main__":
    main()
