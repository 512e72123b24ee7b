"""Several workers in one process, each with its own connections to the store. Their clients'
messages arrive several times, in any order, at any of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any, Protocol

import msgspec

from pytlik.bus.connect import open_bus
from pytlik.game import Expire, Ready, Refusal, Seat, replay
from pytlik.games import UBONGO
from pytlik.protocol.table_agreement import Agreement
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from pytlik.store import Actor, Store
from pytlik.store.connect import open_store
from pytlik.ubongo import solver
from pytlik.ubongo.messages import Lift, PieceLifted, PiecePlaced, Place
from pytlik.ubongo.timing import COUNTDOWN_MS
from tests.server.ignore_real_time import ignore_real_time
from tests.server.live_server import TIMEOUT_SECONDS
from tests.server.local_worker import LocalConnection, LocalWorker

HOLDERS = ("ola", "jan")


class ManualClock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self._now = 1_794_700_800_000

    def __call__(self) -> int:
        return self._now

    def advance(self, milliseconds: int) -> None:
        self._now += milliseconds


@asynccontextmanager
async def run_workers(
    database: str, clock: Callable[[], int], workers: int = 1, redis: str | None = None
) -> AsyncIterator[list[LocalWorker]]:
    async with AsyncExitStack() as stack:
        stack.enter_context(ignore_real_time())
        running: list[LocalWorker] = []
        for _ in range(workers):
            store = await open_store(database, notify=redis is None)
            stack.push_async_callback(store.close)
            bus = open_bus(database, redis)
            stack.push_async_callback(bus.close)
            worker = LocalWorker(store, bus, clock)
            stack.push_async_callback(stop_worker, worker)
            await worker.start()
            running.append(worker)
        yield running


async def stop_worker(worker: LocalWorker) -> None:
    if not worker.rooms.services.heartbeat.has_ended:  # as if it had been killed
        await worker.stop()


async def kill_worker(worker: LocalWorker) -> None:
    """Stop a worker as if it were killed: it does nothing more, and notifies nobody."""
    await worker.rooms.services.tasks.cancel_all()
    worker.rooms.services.heartbeat.has_ended = True


class HasLobbyAndRooms(Protocol):
    """A worker, or as much of one as it takes to begin a match."""

    @property
    def lobby(self) -> Lobby: ...
    @property
    def rooms(self) -> Rooms: ...


async def begin_match(
    worker: HasLobbyAndRooms,
    time: ManualClock,
    *,
    running: bool,
    ready: bool = True,
    **options: Any,
) -> Table:
    """Begin a match of Ubongo for two. With `ready` both are ready, and with `running` the round is
    under way."""
    lobby = worker.lobby
    # Nobody ever connects here, so there should be no away deadlines.
    alone = Agreement(away_seconds=None)
    stored = await lobby.create("ubongo", HOLDERS[0], chairs=2, options=options, agreement=alone)
    for seat, holder in enumerate(HOLDERS):
        await lobby.change(stored.table.id, sit_change(holder, seat))
    found = await lobby.start(stored.table.id, HOLDERS[0])
    with worker.rooms.open(found.table.id) as room:
        for seat in range(len(HOLDERS) if ready else 0):
            await room.act(seat, Ready(), actor=Actor.PERSON)
        if running:
            time.advance(COUNTDOWN_MS)
            await room.act(None, Expire(), actor=Actor.CLOCK)
    return found.table


def sit_change(holder: str, seat: Seat) -> Callable[[Table], Table]:
    return lambda table: seats.sit(table, holder, seat, name=holder, recovery="")


# ------------------------------------------------------------------------------------ who is here


async def run_all_schedulers(workers: list[LocalWorker]) -> None:
    """Run every worker's scheduler: it writes a heartbeat, and fires what is due. By the second
    run, the first is finished."""
    for worker in 2 * workers:
        worker.run_scheduler()
        while not worker.rooms.services.alarm.at:  # noqa: ASYNC110 - no event to await
            await asyncio.sleep(0.001)


async def wait_for_chairs(
    connection: LocalConnection, holds: Callable[[list[Any]], Any]
) -> list[Any]:
    """Wait until a connection is sent chairs that satisfy `holds`."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            message = msgspec.json.decode(await connection.next_message() or b"")
            if message["kind"] in ("hello", "table_changed"):
                chairs: list[Any] = message["table"]["chairs"]
                if holds(chairs):
                    return chairs


async def wait_for_bus_messages(workers: list[LocalWorker], match: str, seq: int) -> None:
    """Wait until bus messages have brought every worker's match to this event."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while any(worker.match(match).seq < seq for worker in workers):  # noqa: ASYNC110 - the bus does it
            await asyncio.sleep(0.01)


async def create_table_for_two(worker: LocalWorker, away_seconds: int = 60) -> str:
    """A table where two people sit, and no match has begun."""
    lobby, agreement = worker.lobby, Agreement(away_seconds=away_seconds)
    stored = await lobby.create("ubongo", HOLDERS[0], chairs=2, agreement=agreement)
    for seat, holder in enumerate(HOLDERS):
        await lobby.change(stored.table.id, sit_change(holder, seat))
    return stored.table.id


async def connect_person(worker: LocalWorker, table: str, holder: str) -> LocalConnection:
    connection = LocalConnection(table, holder)
    await worker.join(connection)
    return connection


async def away_deadlines(worker: LocalWorker) -> dict[str, int]:
    deadlines = await worker.store.deadlines()
    return {each.kind: each.due for each in deadlines if each.kind.startswith("away")}


# ----------------------------------------------------------------------------------------- racing


async def wait_for_background_work(worker: LocalWorker, table: Table) -> None:
    """Wait until background work on a table's match is finished as well."""
    await asyncio.sleep(0)
    if table.match_id in worker.open_matches:
        async with worker.match(table.match_id).lock:
            pass


