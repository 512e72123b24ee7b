"""What happens at a table because time passes, or stands still."""

import asyncio

import pytest

from pytlik.server.app import RESUME_COUNTDOWN_MS
from tests.server.ignore_real_time import wait_in_real_time
from tests.server.live_server import LiveServer, server_test
from tests.server.people_at_table import (
    is_table_with_chairs,
    message_kinds_until_answer,
    person_to_move,
    post_to_table,
    solving_actions,
    start_ubongo_round,
    wait_for_message,
)

HOUR_MS = 3_600_000


@server_test
async def test_a_turn_that_takes_too_long_is_played_by_a_bot(live_server: LiveServer) -> None:
    _, people = await live_server.create_match(agreement={"turn_seconds": 30, "bot_level": "easy"})
    one = person_to_move(people)
    seat = people.index(one)
    live_server.pass_time(29_000)
    assert "update" not in await message_kinds_until_answer(one)
    live_server.pass_time(2_000)
    chairs = (await wait_for_message(one, is_table_with_chairs(lambda c: c[seat]["stand_in"])))[
        "table"
    ]["chairs"]
    assert chairs[seat]["level"] == "easy"
    turn = asyncio.create_task(
        wait_for_message(one, lambda m: m["kind"] == "update" and m["view"]["to_move"] != seat)
    )
    await live_server.skip_time_until(turn.done, 30_000)
    # A person who acts takes over from the bot again.
    assert (await one.act({"kind": "pass"}))["reason"] == "not_your_turn"
    changes = [m for m in one.received if m["kind"] == "table_changed"]
    if changes[-1]["table"]["chairs"][seat]["stand_in"]:
        await wait_for_message(one, is_table_with_chairs(lambda c: not c[seat]["stand_in"]))


@server_test
async def test_bot_pauses_before_it_moves(live_server: LiveServer) -> None:
    """The pause is as long as the server's settings say."""
    _, (one,) = await live_server.create_match(people=1, bots=1, options={"starter": 1})
    pause = round(1000 * live_server.settings.bot_pause)
    assert pause > 500
    live_server.pass_time(pause - 1)
    assert "update" not in await message_kinds_until_answer(one)
    live_server.pass_time(1)
    await one.wait_for("update")


@server_test
async def test_slow_play_waits_for_days(live_server: LiveServer) -> None:
    day = 86_400
    _, people = await live_server.create_match(agreement={"slow": True, "turn_seconds": 2 * day})
    one = person_to_move(people)
    seat = people.index(one)
    other = people[1 - seat]
    await one.disconnect()
    await wait_for_message(other, is_table_with_chairs(lambda chairs: not chairs[seat]["here"]))
    await live_server.wait_for_connections(1)
    live_server.pass_time(1_900 * day)
    assert "update" not in await message_kinds_until_answer(other)
    live_server.pass_time(200 * day)
    await wait_for_message(other, is_table_with_chairs(lambda chairs: chairs[seat]["stand_in"]))


@server_test
async def test_a_pause_by_agreement_stops_the_sand(live_server: LiveServer) -> None:
    table, people = await live_server.create_match("ubongo")
    ola, max_ = people
    await start_ubongo_round(live_server, people)
    sand = ola.view["sand"]
    live_server.pass_time(10_000)
    await post_to_table(ola, table, "pause")
    message = await wait_for_message(
        max_, lambda m: m["kind"] == "table_changed" and m["table"]["pausing"]
    )
    assert (message["table"]["pausing"], message["table"]["paused"]) == ([0], None)
    await post_to_table(max_, table, "pause")
    for person in people:
        message = await wait_for_message(
            person, lambda m: m["kind"] == "table_changed" and m["table"]["paused"]
        )
        assert message["table"]["paused"] == live_server.now
    assert (await ola.act({"kind": "give_up"}))["reason"] == "paused"
    live_server.pass_time(1_000_000)
    assert "update" not in await message_kinds_until_answer(ola)
    for person in people:
        await post_to_table(person, table, "pause")
    for person in people:
        await wait_for_message(
            person, lambda m: m["kind"] == "update" and m["view"]["sand"] != sand
        )
        assert person.view["sand"] == sand + 1_000_000 + RESUME_COUNTDOWN_MS
        assert person.view["resumes"] == live_server.now + RESUME_COUNTDOWN_MS
    live_server.pass_time(RESUME_COUNTDOWN_MS - 1)
    assert (await ola.act(solving_actions(ola)[0]))["reason"] == "too_early"
    live_server.pass_time(40_000)
    assert (await ola.act(solving_actions(ola)[0]))["kind"] == "done"
    live_server.pass_time(10_001 + 250)
    for person in people:
        await wait_for_message(
            person, lambda m: m["kind"] == "update" and "second" in m["view"]["phase"]
        )


@server_test
async def test_scheduler_wakes_up_for_an_earlier_deadline(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler waits for the next deadline, and is woken up for earlier ones, twice."""
    monkeypatch.setattr(
        "pytlik.server.scheduling.scheduler.POLL_MS", 2 * HOUR_MS
    )  # so that only the alarm wakes it up
    alarm = live_server.rooms.services.alarm
    waiting = asyncio.Event()

    async def note_and_wait() -> None:
        waiting.set()
        await wait_in_real_time(alarm)

    monkeypatch.setattr(alarm, "wait", note_and_wait)
    for _ in range(2):  # it may still be waiting in the original way
        waiting.clear()
        live_server.pass_time(0)
        await waiting.wait()
    waiting.clear()
    alarm.ring_by(live_server.now + HOUR_MS)
    await asyncio.sleep(0)
    alarm.ring_by(live_server.now)
    await waiting.wait()
