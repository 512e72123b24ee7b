"""Starting and stopping: the database, the workers, and the clocks that stood still in between."""

import asyncio
import gc
import itertools
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import uvicorn
from litestar import Litestar

from pytlik.bus.connect import open_bus
from pytlik.server import metrics
from pytlik.server.app import create_app
from pytlik.server.clocks.clock import Clock
from pytlik.server.clocks.heartbeat import MAX_GAP_MS
from pytlik.server.clocks.synchronized_clock import start_clock
from pytlik.server.live.rooms import Rooms
from pytlik.server.processes.acceptor import Acceptor, Occupancy, WorkerOccupancy
from pytlik.server.processes.logging_setup import configure_logging
from pytlik.server.processes.parent_watch import exit_with_parent
from pytlik.server.processes.supervisor import Process, keep_running
from pytlik.server.processes.table_affinity import SocketPasser, make_inboxes
from pytlik.server.scheduling.downtime import move_clocks
from pytlik.server.settings import Settings
from pytlik.server.table_socket import MAX_MESSAGE_BYTES, handle_table_socket
from pytlik.server.transport.connection_limits import ConnectionLimits
from pytlik.server.transport.http_protocol import HttpProtocol
from pytlik.server.transport.websocket_protocol import WebSocketProtocol
from pytlik.server.worker import Worker
from pytlik.store import Conflict, Store
from pytlik.store.connect import migrate, open_store

GRACE_SECONDS = 3
"""How long requests that are under way may take when the server is told to stop."""


NEW_OBJECTS_BEFORE_COLLECTION = 200_000
"""How many new objects trigger a search for cycles: as many as belong to over a thousand
connections. A search delays actions by a tenth of a second, so it mustn't happen whenever a crowd
comes and goes."""
NEVER = 1_000_000_000
COLLECTION_SECONDS = 600
COLLECTIONS_PER_FULL_ONE = 6
"""How often new objects are searched in any case, and after how many of these searches all objects
are."""


def listen(settings: Settings, *, tries: int = 1) -> socket.socket:
    """The socket that all workers accept connections from. If a port is taken and tries are left,
    use the next one."""
    *others, last = range(settings.port, min(settings.port + tries, 65_536))
    for port in others:
        with suppress(OSError):
            return bind(settings.host, port)
    return bind(settings.host, last)


def bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio would leave small messages waiting for each other (TCP_NODELAY).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    listener.listen(2048)
    listener.set_inheritable(True)
    return listener


def allow_many_files() -> None:
    """Raise the limit on open files: every connection is one, and shells allow a process as few as
    1,024."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # macOS has an unpublished limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def prepare_database_and_clocks(settings: Settings) -> None:
    """Prepare the database and the clocks, once, before any worker starts."""
    migrate(settings.database)
    asyncio.run(prepare_clocks(settings))


async def prepare_clocks(settings: Settings) -> None:
    # Before any worker starts: otherwise one that lacks a package for the bus would be restarted
    # forever.
    await open_bus(settings.database, settings.redis).close()
    store = await open_store(settings.database, notify=False)
    try:
        # A SQLite file has only one server.
        await skip_downtime(store, await start_clock(store, alone=not settings.uses_postgres))
    finally:
        await store.close()


async def skip_downtime(store: Store, clock: Clock) -> None:
    """Make up for the time in which no server ran: whatever is due is due later by the gap. If the
    last server was shut down properly, the gap is known to the millisecond."""
    now, last = clock(), await store.last_heartbeat()
    running = any(now - at <= MAX_GAP_MS for at in (await store.worker_heartbeats()).values())
    if last is None or last >= now or running:
        return
    # Safe to interrupt: the next start resumes from the same heartbeat.
    with suppress(Conflict):  # another machine's server was first
        await move_clocks(Rooms(store, open_bus(""), clock), last, now)


class ConnectionSharing(NamedTuple):
    """How a worker shares connections with the others."""

    share: WorkerOccupancy
    passer: SocketPasser | None


def run_worker_process(
    settings: Settings, listener: socket.socket, sharing: ConnectionSharing | None = None
) -> None:
    """Run one worker until it's told to stop. Where there are others, it shares connections with
    them."""
    exit_with_parent()
    # After everything is closed, uvicorn raises the signal that stopped it once more.
    signal.signal(signal.SIGTERM, exit_now)
    configure_logging(settings.log_level)
    # A match's state is a thousand small values that are never part of a cycle. Searching all of
    # them for cycles again and again would cost more than it finds. Connections leave no cycles
    # either, and little else does: `collect_garbage` finds it in time.
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS_BEFORE_COLLECTION, NEVER, NEVER)
    with asyncio.Runner(loop_factory=uvloop_factory()) as runner:
        runner.run(serve_as_worker(settings, listener, sharing))


def exit_now(*_: Any) -> None:
    raise SystemExit(0)


def uvloop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's event loop, where it is installed."""
    try:
        import uvloop  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    return uvloop.new_event_loop


