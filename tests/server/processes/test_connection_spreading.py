"""Connections are spread over the workers, whichever wakes up first, and workers that die are
restarted after a pause."""

import asyncio
import errno
import os
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from pytlik.server.processes.acceptor import (
    GIVE_WAY_SECONDS,
    MAX_GIVE_WAY_AT_STARTUP_SECONDS,
    MAX_GIVE_WAY_SECONDS,
    REPORT_VALID_SECONDS,
    STARTUP_WAIT_SECONDS,
    Acceptor,
    Occupancy,
    WorkerOccupancy,
)
from pytlik.server.processes.supervisor import (
    LONGEST_PAUSE_SECONDS,
    RAN_WELL_SECONDS,
    TICK_SECONDS,
    keep_running,
)
from pytlik.store.connect import open_store
from tests.database_servers import Postgres
from tests.process_freezing import frozen_process
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.processes.test_workers_killed import worker_pids
from tests.server.server_process import ServerProcess

# ------------------------------------------------------------------------- whose turn it is


def make_worker_occupancies(workers: int) -> list[WorkerOccupancy]:
    occupancy = Occupancy(get_context("spawn"), workers)
    return [WorkerOccupancy(occupancy, number) for number in range(workers)]


def test_worker_with_more_connections_gives_way() -> None:
    one, two, three = make_worker_occupancies(3)
    for share, count in ((one, 5), (two, 4), (three, 4)):
        share.report(count, now=0)
    assert not one.may_accept(5, now=0.1)
    assert two.may_accept(4, now=0.1)
    assert three.may_accept(4, now=0.1)
    assert one.may_accept(4, now=0.1)


@pytest.mark.parametrize("hold", [MAX_GIVE_WAY_SECONDS, MAX_GIVE_WAY_AT_STARTUP_SECONDS])
def test_worker_gives_way_only_briefly(hold: float) -> None:
    """The other worker may be busy or still starting, and the client must not wait for it."""
    occupancy = Occupancy(get_context("spawn"), 2)
    one = WorkerOccupancy(occupancy, 0)
    now, taken = 0.0, [0.0]
    while len(taken) < 10:
        if hold == MAX_GIVE_WAY_SECONDS:
            occupancy.report(1, 0, now)
        else:
            occupancy.expect(1, now)
        if one.may_accept(5, now):
            taken.append(now)
        now += GIVE_WAY_SECONDS
    assert all(
        hold <= after - before <= hold + 2 * GIVE_WAY_SECONDS for before, after in pairwise(taken)
    )


def test_the_wait_starts_over_when_another_worker_took_the_connection() -> None:
    one, two = make_worker_occupancies(2)
    now = 0.0
    for _ in range(100):
        two.report(0, now)
        assert not one.may_accept(5, now)
        now += MAX_GIVE_WAY_SECONDS  # meanwhile another worker took it


def test_no_worker_gives_way_to_dead_or_frozen_ones() -> None:
    occupancy = Occupancy(get_context("spawn"), 2)
    one = WorkerOccupancy(occupancy, 0)
    assert one.may_accept(5, now=0)  # no other worker was ever there
    occupancy.expect(1, now=0)
    assert one.may_accept(0, now=STARTUP_WAIT_SECONDS / 2)
    assert not one.may_accept(1, now=STARTUP_WAIT_SECONDS / 2)
    assert one.may_accept(1, now=STARTUP_WAIT_SECONDS)
    occupancy.report(1, 0, now=10)
    assert not one.may_accept(5, now=10 + REPORT_VALID_SECONDS / 2)
    assert one.may_accept(5, now=10 + REPORT_VALID_SECONDS)
    occupancy.report(1, 0, now=20)
    occupancy.forget(1)
    assert one.may_accept(5, now=20)


class IdleConnection(asyncio.Protocol):
    """A connection that sends nothing and is counted."""

    def __init__(self, open_here: set["IdleConnection"]) -> None:
        self._open = open_here
        self.transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._open.add(self)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002
        self._open.discard(self)


def test_acceptors_share_evenly_whichever_looks_first() -> None:
    """Four acceptors in one loop, where the first always looks first, and is alone for a while."""

    async def play() -> None:
        with socket.create_server(("127.0.0.1", 0), backlog=500) as listener, ExitStack() as stack:
            address = listener.getsockname()
            clients = [stack.enter_context(socket.create_connection(address)) for _ in range(100)]
            places: list[set[IdleConnection]] = [set() for _ in range(4)]
            acceptors = []
            clock = [0.0]  # the clock stands still, so nobody stops giving way
            for place, share in zip(places, make_worker_occupancies(4), strict=True):
                listening = stack.enter_context(listener.dup())
                acceptor = Acceptor(
                    listening,
                    lambda place=place: IdleConnection(place),  # type: ignore[misc]
                    lambda place=place: len(place),  # type: ignore[misc]
                    share,
                    lambda: clock[0],
                )
                acceptors.append(acceptor)
            await asyncio.sleep(0)  # all of them report
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while sum(map(len, places)) < len(clients):  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
            assert [len(place) for place in places] == [25] * 4
            for acceptor in acceptors:
                acceptor.close()
                await acceptor.wait_closed()
            for place in places:
                for idle in place:
                    assert idle.transport
                    idle.transport.close()
            await asyncio.sleep(0)

    asyncio.run(play())


