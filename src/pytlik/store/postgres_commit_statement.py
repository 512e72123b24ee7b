"""Builds one PostgreSQL statement for a whole commit.

A statement is one round trip to the server and a transaction of its own. So a worker that freezes,
at whatever moment, holds no lock that others wait for.
"""

from typing import Any

import msgspec

from pytlik.bus_messages import CHANNEL, format_bus_message
from pytlik.store.postgres_fixed_statements import (
    FIXED_STATEMENTS,
    append_statement,
    bus_message_for,
)
from pytlik.store.postgres_statement import Statement, StatementBuilder
from pytlik.store.postgres_writes_by_kind import WritesByKind
from pytlik.store.writes import (
    Append,
    Connected,
    Heartbeat,
    PutTable,
    SetDeadlines,
    Write,
    split_match,
)


def commit_statement(*writes: Write, notify: bool) -> Statement | None:
    """One statement for all writes; None if it takes more than one. Its first column says whether
    they were done, the second which seq the log had reached if the command was done before."""
    match writes:
        case [Append() as only]:
            return append_statement(only, {}, notify=notify)
        case [Append() as first, SetDeadlines(match, due)] if match == first.match:
            return append_statement(first, due, notify=notify)
        case [only] if text := FIXED_STATEMENTS.get(type(only)):
            return Statement(text, list(msgspec.structs.astuple(only)))
        case _:
            pass  # put together below
    writes_by_kind = WritesByKind(writes)
    if not writes_by_kind.fits_one_statement:
        return None
    single = writes_by_kind.single_writes
    builder = StatementBuilder()
    add_precondition_gate(builder, single)
    if append := single.get("Append"):
        add_events(builder, append)
    if put := single.get("PutTable"):
        add_holders(builder, put)
    if beat := single.get("Heartbeat"):
        add_worker_heartbeat(builder, beat)
    if writes_by_kind.secrets:
        rows = builder.add_rows("text int bytea", writes_by_kind.secrets)
        builder.add_part(
            "kept_secrets",
            "(INSERT INTO secrets (id, match, secret)"
            f" SELECT new.* FROM gate, {rows} AS new (id, match, secret))",
        )
    add_deadlines(builder, writes_by_kind)
    add_presence(builder, writes_by_kind.here)
    if notify:
        for write in writes:
            add_bus_message(builder, write)
    return builder.build()


def add_precondition_gate(builder: StatementBuilder, single: dict[str, Any]) -> None:
    """Add the part on which all others depend: it has a row if everything may be done, and none if
    the commit is refused."""
    value = builder.add_value
    allowed, done = "true", "NULL"
    append: Append | None = single.get("Append")
    put: PutTable | None = single.get("PutTable")
    if append:
        is_match = builder.match_condition(append.match)
        seq = value("int", append.seq)
        # The log has exactly the expected length, and the command is new.
        allowed = f"coalesce((SELECT max(seq) FROM events WHERE {is_match}), 0) = {seq}"
        if append.command is not None:
            command = value("text", append.command)
            builder.add_part(
                "done",
                f"MATERIALIZED (SELECT seq FROM commands WHERE {is_match} AND command = {command})",
            )
            allowed += " AND NOT EXISTS (SELECT FROM done)"
            done = "(SELECT seq FROM done)"
        if append.seq and not (put and split_match(append.match)[0] == put.id):
            # Deleting the table deletes this row too. So either the deletion waits for this
            # statement, and then deletes what it has added; or this statement waits, and finds that
            # the row is gone. Either way, no orphaned events are left behind. If the table changes
            # in the same commit, that lock is enough.
            builder.add_part(
                "first",
                f"MATERIALIZED (SELECT FROM events WHERE {is_match} AND seq = 1 FOR KEY SHARE)",
            )
            allowed += " AND EXISTS (SELECT FROM first)"
    if still_due := single.get("CheckStillDue"):
        is_match = builder.match_condition(still_due.match)
        kind, due = value("text", still_due.kind), value("bigint", still_due.due)
        # An action sets a new deadline: then this waits for it, and no longer finds this one.
        builder.add_part(
            "still_due",
            "MATERIALIZED (SELECT FROM deadlines"
            f" WHERE {is_match} AND kind = {kind} AND due = {due} FOR UPDATE)",
        )
        allowed += " AND EXISTS (SELECT FROM still_due)"
    if put:
        builder.add_part("gate", put_table_sql(builder, put, allowed))
    elif drop := single.get("DeleteWorker"):
        worker, at = value("text", drop.worker), value("bigint", drop.at)
        builder.add_part(
            "gate",
            f"(DELETE FROM workers WHERE worker = {worker} AND at = {at} AND {allowed}"
            " RETURNING worker)",
        )
    elif beat := single.get("Heartbeat"):
        at, since = value("bigint", beat.at), value("bigint", beat.since)
        # Clocks differ between machines: the latest beat counts.
        builder.add_part(
            "gate",
            f"(INSERT INTO beats SELECT 1, {at} WHERE {allowed} ON CONFLICT (id)"
            f" DO UPDATE SET at = greatest(beats.at, excluded.at) WHERE beats.at >= {since}"
            " RETURNING id)",
        )
    elif downtime := single.get("EndDowntime"):
        last, at = value("bigint", downtime.last), value("bigint", downtime.at)
        builder.add_part(
            "gate",
            f"(UPDATE beats SET at = {at} WHERE id = 1 AND at = {last} AND {allowed} RETURNING id)",
        )
        if downtime.was_long:
            builder.add_part(
                "long_downtime",
                f"(INSERT INTO beats SELECT 2, {at} FROM gate"
                " ON CONFLICT (id) DO UPDATE SET at = excluded.at)",
            )
    else:
        builder.add_part("gate", f"MATERIALIZED (SELECT WHERE {allowed})")
    builder.add_result_column("EXISTS (SELECT FROM gate)")
    builder.add_result_column(done)