class SharingServer(uvicorn.Server):
    """A server that accepts connections when it's this worker's turn, and passes sockets on to the
    worker that their table belongs to."""

    def __init__(self, config: uvicorn.Config, sharing: ConnectionSharing) -> None:
        super().__init__(config)
        self._sharing = sharing

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        assert sockets
        await super().startup(sockets=[])
        loop = asyncio.get_running_loop()

        protocol_class: Any = self.config.http_protocol_class
        make_protocol: Callable[..., asyncio.Protocol] = partial(
            protocol_class,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
            _loop=loop,
        )
        share, passer = self._sharing
        accepted = partial(make_protocol, pass_on=passer.pass_on if passer else None)
        connections = self.server_state.connections
        for listener in sockets:
            acceptor = Acceptor(listener, accepted, lambda: len(connections), share)
            self.servers.append(acceptor)  # type: ignore[arg-type]
        if passer:
            receiver = passer.make_receiver(partial(make_protocol, connection_limits=None))
            self.servers.append(receiver)  # type: ignore[arg-type]


def make_server(config: uvicorn.Config, sharing: ConnectionSharing | None) -> uvicorn.Server:
    return SharingServer(config, sharing) if sharing else uvicorn.Server(config)


def server_config(
    app: Litestar, settings: Settings, *, grace: int = GRACE_SECONDS
) -> uvicorn.Config:
    """`grace` is how many seconds connections have to end once the server is told to stop."""
    http: Any = partial(
        HttpProtocol, connection_limits=ConnectionLimits(settings)
    )  # uvicorn only calls it, like a class
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the gate reads them, from proxies that are trusted
        http=http,
        ws=WebSocketProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        # A client that connects at that very moment isn't told to leave, and we would wait for it.
        timeout_graceful_shutdown=grace,
    )


async def serve_as_worker(
    settings: Settings, listener: socket.socket, sharing: ConnectionSharing | None = None
) -> None:
    own_bus = settings.uses_postgres and settings.redis is None
    store = await open_store(settings.database, notify=own_bus)
    bus = open_bus(settings.database, settings.redis)
    clock = await start_clock(store, alone=settings.workers == 1 and not settings.uses_postgres)
    app = create_app(
        settings,
        store=store,
        bus=bus,
        clock=clock,
        database_clock=store.now,
        handlers=[handle_table_socket],
        lifespan=[run_worker],
    )
    config = server_config(app, settings)
    server = make_server(config, sharing)
    following = asyncio.create_task(clock.follow(store))
    collecting = asyncio.create_task(collect_garbage())
    try:
        await server.serve(sockets=[listener])
    finally:
        following.cancel()
        collecting.cancel()
        await bus.close()
        await store.close()


async def collect_garbage() -> None:
    """Search for cycles now and then."""
    for number in itertools.count(1):
        await asyncio.sleep(COLLECTION_SECONDS)
        gc.collect(1 if number % COLLECTIONS_PER_FULL_ONE else 2)


@asynccontextmanager
async def run_worker(app: Litestar) -> AsyncIterator[None]:
    state = app.state
    worker = Worker(state.rooms, state.cleanup, keep_days=state.settings.keep_days)
    state.worker = worker
    state.compute = state.rooms.services.bots.compute
    state.coaching.compute = state.unikat_daily.compute = state.compute
    await worker.start()
    try:
        yield
    finally:
        await worker.stop()


def run_server(settings: Settings, listener: socket.socket) -> int:
    """Run all workers until a signal stops them. If one dies, another starts in its place."""
    prepare_database_and_clocks(settings)
    allow_many_files()
    if settings.workers == 1:
        run_worker_process(settings, listener, single_worker_sharing())
        return 0
    with TemporaryDirectory(prefix="pytlik-metrics-") as shared:
        # Where the workers' metrics are combined; set before the workers import what counts them.
        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", shared)
        return supervise(settings, listener)


CAN_SHARE = os.name != "nt"
"""Whether connections can be accepted one by one: Windows' event loop has no readers."""


def single_worker_sharing() -> ConnectionSharing | None:
    """For a server's only worker. It accepts connections one by one as well, so that hundreds that
    come at once don't hold up those that are already there."""
    if not CAN_SHARE:
        return None
    occupancy = Occupancy(multiprocessing.get_context("spawn"), 1)
    return ConnectionSharing(WorkerOccupancy(occupancy, 0), None)


def supervise(settings: Settings, listener: socket.socket) -> int:
    configure_logging(settings.log_level)
    context = multiprocessing.get_context("spawn")
    occupancy = Occupancy(context, settings.workers)
    inboxes = make_inboxes(settings.workers) if CAN_SHARE and settings.gather_tables else None
    stopping = False

    def stop(*_: Any) -> None:
        nonlocal stopping
        stopping = True

    def start(number: int) -> Process:
        passer = SocketPasser(number, occupancy, inboxes) if inboxes else None
        sharing = (
            ConnectionSharing(WorkerOccupancy(occupancy, number), passer) if CAN_SHARE else None
        )
        worker = context.Process(target=run_worker_process, args=(settings, listener, sharing))
        worker.start()
        return worker

    def drop_worker_stats(number: int, worker: Process) -> None:
        occupancy.forget(number)
        if worker.pid is not None:
            metrics.forget_process(worker.pid)

    for sent in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sent, stop)
    for number in range(settings.workers):
        occupancy.expect(number, time.monotonic())
    keep_running(settings.workers, start, lambda: stopping, drop_worker_stats)
    return 0
