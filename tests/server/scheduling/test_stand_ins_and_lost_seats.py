"""Leaving, coming back, and losing a seat or the table."""

import asyncio

import pytest

from tests.server.client import Client, Refusal
from tests.server.live_server import (
    ADMIN_TOKEN,
    TIMEOUT_SECONDS,
    LiveServer,
    server_test,
    start_match,
)
from tests.server.people_at_table import (
    any_legal_action,
    is_table_with_chairs,
    message_kinds_until_answer,
    person_to_move,
    post_to_table,
    read_until_closed,
    wait_for_message,
)


@server_test
async def test_a_bot_stands_in_and_the_person_takes_the_seat_back(live_server: LiveServer) -> None:
    table, people = await live_server.create_match(agreement={"away_seconds": 60})
    one = person_to_move(people)
    seat = people.index(one)
    other = people[1 - seat]
    await one.disconnect()
    await wait_for_message(other, is_table_with_chairs(lambda chairs: not chairs[seat]["here"]))
    await live_server.wait_for_connections(1)
    live_server.pass_time(59_000)
    assert "update" not in await message_kinds_until_answer(other)
    live_server.pass_time(2_000)
    chairs = (await wait_for_message(other, is_table_with_chairs(lambda c: c[seat]["stand_in"])))[
        "table"
    ]["chairs"]
    assert (chairs[seat]["level"], chairs[seat]["kind"]) == ("medium", "person")
    turn = asyncio.create_task(
        wait_for_message(other, lambda m: m["kind"] == "update" and m["view"]["to_move"] != seat)
    )
    await live_server.skip_time_until(turn.done, 60_000)
    back = live_server.new_person(one.token)
    await back.join(table)
    # before anything that follows from their arrival
    assert (await back.next_message())["kind"] == "hello"
    chairs = (await wait_for_message(other, is_table_with_chairs(lambda c: c[seat]["here"])))[
        "table"
    ]["chairs"]
    if chairs[seat]["stand_in"]:
        await wait_for_message(other, is_table_with_chairs(lambda c: not c[seat]["stand_in"]))
    done = await other.act(any_legal_action(other.view))
    await wait_for_message(back, lambda m: m["kind"] == "update" and m["seq"] == done["seq"])
    live_server.pass_time(600_000)
    assert "update" not in await message_kinds_until_answer(back)


@server_test
async def test_no_bot_stands_in_for_a_person_who_comes_back_in_time(
    live_server: LiveServer,
) -> None:
    table, (ola, max_) = await live_server.create_match(agreement={"away_seconds": 60})
    await ola.disconnect()
    await wait_for_message(max_, is_table_with_chairs(lambda chairs: not chairs[0]["here"]))
    await live_server.wait_for_connections(1)
    live_server.pass_time(59_000)
    back = live_server.new_person(ola.token)
    await back.join(table)
    await back.wait_for("update")
    live_server.pass_time(600_000)
    await message_kinds_until_answer(max_)
    assert not any(
        chair["stand_in"]
        for message in max_.received
        if message["kind"] == "table_changed"
        for chair in message["table"]["chairs"]
    )


@server_test
async def test_bot_stands_in_when_all_others_vote_for_it(live_server: LiveServer) -> None:
    """Votes count for one absence: if the person comes back and leaves again, it takes new
    votes."""
    table, people = await live_server.create_match(people=3, agreement={"away_seconds": None})
    host, absent, third = people
    path = f"/api/tables/{table}/seats/1"

    async def leave(person: Client, connections: int) -> None:
        await person.disconnect()
        await wait_for_message(host, is_table_with_chairs(lambda chairs: not chairs[1]["here"]))
        await live_server.wait_for_connections(connections)

    await leave(absent, 2)
    chair = (await host.ask("DELETE", path))["table"]["chairs"][1]
    assert (chair["for_bot"], chair["stand_in"]) == ([0], False)
    back = live_server.new_person(absent.token)
    await back.join(table)
    await wait_for_message(
        host, is_table_with_chairs(lambda chairs: chairs[1]["here"] and not chairs[1]["for_bot"])
    )
    await leave(back, 2)
    chair = (await third.ask("DELETE", path))["table"]["chairs"][1]
    assert (chair["for_bot"], chair["stand_in"]) == ([2], False)
    chair = (await host.ask("DELETE", path))["table"]["chairs"][1]
    assert (chair["for_bot"], chair["stand_in"]) == ([], True)
    await back.join(table)
    await wait_for_message(host, is_table_with_chairs(lambda chairs: not chairs[1]["stand_in"]))


@server_test
async def test_former_holder_no_longer_sees_the_hand(
    live_server: LiveServer,
) -> None:
    table, people = await live_server.create_match(people=3)
    _, max_, eva = people
    hand = max_.view["hand"]
    await max_.ask("DELETE", f"/api/tables/{table}/seats/1")
    gone = await wait_for_message(max_, lambda m: m["kind"] == "table_changed" and m["yours"] == [])
    assert gone["table"]["chairs"][1]["stand_in"]
    update = await max_.wait_for("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])
    await max_.send(kind="sit", seat=1)
    assert (await max_.wait_for("refused"))["reason"] == "not_your_seat"
    max_.seat = 1
    assert (await max_.act({"kind": "pass"}))["reason"] == "not_your_seat"
    with pytest.raises(Refusal) as refused:
        await max_.ask("GET", f"/api/tables/{table}/matches/1/events?seat=1")
    assert refused.value.args == (403, "not_your_seat")
    # The next person to sit there gets the hand that was left.
    new = live_server.new_person()
    await new.ask("GET", "/api/mine")
    await new.join(table)
    await new.wait_for("update")
    await post_to_table(new, table, "seats", name="New", seat=1)
    update = await wait_for_message(new, lambda m: m["kind"] == "update" and m["seat"] == 1)
    assert len(set(update["view"]["hand"]) & set(hand)) >= 9
    await message_kinds_until_answer(max_)
    updates = [m for m in max_.received[max_.received.index(gone) :] if m["kind"] == "update"]
    assert {m["seat"] for m in updates} == {None}
    assert await message_kinds_until_answer(eva) is not None


@server_test
async def test_seat_lost_before_the_match_starts_gives_no_hand(live_server: LiveServer) -> None:
    table, (ola, max_) = await live_server.create_table()
    await max_.ask("DELETE", f"/api/tables/{table}/seats/1")
    eva = live_server.new_person()
    await post_to_table(eva, table, "seats", name="Eva", seat=1)
    await start_match(ola, table)
    update = await max_.wait_for("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])


def test_deleting_a_table_disconnects_everyone(
    live_server_with_bot_processes: tuple[LiveServer, asyncio.Runner],
) -> None:
    live_server, runner = live_server_with_bot_processes

    async def play() -> None:
        table, (ola, max_) = await live_server.create_match()
        await live_server.new_person(ADMIN_TOKEN).ask("DELETE", f"/api/tables/{table}")
        for person in (ola, max_):
            await person.wait_for("table_gone")
            assert await read_until_closed(person) == 1013
        await live_server.wait_until_quiet()
        assert not live_server.open_matches

    runner.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))
