"""How long the longest matches that the server allows take to open, and for how much of that time
the event loop is busy and answers nobody else.

    python benchmarks/open_long_matches.py [--rounds N] [--runs N]

"On the loop" is the processor time of the loop's thread. "A callback waits" is the longest delay
meanwhile of a callback that wants to run every millisecond, and "otherwise" the same for as long
without an opening, which comes from other work on the machine. "All events" is the processor time
that it takes to replay every single one.

A match that was played on the server has a saved state, from which only the rest of its log is
replayed; the other rows are without one, as after an upgrade.

Then a server is asked for `/healthz` all the time while someone opens the longest match of Ubongo.
This prints the slowest answer meanwhile, and the slowest in as many periods of rest. Last, someone
with 20 such matches of both games asks for all of them (`/api/mine`).
"""

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path
from statistics import median

import httpx
import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks._pytlik_client import Party, PytlikClient
from benchmarks.server import Cores, run_pytlik
from pytlik.game import replay
from pytlik.server.live.table_connections import make_update
from pytlik.server.match.delay_credit import DelayCredits
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.match.log_replay import ReplayResult
from pytlik.server.match.round_action_limits import Tally, tally_events
from pytlik.server.match.saved_states import (
    SAVE_EVERY_EVENTS,
    decode_saved_state,
    encode_saved_state,
)
from pytlik.store import Append, PutSecret, PutState, Store
from pytlik.store.connect import migrate, open_store
from tests.longest_matches import StallingMatch, play_longest_ubongo, play_longest_unikat
from tests.server.client import Client

TICK_SECONDS = 0.001
MY_TABLES_COUNT = 20


