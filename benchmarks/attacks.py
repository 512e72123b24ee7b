"""What people notice of attacks: how long actions take, and how much memory the server needs.

    python benchmarks/attacks.py [--rounds N --seconds S] [--attack NAME ...]

The server has its usual limits. People play at four tables from one address of this machine. The
attackers use other addresses, in a process of their own, and reconnect whenever they can. In every
round each attack is compared with an undisturbed period just before it. The same is done with
attackers who do nothing: any difference there is chance.

A virtual machine's host may take the processor away for hundreds of milliseconds, and does so more
often the busier the machine is. Here the attackers make it busier; real ones would have machines of
their own. So actions that were under way at such a moment are left out, and counted.
"""

import argparse
import asyncio
import http.client
import multiprocessing
import os
import re
import socket
import sys
import tempfile
import threading
import time
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._load_generator import Table, Timing, percentile, play_at_rate
from benchmarks._pytlik_client import PytlikClient, answer_ping
from benchmarks._sockets import PING, ConnectionClosed, Socket
from benchmarks.server import Cores, RunningServer, run_server

TABLES_OF_PEOPLE = 4
ACTIONS_PER_SECOND = 50
"""People's actions per second."""
CROWD_CONNECTIONS = 1_000
CROWD_ADDRESSES = 20
"""How many addresses the crowd comes from."""
SILENT_CONNECTIONS = 200
ARRIVAL_SECONDS = 4.0
"""Time for the attackers to connect."""
LEAVING_SECONDS = 2.0
"""Time for the server to notice that they're gone."""
WARM_UP_SECONDS = 2.0
STEAL_LOOK_SECONDS = 0.005
STEAL_NOTED_SECONDS = 0.02
"""How late it may be noticed that the host has taken the processor."""


class Target(NamedTuple):
    port: int
    tables: tuple[str, ...]


def attacker_address(number: int) -> str:
    return f"127.0.1.{1 + number}"


async def open_socket(target: Target, table: str, number: int) -> Socket:
    loop = asyncio.get_running_loop()
    _, opened = await loop.create_connection(
        lambda: Socket(f"/api/tables/{table}/socket", {}, answer_ping),
        "127.0.0.1",
        target.port,
        local_addr=(attacker_address(number), 0),
    )
    async with asyncio.timeout(10):
        await opened.opened
    return opened


async def repeat_forever(attack: Callable[[], Awaitable[None]]) -> None:
    while True:
        with suppress(OSError, ConnectionClosed, TimeoutError):
            await attack()
        await asyncio.sleep(0.05)


async def do_nothing(_: Target) -> None:
    """Do nothing, for comparison."""


