"""What happens if a worker with thousands of connections dies.

    python benchmarks/reconnect_storm.py [--sockets N --workers N --rate N] [--write]

On PostgreSQL, one worker has all connections of the people who wait at quiet tables. At other
tables, whose connections are on the other workers, people act at random moments. Then the first
worker is killed. Its people reconnect as the page does, each with its own pauses, until they have
the newest view of their match. All limits are the usual ones, and every table has an address of its
own. People stay with the worker they connect to, so that the benchmark can choose who is where.

The server, its database and the worker that takes the dead one's place have one core together, and
the clients another, if there are two.
"""

import argparse
import asyncio
import multiprocessing
import os
import platform
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from textwrap import fill
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._load_generator import SEATS, PlayResult, Table, percentile, play_at_rate
from benchmarks._pytlik_client import PytlikClient, answer_ping, update_decoder
from benchmarks._reconnect_delays import retry_delays
from benchmarks._sockets import ConnectionClosed, Socket, connect
from benchmarks.server import (
    USUAL_LIMITS,
    Cores,
    Report,
    RunningServer,
    cpu_ms,
    create_tables,
    replace_section,
    run_pytlik_on_postgres,
    temporary_folder,
    with_descendants,
)
from pytlik.server.startup import uvloop_factory

SETTINGS = {**USUAL_LIMITS, "PYTLIK_GATHER_TABLES": "0"}
ROOT = Path(__file__).parent.parent

CONNECTS_AT_ONCE = 50
TIMEOUT_SECONDS = 120.0
"""How long to wait for people before the benchmark fails."""
STABLE_WORKER_SECONDS = 10.0
"""A worker that has run for this long is replaced at once."""
TCP_ESTABLISHED = "01"
"""The state of a connection in /proc/net/tcp."""
AIM_ALL_BACK_SECONDS, AIM_OTHERS_P99_MS = 5.0, 100.0


class Person(NamedTuple):
    table: str
    headers: dict[str, str]


class Reconnection(NamedTuple):
    """How someone came back; times are those of `time.perf_counter`."""

    lost: float
    back: float
    attempts: int


# ---------------------------------------------------------------------------------------- the crowd


class WaitingCrowd:
    """People who only wait, in a process of their own so that they don't delay the measurement."""

    def __init__(self, port: int, people: list[Person], pipe: Connection) -> None:
        self._port = port
        self._people = people
        self._pipe = pipe
        self._random = Random(1)
        self._newest: Counter[str] = Counter()
        """The number of events that each table has reached."""
        self._returned: list[Reconnection] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        self._pipe.send("started")
        await asyncio.to_thread(self._pipe.recv)
        turns = asyncio.Semaphore(CONNECTS_AT_ONCE)
        seen = [asyncio.Event() for _ in self._people]
        self._tasks = [
            asyncio.create_task(self._wait_and_reconnect(person, turns, first_view))
            for person, first_view in zip(self._people, seen, strict=True)
        ]
        for first_view in seen:
            await first_view.wait()
        self._pipe.send("ready")
        await asyncio.wait(self._tasks, timeout=None)
        self._pipe.send(self._returned)

    async def _wait_and_reconnect(
        self, person: Person, turns: asyncio.Semaphore, first_view: asyncio.Event
    ) -> None:
        """Join, wait until the connection is lost, and come back."""
        gone = asyncio.Event()
        async with turns:
            socket = await self._connect(person, first_view)
            socket.lost = gone.set
            await first_view.wait()
        await gone.wait()
        lost = time.perf_counter()
        for attempts, delay in enumerate(retry_delays(self._random), 1):
            await asyncio.sleep(delay)
            view, gone = asyncio.Event(), asyncio.Event()
            try:
                socket = await self._connect(person, view)
                socket.lost = gone.set
                if await happens_first(view, gone):
                    self._returned.append(Reconnection(lost, time.perf_counter(), attempts))
                    return
            except (OSError, ConnectionClosed):
                pass

    async def _connect(self, person: Person, view: asyncio.Event) -> Socket:
        """Connect. `view` is set as soon as the newest view has arrived."""
        newest = self._newest[person.table]

        def on_message(socket: Socket, message: bytes) -> None:
            answer_ping(socket, message)
            if message[9:13] == b"upda":
                seq = update_decoder.decode(message).seq
                self._newest[person.table] = max(seq, self._newest[person.table])
                if seq >= newest:
                    view.set()

        path = f"/api/tables/{person.table}/socket"
        return await connect(self._port, path, on_message, person.headers)


