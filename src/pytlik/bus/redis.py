"""Wake-ups by the pub/sub of Redis or Valkey, for many workers.

Every table has a channel, and a worker is subscribed to those of the tables that it follows. One
more channel is everybody's.

What could not be sent waits and is sent later; of a match only the highest number waits, and the
events that led there. Where too much waits, all of it becomes one word to look at everything.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import uuid4

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from pytlik.bus import Heard, Missed
from pytlik.bus.reconnecting import (
    TIMINGS,
    HeartbeatMonitor,
    ReconnectingBus,
    Timings,
    run_until_first_ends,
)
from pytlik.wake_ups import CHANNEL, format_wake_up, parse_wake_ups

MOST = 10_000
"""Ids that may wait to be sent."""

MAX_WAITING_EVENTS = 20
"""Of one match. Where more wait, somebody is behind by so much that they'd better read the log."""

EVERYTHING = "*"
"""Says that wake-ups were dropped."""

TIMEOUT = 5
"""Seconds that Redis may take to let us in. How soon its silence is noticed later on does not
depend on it: see `Timings`."""


class RedisBus(ReconnectingBus):
    def __init__(self, url: str, timings: Timings = TIMINGS) -> None:
        super().__init__(url, timings)
        self._waiting: dict[str, tuple[int, tuple[bytes, ...]]] = {}
        self._overflown = False
        self._wake = asyncio.Event()
        self._followed: set[str] = set()
        """Tables."""
        self._followed_changed = asyncio.Event()

    async def start(self, heard: Heard, missed: Missed) -> None:
        async def session(monitor: HeartbeatMonitor) -> None:
            # Nobody else is subscribed to it: so a heartbeat costs one message, and not one for
            # every worker.
            own_channel = f"{CHANNEL} {uuid4()}"
            beating = False

            def beat() -> None:
                nonlocal beating
                beating = True
                self._wake.set()

            async def send() -> None:
                """All that is sent goes by one connection, and heartbeats with it: where they come
                back both this one and the one that listens are alive."""
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
                        await self._send(sender)

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
                        missed(channel.removeprefix(channel_of("")))
                    elif kind == "message" and channel == own_channel:
                        monitor.note_answer()
                    elif kind == "message":
                        dispatch_payload(message["data"], heard, missed)

            async def follow(following: frozenset[str]) -> None:
                """Subscribe to tables that are followed by now, and let the others go."""
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
                # They are confirmed in this order, so after the last one all can be heard.
                await pubsub.subscribe(*map(channel_of, following), own_channel, CHANNEL)
                await run_until_first_ends(send(), follow(following), listen())

        await self._open_session("wake-ups by Redis", session, partial(missed, None))

    def follow(self, table: str) -> None:
        self._followed.add(table)
        self._followed_changed.set()

    def unfollow(self, table: str) -> None:
        self._followed.discard(table)
        self._followed_changed.set()

    def publish(self, id: str, number: int, events: Sequence[bytes] = ()) -> None:
        if len(self._waiting) >= MOST and id not in self._waiting:
            self._waiting.clear()
            self._overflown = True
        if not self._overflown:
            self._waiting[id] = merge_news(self._waiting.get(id, (0, ())), number, tuple(events))
        self._wake.set()

    async def _send(self, redis: "Redis") -> None:
        """Send what waits; if that fails it waits again."""
        sending, self._waiting = self._waiting, {}
        overflown, self._overflown = self._overflown, False
        try:
            async with redis.pipeline(transaction=False) as pipeline:
                # Commands wait in the pipeline until they are executed together.
                if overflown:
                    _ = pipeline.publish(CHANNEL, EVERYTHING)
                for channel, lines in group_by_channel(sending).items():
                    _ = pipeline.publish(channel, "\n".join(lines))
                await pipeline.execute()
        except BaseException:
            self._overflown |= overflown
            for id, (number, events) in sending.items():
                self.publish(id, number, events)
            self._wake.set()
            raise


def merge_news(
    before: tuple[int, tuple[bytes, ...]], number: int, events: tuple[bytes, ...]
) -> tuple[int, tuple[bytes, ...]]:
    """What waits for one match or table, if there is more to tell of it."""
    reached, waiting = before
    if number <= reached:
        return before
    if waiting and number - len(events) == reached and len(waiting) < MAX_WAITING_EVENTS:
        return number, (*waiting, *events)
    return number, events


def channel_of(id: str) -> str:
    """Where a table, or the table of a match, is heard of."""
    return f"{CHANNEL} table {id.partition('.')[0]}"


def group_by_channel(news: dict[str, tuple[int, tuple[bytes, ...]]]) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for id, reached in news.items():
        lines.setdefault(channel_of(id), []).append(format_wake_up(id, *reached))
    return lines


def connect(url: str) -> "Redis":
    """A client that tries nothing twice by itself: `ReconnectingBus` does, and knows of it."""
    return Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=TIMEOUT,
        socket_connect_timeout=TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )


def dispatch_payload(payload: str, heard: Heard, missed: Missed) -> None:
    if payload == EVERYTHING:
        missed(None)
    for wake_up in parse_wake_ups(payload):
        heard(*wake_up)
