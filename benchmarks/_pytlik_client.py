"""Tables of both games on Pytlik's server."""

import asyncio
import http.client
import itertools
import json
from functools import partial
from typing import Any, NamedTuple

import msgspec

from benchmarks._load_generator import SEATS, Table
from benchmarks._sockets import OnMessage, Socket, connect
from pytlik.server import tokens
from pytlik.ubongo import solver
from pytlik.ubongo.model import Deal

LONG_MATCH_OPTIONS: dict[str, dict[str, Any]] = {
    # So long that it doesn't end while it's measured.
    "unikat": {"rounds": 20},
    "ubongo": {"seconds": None},
}


class Update(msgspec.Struct, gc=False):
    seq: int
    awaited: tuple[int, ...]
    view: msgspec.Raw


class Done(msgspec.Struct, gc=False):
    id: str
    seq: int


class Refused(msgspec.Struct, gc=False):
    id: str | None
    reason: str


update_decoder = msgspec.json.Decoder(Update)
done_decoder = msgspec.json.Decoder(Done)
refused_decoder = msgspec.json.Decoder(Refused)


class PytlikTable(Table):
    """What both games have in common."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._numbers = itertools.count(1)
        self.updates: dict[int, Update] = {}
        """The latest update of each seat."""
        self._id = ""

    def encode_act_request(self, seat: int, action: Any) -> bytes:
        self._id = str(next(self._numbers))
        return msgspec.json.encode({"kind": "act", "id": self._id, "seat": seat, "action": action})

    def on_action_accepted(self) -> None:
        """Called when the latest action has been accepted."""

    def on_message(self, seat: int, socket: Socket, message: bytes) -> None:
        kind = message[9:13]
        if kind == b"upda":
            news = self.updates[seat] = update_decoder.decode(message)
            self.note_state(seat, news.seq)
        elif kind == b"done":
            answer = done_decoder.decode(message)
            if answer.id == self._id and self.answered is None:
                self.reached = answer.seq
                self.on_action_accepted()
                self.note_answer()
                self.finish_if_received_by_all()
        elif kind == b"refu":
            refusal = refused_decoder.decode(message)
            if refusal.id is None or refusal.id == self._id:
                self.note_refusal(f"refused: {refusal.reason}")
        else:
            answer_ping(socket, message)


def answer_ping(socket: Socket, message: bytes) -> None:
    if message[9:13] == b"ping":
        socket.send(b'{"kind":"pong","n":%d}' % json.loads(message)["n"])


# ------------------------------------------------------------------------------------------ Unikat


class UnikatChoices(msgspec.Struct):
    lay: dict[str, list[tuple[int, int]]]
    swap: bool
    draw: bool
    take: list[str]
    decline: bool
    pass_: bool = msgspec.field(name="pass")
    ready: bool


class UnikatView(msgspec.Struct):
    hand: list[str]
    choices: UnikatChoices


unikat_view_decoder = msgspec.json.Decoder(UnikatView)


def choose_unikat_action(view: UnikatView, *, lay: bool) -> Any:
    """A legal action, found without thinking; None if the seat has nothing to do."""
    can = view.choices
    if can.draw:
        return {"kind": "draw", "take": can.take[0]}
    if can.lay and (lay or not can.swap):
        tile, cells = next(iter(can.lay.items()))
        return {"kind": "lay", "tiles": [(tile, *cells[0])]}
    if can.swap:
        return {"kind": "swap", "give": view.hand[0], "take": can.take[0]}
    for kind, may in (("decline", can.decline), ("pass", can.pass_), ("ready", can.ready)):
        if may:
            return {"kind": kind}
    return None


class UnikatTable(PytlikTable):
    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._actions = itertools.count(1)

    def choose(self) -> tuple[int, bytes] | None:
        newest = max(self.updates.values(), key=lambda news: news.seq)
        if not newest.awaited:
            raise RuntimeError("the match is over")
        lay = next(self._actions) % 4 > 0
        for seat in newest.awaited:
            if seat in self.sockets:
                view = unikat_view_decoder.decode(self.updates[seat].view)
                if action := choose_unikat_action(view, lay=lay):
                    return seat, self.encode_act_request(seat, action)
        return None


# ------------------------------------------------------------------------------------------ Ubongo


class UbongoView(msgspec.Struct):
    phase: str
    deals: dict[int, Deal]


ubongo_view_decoder = msgspec.json.Decoder(UbongoView)


class UbongoTable(PytlikTable):
    """Everyone puts down a piece and takes it back, again and again."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._placements: dict[int, dict[str, Any]] = {}
        self._placed: set[int] = set()
        self._seats = itertools.cycle(SEATS)

    async def start(self) -> None:
        for seat, socket in self.sockets.items():
            socket.send(self.encode_act_request(seat, {"kind": "ready"}))
        self._id = ""
        async with asyncio.timeout(60):
            while True:
                views = {
                    seat: ubongo_view_decoder.decode(news.view)
                    for seat, news in self.updates.items()
                }
                if all(view.phase == "solving" for view in views.values()):
                    break
                await asyncio.sleep(0.2)
        self._placements = {
            seat: find_place_action(view.deals[seat]) for seat, view in views.items()
        }

    def choose(self) -> tuple[int, bytes] | None:
        seats = (next(self._seats) for _ in SEATS)
        seat = next((seat for seat in seats if seat in self.sockets), None)
        if seat is None:
            return None
        action = self._placements[seat]
        if seat in self._placed:
            action = {"kind": "lift", "piece": action["piece"]}
        return seat, self.encode_act_request(seat, action)

    def on_action_accepted(self) -> None:
        self._placed ^= {self.actor}


