"""Limits for the sockets at a table: how many there may be, and how much each may send.

People who sit at a table or host it each have limits of their own. All others share the limits for
strangers, so that a link in the wrong hands takes nothing from the players.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from math import inf
from typing import Any

from pytlik.game import Illegal
from pytlik.server.access.admission import Visitor
from pytlik.server.access.rate_limits import ConnectionSlots, Kind, Rate, SlotLimit, Throttle
from pytlik.server.table.tables import Table, is_member

STRANGERS_MESSAGES_RATE = Rate(10, 100)
"""Socket messages of everyone who doesn't belong to their table. If they come faster, they wait for
their turn, so that players needn't wait for them. It's enough for a thousand spectators: each
answers a ping every ten seconds."""

SHORTEST_REFUSAL_SECONDS, LONGEST_REFUSAL_SECONDS = 4.0, 9.0
"""How long a client that opens too many sockets waits for the refusal."""

MAX_SLOW_REFUSALS = 2_000
"""How many may wait for it at once: each takes some 20 KiB."""

GOLDEN_RATIO = 0.618
"""The fractional parts of its multiples are spread evenly between 0 and 1."""


class TooManySockets(Exception):
    """There are too many sockets of this kind already."""


class TooManyMessages(Illegal):
    """A stranger's address sends too much, so its socket is closed: spectators have little to
    send."""


class SlowRefusals:
    """Answers clients that open too many sockets only after a while, so that those who keep
    retrying cost the others little. A crowd that comes at once is spread out: its members wait for
    different times."""

    def __init__(
        self,
        shortest: float = SHORTEST_REFUSAL_SECONDS,
        longest: float = LONGEST_REFUSAL_SECONDS,
    ) -> None:
        self._shortest = shortest
        self._range = longest - shortest
        self._waiting = 0
        self._count = 0

    async def delay(self, gone: Coroutine[Any, Any, None]) -> None:
        """Wait for a few seconds, or until the client has gone. Doesn't wait if too many already
        do."""
        if self._waiting >= MAX_SLOW_REFUSALS:
            gone.close()
            return
        self._waiting += 1
        self._count += 1
        try:
            async with asyncio.timeout(
                self._shortest + self._range * (GOLDEN_RATIO * self._count % 1)
            ):
                await gone
        except TimeoutError:
            pass
        finally:
            self._waiting -= 1


@dataclass(frozen=True)
class SocketLimits:
    """What all sockets of a worker share."""

    take: Callable[[Kind, str], None]
    """Counts something. Raises Illegal(TOO_FAST)."""
    penalize: Callable[[Kind, str], None]
    """Allows nothing of a kind for a while."""
    slots: ConnectionSlots
    strangers_messages: Throttle
    slow_refusals: SlowRefusals = field(default_factory=SlowRefusals)


class SocketVisit:
    """Somebody's socket at a table."""

    __slots__ = ("_address", "_limits", "_table", "_taken", "holder")

    def __init__(self, table: str, visitor: Visitor, limits: SocketLimits) -> None:
        """Raises Illegal if a visitor without a token, who can't belong to any table, opens too
        many sockets."""
        self.holder = visitor.holder
        self._table = table
        self._address = visitor.address
        self._limits = limits
        self._taken: tuple[tuple[SlotLimit, str], ...] = ()
        if self.holder is None:
            limits.take(Kind.CONNECT_STRANGER, self._address_at_table)

    @property
    def _address_at_table(self) -> str:
        return f"{self._table} {self._address}"

    def enter(self, table: Table) -> None:
        """Take the slots that a socket needs, until `leave`. Raises TooManySockets or Illegal."""
        wanted = [(SlotLimit.ADDRESS, self._address)]
        if self.holder is not None:
            wanted.append((SlotLimit.PERSON, f"{self._table} {self.holder}"))
        if not is_member(table, self.holder):
            if self.holder is not None:
                self._limits.take(Kind.CONNECT_STRANGER, self._address_at_table)
            self._limits.take(Kind.CONNECT_AT_TABLE, self._table)
            wanted.append((SlotLimit.SPECTATORS, self._table))
            wanted.append((SlotLimit.SPECTATORS_ADDRESS, self._address_at_table))
        if not self._limits.slots.take(*wanted):
            raise TooManySockets
        self._taken = tuple(wanted)

    def leave(self) -> None:
        taken, self._taken = self._taken, ()
        self._limits.slots.give_back(*taken)

    async def delay_refusal(self, gone: Coroutine[Any, Any, None]) -> None:
        """Let a client that has to be refused wait, unless it has gone."""
        await self._limits.slow_refusals.delay(gone)

    async def wait_for_turn(self) -> None:
        """Wait until a stranger's message may be handled."""
        now = asyncio.get_running_loop().time()
        if seconds := self._limits.strangers_messages.book_turn("", now, inf):
            await asyncio.sleep(seconds)

    def count_message(self, *, member: bool) -> None:
        """Raises Illegal(TOO_FAST)."""
        if member:
            self._limits.take(Kind.MESSAGE, f"{self._table} {self.holder}")
        else:
            try:
                self._limits.take(Kind.MESSAGE_STRANGER, self._address_at_table)
            except Illegal as refusal:
                self._limits.penalize(Kind.CONNECT_STRANGER, self._address_at_table)
                raise TooManyMessages(refusal.reason, **refusal.detail) from None
            self._limits.take(Kind.MESSAGE_STRANGERS, self._table)
        self._limits.take(Kind.MESSAGE_ADDRESS, self._address)

    def count_heavy(self) -> None:
        """Raises Illegal(TOO_FAST)."""
        self._limits.take(Kind.HEAVY, self._address)

    def count_talk(self, *, member: bool) -> None:
        """Raises Illegal(TOO_FAST)."""
        self._limits.take(Kind.TALK, f"{self._table} {self.holder or self._address}")
        self._limits.take(Kind.TALK_ADDRESS, self._address)
        if member:  # only members can talk
            self._limits.take(Kind.TALK_AT_TABLE, self._table)
