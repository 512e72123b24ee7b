"""How long actions take at which load, if people act when they want to.

    python benchmarks/latency_by_load.py [--servers NAME ... --loads N ... --seconds S] [--write]
    python benchmarks/latency_by_load.py --draw [--write]     the last run again, without measuring

With --write, the table and the picture go into the documents.

Actions arrive at random moments (a Poisson process), whether or not the server has answered the
last ones. What counts is the time from when an action was due until its actor has the answer, and
until everyone at the table has received it. Meanwhile people leave and come back, and some
spectators read very slowly. The load grows until a server can't keep up.

Each server has one core and this client another, if there are two. Pytlik plays both games by their
rules, with its usual limits; boardgame.io plays a game of Unikat's shape in memory (see
boardgameio/). A row is invalid if the client itself sent too late to measure anything.
"""

import argparse
import asyncio
import gc
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from textwrap import fill

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._latency_chart import Point, draw_chart
from benchmarks._load_generator import Table, percentile, play_at_rate, start_task
from benchmarks._reconnect_delays import retry_delays
from benchmarks._sockets import ConnectionClosed
from benchmarks.server import (
    USUAL_LIMITS,
    Cores,
    Report,
    RunningServer,
    ServerContext,
    create_tables,
    install_boardgameio,
    replace_section,
    run_boardgameio,
    run_pytlik,
    run_pytlik_on_postgres,
    temporary_folder,
)
from pytlik.server.startup import uvloop_factory

ROOT = Path(__file__).parent.parent

LOADS_PER_SECOND = (50, 100, 200, 400, 800, 1200, 1600, 2000, 2400, 2800, 3200)
"""Actions per second."""
MIN_ACTIONS_MEASURED = 1000
"""Low loads are measured for up to three times as long to get this many actions. With fewer there's
no p99.9."""
WARM_UP_SECONDS = 1.0
DRAIN_SECONDS = 10.0
"""Actions that take longer than this after the end of a run count as unanswered."""
MIN_SHARE_IN_TIME = 0.95
"""The share of the actions that has to be done in time."""
MAX_P99_MS = 1000.0
MAX_CLIENT_DELAY_SHARE = 0.25
"""A row is invalid if the client's own delay is a larger share of the p99 than this."""
SESSION_SECONDS = 300.0
"""How long someone stays, on average, before they leave and come back."""
AWAY_SECONDS = 1.0
SLOW_SHARE = 0.02
"""The share of connections that read slowly."""

RESULT_FILE = ROOT / "build" / "open_loop.json"
CHART_FILE = ROOT / "docs" / "_static" / "latency.svg"

SERVER_LABELS = {
    "sqlite": "Pytlik, SQLite",
    "postgres": "Pytlik, PostgreSQL",
    "boardgameio": "boardgame.io",
}


class Percentiles(msgspec.Struct):
    """Percentiles of waits, in milliseconds."""

    p50: float
    p90: float
    p99: float
    p999: float | None
    max: float


def percentiles(waits: Sequence[float]) -> Percentiles | None:
    """The percentiles of waits in seconds, ascending."""
    if not waits:
        return None
    p50, p90, p99, p999 = (percentile(waits, percent) for percent in (50, 90, 99, 99.9))
    return Percentiles(
        p50, p90, p99, p999 if len(waits) >= MIN_ACTIONS_MEASURED else None, 1000 * waits[-1]
    )


class Row(msgspec.Struct):
    """What one server did at one load."""

    server: str
    load: float
    """Actions per second, as asked for."""
    offered: float
    """Actions per second, as they really arrived."""
    achieved: float
    everyone: Percentiles
    """From when an action was due until everyone at the table had received it."""
    answer: Percentiles
    """The same until its actor had the answer."""
    returns: Percentiles | None
    """From when someone came back until they had the newest view."""
    troubles: dict[str, int]
    cpu: float
    """CPU time of all the server's processes, in percent of a core."""
    late: float
    """How late this client sent (ms, p99)."""

    @property
    def keeps_up(self) -> bool:
        in_time = self.achieved >= MIN_SHARE_IN_TIME * self.offered
        return in_time and self.everyone.p99 <= MAX_P99_MS

    @property
    def is_valid(self) -> bool:
        return self.late <= MAX_CLIENT_DELAY_SHARE * self.everyone.p99


class Run(msgspec.Struct):
    """A run on one machine."""

    about: str
    rows: list[Row]


