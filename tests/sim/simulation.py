"""The course of a world: tables are created, people play, things go wrong, and in the end all is
well again and everything is compared."""

import asyncio
from random import Random

from pytlik.server.table.tables import Table
from tests.sim.faults import cause_faults, empty_table_during_outage, end_all_faults
from tests.sim.sim_circle import SimCircle
from tests.sim.sim_table import SimTable
from tests.sim.unplayed_tables import UnplayedTables
from tests.sim.world import World, run_in_background

CALM_SECONDS = 30.0
"""How long nothing goes wrong at the end: long enough to notice that someone has left, or to remove
a dead worker, and then to wait until a stand-in begins and moves."""

JOURNAL_LINES = 60
"""How many lines of the journal are shown when a promise is broken."""


async def play_through_faults(world: World) -> None:
    random = Random(f"{world.seed} course")
    world.conditions.store_seconds = random.choice((0.002, 0.002, 0.05))
    world.conditions.bus_seconds = random.choice((0.0, 0.002, 0.1))
    world.loop.max_thinking_seconds = random.choice((0.1, 0.1, 2.5))
    if (
        world.loop.max_thinking_seconds > 1
        and Random(f"{world.seed} bots think long").random() < 0.4
    ):
        world.loop.max_thinking_seconds = 4.5
    await world.start_workers()
    circle = SimCircle(world) if Random(f"{world.seed} has a circle").random() < 0.4 else None
    sim_tables = [SimTable(world, number, circle) for number in range(random.choice((1, 1, 2)))]
    for sim_table in sim_tables:
        await sim_table.set_up()
    if random.random() < 0.2:
        for player in world.everyone:
            player.disconnect_chance = 0.03
    if random.random() < 0.3:
        world.conditions.bus_seconds = random.choice((0.1, 1.0))
        for player in world.everyone:
            player.worker_change_chance = 0.3
    work = [sim_table.play_until_cancelled() for sim_table in sim_tables]
    if random.random() < 0.1:
        work.append(random.choice(sim_tables).delete_later(random.uniform(5, 50)))
    if Random(f"{world.seed} has more tables").random() < 0.15:
        work.append(UnplayedTables(world).create_tables_until_cancelled())
    async with run_in_background(*work):
        await cause_faults(world, random.uniform(20, 60), random)
        if random.random() < 0.2:
            # This comes last, because nobody returns to that table.
            await empty_table_during_outage(world, random)
        await end_all_faults(world, random)
        before = progress_of_tables(world)
        await asyncio.sleep(CALM_SECONDS)
        world.promises.check_at_end()
        after = progress_of_tables(world)
        for id, table in world.promises.tables.items():
            # Where everyone has gone home for good, no progress is expected.
            deserted = (
                id in world.promises.unplayed_tables | world.promises.empty_since.keys()
                or waits_for_absent_lone_player(world, table)
                or is_over_and_deserted(world, table)
            )
            if table.paused is None and not deserted and before[id] == after[id]:
                world.promises.report_broken(f"no progress at {id}: {table.phase}, {after[id]}")


def waits_for_absent_lone_player(world: World, table: Table) -> bool:
    """Whether a match waits for its only human player, who has gone home."""
    promises = world.promises
    log = promises.logs.get(table.match_id)
    people = {chair.holder for chair in table.chairs if chair.holder is not None}
    if log is None or len(people) != 1 or any(promises.presence[table.id, one] for one in people):
        return False
    awaited = log.game.awaited(log.state)
    return bool(awaited) and not any(table.acting_bot_level(seat) for seat in awaited)


def is_over_and_deserted(world: World, table: Table) -> bool:
    """Whether the match is over and nobody is left who could start another one."""
    people = {table.host, *(chair.holder for chair in table.chairs)}
    presence = world.promises.presence
    return table.phase == "over" and not any(one and presence[table.id, one] for one in people)


def progress_of_tables(world: World) -> dict[str, tuple[int, str, int]]:
    promises = world.promises
    return {
        id: (
            table.match,
            table.phase,
            len(log.events) if (log := promises.logs.get(table.match_id)) else 0,
        )
        for id, table in promises.tables.items()
    }


def simulate(seed: int, *, workers: int | None = None) -> World:
    """Run one world from beginning to end. Raises the first thing that went wrong."""
    if workers is None:
        workers = Random(f"{seed} workers").choice((1, 2, 2, 3))
    world = World(seed, workers=workers)
    try:
        world.run_course(play_through_faults)
    except Exception as error:
        error.add_note(f"seed {seed}, workers {workers}; the last events:")
        error.add_note("\n".join(world.journal[-JOURNAL_LINES:]))
        raise
    return world
