"""Scripted matches over sockets in which everything happens that can happen at a table, with a
record of what was sent."""

import asyncio
import itertools
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.routes import HTTPRoute

from pytlik.chance import from_text
from pytlik.game import Seat
from pytlik.server import tokens
from pytlik.server.app import RESUME_COUNTDOWN_MS
from pytlik.server.bot_pool import think
from pytlik.ubongo.bots import find_places
from pytlik.ubongo.model import Phase
from pytlik.unikat.view import View as UnikatView
from tests.server.live_server import PATIENCE, LiveServer, empty_database, same_secrets
from tests.server.people import solution, wait_for_message, wait_until_over
from tests.server.witness import GAMES, Lines, RecordingStore, SentRecord, Witness

__all__ = ["empty_database", "same_secrets"]

NAMES = ("Ola Nordmann", "Max Mustermann", "Eva Novotná", "Jan Kowalski")
CHAT = "something for the table only"


class ScriptedMatch:
    """A table, the people at it, and the true state of its match."""

    def __init__(self, live_server: LiveServer, book: SentRecord, game: str) -> None:
        self.live_server = live_server
        self.book = book
        self.rules = GAMES[game]
        self.people: dict[Seat, Witness] = {}
        """Who acts for each seat, apart from bots."""
        self.host, self.other, self.lost, self.viewer = (
            self.someone(name) for name in ("the host", "the other", "who lost", "a spectator")
        )
        self.table = ""
        self.number = 1
        self._ids = itertools.count()
        self._raw: list[bytes] = []
        self._state: Any = None

    def someone(self, name: str) -> Witness:
        made = self.book.create_witness(self.live_server.address, name)
        self.live_server.people.append(made)
        return made

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    @property
    def match(self) -> str:
        return f"{self.table}.{self.number}"

    # ------------------------------------------------------------------------------ sitting down

    async def sit(self, seat: Seat, who: Witness) -> None:
        name, share = NAMES[seat], f"the share of {who.name} at {seat}"
        body = {"name": name, "seat": seat, "share": share}
        said = await who.ask("POST", f"{self.path}/seats", body)
        self.people[seat] = who
        self.book.add_secret("a recovery code", said["recovery"], who)
        hashed = tokens.hashed_code(self.table, said["recovery"])
        self.book.add_secret("a recovery code", hashed)
        self.book.add_private("a name", name)
        self.book.add_private("a share", share)

    async def set_up_match(self, seats: dict[Seat, Witness], bots: int = 0, **options: Any) -> None:
        """Everyone sits down and is connected; one of them has already lost the seat again."""
        chairs = len(seats) + bots
        agreement = {"chat": True, "away_seconds": 20, "bot_level": "easy"}
        body = {"game": self.rules.name, "chairs": chairs, "options": options}
        made = await self.host.ask("POST", "/api/tables", {**body, "agreement": agreement})
        self.table = made["table"]["id"]
        self.book.add_private("a table", self.table)
        last = max(seats)
        await self.lost.ask("GET", "/api/mine")
        await self.sit(last, self.lost)
        await self.lost.join(self.table)
        await self.lost.until("hello")
        await self.host.ask("DELETE", f"{self.path}/seats/{last}")
        for seat, who in seats.items():
            await self.sit(seat, who)
        for seat in range(len(seats), chairs):
            await self.host.ask("PUT", f"{self.path}/seats/{seat}/bot", {"level": "easy"})
        for who in dict.fromkeys([self.viewer, *seats.values()]):
            await who.join(self.table)
            await who.until("hello")
        await self.start_match()

    async def start_match(self) -> None:
        await self.host.ask("POST", f"{self.path}/start", {})
        self._raw, self._state = [], None
        for who in self.book.witnesses:
            if who.here:
                who.seq = 0
        await self.wait_until_all_seen()

    # ----------------------------------------------------------------------------------- playing

    async def state(self) -> Any:
        """The true state, whatever people are told."""
        for event in await self.live_server.store.events(self.match, len(self._raw)):
            self._raw.append(event)
            decoded = msgspec.json.decode(event, type=self.rules.event)
            self._state = self.rules.apply(self._state, decoded)
        return self._state

    async def wait_until_all_seen(self) -> None:
        """Wait until everyone who is here has seen all events."""
        await self.state()
        for who in self.book.witnesses:
            while who.here and who.seq < len(self._raw):
                await who.next()

    async def act(self, seat: Seat, action: Any) -> Any:
        who = self.people[seat]
        if who.seat != seat:
            await who.send(kind="sit", seat=seat)
            await wait_for_message(who, lambda m: m["kind"] == "update" and m["seat"] == seat)
        # Another device at the same seat must not repeat the first one's commands.
        answer = await who.act(action, id=f"a{next(self._ids)}")
        self.live_server.pass_time(200)
        await self.wait_until_all_seen()
        return answer

    async def do(self, seat: Seat, action: Any) -> None:
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
            seen.cancel()  # or the viewer would go on reading after the course is over
        await self.wait_until_all_seen()

    def acts_here(self, seat: Seat) -> bool:
        return seat in self.people and self.people[seat].here

    # --------------------------------------------------------------------------- what else happens

    async def ask_for_everything(self) -> None:
        """Ask for everything there is to ask for, as each person."""
        everyone = (self.viewer, self.host, self.other, self.lost)
        events = f"{self.path}/matches/{self.number}/events"
        for who in everyone:
            for path in self._paths():
                if who is self.viewer or self.table in path or path == "/api/mine":
                    await who.refusal_of("GET", path)
            for query in ("?after=2", *(f"?seat={seat}" for seat in range(4))):
                await who.refusal_of("GET", f"{events}{query}")
        await self.viewer.refusal_of("POST", f"{self.path}/matches/{self.number}/verify")

    def _paths(self) -> list[str]:
        """Every path the server answers, whether it refuses or not."""
        values = {"table": self.table, "number": str(self.number)}
        return [
            re.sub(r"\{(\w+):\w+\}", lambda part: values.get(part[1], "x"), route.path)
            for route in self.live_server.app.routes
            if isinstance(route, HTTPRoute) and "GET" in route.methods
            if not route.path.startswith("/schema")
        ]

    async def talk(self) -> None:
        self.book.add_private("what was said", CHAT)
        await self.host.send(kind="chat", text=CHAT)
        await self.other.send(kind="react", reaction="wow")
        await wait_for_message(self.viewer, lambda m: m["kind"] == "line" and m["text"] == CHAT)

    async def pause(self) -> None:
        """Pause: nothing goes on, and nobody is told anything new."""
        players = list(dict.fromkeys(who for who in self.people.values() if who.here))
        for who in players:
            await who.ask("POST", f"{self.path}/pause", {})
        await wait_for_message(
            self.viewer, lambda m: m["kind"] == "table_changed" and m["table"]["paused"]
        )
        for seat in self.people:
            if self.acts_here(seat):
                assert (await self.act(seat, {"kind": "ready"}))["reason"] == "paused"
        await self.ask_for_everything()
        self.live_server.pass_time(5_000)
        for who in players:
            await who.ask("POST", f"{self.path}/pause", {})
        await wait_for_message(
            self.viewer, lambda m: m["kind"] == "table_changed" and not m["table"]["paused"]
        )
        self.live_server.pass_time(RESUME_COUNTDOWN_MS)
        await self.wait_until_all_seen()

    async def come_back(self, who: Witness) -> None:
        """Coming back brings one whole update, and another one for a client that got it wrong."""
        if who.here:
            await who.socket.close()  # type: ignore[union-attr]
        await who.join(self.table)
        await who.until("update")
        await who.send(kind="sync", seq=0, hash="")
        await who.until("update")
        await self.wait_until_all_seen()

    async def leave_to_bot(self, who: Witness) -> None:
        """Leave. After a while, a bot takes over."""
        seat = next(seat for seat, other in self.people.items() if other is who)
        await who.socket.close()  # type: ignore[union-attr]
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
        made = await old.ask("POST", f"{self.path}/seats/{seat}/code")
        self.book.add_secret("a code", made["code"], old)
        self.book.add_secret("a code", tokens.hashed_code(self.table, made["code"]))
        new = self.people[seat] = self.someone("another device")
        await new.ask("POST", "/api/codes", {"table": self.table, "code": made["code"]})
        await wait_for_message(old, lambda m: m["kind"] == "table_changed" and not m["yours"])
        await wait_for_message(old, lambda m: m["kind"] == "update" and m["seat"] is None)
        await new.join(self.table)
        await new.until("update")
        await self.wait_until_all_seen()


