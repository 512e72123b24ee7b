"""Nothing that is sent depends on what its recipient may not know (U18, G16), however it's made.

The same course is played twice, in two worlds that differ only in what the observers, seat 0 and a
spectator, may not know: the other hand and the bag, the cards to come, where the other's pieces
lie. Everything they are sent, by socket and by HTTP, and everything that is logged must be the same
in both worlds, byte for byte. So even a checksum of a secret is found, where `test_secrecy.py`
would look for the secret itself.
"""

import asyncio
import dataclasses
import json
import logging
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.game import AnyGame, Illegal, replay
from pytlik.games import GAMES, UBONGO, UNIKAT
from pytlik.server import socket_requests
from pytlik.server.live import table_connections
from pytlik.server.live.table_connections import hash_view
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.match.log_replay import ReplayResult
from pytlik.ubongo.bots import find_places
from pytlik.ubongo.messages import DeckShuffled
from pytlik.unikat.messages import RoundDealt
from pytlik.unikat.reasons import UnikatReason
from tests.server.client import Client, Refusal, create_table
from tests.server.live_server import TIMEOUT_SECONDS, LiveServer, start_match
from tests.server.sent_record import LogCollector

ORIGINAL_GAMES: dict[str, AnyGame] = {"unikat": UNIKAT, "ubongo": UBONGO}
COMMON_TILES = 5
"""How many tiles seat 1 has in both worlds."""


class RecordingClient(Client):
    """A client that keeps every message as it came."""

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


def unikat_dealer(world: int) -> Any:
    def open_match(*args: Any) -> list[Any]:
        events: list[Any] = UNIKAT.open(*args)
        (at,) = [i for i, event in enumerate(events) if isinstance(event, RoundDealt)]
        mine, other = events[at].hands
        pool = [*other[COMMON_TILES:], *events[at].bag]
        if world:
            Random("twin").shuffle(pool)
        hidden = len(other) - COMMON_TILES
        hands = (mine, (*other[:COMMON_TILES], *pool[:hidden]))
        events[at] = replace(events[at], hands=hands, bag=tuple(pool[hidden:]))
        return events

    return open_match


def ubongo_dealer(world: int) -> Any:
    def open_match(*args: Any) -> list[Any]:
        events: list[Any] = UBONGO.open(*args)
        (at,) = [i for i, event in enumerate(events) if isinstance(event, DeckShuffled)]
        first, rest = events[at].cards[:2], list(events[at].cards[2:])
        if world:
            Random("twin").shuffle(rest)
        events[at] = replace(events[at], cards=(*first, *rest))
        return events

    return open_match


DEALERS = {"unikat": unikat_dealer, "ubongo": ubongo_dealer}


class SentByServer:
    """Everything that left the server while a course was played."""

    def __init__(self) -> None:
        self.sent: dict[str, list[str]] = {}
        """Messages by recipient."""
        self.fetched: list[str] = []
        """HTTP answers to those who may see the least."""
        self.logged: list[str] = []


async def wait_until_all_seen(people: list[RecordingClient], seq: int) -> None:
    """Wait until everyone has seen this many events."""
    for person in people:
        while person.seq < seq:
            await person.next_message()


async def true_state(live_server: LiveServer, people: list[RecordingClient], game: str) -> Any:
    """The true state, whatever people are sent."""
    (match,) = {m["match"] for p in people for m in p.received if m["kind"] == "update"}
    raw = await live_server.store.events(match)
    rules = ORIGINAL_GAMES[game]
    return replay(rules.apply, [msgspec.json.decode(event, type=rules.event) for event in raw])


async def act_and_wait(
    live_server: LiveServer, people: list[RecordingClient], seat: int, action: Any
) -> None:
    """Act for a seat, and wait until everyone has seen it."""
    people[seat].seat = seat
    done = await people[seat].act(action)
    assert done["kind"] == "done", done
    live_server.pass_time(1_000)
    await wait_until_all_seen(people, done["seq"])


async def play_unikat(live_server: LiveServer, people: list[RecordingClient], world: int) -> None:
    """Play swaps: seat 0 with the display, seat 1 with the bag."""
    del world
    common: list[str] = list(
        (await true_state(live_server, people, "unikat")).hands[1][:COMMON_TILES]
    )
    for _ in range(2 * (COMMON_TILES - 1)):
        state = await true_state(live_server, people, "unikat")
        if state.to_move == 0:
            nonsense = {"kind": "lay", "tiles": [["0000", 90, 90]]}
            people[0].seat = 0
            assert (await people[0].act(nonsense))["kind"] == "refused"
            swap = {"kind": "swap", "give": state.hands[0][0], "take": state.display[0]}
        else:
            swap = {"kind": "swap", "give": common.pop(), "take": "bag"}
        await act_and_wait(live_server, people, state.to_move, swap)


