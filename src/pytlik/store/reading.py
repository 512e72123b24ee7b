"""What every database is asked in the same words; `$1` is the first value."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pytlik.store import Deadline, Present, TableRow

pairs = msgspec.json.Decoder(tuple[tuple[str, str, int | None], ...]).decode


SOMEBODY_IS_THERE = "EXISTS (SELECT 1 FROM presence WHERE presence.id = tables.id)"


class Reading:
    presence: str
    """Who is at a table, as JSON: read together with the table, so of the same moment."""

    ids: str
    """A list of ids as rows with one column, `value`."""

    async def _read(self, sql: str, *values: Any) -> list[Any]:
        """Each database's own."""
        raise NotImplementedError

    async def _one(self, sql: str, *values: Any) -> Any:
        """The only value of the first row; None, if there is none."""
        rows = await self._read(sql, *values)
        return rows[0][0] if rows else None

    async def _tables(self, which: str, *values: Any) -> list[TableRow]:
        rows = await self._read(
            f"SELECT id, version, doc, {self.presence} FROM tables {which}", *values
        )
        return [
            TableRow(id, version, doc, tuple(Present(*each) for each in pairs(here)))
            for id, version, doc, here in rows
        ]

    async def events(self, match: str, after: int = 0) -> list[bytes]:
        rows = await self._read(
            "SELECT event FROM events WHERE match = $1 AND seq > $2 ORDER BY seq", match, after
        )
        return [event for (event,) in rows]

    async def actors(self, match: str) -> list[str | None]:
        rows = await self._read("SELECT actor FROM events WHERE match = $1 ORDER BY seq", match)
        return [actor for (actor,) in rows]

    async def done(self, match: str, command: str) -> int | None:
        seq: int | None = await self._one(
            "SELECT seq FROM commands WHERE match = $1 AND command = $2", match, command
        )
        return seq

    async def secret(self, match: str) -> bytes | None:
        secret: bytes | None = await self._one("SELECT secret FROM secrets WHERE match = $1", match)
        return secret

    async def table(self, id: str) -> TableRow | None:
        found = await self._tables("WHERE id = $1", id)
        return found[0] if found else None

    async def tables_of(self, holder: str) -> list[TableRow]:
        return await self._tables(
            "JOIN holders USING (id) WHERE holder = $1 ORDER BY touched DESC", holder
        )

    async def tables_in(
        self, phase: str, limit: int, *, only_inhabited: bool = False
    ) -> list[TableRow]:
        which = f"AND {SOMEBODY_IS_THERE}" if only_inhabited else ""
        return await self._tables(
            f"WHERE phase = $1 AND listed = true {which} ORDER BY touched DESC LIMIT $2",
            phase,
            limit,
        )

    async def never_played(self, before: int, limit: int) -> list[str]:
        rows = await self._read(
            "SELECT id FROM tables WHERE touched < $1 AND phase = 'lobby'"
            f" AND NOT {SOMEBODY_IS_THERE}"
            " AND NOT EXISTS (SELECT 1 FROM events WHERE match = tables.id || '.1' AND seq = 1)"
            " LIMIT $2",
            before,
            limit,
        )
        return [id for (id,) in rows]

    async def untouched(self, before: int, limit: int) -> list[str]:
        rows = await self._read(
            "SELECT id FROM tables WHERE touched < $1 ORDER BY touched LIMIT $2", before, limit
        )
        return [id for (id,) in rows]

    async def deadlines(self) -> list[Deadline]:
        rows = await self._read("SELECT match, kind, due FROM deadlines")
        return [Deadline(*row) for row in rows]

    async def next_due(self) -> int | None:
        due: int | None = await self._one("SELECT min(due) FROM deadlines")
        return due

    async def progress(self, matches: Sequence[str], tables: Sequence[str]) -> dict[str, int]:
        seqs = "(SELECT max(seq) FROM events WHERE match = value)"
        versions = "(SELECT version FROM tables WHERE id = value)"
        found: dict[str, int] = {}
        for ids, number in ((matches, seqs), (tables, versions)):
            if ids:
                rows = await self._read(
                    f"SELECT value, coalesce({number}, 0) FROM {self.ids}", list(ids)
                )
                found |= dict(rows)
        return found

    async def last_beat(self) -> int | None:
        at: int | None = await self._one("SELECT at FROM beats WHERE id = 1")
        return at

    async def workers(self) -> dict[str, int]:
        return dict(await self._read("SELECT worker, at FROM workers"))

    async def guesses(self, key: str) -> tuple[float, int] | None:
        rows = await self._read("SELECT remaining, at FROM guesses WHERE key = $1", key)
        return (rows[0][0], rows[0][1]) if rows else None

    async def last_seen(self, holder: str) -> int | None:
        at: int | None = await self._one("SELECT at FROM last_seen WHERE holder = $1", holder)
        return at

    async def strays(self) -> list[str]:
        rows = await self._read(
            "SELECT DISTINCT worker FROM presence WHERE worker NOT IN (SELECT worker FROM workers)"
        )
        return [worker for (worker,) in rows]

    async def tables_at(self, worker: str) -> list[str]:
        rows = await self._read("SELECT DISTINCT id FROM presence WHERE worker = $1", worker)
        return [id for (id,) in rows]
