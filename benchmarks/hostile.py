"""What people notice of attacks: how long actions take, and how much memory the server needs.

    python benchmarks/hostile.py [--seconds S] [--attack NAME ...]

The server has its usual limits. People play at four tables from one address of this machine. The
attackers use other addresses, in a process of their own, and reconnect whenever they can. Each
attack is compared with an undisturbed period just before it.
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
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._load import PlayResult, Table, play_at_rate
from benchmarks._pytlik_client import PytlikServer, answer_ping
from benchmarks._sockets import PING, Closed, Socket
from benchmarks.server import Cores, Served, running

TABLES = 4
RATE = 50
"""People's actions per second. In 20 seconds there are a thousand, so ten are slower than the
p99."""
CROWD = 1_000
ADDRESSES = 20
"""How many addresses the crowd comes from."""
SILENT = 200
ARRIVAL_SECONDS = 4.0
"""Until the attackers have connected."""
WARM_UP_SECONDS = 2.0


class Target(NamedTuple):
    port: int
    tables: tuple[str, ...]


def address(number: int) -> str:
    return f"127.0.1.{1 + number}"


async def open_socket(target: Target, table: str, number: int) -> Socket:
    loop = asyncio.get_running_loop()
    _, opened = await loop.create_connection(
        lambda: Socket(f"/api/tables/{table}/socket", {}, answer_ping),
        "127.0.0.1",
        target.port,
        local_addr=(address(number), 0),
    )
    async with asyncio.timeout(10):
        await opened.opened
    return opened


async def repeat_for_ever(attack: Callable[[], Awaitable[None]]) -> None:
    while True:
        with suppress(OSError, Closed, TimeoutError):
            await attack()
        await asyncio.sleep(0.05)


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
        raw.bind((address(0), 0))
        await loop.sock_connect(raw, ("127.0.0.1", target.port))
        await loop.sock_sendall(raw, "\r\n".join(handshake).encode())
        await asyncio.sleep(0.05)  # or the first pings would be taken for part of the request
        while True:
            await loop.sock_sendall(raw, ping * 1_000)
            await asyncio.sleep(0)


async def send_an_endless_head(target: Target) -> None:
    """Send an endless request head over one connection, in small pieces."""
    local = (address(0), 0)
    _, writer = await asyncio.open_connection("127.0.0.1", target.port, local_addr=local)
    writer.write(b"GET / HTTP/1.1\r\nhost: x\r\nx: ")
    try:
        while True:
            writer.write(b"x" * 1_000)
            await writer.drain()
            await asyncio.sleep(0)
    finally:
        writer.close()


async def say_nothing(target: Target, number: int) -> None:
    """Open a connection and send nothing until it's closed."""
    local = (address(number % ADDRESSES), 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port, local_addr=local)
    await reader.read()
    writer.close()


async def look_on(target: Target, number: int) -> None:
    """Watch, and only answer pings."""
    table = target.tables[number % len(target.tables)]
    opened = await open_socket(target, table, number % ADDRESSES)
    gone = asyncio.Event()
    opened.lost = gone.set
    await gone.wait()


async def look_on_and_talk(target: Target, number: int) -> None:
    """Watch, and send as much as a connection may."""
    table = target.tables[number % len(target.tables)]
    opened = await open_socket(target, table, number % ADDRESSES)
    gone = asyncio.Event()
    opened.lost = gone.set
    while not gone.is_set():
        opened.send(b'{"kind":"sit","seat":99}')
        with suppress(TimeoutError):
            await asyncio.wait_for(gone.wait(), 0.2)


async def attack(name: str, target: Target) -> None:
    single = {"pings": send_pings, "head": send_an_endless_head}
    many = {
        "silence": (say_nothing, SILENT),
        "crowd": (look_on, CROWD),
        "talk": (look_on_and_talk, CROWD),
    }
    async with asyncio.TaskGroup() as group:
        if name in single:
            group.create_task(repeat_for_ever(partial(single[name], target)))
        else:
            one, number = many[name]
            for each in range(number):
                group.create_task(repeat_for_ever(partial(one, target, each)))


