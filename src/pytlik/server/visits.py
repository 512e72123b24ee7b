"""What one socket may do: how many there may be, and how much each says.

People who sit at a table or host it each have limits of their own. All others share the limits for
strangers, so that a link in the wrong hands takes nothing from the players.
"""

from collections.abc import Callable

from pytlik.game import Illegal
from pytlik.server.admission import Visitor
from pytlik.server.limits import Kind, Places, TakenPlaces
from pytlik.server.tables import Table, is_member


class TooManySockets(Exception):
    """There are too many sockets of this kind already."""


class TooManyMessages(Illegal):
    """A stranger's address sends too much, so its socket is closed: spectators need few words."""


class Visit:
    """Somebody's socket at a table."""

    __slots__ = ("_address", "_places", "_table", "_take", "_taken", "holder")

    def __init__(
        self, table: str, visitor: Visitor, take: Callable[[Kind, str], None], places: TakenPlaces
    ) -> None:
        self.holder = visitor.holder
        self._table = table
        self._address = visitor.address
        self._take = take
        self._places = places
        self._taken: tuple[tuple[Places, str], ...] = ()

    def enter(self, table: Table) -> None:
        """Take the places that a socket needs, until `leave`. Raises TooManySockets or Illegal."""
        wanted = [(Places.ADDRESS, self._address)]
        if self.holder is not None:
            wanted.append((Places.PERSON, f"{self._table} {self.holder}"))
        if not is_member(table, self.holder):
            self._take(Kind.CONNECT_AT_TABLE, self._table)
            wanted.append((Places.SPECTATORS, self._table))
            wanted.append((Places.SPECTATORS_ADDRESS, f"{self._table} {self._address}"))
        if not self._places.take(*wanted):
            raise TooManySockets
        self._taken = tuple(wanted)

    def leave(self) -> None:
        taken, self._taken = self._taken, ()
        self._places.give_back(*taken)

    def count_message(self, *, member: bool) -> None:
        """Raises Illegal(TOO_FAST)."""
        if member:
            self._take(Kind.MESSAGE, f"{self._table} {self.holder}")
        else:
            try:
                self._take(Kind.MESSAGE_STRANGER, f"{self._table} {self._address}")
            except Illegal as refusal:
                raise TooManyMessages(refusal.reason, **refusal.detail) from None
            self._take(Kind.MESSAGE_STRANGERS, self._table)
        self._take(Kind.MESSAGE_ADDRESS, self._address)

    def count_heavy(self) -> None:
        """Raises Illegal(TOO_FAST)."""
        self._take(Kind.HEAVY, self._address)

    def count_talk(self, *, member: bool) -> None:
        """Raises Illegal(TOO_FAST)."""
        self._take(Kind.TALK, f"{self._table} {self.holder or self._address}")
        self._take(Kind.TALK_ADDRESS, self._address)
        if member:  # nobody else is heard
            self._take(Kind.TALK_AT_TABLE, self._table)
