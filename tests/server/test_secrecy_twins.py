"""Nobody sees what they may not (U18, G16): on the bytes that leave the server.

The same course is played twice, in two worlds that differ only in what the observers, seat 0 and a
spectator, may not know: the other hand and the bag, the cards to come, where the other's pieces
lie. All that they are sent, by socket and by HTTP, and all that is logged must be the same in both
worlds, byte for byte. And everything that anyone is sent is held against the log of the match and
the engine's own views, of which `tests/unikat` and `tests/ubongo` show that they keep secrets.
"""

import asyncio
import dataclasses
import json
import logging
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.game import Game, replay
from pytlik.games import GAMES, UBONGO, UNIKAT
from pytlik.server import live, logs, tokens
from pytlik.server.hub import Hub
from pytlik.server.info import describe
from pytlik.server.room import Room
from pytlik.ubongo.bots import fitting
from pytlik.ubongo.messages import DeckShuffled
from pytlik.unikat.messages import RoundDealt
from tests.server.client import Client, Refusal, table_for
from tests.server.house import House, start
from tests.server.site import empty_database

__all__ = ["empty_database"]

ORIGINAL = {"unikat": UNIKAT, "ubongo": UBONGO}
COMMON = 5
"""So many tiles seat 1 has in both worlds."""


