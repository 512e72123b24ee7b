"""Bus messages that are late, come twice, overtake each other, or never come."""

import asyncio
from collections.abc import Sequence
from contextvars import Context, copy_context

from pytlik.bus import OnBusMessage, OnMissed
from pytlik.bus_messages import format_bus_message, parse_bus_messages
from tests.sim.conditions import Conditions
from tests.sim.loop import Process, call_outside_processes, current_process

MISSED_EVERY_SECONDS = 1.0
"""Seconds between calls of `on_missed` while a bus knows that it hears nothing."""


class Exchange:
    """What all endpoints of a bus are connected to."""

    def __init__(self, conditions: Conditions, loop: asyncio.AbstractEventLoop) -> None:
        self.conditions = conditions
        self.loop = loop
        self.endpoints: list[SimBus] = []
        self.silent = False
        """Nothing is passed on."""
        self.noticed = True
        """Whether the endpoints know it when nothing is passed on."""

    def stop_delivery(self, *, noticed: bool) -> None:
        self.silent, self.noticed = True, noticed
        if noticed:
            call_outside_processes(
                self.loop, MISSED_EVERY_SECONDS, self._report_missed_until_resumed
            )

    def resume_delivery(self) -> None:
        self.silent = False
        if self.noticed:
            self._report_missed()

    def _report_missed_until_resumed(self) -> None:
        if self.silent and self.noticed:
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
        self._followed: set[str] = set()
        self._subscribed: set[str] = set()
        """Those that the exchange knows of."""
        self._context: Context | None = None

    async def start(self, on_bus_message: OnBusMessage, on_missed: OnMissed) -> None:
        self._heard, self._missed = on_bus_message, on_missed
        self._context = copy_context()  # so it is this process that hears
        self._exchange.endpoints.append(self)
        self._subscribed |= self._followed
        on_missed(None)

    def follow(self, table: str) -> None:
        if table not in self._followed:
            self._followed.add(table)
            if self._context:
                # It takes as long as a bus message, or longer.
                delays = self._exchange.conditions.bus_delays()
                self._subscribe_later(table, min(delays, default=MISSED_EVERY_SECONDS))

    def unfollow(self, table: str) -> None:
        self._followed.discard(table)
        self._subscribed.discard(table)

    def _subscribe_later(self, table: str, seconds: float) -> None:
        self._exchange.loop.call_later(seconds, self._subscribe, table, context=self._context)

    def _subscribe(self, table: str) -> None:
        if self._exchange.silent:
            self._subscribe_later(table, MISSED_EVERY_SECONDS)
        elif table in self._followed and table not in self._subscribed:
            self._subscribed.add(table)
            self._missed(table)

    def is_subscribed_to(self, id: str) -> bool:
        return id.partition(".")[0] in self._subscribed

    def publish(self, id: str, seq_or_version: int, events: Sequence[bytes] = ()) -> None:
        exchange = self._exchange
        if exchange.silent:
            return
        for endpoint in exchange.endpoints:
            if not endpoint.is_subscribed_to(id):
                continue
            for seconds in exchange.conditions.bus_delays():
                endpoint.deliver_later(seconds, format_bus_message(id, seq_or_version, events))

    def deliver_later(self, seconds: float, payload: str) -> None:
        loop = self._exchange.loop
        for bus_message in parse_bus_messages(payload):
            loop.call_later(seconds, self._heard, *bus_message, context=self._context)

    def belongs_to(self, process: Process) -> bool:
        return self._context is not None and self._context.get(current_process) is process

    def report_missed(self) -> None:
        self._exchange.loop.call_later(0, self._missed, None, context=self._context)

    @property
    def is_connected(self) -> bool:
        return not self._exchange.silent

    async def close(self) -> None:
        if self in self._exchange.endpoints:
            self._exchange.endpoints.remove(self)
