"""With real processes: whatever dies or restarts, play goes on and nothing acknowledged is lost."""

import asyncio
import os
import select
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pytlik.bus.connect import open_bus
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.store import Store
from pytlik.store.connect import open_store
from tests.database_servers import Postgres, Redis
from tests.server.client import Client, create_table, run_all
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.server_load import ServerLoad
from tests.server.server_process import ServerProcess


def worker_pids(server: ServerProcess) -> set[int]:
    """The processes that serve requests: the first process's children, except multiprocessing's
    own."""
    found = set()
    for pid in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split():
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text():
                found.add(int(pid))
    return found


@pytest.mark.slow
def test_play_goes_on_when_a_worker_is_killed(postgres: Postgres) -> None:
    """The other worker goes on, and the dead one is replaced."""

    async def play(server: ServerProcess) -> None:
        async with ServerLoad(server.address, "a worker is killed", drops=0.01) as load:
            await load.sit_down(unikat=4, ubongo=1)
            for _ in range(2):
                async with load.let_everyone_play():
                    await load.play_until_acknowledged(40)
                    before = worker_pids(server)
                    victim = min(before)
                    os.kill(victim, signal.SIGKILL)
                    await load.play_until_acknowledged(40)
                    await load.wait_until(
                        lambda before=before, victim=victim: (  # type: ignore[misc]
                            len(worker_pids(server) - {victim}) == len(before)
                        )
                    )
                    await load.play_until_acknowledged(40)
                await load.check(server.database)
            await load.check(server.database, everything=True)

    with ServerProcess(postgres.new_database(), "--workers", "2") as server:
        asyncio.run(play(server))


@pytest.mark.slow
def test_people_on_a_killed_worker_are_shown_as_away(postgres: Postgres) -> None:
    """As in `test_workers.py`, but with real processes, which can't be told whom to serve."""
    database = postgres.new_database()

    async def seats_by_worker(lobby: Lobby, table: str) -> dict[str, list[int]]:
        """The seats each worker serves, or nothing while a connection is changing hands."""
        found = await lobby.get(table)
        holders = [chair.holder for chair in found.table.chairs]
        served: dict[str, list[int]] = {}
        for present in found.presence:
            served.setdefault(present.worker, []).append(holders.index(present.holder))
        return served if len(found.presence) == len(holders) else {}

    async def play(server: ServerProcess) -> None:
        people = [Client(server.address) for _ in range(4)]
        store = await open_store(database, notify=False)
        try:
            await see(server, people, store)
        finally:
            await store.close()
            for person in people:
                await person.close()

    async def see(server: ServerProcess, people: list[Client], store: Store) -> None:
        lobby = Lobby(Rooms(store, open_bus(""), lambda: 0))
        table = await create_table(people[0], chairs=4)
        for number, person in enumerate(people):
            body = {"name": f"person {number}"}
            await person.ask("POST", f"/api/tables/{table}/seats", body)
            await person.join(table)
        while len(served := await seats_by_worker(lobby, table)) < 2:
            if served:  # all at the same worker: reconnect all at once
                for person in people:
                    await person.disconnect()
                await run_all(*(person.join(table) for person in people))
        await people[0].ask("POST", f"/api/tables/{table}/start")
        for person in people:
            while not all(chair["here"] for chair in await chairs_of(person)):
                pass
        os.kill(min(worker_pids(server)), signal.SIGKILL)
        ends = [asyncio.create_task(person.socket.wait_closed()) for person in people]  # type: ignore[union-attr]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        first = next(seat for seat, end in enumerate(ends) if end.done())
        (gone,) = [sorted(seats) for seats in served.values() if first in seats]
        left = [seat for seat in range(len(people)) if seat not in gone]
        for seat in left:
            while [s for s, c in enumerate(await chairs_of(people[seat])) if c["here"]] != left:
                pass
        kinds = {each.kind for each in await store.deadlines()}
        assert {kind for kind in kinds if kind.startswith("away")} == {f"away {s}" for s in gone}
        assert [seat for seat, end in enumerate(ends) if end.done()] == gone
        for end in ends:
            end.cancel()

    async def chairs_of(person: Client) -> list[Any]:
        while (message := await person.next_message())["kind"] not in ("hello", "table_changed"):
            pass
        chairs: list[Any] = message["table"]["chairs"]
        return chairs

    with ServerProcess(database, "--workers", "2", gather_tables="0") as server:
        asyncio.run(asyncio.wait_for(play(server), 2 * TIMEOUT_SECONDS))


@pytest.mark.slow
def test_workers_do_not_outlive_the_first_process(postgres: Postgres) -> None:
    """Only the first process is killed. If its workers lived on, they would hold the port and the
    next server couldn't start."""
    with ServerProcess(postgres.new_database(), "--workers", "2") as server:
        give_up = time.monotonic() + TIMEOUT_SECONDS
        while len(workers := worker_pids(server)) < 2:  # the first one may answer before the second
            assert time.monotonic() < give_up, "the second worker doesn't start"
            time.sleep(0.01)  # other processes: there is nothing to wait on
        ends = [os.pidfd_open(pid) for pid in workers]
        os.kill(server.pid, signal.SIGKILL)
        for end in ends:
            assert select.select([end], [], [], TIMEOUT_SECONDS)[0], "a worker is still running"
            os.close(end)
        server.kill()


@pytest.mark.slow
def test_play_goes_on_when_postgres_and_redis_restart(
    own_postgres: Postgres, own_redis: Redis
) -> None:
    database = own_postgres.new_database()

    async def play(server: ServerProcess) -> None:
        async with ServerLoad(server.address, "restarted") as load:
            await load.sit_down(unikat=4, ubongo=1)
            async with load.let_everyone_play():
                await load.play_until_acknowledged(60)
                await asyncio.to_thread(own_postgres.stop)
                await asyncio.to_thread(own_postgres.start)
                await load.play_until_acknowledged(60)
                await asyncio.to_thread(own_redis.stop)
                await asyncio.to_thread(own_redis.start)
                await load.play_until_acknowledged(60)
                await asyncio.to_thread(own_redis.stop)
                await asyncio.to_thread(own_postgres.stop)
                await asyncio.to_thread(own_postgres.start)
                await asyncio.to_thread(own_redis.start)
                await load.play_until_acknowledged(60)
            await load.check(database, everything=True)

    redis = ("--redis", own_redis.url)
    with ServerProcess(database, "--workers", "2", *redis, gather_tables="0") as server:
        asyncio.run(play(server))