def test_others_do_not_wait_for_a_closed_acceptor() -> None:
    async def play() -> None:
        one, other = make_worker_occupancies(2)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            acceptor = Acceptor(listener, asyncio.Protocol, lambda: 0, one, lambda: 0.0)
            await asyncio.sleep(0)  # it reports its load
            assert not other.may_accept(1, now=0)
            acceptor.close()
            assert other.may_accept(1, now=0)

    asyncio.run(play())


class ListenerOutOfFiles(socket.socket):
    """A listener in a process with too many open files."""

    attempts = 0
    acceptor: Acceptor | None = None
    """Closed as soon as `accept` is called."""

    def accept(self) -> Any:
        self.attempts += 1
        if self.acceptor:
            self.acceptor.close()
        raise OSError(errno.EMFILE, "too many open files")


@pytest.mark.parametrize(
    ("pause_seconds", "closes"), [(3_600, False), (0, True)], ids=["open", "closed meanwhile"]
)
def test_acceptor_pauses_after_an_error(
    pause_seconds: float, closes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retrying at once would keep a core busy."""
    monkeypatch.setattr(
        "pytlik.server.processes.acceptor.ACCEPT_ERROR_PAUSE_SECONDS", pause_seconds
    )

    async def play() -> None:
        with ListenerOutOfFiles() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            with socket.create_connection(listener.getsockname()):
                (share,) = make_worker_occupancies(1)
                acceptor = Acceptor(listener, asyncio.Protocol, lambda: 0, share)
                if closes:
                    listener.acceptor = acceptor
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    while not listener.attempts:  # noqa: ASYNC110
                        await asyncio.sleep(0)
                for _ in range(20):
                    await asyncio.sleep(0)
                assert listener.attempts == 1
                acceptor.close()

    asyncio.run(play())


# ---------------------------------------------------------------------------- with real processes


def open_connection_inodes(port: int) -> set[str]:
    """The inodes of connections to a port, as the kernel lists them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[9] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01"}


def count_connections_by_process(pids: set[int], port: int) -> dict[int, int]:
    """How many connections each of these processes has accepted."""
    inodes, counts = open_connection_inodes(port), {}
    for pid in pids:
        held = set()
        with suppress(FileNotFoundError):  # the process or one of its files has gone
            for file in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(FileNotFoundError):
                    held.add(str(file.readlink())[len("socket:[") : -1])
        counts[pid] = len(held & inodes)
    return counts


@contextmanager
def open_connections(port: int, many: int) -> Iterator[list[socket.socket]]:
    """Open connections all at once and keep them open."""
    with ExitStack() as stack:
        opened = []
        for _ in range(many):
            client = stack.enter_context(socket.socket())
            client.settimeout(0)
            with suppress(BlockingIOError):
                client.connect(("127.0.0.1", port))
            opened.append(client)
        yield opened


def wait_until_all_taken(server: ServerProcess, many: int) -> dict[int, int]:
    """Wait until all connections have been accepted, and count them by process."""
    give_up = time.monotonic() + TIMEOUT_SECONDS
    while (
        sum((counts := count_connections_by_process(worker_pids(server), server.port)).values())
        < many
    ):
        assert time.monotonic() < give_up, f"not all are taken: {counts}"
        time.sleep(0.01)  # other processes: there is nothing to wait on
    return counts


def wait_until_all_run(server: ServerProcess, many: int) -> None:
    """Wait until this many workers have reported that they run; they accept connections just
    before."""

    async def count() -> int:
        store = await open_store(server.database, notify=False)
        try:
            return len(await store.worker_heartbeats())
        finally:
            await store.close()

    give_up = time.monotonic() + TIMEOUT_SECONDS
    while asyncio.run(count()) < many:
        assert time.monotonic() < give_up, "not all workers start"
        time.sleep(0.02)  # other processes: there is nothing to wait on


@pytest.mark.slow
def test_sockets_are_spread_over_all_workers(postgres: Postgres) -> None:
    """On a quiet machine they are spread evenly. This checks only what can't fail by chance: for a
    worker to accept half of them, the three others would have to get no time to run for as long as
    they count as running, or for 100 times as long as a worker gives way. A worker that accepted
    whatever came would have them all."""
    with ServerProcess(postgres.new_database(), "--workers", "4") as server:
        wait_until_all_run(server, 4)
        with open_connections(server.port, 400):
            counts = wait_until_all_taken(server, 400)
            assert len(counts) == 4
            assert max(counts.values()) < 200, counts
            # The others take the dead worker's connections without waiting for its successor.
            victim = max(counts, key=counts.__getitem__)
            os.kill(victim, signal.SIGKILL)
            with open_connections(server.port, counts[victim]):
                wait_until_all_taken(server, 400)


@pytest.mark.slow
def test_a_frozen_worker_gets_no_connections(postgres: Postgres) -> None:
    with ServerProcess(postgres.new_database(), "--workers", "2") as server:
        wait_until_all_run(server, 2)
        victim, other = worker_pids(server)
        with frozen_process(victim), open_connections(server.port, 40):
            assert wait_until_all_taken(server, 40)[other] >= 40


# --------------------------------------------------------------------------- workers that die


class ShortLivedWorker:
    """A worker that lives for this many seconds of a clock that the test moves."""

    exitcode = 1
    sentinel = 0
    pid = 1

    def __init__(self, world: "SupervisedWorld", seconds: float) -> None:
        self._world = world
        self._end = world.now + seconds
        self.terminated = False

    def is_alive(self) -> bool:
        return not self.terminated and self._world.now < self._end

    def terminate(self) -> None:
        self.terminated = True

    def join(self) -> None:
        assert not any(worker.is_alive() for worker in self._world.started)


class SupervisedWorld:
    """A clock that advances when the supervisor waits, and how long each worker lives."""

    def __init__(self, lives: list[float], workers: int = 1) -> None:
        self.now = 0.0
        self.lives = lives
        self.workers = workers
        self.starts: list[float] = []
        self.started: list[ShortLivedWorker] = []

    def start(self, _number: int) -> ShortLivedWorker:
        self.starts.append(self.now)
        self.started.append(
            ShortLivedWorker(self, self.lives.pop(0) if self.lives else float("inf"))
        )
        return self.started[-1]

    def wait(self, _sentinels: Sequence[Any], timeout: float) -> None:
        self.now += timeout

    def run(self, until: float) -> None:
        keep_running(
            self.workers,
            self.start,
            lambda: self.now >= until,
            clock=lambda: self.now,
            wait=self.wait,
        )


def test_pauses_grow_while_workers_die_at_once() -> None:
    world = SupervisedWorld([0.0] * 8)
    world.run(until=60)
    pauses = [after - before for before, after in pairwise(world.starts)]
    wanted = [0.5, 1, 2, 4, 8, 8, 8, 8]
    assert all(
        least < pause < least + 2.5 * TICK_SECONDS
        for least, pause in zip(wanted, pauses, strict=True)
    )


def test_pauses_start_over_after_a_worker_that_ran_well() -> None:
    world = SupervisedWorld([0.0] * 6 + [RAN_WELL_SECONDS + 1, 0.0])
    world.run(until=100)
    *_, well, after, last = world.starts
    assert after - well < RAN_WELL_SECONDS + 1 + 3 * TICK_SECONDS
    assert last - after < 0.5 + 3 * TICK_SECONDS


def test_worker_that_keeps_dying_does_not_hold_up_the_others() -> None:
    world = SupervisedWorld([0.0, float("inf"), 0.0, 0.0, 0.0], workers=2)
    world.run(until=3)
    assert world.starts[:2] == [0, 0]
    assert world.started[1].terminated  # not before the end
    assert len(world.starts) == 4


def test_all_workers_are_stopped_before_any_is_joined() -> None:
    world = SupervisedWorld([], workers=3)
    world.run(until=1)
    assert [worker.terminated for worker in world.started] == [True] * 3


def test_pause_does_not_delay_the_shutdown() -> None:
    world = SupervisedWorld([0.0] * 1_000)
    world.run(until=13.0)  # in the middle of a long wait
    assert 13 <= world.now <= 13 + TICK_SECONDS
    assert LONGEST_PAUSE_SECONDS > 2 * TICK_SECONDS


@pytest.mark.slow
def test_workers_return_with_the_database_and_stop_during_a_pause(
    own_postgres: Postgres,
) -> None:
    def kill_remaining_workers(server: ServerProcess) -> bool:
        for pid in worker_pids(server):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not worker_pids(server)

    def kill_until_none_is_left(server: ServerProcess) -> None:
        give_up = time.monotonic() + TIMEOUT_SECONDS
        while not kill_remaining_workers(server):
            assert time.monotonic() < give_up, "there is no pause"
            time.sleep(0.01)  # other processes: there is nothing to wait on

    with ServerProcess(own_postgres.new_database(), "--workers", "2") as server:
        own_postgres.stop()
        kill_until_none_is_left(server)
        own_postgres.start()
        server._wait_until_ready()
        kill_until_none_is_left(server)
        server.stop()  # which checks the exit status
