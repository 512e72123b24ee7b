"""What can be written: everything that `Store.commit` takes."""

from enum import StrEnum

import msgspec

from pytlik.store.circle_writes import CircleWrite
from pytlik.store.daily_writes import DailyWrite
from pytlik.store.notification_writes import NotificationWrite


def split_match(match: str) -> tuple[str, int]:
    """The id of a match's table, and its number there: "table.2" is the second.

    Clients may send anything: what can't be the id of a match gets a key that no match has.
    """
    table, _, number = match.rpartition(".")
    is_number = len(number) < 10 and number.isdecimal() and str(int(number)) == number
    return (table, int(number)) if is_number else (match, 0)


class Actor(StrEnum):
    """Who caused an event."""

    PERSON = "person"
    BOT = "bot"
    """A bot that sits at the table."""
    STAND_IN = "stand-in"
    """A bot that plays for a person who is away or took too long."""
    CLOCK = "clock"
    SERVER = "server"
    """The server, which deals, and moves the clocks after a time in which nobody could act."""


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Append events, at least one, after the first `seq` events of a match."""

    match: str
    seq: int
    events: tuple[bytes, ...]
    command: str | None = None
    """The sender's id for the action, which is done at most once in a match."""
    actor: Actor = Actor.SERVER
    awaited: tuple[int, ...] | None = None
    """The seats that can act afterwards, if that is known."""

    @property
    def awaited_text(self) -> str | None:
        """The awaited seats as they are stored."""
        return None if self.awaited is None else " ".join(map(str, self.awaited))

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("nothing to append")
        if self.command and "\0" in self.command:
            raise ValueError("no text with a NUL in it can be stored")


class PutTable(msgspec.Struct, frozen=True, kw_only=True):
    """A new version of a table, which replaces version `version` (0 if it's new)."""

    id: str
    version: int
    doc: bytes
    phase: str
    listed: bool
    holders: tuple[str, ...]
    """Everyone whom the table remembers, as hashes."""
    touched: int


class DeleteTable(msgspec.Struct, frozen=True):
    """Delete a table and all of its matches, which are named after it: "table.1", "table.2"."""

    id: str


DELETED_TABLE_VERSION = 2**31 - 1
"""The version that a bus message gives for a deleted table. No other is higher."""


class SetDeadlines(msgspec.Struct, frozen=True):
    """Set deadlines of a match by kind; None removes one. Kinds that aren't named stay as they
    are."""

    match: str
    due: dict[str, int | None]


class MoveDeadline(msgspec.Struct, frozen=True):
    """Move a deadline of a match from `due` to another moment, or remove it (None), unless it was
    changed in the meantime."""

    match: str
    kind: str
    due: int
    to: int | None


class CheckStillDue(msgspec.Struct, frozen=True):
    """Raise Conflict unless exactly this deadline is still set: for commits that must not happen if
    somebody has acted in the meantime."""

    match: str
    kind: str
    due: int


class PutSecret(msgspec.Struct, frozen=True):
    """Set the secret of a match that has none yet."""

    match: str
    secret: bytes


class PutState(msgspec.Struct, frozen=True):
    """Save the state of a match after its first `seq` events, replacing an earlier one, for code of
    a `version`. Does nothing if the match is gone."""

    id: str
    """The id of the match's table."""
    number: int
    seq: int
    version: str
    state: bytes


class Connected(msgspec.Struct, frozen=True):
    """Somebody is connected to a worker at a table, with this delay. Write it together with the
    table, so that everyone is notified by the table's new version."""

    id: str
    holder: str
    worker: str
    lag: int | None


class Disconnected(msgspec.Struct, frozen=True):
    """Somebody is no longer connected to a worker at a table. Write it together with the table,
    too."""

    id: str
    holder: str
    worker: str


class Heartbeat(msgspec.Struct, frozen=True):
    """A worker is running. Raises Conflict if no worker has written one since `since`: then nobody
    could act for a while, and `EndDowntime` has to make up for it first."""

    worker: str
    at: int
    since: int = 0


LONG_DOWNTIME_MS = 30 * 86_400_000
"""A downtime of this length counts as long: the clock may have been wrong when it ended."""


class EndDowntime(msgspec.Struct, frozen=True):
    """End a time in which nobody could act, from the last heartbeat at `last` to `at`. Stores when
    it ended, if it was a long one, because tokens expire later then. Raises Conflict if another
    worker has already done so, or there was another heartbeat."""

    last: int
    at: int

    @property
    def was_long(self) -> bool:
        return self.at - self.last >= LONG_DOWNTIME_MS


class DeleteWorker(msgspec.Struct, frozen=True):
    """Forget a worker that no longer runs, if `at` was its last heartbeat."""

    worker: str
    at: int


class TakeGuess(msgspec.Struct, frozen=True):
    """Take one guess, of `burst` at once and `per_second` after that. Raises Conflict if none is
    left."""

    key: str
    burst: float
    per_second: float
    now: int


class GiveBackGuess(msgspec.Struct, frozen=True):
    """Give a guess back. Nothing is stored for a key that has all its guesses."""

    key: str
    burst: float


class DeleteOldGuesses(msgspec.Struct, frozen=True):
    """Delete the guesses of keys that nobody has used since `before`."""

    before: int


class TokenSeen(msgspec.Struct, frozen=True):
    """Note that a token was used, if any table remembered it at the last sweep."""

    holder: str
    at: int


class UpdateTrackedTokens(msgspec.Struct, frozen=True):
    """Start tracking tokens that a table remembers, as if they were used now, and forget tokens
    that no table remembers and nobody has used since `before`."""

    now: int
    before: int


Write = (
    Append
    | PutTable
    | DeleteTable
    | SetDeadlines
    | MoveDeadline
    | CheckStillDue
    | PutSecret
    | PutState
    | Connected
    | Disconnected
    | Heartbeat
    | EndDowntime
    | DeleteWorker
    | CircleWrite
    | DailyWrite
    | NotificationWrite
    | TakeGuess
    | GiveBackGuess
    | DeleteOldGuesses
    | TokenSeen
    | UpdateTrackedTokens
)