Step = Callable[[], Awaitable[None]]

LOOK_EVERY = 0.2
"""Seconds between two checks for a leak."""

Play = Callable[..., SentRecord]


async def until_found(
    course: "asyncio.Future[None]",
    live_server: LiveServer,
    book: SentRecord,
    found: Callable[[SentRecord], bool],
) -> None:
    """Wait until a course has ended, in whatever way, or the book contains what is looked for."""

    def heard() -> int:
        frames = sum(len(each) for who in book.witnesses for each in who.frames)
        return len(book.lines) + len(book.answers) + frames

    try:
        async with asyncio.timeout(PATIENCE):
            while not course.done():
                before = heard()
                await note_matches(live_server, book)
                # What arrived in the meantime may belong to events that haven't been noted yet.
                if heard() == before and found(book):
                    break
                await asyncio.wait([course], timeout=LOOK_EVERY)
    finally:
        course.cancel()
        await asyncio.gather(course, return_exceptions=True)


async def note_matches(live_server: LiveServer, book: SentRecord) -> None:
    for match in dict.fromkeys(table.match_id for table in book.versions.values()):
        if await live_server.store.secret(match):  # otherwise it hasn't begun
            await book.note_match(live_server.lobby, match)


@pytest.fixture
def play(tmp_path: Path, empty_database: Path, same_secrets: None) -> Play:
    """Play a course on a server of its own, and return the book of everything that was sent."""

    def run(
        course: Callable[[LiveServer, SentRecord], Awaitable[ScriptedMatch]],
        then: Callable[[ScriptedMatch], Awaitable[None]] | None = None,
        *,
        found: Callable[[SentRecord], bool] | None = None,
    ) -> SentRecord:
        """A leaking server may never let a course end, so stop as soon as the leak is found."""
        database = tmp_path / "live_server.db"
        shutil.copy(empty_database, database)
        book = SentRecord()

        async def whole(live_server: LiveServer) -> None:
            made = await course(live_server, book)
            if then:
                await then(made)

        async def played(live_server: LiveServer) -> None:
            if found:
                await until_found(
                    asyncio.ensure_future(whole(live_server)), live_server, book, found
                )
            else:
                async with asyncio.timeout(PATIENCE):
                    await whole(live_server)
            await note_matches(live_server, book)

        with asyncio.Runner() as runner, Lines(book.lines):
            live_server = LiveServer(
                database, around=lambda store: RecordingStore(store, book.versions)
            )
            runner.run(live_server.open())
            try:
                runner.run(played(live_server))
            finally:
                runner.run(live_server.close())
        return book

    return run


