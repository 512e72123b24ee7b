"""One of several workers notifies a person who is away on their turn, even if another dies."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

from pytlik.bus import Bus
from pytlik.protocol.table_agreement import Agreement
from pytlik.server.clocks.clock import Clock
from pytlik.server.clocks.leases import LEASE_MS
from pytlik.server.live.rooms import Rooms
from pytlik.server.match.deadlines import NOTICE_AFTER_MS
from pytlik.server.notifications import push_notifications
from pytlik.server.notifications.push_client import DeliveryOutcome
from pytlik.store import PutSubscription, Store, Subscription
from tests.database_servers import Postgres
from tests.server import local_worker
from tests.server.live_server import (
    TIMEOUT_SECONDS,
)
from tests.server.local_worker import LocalWorker
from tests.server.push_service import (
    Device,
)
from tests.server.racing_workers import (
    HOLDERS,
    ManualClock,
    kill_worker,
    run_all_schedulers,
    run_workers,
    sit_change,
)


class RecordingPushClient:
    """Records which worker sends. The first message hangs until `answer` is set, if given."""

    def __init__(self, worker: int, sent: list[int], answer: asyncio.Event | None) -> None:
        self._worker = worker
        self._sent = sent
        self._answer = answer

    async def post(self, *_: Any) -> DeliveryOutcome:
        self._sent.append(self._worker)
        if self._answer and len(self._sent) == 1:
            await self._answer.wait()
        return DeliveryOutcome.ACCEPTED


@asynccontextmanager
async def notifying_workers(
    database: str, time: ManualClock, sent: list[int], answer: asyncio.Event | None = None
) -> AsyncIterator[list[LocalWorker]]:
    """Workers that share a table where it's the turn of someone who is away."""

    def make_rooms(store: Store, bus: Bus, clock: Clock) -> Rooms:
        return Rooms(
            store, bus, clock, notices=push_notifications.make_push_notifications(store, clock)
        )

    with patch.object(local_worker, "Rooms", make_rooms):
        async with run_workers(database, time, 3) as workers:
            for number, worker in enumerate(workers):
                notices: Any = worker.rooms.services.notices
                notices.client = RecordingPushClient(number, sent, answer)
            keys: Any = Device("https://push.example/1").subscription()
            new = Subscription(holder=HOLDERS[0], origin="", at=time(), **keys)
            await workers[0].store.commit(PutSubscription(new, 1))
            lobby = workers[0].lobby
            options = {"starter": 0}
            alone = Agreement(away_seconds=None)
            found = await lobby.create(
                "unikat", HOLDERS[0], chairs=2, options=options, agreement=alone
            )
            for seat, holder in enumerate(HOLDERS):
                await lobby.change(found.table.id, sit_change(holder, seat))
            await lobby.start(found.table.id, HOLDERS[0])
            time.advance(NOTICE_AFTER_MS)
            yield workers


async def run_schedulers_until(
    workers: list[LocalWorker], done: Callable[[], Awaitable[bool]]
) -> None:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not await done():
            await run_all_schedulers(workers)


def test_only_one_worker_notifies(postgres: Postgres) -> None:
    async def play() -> None:
        time, sent = ManualClock(), list[int]()
        async with notifying_workers(postgres.new_database(), time, sent) as workers:

            async def is_done() -> bool:
                return not await workers[0].store.deadlines()

            await run_schedulers_until(workers, is_done)
            for _ in range(3):
                time.advance(LEASE_MS)
                await run_all_schedulers(workers)
            assert len(sent) == 1

    asyncio.run(play())


def test_another_worker_takes_over_from_a_dead_one(postgres: Postgres) -> None:
    async def play() -> None:
        time, sent = ManualClock(), list[int]()
        async with notifying_workers(
            postgres.new_database(), time, sent, asyncio.Event()
        ) as workers:

            async def has_begun() -> bool:
                return bool(sent)

            async def is_done() -> bool:
                return not await workers[0].store.deadlines()

            await run_schedulers_until(workers, has_begun)
            for _ in range(3):  # while it lives, no other worker sends
                time.advance(LEASE_MS // 2)
                await run_all_schedulers(workers)
            assert len(sent) == 1
            died = workers[sent[0]]
            await kill_worker(died)
            time.advance(LEASE_MS)
            await run_schedulers_until([each for each in workers if each is not died], is_done)
            assert len(sent) == 2
            assert sent[0] != sent[1]

    asyncio.run(play())
