"""What people at a table do by its socket, and what they wait for."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed

from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex
from tests.server.client import Client
from tests.server.house import House

Message = dict[str, Any]


async def until(person: Client, holds: Callable[[Message], Any]) -> Message:
    """The next message of which something is so."""
    while not holds(message := await person.next()):
        pass
    return message


def changed(holds: Callable[[list[Message]], Any]) -> Callable[[Message], Any]:
    """The table has changed, and something is so of its chairs."""
    return lambda m: m["kind"] == "table_changed" and holds(m["table"]["chairs"])


async def post(person: Client, table: str, what: str, **body: Any) -> Any:
    return await person.ask("POST", f"/api/tables/{table}/{what}", body)


async def closed(person: Client) -> int | None:
    """Read to the end; how it was closed."""
    assert person.socket
    with suppress(ConnectionClosed):
        while True:
            await person.next()
    return person.socket.close_code


async def quiet(person: Client) -> list[str]:
    """The kinds of all messages that come before the answer to a question of no meaning."""
    before = len(person.received)
    await person.send(kind="sit", seat=99)
    await until(person, lambda m: m["kind"] == "refused" and m["reason"] == "not_your_seat")
    return [message["kind"] for message in person.received[before:-1]]


async def over(person: Client) -> None:
    """The table knows that the match is over, and so does the person."""
    while not any(
        message["kind"] == "table_changed" and message["table"]["phase"] == "over"
        for message in person.received
    ):
        await person.next()


def mover(people: list[Client]) -> Client:
    """Whose turn it is in Unikat."""
    (one,) = [person for person in people if person.view["to_move"] == person.seat]
    return one


def some_action(view: Any) -> Any:
    """Anything that is legal now."""
    choices = view["choices"]
    if choices["lay"]:
        tile, (cell, *_) = next(iter(choices["lay"].items()))
        return {"kind": "lay", "tiles": [[tile, *cell]]}
    for kind in ("decline", "pass", "ready"):
        if choices[kind]:
            return {"kind": kind}
    take = choices["take"][0]
    if choices["draw"]:
        return {"kind": "draw", "take": take}
    return {"kind": "swap", "give": view["hand"][0], "take": take}


def solution(person: Client) -> list[Message]:
    """The actions that solve the person's card."""
    deal = person.view["deals"][str(person.seat)]
    area = tuple(Hex(*cell) for cell in deal["area"])
    pieces = [tuple(Hex(*cell) for cell in cells) for cells in deal["pieces"].values()]
    solved = solver.first(area, pieces)
    assert solved
    return [
        {"kind": "place", "piece": int(number), "cells": cells}
        for number, cells in zip(deal["pieces"], solved, strict=True)
    ]


async def begin_round(house: House, people: list[Client]) -> None:
    """Everyone is ready, and the countdown is over."""
    for person in people:
        assert (await person.act({"kind": "ready"}))["kind"] == "done"
    await until(people[0], lambda m: m["kind"] == "update" and m["view"]["phase"] == "countdown")
    house.pass_time(3_000)
    for person in people:
        await until(person, lambda m: m["kind"] == "update" and m["view"]["phase"] == "solving")


async def race(person: Client) -> None:
    """Solve card after card, whenever there is one."""
    while not person.view["outcome"]:
        choices = person.view["choices"]
        if choices["ready"]:
            await person.act({"kind": "ready"})
        elif choices["solve"]:
            for action in solution(person):
                await person.act(action)
        if not person.view["outcome"] and not any(person.view["choices"].values()):
            await person.next()
