"""What the server needs from a database, by subject."""

from collections.abc import Sequence
from typing import Protocol

from pytlik.store.daily_writes import BoardKey
from pytlik.store.notification_writes import Subscription
from pytlik.store.rows import (
    CircleResultRow,
    CircleRow,
    DailyRow,
    Deadline,
    PersonUsage,
    SavedState,
    TableRow,
    TableUsage,
)
from pytlik.store.writes import Write

NO_LIMIT = 2**31 - 1
"""More events than any match has, and more tables than anybody."""


class MatchLog(Protocol):
    """The events of matches, who caused them, and the secrets they were dealt from."""

    async def events(self, match: str, after: int = 0, limit: int = NO_LIMIT) -> list[bytes]:
        """The events of a match that follow the first `after`, in order, at most `limit`."""

    async def actors(self, match: str, after: int = 0, limit: int = NO_LIMIT) -> list[str | None]:
        """Who caused each of these events; None if an older Pytlik stored it."""

    async def awaited_seats(self, matches: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """The seats that can act in each match. Matches for which that isn't known are left out:
        their last event was stored by an older Pytlik or comes from a backup."""

    async def seq_of_command(self, match: str, command: str) -> int | None:
        """The number of events after a command was done; None if it never was."""

    async def secret(self, match: str) -> bytes | None: ...

    async def secret_and_state(self, match: str) -> tuple[bytes, SavedState | None] | None:
        """The secret of a match, and the state that was last saved, if any."""

    async def seqs_and_versions(
        self, matches: Sequence[str], tables: Sequence[str]
    ) -> dict[str, int]:
        """How many events each match has, and the version of each table, by id; 0 if it doesn't
        exist."""


class TableIndex(Protocol):
    """Tables, and the people they remember."""

    async def table(self, id: str) -> TableRow | None: ...

    async def tables_of(self, holder: str, limit: int = NO_LIMIT) -> list[TableRow]:
        """The tables that remember somebody, most recently touched first."""

    async def table_ids_of(self, holder: str) -> list[str]:
        """The ids of the same tables: somebody may have very many."""

    async def all_table_ids(self) -> list[str]: ...

    async def listed_tables(
        self, phase: str, limit: int, *, only_with_people: bool = False
    ) -> list[TableRow]:
        """Listed tables in a phase, most recently touched first: all, or those where somebody is
        connected."""

    async def never_played_table_ids(self, before: int, limit: int) -> list[str]:
        """Tables in the lobby that nobody has touched since `before`, where nobody is connected and
        no match has ever begun."""

    async def untouched_table_ids(self, before: int, limit: int) -> list[str]:
        """Tables that nobody has touched since `before`."""

    async def table_usages(self) -> list[TableUsage]:
        """How much space every table takes, for administrators. This reads all logs."""

    async def person_usages(self, limit: int) -> list[PersonUsage]:
        """The people with the most events, then the most tables. This reads a lot, too."""


class CircleIndex(Protocol):
    """Circles, their members, and what they have played."""

    async def circle(self, id: str) -> CircleRow | None: ...

    async def circles_of(self, holder: str) -> list[CircleRow]:
        """The circles that remember somebody, most recently touched first."""

    async def all_circle_ids(self) -> list[str]: ...

    async def untouched_circles(self, before: int, limit: int) -> list[CircleRow]:
        """Circles that nobody has touched since `before`."""

    async def circle_results(
        self, id: str, limit: int, before: str | None = None
    ) -> list[CircleResultRow]:
        """What was played in a circle, newest first: all, or what ended before a match."""

    async def has_circle_result(self, id: str, played: str) -> bool: ...


class DailyResults(Protocol):
    """The boards of daily puzzles."""

    async def best_results(
        self, key: BoardKey, min_ms_per_piece: int, limit: int
    ) -> list[DailyRow]:
        """The best named results of a board, most pieces first, then the fastest, without those
        that took less than `min_ms_per_piece` milliseconds per piece."""

    async def count_better_results(
        self, key: BoardKey, min_ms_per_piece: int, row: DailyRow
    ) -> int:
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

    async def last_heartbeat(self) -> int | None:
        """When any worker last wrote a heartbeat."""

    async def end_of_long_downtime(self) -> int | None:
        """When the last long downtime ended (`LONG_DOWNTIME_MS`)."""

    async def worker_heartbeats(self) -> dict[str, int]:
        """The last heartbeat of each worker that hasn't stopped."""

    async def stopped_workers_with_presence(self) -> list[str]:
        """Workers that have stopped, but are still recorded as having people connected."""

    async def table_ids_with_connections_to(self, worker: str) -> list[str]:
        """The tables where somebody is connected to a worker."""


class TokenRecords(Protocol):
    """When tokens were used, and how many guesses are left."""

    async def remaining_guesses(self, key: str) -> tuple[float, int] | None:
        """How many guesses were left after the last one, and when that was; None if all are
        left."""

    async def last_seen(self, holders: Sequence[str]) -> dict[str, int]:
        """When each token was last used, where that is known."""


class PushSubscriptions(Protocol):
    """Where people can be notified."""

    async def subscriptions_of(self, holder: str) -> list[Subscription]:
        """Somebody's subscriptions, most recently confirmed first."""

    async def server_key(self, name: str) -> bytes | None: ...


class Store(
    MatchLog,
    TableIndex,
    CircleIndex,
    DailyResults,
    DeadlineQueue,
    WorkerRegistry,
    TokenRecords,
    PushSubscriptions,
    Protocol,
):
    """Everything that a database does for the server."""

    async def commit(self, *writes: Write) -> None:
        """Do all writes or none. Raises Conflict, Duplicate or Unavailable; ValueError for values
        that no database can hold."""

    async def now(self) -> int:
        """The time on the database's machine, which is the same for all workers (milliseconds since
        1970)."""

    async def check_available(self) -> None:
        """Raise Unavailable if it can't be read and written."""

    async def close(self) -> None: ...