async def play_ubongo(live_server: LiveServer, people: list[RecordingClient], world: int) -> None:
    """Let seat 1 try a piece in many places and seat 0 in one. Nobody solves anything."""
    for seat in (0, 1):
        await act_and_wait(live_server, people, seat, {"kind": "ready"})
    live_server.pass_time(2_000)
    await wait_until_all_seen(people, people[0].seq + 1)
    deals = (await true_state(live_server, people, "ubongo")).deals
    for seat, places in ((1, 6), (0, 1)):
        number, piece = min(deals[seat].pieces.items())
        fits = sorted(find_places(deals[seat], piece))
        for turn in range(places):
            cells = fits[(turn + world * seat) % len(fits)]
            await act_and_wait(
                live_server, people, seat, {"kind": "place", "piece": number, "cells": cells}
            )
    await act_and_wait(live_server, people, 1, {"kind": "lift", "piece": min(deals[1].pieces)})
    await act_and_wait(live_server, people, 0, {"kind": "give_up"})


SCRIPTS = {"unikat": play_unikat, "ubongo": play_ubongo}


async def play_in_world(live_server: LiveServer, game: str, world: int) -> SentByServer:
    played = SentByServer()
    people = [RecordingClient(live_server.address) for _ in range(4)]
    live_server.people += people
    host, other, lost, viewer = people
    table = await create_table(host, game, chairs=2)
    path = f"/api/tables/{table}"
    # Someone sits on seat 1 first, watches, and loses the seat before the match begins.
    for seat, person in ((0, host), (1, lost)):
        body: dict[str, Any] = {
            "name": f"person {seat}",
            "seat": seat,
            "share": f"share-of-{seat}-{person is lost}",
        }
        await person.ask("POST", f"{path}/seats", body)
    await lost.join(table)
    await lost.wait_for("hello")
    await host.ask("DELETE", f"{path}/seats/1")
    await other.ask("POST", f"{path}/seats", {"name": "other", "share": "share-of-other"})
    for person in (host, other, viewer):
        await person.join(table)
        await person.wait_for("hello")
    await start_match(host, table)
    for person in people:
        await person.wait_for("update")
    await SCRIPTS[game](live_server, [host, other, lost, viewer], world)
    for person in (host, viewer, lost):  # as after reconnecting
        await person.send(kind="sync", seq=0, hash="")
        await person.wait_for("update")
    for query in ("", "?after=3", "?seat=0", "?seat=1"):
        for person in (host, viewer, lost):
            try:
                answer = await person.ask("GET", f"{path}/matches/1/events{query}")
                played.fetched.append(json.dumps(answer))
            except Refusal as refusal:
                played.fetched.append(str(refusal))
    for what in ("GET matches/1/file", "POST matches/1/verify"):
        method, _, where = what.partition(" ")
        with pytest.raises(Refusal, match="match_not_over"):
            await other.ask(method, f"{path}/{where}")
    info = await viewer.ask("GET", path)
    del info["table"]["version"]  # when others come and go reveals nothing about the match
    for chair in info["table"]["chairs"]:
        del chair["here"], chair["lag"]
    played.fetched.append(json.dumps(info))
    names = ("seat 0", "seat 1", "lost", "spectator")
    played.sent = dict(zip(names, (p.raw for p in people), strict=True))
    return played


@pytest.fixture
def play_in_twin_world(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, int], SentByServer]:
    """Play a game's course in one of its worlds, on a server of its own."""

    def run(game: str, world: int) -> SentByServer:
        random = Random("worlds")
        monkeypatch.setattr(secrets, "token_bytes", random.randbytes)
        monkeypatch.setattr(secrets, "choice", random.choice)
        changed = dataclasses.replace(GAMES[game], open=DEALERS[game](world))
        monkeypatch.setitem(GAMES, game, changed)
        database = tmp_path / f"{game} {world}.db"
        shutil.copy(empty_database, database)
        lines: list[str] = []
        with asyncio.Runner() as runner, LogCollector(lines):
            live_server = LiveServer(database)
            runner.run(live_server.open())
            try:
                played = runner.run(
                    asyncio.wait_for(play_in_world(live_server, game, world), TIMEOUT_SECONDS)
                )
            finally:
                runner.run(live_server.close())
        played.logged = lines
        return played

    return run


# ------------------------------------------------------------------------------------- the leaks


def find_differences(one: SentByServer, other: SentByServer) -> Iterator[str]:
    """Everything that reveals something to someone who may not know it."""
    for name in ("seat 0", "lost", "spectator"):
        if only_updates(one.sent[name]) != only_updates(other.sent[name]):
            yield f"{name} is told apart"
    if one.fetched != other.fetched:
        yield "HTTP tells apart"
    if log_messages(one.logged) != log_messages(other.logged):
        yield "the log tells apart"