def find_place_action(deal: Deal) -> dict[str, Any]:
    """The action that puts one piece where it belongs."""
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found
    return {"kind": "place", "piece": next(iter(deal.pieces)), "cells": found[0]}


# ------------------------------------------------------------------------------------------ server


class Party(NamedTuple):
    """The four people of a table."""

    tokens: tuple[str, ...]
    address: str
    """Their address, if the server trusts the header that a proxy would send."""

    def headers(self, person: int | None) -> dict[str, str]:
        """The headers for one of them, or for a spectator from the same address."""
        forwarded = {"X-Forwarded-For": self.address}
        if person is None:
            return forwarded
        return {"Authorization": f"Bearer {self.tokens[person]}", **forwarded}


class PytlikClient:
    """Pytlik's server. Every table has people and an address of its own."""

    games = ("unikat", "ubongo")

    def __init__(self, port: int) -> None:
        self.port = port
        self.parties: dict[str, Party] = {}
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def post(self, party: Party, person: int, path: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json", **party.headers(person)}
        self._http.request("POST", path, json.dumps(body), headers)
        answer = self._http.getresponse()
        content = json.loads(answer.read())
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {content}")
        return content

    def create_table(
        self,
        game: str = "unikat",
        options: dict[str, Any] | None = None,
        party: Party | None = None,
    ) -> str:
        """Create a table where every seat is taken, with a match under way. Each has new people,
        unless a `party` is given."""
        high, low = divmod(len(self.parties), 250)
        party = party or Party(tuple(tokens.new_token() for _ in SEATS), f"10.0.{high}.{1 + low}")
        wanted = {
            "game": game,
            "chairs": len(SEATS),
            "options": options or LONG_MATCH_OPTIONS[game],
        }
        id: str = self.post(party, 0, "/api/tables", wanted)["table"]["id"]
        for person in SEATS:
            name = {"name": f"P{person}", "seat": person}
            self.post(party, person, f"/api/tables/{id}/seats", name)
        self.post(party, 0, f"/api/tables/{id}/start", {})
        self._http.close()  # or the server would, until the next table is wanted
        self.parties[id] = party
        return id

    async def join(
        self, id: str, on_message: OnMessage, person: int | None = None, *, slow: bool = False
    ) -> Socket:
        party = self.parties.get(id)
        headers = party.headers(person) if party else {}
        return await connect(self.port, f"/api/tables/{id}/socket", on_message, headers, slow=slow)

    async def create_and_join_table(self, game: str = "unikat") -> Table:
        return await self.join_table(self.create_table(game), game)

    async def join_table(self, id: str, game: str) -> Table:
        table: Table = UnikatTable(id) if game == "unikat" else UbongoTable(id)
        for person in SEATS:
            await table.join(person, partial(self.join, id, person=person))
        return table

    async def watch(self, table: str, *, slow: bool = False) -> Socket:
        return await self.join(table, answer_ping, slow=slow)
