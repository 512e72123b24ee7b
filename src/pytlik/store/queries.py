"""Queries shared by both databases; `$1` is the first value."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import msgspec

from pytlik.store.daily_statements import BOARD_CONDITION
from pytlik.store.daily_writes import BoardKey
from pytlik.store.interface import NO_LIMIT
from pytlik.store.notification_writes import Subscription
from pytlik.store.rows import (
    CircleResultRow,
    CircleRow,
    DailyRow,
    Deadline,
    PersonUsage,
    PresenceRow,
    SavedState,
    TableRow,
    TableUsage,
)
from pytlik.store.writes import split_match

decode_presence = msgspec.json.Decoder(tuple[tuple[str, str, int | None], ...]).decode


MATCH_CONDITION = "id = $1 AND match = $2"

NAMED_RESULT_CONDITION = f"{BOARD_CONDITION} AND name IS NOT NULL"

MORE_PIECES_THAN_ANY = 2**31 - 1
"""More pieces than there are in any puzzle."""

MOST_PIECES_BELOW = f"SELECT max(pieces) FROM daily WHERE {NAMED_RESULT_CONDITION} AND pieces < $4"
FASTEST_RESULTS = f"""
SELECT holder, started, name, pieces, ms FROM daily
WHERE {NAMED_RESULT_CONDITION} AND pieces = $4 AND ms >= $5 ORDER BY ms LIMIT $6
"""
COUNT_BETTER_RESULTS = f"""
SELECT (SELECT count(*) FROM daily
        WHERE {NAMED_RESULT_CONDITION} AND pieces > $5 AND ms >= $4 * pieces)
    + (SELECT count(*) FROM daily
        WHERE {NAMED_RESULT_CONDITION} AND pieces = $5 AND ms >= $6 AND ms < $7)
"""

FROM_EVENTS_OF_TABLE = "FROM events WHERE events.id = tables.id"

TABLE_USAGES = f"""
SELECT id, phase, touched, (SELECT count(*) {FROM_EVENTS_OF_TABLE}),
    length(doc) + (SELECT coalesce(sum(length(event)), 0) {FROM_EVENTS_OF_TABLE})
FROM tables
"""
PERSON_USAGES = f"""
WITH sizes AS (SELECT id, (SELECT count(*) {FROM_EVENTS_OF_TABLE}) AS events FROM tables),
traces AS (
    SELECT holder, 1 AS tables, events, 0 AS here, 0 AS results FROM holders JOIN sizes USING (id)
    UNION ALL SELECT holder, 0, 0, 1, 0 FROM presence
    UNION ALL SELECT holder, 0, 0, 0, 1 FROM daily)
