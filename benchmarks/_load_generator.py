"""Tables in play, and two ways to load a server with them: as fast as possible, and at a given
rate.

An action is done when everyone at the table has received it, and its sender has the answer, if
there is one.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any, NamedTuple

from benchmarks._reconnect_delays import retry_delays
from benchmarks._sockets import ConnectionClosed, OnMessage, Socket

SEATS = range(4)
NOT_CONNECTED = 1 << 31
"""Instead of a state number: a seat without a connection isn't waited for."""
JOIN_SECONDS = 20.0
"""How long joining may take before it's tried again."""
DRAIN_SECONDS = 120.0
"""How long to wait at the end for actions that aren't done yet, on a busy machine."""
BUSY_WAIT_SECONDS = 0.002
"""Timers are up to a millisecond late, so the end of a wait is spent asking for the time."""

SocketOpener = Callable[[OnMessage], Awaitable[Socket]]


class Table(ABC):
    """A table in play. `act` sends the next action, and `done` is called when everyone has it."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.sockets: dict[int, Socket] = {}
        """The connections of the people who are here."""
        self.known = [NOT_CONNECTED] * len(SEATS)
        """The state number that each connection has received."""
        self.reached = 0
        """The state number after the latest action, once it's known."""
        self.busy = False
        self.actor = 0
        """The seat that acted last."""
        self.due = 0.0
        """When the latest action was to be sent."""
        self.answered: float | None = None
        """When its actor got the answer."""
        self.waiting: deque[float] = deque()
        """When the actions that wait for the latest one were due."""
        self.back_since = [0.0] * len(SEATS)
        """When each seat last began to reconnect."""
        self.stands_still = False
        """Whether everyone who could act was away when an action was due."""
        self.resumed = 0.0
        """When someone came back to act after that."""
        self.troubles: Counter[str] = Counter()
        self.done: Callable[[Table], None] = lambda _: None
        self.free: Callable[[Table], None] = lambda _: None
        """Called when another action may be possible, although none was done."""
        self.lost: Callable[[Table, int], None] = lambda *_: None
        """Called when the server has ended a seat's connection."""
        self.returning: set[asyncio.Task[None]] = set()
        """The tasks that reconnect seats."""
        self._asked = b""
        self._joining: dict[int, SocketOpener] = {}
        self._arrivals: dict[int, asyncio.Future[None]] = {}
        self._random = Random(id)

    @abstractmethod
    def choose(self) -> tuple[int, bytes] | None:
        """The next action, and whose it is; None if only people who are away can act."""

    @abstractmethod
    def on_message(self, seat: int, socket: Socket, message: bytes) -> None: ...

    async def start(self) -> None:  # noqa: B027 - most tables need nothing
        """Do what has to happen before the first action."""

    def act(self) -> bool:
        """Send the next action, if someone who is here can act."""
        chosen = self.choose()
        if chosen is None:
            return False
        self.actor, self._asked = chosen
        self.busy, self.answered = True, None
        self.sockets[self.actor].send(self._asked)
        return True

    def note_state(self, seat: int, number: int) -> None:
        """A connection has received the state with this number."""
        if self.known[seat] == NOT_CONNECTED:
            arrival = self._arrivals.pop(seat, None)
            if arrival and not arrival.done():
                arrival.set_result(None)
        self.known[seat] = number
        self.finish_if_received_by_all()

    def note_answer(self) -> None:
        if self.busy and self.answered is None:
            self.answered = time.perf_counter()

    def note_refusal(self, why: str) -> None:
        self.troubles[why] += 1
        self.busy = False
        self.free(self)

    def finish_if_received_by_all(self) -> None:
        if self.busy and self.answered is not None and min(self.known) >= self.reached:
            self.busy = False
            self.done(self)

    # ------------------------------------------------------------------------- coming and going

    async def join(self, seat: int, joining: SocketOpener) -> None:
        self._joining[seat] = joining
        await self.connect_seat(seat)

    async def connect_seat(self, seat: int) -> None:
        """Connect, and wait for the newest state. An unanswered action is sent again."""
        arrival = self._arrivals[seat] = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(JOIN_SECONDS):
            socket = await self._joining[seat](partial(self.on_message, seat))
            socket.lost = partial(self._on_connection_lost, seat)
            self.sockets[seat] = socket
            await arrival
        if self.busy and self.answered is None and self.actor == seat:
            socket.send(self._asked)
        self.free(self)

    async def retry_until_connected(self, seat: int, *, at_once: bool) -> None:
        """Connect again with the page's delays, or `at_once`, as if someone had opened the page."""
        if at_once:
            self.back_since[seat] = time.perf_counter()
        for number, delay in enumerate(retry_delays(self._random)):
            if number or not at_once:
                await asyncio.sleep(delay)
            try:
                await self.connect_seat(seat)
            except (OSError, ConnectionClosed, TimeoutError):
                self.leave(seat)
            else:
                return

    def leave(self, seat: int) -> None:
        self.known[seat] = NOT_CONNECTED
        if socket := self.sockets.pop(seat, None):
            socket.close()

    def _on_connection_lost(self, seat: int) -> None:
        self.leave(seat)
        arrival = self._arrivals.pop(seat, None)
        if arrival and not arrival.done():
            arrival.set_exception(ConnectionClosed("before the first update"))
            return
        self.troubles["lost"] += 1
        self.lost(self, seat)
        self.finish_if_received_by_all()

    def close(self) -> None:
        for task in self.returning:
            task.cancel()
        for seat in list(self.sockets):
            self.leave(seat)