async def send_pings(target: Target) -> None:
    """Send pings over one socket as fast as possible, and read nothing."""
    loop = asyncio.get_running_loop()
    handshake = [
        f"GET /api/tables/{target.tables[0]}/socket HTTP/1.1",
        "host: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket",
        "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    ]
    ping = bytes([0x80 | PING, 0x80 | 100]) + bytes(4) + b"x" * 100
    with socket.socket() as raw:
        raw.settimeout(0)
        raw.bind((attacker_address(0), 0))
        await loop.sock_connect(raw, ("127.0.0.1", target.port))
        await loop.sock_sendall(raw, "\r\n".join(handshake).encode())
        await asyncio.sleep(0.05)  # or the first pings would be taken for part of the request
        while True:
            await loop.sock_sendall(raw, ping * 1_000)
            await asyncio.sleep(0)


async def send_endless_head(target: Target) -> None:
    """Send an endless request head over one connection, in small pieces."""
    local = (attacker_address(0), 0)
    _, writer = await asyncio.open_connection("127.0.0.1", target.port, local_addr=local)
    writer.write(b"GET / HTTP/1.1\r\nhost: x\r\nx: ")
    try:
        while True:
            writer.write(b"x" * 1_000)
            await writer.drain()
            await asyncio.sleep(0)
    finally:
        writer.close()


async def hold_silent_connection(target: Target, number: int) -> None:
    """Open a connection and send nothing until it's closed."""
    local = (attacker_address(number % CROWD_ADDRESSES), 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port, local_addr=local)
    await reader.read()
    writer.close()


async def watch_table(target: Target, number: int) -> None:
    """Watch, and only answer pings."""
    table = target.tables[number % len(target.tables)]
    opened = await open_socket(target, table, number % CROWD_ADDRESSES)
    gone = asyncio.Event()
    opened.lost = gone.set
    await gone.wait()


async def watch_and_send(target: Target, number: int) -> None:
    """Watch, and send as much as a connection may."""
    table = target.tables[number % len(target.tables)]
    opened = await open_socket(target, table, number % CROWD_ADDRESSES)
    gone = asyncio.Event()
    opened.lost = gone.set
    while not gone.is_set():
        opened.send(b'{"kind":"sit","seat":99}')
        with suppress(TimeoutError):
            await asyncio.wait_for(gone.wait(), 0.2)


async def run_attack(name: str, target: Target) -> None:
    single = {"nothing": do_nothing, "pings": send_pings, "head": send_endless_head}
    many = {
        "silence": (hold_silent_connection, SILENT_CONNECTIONS),
        "crowd": (watch_table, CROWD_CONNECTIONS),
        "talk": (watch_and_send, CROWD_CONNECTIONS),
    }
    async with asyncio.TaskGroup() as group:
        if name in single:
            group.create_task(repeat_forever(partial(single[name], target)))
        else:
            one, number = many[name]
            for each in range(number):
                group.create_task(repeat_forever(partial(one, target, each)))


ATTACKS = {
    "nothing": "nothing",
    "pings": "a socket full of pings",
    "head": "a head without end",
    "silence": f"{SILENT_CONNECTIONS} silent connections",
    "crowd": f"{CROWD_CONNECTIONS:,} sockets that look on",
    "talk": f"{CROWD_CONNECTIONS:,} sockets that talk",
}


def lower_process_priority() -> None:
    """Run only when a core is idle: real attackers have machines of their own, but here they would
    take the cores of the server and of the measuring process."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)


def attack_in_process(name: str, target: Target) -> None:
    lower_process_priority()
    asyncio.run(run_attack(name, target))


@contextmanager
def under_attack(name: str, target: Target) -> Iterator[None]:
    process = multiprocessing.get_context("spawn").Process(
        target=attack_in_process, args=(name, target), daemon=True
    )
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


# --------------------------------------------------------------------------------------- measuring


class HealthTimer:
    """Repeatedly measures how long the simplest request takes."""

    def __init__(self, port: int) -> None:
        self.waits: list[float] = []
        self._port = port
        self._task = asyncio.create_task(self._ask())

    async def _ask(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.to_thread(ask_health, self._port)
            self.waits.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(0.1)

    def stop(self) -> float:
        self._task.cancel()
        return median(self.waits)


def ask_health(port: int) -> None:
    get_text(port, "/healthz")


def get_text(port: int, path: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse().read()
    connection.close()
    return answer.decode()


def count_open_sockets(port: int) -> int:
    found = re.findall(
        r"^pytlik_connections(?:\{.*\})? (\S+)$", get_text(port, "/metrics"), re.MULTILINE
    )
    return round(sum(map(float, found)))


class StolenCpuTime:
    """Notes when the host has given this machine's processor to others ("steal" in /proc/stat)."""

    def __init__(self) -> None:
        self._moments: list[float] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        known = read_stolen_ticks()
        while not self._stop.wait(STEAL_LOOK_SECONDS):
            if (ticks := read_stolen_ticks()) != known:
                known = ticks
                self._moments.append(time.perf_counter())

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def affects(self, action: Timing) -> bool:
        """Whether it happened during an action. The kernel notes it a tick later."""
        first = bisect_left(self._moments, action.due)
        until = action.due + action.done + STEAL_NOTED_SECONDS
        return first < len(self._moments) and self._moments[first] <= until


def read_stolen_ticks() -> int:
    try:
        return int(Path("/proc/stat").read_text().split(maxsplit=9)[8])
    except OSError:  # only Linux has it
        return 0


class Measurement(NamedTuple):
    waits: list[float]
    """Seconds until everyone had received each action, ascending."""
    left_out: float
    """The share of actions that the host disturbed."""
    health: float
    """The median of `/healthz` (ms)."""
    memory: float
    """MB."""
    sockets: int
    """Open sockets at the end, of people and attackers."""
    busy: float
    """The share of one core that the server needed (percent)."""


async def measure(served: RunningServer, tables: list[Table], seconds: float) -> Measurement:
    assert isinstance(served.client, PytlikClient)
    health, stolen = HealthTimer(served.client.port), StolenCpuTime()
    cpu, began = served.cpu_ms(), time.perf_counter()
    played = await play_at_rate(tables, ACTIONS_PER_SECOND, seconds)
    sockets = await asyncio.to_thread(count_open_sockets, served.client.port)
    busy = (served.cpu_ms() - cpu) / (time.perf_counter() - began) / 10
    stolen.stop()
    undisturbed = [action for action in played.actions if not stolen.affects(action)]
    kept = undisturbed or played.actions  # in a very short period
    waits = sorted(action.done for action in kept)
    left_out = 1 - len(kept) / len(played.actions)
    return Measurement(waits, left_out, health.stop(), served.memory_kib() / 1024, sockets, busy)


def combine_measurements(measurements: list[Measurement]) -> Measurement:
    """All rounds together: every action, and the median of everything else."""
    return Measurement(
        sorted(wait for one in measurements for wait in one.waits),
        median(one.left_out for one in measurements),
        median(one.health for one in measurements),
        median(one.memory for one in measurements),
        round(median(one.sockets for one in measurements)),
        median(one.busy for one in measurements),
    )


class Comparison(NamedTuple):
    attack: str
    before: list[Measurement]
    during: list[Measurement]

    def row(self) -> str:
        before, during = combine_measurements(self.before), combine_measurements(self.during)
        cells = [ATTACKS[self.attack], f"{during.sockets:,}"]
        cells.append(f"{len(before.waits):,}, {len(during.waits):,}")
        cells.append(f"{before.left_out:.0%}, {during.left_out:.0%}")
        for percent in (50, 90, 99):
            old, new = (percentile(one.waits, percent) for one in (before, during))
            cells.append(f"{old:.1f}, {new:.1f} ms, {new / old:.2f} x")
        ratios = sorted(
            percentile(new.waits, 99) / percentile(old.waits, 99)
            for old, new in zip(self.before, self.during, strict=True)
        )
        cells.append(f"{ratios[0]:.2f} to {ratios[-1]:.2f} x")
        cells.append(f"{during.health / before.health:.2f} x")
        grown = (new.memory - old.memory for old, new in zip(self.before, self.during, strict=True))
        cells.append(f"{max(grown):+.1f} MB")
        cells.append(f"{before.busy:.0f}, {during.busy:.0f} %")
        return f"| {' | '.join(cells)} |"


async def compare(served: RunningServer, attack: str, rounds: int, seconds: float) -> Comparison:
    server = served.client
    assert isinstance(server, PytlikClient)
    tables = [await server.create_and_join_table() for _ in range(TABLES_OF_PEOPLE)]
    await play_at_rate(tables, ACTIONS_PER_SECOND, WARM_UP_SECONDS)
    comparison = Comparison(attack, [], [])
    target = Target(server.port, tuple(table.id for table in tables))
    for _ in range(rounds):
        comparison.before.append(await measure(served, tables, seconds))
        with under_attack(attack, target):
            await asyncio.sleep(ARRIVAL_SECONDS)
            comparison.during.append(await measure(served, tables, seconds))
        await asyncio.sleep(LEAVING_SECONDS)
    return comparison


HEADER = """
| attack | sockets | actions | left out | p50 | p90 | p99 | p99 by round | `/healthz` | memory \
| of a core |
| --- | ---: | --- | --- | --- | --- | --- | --- | --- | --- | --- |
""".strip()


def main() -> None:
    parser = argparse.ArgumentParser(description="People's actions beside those who attack.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--seconds", type=float, default=10, metavar="S", help="of each period")
    parser.add_argument("--attack", nargs="*", choices=ATTACKS, default=list(ATTACKS))
    args = parser.parse_args()
    available = os.sched_getaffinity(0)
    cores = Cores(min(available), max(available))
    print(HEADER, flush=True)
    for attack in args.attack:
        # Each attack has a server of its own, so that none suffers from an earlier one.
        with tempfile.TemporaryDirectory(prefix="pytlik-bench-") as folder:
            command = [sys.executable, "-m", "pytlik", "serve", "--port", "{port}"]
            command += ["--database", f"sqlite:///{folder}/attacked.db"]
            with run_server(command, cores, "/healthz", {"PYTLIK_LOG_LEVEL": "error"}) as served:
                comparison = asyncio.run(compare(served, attack, args.rounds, args.seconds))
        print(comparison.row(), flush=True)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
