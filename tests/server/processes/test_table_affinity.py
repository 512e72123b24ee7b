"""Connections to the same table are passed to the same worker."""

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

import pytest

from pytlik.bus.connect import open_bus
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.server.processes.acceptor import RESPONSIVE_WITHIN_SECONDS, Occupancy
from pytlik.server.processes.table_affinity import (
    CROWDED_FACTOR,
    CROWDED_SPARE,
    Receiver,
    SocketPasser,
    make_inboxes,
    rank_workers,
)
from pytlik.store.connect import open_store
from tests.database_servers import Postgres
from tests.server.client import Client, create_table, run_all
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.processes.test_connection_spreading import wait_until_all_run
from tests.server.server_process import ServerProcess

SOCKET_PATHS = [f"/api/tables/{number}/socket".encode() for number in range(1_000)]


# ------------------------------------------------------------------------------ which worker


def test_tables_are_spread_evenly() -> None:
    counts = Counter(rank_workers(path, range(8))[0] for path in SOCKET_PATHS)
    assert set(counts) == set(range(8))
    assert max(counts.values()) < 1.5 * len(SOCKET_PATHS) / 8


def test_only_the_tables_of_a_lost_worker_move() -> None:
    for path in SOCKET_PATHS:
        first, second, *_ = rank_workers(path, range(8))
        without = [worker for worker in range(8) if worker != first]
        assert rank_workers(path, without)[0] == second
        others = [worker for worker in range(8) if worker != second]
        assert rank_workers(path, others)[0] == first


@contextmanager
def make_socket_passers(workers: int) -> Iterator[tuple[Occupancy, list[SocketPasser]]]:
    occupancy = Occupancy(get_context("spawn"), workers)
    inboxes = make_inboxes(workers)
    try:
        yield occupancy, [SocketPasser(worker, occupancy, inboxes) for worker in range(workers)]
    finally:
        for ends in inboxes:
            for end in ends:
                end.close()


def test_all_workers_choose_the_same_worker() -> None:
    with make_socket_passers(4) as (occupancy, workers):
        for worker in range(4):
            occupancy.report(worker, 10, now=0)
        for path in SOCKET_PATHS[:50]:
            assert {passer.choose_worker(path, now=0.1) for passer in workers} == {
                rank_workers(path, range(4))[0]
            }


def test_nothing_is_passed_to_a_dead_frozen_or_starting_worker() -> None:
    with make_socket_passers(2) as (occupancy, (here, _)):
        path = next(path for path in SOCKET_PATHS if rank_workers(path, range(2))[0] == 1)
        assert here.choose_worker(path, now=0) == 0  # nobody has reported
        occupancy.report(0, 0, now=10)
        occupancy.expect(1, now=10)
        assert here.choose_worker(path, now=10) == 0
        occupancy.report(1, 0, now=10)
        assert here.choose_worker(path, now=10) == 1
        occupancy.report(0, 0, now=10 + RESPONSIVE_WITHIN_SECONDS)
        assert here.choose_worker(path, now=10 + RESPONSIVE_WITHIN_SECONDS) == 0
        occupancy.report(1, 0, now=20)
        occupancy.forget(1)
        assert here.choose_worker(path, now=20) == 0


def test_crowd_at_one_table_is_spread_over_several_workers() -> None:
    counts = [0] * 4
    with make_socket_passers(4) as (occupancy, (here, *_)):
        for _ in range(2_000):
            for worker, count in enumerate(counts):
                occupancy.report(worker, count, now=0)
            counts[here.choose_worker(SOCKET_PATHS[0], now=0)] += 1
    assert sum(counts) == 2_000
    assert max(counts) <= CROWDED_FACTOR * 2_000 / 4 + CROWDED_SPARE + 1
    assert sum(count > 0 for count in counts) == 3


# ------------------------------------------------------------------------------- passing it on


class EchoProtocol(asyncio.Protocol):
    """Answers with its name and what it received."""

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.connected = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.connected.set_result(None)

    def data_received(self, data: bytes) -> None:
        self.transport.write(self.name + b" heard " + data)