def put_table_sql(builder: StatementBuilder, put: PutTable, allowed: str) -> str:
    value = builder.add_value
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


def add_events(builder: StatementBuilder, append: Append) -> None:
    value = builder.add_value
    table, number = split_match(append.match)
    id, match, seq = value("text", table), value("int", number), value("int", append.seq)
    events, actor = value("bytea[]", append.events), value("text", append.actor)
    awaited = value("text", append.awaited_text)
    builder.add_part(
        "added",
        f"(INSERT INTO events (id, match, seq, event, actor, awaited)"
        f" SELECT {id}, {match}, {seq} + number, event, {actor}, {awaited}"
        f" FROM gate, unnest({events}) WITH ORDINALITY AS new (event, number))",
    )
    if append.command is not None:
        command = value("text", append.command)
        reached = value("int", append.seq + len(append.events))
        builder.add_part(
            "said",
            "(INSERT INTO commands (id, match, command, seq)"
            f" SELECT {id}, {match}, {command}, {reached} FROM gate)",
        )


def add_holders(builder: StatementBuilder, put: PutTable) -> None:
    id = builder.add_value("text", put.id)
    holders = builder.add_value("text[]", put.holders)
    if put.version:
        builder.add_part(
            "former_holders",
            f"(DELETE FROM holders USING gate"
            f" WHERE holders.id = {id} AND holder <> ALL({holders}))",
        )
    builder.add_part(
        "new_holders",
        f"(INSERT INTO holders SELECT DISTINCT new, {id} FROM gate, unnest({holders}) AS new"
        " ON CONFLICT DO NOTHING)",
    )


def add_worker_heartbeat(builder: StatementBuilder, beat: Heartbeat) -> None:
    worker, at = builder.add_value("text", beat.worker), builder.add_value("bigint", beat.at)
    builder.add_part(
        "worker_beat",
        f"(INSERT INTO workers SELECT {worker}, {at} FROM gate"
        " ON CONFLICT (worker) DO UPDATE SET at = excluded.at)",
    )


def add_deadlines(builder: StatementBuilder, writes_by_kind: WritesByKind) -> None:
    key = "id, match, kind"
    same_key = "deadlines.id = old.id AND deadlines.match = old.match AND deadlines.kind = old.kind"
    same = f"{same_key} AND deadlines.due = old.due"
    gone: list[tuple[Any, ...]] = [key for key, due in writes_by_kind.due.items() if due is None]
    if gone:
        rows = builder.add_rows("text int text", gone)
        builder.add_part(
            "former_deadlines",
            f"(DELETE FROM deadlines USING gate, {rows} AS old ({key}) WHERE {same_key})",
        )
    kept = [(*key, due) for key, due in writes_by_kind.due.items() if due is not None]
    if kept:
        rows = builder.add_rows("text int text bigint", kept)
        builder.add_part(
            "new_deadlines",
            f"(INSERT INTO deadlines ({key}, due) SELECT new.* FROM gate, {rows} AS new"
            f" ON CONFLICT ({key}) DO UPDATE SET due = excluded.due)",
        )
    done = [(*key, due) for key, (due, to) in writes_by_kind.moved.items() if to is None]
    if done:
        rows = builder.add_rows("text int text bigint", done)
        builder.add_part(
            "done_deadlines",
            f"(DELETE FROM deadlines USING gate, {rows} AS old ({key}, due) WHERE {same})",
        )
    moved = [(*key, due, to) for key, (due, to) in writes_by_kind.moved.items() if to is not None]
    if moved:
        rows = builder.add_rows("text int text bigint bigint", moved)
        builder.add_part(
            "moved_deadlines",
            f"(UPDATE deadlines SET due = old.later FROM gate, {rows} AS old"
            f" ({key}, due, later) WHERE {same})",
        )


def add_presence(
    builder: StatementBuilder, here: dict[tuple[str, str, str], Connected | None]
) -> None:
    new: list[tuple[Any, ...]] = [(*key, come.lag) for key, come in here.items() if come]
    if new:
        rows = builder.add_rows("text text text int", new)
        builder.add_part(
            "new_presence",
            f"(INSERT INTO presence SELECT new.* FROM gate, {rows} AS new"
            " ON CONFLICT (id, holder, worker) DO UPDATE SET lag = excluded.lag)",
        )
    left: list[tuple[Any, ...]] = [key for key, come in here.items() if not come]
    if left:
        rows = builder.add_rows("text text text", left)
        builder.add_part(
            "former_presence",
            f"(DELETE FROM presence USING gate, {rows} AS old (id, holder, worker)"
            " WHERE presence.id = old.id AND presence.holder = old.holder"
            " AND presence.worker = old.worker)",
        )


def add_bus_message(builder: StatementBuilder, write: Write) -> None:
    """Notify other workers. They get it only if it commits, and in the order of commits."""
    if isinstance(write, Append):
        news = bus_message_for(write)
    elif isinstance(write, PutTable):
        news = format_bus_message(write.id, write.version + 1)
    else:
        return
    payload = builder.add_value("text", news)
    builder.add_result_column(
        f"CASE WHEN EXISTS (SELECT FROM gate) THEN pg_notify('{CHANNEL}', {payload})::text END"
    )
