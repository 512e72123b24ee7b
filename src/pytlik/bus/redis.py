"""Bus messages through the pub/sub of Redis or Valkey, for many workers.

Every table has a channel, and a worker subscribes to those of the tables that it follows. All
workers also share one channel.

Messages that couldn't be sent are kept and sent later: for each match, only the highest seq and the
events that led there. If there are too many, one message that tells workers to check everything
replaces them all.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import uuid4

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from pytlik.bus import OnBusMessage, OnMissed
from pytlik.bus.reconnection import (
    DEFAULT_TIMINGS,
    HeartbeatMonitor,
    ReconnectingBus,
    Timings,
    run_until_first_ends,
)
from pytlik.bus_messages import CHANNEL, format_bus_message, parse_bus_messages

MAX_WAITING_IDS = 10_000
"""How many matches and tables may have unsent messages."""

MAX_WAITING_EVENTS = 20
"""Unsent events of one match. A worker that is further behind had better read the log."""

BUS_MESSAGES_DROPPED = "*"
"""The message that says that bus messages were dropped."""

TIMEOUT_SECONDS = 5
"""How long connecting may take. How soon a lost connection is noticed doesn't depend on it: see
`Timings`."""


class RedisBus(ReconnectingBus):
    def __init__(self, url: str, timings: Timings = DEFAULT_TIMINGS) -> None:
        super().__init__(url, timings)
        self._waiting: dict[str, tuple[int, tuple[bytes, ...]]] = {}
        self._overflown = False
        self._wake = asyncio.Event()
        self._followed: set[str] = set()
        """The tables that this worker follows."""
        self._followed_changed = asyncio.Event()

    async def start(self, on_bus_message: OnBusMessage, on_missed: OnMissed) -> None:
        async def session(monitor: HeartbeatMonitor) -> None:
            # Nobody else is subscribed to it, so a heartbeat costs only one message, and not one
            # for every worker.
            own_channel = f"{CHANNEL} {uuid4()}"
            beating = False

            def beat() -> None:
                nonlocal beating
                beating = True
                self._wake.set()

            async def send() -> None:
                """Send everything over one connection, including heartbeats: if they come back,
                both this connection and the listening one are alive."""
                nonlocal beating
                await sender.ping()
                await subscribed.wait()
                monitor.start_beating(beat)
                while True:
                    await self._wake.wait()
                    self._wake.clear()
                    if beating:
                        beating = False
                        await sender.publish(own_channel, "")
                    if self._waiting or self._overflown:
                        await self._send_waiting(sender)

            async def listen() -> None:
                while True:
                    message = await pubsub.get_message(timeout=None)
                    if message is None:
                        continue
                    kind, channel = message["type"], message["channel"]
                    if kind == "subscribe" and channel == CHANNEL:
                        if subscribed.is_set():
                            raise ConnectionResetError("it has connected anew without a word")
                        subscribed.set()
                    elif kind == "subscribe" and channel != own_channel and subscribed.is_set():
                        on_missed(channel.removeprefix(channel_of("")))
                    elif kind == "message" and channel == own_channel:
                        monitor.note_answer()
                    elif kind == "message":
                        dispatch_payload(message["data"], on_bus_message, on_missed)

            async def follow(following: frozenset[str]) -> None:
                """Subscribe to newly followed tables, and unsubscribe from those no longer
                followed."""
                await subscribed.wait()
                while True:
                    await self._followed_changed.wait()
                    self._followed_changed.clear()
                    before, following = following, frozenset(self._followed)
                    if new := following - before:
                        await pubsub.subscribe(*map(channel_of, new))
                    if old := before - following:
                        await pubsub.unsubscribe(*map(channel_of, old))

            subscribed = asyncio.Event()
            async with (
                connect(self._url) as sender,
                connect(self._url) as listener,
                listener.pubsub() as pubsub,
            ):
                following = frozenset(self._followed)
                # Subscriptions are confirmed in this order, so after the last one all are active.
                await pubsub.subscribe(*map(channel_of, following), own_channel, CHANNEL)
                await run_until_first_ends(send(), follow(following), listen())

        await self._open_session("bus messages by Redis", session, partial(on_missed, None))

    def follow_table(self, table: str) -> None:
        self._followed.add(table)
        self._followed_changed.set()

    def unfollow_table(self, table: str) -> None:
        self._followed.discard(table)
        self._followed_changed.set()

    def publish(self, id: str, seq_or_version: int, events: Sequence[bytes] = ()) -> None:
        if len(self._waiting) >= MAX_WAITING_IDS and id not in self._waiting:
            self._waiting.clear()
            self._overflown = True
        if not self._overflown:
            self._waiting[id] = merge_bus_messages(
                self._waiting.get(id, (0, ())), seq_or_version, tuple(events)
            )
        self._wake.set()

    async def _send_waiting(self, redis: "Redis") -> None:
        """Send all unsent messages; if that fails, keep them for later."""
        sending, self._waiting = self._waiting, {}
        overflown, self._overflown = self._overflown, False
        try:
            async with redis.pipeline(transaction=False) as pipeline:
                # Commands wait in the pipeline until they are executed together.
                if overflown:
                    _ = pipeline.publish(CHANNEL, BUS_MESSAGES_DROPPED)
                for channel, lines in group_by_channel(sending).items():
                    _ = pipeline.publish(channel, "\n".join(lines))
                await pipeline.execute()
        except BaseException:
            self._overflown |= overflown
            for id, (reached, events) in sending.items():
                self.publish(id, reached, events)
            self._wake.set()
            raise


def merge_bus_messages(
    before: tuple[int, tuple[bytes, ...]], seq_or_version: int, events: tuple[bytes, ...]
) -> tuple[int, tuple[bytes, ...]]:
    """Merge a newer bus message into the unsent one about the same match or table."""
    reached, waiting = before
    if seq_or_version <= reached:
        return before
    if waiting and seq_or_version - len(events) == reached and len(waiting) < MAX_WAITING_EVENTS:
        return seq_or_version, (*waiting, *events)
    return seq_or_version, events


def channel_of(id: str) -> str:
    """The channel for bus messages of a table, or of a match's table."""
    return f"{CHANNEL} table {id.partition('.')[0]}"


def group_by_channel(news: dict[str, tuple[int, tuple[bytes, ...]]]) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for id, reached in news.items():
        lines.setdefault(channel_of(id), []).append(format_bus_message(id, *reached))
    return lines


def connect(url: str) -> "Redis":
    """A client that never retries by itself: `ReconnectingBus` does that, and has to know."""
    return Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


def dispatch_payload(payload: str, on_bus_message: OnBusMessage, on_missed: OnMissed) -> None:
    if payload == BUS_MESSAGES_DROPPED:
        on_missed(None)
    for bus_message in parse_bus_messages(payload):
        on_bus_message(*bus_message)
