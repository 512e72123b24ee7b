"""How many connections an address may have, and how fast it and all others may open them."""

from typing import NamedTuple

from pytlik.server.access.admission import is_via_proxy, rate_limit_address
from pytlik.server.access.rate_limits import ConnectionSlots, Rate, SlotLimit, Throttle
from pytlik.server.settings import UNIX_SOCKET, Settings


class ArrivalRates(NamedTuple):
    """How fast new connections are served."""

    address: Rate = Rate(300, 25)
    """From one address. A browser opens six at most, and keeps them."""
    calm: Rate = Rate(12, 2)
    """An address that opens no more than this is calm."""
    all_calm: Rate = Rate(10, 400)
    """From all calm addresses together. Each connection takes a millisecond or more, and hundreds
    that come at once would hold up everybody else."""
    all_busy: Rate = Rate(5, 60)
    """From all other addresses together."""


LONGEST_WAIT_SECONDS, LONGEST_WAIT_FOR_OTHERS_SECONDS = 5.0, 15.0
"""Clients that come faster have to wait, and are turned away if they would have to wait longer than
this for those of their own address, or for those of other addresses. So somebody who connects again
and again costs little, and a class behind one address is only served more slowly."""

TakenSlot = tuple[SlotLimit, str]


class NoFreeSlot(Exception):
    """All slots of an address are taken, or it would have to wait too long."""


class ConnectionLimits:
    """Lets in a limited number of connections from one address, at a limited pace, and any number
    from proxies that we trust: there the gate counts requests by the address that the proxy names.
    """

    def __init__(self, settings: Settings, rates: ArrivalRates | None = None) -> None:
        self._settings = settings
        self._taken = ConnectionSlots(settings.limit_scale)
        self._address, self._calm, self._all_calm, self._all_busy = (
            Throttle(rate, settings.limit_scale) for rate in rates or ArrivalRates()
        )

    def enter(self, client: tuple[str, int] | None, now: float) -> tuple[TakenSlot | None, float]:
        """The slot that is taken, if it counts, and how many seconds to wait before anything is
        read. Raises NoFreeSlot if there is none, or too many others wait."""
        if is_via_proxy({"client": client}, self._settings):
            return None, 0
        address = rate_limit_address(client[0] if client else UNIX_SOCKET)
        slot = (SlotLimit.REQUESTS, address)
        if not self._taken.take(slot):
            raise NoFreeSlot
        seconds = self._book_turns(address, now)
        if seconds is None:
            self._taken.give_back(slot)
            raise NoFreeSlot
        return slot, seconds

    def _book_turns(self, address: str, now: float) -> float | None:
        """The seconds to wait; None if that would take too long."""
        own = self._address.book_turn(address, now, LONGEST_WAIT_SECONDS)
        if own is None:
            return None
        is_calm = self._calm.book_turn(address, now, 0) is not None
        all_alike = self._all_calm if is_calm else self._all_busy
        others = all_alike.book_turn("", now, LONGEST_WAIT_FOR_OTHERS_SECONDS)
        return None if others is None else max(own, others)

    def leave(self, slot: TakenSlot) -> None:
        self._taken.give_back(slot)