# ----------------------------------------------------------------------------------------- playing


class Timing(NamedTuple):
    """When an action was due, and how many seconds later it was answered and done."""

    due: float
    answered: float
    done: float


def percentile(waits: Sequence[float], percent: float) -> float:
    """A percentile in milliseconds, of waits in ascending order."""
    return 1000 * waits[min(len(waits) - 1, int(len(waits) * percent / 100))]


@dataclass(frozen=True)
class PlayResult:
    actions: list[Timing]
    """All actions; those never done count as if they had been done when we gave up."""
    in_time: int
    """How many were done before the time was up."""
    seconds: float
    late: list[float]
    """How many seconds late the load generator noticed due actions, ascending: its own fault."""
    troubles: Counter[str]
    """Refused and unanswered actions, and connections that the server has ended."""

    @property
    def rate(self) -> float:
        return self.in_time / self.seconds

    @cached_property
    def waits(self) -> list[float]:
        """Seconds from when each action was due until everyone had received it, ascending."""
        return sorted(action.done for action in self.actions)

    @cached_property
    def answers(self) -> list[float]:
        """The same until the actor had the answer."""
        return sorted(action.answered for action in self.actions)

    def percentile(self, percent: float) -> float:
        """A percentile in milliseconds of the waits until everyone had received the action."""
        return percentile(self.waits, percent)


async def play_at_full_speed(tables: list[Table], seconds: float) -> PlayResult:
    """At each table, send the next action as soon as everyone has received the last one."""
    actions: list[Timing] = []
    stop = time.perf_counter() + seconds

    def done(table: Table) -> None:
        now = time.perf_counter()
        actions.append(timing_since_due(table, now))
        if now < stop:
            table.due = now
            table.act()

    start = time.perf_counter()
    for table in tables:
        table.done = done
        table.due = time.perf_counter()
        table.act()
    await asyncio.sleep(max(0, stop - time.perf_counter()))
    async with asyncio.timeout(30):
        while any(table.busy for table in tables):
            await asyncio.sleep(0.002)
            raise_if_troubles(count_troubles(tables))
    raise_if_troubles(count_troubles(tables))
    return PlayResult(actions, len(actions), time.perf_counter() - start, [], Counter())


def timing_since_due(table: Table, now: float) -> Timing:
    answered = now if table.answered is None else table.answered
    return Timing(table.due, answered - table.due, now - table.due)


def count_troubles(tables: list[Table]) -> Counter[str]:
    return sum((table.troubles for table in tables), Counter[str]())


def raise_if_troubles(troubles: Counter[str]) -> None:
    if troubles:
        raise RuntimeError(f"not everything was done: {dict(troubles)}")


async def play_at_rate(
    tables: list[Table],
    rate: float,
    seconds: float,
    *,
    tolerant: bool = False,
    drain_seconds: float = DRAIN_SECONDS,
) -> PlayResult:
    """Let people act at random tables and at random moments (a Poisson process), however slow the
    server is. Waits count from when an action was due, even if it had to wait for the one before it
    at its table. If everyone who could act is away, nothing is due until they begin to come back.

    If `tolerant`, troubles are only counted, and people come back to lost connections.
    """
    actions: list[Timing] = []
    late: list[float] = []
    random = Random(rate)
    clock = time.perf_counter

    def begin_next(table: Table) -> None:
        if table.busy or not table.waiting:
            return
        waited, table.stands_still = table.stands_still, not table.act()
        if table.stands_still:
            return
        if waited:
            table.resumed = table.back_since[table.actor]
        table.due = max(table.waiting.popleft(), table.resumed)

    def done(table: Table) -> None:
        actions.append(timing_since_due(table, clock()))
        begin_next(table)

    def lost(table: Table, seat: int) -> None:
        if tolerant:
            table.back_since[seat] = clock()
            start_task(table.returning, table.retry_until_connected(seat, at_once=False))

    for table in tables:
        table.done, table.free, table.lost = done, begin_next, lost
        table.troubles.clear()
    start = due = clock()
    stop = start + seconds
    while (due := due + random.expovariate(rate)) < stop:
        await wait_until(due)
        late.append(clock() - due)
        table = random.choice(tables)
        table.waiting.append(due)
        begin_next(table)
    await wait_until(stop)
    in_time = len(actions)
    give_up = stop + drain_seconds
    while any(table.busy or table.waiting for table in tables) and clock() < give_up:  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    troubles = count_troubles(tables)
    for table in tables:
        pending = [*([table.due] if table.busy else []), *table.waiting]
        table.waiting.clear()
        actions += [Timing(each, clock() - each, clock() - each) for each in pending]
        troubles["unanswered"] += len(pending)
    if not tolerant:
        raise_if_troubles(+troubles)
    return PlayResult(actions, in_time, seconds, sorted(late), troubles)


async def wait_until(due: float) -> None:
    """Wait until a moment of `time.perf_counter`; other tasks run at least once meanwhile."""
    await asyncio.sleep(max(0, due - time.perf_counter() - BUSY_WAIT_SECONDS))
    while time.perf_counter() < due:  # noqa: ASYNC110 - a timer would be late
        await asyncio.sleep(0)


def start_task(tasks: set[asyncio.Task[None]], coroutine: Coroutine[Any, Any, None]) -> None:
    """Start a task that is kept until it's done."""
    task = asyncio.create_task(coroutine)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
