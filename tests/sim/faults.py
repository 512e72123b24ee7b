"""What can go wrong in a simulated world: with workers, store, network and clocks."""

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from pytlik.server.cleanup import DAY_MS
from tests.sim.world import Worker, World

Fault = Callable[[World, Random], Coroutine[Any, Any, None]]


async def kill_worker(world: World, random: Random) -> None:
    worker = random_running_worker(world, random)
    if worker is None:
        return
    world.kill(worker)
    await asyncio.sleep(random.uniform(0.1, 4))
    await world.start_worker(worker.number)


async def kill_all_workers(world: World, random: Random) -> None:
    for worker in list(world.workers):
        if worker.ready:
            world.kill(worker)
    await asyncio.sleep(random.uniform(0.1, 15))
    for worker in list(world.workers):
        if worker.process.killed:
            await world.start_worker(worker.number)
            while not world.random_ready_worker(random):  # noqa: ASYNC110 - time is virtual
                await asyncio.sleep(0.1)


async def stop_worker(world: World, random: Random) -> None:
    """Let a worker shut down in good order."""
    worker = random_running_worker(world, random)
    if worker is None:
        return
    worker.stop.set()
    await asyncio.sleep(random.uniform(3, 5))
    world.kill(worker)
    await world.start_worker(worker.number)


async def freeze_worker(world: World, random: Random) -> None:
    worker = random_running_worker(world, random)
    if worker is None:
        return
    worker.process.freeze()
    await asyncio.sleep(random.choice((0.5, 3, random.uniform(5, 20))))
    worker.process.thaw()


async def cut_off_store(world: World, random: Random) -> None:
    """Cut one worker or all of them off from the store. People may go home at that moment."""
    hangs = random.random() < 0.3
    seconds = random.choice((1, 3, random.uniform(5, 9), random.uniform(5, 9), 25))
    affected = list(world.workers) if random.random() < 0.6 else [random.choice(world.workers)]
    for worker in affected:
        worker.store.reachable, worker.store.hangs = False, hangs
    if random.random() < 0.5:
        send_players_home(world, random)
    await asyncio.sleep(seconds)
    for worker in affected:
        worker.store.reachable = True


def send_players_home(world: World, random: Random, *, everyone: float = 0.5) -> None:
    """Send someone home or, with the probability `everyone`, all people at their table. Choose only
    tables where stand-ins play for people who are away."""
    replaceable = [
        player
        for player in world.connected_players
        if (table := world.promises.tables.get(player.table)) and table.agreement.away_seconds
    ]
    if replaceable:
        first = random.choice(replaceable)
        together = [player for player in replaceable if player.table == first.table]
        for player in together if random.random() < everyone else [first]:
            player.leave_for_good(0)


async def empty_table_during_outage(world: World, random: Random) -> None:
    """Send everyone at a table home while no worker can reach the store."""
    world.add_to_journal("fault: empty_table_during_outage")
    affected = list(world.workers)
    for worker in affected:
        worker.store.reachable = worker.store.hangs = False
    send_players_home(world, random, everyone=1)
    await asyncio.sleep(random.uniform(4, 9))
    for worker in affected:
        worker.store.reachable = True


async def stop_everything_for_a_while(world: World, random: Random) -> None:
    """Let nobody act for a while. Then wake all workers together while more goes wrong: requests
    overtake each other, or workers die while they move the clocks."""
    affected = [each for each in world.workers if each.ready and not each.process.frozen]
    frozen = random.random() < 0.5
    for worker in affected:
        if frozen:
            worker.process.freeze()
        else:
            worker.store.reachable = worker.store.hangs = False
    if random.random() < 0.3:
        send_players_home(world, random)
    await asyncio.sleep(random.uniform(3, 20))
    conditions = world.conditions
    if random.random() < 0.5:
        conditions.store_stall_chance = 0.3
    else:
        conditions.crash_chance = 0.4
    for worker in affected:
        if frozen:
            worker.process.thaw()
        else:
            worker.store.reachable = True
    await asyncio.sleep(random.uniform(1, 3))
    conditions.store_stall_chance = conditions.crash_chance = 0


async def lose_store_answers(world: World, random: Random) -> None:
    world.conditions.request_loss_chance = random.choice((0, 0.05))
    world.conditions.answer_loss_chance = random.choice((0.05, 0.2))
    await asyncio.sleep(random.uniform(2, 10))
    world.conditions.request_loss_chance = world.conditions.answer_loss_chance = 0


