"""Fast players at many tables, and a record of everything the server has sent them. They choose at
random among the cheap moves that their view offers. Whatever happens to the server or to their
connection, they come back and repeat what wasn't answered, as the page does."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any, NamedTuple, Self

import httpx
import msgspec
from websockets.exceptions import WebSocketException

from pytlik.game import AnyGame, Seat
from pytlik.games import GAMES
from pytlik.server.live.table_connections import hash_view
from pytlik.store import Store
from pytlik.store.connect import open_store
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex
from tests.server.client import Client, Refusal, create_table, run_all
from tests.server.server_process import ServerProcess

CONNECTION_ERRORS = (WebSocketException, OSError, httpx.TransportError)
"""Errors that mean the server isn't there, or has gone."""

MESSAGES_PER_CONNECTION = 90
"""After this many messages a player reconnects, because a socket accepts only so many in a
while."""

TIMEOUT_SECONDS = 240
"""Seconds after which a load that makes no progress has failed. The machine may be busy."""


class Command(NamedTuple):
    match: str
    seat: Seat
    id: str

    @property
    def stored_id(self) -> str:
        """The id as the log has it: each seat has its own ids."""
        return f"{self.seat} {self.id}"


class ShownState(NamedTuple):
    """A state that someone was shown."""

    match: str
    seq: int
    seat: Seat | None


class ServerClaims:
    """Everything the server has claimed to anyone. It must be true and stay true."""

    def __init__(self) -> None:
        self.done: dict[Command, int] = {}
        self.shown: dict[ShownState, str] = {}
        """The hash of each view."""
        self.highest: defaultdict[str, int] = defaultdict(int)
        self.games: dict[str, AnyGame] = {}
        self.refused: Counter[str] = Counter()
        self.again = 0
        """Repeated answers."""
        self._checked: tuple[int, int] = (0, 0)

    def add_done(self, command: Command, seq: int) -> None:
        before = self.done.setdefault(command, seq)
        assert before == seq, f"{command} was done at {before}, and now it is {seq}"
        self.highest[command.match] = max(seq, self.highest[command.match])

    def add_shown(self, shown: ShownState, view: str) -> None:
        before = self.shown.setdefault(shown, view)
        assert before == view, f"{shown} was something else before"
        self.highest[shown.match] = max(shown.seq, self.highest[shown.match])

    async def check(self, store: Store) -> None:
        """Check that everything claimed since the last check is in the log."""
        done, shown = self._checked
        self._checked = len(self.done), len(self.shown)
        await self._check(store, list(self.done.items())[done:], list(self.shown.items())[shown:])

    async def check_all(self, store: Store) -> None:
        await self._check(store, list(self.done.items()), list(self.shown.items()))

    async def _check(
        self, store: Store, done: list[tuple[Command, int]], shown: list[tuple[ShownState, str]]
    ) -> None:
        logs: dict[str, list[Any]] = {}
        for match in {command.match for command, _ in done} | {key.match for key, _ in shown}:
            logs[match] = await self._log(store, match)
        for command, seq in done:
            assert seq <= len(logs[command.match]), f"{command} was lost"
            assert await store.seq_of_command(command.match, command.stored_id) == seq, (
                f"{command} was lost"
            )
            assert command.seat in seats_acting(self.games[command.match], logs[command.match], seq)
        views = defaultdict(list)
        for key, digest in shown:
            views[key.match, key.seq].append((key.seat, digest))
        for match, log in logs.items():
            assert self.highest[match] <= len(log), f"{match} had come further"
            game, state = self.games[match], None
            for seq, event in enumerate(log, 1):
                state = game.apply(state, event)
                for seat, digest in views[match, seq]:
                    view = msgspec.json.encode(game.view(state, seat))
                    assert hash_view(view) == digest, f"{match} was something else at {seq}"

    async def _log(self, store: Store, match: str) -> list[Any]:
        game = self.games[match]
        return [msgspec.json.decode(raw, type=game.event) for raw in await store.events(match)]


def seats_acting(game: AnyGame, log: list[Any], seq: int) -> Iterator[Seat | None]:
    """The seats whose actions led to the events that end at `seq`: the last action, and earlier
    ones stored in the same commit."""
    moment = log[seq - 1].at
    for event in reversed(log[:seq]):
        if event.at != moment:
            return
        if cause := game.cause(event):
            yield cause.seat


# ------------------------------------------------------------------------------------------ players


