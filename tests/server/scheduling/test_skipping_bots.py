"""People who are done don't have to wait for bots, and bots lose nothing by that."""

import asyncio
from typing import Any

import pytest

from pytlik.game import Expire
from pytlik.server.live.room import Room
from pytlik.ubongo.messages import Lift, Place
from tests.server.client import Client, Refusal
from tests.server.live_server import LiveServer, server_test
from tests.server.people_at_table import (
    Message,
    is_table_with_chairs,
    post_to_table,
    solving_actions,
    start_ubongo_round,
    wait_for_message,
)


async def begin_round(live_server: LiveServer, people: list[Client]) -> None:
    """Make everyone ready, bots a moment later, and let the countdown pass."""
    for person in people:
        assert (await person.act({"kind": "ready"}))["kind"] == "done"
    countdown = asyncio.gather(
        *(wait_for_message(person, is_update_in_phase("solving")) for person in people)
    )
    await live_server.skip_time_until(countdown.done)


async def planned_solutions(live_server: LiveServer, table: str, level: str) -> dict[int, int]:
    """When each bot will have solved its card: milliseconds since the round began."""
    room = live_server.room(table)
    match: Any = room.match
    found = {}
    for seat in match.game.awaited(match.state):
        planned = await room.services.bots.plan(match, seat, level)
        assert planned
        key, schedule = planned
        lying = set()
        for _, action in schedule:
            if isinstance(action, Place):
                lying.add(action.piece)
            elif isinstance(action, Lift):
                lying.discard(action.piece)
        last = schedule[-1][0] - key.began
        if lying == match.state.deals[seat].pieces.keys() and last < match.state.sand - key.began:
            found[seat] = last
    return found


def solution_times(view: Any) -> dict[int, int]:
    """When each seat solved its card, as everyone sees it."""
    return {each["seat"]: each["time"] - view["began"] for each in view["solutions"]}


async def solve_card(person: Client) -> None:
    for action in solving_actions(person):
        assert (await person.act(action))["kind"] == "done"


def is_update_in_phase(phase: str) -> Any:
    def holds(message: Message) -> bool:
        return message["kind"] == "update" and bool(message["view"]["phase"] == phase)

    return holds


async def refusal_of_skip(person: Client, table: str) -> str:
    with pytest.raises(Refusal) as caught:
        await post_to_table(person, table, "skip")
    return str(caught.value.args[1])


@pytest.mark.parametrize("others_are_quicker", [False, True])
@server_test
async def test_skipping_gives_every_bot_its_planned_time(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, others_are_quicker: bool
) -> None:
    """Two people ask at the same moment, and the scheduler may act in between, but the time is
    skipped only once."""
    if others_are_quicker:
        act = Room.act

        async def act_twice(self: Room, seat: Any, action: Any, *args: Any, **kwargs: Any) -> int:
            seq = await act(self, seat, action, *args, **kwargs)
            # The second time, nothing is due.
            return await act(self, seat, action, **kwargs) if isinstance(action, Expire) else seq

        monkeypatch.setattr(Room, "act", act_twice)
    table, people = await live_server.create_match("ubongo", people=2, bots=2)
    await begin_round(live_server, people)
    live_server.pass_time(1_500)
    for person in people:
        await solve_card(person)
    live_server.pass_time(250)
    ola = people[0]
    await wait_for_message(ola, lambda m: m["kind"] == "update" and len(m["view"]["settled"]) == 2)
    planned = await planned_solutions(live_server, table, "easy")
    assert planned, "this deal tests nothing"
    now = live_server.now
    await asyncio.gather(*(post_to_table(person, table, "skip") for person in people))
    await wait_for_message(ola, is_update_in_phase("ready"))
    assert live_server.now == now
    solved = solution_times(ola.view)
    assert {seat: solved[seat] for seat in solved if seat >= len(people)} == planned
    assert ola.view["settled"] == [0, 1, *sorted(planned, key=lambda seat: planned[seat])]


@server_test
async def test_a_second_chance_is_for_everyone(live_server: LiveServer) -> None:
    """Someone who has given up can go on then, with all of the sand."""
    options = {"pieces": 5, "seconds": 30}
    table, (ola,) = await live_server.create_match("ubongo", people=1, bots=1, options=options)
    await begin_round(live_server, [ola])
    assert (await ola.act({"kind": "give_up"}))["kind"] == "done"
    assert await planned_solutions(live_server, table, "easy") == {}, "this deal tests nothing"
    await post_to_table(ola, table, "skip")
    await wait_for_message(ola, is_update_in_phase("second_chance"))
    assert ola.view["choices"]["solve"]
    assert ola.view["sand"] == live_server.now + 30_000
    assert await refusal_of_skip(ola, table) == "wrong_phase"


@server_test
async def test_only_players_can_skip_and_only_when_no_person_is_solving(
    live_server: LiveServer,
) -> None:
    table, people = await live_server.create_match("ubongo", people=2, bots=1)
    ola, max_ = people
    stranger = live_server.new_person()
    assert await refusal_of_skip(ola, table) == "wrong_phase"
    await begin_round(live_server, people)
    await solve_card(ola)
    before = await live_server.store.events(f"{table}.1")
    assert await refusal_of_skip(ola, table) == "wrong_phase"
    assert await live_server.store.events(f"{table}.1") == before
    await solve_card(max_)
    assert await refusal_of_skip(stranger, table) == "not_your_seat"
    for person in people:
        await post_to_table(person, table, "pause")
    assert await refusal_of_skip(ola, table) == "paused"


@server_test
async def test_time_of_an_absent_person_cannot_be_skipped(live_server: LiveServer) -> None:
    """A bot plays for them, but they may be back at any moment."""
    agreement = {"away_seconds": 10, "bot_level": "easy"}
    options = {"seconds": 600}
    table, people = await live_server.create_match("ubongo", options=options, agreement=agreement)
    ola, max_ = people
    await start_ubongo_round(live_server, people)
    await solve_card(ola)
    assert max_.socket
    await max_.socket.close()
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: not chairs[1]["here"]))
    await live_server.wait_for_connections(1)
    live_server.pass_time(10_000)
    await wait_for_message(ola, is_table_with_chairs(lambda chairs: chairs[1]["stand_in"]))
    assert ola.view["phase"] == "solving", "this deal tests nothing"
    assert await refusal_of_skip(ola, table) == "wrong_phase"