ATTACKS = {
    "pings": "a socket full of pings",
    "head": "a head without end",
    "silence": f"{SILENT} silent connections",
    "crowd": f"{CROWD:,} sockets that look on",
    "talk": f"{CROWD:,} sockets that talk",
}


def attack_in_process(name: str, target: Target) -> None:
    os.nice(19)  # with few cores they would slow down the measurement itself
    asyncio.run(attack(name, target))


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


class Health:
    """Measures again and again how long the simplest request takes."""

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
    ask(port, "/healthz")


def ask(port: int, path: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse().read()
    connection.close()
    return answer.decode()


def count_open_sockets(port: int) -> int:
    found = re.findall(
        r"^pytlik_connections(?:\{.*\})? (\S+)$", ask(port, "/metrics"), re.MULTILINE
    )
    return round(sum(map(float, found)))


class Measurement(NamedTuple):
    played: PlayResult
    health: float
    """The median of `/healthz` (ms)."""
    memory: float
    """MB."""
    sockets: int
    """Open at the end, of people and attackers."""
    busy: float
    """The share of one core that the server needed (percent)."""


async def measure(served: Served, tables: list[Table], seconds: float) -> Measurement:
    assert isinstance(served.house, PytlikServer)
    health = Health(served.house.port)
    cpu, began = served.cpu(), time.perf_counter()
    played = await play_at_rate(tables, RATE, seconds)
    sockets = await asyncio.to_thread(count_open_sockets, served.house.port)
    busy = (served.cpu() - cpu) / (time.perf_counter() - began) / 10
    return Measurement(played, health.stop(), served.memory() / 1024, sockets, busy)


def line(what: str, now: Measurement, before: Measurement | None = None) -> str:
    p50, p99 = (now.played.percentile(percent) for percent in (50, 99))
    text = f"{what:26} {p50:8.1f} {p99:8.1f} {now.health:10.1f} {now.memory:8.1f} {now.sockets:8,}"
    text += f" {now.busy:8.0f}"
    if before:
        b50, b99 = (before.played.percentile(percent) for percent in (50, 99))
        grown = now.memory - before.memory
        text += (
            f" {p50 / b50:8.2f} {p99 / b99:8.2f} {now.health / before.health:8.2f} {grown:+8.1f}"
        )
    return text


async def compare(served: Served, names: list[str], seconds: float) -> None:
    server = served.house
    assert isinstance(server, PytlikServer)
    tables = [await server.table() for _ in range(TABLES)]
    await play_at_rate(tables, RATE, WARM_UP_SECONDS)
    heads = (
        "p50 ms",
        "p99 ms",
        "health ms",
        "MB",
        "sockets",
        "% core",
        "x p50",
        "x p99",
        "x health",
        "MB more",
    )
    print(" " * 26, *(f"{head:>{10 if 'health ms' in head else 8}}" for head in heads))
    for name in names:
        before = await measure(served, tables, seconds)
        print(line("undisturbed", before), flush=True)
        with under_attack(name, Target(server.port, tuple(table.id for table in tables))):
            await asyncio.sleep(ARRIVAL_SECONDS)
            print(line(ATTACKS[name], await measure(served, tables, seconds), before), flush=True)
        await asyncio.sleep(0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description="People's actions beside those who attack.")
    parser.add_argument("--seconds", type=float, default=20, metavar="S", help="of each run")
    parser.add_argument("--attack", nargs="*", choices=ATTACKS, default=list(ATTACKS))
    args = parser.parse_args()
    available = os.sched_getaffinity(0)
    cores = Cores(min(available), max(available))
    with tempfile.TemporaryDirectory(prefix="pytlik-bench-") as folder:
        command = [sys.executable, "-m", "pytlik", "serve", "--port", "{port}"]
        command += ["--database", f"sqlite:///{folder}/hostile.db"]
        with running(command, cores, "/healthz", {"PYTLIK_LOG_LEVEL": "error"}) as served:
            asyncio.run(compare(served, args.attack, args.seconds))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
