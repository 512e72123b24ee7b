"""What the store returns, if it's more than a number or a text."""

import msgspec


class PresenceRow(msgspec.Struct, frozen=True):
    """Somebody who is connected to a worker at a table."""

    holder: str
    worker: str
    lag: int | None


class SavedState(msgspec.Struct, frozen=True):
    """The state of a match after its first `seq` events, as saved by a `version` of the code."""

    seq: int
    version: str
    state: bytes


class TableRow(msgspec.Struct, frozen=True):
    id: str
    version: int
    doc: bytes
    presence: tuple[PresenceRow, ...] = ()


class CircleRow(msgspec.Struct, frozen=True):
    id: str
    version: int
    doc: bytes
    touched: int


class CircleResultRow(msgspec.Struct, frozen=True):
    """A match that was played in a circle."""

    played: str
    """The id of the match."""
    ended: int
    doc: bytes


class Deadline(msgspec.Struct, frozen=True):
    match: str
    kind: str
    due: int


class DailyRow(msgspec.Struct, frozen=True):
    """Somebody's row on a daily board."""

    holder: str
    started: int
    name: str | None = None
    """None if there's no result, or no name was given, or it was removed."""
    pieces: int = 0
    ms: int | None = None
    """How long it took; None without a result."""


class TableUsage(msgspec.Struct, frozen=True):
    """How much space a table takes, with all its matches."""

    id: str
    phase: str
    touched: int
    events: int
    bytes: int


class PersonUsage(msgspec.Struct, frozen=True):
    """How much is stored about a person."""

    holder: str
    tables: int
    """Where they sit, host, or have left a name or a text."""
    events: int
    """Events of all matches at these tables, whoever caused them."""
    here: int
    """Tables where they are connected, counted for each worker."""
    results: int
    """Puzzles of the day that they have started or solved."""
