"""A circle in the simulated world. People join it, leave it and change their names while matches
end at its tables, perhaps at the same moment."""

import asyncio
from random import Random
from typing import Any

from tests.sim.player import Player
from tests.sim.world import World


class SimCircle:
    def __init__(self, world: World) -> None:
        self.world = world
        self.random = Random(f"{world.seed} circle")
        self.id = ""
        self._busy = Random(f"{world.seed} busy circle").random() < 0.1
        """Whether several people do something at the same moment."""
        self._malice = Random(f"{world.seed} malice in the circle")
        self._has_intruder = self._malice.random() < 0.3
        """Whether somebody would like to be rid of others."""
        self._numbers: dict[Player, int] = {}
        """The numbers of the members."""
        self._names = 0

    @property
    def path(self) -> str:
        return f"/api/circles/{self.id}"

    async def join(self, person: Player) -> None:
        """The first to join starts the circle."""
        if not self.id:
            body = {"name": "a circle", "member": person.name}
            made = await self.world.ask("POST", "/api/circles", body, person.token)
            self.id = made["circle"]["id"]
        else:
            path, body = f"{self.path}/members", {"name": person.name}
            made = await self.world.ask_or_none("POST", path, body, person.token)
        if made:
            self._note_joined(person, made)

    def _note_joined(self, person: Player, made: dict[str, Any]) -> None:
        promises = self.world.promises
        self._numbers[person] = made["me"]
        promises.sent_messages.add_credential(made["code"], person.holder)
        circle = promises.circles.get(self.id)
        promises.checked["whoever joins a circle is in it"] += 1
        promises.check(
            circle and circle.member_of(person.holder),
            f"{person.name} has joined {self.id}, and isn't a member",
        )

    async def _remove(self, asker: Player, number: int) -> None:
        """Leave, or try to remove somebody else."""
        self.world.promises.asked_to_remove.add((self.id, number, asker.holder))
        await self.world.ask_or_none("DELETE", f"{self.path}/members/{number}", None, asker.token)

    async def let_some_act(self, people: list[Player]) -> None:
        """Let one of these people do something, or all of them at once."""
        if self._busy:
            # With two tabs, somebody could join in one and leave in the other.
            each_once = {person.holder: person for person in people}.values()
            await asyncio.gather(*map(self._do_something_random, each_once))
        else:
            await self._do_something_random(self.random.choice(people))
        if self._has_intruder and self._numbers:
            # Only the first member may do that.
            asker = self._malice.choice(people)
            await self._remove(asker, self._malice.choice(list(self._numbers.values())))

    async def _do_something_random(self, person: Player) -> None:
        """Something that anybody may do, member or not."""
        number = self._numbers.get(person)
        choice = self.random.random()
        if choice < 0.3:
            await self.world.ask_or_none("GET", self.path, None, person.token)
        elif choice < 0.4:
            await self.world.ask_or_none("GET", f"{self.path}/results", None, person.token)
        elif number is None:
            await self.join(person)
        elif choice < 0.7:
            self._names += 1
            name = {"name": f"{person.person.name} {self._names}"}
            await self.world.ask_or_none("PUT", f"{self.path}/me", name, person.token)
        elif len(self._numbers) > 1:  # the last one stays
            del self._numbers[person]
            await self._remove(person, number)