# --------------------------------------------------------------------------------------- measuring


class Visitors:
    """People who come and go while others play, and spectators who read slowly."""

    def __init__(self, served: RunningServer, tables: list[Table]) -> None:
        self.returns: list[float] = []
        """Seconds until someone who came back had the newest view."""
        self.cut_off = 0
        """How often the server ended a slow reader's connection."""
        self._served = served
        self._tables = tables
        self._random = Random(1)
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        start_task(self._tasks, self._come_and_go())
        count = max(1, round(SLOW_SHARE * 4 * len(self._tables)))
        for table in islice(cycle(self._tables), count):
            start_task(self._tasks, self._read_slowly(table.id))

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _come_and_go(self) -> None:
        people = 4 * len(self._tables)
        while True:
            await asyncio.sleep(self._random.expovariate(people / SESSION_SECONDS))
            table, seat = self._random.choice(self._tables), self._random.randrange(4)
            # Nobody leaves while their action is on its way.
            if seat in table.sockets and not table.busy:
                table.leave(seat)
                start_task(self._tasks, self._come_back(table, seat))

    async def _come_back(self, table: Table, seat: int) -> None:
        await asyncio.sleep(self._random.expovariate(1 / AWAY_SECONDS))
        began = time.perf_counter()
        await table.retry_until_connected(seat, at_once=True)
        self.returns.append(time.perf_counter() - began)

    async def _read_slowly(self, table: str) -> None:
        delays = retry_delays(self._random)
        while True:
            try:
                socket = await self._served.client.watch(table, slow=True)
            except (OSError, ConnectionClosed):
                await asyncio.sleep(next(delays))
                continue
            gone = asyncio.Event()
            socket.lost = gone.set
            try:
                await gone.wait()
            finally:
                socket.close()
            self.cut_off += 1
            delays = retry_delays(self._random)
            await asyncio.sleep(next(delays))


@asynccontextmanager
async def with_visitors(served: RunningServer, tables: list[Table]) -> AsyncIterator[Visitors]:
    visitors = Visitors(served, tables)
    visitors.start()
    try:
        yield visitors
    finally:
        await visitors.stop()


async def measure(
    name: str,
    served: RunningServer,
    tables: list[Table],
    visitors: Visitors,
    load: float,
    seconds: float,
) -> Row:
    play = partial(play_at_rate, tables, load, tolerant=True, drain_seconds=DRAIN_SECONDS)
    await play(seconds=WARM_UP_SECONDS)
    gc.collect()
    visitors.returns.clear()
    visitors.cut_off = 0
    cpu, began = served.cpu_ms(), time.perf_counter()
    played = await play(seconds=max(seconds, min(MIN_ACTIONS_MEASURED / load, 3 * seconds)))
    busy = (served.cpu_ms() - cpu) / (time.perf_counter() - began) / 10
    everyone, answer = percentiles(played.waits), percentiles(played.answers)
    assert everyone
    assert answer
    troubles = +(played.troubles + Counter({"slow readers cut off": visitors.cut_off}))
    return Row(
        server=name,
        load=load,
        offered=len(played.late) / played.seconds,
        achieved=played.rate,
        everyone=everyone,
        answer=answer,
        returns=percentiles(sorted(visitors.returns)),
        troubles=dict(troubles),
        cpu=busy,
        late=percentile(played.late, 99),
    )


async def measure_rising_loads(
    name: str,
    served: RunningServer,
    args: argparse.Namespace,
    note: Callable[[Row], None],
) -> None:
    """Measure one load after the other, until the server can't keep up."""
    tables = await create_tables(served, args.tables, served.client.games)
    gc.collect()
    gc.disable()  # or this client would pause now and then
    try:
        async with with_visitors(served, tables) as visitors:
            for load in args.loads:
                row = await measure(name, served, tables, visitors, load, args.seconds)
                note(row)
                if not row.keeps_up:
                    break
    finally:
        gc.enable()
        for table in tables:
            table.close()


