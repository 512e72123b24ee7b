"""Group commit: appends that wait at the same moment share one statement and one flush to disk.

Each append is still accepted, refused as late or answered as a duplicate on its own.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytlik.bus_messages import CHANNEL, MAX_PAYLOAD_BYTES
from pytlik.store.errors import Conflict, Duplicate
from pytlik.store.postgres_fixed_statements import bus_message_for
from pytlik.store.postgres_statement import Statement
from pytlik.store.writes import Append, SetDeadlines, Write, split_match

MAX_APPENDS_PER_BATCH = 64
"""The most appends in one statement."""

MAX_CONCURRENT_FLUSHES = 2
"""Statements under way at once: while one waits for the disk, the next is already computed."""


# Like APPEND_TEMPLATE in `postgres_fixed_statements`, for many matches. The insert of an append's
# first event locks the log: another worker that found the same length inserts the same number, and
# waits. Rows are locked in the order of the matches, so no two batches wait for each other.
APPEND_BATCH_TEMPLATE = """
WITH asked AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::text[], $6::text[])
    WITH ORDINALITY AS asked (id, match, seq, command, actor, awaited, item)),
done AS MATERIALIZED (
    SELECT asked.item, commands.seq FROM asked
    JOIN commands ON commands.id = asked.id AND commands.match = asked.match
    AND commands.command = asked.command),
first AS MATERIALIZED (
    SELECT asked.item FROM asked
    JOIN events ON events.id = asked.id AND events.match = asked.match AND events.seq = 1
    ORDER BY events.id, events.match FOR KEY SHARE OF events),
ready AS MATERIALIZED (
    SELECT * FROM asked
    WHERE coalesce((
        SELECT max(events.seq) FROM events WHERE events.id = asked.id AND events.match = asked.match
    ), 0) = seq
    AND NOT EXISTS (SELECT FROM done WHERE done.item = asked.item)
    AND (seq = 0 OR EXISTS (SELECT FROM first WHERE first.item = asked.item))),
new AS MATERIALIZED (
    SELECT * FROM unnest($7::int[], $8::int[], $9::bytea[]) AS new (item, number, event)),
claimed AS (
    INSERT INTO events (id, match, seq, event, actor, awaited)
    SELECT ready.id, ready.match, ready.seq + 1, new.event, ready.actor, ready.awaited
    FROM ready JOIN new ON new.item = ready.item AND new.number = 1
    ORDER BY ready.id, ready.match ON CONFLICT DO NOTHING RETURNING id, match),
added AS MATERIALIZED (
    SELECT ready.* FROM ready
    JOIN claimed ON claimed.id = ready.id AND claimed.match = ready.match),
others AS (
    INSERT INTO events (id, match, seq, event, actor, awaited)
    SELECT added.id, added.match, added.seq + new.number, new.event, added.actor, added.awaited
    FROM added JOIN new ON new.item = added.item AND new.number > 1),
said AS (
    INSERT INTO commands (id, match, command, seq)
    SELECT added.id, added.match, added.command, added.seq + max(new.number)
    FROM added JOIN new ON new.item = added.item WHERE added.command IS NOT NULL
    GROUP BY added.id, added.match, added.command, added.seq),
dropped AS (
    DELETE FROM deadlines USING added, unnest($10::int[], $11::text[]) AS old (item, kind)
    WHERE old.item = added.item AND deadlines.id = added.id AND deadlines.match = added.match
    AND deadlines.kind = old.kind),
kept AS (
    INSERT INTO deadlines (id, match, kind, due)
    SELECT added.id, added.match, new.kind, new.due
    FROM added JOIN unnest($12::int[], $13::text[], $14::bigint[]) AS new (item, kind, due)
    ON new.item = added.item ORDER BY added.id, added.match, new.kind
    ON CONFLICT (id, match, kind) DO UPDATE SET due = excluded.due)
