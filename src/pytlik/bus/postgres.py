"""Wake-ups by PostgreSQL's NOTIFY.

`PostgresStore(notify=True)` sends them inside the transaction that they speak of: so they come in
order, and only if it commits. Here is who listens. Everybody hears of every table: PostgreSQL wakes
up whoever listens to any channel, so a channel for each table would save nothing.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import uuid4

import asyncpg

from pytlik.bus import Heard, Missed
from pytlik.bus.reconnecting import HeartbeatMonitor, ReconnectingBus
from pytlik.wake_ups import CHANNEL, parse_wake_ups

TIMEOUT = 5
"""Seconds that PostgreSQL may take to let us in. How soon its silence is noticed later on does not
depend on it: see `Timings`."""


class PostgresBus(ReconnectingBus):
    async def start(self, heard: Heard, missed: Missed) -> None:
        async def session(monitor: HeartbeatMonitor) -> None:
            await listen(self._url, heard, monitor)

        await self._open_session("wake-ups by PostgreSQL", session, partial(missed, None))

    def publish(self, id: str, number: int, events: Sequence[bytes] = ()) -> None:
        """The store has said it already."""

    def follow(self, table: str) -> None:
        """All tables are heard of."""

    def unfollow(self, table: str) -> None:
        pass


async def listen(url: str, heard: Heard, monitor: HeartbeatMonitor) -> None:
    """Listen until the connection breaks.

    Heartbeats are notifications too: they go through PostgreSQL's queue, behind those of whoever
    has committed before, and only who listens at its end sends them."""
    own_channel = f"{CHANNEL} {uuid4()}"
    due = asyncio.Event()

    def notified(_connection: Any, _pid: int, _channel: str, payload: object) -> None:
        for wake_up in parse_wake_ups(str(payload)):
            heard(*wake_up)

    connection = await asyncpg.connect(url, timeout=TIMEOUT, command_timeout=TIMEOUT)
    try:
        # It may break while there is nothing to send; and a heartbeat is not worth a flushed disk.
        connection.add_termination_listener(lambda _: due.set())
        await connection.execute("SET synchronous_commit = off")
        await connection.add_listener(CHANNEL, notified)
        await connection.add_listener(own_channel, lambda *_: monitor.note_answer())
        monitor.start_beating(due.set)
        while True:
            await due.wait()
            due.clear()
            await connection.execute("SELECT pg_notify($1, '')", own_channel)
    finally:
        connection.terminate()
