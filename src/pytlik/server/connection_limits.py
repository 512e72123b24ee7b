"""How many connections an address may have, and how fast it may open them."""

from pytlik.server.admission import group_address, is_via_proxy
from pytlik.server.limits import Pace, Places, Rate, TakenPlaces
from pytlik.server.settings import UNIX, Settings

ARRIVALS = Rate(300, 25)
"""New connections from one address. A browser opens six at most, and keeps them."""

LONGEST_WAIT_SECONDS = 5.0
"""Clients that come faster have to wait, and are turned away if they would have to wait longer than
this. So somebody who connects again and again costs little, and a class behind one address is only
served more slowly."""

Place = tuple[Places, str]


class Full(Exception):
    """All places of an address are taken."""


class ConnectionLimits:
    """Lets in a limited number of connections from one address, at a limited pace, and any number
    from proxies that we trust: there the gate counts requests by the address that the proxy names.
    """

    def __init__(self, settings: Settings, arrivals: Rate = ARRIVALS) -> None:
        self._settings = settings
        self._taken = TakenPlaces(settings.limit_scale)
        self._pace = Pace(arrivals, settings.limit_scale)

    def enter(self, client: tuple[str, int] | None, now: float) -> tuple[Place | None, float]:
        """The place that is taken, if it counts, and how many seconds to wait before anything is
        read. Raises Full if there is none, or too many others wait."""
        if is_via_proxy({"client": client}, self._settings):
            return None, 0
        address = group_address(client[0] if client else UNIX)
        place = (Places.REQUESTS, address)
        if not self._taken.take(place):
            raise Full
        seconds = self._pace.seconds_to_wait(address, now, LONGEST_WAIT_SECONDS)
        if seconds is None:
            self._taken.give_back(place)
            raise Full
        return place, seconds

    def leave(self, place: Place) -> None:
        self._taken.give_back(place)
