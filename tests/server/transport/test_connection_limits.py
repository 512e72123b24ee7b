"""How many connections an address may have, and how fast it may open them."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

import pytest
import uvloop
from uvicorn.server import ServerState

from pytlik.server.access.rate_limits import Rate, SlotLimit, Throttle
from pytlik.server.settings import Settings
from pytlik.server.transport.connection_limits import (
    LONGEST_WAIT_FOR_OTHERS_SECONDS,
    LONGEST_WAIT_SECONDS,
    ArrivalRates,
    ConnectionLimits,
    NoFreeSlot,
)
from pytlik.server.transport.http_protocol import HEAD_SECONDS
from tests.server.simulated_connection import ManualLoop, ServerEnd, make_http_protocol

TEN_CONNECTIONS_SCALE = 0.01
"""The limit scale at which an address may have ten connections."""

UNLIMITED_RATES = ArrivalRates(*[Rate(10**6, 10**6)] * 4)


def test_the_connections_of_an_address_are_limited() -> None:
    connection_limits = ConnectionLimits(
        Settings(limit_scale=TEN_CONNECTIONS_SCALE), UNLIMITED_RATES
    )
    most = round(SlotLimit.REQUESTS.value * TEN_CONNECTIONS_SCALE)
    ends = [ServerEnd(connection_limits) for _ in range(most + 1)]
    assert [end.transport.aborted for end in ends] == [False] * most + [True]
    assert not ServerEnd(connection_limits, "192.0.2.2").transport.aborted
    ends[0].protocol.connection_lost(None)
    ends[-1].protocol.connection_lost(None)
    assert not ServerEnd(connection_limits).transport.aborted, "one has disconnected"
    assert ServerEnd(connection_limits).transport.aborted, (
        "the one that was refused had no place to give back"
    )


def test_address_that_connects_too_fast_waits_and_is_finally_refused() -> None:
    connection_limits = ConnectionLimits(
        Settings(), ArrivalRates(address=Rate(burst=4, per_second=2), all_calm=Rate(30, 400))
    )
    ends = [ServerEnd(connection_limits) for _ in range(20)]
    waits = [end for end in ends if end.transport.paused]
    assert [end.transport.paused for end in ends[:5]] == [False] * 5
    assert len(waits) == 10, "in the next five seconds, two a second"
    assert [end.transport.aborted for end in ends] == [False] * 15 + [True] * 5
    assert not ServerEnd(connection_limits, "192.0.2.2").transport.paused, "nobody else waits"
    for number, end in enumerate(waits, 1):
        end.loop.pass_seconds(number / 2 - 0.01)
        assert end.transport.paused
        end.loop.pass_seconds(0.01)
        assert not end.transport.paused
        end.loop.pass_seconds(HEAD_SECONDS)
        assert end.transport.closed, "from then on, the usual timeout applies"


def test_crowd_is_admitted_gradually_after_calm_addresses() -> None:
    calm, busy = Rate(burst=3, per_second=1), Rate(burst=5, per_second=10)
    rates = ArrivalRates(calm=calm, all_calm=Rate(30, 400), all_busy=busy)
    connection_limits = ConnectionLimits(Settings(), rates)
    crowd = [
        ServerEnd(connection_limits, f"192.0.2.{host}") for _ in range(40) for host in range(5)
    ]
    waiting = [end for end in crowd if end.transport.paused]
    aborted = sum(end.transport.aborted for end in crowd)
    at_once = len(crowd) - len(waiting) - aborted
    assert at_once == 5 * (calm.burst + 1) + busy.burst + 1
    assert len(waiting) == LONGEST_WAIT_FOR_OTHERS_SECONDS * busy.per_second
    for number, end in enumerate(waiting, 1):
        end.loop.pass_seconds(number / busy.per_second - 0.01)
        assert end.transport.paused
        end.loop.pass_seconds(0.02)
        assert not end.transport.paused
    for _ in range(calm.burst):
        assert not ServerEnd(connection_limits, "198.51.100.1").transport.paused


def test_simultaneous_calm_addresses_are_spread_out() -> None:
    all_calm = Rate(burst=5, per_second=100)
    connection_limits = ConnectionLimits(Settings(), ArrivalRates(all_calm=all_calm))
    ends = [ServerEnd(connection_limits, f"198.51.100.{host}") for host in range(40)]
    waiting = [end for end in ends if end.transport.paused]
    assert len(waiting) == len(ends) - all_calm.burst - 1
    for number, end in enumerate(waiting, 1):
        end.loop.pass_seconds(number / all_calm.per_second + 0.001)
        assert not end.transport.paused


def test_connection_that_would_wait_too_long_takes_no_slot() -> None:
    limits = ConnectionLimits(Settings(), ArrivalRates(address=Rate(burst=1, per_second=1)))
    client = ("192.0.2.1", 50_000)
    for _ in range(2 * SlotLimit.REQUESTS.value):
        with suppress(NoFreeSlot):
            limits.enter(client, now=0)
    limits.enter(client, now=3_600)


def test_client_that_leaves_while_waiting_is_not_read_again() -> None:
    connection_limits = ConnectionLimits(
        Settings(), ArrivalRates(address=Rate(burst=1, per_second=1))
    )
    *_, end = [ServerEnd(connection_limits) for _ in range(4)]
    assert end.transport.paused
    end.protocol.connection_lost(None)
    end.loop.pass_seconds(LONGEST_WAIT_SECONDS + HEAD_SECONDS)
    assert end.transport.paused, "nothing is read from a connection that is gone"


def test_data_before_a_connections_turn_is_not_parsed() -> None:
    """Event loops may deliver data that they've already read."""
    limits = ConnectionLimits(Settings(), ArrivalRates(address=Rate(burst=1, per_second=1)))
    *_, end = [ServerEnd(limits) for _ in range(3)]
    end.feed_data(b"GET / HTTP/1.1\r\nhost: pytlik.test\r\n\r\n")
    assert end.transport.paused
    assert not end.request_count()
    end.loop.pass_seconds(1)
    assert not end.transport.paused
    assert end.request_count() == 1
    end.loop.tasks[0].close()


