"""The load generator counts how long people would have to wait."""

import asyncio
import time

from benchmarks._load_generator import PlayResult, Table, play_at_rate
from benchmarks._sockets import Socket


class FakeSocket(Socket):
    """Sends nothing anywhere."""

    def send(self, text: bytes, kind: int = 1) -> None:
        pass


class FakeTable(Table):
    """A table where only the person at seat 0 acts. The test answers."""

    async def sit_down(self) -> None:
        async def connect(_: object) -> Socket:
            self.note_state(0, self.reached)
            return FakeSocket("", {}, lambda *_: None)

        await self.join(0, connect)

    def choose(self) -> tuple[int, bytes] | None:
        return (0, b"") if 0 in self.sockets else None

    def on_message(self, seat: int, socket: Socket, message: bytes) -> None:
        raise NotImplementedError

    def answer_action(self) -> None:
        self.reached += 1
        self.note_answer()
        self.note_state(0, self.reached)


async def wait_for_waiting(table: Table, waiting: int) -> None:
    while len(table.waiting) < waiting:  # noqa: ASYNC110 - it ends in an instant
        await asyncio.sleep(0)


async def answer_all(table: FakeTable, playing: "asyncio.Task[PlayResult]") -> PlayResult:
    while not playing.done():
        if table.busy:
            table.answer_action()
        await asyncio.sleep(0)
    return await playing


def test_queued_actions_count_their_waiting_time() -> None:
    async def play() -> tuple[PlayResult, float]:
        table = FakeTable("a")
        await table.sit_down()
        playing = asyncio.create_task(play_at_rate([table], 1000, 0.05))
        await wait_for_waiting(table, 5)
        answered = time.perf_counter()
        return await answer_all(table, playing), answered

    result, answered = asyncio.run(play())
    assert len(result.actions) == len(result.late) > 5
    # The first six were due while nothing was answered.
    for action in result.actions[:6]:
        assert action.due < answered
        assert action.due + action.answered >= answered
        assert action.done >= action.answered


def test_nothing_is_due_while_everyone_who_could_act_is_away() -> None:
    async def play() -> tuple[PlayResult, float]:
        table = FakeTable("a")
        await table.sit_down()
        table.leave(0)
        playing = asyncio.create_task(play_at_rate([table], 1000, 0.05))
        await wait_for_waiting(table, 5)
        back_at = time.perf_counter()
        await table.retry_until_connected(0, at_once=True)
        return await answer_all(table, playing), back_at

    result, back_at = asyncio.run(play())
    assert len(result.actions) > 5
    assert all(action.due >= back_at for action in result.actions)


def test_unanswered_actions_are_counted() -> None:
    async def play() -> PlayResult:
        table = FakeTable("a")
        await table.sit_down()
        return await play_at_rate([table], 1000, 0.02, tolerant=True, drain_seconds=0)

    result = asyncio.run(play())
    assert result.in_time == 0
    assert result.troubles == {"unanswered": len(result.late)}
    assert len(result.waits) == len(result.late) > 0
