"""The store: the log of every match, the tables, and what is due when.

One protocol, SQLite and PostgreSQL behind it. All that changes goes through `commit`, which does
some writes together or none of them, and returns when they are on disk.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import msgspec


class Conflict(Exception):
    """Somebody else was first: read again, and decide again."""


class Duplicate(Exception):
    """The command was done before, and the log had reached `seq` then."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class Unavailable(Exception):
    """The store can't be reached or can't write now. Nothing has changed, unless the connection
    broke at the last moment, when nobody can know: so read again before doing anything else."""


class Unusable(Exception):
    """The database can't be used until somebody fixes it. The text says how."""


GONE = 2**31 - 1
"""The number that other workers are sent for a dropped table: no version is higher."""


NO_LIMIT = 2**31 - 1
"""More events than any match has."""


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
    """The server, which dealt, or moved the clocks after a time in which nobody could act."""


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Events, at least one, that come after the first `seq` events of a match."""

    match: str
    seq: int
    events: tuple[bytes, ...]
    command: str | None = None
    """The id given by whoever asked. It's done at most once in a match."""
    actor: Actor = Actor.SERVER

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
    """Whom the table remembers, as hashes."""
    touched: int


class DropTable(msgspec.Struct, frozen=True):
    """Delete a table and all of its matches, which are named after it: "table.1", "table.2"."""

    id: str


class SetDeadlines(msgspec.Struct, frozen=True):
    """Set deadlines of a match by kind; None removes one. Kinds that aren't named stay as they
    are."""

    match: str
    due: dict[str, int | None]


class PutSecret(msgspec.Struct, frozen=True):
    """Set the secret of a match that has none yet."""

    match: str
    secret: bytes


class MoveDeadline(msgspec.Struct, frozen=True):
    """Move a deadline of a match from `due` to another moment, or remove it (None), unless it was
    changed meanwhile."""

    match: str
    kind: str
    due: int
    to: int | None


class StillDue(msgspec.Struct, frozen=True):
    """A conflict unless exactly this deadline is set: for what must not happen if somebody acted
    meanwhile."""

    match: str
    kind: str
    due: int


class Connected(msgspec.Struct, frozen=True):
    """Somebody is connected to a worker at a table, with this delay. Write it together with the
    table, whose version then tells everyone."""

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
    """A worker runs. A conflict if no worker has reported since `since`: then nobody could act for
    a while, and `WakeUp` has to make up for it first."""

    worker: str
    at: int
    since: int = 0


class WakeUp(msgspec.Struct, frozen=True):
    """Leave out the time between the last beat at `last` and `at`. A conflict if somebody else has
    already done so, or there was another beat."""

    last: int
    at: int


class DropWorker(msgspec.Struct, frozen=True):
    """Forget a worker that no longer runs, if `at` was its last beat."""

    worker: str
    at: int


class BoardKey(msgspec.Struct, frozen=True):
    """One board of a day: a game has several puzzles a day, each with a board of its own."""

    day: str
    """As in "2026-11-15"."""
    game: str
    board: str


class StartPuzzle(msgspec.Struct, frozen=True):
    """Somebody starts a daily puzzle. The first start counts."""

    key: BoardKey
    holder: str
    at: int


class PutResult(msgspec.Struct, frozen=True):
    """Somebody who has started solves a daily puzzle. The first result counts."""

    key: BoardKey
    holder: str
    name: str | None
    """None: they may give one later, and until then nobody else sees the result."""
    pieces: int
    """How many pieces or tiles were laid: more are better."""
    ms: int


class NameResult(msgspec.Struct, frozen=True):
    """Change the name on somebody's result."""

    key: BoardKey
    holder: str
    name: str


class HideResults(msgspec.Struct, frozen=True):
    """Take somebody's name from all boards: results without a name aren't shown."""

    holder: str


class HideName(msgspec.Struct, frozen=True):
    """Take a name from all boards, whoever used it."""

    name: str


class DropResults(msgspec.Struct, frozen=True):
    """Delete what is on a board under a name."""

    key: BoardKey
    name: str


class DropDays(msgspec.Struct, frozen=True):
    """Delete all boards of the days before one."""

    before: str


class AdoptResults(msgspec.Struct, frozen=True):
    """Give everything that one holder has on all boards to another, except on boards where the
    other has started as well."""

    old: str
    new: str


