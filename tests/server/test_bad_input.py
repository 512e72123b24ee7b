"""Broken messages to a table that is played at: nothing breaks. `make soak` sends ten thousand."""

import asyncio
import gc
import json
import logging
import resource
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pytlik.server import logs
from tests.server.client import Client
from tests.server.house import House, empty_database, house, same_secrets, scene
from tests.server.people import mover, solution, some_action, until

__all__ = ["empty_database", "house", "same_secrets"]

BATCH = 50
POLICY = {1007, 1008, 1009}
"""How a connection may be closed for what it sends: no text, too often, too long."""

MARGIN = 4_000_000
"""Bytes by which the process may grow: what the allocator keeps, and not what frames leave."""

WHOLE: dict[str, list[Any]] = {
    "unikat": [
        {"kind": "lay", "tiles": [["0100", 0, 1], ["0101", 1, 1]]},
        {"kind": "swap", "give": "0100", "take": "1111"},
        {"kind": "swap", "give": "0100", "take": "bag"},
        {"kind": "decline"},
        {"kind": "draw", "take": "1111"},
        {"kind": "pass"},
        {"kind": "ready"},
    ],
    "ubongo": [
        {"kind": "place", "piece": 3, "cells": [[0, 0], [1, 0], [1, -1]]},
        {"kind": "lift", "piece": 3},
        {"kind": "ready"},
        {"kind": "expire"},
        {"kind": "shift", "by": 1_000},
    ],
}
MESSAGES = [
    {"kind": "sit", "seat": 0},
    {"kind": "sit", "seat": None},
    {"kind": "sync", "seq": 2, "hash": "0123456789abcdef"},
    {"kind": "pong", "n": 1_794_700_800_000},
    {"kind": "react", "reaction": "clap"},
    {"kind": "chat", "text": "Dobrý den!"},
]
ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    10**18,
    2**63,
    -(2**64),
    10**100,
    1.5,
    1e308,
    "",
    "\0",
    "\u202e",
    "0000",
    "bag",
    "a" * 300,
    [],
    {},
    [[[]]],
    {"kind": "act"},
    [0] * 1_000,
]


def mutated(random: Random, game: str) -> str | bytes:
    """A message with something wrong, as often as not so that it can still be read."""
    message = json.loads(json.dumps(random.choice([*MESSAGES, *([None] * 8)])))
    if message is None:
        action = random.choice(WHOLE[game])
        id = f"f{random.randrange(1_000)}"
        message = {"kind": "act", "id": id, "seat": random.randrange(3), "action": action}
        message = json.loads(json.dumps(message))
    for _ in range(random.randrange(3)):
        twist(random, message)
    text = json.dumps(message, ensure_ascii=random.random() < 0.95)
    what = random.randrange(10)
    if what < 5:
        return text
    data = bytearray(text.encode())
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(data))
        if what < 7:
            data[at] = random.randrange(128 if random.random() < 0.98 else 256)
        elif what < 9:
            del data[at : at + random.randrange(1, 9)]
            data += b" "
        else:
            data[at:at] = bytes(data[: random.randrange(200)]) * random.choice(
                [1, 2, 9, 80 if random.random() < 0.02 else 3]
            )
    if what == 6:
        return bytes(data)  # as a binary frame
    return data.decode(errors="surrogateescape")


