"""Bots play only for people: at a table that everyone has left, they wait until someone watches."""

import asyncio
from functools import partial
from typing import Any

import pytest

from pytlik.protocol.table_agreement import Agreement
from pytlik.server.live.presence import ALL_SPECTATORS_HOLDER
from pytlik.server.match.bot_pool import BotPool
from pytlik.server.match.deadlines import BOT_DEADLINE
from pytlik.server.table import seats
from tests.database_servers import Postgres
from tests.server.client import Client, create_table
from tests.server.live_server import TIMEOUT_SECONDS, LiveServer, server_test, start_match
from tests.server.local_worker import LocalConnection, LocalWorker
from tests.server.people_at_table import wait_for_message
from tests.server.racing_workers import ManualClock, read_events, run_all_schedulers, run_workers


async def start_match_of_bots(live_server: LiveServer, host: Client) -> str:
    """A match played only by bots, with nobody watching."""
    table = await create_table(host, chairs=2)
    for seat in range(2):
        await host.ask("PUT", f"/api/tables/{table}/seats/{seat}/bot", {"level": "easy"})
    await start_match(host, table)
    return table


async def deadlines_by_kind(live_server: LiveServer) -> dict[str, int]:
    return {each.kind: each.due for each in await live_server.store.deadlines()}


async def wait_until_bots_stop(live_server: LiveServer) -> None:
    """Wait until everything due has happened and no bot is about to move."""
    await live_server.wait_until_quiet()
    while BOT_DEADLINE in await deadlines_by_kind(live_server):
        live_server.pass_time(1_000)
        await live_server.wait_until_quiet()


@server_test
async def test_bots_never_move_while_nobody_watches(
    live_server: LiveServer,
) -> None:
    table = await start_match_of_bots(live_server, live_server.new_person())
    await wait_until_bots_stop(live_server)
    before = await live_server.store.events(f"{table}.1")
    for _ in range(5):
        live_server.pass_time(3_600_000)
        await live_server.wait_until_quiet()
    assert await live_server.store.events(f"{table}.1") == before
    assert await deadlines_by_kind(live_server) == {}


@server_test
async def test_abandoned_table_is_deleted_after_an_hour(
    live_server: LiveServer,
) -> None:
    table = await create_table(live_server.new_person())
    await live_server.wait_until_quiet()
    live_server.pass_time(3_600_000)
    while await live_server.store.table(table):  # noqa: ASYNC110 - the scheduler does it
        await asyncio.sleep(0)


@pytest.mark.parametrize("with_token", [True, False])
@server_test
async def test_bots_play_on_for_a_spectator(live_server: LiveServer, with_token: bool) -> None:
    """Whether or not they have a token."""
    host = live_server.new_person()
    table = await start_match_of_bots(live_server, host)
    await wait_until_bots_stop(live_server)
    for _ in range(2):
        viewer = live_server.new_person(host.token if with_token else None)
        await viewer.join(table)
        await viewer.wait_for("update")
        seq = viewer.seq
        moved = asyncio.create_task(wait_for_message(viewer, lambda m: m["kind"] == "update"))
        await live_server.skip_time_until(moved.done)
        assert viewer.seq > seq
        await viewer.close()
        await wait_until_bots_stop(live_server)
        assert (await live_server.lobby.get(table)).presence == ()


@server_test
async def test_bot_does_not_move_if_the_last_spectator_leaves_while_it_thinks(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await start_match_of_bots(live_server, live_server.new_person())
    await wait_until_bots_stop(live_server)
    thinking, may_answer = asyncio.Event(), asyncio.Event()
    next_step = BotPool.next_step

    async def think(self: BotPool, *args: Any) -> Any:
        thinking.set()
        await may_answer.wait()
        return await next_step(self, *args)

    monkeypatch.setattr(BotPool, "next_step", think)
    before = await live_server.store.events(f"{table}.1")
    viewer = live_server.new_person()
    await viewer.join(table)
    await live_server.skip_time_until(thinking.is_set)
    await viewer.close()
    while (await live_server.lobby.get(table)).presence:  # noqa: ASYNC110 - the server does it
        await asyncio.sleep(0)
    may_answer.set()
    await wait_until_bots_stop(live_server)
    assert await live_server.store.events(f"{table}.1") == before


@server_test
async def test_bots_play_on_until_it_is_a_persons_turn(
    live_server: LiveServer,
) -> None:
    """Otherwise people who play by correspondence would never be notified of their turn."""
    agreement = {"away_seconds": None}
    table, (ola,) = await live_server.create_match(
        people=1, bots=1, options={"starter": 1}, agreement=agreement
    )
    assert not ola.can_act()
    await ola.close()
    await wait_until_bots_stop(live_server)
    (mine,) = await live_server.new_person(ola.token).ask("GET", "/api/mine")
    assert (mine["table"]["id"], mine["awaited"]) == (table, [0])


@server_test
async def test_stand_ins_do_not_move_while_everyone_is_away(live_server: LiveServer) -> None:
    table, people = await live_server.create_match(
        agreement={"away_seconds": 10, "bot_level": "easy"}
    )
    for person in people:
        await person.close()
    await live_server.wait_until_quiet()
    live_server.pass_time(11_000)
    await live_server.wait_until_quiet()
    found = await live_server.lobby.get(table)
    while not all(chair.stand_in for chair in found.table.chairs):
        live_server.pass_time(1_000)
        await live_server.wait_until_quiet()
        found = await live_server.lobby.get(table)
    await wait_until_bots_stop(live_server)
    before = await live_server.store.events(f"{table}.1")
    live_server.pass_time(3_600_000)
    await live_server.wait_until_quiet()
    assert await live_server.store.events(f"{table}.1") == before


def test_spectator_on_another_worker_counts(postgres: Postgres) -> None:
    """Whichever worker takes the deadline, all of them know that someone is watching."""
    database = postgres.new_database()

    async def wait_for_move(workers: list[LocalWorker], match: str, seq: int) -> None:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while len(await read_events(workers[0].store, match)) <= seq:
                await run_all_schedulers(workers)

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time, 2) as workers:
            lobby = workers[0].lobby
            found = await lobby.create(
                "ubongo", "ola", chairs=2, agreement=Agreement(away_seconds=None)
            )
            id = found.table.id
            for seat in (0, 1):
                add_bot = partial(seats.add_bot, host="ola", seat=seat, level="easy")
                await lobby.change(id, add_bot)
            table = (await lobby.start(id, "ola")).table
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while await workers[0].store.deadlines():
                    await run_all_schedulers(workers)
            before = len(await read_events(workers[0].store, table.match_id))
            viewer = LocalConnection(id, None)
            await workers[1].join(viewer)
            while not (await lobby.get(id)).presence:  # noqa: ASYNC110 - the store
                await asyncio.sleep(0.001)
            assert [one.holder for one in (await lobby.get(id)).presence] == [ALL_SPECTATORS_HOLDER]
            await workers[
                1
            ].rooms.services.tasks.cancel_all()  # it fires nothing, so the other one has to
            await wait_for_move(workers[:1], table.match_id, before)

    asyncio.run(play())