class RacingPlayer:
    """Someone who places and lifts pieces without end, and whose messages arrive repeatedly. The
    rules alone wouldn't stop a repeated message: a piece may be placed where it already lies."""

    def __init__(self, table: Table, seat: Seat, state: Any, seed: str, actions: int) -> None:
        self.table = table
        self.seat = seat
        self.answers: dict[int, int] = {}
        self.refused = 0
        self.dropped = 0
        self.sent = 0
        self._random = Random(f"{seed} {table.id} {seat}")
        deal = state.deals[seat]
        solution = solver.first(deal.area, list(deal.pieces.values()))
        assert solution is not None
        # All but one, so the card is never solved and the round goes on.
        places = [Place(piece, cells) for piece, cells in zip(deal.pieces, solution, strict=True)][
            1:
        ]
        self.actions = [self._random_action(places) for _ in range(actions)]

    def _random_action(self, places: list[Place]) -> Place | Lift:
        place = self._random.choice(places)
        return place if self._random.random() < 0.7 else Lift(place.piece)

    async def run(self, workers: list[LocalWorker]) -> None:
        """Send each action one to five times, out of order, with four under way at once."""
        numbers = [
            number for number in range(len(self.actions)) for _ in range(self._random.randint(1, 5))
        ]
        numbers.sort(key=lambda number: number + self._random.uniform(0, 8))
        waiting = iter(numbers)
        connections = [
            (worker, LocalConnection(self.table.id, HOLDERS[self.seat])) for worker in workers
        ]
        for worker, connection in connections:
            await worker.join(connection)
            connection.close()  # nobody reads this connection

        async def send() -> None:
            for number in waiting:
                worker, connection = self._random.choice(connections)
                await self._send(worker, connection, number)

        async with asyncio.TaskGroup() as group:
            for _ in range(4):
                group.create_task(send())
        for worker, connection in connections:
            await wait_for_background_work(worker, self.table)
            worker.leave(connection)

    async def _send(self, worker: LocalWorker, connection: LocalConnection, number: int) -> None:
        self.sent += 1
        raw = msgspec.json.encode(self.actions[number])
        work = asyncio.create_task(worker.act(connection, self.seat, raw, f"c{number}"))
        if self._random.random() < 0.1:
            # The answer will never arrive, so the task that waits for it is cancelled.
            for _ in range(self._random.randrange(6)):
                await asyncio.sleep(0)
            work.cancel()
        try:
            seq = await work
        except asyncio.CancelledError:
            self.dropped += 1
        except Refusal:
            self.refused += 1
        else:
            before = self.answers.setdefault(number, seq)
            assert before == seq, f"c{number} was done at {before}, and now it is {seq}"

    async def check(self, store: Store) -> None:
        """Check that every acknowledged action was done at the acknowledged position, and that
        nothing was done twice."""
        log = await read_events(store, self.table.match_id)
        mine = (PiecePlaced, PieceLifted)
        happened = [event for event in log if isinstance(event, mine) and event.seat == self.seat]
        done: dict[int, int] = {}
        for number in range(len(self.actions)):
            seq = await store.seq_of_command(self.table.match_id, f"{self.seat} c{number}")
            if seq is not None:
                done[number] = seq
        assert self.answers.items() <= done.items()
        assert len(set(done.values())) == len(done) == len(happened)
        for number, seq in done.items():
            cause = UBONGO.cause(log[seq - 1])
            assert cause is not None
            action = self.actions[number]
            if isinstance(action, Place):
                action = Place(action.piece, tuple(sorted(action.cells)))
            assert (cause.seat, cause.action) == (self.seat, action)


async def read_events(store: Store, match: str) -> list[Any]:
    decode = msgspec.json.Decoder(UBONGO.event).decode
    return [decode(raw) for raw in await store.events(match)]


async def run_race(
    workers: list[LocalWorker], tables: list[Table], seed: str, actions: int
) -> Counter[str]:
    """Run two racers at each table, each with this many actions."""
    store = workers[0].store
    racers = []
    for table in tables:
        state = replay(UBONGO.apply, await read_events(store, table.match_id))
        racers += [RacingPlayer(table, seat, state, seed, actions) for seat in range(len(HOLDERS))]
    async with asyncio.TaskGroup() as group:
        for racer in racers:
            group.create_task(racer.run(workers))
    for racer in racers:
        await racer.check(store)
    return Counter(
        actions=sum(len(racer.actions) for racer in racers),
        sent=sum(racer.sent for racer in racers),
        done=sum(len(racer.answers) for racer in racers),
        refused=sum(racer.refused for racer in racers),
        dropped=sum(racer.dropped for racer in racers),
    )
