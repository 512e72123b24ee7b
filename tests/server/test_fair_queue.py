"""Everyone gets a turn before anyone gets a second one, and a full queue refuses more."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server.fair_queue import RETRY_AFTER_SECONDS, FairQueue


async def run_pending_tasks() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class QueuedWork:
    """Pieces of work that end when the test says so."""

    def __init__(self, queue: FairQueue) -> None:
        self.begun: list[str] = []
        self._queue = queue
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, asker: str, name: str) -> None:
        """Ask for a turn without waiting for it."""
        self._tasks.append(self.ask(asker, name))

    def ask(self, asker: str, name: str) -> "asyncio.Task[None]":
        async def work() -> None:
            async with self._queue.turn(asker):
                self.begun.append(name)
                await self._ends[name].wait()

        self._ends[name] = asyncio.Event()
        return asyncio.create_task(work())

    async def end(self, name: str) -> None:
        self._ends[name].set()
        await run_pending_tasks()


QueueTest = Callable[[QueuedWork, FairQueue], Coroutine[Any, Any, None]]


def queue_test(queue: Callable[[], FairQueue]) -> Callable[[QueueTest], Callable[[], None]]:
    """Run an asynchronous test with a queue, in its own event loop."""

    def wrap(play: QueueTest) -> Callable[[], None]:
        def test() -> None:
            async def run() -> None:
                new_queue = queue()
                await play(QueuedWork(new_queue), new_queue)

            asyncio.run(run())

        test.__doc__ = play.__doc__
        return test

    return wrap


@queue_test(lambda: FairQueue(1))
async def test_each_asker_has_a_turn_before_any_has_a_second(
    work: QueuedWork, queue: FairQueue
) -> None:
    for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
        work.begin(name[0], name)
        await run_pending_tasks()
    for name in ("a1", "a2", "b1", "c1", "a3"):
        await work.end(name)
    assert work.begun == ["a1", "a2", "b1", "c1", "a3", "b2"]
    await work.end("b2")


@queue_test(lambda: FairQueue(2))
async def test_number_of_simultaneous_turns_is_limited(work: QueuedWork, queue: FairQueue) -> None:
    for name in ("a", "b", "c"):
        work.begin(name, name)
    await run_pending_tasks()
    assert (work.begun, queue.asker_count) == (["a", "b"], 3)
    await work.end("b")
    assert (work.begun, queue.asker_count) == (["a", "b", "c"], 2)
    await work.end("a")
    await work.end("c")
    assert queue.asker_count == 0


@queue_test(lambda: FairQueue(1, most=3, most_each=2))
async def test_a_full_queue_refuses_and_says_when_to_ask_again(
    work: QueuedWork, queue: FairQueue
) -> None:
    working = work.ask("a", "a1")
    await run_pending_tasks()
    waiting = [work.ask("a", "a2"), work.ask("a", "a3")]
    await run_pending_tasks()
    with pytest.raises(Illegal) as refused:
        await work.ask("a", "a4")
    assert refused.value.reason is ServerReason.TOO_FAST
    assert refused.value.detail == {"seconds": RETRY_AFTER_SECONDS}
    waiting.append(work.ask("b", "b1"))
    await run_pending_tasks()
    with pytest.raises(Illegal):
        await work.ask("c", "c1")
    for name in ("a1", "a2", "b1", "a3"):
        await work.end(name)
    await asyncio.gather(working, *waiting)
    await work.end("a1")
    late = work.ask("c", "c2")
    await work.end("c2")
    await late


@queue_test(lambda: FairQueue(1))
async def test_an_asker_who_gives_up_uses_up_no_turn(work: QueuedWork, queue: FairQueue) -> None:
    first, second, third, last = (work.ask(name, name) for name in "abcd")
    await run_pending_tasks()
    second.cancel()
    await run_pending_tasks()
    assert queue.asker_count == 3
    # It's the third one's turn, but it hasn't noticed yet.
    work._ends["a"].set()
    while not queue._working["c"]:  # noqa: ASYNC110 - turns of the loop, one at a time
        await asyncio.sleep(0)
    third.cancel()
    await run_pending_tasks()
    assert work.begun[-1] == "d"
    assert third.cancelled()
    await work.end("d")
    await asyncio.gather(first, last)
    assert queue.asker_count == 0
