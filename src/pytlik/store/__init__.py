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
    """The store can't be reached or can't write now. Nothing has changed; but where the connection
    broke at the last moment nobody can know, so read again before anything else is done."""


class Unusable(Exception):
    """The database can't be used until somebody does something about it, and the text says what."""


GONE = 2**31 - 1
"""The number that other workers hear for a table that was dropped: no version is higher."""


NO_LIMIT = 2**31 - 1
"""More events than any match has."""


class Actor(StrEnum):
    """Who caused an event."""

    PERSON = "person"
    BOT = "bot"
    """One that sits at the table."""
    STAND_IN = "stand-in"
    """A bot that plays for a person who is away or took too long."""
    CLOCK = "clock"
    SERVER = "server"
    """It dealt, or moved the clocks after a time in which nobody could act."""


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Events, at least one, that come after the first `seq` events of a match."""

    match: str
    seq: int
    events: tuple[bytes, ...]
    command: str | None = None
    """The id that whoever asked gave it: done at most once in a match."""
    actor: Actor = Actor.SERVER

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("nothing to append")
        if self.command and "\0" in self.command:
            raise ValueError("no text with a NUL in it can be stored")


class PutTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it is from now on, in place of its version `version` (0: there was none)."""

    id: str
    version: int
    doc: bytes
    phase: str
    listed: bool
    holders: tuple[str, ...]
    """Whom the table remembers, as hashes."""
    touched: int


class DropTable(msgspec.Struct, frozen=True):
    """A table and all of its matches, for good. They are named after it: "table.1", "table.2"."""

    id: str


class SetDeadlines(msgspec.Struct, frozen=True):
    """When something is due in a match from now on, by kind: None for never. Kinds that are not
    named stay as they are."""

    match: str
    due: dict[str, int | None]


class PutSecret(msgspec.Struct, frozen=True):
    """The secret of a match, which has none yet."""

    match: str
    secret: bytes


class MoveDeadline(msgspec.Struct, frozen=True):
    """What is due at `due` in a match is due at another moment, or (None) never; if something else
    was said about it meanwhile, that stays."""

    match: str
    kind: str
    due: int
    to: int | None


class StillDue(msgspec.Struct, frozen=True):
    """In conflict unless just this is due in a match: for what must not happen if somebody acted
    meanwhile."""

    match: str
    kind: str
    due: int


class Connected(msgspec.Struct, frozen=True):
    """Somebody is connected to a worker at a table, with this delay. To be written together with
    the table, so that its version tells everyone of it."""

    id: str
    holder: str
    worker: str
    lag: int | None


class Disconnected(msgspec.Struct, frozen=True):
    """Somebody is no longer connected to a worker at a table. As above, with the table."""

    id: str
    holder: str
    worker: str


class Heartbeat(msgspec.Struct, frozen=True):
    """A worker runs. In conflict if none has said so since `since`: then nobody could act for a
    while, and `WakeUp` has to make up for it first."""

    worker: str
    at: int
    since: int = 0


class WakeUp(msgspec.Struct, frozen=True):
    """The time from the last beat at `last` until `at` doesn't count. In conflict if somebody else
    has seen to it, or there was another beat."""

    last: int
    at: int


class DropWorker(msgspec.Struct, frozen=True):
    """A worker that does not run any more, if `at` was its last beat."""

    worker: str
    at: int


class BoardKey(msgspec.Struct, frozen=True):
    """One board of a day: a game has several puzzles a day, each with a board of its own."""

    day: str
    """As in "2026-11-15"."""
    game: str
    board: str


class StartPuzzle(msgspec.Struct, frozen=True):
    """Somebody sees a puzzle of the day. The first start counts."""

    key: BoardKey
    holder: str
    at: int


class PutResult(msgspec.Struct, frozen=True):
    """Somebody who has started has solved a puzzle of the day. The first result counts."""

    key: BoardKey
    holder: str
    name: str
    pieces: int
    """How many pieces or tiles were laid: more are better."""
    ms: int


class NameResult(msgspec.Struct, frozen=True):
    """Somebody's result has another name from now on."""

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
    """Everything of one holder on all boards is another's from now on; but for boards where the
    other has started, too."""

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
"""What changes the boards of the day: each is committed alone."""