def only_updates(raw: list[str]) -> list[str]:
    """Updates without what depends on when others come and go, which reveals nothing about the
    match."""
    return [data for data in raw if json.loads(data)["kind"] in ("update", "done", "refused")]


def log_messages(logged: list[str]) -> list[tuple[Any, ...]]:
    lines = [json.loads(line) for line in logged]
    return [(l["logger"], l["message"], l.get("route"), l.get("status")) for l in lines]  # noqa: E741


PlayInWorld = Callable[[str, int], SentByServer]


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_both_worlds_look_the_same_to_observers(play_in_twin_world: PlayInWorld, game: str) -> None:
    one, other = play_in_twin_world(game, 0), play_in_twin_world(game, 1)
    assert list(find_differences(one, other)) == []
    # Make sure something was compared.
    assert all(len(only_updates(raw)) > 7 for raw in one.sent.values())
    assert only_updates(one.sent["seat 1"]) != only_updates(other.sent["seat 1"])
    assert len(one.fetched) == 13
    assert sum(text.startswith("(403") for text in one.fetched) == 5
    assert len(one.logged) > 10


# --------------------------------------------------------------------------------- planted leaks


def hash_whole_state(patch: pytest.MonkeyPatch) -> None:
    """Hash the whole state in updates, instead of the view."""
    make = table_connections.make_update

    def leaky_update(match: LiveMatch, *more: Any) -> Any:
        return replace(make(match, *more), hash=hash_view(repr(match.state).encode()))

    for module in (table_connections, socket_requests):
        patch.setattr(module, "make_update", leaky_update)


def leak_in_refusals(patch: pytest.MonkeyPatch) -> None:
    """Make a refusal reveal the sum of a hidden hand."""

    def leaky_decide(state: Any, *args: Any) -> Any:
        try:
            return UNIKAT.decide(state, *args)
        except Illegal:
            odd = sum(int(tile) for tile in state.hands[1]) % 7
            raise Illegal(UnikatReason.MUST_ACT, odd=odd) from None

    decide: Any = leaky_decide
    patch.setitem(GAMES, "unikat", dataclasses.replace(UNIKAT, decide=decide))


def log_checksums(patch: pytest.MonkeyPatch) -> None:
    take_in = LiveMatch._set_replayed

    def log_and_take_in(match: LiveMatch, after: ReplayResult) -> None:
        log = logging.getLogger("pytlik.server.live.room")
        log.info("%d bytes", zlib.crc32(msgspec.json.encode(after.recent)))
        take_in(match, after)

    patch.setattr(LiveMatch, "_set_replayed", log_and_take_in)


def leak_deck_checksum(patch: pytest.MonkeyPatch) -> None:
    """Make the time of the shuffle reveal the hidden deck."""

    def leaky_mask(event: Any, seat: int | None) -> Any:
        masked = UBONGO.mask(event, seat)
        if isinstance(event, DeckShuffled):
            return replace(masked, at=zlib.crc32(msgspec.json.encode(event.cards)))
        return masked

    patch.setitem(GAMES, "ubongo", dataclasses.replace(UBONGO, mask=leaky_mask))


def leak_pieces_in_points(patch: pytest.MonkeyPatch) -> None:
    """Make the points reveal where pieces lie."""

    def leaky_view(state: Any, seat: int | None) -> Any:
        shown = UBONGO.view(state, seat)
        cells = [sum(map(sum, on)) for placed in state.placed.values() for on in placed.values()]
        return replace(shown, points=(sum(cells) % 5, *shown.points[1:]))

    patch.setitem(GAMES, "ubongo", dataclasses.replace(UBONGO, view=leaky_view))


PLANTED_LEAKS: tuple[tuple[Callable[[Any], None], str, str], ...] = (
    (hash_whole_state, "unikat", "seat 0 is told apart"),
    (hash_whole_state, "ubongo", "spectator is told apart"),
    (leak_in_refusals, "unikat", "seat 0 is told apart"),
    (log_checksums, "unikat", "the log tells apart"),
    (leak_deck_checksum, "ubongo", "HTTP tells apart"),
    (leak_pieces_in_points, "ubongo", "lost is told apart"),
)


@pytest.mark.parametrize(("plant", "game", "name"), PLANTED_LEAKS)
def test_a_planted_leak_is_found_by_name(
    play_in_twin_world: PlayInWorld,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[Any], None],
    game: str,
    name: str,
) -> None:
    plant(monkeypatch)
    assert name in set(find_differences(play_in_twin_world(game, 0), play_in_twin_world(game, 1)))
