"""Bots play for people: at a table that everyone has left they stand still until somebody looks."""

import asyncio
from functools import partial

import pytest

from pytlik.protocol.agreement import Agreement
from pytlik.server import seats
from pytlik.server.deadlines import BOT
from pytlik.server.presence import SPECTATORS
from tests.server.client import Client, table_for
from tests.server.house import PATIENCE, House, empty_database, house, same_secrets, scene, start
from tests.server.local_worker import LocalConnection, LocalWorker
from tests.server.people import until
from tests.server.racing import Time, look, read, working
from tests.services import Postgres

__all__ = ["empty_database", "house", "same_secrets"]


async def bots_alone(house: House, host: Client) -> str:
    """A match that only bots play, and nobody looks at."""
    table = await table_for(host, chairs=2)
    for seat in range(2):
        await host.ask("PUT", f"/api/tables/{table}/seats/{seat}/bot", {"level": "easy"})
    await start(host, table)
    return table


async def due(house: House) -> dict[str, int]:
    return {each.kind: each.due for each in await house.store.deadlines()}


async def until_bots_stand_still(house: House) -> None:
    """Whatever was due has happened, and no bot is to move."""
    await house.quiet()
    while BOT in await due(house):
        house.pass_time(1_000)
        await house.quiet()


@scene
async def test_where_nobody_looks_bots_stand_still_also_after_hours(house: House) -> None:
    table = await bots_alone(house, house.person())
    await until_bots_stand_still(house)
    before = await house.store.events(f"{table}.1")
    for _ in range(5):
        house.pass_time(3_600_000)
        await house.quiet()
    assert await house.store.events(f"{table}.1") == before
    assert await due(house) == {}


@scene
async def test_a_table_that_was_made_and_left_is_gone_after_an_hour(house: House) -> None:
    table = await table_for(house.person())
    await house.quiet()
    house.pass_time(3_600_000)
    while await house.store.table(table):  # noqa: ASYNC110 - the clock does it
        await asyncio.sleep(0)


@pytest.mark.parametrize("known", [True, False])
@scene
async def test_whoever_comes_to_look_sets_them_going(house: House, known: bool) -> None:
    """With a token, or without one."""
    host = house.person()
    table = await bots_alone(house, host)
    await until_bots_stand_still(house)
    for _ in range(2):
        viewer = house.person(host.token if known else None)
        await viewer.join(table)
        await viewer.until("update")
        seq = viewer.seq
        moved = asyncio.create_task(until(viewer, lambda m: m["kind"] == "update"))
        await house.hurry(moved.done)
        assert viewer.seq > seq
        await viewer.close()
        await until_bots_stand_still(house)
        assert (await house.lobby.get(table)).presence == ()


@scene
async def test_bots_go_on_until_it_is_the_turn_of_somebody_who_plays(house: House) -> None:
    """Or who plays by correspondence would never be told that it is."""
    agreement = {"away_seconds": None}
    table, (ola,) = await house.match(people=1, bots=1, options={"starter": 1}, agreement=agreement)
    assert not ola.can_act()
    await ola.close()
    await until_bots_stand_still(house)
    (mine,) = await house.person(ola.token).ask("GET", "/api/mine")
    assert (mine["table"]["id"], mine["awaited"]) == (table, [0])


@scene
async def test_when_all_are_replaced_and_away_nothing_moves(house: House) -> None:
    table, people = await house.match(agreement={"away_seconds": 10, "bot_level": "easy"})
    for person in people:
        await person.close()
    await house.quiet()
    house.pass_time(11_000)
    await house.quiet()
    found = await house.lobby.get(table)
    while not all(chair.stand_in for chair in found.table.chairs):
        house.pass_time(1_000)
        await house.quiet()
        found = await house.lobby.get(table)
    await until_bots_stand_still(house)
    before = await house.store.events(f"{table}.1")
    house.pass_time(3_600_000)
    await house.quiet()
    assert await house.store.events(f"{table}.1") == before


def test_a_spectator_at_another_worker_counts(postgres: Postgres) -> None:
    """Whichever worker takes the deadline: all know that somebody looks."""
    database = postgres.fresh()

    async def moved(workers: list[LocalWorker], match: str, seq: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(await read(workers[0].store, match)) <= seq:
                await look(workers)

    async def play() -> None:
        time = Time()
        async with working(database, time, 2) as workers:
            lobby = workers[0].lobby
            found = await lobby.create(
                "ubongo", "ola", chairs=2, agreement=Agreement(away_seconds=None)
            )
            id = found.table.id
            for seat in (0, 1):
                add_bot = partial(seats.add_bot, host="ola", seat=seat, level="easy")
                await lobby.change(id, add_bot)
            table = (await lobby.start(id, "ola")).table
            async with asyncio.timeout(PATIENCE):
                while await workers[0].store.deadlines():
                    await look(workers)
            before = len(await read(workers[0].store, table.match_id))
            viewer = LocalConnection(id, None)
            await workers[1].join(viewer)
            while not (await lobby.get(id)).presence:  # noqa: ASYNC110 - the store
                await asyncio.sleep(0.001)
            assert [one.holder for one in (await lobby.get(id)).presence] == [SPECTATORS]
            await workers[
                1
            ].rooms.services.tasks.cancel_all()  # it fires nothing: the other one has to
            await moved(workers[:1], table.match_id, before)

    asyncio.run(play())
