"""Frequent changes to a table are sent only a few times a second."""

import asyncio
from collections.abc import Callable, Coroutine
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from pytlik.server.live import table_change_throttle
from pytlik.server.live.table_change_throttle import NEWS_PAUSE_SECONDS, TableChangeThrottle
from tests.server.live_server import LiveServer, server_test, start_match
from tests.server.people_at_table import message_kinds_until_answer, wait_for_message
from tests.sim.loop import SimLoop


class NewsRecorder:
    """Records which versions of a table are sent, and when."""

    def __init__(self) -> None:
        self.version = 0
        self.sent: list[tuple[float, int]] = []
        self.news = TableChangeThrottle(lambda: self.sent.append((self._now(), self.version)))

    def _now(self) -> float:
        return round(asyncio.get_running_loop().time(), 3)

    def change(self, *, essential: bool = False) -> None:
        self.version += 1
        self.news.notify_change(essential=essential)


def run_in_virtual_time(
    course: Callable[[NewsRecorder], Coroutine[Any, Any, None]],
) -> list[tuple[float, int]]:
    recorder = NewsRecorder()
    loop = SimLoop(Random(1))
    previous = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        loop.run_until_complete(course(recorder))
    finally:
        asyncio._set_running_loop(previous)
        loop.abandon_all_tasks()
    return recorder.sent


def test_first_change_is_sent_at_once_and_the_newest_last() -> None:
    async def course(recorder: NewsRecorder) -> None:
        for _ in range(1_000):
            recorder.change()
            await asyncio.sleep(0.01)
        await asyncio.sleep(1)
        assert not recorder.news.is_paused

    sent = run_in_virtual_time(course)
    assert sent[0] == (0.0, 1)
    assert sent[-1][1] == 1_000
    assert len(sent) <= 10 / NEWS_PAUSE_SECONDS + 2
    moments = [at for at, _ in sent]
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    assert min(gaps) >= NEWS_PAUSE_SECONDS - 0.001


def test_single_changes_are_sent_at_once() -> None:
    async def course(recorder: NewsRecorder) -> None:
        for _ in range(3):
            recorder.change()
            await asyncio.sleep(1)

    assert run_in_virtual_time(course) == [(0.0, 1), (1.0, 2), (2.0, 3)]


def test_an_essential_change_is_sent_before_the_next_message() -> None:
    async def course(recorder: NewsRecorder) -> None:
        recorder.change()
        recorder.change()
        recorder.news.send_pending_essentials()  # none of them is essential
        recorder.change(essential=True)
        recorder.change()
        await asyncio.sleep(0.05)
        recorder.news.send_pending_essentials()
        recorder.news.send_pending_essentials()
        recorder.change()
        await asyncio.sleep(1)

    assert run_in_virtual_time(course) == [(0.0, 1), (0.05, 4), (0.25, 5)]


def test_nothing_is_sent_after_cancelling() -> None:
    async def course(recorder: NewsRecorder) -> None:
        recorder.change()
        recorder.change()
        recorder.news.cancel()
        await asyncio.sleep(1)

    assert run_in_virtual_time(course) == [(0.0, 1)]


# ------------------------------------------------------------------------------ over a real socket


@server_test
async def test_burst_of_changes_is_sent_once(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (ola, max_) = await live_server.create_table()
    await live_server.wait_for_connections(2)
    monkeypatch.setattr(table_change_throttle, "NEWS_PAUSE_SECONDS", 3_600)
    live_server.room(table).news.cancel()
    for number in range(20):
        await ola.ask("PUT", f"/api/tables/{table}/seats/0/name", {"name": f"Ola {number}"})
    await live_server.wait_for_connections(2)
    assert [kind for kind in await message_kinds_until_answer(max_) if kind == "table_changed"] == [
        "table_changed"
    ]
    # The current table is sent before any update about it.
    await start_match(ola, table)
    for person in (ola, max_):
        update = await wait_for_message(person, lambda m: m["kind"] == "update")
        assert update["seq"]
        changes = [m for m in person.received if m["kind"] == "table_changed"]
        assert person.received[-2] is changes[-1]
        assert changes[-1]["table"]["phase"] == "playing"
        assert changes[-1]["table"]["chairs"][0]["name"] == "Ola 19"


@server_test
async def test_line_is_sent_after_the_change_that_seats_its_author(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (ola, max_) = await live_server.create_table(agreement={"chat": True})
    await max_.ask("DELETE", f"/api/tables/{table}/seats/1")
    await live_server.wait_for_connections(2)
    monkeypatch.setattr(table_change_throttle, "NEWS_PAUSE_SECONDS", 3_600)
    live_server.room(table).news.cancel()
    await ola.ask("PUT", f"/api/tables/{table}/seats/0/name", {"name": "Ola"})
    newcomer = live_server.new_person()
    await newcomer.ask("POST", f"/api/tables/{table}/seats", {"name": "Jan"})
    await newcomer.join(table)
    await newcomer.wait_for("hello")
    await newcomer.send(kind="chat", text="Ahoj!")
    await ola.wait_for("line")
    changes = [m for m in ola.received if m["kind"] == "table_changed"]
    assert changes[-1]["table"]["chairs"][1]["name"] == "Jan"
