"""Commits as single statements of PostgreSQL.

A statement is one round trip to the server and a transaction of its own. So a worker that freezes,
at whatever moment, holds no lock that others wait for.
"""

from typing import Any

import msgspec

from pytlik.store.postgres_fixed_statements import FIXED_STATEMENTS, append_statement, wake_up_for
from pytlik.store.postgres_sorted_writes import SortedWrites
from pytlik.store.postgres_statement import Statement, StatementParts
from pytlik.store.writes import (
    Append,
    Connected,
    Heartbeat,
    PutTable,
    SetDeadlines,
    Write,
    split_match,
)
from pytlik.wake_ups import CHANNEL, format_wake_up


def commit_statement(*writes: Write, notify: bool) -> Statement | None:
    """One statement for all writes, which answers whether they were done, and with which seq the
    command was done before; None if it takes more than one."""
    match writes:
        case [Append() as only]:
            return append_statement(only, {}, notify=notify)
        case [Append() as first, SetDeadlines(match, due)] if match == first.match:
            return append_statement(first, due, notify=notify)
        case [only] if text := FIXED_STATEMENTS.get(type(only)):
            return Statement(text, list(msgspec.structs.astuple(only)))
        case _:
            pass  # put together below
    sorted_writes = SortedWrites(writes)
    if not sorted_writes.fits_one_statement:
        return None
    single = sorted_writes.single_writes
    parts = StatementParts()
    add_gate(parts, single)
    if append := single.get("Append"):
        add_events(parts, append)
    if put := single.get("PutTable"):
        add_holders(parts, put)
    if beat := single.get("Heartbeat"):
        add_worker(parts, beat)
    if sorted_writes.secrets:
        rows = parts.rows("text int bytea", sorted_writes.secrets)
        parts.add(
            "kept_secrets",
            "(INSERT INTO secrets (id, match, secret)"
            f" SELECT new.* FROM gate, {rows} AS new (id, match, secret))",
        )
    add_deadlines(parts, sorted_writes)
    add_presence(parts, sorted_writes.here)
    if notify:
        for write in writes:
            add_notification(parts, write)
    return parts.statement()


def add_gate(parts: StatementParts, single: dict[str, Any]) -> None:
    """Add the part that decides whether everything is done or nothing: it has a row, or none."""
    value = parts.value
    allowed, done = "true", "NULL"
    append: Append | None = single.get("Append")
    put: PutTable | None = single.get("PutTable")
    if append:
        is_match = parts.match(append.match)
        seq = value("int", append.seq)
        # The log has just the length that was expected, and the command is new.
        allowed = f"coalesce((SELECT max(seq) FROM events WHERE {is_match}), 0) = {seq}"
        if append.command is not None:
            command = value("text", append.command)
            parts.add(
                "done",
                f"MATERIALIZED (SELECT seq FROM commands WHERE {is_match} AND command = {command})",
            )
            allowed += " AND NOT EXISTS (SELECT FROM done)"
            done = "(SELECT seq FROM done)"
        if append.seq and not (put and split_match(append.match)[0] == put.id):
            # Dropping the table deletes this row too. So either the drop waits for this statement,
            # and then deletes what it has added; or this statement waits, and finds that the row is
            # gone. Either way no end of a log is left behind. If the table changes in the same
            # commit, that is lock enough.
            parts.add(
                "first",
                f"MATERIALIZED (SELECT FROM events WHERE {is_match} AND seq = 1 FOR KEY SHARE)",
            )
            allowed += " AND EXISTS (SELECT FROM first)"
    if still_due := single.get("StillDue"):
        is_match = parts.match(still_due.match)
        kind, due = value("text", still_due.kind), value("bigint", still_due.due)
        # An action sets a new deadline: then this waits, and finds another.
        parts.add(
            "still_due",
            "MATERIALIZED (SELECT FROM deadlines"
            f" WHERE {is_match} AND kind = {kind} AND due = {due} FOR UPDATE)",
        )
        allowed += " AND EXISTS (SELECT FROM still_due)"
    if put:
        parts.add("gate", put_table(parts, put, allowed))
    elif drop := single.get("DropWorker"):
        worker, at = value("text", drop.worker), value("bigint", drop.at)
        parts.add(
            "gate",
            f"(DELETE FROM workers WHERE worker = {worker} AND at = {at} AND {allowed}"
            " RETURNING worker)",
        )
    elif beat := single.get("Heartbeat"):
        at, since = value("bigint", beat.at), value("bigint", beat.since)
        # Clocks differ between machines: the latest beat counts.
        parts.add(
            "gate",
            f"(INSERT INTO beats SELECT 1, {at} WHERE {allowed} ON CONFLICT (id)"
            f" DO UPDATE SET at = greatest(beats.at, excluded.at) WHERE beats.at >= {since}"
            " RETURNING id)",
        )
    elif downtime := single.get("EndDowntime"):
        last, at = value("bigint", downtime.last), value("bigint", downtime.at)
        parts.add(
            "gate",
            f"(UPDATE beats SET at = {at} WHERE id = 1 AND at = {last} AND {allowed} RETURNING id)",
        )
    else:
        parts.add("gate", f"MATERIALIZED (SELECT WHERE {allowed})")
    parts.add_answer("EXISTS (SELECT FROM gate)")
    parts.add_answer(done)


