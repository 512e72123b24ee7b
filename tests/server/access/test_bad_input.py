"""Malformed messages in the middle of a match do no harm. `make soak` sends ten thousand."""

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

from pytlik.server.processes import logging_setup
from tests.server.client import Client
from tests.server.live_server import LiveServer, server_test
from tests.server.people_at_table import (
    any_legal_action,
    person_to_move,
    solving_actions,
    wait_for_message,
)

FRAMES_PER_CONNECTION = 50
ALLOWED_CLOSE_CODES = {1007, 1008, 1009}
"""Close codes for messages that aren't valid text, are too many or too long."""

MAX_GROWTH_BYTES = 4_000_000
"""How much the process may grow: what the allocator keeps, not memory leaked by frames."""

VALID_ACTIONS: dict[str, list[Any]] = {
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
VALID_MESSAGES = [
    {"kind": "sit", "seat": 0},
    {"kind": "sit", "seat": None},
    {"kind": "sync", "seq": 2, "hash": "0123456789abcdef"},
    {"kind": "pong", "n": 1_794_700_800_000},
    {"kind": "react", "reaction": "clap"},
    {"kind": "chat", "text": "Dobrý den!"},
]
ODD_VALUES: list[Any] = [
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


def mutate_message(random: Random, game: str) -> str | bytes:
    """A message with something wrong in it. About half of them can still be decoded."""
    message = json.loads(json.dumps(random.choice([*VALID_MESSAGES, *([None] * 8)])))
    if message is None:
        action = random.choice(VALID_ACTIONS[game])
        id = f"f{random.randrange(1_000)}"
        message = {"kind": "act", "id": id, "seat": random.randrange(3), "action": action}
        message = json.loads(json.dumps(message))
    for _ in range(random.randrange(3)):
        change_something(random, message)
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


def change_something(random: Random, node: Any) -> None:
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
    odd = deepcopy(random.choice(ODD_VALUES))  # or it could end up inside itself
    if what == 0:
        del node[key]
    elif what == 1 and isinstance(node, dict):
        node[random.choice(["more", "kind", "id", "seat", ""])] = odd
    else:
        node[key] = odd


async def send_frame(socket: ClientConnection, frame: str | bytes) -> None:
    if isinstance(frame, bytes):
        await socket.send(frame)
    else:  # as a text frame, whether it's valid text or not
        await socket.send(frame.encode(errors="surrogateescape"), text=True)


async def read_until_answer(socket: ClientConnection, id: str, kinds: Counter[str]) -> None:
    """Send a last request, and read until its answer."""
    action = {"kind": "no such thing"}
    await socket.send(json.dumps({"kind": "act", "id": id, "seat": 0, "action": action}))
    while True:
        message = json.loads(await socket.recv())
        kinds[message["kind"]] += 1
        if message.get("id") == id:
            assert message["kind"] == "refused"
            return


def memory_bytes() -> int:
    gc.collect()
    resident = Path("/proc/self/statm").read_text().split()[1]
    return int(resident) * resource.getpagesize()


@server_test
@pytest.mark.parametrize("frames", [1_000, pytest.param(5_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", ["unikat", "ubongo"])
async def test_malformed_frames_do_no_harm(
    live_server: LiveServer, game: str, frames: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    random = Random(f"broken {game}")
    table, people = await live_server.create_match(
        game, agreement={"chat": True, "away_seconds": None}
    )
    one = people[0]
    await one.disconnect()
    url = live_server.address.replace("http", "ws") + f"/api/tables/{table}/socket"
    headers = {"Authorization": f"Bearer {one.token}"}
    kinds: Counter[str] = Counter()
    codes: Counter[int | None] = Counter()
    before, socket = 0, None
    for batch in range(frames // FRAMES_PER_CONNECTION):
        if batch == frames // FRAMES_PER_CONNECTION // 4:
            before = memory_bytes()
        live_server.pass_time(10_000)
        if socket is None:
            socket = await connect(url, additional_headers=headers, max_size=None)
        try:
            for frame in [mutate_message(random, game) for _ in range(FRAMES_PER_CONNECTION)]:
                await send_frame(socket, frame)
            await read_until_answer(socket, f"last-{batch}", kinds)
        except ConnectionClosed:
            codes[socket.close_code] += 1
            socket = None
        await discard_received(people[1])
    assert memory_bytes() - before < MAX_GROWTH_BYTES
    assert set(codes) <= ALLOWED_CLOSE_CODES, codes
    assert kinds["refused"] > frames // 2
    assert kinds["update"] > 10
    bad = [record for record in caplog.records if logging_setup.InvalidUtf8Filter().filter(record)]
    assert [record.getMessage() for record in bad if record.levelno >= logging.ERROR] == []
    if socket:
        await socket.close()
    await check_table_still_works(live_server, table, [one, people[1]])


async def discard_received(person: Client) -> None:
    """Discard everything received so far."""
    assert person.socket
    try:
        async with asyncio.timeout(0):
            while True:
                await person.next_message()
    except TimeoutError:
        person.received.clear()


async def check_table_still_works(
    live_server: LiveServer, table: str, people: list[Client]
) -> None:
    """Check that the table still works: everyone reconnects and acts, and all see it."""
    back = [live_server.new_person(person.token) for person in people]
    for person in back:
        await person.join(table)
        await person.wait_for("update")
    if back[0].view["game"] == "unikat":
        await take_turns(back)
    else:
        await solve_a_round(live_server, back)


async def take_turns(people: list[Client]) -> None:
    """Give everyone at least two turns with any legal action."""
    turns: Counter[int | None] = Counter()
    while len(turns) < len(people) or min(turns.values()) < 2:
        one = person_to_move(people)
        before = one.view
        done = await one.act(any_legal_action(before))
        assert done["kind"] == "done", done
        await wait_until_all_see(people, done["seq"])
        assert one.view != before
        if one.view["to_move"] != one.seat:
            turns[one.seat] += 1
        assert one.view["outcome"] is None


async def solve_a_round(live_server: LiveServer, people: list[Client]) -> None:
    """Begin a round if the frames haven't, and let the first person solve their card."""
    phase = people[0].view["phase"]
    if phase in ("ready", "countdown"):
        for person in people:
            if person.view["choices"]["ready"]:
                done = await person.act({"kind": "ready"})
                assert done["kind"] == "done", done
                await wait_until_all_see(people, done["seq"])
        assert people[0].view["phase"] == "countdown"
        live_server.pass_time(3_000)
        for person in people:
            if person.view["phase"] == "countdown":
                await wait_for_message(
                    person, lambda m: m["kind"] == "update" and m["view"]["deals"]
                )
    assert people[0].view["phase"] in ("solving", "second_chance")
    first = people[0]
    for action in solving_actions(first):
        done = await first.act(action)
        assert done["kind"] == "done", done
        await wait_until_all_see(people, done["seq"])
    assert [solved["seat"] for solved in people[1].view["solutions"]] == [0]


async def wait_until_all_see(people: list[Client], seq: int) -> None:
    for person in people:
        while person.seq < seq:
            await person.next_message()
        assert person.seq == seq
