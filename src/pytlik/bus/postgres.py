"""Bus messages through PostgreSQL's NOTIFY.

`PostgresStore(notify=True)` sends them inside the transaction that they're about, so they arrive in
order, and only if it commits. This module listens. Every worker gets those about all tables:
PostgreSQL wakes up all listeners whatever the channel, so a channel for each table would save
nothing.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import uuid4

import asyncpg

from pytlik.bus import OnBusMessage, OnMissed
from pytlik.bus.reconnection import HeartbeatMonitor, ReconnectingBus
from pytlik.bus_messages import CHANNEL, parse_bus_messages

TIMEOUT_SECONDS = 5
"""How long connecting may take. How soon a lost connection is noticed doesn't depend on it: see
`Timings`."""


class PostgresBus(ReconnectingBus):
    async def start(self, on_bus_message: OnBusMessage, on_missed: OnMissed) -> None:
        async def session(monitor: HeartbeatMonitor) -> None:
            await listen(self._url, on_bus_message, monitor)

        await self._open_session("bus messages by PostgreSQL", session, partial(on_missed, None))

    def publish(self, id: str, seq_or_version: int, events: Sequence[bytes] = ()) -> None:
        """Does nothing: the store has already sent it."""

    def follow_table(self, table: str) -> None:
        """Does nothing: every worker gets the bus messages about all tables."""

    def unfollow_table(self, table: str) -> None:
        pass


async def listen(url: str, on_bus_message: OnBusMessage, monitor: HeartbeatMonitor) -> None:
    """Listen until the connection breaks.

    Heartbeats are notifications too, which each listener sends to itself: they go through
    PostgreSQL's queue, behind those of earlier commits."""
    own_channel = f"{CHANNEL} {uuid4()}"
    due = asyncio.Event()

    def on_notification(_connection: Any, _pid: int, _channel: str, payload: object) -> None:
        for bus_message in parse_bus_messages(str(payload)):
            on_bus_message(*bus_message)

    connection = await asyncpg.connect(
        url, timeout=TIMEOUT_SECONDS, command_timeout=TIMEOUT_SECONDS
    )
    try:
        # The connection may break while there is nothing to send. And a heartbeat isn't worth
        # flushing the disk.
        connection.add_termination_listener(lambda _: due.set())
        await connection.execute("SET synchronous_commit = off")
        await connection.add_listener(CHANNEL, on_notification)
        await connection.add_listener(own_channel, lambda *_: monitor.note_answer())
        monitor.start_beating(due.set)
        while True:
            await due.wait()
            due.clear()
            await connection.execute("SELECT pg_notify($1, '')", own_channel)
    finally:
        connection.terminate()
