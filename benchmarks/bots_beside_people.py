"""How long people's actions take while bots think, at ten tables of masters.

    python benchmarks/bots_beside_people.py [--seconds S]

The server may use all cores, as it would anywhere. How late the measuring process itself is woken
shows how much of the delay comes from other work on the machine: an action takes several such
wake-ups.
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

from benchmarks._load_generator import PlayResult, play_at_rate
from benchmarks._pytlik_client import PytlikClient
from benchmarks.server import Cores, run_pytlik
from pytlik.server import tokens

BOT_TABLES = 10
ACTIONS_PER_SECOND = 20
"""People's actions per second."""
HOST_TOKEN = tokens.new_token()
"""The token of the host who creates the tables of bots."""
NAP_SECONDS = 0.01
WARM_UP_SECONDS = 5


def ask_as_host(server: PytlikClient, method: str, path: str, body: Any) -> Any:
    """Send a request as the host."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {HOST_TOKEN}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body), headers)
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    if answer.status >= 400:
        raise RuntimeError(f"{path}: {content}")
    return content


def start_match_of_masters(server: PytlikClient) -> str:
    """Start a match between two masters."""
    wanted = {"game": "unikat", "chairs": 2, "options": {"rounds": 20}}
    id: str = ask_as_host(server, "POST", "/api/tables", wanted)["table"]["id"]
    for seat in range(2):
        ask_as_host(server, "PUT", f"/api/tables/{id}/seats/{seat}/bot", {"level": "master"})
    ask_as_host(server, "POST", f"/api/tables/{id}/start", {})
    return id


def count_thinking_bots(server: PytlikClient) -> float:
    """How many moves bots are thinking about, or waiting to think about."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("pytlik_bots_thinking"))


async def measure(server: PytlikClient, seconds: float) -> None:
    tables = [await server.create_and_join_table() for _ in range(4)]
    await play_at_rate(tables, ACTIONS_PER_SECOND, WARM_UP_SECONDS)
    print_report(
        "alone",
        *await play_and_measure_wake_delay(play_at_rate(tables, ACTIONS_PER_SECOND, seconds)),
        0,
    )
    for _ in range(BOT_TABLES):
        # Someone has to watch: bots wait while nobody is there.
        await server.watch(await asyncio.to_thread(start_match_of_masters, server))
    give_up = time.monotonic() + 30
    while (busy := await asyncio.to_thread(count_thinking_bots, server)) < BOT_TABLES:
        if time.monotonic() > give_up:
            raise SystemExit(f"only {busy:.0f} of {BOT_TABLES} masters think")
        await asyncio.sleep(0.1)
    # The bots' processes have to start first.
    await play_at_rate(tables, ACTIONS_PER_SECOND, WARM_UP_SECONDS)
    played, late = await play_and_measure_wake_delay(
        play_at_rate(tables, ACTIONS_PER_SECOND, seconds)
    )
    print_report(
        f"{BOT_TABLES} tables of masters",
        played,
        late,
        await asyncio.to_thread(count_thinking_bots, server),
    )


async def play_and_measure_wake_delay(
    playing: Coroutine[Any, Any, PlayResult],
) -> tuple[PlayResult, float]:
    """The result, and how late this process was woken meanwhile (ms, p99)."""
    task = asyncio.create_task(playing)
    late = []
    while not task.done():
        due = time.perf_counter() + NAP_SECONDS
        await asyncio.sleep(NAP_SECONDS)
        late.append(1000 * (time.perf_counter() - due))
    return await task, quantiles(late, n=100)[98]


def print_report(what: str, played: PlayResult, late: float, busy: float) -> None:
    p50, p99 = played.percentile(50), played.percentile(99)
    print(
        f"{what}: {len(played.actions)} actions, p50 {p50:.1f} ms, p99 {p99:.1f} ms;"
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
        with run_pytlik(Cores(min(cores), max(cores)), database) as served:
            for pid in (0, *served.pids):
                os.sched_setaffinity(pid, cores)
            assert isinstance(served.client, PytlikClient)
            asyncio.run(measure(served.client, seconds))


if __name__ == "__main__":
    main()