def run_benchmark(args: argparse.Namespace, cores: Cores) -> Run:
    start: dict[str, Callable[[Path], ServerContext]] = {
        "sqlite": lambda at: run_pytlik(cores, str(at / "pytlik.db"), env=USUAL_LIMITS),
        "postgres": lambda at: run_pytlik_on_postgres(cores, at, 2, env=USUAL_LIMITS),
        "boardgameio": lambda _: run_boardgameio(cores),
    }
    found = Run(describe_run(args), [])

    def note(row: Row) -> None:
        found.rows.append(row)
        print(describe_row(row), flush=True)
        RESULT_FILE.parent.mkdir(exist_ok=True)
        RESULT_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found)))

    for name in args.servers:
        with (
            temporary_folder() as at,
            start[name](at) as served,
            asyncio.Runner(loop_factory=uvloop_factory()) as runner,
        ):
            runner.run(measure_rising_loads(SERVER_LABELS[name], served, args, note))
    return found


def describe_run(args: argparse.Namespace) -> str:
    cores = len(os.sched_getaffinity(0))
    return (
        f"{datetime.now(UTC):%-d %B %Y}, Python {platform.python_version()}, {cores} cores, load"
        f" {os.getloadavg()[0]:.1f} when it began; {args.tables} tables of four, at least"
        f" {args.seconds:g} s per row. PostgreSQL with two workers, boardgame.io in memory."
    )


# --------------------------------------------------------------------------------------- reporting

TABLE_HEAD = (
    "| | offered/s | done/s | p50 | p90 | p99 | p99.9 | max | answer p50 | p99 | back p99"
    " | CPU % | sent late | |"
)


def describe_row(row: Row) -> str:
    every, answer = row.everyone, row.answer
    back = row.returns.p99 if row.returns else None
    waits = (every.p50, every.p90, every.p99, every.p999, every.max, answer.p50, answer.p99, back)
    problems = [f"{count} {what}" for what, count in row.troubles.items()]
    if not row.keeps_up:
        problems.append("**can't keep up**")
    if not row.is_valid:
        problems.append("**invalid: the client was late**")
    cells = (
        row.server,
        f"{row.offered:,.0f}",
        f"{row.achieved:,.0f}",
        *map(format_ms, waits),
        f"{row.cpu:.0f}",
        format_ms(row.late),
        ", ".join(problems),
    )
    return f"| {' | '.join(cells)} |"


def format_ms(wait: float | None) -> str:
    if wait is None:
        return ""
    return f"{wait:.1f}" if wait < 100 else f"{wait:,.0f}"


def chart_series(rows: list[Row]) -> dict[str, list[Point]]:
    """The data for the picture: all valid rows."""
    valid = [row for row in rows if row.is_valid]
    return {
        name: [
            Point(row.load, row.everyone.p50, row.everyone.p99)
            for row in valid
            if row.server == name
        ]
        for name in SERVER_LABELS.values()
    }


def write_report(found: Run, *, write: bool) -> None:
    lines = Report()
    lines.add_line()
    lines.add_line(fill(f"{found.about} In milliseconds.", 100))
    lines.add_line()
    lines.add_line(TABLE_HEAD)
    lines.add_line("| --- |" + " ---: |" * 12 + " --- |")
    for row in found.rows:
        lines.add_line(describe_row(row))
    if write:
        CHART_FILE.write_text(draw_chart(chart_series(found.rows)))
        replace_section(ROOT / "benchmarks" / "results.md", "open loop", lines.lines)
        shown = f"![The time until everyone has an action, over the load]({CHART_FILE.parent.name}"
        shown += f"/{CHART_FILE.name})"
        replace_section(ROOT / "docs" / "scale.md", "open loop", ["", shown, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description="How long actions take at which load.")
    parser.add_argument("--servers", nargs="+", choices=SERVER_LABELS, default=list(SERVER_LABELS))
    parser.add_argument("--loads", nargs="+", type=float, default=LOADS_PER_SECOND, metavar="N")
    parser.add_argument("--seconds", type=float, default=7, metavar="S", help="of each load")
    parser.add_argument("--tables", type=int, default=400, metavar="N")
    parser.add_argument(
        "--write", action="store_true", help="write the table and the picture into the documents"
    )
    parser.add_argument(
        "--draw",
        action="store_true",
        help=f"measure nothing, and use {RESULT_FILE.relative_to(ROOT)}",
    )
    args = parser.parse_args()
    if args.draw:
        found = msgspec.json.decode(RESULT_FILE.read_bytes(), type=Run)
    else:
        if "boardgameio" in args.servers:
            install_boardgameio()
        available = sorted(os.sched_getaffinity(0))
        found = run_benchmark(args, Cores(available[0], available[-1]))
    write_report(found, write=args.write)


if __name__ == "__main__":
    main()
