"""A simulated bus: its messages may be late, duplicated, reordered or lost."""

import asyncio
from collections.abc import Sequence
from contextvars import Context, copy_context

from pytlik.bus import OnBusMessage, OnMissed
from pytlik.bus_messages import format_bus_message, parse_bus_messages
from tests.sim.conditions import Conditions
from tests.sim.loop import Process, call_outside_processes, current_process

MISSED_EVERY_SECONDS = 1.0
"""Seconds between calls of `on_missed` while a bus knows that it's cut off."""


class Exchange:
    """Connects all endpoints of a bus."""

    def __init__(self, conditions: Conditions, loop: asyncio.AbstractEventLoop) -> None:
        self.conditions = conditions
        self.loop = loop
        self.endpoints: list[SimBus] = []
        self.is_silent = False
        """Whether no messages are delivered."""
        self.outage_noticed = True
        """Whether the endpoints know when no messages are delivered."""

    def stop_delivery(self, *, noticed: bool) -> None:
        self.is_silent, self.outage_noticed = True, noticed
        if noticed:
            call_outside_processes(
                self.loop, MISSED_EVERY_SECONDS, self._report_missed_until_resumed
            )

    def resume_delivery(self) -> None:
        self.is_silent = False
        if self.outage_noticed:
            self._report_missed()

    def _report_missed_until_resumed(self) -> None:
        if self.is_silent and self.outage_noticed:
            self._report_missed()
            call_outside_processes(
                self.loop, MISSED_EVERY_SECONDS, self._report_missed_until_resumed
            )

    def _report_missed(self) -> None:
        for endpoint in self.endpoints:
            endpoint.report_missed()


class SimBus:
    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._followed_tables: set[str] = set()
        self._subscribed_tables: set[str] = set()
        """The followed tables whose subscription has reached the exchange."""
        self._context: Context | None = None

    async def start(self, on_bus_message: OnBusMessage, on_missed: OnMissed) -> None:
        self._on_bus_message, self._on_missed = on_bus_message, on_missed
        self._context = copy_context()  # so that callbacks run in this process
        self._exchange.endpoints.append(self)
        self._subscribed_tables |= self._followed_tables
        on_missed(None)

    def follow_table(self, table: str) -> None:
        if table not in self._followed_tables:
            self._followed_tables.add(table)
            if self._context:
                # Subscribing takes as long as a bus message, or longer.
                delays = self._exchange.conditions.bus_delays()
                self._subscribe_later(table, min(delays, default=MISSED_EVERY_SECONDS))

    def unfollow_table(self, table: str) -> None:
        self._followed_tables.discard(table)
        self._subscribed_tables.discard(table)

    def _subscribe_later(self, table: str, seconds: float) -> None:
        self._exchange.loop.call_later(seconds, self._subscribe, table, context=self._context)

    def _subscribe(self, table: str) -> None:
        if self._exchange.is_silent:
            self._subscribe_later(table, MISSED_EVERY_SECONDS)
        elif table in self._followed_tables and table not in self._subscribed_tables:
            self._subscribed_tables.add(table)
            self._on_missed(table)

    def is_subscribed_to(self, id: str) -> bool:
        return id.partition(".")[0] in self._subscribed_tables

    def publish(self, id: str, seq_or_version: int, events: Sequence[bytes] = ()) -> None:
        exchange = self._exchange
        if exchange.is_silent:
            return
        for endpoint in exchange.endpoints:
            if not endpoint.is_subscribed_to(id):
                continue
            for seconds in exchange.conditions.bus_delays():
                endpoint.deliver_later(seconds, format_bus_message(id, seq_or_version, events))

    def deliver_later(self, seconds: float, payload: str) -> None:
        loop = self._exchange.loop
        for bus_message in parse_bus_messages(payload):
            loop.call_later(seconds, self._on_bus_message, *bus_message, context=self._context)

    def belongs_to(self, process: Process) -> bool:
        return self._context is not None and self._context.get(current_process) is process

    def report_missed(self) -> None:
        self._exchange.loop.call_later(0, self._on_missed, None, context=self._context)

    @property
    def is_connected(self) -> bool:
        return not self._exchange.is_silent

    async def close(self) -> None:
        if self in self._exchange.endpoints:
            self._exchange.endpoints.remove(self)