async def happens_first(awaited: asyncio.Event, other: asyncio.Event) -> bool:
    tasks = [asyncio.create_task(event.wait()) for event in (awaited, other)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    return awaited.is_set()


def run_waiting_crowd(port: int, people: list[Person], pipe: Connection) -> None:
    with asyncio.Runner(loop_factory=uvloop_factory()) as runner:
        runner.run(WaitingCrowd(port, people, pipe).run())


@contextmanager
def start_waiting_crowd(port: int, people: list[Person]) -> Iterator[Connection]:
    """Start a crowd. It reports that it has started, connects when it's told to, reports that
    everyone is connected, and in the end how they came back."""
    ours, theirs = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=run_waiting_crowd, args=(port, people, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.kill()
        process.join()


# -------------------------------------------------------------------------------------- the workers


def client_ports_by_worker(served: RunningServer) -> dict[int, set[int]]:
    """For each worker, the client ports of its connections."""
    ports: dict[str, int] = {}
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, state, *rest = line.split()
        if state == TCP_ESTABLISHED and parse_port(local) == served.client.port:
            ports[f"socket:[{rest[5]}]"] = parse_port(remote)
    found = defaultdict[int, set[int]](set)
    for pid in with_descendants(served.pids[:1]):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            try:
                port = ports.get(str(file.readlink()))
            except FileNotFoundError:
                continue  # it was closed meanwhile
            if port is not None:
                found[pid].add(port)
    return found


def parse_port(address: str) -> int:
    """The port in an address of /proc/net/tcp."""
    return int(address.partition(":")[2], 16)


async def find_workers(served: RunningServer, table: str, number: int) -> list[int]:
    """The processes of the workers, found with new connections, which go to the worker with the
    fewest."""
    probes = [await served.client.watch(table) for _ in range(3 * number)]
    workers = sorted(client_ports_by_worker(served))
    for probe in probes:
        probe.close()
    if len(workers) != number:
        raise RuntimeError(f"{len(workers)} of {number} workers took connections")
    return workers


async def move_to_other_workers(served: RunningServer, tables: list[Table], worker: int) -> None:
    """Reconnect until none of the tables' connections is on this worker."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            ports = client_ports_by_worker(served)[worker]
            there = [
                (table, seat)
                for table in tables
                for seat, socket in table.sockets.items()
                if socket.local_port in ports
            ]
            if not there:
                return
            for table, seat in there:
                table.leave(seat)
                await table.connect_seat(seat)


@contextmanager
def pause_processes(pids: list[int]) -> Iterator[None]:
    """Stop processes for a while; a worker that doesn't run gets no connections."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


# --------------------------------------------------------------------------------------- measuring


class Storm(NamedTuple):
    sockets: int
    killed_at: float
    returned: list[Reconnection]
    cpu: float
    """Seconds of processor time that the server needed until everyone was back."""
    before: PlayResult
    meanwhile: PlayResult


async def measure(served: RunningServer, args: argparse.Namespace) -> Storm:
    server = served.client
    assert isinstance(server, PytlikClient)
    began = time.perf_counter()
    games = cycle(server.games)
    ids = [server.create_table(game) for game in islice(games, -(-args.sockets // len(SEATS)))]
    everyone = [Person(id, server.parties[id].headers(seat)) for id in ids for seat in SEATS]
    workers = await find_workers(served, ids[0], args.workers)
    victim, *others = workers
    people = everyone[: args.sockets]
    with start_waiting_crowd(server.port, people) as crowd:
        await receive_from_crowd(crowd)
        with pause_processes(others):
            crowd.send("connect")
            await receive_from_crowd(crowd)
        tables = await create_tables(served, args.tables, server.games)
        await move_to_other_workers(served, tables, victim)
        if (found := len(client_ports_by_worker(served)[victim])) != len(people):
            raise RuntimeError(f"{found} connections instead of {len(people)} on one worker")
        await asyncio.sleep(max(0, began + STABLE_WORKER_SECONDS - time.perf_counter()))
        await play_at_rate(tables, args.rate, 2)
        before = await play_at_rate(tables, args.rate, args.seconds)
        killed_at = time.perf_counter()
        os.kill(victim, signal.SIGKILL)
        returning = asyncio.create_task(receive_and_measure_cpu(crowd, served))
        meanwhile = await play_at_rate(tables, args.rate, args.seconds, tolerant=True)
        returned, cpu = await returning
    for table in tables:
        table.close()
    assert isinstance(returned, list)
    return Storm(len(people), killed_at, returned, cpu, before, meanwhile)


async def receive_and_measure_cpu(pipe: Connection, served: RunningServer) -> tuple[object, float]:
    """The crowd's next message, and the seconds of processor time that passed until then."""
    before = {pid: cpu_ms(pid) for pid in with_descendants(served.pids)}
    message = await receive_from_crowd(pipe)
    # The time of processes that have ended is no longer known.
    living = with_descendants(served.pids)
    return message, sum(cpu_ms(pid) - before.get(pid, 0) for pid in living) / 1000


async def receive_from_crowd(pipe: Connection) -> object:
    """The crowd's next message."""
    if not await asyncio.to_thread(pipe.poll, TIMEOUT_SECONDS):
        raise TimeoutError("the crowd isn't there")
    return pipe.recv()


def write_report(storm: Storm, args: argparse.Namespace, lines: Report) -> None:
    back = sorted(one.back - storm.killed_at for one in storm.returned)
    retried = sum(one.attempts > 1 for one in storm.returned)
    seconds = back[-1] if len(back) == storm.sockets else float("inf")
    until = storm.killed_at + back[-1]
    stormy = sorted(action.done for action in storm.meanwhile.actions if action.due <= until)
    p99 = percentile(stormy, 99)
    troubles = dict(+storm.meanwhile.troubles)
    percent = partial(percentile, back)
    about = (
        f"{datetime.now(UTC):%-d %B %Y}, Python {platform.python_version()},"
        f" {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end;"
        f" {args.workers} workers, {storm.sockets:,} connections on the one that was killed,"
        f" {args.rate:g} actions/s at {args.tables} other tables."
    )
    lines.add_line(fill(about, 100))
    lines.add_line()
    lines.add_line("| | | aim |")
    lines.add_line("| --- | ---: | ---: |")
    lines.add_line(
        f"| seconds until half, 99 % and all have the newest view again | {percent(50) / 1000:.2f},"
        f" {percent(99) / 1000:.2f}, {seconds:.2f}"
        f" | {AIM_ALL_BACK_SECONDS:g} {mark_if_reached(seconds, AIM_ALL_BACK_SECONDS)} |"
    )
    lines.add_line(f"| came back at the first attempt | {len(back) - retried:,} | |")
    lines.add_line(
        f"| seconds of the server's processor time until then, with a new worker's start"
        f" | {storm.cpu:.2f} | |"
    )
    lines.add_line(f"| {describe_waits('before', storm.before.waits)} | |")
    lines.add_line(
        f"| {describe_waits('until all are back', stormy)}"
        f" | {AIM_OTHERS_P99_MS:g} {mark_if_reached(p99, AIM_OTHERS_P99_MS)} |"
    )
    lines.add_line(
        f"| {describe_waits(f'in the first {args.seconds:g} s', storm.meanwhile.waits)} | |"
    )
    lines.add_line(f"| of these refused or unanswered, and connections lost | {troubles or 0} | |")
    late = [percentile(played.late, 99) for played in (storm.before, storm.meanwhile)]
    lines.add_line(
        f"| ms by which the client sent late, p99 before and after | {late[0]:.1f},"
        f" {late[1]:.1f} | |"
    )


def describe_waits(when: str, waits: list[float]) -> str:
    values = ", ".join(f"{percentile(waits, percent):.1f}" for percent in (50, 99, 100))
    return f"ms of {len(waits):,} other people's actions {when}, p50, p99 and max | {values}"


def mark_if_reached(value: float, aim: float) -> str:
    return "✓" if value <= aim else "**not reached**"


def main() -> None:
    parser = argparse.ArgumentParser(description="What happens if a worker dies.")
    parser.add_argument("--sockets", type=int, default=2000, metavar="N")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--tables", type=int, default=40, metavar="N", help="where people act")
    parser.add_argument("--rate", type=float, default=100, metavar="N", help="actions per second")
    parser.add_argument("--seconds", type=float, default=10, metavar="S", help="before and after")
    parser.add_argument("--write", action="store_true", help="into benchmarks/results.md")
    args = parser.parse_args()
    available = sorted(os.sched_getaffinity(0))
    cores = Cores(available[0], available[-1])
    with (
        temporary_folder() as at,
        run_pytlik_on_postgres(cores, at, args.workers, env=SETTINGS) as served,
        asyncio.Runner(loop_factory=uvloop_factory()) as runner,
    ):
        storm = runner.run(measure(served, args))
    lines = Report()
    write_report(storm, args, lines)
    if args.write:
        replace_section(ROOT / "benchmarks" / "results.md", "reconnect storm", lines.lines)


if __name__ == "__main__":
    main()