# ---------------------------------------------------------------------------------------- Unikat


async def opening(live_server: LiveServer, book: SentRecord) -> ScriptedMatch:
    """A few turns of Unikat, chosen to reveal as much as possible."""
    course = ScriptedMatch(live_server, book, "unikat")
    host, other = course.host, course.other
    await course.set_up_match({0: host, 1: host, 2: other}, bots=1, starter=0)
    await course.talk()
    for step in range(4):
        await unikat_step(course, step)
    await course.come_back(host)
    await course.ask_for_everything()
    await course.move_seat(2)
    for step in range(4, 8):
        await unikat_step(course, step)
    return course


async def unikat(live_server: LiveServer, book: SentRecord) -> ScriptedMatch:
    """One device for two seats, one for the third (and later another), and a bot on the fourth."""
    course = ScriptedMatch(live_server, book, "unikat")
    host, other = course.host, course.other
    await course.set_up_match({0: host, 1: host, 2: other}, bots=1, rounds=2)
    moments: dict[int, Step] = {
        1: course.talk,
        2: course.ask_for_everything,
        3: lambda: course.come_back(host),
        5: lambda: course.leave_to_bot(other),
        9: lambda: course.come_back(other),
        10: course.pause,
        11: lambda: course.move_seat(2),
    }
    for step in itertools.count():
        if course.rules.outcome(await course.state()):
            break
        if step in moments:
            await moments[step]()
        await unikat_step(course, step)
    return course