class ForgetResults(msgspec.Struct, frozen=True):
    """Delete everything of somebody on all boards."""

    holder: str


DailyWrite = (
    StartPuzzle
    | PutResult
    | NameResult
    | HideResults
    | HideName
    | DropResults
    | DropDays
    | AdoptResults
    | ForgetResults
)
"""Writes to the daily boards. Each is committed alone."""


class Subscription(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how a browser can be sent notifications (RFC 8030)."""

    endpoint: str
    """An address at the push service of the browser's maker. Whoever knows it can send there."""
    holder: str
    p256dh: str
    """The browser's public key, as base64url."""
    auth: str
    """A secret that the browser shares with us alone, as base64url."""
    language: str
    origin: str
    """The address under which this browser knows the server."""
    at: int
    """When the browser last confirmed it."""


class PutSubscription(msgspec.Struct, frozen=True):
    """Note where a browser can be notified, in place of what was known about its endpoint. Of one
    person's subscriptions only the newest `most` are kept."""

    subscription: Subscription
    most: int


class DropSubscription(msgspec.Struct, frozen=True):
    """Delete one of somebody's subscriptions."""

    holder: str
    endpoint: str


class ForgetSubscriptions(msgspec.Struct, frozen=True):
    """Delete all of somebody's subscriptions."""

    holder: str


class SweepSubscriptions(msgspec.Struct, frozen=True):
    """Delete subscriptions that no browser has confirmed since `before`."""

    before: int


class PutServerKey(msgspec.Struct, frozen=True):
    """Set a key of the server, unless there is one: the first worker to need it makes it."""

    name: str
    key: bytes


NotificationWrite = (
    PutSubscription | DropSubscription | ForgetSubscriptions | SweepSubscriptions | PutServerKey
)
"""Writes about notifications. Each is committed alone."""


class TakeGuess(msgspec.Struct, frozen=True):
    """Take one guess, with a limit at once and a rate per second. A conflict if none is left."""

    key: str
    burst: float
    per_second: float
    now: int


class GiveBackGuess(msgspec.Struct, frozen=True):
    """Give a guess back. If none counts any more, nothing is kept."""

    key: str
    burst: float


class SweepGuesses(msgspec.Struct, frozen=True):
    """Forget guesses that nobody has made since `before`."""

    before: int


class TokenSeen(msgspec.Struct, frozen=True):
    """A token was used, if any table remembered it at the last sweep."""

    holder: str
    at: int


class SweepTokens(msgspec.Struct, frozen=True):
    """Note tokens that a table remembers as used now, if nothing is known of them yet, and forget
    tokens that no table remembers and nobody has used since `before`."""

    now: int
    before: int


Write = (
    Append
    | PutTable
    | DropTable
    | SetDeadlines
    | MoveDeadline
    | StillDue
    | PutSecret
    | Connected
    | Disconnected
    | Heartbeat
    | WakeUp
    | DropWorker
    | DailyWrite
    | NotificationWrite
    | TakeGuess
    | GiveBackGuess
    | SweepGuesses
    | TokenSeen
    | SweepTokens
)


class Present(msgspec.Struct, frozen=True):
    """Somebody who is connected to a worker at a table."""

    holder: str
    worker: str
    lag: int | None


class TableRow(msgspec.Struct, frozen=True):
    id: str
    version: int
    doc: bytes
    presence: tuple[Present, ...] = ()


class DailyRow(msgspec.Struct, frozen=True):
    """Somebody on a board of the day."""

    holder: str
    started: int
    name: str | None = None
    """None without a result, or until one is given, or if it was removed."""
    pieces: int = 0
    ms: int | None = None
    """How long it took; None without a result."""


class TableSize(msgspec.Struct, frozen=True):
    """How much room a table takes, with all its matches."""

    id: str
    phase: str
    touched: int
    events: int
    bytes: int


class PersonSize(msgspec.Struct, frozen=True):
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


class Deadline(msgspec.Struct, frozen=True):
    match: str
    kind: str
    due: int


class MatchLog(Protocol):
    """The events of matches, who caused them, and the secrets they were dealt from."""

    async def events(self, match: str, after: int = 0, limit: int = NO_LIMIT) -> list[bytes]:
        """The events of a match that follow the first `after`, in order, at most `limit`."""

    async def actors(self, match: str, after: int = 0, limit: int = NO_LIMIT) -> list[str | None]:
        """Who caused each of these events; None where an older Pytlik wrote it."""

    async def seq_of_command(self, match: str, command: str) -> int | None:
        """How far the log had come with a command, if it was ever done."""

    async def secret(self, match: str) -> bytes | None: ...

    async def progress(self, matches: Sequence[str], tables: Sequence[str]) -> dict[str, int]:
        """How many events each match has, and the version of each table; 0 for what isn't there."""


class TableIndex(Protocol):
    """Tables, and the people they remember."""

    async def table(self, id: str) -> TableRow | None: ...

    async def tables_of(self, holder: str) -> list[TableRow]:
        """The tables that remember somebody, most recently touched first."""

    async def table_ids_of(self, holder: str) -> list[str]:
        """The ids of the same tables: somebody may have very many."""

    async def all_table_ids(self) -> list[str]: ...

    async def tables_in(
        self, phase: str, limit: int, *, only_inhabited: bool = False
    ) -> list[TableRow]:
        """Listed tables in a phase, most recently touched first: all, or those where somebody
        is."""

    async def never_played_table_ids(self, before: int, limit: int) -> list[str]:
        """Tables in the lobby that nobody has touched since `before`, where nobody is and no match
        was ever begun."""

    async def untouched_table_ids(self, before: int, limit: int) -> list[str]:
        """Tables that nobody has touched since `before`."""

    async def table_sizes(self) -> list[TableSize]:
        """The size of every table, for administrators. This reads the whole log."""

    async def person_sizes(self, limit: int) -> list[PersonSize]:
        """The people with the most events, then the most tables. This reads a lot, too."""


class DailyResults(Protocol):
    """The boards of daily puzzles."""

    async def best_results(self, key: BoardKey, pace: int, limit: int) -> list[DailyRow]:
        """The best named results of a board, most pieces first, then the fastest, without those
        that took less than `pace` milliseconds per piece."""

    async def count_better(self, key: BoardKey, pace: int, row: DailyRow) -> int:
        """How many of those results are better than one."""

    async def daily_row(self, key: BoardKey, holder: str) -> DailyRow | None: ...


class DeadlineQueue(Protocol):
    """What is due, and when."""

    async def take_due(self, now: int, lease: int, limit: int) -> list[Deadline]:
        """What is due, leased so that nobody else takes it for `lease` milliseconds."""

    async def next_due(self) -> int | None:
        """When something is due next."""

    async def deadlines(self) -> list[Deadline]:
        """Everything that will be due."""

    async def deadlines_of(self, match: str) -> dict[str, int]:
        """What will be due in a match, by kind."""


class WorkerRegistry(Protocol):
    """Which workers run, and who is connected to them."""

    async def last_beat(self) -> int | None:
        """When any server last reported that it runs."""

    async def workers(self) -> dict[str, int]:
        """The last beat of each worker that has not ended."""

    async def unknown_workers(self) -> list[str]:
        """Workers that people seem to be connected to, but which nobody knows any more."""

    async def tables_at(self, worker: str) -> list[str]:
        """The tables where somebody is connected to a worker."""


class TokenRecords(Protocol):
    """When tokens were used, and how many guesses are left."""

    async def guesses(self, key: str) -> tuple[float, int] | None:
        """How many guesses were left, and when; None if all of them are."""

    async def last_seen(self, holder: str) -> int | None:
        """When a token was last used, if that is known."""


class Subscriptions(Protocol):
    """Where people can be notified."""

    async def subscriptions_of(self, holder: str) -> list[Subscription]:
        """Somebody's subscriptions, most recently confirmed first."""

    async def server_key(self, name: str) -> bytes | None: ...


class Store(
    MatchLog,
    TableIndex,
    DailyResults,
    DeadlineQueue,
    WorkerRegistry,
    TokenRecords,
    Subscriptions,
    Protocol,
):
    """Everything that a database does for the server."""

    async def commit(self, *writes: Write) -> None:
        """Do all writes or none. Raises Conflict, Duplicate or Unavailable; ValueError for what no
        database can hold."""

    async def now(self) -> int:
        """The time on the database's machine, which is the same for all workers (milliseconds since
        1970)."""

    async def check_available(self) -> None:
        """Raise Unavailable if it can't be read and written."""

    async def close(self) -> None: ...
