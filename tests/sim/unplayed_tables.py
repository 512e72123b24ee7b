"""Tables that someone creates without playing there: people come late, or never."""

import asyncio
from random import Random

from tests.sim.player import Player
from tests.sim.table_checks import UNPLAYED_SECONDS
from tests.sim.world import World


class UnplayedTables:
    """What people do at such tables."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.random = Random(f"{world.seed} unplayed tables")
        self._count = 0

    async def create_tables_until_cancelled(self) -> None:
        """Create one table after the other. People may still be coming to one when the next
        is created."""
        random, tasks = self.random, list[asyncio.Task[None]]()
        try:
            while True:
                await asyncio.sleep(random.uniform(1, 10))
                if not self.world.calm:
                    tasks.append(self.world.loop.create_task(self._create_table()))
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _create_table(self) -> None:
        """Create a table. Its host comes at once, or later, perhaps just when it's deleted, or
        never."""
        world, random = self.world, self.random
        self._count += 1
        number = self._count
        host = await world.create_person(f"visitor{number}")
        body = {"game": "unikat", "chairs": 2}
        answer = await world.request("POST", "/api/tables", body, host.token)
        host.table = answer["table"]["id"]
        world.promises.unplayed_tables.add(host.table)
        if random.random() < 0.3:
            return
        await asyncio.sleep(random.choice((0, UNPLAYED_SECONDS + random.uniform(-1, 6))))
        await self._let_host_watch(host, random.choice((1, 3 * UNPLAYED_SECONDS)))

    async def _let_host_watch(self, host: Player, seconds: float) -> None:
        watching = self.world.loop.create_task(host.play())
        try:
            await asyncio.sleep(seconds)
        finally:
            host.leave_for_good(0)
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