async def unikat_step(course: ScriptedMatch, step: int) -> None:
    state = await course.state()
    seat = course.rules.awaited(state)[0]
    if not course.acts_here(seat):
        seq = course.viewer.seq
        await course.pass_time_until(lambda _: course.viewer.seq > seq)
        return
    if step % 4 == 0:  # a refusal must not tell anything either
        for give in ("0000", "1111", "2222"):
            for action in (
                {"kind": "swap", "give": give, "take": "bag"},
                {"kind": "lay", "tiles": [[give, 0, 1]]},
                {"kind": "draw", "take": give},
            ):
                if give not in (*state.hands[seat], *state.display):
                    assert (await course.act(seat, action))["kind"] == "refused"
    who = course.people[seat]
    if who.seat != seat:
        await who.send(kind="sit", seat=seat)
        await wait_for_message(who, lambda m: m["kind"] == "update" and m["seat"] == seat)
    choices = who.view["choices"]
    if choices["decline"] and step % 2:
        await course.do(seat, {"kind": "decline"})
    elif choices["draw"] and "bag" in choices["take"] and state.round == 1:
        await course.do(seat, {"kind": "draw", "take": "bag"})
    elif choices["swap"] and "bag" in choices["take"] and step % 5 == 0:
        await course.do(seat, {"kind": "swap", "give": who.view["hand"][0], "take": "bag"})
    else:
        view = msgspec.convert(who.view, UnikatView, str_keys=True)
        stream = from_text(f"{seat} {step}").stream("")
        await course.do(seat, think("unikat", view, "easy", stream)[0][1])


# ---------------------------------------------------------------------------------------- Ubongo


async def start_round(course: ScriptedMatch) -> None:
    """Everyone is ready, people ask for everything during the countdown, and then it ends."""
    state = await course.state()
    for seat in state.playing:
        if course.acts_here(seat):
            await course.do(seat, {"kind": "ready"})
    await course.pass_time_until(lambda view: view["phase"] == "countdown")
    if state.round == 1:
        await course.ask_for_everything()
        await course.come_back(course.viewer)
    await course.pass_time_until(lambda view: view["phase"] == "solving")


async def fidget(course: ScriptedMatch, seat: Seat, times: int) -> None:
    """Place a piece in several places and lift it again."""
    deal = (await course.state()).deals[seat]
    number, piece = min(deal.pieces.items())
    fits = sorted(find_places(deal, piece))
    for turn in range(times):
        cells = fits[(3 * turn + 1) % len(fits)]
        await course.do(seat, {"kind": "place", "piece": number, "cells": cells})
    refused = await course.act(seat, {"kind": "place", "piece": number, "cells": [[99, 99]]})
    assert refused["kind"] == "refused"
    await course.do(seat, {"kind": "lift", "piece": number})


async def solve(course: ScriptedMatch, seat: Seat) -> None:
    for action in solution(course.people[seat]):
        await course.do(seat, action)


async def glimpse(live_server: LiveServer, book: SentRecord) -> ScriptedMatch:
    """The beginning of a race: both players try a few things, and one gives up."""
    course = ScriptedMatch(live_server, book, "ubongo")
    await course.set_up_match({0: course.host, 1: course.other})
    await start_round(course)
    await fidget(course, 1, 2)
    await fidget(course, 0, 1)
    await course.do(0, {"kind": "give_up"})
    await fidget(course, 1, 2)
    await course.ask_for_everything()
    return course