async def record_callback_delays(late: list[float]) -> None:
    """Measure the delays of a callback that wants to run every millisecond."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(TICK_SECONDS)
        late.append(time.perf_counter() - began - TICK_SECONDS)


async def make_live_match(store: Store, match: StallingMatch) -> LiveMatch:
    found = await store.secret_and_state("m.1")
    saved = decode_saved_state(match.game, found[1]) if found else None
    return LiveMatch(store, match.game, "m.1", match.chance, lambda: 0, saved=saved)


async def time_opening(store: Store, match: StallingMatch) -> tuple[float, float]:
    """Open a match. Returns the seconds until the first update is ready: of the loop's own thread,
    and in all."""
    began, loop_began = time.perf_counter(), time.thread_time()
    opened = await make_live_match(store, match)
    await opened.catch_up()
    msgspec.json.encode(make_update(opened, 0, 0, 0))
    times = time.thread_time() - loop_began, time.perf_counter() - began
    assert opened.state == match.state
    return times


async def longest_callback_delay(work: Awaitable[object]) -> float:
    late: list[float] = []
    waiting = asyncio.create_task(record_callback_delays(late))
    await asyncio.sleep(10 * TICK_SECONDS)
    late.clear()
    await work
    waiting.cancel()
    return max(late, default=0.0)  # it may be over before the first callback


async def open_stored_match(store: Store, match: StallingMatch) -> None:
    await (await make_live_match(store, match)).catch_up()


def saved_state_near_end(match: StallingMatch, id: str) -> PutState:
    """The state of a match as the server saves it, with as many events after it as there can be."""
    seq = len(match.events) - SAVE_EVERY_EVENTS + 1
    return encode_saved_state(
        match.game,
        id,
        ReplayResult(
            state=replay(match.game.apply, match.events[:seq]),
            seq=seq,
            tally=tally_events(match.game, Tally(), match.events[:seq]),
            credits=DelayCredits().with_events(match.game, match.events[:seq]),
        ),
    )


async def measure(match: StallingMatch, runs: int, folder: Path) -> None:
    database = str(folder / f"{match.game.name}.db")
    migrate(database)
    store = await open_store(database, notify=False)
    raw = tuple(map(msgspec.json.encode, match.events))
    await store.commit(Append(match="m.1", seq=0, events=raw), PutSecret("m.1", b"secret"))
    await measure_opening(store, match, raw, runs, "no")
    await store.commit(saved_state_near_end(match, "m.1"))
    await measure_opening(store, match, raw, runs, "yes")
    await store.close()


async def measure_opening(
    store: Store, match: StallingMatch, raw: tuple[bytes, ...], runs: int, saved: str
) -> None:
    opened = [await time_opening(store, match) for _ in range(runs)]
    waits = [await longest_callback_delay(open_stored_match(store, match)) for _ in range(runs)]
    otherwise = [await longest_callback_delay(asyncio.sleep(total)) for _, total in opened]
    began = time.thread_time()
    replay(match.game.apply, map(match.game.event_decoder.decode, raw))
    every_event = time.thread_time() - began
    on_loop, total = zip(*opened, strict=True)
    print(
        f"| {match.game.name} | {len(raw):,} | {sum(map(len, raw)) / 1e6:.1f} MB | {saved}"
        f" | {1000 * median(on_loop):.1f} ms, at most {1000 * max(on_loop):.1f}"
        f" | {1000 * median(waits):.1f} ms, at most {1000 * max(waits):.1f}"
        f" | {1000 * median(otherwise):.1f} ms, at most {1000 * max(otherwise):.1f}"
        f" | {1000 * median(total):.0f} ms, at most {1000 * max(total):.0f}"
        f" | {1000 * every_event:.0f} ms |"
    )


# ---------------------------------------------------------------------------- as others notice it


def create_nearly_finished_table(
    client: PytlikClient, match: StallingMatch, database: str, party: Party | None = None
) -> str:
    """A table whose match is nearly over."""
    id = client.create_table(match.game.name, msgspec.to_builtins(match.state.options), party)

    async def fill() -> None:
        store = await open_store(database, notify=False)
        seq = (await store.seqs_and_versions([f"{id}.1"], []))[f"{id}.1"]
        ended = 2  # the last round, and the match
        raw = tuple(map(msgspec.json.encode, match.events[seq:-ended]))
        awaited = match.game.awaited(replay(match.game.apply, match.events[:-ended]))
        await store.commit(Append(match=f"{id}.1", seq=seq, events=raw, awaited=awaited))
        await store.commit(saved_state_near_end(match, f"{id}.1"))
        await store.close()

    asyncio.run(fill())
    return id


async def slowest_health_answer(port: int, work: Awaitable[object]) -> float:
    """The longest that `/healthz` takes meanwhile, in seconds."""
    times: list[float] = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        await http.get("/healthz")
        task = asyncio.ensure_future(work)
        while not task.done():
            began = time.perf_counter()
            await http.get("/healthz")
            times.append(time.perf_counter() - began)
            await asyncio.sleep(3 * TICK_SECONDS)
        await task
    return max(times)


async def open_table(client: PytlikClient, id: str) -> None:
    person = Client(f"http://127.0.0.1:{client.port}", client.parties[id].tokens[0])
    await person.join(id)
    await person.wait_for("update")
    await person.close()
    await asyncio.sleep(0.1)  # until the server has forgotten it


async def measure_answers(client: PytlikClient, id: str, runs: int) -> None:
    for what in ("at rest", "while the match is opened"):
        slowest = []
        for _ in range(runs):
            work = asyncio.sleep(0.3) if what == "at rest" else open_table(client, id)
            slowest.append(await slowest_health_answer(client.port, work))
        print(
            f"/healthz {what}: the slowest answer took {1000 * median(slowest):.0f} ms,"
            f" at most {1000 * max(slowest):.0f}; load {os.getloadavg()[0]:.1f}"
        )


def measure_my_tables(client: PytlikClient, party: Party, runs: int) -> None:
    headers, times = party.headers(0), []
    with httpx.Client(base_url=f"http://127.0.0.1:{client.port}", headers=headers) as http:
        for _ in range(runs):
            began = time.perf_counter()
            answer = http.get("/api/mine")
            times.append(time.perf_counter() - began)
            assert len(answer.json()) == MY_TABLES_COUNT
    print(
        f"/api/mine with {MY_TABLES_COUNT} of these matches: {1000 * median(times):.0f} ms,"
        f" at most {1000 * max(times):.0f}; load {os.getloadavg()[0]:.1f}"
    )


def measure_on_server(
    ubongo: StallingMatch, unikat: StallingMatch, runs: int, folder: Path
) -> None:
    cores = os.sched_getaffinity(0)
    database = str(folder / "served.db")
    with run_pytlik(Cores(min(cores), max(cores)), database) as served:
        for pid in (0, *served.pids):
            os.sched_setaffinity(pid, cores)
        assert isinstance(served.client, PytlikClient)
        id = create_nearly_finished_table(served.client, ubongo, database)
        asyncio.run(measure_answers(served.client, id, runs))
        party = served.client.parties[id]
        for number in range(1, MY_TABLES_COUNT):
            create_nearly_finished_table(
                served.client, (ubongo, unikat)[number % 2], database, party
            )
        measure_my_tables(served.client, party, runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="at most, of each match")
    parser.add_argument("--runs", type=int, default=10)
    args = parser.parse_args()
    print(
        "| game | events | log | saved state | on the loop | a callback waits | otherwise"
        " | until it is open | all events |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        ubongo, unikat = (
            play_longest_ubongo(rounds=args.rounds),
            play_longest_unikat(rounds=args.rounds),
        )
        for match in (ubongo, unikat):
            gc.freeze()  # no server has all these events in memory for its collections to visit
            asyncio.run(measure(match, args.runs, Path(folder)))
        measure_on_server(ubongo, unikat, args.runs, Path(folder))


if __name__ == "__main__":
    main()