async def crash_workers_after_writing(world: World, random: Random) -> None:
    world.conditions.crash_chance = random.choice((0.02, 0.1))
    await asyncio.sleep(random.uniform(2, 8))
    world.conditions.crash_chance = 0


async def lose_store_after_writing(world: World, random: Random) -> None:
    """Let workers lose the store right after something was written."""
    world.conditions.disconnect_chance = random.choice((0.02, 0.1))
    await asyncio.sleep(random.uniform(2, 8))
    world.conditions.disconnect_chance = 0


async def stall_store(world: World, random: Random) -> None:
    world.conditions.store_stall_chance = random.choice((0.02, 0.2))
    await asyncio.sleep(random.uniform(2, 10))
    world.conditions.store_stall_chance = 0


async def silence_bus(world: World, random: Random) -> None:
    """Lose all bus messages for a while. The workers may not even notice."""
    world.exchange.stop_delivery(noticed=random.random() < 0.3)
    await asyncio.sleep(random.uniform(3, 25))
    world.exchange.resume_delivery()


async def disturb_bus_messages(world: World, random: Random) -> None:
    conditions = world.conditions
    conditions.bus_loss_chance = random.choice((0, 0.1, 0.5))
    conditions.bus_repeat_chance = random.choice((0, 0.3))
    conditions.bus_stall_chance = random.choice((0, 0.1))
    await asyncio.sleep(random.uniform(5, 20))
    conditions.bus_loss_chance = conditions.bus_repeat_chance = conditions.bus_stall_chance = 0


async def lose_player_connection(world: World, random: Random) -> None:
    if world.connected_players:
        random.choice(world.connected_players).lose_connection(
            random.choice((0, 0.1, random.uniform(0, 20)))
        )


async def let_player_read_slowly(world: World, random: Random) -> None:
    if world.connected_players:
        player = random.choice(world.connected_players)
        player.max_reading_seconds = random.choice((0.5, 5, 20))
        await asyncio.sleep(player.max_reading_seconds + random.uniform(3, 15))
        player.max_reading_seconds = 0


async def set_database_clock(world: World, random: Random) -> None:
    """Set the database's clock, so that it's wrong from then on: by a little, or by so much that
    every hourglass would be empty."""
    world.clock_was_set = True
    world.clock_offset += random.choice((-2_000, -50, 1_000, 30_000))


async def jump_database_clock_by_months(world: World, random: Random) -> None:
    """Set the database's clock months ahead or back for a moment."""
    world.clock_was_set = True
    world.clock_offset += (jump := random.choice((-1, 1)) * 100 * DAY_MS)
    await asyncio.sleep(4)
    world.clock_offset -= jump


FAULTS: tuple[Fault, ...] = (
    kill_worker,
    kill_all_workers,
    stop_worker,
    freeze_worker,
    cut_off_store,
    cut_off_store,
    stop_everything_for_a_while,
    stop_everything_for_a_while,
    lose_store_answers,
    crash_workers_after_writing,
    lose_store_after_writing,
    stall_store,
    silence_bus,
    disturb_bus_messages,
    lose_player_connection,
    lose_player_connection,
    let_player_read_slowly,
    set_database_clock,
    jump_database_clock_by_months,
)


def random_running_worker(world: World, random: Random) -> Worker | None:
    ready = [each for each in world.workers if each.ready and not each.process.frozen]
    return random.choice(ready) if ready else None


async def cause_faults(world: World, seconds: float, random: Random) -> None:
    """Cause faults of a few kinds, one after the other and sometimes at the same time."""
    kinds = random.sample(FAULTS, random.randint(1, 4))
    end = world.loop.time() + seconds
    running: list[asyncio.Task[None]] = []
    while world.loop.time() < end:
        fault = random.choice(kinds)
        world.add_to_journal(f"fault: {fault.__name__}")
        running.append(world.loop.create_task(fault(world, random)))
        await asyncio.sleep(random.choice((0.5, random.uniform(2, 12))))
    await asyncio.gather(*running)


async def end_all_faults(world: World, random: Random) -> None:
    """Let nothing go wrong any more, and repair what is broken."""
    world.calm = True
    world.conditions.stop_faults()
    for player in world.everyone:
        player.start_behaving_well()
    for worker in list(world.workers):
        if not worker.ready or worker.process.killed:
            await world.start_worker(worker.number)
