"""A table in the simulated world, with the people who play there and what they do to it."""

import asyncio
from random import Random
from typing import Any

from pytlik.game import Seat
from pytlik.server.circle.result_recording import MIN_PEOPLE
from pytlik.server.table.tables import Table, is_member
from pytlik.server.tokens import Holder
from tests.sim.chat_checks import check_name_gone_from_circle, check_person_forgotten
from tests.sim.circle_checks import check_old_token_is_no_member
from tests.sim.player import Player
from tests.sim.sim_circle import SimCircle
from tests.sim.world import ADMIN_TOKEN, World

SHORT_UNIKAT_OPTIONS = {"rounds": 1, "blocked": [1, 1]}
"""A game of Unikat that soon ends with a blocked round, so that people ask for another match."""

OPTIONS_BY_GAME: dict[str, tuple[dict[str, Any], ...]] = {
    "ubongo": ({"seconds": 30},),
    "unikat": ({"rounds": 1}, {"rounds": 2}, SHORT_UNIKAT_OPTIONS),
}


class SimTable:
    """A table and the people who come there."""

    def __init__(self, world: World, number: int, circle: SimCircle | None = None) -> None:
        self.world = world
        self.circle = circle
        self.number = number
        self.random = Random(f"{world.seed} table {number}")
        self._vote_random = Random(f"{world.seed} votes at table {number}")
        self._skip_random = Random(f"{world.seed} skips at table {number}")
        self._quarrel_random = Random(f"{world.seed} quarrels")
        self._has_quarrels = self._quarrel_random.random() < 0.15
        """Whether people often want each other to leave."""
        self._votes_for_rematches = Random(f"{world.seed} rematches").random() < 0.3
        """Whether everyone votes for a rematch, instead of the host alone asking for it."""
        self.id = ""
        self.people: list[Player] = []
        self._play_tasks: dict[Player, asyncio.Task[None]] = {}
        self._newcomer_count = 0
        self._recovery_codes: dict[tuple[Holder, Seat], str] = {}
        """By person and seat, because seats may have other numbers in a rematch."""

    @property
    def path(self) -> str:
        return f"/api/tables/{self.id}"

    async def set_up(self) -> None:
        world, random = self.world, self.random
        game = random.choice(("unikat", "ubongo"))
        options = random.choice(OPTIONS_BY_GAME[game])
        people, bots = random.choice(((1, 1), (2, 0), (2, 0), (2, 1), (3, 0)))
        host = await world.create_person(f"host{self.number}")
        if self.circle:
            await self.circle.join(host)
            game, options = "unikat", SHORT_UNIKAT_OPTIONS
            people = max(people, MIN_PEOPLE)
        if self._has_quarrels:
            people = 3
        answer = await world.request(
            "POST",
            "/api/tables",
            {
                "game": game,
                "chairs": people + bots,
                "options": options,
                "circle": self.circle.id if self.circle else None,
                "agreement": {
                    "turn_seconds": random.choice((None, 10, 15)),
                    "away_seconds": random.choice((None, 10, 10)),
                    "chat": True,
                },
            },
            host.token,
        )
        host.table = self.id = answer["table"]["id"]
        self.people = [host]
        for seat in range(1, people):
            self.people.append(await world.create_person(f"guest{self.number}.{seat}", self.id))
        if self.circle:
            for guest in self.people[1:]:
                await self.circle.join(guest)
        sitters = list(self.people)
        if people > 1 and random.random() < 0.25:
            sitters[-1] = host  # the host passes the device around
        for seat, person in enumerate(sitters):
            await self._sit(person, seat)
        for seat in range(people, people + bots):
            await world.request(
                "PUT", f"{self.path}/seats/{seat}/bot", {"level": "first-steps"}, host.token
            )
        world.promises.seats.start_requests.add(f"{self.id}.1")
        if random.random() < 0.7:
            await world.request("POST", f"{self.path}/start", {}, host.token)
        if random.random() < 0.3:
            self.people.append(await world.create_person(f"television{self.number}", self.id))
        if random.random() < 0.3:
            self.people.append(world.create_device(f"tab{self.number}", host.token, self.id))
            self.people[-1].person = host
        if game == "ubongo" and Random(f"{world.seed} lines at table {self.number}").random() < 0.3:
            for person in self.people:
                person.max_pong_delay = 1.0
        pace = random.choice((1.5, 1.5, 12))
        for person in self.people:
            person.pace = pace
            person.lazy = pace < 2 and random.random() < 0.3
            person.procrastinates = pace < 2 and random.random() < 0.4

    async def _sit(self, person: Player, seat: Seat) -> None:
        """Try until the person has a seat. If an answer was lost, the next attempt is refused,
        because they already have it."""
        body = {"name": person.name, "seat": seat, "share": f"share {seat}"}
        answer = await self.world.request_or_none("POST", f"{self.path}/seats", body, person.token)
        if answer:
            self._recovery_codes[person.holder, seat] = answer["recovery"]
            self.world.promises.sent_messages.add_credential(answer["recovery"], person.holder)

    @property
    def table(self) -> Table | None:
        return self.world.promises.tables.get(self.id)

    @property
    def host(self) -> Player:
        holder = self.table.host if self.table else None
        return self._find_person(holder) or self.people[0]

    async def do_things_besides_playing(self) -> None:
        """Do what people do besides playing: rematches, pauses, chat, other devices."""
        world, random, promises = self.world, self.random, self.world.promises
        while True:
            await asyncio.sleep(random.uniform(1, 6))
            table = self.table
            if table is None:
                continue
            if self.circle and not world.calm and self.circle.random.random() < 0.2:
                await self.circle.let_some_act(self.people)
            if self._has_quarrels and not world.calm and table.phase == "playing":
                await self._quarrel(self._quarrel_random)
            if table.phase == "over":
                await self._ask_for_rematch(random)
            elif table.phase == "lobby" and not world.calm and random.random() < 0.6:
                await self._change_setting(random)  # they're in no hurry
            elif table.phase == "lobby":
                await self._start_rematch(table)
            elif table.paused is not None or (random.random() < 0.1 and not world.calm):
                for chair in table.chairs:
                    if world.calm and self.table and self.table.paused is None:
                        break  # one more would begin the next pause
                    if person := self._find_person(chair.holder):
                        promises.seats.pause_voters.add((self.id, person.holder))
                        await world.request_or_none("POST", f"{self.path}/pause", {}, person.token)
            elif world.calm:
                pass  # in calm times they only play
            elif random.random() < 0.15:
                await self._switch_device(random)
            elif random.random() < 0.1:
                await self._end_other_devices(random)
            elif random.random() < 0.05 and table.agreement.away_seconds:
                random.choice(self.people).leave_for_good(random.choice((0, 3)))
            elif random.random() < 0.08:
                await self._give_seat_to_newcomer(random)
            elif random.random() < 0.1:
                await self._take_over_seat(random)
            elif random.random() < 0.15:
                await self._change_setting(random)
            elif random.random() < 0.3:
                await self._read_past_matches(random)
            elif random.random() < 0.15:
                await self._delete_personal_data(random.choice(self.people))

    async def _skip_time_of_bots(self) -> None:
        """When only bots are still solving, everyone presses the button at the same time, and some
        press it too early."""
        while True:
            await asyncio.sleep(self._skip_random.uniform(0.5, 4))
            table = self.table
            log = self.world.promises.logs.get(table.match_id) if table else None
            if table is None or log is None or log.game.planning is None:
                continue
            awaited = log.game.awaited(log.state)
            if any(table.chairs[seat].bot for seat in awaited):
                tokens = [person.token for _, person in self._seated_people()]
                path = f"{self.path}/skip"
                await asyncio.gather(
                    *(self.world.request_or_none("POST", path, None, token) for token in tokens)
                )

    async def _ask_for_rematch(self, random: Random) -> None:
        """The host is impatient and presses start on other devices before the rematch exists."""
        world, token = self.world, self.host.token
        if self._votes_for_rematches:
            await self._vote_for_rematch(random)
            return
        seats, table = world.promises.seats, self.table
        seats.rematch_hosts.add((self.id, self.host.holder))
        if table:
            seats.start_requests |= {table.match_id, f"{table.id}.{table.match + 1}"}

        async def start(seconds: float) -> None:
            await asyncio.sleep(seconds)
            await world.request_or_none("POST", f"{self.path}/start", {"without_free": True}, token)

        presses = random.choice((0, 3)) if not world.calm else 0
        waits = [random.expovariate(1 / world.conditions.store_seconds) for _ in range(presses)]
        await asyncio.gather(
            world.request_or_none("POST", f"{self.path}/rematch", {}, token), *map(start, waits)
        )

    async def _vote_for_rematch(self, random: Random) -> None:
        """Everyone votes for a rematch at about the same time."""
        world, table = self.world, self.table
        people = {person.holder: person for _, person in self._seated_people()}
        if table is None or not people:
            return

        async def vote(person: Player, seconds: float) -> None:
            await asyncio.sleep(seconds)
            world.promises.seats.rematch_voters.add((table.match_id, person.holder))
            await world.request_or_none("POST", f"{self.path}/again", {}, person.token)

        longest = random.choice((0.01, 3))
        await asyncio.gather(
            *(vote(person, random.uniform(0, longest)) for person in people.values())
        )

    async def _start_rematch(self, table: Table) -> None:
        world = self.world
        for seat, chair in enumerate(table.chairs):
            if chair.is_free:
                await self._seat_newcomer(seat)
            elif person := self._find_person(chair.holder):
                body = {"share": f"share {seat} of {table.match}"}
                path = f"{self.path}/seats/{seat}/share"
                stored = await world.request_or_none("PUT", path, body, person.token)
                if stored and self._votes_for_rematches:
                    world.promises.seats.check_agreed_match_has_begun(self.id)
        world.promises.seats.start_requests.add(table.match_id)
        await world.request_or_none(
            "POST", f"{self.path}/start", {"without_free": True}, self.host.token
        )

    def _find_person(self, holder: str | None) -> Player | None:
        return next((each for each in self.people if each.holder == holder), None)

    def _seated_people(self) -> list[tuple[Seat, Player]]:
        chairs = self.table.chairs if self.table else ()
        found = ((seat, self._find_person(chair.holder)) for seat, chair in enumerate(chairs))
        return [(seat, person) for seat, person in found if person]

    async def _switch_device(self, random: Random) -> None:
        """Someone continues on another device, or has lost theirs. From then on their seat has
        another holder."""
        world = self.world
        if not self._seated_people():
            return
        seat, old = random.choice(self._seated_people())
        path, code = "/api/recover", self._recovery_codes.get((old.holder, seat))
        if random.random() < 0.7:
            asked = await world.request_or_none(
                "POST", f"{self.path}/seats/{seat}/code", {}, old.token
            )
            path, code = "/api/codes", asked and asked["code"]
        if code is None:
            return
        self._newcomer_count += 1
        new = await world.create_person(f"{old.person.name}+{self._newcomer_count}", self.id)
        new.pace, new.person = old.pace, old.person
        if (
            await world.request_or_none("POST", path, {"table": self.id, "code": code}, new.token)
            is None
        ):
            return
        self.people[self.people.index(old)] = new
        self.people.append(old)  # as a spectator
        self._start_playing(new)

    async def _end_other_devices(self, random: Random) -> None:
        """Someone moves everything they have to a new token. A device that still has the old token,
        or an old recovery code, tries to get the seat back."""
        world = self.world
        if not self._seated_people():
            return
        _, old = random.choice(self._seated_people())
        mine = [seat for seat, person in self._seated_people() if person is old]
        known = [(old.holder, seat) for seat in mine if (old.holder, seat) in self._recovery_codes]
        self._newcomer_count += 1
        new = await world.create_person(f"{old.person.name}+{self._newcomer_count}", self.id)
        new.pace, new.person = old.pace, old.person
        world.add_to_journal(f"{new.name} takes over from {old.name}")
        answer = await world.request_or_none("POST", "/api/adoption", {"old": old.token}, new.token)
        if answer is None:
            return
        codes = [self._recovery_codes.pop(key) for key in known]
        for each in answer["seats"]:
            self._recovery_codes[new.holder, each["seat"]] = each["recovery"]
            world.promises.sent_messages.add_credential(each["recovery"], new.holder)
        self.people[self.people.index(old)] = new
        self.people.append(old)  # as a spectator
        self._start_playing(new)
        world.promises.check_old_token_has_no_access(self.id, mine, old.holder)
        if self.circle:
            check_old_token_is_no_member(world.promises, self.circle.id, old.holder)
        for code in codes:
            body = {"table": self.id, "code": code}
            world.promises.check(
                await world.request_or_none("POST", "/api/recover", body, old.token) is None,
                f"{old.name} got a seat back with an old code",
            )

    async def _seat_newcomer(self, seat: Seat) -> None:
        """Someone new takes a free seat."""
        self._newcomer_count += 1
        new = await self.world.create_person(
            f"newcomer{self.number}.{self._newcomer_count}", self.id
        )
        await self._sit(new, seat)
        self.people.append(new)
        self._start_playing(new)

    async def _give_seat_to_newcomer(self, random: Random) -> None:
        """Someone gives up their seat and stays to watch. After a while someone else sits down
        there."""
        if not self._seated_people():
            return
        seat, old = random.choice(self._seated_people())
        path = f"{self.path}/seats/{seat}"
        self.world.promises.seats.gave_up_seat.add((self.id, old.holder))
        if await self.world.request_or_none("DELETE", path, None, old.token) is not None:
            await asyncio.sleep(random.uniform(0, 5))
            await self._seat_newcomer(seat)

    async def _take_over_seat(self, random: Random) -> None:
        """Someone would like to see another player's hand. They vote that player out and try to sit
        down there."""
        attacker = random.choice(self.people)
        others = [
            (seat, person)
            for seat, person in self._seated_people()
            if person.person is not attacker.person
        ]
        if others:
            seat, target = random.choice(others)
            await self._ask_to_leave(attacker, seat, target)
            if self._vote_random.random() < 0.5:
                for _, person in self._seated_people():
                    if person.person not in (attacker.person, target.person):
                        await self._ask_to_leave(person, seat, target)
        for seat, chair in enumerate(self.table.chairs if self.table else ()):
            if chair.is_free:
                await self._sit(attacker, seat)

    async def _quarrel(self, random: Random) -> None:
        """The host mutes someone, or others vote for them to leave, and they don't put up with it.
        They may only have left for a moment."""
        if not self._seated_people() or random.random() < 0.5:
            return
        seat, target = random.choice(self._seated_people())
        path = f"{self.path}/seats/{seat}"
        if random.random() < 0.3:
            await self.world.request_or_none(
                "PUT", f"{path}/muted", {"muted": True}, self.host.token
            )
            self.world.promises.seats.gave_up_seat.add((self.id, target.holder))
            await self.world.request_or_none("DELETE", path, None, target.token)
        else:
            if random.random() < 0.6:
                target.leave_briefly(random.uniform(1, 5))
                await asyncio.sleep(0.5)
            others = [each for _, each in self._seated_people() if each.person is not target.person]
            for asker in random.sample(others, min(len(others), random.randint(1, 2))):
                await self._ask_to_leave(asker, seat, target)
        chairs = self.table.chairs if self.table else ()
        if seat < len(chairs) and chairs[seat].is_free:
            await self._sit(target, seat)

    async def _ask_to_leave(self, asker: Player, seat: Seat, target: Player) -> None:
        promises = self.world.promises
        theirs = [each for each, one in self._seated_people() if one.person is target.person]
        for each in theirs:
            promises.removal_voters[self.id, each].add(asker.person.name)
            promises.stand_in_voters[self.id, each].add(asker.holder)
            promises.pending_removal_votes[self.id, each, asker.holder] += 1
        if asker.holder == target.holder:
            promises.seats.gave_up_seat.add((self.id, asker.holder))
        path = f"{self.path}/seats/{seat}"
        await self.world.request_or_none("DELETE", path, None, asker.token)
        for each in theirs:
            promises.pending_removal_votes[self.id, each, asker.holder] -= 1

    async def _change_setting(self, random: Random) -> None:
        """Change something that may be changed at any time."""
        if not self._seated_people():
            return
        seat, person = random.choice(self._seated_people())
        path, name = f"{self.path}/seats/{seat}", f"{person.name} {random.randrange(100)}"
        asker, path, body = random.choice(
            (
                (person, f"{path}/name", {"name": name}),
                (self.host, f"{path}/muted", {"muted": random.random() < 0.5}),
                (self.host, f"{self.path}/host", {"seat": seat}),
            )
        )
        seats = self.world.promises.seats
        if body.get("muted") is False:
            seats.unmute_requests.add((self.id, seat))
        if "seat" in body:
            seats.hosts_handing_over.add((self.id, asker.holder))
        await self.world.request_or_none("PUT", path, body, asker.token)

    async def _read_past_matches(self, random: Random) -> None:
        """Someone lists their tables, or looks at what has happened in a match, perhaps from a seat
        that isn't theirs."""
        table = self.table
        if table is None:
            return
        person = random.choice(self.people)
        if random.random() < 0.3:
            await self._list_tables(person)
            return
        seat = random.choice((None, *range(len(table.chairs))))
        what = random.choice(("events", "views"))
        path = f"{self.path}/matches/{random.randint(1, table.match)}/{what}"
        query = "" if seat is None else f"?seat={seat}"
        record = await self.world.request_or_none("GET", path + query, None, person.token)
        if record:
            self.world.promises.sent_messages.check_match_record(person, record)

    async def _list_tables(self, person: Player) -> None:
        """Someone lists their tables."""
        promises = self.world.promises

        def own_tables() -> set[str]:
            return {id for id, one in promises.tables.items() if is_member(one, person.holder)}

        before = own_tables()
        listed = await self.world.request_or_none("GET", "/api/mine", None, person.token)
        for each in listed or ():
            promises.checked["everyone can list their tables"] += 1
            id = each["table"]["id"]
            promises.check(
                each["yours"] or each["host"], f"{person.name}'s list has {id}, which isn't theirs"
            )
        found = {each["table"]["id"] for each in listed or ()}
        promises.check(
            listed is None or before & own_tables() <= found,
            f"{person.name}'s list lacks some of {before}",
        )

    async def _delete_personal_data(self, person: Player) -> None:
        """Someone asks for their name and words to be deleted."""
        table, promises = self.table, self.world.promises
        if table is None:
            return
        promises.asked_to_be_forgotten.add(person.holder)
        if await self.world.request_or_none("DELETE", "/api/me", {}, person.token) is not None:
            check_person_forgotten(promises, person.holder, table)
            if self.circle:
                check_name_gone_from_circle(promises, self.circle.id, person.holder)

    def _start_playing(self, person: Player) -> None:
        self._play_tasks[person] = self.world.loop.create_task(person.play())

    async def delete_later(self, seconds: float) -> None:
        """After a while, the operator deletes the table with everything that belongs to it."""
        await asyncio.sleep(seconds)
        self.world.add_to_journal(f"{self.id} is deleted")
        self.world.promises.deletion_requests.add(self.id)
        await self.world.request_or_none("DELETE", self.path, None, ADMIN_TOKEN)

    async def play_until_cancelled(self) -> None:
        for person in self.people:
            self._start_playing(person)
        try:
            if self._skip_random.random() >= 0.5:
                await asyncio.gather(self.do_things_besides_playing(), self._skip_time_of_bots())
            else:
                await self.do_things_besides_playing()
        finally:
            for task in self._play_tasks.values():
                task.cancel()
            await asyncio.gather(*self._play_tasks.values(), return_exceptions=True)