SELECT holder, sum(tables), sum(events), sum(here), sum(results) FROM traces
GROUP BY holder ORDER BY 3 DESC, 2 DESC, 5 DESC, 4 DESC, holder LIMIT $1
"""

SOMEBODY_IS_THERE = "EXISTS (SELECT 1 FROM presence WHERE presence.id = tables.id)"


def to_whole_numbers(row: Sequence[Any]) -> tuple[Any, ...]:
    """Convert a holder's numbers to integers: PostgreSQL's sums are decimals."""
    holder, *numbers = row
    return holder, *map(int, numbers)


class QueryRunner(ABC):
    """Runs queries: each database has its own `_read`, and some SQL of its own."""

    presence_sql: str
    """Selects who is at a table, as JSON. It's read together with the table, so the two are
    consistent."""

    ids_sql: str
    """Turns a list of ids into rows with one column, `value`."""

    match_ids_sql: str
    """Turns a list of match ids into rows: `value`, and what `split_match` makes of it, `id` and
    `number`."""

    @abstractmethod
    async def _read(self, sql: str, *values: Any) -> list[Any]:
        """Run a query."""

    async def _read_value(self, sql: str, *values: Any) -> Any:
        """The first value of the first row; None if there are no rows."""
        rows = await self._read(sql, *values)
        return rows[0][0] if rows else None


class MatchLogQueries(QueryRunner):
    async def events(self, match: str, after: int = 0, limit: int = NO_LIMIT) -> list[bytes]:
        rows = await self._read(
            f"SELECT event FROM events WHERE {MATCH_CONDITION} AND seq > $3 ORDER BY seq LIMIT $4",
            *split_match(match),
            after,
            limit,
        )
        return [event for (event,) in rows]

    async def actors(self, match: str, after: int = 0, limit: int = NO_LIMIT) -> list[str | None]:
        rows = await self._read(
            f"SELECT actor FROM events WHERE {MATCH_CONDITION} AND seq > $3 ORDER BY seq LIMIT $4",
            *split_match(match),
            after,
            limit,
        )
        return [actor for (actor,) in rows]

    async def awaited_seats(self, matches: Sequence[str]) -> dict[str, tuple[int, ...]]:
        last = (
            "SELECT awaited FROM events WHERE events.id = asked.id AND match = number"
            " ORDER BY seq DESC LIMIT 1"
        )
        rows = await self._read(
            f"SELECT value, ({last}) FROM {self.match_ids_sql} AS asked", list(matches)
        )
        return {
            match: tuple(map(int, awaited.split()))
            for match, awaited in rows
            if awaited is not None
        }

    async def seq_of_command(self, match: str, command: str) -> int | None:
        seq: int | None = await self._read_value(
            f"SELECT seq FROM commands WHERE {MATCH_CONDITION} AND command = $3",
            *split_match(match),
            command,
        )
        return seq

    async def secret(self, match: str) -> bytes | None:
        secret: bytes | None = await self._read_value(
            f"SELECT secret FROM secrets WHERE {MATCH_CONDITION}", *split_match(match)
        )
        return secret

    async def secret_and_state(self, match: str) -> tuple[bytes, SavedState | None] | None:
        rows = await self._read(
            f"SELECT secret, state_seq, state_version, state FROM secrets WHERE {MATCH_CONDITION}",
            *split_match(match),
        )
        for secret, seq, version, state in rows:
            return secret, SavedState(seq, version, state) if version else None
        return None

    async def seqs_and_versions(
        self, matches: Sequence[str], tables: Sequence[str]
    ) -> dict[str, int]:
        found: dict[str, int] = {}
        if matches:
            seqs = "SELECT max(seq) FROM events WHERE events.id = asked.id AND match = number"
            found |= await self._read(
                f"SELECT value, coalesce(({seqs}), 0) FROM {self.match_ids_sql} AS asked",
                list(matches),
            )
        if tables:
            versions = "SELECT version FROM tables WHERE id = value"
            found |= await self._read(
                f"SELECT value, coalesce(({versions}), 0) FROM {self.ids_sql}", list(tables)
            )
        return found


class TableQueries(QueryRunner):
    async def _select_tables(self, clauses: str, *values: Any) -> list[TableRow]:
        rows = await self._read(
            f"SELECT id, version, doc, {self.presence_sql} FROM tables {clauses}", *values
        )
        return [
            TableRow(id, version, doc, tuple(PresenceRow(*each) for each in decode_presence(here)))
            for id, version, doc, here in rows
        ]

    async def table(self, id: str) -> TableRow | None:
        found = await self._select_tables("WHERE id = $1", id)
        return found[0] if found else None

    async def tables_of(self, holder: str, limit: int = NO_LIMIT) -> list[TableRow]:
        return await self._select_tables(
            "JOIN holders USING (id) WHERE holder = $1 ORDER BY touched DESC LIMIT $2",
            holder,
            limit,
        )

    async def table_ids_of(self, holder: str) -> list[str]:
        rows = await self._read("SELECT id FROM holders WHERE holder = $1", holder)
        return [id for (id,) in rows]

    async def all_table_ids(self) -> list[str]:
        return [id for (id,) in await self._read("SELECT id FROM tables ORDER BY id")]

    async def listed_tables(
        self, phase: str, limit: int, *, only_with_people: bool = False
    ) -> list[TableRow]:
        occupied = f"AND {SOMEBODY_IS_THERE}" if only_with_people else ""
        return await self._select_tables(
            f"WHERE phase = $1 AND listed = true {occupied} ORDER BY touched DESC LIMIT $2",
            phase,
            limit,
        )

    async def never_played_table_ids(self, before: int, limit: int) -> list[str]:
        rows = await self._read(
            "SELECT id FROM tables WHERE touched < $1 AND phase = 'lobby'"
            f" AND NOT {SOMEBODY_IS_THERE}"
            " AND NOT EXISTS"
            " (SELECT 1 FROM events WHERE events.id = tables.id AND match = 1 AND seq = 1)"
            " LIMIT $2",
            before,
            limit,
        )
        return [id for (id,) in rows]

    async def untouched_table_ids(self, before: int, limit: int) -> list[str]:
        rows = await self._read(
            "SELECT id FROM tables WHERE touched < $1 ORDER BY touched LIMIT $2", before, limit
        )
        return [id for (id,) in rows]

    async def table_usages(self) -> list[TableUsage]:
        return [TableUsage(*row) for row in await self._read(TABLE_USAGES)]

    async def person_usages(self, limit: int) -> list[PersonUsage]:
        return [
            PersonUsage(*to_whole_numbers(row)) for row in await self._read(PERSON_USAGES, limit)
        ]


class CircleQueries(QueryRunner):
    async def _select_circles(self, clauses: str, *values: Any) -> list[CircleRow]:
        rows = await self._read(f"SELECT id, version, doc, touched FROM circles {clauses}", *values)
        return [CircleRow(*row) for row in rows]

    async def circle(self, id: str) -> CircleRow | None:
        found = await self._select_circles("WHERE id = $1", id)
        return found[0] if found else None

    async def circles_of(self, holder: str) -> list[CircleRow]:
        return await self._select_circles(
            "JOIN holders USING (id) WHERE holder = $1 ORDER BY touched DESC", holder
        )

    async def all_circle_ids(self) -> list[str]:
        return [id for (id,) in await self._read("SELECT id FROM circles ORDER BY id")]

    async def untouched_circles(self, before: int, limit: int) -> list[CircleRow]:
        return await self._select_circles(
            "WHERE touched < $1 ORDER BY touched LIMIT $2", before, limit
        )

    async def circle_results(
        self, id: str, limit: int, before: str | None = None
    ) -> list[CircleResultRow]:
        earlier = ""
        if before is not None:
            same = "FROM circle_results WHERE id = $1 AND played = $3"
            earlier = f"AND (ended, played) < ((SELECT ended {same}), $3)"
        rows = await self._read(
            f"SELECT played, ended, doc FROM circle_results WHERE id = $1 {earlier}"
            " ORDER BY ended DESC, played DESC LIMIT $2",
            *(id, limit, *([] if before is None else [before])),
        )
        return [CircleResultRow(*row) for row in rows]

    async def has_circle_result(self, id: str, played: str) -> bool:
        return bool(
            await self._read(
                "SELECT 1 FROM circle_results WHERE id = $1 AND played = $2", id, played
            )
        )


class DailyQueries(QueryRunner):
    async def best_results(
        self, key: BoardKey, min_ms_per_piece: int, limit: int
    ) -> list[DailyRow]:
        """Search one number of pieces after another, so that the index has the rows in order: a
        board may be very long."""
        board = (key.day, key.game, key.board)
        found: list[DailyRow] = []
        pieces = await self._read_value(MOST_PIECES_BELOW, *board, MORE_PIECES_THAN_ANY)
        while pieces is not None and len(found) < limit:
            rows = await self._read(
                FASTEST_RESULTS, *board, pieces, min_ms_per_piece * pieces, limit - len(found)
            )
            found += [DailyRow(*row) for row in rows]
            pieces = await self._read_value(MOST_PIECES_BELOW, *board, pieces)
        return found

    async def count_better_results(
        self, key: BoardKey, min_ms_per_piece: int, row: DailyRow
    ) -> int:
        least = min_ms_per_piece * row.pieces
        better: int = await self._read_value(
            COUNT_BETTER_RESULTS,
            key.day,
            key.game,
            key.board,
            min_ms_per_piece,
            row.pieces,
            least,
            row.ms,
        )
        return better

    async def daily_row(self, key: BoardKey, holder: str) -> DailyRow | None:
        rows = await self._read(
            "SELECT holder, started, name, pieces, ms FROM daily"
            f" WHERE {BOARD_CONDITION} AND holder = $4",
            *(key.day, key.game, key.board, holder),
        )
        return DailyRow(*rows[0]) if rows else None


class DeadlineQueries(QueryRunner):
    async def next_due(self) -> int | None:
        due: int | None = await self._read_value("SELECT min(due) FROM deadlines")
        return due

    async def deadlines(self) -> list[Deadline]:
        rows = await self._read("SELECT id, match, kind, due FROM deadlines")
        return [Deadline(f"{id}.{match}", kind, due) for id, match, kind, due in rows]

    async def deadlines_of(self, match: str) -> dict[str, int]:
        return dict(
            await self._read(
                f"SELECT kind, due FROM deadlines WHERE {MATCH_CONDITION}", *split_match(match)
            )
        )


class WorkerQueries(QueryRunner):
    async def last_heartbeat(self) -> int | None:
        at: int | None = await self._read_value("SELECT at FROM beats WHERE id = 1")
        return at

    async def end_of_long_downtime(self) -> int | None:
        at: int | None = await self._read_value("SELECT at FROM beats WHERE id = 2")
        return at

    async def worker_heartbeats(self) -> dict[str, int]:
        return dict(await self._read("SELECT worker, at FROM workers"))

    async def stopped_workers_with_presence(self) -> list[str]:
        rows = await self._read(
            "SELECT DISTINCT worker FROM presence WHERE worker NOT IN (SELECT worker FROM workers)"
        )
        return [worker for (worker,) in rows]

    async def table_ids_with_connections_to(self, worker: str) -> list[str]:
        rows = await self._read("SELECT DISTINCT id FROM presence WHERE worker = $1", worker)
        return [id for (id,) in rows]


class TokenQueries(QueryRunner):
    async def remaining_guesses(self, key: str) -> tuple[float, int] | None:
        rows = await self._read("SELECT remaining, at FROM guesses WHERE key = $1", key)
        return (rows[0][0], rows[0][1]) if rows else None

    async def last_seen(self, holders: Sequence[str]) -> dict[str, int]:
        return dict(
            await self._read(
                f"SELECT holder, at FROM {self.ids_sql} JOIN last_seen ON holder = value",
                list(holders),
            )
        )


class SubscriptionQueries(QueryRunner):
    async def subscriptions_of(self, holder: str) -> list[Subscription]:
        rows = await self._read(
            "SELECT endpoint, holder, p256dh, auth, language, origin, at FROM subscriptions"
            " WHERE holder = $1 ORDER BY at DESC, endpoint",
            holder,
        )
        names = Subscription.__struct_fields__
        return [Subscription(**dict(zip(names, row, strict=True))) for row in rows]

    async def server_key(self, name: str) -> bytes | None:
        key: bytes | None = await self._read_value(
            "SELECT key FROM server_keys WHERE name = $1", name
        )
        return key


class Queries(
    MatchLogQueries,
    TableQueries,
    CircleQueries,
    DailyQueries,
    DeadlineQueries,
    WorkerQueries,
    TokenQueries,
    SubscriptionQueries,
):
    """All queries, except those that each database does in its own way."""
