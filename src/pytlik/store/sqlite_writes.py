"""Writes as SQLite's statements.

They name their columns, because a newer Pytlik may have added some.
"""

import json
import sqlite3
from typing import Any

from pytlik.store.circle_statements import sqlite_circle_statements
from pytlik.store.circle_writes import CircleWrite
from pytlik.store.daily_statements import daily_write_statement
from pytlik.store.daily_writes import DailyWrite
from pytlik.store.errors import Conflict, Duplicate
from pytlik.store.notification_statements import notification_statements
from pytlik.store.rows import Deadline
from pytlik.store.writes import (
    Append,
    CheckStillDue,
    Connected,
    DeleteOldGuesses,
    DeleteTable,
    DeleteWorker,
    Disconnected,
    EndDowntime,
    GiveBackGuess,
    Heartbeat,
    MoveDeadline,
    PutSecret,
    PutState,
    PutTable,
    SetDeadlines,
    TakeGuess,
    TokenSeen,
    UpdateTrackedTokens,
    Write,
    split_match,
)

TABLES_WITH_TABLE_ID = (
    "events",
    "commands",
    "secrets",
    "deadlines",
    "holders",
    "presence",
    "tables",
)
"""The database's tables whose rows belong to a table of players and have its id."""


def adapt_for_sqlite(sql: str, values: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Convert a statement and its values from PostgreSQL's form to SQLite's."""
    lists = (json.dumps(value) if isinstance(value, list) else value for value in values)
    return sql.replace("$", "?"), tuple(lists)


def apply_write(connection: sqlite3.Connection, write: Write) -> None:
    match write:
        case Append():
            append(connection, write)
        case PutTable():
            put_table(connection, write)
        case SetDeadlines():
            set_deadlines(connection, write)
        case PutSecret(match, secret):
            connection.execute(
                "INSERT INTO secrets (id, match, secret) VALUES (?, ?, ?)",
                (*split_match(match), secret),
            )
        case PutState(id, number, seq, version, state):
            connection.execute(
                "UPDATE secrets SET state_seq = ?, state_version = ?, state = ?"
                " WHERE id = ? AND match = ?",
                (seq, version, state, id, number),
            )
        case DeleteTable(id):
            for name in TABLES_WITH_TABLE_ID:
                connection.execute(f"DELETE FROM {name} WHERE id = ?", (id,))
        case MoveDeadline(match, kind, due, None):
            connection.execute(
                "DELETE FROM deadlines WHERE id = ? AND match = ? AND kind = ? AND due = ?",
                (*split_match(match), kind, due),
            )
        case MoveDeadline(match, kind, due, to):
            connection.execute(
                "UPDATE deadlines SET due = ? WHERE id = ? AND match = ? AND kind = ? AND due = ?",
                (to, *split_match(match), kind, due),
            )
        case CheckStillDue(match, kind, due):
            if not connection.execute(
                "SELECT 1 FROM deadlines WHERE id = ? AND match = ? AND kind = ? AND due = ?",
                (*split_match(match), kind, due),
            ).fetchone():
                raise Conflict
        case Connected(id, holder, worker, lag):
            connection.execute(
                "INSERT INTO presence (id, holder, worker, lag) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id, holder, worker) DO UPDATE SET lag = excluded.lag",
                (id, holder, worker, lag),
            )
        case Disconnected(id, holder, worker):
            connection.execute(
                "DELETE FROM presence WHERE id = ? AND holder = ? AND worker = ?",
                (id, holder, worker),
            )
        case Heartbeat(worker, at, since):
            note_heartbeat(connection, at, since)
            connection.execute(
                "INSERT INTO workers (worker, at) VALUES (?, ?)"
                " ON CONFLICT (worker) DO UPDATE SET at = excluded.at",
                (worker, at),
            )
        case EndDowntime(last, at):
            if not connection.execute(
                "UPDATE beats SET at = ? WHERE id = 1 AND at = ?", (at, last)
            ).rowcount:
                raise Conflict
            if write.was_long:
                connection.execute(
                    "INSERT INTO beats (id, at) VALUES (2, ?)"
                    " ON CONFLICT (id) DO UPDATE SET at = excluded.at",
                    (at,),
                )
        case DeleteWorker(worker, at):
            if not connection.execute(
                "DELETE FROM workers WHERE worker = ? AND at = ?", (worker, at)
            ).rowcount:
                raise Conflict
        case TakeGuess():
            take_guess(connection, write)
        case GiveBackGuess(key, burst):
            connection.execute("UPDATE guesses SET remaining = remaining + 1 WHERE key = ?", (key,))
            connection.execute("DELETE FROM guesses WHERE key = ? AND remaining >= ?", (key, burst))
        case DeleteOldGuesses(before):
            connection.execute("DELETE FROM guesses WHERE at < ?", (before,))
        case TokenSeen(holder, at):
            connection.execute(
                "UPDATE last_seen SET at = ?2 WHERE holder = ?1 AND at < ?2", (holder, at)
            )
        case UpdateTrackedTokens(now, before):
            connection.execute(
                "INSERT INTO last_seen (holder, at) SELECT DISTINCT holder, ? FROM holders"
                " WHERE holder NOT IN (SELECT holder FROM last_seen)",
                (now,),
            )
            connection.execute(
                "DELETE FROM last_seen WHERE at < ?"
                " AND NOT EXISTS (SELECT 1 FROM holders WHERE holder = last_seen.holder)",
                (before,),
            )
        case _ if isinstance(write, CircleWrite):
            first, *others = sqlite_circle_statements(write)
            if not connection.execute(*adapt_for_sqlite(*first)).rowcount:
                raise Conflict
            for statement in others:
                connection.execute(*adapt_for_sqlite(*statement))
        case _ if isinstance(write, DailyWrite):
            connection.execute(*adapt_for_sqlite(*daily_write_statement(write)))
        case _:
            for statement in notification_statements(write):
                connection.execute(*adapt_for_sqlite(*statement))


def take_guess(connection: sqlite3.Connection, write: TakeGuess) -> None:
    left = "min(?2, remaining + max(0, ?4 - at) * ?3 / 1000.0)"
    if not connection.execute(
        "INSERT INTO guesses (key, remaining, at) VALUES (?1, ?2 - 1, ?4) ON CONFLICT (key)"
        f" DO UPDATE SET remaining = {left} - 1, at = max(at, ?4) WHERE {left} >= 1",
        (write.key, write.burst, write.per_second, write.now),
    ).rowcount:
        raise Conflict


def append(connection: sqlite3.Connection, write: Append) -> None:
    """Use as few statements as possible: between them, this thread gives way to others."""
    key, seq, command = split_match(write.match), write.seq, write.command
    first, *others = write.events
    awaited = write.awaited_text
    added = connection.execute(
        "INSERT INTO events (id, match, seq, event, actor, awaited)"
        " SELECT ?1, ?2, ?3 + 1, ?4, ?6, ?7"
        " WHERE coalesce((SELECT max(seq) FROM events WHERE id = ?1 AND match = ?2), 0) = ?3"
        " AND NOT EXISTS (SELECT 1 FROM commands WHERE id = ?1 AND match = ?2 AND command = ?5)",
        (*key, seq, first, command, write.actor, awaited),
    )
    if not added.rowcount:
        done = connection.execute(
            "SELECT seq FROM commands WHERE id = ? AND match = ? AND command = ?", (*key, command)
        ).fetchone()
        raise Duplicate(done[0]) if done else Conflict
    if others:
        connection.executemany(
            "INSERT INTO events (id, match, seq, event, actor, awaited) VALUES (?, ?, ?, ?, ?, ?)",
            [
                (*key, number, event, write.actor, awaited)
                for number, event in enumerate(others, seq + 2)
            ],
        )
    if command is not None:
        connection.execute(
            "INSERT INTO commands (id, match, command, seq) VALUES (?, ?, ?, ?)",
            (*key, command, seq + len(write.events)),
        )


def set_deadlines(connection: sqlite3.Connection, write: SetDeadlines) -> None:
    key = split_match(write.match)
    for kind, at in write.due.items():
        if at is None:
            connection.execute(
                "DELETE FROM deadlines WHERE id = ? AND match = ? AND kind = ?", (*key, kind)
            )
        else:
            connection.execute(
                "INSERT INTO deadlines (id, match, kind, due) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id, match, kind) DO UPDATE SET due = excluded.due",
                (*key, kind, at),
            )


def note_heartbeat(connection: sqlite3.Connection, at: int, since: int) -> None:
    """Clocks differ between machines: the latest beat counts."""
    if not connection.execute(
        "INSERT INTO beats (id, at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE"
        " SET at = max(beats.at, excluded.at) WHERE beats.at >= ?2",
        (at, since),
    ).rowcount:
        raise Conflict


def take_due(connection: sqlite3.Connection, now: int, lease: int, limit: int) -> list[Deadline]:
    rows = connection.execute(
        "SELECT id, match, kind, due FROM deadlines WHERE due <= ? ORDER BY due LIMIT ?",
        (now, limit),
    ).fetchall()
    connection.executemany(
        "UPDATE deadlines SET due = ? WHERE id = ? AND match = ? AND kind = ?",
        [(now + lease, *key) for *key, _ in rows],
    )
    return [Deadline(f"{id}.{match}", kind, due) for id, match, kind, due in rows]


def put_table(connection: sqlite3.Connection, write: PutTable) -> None:
    row = (write.version + 1, write.doc, write.phase, write.listed, write.touched)
    if write.version:
        done = connection.execute(
            "UPDATE tables SET version = ?, doc = ?, phase = ?, listed = ?, touched = ?"
            " WHERE id = ? AND version = ?",
            (*row, write.id, write.version),
        )
    else:
        done = connection.execute(
            "INSERT INTO tables (version, doc, phase, listed, touched, id)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*row, write.id),
        )
    if not done.rowcount:
        raise Conflict
    places = ", ".join("?" * len(write.holders))
    connection.execute(
        f"DELETE FROM holders WHERE id = ? AND holder NOT IN ({places})", (write.id, *write.holders)
    )
    connection.executemany(
        "INSERT INTO holders (holder, id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(holder, write.id) for holder in write.holders],
    )
