"""Tables that somebody has made and where nobody plays: people come there late, or never."""

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

    async def lay_tables_until_cancelled(self) -> None:
        """One after the other; while people still come to one, the next is laid."""
        random, coming = self.random, list[asyncio.Task[None]]()
        try:
            while True:
                await asyncio.sleep(random.uniform(1, 10))
                if not self.world.calm:
                    coming.append(self.world.loop.create_task(self._lay_table()))
        finally:
            for each in coming:
                each.cancel()
            await asyncio.gather(*coming, return_exceptions=True)

    async def _lay_table(self) -> None:
        """Its host may come at once, or later, perhaps just when it is deleted; or never."""
        world, random = self.world, self.random
        self._count += 1
        number = self._count
        host = await world.create_person(f"visitor{number}")
        body = {"game": "unikat", "chairs": 2}
        made = await world.ask("POST", "/api/tables", body, host.token)
        host.table = made["table"]["id"]
        world.promises.unplayed.add(host.table)
        if random.random() < 0.3:
            return
        await asyncio.sleep(random.choice((0, UNPLAYED_SECONDS + random.uniform(-1, 6))))
        await self._look_on(host, random.choice((1, 3 * UNPLAYED_SECONDS)))

    async def _look_on(self, host: Player, seconds: float) -> None:
        looking = self.world.loop.create_task(host.play())
        try:
            await asyncio.sleep(seconds)
        finally:
            host.leave_for_good(0)
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
