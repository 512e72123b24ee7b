"""Reads at the same time share one request."""

import asyncio
from collections.abc import Sequence

import pytest

from pytlik.server.access import batched_reads
from pytlik.server.access.batched_reads import BatchedReads
from pytlik.store import Unavailable

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Source:
    """Answers when the test lets it."""

    def __init__(self) -> None:
        self.requests: list[list[str]] = []
        self.may_answer = asyncio.Semaphore(0)
        self.error: Exception | None = None

    async def read(self, keys: Sequence[str]) -> dict[str, int]:
        self.requests.append(list(keys))
        await self.may_answer.acquire()
        if self.error:
            raise self.error
        return {key: len(key) for key in keys if key != "nobody"}


async def begin(reads: BatchedReads[str, int], *keys: str) -> list[asyncio.Task[int | None]]:
    tasks = [asyncio.create_task(reads.get(key)) for key in keys]
    await asyncio.sleep(0)
    return tasks


async def test_reads_during_a_request_share_the_next_one() -> None:
    source = Source()
    reads = BatchedReads(source.read)
    first = await begin(reads, "a")
    await asyncio.sleep(0)
    others = await begin(reads, "bb", "ccc", "bb", "nobody")
    source.may_answer.release()
    assert await asyncio.gather(*first) == [1]
    source.may_answer.release()
    assert await asyncio.gather(*others) == [2, 3, 2, None]
    assert source.requests == [["a"], ["bb", "ccc", "nobody"]]


async def test_failure_reaches_all_waiting_reads_but_no_later_one() -> None:
    source = Source()
    reads = BatchedReads(source.read)
    tasks = await begin(reads, "a", "bb")
    source.error = Unavailable("the store is gone")
    source.may_answer.release()
    for task in tasks:
        with pytest.raises(Unavailable):
            await task
    source.error = None
    source.may_answer.release()
    assert await reads.get("a") == 1


async def test_cancelled_read_does_not_affect_the_others() -> None:
    source = Source()
    reads = BatchedReads(source.read)
    gone, stays = await begin(reads, "a", "a")
    gone.cancel()
    source.may_answer.release()
    assert await stays == 1


async def test_unanswered_request_does_not_hold_up_other_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may have been sent just before the store went away."""
    monkeypatch.setattr(batched_reads, "PATIENCE_SECONDS", 0.001)
    lost = asyncio.get_running_loop().create_future()

    async def read(keys: Sequence[str]) -> dict[str, int]:
        if "lost" in keys:
            await lost
        return {key: len(key) for key in keys}

    reads = BatchedReads(read)
    (waiting,) = await begin(reads, "lost")
    await asyncio.sleep(0)
    assert await reads.get("a") == 1
    assert await reads.get("bb") == 2
    lost.set_result(None)
    assert await waiting == 4
