"""A match over sockets whose players follow a script, at a server that records what it sends."""

import asyncio
import itertools
import re
from collections.abc import Callable
from typing import Any

import msgspec
from litestar.routes import HTTPRoute

from pytlik.game import Seat
from pytlik.server import tokens
from pytlik.server.app import RESUME_COUNTDOWN_MS
from tests.server.live_server import LiveServer
from tests.server.people_at_table import wait_for_message
from tests.server.sent_record import REAL_GAMES, SentRecord, WitnessClient

NAMES = ("Ola Nordmann", "Max Mustermann", "Eva Novotná", "Jan Kowalski")
CHAT_TEXT = "something for the table only"


class ScriptedMatch:
    """A table, the people at it, and the true state of its match."""

    def __init__(self, live_server: LiveServer, record: SentRecord, game: str) -> None:
        self.live_server = live_server
        self.record = record
        self.rules = REAL_GAMES[game]
        self.people: dict[Seat, WitnessClient] = {}
        """Who acts for each seat, apart from bots."""
        self.host, self.other, self.lost, self.viewer = (
            self.new_witness(name) for name in ("the host", "the other", "who lost", "a spectator")
        )
        self.table = ""
        self.number = 1
        self._ids = itertools.count()
        self._raw: list[bytes] = []
        self._state: Any = None

    def new_witness(self, name: str) -> WitnessClient:
        witness = self.record.create_witness(self.live_server.address, name)
        self.live_server.people.append(witness)
        return witness

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    @property
    def match(self) -> str:
        return f"{self.table}.{self.number}"

    # ------------------------------------------------------------------------------ sitting down

    async def sit(self, seat: Seat, person: WitnessClient) -> None:
        name, share = NAMES[seat], f"the share of {person.name} at {seat}"
        body = {"name": name, "seat": seat, "share": share}
        answer = await person.ask("POST", f"{self.path}/seats", body)
        self.people[seat] = person
        self.record.add_secret("a recovery code", answer["recovery"], person)
        hashed = tokens.hashed_code(self.table, answer["recovery"])
        self.record.add_secret("a recovery code", hashed)
        self.record.add_private("a name", name)
        self.record.add_private("a share", share)

    async def set_up_match(
        self, seats: dict[Seat, WitnessClient], bots: int = 0, **options: Any
    ) -> None:
        """Let everyone sit down and connect, and start the match. One person has already lost a
        seat."""
        chairs = len(seats) + bots
        agreement = {"chat": True, "away_seconds": 20, "bot_level": "easy"}
        body = {"game": self.rules.name, "chairs": chairs, "options": options}
        answer = await self.host.ask("POST", "/api/tables", {**body, "agreement": agreement})
        self.table = answer["table"]["id"]
        self.record.add_private("a table", self.table)
        last = max(seats)
        await self.lost.ask("GET", "/api/mine")
        await self.sit(last, self.lost)
        await self.lost.join(self.table)
        await self.lost.wait_for("hello")
        await self.host.ask("DELETE", f"{self.path}/seats/{last}")
        for seat, person in seats.items():
            await self.sit(seat, person)
        for seat in range(len(seats), chairs):
            await self.host.ask("PUT", f"{self.path}/seats/{seat}/bot", {"level": "easy"})
        for person in dict.fromkeys([self.viewer, *seats.values()]):
            await person.join(self.table)
            await person.wait_for("hello")
        await self.start_match()

    async def start_match(self) -> None:
        await self.host.ask("POST", f"{self.path}/start", {})
        self._raw, self._state = [], None
        for witness in self.record.witnesses:
            if witness.is_connected:
                witness.seq = 0
        await self.wait_until_all_seen()

    # ----------------------------------------------------------------------------------- playing

    async def state(self) -> Any:
        """The true state, whatever people are sent."""
        for event in await self.live_server.store.events(self.match, len(self._raw)):
            self._raw.append(event)
            decoded = msgspec.json.decode(event, type=self.rules.event)
            self._state = self.rules.apply(self._state, decoded)
        return self._state

    async def wait_until_all_seen(self) -> None:
        """Wait until everyone who is here has seen all events."""
        await self.state()
        for witness in self.record.witnesses:
            while witness.is_connected and witness.seq < len(self._raw):
                await witness.next_message()

    async def seen_state(self) -> Any:
        """The true state, once everyone here has seen exactly that. Bots may act meanwhile."""
        await self.wait_until_all_seen()
        while any(
            witness.is_connected and witness.seq != len(self._raw)
            for witness in self.record.witnesses
        ):
            await self.wait_until_all_seen()
        return self._state

    async def act(self, seat: Seat, action: Any) -> Any:
        person = self.people[seat]
        if person.seat != seat:
            await person.send(kind="sit", seat=seat)
            await wait_for_message(person, lambda m: m["kind"] == "update" and m["seat"] == seat)
        # Another device at the same seat must not repeat the first one's commands.
        answer = await person.act(action, id=f"a{next(self._ids)}")
        self.live_server.pass_time(200)
        await self.wait_until_all_seen()
        return answer

    async def act_and_expect_done(self, seat: Seat, action: Any) -> None:
        answer = await self.act(seat, action)
        assert answer["kind"] == "done", answer

    async def pass_time_until(self, holds: Callable[[Any], bool]) -> None:
        """Let time pass until `holds` is true of the view that everyone sees."""
        if holds(self.viewer.view):
            return
        seen = asyncio.create_task(
            wait_for_message(self.viewer, lambda m: m["kind"] == "update" and holds(m["view"]))
        )
        try:
            await self.live_server.skip_time_until(seen.done)
            await seen
        finally:
            seen.cancel()  # or the viewer would go on reading after the script is over
        await self.wait_until_all_seen()

    def is_person_connected(self, seat: Seat) -> bool:
        return seat in self.people and self.people[seat].is_connected

    # --------------------------------------------------------------------------- what else happens

    async def request_everything(self) -> None:
        """Request everything that can be requested, as each person."""
        everyone = (self.viewer, self.host, self.other, self.lost)
        events = f"{self.path}/matches/{self.number}/events"
        for person in everyone:
            for path in self._all_get_paths():
                if person is self.viewer or self.table in path or path == "/api/mine":
                    await person.refusal_of("GET", path)
            for query in ("?after=2", *(f"?seat={seat}" for seat in range(4))):
                await person.refusal_of("GET", f"{events}{query}")
        await self.viewer.refusal_of("POST", f"{self.path}/matches/{self.number}/verify")

    def _all_get_paths(self) -> list[str]:
        """Every path the server answers, whether it refuses or not."""
        values = {"table": self.table, "number": str(self.number)}
        return [
            re.sub(r"\{(\w+):\w+\}", lambda part: values.get(part[1], "x"), route.path)
            for route in self.live_server.app.routes
            if isinstance(route, HTTPRoute) and "GET" in route.methods
            if not route.path.startswith("/schema")
        ]

    async def send_chat(self) -> None:
        self.record.add_private("what was said", CHAT_TEXT)
        await self.host.send(kind="chat", text=CHAT_TEXT)
        await self.other.send(kind="react", reaction="wow")
        await wait_for_message(
            self.viewer, lambda m: m["kind"] == "line" and m["text"] == CHAT_TEXT
        )

    async def pause(self) -> None:
        """Pause the match, request everything meanwhile, and go on."""
        players = list(
            dict.fromkeys(person for person in self.people.values() if person.is_connected)
        )
        for person in players:
            await person.ask("POST", f"{self.path}/pause", {})
        await wait_for_message(
            self.viewer, lambda m: m["kind"] == "table_changed" and m["table"]["paused"]
        )
        for seat in self.people:
            if self.is_person_connected(seat):
                assert (await self.act(seat, {"kind": "ready"}))["reason"] == "paused"
        await self.request_everything()
        self.live_server.pass_time(5_000)
        for person in players:
            await person.ask("POST", f"{self.path}/pause", {})
        await wait_for_message(
            self.viewer, lambda m: m["kind"] == "table_changed" and not m["table"]["paused"]
        )
        self.live_server.pass_time(RESUME_COUNTDOWN_MS)
        await self.wait_until_all_seen()

    async def reconnect(self, person: WitnessClient) -> None:
        """Reconnect, which brings one whole update, and ask for another with a wrong hash."""
        if person.is_connected:
            await person.disconnect()
        await person.join(self.table)
        await person.wait_for("update")
        await person.send(kind="sync", seq=0, hash="")
        await person.wait_for("update")
        await self.wait_until_all_seen()

    async def leave_to_bot(self, person: WitnessClient) -> None:
        """Leave. After a while, a bot takes over."""
        seat = next(seat for seat, other in self.people.items() if other is person)
        await person.disconnect()
        await wait_for_message(
            self.viewer,
            lambda m: m["kind"] == "table_changed" and not m["table"]["chairs"][seat]["here"],
        )

    async def move_seat(self, seat: Seat) -> None:
        """Move the seat to another device; the first one becomes a spectator."""
        old = self.people[seat]
        # Several changes may be sent as one, but the table with the code must be sent by itself.
        while self.live_server.room(self.table).news.is_paused:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        answer = await old.ask("POST", f"{self.path}/seats/{seat}/code")
        self.record.add_secret("a code", answer["code"], old)
        self.record.add_secret("a code", tokens.hashed_code(self.table, answer["code"]))
        new = self.people[seat] = self.new_witness("another device")
        await new.ask("POST", "/api/codes", {"table": self.table, "code": answer["code"]})
        await wait_for_message(old, lambda m: m["kind"] == "table_changed" and not m["yours"])
        await wait_for_message(old, lambda m: m["kind"] == "update" and m["seat"] is None)
        await new.join(self.table)
        await new.wait_for("update")
        await self.wait_until_all_seen()