def twist(random: Random, node: Any) -> None:
    """Change something somewhere in a message."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = random.choice(keys)
        if not isinstance(node[key], (dict, list)) or random.random() < 0.4:
            break
        node = node[key]
    what = random.randrange(6)
    odd = deepcopy(random.choice(ODD))  # or it could be put into itself
    if what == 0:
        del node[key]
    elif what == 1 and isinstance(node, dict):
        node[random.choice(["more", "kind", "id", "seat", ""])] = odd
    else:
        node[key] = odd


async def throw(socket: ClientConnection, frame: str | bytes) -> None:
    if isinstance(frame, bytes):
        await socket.send(frame)
    else:  # as text, whether it is or not
        await socket.send(frame.encode(errors="surrogateescape"), text=True)


async def answered(socket: ClientConnection, id: str, kinds: Counter[str]) -> None:
    """Read up to the answer to a last question."""
    action = {"kind": "no such thing"}
    await socket.send(json.dumps({"kind": "act", "id": id, "seat": 0, "action": action}))
    while True:
        message = json.loads(await socket.recv())
        kinds[message["kind"]] += 1
        if message.get("id") == id:
            assert message["kind"] == "refused"
            return


def memory() -> int:
    gc.collect()
    resident = Path("/proc/self/statm").read_text().split()[1]
    return int(resident) * resource.getpagesize()


@scene
@pytest.mark.parametrize("frames", [1_000, pytest.param(5_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", ["unikat", "ubongo"])
async def test_broken_frames_break_nothing(
    house: House, game: str, frames: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    random = Random(f"broken {game}")
    table, people = await house.match(game, agreement={"chat": True, "away_seconds": None})
    one = people[0]
    await one.socket.close()  # type: ignore[union-attr]
    url = house.address.replace("http", "ws") + f"/api/tables/{table}/socket"
    headers = {"Authorization": f"Bearer {one.token}"}
    kinds: Counter[str] = Counter()
    codes: Counter[int | None] = Counter()
    before, socket = 0, None
    for batch in range(frames // BATCH):
        if batch == frames // BATCH // 4:
            before = memory()
        house.pass_time(10_000)
        if socket is None:
            socket = await connect(url, additional_headers=headers, max_size=None)
        try:
            for frame in [mutated(random, game) for _ in range(BATCH)]:
                await throw(socket, frame)
            await answered(socket, f"last-{batch}", kinds)
        except ConnectionClosed:
            codes[socket.close_code] += 1
            socket = None
        await drain(people[1])
    assert memory() - before < MARGIN
    assert set(codes) <= POLICY, codes
    assert kinds["refused"] > frames // 2
    assert kinds["update"] > 10
    bad = [record for record in caplog.records if logs.BadTextFilter().filter(record)]
    assert [record.getMessage() for record in bad if record.levelno >= logging.ERROR] == []
    if socket:
        await socket.close()
    await play_on(house, table, [one, people[1]])


async def drain(person: Client) -> None:
    """Forget all that has come so far."""
    assert person.socket
    try:
        async with asyncio.timeout(0):
            while True:
                await person.next()
    except TimeoutError:
        person.received.clear()


async def play_on(house: House, table: str, people: list[Client]) -> None:
    """The table is as good as before: everyone comes back and does something, and all see it."""
    back = [house.person(person.token) for person in people]
    for person in back:
        await person.join(table)
        await person.until("update")
    if back[0].view["game"] == "unikat":
        await take_turns(back)
    else:
        await race(house, back)


async def take_turns(people: list[Client]) -> None:
    """Each has at least two turns, with whatever is legal then."""
    turns: Counter[int | None] = Counter()
    while len(turns) < len(people) or min(turns.values()) < 2:
        one = mover(people)
        before = one.view
        done = await one.act(some_action(before))
        assert done["kind"] == "done", done
        await all_see(people, done["seq"])
        assert one.view != before
        if one.view["to_move"] != one.seat:
            turns[one.seat] += 1
        assert one.view["outcome"] is None


async def race(house: House, people: list[Client]) -> None:
    """A round is begun (if the frames have not), and everyone solves their card."""
    phase = people[0].view["phase"]
    if phase in ("ready", "countdown"):
        for person in people:
            if person.view["choices"]["ready"]:
                done = await person.act({"kind": "ready"})
                assert done["kind"] == "done", done
                await all_see(people, done["seq"])
        assert people[0].view["phase"] == "countdown"
        house.pass_time(3_000)
        for person in people:
            if person.view["phase"] == "countdown":
                await until(person, lambda m: m["kind"] == "update" and m["view"]["deals"])
    assert people[0].view["phase"] in ("solving", "second_chance")
    first = people[0]
    for action in solution(first):
        done = await first.act(action)
        assert done["kind"] == "done", done
        await all_see(people, done["seq"])
    assert [solved["seat"] for solved in people[1].view["solutions"]] == [0]


async def all_see(people: list[Client], seq: int) -> None:
    for person in people:
        while person.seq < seq:
            await person.next()
        assert person.seq == seq