def put_table(parts: StatementParts, put: PutTable, allowed: str) -> str:
    value = parts.value
    id = value("text", put.id)
    columns = {
        "version": value("int", put.version + 1),
        "doc": value("bytea", put.doc),
        "phase": value("text", put.phase),
        "listed": value("bool", put.listed),
        "touched": value("bigint", put.touched),
    }
    if put.version:
        changes = ", ".join(f"{name} = {new}" for name, new in columns.items())
        before = value("int", put.version)
        return (
            f"(UPDATE tables SET {changes} WHERE id = {id} AND version = {before} AND {allowed}"
            " RETURNING id)"
        )
    return (
        f"(INSERT INTO tables (id, {', '.join(columns)})"
        f" SELECT {id}, {', '.join(columns.values())} WHERE {allowed}"
        " ON CONFLICT DO NOTHING RETURNING id)"
    )


def add_events(parts: StatementParts, append: Append) -> None:
    value = parts.value
    table, number = split_match(append.match)
    id, match, seq = value("text", table), value("int", number), value("int", append.seq)
    events, actor = value("bytea[]", append.events), value("text", append.actor)
    parts.add(
        "added",
        f"(INSERT INTO events (id, match, seq, event, actor)"
        f" SELECT {id}, {match}, {seq} + number, event, {actor}"
        f" FROM gate, unnest({events}) WITH ORDINALITY AS new (event, number))",
    )
    if append.command is not None:
        command = value("text", append.command)
        reached = value("int", append.seq + len(append.events))
        parts.add(
            "said",
            "(INSERT INTO commands (id, match, command, seq)"
            f" SELECT {id}, {match}, {command}, {reached} FROM gate)",
        )


def add_holders(parts: StatementParts, put: PutTable) -> None:
    id = parts.value("text", put.id)
    holders = parts.value("text[]", put.holders)
    if put.version:
        parts.add(
            "former_holders",
            f"(DELETE FROM holders USING gate"
            f" WHERE holders.id = {id} AND holder <> ALL({holders}))",
        )
    parts.add(
        "new_holders",
        f"(INSERT INTO holders SELECT DISTINCT new, {id} FROM gate, unnest({holders}) AS new"
        " ON CONFLICT DO NOTHING)",
    )


def add_worker(parts: StatementParts, beat: Heartbeat) -> None:
    worker, at = parts.value("text", beat.worker), parts.value("bigint", beat.at)
    parts.add(
        "worker_beat",
        f"(INSERT INTO workers SELECT {worker}, {at} FROM gate"
        " ON CONFLICT (worker) DO UPDATE SET at = excluded.at)",
    )


def add_deadlines(parts: StatementParts, sorted_writes: SortedWrites) -> None:
    key = "id, match, kind"
    same_key = "deadlines.id = old.id AND deadlines.match = old.match AND deadlines.kind = old.kind"
    same = f"{same_key} AND deadlines.due = old.due"
    gone: list[tuple[Any, ...]] = [key for key, due in sorted_writes.due.items() if due is None]
    if gone:
        rows = parts.rows("text int text", gone)
        parts.add(
            "former_deadlines",
            f"(DELETE FROM deadlines USING gate, {rows} AS old ({key}) WHERE {same_key})",
        )
    kept = [(*key, due) for key, due in sorted_writes.due.items() if due is not None]
    if kept:
        rows = parts.rows("text int text bigint", kept)
        parts.add(
            "new_deadlines",
            f"(INSERT INTO deadlines ({key}, due) SELECT new.* FROM gate, {rows} AS new"
            f" ON CONFLICT ({key}) DO UPDATE SET due = excluded.due)",
        )
    done = [(*key, due) for key, (due, to) in sorted_writes.moved.items() if to is None]
    if done:
        rows = parts.rows("text int text bigint", done)
        parts.add(
            "done_deadlines",
            f"(DELETE FROM deadlines USING gate, {rows} AS old ({key}, due) WHERE {same})",
        )
    moved = [(*key, due, to) for key, (due, to) in sorted_writes.moved.items() if to is not None]
    if moved:
        rows = parts.rows("text int text bigint bigint", moved)
        parts.add(
            "moved_deadlines",
            f"(UPDATE deadlines SET due = old.later FROM gate, {rows} AS old"
            f" ({key}, due, later) WHERE {same})",
        )


def add_presence(parts: StatementParts, here: dict[tuple[str, str, str], Connected | None]) -> None:
    new: list[tuple[Any, ...]] = [(*key, come.lag) for key, come in here.items() if come]
    if new:
        rows = parts.rows("text text text int", new)
        parts.add(
            "new_presence",
            f"(INSERT INTO presence SELECT new.* FROM gate, {rows} AS new"
            " ON CONFLICT (id, holder, worker) DO UPDATE SET lag = excluded.lag)",
        )
    left: list[tuple[Any, ...]] = [key for key, come in here.items() if not come]
    if left:
        rows = parts.rows("text text text", left)
        parts.add(
            "former_presence",
            f"(DELETE FROM presence USING gate, {rows} AS old (id, holder, worker)"
            " WHERE presence.id = old.id AND presence.holder = old.holder"
            " AND presence.worker = old.worker)",
        )


def add_notification(parts: StatementParts, write: Write) -> None:
    """Notify other workers. They hear it only if it commits, and in the order of commits."""
    if isinstance(write, Append):
        news = wake_up_for(write)
    elif isinstance(write, PutTable):
        news = format_wake_up(write.id, write.version + 1)
    else:
        return
    payload = parts.value("text", news)
    parts.add_answer(
        f"CASE WHEN EXISTS (SELECT FROM gate) THEN pg_notify('{CHANNEL}', {payload})::text END"
    )
