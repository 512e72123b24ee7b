"""What people at a table do over its socket, and what they wait for."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed

from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex
from tests.server.client import Client
from tests.server.live_server import LiveServer

Message = dict[str, Any]


async def wait_for_message(person: Client, holds: Callable[[Message], Any]) -> Message:
    """Wait for the next message for which `holds` is true."""
    while not holds(message := await person.next_message()):
        pass
    return message


def is_table_with_chairs(holds: Callable[[list[Message]], Any]) -> Callable[[Message], Any]:
    """Match a change of the table whose chairs satisfy `holds`."""
    return lambda m: m["kind"] == "table_changed" and holds(m["table"]["chairs"])


async def post_to_table(person: Client, table: str, what: str, **body: Any) -> Any:
    return await person.ask("POST", f"/api/tables/{table}/{what}", body)


async def read_until_closed(person: Client) -> int | None:
    """Read until the socket is closed, and return its close code."""
    assert person.socket
    with suppress(ConnectionClosed):
        while True:
            await person.next_message()
    return person.socket.close_code


async def message_kinds_until_answer(person: Client) -> list[str]:
    """Send a meaningless request, and return the kinds of all messages that come before its
    answer."""
    before = len(person.received)
    await person.send(kind="sit", seat=99)
    await wait_for_message(
        person, lambda m: m["kind"] == "refused" and m["reason"] == "not_your_seat"
    )
    return [message["kind"] for message in person.received[before:-1]]


async def wait_until_over(person: Client) -> None:
    """Wait until the person has seen that the table's match is over."""
    while not any(
        message["kind"] == "table_changed" and message["table"]["phase"] == "over"
        for message in person.received
    ):
        await person.next_message()


def person_to_move(people: list[Client]) -> Client:
    """The person whose turn it is in Unikat."""
    (one,) = [person for person in people if person.view["to_move"] == person.seat]
    return one


def any_legal_action(view: Any) -> Any:
    """Any legal action."""
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


def solving_actions(person: Client) -> list[Message]:
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


async def start_ubongo_round(live_server: LiveServer, people: list[Client]) -> None:
    """Make everyone ready and let the countdown pass."""
    for person in people:
        assert (await person.act({"kind": "ready"}))["kind"] == "done"
    await wait_for_message(
        people[0], lambda m: m["kind"] == "update" and m["view"]["phase"] == "countdown"
    )
    live_server.pass_time(3_000)
    for person in people:
        await wait_for_message(
            person, lambda m: m["kind"] == "update" and m["view"]["phase"] == "solving"
        )


async def solve_all_cards(person: Client) -> None:
    """Solve every card until the match is over."""
    while not person.view["outcome"]:
        choices = person.view["choices"]
        if choices["ready"]:
            await person.act({"kind": "ready"})
        elif choices["solve"]:
            for action in solving_actions(person):
                await person.act(action)
        if not person.view["outcome"] and not any(person.view["choices"].values()):
            await person.next_message()
