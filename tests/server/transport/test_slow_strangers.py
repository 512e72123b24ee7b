"""Strangers who open too many sockets or send too many messages have to wait."""

import asyncio
from collections import Counter

from pytlik.server.access.admission import Visitor
from pytlik.server.access.rate_limits import ConnectionSlots, Throttle
from pytlik.server.access.socket_limits import (
    LONGEST_REFUSAL_SECONDS,
    MAX_SLOW_REFUSALS,
    SHORTEST_REFUSAL_SECONDS,
    STRANGERS_MESSAGES_RATE,
    SlowRefusals,
    SocketLimits,
    SocketVisit,
)
from tests.bus.virtual_time import run_in_virtual_time


async def hang() -> None:
    await asyncio.get_running_loop().create_future()


def test_refusals_are_delayed_and_spread_out() -> None:
    async def refuse() -> None:
        refusals = SlowRefusals()
        times = []

        async def note() -> None:
            await refusals.delay(hang())
            times.append(asyncio.get_running_loop().time())

        await asyncio.gather(*(note() for _ in range(100)))
        assert times[0] >= SHORTEST_REFUSAL_SECONDS
        assert times[-1] <= LONGEST_REFUSAL_SECONDS
        each_second = Counter(int(time) for time in times)
        assert len(each_second) == LONGEST_REFUSAL_SECONDS - SHORTEST_REFUSAL_SECONDS
        assert max(each_second.values()) <= 25, "a crowd that came at once is spread out"

    run_in_virtual_time(refuse())


def test_delay_ends_when_the_client_leaves() -> None:
    async def refuse() -> None:
        loop = asyncio.get_running_loop()
        await SlowRefusals().delay(asyncio.sleep(1))
        assert loop.time() == 1

    run_in_virtual_time(refuse())


def test_number_of_delayed_refusals_is_limited() -> None:
    async def refuse() -> None:
        loop = asyncio.get_running_loop()
        refusals = SlowRefusals()
        waiting = [asyncio.ensure_future(refusals.delay(hang())) for _ in range(MAX_SLOW_REFUSALS)]
        await asyncio.sleep(0)
        await refusals.delay(hang())
        assert loop.time() == 0, "at once: each delayed refusal takes memory"
        await asyncio.wait(waiting)
        all_gone = loop.time()
        await refusals.delay(hang())
        assert loop.time() >= all_gone + SHORTEST_REFUSAL_SECONDS, "there is room again"

    run_in_virtual_time(refuse())


def test_messages_of_all_strangers_share_one_rate() -> None:
    async def send() -> None:
        limits = SocketLimits(
            lambda *_: None, lambda *_: None, ConnectionSlots(), Throttle(STRANGERS_MESSAGES_RATE)
        )
        visits = [SocketVisit(str(n), Visitor(str(n), secure=False), limits) for n in range(40)]
        burst, per_second = STRANGERS_MESSAGES_RATE.burst, STRANGERS_MESSAGES_RATE.per_second
        loop = asyncio.get_running_loop()
        for _ in range(burst):
            await visits[0].wait_for_turn()
        assert loop.time() == 0, "a few never wait"
        rounds = 50
        for _ in range(rounds):
            await asyncio.gather(*(visit.wait_for_turn() for visit in visits))
        assert abs(loop.time() - rounds * len(visits) / per_second) < 0.01

    run_in_virtual_time(send())
