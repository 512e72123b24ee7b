"""Bus messages between workers: see `pytlik.bus_messages` for their contents.

A worker follows the tables that its clients are connected to, and needs no bus messages about
others. If bus messages may have been lost, the worker is notified and checks the store.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

OnBusMessage = Callable[[str, int, str], None]
"""A callback that gets the fields of a `BusMessage`."""

OnMissed = Callable[[str | None], None]
"""A callback for when bus messages may have been lost: those of one table, or of any (None)."""


class Bus(Protocol):
    async def start(self, on_bus_message: OnBusMessage, on_missed: OnMissed) -> None:
        """Start listening. While disconnected, `on_missed` is called again and again."""

    def follow_table(self, table: str) -> None:
        """Listen to bus messages about a table and its matches. Never waits: if that isn't possible
        at once, `on_missed` is called as soon as it is."""

    def unfollow_table(self, table: str) -> None:
        """Stop listening to bus messages about a table."""

    def publish(self, id: str, seq_or_version: int, events: Sequence[bytes] = ()) -> None:
        """Tell the other workers that a match has reached this seq, with the last events that led
        there, or a table this version. Never waits and never raises: a lost bus message only causes
        a delay."""

    @property
    def is_connected(self) -> bool:
        """Whether bus messages can be sent and received at the moment."""

    async def close(self) -> None: ...
