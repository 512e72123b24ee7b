"""The whole server in one thread and in virtual time: workers, people, and what happens to them.

Everything is drawn from one seed: the tables, how people play, how long everything takes, and what
goes wrong when. The same seed gives the same course, down to the last message.
"""

import asyncio
import json
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

from pytlik.protocol.messages import Refused, ServerMessage
from pytlik.protocol.reasons import ServerReason
from pytlik.server import cleanup, tokens
from pytlik.server.app import PytlikApp, create_app, create_app_state
from pytlik.server.clocks import heartbeat
from pytlik.server.clocks.synchronized_clock import SynchronizedClock
from pytlik.server.live import table_connections
from pytlik.server.live.connection import Connection
from pytlik.server.live.rooms import Rooms
from pytlik.server.match import delay_credit, log_replay, saved_states
from pytlik.server.scheduling import scheduler
from pytlik.server.settings import Settings
from pytlik.server.startup import run_worker, skip_downtime
from pytlik.server.table_socket import handle_table_socket
from pytlik.server.tokens import Holder
from pytlik.store import Unavailable
from pytlik.store.writes import LONG_DOWNTIME_MS
from pytlik.ubongo import game as ubongo
from pytlik.unikat import game as unikat
from tests.sim.bus import Exchange, SimBus
from tests.sim.conditions import Conditions
from tests.sim.lease_checks import record_deadlines_taken
from tests.sim.loop import Process, SimLoop, call_outside_processes
from tests.sim.network import (
    ConnectionLost,
    Request,
    RequestRefused,
    SimConnection,
    Socket,
    asgi_scope,
)
from tests.sim.player import Player
from tests.sim.refusal_checks import check_unavailable_is_justified
from tests.sim.server_promises import ServerPromises
from tests.sim.store import Database, SimStore
from tests.sim.table_checks import UNPLAYED_SECONDS

START_TIME_MS = 1_794_700_800_000
"""2026-11-15, 00:00 UTC, in milliseconds."""

TICK_SECONDS = 0.25

SWEEP_EVERY_MS = 6_000
"""How often workers look for tables that are too old (ms): often enough that some worker looks
while the clock is wrong for a moment, but a new worker looks only after that moment."""

HTTP_TIMEOUT_SECONDS = 12.0
"""Seconds after which an HTTP request is given up and sent to another worker."""

MAX_MOVES, MAX_SWAPS = 15, 3
"""The limits of one seat in a round."""

SAVE_EVERY_EVENTS, NEVER = 5, 1_000_000_000

EXTRA_CREDIT_QUOTA_MS = 100

UNPLAYED_TABLE_LIFETIME_MS = round(1000 * UNPLAYED_SECONDS)

ADMIN_TOKEN = "operator of this world"

SETTINGS = Settings(bot_workers=0, limit_scale=1e6, admin_token=ADMIN_TOKEN)


@cache
def shared_app(number: int) -> PytlikApp:
    """An app to share: creating one takes longer than most worlds do. Each world has its own
    state."""
    nothing: Any = None
    return create_app(
        SETTINGS, store=nothing, bus=nothing, clock=lambda: 0, handlers=[handle_table_socket]
    )


