"""What happens at a table because time has passed, or because it stands still."""

import asyncio

import pytest

from tests.server.house import House, empty_database, house, same_secrets, scene
from tests.server.people import begin_round, changed, mover, post, quiet, solution, until
from tests.server.told_clock import wait_in_real_time

__all__ = ["empty_database", "house", "same_secrets"]

HOUR = 3_600_000


@scene
async def test_a_turn_that_takes_too_long_is_played_by_a_bot(house: House) -> None:
    _, people = await house.match(agreement={"turn_seconds": 30, "bot_level": "easy"})
    one = mover(people)
    seat = people.index(one)
    house.pass_time(29_000)
    assert "update" not in await quiet(one)
    house.pass_time(2_000)
    chairs = (await until(one, changed(lambda c: c[seat]["stand_in"])))["table"]["chairs"]
    assert chairs[seat]["level"] == "easy"
    turn = asyncio.create_task(
        until(one, lambda m: m["kind"] == "update" and m["view"]["to_move"] != seat)
    )
    await house.hurry(turn.done, 30_000)
    # Who acts plays again.
    assert (await one.act({"kind": "pass"}))["reason"] == "not_your_turn"
    told = [m for m in one.received if m["kind"] == "table_changed"]
    if told[-1]["table"]["chairs"][seat]["stand_in"]:
        await until(one, changed(lambda c: not c[seat]["stand_in"]))


@scene
async def test_a_bot_seems_to_think(house: House) -> None:
    """For as long as the server's setting says."""
    _, (one,) = await house.match(people=1, bots=1, options={"starter": 1})
    pause = round(1000 * house.settings.bot_pause)
    assert pause > 500
    house.pass_time(pause - 1)
    assert "update" not in await quiet(one)
    house.pass_time(1)
    await one.until("update")


@scene
async def test_slow_play_waits_for_days(house: House) -> None:
    day = 86_400
    _, people = await house.match(agreement={"slow": True, "turn_seconds": 2 * day})
    one = mover(people)
    seat = people.index(one)
    other = people[1 - seat]
    await one.socket.close()  # type: ignore[union-attr]
    await until(other, changed(lambda chairs: not chairs[seat]["here"]))
    await house.quiet_but_for(1)
    house.pass_time(1_900 * day)
    assert "update" not in await quiet(other)
    house.pass_time(200 * day)
    await until(other, changed(lambda chairs: chairs[seat]["stand_in"]))


@scene
async def test_a_pause_by_agreement_stops_the_sand(house: House) -> None:
    table, people = await house.match("ubongo")
    ola, max_ = people
    await begin_round(house, people)
    sand = ola.view["sand"]
    house.pass_time(10_000)
    await post(ola, table, "pause")
    told = await until(max_, lambda m: m["kind"] == "table_changed" and m["table"]["pausing"])
    assert (told["table"]["pausing"], told["table"]["paused"]) == ([0], None)
    await post(max_, table, "pause")
    for person in people:
        told = await until(person, lambda m: m["kind"] == "table_changed" and m["table"]["paused"])
        assert told["table"]["paused"] == house.now
    assert (await ola.act({"kind": "give_up"}))["reason"] == "paused"
    house.pass_time(1_000_000)
    assert "update" not in await quiet(ola)
    for person in people:
        await post(person, table, "pause")
    for person in people:
        await until(person, lambda m: m["kind"] == "update" and m["view"]["sand"] != sand)
        assert person.view["sand"] == sand + 1_000_000
    house.pass_time(40_000)
    assert (await ola.act(solution(ola)[0]))["kind"] == "done"
    house.pass_time(10_000 + 250)
    for person in people:
        await until(person, lambda m: m["kind"] == "update" and "second" in m["view"]["phase"])


@scene
async def test_what_is_due_sooner_than_thought_is_not_late(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock waits for the next deadline, and is woken up for one before it, and again."""
    monkeypatch.setattr(
        "pytlik.server.scheduler.POLL_MS", 2 * HOUR
    )  # so that only waking it up helps
    alarm = house.rooms.services.alarm
    waiting = asyncio.Event()

    async def waits() -> None:
        waiting.set()
        await wait_in_real_time(alarm)

    monkeypatch.setattr(alarm, "wait", waits)
    for _ in range(2):  # it may just have been looking, in its old way
        waiting.clear()
        house.pass_time(0)
        await waiting.wait()
    waiting.clear()
    alarm.note({"one": house.now + HOUR})
    await asyncio.sleep(0)
    alarm.note({"two": house.now})
    await waiting.wait()
