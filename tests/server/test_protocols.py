"""Connections that send too much, too little or too slowly, or don't read: in virtual time, with a
transport that only records what is done with it."""

import asyncio
import heapq
import itertools
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from pytlik.server import protocols
from pytlik.server.limits import Pace, Places, Rate
from pytlik.server.protocols import (
    HEAD_SECONDS,
    LONGEST_WAIT_SECONDS,
    ConnectionLimits,
    Http,
    WebSocket,
)
from pytlik.server.settings import Settings
from pytlik.server.sockets import MAX_MESSAGE_BYTES

HANDSHAKE = (
    b"GET /api/tables/x/socket HTTP/1.1\r\nhost: pytlik.test\r\nconnection: upgrade\r\n"
    b"upgrade: websocket\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)

ONE_READ = 256 * 1024
"""How much an event loop reads from a connection at once."""


class Loop:
    """An event loop in which time passes, and tasks run, only when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.tasks: list[Any] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = itertools.count()

    def time(self) -> float:
        return self.now

    def get_debug(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None: ...

    def call_later(self, delay: float, callback: Any, *args: Any, **_: Any) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(self.now + delay, callback, args, cast("Any", self))
        heapq.heappush(self._timers, (handle.when(), next(self._numbers), handle))
        return handle

    def create_task(self, work: Any, **_: Any) -> Any:
        self.tasks.append(work)
        return Task()

    def pass_seconds(self, seconds: float) -> None:
        until = self.now + seconds
        while self._timers and self._timers[0][0] <= until:
            self.now, _, handle = heapq.heappop(self._timers)
            if not handle.cancelled():
                handle._run()
        self.now = until


class Task:
    def add_done_callback(self, _: Callable[[Any], None]) -> None: ...


class Transport(asyncio.Transport):
    """A transport that records what is done with it. `unread` is what the client hasn't taken, or
    None while it takes everything."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 50_000)})
        self.protocol: Any = None
        self.written = bytearray()
        self.unread: int | None = None
        self.closed = self.aborted = self.paused = False

    def write(self, data: Any) -> None:
        self.written += data
        if self.unread is not None:
            before, self.unread = self.unread, self.unread + len(data)
            if before <= 65_536 < self.unread:
                self.protocol.pause_writing()

    def read_all(self) -> None:
        self.unread = 0
        self.protocol.resume_writing()

    def get_write_buffer_size(self) -> int:
        return self.unread or 0

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol


async def application(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError


class End:
    """The server's end of a connection."""

    def __init__(
        self, connection_limits: ConnectionLimits | None = None, address: str = "192.0.2.1"
    ) -> None:
        config = uvicorn.Config(
            application, http=Http, ws=WebSocket, log_config=None, ws_max_size=MAX_MESSAGE_BYTES
        )
        config.load()
        self.loop = Loop()
        self.transport = Transport(address)
        self.state = ServerState()
        http = Http(
            config=config,
            server_state=self.state,
            app_state={},
            _loop=cast("Any", self.loop),
            connection_limits=connection_limits or ConnectionLimits(Settings()),
        )
        self.transport.protocol = http
        http.connection_made(self.transport)

    @property
    def protocol(self) -> Any:
        return self.transport.protocol

    def says(self, data: bytes) -> None:
        assert not self.transport.closed, "nobody reads any more"
        self.protocol.data_received(data)

    def requests(self) -> int:
        return len(self.loop.tasks)

    def run(self, work: Any) -> Any:
        """Run a coroutine that never waits, and return its result."""
        try:
            work.send(None)
        except StopIteration as stopped:
            return stopped.value
        raise AssertionError("it waits")

    def opens_socket(self) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncio, "get_event_loop", lambda: self.loop)
            self.says(HANDSHAKE)
        assert isinstance(self.protocol, WebSocket)
        self.run(self.protocol.receive())
        self.run(self.protocol.send({"type": "websocket.accept"}))
        self.transport.written.clear()

    def answers(self, body: bytes = b"") -> None:
        """Let the application answer the request."""
        cycle, headers = self.protocol.cycle, [(b"content-length", b"%d" % len(body))]
        self.run(cycle.send({"type": "http.response.start", "status": 200, "headers": headers}))
        self.run(cycle.send({"type": "http.response.body", "body": body}))


@pytest.fixture
def end() -> Iterator[End]:
    made = End()
    yield made
    for work in made.loop.tasks:
        work.close()


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def close_code(written: bytearray) -> int:
    """The code of the close frame at the end of what was written."""
    at = written.rindex(bytes([0x80 | Opcode.CLOSE]))
    return int.from_bytes(written[at + 2 : at + 4])


# ------------------------------------------------------------------------------- control frames


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_a_flood_of_control_frames_ends_the_connection(end: End, opcode: Opcode) -> None:
    end.opens_socket()
    for _ in range(protocols.CONTROL_FRAMES):
        end.says(frame(opcode))
    assert not end.transport.closed
    end.says(frame(opcode))
    assert end.transport.closed
    assert close_code(end.transport.written) == 1008
    told = end.run(end.protocol.receive())
    assert (told["type"], told["code"]) == ("websocket.disconnect", 1008)


def test_fragments_without_end_are_a_flood_too(end: End) -> None:
    end.opens_socket()
    end.says(frame(Opcode.TEXT, fin=False))
    for _ in range(protocols.CONTROL_FRAMES + 1):
        end.says(frame(Opcode.CONT, fin=False))
    assert close_code(end.transport.written) == 1008
    assert len(end.protocol.frames) <= protocols.CONTROL_FRAMES + 2


def test_as_many_pings_in_more_time_are_fine(end: End) -> None:
    end.opens_socket()
    gap = 1.01 * protocols.CONTROL_SECONDS / protocols.CONTROL_FRAMES
    for _ in range(10 * protocols.CONTROL_FRAMES):
        end.loop.now += gap
        end.says(frame(Opcode.PING))
    assert not end.transport.closed


def test_little_is_parsed_of_a_flood_that_comes_at_once(end: End) -> None:
    end.opens_socket()
    ping = frame(Opcode.PING, b"x" * 125)
    end.says(ping * (ONE_READ // len(ping)))
    assert close_code(end.transport.written) == 1008
    most = (protocols.CONTROL_FRAMES + 1 + protocols.PARSED_BYTES // 6) * (len(ping) - 4)
    assert len(end.transport.written) <= most
    assert not end.protocol._unparsed


def test_whoever_does_not_read_is_not_read_from(end: End) -> None:
    """So they can't make us store answers. Here, each ping comes late enough to be allowed."""
    end.opens_socket()
    end.transport.unread = 65_500
    ping = frame(Opcode.PING, b"x" * 100)
    end.says(ping)
    assert end.transport.paused
    written = len(end.transport.written)
    for _ in range(10):  # what was already on its way
        end.loop.now += 1
        end.says(ping)
    assert len(end.transport.written) == written
    assert end.transport.paused
    end.transport.read_all()
    assert len(end.transport.written) == written + 10 * 102
    assert not end.transport.paused


def test_whoever_reads_nothing_at_all_is_cut_off(end: End) -> None:
    end.opens_socket()
    end.transport.unread = 65_500
    end.says(frame(Opcode.PING, b"x" * 100))
    end.loop.pass_seconds(protocols.STALL_SECONDS - 1)
    assert not end.transport.aborted
    end.loop.pass_seconds(1)
    assert end.transport.aborted


def test_whoever_reads_slowly_is_waited_for(end: End) -> None:
    end.opens_socket()
    end.protocol.stop_keepalive()
    end.transport.unread = 65_500
    end.says(frame(Opcode.PING, b"x" * 100))
    for left in (60_000, 40_000, 1):
        end.transport.unread = left
        end.loop.pass_seconds(protocols.STALL_SECONDS)
    end.transport.unread = 0
    end.loop.pass_seconds(2 * protocols.STALL_SECONDS)
    assert not end.transport.aborted


def test_messages_wait_unparsed_until_the_last_was_taken(end: End) -> None:
    end.opens_socket()
    text = frame(Opcode.TEXT, b"{}")
    number = ONE_READ // len(text)
    end.says(text * number)
    assert end.transport.paused
    assert end.protocol.queue.qsize() <= protocols.PARSED_BYTES // len(text) + 1
    taken = 0
    while not end.protocol.queue.empty():
        assert end.run(end.protocol.receive())["text"] == "{}"
        assert end.protocol.queue.qsize() <= protocols.PARSED_BYTES // len(text) + 1
        taken += 1
    assert taken == number
    assert not end.transport.paused


def test_after_the_close_a_client_can_only_say_so_much(end: End) -> None:
    end.opens_socket()
    end.run(end.protocol.send({"type": "websocket.close", "code": 1008}))
    late = frame(Opcode.TEXT, b"x" * 4_000)
    for _ in range(protocols.AFTER_CLOSE_BYTES // len(late)):
        end.says(late)
    assert not end.transport.closed
    end.says(late)
    assert end.transport.aborted


# ----------------------------------------------------------------------------------------- heads


def test_a_head_has_a_largest_size(end: End) -> None:
    end.says(b"GET / HTTP/1.1\r\nhost: pytlik.test\r\nx: ")
    for _ in range(protocols.HEAD_BYTES // 1_000):
        end.says(b"x" * 1_000)
    assert not end.transport.closed
    end.says(b"x" * 1_000)
    assert end.transport.closed
    assert end.transport.written.startswith(b"HTTP/1.1 431 ")
    assert not end.requests()


def test_a_long_address_is_part_of_the_head(end: End) -> None:
    end.says(b"GET /")
    end.says(b"x" * protocols.HEAD_BYTES)
    assert end.transport.written.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "lines",
    [b"x: y\r\n" * (protocols.HEAD_LINES + 1), b"x: " + b"y" * protocols.HEAD_BYTES + b"\r\n"],
    ids=["many", "long"],
)
def test_a_large_head_that_comes_at_once(end: End, lines: bytes) -> None:
    end.says(b"GET / HTTP/1.1\r\n" + lines + b"\r\n")
    assert end.transport.closed
    assert end.transport.written.startswith(b"HTTP/1.1 431 ")
    assert not end.requests()


def test_the_body_is_no_part_of_the_head(end: End) -> None:
    body = b"x" * (2 * protocols.HEAD_BYTES)
    head = b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(body)
    end.says(head + body)
    assert not end.transport.closed
    assert end.requests() == 1


# ---------------------------------------------------------------------------------------- silence


def test_a_connection_that_never_says_anything_is_closed(end: End) -> None:
    end.loop.pass_seconds(protocols.HEAD_SECONDS - 1)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed
    assert not end.transport.written


def test_a_head_that_trickles_is_not_waited_for(end: End) -> None:
    for byte in b"GET / HTT":
        end.says(bytes([byte]))
        end.loop.pass_seconds(1)
    end.loop.pass_seconds(1)
    assert end.transport.closed
    assert end.transport.written.startswith(b"HTTP/1.1 408 ")


def test_empty_lines_between_requests_keep_nothing_open(end: End) -> None:
    end.says(b"GET / HTTP/1.1\r\n\r\n")
    end.answers()
    for _ in range(9):
        end.says(b"\r\n")
        end.loop.pass_seconds(1)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed


def test_silence_in_the_middle_of_a_body_ends_the_connection(end: End) -> None:
    end.says(b"POST / HTTP/1.1\r\ncontent-length: 10\r\n\r\nx")
    end.loop.pass_seconds(protocols.SILENCE_SECONDS - 1)
    end.says(b"x")
    end.loop.pass_seconds(protocols.SILENCE_SECONDS - 1)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed


def test_a_body_that_trickles_is_not_waited_for_either(end: End) -> None:
    end.says(b"POST / HTTP/1.1\r\ncontent-length: 1000\r\n\r\n")
    for _ in range(int(protocols.BODY_SECONDS) - 1):
        end.says(b"x")
        end.loop.pass_seconds(1)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed


def test_nobody_is_cut_off_while_it_is_we_who_take_our_time(end: End) -> None:
    end.says(b"POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\nx")
    end.protocol.flow.pause_reading()
    end.loop.pass_seconds(10 * protocols.SILENCE_SECONDS)
    assert not end.transport.closed
    end.protocol.flow.resume_reading()
    end.says(b"x")
    end.loop.pass_seconds(10 * protocols.SILENCE_SECONDS)  # waiting for the answer
    assert not end.transport.closed
    end.answers()
    end.loop.pass_seconds(4)
    assert not end.transport.closed
    end.loop.pass_seconds(1)
    assert end.transport.closed, "uvicorn's own patience with idle connections"


def test_an_open_socket_is_no_request_that_takes_too_long(end: End) -> None:
    end.opens_socket()
    end.protocol.stop_keepalive()
    end.loop.pass_seconds(10 * protocols.BODY_SECONDS)
    assert not end.transport.closed


def test_an_answer_that_nobody_reads_is_not_kept(end: End) -> None:
    end.says(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n")
    end.transport.unread = 0
    end.answers(b"x" * 100_000)
    assert end.transport.closed
    end.loop.pass_seconds(protocols.STALL_SECONDS)
    assert end.transport.aborted


def test_whoever_is_lost_while_nothing_was_read_from_them_is_gone(end: End) -> None:
    end.opens_socket()
    end.transport.unread = 65_500
    end.says(frame(Opcode.PING, b"x" * 100))
    assert end.transport.paused
    end.transport.closed = True
    end.protocol.connection_lost(OSError())
    assert end.run(end.protocol.receive())["type"] == "websocket.disconnect"
    assert end.transport.paused, "nobody goes on reading from a connection that is gone"


# ---------------------------------------------------------------------------------- connections


FEW = 0.01
"""The share of allowed connections: ten."""

AT_ANY_PACE = Rate(10**6, 10**6)


def test_one_address_takes_no_more_than_its_connections() -> None:
    connection_limits = ConnectionLimits(Settings(limit_scale=FEW), AT_ANY_PACE)
    most = round(Places.REQUESTS.value * FEW)
    ends = [End(connection_limits) for _ in range(most + 1)]
    assert [end.transport.aborted for end in ends] == [False] * most + [True]
    assert not End(connection_limits, "192.0.2.2").transport.aborted
    ends[0].protocol.connection_lost(None)
    ends[-1].protocol.connection_lost(None)
    assert not End(connection_limits).transport.aborted, "one has gone"
    assert End(connection_limits).transport.aborted, (
        "the one that was refused had no place to give back"
    )


def test_whoever_connects_again_and_again_waits_and_is_turned_away_at_last() -> None:
    connection_limits = ConnectionLimits(Settings(), Rate(burst=4, per_second=2))
    ends = [End(connection_limits) for _ in range(20)]
    waits = [end for end in ends if end.transport.paused]
    assert [end.transport.paused for end in ends[:5]] == [False] * 5
    assert len(waits) == 10, "in the next five seconds, two a second"
    assert [end.transport.aborted for end in ends] == [False] * 15 + [True] * 5
    assert not End(connection_limits, "192.0.2.2").transport.paused, "nobody else waits"
    for number, end in enumerate(waits, 1):
        end.loop.pass_seconds(number / 2 - 0.01)
        assert end.transport.paused
        end.loop.pass_seconds(0.01)
        assert not end.transport.paused
        end.loop.pass_seconds(HEAD_SECONDS)
        assert end.transport.closed, "from then on a request is waited for as always"


def test_whoever_goes_while_they_wait_is_gone() -> None:
    connection_limits = ConnectionLimits(Settings(), Rate(burst=1, per_second=1))
    *_, end = [End(connection_limits) for _ in range(4)]
    assert end.transport.paused
    end.protocol.connection_lost(None)
    end.loop.pass_seconds(LONGEST_WAIT_SECONDS + HEAD_SECONDS)
    assert end.transport.paused, "nothing is read from a connection that is gone"


def test_with_time_everyone_may_come_fast_again() -> None:
    pace = Pace(Rate(burst=4, per_second=2))
    assert [pace.seconds_to_wait("a", 0.0, 1.0) for _ in range(9)] == [0] * 5 + [
        0.5,
        1.0,
        None,
        None,
    ]
    assert [pace.seconds_to_wait("a", 100.0, 1.0) for _ in range(6)] == [0] * 5 + [0.5]


def test_an_ipv6_network_counts_as_one_address() -> None:
    connection_limits = ConnectionLimits(Settings(limit_scale=FEW), AT_ANY_PACE)
    most = round(Places.REQUESTS.value * FEW)
    ends = [End(connection_limits, f"2001:db8::{number:x}") for number in range(most + 1)]
    assert ends[-1].transport.aborted
    assert not End(connection_limits, "2001:db8:0:1::1").transport.aborted


def test_sockets_are_counted_elsewhere() -> None:
    connection_limits = ConnectionLimits(Settings(limit_scale=FEW), AT_ANY_PACE)
    for _ in range(2 * round(Places.REQUESTS.value * FEW)):
        end = End(connection_limits)
        end.opens_socket()
        assert not end.transport.aborted
        for work in end.loop.tasks:
            work.close()


def test_a_trusted_proxy_has_all_the_connections_it_needs() -> None:
    connection_limits = ConnectionLimits(
        Settings(limit_scale=FEW, trusted_proxies=("192.0.2.0/24",))
    )
    ends = [End(connection_limits) for _ in range(2 * round(Places.REQUESTS.value * FEW))]
    assert not any(end.transport.aborted for end in ends)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_shells_limit_on_open_files_is_lifted() -> None:
    script = (
        "import resource\n"
        "from pytlik.server.startup import allow_many_files\n"
        "_, most = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))\n"
        "allow_many_files()\n"
        "assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