class TakeGuess(msgspec.Struct, frozen=True):
    """One guess of so many at once and so many a second. In conflict if none is left."""

    key: str
    burst: float
    per_second: float
    now: int


class GiveBackGuess(msgspec.Struct, frozen=True):
    """A guess that was taken doesn't count; where none counts any more, nothing is kept."""

    key: str
    burst: float


class SweepGuesses(msgspec.Struct, frozen=True):
    """Forget guesses that nobody has made since."""

    before: int


class TokenSeen(msgspec.Struct, frozen=True):
    """A token was used, if any table remembered it at the last sweep."""

    holder: str
    at: int


class SweepTokens(msgspec.Struct, frozen=True):
    """Tokens that a table remembers count as used now, if nothing is known of them yet. Tokens that
    no table remembers and nobody has used since `before` are forgotten."""

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
    """None without a result, and where it was taken away."""
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
    """How much there is of a person."""

    holder: str
    tables: int
    """Where they sit, host, or have left a name or a text."""
    events: int
    """Of all matches at these tables, whoever caused them."""
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
        """The tables that remember somebody, the last touched first."""

    async def table_ids_of(self, holder: str) -> list[str]:
        """The same tables, by id alone: somebody may have very many."""

    async def all_table_ids(self) -> list[str]: ...

    async def tables_in(
        self, phase: str, limit: int, *, only_inhabited: bool = False
    ) -> list[TableRow]:
        """Listed tables in a phase, the last touched first; all, or those where somebody is."""

    async def never_played_table_ids(self, before: int, limit: int) -> list[str]:
        """Tables in the lobby that nobody has touched since, where nobody is and no match was ever
        begun."""

    async def untouched_table_ids(self, before: int, limit: int) -> list[str]:
        """Tables that nobody has touched since."""

    async def table_sizes(self) -> list[TableSize]:
        """All tables, for whoever looks after them: this reads the whole log."""

    async def person_sizes(self, limit: int) -> list[PersonSize]:
        """Whoever has the most events, then the most tables: this, too, reads much."""


class DailyResults(Protocol):
    """The boards of daily puzzles."""

    async def best_results(self, key: BoardKey, pace: int, limit: int) -> list[DailyRow]:
        """The best named results of a board, most pieces first, then the quickest; but for those
        that took less than `pace` milliseconds a piece."""

    async def count_better(self, key: BoardKey, pace: int, row: DailyRow) -> int:
        """How many of those results are better than one."""

    async def daily_row(self, key: BoardKey, holder: str) -> DailyRow | None: ...


class DeadlineQueue(Protocol):
    """What is due, and when."""

    async def take_due(self, now: int, lease: int, limit: int) -> list[Deadline]:
        """What is due, taken so that nobody else takes it before `lease` milliseconds are over."""

    async def next_due(self) -> int | None:
        """When something is due next."""

    async def deadlines(self) -> list[Deadline]:
        """Everything that will be due."""

    async def deadlines_of(self, match: str) -> dict[str, int]:
        """What will be due in a match, by kind."""


class WorkerRegistry(Protocol):
    """Which workers run, and who is connected to them."""

    async def last_beat(self) -> int | None:
        """When any server last said that it runs."""

    async def workers(self) -> dict[str, int]:
        """The last beat of each worker that has not ended."""

    async def unknown_workers(self) -> list[str]:
        """Workers that people seem connected to although nobody knows of them any more."""

    async def tables_at(self, worker: str) -> list[str]:
        """The tables where somebody is connected to a worker."""


class TokenRecords(Protocol):
    """When tokens were used, and how many guesses are left."""

    async def guesses(self, key: str) -> tuple[float, int] | None:
        """How many guesses were left, and when; None if all are."""

    async def last_seen(self, holder: str) -> int | None:
        """When a token was last used, if that is known."""


class Store(
    MatchLog, TableIndex, DailyResults, DeadlineQueue, WorkerRegistry, TokenRecords, Protocol
):
    """All that a database has to do for the server."""

    async def commit(self, *writes: Write) -> None:
        """Do all writes or none. Raises Conflict, Duplicate or Unavailable; ValueError for what no
        database can hold."""

    async def now(self) -> int:
        """The time on the database's machine, which is the same for all workers (milliseconds since
        1970)."""

    async def check(self) -> None:
        """Raise Unavailable if it can't be read and written."""

    async def close(self) -> None: ...