def test_passed_connection_continues_on_the_other_worker() -> None:
    async def play() -> None:
        with make_socket_passers(2) as (occupancy, (here, there)):
            for worker in range(2):
                occupancy.report(worker, 0, time.monotonic() + 3_600)  # however long this takes
            path = next(path for path in SOCKET_PATHS if rank_workers(path, range(2))[0] == 1)
            receiver = there.make_receiver(lambda: EchoProtocol(b"there"))
            listener = socket.create_server(("127.0.0.1", 0))
            loop = asyncio.get_running_loop()
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            accepted, _ = listener.accept()
            first = EchoProtocol(b"here")
            await loop.connect_accepted_socket(lambda: first, accepted)
            await first.connected
            assert here.pass_on(first.transport, path, b"a head\n")
            first.transport.close()
            assert await reader.readline() == b"there heard a head\n"
            writer.write(b"more\n")
            assert await reader.readline() == b"there heard more\n"
            writer.close()
            receiver.close()
            listener.close()

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_connection_stays_if_the_other_workers_inbox_is_full() -> None:
    """The other worker hasn't read its inbox for a while."""

    class Transport(asyncio.BaseTransport):
        def get_extra_info(self, _name: str, _default: Any = None) -> Any:
            return passed

    with make_socket_passers(2) as (occupancy, (here, _)), socket.socket() as passed:
        for worker in range(2):
            occupancy.report(worker, 0, time.monotonic() + 3_600)
        path = next(path for path in SOCKET_PATHS if rank_workers(path, range(2))[0] == 1)
        sent = 0
        while here.pass_on(Transport(), path, bytes(10_000)):
            sent += 1
            assert sent < 10_000
        assert sent > 0


def test_receiver_survives_a_head_without_its_connection() -> None:
    """Too many files were open, so only the head arrived."""

    async def play() -> None:
        ((inbox, outbox),) = make_inboxes(1)
        ours, theirs = socket.socketpair()
        receiver = Receiver(inbox, lambda: EchoProtocol(b"here"))
        outbox.send(b"a lost head\n")
        socket.send_fds(outbox, [b"a head\n"], [theirs.fileno()])
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        assert await reader.readline() == b"here heard a head\n"
        writer.close()
        receiver.close()
        for end in (inbox, outbox, theirs):
            end.close()

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


# ---------------------------------------------------------------------------- with real processes


@pytest.mark.slow
def test_people_at_each_table_are_on_one_worker(postgres: Postgres) -> None:
    """A socket stays where it was accepted if the other worker is unresponsive just then. So
    everyone reconnects until each table is on one worker, which would never happen if connections
    were spread at random."""
    database = postgres.new_database()
    tables, chairs = 6, 4

    async def count_workers(lobby: Lobby, table: str) -> int:
        found = await lobby.get(table)
        if len(found.presence) < chairs:
            return 0
        return len({present.worker for present in found.presence})

    async def play(server: ServerProcess) -> None:
        store = await open_store(database, notify=False)
        lobby = Lobby(Rooms(store, open_bus(""), lambda: 0))
        people = [[Client(server.address) for _ in range(chairs)] for _ in range(tables)]
        ids = []
        for at_table in people:
            ids.append(await create_table(at_table[0], chairs=chairs))
            for number, person in enumerate(at_table):
                body = {"name": f"person {number}"}
                await person.ask("POST", f"/api/tables/{ids[-1]}/seats", body)
        everyone = [person for at_table in people for person in at_table]
        places = [table for table in ids for _ in range(chairs)]
        found: list[int] = []
        while found != [1] * tables:
            await run_all(*(person.disconnect() for person in everyone if person.socket))
            await run_all(*(map(Client.join, everyone, places)))
            while 0 in (found := [await count_workers(lobby, table) for table in ids]):
                pass  # other processes: all there is to wait for is in the store
        for at_table in people:  # and they can play there
            await at_table[0].ask("POST", f"/api/tables/{ids[people.index(at_table)]}/start")
            for person in at_table:
                await person.wait_for("update")
        await run_all(*(person.close() for person in everyone))
        await store.close()

    with ServerProcess(database, "--workers", "4") as server:
        wait_until_all_run(server, 4)
        asyncio.run(asyncio.wait_for(play(server), 2 * TIMEOUT_SECONDS))