def test_a_socket_that_had_to_wait_for_its_turn_stays_open() -> None:
    limits = ConnectionLimits(Settings(), ArrivalRates(address=Rate(burst=1, per_second=1)))
    *_, end = [ServerEnd(limits) for _ in range(3)]
    assert end.transport.paused
    end.loop.pass_seconds(1)
    end.open_websocket()
    end.protocol.stop_keepalive()
    end.loop.pass_seconds(2 * HEAD_SECONDS)
    assert not end.transport.closed
    for task in end.loop.tasks:
        task.close()


@pytest.mark.parametrize(
    "new_loop", [uvloop.new_event_loop, asyncio.new_event_loop], ids=["uvloop", "asyncio"]
)
def test_real_event_loops_wait_for_a_connections_turn(
    new_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """uvloop starts to read even if reading was paused when the connection was made."""
    limits = ConnectionLimits(Settings(), ArrivalRates(address=Rate(burst=0, per_second=1)))
    time, state = ManualLoop(), ServerState()
    request = b"GET / HTTP/1.1\r\nhost: pytlik.test\r\n\r\n"

    async def wait_for_requests(count: int) -> None:
        while len(time.tasks) < count:  # noqa: ASYNC110 - no event to await
            await asyncio.sleep(0.001)

    async def play() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: make_http_protocol(time, state, limits), "127.0.0.1", 0
        )
        port = server.sockets[0].getsockname()[1]
        writers = [(await asyncio.open_connection("127.0.0.1", port))[1] for _ in range(2)]
        for writer in reversed(writers):  # the one that has to wait sends first
            writer.write(request)
            await writer.drain()
        await wait_for_requests(1)
        assert len(time.tasks) == 1
        time.pass_seconds(1)
        await wait_for_requests(2)
        for writer in writers:
            writer.close()
        for task in time.tasks:
            task.close()
        server.close()
        await server.wait_closed()

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(play())


def test_address_may_connect_fast_again_after_a_while() -> None:
    throttle = Throttle(Rate(burst=4, per_second=2))
    assert [throttle.book_turn("a", 0.0, 1.0) for _ in range(9)] == [0] * 5 + [
        0.5,
        1.0,
        None,
        None,
    ]
    assert [throttle.book_turn("a", 100.0, 1.0) for _ in range(6)] == [0] * 5 + [0.5]


def test_an_ipv6_network_counts_as_one_address() -> None:
    connection_limits = ConnectionLimits(
        Settings(limit_scale=TEN_CONNECTIONS_SCALE), UNLIMITED_RATES
    )
    most = round(SlotLimit.REQUESTS.value * TEN_CONNECTIONS_SCALE)
    ends = [ServerEnd(connection_limits, f"2001:db8::{number:x}") for number in range(most + 1)]
    assert ends[-1].transport.aborted
    assert not ServerEnd(connection_limits, "2001:db8:0:1::1").transport.aborted


def test_sockets_do_not_count_as_connections() -> None:
    connection_limits = ConnectionLimits(
        Settings(limit_scale=TEN_CONNECTIONS_SCALE), UNLIMITED_RATES
    )
    for _ in range(2 * round(SlotLimit.REQUESTS.value * TEN_CONNECTIONS_SCALE)):
        end = ServerEnd(connection_limits)
        end.open_websocket()
        assert not end.transport.aborted
        for work in end.loop.tasks:
            work.close()


def test_trusted_proxy_has_no_connection_limit() -> None:
    connection_limits = ConnectionLimits(
        Settings(limit_scale=TEN_CONNECTIONS_SCALE, trusted_proxies=("192.0.2.0/24",))
    )
    ends = [
        ServerEnd(connection_limits)
        for _ in range(2 * round(SlotLimit.REQUESTS.value * TEN_CONNECTIONS_SCALE))
    ]
    assert not any(end.transport.aborted for end in ends)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_limit_on_open_files_is_raised() -> None:
    script = (
        "import resource\n"
        "from pytlik.server.startup import allow_many_files\n"
        "_, most = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))\n"
        "allow_many_files()\n"
        "assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