@dataclass
class Worker:
    """A process that serves people until it's killed and another takes its place."""

    number: int
    process: Process
    store: SimStore
    clock: SynchronizedClock
    ready: bool = False
    rooms: Rooms | None = None
    presence_name: str = ""
    """The name under which the worker stores who is connected to it."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_open(self) -> bool:
        """Whether people can act here."""
        runs = self.ready and not self.process.killed and not self.process.frozen
        return runs and self.store.reachable

    @property
    def is_healthy(self) -> bool:
        """Whether people can act here and no request waits in vain."""
        return self.is_open and not self.store.hanging_requests


class World:
    def __init__(self, seed: int, *, workers: int) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.loop = SimLoop(Random(f"{seed} loop"))
        self.conditions = Conditions(Random(f"{seed} weather"))
        self.database = Database(lambda: self.now() + self.clock_offset)
        self.clock_offset = 0
        """How far the database's clock is ahead (ms)."""
        self.clock_was_set = False
        self._clock_errors_at_start = [0.0]
        """Seconds that each worker's clock was ahead when it started. If it found no other worker,
        it relied on the database's clock."""
        self.exchange = Exchange(self.conditions, self.loop)
        self.promises = ServerPromises(self)
        self.database.watchers.append(self.promises.check_commit)
        self.database.deadline_watchers.append(partial(record_deadlines_taken, self.promises))
        self.worker_count = workers
        self.workers: list[Worker] = []
        self.everyone: list[Player] = []
        self.active_seconds = 0.0
        """Seconds in which anyone could act."""
        self.break_count = 0
        """How often there was a time in which nobody could act, however short."""
        self.calm = False
        """Whether nothing more goes wrong and people only play."""
        self.command_senders: dict[tuple[str, str | None], Holder] = {}
        """Who sent each command for a seat of theirs, by match and command."""
        self.actions_sent = 0
        """How many actions people sent, with all repetitions."""
        self.first_sent_at: dict[tuple[str, str], float] = {}
        """When each command was first sent, by match and command."""
        self.kills = 0
        self.refused: Counter[str] = Counter()
        self.journal: list[str] = []
        """What has happened, in short. It's the same for the same seed."""
        self._connections: list[SimConnection] = []
        self._failure: BaseException | None = None
        self._last_unhealthy_at = 0.0
        """When something was last wrong with a worker or the store."""

    # ---------------------------------------------------------------------------------- running

    def run_course(self, course: Callable[["World"], Coroutine[Any, Any, None]]) -> None:
        """Run a course of events to its end. Raises the first thing that went wrong."""
        with ExitStack() as stack:
            for each in (
                *self._chance_patches(),
                *self._low_limit_patches(),
                *self._long_log_patches(),
                self._refusal_patch(),
            ):
                stack.enter_context(each)
            log = LoggedErrors(self.fail)
            logger = logging.getLogger("pytlik")
            logger.addHandler(log)
            stack.callback(logger.removeHandler, log)
            previous = asyncio._get_running_loop()
            asyncio._set_running_loop(None)  # pytest's plug-ins may have left one
            stack.callback(asyncio._set_running_loop, previous)
            try:
                self.loop.run_until_complete(self._run_until_failure(course))
            finally:
                self.loop.abandon_all_tasks()
                self.database.connection.close()

    def _chance_patches(self) -> list[Any]:
        """Draw all random values from the seed, and look for old tables often."""
        random = Random(f"{self.seed} secrets")
        return [
            patch.object(secrets, "token_bytes", random.randbytes),
            patch.object(secrets, "choice", random.choice),
            patch.object(scheduler, "SWEEP_EVERY_MS", SWEEP_EVERY_MS),
            patch.object(scheduler, "SWEEP_UNPLAYED_EVERY_MS", SWEEP_EVERY_MS),
            patch.object(heartbeat, "uuid4", lambda: UUID(int=random.getrandbits(128))),
        ]

    def _low_limit_patches(self) -> list[Any]:
        """Lower the limits, so that people reach them in matches that last minutes."""
        small_batches = Random(f"{self.seed} crowds").random() < 0.25
        batch = 2 if small_batches else table_connections.UPDATES_PER_BATCH
        return [
            patch.object(table_connections, "UPDATES_PER_BATCH", batch),
            patch.object(ubongo, "MAX_MOVES_PER_ROUND", MAX_MOVES),
            patch.object(unikat, "MAX_SWAPS_PER_ROUND", MAX_SWAPS),
            patch.object(saved_states, "SAVE_EVERY_EVENTS", SAVE_EVERY_EVENTS),
            patch.object(cleanup, "UNPLAYED_TABLE_LIFETIME_MS", UNPLAYED_TABLE_LIFETIME_MS),
            patch.object(delay_credit, "EXTRA_CREDIT_QUOTA_MS", EXTRA_CREDIT_QUOTA_MS),
        ]

    def _long_log_patches(self) -> list[Any]:
        """In some worlds no state is ever saved and logs count as long, so that they're read in
        pages and replayed in slices."""
        if Random(f"{self.seed} long logs").random() >= 0.15:
            return []
        return [
            patch.object(saved_states, "SAVE_EVERY_EVENTS", NEVER),
            patch.object(log_replay, "SHORT_LOG_EVENTS", 8),
            patch.object(log_replay, "EVENTS_PER_PAGE", 7),
            patch.object(log_replay, "EVENTS_PER_SLICE", 5),
        ]

    def _refusal_patch(self) -> Any:
        """Watch workers as they decide that someone has to try again."""
        send = Connection.send

        def check_and_send(connection: Connection, message: ServerMessage) -> None:
            if isinstance(message, Refused) and message.reason == ServerReason.UNAVAILABLE:
                check_unavailable_is_justified(self.promises, connection.holder)
            send(connection, message)

        return patch.object(Connection, "send", check_and_send)

    async def _run_until_failure(
        self, course: Callable[["World"], Coroutine[Any, Any, None]]
    ) -> None:
        ticking = self.loop.create_task(self._tick())
        running = self.loop.create_task(course(self))
        await asyncio.wait([ticking, running], return_when=asyncio.FIRST_COMPLETED)
        for task in (ticking, running):
            if task.done() and (error := task.exception()):
                raise error
        self._raise_failure()

    async def _tick(self) -> None:
        is_open = False
        while True:
            await asyncio.sleep(TICK_SECONDS)
            was_open, is_open = is_open, any(worker.is_open for worker in self.workers)
            if is_open:
                self.active_seconds += TICK_SECONDS
            elif was_open:
                self.break_count += 1
            if not self.is_healthy:
                self._last_unhealthy_at = self.loop.time()
            self.promises.check_regularly()
            self._raise_failure()

    def _raise_failure(self) -> None:
        failed = self._failure or next(iter(self.loop.failures), None)
        if failed:
            raise failed

    def fail(self, error: BaseException) -> None:
        """Note what went wrong first. It ends the world."""
        self._failure = self._failure or error

    def add_to_journal(self, entry: str) -> None:
        if self._failure is None:  # what comes after a failure explains nothing
            self.journal.append(f"{self.loop.time():9.3f}  {entry}")

    @property
    def is_healthy(self) -> bool:
        """Whether all workers are running and can reach the store at the moment."""
        return not self.conditions.store_may_fail and all(
            worker.is_healthy for worker in self.workers
        )

    @property
    def seconds_healthy(self) -> float:
        """For how long all workers have been running and have reached the store."""
        return self.loop.time() - self._last_unhealthy_at

    def now(self) -> int:
        """The true time."""
        return START_TIME_MS + round(1000 * self.loop.time())

    @property
    def server_time(self) -> int:
        """The time according to the worker whose clock is furthest ahead."""
        return max((each.clock() for each in self.workers if each.ready), default=self.now())

    @property
    def max_jump_seconds(self) -> float:
        """How far the server's time may have jumped forwards when workers started while the
        database's clock was wrong, or when others came back that were cut off from it."""
        return max(self._clock_errors_at_start) - min(self._clock_errors_at_start)

    @property
    def earliest_server_time(self) -> int:
        """The time according to the worker whose clock is furthest behind."""
        return min((each.clock() for each in self.workers if each.ready), default=self.now())

    # ---------------------------------------------------------------------------------- workers

    async def start_workers(self) -> None:
        for number in range(self.worker_count):
            await self.start_worker(number)

    async def start_worker(self, number: int) -> None:
        """Start a worker, perhaps in place of a dead one. If no other worker runs, the whole server
        is starting, so the worker first makes up for the downtime."""
        if any(w.number == number and not w.process.killed for w in self.workers):
            return  # someone else has started it
        process = Process(self.loop, f"worker {number}")
        clock = SynchronizedClock(self._random_monotonic_clock())
        store = SimStore(self.database, self.conditions, self.loop)
        worker = Worker(number, process, store, clock)
        worker.store.on_written = partial(self._maybe_fail_after_write, worker)
        alone = not any(other.ready and not other.process.killed for other in self.workers)
        self.workers = [other for other in self.workers if other.number != number] + [worker]
        self.workers.sort(key=lambda each: each.number)

        async def serve() -> None:
            while True:
                try:
                    await clock.start(store)
                    if alone:
                        await skip_downtime(store, clock)
                    break
                except Unavailable:
                    await asyncio.sleep(0.5)
            process.start(clock.follow(store))
            app = shared_app(number)
            app.state = create_app_state(
                SETTINGS,
                store=worker.store,
                bus=SimBus(self.exchange),
                clock=clock,
                database_clock=store.now,
                page=app.state.page,
            )
            async with run_worker(app):
                worker.ready, worker.rooms = True, app.state.rooms
                worker.presence_name = app.state.rooms.services.heartbeat.worker
                error = clock() - self.now()
                if abs(error) < LONG_DOWNTIME_MS:  # otherwise everything gets its whole lifetime
                    self._clock_errors_at_start.append(error / 1000)
                self.add_to_journal(f"worker {number} is ready")
                await worker.stop.wait()
                worker.ready = False

        self.add_to_journal(f"worker {number} starts{' alone' if alone else ''}")
        process.start(serve())

    def _random_monotonic_clock(self) -> Callable[[], float]:
        """The clock of a new machine, each of which runs a little faster or slower."""
        began, pace = self.random.uniform(0, 1e9), 1 + self.random.uniform(-1e-4, 1e-4)
        return lambda: began + 1000 * pace * self.loop.time()

    def _maybe_fail_after_write(self, worker: Worker) -> None:
        """A worker's write is on disk: a bad moment for the worker to die or to lose the store."""
        if (
            self.conditions.crash_chance
            and self.random.random() < self.conditions.crash_chance
            and worker.ready
        ):
            self.kill(worker)
            call_outside_processes(
                self.loop, self.random.uniform(0.1, 2), self._start_restarting, worker
            )
        if (
            self.conditions.disconnect_chance
            and self.random.random() < self.conditions.disconnect_chance
        ):
            worker.store.reachable, worker.store.hangs = False, self.random.random() < 0.5
            call_outside_processes(self.loop, self.random.uniform(0.5, 5), worker.store.reconnect)

    def _start_restarting(self, worker: Worker) -> None:
        starting = self.loop.create_task(self.start_worker(worker.number))
        starting.add_done_callback(lambda done: done.result())

    def kill(self, worker: Worker) -> None:
        self.kills += 1
        self.add_to_journal(f"worker {worker.number} is killed")
        worker.process.kill()
        worker.ready = False
        self.exchange.endpoints = [
            each for each in self.exchange.endpoints if not each.belongs_to(worker.process)
        ]
        for connection in self._connections:
            if connection.process is worker.process:
                call_outside_processes(
                    self.loop, self.conditions.network_delay(), connection.report_lost
                )
        self._connections = [
            connection
            for connection in self._connections
            if connection.process is not worker.process
        ]

    def random_ready_worker(self, random: Random) -> Worker | None:
        ready = [worker for worker in self.workers if worker.ready]
        return random.choice(ready) if ready else None

    def find_ready_worker(self, name: str | None) -> Worker | None:
        return next(
            (each for each in self.workers if each.ready and each.process.name == name), None
        )

    # ----------------------------------------------------------------------------------- people

    @property
    def connected_players(self) -> list[Player]:
        return [player for player in self.everyone if player.has_open_socket]

    def connect(self, worker: Worker, path: str, token: str) -> Socket:
        socket = Socket(self.loop, self.conditions, worker.process)
        self._connections.append(socket)
        socket.open(shared_app(worker.number), asgi_scope("websocket", "GET", path, token))
        return socket

    async def request(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> Any:
        """Get an answer from any worker. If one doesn't answer, ask another. Raises
        RequestRefused."""
        while True:
            try:
                return await self._request_once(method, path, body, token)
            except RequestRefused as refused:
                if refused.status < 500:
                    raise
            except (ConnectionLost, TimeoutError):
                pass
            await asyncio.sleep(self.random.uniform(0.1, 0.6))

    async def _request_once(self, method: str, path: str, body: Any, token: str | None) -> Any:
        worker = self.random_ready_worker(self.random)
        if worker is None:
            raise ConnectionLost
        request = Request(self.loop, self.conditions, worker.process)
        self._connections.append(request)
        scope = asgi_scope("http", method, path, token)
        try:
            async with asyncio.timeout(HTTP_TIMEOUT_SECONDS):
                text = await request.fetch(shared_app(worker.number), scope, body)
        except (RequestRefused, TimeoutError) as error:
            if not isinstance(error, RequestRefused) or error.status >= 500:
                # While all is well, everyone gets an answer.
                is_healthy = self.is_healthy and self.seconds_healthy > HTTP_TIMEOUT_SECONDS
                self.promises.check(not is_healthy, f"{method} {path} isn't answered: {error!r}")
            raise
        holder = tokens.holder_of(token) if token else None
        sent_messages = self.promises.sent_messages
        sent_messages.check_credentials(f"{method} {path}", holder, text)
        answer = json.loads(text) if text else None
        for each in answer if isinstance(answer, list) else [answer]:
            if each and "yours" in each:
                sent_messages.check_table_is_as_stored(f"{method} {path}", holder, each)
        return answer

    async def request_or_none(self, method: str, path: str, body: Any, token: str) -> Any:
        """Do the same where a refusal is fine too: the request may have been carried out before."""
        with suppress(RequestRefused):
            return await self.request(method, path, body, token)
        return None

    async def create_person(self, name: str, table: str = "") -> Player:
        token = (await self.request("POST", "/api/tokens", {}))["token"]
        return self.create_device(name, token, table)

    def create_device(self, name: str, token: str, table: str) -> Player:
        player = Player(self, name, token, table)
        self.everyone.append(player)
        return player


class LoggedErrors(logging.Handler):
    """Treats every error that the server logs as a failure of the world."""

    def __init__(self, fail: Callable[[BaseException], None]) -> None:
        super().__init__(logging.ERROR)
        self._fail = fail

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._fail(error or RuntimeError(record.getMessage()))


@asynccontextmanager
async def run_in_background(*work: Coroutine[Any, Any, Any]) -> AsyncIterator[None]:
    """Run some work until the block ends."""
    tasks = [asyncio.get_running_loop().create_task(each) for each in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
