"""Several workers in one process, each with its own connections to the store, and people whose
messages come several times, in any order, to any of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import msgspec

from pytlik.bus.connect import open_bus
from pytlik.game import Expire, Ready, Refusal, Seat, replay
from pytlik.games import UBONGO
from pytlik.protocol.agreement import Agreement
from pytlik.server import seats
from pytlik.server.tables import Table
from pytlik.store import Actor, Store
from pytlik.store.connect import open_store
from pytlik.ubongo import solver
from pytlik.ubongo.messages import Lift, PieceLifted, PiecePlaced, Place
from pytlik.ubongo.timing import COUNTDOWN_MS
from tests.server.house import PATIENCE
from tests.server.local_worker import LocalConnection, LocalWorker
from tests.server.told_clock import told_clock

HOLDERS = ("ola", "jan")


class Time:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self._now = 1_794_700_800_000

    def __call__(self) -> int:
        return self._now

    def pass_by(self, milliseconds: int) -> None:
        self._now += milliseconds


@asynccontextmanager
async def working(
    database: str, clock: Callable[[], int], workers: int = 1, redis: str | None = None
) -> AsyncIterator[list[LocalWorker]]:
    async with AsyncExitStack() as stack:
        stack.enter_context(told_clock())
        running: list[LocalWorker] = []
        for _ in range(workers):
            store = await open_store(database, notify=redis is None)
            stack.push_async_callback(store.close)
            bus = open_bus(database, redis)
            stack.push_async_callback(bus.close)
            worker = LocalWorker(store, bus, clock)
            stack.push_async_callback(stop, worker)
            await worker.start()
            running.append(worker)
        yield running


async def stop(worker: LocalWorker) -> None:
    if not worker.rooms.services.heartbeat.has_ended:  # as it is when it was killed
        await worker.stop()


async def die(worker: LocalWorker) -> None:
    """As if it were killed: it does nothing more, and has told nobody."""
    await worker.rooms.services.tasks.cancel_all()
    worker.rooms.services.heartbeat.has_ended = True


async def begin(
    worker: LocalWorker, time: Time, *, running: bool, ready: bool = True, **options: Any
) -> Table:
    """A match of Ubongo that two have begun; they are ready, and the round is under way, if so
    wanted."""
    lobby = worker.lobby
    # Where nobody ever connects nobody should be waited for.
    alone = Agreement(away_seconds=None)
    made = await lobby.create("ubongo", HOLDERS[0], chairs=2, options=options, agreement=alone)
    for seat, holder in enumerate(HOLDERS):
        await lobby.change(made.table.id, sitting(holder, seat))
    found = await lobby.start(made.table.id, HOLDERS[0])
    with worker.rooms.open(found.table.id) as room:
        for seat in range(len(HOLDERS) if ready else 0):
            await room.act(seat, Ready(), actor=Actor.PERSON)
        if running:
            time.pass_by(COUNTDOWN_MS)
            await room.act(None, Expire(), actor=Actor.CLOCK)
    return found.table


def sitting(holder: str, seat: Seat) -> Callable[[Table], Table]:
    return lambda table: seats.sit(table, holder, seat, name=holder, recovery="")


# ------------------------------------------------------------------------------------ who is here


async def look(workers: list[LocalWorker]) -> None:
    """Every worker looks at its clock once: it beats, and fires what is due. When it looks for the
    second time it has done so."""
    for worker in 2 * workers:
        worker.look()
        while not worker.rooms.services.alarm.at:  # noqa: ASYNC110 - nothing else tells
            await asyncio.sleep(0.001)


async def chairs(connection: LocalConnection, holds: Callable[[list[Any]], Any]) -> list[Any]:
    """The chairs as somebody is told of them, once something is so."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message = msgspec.json.decode(await connection.next() or b"")
            if message["kind"] in ("hello", "table_changed"):
                told: list[Any] = message["table"]["chairs"]
                if holds(told):
                    return told


async def keeping_up(workers: list[LocalWorker], match: str, seq: int) -> None:
    """Until wake-ups have brought the match on every worker so far."""
    async with asyncio.timeout(PATIENCE):
        while any(worker.match(match).seq < seq for worker in workers):  # noqa: ASYNC110 - the bus does it
            await asyncio.sleep(0.01)


async def sit_down(worker: LocalWorker, away_seconds: int = 60) -> str:
    """A table where two sit, and nothing has begun."""
    lobby, agreement = worker.lobby, Agreement(away_seconds=away_seconds)
    made = await lobby.create("ubongo", HOLDERS[0], chairs=2, agreement=agreement)
    for seat, holder in enumerate(HOLDERS):
        await lobby.change(made.table.id, sitting(holder, seat))
    return made.table.id


async def connect(worker: LocalWorker, table: str, holder: str) -> LocalConnection:
    connection = LocalConnection(table, holder)
    await worker.join(connection)
    return connection


async def away(worker: LocalWorker) -> dict[str, int]:
    deadlines = await worker.store.deadlines()
    return {each.kind: each.due for each in deadlines if each.kind.startswith("away")}


# ----------------------------------------------------------------------------------------- racing


async def finished(worker: LocalWorker, table: Table) -> None:
    """Until what nobody waits for any more has come to its end as well."""
    await asyncio.sleep(0)
    if table.match_id in worker.open_matches:
        async with worker.match(table.match_id).lock:
            pass


class Racer:
    """Somebody who places and lifts pieces without end, and whose messages go astray. Nothing in
    the rules would stop a message that comes twice: a piece may be placed where it lies."""

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
        # All but one: so the card is never solved, and the round goes on.
        places = [Place(piece, cells) for piece, cells in zip(deal.pieces, solution, strict=True)][
            1:
        ]
        self.actions = [self._any_of(places) for _ in range(actions)]

    def _any_of(self, places: list[Place]) -> Place | Lift:
        place = self._random.choice(places)
        return place if self._random.random() < 0.7 else Lift(place.piece)

    async def run(self, workers: list[LocalWorker]) -> None:
        """Each action is sent 1 to 5 times, out of order, and four are under way at once."""
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
            connection.close()  # nobody reads here

        async def send() -> None:
            for number in waiting:
                worker, connection = self._random.choice(connections)
                await self._send(worker, connection, number)

        async with asyncio.TaskGroup() as group:
            for _ in range(4):
                group.create_task(send())
        for worker, connection in connections:
            await finished(worker, self.table)
            worker.leave(connection)

    async def _send(self, worker: LocalWorker, connection: LocalConnection, number: int) -> None:
        self.sent += 1
        raw = msgspec.json.encode(self.actions[number])
        work = asyncio.create_task(worker.act(connection, self.seat, raw, f"c{number}"))
        if self._random.random() < 0.1:
            # Whoever waits for the answer gives up: it will never be heard.
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
        """What was answered was done, where it was said; and nothing was done twice."""
        log = await read(store, self.table.match_id)
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


async def read(store: Store, match: str) -> list[Any]:
    decode = msgspec.json.Decoder(UBONGO.event).decode
    return [decode(raw) for raw in await store.events(match)]


async def race(
    workers: list[LocalWorker], tables: list[Table], seed: str, actions: int
) -> Counter[str]:
    """Two racers at each table, each with so many actions."""
    store = workers[0].store
    racers = []
    for table in tables:
        state = replay(UBONGO.apply, await read(store, table.match_id))
        racers += [Racer(table, seat, state, seed, actions) for seat in range(len(HOLDERS))]
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
