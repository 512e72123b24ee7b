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
        self._is_busy = Random(f"{world.seed} busy circle").random() < 0.1
        """Whether several people do something at the same moment."""
        self._malice_random = Random(f"{world.seed} malice in the circle")
        self._has_troublemaker = self._malice_random.random() < 0.3
        """Whether someone tries to get rid of others."""
        self._member_numbers: dict[Player, int] = {}
        """The members' numbers."""
        self._name_count = 0

    @property
    def path(self) -> str:
        return f"/api/circles/{self.id}"

    async def join(self, person: Player) -> None:
        """Join the circle. The first to join creates it."""
        if not self.id:
            body = {"name": "a circle", "member": person.name}
            answer = await self.world.request("POST", "/api/circles", body, person.token)
            self.id = answer["circle"]["id"]
        else:
            path, body = f"{self.path}/members", {"name": person.name}
            answer = await self.world.request_or_none("POST", path, body, person.token)
        if answer:
            self._note_joined(person, answer)

    def _note_joined(self, person: Player, answer: dict[str, Any]) -> None:
        promises = self.world.promises
        self._member_numbers[person] = answer["me"]
        promises.sent_messages.add_credential(answer["code"], person.holder)
        circle = promises.circles.get(self.id)
        promises.checked["people who join a circle are members"] += 1
        promises.check(
            circle and circle.member_of(person.holder),
            f"{person.name} has joined {self.id}, but isn't a member",
        )

    async def _remove(self, asker: Player, number: int) -> None:
        """Leave, or try to remove someone else."""
        self.world.promises.member_removals.add((self.id, number, asker.holder))
        await self.world.request_or_none(
            "DELETE", f"{self.path}/members/{number}", None, asker.token
        )

    async def let_some_act(self, people: list[Player]) -> None:
        """Let one of these people do something, or all of them at once."""
        if self._is_busy:
            # Someone with two tabs could join in one and leave in the other.
            each_once = {person.holder: person for person in people}.values()
            await asyncio.gather(*map(self._do_random_thing, each_once))
        else:
            await self._do_random_thing(self.random.choice(people))
        if self._has_troublemaker and self._member_numbers:
            # Only the first member may remove others.
            asker = self._malice_random.choice(people)
            await self._remove(
                asker, self._malice_random.choice(list(self._member_numbers.values()))
            )

    async def _do_random_thing(self, person: Player) -> None:
        """Do something that anyone may do, member or not."""
        number = self._member_numbers.get(person)
        choice = self.random.random()
        if choice < 0.3:
            await self.world.request_or_none("GET", self.path, None, person.token)
        elif choice < 0.4:
            await self.world.request_or_none("GET", f"{self.path}/results", None, person.token)
        elif number is None:
            await self.join(person)
        elif choice < 0.7:
            self._name_count += 1
            name = {"name": f"{person.person.name} {self._name_count}"}
            await self.world.request_or_none("PUT", f"{self.path}/me", name, person.token)
        elif len(self._member_numbers) > 1:  # the last member stays
            del self._member_numbers[person]
            await self._remove(person, number)
