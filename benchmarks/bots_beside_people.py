"""What people notice of bots that think: how long their actions take beside ten tables of masters.

    python benchmarks/bots_beside_people.py [--seconds S]

The server has the cores that it would have anywhere: nothing is held to one of them. How late the
measuring process itself is woken says what of it is other work on the machine: an action takes some
such moments one after the other.
"""

import argparse
import asyncio
import http.client
import json
import os
import sys
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._load import House, Played, at_rate
from benchmarks.server import Cores, pytlik

TABLES = 10
RATE = 20
"""Actions of people a second."""
A_NAP = 0.01
WARMING_UP = 5


def ask(house: House, method: str, path: str, body: Any) -> Any:
    """As the first of the people."""
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=30)
    headers = {"Authorization": house.bearer(0), "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body), headers)
    answer = connection.getresponse()
    said = json.loads(answer.read())
    connection.close()
    if answer.status >= 400:
        raise RuntimeError(f"{path}: {said}")
    return said


def masters(house: House) -> str:
    """A table of two masters."""
    wanted = {"game": "unikat", "chairs": 2, "options": {"rounds": 20}}
    id: str = ask(house, "POST", "/api/tables", wanted)["table"]["id"]
    for seat in range(2):
        ask(house, "PUT", f"/api/tables/{id}/seats/{seat}/bot", {"level": "master"})
    ask(house, "POST", f"/api/tables/{id}/start", {})
    return id


def thinking(house: House) -> float:
    """How many moves bots think about now, or wait to."""
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=30)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("pytlik_bots_thinking"))


async def measure(house: House, seconds: float) -> None:
    tables = [await house.table() for _ in range(4)]
    await at_rate(tables, RATE, WARMING_UP)
    say("alone", *await beside(at_rate(tables, RATE, seconds)), 0)
    for _ in range(TABLES):
        await asyncio.to_thread(masters, house)
    give_up = time.monotonic() + 30
    while (busy := await asyncio.to_thread(thinking, house)) < TABLES:
        if time.monotonic() > give_up:
            raise SystemExit(f"only {busy:.0f} of {TABLES} masters think")
        await asyncio.sleep(0.1)
    # Their processes have to be there first.
    await at_rate(tables, RATE, WARMING_UP)
    played, late = await beside(at_rate(tables, RATE, seconds))
    say(f"{TABLES} tables of masters", played, late, await asyncio.to_thread(thinking, house))


async def beside(playing: Coroutine[Any, Any, Played]) -> tuple[Played, float]:
    """What was played, and how late this process was woken meanwhile (ms, p99)."""
    task = asyncio.create_task(playing)
    late = []
    while not task.done():
        due = time.perf_counter() + A_NAP
        await asyncio.sleep(A_NAP)
        late.append(1000 * (time.perf_counter() - due))
    return await task, quantiles(late, n=100)[98]


def say(what: str, played: Played, late: float, busy: float) -> None:
    p50, p99 = played.percentile(50), played.percentile(99)
    print(
        f"{what}: {played.actions} actions, p50 {p50:.1f} ms, p99 {p99:.1f} ms;"
        f" woken late by {late:.1f} ms (p99);"
        f" {busy:.0f} masters thought or waited to at the end; load {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="People's actions beside bots that think.")
    parser.add_argument("--seconds", type=float, default=10, metavar="S", help="of each run")
    seconds = parser.parse_args().seconds
    cores = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory(prefix="pytlik-bench-") as folder:
        database = f"sqlite:///{folder}/bots.db"
        with pytlik(Cores(min(cores), max(cores)), database) as served:
            for pid in (0, *served.pids):
                os.sched_setaffinity(pid, cores)
            assert isinstance(served.house, House)
            asyncio.run(measure(served.house, seconds))


if __name__ == "__main__":
    main()