async def duel(live_server: LiveServer, book: SentRecord) -> ScriptedMatch:
    """Two rounds with two people. In the first both solve; in the second nobody does until one
    solves in the second chance."""
    course = ScriptedMatch(live_server, book, "ubongo")
    host, other = course.host, course.other
    await course.set_up_match({0: host, 1: other})
    await course.talk()
    await start_round(course)
    await fidget(course, 1, 3)
    await fidget(course, 0, 2)
    await course.pause()
    await course.come_back(host)
    await solve(course, 0)
    await fidget(course, 1, 2)  # players who are done may watch
    await solve(course, 1)
    await course.pass_time_until(lambda view: view["phase"] == "ready")
    await start_round(course)
    await fidget(course, 0, 1)
    await course.do(0, {"kind": "give_up"})
    await fidget(course, 1, 2)  # players who gave up may not watch: there is a second chance
    await course.come_back(host)
    await course.ask_for_everything()
    await course.move_seat(1)
    await course.pass_time_until(lambda view: view["phase"] == "second_chance")
    await fidget(course, 0, 2)
    await fidget(course, 1, 2)
    await solve(course, 1)
    await course.pass_time_until(lambda view: view["phase"] == "ready")
    return course


async def race(live_server: LiveServer, book: SentRecord) -> ScriptedMatch:
    """A whole match with a bot, and with a player who leaves for some rounds."""
    course = ScriptedMatch(live_server, book, "ubongo")
    host, other = course.host, course.other
    await course.set_up_match({0: host, 1: other}, bots=1, seconds=30)
    while not course.rules.outcome(state := await course.state()):
        if state.phase is not Phase.READY:
            break
        number = state.round + 1
        if number == 3:
            await course.leave_to_bot(other)
        if number == 6:
            await course.come_back(other)
        await start_round(course)
        for seat in (await course.state()).playing:
            if course.acts_here(seat):
                await fidget(course, seat, 1)
                if number % 3 == 0:
                    await course.do(seat, {"kind": "give_up"})
                elif (seat + number) % 2:
                    await solve(course, seat)
        await course.pass_time_until(lambda view: view["phase"] in ("ready", "over"))
    return course


async def tie(live_server: LiveServer, book: SentRecord) -> ScriptedMatch:
    """Nobody solves anything, so everyone is tied and a last round decides. Then another match
    begins."""
    course = ScriptedMatch(live_server, book, "ubongo")
    host, other = course.host, course.other
    await course.set_up_match({0: host, 1: other}, seconds=None)
    for number in range(1, 10):
        await start_round(course)
        for seat in (0, 1):
            if number % 4 == 1:
                await fidget(course, seat, 2)
            await course.do(seat, {"kind": "give_up"})
    assert (await course.state()).deciding
    await start_round(course)
    await fidget(course, 1, 2)
    await solve(course, 0)
    await course.pass_time_until(lambda view: view["outcome"] is not None)
    return course


async def play_rematch(course: ScriptedMatch) -> None:
    """The match is over and everything is shown. Another begins at the same table, of which nothing
    is."""
    await wait_until_over(course.viewer)
    assert await course.viewer.refusal_of("GET", f"{course.path}/matches/1/file") is None
    await course.ask_for_everything()
    await course.host.ask("POST", f"{course.path}/rematch", {})
    course.number = 2
    await course.ask_for_everything()
    for seat, who in course.people.items():
        body = {"share": f"another share of {seat}"}
        await who.ask("PUT", f"{course.path}/seats/{seat}/share", body)
    await course.start_match()
    await course.ask_for_everything()
    for who in (course.host, course.viewer):
        assert await who.refusal_of("GET", f"{course.path}/matches/1/file") is None
        refused = await who.refusal_of("GET", f"{course.path}/matches/2/file")
        assert refused == "match_not_over"