def random_unikat_action(view: dict[str, Any], random: Random) -> dict[str, Any] | None:
    choices = view["choices"]
    if choices["ready"]:
        return {"kind": "ready"}
    if choices["draw"]:
        return {"kind": "draw", "take": random.choice(choices["take"])}
    if choices["lay"] and random.random() < 0.8:
        tile = random.choice(list(choices["lay"]))
        return {"kind": "lay", "tiles": [[tile, *random.choice(choices["lay"][tile])]]}
    if choices["swap"]:
        return {
            "kind": "swap",
            "give": random.choice(view["hand"]),
            "take": random.choice(choices["take"]),
        }
    for kind in ("decline", "pass"):
        if choices[kind]:
            return {"kind": kind}
    return None


def random_ubongo_action(view: dict[str, Any], random: Random) -> dict[str, Any] | None:
    """Ready when it's time. Then pieces come and go, and now and then the card is solved."""
    if view["choices"]["ready"]:
        return {"kind": "ready"}
    if not view["choices"]["solve"]:
        return None
    seat = str(view["seat"])
    deal, lying = view["deals"][seat], view["placed"][seat]
    if lying and random.random() < 0.4:
        return {"kind": "lift", "piece": int(random.choice(list(lying)))}
    missing = [piece for piece in deal["pieces"] if piece not in lying]
    shapes = [tuple(Hex(*cell) for cell in shape) for shape in deal["pieces"].values()]
    solution = solver.first(tuple(Hex(*cell) for cell in deal["area"]), shapes)
    assert solution is not None
    piece = random.choice(missing)
    cells = solution[list(deal["pieces"]).index(piece)]
    return {"kind": "place", "piece": int(piece), "cells": [list(cell) for cell in cells]}


ACTION_CHOOSERS = {"unikat": random_unikat_action, "ubongo": random_ubongo_action}


class SentAction(NamedTuple):
    """An action that a player has sent."""

    command: Command
    action: dict[str, Any]


class LoadPlayer:
    def __init__(self, load: "ServerLoad", seat: Seat) -> None:
        self.client = Client(load.address)
        self.seat = seat
        self.table = ""
        self._load = load
        self._random = Random(f"{load.seed} {seat} {len(load.players)}")
        self._match = ""
        self._number = 0
        self._waiting: SentAction | None = None
        """Sent, and not answered yet."""
        self._done: list[SentAction] = []
        """Everything sent in this match that was done."""

    async def play(self) -> None:
        while not self._load.ended:
            try:
                await self._session()
            except CONNECTION_ERRORS:
                # Another process has to come back; all we can do is try again.
                await asyncio.sleep(0.02)

    async def _session(self) -> None:
        """Use one connection until it breaks or has been used enough."""
        client = self.client
        await client.join(self.table)
        assert client.socket
        client.view = None
        try:
            if self._waiting:
                await self._send(self._waiting)
            for _ in range(MESSAGES_PER_CONNECTION):
                if self._load.ended:
                    return
                message = await client.next_message()
                client.received.clear()
                self._handle_message(message)
                self._load.check_waiters()
                if message["kind"] == "refused" and self._waiting:
                    # We don't know whether it was done: ask again a little later, with the same id.
                    await asyncio.sleep(0.1)
                    await self._send(self._waiting)
                elif client.view is not None and self._waiting is None:
                    await self._send_next_action()
                if self._random.random() < self._load.drops:
                    return
        finally:
            await self.abort_connection()

    async def abort_connection(self) -> None:
        """Disconnect without closing properly, so that nothing waits for the other side."""
        if self.client.socket:
            self.client.socket.transport.abort()
            await self.client.socket.wait_closed()

    def _handle_message(self, message: dict[str, Any]) -> None:
        claims = self._load.claims
        match message["kind"]:
            case "update":
                shown = ShownState(message["match"], message["seq"], message["seat"])
                if shown.match != self._match:
                    self._match, self._done = shown.match, []
                claims.games[shown.match] = GAMES[message["view"]["game"]]
                floor = self._load.floor.get((shown.match, self), 0)
                assert shown.seq >= floor, f"{shown.match} was at {floor}, and is at {shown.seq}"
                self._load.floor[shown.match, self] = shown.seq
                claims.add_shown(shown, message["hash"])
            case "done":
                self._handle_answer(message["id"], message["seq"])
            case "refused" if self._waiting and message["id"] == self._waiting.command.id:
                claims.refused[message["reason"]] += 1
                if message["reason"] != "unavailable":
                    self._waiting = None

    def _handle_answer(self, id: str, seq: int) -> None:
        claims = self._load.claims
        if self._waiting and id == self._waiting.command.id:
            self._done.append(self._waiting)
            self._waiting = None
            claims.add_done(self._done[-1].command, seq)
            return
        for done in self._done:
            if done.command.id == id:
                claims.again += 1
                claims.add_done(done.command, seq)

    async def _send_next_action(self) -> None:
        view = self.client.view
        if view["outcome"]:
            await self._load.start_next_match(self)
            return
        action = ACTION_CHOOSERS[view["game"]](view, self._random)
        if action is None or self.client.seat is None:
            return
        self._number += 1
        self._waiting = SentAction(
            Command(self._match, self.client.seat, f"c{self._number}"), action
        )
        await self._send(self._waiting)

    async def _send(self, action_to_send: SentAction) -> None:
        """Send an action once or several times, sometimes together with an earlier one."""
        sent = [action_to_send] * (self._random.randint(1, self._load.copies))
        if self._load.copies > 1 and self._done:
            sent += self._random.choices(self._done, k=self._random.randrange(self._load.copies))
            self._random.shuffle(sent)
        for (match, seat, id), action in sent:
            await self.client.send(kind="act", id=id, seat=seat, action=action, match=match)