class Recorder(Client):
    """Keeps every message as it came."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.raw: list[str] = []

    async def join(self, table: str) -> None:
        await super().join(table)
        assert self.socket
        receive = self.socket.recv

        async def recv() -> Any:
            self.raw.append(str(await receive()))
            return self.raw[-1]

        self.socket.recv = recv  # type: ignore[method-assign,assignment]


# ------------------------------------------------------------------------------- the two worlds


def unikat_world(world: int) -> Any:
    def opened(*args: Any) -> list[Any]:
        events = UNIKAT.open(*args)
        (at,) = [i for i, event in enumerate(events) if isinstance(event, RoundDealt)]
        mine, other = events[at].hands
        pool = [*other[COMMON:], *events[at].bag]
        if world:
            Random("twin").shuffle(pool)
        hidden = len(other) - COMMON
        hands = (mine, (*other[:COMMON], *pool[:hidden]))
        events[at] = replace(events[at], hands=hands, bag=tuple(pool[hidden:]))
        return events

    return opened


def ubongo_world(world: int) -> Any:
    def opened(*args: Any) -> list[Any]:
        events = UBONGO.open(*args)
        (at,) = [i for i, event in enumerate(events) if isinstance(event, DeckShuffled)]
        first, rest = events[at].cards[:2], list(events[at].cards[2:])
        if world:
            Random("twin").shuffle(rest)
        events[at] = replace(events[at], cards=(*first, *rest))
        return events

    return opened


WORLDS = {"unikat": unikat_world, "ubongo": ubongo_world}


class Played:
    """What left the server while a course was played."""

    def __init__(self) -> None:
        self.sent: dict[str, list[str]] = {}
        """By who got it."""
        self.fetched: list[str] = []
        """By HTTP, by who may see the least."""
        self.logged: list[str] = []
        self.events: list[Any] = []
        self.forbidden: set[str] = set()
        """What nobody may be sent."""
        self.not_logged: set[str] = set()


async def settle(people: list[Recorder], seq: int) -> None:
    """Wait until everyone has seen so much."""
    for person in people:
        while person.seq < seq:
            await person.next()


async def truth(house: House, people: list[Recorder], game: str) -> Any:
    """The whole state, whatever people are told."""
    (match,) = {m["match"] for p in people for m in p.received if m["kind"] == "update"}
    raw = await house.store.events(match)
    rules = ORIGINAL[game]
    return replay(rules.apply, [msgspec.json.decode(event, type=rules.event) for event in raw])


async def do(house: House, people: list[Recorder], seat: int, action: Any) -> None:
    """Somebody acts, and everyone sees it."""
    people[seat].seat = seat
    done = await people[seat].act(action)
    assert done["kind"] == "done", done
    house.pass_time(1_000)
    await settle(people, done["seq"])


async def play_unikat(house: House, people: list[Recorder], world: int) -> None:
    """Swaps: seat 0 with the display, seat 1 with the bag."""
    del world
    common: list[str] = list((await truth(house, people, "unikat")).hands[1][:COMMON])
    for _ in range(2 * (COMMON - 1)):
        state = await truth(house, people, "unikat")
        if state.to_move == 0:
            nonsense = {"kind": "lay", "tiles": [["0000", 90, 90]]}
            people[0].seat = 0
            assert (await people[0].act(nonsense))["kind"] == "refused"
            swap = {"kind": "swap", "give": state.hands[0][0], "take": state.display[0]}
        else:
            swap = {"kind": "swap", "give": common.pop(), "take": "bag"}
        await do(house, people, state.to_move, swap)


async def play_ubongo(house: House, people: list[Recorder], world: int) -> None:
    """Seat 1 tries a piece in many places, seat 0 in one; nobody solves anything."""
    for seat in (0, 1):
        await do(house, people, seat, {"kind": "ready"})
    house.pass_time(2_000)
    await settle(people, people[0].seq + 1)
    deals = (await truth(house, people, "ubongo")).deals
    for seat, places in ((1, 6), (0, 1)):
        number, piece = min(deals[seat].pieces.items())
        fits = sorted(fitting(deals[seat], piece))
        for turn in range(places):
            cells = fits[(turn + world * seat) % len(fits)]
            await do(house, people, seat, {"kind": "place", "piece": number, "cells": cells})
    await do(house, people, 1, {"kind": "lift", "piece": min(deals[1].pieces)})
    await do(house, people, 0, {"kind": "give_up"})


COURSES = {"unikat": play_unikat, "ubongo": play_ubongo}


class Lines(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self.lines = lines
        self.setFormatter(logs.JsonLines())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


async def course(house: House, game: str, world: int) -> Played:
    played = Played()
    people = [Recorder(house.address) for _ in range(4)]
    house.people += people
    host, other, lost, viewer = people
    table = await table_for(host, game, chairs=2)
    path = f"/api/tables/{table}"
    # Somebody sits on seat 1 first, looks, and loses the seat before the match begins.
    for seat, person in ((0, host), (1, lost)):
        body: dict[str, Any] = {
            "name": f"person {seat}",
            "seat": seat,
            "share": f"share-of-{seat}-{person is lost}",
        }
        said = await person.ask("POST", f"{path}/seats", body)
        played.not_logged |= {said["recovery"], body["share"], body["name"]}
    await lost.join(table)
    await lost.until("hello")
    await host.ask("DELETE", f"{path}/seats/1")
    said = await other.ask("POST", f"{path}/seats", {"name": "other", "share": "share-of-other"})
    code = await other.ask("POST", f"{path}/seats/1/code", {})
    secret = await house.store.secret(f"{table}.1")
    assert secret
    played.forbidden |= {secret.hex(), tokens.text(secret), code["code"], "share-of-1-True"}
    played.forbidden |= {said["recovery"]}
    played.forbidden |= {token for p in people if (token := p.token)}
    played.forbidden |= {tokens.holder(token) for p in people if (token := p.token)}
    played.not_logged |= played.forbidden | {"share-of-other"}
    for person in (host, other, viewer):
        await person.join(table)
        await person.until("hello")
    await start(host, table)
    for person in people:
        await person.until("update")
    try:
        await COURSES[game](house, [host, other, lost, viewer], world)
    finally:
        raw = await house.store.events(f"{table}.1")
        played.events = [msgspec.json.decode(event, type=GAMES[game].event) for event in raw]
    for person in (host, viewer, lost):  # coming back, and asking anew
        await person.send(kind="sync", seq=0, hash="")
        await person.until("update")
    for query in ("", "?after=3", "?seat=0", "?seat=1"):
        for person in (host, viewer, lost):
            try:
                said = await person.ask("GET", f"{path}/matches/1/events{query}")
                played.fetched.append(json.dumps(said))
            except Refusal as refusal:
                played.fetched.append(str(refusal))
    for what in ("GET matches/1/file", "POST matches/1/verify"):
        method, _, where = what.partition(" ")
        with pytest.raises(Refusal, match="match_not_over"):
            await other.ask(method, f"{path}/{where}")
    played.fetched.append(json.dumps(await viewer.ask("GET", path)))
    names = ("seat 0", "seat 1", "lost", "spectator")
    played.sent = dict(zip(names, (p.raw for p in people), strict=True))
    return played


@pytest.fixture
def play(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, int], Played]:
    """Play the course of a game in one of its worlds, with a server of its own."""

    def run(game: str, world: int) -> Played:
        random = Random("worlds")
        monkeypatch.setattr(secrets, "token_bytes", random.randbytes)
        monkeypatch.setattr(secrets, "choice", random.choice)
        changed = dataclasses.replace(GAMES[game], open=WORLDS[game](world))
        monkeypatch.setitem(GAMES, game, changed)
        database = tmp_path / f"{game} {world}.db"
        shutil.copy(empty_database, database)
        lines: list[str] = []
        with asyncio.Runner() as runner, logging_to(lines):
            house = House(database)
            runner.run(house.open())
            try:
                played = runner.run(asyncio.wait_for(course(house, game, world), 30))
            finally:
                runner.run(house.close())
        played.logged = lines
        return played

    return run


class logging_to:  # noqa: N801 - used as a function
    """Log as the server does when it is told to say everything."""

    def __init__(self, lines: list[str]) -> None:
        self.handler = Lines(lines)
        config = logs.config("debug")["loggers"]
        self.levels = {name: config[name]["level"] for name in config}
        self.before: dict[str, int] = {}

    def __enter__(self) -> None:
        for name, level in self.levels.items():
            logger = logging.getLogger(name)
            self.before[name] = logger.level
            logger.setLevel(level)
        for name in ("pytlik", "uvicorn"):
            logging.getLogger(name).addHandler(self.handler)

    def __exit__(self, *_: object) -> None:
        for name, level in self.before.items():
            logging.getLogger(name).setLevel(level)
            logging.getLogger(name).removeHandler(self.handler)


# ------------------------------------------------------------------------------------- the leaks


def leaks(game: str, one: Played, other: Played) -> Iterator[str]:
    """Whatever tells somebody something that they may not know."""
    for name in ("seat 0", "lost", "spectator"):
        if updates(one.sent[name]) != updates(other.sent[name]):
            yield f"{name} is told apart"
    if one.fetched != other.fetched:
        yield "HTTP tells apart"
    if said(one.logged) != said(other.logged):
        yield "the log tells apart"
    for played in (one, other):
        for name, raw in played.sent.items():
            yield from (f"{name}: {leak}" for leak in told_wrong(game, name, raw, played))
        sent = "".join([*played.fetched, *(line for raw in played.sent.values() for line in raw)])
        yield from (f"{text} was sent" for text in played.forbidden if text in sent)
        log = "\n".join(played.logged)
        yield from (f"{text} was logged" for text in played.not_logged if text in log)


def updates(raw: list[str]) -> list[str]:
    """But for what depends on when others come and go, which tells nothing of the match."""
    return [data for data in raw if json.loads(data)["kind"] in ("update", "done", "refused")]


def said(logged: list[str]) -> list[tuple[Any, ...]]:
    lines = [json.loads(line) for line in logged]
    return [(l["logger"], l["message"], l.get("route"), l.get("status")) for l in lines]  # noqa: E741


def told_wrong(game: str, name: str, raw: list[str], played: Played) -> Iterator[str]:
    """Updates that are not what the engine shows to the seat."""
    rules = ORIGINAL[game]
    seat = {"seat 0": 0, "seat 1": 1}.get(name)
    for data in raw:
        message = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        if msgspec.json.decode(message["kind"]) != "update":
            continue
        seq = msgspec.json.decode(message["seq"], type=int)
        state = replay(rules.apply, played.events[:seq])
        events = msgspec.json.decode(message["events"])
        heard = [rules.mask(event, seat) for event in played.events[seq - len(events) : seq]]
        if msgspec.json.decode(message["seat"]) != seat:
            yield "another's seat"
        if bytes(message["view"]) != msgspec.json.encode(rules.view(state, seat)):
            yield "another view"
        if events and bytes(message["events"]) != msgspec.json.encode(heard):
            yield "other events"


Play = Callable[[str, int], Played]


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_nobody_sees_what_they_may_not(play: Play, game: str) -> None:
    one, other = play(game, 0), play(game, 1)
    assert list(leaks(game, one, other)) == []
    # And what was compared was not nothing.
    assert all(len(updates(raw)) > 7 for raw in one.sent.values())
    assert updates(one.sent["seat 1"]) != updates(other.sent["seat 1"])
    assert len(one.fetched) == 13
    assert sum(text.startswith("(403") for text in one.fetched) == 5
    assert len(one.logged) > 10


# --------------------------------------------------------------------------------- planted leaks


def wrong_seat(patch: pytest.MonkeyPatch) -> None:
    made = Hub.made
    patch.setattr(Hub, "made", lambda hub, room, _, since: made(hub, room, 1, since))


def no_mask(patch: pytest.MonkeyPatch) -> None:
    for name, game in ORIGINAL.items():
        patch.setitem(GAMES, name, dataclasses.replace(game, mask=lambda event, _: event))


def everyones_view(patch: pytest.MonkeyPatch) -> None:
    for name, game in ORIGINAL.items():

        def ones(state: Any, _: int | None, game: Game = game) -> Any:
            return game.view(state, 1)

        patch.setitem(GAMES, name, dataclasses.replace(game, view=ones))


def events_in_the_log(patch: pytest.MonkeyPatch) -> None:
    take_in = Room._take_in

    def talkative(room: Room, state: Any, events: list[Any]) -> None:
        logging.getLogger("pytlik.server.room").info("taken in: %s", events)
        take_in(room, state, events)

    patch.setattr(Room, "_take_in", talkative)


def seat_kept(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(live, "reseat", lambda *_: None)


def holders_shown(patch: pytest.MonkeyPatch) -> None:
    def with_holder(found: Any, *args: Any) -> Any:
        return replace(describe(found, *args), options=found.table.chairs[0].holder)

    patch.setattr(live, "describe", with_holder)


PLANTED = (
    (wrong_seat, "unikat"),
    (no_mask, "unikat"),
    (no_mask, "ubongo"),
    (everyones_view, "ubongo"),
    (events_in_the_log, "unikat"),
    (seat_kept, "unikat"),
    (holders_shown, "ubongo"),
)


@pytest.mark.parametrize(("plant", "game"), PLANTED)
def test_a_planted_leak_is_found(
    play: Play, monkeypatch: pytest.MonkeyPatch, plant: Callable[[Any], None], game: str
) -> None:
    plant(monkeypatch)
    assert list(leaks(game, play(game, 0), play(game, 1))) != []