SELECT added.item IS NOT NULL, done.seq{notify}
FROM asked LEFT JOIN added ON added.item = asked.item LEFT JOIN done ON done.item = asked.item
ORDER BY asked.item
"""
APPEND_BATCH_WITHOUT_NOTIFY = APPEND_BATCH_TEMPLATE.format(notify="")
APPEND_BATCH_AND_NOTIFY = APPEND_BATCH_TEMPLATE.format(
    notify=f""",
    (SELECT pg_notify('{CHANNEL}', string_agg(news.line, E'\\n'))::text
     FROM added JOIN unnest($15::text[]) WITH ORDINALITY AS news (line, item)
     ON news.item = added.item HAVING count(*) > 0)"""
)


@dataclass(eq=False)
class WaitingAppend:
    """An append that a caller is waiting for."""

    append: Append
    deadlines: SetDeadlines | None
    answer: "asyncio.Future[None]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    @property
    def writes(self) -> tuple[Write, ...]:
        return (self.append, self.deadlines) if self.deadlines else (self.append,)


def append_batch_statement(batch: Sequence[WaitingAppend], *, notify: bool) -> Statement:
    """One statement for appends to different matches. Each gets a row: whether it was done, and
    which seq the log had reached if its command was done before."""
    appends = list(enumerate((each.append for each in batch), 1))
    keys = [split_match(append.match) for _, append in appends]
    due = [
        (item, kind, at)
        for item, each in enumerate(batch, 1)
        if each.deadlines
        for kind, at in each.deadlines.due.items()
    ]
    events = [
        (item, number, event)
        for item, append in appends
        for number, event in enumerate(append.events, 1)
    ]
    dropped = [(item, kind) for item, kind, at in due if at is None]
    kept = [(item, kind, at) for item, kind, at in due if at is not None]
    values: list[Any] = [
        *to_columns(keys, 2),
        [append.seq for _, append in appends],
        [append.command for _, append in appends],
        [append.actor for _, append in appends],
        [append.awaited_text for _, append in appends],
        *to_columns(events, 3),
        *to_columns(dropped, 2),
        *to_columns(kept, 3),
    ]
    if notify:
        values.append(bus_messages_for([each.append for each in batch]))
    return Statement(APPEND_BATCH_AND_NOTIFY if notify else APPEND_BATCH_WITHOUT_NOTIFY, values)


def to_columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [[row[column] for row in rows] for column in range(width)]


def bus_messages_for(appends: Sequence[Append]) -> list[str]:
    """A line for each append. Together they fit into one notification, with as many events as there
    is room for."""
    remaining = MAX_PAYLOAD_BYTES - sum(
        len(bus_message_for(append, max_bytes=0)) + 1 for append in appends
    )
    lines = []
    for append in appends:
        bare = bus_message_for(append, max_bytes=0)
        lines.append(bus_message_for(append, max_bytes=remaining + len(bare)))
        remaining -= len(lines[-1].encode()) - len(bare)
    return lines


class AppendQueue:
    """Collects appends while others are being written.

    `flush` writes a batch: it resolves each append, or raises an error for all of them.
    """

    def __init__(self, flush: Callable[[Sequence[WaitingAppend]], Awaitable[None]]) -> None:
        self._flush = flush
        self._waiting: list[WaitingAppend] = []
        self._flushes: set[asyncio.Task[None]] = set()

    async def commit(self, append: Append, deadlines: SetDeadlines | None = None) -> None:
        """Append, and return once it's on disk. Raises as `Store.commit` does."""
        waiting = WaitingAppend(append, deadlines)
        self._waiting.append(waiting)
        if len(self._flushes) < MAX_CONCURRENT_FLUSHES:
            self._flushes.add(asyncio.create_task(self._flush_batches()))
        await waiting.answer

    async def _flush_batches(self) -> None:
        this = asyncio.current_task()
        assert this is not None
        try:
            while batch := self._take_batch():
                try:
                    await self._flush(batch)
                except Exception as error:  # noqa: BLE001 - passed on to the callers
                    for each in batch:
                        fail_append(each, error)
        finally:
            # Here, and not when the task is done: a commit in between would rely on it.
            self._flushes.discard(this)

    def _take_batch(self) -> list[WaitingAppend]:
        """The next batch, with one append per match, because a second one depends on the first."""
        batch: dict[str, WaitingAppend] = {}
        left: list[WaitingAppend] = []
        for each in self._waiting:
            if each.answer.done():  # the caller has gone
                continue
            if len(batch) == MAX_APPENDS_PER_BATCH or each.append.match in batch:
                left.append(each)
            else:
                batch[each.append.match] = each
        self._waiting = left
        return list(batch.values())


def resolve_append(waiting: WaitingAppend, *, done: bool, before: int | None) -> None:
    """Tell the caller what became of an append."""
    if before is not None:
        fail_append(waiting, Duplicate(before))
    elif not done:
        fail_append(waiting, Conflict())
    elif not waiting.answer.done():
        waiting.answer.set_result(None)


def fail_append(waiting: WaitingAppend, error: Exception) -> None:
    if not waiting.answer.done():
        waiting.answer.set_exception(error)