class ServerLoad:
    """Tables of two players each. Everything is sent up to `copies` times, and a player's
    connection breaks after a message with probability `drops`."""

    def __init__(self, address: str, seed: str, *, copies: int = 1, drops: float = 0.0) -> None:
        self.address = address
        self.seed = seed
        self.copies = copies
        self.drops = drops
        self.claims = ServerClaims()
        self.players: list[LoadPlayer] = []
        self.floor: dict[tuple[str, LoadPlayer], int] = {}
        """How far everyone has seen a match. They must never see less."""
        self.ended = False
        self._waiting: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    async def sit_down(self, **tables: int) -> None:
        """Seat everyone at this many tables of each game."""
        for game, number in tables.items():
            for _ in range(number):
                host, guest = LoadPlayer(self, 0), LoadPlayer(self, 1)
                self.players += (host, guest)
                agreement = {"away_seconds": None}
                table = await create_table(host.client, game, chairs=2, agreement=agreement)
                for player, name in ((host, "Ola"), (guest, "Max")):
                    player.table = table
                    await player.client.ask("POST", f"/api/tables/{table}/seats", {"name": name})
                await host.client.ask("POST", f"/api/tables/{table}/start")

    async def start_next_match(self, player: LoadPlayer) -> None:
        """Let the host begin another match; the others wait for it."""
        if player.seat != 0:
            return
        for step in ("rematch", "start"):
            with suppress(Refusal):  # it was done, and the answer was lost
                await player.client.ask("POST", f"/api/tables/{player.table}/{step}")

    @asynccontextmanager
    async def let_everyone_play(self, seconds: float = TIMEOUT_SECONDS) -> AsyncIterator[None]:
        """Let everyone play until the block ends."""
        self.ended = False
        async with asyncio.timeout(seconds):
            task = asyncio.create_task(run_all(*(player.play() for player in self.players)))
            task.add_done_callback(lambda _: self.check_waiters())
            self._task = task
            try:
                yield
            finally:
                self.ended = True
                # Otherwise a player who waits for a message would wait forever.
                for player in self.players:
                    await player.abort_connection()
                await task

    async def wait_until(self, enough: Callable[[], bool]) -> None:
        """Wait until `enough` is true. It is checked after each message."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((enough, future))
        self.check_waiters()
        await future

    async def play_until_acknowledged(self, answers: int) -> None:
        """Play on until this many more actions have been acknowledged."""
        goal = len(self.claims.done) + answers
        await self.wait_until(lambda: len(self.claims.done) >= goal)

    def check_waiters(self) -> None:
        failed = self._task.done() and not self.ended
        for enough, future in self._waiting:
            if not future.done() and failed:
                future.set_exception(self._task.exception() or RuntimeError("nobody plays"))
            elif not future.done() and enough():
                future.set_result(None)
        self._waiting = [(enough, future) for enough, future in self._waiting if not future.done()]

    def expect_nothing_forgotten(self) -> None:
        """Expect that from now on, everyone who connects is shown at least what anyone has seen."""
        for player in self.players:
            for match, seq in self.claims.highest.items():
                if match.startswith(f"{player.table}."):
                    self.floor[match, player] = seq

    async def play_and_kill_server(
        self, server: ServerProcess, answers: int, seconds: float = TIMEOUT_SECONDS
    ) -> None:
        """Play, and kill the server after this many more acknowledged actions, while others are
        under way. Then compare the claims with what is left, and start the server again."""
        async with self.let_everyone_play(seconds):
            await self.play_until_acknowledged(answers)
            self.ended = True
            server.kill()
        await self.check(server.database)
        self.expect_nothing_forgotten()
        server.start()

    async def check(self, database: str, *, everything: bool = False) -> None:
        store = await open_store(database, notify=False)
        try:
            await (self.claims.check_all(store) if everything else self.claims.check(store))
        finally:
            await store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for player in self.players:
            await player.abort_connection()
            await player.client.http.aclose()
