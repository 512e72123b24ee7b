"""Several workers in one process, each with its own connections to the store, and people whose
messages come several times, in any order, to any of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import msgspec

from pytlik.bus.opening import open_bus
from pytlik.game import Expire, Ready, Refusal, Seat, replay
from pytlik.games import UBONGO
from pytlik.server import seats
from pytlik.server.due import RULES
from pytlik.server.hub import Connection
from pytlik.server.live import Live
from pytlik.server.lobby import Lobby
from pytlik.server.tables import Agreement, Table
from pytlik.store import Actor, Store
from pytlik.store.opening import open_store
from pytlik.ubongo import solver
from pytlik.ubongo.messages import Lift, PieceLifted, PiecePlaced, Place
from pytlik.ubongo.timing import COUNTDOWN_MS
from tests.server.house import PATIENCE
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
) -> AsyncIterator[list[Live]]:
    async with AsyncExitStack() as stack:
        stack.enter_context(told_clock())
        lives = []
        for _ in range(workers):
            store = await open_store(database, notify=redis is None)
            stack.push_async_callback(store.close)
            bus = open_bus(database, redis)
            stack.push_async_callback(bus.close)
            live = Live(store, bus, Lobby(store, bus, clock), clock)
            stack.push_async_callback(stop, live)
            await live.start()
            lives.append(live)
        yield lives


async def stop(live: Live) -> None:
    if not live.presence._ended:  # as it is when it was killed
        await live.stop()


async def die(live: Live) -> None:
    """As if it were killed: it does nothing more, and has told nobody."""
    await live._end_all()
    live.presence._ended = True


async def begin(
    live: Live, time: Time, *, running: bool, ready: bool = True, **options: Any
) -> Table:
    """A match of Ubongo that two have begun; they are ready, and the round is under way, if so
    wanted."""
    lobby = live._lobby
    # Where nobody ever connects nobody should be waited for.
    alone = Agreement(away_seconds=None)
    made = await lobby.create("ubongo", HOLDERS[0], chairs=2, options=options, agreement=alone)
    for seat, holder in enumerate(HOLDERS):
        await lobby.change(made.table.id, sitting(holder, seat))
    found = await lobby.start(made.table.id, HOLDERS[0])
    with live.at_hand(found):
        room = await live.room(found.table)
        for seat in range(len(HOLDERS) if ready else 0):
            await live.do(found.table, room, seat, Ready(), None, actor=Actor.PERSON)
        if running:
            time.pass_by(COUNTDOWN_MS)
            await live.do(found.table, room, None, Expire(), None, actor=Actor.CLOCK)
    return found.table


def sitting(holder: str, seat: Seat) -> Callable[[Table], Table]:
    return lambda table: seats.sit(table, holder, seat, name=holder, recovery="")


# ------------------------------------------------------------------------------------ who is here


async def look(lives: list[Live]) -> None:
    """Every worker looks at its clock once: it beats, and fires what is due. When it looks for the
    second time it has done so."""
    for live in 2 * lives:
        live.clocks.noted({RULES: 0})
        while not live.clocks._soonest:  # noqa: ASYNC110 - nothing else tells
            await asyncio.sleep(0.001)


async def chairs(connection: Connection, holds: Callable[[list[Any]], Any]) -> list[Any]:
    """The chairs as somebody is told of them, once something is so."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message = msgspec.json.decode(await connection.next() or b"")
            if message["kind"] in ("hello", "table_changed"):
                told: list[Any] = message["table"]["chairs"]
                if holds(told):
                    return told


async def keeping_up(lives: list[Live], match: str, seq: int) -> None:
    """Until wake-ups have brought the match on every worker so far."""
    async with asyncio.timeout(PATIENCE):
        while any(live._rooms[match].seq < seq for live in lives):  # noqa: ASYNC110 - the bus does it
            await asyncio.sleep(0.01)


async def sit_down(live: Live, away_seconds: int = 60) -> str:
    """A table where two sit, and nothing has begun."""
    lobby, agreement = live._lobby, Agreement(away_seconds=away_seconds)
    made = await lobby.create("ubongo", HOLDERS[0], chairs=2, agreement=agreement)
    for seat, holder in enumerate(HOLDERS):
        await lobby.change(made.table.id, sitting(holder, seat))
    return made.table.id


async def connect(live: Live, table: str, holder: str) -> Connection:
    connection = Connection(table, holder)
    await live.join(connection)
    return connection


async def away(live: Live) -> dict[str, int]:
    deadlines = await live._store.deadlines()
    return {each.kind: each.due for each in deadlines if each.kind.startswith("away")}


# ----------------------------------------------------------------------------------------- racing


async def finished(live: Live, table: Table) -> None:
    """Until what nobody waits for any more has come to its end as well."""
    await asyncio.sleep(0)
    if room := live._rooms.get(table.match_id):
        async with room._lock:
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

    async def run(self, lives: list[Live]) -> None:
        """Each action is sent 1 to 5 times, out of order, and four are under way at once."""
        numbers = [
            number for number in range(len(self.actions)) for _ in range(self._random.randint(1, 5))
        ]
        numbers.sort(key=lambda number: number + self._random.uniform(0, 8))
        waiting = iter(numbers)
        connections = [(live, Connection(self.table.id, HOLDERS[self.seat])) for live in lives]
        for live, connection in connections:
            await live.join(connection)
            connection.close()  # nobody reads here

        async def send() -> None:
            for number in waiting:
                live, connection = self._random.choice(connections)
                await self._send(live, connection, number)

        async with asyncio.TaskGroup() as group:
            for _ in range(4):
                group.create_task(send())
        for live, connection in connections:
            await finished(live, self.table)
            await live.leave(connection)

    async def _send(self, live: Live, connection: Connection, number: int) -> None:
        self.sent += 1
        raw = msgspec.json.encode(self.actions[number])
        work = asyncio.create_task(live.act(connection, self.seat, raw, f"c{number}"))
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
            seq = await store.done(self.table.match_id, f"{self.seat} c{number}")
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


async def race(lives: list[Live], tables: list[Table], seed: str, actions: int) -> Counter[str]:
    """Two racers at each table, each with so many actions."""
    store = lives[0]._store
    racers = []
    for table in tables:
        state = replay(UBONGO.apply, await read(store, table.match_id))
        racers += [Racer(table, seat, state, seed, actions) for seat in range(len(HOLDERS))]
    async with asyncio.TaskGroup() as group:
        for racer in racers:
            group.create_task(racer.run(lives))
    for racer in racers:
        await racer.check(store)
    return Counter(
        actions=sum(len(racer.actions) for racer in racers),
        sent=sum(racer.sent for racer in racers),
        done=sum(len(racer.answers) for racer in racers),
        refused=sum(racer.refused for racer in racers),
        dropped=sum(racer.dropped for racer in racers),
    )
