"""Leaving, coming back, and losing a seat or the table."""

import asyncio

import pytest

from tests.server.client import Refusal
from tests.server.house import (
    ADMIN,
    PATIENCE,
    House,
    big_house,
    empty_database,
    house,
    same_secrets,
    scene,
    start,
)
from tests.server.people import changed, closed, mover, post, quiet, some_action, until

__all__ = ["big_house", "empty_database", "house", "same_secrets"]


@scene
async def test_a_bot_sits_in_and_the_person_takes_the_seat_back(house: House) -> None:
    table, people = await house.match(agreement={"away_seconds": 60})
    one = mover(people)
    seat = people.index(one)
    other = people[1 - seat]
    await one.socket.close()  # type: ignore[union-attr]
    await until(other, changed(lambda chairs: not chairs[seat]["here"]))
    await house.quiet_but_for(1)
    house.pass_time(59_000)
    assert "update" not in await quiet(other)
    house.pass_time(2_000)
    chairs = (await until(other, changed(lambda c: c[seat]["stand_in"])))["table"]["chairs"]
    assert (chairs[seat]["level"], chairs[seat]["kind"]) == ("medium", "person")
    turn = asyncio.create_task(
        until(other, lambda m: m["kind"] == "update" and m["view"]["to_move"] != seat)
    )
    await house.hurry(turn.done, 60_000)
    back = house.person(one.token)
    await back.join(table)
    assert (await back.next())["kind"] == "hello"  # before all that follows from their coming
    chairs = (await until(other, changed(lambda c: c[seat]["here"])))["table"]["chairs"]
    if chairs[seat]["stand_in"]:
        await until(other, changed(lambda c: not c[seat]["stand_in"]))
    done = await other.act(some_action(other.view))
    await until(back, lambda m: m["kind"] == "update" and m["seq"] == done["seq"])
    house.pass_time(600_000)
    assert "update" not in await quiet(back)


@scene
async def test_who_comes_back_in_time_is_not_replaced(house: House) -> None:
    table, (ola, max_) = await house.match(agreement={"away_seconds": 60})
    await ola.socket.close()  # type: ignore[union-attr]
    await until(max_, changed(lambda chairs: not chairs[0]["here"]))
    await house.quiet_but_for(1)
    house.pass_time(59_000)
    back = house.person(ola.token)
    await back.join(table)
    await back.until("update")
    house.pass_time(600_000)
    await quiet(max_)
    assert not any(
        chair["stand_in"]
        for message in max_.received
        if message["kind"] == "table_changed"
        for chair in message["table"]["chairs"]
    )


@scene
async def test_who_lost_the_seat_sees_nothing_of_it_any_more(house: House) -> None:
    table, people = await house.match(people=3)
    _, max_, eva = people
    hand = max_.view["hand"]
    await max_.ask("DELETE", f"/api/tables/{table}/seats/1")
    gone = await until(max_, lambda m: m["kind"] == "table_changed" and m["yours"] == [])
    assert gone["table"]["chairs"][1]["stand_in"]
    update = await max_.until("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])
    await max_.send(kind="sit", seat=1)
    assert (await max_.until("refused"))["reason"] == "not_your_seat"
    max_.seat = 1
    assert (await max_.act({"kind": "pass"}))["reason"] == "not_your_seat"
    with pytest.raises(Refusal) as refused:
        await max_.ask("GET", f"/api/tables/{table}/matches/1/events?seat=1")
    assert refused.value.args == (403, "not_your_seat")
    # Whoever sits down there now has the hand that was left.
    new = house.person()
    await new.ask("GET", "/api/mine")
    await new.join(table)
    await new.until("update")
    await post(new, table, "seats", name="New", seat=1)
    update = await until(new, lambda m: m["kind"] == "update" and m["seat"] == 1)
    assert len(set(update["view"]["hand"]) & set(hand)) >= 9
    await quiet(max_)
    told = [m for m in max_.received[max_.received.index(gone) :] if m["kind"] == "update"]
    assert {m["seat"] for m in told} == {None}
    assert await quiet(eva) is not None


@scene
async def test_a_seat_that_was_lost_before_the_match_begins(house: House) -> None:
    table, (ola, max_) = await house.table()
    await max_.ask("DELETE", f"/api/tables/{table}/seats/1")
    eva = house.person()
    await post(eva, table, "seats", name="Eva", seat=1)
    await start(ola, table)
    update = await max_.until("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])


def test_a_table_that_is_deleted(big_house: tuple[House, asyncio.Runner]) -> None:
    house, runner = big_house

    async def played() -> None:
        table, (ola, max_) = await house.match()
        await house.person(ADMIN).ask("DELETE", f"/api/tables/{table}")
        for person in (ola, max_):
            await person.until("table_gone")
            assert await closed(person) == 1013
        await house.quiet()
        assert not house.open_matches

    runner.run(asyncio.wait_for(played(), PATIENCE))
